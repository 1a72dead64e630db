"""A table as bytes and back: a shortcut past the older part of its journal, never a replacement for it."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import msgspec

from kickdoor.engine import saving
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.ballots import Ballot
from kickdoor.server.chairs import Chair
from kickdoor.server.table import CHAT_KEPT, LOG_KEPT, UNDO_KEPT, Past, Table

_PLAIN = (
    "name seq status games host first_seq next_seed next_salt window count voted declined answers last".split()  # noqa: SIM905
)


FORMAT: Final = 3  # of another one nothing is read: it is only a shortcut


def dump(t: Table) -> bytes:
    data: dict[str, Any] = {k: getattr(t, k) for k in _PLAIN}
    data["format"] = FORMAT
    data["options"], data["chairs"], data["dealt"], data["votes"] = t.options, t.chairs, t.dealt, t.votes
    data["game"] = saving.to_msgpack(t.game) if t.game is not None else None
    data["recent"] = [list(m) for m in t.recent]
    data["past"] = [_past(p) for p in t.past]
    data["lines"] = [[v, list(lines)] for v, lines in t.lines.items()]
    data["chat"] = list(t.chat)
    return msgspec.msgpack.encode(data)


def load(ident: str, raw: bytes) -> Table:
    """Raises ValueError (also SaveError, msgspec's errors) where the shortcut does not fit this version."""
    data = msgspec.msgpack.decode(raw)
    if data.get("format") != FORMAT:
        raise ValueError(f"it has format {data.get('format', 1)}, and this version writes {FORMAT}")
    t = Table(ident)
    for k in _PLAIN:
        setattr(t, k, data[k])
    t.options = msgspec.convert(data["options"], op.TableOptions)
    t.chairs = msgspec.convert(data["chairs"], list[Chair])
    t.dealt = msgspec.convert(data["dealt"], en.Dealt) if data["dealt"] is not None else None
    t.game = saving.from_msgpack(data["game"]) if data["game"] is not None else None
    t.recent = [Move(*m) for m in data["recent"]]
    t.past = deque((_unpast(*p) for p in data["past"]), maxlen=UNDO_KEPT)
    t.votes = msgspec.convert(data["votes"], list[Ballot])
    t.lines = {v: deque(msgspec.convert(lines, list[pr.LogLine]), LOG_KEPT) for v, lines in data["lines"]}
    t.chat = deque(msgspec.convert(data["chat"], list[pr.ChatLine]), CHAT_KEPT)
    return t


def _past(p: Past) -> list[Any]:
    return [p.seat, saving.to_msgpack(p.game), p.window, p.move, p.events]


def _unpast(seat: int, game: bytes, window: int, move: int, events: list[Any]) -> Past:
    return Past(seat, saving.from_msgpack(game), window, move, msgspec.convert(events, list[Event]))
