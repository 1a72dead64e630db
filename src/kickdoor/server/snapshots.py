"""A table as bytes and back: a shortcut past the older part of its journal, never a replacement for it."""

from __future__ import annotations

from collections import deque

import msgspec
from msgspec.structs import astuple, replace

from kickdoor.bots.ledger import Ledger
from kickdoor.engine import saving
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.games import Packed, Past, rules_of
from kickdoor.server.shortcut import FORMAT, PastRow, Row, Shortcut, pack, unpack
from kickdoor.server.table import CHAT_KEPT, LOG_KEPT, UNDO_KEPT, Regrets, Table


def dump(t: Table) -> bytes:
    g, dealt = t.game, t.dealt
    rules = msgspec.msgpack.encode(dealt.rules) if dealt is not None else b""
    usual = g is None or (dealt is not None and g.rules == rules_of(rules)[1])
    lines, told = _lines(t)
    short = Shortcut(
        format=FORMAT,
        name=t.name,
        seq=t.seq,
        status=t.status,
        games=t.games,
        host=t.host,
        first_seq=t.first_seq,
        next_seed=t.next_seed,
        next_salt=t.next_salt,
        window=t.window,
        count=t.count,
        voted=t.voted,
        declined=t.declined,
        regrets=t.regrets,
        answers=t.answers,
        last=t.last,
        options=t.options,
        chairs=t.chairs,
        dealt=replace(dealt, rules={}) if dealt is not None else None,
        rules=rules,
        votes=t.votes,
        game=saving.packed(g) if g is not None else None,
        cards=g.lib.hash if g is not None else "",
        played=b"" if g is None or usual else msgspec.msgpack.encode(g.rules),
        recent=t.recent,
        ledger=t.ledger.plain(),
        past=[PastRow(p.seat, p.packed(), p.window, p.move, list(p.events)) for p in t.past],
        lines=lines,
        told=told,
        chat=list(t.chat),
    )
    return pack(short)


def load(ident: str, raw: bytes) -> Table:
    """Raises ValueError (also SaveError, msgspec's errors) where the shortcut does not fit this version."""
    short = unpack(raw)
    t = Table(ident)
    t.name, t.seq, t.status, t.games, t.host = short.name, short.seq, short.status, short.games, short.host
    t.first_seq, t.next_seed, t.next_salt = short.first_seq, short.next_seed, short.next_salt
    t.window, t.count, t.voted, t.declined = short.window, short.count, short.voted, short.declined
    t.regrets = Regrets(*short.regrets)
    t.answers, t.last, t.options, t.chairs = short.answers, short.last, short.options, short.chairs
    t.recent, t.ledger, t.votes = short.recent, Ledger.of(short.ledger), short.votes
    if short.dealt is not None:
        t.dealt = replace(short.dealt, rules=rules_of(short.rules)[0])
    if short.game is not None:
        t.game = _game(t, short, short.game)
        t.past = deque((_past(t.game, p) for p in short.past), maxlen=UNDO_KEPT)
    lines = [pr.LogLine(*row) for row in short.lines]
    t.lines = {v: deque(map(lines.__getitem__, told), LOG_KEPT) for v, told in short.told}
    t.chat = deque(short.chat, CHAT_KEPT)
    return t


def _game(t: Table, short: Shortcut, packed: bytes) -> Game:
    lib = op.cards(t.options)
    if not lib.same(short.cards):
        raise ValueError("it was written with other cards (the packs have changed since)")
    rules = msgspec.msgpack.decode(short.played, type=Ruleset) if short.played else rules_of(short.rules)[1]
    return saving.unpacked(lib, rules, packed)


def _past(now: Game, p: PastRow) -> Past:
    return Past(p.seat, Packed(p.game, now.lib, now.rules), p.window, p.move, p.events)


def _lines(t: Table) -> tuple[list[Row], list[tuple[int, list[int]]]]:
    """Every line once, and which of them each viewer was told: most lines are told to everybody."""
    lines: list[Row] = []
    places: dict[int, int] = {}
    told: list[tuple[int, list[int]]] = []
    for viewer, mine in t.lines.items():
        ids = list(map(id, mine))
        for at, x in zip(ids, mine, strict=True):
            if at not in places:
                places[at] = len(lines)
                lines.append(astuple(x))
        told.append((viewer, list(map(places.__getitem__, ids))))
    return lines, told
