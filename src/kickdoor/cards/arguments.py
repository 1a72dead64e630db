"""Which key means something where: for which kinds of cards, beside which verb, beside which modifier.

A key that nothing would read is an error, since whoever wrote it meant something by it. The tests hold these tables
against the engine: what is listed here is what the functions of the verbs read.
"""

from __future__ import annotations

from typing import Final, get_args

from kickdoor.cards.clauses import Modifier
from kickdoor.cards.kinds import COMPANIONS, CURSES, MOUNTS, TRAITS
from kickdoor.cards.steps import Step
from kickdoor.cards.vocabulary import Kind

# -- kinds --------------------------------------------------------------------------------------------------------

ALL: Final = frozenset(get_args(Kind))
MONSTER: Final = frozenset({"monster"})
ENHANCERS: Final = frozenset({"monster_enhancer", "enhancer"})
ON_MONSTERS: Final = ENHANCERS | {"enhancer_enhancer"}
ON_ITEMS: Final = frozenset({"item_enhancer", "steed_enhancer", "ship_enhancer"})
RIDDEN: Final = MOUNTS | {"ship"}
PEOPLE: Final = frozenset(TRAITS)
LASTS: Final = frozenset({"item", "special", "dungeon", "race_or_class_enhancer"})
SPENT: Final = frozenset({"one_shot", "go_up_a_level", "portal", "spell", "blank"})  # gone as soon as it has acted

# Written on a card that exists only in a scenario, these need not fit its kind (SCENARIOS: "where they make sense").
PLAIN: Final = frozenset(
    [
        "level",
        "levels_gained",
        "treasures",
        "bonus",
        "gold",
        "slot",
        "big",
        "run_away",
        "rank",
        "tags",
        "race",
        "class",
        "sex",
        "usable_by",
        "deck",
    ]
)

KINDS: Final[dict[str, frozenset[str]]] = {
    "level": MONSTER | ENHANCERS | CURSES,
    "levels_gained": MONSTER | ENHANCERS | CURSES | {"go_up_a_level"},
    "treasures": MONSTER | ON_MONSTERS,
    "bad_stuff": MONSTER | ENHANCERS,
    "bad_stuff_text": MONSTER,
    "pursuit_limit": MONSTER,
    "pursues": MONSTER,
    "escape": MONSTER,
    "refuses": MONSTER,
    "joins": MONSTER,
    "bonus": ALL - MONSTER - {"dungeon", "portal", "room", "spell", "accessory", "go_up_a_level", "blank"},
    "gold": RIDDEN | ON_ITEMS | COMPANIONS | {"item", "one_shot", "special"},
    "slot": frozenset({"item"}),
    "weapon": frozenset({"item"}),
    "big": MOUNTS | {"item", "one_shot"},
    "run_away": ALL - SPENT - {"room", "accessory", "dungeon", "enhancer_enhancer"},
    "rank": frozenset({"power"}),
    "race": COMPANIONS | {"race"},
    "class": COMPANIONS | {"class"},
    "sex": COMPANIONS | {"accessory"},
    "usable_by": RIDDEN | {"item", "power", "one_shot", "special", "go_up_a_level"},
    "not_usable_by": RIDDEN | {"item", "power", "one_shot", "special", "go_up_a_level"},
    "effect": CURSES | {"special", "portal", "monster"},
    "lasting": CURSES,
    "modifiers": ALL - {"go_up_a_level", "portal", "spell", "blank", "accessory"},
    "abilities": PEOPLE
    | COMPANIONS
    | RIDDEN
    | ON_ITEMS
    | {"item", "monster", "accessory", "special", "race_or_class_enhancer"},
    "play": COMPANIONS
    | ON_ITEMS
    | {"special", "one_shot", "go_up_a_level", "item", "spell", "race_or_class_enhancer"}
    | MONSTER
    | {"monster_enhancer", "enhancer"},
    "on": ALL - {"enhancer_enhancer", "go_up_a_level", "portal", "spell", "blank", "room"},
    "multi": frozenset({"special"}),
    "max_traits": frozenset({"special"}),
    "recasts": frozenset({"special"}),
    "waives": frozenset({"special"}),
    "mix_needs": frozenset({"special"}),
    "incompatible": ENHANCERS,
    "spares": CURSES,
    "carries": COMPANIONS,
    "carries_what": COMPANIONS,
    "uses_any": COMPANIONS,
    "takes_along": COMPANIONS,
    "wanders": frozenset({"item"}),
    "brings": frozenset({"accessory"}),
    "immediate": frozenset({"special", "monster"}),
}

# The figures that are not free: what they must be at least and at most, by the kind of the card.
RANGES: Final[dict[str, dict[str, tuple[int | None, int | None]]]] = {
    "level": {"monster": (1, None), **dict.fromkeys(CURSES, (None, -1))},
    "levels_gained": {"monster": (0, None), "go_up_a_level": (1, None), **dict.fromkeys(CURSES, (None, -1))},
    "treasures": {"monster": (0, None)},
}

# -- steps --------------------------------------------------------------------------------------------------------

SHARED_KEYS: Final = frozenset({"else_", "then", "who", "may_win", "per", "side"})
VERBS: Final = tuple(f for f in Step.__struct_fields__ if f not in SHARED_KEYS)
_READ: Final = {
    "who": "lose_level gain_level set_level steal_level death draw roll change_sex pay escape penalty afflict"
    " show_hand skip_turn discard change_trait retrieve attach consent contest give raise_monster suffer swap_hands"
    " summon give_away choose",
    "else": "discard take if change_trait retrieve kill_companion attach consent keep_as_item contest give"
    " raise_monster suffer pay tame ride make_pet eat_monster dungeon swap_hands summon give_away",
    "then": "if dungeon",
    "may_win": "gain_level",
    "side": "bonus",
    "per": "bonus",
}
BESIDE_VERB: Final[dict[str, frozenset[str]]] = {key: frozenset(verbs.split()) for key, verbs in _READ.items()}

# -- modifiers ----------------------------------------------------------------------------------------------------

CLAUSES: Final = ("per", "against", "if_", "to", "host")
MODIFIER_KEYS: Final = tuple(f for f in Modifier.__struct_fields__ if f not in CLAUSES)
_ALWAYS: Final = (
    "shields suppress_traits sex rideable small suppress enhancers sacrifice no_enhancers inverts"
    " intrudes only_over big_exempt redraw returns returns_to_hand usable_as grants apparent tag"
)
ALWAYS: Final = frozenset(_ALWAYS.split())  # what these say holds whatever else is the case: no `if`
BESIDE_MODIFIER: Final[dict[str, frozenset[str]]] = {
    "per": frozenset({"strength"}),
    "against": frozenset({"strength", "levels", "treasures", "monsters"}),
    "to": frozenset({"strength"}),
    "host": frozenset({"strength"}),
    "if": frozenset(MODIFIER_KEYS) - ALWAYS,
}
# Whose strength it is: a monster's asks about munchkins, a munchkin's about monsters.
ABOUT_MUNCHKINS: Final = frozenset({"against", "to"})
ABOUT_MONSTERS: Final = frozenset({"host"})
FOES: Final = MONSTER | {"monster_enhancer", "enhancer", "enhancer_enhancer", "dungeon"}

# -- what a card may stay on (`stays: attached`): what lies before a player. Monsters have their enhancers ----------

HOSTS: Final = frozenset(
    {"own_item", "any_item", "rival_item", "rival_small_item", "own_trait", "own_card", "companion", "rival_companion"}
)

# -- keys that say more about another key, and nothing without it -----------------------------------------------

NEEDS: Final[dict[str, dict[str, str]]] = {
    "Card": {"max_traits": "multi", "pursues": "pursuit_limit", "carries_what": "carries"},
    "Cost": {"what": "discard", "from": "discard"},
    "Predicate": {"count": "has"},
}
