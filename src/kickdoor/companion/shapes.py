"""The shapes of what the engine is asked for a table with real cards, and of what it answers: plain data both ways."""

# No postponed annotations: they would hide which keys of a TypedDict may be missing.

from typing import Annotated, Any, Literal, TypedDict

import msgspec
from msgspec import Meta

from kickdoor.companion import taps
from kickdoor.companion.taps import Ident, Label, Number, Sex, Short, Side

NoIdent = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{0,40}$(?!\n)", description="as an id, or empty: nobody, nothing")
]
Packs = Annotated[list[Short], Meta(min_length=1, max_length=20)]


class Asked(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What all questions have in common: nothing unknown is in them."""


# -- questions ----------------------------------------------------------------------------------------------------


class Held(Asked, frozen=True):
    """A card before a player: `worn` or `carried`, perhaps `on` another thing of his. What has no card here has a
    `bonus`, and counts by that (a known card with a `bonus` has it on top: house rules happen)."""

    thing: Ident
    card: Label = ""
    worn: bool = True
    on: NoIdent = ""
    name: Annotated[str, Meta(max_length=60)] = ""
    bonus: Number = 0


class Sheet(Asked, frozen=True):
    """A player as his sheet has him."""

    sheet: Ident
    name: Annotated[str, Meta(max_length=24)] = ""
    sex: Sex = "male"
    level: Annotated[int, Meta(ge=1, le=999)] = 1
    gear: Number = 0
    cards: Annotated[list[Held], Meta(max_length=60)] = []


class OnFoe(Asked, frozen=True):
    """What lies on a monster: an enhancer by its card, or by its bonus alone."""

    thing: Ident
    card: Label = ""
    name: Annotated[str, Meta(max_length=60)] = ""
    bonus: Number = 0


class FoeAsked(Asked, frozen=True):
    """A monster: by its card, or by a Level (and what it pays) where there is no card for it here."""

    thing: Ident
    card: Label = ""
    name: Annotated[str, Meta(max_length=60)] = ""
    level: Annotated[int, Meta(ge=1, le=999)] | None = None
    treasures: Annotated[int, Meta(ge=0, le=99)] | None = None
    levels: Annotated[int, Meta(ge=0, le=99)] | None = None
    swing: Number = 0
    enhancers: Annotated[list[OnFoe], Meta(max_length=12)] = []


class Played(Asked, frozen=True):
    """What was played into the fight for a side: a one-shot by its card, or by its bonus alone."""

    thing: Ident
    side: Side
    card: Label = ""
    name: Annotated[str, Meta(max_length=60)] = ""
    bonus: Number = 0
    sheet: NoIdent = ""


class FightAsked(Asked, frozen=True):
    """Both sides of a fight, as the phones have them."""

    main: Ident
    foes: Annotated[list[FoeAsked], Meta(max_length=12)]
    helper: NoIdent = ""
    played: Annotated[list[Played], Meta(max_length=40)] = []
    munchkins: Annotated[Number, Meta(description="the free number of that side")] = 0
    monsters: Number = 0


class Position(Asked, frozen=True):
    """The table: who is there with what, and the fight that is on, if any."""

    packs: Packs
    sheets: Annotated[list[Sheet], Meta(min_length=1, max_length=12)]
    limit: Literal[0, 10, 20] = 10
    dungeons: Annotated[list[Label], Meta(max_length=6)] = []
    turn: NoIdent = ""
    fight: FightAsked | None = None


class FightQuestion(Asked, frozen=True):
    """POST /api/counter/fight: how does it stand? `hand`: cards that somebody could still play, for "what would
    help"; the server forgets them with the answer."""

    position: Position
    hand: Annotated[list[Label], Meta(max_length=20)] = []


class ItemQuestion(Asked, frozen=True):
    """POST /api/counter/item: may this sheet put this card on (or have it in play)?"""

    position: Position
    sheet: Ident
    card: Label


class CouldQuestion(Asked, frozen=True):
    """POST /api/counter/could: could this one now play this card, or use its power? `on`: a thing or a sheet it would
    be for; empty: anything."""

    position: Position
    sheet: Ident
    card: Label
    on: Annotated[str, Meta(max_length=40)] = ""


# -- answers ------------------------------------------------------------------------------------------------------


class TermTold(TypedDict):
    """A summand: what it is called, where it comes from (a thing, or a sheet for its Level), and by which rule."""

    amount: int
    name: str
    thing: Annotated[str, Meta(description="of the question; empty: a Level, or a number that was entered")]
    sheet: Annotated[str, Meta(description="whose it is; empty: the side's, or a monster's")]
    rule: str


class SheetChange(TypedDict):
    """What becomes of a sheet, to be carried over by one tap."""

    sheet: str
    level: Annotated[int, Meta(description="a difference")]
    away: Annotated[list[str], Meta(description="things that go to the discards")]
    died: bool
    sex: Annotated[str, Meta(description="the new sex, where it changes")]
    says: str


class BadStuff(TypedDict):
    """What a monster does to one who does not get away."""

    sheet: str
    changes: Annotated[list[SheetChange], Meta(description="as far as nobody has to choose or roll")]
    open: Annotated[str, Meta(description="what somebody has to choose or roll, or what cannot be told from here")]


class Flight(TypedDict):
    """One runs from one monster: the least throw that is enough (7: none is), and the chance in percent."""

    sheet: str
    foe: str
    needs: int
    chance: int
    modifiers: list[TermTold]
    says: str


class FoeTold(TypedDict):
    """A monster in the fight."""

    thing: str
    name: str
    known: bool
    strength: int
    treasures: int
    levels: int
    bad_stuff: Annotated[str, Meta(description="in our words")]
    hits: list[BadStuff]


class Help(TypedDict):
    """Something that would turn the fight: `by`, a bonus (card empty); or a card, and what it would come to."""

    by: int
    card: str
    sheet: str
    munchkins: int
    monsters: int
    says: str


class Refusal(TypedDict):
    """What the rules do not allow, and is counted all the same: a thing, or a helper by his sheet."""

    thing: str
    rule: str
    says: str


class FightTold(TypedDict):
    """How a fight stands."""

    munchkins: int
    monsters: int
    munchkin_terms: list[TermTold]
    monster_terms: list[TermTold]
    winning: bool
    ties: Annotated[bool, Meta(description="the munchkins win ties")]
    must_flee: bool
    says: Annotated[str, Meta(description="how it stands, in a sentence")]
    levels: Annotated[list[SheetChange], Meta(description="what a victory is worth to each")]
    treasures: int
    foes: list[FoeTold]
    flights: list[Flight]
    helps: list[Help]
    refusals: list[Refusal]
    assumed: Annotated[list[str], Meta(description="what could not be known, in sentences")]


class ItemTold(TypedDict):
    """May it be put on, or be in play? `worn`: it would count; otherwise it can only be carried."""

    may: bool
    worn: bool
    rule: str
    says: str


class CouldTold(TypedDict):
    """A ruling, what it rests on, what was assumed, and the position as a scenario."""

    may: bool
    rule: str
    says: str
    ways: Annotated[list[str], Meta(description="what one could do, in sentences")]
    then: Annotated[str, Meta(description="how the fight would stand after the first of them")]
    assumed: list[str]
    scenario: str


# -- cards --------------------------------------------------------------------------------------------------------


class Clause(TypedDict):
    """A term that counts under conditions: `amount`, if all of these hold. An empty list asks nothing.

    `to`: of an Item, `owner`. Of a monster, `owner` is the monster itself; `fighters` is each fighter whom it fits, and
    counts on the munchkins' side.
    `any`: at least one fighter is one of these (`elf`, `wizard`, `male`, ...). `none`: no fighter is. Of an Item, its
    owner alone is asked. Levels are the main fighter's (of an Item, its owner's; 0: no bound); `helper`: there has to
    be one (true), or must not be (false); null: that does not matter.
    `by_hand`: the condition cannot be read off the sheets, so that the people at the table say whether it holds; or
    how often, where it counts for `each` of something.
    """

    amount: int
    to: Literal["owner", "fighters"]
    any: list[str]
    none: list[str]
    level_at_least: int
    level_at_most: int
    helper: bool | None
    by_hand: bool
    each: bool


class CardFacts(TypedDict):
    """A card for looking up, and for counting without a line."""

    label: Annotated[str, Meta(description="what it is called in questions and taps: unique among these packs")]
    name: str
    pack: str
    kind: str
    deck: str
    level: int
    bonus: int
    treasures: int
    levels: int
    gold: int | None
    slot: str
    hands: int
    big: bool
    run_away: int
    traits: Annotated[list[str], Meta(description="what one is by having it: `elf`, `wizard`, `warrior`")]
    wins_ties: bool
    usable: Annotated[str, Meta(description="who may use it, in words")]
    text: str
    bad_stuff: str
    clauses: list[Clause]
    whole: Annotated[
        bool,
        Meta(
            description="`bonus`, `level`, `treasures`, `wins_ties` and `clauses` are all it does to the sum of a "
            "fight, once somebody has said of those `by_hand` whether they hold"
        ),
    ]


class CardsTold(TypedDict):
    """GET /api/counter/cards?packs=a,b: every card once."""

    packs: list[str]
    hash: str
    cards: list[CardFacts]


# -- counters -----------------------------------------------------------------------------------------------------


class NewCounter(Asked, frozen=True):
    """POST /api/counter: a counter on this server. A phone that began without a line gives it the name it has made up,
    and its first taps; asked twice, it is the same counter."""

    counter: Annotated[str, Meta(pattern=r"^[a-hjkmnp-z2-9]{10}$(?!\n)")] = ""
    taps: Annotated[list[msgspec.Raw], Meta(max_length=100)] = []


class CounterMade(TypedDict):
    """Where it is."""

    counter: str
    link: str
    seq: int


class CounterTold(TypedDict):
    """GET /api/counter/{counter}: all taps, in the order in which they came."""

    counter: str
    line: int
    seq: int
    taps: list[taps.Taps]


def schema() -> dict[str, Any]:
    """The socket's messages, the questions and the answers as one JSON Schema document."""
    kinds = (
        taps.Said,
        taps.Heard,
        taps.Taps,
        FightQuestion,
        ItemQuestion,
        CouldQuestion,
        FightTold,
        ItemTold,
        CouldTold,
        CardsTold,
        NewCounter,
        CounterMade,
        CounterTold,
    )
    (said, heard, tapped, *_), parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for part in parts.values():
        if "properties" in part:  # an object has the keys that are described, and no others
            part["additionalProperties"] = False
    for name, key in (("Tell", "taps"), ("NewCounter", "taps")):  # each is looked at alone
        parts[name]["properties"][key]["items"] = {"$ref": "#/$defs/Taps"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Kickdoor's counter for real cards, version {taps.VERSION}",
        "version": taps.VERSION,
        "$defs": {**parts, "Said": said, "Heard": heard, "Taps": tapped},
        "anyOf": [{"$ref": "#/$defs/Said"}, {"$ref": "#/$defs/Heard"}],
    }
