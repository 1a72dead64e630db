"""What a shortcut past the older part of a journal holds, as it is written and read: straight into what it becomes.

Apart from `snapshots`, which is compiled; structs are not.
"""

from __future__ import annotations

from typing import Final

import msgspec

from kickdoor.engine.value.move import Move
from kickdoor.engine.value.records import Event
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.ballots import Ballot
from kickdoor.server.chairs import Chair
from kickdoor.server.options import TableOptions

FORMAT: Final = 7  # of another one nothing is read: it is only a shortcut

# A line of the log without the names of its fields, which were half of a shortcut: as `LogLine` has them, in order.
Row = tuple[int, str, str, str, str, int, int, int, int, str]


class PastRow(msgspec.Struct, array_like=True, gc=False):
    """A game as it was before some moves; `game` is unpacked when somebody asks for it."""

    seat: int
    game: bytes
    window: int
    move: int
    events: list[Event]


class Shortcut(msgspec.Struct):
    """A table, whole."""

    format: int
    name: str
    seq: int
    status: pr.Status
    games: int
    host: int
    first_seq: int
    next_seed: int
    next_salt: str
    window: int
    count: int
    voted: int
    declined: int
    regrets: tuple[int, tuple[int, ...]]
    answers: dict[str, dict[str, int]]
    last: dict[str, str]
    options: TableOptions
    chairs: list[Chair]
    dealt: en.Dealt | None  # without its rules
    rules: bytes  # these, packed: most tables play by the same ones
    votes: list[Ballot]
    game: bytes | None
    cards: str  # of the game
    played: bytes  # the rules of the game, where they are other than those it was dealt by
    recent: list[Move]
    ledger: list[tuple[int, int]]
    past: list[PastRow]
    lines: list[Row]
    told: list[tuple[int, list[int]]]  # each viewer, and which of the lines
    chat: list[pr.ChatLine]


class _Marked(msgspec.Struct):
    format: int = 1


_decoder: Final = msgspec.msgpack.Decoder(Shortcut)
_marked: Final = msgspec.msgpack.Decoder(_Marked)
pack: Final = msgspec.msgpack.Encoder().encode


def unpack(raw: bytes) -> Shortcut:
    """Raises ValueError (also msgspec's errors) where it is not one of this version."""
    try:
        short = _decoder.decode(raw)
        found = short.format
    except msgspec.ValidationError:
        found = _marked.decode(raw).format
        if found == FORMAT:
            raise
    if found != FORMAT:
        raise ValueError(f"it has format {found}, and this version writes {FORMAT}")
    return short
