"""`kickdoor journal`: look through a server's journal, write tables out, read them in."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kickdoor.app.lab_options import meter
from kickdoor.app.terminal import as_json, plural, say
from kickdoor.paper import plain

if TYPE_CHECKING:
    from kickdoor.server.journal import Journal

EPILOG: Final = """\
  kickdoor journal check                                   is everything there, and as it was written?
  kickdoor journal check --play postgresql://...           ... and does every game follow from its entries?
  kickdoor journal export --out tables.jsonl.gz            a backup, also while the server runs
  kickdoor journal export --table abcdefghjk --out t.jsonl --replays .      one table, and its replays beside it
  kickdoor journal import tables.jsonl.gz --into NEW_FOLDER                 nothing is ever written over

A journal is a file, a folder with a journal.sqlite, or postgresql://...; without one it is that of `kickdoor serve`.
Status 0: all is well; 1: something is damaged, or was not read in; 2: it could not be done. See docs/hosting.md.
"""
_BECAME: Final = {
    "new": "read in",
    "same": "was there already",
    "older": "was there already, and goes further there",
    "differs": "NOT read in: there is another table of that name",
    "empty": "NOT read in: nothing of it is good",
}


def register(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    p = sub.add_parser(
        "journal",
        help="check a server's journal, export and import tables",
        description="Look through a server's journal, write tables out to a file, read them in.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = p.add_subparsers(title="what to do", metavar="WHAT", required=True)
    check = what.add_parser("check", help="is everything there, and as it was written?")
    check.add_argument("journal", nargs="?", default="", help="file, folder, or postgresql://...")
    check.add_argument("--play", action="store_true", help="also play everything again, which takes longer")
    check.set_defaults(run=run_check)
    export = what.add_parser("export", help="write tables out to one file")
    export.add_argument("journal", nargs="?", default="", help="file, folder, or postgresql://...")
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .jsonl, or .jsonl.gz to be smaller")
    export.add_argument("--table", action="append", default=[], metavar="ID", help="only this one (several: again)")
    export.add_argument("--replays", type=Path, metavar="FOLDER", help="also write each finished game as a replay")
    export.add_argument("--force", action="store_true", help="replace the file if it is there")
    export.set_defaults(run=run_export)
    bring = what.add_parser("import", help="read tables in from such files; what is there stays as it is")
    bring.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what was exported, or archived")
    bring.add_argument("--into", default="", metavar="JOURNAL", help="file, folder, or postgresql://...")
    bring.set_defaults(run=run_import)
    for each in (check, export, bring):
        each.add_argument("--json", action="store_true", help="for programs")


def where(said: str) -> str:
    """The journal that is meant: an address, or the path of a file."""
    from kickdoor.app import serving
    from kickdoor.server.addresses import is_database

    if is_database(said):
        return said
    path = Path(said) if said else serving.data_folder()
    return str(path / serving.JOURNAL if path.is_dir() or (not path.suffix and not path.is_file()) else path)


@contextlib.asynccontextmanager
async def _opened(url: str, looking: bool) -> AsyncIterator[Journal]:
    from kickdoor.server.journals import open_journal

    journal = open_journal(url, "kickdoor journal", "", looking, beside=not looking)
    await journal.open()
    try:
        yield journal
    finally:
        await journal.close()


def _run(work: Coroutine[Any, Any, int]) -> int:
    from kickdoor.server.journal import Damaged, Lost

    try:
        return asyncio.run(work)
    except (Lost, Damaged) as e:
        raise ValueError(str(e)) from None


def run_check(args: argparse.Namespace) -> int:
    return _run(_check(args, where(args.journal)))


async def _check(args: argparse.Namespace, url: str) -> int:
    from kickdoor.server import housekeeping

    bad: list[housekeeping.Looked] = []
    tables = entries = 0
    async with _opened(url, looking=True) as journal:
        flaws = await journal.flaws()
        names = [name async for name in housekeeping.names(journal)]
        with meter(len(names), "tables") as bar:
            for name in names:
                looked = await housekeeping.look(journal, name, args.play)
                tables, entries = tables + 1, entries + looked.entries
                if looked.damage:
                    bad.append(looked)
                bar.add(1)
        version = journal.version
    if args.json:
        damaged = [{"table": x.table, "good": x.entries, "damage": x.damage} for x in bad]
        told = {"journal": _shown(url), "version": version, "tables": tables, "entries": entries}
        as_json({**told, "good": not bad and not flaws, "flaws": flaws, "damaged": damaged})
    else:
        for flaw in flaws:
            say(f"the file itself: {flaw}")
        for x in bad:
            say(f"table {x.table}: good up to entry {x.entries}; then {x.damage}")
        age = "" if version > 1 else " (of an earlier version, without checks: only gaps would show)"
        say(f"{plural(tables, 'table')} with {entries} entries{age}: {_verdict(len(bad), bool(flaws))}")
    return 1 if bad or flaws else 0


def _verdict(bad: int, flaws: bool) -> str:
    if not bad and not flaws:
        return "all is well."
    return f"{plural(bad, 'table')} damaged. What is good of them can be saved with `kickdoor journal export`."


def _shown(url: str) -> str:
    """An address without who uses it, and without a password wherever it stands."""
    head, at, tail = url.rpartition("@")
    return plain.discreet(f"{head.split('://')[0]}://...@{tail}" if at and "://" in head else url)


def run_export(args: argparse.Namespace) -> int:
    url = where(args.journal)
    if args.out.exists() and not args.force:
        raise ValueError(f"{args.out} is there already. Name another file, or say --force to replace it.")
    if _same(args.out, url):
        raise ValueError(f"{args.out} is the journal itself, and stays. Name another file.")
    try:
        return _run(_export(args, url))
    except OSError as e:
        raise ValueError(f"{e.filename or args.out} cannot be written: {e.strerror}") from None


def _same(out: Path, url: str) -> bool:
    """Is this file the journal? An address is no file."""
    with contextlib.suppress(OSError):
        return out.samefile(url)
    return False


async def _export(args: argparse.Namespace, url: str) -> int:
    from kickdoor.server import housekeeping, portable

    bad: list[portable.Told] = []
    replays = 0
    async with _opened(url, looking=True) as journal:
        chosen = args.table or [name async for name in housekeeping.names(journal)]
        with portable.Writer(args.out) as out, meter(len(chosen), "tables") as bar:
            for name in chosen:
                bar.add(1)
                told = await housekeeping.told(journal, name)
                if not told.entries and name in args.table:
                    raise ValueError(f"there is no table {name} in this journal, or nothing of it is good.")
                if told.damage == portable.NO_NAME:
                    bad.append(told)
                    continue
                out.add(told)
                if args.replays is not None:
                    try:
                        replays += housekeeping.write_replays(args.replays, told)
                    except housekeeping.Untold as e:
                        told = told._replace(damage=told.damage or f"no replays: {e}")
                if sum(map(len, told.entries)) > portable.TABLE_BYTES:
                    told = told._replace(damage=f"{portable.TOO_LARGE}, and would not be read in again")
                if told.damage:
                    bad.append(told)
    if args.json:
        damaged = [{"table": x.table, "good": len(x.entries), "damage": x.damage} for x in bad]
        told_ = {"file": str(args.out), "tables": out.tables, "entries": out.entries, "replays": replays}
        as_json({**told_, "damaged": damaged})
    else:
        for x in bad:
            say(f"table {x.table}: only up to entry {len(x.entries)}; then {x.damage}")
        say(f"{args.out}: {plural(out.tables, 'table')} with {out.entries} entries.")
        if args.replays is not None:
            say(f"{args.replays}: {plural(replays, 'replay')}.")
    return 1 if bad else 0


def run_import(args: argparse.Namespace) -> int:
    return _run(_import(args, where(args.into)))


async def _import(args: argparse.Namespace, url: str) -> int:
    from kickdoor.server import housekeeping, portable

    became: list[housekeeping.Brought] = []
    partly: dict[str, str] = {}
    problems: list[str] = []
    async with _opened(url, looking=False) as journal:
        for path in args.files:
            try:
                for told in portable.read(path):
                    if told.damage in portable.UNREAD:
                        problems.append(f"{path}: table {told.table} is not read in: {told.damage}")
                    else:
                        became.append(await housekeeping.bring(journal, told))
                        if told.damage and became[-1].what == "new":
                            partly[told.table] = told.damage
            except portable.PortableError as e:
                problems.append(str(e))
    refused = [b for b in became if b.what in ("differs", "empty")]
    if args.json:
        tables = [
            {"table": b.table, "entries": b.entries, "what": b.what, "damage": partly.get(b.table, "")} for b in became
        ]
        as_json({"journal": _shown(url), "tables": tables, "problems": problems})
    else:
        for b in became:
            if b.what != "new" or len(became) < 20:
                say(f"table {b.table} ({plural(b.entries, 'entry').replace('entrys', 'entries')}): {_BECAME[b.what]}")
        new = sum(b.what == "new" for b in became)
        say(f"{_shown(url)}: {plural(new, 'table')} read in, {len(became) - new - len(refused)} were there already.")
        for table, damage in partly.items():
            say(f"table {table}: that is all that was good of it when it was written out; then {damage}")
        for problem in problems:
            say(f"kickdoor: {problem}", err=True)
    return 1 if refused or problems else 0
