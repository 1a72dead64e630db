"""The clocks of a table: who is waited for and since when, how long that lasts, and what is done when it is over."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.server import deciding, pace, showing, timing
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.audience import ClockOf, Guest
from kickdoor.server.chairs import PERSON
from kickdoor.server.table import PLAYING, WATCHER, Table, played_by_bot


class Clocks:
    """They run for the people at `table`; `guests` are the lines to it, `time` is the room's."""

    def __init__(self, table: Table, guests: list[Guest], time: Callable[[], float]) -> None:
        self.table = table
        self.wait: timing.Wait = timing.NOTHING
        self.since = time()
        self._guests = guests
        self._time = time
        self._key: tuple[Any, ...] = ()
        self._used: dict[tuple[Any, ...], float] = {}  # of the time for what was asked before in the same window
        self._clockless = False
        self._stirred: set[int] = set()  # people who have said or asked something in this window
        self._foreseen: tuple[Game, timing.Wait] | None = None  # whom a game that was tried out waits for

    # -- when ---------------------------------------------------------------------------------------------------

    def running(self) -> bool:
        """They stand still unless one of the table's people is there; where all are bots, unless somebody watches."""
        if any(g.seat >= 0 for g in self._guests):
            return True
        return bool(self._guests) and not any(c.who == PERSON for c in self.table.chairs)

    def foresee(self, g: Game | None) -> None:
        """This game is about to be the table's: whom it waits for is found out before anybody sees it."""
        if g is not None:
            self._foreseen = (g, timing.waiting(g))

    def turn(self) -> float | None:
        """After a change: whom do we wait for, since when? The share of a bot's pace that begins now, if any does."""
        t = self.table
        w = self._waiting(t.game) if t.game is not None and t.status == PLAYING else timing.NOTHING
        self._clockless = timing.clockless(t)
        key = (t.games, t.window, w.kind, w.seats[:1] if w.kind == "decision" else (), self._clockless)
        same, self.wait = w == self.wait, w
        if key != self._key:
            self._begin(key)
            self._stirred.clear()
            return 1.0
        return None if same else pace.QUICK_PASS

    def _begin(self, key: tuple[Any, ...]) -> None:
        """Something else is asked. What was asked in this window before, and put off, has only the rest of its time."""
        now = self._time()
        if key[:2] == self._key[:2]:
            self._used[self._key] = now - self.since
        else:
            self._used.clear()
        self._key, self.since = key, now - self._used.get(key, 0.0)

    def _waiting(self, g: Game) -> timing.Wait:
        """As it was found out before it came to be."""
        foreseen = self._foreseen
        return foreseen[1] if foreseen is not None and foreseen[0] is g else timing.waiting(g)

    def stir(self, seat: int) -> bool:
        """Somebody is there, and is not passed for before this window is over. True if that makes a difference."""
        if seat not in self.wait.seats or seat in self._stirred:
            return False
        waits = self._passes_after(seat)
        self._stirred.add(seat)
        return waits != self._passes_after(seat)

    def dues(self) -> list[float]:
        """When somebody's time is up, or somebody is passed for."""
        out = [self.since + self._total(s) for s in self.wait.seats if not played_by_bot(self.table.chairs[s])]
        passes = [self._passes_after(s) for s in self.wait.seats]
        out += [self.since + after for after in passes if after is not None]
        return [at for at in out if at < math.inf]

    def _total(self, seat: int) -> float:
        """How long this seat has, counted from the last change; without a clock, only who wants to be passed for."""
        o, t = self.table.options, self.table
        decides = self.wait.kind == "decision" or (t.game is not None and timing.patient(t.game, seat))
        if self._clockless and (decides or t.chairs[seat].auto == "off"):
            return math.inf
        return o.decision if decides else o.window

    def _passes_after(self, s: int) -> float | None:
        """When the table passes for this seat, in seconds of the window; None: not before it is over."""
        t, g = self.table, self.table.game
        if g is None or self.wait.kind != "window" or t.chairs[s].auto == "off":
            return None
        people = any(c.who == PERSON for i, c in enumerate(t.chairs) if i != s)
        watched = people or any(guest.seat != s for guest in self._guests)
        return pace.auto_pass(g, t.chairs[s], s, s in self._stirred, watched)

    # -- what is seen of them -----------------------------------------------------------------------------------

    def all(self) -> ClockOf:
        """The clock of each viewer; whom nobody waits for sees what a spectator sees."""
        seats, common = self.wait.seats, self.of(WATCHER)
        return lambda viewer: self.of(viewer) if viewer in seats else common

    def of(self, viewer: int) -> pr.Clock:
        """The clock as this viewer sees it."""
        w = self.wait
        if w.kind == "none":
            return {**showing.NO_CLOCK, "window": self.table.window}
        seats = [s for s in w.seats if not played_by_bot(self.table.chairs[s])]
        total = 0.0
        if viewer in seats:
            total = self._total(viewer)
            total = min(total, self._passes_after(viewer) or total)
        else:
            for s in seats:
                total = max(total, self._total(s))
        if total == math.inf or not self.running():
            total = left = 0.0
        else:
            left = max(0.0, self.since + total - self._time())
        return {
            "kind": w.kind,
            "seats": list(w.seats),
            "left": int(left * 1000),
            "total": int(total * 1000),
            "window": self.table.window,
        }

    # -- what is done -------------------------------------------------------------------------------------------

    def due(self, moment: float) -> list[en.Entries]:
        """What happens by itself because of somebody who says nothing."""
        return self._all_dozing() or self._seat_due(moment)

    def _all_dozing(self) -> list[en.Entries]:
        """Nobody is left to vote: bots play for all who sleep, until they say something."""
        people = [s for s, c in enumerate(self.table.chairs) if c.who == PERSON and not c.standin]
        if not people or not all(self.table.chairs[s].dozing for s in people):
            return []
        return [en.StandIn(s, True, ", who does not answer") for s in people]

    def _seat_due(self, moment: float) -> list[en.Entries]:
        """Time is up, or the seat wants to be passed for."""
        g = self.table.game
        assert g is not None
        for s in self.wait.seats:
            if played_by_bot(self.table.chairs[s]):
                continue
            after = self._passes_after(s)
            if after is not None and moment >= self.since + after:
                return [deciding.prepare(self.table, g, s, [(mv.PASS, -1, -1, -1)], "auto")]
            if moment >= self.since + self._total(s):
                move = timing.default(g, s)
                if move is None:  # the time of a seat that can do nothing would be up again and again, without a pause
                    raise AssertionError(f"the table waits for seat {s}, which can do nothing")
                return [deciding.prepare(self.table, g, s, [move.deed], self._in_whose_name(s))]
        return []

    def _in_whose_name(self, s: int) -> str:
        """Who wants to be passed for is not late; whether he had something to play makes no difference to it."""
        wanted = self.wait.kind == "window" and self.table.chairs[s].auto != "off"
        return "auto" if wanted else "clock"
