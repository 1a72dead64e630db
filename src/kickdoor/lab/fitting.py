"""Fits the weights of `bots.evaluation` to games between bots, and says how well they foretell who wins.

    python -m kickdoor.lab.fitting -n 2000

At the beginning of every turn each player is a row of figures; one of the four will win. The weights are those under
which what really happened was likeliest (a conditional logit, by Newton's method, with a little shrinking).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

from kickdoor.bots import Table, make
from kickdoor.bots.driver import ask
from kickdoor.bots.evaluation import WEIGHTS, features
from kickdoor.engine.setup import new_game
from kickdoor.lab.extras import need

SEATS: Final = 4
HELD_BACK: Final = 0.2  # of the games, to see what the weights are worth
SHRINK: Final = 1.0

Rows = list[tuple[list[list[float]], int]]  # what counts about each player, and who won


def watch(seed: int, kind: str) -> Rows:
    """One game, looked at when turns begin."""
    g = new_game([f"{kind} {i}" for i in range(SEATS)], seed=seed)
    g.events = None
    bots = [make(kind, seed * 7 + s) for s in range(SEATS)]
    table = Table(g, bots)
    seen: list[list[list[float]]] = []
    turns = -1
    while (turn := table.next()) is not None:
        if g.turns != turns:
            turns = g.turns
            seen.append([features(g, s) for s in range(SEATS)])
        choice = ask(table, bots, *turn)
        if choice is not None:
            table.apply(choice.move, trusted=True)
    return [(rows, g.winners[0]) for rows in seen]


def _some(args: tuple[range, str]) -> list[Rows]:
    return [watch(seed, args[1]) for seed in args[0]]


def gather(games: int, kind: str, first: int = 1) -> list[Rows]:
    """Many games, on all cores, with progress."""
    size = 20
    jobs = [(range(first + i, first + min(i + size, games)), kind) for i in range(0, games, size)]
    out: list[Rows] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(_some, jobs):
            out += part
            print(f"\r{len(out)} of {games} games  ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return out


def fit(np: Any, x: Any, won: Any, rounds: int = 30) -> Any:
    """The likeliest weights; `x` is positions by players by figures, `won` says who did."""
    n, _, k = x.shape
    w = np.zeros(k)
    for _ in range(rounds):
        p = chance(np, x, w)
        mean = (p[..., None] * x).sum(1)
        slope = (x[np.arange(n), won] - mean).sum(0) - SHRINK * w
        spread = np.einsum("npi,npj,np->ij", x, x, p) - mean.T @ mean + SHRINK * np.eye(k)
        step = np.linalg.solve(spread, slope)
        w = w + step
        if np.abs(step).max() < 1e-7:
            break
    return w


def chance(np: Any, x: Any, w: Any) -> Any:
    z = x @ w
    z = np.exp(z - z.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.fitting", description=__doc__)
    parser.add_argument("-n", type=int, default=2000, help="games (2000)")
    parser.add_argument("--bots", default="schemer", help="who plays them (schemer)")
    args = parser.parse_args(argv)
    np = need("numpy", "lab")
    games = gather(args.n, args.bots)
    cut = int(len(games) * (1 - HELD_BACK))
    parts = [[row for g in some for row in g] for some in (games[:cut], games[cut:])]
    (x, won), (x2, won2) = ((np.array([r for r, _ in p]), np.array([w for _, w in p])) for p in parts)
    w = fit(np, x, won)
    surprise = -np.log(chance(np, x2, w)[np.arange(len(won2)), won2]).mean()
    print(f"{len(won):,} positions; surprise {surprise:.4f} on {len(won2):,} held back (a guess: {np.log(SEATS):.4f})")
    for name, value in zip(WEIGHTS, w, strict=True):
        print(f'    "{name}": {value:.3f},')
    return 0


if __name__ == "__main__":
    sys.exit(main())
