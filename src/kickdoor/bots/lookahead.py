"""Bots that try things out: in worlds that could be the one they sit in, against players who scheme as they would.

For a decision that matters such a bot lists what could be done, deals out everything it cannot see, makes each move in
each such world, lets schemers play on to the end of the turn, and judges where that leads. What a schemer would do is
done unless something else is clearly better.

How much it tries is work, not time (`Effort`): a busy machine makes it slower and not weaker. The clock is a brake for
when something is very wrong, unless a budget in milliseconds is asked for.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from kickdoor.bots import turning
from kickdoor.bots.driver import Table, ask
from kickdoor.bots.evaluation import chances
from kickdoor.bots.schemer import SchemerBot
from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.values import worth
from kickdoor.bots.worlds import imagine
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move


class Effort(NamedTuple):
    """How hard a bot tries."""

    worlds: int  # at most; what is settled earlier is settled
    trials: int  # of a move in a world, at most: what the whole decision may cost
    widest: int  # moves that are tried
    sure: float  # standard errors by which another move must be better than the schemer's
    worth: float  # and the chance to win that it must be worth at least
    broad: bool  # also what a schemer does without a second thought: selling, dressing, giving, harming who is behind


LOOKAHEAD: Final = Effort(worlds=40, trials=320, widest=9, sure=1.25, worth=0.002, broad=False)
MASTER: Final = Effort(worlds=120, trials=1200, widest=30, sure=1.0, worth=0.001, broad=True)
USUAL_MS: Final = {"lookahead": 500, "master": 1000}  # what a decision takes at most, compiled, on a core of its own
BRAKE_MS: Final = 8000  # a decision that takes longer ends with what has been found so far
SHARE: Final = 0.9  # of the time that is spent on trying
FIRST: Final = 6  # worlds before anything is given up
FEWEST: Final = 4  # worlds that say anything at all
NARROWING: Final = {4: 14, 8: 9, 16: 6, 32: 4}  # after so many worlds only so many moves go on, the best so far
LEAST: Final = 0.004  # by how much results differ at least, whatever a few of them say
SETTLED: Final = 0.0015  # standard errors below which more worlds would say no more
LONGEST: Final = 400  # moves of one trial
IDLE: Final = frozenset({mv.SHOW_HAND, mv.WITHDRAW, mv.TRADE, mv.DISCARD, mv.CANCEL})
CLOTHES: Final = frozenset({mv.EQUIP, mv.UNEQUIP, mv.SELL})
ONCE: Final = frozenset({*CLOTHES, mv.ADD})  # a turn; what the schemer in me puts back I would take off for ever
STAYING: Final = frozenset({"item", "trait", "multi", "companion", "attach", "lay"})
TALK: Final = frozenset({mv.ASK_HELP, mv.OFFER_HELP, mv.COUNTER})
PLAIN: Final = frozenset({mv.SELL, mv.EQUIP, mv.UNEQUIP, mv.KICK, mv.END_TURN, mv.TRADE})


class LookaheadBot:
    """The same seat, seed and effort give the same move; with a budget in milliseconds, nearly always."""

    def __init__(
        self, seed: int = 0, name: str = "lookahead", effort: Effort = LOOKAHEAD, budget: int = 0, rounds: int = 0
    ) -> None:
        self.seed = seed
        self.name = name
        self.effort = effort._replace(worlds=rounds, trials=rounds * effort.widest) if rounds else effort
        self.budget = budget or BRAKE_MS
        self.guide = SchemerBot(seed)

    def idle(self, seat: Seat) -> bool:
        """A schemer's reasons to look up, somebody's fight if there are cards, and any moment for a card to throw."""
        if not self.guide.idle(seat):
            return False
        if seat.hand and not seat.fighting and seat.frame == "combat" and seat.fray is not None:
            return False
        return len(interjections(seat, None, self.effort)) < 2

    def choose(self, seat: Seat) -> Choice:
        """What a schemer would do, unless something else turns out better."""
        base = self.guide.choose(seat)
        options = candidates(seat, base.move, self.effort)
        if len(options) < 2:
            return base
        best = self.search(seat, options)
        return base if best == base.move or best is None else Choice(best, reason(seat, best))

    def interject(self, seat: Seat) -> Choice | None:
        """Out of turn: what a schemer would say, or one of the things that hurt, or nothing."""
        base = self.guide.interject(seat)
        if seat.asked_for_an_answer:
            return self.choose(seat) if base is not None else None
        options = interjections(seat, base.move if base is not None else None, self.effort)
        if len(options) < 2:
            return base
        best = self.search(seat, options[: self.effort.widest])
        if best is None:
            return None
        return base if base is not None and best == base.move else Choice(best, reason(seat, best))

    def search(self, seat: Seat, options: Sequence[Move | None]) -> Move | None:
        """The best of these; the first is the one to beat."""
        clock = Clock(self.budget)
        rng = seat.chance(self.seed)
        veil = seat.imagine()
        trials = Trials(len(options), self.effort)
        while not trials.settled() and not clock.up():
            world = imagine(veil, seat.seat, rng)
            results = [math.nan] * len(options)
            for i in trials.alive:
                if clock.up():
                    break
                results[i] = trial(world, seat, options[i])
                clock.lap()
            else:  # a world that was not finished says nothing
                trials.add(results)
        return options[trials.best()]


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
            rest = sorted(self.alive[1:], key=lambda i: (-self._mean(i), i))
            self.alive = [0, *sorted(rest[: most - 1])]

    def _mean(self, i: int) -> float:
        return sum(self.gains[i]) / len(self.gains[i]) if self.gains[i] else 0.0

    def _error(self, i: int) -> float:
        gains = self.gains[i]
        if len(gains) < 2:
            return 1.0
        mean = self._mean(i)
        spread = sum((x - mean) ** 2 for x in gains) / (len(gains) - 1)
        return math.sqrt((spread + LEAST * LEAST) / len(gains))

    def _low(self, i: int) -> float:
        return self._mean(i) - self.effort.sure * self._error(i)

    def _high(self, i: int) -> float:
        return self._mean(i) + self.effort.sure * self._error(i)

    def settled(self) -> bool:
        """Is there nothing left to compare?"""
        if len(self.alive) < 2 or self.worlds >= self.effort.worlds or self.tried >= self.effort.trials:
            return True
        return self.worlds >= 3 * FIRST and all(self._error(i) < SETTLED for i in self.alive)

    def best(self) -> int:
        """The option that is surely better than the first by most, or the first."""
        if len(self.gains[0]) < FEWEST:
            return 0
        sure = [i for i in self.alive if i and self._low(i) > 0.0 and self._mean(i) > self.effort.worth]
        return max(sure, key=lambda i: (self._mean(i), -i)) if sure else 0


def trial(world: Game, seat: Seat, move: Move | None) -> float:
    """Make the move in that world, let schemers play on, and see how I stand."""
    g = world.clone()
    bots = [SchemerBot(s) for s in range(len(g.players))]
    table = resumed(g, bots, seat)
    now = g.turns  # further turns add more chance than they tell (docs/performance.md)
    try:
        if move is not None:
            table.apply(move, trusted=True)
        for _ in range(LONGEST):
            if g.turns > now:
                break
            turn = table.next()
            if turn is None:
                break
            choice = ask(table, bots, *turn)
            if choice is not None:
                table.apply(choice.move, trusted=True)
    except (
        LookupError,
        ArithmeticError,
        AssertionError,
        ValueError,
        RuntimeError,
        StopIteration,
        AttributeError,
        TypeError,
    ):
        return math.nan  # a world that does not hold together: something hidden was half-way through
    return chances(g)[seat.seat]


def resumed(g: Game, bots: Sequence[SchemerBot], seat: Seat) -> Table:
    """The table as it goes on from the moment in which `seat` decides. Who held back in it is not asked again: else
    idle moves would look good because rivals throw at each other, in a trial, what they did not throw at the table."""
    table = Table(g, bots)
    table.count, table.recent, table.turn = seat.number, list(seat.mine), g.turns
    table.hush()
    return table


def candidates(seat: Seat, base: Move, effort: Effort) -> list[Move]:
    """What is worth trying: the schemer's move first, then the rest that could matter."""
    frame = seat.frame
    if frame == "creation" or (not effort.broad and _plain(seat, base)):
        return [base]
    rest = [m for m in seat.moves if m != base and m.verb not in IDLE and _sensible(seat, m, effort.broad)]
    if len(rest) >= effort.widest:
        random.Random(len(rest)).shuffle(rest)
        rest.sort(key=lambda m: _interest(seat, m))
    return [base, *rest[: effort.widest - 1]]


def interjections(seat: Seat, base: Move | None, effort: Effort) -> list[Move | None]:
    """The same for who is not awaited: what a schemer would say first, then what hurts, and nothing."""
    rest = [m for m in seat.moves if m.verb == mv.PLAY and m != base and _aimed(seat, m, effort.broad)]
    return [base, *rest, *((None,) if base is not None else ())]


def _plain(seat: Seat, base: Move) -> bool:
    """Is this what a schemer does without a second thought?"""
    frame = seat.frame
    if base.verb in PLAIN or (frame == "draft" and seat.query.about != "help"):
        return True
    mine = frame == "turn" and seat.turn == seat.seat
    return mine and not any(m.verb in (mv.TROUBLE, mv.LOOT) for m in seat.moves)


def _sensible(seat: Seat, m: Move, broad: bool) -> bool:
    """Leave out what nobody would try, and what was said before: two who think would haggle for ever."""
    if m.verb in TALK and any(x.verb == m.verb and x.target == m.target for x in seat.mine):
        return False
    if not broad and (m.verb in CLOTHES or (m.verb == mv.ADD and m.card >= 0) or _arming(seat, m)):
        return False
    if m.verb == mv.PLAY and m.card in seat.hand:
        return _well_aimed(seat, m)
    return not (m.verb in ONCE and m in seat.mine) and not (m.verb == mv.ADD and mv.names_picks(m.extra))


def _arming(seat: Seat, m: Move) -> bool:
    """Does this lay something down from the hand that is to stay?"""
    mode = seat.mode(m) if m.verb == mv.PLAY and m.card in seat.hand else None
    return mode is not None and mode.op in STAYING


def _well_aimed(seat: Seat, m: Move) -> bool:
    """No gifts, no Curse on myself or on who is far behind, no potion for somebody else's side."""
    s = mv.seat_of(m.target)
    d = seat.defs[m.card]
    if d.kind == "go_up_a_level":
        return s == seat.seat
    if d.is_curse and s >= 0:
        return s != seat.seat and seat.level(s) >= seat.level(seat.seat) - 2
    return m.target != mv.MUNCHKINS or seat.fighting


def _interest(seat: Seat, m: Move) -> tuple[int, float]:
    """What to try first where there is much."""
    first = {mv.PASS: 0, mv.TROUBLE: 1, mv.LOOT: 1, mv.ACCEPT: 1, mv.DECLINE: 1, mv.RUN: 1, mv.PLAY: 2, mv.ASK_HELP: 2}
    return first.get(m.verb, 3), worth(seat, m.card) if m.card >= 0 else 0.0


def _aimed(seat: Seat, m: Move, anybody: bool) -> bool:
    """Is this a card that hurts somebody who is ahead, or anybody?"""
    s = mv.seat_of(m.target)
    if s < 0 or s == seat.seat or not turning.hostile(seat, m):
        return False
    return anybody or seat.level(s) >= seat.level(seat.seat) or seat.level(s) >= seat.goal_of(s) - 3


def reason(seat: Seat, m: Move) -> str:
    """Why, in a sentence."""
    if m.verb == mv.PASS:
        return "I have thought about it, and I had better wait."
    if m.card >= 0 and m.verb in (mv.PLAY, mv.USE, mv.TROUBLE):
        return f"I have thought it through: {seat.defs[m.card].name} does the most for me."
    return "I have thought it through, and this leads further."
