"""Balance sanity: many games between bots, and what they say about length, levels, seats, deaths and idle cards."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from kickdoor.bots import Table, make
from kickdoor.engine.setup import library, new_game
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event

TOO_LONG = 2_000  # turns; a game beyond that is reported by its seed
HELD = frozenset({"play", "trouble", "sale", "discard", "lost", "charity", "receive", "retrieve", "use"})


@dataclass
class Tally:
    """What a number of games came to; two tallies add up."""

    games: int = 0
    turns: list[int] = field(default_factory=list)
    moves: int = 0
    wins: Counter[int] = field(default_factory=Counter)  # by distance from the first player
    shared: int = 0
    deaths: int = 0
    kills: int = 0
    helped: int = 0
    curve: dict[int, list[int]] = field(default_factory=dict)  # round -> [sum of levels, seats]
    drawn: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    long: list[int] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.turns += other.turns
        self.moves += other.moves
        self.wins += other.wins
        self.shared += other.shared
        self.deaths += other.deaths
        self.kills += other.kills
        self.helped += other.helped
        for r, (levels, seats) in other.curve.items():
            mine = self.curve.setdefault(r, [0, 0])
            mine[0] += levels
            mine[1] += seats
        self.drawn += other.drawn
        self.left += other.left
        self.long += other.long


def play(seed: int, packs: Sequence[str], bots: Sequence[str]) -> Tally:
    """One game, tallied."""
    g = new_game([f"{b} {i + 1}" for i, b in enumerate(bots)], packs=packs, seed=seed)
    players = [make(b, seed * 31 + i) for i, b in enumerate(bots)]
    first, table, tally = g.turn, Table(g), Tally(games=1)
    seen = -1
    while not g.winners and g.turns < TOO_LONG:
        turn = table.next()
        if turn is None:
            break
        seat, must = turn
        choice = players[seat].choose(table.seat(seat)) if must else players[seat].interject(table.seat(seat))
        if choice is None:
            continue
        _count(g, table.apply(choice.move), tally)
        if g.turns != seen:
            seen = g.turns
            _level_curve(g, tally)
    tally.turns, tally.moves = [g.turns], table.count
    if not g.winners:
        tally.long = [seed]
    for s in g.winners[:1]:
        tally.wins[(s - first) % len(g.players)] += 1
    tally.shared = int(len(g.winners) > 1)
    return tally


def _count(g: Game, events: Sequence[Event], tally: Tally) -> None:
    helped = g.fight is not None and g.fight.helper >= 0
    for e in events:
        if e.kind == "death":
            tally.deaths += 1
        elif e.kind == "victory":
            tally.kills += 1
            tally.helped += int(helped or any(x.kind == "receive" for x in events))
        elif e.kind in ("draw", "kick"):
            tally.drawn[g.lib.defs[e.card].name] += 1
        if e.card >= 0 and e.kind in HELD:
            tally.left[g.lib.defs[e.card].name] += 1


def _level_curve(g: Game, tally: Tally) -> None:
    if (g.turns - 1) % len(g.players) == 0:
        entry = tally.curve.setdefault((g.turns - 1) // len(g.players) + 1, [0, 0])
        entry[0] += sum(p.level for p in g.players)
        entry[1] += len(g.players)


def _chunk(args: tuple[range, tuple[str, ...], tuple[str, ...]]) -> Tally:
    seeds, packs, bots = args
    total = Tally()
    for seed in seeds:
        total.add(play(seed, packs, bots))
    return total


def run(games: int, packs: Sequence[str], bots: Sequence[str], workers: int = 0) -> Iterator[tuple[int, Tally]]:
    """Play on all cores; yields (games done, tally so far). The total does not depend on the number of workers."""
    workers = workers or os.cpu_count() or 1
    size = max(1, min(50, games // (workers * 4) or 1))
    jobs = [(range(i, min(i + size, games)), tuple(packs), tuple(bots)) for i in range(0, games, size)]
    total = Tally()
    with ProcessPoolExecutor(workers) as pool:
        for part in pool.map(_chunk, jobs):
            total.add(part)
            yield total.games, total


def percentile(values: Sequence[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def report(t: Tally, packs: Sequence[str], bots: Sequence[str], names: Sequence[str]) -> str:
    """The tally as a Markdown page."""
    n = max(1, t.games)
    rounds = [x / len(bots) for x in t.turns]
    idle = sorted(c for c in names if t.drawn[c] and not t.left[c])
    unseen = sorted(c for c in names if not t.drawn[c] and not t.left[c])
    lines = [
        "# Balance",
        "",
        f"{t.games:,} games between {len(bots)} bots ({', '.join(bots)}), packs {', '.join(packs)}. "
        "Made by `python -m kickdoor.lab.balance`.",
        "",
        "| | |",
        "| --- | --- |",
        f"| rounds per game | median {percentile([int(r) for r in rounds], 0.5)}, mean {sum(rounds) / n:.1f}, "
        f"9 of 10 under {percentile([int(r) + 1 for r in rounds], 0.9)} |",
        f"| turns per game | median {percentile(t.turns, 0.5)}, longest {max(t.turns, default=0)} |",
        f"| moves per game | {t.moves / n:.0f} |",
        f"| deaths per game | {t.deaths / n:.2f} |",
        f"| fights won per game | {t.kills / n:.1f}, of which with help {t.helped / n:.1f} |",
        f"| games with more than one winner | {t.shared / n:.1%} |",
        f"| games beyond {TOO_LONG} turns | {len(t.long)} |",
        "",
        "Seat advantage (wins by distance from the first player; even is "
        f"{1 / len(bots):.1%}, the standard error {(0.25 * 0.75 / n) ** 0.5:.1%}):",
        "",
        "| first | " + " | ".join(f"+{i}" for i in range(1, len(bots))) + " |",
        "|" + " --- |" * len(bots),
        "| " + " | ".join(f"{t.wins[i] / n:.1%}" for i in range(len(bots))) + " |",
        "",
        "Level curve (mean Level when a round begins):",
        "",
        "| round | " + " | ".join(str(r) for r in _rounds(t)) + " |",
        "|" + " --- |" * (len(_rounds(t)) + 1),
        "| Level | " + " | ".join(f"{t.curve[r][0] / t.curve[r][1]:.1f}" for r in _rounds(t)) + " |",
        "",
        f"Cards that were drawn but never left a hand: {', '.join(idle) or 'none'}.",
        "",
        f"Cards never seen at all: {', '.join(unseen) or 'none'}.",
        "",
    ]
    return "\n".join(lines)


def _rounds(t: Tally) -> list[int]:
    return [r for r in (1, 3, 5, 8, 10, 15, 20, 30, 40) if r in t.curve]


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.balance -n 2000 -o docs/balance.md`."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.balance", description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="games (default 200)")
    parser.add_argument("--packs", default="classic", help="packs, with commas between")
    parser.add_argument("--bots", default="sensible,sensible,sensible,sensible")
    parser.add_argument("-o", type=Path, help="write the page there instead of to the screen")
    args = parser.parse_args(argv)
    packs, bots = tuple(args.packs.split(",")), tuple(args.bots.split(","))
    tally = Tally()
    for done, so_far in run(args.n, packs, bots):
        tally = so_far
        print(f"\r{done} of {args.n} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    page = report(tally, packs, bots, [d.name for d in library(packs).unique])
    if args.o is not None:
        args.o.write_text(page, encoding="utf-8")
    else:
        print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
