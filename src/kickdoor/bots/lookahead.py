"""Bots that try things out: in worlds that could be the one they sit in, against players who scheme as they would.

For a decision that matters such a bot lists what could be done, deals out everything it cannot see, makes each move in
each such world, lets schemers play on to the end of the turn, and judges where that leads (`trials.py`). What a schemer
would do is done unless something else is clearly better.

How much it tries is work, not time: a busy machine makes it slower and not weaker. The clock is a brake for when
something is very wrong, unless a budget in milliseconds is asked for.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Final

from kickdoor.bots import turning
from kickdoor.bots.schemer import SchemerBot
from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.trials import AHEAD, Clock, Effort, SecondLook, Trials, trial
from kickdoor.bots.values import worth
from kickdoor.bots.worlds import imagine
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move

LOOKAHEAD: Final = Effort(worlds=40, trials=320, widest=9, sure=1.25, worth=0.002, far=0, broad=False)
MASTER: Final = Effort(worlds=120, trials=600, widest=30, sure=1.0, worth=0.001, far=32, broad=True)
USUAL_MS: Final = {"lookahead": 500, "master": 1000}  # what a decision takes at most, compiled, on a core of its own
BRAKE_MS: Final = 8000  # a decision that takes longer ends with what has been found so far
IDLE: Final = frozenset({mv.SHOW_HAND, mv.WITHDRAW, mv.TRADE, mv.DISCARD, mv.CANCEL})
CLOTHES: Final = frozenset({mv.EQUIP, mv.UNEQUIP, mv.SELL})
ONCE: Final = frozenset({*CLOTHES, mv.ADD})  # a turn; what the schemer in me puts back I would take off for ever
TALK: Final = frozenset({mv.ASK_HELP, mv.OFFER_HELP, mv.COUNTER})


class LookaheadBot:
    """The same seat, seed and effort give the same move; with a budget in milliseconds, nearly always."""

    def __init__(
        self, seed: int = 0, name: str = "lookahead", effort: Effort = LOOKAHEAD, budget: int = 0, rounds: int = 0
    ) -> None:
        self.seed = seed
        self.name = name
        if rounds:
            effort = effort._replace(worlds=rounds, trials=rounds * effort.widest, far=min(rounds, effort.far))
        self.effort = effort
        self.budget = budget or BRAKE_MS
        self.guide = SchemerBot(seed)

    def idle(self, seat: Seat) -> bool:
        """A schemer's reasons to look up, somebody's fight if there are cards, and any moment for a card to throw."""
        if (seat.fighting and seat.frame == "combat") or not self.guide.idle(seat):
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
                results[i] = trial(world, seat, options[i])[0]
                clock.lap()
            else:  # a world that was not finished says nothing
                trials.add(results)
        close = trials.close() if self.effort.far else []
        if not close:
            return options[trials.best()]
        look = SecondLook(trials, close)
        for _ in range(look.affordable):
            world = imagine(veil, seat.seat, rng)
            both = []
            for i in close:
                if clock.up():
                    return options[look.best()]
                both.append(trial(world, seat, options[i], AHEAD))
                clock.lap()
            look.add(both)
        return options[look.best()]


def candidates(seat: Seat, base: Move, effort: Effort) -> list[Move]:
    """What is worth trying: the schemer's move first, then the rest that could matter."""
    if seat.frame == "creation":
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


def _sensible(seat: Seat, m: Move, broad: bool) -> bool:
    """Leave out what nobody would try, and what was said before: two who think would haggle for ever."""
    if m.verb in TALK and any(x.verb == m.verb and x.target == m.target for x in seat.mine):
        return False
    if m.verb in CLOTHES and seat.frame == "combat" and not seat.fighting:
        return False  # it changes nothing there, but everybody is asked again: what they hold in a world, not in truth
    if not broad and m.verb in CLOTHES:
        return False
    if m.verb == mv.PLAY and m.card in seat.hand:
        return _well_aimed(seat, m)
    return not (m.verb in ONCE and m in seat.mine) and not (m.verb == mv.ADD and mv.names_picks(m.extra))


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
