"""Positions for tests of the browser table: played here, by the real engine, and laid into a server's journal.

A server finds a table in its journal when the first guest comes. So a test can play to just the moment it wants to look
at, seed after seed until one gets there, and open the page on it. Nothing depends on what a certain seed deals.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import msgspec

from kickdoor.bots import KINDS
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.views import view
from kickdoor.server import chain, deciding, timing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.botplay import Company
from kickdoor.server.chairs import new_token
from kickdoor.server.names import ALPHABET
from kickdoor.server.table import Table
from kickdoor.voice import words

BOT = next(k for k in ("greedy", "sensible", *KINDS) if k in KINDS)
CALM = {"timer": "custom", "window": 120, "decision": 3600, "grace": 3600, "bot_speed": "instant"}
LONG = 3600.0  # a window longer than a lobby allows: on a busy machine tests come back to a table after minutes


class Stage:
    """A table with its tokens; everything done to it is an entry of its journal."""

    def __init__(
        self, people: Sequence[str], bots: Sequence[str] = (), seed: int = 1, title: str = "Friday", **options: Any
    ) -> None:
        self.id = "".join(secrets.choice(ALPHABET) for _ in range(10))
        self.table = Table(self.id)
        self.entries: list[en.Entry] = []
        self.tokens = [new_token() for _ in people]
        chosen = op.changed(op.TableOptions(), {**CALM, **options})
        if "window" not in options:
            chosen = msgspec.structs.replace(chosen, window=LONG)
        self.take(en.Opened(self.id, title, op.plain(chosen), len(people) + len(bots)), deciding.new_seal(seed))
        for name, token in zip(people, self.tokens, strict=True):
            self.take(*deciding.sit(self.table, name, "female", None, token))
        for i, bot in enumerate(bots):
            self.take(deciding.bot_for(self.table, len(people) + i, bot))
        for i in range(1, len(people)):
            self.take(en.ReadySet(i, True))
        self.take(*deciding.decide(self.table, 0, pr.Start("start")))
        self.company = Company(self.table)

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def take(self, *whats: en.Entries) -> None:
        for w in whats:
            entry = en.Entry(w)
            self.table.take(entry)
            self.entries.append(entry)

    def make(self, seat: int, *moves: tuple[int, int, int, int]) -> None:
        self.take(deciding.prepare(self.table, self.game, seat, moves, "person"))

    def say(self, seat: int, start: str) -> bool:
        """Make the move whose words begin like this, if there is one."""
        found = next((m for m in legal(self.game, seat) if words.say(self.game, m, seat).startswith(start)), None)
        if found is not None:
            self.make(seat, found.deed)
        return found is not None

    def fix(self, seat: int, **what: Any) -> None:
        """The table agrees on a level, or on where a card belongs."""
        self.take(en.Fixed(seat, {"seat": seat, **what}))

    def view(self, seat: int) -> dict[str, Any]:
        """The game as this seat is shown it."""
        return cast("dict[str, Any]", view(self.game, seat))

    def card(self, name: str) -> int:
        return next(i for i, d in enumerate(self.game.lib.defs) if d.name == name)

    def idle(self, done: Callable[[Game], bool], moves: int = 60) -> bool:
        """Everybody does what the clock would do, until something is so."""
        for _ in range(moves):
            if done(self.game):
                return True
            if self.game.winners:
                return False
            seat = to_act(self.game)[0]
            move = timing.default(self.game, seat)
            assert move is not None
            self.make(seat, move.deed)
        return done(self.game)

    def lively(self, done: Callable[[Game], bool], moves: int = 3000) -> bool:
        """Bots play for everybody, until something is so."""
        for c in self.table.chairs:
            c.standin, c.bot = True, c.bot or BOT
        try:
            for _ in range(moves):
                if done(self.game) or self.game.winners:
                    break
                asked = self.company.next()
                if asked is None:
                    break
                choice = self.company.ask(*asked)
                if choice is not None:
                    m = choice.move
                    self.take(deciding.prepare(self.table, self.game, m.seat, [m.deed], "bot", choice.reason))
        finally:
            for c in self.table.chairs:
                c.standin = False
        return done(self.game)

    def lay(self, journal: Path) -> Stage:
        """Into the journal of a server, which may be running."""
        raw = [en.pack(e) for e in self.entries]
        checks = chain.links(chain.start(self.id), 0, raw)
        rows = [(self.id, i, data, check) for i, (data, check) in enumerate(zip(raw, checks, strict=True), 1)]
        with closing(sqlite3.connect(journal, timeout=20)) as db, db:
            db.execute("insert into tables values (?, ?, ?)", (self.id, len(rows), int(time.time())))
            db.executemany("insert into entries values (?, ?, ?, ?)", rows)
        return self


def staged(wanted: Callable[[Stage], bool], people: Sequence[str], bots: Sequence[str] = (), seeds: int = 200) -> Stage:
    """The first seed whose table can be brought into the position that is wanted."""
    for seed in range(1, seeds):
        stage = Stage(people, bots, seed)
        if wanted(stage):
            return stage
    raise AssertionError("no seed leads there; have the cards changed?")


# -- positions --------------------------------------------------------------------------------------------------------


def my_turn(g: Game) -> bool:
    """The first seat has its turn, and nothing is being resolved."""
    return isinstance(g.stack[-1], fr.Turn) and g.turn == 0


def at_the_door(s: Stage) -> bool:
    """The first seat stands before its first door."""
    return s.idle(my_turn, 8)


def in_a_fight(s: Stage) -> bool:
    """The first seat is losing a fight and may ask anybody for help; at least two Treasures are in it."""
    if not at_the_door(s) or not s.say(0, "Kick") or s.game.fight is None:
        return False
    asks = {m.target for m in legal(s.game, 0) if m.verb == mv.ASK_HELP}
    fight = s.view(0)["fight"]
    return len(asks) == len(s.game.players) - 1 and fight["treasures"] >= 2 and not fight["winning"]


def clothes(s: Stage) -> list[int]:
    """What the first seat could put on."""
    return [m.card for m in legal(s.game, 0) if m.verb == mv.PLAY and s.game.lib.defs[m.card].kind == "item"]
