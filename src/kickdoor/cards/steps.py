"""The card language, what cards do: every step there is, with what it takes."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from kickdoor.cards.clauses import Condition, Filter, Modifier
from kickdoor.cards.vocabulary import (
    EVENTS,
    Amount,
    AmountWord,
    Chooser,
    Count,
    EachWho,
    Event,
    FilterWord,
    Names,
    None_or_some,
    Pick,
    RaceOrClass,
    Some,
    Who,
)


class Discard(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | FilterWord | None = None
    from_: Literal["in_play", "equipped", "hand", "any", "items_or_hand", "attached", "target"] | None = None
    count: Annotated[Count | None, Meta(description="a number, roll, remembered, all, or any he likes")] = None
    chooser: Chooser | None = None
    pick: Pick | None = None
    to: Literal["discard", "box"] | None = None


class Choice(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    label: str
    do: list[Step] = []


class Choose(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    options: list[Choice] = []


class Each(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from", "if_": "if"}):
    who: EachWho
    from_: Annotated[
        Literal["left", "right", "choice"] | None,
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
    keep: Some | None = None
    at_once: Annotated[bool, Meta(description="may be played in the very fight it is drawn in")] = False


class Take(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | FilterWord | None = None
    from_: Literal["in_play", "hand", "treasure_anywhere"] = "in_play"
    chooser: Annotated[Literal["victim"] | None, Meta(description="who chooses, if not who takes it")] = None
    victim: Annotated[Who | None, Meta(description="from whom, if not from the victim of the card")] = None
    pick: Pick | None = None
    how: Literal["steal", "loot", "force", "give"] = "force"
    shown: Annotated[bool | None, Meta(description="the hand is shown first, and the taker chooses")] = None
    to: Annotated[Literal["hand"] | None, Meta(description="into the hand of who takes it, not before him")] = None


class RemoveMonster(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    which: Annotated[
        Literal["this", "target", "group", "all"],
        Meta(description="`group`: the target and what shares its enhancers"),
    ] = "target"
    treasure: bool | None = None
    killed: bool = False


class Retrieve(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    what: Filter | FilterWord | None = None
    from_: Literal["discards", "doors", "treasures", "spells"] = "discards"
    search: Annotated[Literal["any", "top"], Meta(description="any card that fits, or the topmost such")] = "any"
    to: Annotated[
        Literal["hand", "in_play"], Meta(description="`in_play`: to be used for good, whatever the limits")
    ] = "hand"
    count: Some = 1
    up_to: Annotated[Amount | None, Meta(description="each worth no more than this many Gold Pieces")] = None
    total: Annotated[Some | None, Meta(description="as many as he likes, together worth no more than this")] = None


class Clone(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How a second monster of a kind differs from the first."""

    level: int = 0
    treasures: int = 0
    levels: int = 0
    without: Annotated[list[str], Meta(description="enhancers of the first one that it does not share")] = []


class MoveDungeon(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """Dungeons come into play or are left, in one step."""

    enter: None_or_some = 0
    leave: Literal["choice", "oldest", "newest", "all"] | None = None
    from_: Annotated[Literal["deck", "discards"], Meta(description="`discards`: the one left last comes back")] = "deck"
    affects: Annotated[
        Literal["everyone", "actor", "others", "neighbours"], Meta(description="whom the new one is for")
    ] = "everyone"


class Peek(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Look at the top cards of a deck, alone, and put them back in any order."""

    doors: Some | None = None
    treasures: Some | None = None


class Afflict(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"while_": "while"}):
    """Something that stays with the victim after its card has gone, like a lasting Curse."""

    modifiers: list[Modifier] = []
    until: Annotated[
        Literal["next_combat", "game"] | None, Meta(description="otherwise until it is lifted, or the victim dies")
    ] = None
    while_: Annotated[Condition | str | None, Meta(description="it ends as soon as this no longer holds")] = None
    on: Annotated[dict[Event, list[Step]], EVENTS] = {}


class Step(
    msgspec.Struct,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"if_": "if", "else_": "else"},
):
    """One thing a card does: exactly one verb, with `who` it happens to and what `else` if it cannot."""

    lose_level: Amount | None = None
    gain_level: Amount | None = None
    set_level: Some | Literal["lowest"] | None = None
    steal_level: Some | None = None
    death: Annotated[bool | Literal["no_loot"] | None, Meta(description="`no_loot`: all is discarded")] = None
    discard: Discard | FilterWord | None = None
    take: Take | FilterWord | None = None
    draw: DrawCards | None = None
    owe_treasure: Annotated[Some | Literal["this"] | None, Meta(description="`this`: what this monster pays")] = None
    roll: bool | Literal["run_away"] | None = None
    by_roll: dict[str, list[Step]] | None = None
    choose: Choose | None = None
    if_: Condition | str | None = None
    then: list[Step] | None = None
    each: Each | None = None
    change_sex: Annotated[
        bool | Literal["same"] | None,
        Meta(description="`same`: takes the sex that the actor has just taken"),
    ] = None
    change_trait: RaceOrClass | None = None
    pay: Annotated[
        Amount | None, Meta(description="Items of that value are given up; who cannot loses all of them")
    ] = None
    remove_monster: RemoveMonster | Literal["this", "target", "all"] | None = None
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
    bonus: int | AmountWord | None = None
    penalty: Amount | None = None
    double: bool | None = None
    transfer_fight: bool | None = None
    retrieve: Retrieve | None = None
    loot_room: bool | None = None
    compel_help: bool | None = None
    kill_companion: Annotated[
        Filter | FilterWord | None, Meta(description="a companion or Steed of anybody's is killed, of this sort")
    ] = None
    remove_enhancer: Annotated[bool | None, Meta(description="the target enhancer is taken off its monster")] = None
    attach: Annotated[
        bool | Filter | FilterWord | None, Meta(description="this Curse is laid on an Item of the victim's")
    ] = None
    annihilate: Annotated[bool | None, Meta(description="the target goes back into the box")] = None
    reset_fight: Annotated[bool | None, Meta(description="the fight begins anew; played cards go back")] = None
    start_fight: Annotated[
        Literal["this", "along"] | None,
        Meta(description="`this`: who received this monster fights it at once; `along`: the winner, what came along"),
    ] = None
    lift: Annotated[bool | None, Meta(description="this card leaves play")] = None
    afflict: Annotated[Afflict | None, Meta(description="stays with the victim when its card has gone")] = None
    keep_as_item: Annotated[int | None, Meta(description="this monster becomes an Item of the actor's")] = None
    peek: Peek | None = None
    share_out: Annotated[
        list[Step] | None, Meta(description="every other player gets an Item of the victim's; done to who gets none")
    ] = None
    consent: Annotated[list[Step] | None, Meta(description="done if `who` agrees")] = None
    contest: Annotated[list[Step] | None, Meta(description="actor and `who` roll; done if the actor rolls higher")] = (
        None
    )
    give: Annotated[Who | None, Meta(description="a card of one's choice from the hand goes to that player")] = None
    show_hand: bool | None = None
    skip_turn: Annotated[Some | None, Meta(description="misses so many turns")] = None
    raise_monster: Annotated[bool | Names | None, Meta(description="the topmost discarded one is back, with a tag")] = (
        None
    )
    suffer: Annotated[Literal["topmost"] | None, Meta(description="the Bad Stuff of the topmost discarded monster")] = (
        None
    )
    monster_level: Annotated[Some | None, Meta(description="this monster is of that Level now")] = None
    dismiss_helper: Annotated[bool | None, Meta(description="the helper leaves with what he played")] = None
    become_helper: Annotated[bool | None, Meta(description="the actor is the helper now, for nothing")] = None
    ban: Annotated[bool | None, Meta(description="the target plays no card against the actor this turn")] = None
    multiply_item: Annotated[Some | None, Meta(description="the target Item's bonus counts so often in a fight")] = None
    name_player: Annotated[list[Step] | None, Meta(description="the actor names a player it is done to")] = None
    become: Annotated[str | None, Meta(description="a Race or Class card of that name lies before him now")] = None
    dungeon: Annotated[MoveDungeon | None, Meta(description="with `then`: done if one came or was left")] = None
    make_pet: Annotated[bool | None, Meta(description="the target lies before the actor, to be spent once")] = None
    reward_from: Annotated[
        Literal["doors", "treasures", "nothing"] | None,
        Meta(description="the cards of this victory are drawn from that deck, or not at all"),
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
    opt_in: bool | None = None
    else_: list[Step] | None = None
    who: Who | None = None
    may_win: bool | None = None
    per: str | None = None
    side: Literal["munchkins", "monsters", "each_monster", "target"] | None = None
