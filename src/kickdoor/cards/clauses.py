"""The card language, its clauses: which cards, under what condition, and what a card changes while it is in force."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from kickdoor.cards.vocabulary import (
    Deck,
    FilterWord,
    Kinds,
    Loss,
    Names,
    RaceOrClass,
    Shield,
    Slot,
    Slots,
    Some,
)

Letter = Annotated[str, Meta(pattern=r"^[A-Za-z]$(?!\n)")]
Month = Annotated[int, Meta(ge=1, le=12)]


class Range(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A number between two bounds, both included."""

    at_least: int | None = None
    at_most: int | None = None


class Filter(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"class_": "class", "any_": "any"},
):
    """Which cards are meant. All keys given must hold."""

    kind: Kinds | None = None
    item: bool | None = None
    slot: Slots | None = None
    big: bool | None = None
    tag: Names | None = None
    deck: Deck | None = None
    name: Names | None = None
    value: int | Range | None = None
    level: Annotated[
        int | Range | Literal["below_first"] | None,
        Meta(description="`below_first`: below that of the monster the fight began with"),
    ] = None
    printed_level: Annotated[
        int | Range | None, Meta(description="the Level on the monster's card, whatever it is in the fight")
    ] = None
    equipped: bool | None = None
    one_shot: bool | None = None
    weapon: bool | None = None
    bonus: Annotated[int | Range | None, Meta(description="what the Item gives in combat, with what lies on it")] = None
    enhanced: Annotated[Names | None, Meta(description="a monster, or an Item, with such a card on it")] = None
    faced: Annotated[bool | None, Meta(description="a monster that the main player has begun to fight")] = None
    favours: Annotated[
        RaceOrClass | None, Meta(description="only for, or better for, a Race or Class its owner has")
    ] = None
    restricted: Annotated[
        bool | None, Meta(description="an Item that is not for everybody, whether or not a card waives that")
    ] = None
    any_: list[Filter | FilterWord] | None = None


class Predicate(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"not_": "not"}):
    """What is true of one player. All keys given must hold."""

    is_: Annotated[Names | None, Meta(description="a Race, Class, Power or sex, any of a list")] = msgspec.field(
        default=None, name="is"
    )
    level: Annotated[
        int | Range | Literal["highest", "lowest", "below_victim", "above_actor"] | None,
        Meta(description="a Level, a range of them, or how it compares with another player's"),
    ] = None
    has: Filter | FilterWord | None = None
    count: Annotated[int | Range | None, Meta(description="how many such cards `has` asks for")] = None
    items_value: Annotated[int | Range | None, Meta(description="what all Items in play are worth together")] = None
    hand: int | Range | None = None
    in_fight: bool | None = None
    races: int | Range | None = None
    classes: int | Range | None = None
    own_turn: bool | None = None
    epic: Annotated[bool | None, Meta(description="Level 10 or more in an Epic game")] = None
    not_: Predicate | Names | None = None


class FightCondition(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What is true of the fight that is going on."""

    monsters: int | Range | None = None
    tag: Names | None = None
    used: Annotated[str | None, Meta(description="a tag on an Item in use or a card played for the munchkins")] = None
    bonuses: bool | None = None
    margin: int | Range | None = None
    name: Names | None = None
    initial: Annotated[
        Letter | list[Letter] | None, Meta(description="a monster's name begins with one of these letters")
    ] = None
    help: Annotated[bool | None, Meta(description="help may be asked for, or could be")] = None
    gained: Annotated[bool | None, Meta(description="somebody else has gained a level by it")] = None
    killed: Annotated[bool | None, Meta(description="a monster has been killed in it")] = None
    pays: Annotated[bool | None, Meta(description="it has been won, and Treasures are about to be drawn for it")] = None


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
    foe: Annotated[Filter | FilterWord | None, Meta(description="the monster this is about")] = None
    month: Annotated[
        Month | list[Month] | None, Meta(description="1 to 12, of the day of the game, where the table has given one")
    ] = None
    any_: list[Condition | str] | None = None
    all_: list[Condition | str] | None = None
    not_: Condition | str | None = None


class Modifier(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if"}):
    """Something a card changes for as long as it is in force. Exactly one of the first group, then conditions."""

    strength: int | None = None
    run_away: int | None = None
    hand_limit: int | Literal["unlimited"] | None = None
    extra_cards: Annotated[int | None, Meta(description="so many cards more may be kept in the hand")] = None
    big: Annotated[int | Literal["unlimited"] | None, Meta(description="how many Big Items may be carried")] = None
    extra_big: int | None = None
    hands: int | None = None
    two_handed: Annotated[Some | None, Meta(description="Hands that a two-handed Item takes up")] = None
    slot: Annotated[Slot | None, Meta(description="one more Item of this slot may be in use")] = None
    wins_ties: bool | None = None
    helper_level: Annotated[Some | None, Meta(description="levels per monster killed as a helper")] = None
    die: int | None = None
    level_only: bool | None = None
    bonuses_only: bool | None = None
    no_item_bonuses: Annotated[Slots | None, Meta(description="Item bonuses do not count, except these slots")] = None
    no_help: bool | None = None
    levels: Annotated[int | None, Meta(description="more levels for killing this monster")] = None
    treasures: Annotated[int | None, Meta(description="more Treasures from this monster")] = None
    curse_immunity: Literal["door", "all", "others"] | None = None
    sell_double: Annotated[Some | None, Meta(description="Items a turn that sell at twice their value")] = None
    apparent: Annotated[Names | None, Meta(description="what monsters take the owner for")] = None
    grants: Annotated[Names | None, Meta(description="traits the owner has besides his own")] = None
    cannot_win: Annotated[
        bool | Literal["fight"] | None, Meta(description="with help compelled by it; `fight`: in that fight at all")
    ] = None
    must_flee: Annotated[
        bool | Literal["now"] | None, Meta(description="the fight cannot be won; `now`: it is over at once")
    ] = None
    suppress: Annotated[bool | None, Meta(description="the Item this lies on does nothing and stays on")] = None
    usable_as: Annotated[Names | None, Meta(description="counts as these for use restrictions only")] = None
    no_slot: Annotated[Slots | None, Meta(description="Items of these slots cannot be in use")] = None
    immune_to: Annotated[Names | None, Meta(description="powers that cannot be aimed at the owner")] = None
    cannot_help: bool | None = None
    no_treasure: Annotated[
        bool | Literal["any_source"] | None,
        Meta(description="no Treasure from this monster, or for the owner; `any_source`: not even as a gift"),
    ] = None
    ignore_items: Annotated[
        Filter | FilterWord | None,
        Meta(description="on a monster: such Items give nobody a bonus; on a player: they do nothing"),
    ] = None
    double_tag: Annotated[str | None, Meta(description="bonuses of what has this tag count twice against it")] = None
    sealed: Annotated[bool | None, Meta(description="outsiders can do nothing but send monsters and enhancers")] = None
    lost_with: Annotated[
        Literal["others", "all"] | None,
        Meta(description="lost when another Item worn in its slot is; `all`: and they with it"),
    ] = None
    only_over: Annotated[bool | None, Meta(description="in use only over another Item of its slot")] = None
    keeps_out: Annotated[
        Filter | FilterWord | None,
        Meta(description="while the owner fights alone, others cannot use such cards in the fight"),
    ] = None
    repels: Annotated[
        Filter | FilterWord | None, Meta(description="such monsters leave the owner their Treasures and go")
    ] = None
    sells_half: Annotated[
        Filter | FilterWord | None, Meta(description="such Items of the owner's sell at half price")
    ] = None
    no_carry: Annotated[Slots | None, Meta(description="Items of these slots cannot be had in play")] = None
    returns: Annotated[Loss | list[Loss] | None, Meta(description="comes back at the owner's next turn if lost so")] = (
        None
    )
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
    returns_to_hand: Annotated[Loss | list[Loss] | None, Meta(description="goes to the owner's hand if lost so")] = None
    steeds: Annotated[int | None, Meta(description="so many Steeds more than one may be had")] = None
    hirelings: Annotated[int | None, Meta(description="so many companions more than one may be had")] = None
    extra_tagged: Annotated[Names | None, Meta(description="one more Item with such a tag may be in use")] = None
    big_exempt: bool | None = None
    small: Annotated[bool | None, Meta(description="the Item this lies on is no longer Big")] = None
    inverts: Annotated[bool | None, Meta(description="the bonus of the Item this lies on is a penalty")] = None
    tag: Annotated[Names | None, Meta(description="what this lies on has these tags as well")] = None
    ability: Annotated[
        dict[str, int] | None, Meta(description="adds so much to the amount of a power of that name")
    ] = None
    luck: Annotated[int | None, Meta(description="Treasures drawn more after a victory, and as many discarded")] = None
    monster_ally: Annotated[bool | None, Meta(description="monsters may be played from hand on one's own side")] = None
    safe_from: Annotated[Names | None, Meta(description="gets away from monsters with such a word in the name")] = None
    suppress_traits: Annotated[
        RaceOrClass | list[RaceOrClass] | None, Meta(description="cards of these kinds (race, class) give nothing")
    ] = None
    no_trouble: Annotated[bool | None, Meta(description="may not look for trouble")] = None
    sex: Annotated[
        Literal["both", "none"] | None, Meta(description="counts as both sexes, for the good only; or as neither")
    ] = None
    reflect_curse: Annotated[bool | None, Meta(description="Curses strike whoever of the others rolls lowest")] = None
    must_help: Annotated[bool | None, Meta(description="offers help in every fight, for no Treasure")] = None
    enhancers: Annotated[Some | None, Meta(description="monster enhancers on this monster count so often")] = None
    intrudes: Annotated[bool | None, Meta(description="may be played from hand into other players' fights")] = None
    redraw: Annotated[bool | None, Meta(description="each Treasure of this monster may be replaced once")] = None
    claims: Annotated[
        Names | None, Meta(description="no other player may become this; `host`: what the card lies on")
    ] = None
    goal: Annotated[int | None, Meta(description="so many levels more are needed to win")] = None
    epic_powers: Annotated[bool | None, Meta(description="has the Epic powers of Race and Class")] = None
    only_kills: Annotated[bool | None, Meta(description="levels are gained by killing monsters alone")] = None
    monsters: Annotated[int | None, Meta(description="on a Dungeon: each monster (`if: {foe: ...}`) has this")] = None
    charity: Annotated[Literal["discard"] | None, Meta(description="what is too much is discarded, not given")] = None
    shares_curses: Annotated[bool | None, Meta(description="a Curse on one strikes everybody")] = None
    shields: Annotated[
        Shield | list[Shield] | None,
        Meta(description="what this lies on cannot be lost so: `box` (out of the game), `taken`"),
    ] = None
    host: Annotated[Filter | FilterWord | None, Meta(description="only while this lies on such a card")] = None
    per: Annotated[str | None, Meta(description="elf, item:TAG, hireling...: counted, and multiplied")] = None
    against: Annotated[Names | None, Meta(description="only if a munchkin in the fight is one of these")] = None
    if_: Condition | str | None = None
    to: Annotated[
        Literal["owner", "fighters"] | None,
        Meta(description="whom a monster's modifier touches: each fighter that meets `if`"),
    ] = None
