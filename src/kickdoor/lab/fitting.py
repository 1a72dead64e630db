"""Teaches the bots' judgement (`bots.evaluation`) from games between bots, and says how well it foretells who wins.

    python -m kickdoor.lab.fitting                          play, learn, and write the weights
    python -m kickdoor.lab.fitting -n 2500 --boxes 100 --dry      a few minutes, and no weights written

At the beginning of every other turn each player is a row of figures (`bots.features`); one of the four will win. The
network is the one of `bots.evaluation`, and it is fitted so that what really happened was likeliest. One game says
little about a position far from its end; what the network of the round before thought of the positions that followed
says more. So after the first time it learns from a mixture of the two (temporal differences, TD of LAMBDA).

In every other game the bots now and then do something they would not do. A judgement that has only seen what they do
thinks well of whatever they never try, and a bot that searches would believe it.

Games are kept in a folder, so that a run which was stopped goes on. The same games and seed give the same weights.

Classic's games 3,201 to 4,000 are never learned from: on those the surprise is measured, as it always was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from kickdoor.bots import Bot, Choice, Seat, Table, make
from kickdoor.bots.driver import Stuck, ask
from kickdoor.bots.evaluation import WEIGHTS
from kickdoor.bots.features import NAMES, figures
from kickdoor.bots.lookahead import MASTER, candidates, interjections
from kickdoor.engine.setup import new_game
from kickdoor.lab import command, crew
from kickdoor.lab.boxes import base_boxes
from kickdoor.lab.extras import need

SEATS: Final = 4
CLASSIC: Final = "classic"
HELD_BACK: Final = range(3201, 4001)  # games that nothing is learned from
EVERY: Final = 2  # turns; two in a row say nearly the same
PART: Final = 100  # games to a file
MOVES: Final = 20_000

STRAY: Final = 0.03  # of the decisions in every other game are something else than what the bot would do

WIDTH: Final = 32  # of the first layer
DEPTH: Final = 16  # of the second
BATCH: Final = 2048
RATE: Final = 0.004
DECAY: Final = 1e-4
STOP: Final = 0.1  # of the games learned from, which say when to stop
PATIENCE: Final = 4  # rounds without getting better
LAMBDA: Final = 0.7  # how much of what follows a position is taken from the end of its game


class Sample(NamedTuple):
    """Positions in the order of their games: figures by player, each player's share of the victory, and the game."""

    x: Any
    won: Any
    game: Any


# -- playing ------------------------------------------------------------------------------------------------------


class Straying:
    """A bot that now and then does something else that could be done: without that, nobody would learn what it is worth
    to do what such bots never do."""

    def __init__(self, bot: Bot, rate: float, seed: int) -> None:
        self.bot = bot
        self.name = bot.name
        self.rate = rate
        self.rng = random.Random(seed)

    def idle(self, seat: Seat) -> bool:
        return self.bot.idle(seat) and not (seat.fighting and seat.frame == "combat")

    def choose(self, seat: Seat) -> Choice:
        base = self.bot.choose(seat)
        if self.rng.random() >= self.rate:
            return base
        return Choice(self.rng.choice(candidates(seat, base.move, MASTER)))

    def interject(self, seat: Seat) -> Choice | None:
        base = self.bot.interject(seat)
        if self.rng.random() >= self.rate:
            return base
        if seat.asked_for_an_answer:
            return base and Choice(self.rng.choice(candidates(seat, base.move, MASTER)))
        move = self.rng.choice(interjections(seat, base.move if base is not None else None, MASTER))
        return None if move is None else Choice(move)


def seated(kind: str, seed: int, pack: str) -> list[Bot]:
    """Four of a kind; in every other game that is learned from they stray."""
    bots = [make(kind, seed * 7 + s) for s in range(SEATS)]
    if seed % 2 == 0 or (pack == CLASSIC and seed in HELD_BACK):
        return bots
    return [Straying(b, STRAY, seed * 7 + s) for s, b in enumerate(bots)]


def watch(seed: int, kind: str, pack: str) -> tuple[list[list[list[float]]], list[float]]:
    """One game, looked at when turns begin, and who won."""
    g = new_game([f"{kind} {i}" for i in range(SEATS)], packs=[pack], seed=seed)
    g.events = None
    bots = seated(kind, seed, pack)
    table = Table(g, bots)
    seen: list[list[list[float]]] = []
    turns = -1
    while (turn := table.next()) is not None:
        if g.turns != turns:
            turns = g.turns
            if (turns + seed) % EVERY == 0:
                seen.append(figures(g))
        choice = ask(table, bots, *turn)
        if choice is not None:
            table.apply(choice.move, trusted=True)
        if table.count > MOVES:
            raise Stuck(f"no winner of game {seed} after {MOVES} moves")
    return seen, [1 / len(g.winners) if s in g.winners else 0.0 for s in range(SEATS)]


def _part(job: tuple[int, str, str, Path]) -> Path:
    """Play the games of one part, unless its file is there."""
    first, kind, pack, path = job
    if path.exists():
        return path
    np = need("numpy", "lab")
    x, won, game = [], [], []
    for seed in range(first, first + PART):
        seen, shares = watch(seed, kind, pack)
        x += seen
        won += [shares] * len(seen)
        game += [seed] * len(seen)
    half = path.with_suffix(".half")
    with half.open("wb") as f:
        np.savez(f, x=np.array(x, np.float16), won=np.array(won, np.float16), game=np.array(game, np.int32))
    half.rename(path)
    return path


def gather(jobs: Sequence[tuple[int, str, str, Path]], workers: int) -> Iterator[Path]:
    """The files of all parts, played where they are missing."""
    if workers == 1:
        yield from map(_part, jobs)
        return
    yield from crew.in_order(_part, jobs, workers)


def plan(games: int, boxes: int, kind: str, folder: Path) -> list[tuple[int, str, str, Path]]:
    """Classic's games from the first and those that are held back, and some of every other box."""
    mark = hashlib.sha256(repr((NAMES, EVERY, PART, STRAY)).encode()).hexdigest()[:8]
    classic = sorted({*range(1, games + 1, PART), *range(HELD_BACK.start, HELD_BACK.stop, PART)})
    wanted = [(b, first) for b in base_boxes() if b != CLASSIC for first in range(1, boxes + 1, PART)]
    wanted += [(CLASSIC, first) for first in classic]
    return [(first, kind, pack, folder / f"{pack}-{kind}-{mark}-{first}.npz") for pack, first in wanted]


# -- learning -----------------------------------------------------------------------------------------------------


class Net:
    """The network of `bots.evaluation`, with the way back. A player is judged by his own figures and by the mean of
    what the first layer makes of the others'."""

    def __init__(self, np: Any, figures: int, rng: Any) -> None:
        self.np = np

        def some(*shape: int) -> Any:
            return (rng.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)

        self.w: dict[str, Any] = {
            "first": some(figures, WIDTH),
            "first_bias": np.zeros(WIDTH, np.float32),
            "own": some(WIDTH, DEPTH),
            "others": some(WIDTH, DEPTH),
            "second_bias": np.zeros(DEPTH, np.float32),
            "last": some(DEPTH) * 0.1,
            "straight": np.zeros(figures, np.float32),
        }
        self._mean = {k: np.zeros_like(v) for k, v in self.w.items()}
        self._spread = {k: np.zeros_like(v) for k, v in self.w.items()}
        self._steps = 0

    def forward(self, x: Any) -> tuple[Any, ...]:
        np, w = self.np, self.w
        h = np.maximum(x @ w["first"] + w["first_bias"], 0)
        c = (h.sum(1, keepdims=True) - h) / (x.shape[1] - 1)
        z = np.maximum(h @ w["own"] + c @ w["others"] + w["second_bias"], 0)
        s = z @ w["last"] + x @ w["straight"]
        e = np.exp(s - s.max(1, keepdims=True))
        return h, c, z, e / e.sum(1, keepdims=True)

    def chances(self, x: Any) -> Any:
        """Of each player, in many positions."""
        return self.np.concatenate([self.forward(x[i : i + 8192])[3] for i in range(0, len(x), 8192)])

    def surprise(self, sample: Sample) -> float:
        """The mean surprise at who won (cross entropy)."""
        return -float((sample.won * self.np.log(self.chances(sample.x) + 1e-9)).sum()) / len(sample.x)

    def slopes(self, x: Any, won: Any) -> dict[str, Any]:
        """How the surprise changes with each weight."""
        w = self.w
        h, c, z, p = self.forward(x)
        ds = (p - won) / len(x)
        dz = ds[..., None] * w["last"] * (z > 0)
        dc = dz @ w["others"].T / (x.shape[1] - 1)
        dh = (dz @ w["own"].T + dc.sum(1, keepdims=True) - dc) * (h > 0)
        flat = [a.reshape(-1, a.shape[-1]) for a in (x, h, c, z, dz, dh)]
        fx, fh, fc, fz, fdz, fdh = flat
        return {
            "first": fx.T @ fdh,
            "first_bias": fdh.sum(0),
            "own": fh.T @ fdz,
            "others": fc.T @ fdz,
            "second_bias": fdz.sum(0),
            "last": fz.T @ ds.reshape(-1),
            "straight": fx.T @ ds.reshape(-1),
        }

    def step(self, slopes: dict[str, Any], rate: float) -> None:
        """Adam, with decay."""
        np = self.np
        self._steps += 1
        n = self._steps
        for k, g in slopes.items():
            m, v = self._mean[k], self._spread[k]
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            self.w[k] -= rate * (m / (1 - 0.9**n) / (np.sqrt(v / (1 - 0.999**n)) + 1e-8) + DECAY * self.w[k])


def learn(np: Any, learned: Sample, stop: Sample, seed: int, rounds: int) -> Net:
    """Go through the positions again and again, until those that say when to stop get no better."""
    rng = np.random.default_rng(seed)
    net = Net(np, learned.x.shape[2], rng)
    best, kept, since = net.surprise(stop), {k: v.copy() for k, v in net.w.items()}, 0
    for i in range(rounds):
        order = rng.permutation(len(learned.x))
        for j in range(0, len(order), BATCH):
            some = order[j : j + BATCH]
            net.step(net.slopes(learned.x[some], learned.won[some]), RATE / (1 + i / 4))
        now = net.surprise(stop)
        since += 1
        if now < best:
            best, kept, since = now, {k: v.copy() for k, v in net.w.items()}, 0
        elif since >= PATIENCE:
            break
    net.w = kept
    return net


def hindsight(np: Any, net: Net, sample: Sample) -> Sample:
    """The same positions, with what became of them: partly who won, partly what is thought of those that followed."""
    thought = net.chances(sample.x)
    seen = sample.won.copy()
    for i in range(len(seen) - 2, -1, -1):
        if sample.game[i] == sample.game[i + 1]:
            seen[i] = (1 - LAMBDA) * thought[i + 1] + LAMBDA * seen[i + 1]
    return sample._replace(won=seen)


def written(net: Net) -> str:
    """The weights as the package keeps them."""
    rounded = {k: net.np.round(v.T if v.ndim == 2 else v, 4).tolist() for k, v in net.w.items()}
    return json.dumps({"figures": list(NAMES), **rounded}, separators=(",", ":")) + "\n"


def samples(np: Any, paths: Sequence[Path]) -> tuple[Sample, Sample, Sample]:
    """What is learned from, what says when to stop, and what is held back."""
    parts: list[list[tuple[Any, Any, Any]]] = [[], [], []]
    for n, path in enumerate(paths):
        with np.load(path) as f:
            x, won, game = f["x"].astype(np.float32), f["won"].astype(np.float32), f["game"]
        held = (game >= HELD_BACK.start) & (game < HELD_BACK.stop) & path.name.startswith(f"{CLASSIC}-")
        stop = ~held & (game % round(1 / STOP) == 0)
        for part, which in zip(parts, (~held & ~stop, stop, held), strict=True):
            part.append((x[which], won[which], game[which].astype(np.int64) + (n << 32)))
    a, b, c = (Sample(*(np.concatenate(column) for column in zip(*part, strict=True))) for part in parts)
    return a, b, c


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.fitting", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("-n", type=int, default=29_000, help="games of classic to learn from (29000)")
    parser.add_argument("--boxes", type=int, default=5_600, help="games of every other box (5600)")
    parser.add_argument("--bots", default="schemer", help="who plays them (schemer)")
    parser.add_argument("--keep", type=Path, default=Path("build/fitting"), help="the folder of games played so far")
    parser.add_argument("--seed", type=int, default=1, help="of the network's first weights (1)")
    parser.add_argument("--hindsight", type=int, default=1, help="times it learns from its own thoughts as well (1)")
    parser.add_argument("--rounds", type=int, default=10, help="times through the positions at most (10)")
    parser.add_argument("--workers", type=int, default=0, help="processes that play (default: all cores)")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help=f"the file to write ({WEIGHTS.name} of the bots)")
    parser.add_argument("--dry", action="store_true", help="write no weights")
    args = parser.parse_args(argv)
    np = need("numpy", "lab")
    args.keep.mkdir(parents=True, exist_ok=True)
    jobs = plan(args.n, args.boxes, args.bots, args.keep)
    paths = []
    for path in gather(jobs, args.workers or os.cpu_count() or 1):
        paths.append(path)
        print(f"\r{len(paths) * PART} of {len(jobs) * PART} games  ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    learned, stop, held = samples(np, paths)
    print(f"{len(learned.x):,} positions to learn from, {len(held.x):,} held back (a guess: {np.log(SEATS):.4f})")
    net = best = learn(np, learned, stop, args.seed, args.rounds)
    for i in range(args.hindsight + 1):
        if i:
            net = learn(np, hindsight(np, net, learned), stop, args.seed + i, args.rounds)
            best = min(best, net, key=lambda n: n.surprise(stop))
        print(f"  {f'hindsight {i}' if i else 'who won'}: surprise {net.surprise(held):.4f}", flush=True)
        if best is net and not args.dry:
            args.weights.write_text(written(best))
    print(f"kept is what said best when to stop: surprise {best.surprise(held):.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
