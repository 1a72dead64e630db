"""Do characters differ in what they do, and not in how well? Tables of them on one rung, and what each did, counted.

python -m kickdoor.lab.company -n 1000 --rung schemer
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kickdoor.bots import CHARACTERS, Bot, Table, make
from kickdoor.bots.driver import ask
from kickdoor.bots.ledger import WRONGS, Ledger, deeds
from kickdoor.bots.values import foe_strength
from kickdoor.engine.setup import new_game
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event
from kickdoor.lab import command, crew
from kickdoor.lab.figures import wilson

SEATS: Final = 4
MOVES: Final = 20_000  # a game beyond that counts as nobody's
NOBODY: Final = "plain"  # the rung without a character

# What is counted, how it is called, and what it is divided by.
COLUMNS: Final = (
    ("helped", "helps", "games"),
    ("share", "for Treasures", "helped"),
    ("offered", "offers", "asked"),
    ("asked", "asks", "games"),
    ("attacks", "attacks", "games"),
    ("leader", "on the first", "attacks"),
    ("last", "on the last", "attacks"),
    ("back", "on who hurt it", "attacks"),
    ("ungrateful", "on who helped it", "attacks"),
    ("spent", "cards into fights", "fights"),
    ("hand", "cards kept", "turns"),
    ("trouble", "trouble", "games"),
    ("odds", "at long odds", "trouble"),
    ("sales", "sales", "games"),
    ("lost", "fights lost", "fights"),
    ("deaths", "deaths", "games"),
)
PARTS: Final = ("attacks", "trouble")  # of which something is a share


@dataclass
class Tally:
    """What one character did in a number of games."""

    games: int = 0
    wins: float = 0.0  # a shared victory counts as its share
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.wins += other.wins
        self.counts.update(other.counts)

    def rate(self, what: str, per: str) -> float:
        """How much of something there was for each of something else."""
        return self.counts[what] / (self.games if per == "games" else self.counts[per] or 1)

    def plain(self) -> dict[str, Any]:
        low, high = wilson(self.wins, self.games)
        did = {what: self.rate(what, per) for what, _, per in COLUMNS}
        return {"games": self.games, "win_rate": self.wins / max(1, self.games), "low": low, "high": high, **did}


class Watch:
    """Counts what the seats of one game do, by their moves and by what everybody sees."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.counts: list[Counter[str]] = [Counter() for _ in table.game.players]
        self.turn = -1

    def moved(self, move: Move) -> None:
        """Before a move is made."""
        g, mine = self.table.game, self.counts[move.seat]
        if g.turns != self.turn:
            self.turn = g.turns
            self.counts[g.turn]["turns"] += 1
            self.counts[g.turn]["hand"] += len(g.players[g.turn].hand)
        if move.verb == mv.ASK_HELP:
            mine["asked"] += 1
        elif move.verb == mv.TROUBLE:
            mine["trouble"] += 1
            mine["odds"] += self._long_odds(move)
        elif (
            move.verb == mv.ADD and mv.names_treasures(move.extra) and g.fight is not None and g.fight.main == move.seat
        ):
            mine["offered"] += mv.treasures_in(move.extra)
        elif move.verb == mv.PLAY and g.fight is not None and move.seat in (g.fight.main, g.fight.helper):
            mine["spent"] += 1

    def _long_odds(self, move: Move) -> bool:
        """Is this trouble that one does not beat as one stands?"""
        seat = self.table.seat(move.seat)
        return foe_strength(seat, seat.defs[move.card]) >= seat.strength(move.seat)

    def saw(self, g: Game, events: Sequence[Event]) -> None:
        """After it."""
        for e in events:
            if e.kind == "help" and g.fight is not None:
                self.counts[e.seat]["helped"] += 1
                self.counts[e.seat]["share"] += g.fight.deal.treasures
            elif e.kind == "fight" and e.seat >= 0:
                self.counts[e.seat]["fights"] += 1
            elif e.kind == "losing" and e.seat >= 0:
                self.counts[e.seat]["lost"] += 1
            elif e.kind == "sale" and e.seat >= 0:
                self.counts[e.seat]["sales"] += 1
            elif e.kind == "death" and e.seat >= 0:
                self.counts[e.seat]["deaths"] += 1

    def attacked(self, g: Game, events: Sequence[Event], levels: Sequence[int], ledger: Ledger) -> None:
        """Whom an attack was aimed at, as the table stood before it."""
        for d in deeds(g, events):
            if d.kind not in WRONGS:
                continue
            mine = self.counts[d.by]
            others = [levels[s] for s in range(len(levels)) if s != d.by]
            mine["attacks"] += 1
            mine["leader"] += levels[d.to] == max(others)
            mine["last"] += levels[d.to] == min(others)
            mine["back"] += ledger.wrongs(d.to, d.by) > 0
            mine["ungrateful"] += ledger.owed(d.by, d.to) > 0


def play(seed: int, rung: str, names: Sequence[str], packs: Sequence[str] = ("classic",)) -> dict[str, Tally]:
    """One game of these, and what each did."""
    g = new_game([f"{n} {i}" for i, n in enumerate(names)], packs=packs, seed=seed)
    bots: list[Bot] = [make(rung if n == NOBODY else f"{rung}:{n}", seed * 31 + i) for i, n in enumerate(names)]
    table = Table(g, bots)
    watch = Watch(table)
    for _ in range(MOVES):
        turn = table.next()
        if turn is None:
            break
        choice = ask(table, bots, *turn)
        if choice is not None:
            watch.moved(choice.move)
            levels, ledger = [p.level for p in g.players], table.ledger
            events = table.apply(choice.move, trusted=True)
            watch.saw(g, events)
            watch.attacked(g, events, levels, ledger)
            if g.events is not None:
                g.events.clear()
    out: dict[str, Tally] = {}
    for s, name in enumerate(names):
        won = 1 / len(g.winners) if s in g.winners else 0.0
        out.setdefault(name, Tally()).add(Tally(1, won, watch.counts[s]))
    return out


def seating(number: int, names: Sequence[str]) -> list[str]:
    """Who sits at the table of a game: any four of them, everybody equally often in the long run."""
    return random.Random(number).sample(list(names), SEATS)


def _chunk(job: tuple[range, str, tuple[str, ...]]) -> dict[str, Tally]:
    numbers, rung, names = job
    total: dict[str, Tally] = {}
    for n in numbers:
        merge(total, play(n, rung, seating(n, names)))
    return total


def merge(total: dict[str, Tally], part: dict[str, Tally]) -> None:
    for name, tally in part.items():
        total.setdefault(name, Tally()).add(tally)


def run(rung: str, names: Sequence[str], games: int, workers: int = 0, first: int = 0) -> Iterator[dict[str, Tally]]:
    """Yields what all came to so far."""
    workers = workers or os.cpu_count() or 1
    size = max(1, min(20, games // (workers * 4) or 1))
    jobs = [(range(first + i, first + min(i + size, games)), rung, tuple(names)) for i in range(0, games, size)]
    total: dict[str, Tally] = {}
    if workers == 1:
        for job in jobs:
            merge(total, _chunk(job))
            yield total
        return
    for part in crew.in_order(_chunk, jobs, workers):
        merge(total, part)
        yield total


def rows(total: dict[str, Tally]) -> list[str]:
    """The table as Markdown."""
    heads = ("who", "games", "wins", "95% interval", *(title for _, title, _ in COLUMNS))
    out = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for name, t in sorted(total.items()):
        p = t.plain()
        did = " | ".join(f"{p[what]:.0%}" if per in PARTS else f"{p[what]:.2f}" for what, _, per in COLUMNS)
        out.append(f"| {name} | {t.games:,} | {p['win_rate']:.1%} | {p['low']:.1%} to {p['high']:.1%} | {did} |")
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.company -n 1000 --rung schemer`."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.company", description=__doc__)
    parser.add_argument("who", nargs="*", help=f"characters, or {NOBODY!r} (default: all)")
    parser.add_argument("-n", type=command.whole(1), default=1000, help="games (default 1000)")
    parser.add_argument("--rung", default="schemer", help="on which they all play (default schemer)")
    parser.add_argument("--first", type=command.whole(0), default=0, help="the first seed")
    parser.add_argument("--workers", type=command.whole(0), default=0, help="processes (default: all cores)")
    parser.add_argument("--json", action="store_true", help="for programs")
    args = parser.parse_args(argv)
    names = args.who or [*CHARACTERS, NOBODY]
    if len(names) < SEATS:
        parser.error(f"at least {SEATS} are needed for a table: name more, or nobody for all of them")
    make(args.rung)  # better now than in the middle
    total: dict[str, Tally] = {}
    status = 0
    try:
        for total in run(args.rung, names, args.n, args.workers, args.first):
            done = sum(t.games for t in total.values()) // SEATS
            print(f"\r{done} of {args.n} games", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:  # what was played until then counts
        status = command.STOPPED
    print(file=sys.stderr)
    if args.json:
        print(json.dumps({name: t.plain() for name, t in sorted(total.items())}))
    else:
        print("\n".join(rows(total)))
    return status


if __name__ == "__main__":
    sys.exit(command.run(main))
