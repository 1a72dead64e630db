"""Random games over random mixes of all packs and options, with the invariants on after every move.

    python -m kickdoor.lab.mixes -n 200 --seed 1      games 1 to 200, on all cores
    python -m kickdoor.lab.mixes --game 17            game 17 again, with its last moves if it fails

A game fails when a card is in two zones or in none, when a legal move is refused, when nobody can move, when an
exception escapes, or when it does not end: after 10,000 moves by chance greedy players take over, who want to win. A
mix that is too small to be played alone gets a base set besides.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from kickdoor.cards.packs import known_packs
from kickdoor.cards.reading import ReadingError
from kickdoor.engine import invariants
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.setup import new_game, rules_for
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import PRESETS
from kickdoor.lab import command, crew
from kickdoor.lab.random_play import CHANCE, Players, said, within

NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eli", "Fay")
BOUND: Final = 150_000  # decisions; such games end after some thousand
SECONDS: Final = 600.0  # one game; a move that never returns is a failure too
LAST: Final = 15  # moves that are shown before a failure
TRIED: Final = 0.002  # how often every legal move of a seat is tried in a copy
BASE: Final = "classic"


@dataclass(frozen=True)
class Case:
    """One game that will be played: its number decides everything about it."""

    number: int
    packs: tuple[str, ...]
    edition: str | None
    fields: dict[str, Any] = field(default_factory=dict)
    seats: int = 3

    def __str__(self) -> str:
        fields = [f"{k}={v}" for k, v in self.fields.items()]
        rules = f"{self.edition or 'its own'} rules"
        return ", ".join(["+".join(self.packs), f"{self.seats} players", rules, *fields])


@dataclass
class Result:
    """How a game went; `failure` is empty where it went well."""

    case: Case
    decisions: int = 0
    turns: int = 0
    enlarged: bool = False
    failure: str = ""
    last: list[str] = field(default_factory=list)


def case(number: int) -> Case:
    """The game of this number: sets, edition, options, deck and players, all at random."""
    rng = random.Random(number)
    packs = known_packs()
    some = rng.sample(packs, rng.choice([1, 2, 2, 3, 3, 4, 5, len(packs)]))
    fields: dict[str, Any] = {}
    for option in ("epic", "faster_play", "shared_victory"):
        if rng.random() < 0.3:
            fields[option] = True
    for name, values in (
        ("decks.piles", ("halves", "reserve", "per_set")),
        ("decks.doors", ("all",)),
        ("decks.treasures", ("as_doors",)),
        ("decks.filters", (False,)),
        ("decks.thin_out", (0, 6)),
        ("decks.discard_order", ("ask",)),
        ("dungeons.portals", ("all", "one_each", "none")),
    ):
        if rng.random() < 0.2:
            fields[name] = rng.choice(values)
    edition = rng.choice(PRESETS) if rng.random() < 0.25 else None
    return Case(number, tuple(some), edition, fields, rng.randint(3, 6))


def start(c: Case) -> tuple[Game, bool]:
    """The table of a game, and whether a base set had to be added to make it one."""
    try:
        return _deal(c, c.packs), False
    except Refused as e:
        if e.rule not in ("SETUP-5", "WIN-5") or BASE in c.packs:
            raise
    return _deal(c, (*c.packs, BASE)), True


def _deal(c: Case, packs: Sequence[str]) -> Game:
    rules = rules_for(packs, c.edition, **c.fields)
    sexes = ["male" if (c.number >> s) & 1 else "female" for s in range(c.seats)]
    return new_game(NAMES[: c.seats], packs=packs, seed=c.number, rules=rules, sexes=sexes)


def play(number: int, every: int = 1, bound: int = BOUND, seconds: float = SECONDS, chance: int = CHANCE) -> Result:
    """Play one game to its end, looking at everything after every move (or every few)."""
    out = Result(case(number))
    last: deque[str] = deque(maxlen=LAST)
    try:
        with within(seconds):
            g, out.enlarged = start(out.case)
            _to_the_end(g, out, Players(g, random.Random(number), number, chance), last, bound, every)
    except (TimeoutError, Refused, ReadingError) as e:
        out.failure = f"{type(e).__name__}: {e}"
    except Exception as e:
        out.failure = f"{type(e).__name__}: {e} ({', '.join(_way(e))})"
    out.last = list(last)
    return out


def _way(e: Exception) -> list[str]:
    """Where it happened, and the three steps that led there, the last one first."""
    steps = traceback.extract_tb(e.__traceback__)[-4:]
    return [f"{os.path.basename(f.filename)}:{f.lineno}" for f in reversed(steps)]


def _to_the_end(g: Game, out: Result, players: Players, last: deque[str], bound: int, every: int) -> None:
    invariants.check(g)
    rng = players.rng
    while not g.over:
        assert out.decisions < bound, f"no end after {bound} decisions, in turn {g.turns}"
        if rng.random() < TRIED:
            _try_everything(g, rng.randrange(len(g.players)))
        move = players.move()
        last.append(f"{out.decisions}: {said(g, move)}   [{type(g.stack[-1]).__name__}]")
        players.table.apply(move)
        out.decisions += 1
        if out.decisions % every == 0 or g.over:
            invariants.check(g)
        out.turns = g.turns
        if g.events is not None:
            g.events.clear()


def _try_everything(g: Game, seat: int) -> None:
    """What is legal is accepted, not only what was chosen."""
    for move in legal(g, seat):
        then = g.clone()
        apply(then, move)
        invariants.check(then)


# -- many of them -----------------------------------------------------------------------------------------------


def report(r: Result) -> str:
    """A failure, and how to see it again."""
    lines = "\n    ".join(r.last)
    return (
        f"game {r.case.number} failed: {r.failure}\n  {r.case}\n"
        f"  again: python -m kickdoor.lab.mixes --game {r.case.number}\n    {lines}"
    )


def run(first: int, n: int, processes: int, show: bool = True, every: int = 1) -> list[Result]:
    """Play games `first` to `first + n - 1` across processes; failures are told as they come."""
    out: list[Result] = []
    began = time.monotonic()
    for r in crew.in_order(partial(play, every=every), range(first, first + n), processes):
        out.append(r)
        if r.failure:
            _clear(show)
            print(report(r), flush=True)
        if show:
            _progress(out, n, time.monotonic() - began)
    _clear(show)
    return out


def _progress(out: list[Result], n: int, seconds: float) -> None:
    failed = sum(1 for r in out if r.failure)
    decisions = sum(r.decisions for r in out)
    left = seconds / len(out) * (n - len(out))
    text = f"{len(out)} of {n} games, {failed} failed, {decisions:,} decisions, about {left:.0f} s left"
    if sys.stderr.isatty():
        print(f"\r{text:<90}", end="", file=sys.stderr, flush=True)
    elif len(out) == n or len(out) % max(1, n // 20) == 0:
        print(text, file=sys.stderr, flush=True)


def _clear(show: bool) -> None:
    if show and sys.stderr.isatty():
        print("\r" + " " * 90 + "\r", end="", file=sys.stderr, flush=True)


def summary(results: list[Result]) -> str:
    """What was covered."""
    games = [r for r in results if not r.failure]
    packs = Counter(p for r in results for p in r.case.packs)
    longest = max((r.decisions for r in games), default=0)
    lines = [
        f"{len(results)} games, {len(results) - len(games)} failed, {sum(r.decisions for r in results):,} decisions,"
        f" the longest game {longest:,}; {sum(r.enlarged for r in results)} mixes were too small alone.",
        "Sets: " + ", ".join(f"{p} {n}" for p, n in sorted(packs.items())),
    ]
    failed = [str(r.case.number) for r in results if r.failure]
    if failed:
        lines.append(f"Failed: {', '.join(failed)}. See one again: python -m kickdoor.lab.mixes --game {failed[0]}")
    return "\n".join(lines)


def again(number: int) -> int:
    """One game, told at length."""
    print(f"game {number}: {case(number)}", flush=True)
    r = play(number)
    if r.failure:
        print(report(r))
        return 1
    print(f"over in turn {r.turns} after {r.decisions:,} decisions, nothing wrong")
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="python -m kickdoor.lab.mixes", description=__doc__.split("\n", 1)[0])
    p.add_argument("-n", type=command.whole(1), default=200, metavar="N", help="how many games (default 200)")
    p.add_argument("--seed", type=int, default=1, metavar="S", help="the number of the first game (default 1)")
    p.add_argument("--game", type=int, metavar="NUMBER", help="play this one game again")
    p.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="P", help="default: one per core")
    p.add_argument(
        "--every", type=command.whole(1), default=1, metavar="N", help="look at everything after every N-th move only"
    )
    args = p.parse_args(argv)
    if args.game is not None:
        return again(args.game)
    if args.n < 1 or args.processes < 1:
        p.error("at least one game and one process, please")
    results = run(args.seed, args.n, args.processes, every=max(1, args.every))
    print(summary(results))
    return 1 if any(r.failure for r in results) else 0


if __name__ == "__main__":
    sys.exit(command.run(main))
