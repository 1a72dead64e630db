"""Moves tried out: in imagined worlds, by schemers who play on, to the end of the turn and, where moves are close, of
the round. What comes of each move is always seen next to the first one in the same world.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from kickdoor.bots.driver import Stuck, Table, ask
from kickdoor.bots.evaluation import chances
from kickdoor.bots.schemer import SchemerBot
from kickdoor.bots.seat import Seat
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move

SHARE: Final = 0.9  # of the time that is spent on trying
FIRST: Final = 6  # worlds before anything is given up
FEWEST: Final = 4  # worlds that say anything at all
NARROWING: Final = {4: 14, 8: 9, 16: 6, 32: 4}  # after so many worlds only so many moves go on, the best so far
LEAST: Final = 0.004  # by how much results differ at least, whatever a few of them say
SETTLED: Final = 0.0015  # standard errors below which more worlds would say no more
LONGEST: Final = 400  # moves of a turn in a trial
AHEAD: Final = 5  # turns of a second look: a round, and one more
FEW: Final = 2  # moves beside the first that are looked at again
BELOW: Final = -0.002  # a best move that is worse than that is not worth a second look
CLEAR: Final = 0.015  # and one that is better than all others by that needs none,
ALIKE: Final = 0.0005  # nor one of which nearly the same comes in all worlds
# How many worlds of a second look count as much as what the first one thought: turns that follow add much chance, and
# tell a little (docs/performance.md, "Strength").
DOUBT: Final = 37.0


class Effort(NamedTuple):
    """How hard a bot tries."""

    worlds: int  # at most; what is settled earlier is settled
    trials: int  # of a move in a world for a turn, at most: what the whole decision may cost
    widest: int  # moves that are tried
    sure: float  # standard errors by which another move must be better than the schemer's
    worth: float  # and the chance to win that it must be worth at least
    far: int  # worlds of a second look at what is close, to the end of a round, at most; 0: none
    broad: bool  # also what seldom comes to anything: dressing, selling, harming who is behind


class Clock:
    """Time to think: up when the next trial could take too long, going by the longest so far."""

    def __init__(self, budget: int) -> None:
        self.start = self.last = time.perf_counter()
        self.end = self.start + SHARE * budget / 1000
        self.longest = 0.0

    def lap(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self.last)
        self.last = now

    def up(self) -> bool:
        return time.perf_counter() + self.longest > self.end


class Trials:
    """What came of each option in each world, always next to the first one in the same world."""

    def __init__(self, n: int, effort: Effort) -> None:
        self.effort = effort
        self.alive = list(range(n))
        self.worlds = 0
        self.tried = 0
        self.gains: list[list[float]] = [[] for _ in range(n)]

    def add(self, results: Sequence[float]) -> None:
        """One more world. One in which nothing comes of the first says nothing; another that breaks it is given up."""
        self.worlds += 1
        self.tried += len(self.alive)
        if math.isnan(results[0]):
            return
        for i in self.alive:
            if math.isnan(results[i]):
                self.gains[i] = []
        self.alive = [i for i in self.alive if not math.isnan(results[i])]
        for i in self.alive:
            self.gains[i].append(results[i] - results[0])
        self._narrow(NARROWING.get(self.worlds, len(self.alive)))
        if self.worlds >= FIRST and self.worlds % 2 == 0:
            top = max(self.effort.worth, *(self._low(i) for i in self.alive))
            self.alive = [i for i in self.alive if i == 0 or self._high(i) >= top]

    def _narrow(self, most: int) -> None:
        """Let the best go on, and the first with them."""
        if len(self.alive) > most:
            rest = sorted(self.alive[1:], key=lambda i: (-self.mean(i), i))
            self.alive = [0, *sorted(rest[: most - 1])]

    def mean(self, i: int) -> float:
        """How much better than the first it was."""
        return sum(self.gains[i]) / len(self.gains[i]) if self.gains[i] else 0.0

    def _error(self, i: int) -> float:
        n = len(self.gains[i])
        return math.sqrt((self._spread(i) + LEAST * LEAST) / n) if n > 1 else 1.0

    def _spread(self, i: int) -> float:
        """How far the worlds are apart, squared."""
        gains = self.gains[i]
        mean = self.mean(i)
        return sum((x - mean) ** 2 for x in gains) / max(1, len(gains) - 1)

    def _low(self, i: int) -> float:
        return self.mean(i) - self.effort.sure * self._error(i)

    def _high(self, i: int) -> float:
        return self.mean(i) + self.effort.sure * self._error(i)

    def settled(self) -> bool:
        """Is there nothing left to compare?"""
        if len(self.alive) < 2 or self.worlds >= self.effort.worlds or self.tried >= self.effort.trials:
            return True
        return self.worlds >= 3 * FIRST and all(self._error(i) < SETTLED for i in self.alive)

    def best(self) -> int:
        """The option that is surely better than the first by most, or the first."""
        if len(self.gains[0]) < FEWEST:
            return 0
        sure = [i for i in self.alive if i and self._low(i) > 0.0 and self.mean(i) > self.effort.worth]
        return max(sure, key=lambda i: (self.mean(i), -i)) if sure else 0

    def close(self) -> list[int]:
        """The few that a second look could tell apart, the first among them; none where it is clear what is best."""
        rest = [i for i in range(1, len(self.gains)) if len(self.gains[i]) >= FEWEST]
        rest.sort(key=lambda i: (-self.mean(i), i))
        if not rest or self.mean(rest[0]) < BELOW or self._spread(rest[0]) < ALIKE * ALIKE:
            return []
        second = self.mean(rest[1]) if len(rest) > 1 else 0.0
        if self.mean(rest[0]) - max(0.0, second) > CLEAR:
            return []
        return [0, *rest[:FEW]]


class SecondLook:
    """What becomes of a few moves in a round, as far as that differs from what the end of the turn said of them."""

    def __init__(self, trials: Trials, close: Sequence[int]) -> None:
        self.trials = trials
        self.close = close
        self.worlds = 0
        self.later = [0.0] * len(close)  # how much better each is later than at the end of the turn, over all worlds

    @property
    def affordable(self) -> int:
        """Worlds that there is work left for: a trial costs so many times as much as it has turns."""
        left = self.trials.effort.trials - self.trials.tried
        return max(0, min(self.trials.effort.far, left // (AHEAD * len(self.close))))

    def add(self, results: Sequence[tuple[float, float]]) -> None:
        """One more world: for each, the chance at the end of the turn and that later."""
        if any(math.isnan(late) for _, late in results):
            return
        self.worlds += 1
        near, late = results[0]
        for k, (n, f) in enumerate(results):
            self.trials.gains[self.close[k]].append(n - near)
            self.later[k] += (f - late) - (n - near)

    def best(self) -> int:
        """The first, unless another is better by what both looks say."""
        if not self.worlds:
            return self.trials.best()
        trust = self.worlds / (self.worlds + DOUBT)
        gains = [self.trials.mean(i) + trust * x / self.worlds for i, x in zip(self.close, self.later, strict=True)]
        best = max(range(len(gains)), key=lambda k: (gains[k], -k))
        return self.close[best] if gains[best] > self.trials.effort.worth else 0


def trial(world: Game, seat: Seat, move: Move | None, turns: int = 1) -> tuple[float, float]:
    """Make the move in that world, let schemers play on: how I stand at the end of this turn, and of so many."""
    g = world.clone()
    bots = [SchemerBot(s) for s in range(len(g.players))]
    table = resumed(g, bots, seat)
    now = g.turns
    try:
        if move is not None:
            table.apply(move, trusted=True)
        _play_on(table, bots, now + 1)
        near = chances(g)[seat.seat]
        for n in range(2, turns + 1):
            _play_on(table, bots, now + n)
    except (
        Stuck,
        LookupError,
        ArithmeticError,
        AssertionError,
        ValueError,
        RuntimeError,
        StopIteration,
        AttributeError,
        TypeError,
    ):
        return math.nan, math.nan  # a world that does not hold together: something hidden was half-way through
    return near, chances(g)[seat.seat] if turns > 1 else near


def _play_on(table: Table, bots: Sequence[SchemerBot], turn: int) -> None:
    """Until this turn of the game begins, or the game is over."""
    for _ in range(LONGEST):
        if table.game.turns >= turn:
            return
        asked = table.next()
        if asked is None:
            return
        choice = ask(table, bots, *asked)
        if choice is not None:
            table.apply(choice.move, trusted=True)


def resumed(g: Game, bots: Sequence[SchemerBot], seat: Seat) -> Table:
    """The table as it goes on from the moment in which `seat` decides. Who held back in it is not asked again: else
    idle moves would look good because rivals throw at each other, in a trial, what they did not throw at the table."""
    table = Table(g, bots)
    table.count, table.recent, table.turn = seat.number, list(seat.mine), g.turns
    table.hush()
    return table
