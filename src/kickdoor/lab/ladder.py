"""How strong the bots are: one against three of the kind below, many games, every seat in turn, with intervals."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from kickdoor.bots import Bot, Choice, Seat, Stuck, make, play_out
from kickdoor.engine.setup import new_game
from kickdoor.lab import command, crew

SEATS: Final = 4
LADDER: Final = (
    ("easy", "random"),
    ("greedy", "easy"),
    ("schemer", "greedy"),
    ("lookahead", "schemer"),
    ("master", "schemer"),
    ("master", "lookahead"),
)
MOVES: Final = 20_000  # a game beyond that counts as nobody's


@dataclass
class Score:
    """What a number of games came to."""

    games: int = 0
    wins: float = 0.0  # a shared victory counts as its share
    turns: int = 0
    moves: int = 0
    seconds: float = 0.0  # of the processor, all told
    endless: int = 0
    thoughts: list[float] = field(default_factory=list)  # how long the one took to decide, in ms

    def add(self, other: Score) -> None:
        self.games += other.games
        self.wins += other.wins
        self.turns += other.turns
        self.moves += other.moves
        self.seconds += other.seconds
        self.endless += other.endless
        self.thoughts += other.thoughts

    @property
    def rate(self) -> float:
        return self.wins / max(1, self.games)


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The 95% interval of a rate."""
    if not games:
        return 0.0, 1.0
    p = wins / games
    mid = (p + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return mid - half, mid + half


class Timed:
    """A bot with a stopwatch."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.name = bot.name
        self.took: list[float] = []

    def idle(self, seat: Seat) -> bool:
        return self.bot.idle(seat)

    def choose(self, seat: Seat) -> Choice:
        start = time.perf_counter()
        got = self.bot.choose(seat)
        self.took.append(1000 * (time.perf_counter() - start))
        return got

    def interject(self, seat: Seat) -> Choice | None:
        start = time.perf_counter()
        got = self.bot.interject(seat)
        self.took.append(1000 * (time.perf_counter() - start))
        return got


def play(seed: int, hero: str, rival: str, packs: Sequence[str] = ("classic",)) -> Score:
    """One game; the hero's seat goes round with the seed."""
    seat = seed % SEATS
    g = new_game([f"{rival} {i}" for i in range(SEATS)], packs=packs, seed=seed)
    g.events = None
    one = Timed(make(hero, seed * 31))
    bots: list[Bot] = [one if i == seat else make(rival, seed * 31 + i + 1) for i in range(SEATS)]
    start = time.process_time()
    score = Score(games=1)
    try:
        score.moves = play_out(g, bots, MOVES, trusted=True)
    except Stuck:
        score.endless = 1
    score.seconds = time.process_time() - start
    score.turns = g.turns
    score.wins = 1 / len(g.winners) if seat in g.winners else 0.0
    score.thoughts = one.took
    return score


def _chunk(args: tuple[range, str, str, Sequence[str]]) -> Score:
    seeds, hero, rival, packs = args
    total = Score()
    for seed in seeds:
        total.add(play(seed, hero, rival, packs))
    return total


def duel(
    hero: str, rival: str, games: int, workers: int = 0, first: int = 0, packs: Sequence[str] = ("classic",)
) -> Iterator[Score]:
    """One hero against three rivals; yields the score so far."""
    workers = workers or os.cpu_count() or 1
    size = max(1, min(20, games // (workers * 4) or 1))
    jobs = [(range(first + i, first + min(i + size, games)), hero, rival, packs) for i in range(0, games, size)]
    total = Score()
    if workers == 1:
        for job in jobs:
            total.add(_chunk(job))
            yield total
        return
    for part in crew.in_order(_chunk, jobs, workers):
        total.add(part)
        yield total


def row(hero: str, rival: str, s: Score) -> str:
    """A line of the table."""
    low, high = wilson(s.wins, s.games)
    took = sorted(s.thoughts) or [0.0]
    p95 = took[min(len(took) - 1, int(0.95 * len(took)))]
    turns = s.turns / max(1, s.games)
    return (
        f"| {hero} | 3 {rival} | {s.games:,} | {s.rate:.1%} | {low:.1%} to {high:.1%} | {turns:.0f} "
        f"| {p95:.1f} ms | {s.games / max(1e-9, s.seconds):.1f} | {s.endless} |"
    )


HEAD: Final = (
    "| one | against | games | wins | 95% interval | turns | p95 of a decision | games/s per core | endless |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.ladder -n 1000 greedy/random schemer/greedy`."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.ladder", description=__doc__)
    parser.add_argument("pairs", nargs="*", metavar="ONE/THREE", help="such as schemer/greedy; default: the ladder")
    parser.add_argument("-n", type=command.whole(1), default=1000, help="games of each (default 1000)")
    parser.add_argument("--first", type=command.whole(0), default=0, help="the first seed")
    parser.add_argument("--packs", default="classic", help="sets, with commas between them (default: classic)")
    parser.add_argument("--workers", type=command.whole(0), default=0, help="processes (default: all cores)")
    args = parser.parse_args(argv)
    pairs = [tuple(p.partition("/")[::2]) for p in args.pairs] or list(LADDER)
    for kind in (kind for pair in pairs for kind in pair):
        make(kind)  # better now than in the middle
    print(HEAD, flush=True)
    for hero, rival in pairs:
        total = Score()
        try:
            for total in duel(hero, rival, args.n, args.workers, args.first, args.packs.split(",")):
                print(f"\r{total.games} of {args.n}: {total.rate:.1%}  ", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:  # what was played until then counts
            print(file=sys.stderr)
            print(row(hero, rival, total), flush=True)
            raise
        print(file=sys.stderr)
        print(row(hero, rival, total), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
