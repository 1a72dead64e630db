"""Taps: the small operations that a counter for real cards is the fold of.

Every phone keeps the taps it knows and shows the fold of all of them, in the order of (`clock`, `id`). Phones that were
apart exchange what the other lacks, and then show the same: numbers are said as differences, what has one value goes to
whoever wrote last, things have names of their own, and taking back is a tap that names what it takes back. So no tap
has to be refused, or asked about, because somebody else tapped meanwhile. The fold itself is the page's
(`web/src/counter/fold.ts`); a server keeps taps, and knows only what a well-formed one is.
"""

# No postponed annotations: msgspec reads them.

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

VERSION: Final = 1

TapId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]{8,40}$(?!\n)",
        description="made up by the phone; no two taps of a counter have the same",
    ),
]
Ident = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]{1,40}$(?!\n)",
        description="made up by the phone: of a sheet, a thing, a fight, a device",
    ),
]
Clock = Annotated[int, Meta(ge=1, le=2**40, description="Lamport: one more than the highest the phone has seen")]
Short = Annotated[str, Meta(max_length=40)]
Label = Annotated[str, Meta(max_length=90, description="a card as its facts call it (`CardFacts.label`)")]
Words = Annotated[str, Meta(max_length=300)]
Number = Annotated[int, Meta(ge=-10_000, le=10_000)]
Side = Literal["munchkins", "monsters"]
Sex = Literal["male", "female"]


class Tap(msgspec.Struct, tag_field="kind", forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """What all taps have. `who`: the device. `at`: milliseconds since 1970 by that device's clock, for the log only."""

    id: TapId
    clock: Clock
    who: Ident
    at: Annotated[int, Meta(ge=0, le=2**43)]


class Tapped(Tap, frozen=True, omit_defaults=True, kw_only=True):
    """`with`: taps of one finger belong together (one line of the log, one undo); the id of the first of them."""

    tap: TapId | None = msgspec.field(default=None, name="with")


class Table(Tapped, tag="table", frozen=True):
    """About the whole table; what is given is set (last writer), what is not stays. `limit`: the Level that wins, 0 for
    none; 20 is Epic."""

    name: Annotated[str, Meta(max_length=60)] | None = None
    packs: Annotated[list[Short], Meta(max_length=20)] | None = None
    limit: Literal[0, 10, 20] | None = None
    language: Annotated[str, Meta(max_length=10)] | None = None


class Person(Tapped, tag="person", frozen=True):
    """A sheet: the first such tap makes it, later ones set what they give (last writer). `gone`: the sheet is put away
    (or, false, brought back)."""

    sheet: Ident
    name: Annotated[str, Meta(max_length=24)] | None = None
    colour: Annotated[str, Meta(max_length=24)] | None = None
    avatar: Annotated[str, Meta(max_length=24)] | None = None
    sex: Sex | None = None
    gone: bool | None = None


class Device(Tapped, tag="device", frozen=True):
    """Which sheet the device `who` is held by (last writer); null: it is everybody's."""

    sheet: Ident | None
    name: Annotated[str, Meta(max_length=24)] = ""


class Order(Tapped, tag="order", frozen=True):
    """Who sits where, clockwise (last writer). Sheets that are not named come after those that are. `lot`: it was
    drawn."""

    sheets: Annotated[list[Ident], Meta(max_length=12)]
    lot: bool = False


class Turn(Tapped, tag="turn", frozen=True):
    """Whose turn it is (last writer); `lot`: the first player was drawn."""

    sheet: Ident | None
    lot: bool = False


class Level(Tapped, tag="level", frozen=True):
    """Levels up or down: a difference. A sheet begins at 1; what it comes to is never shown below 1. `why`: a fight, a
    card, some words."""

    sheet: Ident
    by: Number
    fight: Ident | None = None
    why: Annotated[str, Meta(max_length=90)] = ""


class Gear(Tapped, tag="gear", frozen=True):
    """The free number of a sheet, for what has no card here: a difference."""

    sheet: Ident
    by: Number
    why: Annotated[str, Meta(max_length=90)] = ""


Place = Literal["worn", "carried", "table", "foe", "on_foe", "munchkins", "monsters", "away"]


class Put(Tapped, tag="put", frozen=True):
    """Where a thing is (last writer): a card, or something for which there is no card here.

    `worn` and `carried`: before `sheet` (a Race, a Class, a Steed is `worn`); `on`: it lies on that thing. `table`: for
    everybody (a Dungeon). `foe`: a monster in `fight`. `on_foe`: it enhances the monster `on`. `munchkins`,
    `monsters`: played into `fight` for that side, by `sheet`. `away`: discarded.
    The first tap with a `card`, or a `name` and figures, says what the thing is; later ones need not repeat it.
    """

    thing: Ident
    at_: Place = msgspec.field(name="place")
    sheet: Ident | None = None
    fight: Ident | None = None
    on: Ident | None = None
    card: Label | None = None
    name: Annotated[str, Meta(max_length=60)] | None = None
    bonus: Number | None = None
    level: Annotated[int, Meta(ge=1, le=999)] | None = None
    treasures: Annotated[int, Meta(ge=0, le=99)] | None = None
    levels: Annotated[int, Meta(ge=0, le=99)] | None = None


class Fight(Tapped, tag="fight", frozen=True):
    """A fight: the first such tap begins it, and it is the table's fight until it has an `end`. What is given is set
    (last writer). `helper`: null, nobody. `promised`: Treasures; `terms`: the deal in words."""

    fight: Ident
    main: Ident | None = None
    helper: Ident | msgspec.UnsetType | None = msgspec.UNSET
    promised: Annotated[int, Meta(ge=0, le=99)] | None = None
    terms: Words | None = None
    end: Literal["won", "lost", "over", "open"] | None = None


class Swing(Tapped, tag="swing", frozen=True):
    """The free number of a side of a fight, or of one monster (`on`): a difference."""

    fight: Ident
    side: Side
    by: Number
    on: Ident | None = None


class Roll(Tapped, tag="roll", frozen=True):
    """A die was thrown. In a flight: who runs from what, and whether that was enough."""

    roll: Annotated[int, Meta(ge=1, le=100)]
    sides: Annotated[int, Meta(ge=2, le=100)] = 6
    sheet: Ident | None = None
    fight: Ident | None = None
    foe: Ident | None = None
    escaped: bool | None = None


class Died(Tapped, tag="died", frozen=True):
    """A munchkin died. What he loses are taps of their own."""

    sheet: Ident
    fight: Ident | None = None


class Mark(Tapped, tag="mark", frozen=True):
    """Something set by hand (last writer): a condition in a fight ("counts as an Elf"), a house rule, a reminder.
    `about`: a sheet, a thing, a fight, or `table`. Null takes it away."""

    about: Ident
    key: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_.:-]{0,39}$(?!\n)")]
    value: bool | Number | Annotated[str, Meta(max_length=120)] | None


class Note(Tapped, tag="note", frozen=True):
    """A line for the log: a ruling, a promise."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    sheet: Ident | None = None
    rule: Short = ""


class Over(Tapped, tag="over", frozen=True):
    """The game is over (last writer); an empty list: it goes on after all."""

    winners: Annotated[list[Ident], Meta(max_length=12)]


class Next(Tapped, tag="next", frozen=True):
    """A rematch: the same people go on at another counter (last writer)."""

    counter: Annotated[str, Meta(pattern=r"^[a-z0-9]{10}$(?!\n)")]


class Undo(Tap, tag="undo", frozen=True):
    """These taps count as if they had never been made. Whether a tap counts is settled by the last undo or redo that
    names it. An undo cannot itself be named."""

    taps: Annotated[list[TapId], Meta(min_length=1, max_length=60)]


class Redo(Tap, tag="redo", frozen=True):
    """These taps count again."""

    taps: Annotated[list[TapId], Meta(min_length=1, max_length=60)]


Taps = (
    Table
    | Person
    | Device
    | Order
    | Turn
    | Level
    | Gear
    | Put
    | Fight
    | Swing
    | Roll
    | Died
    | Mark
    | Note
    | Over
    | Next
    | Undo
    | Redo
)


# -- on the socket ------------------------------------------------------------------------------------------------


class Message(msgspec.Struct, tag_field="t", forbid_unknown_fields=True, frozen=True):
    """What all messages have in common: the tag."""


class Hello(Message, tag="hello", frozen=True):
    """The first message. `line` and `have`: as the server said them last, so that only what is new is sent; 0 and 0 on
    a phone that knows nothing."""

    v: int
    device: Ident
    line: Annotated[int, Meta(ge=0, le=2**40)] = 0
    have: Annotated[int, Meta(ge=0, le=2**40)] = 0


class Tell(Message, tag="taps", frozen=True):
    """Taps for everybody, 50 and 8 KiB at most; said again until `took` or `news` has their ids. Each is looked at
    alone."""

    taps: Annotated[list[msgspec.Raw], Meta(min_length=1, max_length=50)]


class Ping(Message, tag="ping", frozen=True):
    """Are you there?"""

    n: int = 0


Said = Hello | Tell | Ping


class Welcome(Message, tag="welcome", frozen=True):
    """How the server stands: `seq` taps. What the phone lacks follows in `news`, from tap `first` + 1 on. Where
    `first` is 0 the phone says everything again that is not in those: the server may have lost it, or be another."""

    v: int
    counter: str
    line: int
    seq: int
    first: int
    link: str = ""


class News(Message, tag="news", frozen=True):
    """Taps number `first` + 1 and on, in the order in which they came to the server. They are safe."""

    first: int
    taps: list[Taps]


class Took(Message, tag="took", frozen=True):
    """These taps of yours are safe (also those that were there already)."""

    ids: list[str]


class Refused(Message, tag="refused", frozen=True):
    """These taps were not taken. `again`: say them again after so many seconds; 0: never, they will not do."""

    ids: list[str]
    code: str
    says: str
    again: float = 0


class Here(Message, tag="here", frozen=True):
    """Whose phones are on the line now, by device."""

    devices: list[str]


class Problem(Message, tag="problem", frozen=True):
    """Something that was said could not be taken, or the journal cannot be written just now (`unwritable`)."""

    code: str
    says: str


class Bye(Message, tag="bye", frozen=True):
    """The server hangs up. `back`: come again after so many seconds, where that is of use."""

    code: str
    says: str
    back: int = 0


class Moved(Message, tag="moved", frozen=True):
    """Another server keeps this counter: the same path at that address."""

    url: str


class Pong(Message, tag="pong", frozen=True):
    n: int


Heard = Welcome | News | Took | Refused | Here | Problem | Bye | Moved | Pong

decode: Final = msgspec.json.Decoder(Said).decode
decode_tap: Final = msgspec.json.Decoder(Taps).decode
encode: Final = msgspec.json.Encoder().encode
Json = dict[str, Any]
