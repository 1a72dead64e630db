"""The card language: every key a card may have, and nothing else.

These structures are the single source: the loader validates against them, the JSON Schema for editors is printed from
them, the compiler reads them. An unknown key is an error.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Names = str | list[str]
Amount = int | str

KINDS = (
    "monster",
    "curse",
    "trap",
    "race",
    "class",
    "power",
    "item",
    "one_shot",
    "monster_enhancer",
    "item_enhancer",
    "steed_enhancer",
    "enhancer_enhancer",
    "race_or_class_enhancer",
    "special",
    "go_up_a_level",
    "hireling",
    "minion",
    "sidekick",
    "steed",
    "dungeon",
    "portal",
    "spell",
    "blank",
)
Kind = Literal[
    "monster",
    "curse",
    "trap",
    "race",
    "class",
    "power",
    "item",
    "one_shot",
    "enhancer",
    "monster_enhancer",
    "item_enhancer",
    "steed_enhancer",
    "enhancer_enhancer",
    "race_or_class_enhancer",
    "special",
    "go_up_a_level",
    "hireling",
    "minion",
    "sidekick",
    "mook",
    "ally",
    "steed",
    "dungeon",
    "portal",
    "spell",
    "blank",
]
Slot = Literal["headgear", "armor", "footgear", "1hand", "2hands", "none"]
Deck = Literal["door", "treasure", "dungeon", "spell"]
Gold = int | Literal["no value", "none"]
Sex = Literal["male", "female", "none"]

CLOSED = {"forbid_unknown_fields": True, "omit_defaults": True}


class Range(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A number between two bounds, both included."""

    at_least: int | None = None
    at_most: int | None = None


class Filter(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"class_": "class", "not_": "not", "any_": "any"},
):
    """Which cards are meant. All keys given must hold."""

    kind: Names | None = None
    item: bool | None = None
    slot: Names | None = None
    big: bool | None = None
    tag: Names | None = None
    deck: Deck | None = None
    name: Names | None = None
    value: int | Range | None = None
    level: int | Range | None = None
    equipped: bool | None = None
    one_shot: bool | None = None
    weapon: bool | None = None
    usable_by: str | None = None
    any_: list[Filter | str] | None = None
    not_: Filter | str | None = None


class Predicate(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"not_": "not"}):
    """What is true of one player. All keys given must hold."""

    is_: Annotated[Names | None, Meta(description="a Race, Class, Power or sex, any of a list")] = msgspec.field(
        default=None, name="is"
    )
    level: int | Range | Literal["highest", "lowest"] | None = None
    has: Filter | str | None = None
    hand: int | Range | None = None
    in_fight: bool | None = None
    races: int | Range | None = None
    classes: int | Range | None = None
    own_turn: bool | None = None
    dead: bool | None = None
    not_: Predicate | Names | None = None


class FightCondition(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is true of the fight that is going on."""

    alone: bool | None = None
    monsters: int | Range | None = None
    tag: str | None = None
    used: Annotated[str | None, Meta(description="a tag on an Item in use or a card played for the munchkins")] = None
    bonuses: bool | None = None
    losing: bool | None = None
    margin: int | Range | None = None
    name: Names | None = None


class Condition(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"not_": "not", "any_": "any", "all_": "all"},
):
    """When something holds. All keys given must hold."""

    you: Predicate | Names | None = None
    victim: Predicate | Names | None = None
    actor: Predicate | Names | None = None
    target: Predicate | Names | None = None
    main: Predicate | Names | None = None
    helper: Predicate | Names | bool | None = None
    fighters: Predicate | Names | None = None
    anyone: Predicate | Names | None = None
    fight: FightCondition | None = None
    roll: int | Range | None = None
    any_: list[Condition | str] | None = None
    all_: list[Condition | str] | None = None
    not_: Condition | str | None = None


class Modifier(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if"}):
    """Something a card changes for as long as it is in force. Exactly one of the first group, then conditions."""

    strength: Amount | None = None
    run_away: int | None = None
    hand_limit: int | None = None
    big: Annotated[int | Literal["unlimited"] | None, Meta(description="how many Big Items may be carried")] = None
    extra_big: int | None = None
    hands: int | None = None
    slot: Annotated[Slot | None, Meta(description="one more Item of this slot may be in use")] = None
    wins_ties: bool | None = None
    helper_level: Annotated[int | None, Meta(description="levels per monster killed as a helper")] = None
    die: int | None = None
    level_only: bool | None = None
    bonuses_only: bool | None = None
    no_item_bonuses: Annotated[Names | None, Meta(description="Item bonuses do not count, except these slots")] = None
    no_help: bool | None = None
    levels: Annotated[int | None, Meta(description="more levels for killing this monster")] = None
    treasures: Annotated[int | None, Meta(description="more Treasures from this monster")] = None
    curse_immunity: Literal["door", "all", "others"] | None = None
    sell_double: Annotated[int | None, Meta(description="Items a turn that sell at twice their value")] = None
    apparent: Annotated[Names | None, Meta(description="what monsters take the owner for")] = None
    grants: Annotated[Names | None, Meta(description="traits the owner has besides his own")] = None
    cannot_win: bool | None = None
    must_flee: Annotated[
        bool | Literal["now"] | None, Meta(description="the fight cannot be won; `now`: it is over at once")
    ] = None
    suppress: Annotated[bool | None, Meta(description="the Item this lies on does nothing and stays on")] = None
    usable_as: Annotated[Names | None, Meta(description="counts as these for use restrictions only")] = None
    no_slot: Annotated[Names | None, Meta(description="Items of these slots cannot be in use")] = None
    immune_to: Annotated[Names | None, Meta(description="powers that cannot be aimed at the owner")] = None
    cannot_help: bool | None = None
    no_treasure: Annotated[bool | None, Meta(description="no Treasure from this monster, or for the owner")] = None
    returns: Annotated[Names | None, Meta(description="comes back at the owner's next turn if lost so")] = None
    big_exempt: bool | None = None
    small: Annotated[bool | None, Meta(description="the Item this lies on is no longer Big")] = None
    tag: Annotated[Names | None, Meta(description="what this lies on has these tags as well")] = None
    ability: Annotated[int | None, Meta(description="adds to a named ability's amount")] = None
    named: str | None = None
    per: Annotated[str | None, Meta(description="elf, item:TAG, hireling...: counted, and multiplied")] = None
    against: Annotated[Names | None, Meta(description="only if a munchkin in the fight is one of these")] = None
    against_tag: Annotated[str | None, Meta(description="only if a monster in the fight has this tag")] = None
    if_: Condition | str | None = None
    to: Annotated[
        Literal["owner", "fighters", "side"] | None,
        Meta(description="whom a monster's modifier touches: each fighter that meets `if`"),
    ] = None


class Cost(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """What an ability costs."""

    discard: int | None = None
    what: Filter | str | None = None
    from_: Literal["any", "hand", "in_play"] | None = None
    hand: Annotated[int | None, Meta(description="the whole hand, of at least this many cards")] = None
    self_: bool | None = msgspec.field(default=None, name="self")
    level: int | None = None


class Limit(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How often."""

    times: int = 1
    per: Literal["combat", "turn", "target", "roll", "curse", "game"] = "combat"


class Discard(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | str | None = None
    from_: Literal["in_play", "equipped", "hand", "any", "items_or_hand"] | None = None
    count: Amount | Literal["all"] | None = None
    chooser: str | None = None
    pick: Literal["biggest_bonus", "highest_value"] | None = None
    to: Literal["discard", "taker", "box"] | None = None


class Choice(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    label: str
    do: list[Step] = []


class Choose(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    who: str | None = None
    options: list[Choice] = []


class Each(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from", "if_": "if"}):
    who: str
    from_: Literal["left", "right", "turn"] | None = None
    if_: Condition | str | None = None
    do: list[Step] = []


class DrawCards(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    treasures: Amount | None = None
    doors: Amount | None = None
    face: Literal["up", "down", "same"] = "down"
    keep: int | None = None


class Take(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | str | None = None
    from_: Literal["in_play", "hand", "treasure_anywhere"] = "in_play"
    chooser: str | None = None
    to: Literal["hand", "in_play"] | None = None
    victim: str | None = None
    how: Literal["steal", "loot", "force", "give"] = "force"


class RemoveMonster(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    which: Literal["this", "target", "all"] = "target"
    treasure: bool | Literal["if_only"] | None = None
    killed: bool = False


class Retrieve(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | str | None = None
    from_: Literal["discards", "doors", "treasures"] = "discards"
    search: Literal["any", "top"] = "any"


class Pay(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Give up Items of at least this value; who cannot, loses all of them and suffers `short`."""

    value: Amount
    short: list[Step] = []


class Step(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"if_": "if", "else_": "else"},
):
    """One thing a card does: exactly one verb, with `who` it happens to and what `else` if it cannot."""

    lose_level: Amount | None = None
    gain_level: Amount | None = None
    set_level: int | Literal["lowest"] | None = None
    steal_level: int | None = None
    death: bool | None = None
    discard: Discard | str | None = None
    take: Take | str | None = None
    draw: DrawCards | None = None
    owe_treasure: int | None = None
    roll: bool | str | None = None
    by_roll: dict[str, list[Step]] | None = None
    choose: Choose | None = None
    if_: Condition | str | None = None
    then: list[Step] | None = None
    each: Each | None = None
    change_sex: bool | None = None
    change_trait: Literal["race", "class"] | None = None
    pay: Pay | None = None
    remove_monster: RemoveMonster | str | None = None
    add_monster: bool | None = None
    clone_monster: bool | None = None
    replace_monster: bool | None = None
    escape: Literal["all", "this"] | None = None
    cancel_curse: bool | None = None
    resurrect: Annotated[bool | None, Meta(description="the next face-up draw comes from the discards")] = None
    set_die: bool | None = None
    reroll: bool | None = None
    roll_bonus: int | None = None
    bonus: Amount | None = None
    penalty: Amount | None = None
    double: bool | None = None
    transfer_fight: bool | None = None
    retrieve: Retrieve | None = None
    loot_room: bool | None = None
    compel_help: bool | None = None
    kill_companion: bool | None = None
    attach: Annotated[bool | Filter | str | None, Meta(description="this Curse is laid on an Item of the victim's")] = (
        None
    )
    annihilate: Annotated[bool | None, Meta(description="the target goes back into the box")] = None
    reset_fight: Annotated[bool | None, Meta(description="the fight begins anew; played cards go back")] = None
    deny_treasure: Annotated[bool | None, Meta(description="the victory pays no Treasure")] = None
    start_fight: Annotated[bool | None, Meta(description="the winner fights the monster played along")] = None
    lift: Annotated[bool | None, Meta(description="this card leaves play")] = None
    remember: Literal["value"] | None = None
    consent: Annotated[list[Step] | None, Meta(description="done if `who` agrees")] = None
    opt_in: bool | None = None
    hook: str | None = None
    else_: list[Step] | None = None
    who: str | None = None
    may_win: bool | None = None
    per: str | None = None
    side: Literal["munchkins", "monsters", "target"] | None = None
    label: str | None = None


When = Literal[
    "any_time",
    "own_turn",
    "own_turn_idle",
    "idle",
    "fight",
    "own_turn_fight",
    "fight_start",
    "before_roll",
    "after_roll",
    "after_failed_roll",
    "after_escape",
    "curse",
    "victory",
    "after_combat",
    "face_up_draw",
    "any_time_not_fighting",
]
By = Literal["anyone", "fighter", "main", "helper", "bystander", "not_fighter", "runner", "victim", "roller"]
On = Literal[
    "nothing",
    "side",
    "munchkins",
    "monster",
    "player",
    "other_player",
    "fighter",
    "other_fighter",
    "own_item",
    "rival_item",
    "rival_small_item",
    "curse",
    "runner",
    "companion",
    "enhancer",
    "card_in_play",
]


class Play(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if", "with_": "with"}):
    """A way to play the card from the hand (or, for Items and one-shots, from the table)."""

    when: Annotated[When | None, Meta(description="default: any time, as the ruleset has it")] = None
    by: By = "anyone"
    on: On = "nothing"
    what: Annotated[Filter | str | None, Meta(description="narrows the target")] = None
    with_: Literal["monster"] | None = None
    if_: Condition | str | None = None
    as_: str | None = msgspec.field(default=None, name="as")
    do: list[Step] = []
    stays: Literal["discard", "fight", "table", "attached"] | None = None
    wins_fight: Annotated[bool | None, Meta(description="legal only if it turns a losing fight into a winning one")] = (
        None
    )


class Ability(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if"}):
    """A power of a card in play."""

    name: str
    aka: list[str] = []
    when: When = "fight"
    by: By = "anyone"
    on: On = "nothing"
    what: Filter | str | None = None
    cost: Cost | None = None
    limit: Limit | None = None
    if_: Condition | str | None = None
    do: list[Step] = []
    carried: Annotated[bool | None, Meta(description="works although the Item is not in use")] = None


Event = Literal[
    "drawn",
    "played",
    "escaped",
    "caught",
    "fled",
    "before_combat",
    "defeated",
    "refused",
    "helped",
    "won",
    "lost",
    "headgear_lost",
    "armor_lost",
    "footgear_lost",
    "item_lost",
]


class Theme(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    icon: str | None = None


class Card(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"class_": "class"},
):
    """One card of a pack."""

    name: str
    kind: Kind | None = None
    deck: Deck | None = None
    copies: int = 1
    like: Annotated[str | None, Meta(description="everything else is as on this card")] = None
    text: Annotated[str | None, Meta(description="the card's words, ours")] = None
    note: str | None = None
    origin: Literal["published", "ours"] | None = None
    icon: str | None = None
    level: int | None = None
    levels_gained: int | None = None
    treasures: int | None = None
    bonus: int | None = None
    gold: Gold | None = None
    slot: Slot | None = None
    big: bool | None = None
    run_away: int | None = None
    rank: int | None = None
    tags: list[str] = []
    race: str | None = None
    class_: str | None = None
    sex: Sex | None = None
    usable_by: Names | None = None
    not_usable_by: Names | None = None
    weapon: bool | None = None
    pursuit_limit: Annotated[int | None, Meta(description="does not pursue this Level or lower")] = None
    pursues: Annotated[Names | None, Meta(description="traits that the limit does not protect")] = None
    escape: Annotated[Literal["automatic", "impossible"] | None, Meta(description="running from this monster")] = None
    refuses: Annotated[Names | None, Meta(description="leaves if such a munchkin is in the fight")] = None
    bad_stuff: list[Step] | None = None
    bad_stuff_text: str | None = None
    effect: Annotated[list[Step] | None, Meta(description="what a Curse or a special does")] = None
    lasting: Annotated[bool | Literal["next_combat"] | None, Meta(description="a Curse that stays")] = None
    modifiers: list[Modifier] = []
    abilities: list[Ability] = []
    play: list[Play] | None = None
    on: dict[Event, list[Step]] = {}
    family: Annotated[str | None, Meta(description="a card that rules naming this one mean as well")] = None
    multi: Literal["race", "class"] | None = None
    max_traits: int | None = None
    waives: Annotated[bool | None, Meta(description="lets its Item be had and used whatever the limits")] = None
    incompatible: list[str] = []
    carries: Annotated[int | None, Meta(description="Items a companion can carry")] = None
    unique: bool | None = None
    immediate: Annotated[bool | None, Meta(description="must be played the moment it is received")] = None


class Pack(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The head of a pack: pack.yaml."""

    id: str
    title: str
    edition: str = "classic"
    about: str = ""
    needs: list[str] = []
    cards: list[str] = []
    theme: dict[str, str] = {}


class CardFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file of cards."""

    cards: list[Card]
