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
    "madness",
    "race",
    "class",
    "power",
    "style",
    "training",
    "loyalty",
    "accent",
    "item",
    "one_shot",
    "monster_enhancer",
    "item_enhancer",
    "steed_enhancer",
    "ship_enhancer",
    "enhancer_enhancer",
    "race_or_class_enhancer",
    "special",
    "go_up_a_level",
    "hireling",
    "minion",
    "sidekick",
    "steed",
    "vehicle",
    "ship",
    "dungeon",
    "portal",
    "room",
    "spell",
    "accessory",
    "blank",
)
Kind = Literal[
    "monster",
    "curse",
    "trap",
    "madness",
    "race",
    "class",
    "power",
    "style",
    "training",
    "loyalty",
    "accent",
    "item",
    "one_shot",
    "enhancer",
    "monster_enhancer",
    "item_enhancer",
    "steed_enhancer",
    "ship_enhancer",
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
    "vehicle",
    "ship",
    "dungeon",
    "portal",
    "room",
    "spell",
    "accessory",
    "blank",
]
Slot = Literal["headgear", "armor", "footgear", "1hand", "2hands", "none"]
Deck = Literal["door", "treasure", "dungeon", "spell", "fairy_dust"]
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
    level: Annotated[
        int | Range | Literal["below_first"] | None,
        Meta(description="`below_first`: below that of the monster the fight began with"),
    ] = None
    equipped: bool | None = None
    one_shot: bool | None = None
    weapon: bool | None = None
    usable_by: str | None = None
    bonus: Annotated[int | Range | None, Meta(description="what the Item gives in combat, with what lies on it")] = None
    enhanced: Annotated[Names | None, Meta(description="a monster that has such an enhancer on it")] = None
    favours: Annotated[
        Literal["race", "class"] | None, Meta(description="only for, or better for, a Race or Class its owner has")
    ] = None
    any_: list[Filter | str] | None = None
    not_: Filter | str | None = None


class Predicate(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"not_": "not"}):
    """What is true of one player. All keys given must hold."""

    is_: Annotated[Names | None, Meta(description="a Race, Class, Power or sex, any of a list")] = msgspec.field(
        default=None, name="is"
    )
    level: Annotated[
        int | Range | Literal["highest", "lowest", "below_victim", "above_actor"] | None,
        Meta(description="a Level, a range of them, or how it compares with another player's"),
    ] = None
    has: Filter | str | None = None
    count: Annotated[int | Range | None, Meta(description="how many such cards `has` asks for")] = None
    items_value: Annotated[int | Range | None, Meta(description="what all Items in play are worth together")] = None
    hand: int | Range | None = None
    in_fight: bool | None = None
    races: int | Range | None = None
    classes: int | Range | None = None
    own_turn: bool | None = None
    epic: Annotated[bool | None, Meta(description="Level 10 or more in an Epic game")] = None
    dead: bool | None = None
    not_: Predicate | Names | None = None


class FightCondition(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is true of the fight that is going on."""

    alone: bool | None = None
    monsters: int | Range | None = None
    tag: Names | None = None
    used: Annotated[str | None, Meta(description="a tag on an Item in use or a card played for the munchkins")] = None
    bonuses: bool | None = None
    losing: bool | None = None
    margin: int | Range | None = None
    name: Names | None = None
    initial: Annotated[Names | None, Meta(description="a monster's name begins with one of these letters")] = None
    help: Annotated[bool | None, Meta(description="help may be asked for, or could be")] = None
    gained: Annotated[bool | None, Meta(description="somebody else has gained a level by it")] = None


class Calendar(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The day on which the game is played, as the table gave it."""

    month: Annotated[int | list[int] | None, Meta(description="1 to 12, or any of a list")] = None


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
    foe: Annotated[Filter | str | None, Meta(description="the monster this is about")] = None
    roll: int | Range | None = None
    calendar: Annotated[Calendar | None, Meta(description="the day of the game, where the table has given one")] = None
    any_: list[Condition | str] | None = None
    all_: list[Condition | str] | None = None
    not_: Condition | str | None = None


class Modifier(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if"}):
    """Something a card changes for as long as it is in force. Exactly one of the first group, then conditions."""

    strength: Amount | None = None
    run_away: int | None = None
    hand_limit: int | Literal["unlimited"] | None = None
    extra_cards: Annotated[int | None, Meta(description="so many cards more may be kept in the hand")] = None
    big: Annotated[int | Literal["unlimited"] | None, Meta(description="how many Big Items may be carried")] = None
    extra_big: int | None = None
    hands: int | None = None
    two_handed: Annotated[int | None, Meta(description="Hands that a two-handed Item takes up")] = None
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
    no_treasure: Annotated[
        bool | Literal["any_source"] | None,
        Meta(description="no Treasure from this monster, or for the owner; `any_source`: not even as a gift"),
    ] = None
    ignore_items: Annotated[
        Filter | str | None,
        Meta(description="on a monster: such Items give nobody a bonus; on a player: they do nothing"),
    ] = None
    double_tag: Annotated[str | None, Meta(description="bonuses of what has this tag count twice against it")] = None
    sealed: Annotated[bool | None, Meta(description="outsiders can do nothing but send monsters and enhancers")] = None
    only_over: Annotated[bool | None, Meta(description="in use only over another Item of its slot")] = None
    keeps_out: Annotated[
        Filter | str | None, Meta(description="while the owner fights alone, others cannot use such cards in the fight")
    ] = None
    repels: Annotated[Filter | str | None, Meta(description="such monsters leave the owner their Treasures and go")] = (
        None
    )
    sells_half: Annotated[Filter | str | None, Meta(description="such Items of the owner's sell at half price")] = None
    no_carry: Annotated[Names | None, Meta(description="Items of these slots cannot be had in play")] = None
    returns: Annotated[Names | None, Meta(description="comes back at the owner's next turn if lost so")] = None
    escapes: Annotated[
        bool | Literal["anything"] | None,
        Meta(description="attempts to run away succeed without a roll; `anything`: from what cannot be escaped too"),
    ] = None
    sacrifice: Annotated[
        Literal["pass_on"] | None, Meta(description="a Steed left behind like a companion; another player gets it")
    ] = None
    no_enhancers: Annotated[bool | None, Meta(description="no enhancer can be put on this card")] = None
    rideable: Annotated[
        bool | None, Meta(description="an Item that may serve as a Steed, or what else Steed enhancers may go on")
    ] = None
    exchange: Annotated[int | None, Meta(description="levels to be had after a kill for all one's Treasure")] = None
    returns_to_hand: Annotated[Names | None, Meta(description="goes to the owner's hand if lost so")] = None
    steeds: Annotated[int | None, Meta(description="so many Steeds more than one may be had")] = None
    ships: Annotated[int | None, Meta(description="so many Ships more than one may be had")] = None
    extra_tagged: Annotated[Names | None, Meta(description="one more Item with such a tag may be in use")] = None
    big_exempt: bool | None = None
    small: Annotated[bool | None, Meta(description="the Item this lies on is no longer Big")] = None
    inverts: Annotated[bool | None, Meta(description="the bonus of the Item this lies on is a penalty")] = None
    tag: Annotated[Names | None, Meta(description="what this lies on has these tags as well")] = None
    ability: Annotated[int | None, Meta(description="adds to a named ability's amount")] = None
    luck: Annotated[int | None, Meta(description="Treasures drawn more after a victory, and as many discarded")] = None
    monster_ally: Annotated[bool | None, Meta(description="monsters may be played from hand on one's own side")] = None
    safe_from: Annotated[Names | None, Meta(description="gets away from monsters with such a word in the name")] = None
    suppress_traits: Annotated[Names | None, Meta(description="cards of these kinds (race, class) give nothing")] = None
    no_trouble: Annotated[bool | None, Meta(description="may not look for trouble")] = None
    both_sexes: Annotated[bool | None, Meta(description="counts as both sexes, for the good only")] = None
    sexless: Annotated[bool | None, Meta(description="counts as neither sex")] = None
    reflect_curse: Annotated[bool | None, Meta(description="Curses strike whoever of the others rolls lowest")] = None
    must_help: Annotated[bool | None, Meta(description="offers help in every fight, for no Treasure")] = None
    enhancers: Annotated[int | None, Meta(description="monster enhancers on this monster count so often")] = None
    intrudes: Annotated[bool | None, Meta(description="may be played from hand into other players' fights")] = None
    redraw: Annotated[bool | None, Meta(description="each Treasure of this monster may be replaced once")] = None
    claims: Annotated[
        Names | None, Meta(description="no other player may become this; `host`: what the card lies on")
    ] = None
    makes: Annotated[Names | None, Meta(description="on a Dungeon: everyone is this too, beyond every limit")] = None
    goal: Annotated[int | None, Meta(description="so many levels more are needed to win")] = None
    epic_powers: Annotated[bool | None, Meta(description="has the Epic powers of Race and Class")] = None
    only_kills: Annotated[bool | None, Meta(description="levels are gained by killing monsters alone")] = None
    monsters: Annotated[int | None, Meta(description="on a Dungeon: each monster (`if: {foe: ...}`) has this")] = None
    charity: Annotated[Literal["discard"] | None, Meta(description="what is too much is discarded, not given")] = None
    keeps_powers: Annotated[bool | None, Meta(description="a fallen Level costs the owner no Powers")] = None
    shares_curses: Annotated[bool | None, Meta(description="a Curse on one strikes everybody")] = None
    shields: Annotated[
        Names | None, Meta(description="what this lies on cannot be lost so: `box` (out of the game), `taken`")
    ] = None
    named: str | None = None
    host: Annotated[Filter | str | None, Meta(description="only while this lies on such a card")] = None
    per: Annotated[str | None, Meta(description="elf, item:TAG, hireling...: counted, and multiplied")] = None
    against: Annotated[Names | None, Meta(description="only if a munchkin in the fight is one of these")] = None
    against_tag: Annotated[str | None, Meta(description="only if a monster in the fight has this tag")] = None
    if_: Condition | str | None = None
    to: Annotated[
        Literal["owner", "fighters"] | None,
        Meta(description="whom a monster's modifier touches: each fighter that meets `if`"),
    ] = None


class Cost(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """What an ability costs."""

    discard: Annotated[
        int | Literal["treasures"] | None, Meta(description="`treasures`: as many as the target monster has printed")
    ] = None
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
    from_: Literal["in_play", "equipped", "hand", "any", "items_or_hand", "curses", "target"] | None = None
    count: Annotated[Amount | None, Meta(description="a number, roll, remembered, all, or any he likes")] = None
    chooser: str | None = None
    pick: Literal["biggest_bonus", "highest_value"] | None = None
    to: Literal["discard", "box"] | None = None


class Choice(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    label: str
    do: list[Step] = []


class Choose(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    who: str | None = None
    options: list[Choice] = []


class Each(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from", "if_": "if"}):
    who: str
    from_: Annotated[
        Literal["left", "right", "turn", "choice"] | None,
        Meta(description="the order; `choice`: the victim says in which"),
    ] = None
    if_: Condition | str | None = None
    do: list[Step] = []


class DrawCards(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    treasures: Amount | None = None
    doors: Amount | None = None
    spells: Annotated[Amount | None, Meta(description="even by the dead")] = None
    fairy_dust: Annotated[Amount | None, Meta(description="from the deck that only rewards are drawn from")] = None
    face: Literal["up", "down", "same"] = "down"
    keep: int | None = None
    at_once: Annotated[bool, Meta(description="may be played in the very fight it is drawn in")] = False


class Take(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | str | None = None
    from_: Literal["in_play", "hand", "treasure_anywhere"] = "in_play"
    chooser: str | None = None
    to: Literal["hand", "in_play"] | None = None
    victim: Annotated[str | None, Meta(description="from whom, if not from the victim of the card")] = None
    pick: Literal["biggest_bonus", "highest_value"] | None = None
    how: Literal["steal", "loot", "force", "give"] = "force"
    shown: Annotated[bool | None, Meta(description="the hand is shown first, and the taker chooses")] = None


class Give(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """Hand a card of one's own choice to another player."""

    what: Filter | str | None = None
    from_: Literal["hand", "in_play"] = "hand"
    to: str = "left"


class RaiseMonster(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The topmost monster of the discards comes back, with a tag it had not before."""

    tag: Names | None = None


class RemoveMonster(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    which: Literal["this", "target", "all"] = "target"
    treasure: bool | Literal["if_only"] | None = None
    killed: bool = False


class Retrieve(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | str | None = None
    from_: Literal["discards", "doors", "treasures", "spells"] = "discards"
    search: Annotated[Literal["any", "top"], Meta(description="any card that fits, or the topmost such")] = "any"
    to: Literal["hand", "in_play"] = "hand"
    waived: Annotated[bool, Meta(description="may be used for good, whatever the limits")] = False
    count: int = 1
    up_to: Annotated[Amount | None, Meta(description="each worth no more than this many Gold Pieces")] = None
    total: Annotated[int | None, Meta(description="as many as he likes, together worth no more than this")] = None


class Clone(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How a second monster of a kind differs from the first."""

    level: int = 0
    treasures: int = 0
    levels: int = 0
    without: Annotated[list[str], Meta(description="enhancers of the first one that it does not share")] = []


class MoveDungeon(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """Dungeons come into play or are left, in one step."""

    enter: int = 0
    leave: Literal["choice", "oldest", "newest", "all"] | None = None
    from_: Annotated[Literal["deck", "discards"], Meta(description="`discards`: the one left last comes back")] = "deck"
    affects: Annotated[
        Literal["everyone", "actor", "others", "neighbours"], Meta(description="whom the new one is for")
    ] = "everyone"


class KeepAsItem(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a monster card is once it lies before a player as an Item."""

    bonus: int = 0
    gold: Gold = "no value"
    slot: Slot = "none"
    big: bool = False


class Peek(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Look at the top cards of a deck, alone, and put them back in any order."""

    doors: int | None = None
    treasures: int | None = None


class ShareOut(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Give every other player one of these cards in play, as the giver likes; who gets none does `short`."""

    what: Filter | str = "item"
    short: list[Step] = []


class Afflict(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"while_": "while"}):
    """Something that stays with the victim after its card has gone, like a lasting Curse."""

    modifiers: list[Modifier] = []
    until: Annotated[
        Literal["next_combat", "game"] | None, Meta(description="otherwise until it is lifted, or the victim dies")
    ] = None
    while_: Annotated[Condition | str | None, Meta(description="it ends as soon as this no longer holds")] = None
    on: dict[Event, list[Step]] = {}


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
    death: Annotated[bool | Literal["no_loot"] | None, Meta(description="`no_loot`: all is discarded")] = None
    discard: Discard | str | None = None
    take: Take | str | None = None
    draw: DrawCards | None = None
    owe_treasure: Annotated[int | Literal["this"] | None, Meta(description="`this`: what this monster pays")] = None
    roll: bool | str | None = None
    by_roll: dict[str, list[Step]] | None = None
    choose: Choose | None = None
    if_: Condition | str | None = None
    then: list[Step] | None = None
    each: Each | None = None
    change_sex: Annotated[
        bool | Literal["same"] | None,
        Meta(description="`same`: takes the sex that the actor has just taken"),
    ] = None
    change_trait: Literal["race", "class"] | None = None
    pay: Pay | None = None
    remove_monster: RemoveMonster | str | None = None
    add_monster: bool | None = None
    clone_monster: bool | Clone | None = None
    replace_monster: Annotated[
        bool | Literal["switch"] | None,
        Meta(description="`switch`: enhancers from the door stay, others go back to their players"),
    ] = None
    escape: Annotated[
        Literal["all", "this", "anything"] | None,
        Meta(description="`anything`: also what cannot be escaped"),
    ] = None
    cancel_curse: bool | None = None
    resurrect: Annotated[bool | None, Meta(description="the next face-up draw comes from the discards")] = None
    set_die: bool | None = None
    reroll: Annotated[bool | Literal["clean"] | None, Meta(description="`clean`: what changed the roll is void")] = None
    roll_bonus: int | None = None
    bonus: Amount | None = None
    penalty: Amount | None = None
    double: bool | None = None
    transfer_fight: bool | None = None
    retrieve: Retrieve | None = None
    loot_room: bool | None = None
    compel_help: bool | None = None
    kill_companion: Annotated[
        bool | Literal["steed"] | None, Meta(description="a companion of anybody's is killed; `steed`: a Steed")
    ] = None
    remove_enhancer: Annotated[bool | None, Meta(description="the target enhancer is taken off its monster")] = None
    attach: Annotated[bool | Filter | str | None, Meta(description="this Curse is laid on an Item of the victim's")] = (
        None
    )
    annihilate: Annotated[bool | None, Meta(description="the target goes back into the box")] = None
    reset_fight: Annotated[bool | None, Meta(description="the fight begins anew; played cards go back")] = None
    deny_treasure: Annotated[bool | None, Meta(description="the victory pays no Treasure")] = None
    start_fight: Annotated[bool | None, Meta(description="the winner fights the monster played along")] = None
    lift: Annotated[bool | None, Meta(description="this card leaves play")] = None
    remember: Literal["value"] | None = None
    afflict: Annotated[Afflict | None, Meta(description="stays with the victim when its card has gone")] = None
    keep_as_item: Annotated[KeepAsItem | None, Meta(description="this monster becomes an Item of the actor's")] = None
    peek: Peek | None = None
    share_out: ShareOut | None = None
    consent: Annotated[list[Step] | None, Meta(description="done if `who` agrees")] = None
    contest: Annotated[list[Step] | None, Meta(description="actor and `who` roll; done if the actor rolls higher")] = (
        None
    )
    give: Give | None = None
    show_hand: bool | None = None
    skip_turn: Annotated[int | None, Meta(description="misses so many turns")] = None
    raise_monster: RaiseMonster | bool | None = None
    suffer: Annotated[Literal["topmost"] | None, Meta(description="the Bad Stuff of the topmost discarded monster")] = (
        None
    )
    monster_level: Annotated[int | None, Meta(description="this monster is of that Level now")] = None
    dismiss_helper: Annotated[bool | None, Meta(description="the helper leaves with what he played")] = None
    become_helper: Annotated[bool | None, Meta(description="the actor is the helper now, for nothing")] = None
    ban: Annotated[bool | None, Meta(description="the target plays no card against the actor this turn")] = None
    multiply_item: Annotated[int | None, Meta(description="the target Item's bonus counts so often in a fight")] = None
    name_player: Annotated[list[Step] | None, Meta(description="the actor names a player it is done to")] = None
    become: Annotated[str | None, Meta(description="a Race or Class card of that name lies before him now")] = None
    dungeon: Annotated[MoveDungeon | None, Meta(description="with `then`: done if one came or was left")] = None
    make_pet: Annotated[bool | None, Meta(description="the target lies before the actor, to be spent once")] = None
    reward_from: Annotated[
        Literal["doors", "treasures"] | None, Meta(description="the cards of this victory are drawn from that deck")
    ] = None
    eat_monster: Annotated[bool | None, Meta(description="the target is killed at once, whatever lies on it")] = None
    summon: Annotated[
        Literal["this"] | Filter | None, Meta(description="comes before `who` from wherever it is, even from the box")
    ] = None
    swap_hands: Annotated[bool | None, Meta(description="the actor and `who` exchange their hands as they are")] = None
    reverse: Annotated[bool | None, Meta(description="the total of that side is read backwards until the end")] = None
    give_away: Annotated[bool | None, Meta(description="this accessory is the target's, for good")] = None
    tame: Annotated[bool | None, Meta(description="the target monster becomes the actor's Steed")] = None
    ride: Annotated[bool | None, Meta(description="this Item is the actor's Steed now, or no longer")] = None
    oust: Annotated[bool | None, Meta(description="nobody else keeps the Race or Class this lies on")] = None
    invite: Annotated[bool | None, Meta(description="the others may add monsters below the Level of the first")] = None
    to_hand: Annotated[bool | None, Meta(description="this card goes back to the actor's hand")] = None
    grow: Annotated[int | None, Meta(description="this Item gives so much more, as long as its owner has it")] = None
    fight_this: Annotated[bool | None, Meta(description="whoever received this monster fights it at once")] = None
    opt_in: bool | None = None
    else_: list[Step] | None = None
    who: str | None = None
    may_win: bool | None = None
    per: str | None = None
    side: Literal["munchkins", "monsters", "each_monster", "target"] | None = None
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
    "trait",
    "monster_discarded",
    "dying",
]
By = Literal["anyone", "fighter", "main", "helper", "bystander", "not_fighter", "runner", "victim", "roller", "rival"]
On = Literal[
    "nothing",
    "side",
    "munchkins",
    "monster",
    "player",
    "other_player",
    "fighter",
    "other_fighter",
    "combatant",
    "first_monster",
    "own_item",
    "own_card",
    "any_item",
    "rival_item",
    "rival_small_item",
    "curse",
    "runner",
    "companion",
    "rival_companion",
    "enhancer",
    "card_in_play",
    "own_trait",
    "stray",
]


class Play(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if", "with_": "with"}):
    """A way to play the card from the hand (or, for Items and one-shots, from the table)."""

    when: Annotated[When | None, Meta(description="default: any time, as the ruleset has it")] = None
    by: By = "anyone"
    on: On = "nothing"
    what: Annotated[Filter | str | None, Meta(description="narrows the target")] = None
    with_: Literal["monster"] | None = None
    with_what: Annotated[Filter | str | None, Meta(description="narrows what is played along")] = None
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
    rules: Annotated[list[str], Meta(description="the rules it is written down in; a refusal cites them too")] = []


Event = Literal[
    "escaped",
    "caught",
    "before_combat",
    "defeated",
    "refused",
    "helped",
    "won",
    "lost",
    "met",
    "help_settled",
    "cursed",
    "turn_end",
    "fight_over",
    "beaten",
    "got_away",
    "rival_hurt",
    "sex_changed",
    "own_sex_changed",
    "headgear_lost",
    "armor_lost",
    "footgear_lost",
    "entered",
    "left",
    "received",
    "mourned",
    "dealt",
    "hindered",
    "spent",
    "paid",
]


class Theme(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    icon: str | None = None


class Card(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"class_": "class", "set_": "set"},
):
    """One card of a pack."""

    name: str
    kind: Kind | None = None
    deck: Deck | None = None
    copies: int = 1
    like: Annotated[str | None, Meta(description="everything else is as on this card")] = None
    aka: Annotated[list[str], Meta(description="other spellings of its name in print")] = []
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
    lasting: Annotated[
        bool | Literal["next_combat", "next_turn"] | None,
        Meta(description="a Curse that stays: for good, for a fight, for a turn of its victim's"),
    ] = None
    modifiers: list[Modifier] = []
    abilities: list[Ability] = []
    play: list[Play] | None = None
    on: dict[Event, list[Step]] = {}
    family: Annotated[str | None, Meta(description="a card that rules naming this one mean as well")] = None
    set_: Annotated[str | None, Meta(description="the set it is from, if that is not its pack")] = None
    joins: Annotated[Names | None, Meta(description="a monster that may join these from the hand, as kin does")] = None
    multi: Annotated[
        Literal["race", "class", "style", "training", "loyalty", "accent"] | None,
        Meta(description="lets its owner have `max_traits` of these, which is two unless it says more"),
    ] = None
    max_traits: int | None = None
    recasts: Annotated[bool | None, Meta(description="the Race it lies on is a Class, and the other way round")] = None
    waives: Annotated[bool | None, Meta(description="lets its Item be had and used whatever the limits")] = None
    incompatible: list[str] = []
    spares: Annotated[bool | None, Meta(description="whoever cancels this Curse says whom he spares")] = None
    carries: Annotated[
        int | Literal["never"] | None, Meta(description="Items a companion can carry; `never`: not even with a Cheat!")
    ] = None
    carries_what: Annotated[Filter | str | None, Meta(description="which Items a companion can carry")] = None
    uses_any: Annotated[bool | None, Meta(description="a companion who can use what anybody could")] = None
    takes_along: Annotated[bool | None, Meta(description="a companion whose load is lost even if it is killed")] = None
    unique: bool | None = None
    mix_needs: Annotated[
        Names | None, Meta(description="stays in the box where no set has such cards (race, class)")
    ] = None
    wanders: Annotated[
        bool | None, Meta(description="lives openly on top of its deck, is never in a hand, goes back there when lost")
    ] = None
    outside: Annotated[bool | None, Meta(description="in the game only if somebody brings it, like accessories")] = None
    brings: Annotated[Names | None, Meta(description="cards that come with this accessory")] = None
    immediate: Annotated[
        bool | Literal["shown"] | None,
        Meta(description="acts when received; `shown`: in an opening hand only after a chance to change traits"),
    ] = None


class Pack(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The head of a pack: pack.yaml."""

    id: str
    title: str
    edition: str = "classic"
    about: str = ""
    needs: list[str] = []
    expands: Annotated[str | None, Meta(description="the base set that this is an expansion of")] = None
    for_mixes: Annotated[bool, Meta(description="made for mixes: beside few sets only a part of its Doors is used")] = (
        False
    )
    kin: Annotated[list[str], Meta(description="tags of monsters that join each other in a fight, as Undead do")] = []
    thin_beside: Annotated[
        dict[str, int], Meta(description="beside this set alone, so many of its Level 1 monsters stay in the box")
    ] = {}
    cards: list[str] = []
    theme: dict[str, str] = {}
    no_race: Annotated[Card | None, Meta(description="what everybody is who has no Race; no card of it exists")] = None


class CardFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file of cards."""

    cards: list[Card]
