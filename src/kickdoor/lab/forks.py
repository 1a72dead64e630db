"""What other moves are worth: decisions taken in several ways, and each way played to the end of the game.

A game of schemers comes to a decision; several bots say what they would do there. Where they differ, every one of
their moves is made in the same imagined worlds (cards that the seat cannot see anywhere, dice of their own), schemers
play on to the end, and the moves are compared by the games they win. That tells of far fewer games than a duel does
whether one bot decides better than another, and where.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from kickdoor.bots import Bot, Seat, Stuck, Table, make
from kickdoor.bots.driver import ask, unasked
from kickdoor.bots.schemer import SchemerBot
from kickdoor.bots.trials import resumed
from kickdoor.bots.worlds import imagine, veiled
from kickdoor.engine.setup import new_game
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import VERB_NAMES, Move
from kickdoor.lab import command, crew

SEATS: Final = 4
LONGEST: Final = 6000  # moves of a playout; beyond that it is nobody's
STEP: Final = 1000  # gains are told in thousandths of a game


class Plan(NamedTuple):
    """What is to be looked into."""

    bots: tuple[str, ...]  # the first is the one that the others are compared with
    packs: tuple[str, ...]
    share: float  # of the decisions
    playouts: int  # of each move


class Fork(NamedTuple):
    """A decision: what each bot did there, and how many games more than the first one's move that wins."""

    seed: int
    turn: int
    moves: tuple[str, ...]
    gains: tuple[float, ...]


def decide(bot: Bot, seat: Seat, must: bool) -> Move | None:
    """What a bot does at a seat; None: it lets it be."""
    if not must:
        choice = None if bot.idle(seat) else bot.interject(seat)
        return None if choice is None else choice.move
    return unasked(bot, seat) or bot.choose(seat).move


def played_out(world: Game, seat: Seat, move: Move | None) -> float:
    """The share of the victory that the seat has when schemers play this on to its end."""
    g = world.clone()
    bots = [SchemerBot(s) for s in range(len(g.players))]
    table = resumed(g, bots, seat)
    if move is not None:
        table.apply(move, trusted=True)
    for _ in range(LONGEST):
        turn = table.next()
        if turn is None:
            return 1 / len(g.winners) if seat.seat in g.winners else 0.0
        choice = ask(table, bots, *turn)
        if choice is not None:
            table.apply(choice.move, trusted=True)
    return 0.0


def worths(g: Game, seat: Seat, moves: Sequence[Move | None], playouts: int, rng: random.Random) -> list[float]:
    """What each of the moves wins on average, all of them in the same worlds."""
    veil = veiled(g, seat.seat)
    sums = [0.0] * len(moves)
    for _ in range(playouts):
        world = imagine(veil, seat.seat, rng)
        for i, move in enumerate(moves):
            sums[i] += played_out(world, seat, move)
    return [s / playouts for s in sums]


def forks(seed: int, plan: Plan) -> list[Fork]:
    """The decisions of one game between schemers."""
    g = new_game([f"P{i}" for i in range(SEATS)], packs=plan.packs, seed=seed)
    g.events = None
    walkers: list[Bot] = [make("schemer", seed * 31 + i) for i in range(SEATS)]
    asked = [make(kind, seed) for kind in plan.bots]
    table = Table(g)
    rng = random.Random(seed)
    out: list[Fork] = []
    while (turn := table.next()) is not None:
        s, must = turn
        seat = table.seat(s)
        choice = ask(table, walkers, s, must)
        if rng.random() < plan.share:
            fork = _fork(g, seat, must, asked, plan.playouts, rng)
            if fork is not None:
                out.append(fork._replace(seed=seed, turn=g.turns))
        if choice is not None:
            table.apply(choice.move, trusted=True)
    return out


def _fork(g: Game, seat: Seat, must: bool, asked: Sequence[Bot], playouts: int, rng: random.Random) -> Fork | None:
    """Where they differ, what comes of it. None where it cannot be played on: something hidden is half-way through."""
    moves = [decide(bot, seat, must) for bot in asked]
    told = tuple("nothing" if m is None else VERB_NAMES[m.verb] for m in moves)
    different = list(dict.fromkeys(moves))
    if len(different) < 2:
        return Fork(0, 0, told, (0.0,) * len(moves))
    try:
        worth = dict(zip(different, worths(g, seat, different, playouts, rng), strict=True))
    except (LookupError, ArithmeticError, AssertionError, ValueError, RuntimeError, AttributeError, TypeError, Stuck):
        return None
    return Fork(0, 0, told, tuple(worth[m] - worth[moves[0]] for m in moves))


# -- what comes of it -------------------------------------------------------------------------------------------------


class Sum:
    """Gains, in thousandths of a game."""

    def __init__(self) -> None:
        self.n, self.total, self.squares = 0, 0.0, 0.0

    def add(self, gain: float) -> None:
        self.n += 1
        self.total += STEP * gain
        self.squares += (STEP * gain) ** 2

    @property
    def mean(self) -> float:
        return self.total / self.n if self.n else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.n < 2:
            return math.inf
        return math.sqrt(max(0.0, self.squares / self.n - self.mean**2) / (self.n - 1))


def report(plan: Plan, found: Sequence[Fork]) -> list[dict[str, Any]]:
    """A row for each bot but the first: how often it does something else, what that gains, and where."""
    out = []
    for i, bot in enumerate(plan.bots[1:], 1):
        whole, where = Sum(), defaultdict[str, Sum](Sum)
        for f in found:
            whole.add(f.gains[i])
            if f.gains[i] or f.moves[i] != f.moves[0]:
                where[f"{f.moves[0]} -> {f.moves[i]}"].add(f.gains[i])
        other = sum(s.n for s in where.values())
        out.append(
            {
                "bot": bot,
                "decisions": whole.n,
                "other": other,
                "gain": round(whole.mean, 3),
                "error": round(whole.error, 3) if whole.n > 1 else None,
                "where": [_place(k, s) for k, s in sorted(where.items(), key=lambda x: -x[1].n)],
            }
        )
    return out


def _place(moves: str, s: Sum) -> dict[str, Any]:
    error = round(s.error, 1) if s.n > 1 else None
    return {"moves": moves, "times": s.n, "gain": round(s.mean, 1), "error": error}


def told(plan: Plan, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The same for people."""
    for r in rows:
        error = "" if r["error"] is None else f" ± {1.96 * r['error']:.2f}"
        share = r["other"] / max(1, r["decisions"])
        yield f"{r['bot']}: not {plan.bots[0]}'s move in {r['other']} of {r['decisions']} decisions ({share:.1%});"
        yield f"  a decision gains {r['gain']:.2f}{error} thousandths of a game"
        for w in r["where"][:12]:
            error = "" if w["error"] is None else f" ± {1.96 * w['error']:.0f}"
            yield f"    {w['moves']:<28} {w['times']:>5} times, {w['gain']:+.0f}{error} each"


def _one(job: tuple[int, Plan]) -> list[Fork]:
    return forks(*job)


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.forks -n 20 schemer lookahead master`."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.forks", description=__doc__)
    parser.add_argument(
        "bots", nargs="*", default=["schemer", "lookahead"], help="the first is the one to compare with"
    )
    parser.add_argument(
        "-n", type=command.whole(1), default=20, help="games whose decisions are looked at (default 20)"
    )
    parser.add_argument("--first", type=command.whole(0), default=0, help="the first seed")
    parser.add_argument("--packs", default="classic", help="sets, with commas between them (default: classic)")
    parser.add_argument("--share", type=command.share, default=0.25, help="of the decisions (default 0.25)")
    parser.add_argument("--playouts", type=command.whole(1), default=100, help="games from each move (default 100)")
    parser.add_argument("--workers", type=command.whole(0), default=0, help="processes (default: all cores)")
    parser.add_argument("--json", action="store_true", help="for programs")
    args = parser.parse_args(argv)
    plan = Plan(tuple(args.bots), tuple(args.packs.split(",")), args.share, args.playouts)
    found: list[Fork] = []
    jobs = [(seed, plan) for seed in range(args.first, args.first + args.n)]
    status = 0
    try:
        for i, part in enumerate(crew.in_order(_one, jobs, args.workers or os.cpu_count() or 1), 1):
            found += part
            print(f"\r{i} of {args.n} games, {len(found)} decisions ", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:  # what was looked at until then counts
        status = command.STOPPED
    print(file=sys.stderr)
    rows = report(plan, found)
    print(json.dumps(rows, indent=2) if args.json else "\n".join(told(plan, rows)))
    return status


if __name__ == "__main__":
    sys.exit(command.run(main))
