"""Whole journals: looked through, written out to a file, read in from one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from kickdoor.paper.files import UNREADABLE, write_bytes
from kickdoor.paper.plain import short
from kickdoor.server import chain, counter_entries, replays
from kickdoor.server import entries as en
from kickdoor.server.journal import Damaged, Journal, Stale
from kickdoor.server.names import is_counter, is_name
from kickdoor.server.portable import NO_NAME, Told
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble

_SOME: Final = 200


class Looked(NamedTuple):
    """A table that was looked through: how many entries are good, and what is wrong after them."""

    table: str
    entries: int
    damage: str


class Brought(NamedTuple):
    """What became of a table that was to be read in: `new`, `same`, `older` (what is there goes further), `differs`."""

    table: str
    entries: int
    what: str


class Untold(ValueError):
    """A table whose entries are whole, and yet make no story: those after the first `good`."""

    def __init__(self, says: str, good: int) -> None:
        super().__init__(says)
        self.good = good


async def names(journal: Journal) -> AsyncIterator[str]:
    """All tables, by name."""
    after = ""
    while True:
        some = await journal.names(after, _SOME)
        for name in some:
            yield name
        if not some:
            return
        after = some[-1]


async def told(journal: Journal, table: str) -> Told:
    """A table as far as it is good. Of a file that was handed in, or is damaged, it may be called anything."""
    if not is_name(table):
        return Told(short(table), [], [], NO_NAME)
    try:
        found = chain.account(table, await journal.held(table))
    except Damaged as e:
        return Told(table, [], [], str(e))
    return Told(table, *found)


async def look(journal: Journal, table: str, play: bool = False) -> Looked:
    """Is everything there and as it was written? With `play`, is it a story that can be told again, too?"""
    found = await told(journal, table)
    if not found.damage:
        try:
            _understood(found, play)
        except Untold as e:
            return Looked(table, e.good, str(e))
    return Looked(table, len(found.entries), found.damage)


def _understood(found: Told, play: bool) -> None:
    """Raises Untold."""
    if not is_counter(found.table):
        _followed(found, play)
        return
    try:
        counter_entries.told(found.entries)
    except UNREADABLE as e:
        raise Untold(f"it is whole, but this version does not understand it ({e})", len(found.entries)) from None


def _followed(found: Told, play: bool = True) -> tuple[Table, list[en.Entry]]:
    """A table's entries, and with `play` the table that they come to. Raises Untold."""
    t = Table(found.table)
    entries: list[en.Entry] = []
    for n, raw in enumerate(found.entries, 1):
        try:
            entries.append(en.unpack(raw))
        except UNREADABLE as e:
            raise Untold(f"entry {n} is whole, but this version does not understand it ({e})", n - 1) from None
        try:
            if play:
                t.take(entries[-1])
        except Exception as e:
            raise Untold(f"entry {n} is whole, but does not follow from those before it ({e})", n - 1) from None
    return t, entries


async def bring(journal: Journal, found: Told) -> Brought:
    """Read a table in, unless there is one of that name: nothing is ever written over."""
    held = await journal.held(found.table)
    if held.rows or held.last is not None or held.broken:
        there = chain.account(found.table, held).entries
        return Brought(found.table, len(found.entries), _compared(there, found.entries))
    if not found.entries:
        return Brought(found.table, 0, "empty")
    try:
        await journal.create(found.table, found.entries)
    except Stale:
        return Brought(found.table, len(found.entries), "differs")
    await journal.release(found.table)
    return Brought(found.table, len(found.entries), "new")


def _compared(there: list[bytes], new: list[bytes]) -> str:
    if there == new:
        return "same"
    return "older" if there[: len(new)] == new else "differs"


def games(found: Told) -> Iterator[tuple[int, replays.Replay | Trouble]]:
    """The replays of the games of a table; for one that is not over, why there is none. Raises Untold."""
    if is_counter(found.table):
        return
    t, entries = _followed(found)
    for number in range(1, t.games + 1):
        try:
            yield number, replays.record(t, entries, number)
        except Trouble as e:
            yield number, e


def write_replays(folder: Path, found: Told) -> int:
    """Each finished game of a table as a file of its own, for `kickdoor verify` and for keeps."""
    done = 0
    for number, replay in games(found):
        if isinstance(replay, replays.Replay):
            write_bytes(folder / f"{found.table}-{number}.json", msgspec.json.encode(replay))
            done += 1
    return done
