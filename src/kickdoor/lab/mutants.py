"""Are the scenarios worth anything? Change the rules in small ways and see whether a scenario notices.

    python -m kickdoor.lab.mutants -n 500 --seed 1        500 changes over the chapters, on all cores
    python -m kickdoor.lab.mutants --module charity       every change to one chapter
    python -m kickdoor.lab.mutants --json -n 100          the same as one JSON object

Each change (`mutations`) is made in a process of its own, forked from one that has all packs compiled; then the
scenarios that go through the changed statement are run, the shortest first, until one fails: as they are written, and
once more with somebody else in the first seat. A change is killed if a scenario fails, breaks, leaves a table that
cannot be (`engine.invariants`), or does not come to an end. Survivors are rules that no scenario shows, or changes that
make no difference.

Why none of the tools there are: mutmut and cosmic-ray, by what they say of themselves, choose and run tests of pytest,
cosmic-ray as a command for each mutant. Here the unit is one document of a YAML file, thousands of them take seconds,
and most of the time of a fresh process would go into compiling packs. So the code of one function is exchanged
(`grafting`) in a program that is warm already, and a change that is noticed costs a twentieth of a second.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import os
import random
import re
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from multiprocessing import connection, get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, Final

import yaml

from kickdoor import COMPILED
from kickdoor.cards.reading import documents
from kickdoor.lab import command
from kickdoor.lab.grafting import graft, probes, watched
from kickdoor.lab.mutations import HOME, Change, changes, chapters, source_of
from kickdoor.scenario import run_text
from kickdoor.scenario.runner import find_files

ROOT: Final = HOME.parents[2]
KEPT: Final = ROOT / "build" / "mutants"
GOAL: Final = 0.9
LEAST: Final = 4  # changes of each chapter in a sample
SECONDS: Final = 3.0  # of processor time; the longest scenario needs a tenth of that
MEMORY: Final = 2 << 30  # more than a program that keeps growing may take
CORES: Final = os.cpu_count() or 1


@dataclass(frozen=True)
class Story:
    """One scenario, as text."""

    file: str
    line: int
    title: str
    shows: frozenset[str]
    text: str
    turned: bool = False  # from another seat

    def passes(self) -> bool:
        """Does it hold, and is the table after every move one that can be?"""
        with watched() if self.whole else nullcontext():
            return self._holds()

    @property
    def key(self) -> str:
        return hashlib.blake2b(f"{self.file}\n{self.text}".encode(), digest_size=8).hexdigest()

    @property
    def whole(self) -> bool:
        """Is the whole game on the table? Not where a deck holds only what is written."""
        return "decks: exact" not in self.text

    def _holds(self) -> bool:
        text = from_another_seat(self.text, self.file) if self.turned else self.text
        outcomes = run_text(text, self.file)
        exactly = all(c.named != "by_equivalence" for o in outcomes for c in o.citations)  # another reason is a change
        return bool(outcomes) and exactly and all(o.clean for o in outcomes)

    def __str__(self) -> str:
        whence = " (from another seat)" if self.turned else ""
        return f"{os.path.relpath(self.file, ROOT)}:{self.line}: {self.title}{whence}"


@dataclass(frozen=True)
class Verdict:
    """What became of a change."""

    change: Change
    killer: str  # the scenario that noticed; empty for a survivor
    how: str
    ran: int  # runs until it was noticed
    touching: int  # runs of scenarios that go through the statement, from one seat or the other

    @property
    def killed(self) -> bool:
        return bool(self.killer)


# -- scenarios --------------------------------------------------------------------------------------------------

_TITLE: Final = re.compile(r"^scenario: *(.*)$", re.M)
_SHOWS: Final = re.compile(r"^shows: *(\[[^\]]*\]|(?:\n? +- .*)+)", re.M)
_EXAMPLE: Final = re.compile(r"^```yaml scenario\n(.*?)^```", re.M | re.S)
_RULE: Final = re.compile(r"[A-Z][A-Z-]+-\d+")


def homes() -> list[Path]:
    """Where scenarios lie: with the project, and with packs."""
    return [ROOT / "scenarios", *sorted((HOME.parent / "packs").glob("*/scenarios"))]


def stories(paths: Sequence[Path] = ()) -> Iterator[Story]:
    """The scenarios of these files and folders, one by one; unless given, of all, and of the documentation."""
    for path in find_files(list(paths) or homes()):
        yield from _told(path, path.read_text(encoding="utf-8"), 1)
    for page in sorted((ROOT / "docs").glob("*.md")) if not paths else ():
        text = page.read_text(encoding="utf-8")
        for block in _EXAMPLE.finditer(text):
            yield from _told(page, block[1], text.count("\n", 0, block.start(1)) + 1)


def _told(path: Path, whole: str, line: int) -> Iterator[Story]:
    for text in re.split(r"(?m)^---.*\n", whole):
        if title := _TITLE.search(text):
            shows = _SHOWS.search(text)
            rules = frozenset(_RULE.findall(shows[1])) if shows else frozenset()
            yield Story(str(path), line, title[1].strip("\"'"), rules, text)
        line += text.count("\n") + 1


def from_another_seat(text: str, file: str) -> str:
    """The same scenario at the same table, where somebody else has the first seat: nothing may depend on that."""
    ((data, _),) = documents(text, file)
    table = data.get("table") or {}
    names = list(table.get("players") or ())
    if len(names) < 2 or table.get("deal"):  # what is dealt, and who begins, goes by the seats
        return text
    table.setdefault("turn", names[0])
    table["players"] = {name: table["players"][name] for name in (*names[1:], names[0])}
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


# -- who goes where ---------------------------------------------------------------------------------------------


class Map:
    """Which scenarios go through which statements of the rules; kept in `build/` from one run to the next."""

    def __init__(self) -> None:
        self.path = KEPT / f"touched-{fingerprint()}.json"
        kept = json.loads(self.path.read_text()) if self.path.exists() else {"places": [], "ways": {}}
        self.places: list[str] = kept["places"]  # "chapter:line"
        self.ways = {key: int(bits, 16) for key, bits in kept["ways"].items()}  # a bit for each place; 0: of no use

    def draw(self, told: Sequence[Story]) -> None:
        """Run every scenario that is new and look where it goes; those that do not pass are of no use."""
        number = {place: i for i, place in enumerate(self.places)}
        names = chapters()
        with probes() as hits:
            for story in told:
                hits.clear()
                passed = not _noticed(story)
                way = 0
                for chapter, line in hits if passed else ():
                    way |= 1 << number.setdefault(f"{names[chapter]}:{line}", len(number))
                self.ways[story.key] = way
        self.places = list(number)

    def keep(self) -> None:
        KEPT.mkdir(parents=True, exist_ok=True)
        ways = {key: f"{way:x}" for key, way in self.ways.items()}
        self.path.write_text(json.dumps({"places": self.places, "ways": ways}))

    def new(self, told: Sequence[Story]) -> list[Story]:
        return [s for s in told if s.key not in self.ways]

    def through(self, change: Change, told: Sequence[Story]) -> list[Story]:
        """Those that reach the changed statement."""
        place = f"{change.module}:{change.statement}"
        if place not in self.places:
            return []
        i = self.places.index(place)
        return [s for s in told if self.ways[s.key] >> i & 1]


def fingerprint() -> str:
    """Of everything but the scenario that decides where it goes."""
    h = hashlib.blake2b(digest_size=8)
    files = [p for room in ("engine", "cards", "packs", "scenario") for p in sorted((HOME.parent / room).rglob("*.*"))]
    for p in files:
        if p.suffix == ".py" or (p.suffix == ".yaml" and "scenarios" not in p.parts):
            h.update(p.read_bytes())
    return h.hexdigest()


def kept_map(told: Sequence[Story], show: bool) -> Map:
    """The map of all these scenarios."""
    where = Map()
    if new := where.new(told):
        if show:
            print(f"Looking where {len(new)} scenarios go ...", file=sys.stderr, flush=True)
        where.draw(new)
        where.keep()
    return where


# -- trials -----------------------------------------------------------------------------------------------------


def attempt(change: Change, told: Sequence[Story], out: Any) -> None:
    """In a process of its own: make the change, run scenarios until one fails, say which."""
    at, how = 0, ""

    def too_long(*_: object) -> None:
        out.send((at, "does not end"))
        os._exit(0)

    signal.signal(signal.SIGPROF, too_long)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    graft(change)
    for at, story in enumerate(told):  # noqa: B007 - `too_long` reads `at`
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        if how := _noticed(story):
            break
    signal.setitimer(signal.ITIMER_PROF, 0)
    out.send((at, how) if how else (-1, ""))


def _noticed(story: Story) -> str:
    """How a scenario takes the change; empty if it does not mind."""
    try:
        return "" if story.passes() else "fails"
    except BaseException as e:
        return f"breaks: {type(e).__name__}"


Trial = tuple[Change, Sequence[Story]]


def trials(queue: Sequence[Trial], processes: int = 1) -> Iterator[Verdict]:
    """Try every change against its scenarios; verdicts come as they are found."""
    fork = get_context("fork")
    left = list(reversed(queue))
    running: dict[Any, tuple[ForkProcess, Trial]] = {}
    gc.freeze()  # what is there now need not be copied for the sake of the garbage collector
    while left or running:
        while left and len(running) < processes:
            change, told = left.pop()
            ours, theirs = fork.Pipe(duplex=False)
            worker = fork.Process(target=attempt, args=(change, told, theirs))
            worker.start()
            theirs.close()
            running[ours] = (worker, (change, told))
        for ready in connection.wait(list(running)):
            worker, (change, told) = running.pop(ready)
            verdict = _verdict(ready, change, told)
            worker.join()
            if worker.exitcode == 1:
                raise RuntimeError(f"{change.place}: {change.old!r} to {change.new!r} leaves no program")
            yield verdict
    gc.unfreeze()


def _verdict(ours: Any, change: Change, told: Sequence[Story]) -> Verdict:
    try:
        at, how = ours.recv()
    except EOFError:  # the process is gone: out of memory, or of stack
        at, how = 0, "breaks the program"
    ours.close()
    if at < 0 or not told:
        return Verdict(change, "", "", len(told), len(told))
    return Verdict(change, str(told[at]), how, at + 1, len(told))


# -- samples ----------------------------------------------------------------------------------------------------


def sample(n: int, seed: int, modules: Sequence[str] = ()) -> list[Change]:
    """That many changes at random, each chapter by its size but with a few at least; 0 for all."""
    rng = random.Random(seed)
    found = {m: changes(m) for m in modules or chapters()}
    total = sum(len(x) for x in found.values())
    if n <= 0 or n >= total:
        return [c for x in found.values() for c in x]
    out: list[Change] = []
    rest: list[Change] = []
    for some in found.values():
        rng.shuffle(some)
        sure = min(len(some), max(min(LEAST, n // len(found)), n * len(some) // total))
        out += some[:sure]
        rest += some[sure:]
    rng.shuffle(rest)
    out += rest[: max(0, n - len(out))]
    rng.shuffle(out)  # so that a run that is stopped has seen something of everything
    return out[:n]


# -- report -----------------------------------------------------------------------------------------------------


def shares(verdicts: Sequence[Verdict]) -> dict[str, tuple[int, int]]:
    """Killed and tried, by chapter."""
    out: dict[str, tuple[int, int]] = {}
    for v in verdicts:
        killed, tried = out.get(v.change.module, (0, 0))
        out[v.change.module] = killed + v.killed, tried + 1
    return out


def as_diff(change: Change) -> list[str]:
    """The line as it was and as it would be."""
    raw = source_of(change.module).encode()
    first = raw.rfind(b"\n", 0, change.start) + 1
    last = raw.find(b"\n", change.end)
    old = raw[first:last].decode()
    new = (raw[first : change.start] + change.new.encode() + raw[change.end : last]).decode()
    return [f"- {' '.join(old.split())}", f"+ {' '.join(new.split())}"]


def report(verdicts: Sequence[Verdict]) -> str:
    lines = []
    for module, (killed, tried) in sorted(shares(verdicts).items(), key=lambda x: (x[1][0] / x[1][1], x[0])):
        lines.append(f"{module:20} {killed:4} of {tried:4} killed  {killed / tried:5.0%}")
    survivors = sorted((v for v in verdicts if not v.killed), key=lambda v: (v.change.module, v.change.start))
    if survivors:
        lines += ["", "Survivors:"]
    for v in survivors:
        lines.append(f"{v.change.place}: {v.change.function}: {v.change.kind}, {v.touching // 2} scenarios ran it")
        lines += [f"    {x}" for x in as_diff(v.change)]
    killed = len(verdicts) - len(survivors)
    share = killed / len(verdicts) if verdicts else 0
    lines += ["", f"{killed} of {len(verdicts)} changes were noticed, {share:.1%}."]
    return "\n".join(lines)


def as_json(verdicts: Sequence[Verdict], seed: int) -> str:
    chapters_ = {m: {"killed": k, "tried": n} for m, (k, n) in sorted(shares(verdicts).items())}
    told = [
        {**asdict(v.change), "killer": v.killer, "how": v.how, "ran": v.ran, "touching": v.touching, "killed": v.killed}
        for v in verdicts
    ]
    return json.dumps({"seed": seed, "chapters": chapters_, "changes": told}, indent=1)


def _progress(done: Sequence[Verdict], n: int, seconds: float) -> None:
    killed = sum(v.killed for v in done)
    text = f"{len(done)} of {n} changes, {killed} killed, about {seconds / len(done) * (n - len(done)):.0f} s left"
    if sys.stderr.isatty():
        print(f"\r{text:<90}", end="\n" if len(done) == n else "", file=sys.stderr, flush=True)
    elif len(done) == n or len(done) % max(1, n // 20) == 0:
        print(text, file=sys.stderr, flush=True)


def run(picked: Sequence[Change], processes: int, cap: int = 0, show: bool = True) -> list[Verdict]:
    """Try these changes against the scenarios that go through them."""
    told = list(stories())
    where = kept_map(told, show)
    warm = {re.sub(r"\s", "", "".join(re.findall(r"(?m)^packs:.*$", s.text))): s for s in told}
    for story in warm.values():  # the packs of every mix are compiled before the first fork
        story.passes()
    told.sort(key=lambda s: where.ways[s.key].bit_count())  # the shortest first
    queue = []
    for change in picked:
        through = where.through(change, told)
        through = through[:: max(1, len(through) // cap)][:cap] if cap else through  # short ones and long ones
        queue.append((change, [*through, *(replace(s, turned=True) for s in through)]))
    done: list[Verdict] = []
    began = time.monotonic()
    try:
        for v in trials(queue, processes):
            done.append(v)
            if show:
                _progress(done, len(queue), time.monotonic() - began)
    except KeyboardInterrupt:
        print("\nStopped: what is known by now.", file=sys.stderr)
    return done


def main(argv: Sequence[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="python -m kickdoor.lab.mutants", description=__doc__.split("\n", 1)[0])
    p.add_argument("-n", type=int, default=0, metavar="N", help="how many changes (default: all)")
    p.add_argument("--seed", type=int, default=1, metavar="S", help="of the sample (default 1)")
    p.add_argument("--module", action="append", choices=chapters(), metavar="M", help="only this chapter; repeatable")
    p.add_argument("--cap", type=int, default=0, metavar="N", help="scenarios per change at most (default: no limit)")
    p.add_argument("--processes", type=int, default=CORES, metavar="P", help="default: one per core")
    p.add_argument("--json", action="store_true", help="everything, as one JSON object")
    args = p.parse_args(argv)
    if COMPILED:
        p.error("the engine is compiled; its functions cannot be exchanged. Use the sources.")
    picked = sample(args.n, args.seed, args.module or ())
    verdicts = run(picked, max(1, args.processes), args.cap)
    if args.json:
        print(as_json(verdicts, args.seed))
    else:
        print(f"Sample of {len(picked)} changes, seed {args.seed}.\n\n{report(verdicts)}")
    return 0 if verdicts and sum(v.killed for v in verdicts) >= GOAL * len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(command.run(main))
