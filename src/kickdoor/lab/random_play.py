"""Playing at random: what somebody who knows the rules and nothing else would do. For tests and measurements."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from kickdoor.bots import Table, make
from kickdoor.bots.driver import ask
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import notation
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move

MEDDLE: Final = 0.05  # how often a seat acts that is only allowed to
CHANCE: Final = 10_000  # moves at random; then greedy players take over

# Uniform play would dress and undress all day. Verbs that lead nowhere come up less often.
_WEIGHT: Final[dict[int, float]] = {
    mv.EQUIP: 0.3,
    mv.UNEQUIP: 0.01,
    mv.DISCARD: 0.01,
    mv.TRADE: 0.05,
    mv.SHOW_HAND: 0.02,
    mv.SELL: 1.5,
    mv.OFFER_HELP: 0.2,
    mv.ACCEPT: 4.0,
    mv.CANCEL: 0.1,
    mv.WITHDRAW: 0.1,
    mv.COUNTER: 0.1,
    mv.USE: 0.2,
}


def pick(rng: random.Random, moves: list[Move]) -> Move:
    """A verb first, then one of its moves: so that fifteen trades do not drown one kick."""
    if len(moves) == 1:
        return moves[0]
    verbs = list(dict.fromkeys(m.verb for m in moves))
    verb = rng.choices(verbs, [_WEIGHT.get(v, 1.0) for v in verbs])[0]
    return rng.choice([m for m in moves if m.verb == verb])


def choose(g: Game, rng: random.Random, meddle: float = MEDDLE) -> Move:
    """What happens next: mostly somebody awaited moves, now and then somebody who is only allowed to."""
    waited = to_act(g)
    assert waited, f"nobody is awaited: {g.stack[-1]!r}"
    if rng.random() < meddle:
        seat = rng.randrange(len(g.players))
        moves = legal(g, seat)
        if moves:
            return pick(rng, moves)
    seat = rng.choice(waited)
    moves = legal(g, seat)
    assert moves, f"seat {seat} is awaited and has no legal move: {g.stack[-1]!r}"
    return pick(rng, moves)


class Players:
    """Chance for so many moves, then players who want to win: chance alone may wander for ever through a thin deck."""

    def __init__(self, g: Game, rng: random.Random, seed: int, chance: int = CHANCE) -> None:
        self.table = Table(g)
        self.rng = rng
        self.left = chance
        self.bots = [make("greedy", seed + s) for s in range(len(g.players))]

    def move(self) -> Move:
        """What is done next; whoever asks carries it out with `self.table.apply`."""
        self.left -= 1
        return choose(self.table.game, self.rng) if self.left >= 0 else self._wanted()

    def _wanted(self) -> Move:
        while (turn := self.table.next()) is not None:
            choice = ask(self.table, self.bots, *turn)
            if choice is not None:
                return choice.move
        raise AssertionError("nobody can move, and nobody has won")


def said(g: Game, move: Move) -> str:
    """A move in words, for a failure report."""
    return notation.text(g, move)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give up on a move that never comes back. The time is the processor's: a busy machine is no reason to fail."""

    def ring(_signum: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"still not done after {seconds} s")

    old = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old)
