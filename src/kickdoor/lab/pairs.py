"""Each expansion with each box: stuck games, length, cards that never leave a hand or are never seen, who is better.

    python -m kickdoor.lab.pairs -o docs/shelf.md                         every pair, 300 games each
    python -m kickdoor.lab.pairs --packs need_for_steed -n 100            one expansion with all boxes
    python -m kickdoor.lab.pairs --packs cwbh --boxes bites,classic       two pairs
    python -m kickdoor.lab.pairs --page -o docs/shelf.md                  the page again, from what has been measured

What is measured is kept under build/pairs, a file for these cards: a run that was stopped goes on where it was, more
games are added to those that are there, and changed cards are measured anew. (Changed bots are not noticed: remove the
folder.) It ends with status 1 if a pair is out of bounds. In a page that is there already, what stands below the line
that says so is kept: it is written by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from kickdoor.cards.packs import find_pack, known_packs, read_pack
from kickdoor.cards.reading import ReadingError
from kickdoor.engine.setup import library
from kickdoor.engine.value.game import DOOR, TREASURE
from kickdoor.lab import bounds, command, crew, farm
from kickdoor.lab.analysis import FEWEST
from kickdoor.lab.balance import written
from kickdoor.lab.boxes import base_boxes
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import wilson
from kickdoor.lab.playing import Record, Setting, cards_of, play
from kickdoor.lab.recording import IN_HAND, KICKED, SOLD
from kickdoor.paper.files import write_text

GAMES: Final = 300
HOME: Final = Path("build/pairs")
BATCH: Final = 25  # games of a job
ROUNDS: Final = (6.0, 15.0)  # the median game
TURNS: Final = 300  # the longest
SELDOM: Final = 0.1  # of the hands that a card came into, those out of which it was played or sold
COUNTED: Final = ("seen", "hands", "kept", "used")
PATIENCE: Final = 10.0  # seconds between two lines of progress


class Pair(NamedTuple):
    """A box, whose rules are played, and an expansion shuffled into it."""

    pack: str
    box: str

    @property
    def packs(self) -> tuple[str, ...]:
        return self.box, self.pack

    def __str__(self) -> str:
        return f"{self.pack} with {self.box}"


class Job(NamedTuple):
    """Some games of a pair, by their numbers: between schemers, or of one against three greedy players."""

    pair: Pair
    rivals: bool
    numbers: tuple[int, ...]


@dataclass
class Tally:
    """What games of a pair came to. Of cards only the expansion's are counted; the boxes have a page of their own."""

    games: int = 0
    rounds: list[float] = field(default_factory=list)
    longest: int = 0  # turns
    deaths: int = 0
    failed: list[str] = field(default_factory=list)  # number of the game, and what went wrong
    seen: Counter[str] = field(default_factory=Counter)  # how often a card came to somebody
    hands: Counter[str] = field(default_factory=Counter)  # how often into a hand
    kept: Counter[str] = field(default_factory=Counter)  # ... in which it still was at the end
    used: Counter[str] = field(default_factory=Counter)  # ... out of which it was played or sold
    contests: int = 0
    won: int = 0  # by the schemer

    def add(self, other: Tally) -> None:
        """The other's games as well."""
        self.games += other.games
        self.rounds += other.rounds
        self.longest = max(self.longest, other.longest)
        self.deaths += other.deaths
        self.failed += other.failed
        self.contests += other.contests
        self.won += other.won
        for name in COUNTED:
            getattr(self, name).update(getattr(other, name))

    @staticmethod
    def of(data: dict[str, Any]) -> Tally:
        return Tally(**data | {name: Counter(data.get(name, ())) for name in COUNTED})


# -- playing --------------------------------------------------------------------------------------------------------


def work(job: Job) -> Tally:
    """In a worker: play some games of a pair, and count."""
    out = Tally()
    setting = Setting(bounds.RIVALS if job.rivals else bounds.BOTS, job.pair.packs)
    names = {} if job.rivals else {c["card"]: c["name"] for c in cards_of(job.pair.packs) if c["pack"] == job.pair.pack}
    for number in job.numbers:
        r = play(setting, number, detail=not job.rivals)
        if r.error:
            out.failed.append(f"{'rivals' if job.rivals else 'schemers'} {number}: {r.error}")
        if job.rivals:
            out.contests += 1
            out.won += any(r.bots[s] == bounds.RIVALS[0] for s in r.winners)
        else:
            _count(out, r, names)
    return out


def _count(out: Tally, r: Record, names: dict[int, str]) -> None:
    out.games += 1
    if r.error:
        return
    out.rounds.append(r.rounds)
    out.longest = max(out.longest, r.turns)
    out.deaths += sum(r.deaths)
    for card, _, how, _, held, played, fate in r.cards:
        name = names.get(card)
        if name is None:
            continue
        out.seen[name] += 1
        if how != KICKED or held:
            out.hands[name] += 1
            out.kept[name] += fate == IN_HAND
            out.used[name] += bool(played) or fate == SOLD


def expansions() -> list[str]:
    """What can be shuffled into a box: all sets that are none, and have a card in a deck."""
    boxes = base_boxes()
    sets = [p for p in known_packs() if p not in boxes]
    return [p for p in sets if any(not c.outside and c.kind != "accessory" for c in read_pack(find_pack(p)).cards)]


class Kept:
    """The tallies of pairs on disk, each in a file for exactly these cards."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._paths: dict[Pair, Path] = {}

    def path(self, pair: Pair) -> Path:
        if pair not in self._paths:
            self._paths[pair] = self.home / f"{pair.box}+{pair.pack}-{library(pair.packs).hash[:12]}.json"
        return self._paths[pair]

    def read(self, pair: Pair) -> Tally:
        path = self.path(pair)
        return Tally.of(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else Tally()

    def write(self, pair: Pair, tally: Tally) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        write_text(self.path(pair), json.dumps(vars(tally), ensure_ascii=False) + "\n")


def jobs(pair: Pair, there: Tally, games: int, contests: int) -> Iterator[Job]:
    """What is missing to so many games of either sort."""
    for rivals, done, wanted in ((False, there.games, games), (True, there.contests, contests)):
        for first in range(done, wanted, BATCH):
            yield Job(pair, rivals, tuple(range(first, min(first + BATCH, wanted))))


def measure(pairs: Sequence[Pair], games: int, contests: int, workers: int, kept: Kept) -> dict[Pair, Tally]:
    """Play what is missing of all pairs; each is written down as soon as some of its games are done."""
    out = {pair: kept.read(pair) for pair in pairs}
    todo = [job for pair in pairs for job in jobs(pair, out[pair], games, contests)]
    many = min(workers or farm.cores(), max(1, len(todo)))
    found = map(work, todo) if many <= 1 else crew.in_order(work, todo, many)
    told = _Progress(sum(len(job.numbers) for job in todo))
    for job, tally in zip(todo, found, strict=True):
        out[job.pair].add(tally)
        kept.write(job.pair, out[job.pair])
        told.add(len(job.numbers), str(job.pair))
    return out


class _Progress:
    """A line on stderr now and then."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self.began = self.told = time.monotonic()

    def add(self, n: int, what: str) -> None:
        self.done += n
        now = time.monotonic()
        if now - self.told < PATIENCE and self.done < self.total:
            return
        self.told = now
        left = (now - self.began) / self.done * (self.total - self.done)
        line = f"{self.done:,} of {self.total:,} games, about {left / 60:.0f} min left; {what}"
        print(line, file=sys.stderr, flush=True)


# -- the page -------------------------------------------------------------------------------------------------------


def never_left(tally: Tally) -> list[str]:
    """Cards that came into hands often enough, and were in one at the end of every game."""
    return sorted(c for c, n in tally.hands.items() if n >= FEWEST and tally.kept[c] == n)


def never_seen(pair: Pair, tally: Tally) -> list[str]:
    """Doors and Treasures of the expansion that never came to anybody."""
    return sorted(name for name in _printed(pair) if not tally.seen[name])


@cache
def _printed(pair: Pair) -> frozenset[str]:
    """The cards of the expansion that are in one of the two decks."""
    lib = library(pair.packs)
    mine = [d for c, d in enumerate(lib.defs) if d.pack == pair.pack and c not in lib.origin and not d.outside]
    return frozenset(d.name for d in mine if d.deck in (DOOR, TREASURE))


def outside(pair: Pair, tally: Tally) -> list[str]:
    """What is out of bounds, each a sentence."""
    out = [f"A game came to no end: {f}" for f in tally.failed]
    if len(tally.rounds) >= FEWEST and not ROUNDS[0] <= median(tally.rounds) <= ROUNDS[1]:
        out.append(f"The median game takes {median(tally.rounds):.1f} rounds, not {ROUNDS[0]:g} to {ROUNDS[1]:g}.")
    if tally.longest > TURNS:
        out.append(f"The longest game has {tally.longest} turns, which is more than {TURNS}.")
    _, high = wilson(tally.won, tally.contests)
    if tally.contests and high < bounds.BETTER:
        out.append(f"A schemer wins only {tally.won / tally.contests:.0%} against three greedy players.")
    return out + [f"{card} has come into hands and never left one." for card in never_left(tally)]


def page(results: dict[Pair, Tally]) -> str:
    """All pairs in one table, then what is to be said about them."""
    lines = [
        "# The shelf",
        "",
        "Each expansion with each box, by the box's rules and with as many Doors as the books recommend, between "
        f"{len(bounds.BOTS)} schemers. Made by `python -m kickdoor.lab.pairs -o docs/shelf.md`.",
        "",
        "| expansion | box | games | stuck | rounds, median | longest, turns | deaths a game | never left a hand "
        "| never seen | schemer against three greedy |",
        "|" + " --- |" * 10,
        *(_row(pair, tally) for pair, tally in results.items() if tally.games),
        "",
        f"Bounds: no game without an end; median {ROUNDS[0]:g} to {ROUNDS[1]:g} rounds; none beyond {TURNS} turns; no "
        f"card of the expansion that has come into hands {FEWEST} times and never left one; a schemer wins at least "
        f"{bounds.BETTER:.0%} against three greedy players, as far as so many games can tell (95%).",
        "",
    ]
    said = [f"- {pair}: {s}" for pair, tally in results.items() for s in outside(pair, tally)]
    lines += ["## Out of bounds", "", *(said or ["Nothing."]), "", "## Never seen", ""]
    unseen = [f"- {pair}: {', '.join(names)}." for pair, t in results.items() if (names := never_seen(pair, t))]
    lines += [*(unseen or ["Every Door and Treasure of every expansion came to somebody."]), ""]
    lines += [
        "## Seldom used",
        "",
        f"Played or sold out of fewer than {SELDOM:.0%} of the hands it came into, in all boxes together:",
    ]
    return "\n".join([*lines, "", *(seldom(results) or ["None."]), ""])


def seldom(results: dict[Pair, Tally]) -> list[str]:
    """Cards that bots keep, or give away, where they might have played them: a line for each expansion."""
    by_pack: dict[str, Tally] = {}
    for pair, tally in results.items():
        by_pack.setdefault(pair.pack, Tally()).add(tally)
    out = []
    for pack, t in by_pack.items():
        found = sorted((t.used[c] / n, c) for c, n in t.hands.items() if t.used and n >= FEWEST)
        said = [f"{card} ({share:.0%})" for share, card in found if share < SELDOM]
        out += [f"- {pack}: {', '.join(said)}."] if said else []
    return out


def _row(pair: Pair, t: Tally) -> str:
    low, high = wilson(t.won, t.contests)
    better = f"{t.won / t.contests:.0%} ({low:.0%} to {high:.0%}), {t.contests}" if t.contests else "not played"
    ended = len(t.rounds)
    cells = (
        pair.pack,
        pair.box,
        f"{t.games:,}",
        str(len(t.failed)),
        f"{median(t.rounds):.1f}" if t.rounds else "",
        str(t.longest),
        f"{t.deaths / ended:.2f}" if ended else "",
        str(len(never_left(t))),
        str(len(never_seen(pair, t))),
        better,
    )
    return f"| {' | '.join(cells)} |"


# -- the command ----------------------------------------------------------------------------------------------------


def _named(said: str, known: Sequence[str], what: str) -> list[str]:
    words = [w.strip() for w in said.split(",") if w.strip()] or list(known)
    for word in words:
        if word not in known:
            raise LabError(f"{word!r} is no {what}; there are: {', '.join(known)}")
    return words


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.pairs`."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.pairs", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--packs", default="", metavar="P,Q", help="expansions (default: all)")
    parser.add_argument("--boxes", default="", metavar="P,Q", help="boxes (default: all)")
    parser.add_argument(
        "-n", type=command.whole(1), default=GAMES, metavar="GAMES", help=f"of four schemers (default {GAMES})"
    )
    parser.add_argument(
        "--arena", type=command.whole(0), metavar="GAMES", help="of one schemer and three greedy (default: a third)"
    )
    parser.add_argument(
        "--workers", type=command.whole(0), default=0, metavar="W", help="processes (default: one per core)"
    )
    parser.add_argument("--home", type=Path, default=HOME, metavar="FOLDER", help=f"what is kept (default {HOME})")
    parser.add_argument("--page", action="store_true", help="play nothing: the page from what has been measured")
    parser.add_argument("-o", type=Path, metavar="FILE", help="write the page there instead of to the screen")
    args = parser.parse_args(argv)
    games, contests = (0, 0) if args.page else (args.n, args.n // 3 if args.arena is None else args.arena)
    try:
        boxes, packs = _named(args.boxes, base_boxes(), "box"), _named(args.packs, expansions(), "expansion")
        pairs = [Pair(pack, box) for pack in packs for box in boxes]
        results = measure(pairs, games, contests, args.workers, Kept(args.home))
        if not any(t.games for t in results.values()):
            raise LabError(f"nothing has been measured yet for these cards under {args.home}")
    except (LabError, ReadingError) as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    except crew.WorkerDied:
        print("error: a worker process died; run it again to go on, perhaps with fewer --workers", file=sys.stderr)
        return 2
    text = page(results)
    if args.o is None:
        print(text)
    else:
        write_text(args.o, written(args.o, text))
    return 1 if any(outside(pair, tally) for pair, tally in results.items()) else 0


if __name__ == "__main__":
    sys.exit(command.run(main))
