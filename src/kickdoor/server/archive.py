"""Where tables go that nobody has touched for long: a file each, which can be read, verified and brought back."""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path
from typing import Final, NamedTuple

from kickdoor.server import portable
from kickdoor.server.chain import Account
from kickdoor.server.journal import Archived
from kickdoor.server.names import is_name
from kickdoor.server.portable import PortableError, Told
from kickdoor.server.trouble import Trouble

DAY: Final = 86400.0
KEEP: Final = 90 * DAY
_UNITS: Final = {"h": 3600.0, "d": DAY, "w": 7 * DAY, "y": 365 * DAY}


class Attic(NamedTuple):
    """The folder of archived tables, and after how many seconds a table goes there (None: never)."""

    folder: Path
    keep: float | None = KEEP

    def path(self, table: str, nth: int = 1) -> Path:
        """Where a table goes, for the first time or the second: nothing in the archive is written over."""
        if not is_name(table):
            raise ValueError(f"{table!r} is no table's name")
        return self.folder / (f"{table}.jsonl.gz" if nth == 1 else f"{table}.{nth}.jsonl.gz")

    def store(self, table: str, found: Account) -> Path:
        """Write a table out; it is safe on disk afterwards."""
        if sum(map(len, found.entries)) > portable.TABLE_BYTES:
            raise ValueError(portable.TOO_LARGE)  # it could not be read again
        last = self._last(table)
        if last and _holds(self.path(table, last), table, found.entries):
            return self.path(table, last)  # it was written, and the server died before it was out of the journal
        path = self.path(table, last + 1)
        with portable.Writer(path) as out:
            out.add(Told(table, found.entries, found.checks, found.damage))
        return path

    def fetch(self, table: str) -> list[bytes] | None:
        """The entries of a table that was put away, if its file is here. Raises PortableError if it is damaged."""
        last = self._last(table)
        return _entries(self.path(table, last), table) if last else None

    def _last(self, table: str) -> int:
        """How often a table was put away, by the files that are here."""
        again = (p.name.removeprefix(f"{table}.").removesuffix(".jsonl.gz") for p in self.folder.glob(f"{table}.*.gz"))
        times = [int(n) for n in again if n.isdecimal()]
        return max(times, default=1 if self.path(table).is_file() else 0)


def _entries(path: Path, table: str) -> list[bytes] | None:
    return next((told.entries for told in portable.read(path) if told.table == table), None)


def _holds(path: Path, table: str, entries: list[bytes]) -> bool:
    with contextlib.suppress(PortableError, OSError):
        return _entries(path, table) == entries
    return False


def seconds(text: str) -> float | None:
    """`90d`, `12h`, `2w`, `1y` in seconds; `forever` is None. Raises ValueError."""
    if text == "forever":
        return None
    found = re.fullmatch(r"(\d{1,6})([hdwy])", text.strip())
    if found is None or int(found[1]) == 0:
        raise ValueError(f"{text!r} is no time to keep tables for. Say 90d, 12h, 2w, 1y, or forever")
    return int(found[1]) * _UNITS[found[2]]


def put_away(away: Archived) -> Trouble:
    """What the link of such a table says."""
    day = ""
    with contextlib.suppress(OverflowError, OSError, ValueError):  # a damaged number is no day
        day = time.strftime(" on %d %B %Y", time.gmtime(away.at)).replace(" 0", " ")
    return Trouble(
        "archived",
        f"Nobody had touched this table for long, so it was put into the archive{day}. The replay of a game that "
        "was over can still be looked at; whoever runs this server can bring the table back "
        f"(kickdoor journal import {Path(away.file).name}).",
    )
