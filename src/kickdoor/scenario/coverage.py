"""Running many scenarios, guarded and in parallel, and saying which rules they show.

A scenario that makes no sense, breaks something or never ends is an outcome like any other: the rest still runs.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from kickdoor.cards import packs
from kickdoor.cards.reading import DOCUMENTS, ReadingError, documents, read_documents
from kickdoor.paper.files import read_text
from kickdoor.paper.helpers import deaf, helps
from kickdoor.paper.plain import one_line
from kickdoor.rulebook import Rule, RuleError, all_rules, rule
from kickdoor.scenario.runner import Outcome, find_files, run_text

SECONDS: Final = 60.0  # a scenario takes milliseconds; the engine counts its steps, so this is for loops inside one
MANY: Final = 6  # from this many files on, it pays to start other processes
NAMED: Final = ("exactly", "by_equivalence", "unnamed")
NOT_APPLICABLE: Final = "not_applicable.yaml.d"
OPEN: Final = "open.yaml.d"

Status = Literal["pass", "fail", "missing", "open", "not_applicable"]


class NeverEnds(Exception):
    """Raised inside a scenario that has run for too long."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what runs inside after so many seconds, also an endless loop, by raising NeverEnds in this thread."""
    thread = ctypes.c_ulong(threading.get_ident())
    stop = ctypes.pythonapi.PyThreadState_SetAsyncExc
    watch = threading.Timer(seconds, stop, (thread, ctypes.py_object(NeverEnds)))
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
        stop(thread, None)


# -- one file -----------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """One document of a file, and the line it begins on."""

    first: int
    text: str


def split(text: str) -> Iterator[Part]:
    """The documents of a YAML file: a mistake in one does not keep the others from running."""
    lines = text.splitlines()
    start = 0
    for end in [i for i, line in enumerate(lines) if re.match(r"---(\s|$)", line)] + [len(lines)]:
        part = lines[start:end]
        if any(line.split("#")[0].strip() not in ("", "---", "...") and line[0] != "%" for line in part):
            yield Part(start + 1, "\n".join(part) + "\n")
            start = end


def run_scenarios(path: Path, seconds: float = SECONDS) -> list[Outcome]:
    """Every scenario of a file, whatever happens in one of them; a file that cannot be read is raised."""
    parts = list(islice(split(read_text(path)), DOCUMENTS + 1))
    if len(parts) > DOCUMENTS:
        raise ReadingError(f"{path}:{parts[-1].first}: a file has at most {DOCUMENTS:,} scenarios; make several of it")
    return [outcome for part in parts for outcome in run_part(part, str(path), seconds)]


def run_part(part: Part, name: str, seconds: float = SECONDS) -> list[Outcome]:
    """The one scenario of a document, whatever happens in it."""
    try:
        with limited(seconds):
            found = run_text(part.text, name, part.first)
    except NeverEnds:
        found = [_guess(part, name, f"it did not come to an end within {seconds:g} seconds")]
    except ReadingError as e:
        found = [_guess(part, name, str(e), broken=True)]
    except Exception as e:
        found = [_broken(part, name, e)]
    for outcome in found:
        if not outcome.passed:
            _place(outcome, part)
    return found


def _guess(part: Part, name: str, because: str, broken: bool = False) -> Outcome:
    """An outcome for a scenario that was never read to the end."""
    title = re.search(r"^scenario:[ \t]*(.*?)[ \t]*$", part.text, re.M)
    called = one_line(title[1].strip("'\""))[:200] if title else "(no title)"
    line = part.first + len(part.text) - len(part.text.lstrip("\n"))
    return Outcome(name, called, False, 0, because, line=line, broken=broken)


def _broken(part: Part, name: str, error: Exception) -> Outcome:
    """Something went wrong inside: the scenario's fault if its words could not be read, else the engine's."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "kickdoor" in Path(f.filename).parts]
    last = frames[-1] if frames else None
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if last is not None and Path(last.filename).parent.name == "scenario":
        return _guess(part, name, f"something here is not written as it should be ({what})", broken=True)
    where = f" at {Path(last.filename).name}:{last.lineno}" if last else ""
    return _guess(part, name, f"the engine broke: {what}{where}")


_PLACE: Final = re.compile(r"^.*?:(\d+): ")


def _place(outcome: Outcome, part: Part) -> None:
    """Make the line that of the step that failed, or the one that the message names."""
    if outcome.because.startswith(f"{outcome.file}:"):
        named = _PLACE.match(outcome.because)
        if named:
            outcome.line, outcome.because = int(named[1]), outcome.because[named.end() :]
        return
    if not outcome.step:
        return
    for _, lines in documents(part.text, outcome.file, part.first):
        outcome.line = lines.get(("steps", outcome.step - 1), outcome.line)


# -- many files ---------------------------------------------------------------------------------------------------


def run_all(files: Sequence[Path], seconds: float = SECONDS) -> Iterator[list[Outcome]]:
    """The outcomes of each file in order, on all processors if there are many files."""
    work = partial(run_readable, seconds=seconds)
    processors = os.cpu_count() or 1
    if len(files) < MANY or processors == 1:
        yield from map(work, files)
        return
    with ProcessPoolExecutor(min(processors, len(files)), initializer=helps) as pool:
        with deaf():
            outcomes = pool.map(work, files)
        yield from outcomes


def run_readable(path: Path, seconds: float) -> list[Outcome]:
    """As `run_scenarios`, but a file that cannot be read is an outcome too."""
    try:
        return run_scenarios(path, seconds)
    except ReadingError as e:
        found = _PLACE.match(str(e)) if str(e).startswith(f"{path}:") else None
        because = str(e)[found.end() :] if found else str(e).removeprefix(f"{path}: ")
        line = int(found[1]) if found else 1
        return [Outcome(str(path), "(the whole file)", False, 0, because, line=line, broken=True)]


# -- what shows which rule ----------------------------------------------------------------------------------------


@dataclass
class Coverage:
    """What there is to show one rule."""

    id: str
    status: Status
    scenarios: list[str] = field(default_factory=list)
    reason: str = ""
    refusals: dict[str, int] = field(default_factory=dict)  # asserted: how often its id was named, and how


@dataclass
class Report:
    """All rules, what is wrong with other names under `shows:`, how refusals were named, and the readings apart."""

    rules: list[Coverage]
    unknown: list[str]
    refusals: dict[str, dict[str, int]]
    readings: list[Coverage] = field(default_factory=list)


def home() -> Path | None:
    """The folder `scenarios` of the current directory, of one above it, or of the checkout this runs from."""
    here = Path.cwd()
    for folder in (here, *here.parents, packs.HOME.parents[2]):
        if (folder / "scenarios" / NOT_APPLICABLE).is_dir():
            return _near(folder / "scenarios")
    return Path("scenarios") if Path("scenarios").is_dir() else None


def pack_scenarios() -> list[Path]:
    """The scenarios that come with the packs."""
    return [_near(folder) for folder in sorted(packs.HOME.glob("*/scenarios"))]


def _near(path: Path) -> Path:
    """As written from here, where that is shorter."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def scenario_files(folders: Sequence[Path], ids: Sequence[str] = ()) -> list[Path]:
    """The files under these folders, only those that speak of a rule or chapter (`COMBAT-`) in `ids`, if any."""
    files = list(find_files([f for f in folders if f.exists()]))
    if not ids:
        return files
    word = re.compile("|".join(rf"(?<![\w-]){re.escape(id)}" + ("" if id.endswith("-") else r"(?!\d)") for id in ids))
    return [path for path in files if word.search(_words_of(path))]


def _words_of(path: Path) -> str:
    try:
        return read_text(path)
    except ReadingError:
        return ""  # whoever runs it is told


def showing(id: str, folders: Sequence[Path]) -> list[str]:
    """The scenarios that show a rule (or a card, `pack:Card`), as `file:line title`, without running them."""
    found: list[str] = []
    for path in scenario_files(folders, [id]):
        try:
            for data, lines in read_documents(path):
                if isinstance(data, dict) and id in (data.get("shows") or ()):
                    found.append(f"{path}:{lines.get((), 1)} {one_line(str(data.get('scenario')))}")
        except ReadingError:
            continue
    return found


def not_applicable(folders: Sequence[Path]) -> dict[str, str]:
    """Why some rules have no scenario: lists of {id, reason} in `not_applicable.yaml.d/`."""
    return {str(e["id"]): str(e["reason"]) for e in _entries(folders, NOT_APPLICABLE, ("id", "reason"))}


def still_open(folders: Sequence[Path]) -> dict[str, str]:
    """What is not yet as some rules have it: lists of {id, pack, cards, reason} in `open.yaml.d/`.

    A rule that says how many cards there are is shown by counting them: it is open as long as its pack has fewer.
    """
    found: dict[str, str] = {}
    for entry in _entries(folders, OPEN, ("id", "pack", "cards", "reason")):
        held = sum(card.copies for card in packs.read_pack(packs.find_pack(str(entry["pack"]))).cards)
        if held < int(entry["cards"]):
            found[str(entry["id"])] = f"{held} of {entry['cards']} cards are in {entry['pack']}: {entry['reason']}"
    return found


def _entries(folders: Sequence[Path], name: str, keys: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The entries of the lists in the folders of that name, each with exactly these keys."""
    for folder in folders:
        for path in sorted((folder / name).glob("*.yaml")):
            for data, lines in read_documents(path):
                for i, entry in enumerate(data if isinstance(data, list) else [data]):
                    if not isinstance(entry, dict) or set(entry) != set(keys):
                        form = ", ".join(f"{key}: ..." for key in keys)
                        raise ReadingError(f"{path}:{lines.get((i,), 1)}: an entry is {{{form}}}")
                    yield entry


def coverage(folders: Sequence[Path], chapters: Sequence[str] = ()) -> Report:
    """Run the scenarios under these folders and say for each rule (of these chapters) how it is shown."""
    asked = [r for r in all_rules() if not chapters or r.chapter in chapters]
    settled = {id for r in asked if r.reading for id in r.see}
    reasons, unfinished = not_applicable(folders), still_open(folders)
    shown: dict[str, list[Outcome]] = {}
    refusals: dict[str, dict[str, int]] = {}
    speaking_of = [*(f"{c}-" for c in chapters), *settled] if chapters else []
    for outcomes in run_all(scenario_files(folders, speaking_of)):
        for outcome in outcomes:
            for citation in outcome.citations:
                of = refusals.setdefault(citation.wanted or citation.cited, {})
                of[citation.named] = of.get(citation.named, 0) + 1
            for id in dict.fromkeys(outcome.shows):
                shown.setdefault(id, []).append(outcome)
    rules = [
        replace(
            judge(r.id, shown.get(r.id, []), reasons.get(r.id), unfinished.get(r.id)), refusals=refusals.get(r.id, {})
        )
        for r in asked
        if not r.reading
    ]
    readings = [judge(r.id, _shown_reading(r, shown), reasons.get(r.id)) for r in asked if r.reading]
    return Report(rules, sorted({_unknown(id) for id in (*shown, *reasons, *unfinished)} - {""}), refusals, readings)


def _shown_reading(reading: Rule, shown: dict[str, list[Outcome]]) -> list[Outcome]:
    """What shows a reading: scenarios of its own, or else those of the rules that are read so."""
    return shown.get(reading.id) or [o for id in reading.see for o in shown.get(id, [])]


def judge(id: str, outcomes: Sequence[Outcome], reason: str | None, unfinished: str | None = None) -> Coverage:
    """One rule: all its scenarios must pass; without any it is missing, unless there is a reason; some are open yet."""
    names = [f"{o.file}: {o.scenario}" for o in outcomes]
    failed = [o for o in outcomes if not o.passed]
    if failed:
        first = failed[0]
        step = f" step {first.step}" if first.step else ""
        return Coverage(id, "fail", names, f"{first.file}:{first.line}{step}: {first.because}")
    if unfinished is not None:
        return Coverage(id, "open", names, unfinished)
    if outcomes:
        return Coverage(id, "pass", names)
    if reason is not None:
        return Coverage(id, "not_applicable", [], reason)
    return Coverage(id, "missing")


def _unknown(id: str) -> str:
    """What is wrong with a name under `shows:`, if anything: a rule, or a card as `pack:Card`."""
    pack, colon, card = id.partition(":")
    homes = packs.members([pack])
    if colon and set(homes) <= set(packs.known_packs()):
        names = frozenset().union(*(packs.card_names(p) for p in homes))
        return "" if card.lower() in names else f"no card {card!r} in {pack}"
    try:
        rule(id)
    except RuleError as e:
        return str(e)
    return ""


def counts(rules: Sequence[Coverage]) -> dict[str, int]:
    """How many rules have each status."""
    out: dict[str, Any] = {"pass": 0, "fail": 0, "missing": 0, "open": 0, "not_applicable": 0}
    for r in rules:
        out[r.status] += 1
    return out
