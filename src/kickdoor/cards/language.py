"""The card language: every key a card may have, and nothing else.

These structures are the single source: the loader validates against them, the JSON Schema for editors is printed from
them, the compiler reads them. An unknown key is an error. Here are cards and packs as a whole; what they are made of is
in `vocabulary`, `clauses` and `steps`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from kickdoor.cards.clauses import Condition, Filter, Modifier
from kickdoor.cards.steps import (
    Step,
)
from kickdoor.cards.vocabulary import (
    EVENTS,
    By,
    Deck,
    Event,
    FilterWord,
    Gold,
    Kind,
    Names,
    None_or_some,
    On,
    Sex,
    Slot,
    Some,
    TraitKind,
    When,
)


class Cost(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"from_": "from"}):
    """What an ability costs."""

    discard: Annotated[
        Some | Literal["treasures"] | None, Meta(description="`treasures`: as many as the target monster has printed")
    ] = None
    what: Filter | FilterWord | None = None
    from_: Literal["hand", "in_play"] | None = None
    hand: Annotated[Some | None, Meta(description="the whole hand, of at least this many cards")] = None
    self_: bool | None = msgspec.field(default=None, name="self")
    level: Some | None = None


class Limit(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How often."""

    times: Some = 1
    per: Literal["combat", "turn", "target", "roll", "curse", "game"] = "combat"


class Play(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if", "with_": "with"}):
    """A way to play the card from the hand (or, for Items and one-shots, from the table)."""

    when: Annotated[When | None, Meta(description="default: any time, as the ruleset has it")] = None
    by: By = "anyone"
    on: On = "nothing"
    what: Annotated[Filter | FilterWord | None, Meta(description="narrows the target")] = None
    with_: Annotated[Filter | Literal["monster"] | None, Meta(description="a monster that is played along")] = None
    if_: Condition | str | None = None
    as_: str | None = msgspec.field(default=None, name="as")
    do: list[Step] = []
    stays: Literal["discard", "fight", "table", "attached"] | None = None
    wins_fight: Annotated[bool | None, Meta(description="legal only if it turns a losing fight into a winning one")] = (
        None
    )


_NAMES: Final = {"is_": "is", "if_": "if", "self_": "self"}


class AbilityRules(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename=_NAMES):
    """The rule that speaks of a power; where others do, of its moment, condition, limit, price, or of oneself."""

    is_: str
    when: str | None = None
    if_: str | None = None
    self_: str | None = None
    limit: str | None = None
    cost: str | None = None


class Ability(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"if_": "if"}):
    """A power of a card in play."""

    name: str
    aka: list[str] = []
    when: When = "fight"
    by: By = "anyone"
    on: On = "nothing"
    what: Filter | FilterWord | None = None
    cost: Cost | None = None
    limit: Limit | None = None
    if_: Condition | str | None = None
    do: list[Step] = []
    carried: Annotated[bool | None, Meta(description="works although the Item is not in use")] = None
    unstoppable: Annotated[
        bool | None, Meta(description="while it can be used, no card of a rival's may prevent it")
    ] = None
    rules: Annotated[AbilityRules | None, Meta(description="where it is written down; a refusal cites that")] = None


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
    copies: Some = 1
    like: Annotated[str | None, Meta(description="everything else is as on this card")] = None
    as_in: Annotated[
        str | None,
        Meta(description="printed again: the card of this name in that pack; only name and copies are said here"),
    ] = None
    aka: Annotated[list[str], Meta(description="other spellings of its name in print")] = []
    text: Annotated[str | None, Meta(description="the card's words, ours")] = None
    note: str | None = None
    origin: Literal["published", "ours"] | None = None
    level: int | None = None
    levels_gained: int | None = None
    treasures: int | None = None
    bonus: int | None = None
    gold: Gold | None = None
    slot: Slot | None = None
    big: bool | None = None
    run_away: int | None = None
    rank: Some | None = None
    tags: list[str] = []
    race: str | None = None
    class_: str | None = None
    sex: Sex | None = None
    usable_by: Names | None = None
    not_usable_by: Names | None = None
    weapon: bool | None = None
    pursuit_limit: Annotated[Some | None, Meta(description="does not pursue this Level or lower")] = None
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
    on: Annotated[dict[Event, list[Step]], EVENTS] = {}
    family: Annotated[str | None, Meta(description="a card that rules naming this one mean as well")] = None
    set_: Annotated[str | None, Meta(description="the set it is from, if that is not its pack")] = None
    joins: Annotated[Names | None, Meta(description="a monster that may join these from the hand, as kin does")] = None
    multi: Annotated[
        TraitKind | None,
        Meta(description="lets its owner have `max_traits` of these, which is two unless it says more"),
    ] = None
    max_traits: Annotated[int, Meta(ge=2)] | None = None
    recasts: Annotated[bool | None, Meta(description="the Race it lies on is a Class, and the other way round")] = None
    waives: Annotated[bool | None, Meta(description="lets its Item be had and used whatever the limits")] = None
    incompatible: list[str] = []
    spares: Annotated[bool | None, Meta(description="whoever cancels this Curse says whom he spares")] = None
    carries: Annotated[
        None_or_some | Literal["never"] | None,
        Meta(description="Items a companion can carry; `never`: not even with a Cheat!"),
    ] = None
    carries_what: Annotated[Filter | FilterWord | None, Meta(description="which Items a companion can carry")] = None
    uses_any: Annotated[bool | None, Meta(description="a companion who can use what anybody could")] = None
    takes_along: Annotated[bool | None, Meta(description="a companion whose load is lost even if it is killed")] = None
    unique: bool | None = None
    mix_needs: Annotated[
        TraitKind | list[TraitKind] | None,
        Meta(description="stays in the box where no set has such cards (race, class)"),
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
    about: Annotated[str, Meta(description="what it brings to a table, in two sentences")] = ""
    sources: Annotated[str, Meta(description="where its names, figures and words come from, in a sentence")] = ""
    samples: Annotated[
        list[str], Meta(max_length=3, description="three of its cards that show what it is like, by name")
    ] = []
    mixing: Annotated[list[str], Meta(max_length=8, description="rules that speak of it in a mix, by their ids")] = []
    needs: list[str] = []
    expands: Annotated[str | None, Meta(description="the base set that this is an expansion of")] = None
    for_mixes: Annotated[bool, Meta(description="made for mixes: beside few sets only a part of its Doors is used")] = (
        False
    )
    tags: Annotated[
        list[str], Meta(description="tags that cards of it carry for others to ask for, and that no card asks for here")
    ] = []
    kin: Annotated[list[str], Meta(description="tags of monsters that join each other in a fight, as Undead do")] = []
    thin_beside: Annotated[
        dict[str, int], Meta(description="beside this set alone, so many of its Level 1 monsters stay in the box")
    ] = {}
    theme: dict[str, str] = {}
    no_race: Annotated[Card | None, Meta(description="what everybody is who has no Race; no card of it exists")] = None


class CardFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file of cards."""

    cards: list[Card]
