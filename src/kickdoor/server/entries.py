"""What the journal holds: everything that ever happened at a table, as small values, in order.

A table is the fold of its entries (`table.Table.take`); the entries are the replay.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from kickdoor.server.ballots import About
from kickdoor.server.protocol import AutoPass, Motion

Seats = Annotated[int, msgspec.Meta(ge=0, le=64)]  # more than any table has; a journal that says otherwise is not ours


class What(msgspec.Struct, tag_field="e", frozen=True, omit_defaults=True):
    """What happened."""


class Opened(What, tag="opened", frozen=True):
    """Somebody made the table."""

    table: str
    name: str
    options: dict[str, Any]
    seats: Seats


class Sealed(What, tag="sealed", frozen=True):
    """Seed and salt of the next game. They stay in the journal; the hash of both is shown from now on."""

    seed: int
    salt: str


class OptionsSet(What, tag="options", frozen=True):
    """The host changed his mind about options; all of them as they are now, or only `some`: those that are new."""

    options: dict[str, Any]
    seats: Seats
    some: bool = False
    last: bool = False  # of the free seats that are too many the last ones go; earlier entries took the first


class Sat(What, tag="sat", frozen=True):
    """A person took a seat; the journal knows only the hash of the token."""

    seat: int
    name: str
    sex: str
    token: str
    avatar: str = ""


class Retoken(What, tag="retoken", frozen=True):
    """A seat moved to another device."""

    seat: int
    token: str


class GotUp(What, tag="got_up", frozen=True):
    """A person left for good. `by`: the host who freed the seat, if it was not his own doing."""

    seat: int
    by: int = -1


class BotSat(What, tag="bot", frozen=True):
    """A bot on a chair (an empty level: the chair is free again)."""

    seat: int
    bot: str
    name: str = ""
    sex: str = "male"
    avatar: str = ""


class ReadySet(What, tag="ready", frozen=True):
    """Ready, or not any more. `why`: what made it so, where the person did not say it."""

    seat: int
    ready: bool
    why: str = ""


class HostSet(What, tag="host", frozen=True):
    """The host's part passes on. `why`: what for, where the host did not hand it over."""

    seat: int
    why: str = ""


class AvatarSet(What, tag="avatar", frozen=True):
    """What somebody looks like."""

    seat: int
    avatar: str


class ColourSet(What, tag="colour", frozen=True):
    """Whose standies have which colour (MM-3)."""

    seat: int
    colour: int


class Brought(What, tag="brought", frozen=True):
    """What a player brings to the next game (CAP-52)."""

    seat: int
    things: list[str]


class Dealt(What, tag="dealt", frozen=True):
    """A game begins, with the seed that was sealed before."""

    seed: int
    salt: str
    players: list[str]
    sexes: list[str]
    chairs: list[int]
    version: str
    cards: str
    rules: dict[str, Any]
    bots: list[str]
    things: dict[str, list[str]] = {}
    position: dict[str, Any] = {}  # of another game, from which this one goes on with a shuffle of its own


class Made(What, tag="made", frozen=True):
    """Moves of one seat, made together. `by`: the person, a bot, or the clock."""

    seat: int
    moves: list[tuple[int, int, int, int]]
    by: str = "person"
    reason: str = ""


class Undone(What, tag="undone", frozen=True):
    """The last moves entry was taken back. `move`: how many moves there were after it."""

    seat: int
    move: int = -1


class Fixed(What, tag="fixed", frozen=True):
    """A correction that everybody agreed to."""

    by: int
    fix: dict[str, Any]


class Asked(What, tag="asked", frozen=True):
    """Everybody is asked to agree to something."""

    vote: int
    kind: Motion
    by: int
    seat: int
    text: str
    fix: dict[str, Any] | None = None
    about: About = About()


class Voted(What, tag="voted", frozen=True):
    vote: int
    seat: int
    yes: bool


class Closed(What, tag="closed", frozen=True):
    """A vote is over."""

    vote: int
    agreed: bool


class Chatted(What, tag="chatted", frozen=True):
    seat: int
    name: str
    text: str
    phrase: str = ""


class StandIn(What, tag="standin", frozen=True):
    """A bot plays for somebody, or hands back."""

    seat: int
    on: bool
    why: str = ""


class AutoSet(What, tag="auto", frozen=True):
    seat: int
    mode: AutoPass


class HandOpen(What, tag="open_hand", frozen=True):
    seat: int
    on: bool


class Again(What, tag="again", frozen=True):
    """A rematch: back to the lobby."""


class Mended(What, tag="mended", frozen=True):
    """The journal was damaged after the entry before this one; so many entries that came then are in quarantine."""

    why: str
    lost: int


class Carried(What, tag="carried", frozen=True):
    """From here on the game that was dealt goes on with other cards than it was dealt with: those of this version."""

    version: str
    cards: str


Entries = (
    Opened
    | Sealed
    | OptionsSet
    | Sat
    | Retoken
    | GotUp
    | BotSat
    | ReadySet
    | HostSet
    | AvatarSet
    | ColourSet
    | Brought
    | Dealt
    | Made
    | Undone
    | Fixed
    | Asked
    | Voted
    | Closed
    | Chatted
    | StandIn
    | AutoSet
    | HandOpen
    | Again
    | Mended
    | Carried
)


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened, when (seconds since the epoch), and the command it answers."""

    what: Entries
    at: float = 0.0
    by: int = -1
    command: str = ""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def pack(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def unpack(data: bytes) -> Entry:
    return _decoder.decode(data)
