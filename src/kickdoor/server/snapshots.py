"""A table as bytes and back: a shortcut past the older part of its journal, never a replacement for it."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import msgspec

from kickdoor.bots.ledger import Ledger
from kickdoor.engine import saving
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.ballots import Ballot
from kickdoor.server.chairs import Chair
from kickdoor.server.table import CHAT_KEPT, LOG_KEPT, UNDO_KEPT, Packed, Past, Table, shared_rules

_PLAIN = (
    "name seq status games host first_seq next_seed next_salt window count voted declined answers last".split()  # noqa: SIM905
)


FORMAT: Final = 5  # of another one nothing is read: it is only a shortcut


def dump(t: Table) -> bytes:
    data: dict[str, Any] = {k: getattr(t, k) for k in _PLAIN}
    data["format"] = FORMAT
    data["options"], data["chairs"], data["dealt"], data["votes"] = t.options, t.chairs, t.dealt, t.votes
    data["game"] = saving.to_msgpack(t.game) if t.game is not None else None
    data["recent"] = [list(m) for m in t.recent]
    data["ledger"] = t.ledger.plain()
    data["past"] = [_past(p) for p in t.past]
    data["lines"], data["told"] = _lines(t)
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
    t.game = saving.from_msgpack(data["game"]) if data["game"] is not None else None
    if data["dealt"] is not None:
        t.dealt, rules = shared_rules(msgspec.convert(data["dealt"], en.Dealt))
        if t.game is not None and t.game.rules == rules:
            t.game.rules = rules
    t.recent = [Move(*m) for m in data["recent"]]
    t.ledger = Ledger.of(data["ledger"])
    t.past = deque((_unpast(t.game, *p) for p in data["past"] if t.game is not None), maxlen=UNDO_KEPT)
    t.votes = msgspec.convert(data["votes"], list[Ballot])
    lines = msgspec.convert(data["lines"], list[pr.LogLine])
    t.lines = {v: deque((lines[i] for i in told), LOG_KEPT) for v, told in data["told"]}
    t.chat = deque(msgspec.convert(data["chat"], list[pr.ChatLine]), CHAT_KEPT)
    return t


def _lines(t: Table) -> tuple[list[pr.LogLine], list[tuple[int, list[int]]]]:
    """Every line once, and which of them each viewer was told: most lines are told to everybody."""
    lines: list[pr.LogLine] = []
    places: dict[int, int] = {}
    told = []
    for viewer, mine in t.lines.items():
        for x in mine:
            if places.setdefault(id(x), len(lines)) == len(lines):
                lines.append(x)
        told.append((viewer, [places[id(x)] for x in mine]))
    return lines, told


def _past(p: Past) -> list[Any]:
    return [p.seat, p.packed(), p.window, p.move, p.events]


def _unpast(now: Game, seat: int, game: bytes, window: int, move: int, events: list[Any]) -> Past:
    return Past(seat, Packed(game, now.lib, now.rules), window, move, msgspec.convert(events, list[Event]))
