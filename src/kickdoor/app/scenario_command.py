"""`kickdoor scenario`: run scenarios, one line each."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.text import Text

from kickdoor.app.terminal import as_json, complain, console, say
from kickdoor.cards.reading import ReadingError, read_documents
from kickdoor.scenario.checks import show
from kickdoor.scenario.citing import Citation
from kickdoor.scenario.coverage import run_all
from kickdoor.scenario.runner import Outcome, find_files


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "scenario",
        help="run scenarios: positions, moves, and what must be true",
        description="Run every scenario in these files and folders and say how each went.",
        epilog="Exit code: 0 if all pass, 1 if any fails, 2 if something cannot be read or makes no sense.",
    )
    parser.add_argument(
        "--from",
        dest="source",
        metavar="SAVE_OR_REPLAY[@MOVE]",
        help="run nothing: write the position of a saved game, or of a replay after so many moves, as a scenario",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER", help="default: scenarios/")
    parser.add_argument("--json", action="store_true", help="one JSON object a line, for programs")
    parser.add_argument("-v", "--verbose", action="store_true", help="also the rules shown, and the step that failed")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.source is not None:
        return _write(args)
    code, files = _files(args.paths or [Path("scenarios")])
    if not files:
        return code or complain(f"no scenarios under {', '.join(map(str, args.paths)) or 'scenarios/'}")
    tell = _tell_programs if args.json else _tell_people
    tally = {"passed": 0, "failed": 0, "broken": 0}
    for outcomes in run_all(files):
        for o in outcomes:
            tally["passed" if o.passed else "broken" if o.broken else "failed"] += 1
            tell(o, args.verbose)
    if not args.json:
        _close(tally)
    return 2 if code or tally["broken"] else 1 if tally["failed"] else 0


def _write(args: argparse.Namespace) -> int:
    """`--from`: any position of a game as a scenario."""
    from kickdoor.app.positions import find
    from kickdoor.scenario.writing import as_yaml, document

    if args.paths:
        return complain("--from writes one position; there is nothing to run beside it")
    found = find(args.source)
    doc = document(found.game, found.history, found.title)
    if args.json:
        as_json({"from": str(found.path), "move": found.move, "scenario": doc}, None)
    else:
        say(as_yaml(doc), end="")
    return 0


def _files(paths: list[Path]) -> tuple[int, list[Path]]:
    """The files to run, and 2 if some path leads nowhere."""
    code, files = 0, []
    for path in paths:
        try:
            files += list(find_files([path]))
        except ReadingError as e:
            code = complain(e)
    return code, list(dict.fromkeys(files))


def _tell_programs(o: Outcome, verbose: bool) -> None:
    step = None if o.passed else o.step
    because = None if o.passed else o.because
    row: dict[str, Any] = {"file": o.file, "scenario": o.scenario, "passed": o.passed, "step": step, "because": because}
    if by_equivalence := [asdict(c) for c in equivalent_hits(o)]:
        row["by_equivalence"] = by_equivalence
    if o.unrolled:
        row["unrolled"] = o.unrolled
    as_json(row, None)


def _tell_people(o: Outcome, verbose: bool) -> None:
    out = console()
    if o.passed:
        waits = f"  (dice that nobody rolled: {o.unrolled})" if o.unrolled else ""
        line = Text.assemble(("ok    ", "green"), o.scenario, (waits, "yellow"))
    else:
        mark = ("ERROR ", "bold magenta") if o.broken else ("FAIL  ", "bold red")
        step = f"step {o.step}: " if o.step else ""
        line = Text.assemble(mark, o.scenario, (f"  {o.file}:{o.line}: ", "dim"), f"{step}{o.because}")
    out.print(line, soft_wrap=True)
    if verbose:
        _details(o)


def _details(o: Outcome) -> None:
    out = console()
    if o.shows:
        out.print(Text(f"      shows {', '.join(o.shows)}", "dim"), soft_wrap=True)
    for c in equivalent_hits(o):
        told = f"      step {c.step}: refused by {c.cited}, which says the same as {c.wanted}"
        out.print(Text(told, "yellow"), soft_wrap=True)
    step = _written(o)
    if step is not None:
        out.print(Text(f"      step {o.step}: {show(step)}"), soft_wrap=True)


def equivalent_hits(o: Outcome) -> list[Citation]:
    """The refusals that cited another rule than the one named, which says the same."""
    return [c for c in o.citations if c.named == "by_equivalence"]


def _written(o: Outcome) -> Any:
    """The step at which a scenario failed, as its file has it."""
    if o.passed or not o.step:
        return None
    try:
        for data, lines in read_documents(Path(o.file)):
            if lines.get(("steps", o.step - 1)) == o.line:
                return data["steps"][o.step - 1]
    except ReadingError:
        return None
    return None


def _close(tally: dict[str, int]) -> None:
    """The closing count."""
    total = sum(tally.values())
    parts = [f"{tally['passed']} passed"]
    if tally["failed"]:
        parts.append(f"{tally['failed']} failed")
    if tally["broken"]:
        parts.append(f"{tally['broken']} could not be understood")
    style = "green" if tally["passed"] == total else "bold red"
    console().print(Text(f"{total} scenario{'' if total == 1 else 's'}: {', '.join(parts)}", style))
    sys.stdout.flush()
