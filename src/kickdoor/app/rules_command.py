"""`kickdoor rules`: the rulebook, its search, and which scenarios show what."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kickdoor import rulebook
from kickdoor.app.cards_command import show_scenarios
from kickdoor.app.terminal import Parser, as_json, columns, complain, console, say
from kickdoor.cards.reading import ReadingError
from kickdoor.rulebook import Chapter, Rule, RuleError
from kickdoor.scenario import coverage as cov

EPILOG: Final = """\
  kickdoor rules                              the chapters
  kickdoor rules COMBAT                       a chapter
  kickdoor rules COMBAT-31                    a rule, with the scenarios that show it
  kickdoor rules search "steal in combat"     the rules that a question is about
  kickdoor rules coverage [CHAPTER...]        each rule and how its scenarios went
"""
COLOURS: Final = {"pass": "green", "fail": "bold red", "missing": "yellow", "open": "yellow", "not_applicable": "dim"}


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "rules",
        help="read and search the rulebook; what shows each rule",
        description="The rulebook, in our own words and under stable ids.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _options(parser)
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="WHAT", help="an id, a chapter, `search TEXT` or `coverage`"
    )
    parser.set_defaults(run=run)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="search: how many rules (10)")
    parser.add_argument("--failing", action="store_true", help="coverage: only what fails, is missing or still open")
    parser.add_argument(
        "--scenarios", type=Path, metavar="DIR", help="where the scenarios are (default: scenarios/ here or above)"
    )


def _words(args: argparse.Namespace) -> list[str]:
    """What was asked; options may stand between the words, as in `coverage --json COMBAT`."""
    parser = Parser(prog="kickdoor rules", epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    _options(parser)
    parser.add_argument("asked", nargs="*", metavar="WHAT")
    asked: list[str] = parser.parse_intermixed_args(args.words, args).asked
    return asked


def run(args: argparse.Namespace) -> int:
    words = _words(args)
    try:
        if not words:
            return _contents(args.json)
        if words[0] == "search":
            return _search(" ".join(words[1:]), args)
        if words[0] == "coverage":
            return _coverage([w.upper() for w in words[1:]], args)
        return _pages(words, args)
    except (RuleError, ReadingError) as e:
        return complain(e)


# -- reading ------------------------------------------------------------------------------------------------------


def _contents(for_programs: bool) -> int:
    chapters = rulebook.chapters()
    if for_programs:
        as_json([{"id": c.id, "title": c.title, "about": c.about, "rules": len(c.rules)} for c in chapters])
        return 0
    columns([(c.id, c.title, str(len(c.rules))) for c in chapters], ("chapter", "title", "rules"), right=(2,))
    rules = [r for c in chapters for r in c.rules]
    readings = sum(r.reading for r in rules)
    console().print(f"{len(rules) - readings} rules and {readings} readings in {len(chapters)} chapters.")
    return 0


def _pages(words: list[str], args: argparse.Namespace) -> int:
    found: list[Rule | Chapter] = [_find(word) for word in words]
    folders = _folders(args.scenarios)
    if args.json:
        pages = [_page(f, folders) if isinstance(f, Rule) else _chapter_data(f) for f in found]
        as_json(pages[0] if len(pages) == 1 else pages)
        return 0
    for i, one in enumerate(found):
        if i:
            console().print()
        if isinstance(one, Rule):
            _show_rule(one, folders)
        else:
            _show_chapter(one)
    return 0


def _find(word: str) -> Rule | Chapter:
    """A rule or a chapter, in whatever case it is asked for."""
    id = word.upper()
    if id.rpartition("-")[2].isdecimal():
        return rulebook.rule(id)
    try:
        return rulebook.chapter(id)
    except RuleError as e:
        hint = f"the nearest: {', '.join(e.nearest)}" if e.nearest else f'try: kickdoor rules search "{word}"'
        raise ReadingError(f"no rule or chapter {word!r}; {hint}") from None


def _page(rule: Rule, folders: list[Path]) -> dict[str, Any]:
    return {**_rule_data(rule), "scenarios": cov.showing(rule.id, folders)}


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "chapter": rule.chapter,
        "says": rule.says,
        "detail": rule.detail,
        "see": list(rule.see),
        "same_as": list(rule.same_as),
    }


def _chapter_data(chapter: Chapter) -> dict[str, Any]:
    rules = [_rule_data(r) for r in chapter.rules]
    return {"id": chapter.id, "title": chapter.title, "about": chapter.about, "rules": rules}


def _show_rule(rule: Rule, folders: list[Path]) -> None:
    out = console()
    out.print(Text.assemble((rule.id, "bold"), (f"  {rulebook.chapter(rule.chapter).title}", "dim")))
    _indented(rule.says)
    if rule.detail:
        out.print()
        _indented(rule.detail)
    see = tuple(id for id in rule.see if id not in rule.same_as)  # what says the same is listed once
    for title, ids in (("See", see), ("Same as", rule.same_as)):
        if ids:
            out.print()
            out.print(Text(title, "bold"))
        for id in ids:
            _entry(id, rulebook.rule(id).says)
    show_scenarios(cov.showing(rule.id, folders))


def _show_chapter(chapter: Chapter) -> None:
    out = console()
    out.print(Text.assemble((chapter.id, "bold"), f"  {chapter.title}"))
    out.print(Text(chapter.about, "dim"))
    out.print()
    for rule in chapter.rules:
        _entry(rule.id, rule.says, indent=0)


def _indented(text: str) -> None:
    console().print(Padding(Text(text), (0, 0, 0, 2), expand=False))


def _entry(id: str, says: str, indent: int = 2) -> None:
    _hanging(Text(" " * indent + id, "bold"), Text(says))


def _hanging(*cells: Text) -> None:
    """One line; where a terminal has to wrap it, the last part stays in its column."""
    if not sys.stdout.isatty():
        say("  ".join(cell.plain for cell in cells))
        return
    row = Table.grid(padding=(0, 2, 0, 0))
    for _ in cells[:-1]:
        row.add_column(no_wrap=True)
    row.add_column(overflow="fold")
    row.add_row(*cells)
    console().print(row)


# -- searching ----------------------------------------------------------------------------------------------------


def _search(text: str, args: argparse.Namespace) -> int:
    if not text.strip():
        return complain('search for what? kickdoor rules search "steal in combat"')
    found = rulebook.search(text, max(1, args.limit))
    if args.json:
        as_json([{"score": round(score, 3), **_rule_data(rule)} for score, rule in found])
    elif not found:
        console().print(f"No rule speaks of {text!r}.")
    for _, rule in found if not args.json else ():
        _entry(rule.id, rule.says, indent=0)
    return 0 if found else 1


# -- coverage -----------------------------------------------------------------------------------------------------


def _folders(given: Path | None) -> list[Path]:
    """The scenarios of the project (or those given) and of the packs."""
    if given is not None and not given.is_dir():
        raise ReadingError(f"{given}: no such folder")
    home = given or cov.home()
    return [*([home] if home else []), *cov.pack_scenarios()]


def _coverage(chapters: list[str], args: argparse.Namespace) -> int:
    for id in chapters:
        rulebook.chapter(id)
    report = cov.coverage(_folders(args.scenarios), chapters)
    for line in report.unknown:
        say(f"kickdoor: under shows: {line}", err=True)
    listed = [*report.rules, *(report.readings if chapters else ())]
    rules = [r for r in listed if not args.failing or r.status in ("fail", "missing", "open")]
    if args.json:
        as_json([asdict(r) for r in rules])
    else:
        for r in rules:
            _show_coverage(r)
        _show_counts(cov.counts(report.rules), "rules")
        _show_counts(cov.counts(report.readings), "readings")
        _show_refusals(list(report.refusals.values()))
    return 1 if any(r.status == "fail" for r in (*report.rules, *report.readings)) else 0


def _show_coverage(r: cov.Coverage) -> None:
    status = Text(f"{r.status.replace('_', ' '):<14}", COLOURS[r.status])
    _hanging(status, Text(f"{r.id:<11}", "bold"), Text(rulebook.rule(r.id).says))
    for line in (*([r.reason] if r.reason else ()), *r.scenarios):
        _hanging(Text(" " * 14), Text(line, "dim"))


def _show_refusals(counted: list[dict[str, int]]) -> None:
    """How the refusals that scenarios assert name their rules."""
    total = {how: sum(c.get(how, 0) for c in counted) for how in cov.NAMED}
    parts = ", ".join(f"{n} {how.replace('_', ' ')}" for how, n in total.items())
    console().print(Text(f"{sum(total.values())} refusals, their rule named: {parts}", "bold"))


def _show_counts(counts: dict[str, int], of: str) -> None:
    """How many of the rules there are, or of the readings, which are listed only where they are asked for."""
    total = sum(counts.values())
    parts = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in counts.items())
    if total:
        console().print(Text(f"{total} {of}: {parts}", "bold"))
