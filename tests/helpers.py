"""Random games for the tests: who sits down, what is played, and how a failure is seen again.

    python tests/helpers.py classic 4 17

plays game 17 of the mix `classic` with four players, checking everything after every move, and prints the last
moves before whatever goes wrong.
"""

from __future__ import annotations

import random
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NamedTuple

import kickdoor
from kickdoor.engine import invariants
from kickdoor.engine import moves as mv
from kickdoor.engine.game import Game
from kickdoor.engine.moves import VERB_NAMES, Move
from kickdoor.engine.ruleset import Ruleset, ruleset

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eli", "Fay")
BOUND: Final = 50_000  # moves; such games end after a few thousand
SECONDS: Final = 60  # one game; a move that never returns is a failure too
MEDDLE: Final = 0.05  # how often a seat acts that is only allowed to

_THREE: Final = ("classic", "unnatural_axe", "clerical_errors")


class Mix(NamedTuple):
    """Packs and rules that are played together."""

    packs: tuple[str, ...]
    rules: Ruleset


MIXES: Final[dict[str, Mix]] = {
    "classic": Mix(("classic",), ruleset("classic")),
    "three_packs": Mix(_THREE, ruleset("classic")),
    "shakespeare_rules": Mix(("classic",), ruleset("shakespeare")),
    "three_packs_shakespeare": Mix(_THREE, ruleset("shakespeare")),
    "faster_play": Mix(("classic",), ruleset("classic", faster_play=True)),
    "shared_victory": Mix(_THREE, ruleset("classic", faster_play=True, shared_victory=True)),
}

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


def start(mix: str, seats: int, seed: int) -> Game:
    """The table of a random game."""
    packs, rules = MIXES[mix]
    sexes = ["male" if (seed >> s) & 1 else "female" for s in range(seats)]
    return kickdoor.new_game(NAMES[:seats], packs=packs, seed=seed, rules=rules, sexes=sexes)


def pick(rng: random.Random, moves: list[Move]) -> Move:
    """A verb first, then one of its moves: so that fifteen trades do not drown one kick."""
    if len(moves) == 1:
        return moves[0]
    verbs = list(dict.fromkeys(m.verb for m in moves))
    verb = rng.choices(verbs, [_WEIGHT.get(v, 1.0) for v in verbs])[0]
    return rng.choice([m for m in moves if m.verb == verb])


def choose(g: Game, rng: random.Random, meddle: float = MEDDLE) -> Move:
    """What happens next: mostly the first one awaited moves, now and then somebody who is only allowed to."""
    waited = kickdoor.to_act(g)
    assert waited, f"nobody is awaited: {g.stack[-1]!r}"
    if rng.random() < meddle:
        seat = rng.randrange(len(g.players))
        moves = kickdoor.legal(g, seat)
        if moves:
            return pick(rng, moves)
    seat = rng.choice(waited)
    moves = kickdoor.legal(g, seat)
    assert moves, f"seat {seat} is awaited and has no legal move: {g.stack[-1]!r}"
    return pick(rng, moves)


def said(g: Game, move: Move) -> str:
    """A move in words, for a failure report."""
    name = g.lib.defs[move.card].name if 0 <= move.card < len(g.lib.defs) else str(move.card)
    return f"{g.players[move.seat].name} {VERB_NAMES[move.verb]} {name} target={move.target} extra={move.extra}"


class GameFailed(AssertionError):
    """A random game went wrong; the message says how to see it again."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give up on a move that never comes back."""

    def ring(_signum: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"still not done after {seconds} s")

    old = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


Look = Callable[[Game, Move, random.Random], None]


def play(mix: str, seats: int, seed: int, before: Look | None = None, bound: int = BOUND) -> Game:
    """A whole random game with the invariants on; `before` is called ahead of every move, with dice of its own."""
    rng, other = random.Random(seed), random.Random(~seed)
    last: deque[str] = deque(maxlen=12)
    count = 0
    try:
        with within(SECONDS):
            g = start(mix, seats, seed)
            invariants.check(g)
            while not g.over:
                assert count < bound, f"no end after {bound} moves, turn {g.turns}"
                move = choose(g, rng)
                if before is not None:
                    before(g, move, other)
                last.append(f"{count}: {said(g, move)}   [{type(g.stack[-1]).__name__}]")
                kickdoor.apply(g, move)
                count += 1
                invariants.check(g)
    except Exception as e:
        lines = "\n  ".join(last)
        raise GameFailed(
            f"{type(e).__name__}: {e}\nat move {count} of: python tests/helpers.py {mix} {seats} {seed}\n  {lines}"
        ) from e
    return g


def main() -> None:
    mix, seats, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    g = play(mix, seats, seed)
    print(f"over in turn {g.turns}: {', '.join(g.players[s].name for s in g.winners)} won")


if __name__ == "__main__":
    main()
