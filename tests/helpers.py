"""Random games for the tests: who sits down, what is played, and how a failure is seen again.

    python tests/helpers.py classic 4 17

plays game 17 of the mix `classic` with four players, checking everything after every move, and prints the last
moves before whatever goes wrong.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

import kickdoor
from kickdoor.engine import invariants
from kickdoor.engine.setup import rules_for
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.ruleset import Ruleset, ruleset
from kickdoor.lab.random_play import Players, said, within
from kickdoor.lab.random_play import choose as choose

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eli", "Fay")
BOUND: Final = 50_000  # moves; such games end after a few thousand
CHANCE: Final = 2_500  # of them at random
SECONDS: Final = 60  # one game; a move that never returns is a failure too

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
    "magical_mess": Mix(("magical_mess", "classic"), rules_for(("magical_mess", "classic"))),
    "shakespeare": Mix(("shakespeare", "classic"), rules_for(("shakespeare", "classic"))),
    "bites": Mix(("bites", "classic"), rules_for(("bites", "classic"))),
    "west": Mix(("good_bad", "classic", "need_for_steed"), rules_for(("good_bad", "classic", "need_for_steed"))),
    "faster_play": Mix(("classic",), ruleset("classic", faster_play=True)),
    "shared_victory": Mix(_THREE, ruleset("classic", faster_play=True, shared_victory=True)),
}


def start(mix: str, seats: int, seed: int) -> Game:
    """The table of a random game."""
    packs, rules = MIXES[mix]
    sexes = ["male" if (seed >> s) & 1 else "female" for s in range(seats)]
    return kickdoor.new_game(NAMES[:seats], packs=packs, seed=seed, rules=rules, sexes=sexes)


class GameFailed(AssertionError):
    """A random game went wrong; the message says how to see it again."""


Look = Callable[[Game, Move, random.Random], None]


def play(mix: str, seats: int, seed: int, before: Look | None = None, bound: int = BOUND) -> Game:
    """A random game with the invariants on, brought to its end by players who want to win.

    `before` is called ahead of every move, with dice of its own.
    """
    rng, other = random.Random(seed), random.Random(~seed)
    last: deque[str] = deque(maxlen=12)
    count = 0
    try:
        with within(SECONDS):
            g = start(mix, seats, seed)
            invariants.check(g)
            players = Players(g, rng, seed, CHANCE)
            while not g.over:
                assert count < bound, f"no end after {bound} moves, turn {g.turns}"
                move = players.move()
                if before is not None:
                    before(g, move, other)
                last.append(f"{count}: {said(g, move)}   [{type(g.stack[-1]).__name__}]")
                players.table.apply(move)
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
