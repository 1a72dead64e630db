"""Editions and variants as one frozen value. No chapter asks which edition is played; it asks a field.

The fields and presets are those of the catalogue (sets, section 2); `AMB` and `SAMB` readings that a table might want
otherwise are fields too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec

from kickdoor.packs.editions import PRESETS as EDITIONS


class RulesetError(ValueError):
    """A preset, option or field that does not exist, or a value that does not fit."""


# Every field says what it can be: a number that makes no game is refused like a word that nobody knows.
Word = Annotated[str, msgspec.Meta(max_length=80)]
Names = Annotated[tuple[Word, ...], msgspec.Meta(max_length=60)]
Few = Annotated[int, msgspec.Meta(ge=0, le=20)]
Some = Annotated[int, msgspec.Meta(ge=1, le=20)]
Cards = Annotated[int, msgspec.Meta(ge=0, le=10_000)]

Phase = Literal["kick", "trouble", "loot", "trouble_or_loot", "charity"]
Module = Literal["steeds", "powers", "bats", "dungeons", "portals", "enhancer_enhancers", "cwbh", "accessories"]


class Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Word = "classic"
    label: Word = "Classic rulebook (2014)"
    era: Word = "A"


class Seats(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    min: Annotated[int, msgspec.Meta(ge=2, le=12)] = 3
    max: Annotated[int, msgspec.Meta(ge=2, le=12)] = 6


Height = Annotated[int, msgspec.Meta(ge=1, le=99)]


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    start: Height = 1
    min: Height = 1
    goal: Annotated[int, msgspec.Meta(ge=2, le=100)] = 10
    goal_needs_kill: bool = True
    helper_may_win: bool = True  # AMB-19
    both_may_win: bool = True  # SAMB-39 over AMB-57


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Word
    max: Few | None = None
    filter: Word | None = None


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deal_doors: Few = 4
    deal_treasures: Few = 4
    sex: Literal["as_player", "choose"] = "as_player"
    first_player: Literal["random", "host_choice"] = "random"
    strict_creation: bool = False  # AMB-6
    opening_play: tuple[Opening, ...] = (
        Opening("race", 1),
        Opening("class", 1),
        Opening("item", None, "usable"),
    )


class TraitGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    enabled: bool = True
    cards: Names = ()
    default: Word | None = None
    max: Few = 1
    multi_card: Word | None = None


class PowerGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cap: Literal["level", "none"] = "level"
    opening_max_rank: Few = 1
    window: Literal["on_receipt_or_own_turn", "any_time"] = "on_receipt_or_own_turn"
    duplicates: Literal["forbid", "allow"] = "forbid"
    keep_over_cap: Names = ()


class Traits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    race: TraitGroup = TraitGroup()
    class_: TraitGroup = TraitGroup()
    power: PowerGroup | None = None
    style: TraitGroup = TraitGroup()  # XOVER-9
    training: TraitGroup = TraitGroup()  # XOVER-10
    loyalty: TraitGroup = TraitGroup()
    accent: TraitGroup = TraitGroup()
    single_benefit: bool = True


class TurnRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phases: Annotated[tuple[Phase, ...], msgspec.Meta(min_length=1, max_length=10)] = (
        "kick",
        "trouble",
        "loot",
        "charity",
    )
    phase2_gate: Literal["no_monster_drawn", "no_monster_drawn_and_no_fight"] = "no_monster_drawn"
    hand_limit: Some = 5


class Decks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    both_empty: Literal["no_draw"] = "no_draw"
    discard_order: Literal["auto", "ask"] = "auto"  # "ask": the turn player orders the discards of a fight (FQ-CARD-13)
    doors: Literal["suggested", "all"] = "suggested"  # of a set for mixes, how many Doors go in (DECK-4, AMB-4)
    treasures: Literal["suggested", "all", "as_doors"] = "suggested"  # and how many Treasures (DECK-3)
    thin_out: Cards | Literal["suggested"] = "suggested"  # Level 1 monsters left out of such a set (DECK-9)
    spells: Literal["used", "turn_end"] = "used"  # when a Spell goes to the discards (FQ-BOOK-15)
    filters: bool = True  # without Races (or Classes) what needs them stays in the box (DECK-10, DECK-11)
    piles: Literal["one", "halves", "reserve", "per_set"] = "one"  # what to do about tall decks (DECK-12..DECK-15)


class Windows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    special_default: Literal["any_time", "like_treasure"] = "any_time"
    fresh_card: Word = "until_next_turn_event"
    fresh_trait_in_fight: bool = True  # SAMB-57: a helper puts on the Race or Class that he just got


class Slots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    headgear: Few = 1
    armor: Few = 1
    footgear: Few = 1
    hands: Few = 2


class TagLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of Items with this tag so many may be in use at a time."""

    tag: Word
    max: Few


class Items(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    slots: Slots = Slots()
    big_limit: Few = 1
    curse_enhancers: bool = False
    equip_off_turn: bool = True  # AMB-27
    tag_limits: tuple[TagLimit, ...] = (TagLimit("complex", 1),)  # XOVER-33


class OneShot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    marker: Word = "usable once only"
    table_needs_item: bool = True


class Sell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    threshold: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1000
    window: Literal["own_turn_idle"] = "own_turn_idle"


class Response(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: Word = "2.6 seconds"
    seconds: Annotated[float, msgspec.Meta(ge=0.5, le=60)] = 2.6


class CombatRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand_ban: Literal["items", "treasures"] = "items"
    nonlethal_treasure: bool = True
    join_tags: Names = ("undead",)
    twin_cards: Names = ()
    response: Response = Response()


class Help(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    offer_kinds: tuple[Literal["item", "treasure", "play_card"], ...] = ("item", "treasure")
    only_when_losing: bool = False  # AMB-17


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    success_min: Some = 5
    discard: Literal["after_all", "on_escape"] = "after_all"


class DeathRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keep: Names = ("race", "class", "level", "curse", "multi_card")
    split: Names = ()
    loot_to: Literal["hand"] = "hand"
    replay: Literal["traits_items", "any_legal"] = "traits_items"


class CurseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    labels: Names = ("Curse",)


class Companion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: Word = "Companion"
    deck: Literal["door", "treasure"] | None = "door"
    limit: Few = 1
    tradable: Literal["never", "if_priced"] = "if_priced"
    sacrifice: bool = True
    reactions: tuple[Literal["bonus", "penalty"], ...] = ("bonus", "penalty")
    reaction_kinds: tuple[Literal["race", "class", "sex"], ...] = ("race", "class", "sex")
    sex_change: Literal["none", "sex_change_potion", "any"] = "sex_change_potion"
    carry: bool = True


class NameRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    trait: Word
    substring: Word
    bonus: Annotated[int, msgspec.Meta(ge=-100, le=100)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    faster_play: bool = False
    shared_victory: bool = False
    epic: bool = False


PICKERS: Final = ("winner", "loser")  # of the last game, one of whom may pick the first Dungeon (DUNG-12)


class DungeonRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table plays with Dungeons and Portals (DUNG-12..DUNG-15, PORTAL-13..PORTAL-16)."""

    first: Word = (
        "random"  # or the name of the Dungeon that was agreed on; or who picks it: the last "winner" or "loser"
    )
    chosen_by: Word = ""  # the name of the player who won or lost the last game, and picks the first one now
    locked: bool = False  # the first one can never be removed
    portals: Literal["suggested", "all", "one_each", "none"] = "suggested"
    portal_block: Cards = 0  # mixed into so many Doors on top; 0: into all


Date = Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))?$(?!\n)")]


class AccessoryRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table plays with what people bring along (module `accessories`, CAP-52)."""

    date: Date = ""  # the day of the game, since the engine has no clock (FQ-PROMO-1)
    shared: Names = ()  # cards of the group's own things: shuffled into their deck (FQ-KILL-3)
    returned: bool = False  # house rule: what was given away goes back after the game (FQ-PROMO-3)
    stand_ins: bool = False  # house rule: what is used up for good was a stand-in (FQ-PROMO-4)


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    total: Cards | None = None
    doors: Cards | None = None
    treasures: Cards | None = None
    board: bool = False  # Levels are shown on a board, by standies (MM-2)


class Ruleset(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"one_shot": "oneshot"}):
    """Everything a table can decide about the rules before it starts."""

    meta: Meta = Meta()
    components: Components = Components()
    players: Seats = Seats()
    level: Level = Level()
    setup: Setup = Setup()
    traits: Traits = Traits()
    turn: TurnRules = TurnRules()
    decks: Decks = Decks()
    windows: Windows = Windows()
    items: Items = Items()
    one_shot: OneShot = OneShot()
    sell: Sell = Sell()
    combat: CombatRules = CombatRules()
    help: Help = Help()
    run: Run = Run()
    death: DeathRules = DeathRules()
    curse: CurseRules = CurseRules()
    companion: Companion | None = Companion()
    modules: Annotated[tuple[Module, ...], msgspec.Meta(max_length=20)] = (
        "steeds",
        "dungeons",
        "portals",
        "enhancer_enhancers",
        "cwbh",
    )
    name_rules: Annotated[tuple[NameRule, ...], msgspec.Meta(max_length=20)] = ()
    dungeons: DungeonRules = DungeonRules()
    accessories: AccessoryRules = AccessoryRules()
    options: Options = Options()


PRESETS: Final = tuple(EDITIONS)
_ALIASES: Final = {"classic2014": "classic"}
_OPTIONS: Final = ("epic", "faster_play", "shared_victory")


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Deep merge in which lists replace."""
    out = dict(base)
    for k, v in over.items():
        if isinstance(v, dict) and isinstance(out.get(k), dict):
            out[k] = _merge(out[k], v)
        else:
            out[k] = v
    return out


# What a book does not have at all; a table that sets a single field of it has the rest as everybody else.
_ABSENT: Final = {"power": PowerGroup(), "companion": Companion()}


def _set(data: dict[str, Any], dotted: str, value: Any) -> None:
    *path, last = dotted.split(".")
    at: Any = data
    for part in [*path, last]:
        if not isinstance(at, dict) or part not in at:
            known = list(at) if isinstance(at, dict) else []
            near = get_close_matches(part, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(known) or 'nothing'}"
            raise RulesetError(f"no rules field {dotted!r}: {part!r} does not exist; {hint}")
        if part is last:
            break
        if at[part] is None and part in _ABSENT:
            at[part] = msgspec.to_builtins(_ABSENT[part])
        at = at[part]
    old = at[last]
    at[last] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value


def _preset(edition: str) -> dict[str, Any]:
    """All fields of a preset; what its book does not say is as in the classic one."""
    name = _ALIASES.get(edition, edition)
    if name not in EDITIONS:
        near = get_close_matches(name, PRESETS, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(PRESETS)}"
        raise RulesetError(f"no edition {edition!r}; {hint}")
    data = _merge(msgspec.to_builtins(Ruleset()), EDITIONS["classic"])
    return _merge(data, deepcopy(EDITIONS[name]))


# What sets at one table add up to (sets, section 5.3): any of them having it is enough.
_UNITED: Final = (
    ("modules",),
    ("name_rules",),
    ("combat", "join_tags"),
    ("combat", "twin_cards"),
    ("curse", "labels"),
    ("death", "keep"),
    ("death", "split"),
)
_COMPANION_WORDS: Final = {
    "tradable": ("never", "if_priced"),
    "sex_change": ("none", "sex_change_potion", "any"),
}


def _join(mine: Any, theirs: Any) -> list[Any]:
    return [*mine, *(x for x in theirs if x not in mine)]


def _blend(data: dict[str, Any], other: dict[str, Any]) -> None:
    """A table of several sets has the traits, kin, labels and companions of each of them (BT-2, XOVER-8, SAMB-47)."""
    for *path, last in _UNITED:
        mine, theirs = data, other
        for part in path:
            mine, theirs = mine[part], theirs[part]
        mine[last] = _join(mine[last], theirs[last])
    for group in ("race", "class"):
        data["traits"][group] = _blend_group(data["traits"][group], other["traits"][group])
    powers, theirs = data["traits"]["power"], other["traits"]["power"]
    if powers is None:
        data["traits"]["power"] = theirs
    elif theirs is not None:
        data["traits"]["power"] = {**powers, "keep_over_cap": _join(powers["keep_over_cap"], theirs["keep_over_cap"])}
    kinds = [o["kind"] for o in data["setup"]["opening_play"]]
    data["setup"]["opening_play"] = [
        *data["setup"]["opening_play"],
        *(o for o in other["setup"]["opening_play"] if o["kind"] not in kinds),
    ]
    data["items"]["curse_enhancers"] |= other["items"]["curse_enhancers"]
    data["companion"] = _blend_companions(data["companion"], other["companion"])


def _blend_group(mine: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Races or Classes are in the game as soon as one set has them."""
    if not theirs["enabled"]:
        return mine
    if not mine["enabled"]:
        return theirs
    return {**mine, "cards": _join(mine["cards"], theirs["cards"]), "max": max(mine["max"], theirs["max"])}


def _blend_companions(mine: dict[str, Any] | None, theirs: dict[str, Any] | None) -> dict[str, Any] | None:
    """One kind with a joint limit, which can do what it can in any of the sets (XOVER-4, XOVER-5, XOVER-7)."""
    if mine is None or theirs is None:
        return mine or theirs
    out = dict(mine)
    for word in ("sacrifice", "carry"):
        out[word] = mine[word] or theirs[word]
    for word in ("reactions", "reaction_kinds"):
        out[word] = _join(mine[word], theirs[word])
    for word, order in _COMPANION_WORDS.items():
        out[word] = max(mine[word], theirs[word], key=order.index)
    return out


_AT: Final = re.compile(r"`\$\.([\w.]+)")


def _known(trouble: str) -> str:
    """The words that a field knows, if it is one of those, and the trouble is with its word."""
    found = _AT.search(trouble)
    words = _words(found[1]) if found else []
    return f"; known words: {', '.join(words)}" if words else ""


def _words(dotted: str) -> list[str]:
    at: Any = Ruleset
    for part in dotted.split("."):
        struct = next((t for t in (at, *get_args(at)) if isinstance(t, type) and issubclass(t, msgspec.Struct)), None)
        if struct is None:
            return []
        at = {f.encode_name: f.type for f in msgspec.structs.fields(struct)}[part]
    return [str(word) for t in (at, *get_args(at)) if get_origin(t) is Literal for word in get_args(t)]


def ruleset(
    edition: str = "classic", mixed_with: Iterable[str] = (), kin: Iterable[str] = (), /, **fields: Any
) -> Ruleset:
    """The preset `edition`, with single fields (dotted names, or an option's bare name) changed.

    `mixed_with` names the editions of the other sets at the table, `kin` the monsters that join each other by a rule of
    one of these sets (XOVER-21).
    """
    data = _preset(edition)
    for other in mixed_with:
        _blend(data, _preset(other))
    data["combat"]["join_tags"] = _join(data["combat"]["join_tags"], kin)
    for key, value in fields.items():
        if key == "options" and isinstance(value, dict):
            for k, v in value.items():
                _set(data, f"options.{k}", v)
        elif key in _OPTIONS:
            _set(data, f"options.{key}", value)
        elif isinstance(value, dict) and isinstance(data.get(key), dict):
            data[key] = _merge(data[key], value)
        else:
            _set(data, key, value)
    chosen = data["options"]
    if isinstance(chosen, dict) and chosen["epic"] is True and "level.goal" not in fields:
        data["level"]["goal"] = 20  # AMB-29
    try:
        rules = msgspec.convert(data, Ruleset)
    except msgspec.ValidationError as e:
        raise RulesetError(f"rules field does not fit: {e}{_known(str(e))}") from None
    _check_together(rules)
    return rules


def _check_together(rules: Ruleset) -> None:
    """Fields that fit one by one, and make no game together."""
    seats, level = rules.players, rules.level
    if seats.min > seats.max:
        raise RulesetError(f"nobody could play: at least {seats.min} and at most {seats.max} players")
    if not level.min <= level.start < level.goal:
        says = f"the Levels do not go up: from {level.start}, never below {level.min}, to win at {level.goal}"
        raise RulesetError(says)
