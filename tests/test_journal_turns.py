"""What the tables write in one turn of the loop goes to the disk together, and each is told of its own."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

from kickdoor.server.journal import Stale
from kickdoor.server.journal_sqlite import Job, SqliteJournal

TABLES = [f"table{i}" for i in range(5)]


class Counted(SqliteJournal):
    """Notes how many jobs were written at a time."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.commits: list[int] = []

    def _commit(self, db: sqlite3.Connection, jobs: list[Job]) -> None:
        if jobs:
            self.commits.append(len(jobs))
        super()._commit(db, jobs)


def told(path: Path, story: Any) -> None:
    async def inside() -> None:
        journal = Counted(str(path / "j.sqlite"))
        await journal.open()
        try:
            await story(journal)
        finally:
            await journal.close()

    asyncio.run(asyncio.wait_for(inside(), 60))


def test_one_commit_for_what_comes_in_one_turn(tmp_path: Path) -> None:
    async def story(journal: Counted) -> None:
        leases = [await journal.create(t, [b"one"]) for t in TABLES]
        journal.commits.clear()
        await asyncio.gather(*(journal.append(lease, 1, [b"two", b"three"]) for lease in leases))
        assert journal.commits == [len(TABLES)]
        assert [await journal.last(t) for t in TABLES] == [3] * len(TABLES)

    told(tmp_path, story)


def test_what_is_wrong_with_one_is_told_to_that_one_alone(tmp_path: Path) -> None:
    async def story(journal: Counted) -> None:
        leases = [await journal.create(t, [b"one"]) for t in TABLES]
        after = [1, 1, 7, 1, 1]
        done = await asyncio.gather(
            *(journal.append(lease, n, [b"two"]) for lease, n in zip(leases, after, strict=True)),
            return_exceptions=True,
        )
        assert [type(x) for x in done] == [type(None), type(None), Stale, type(None), type(None)]
        assert [await journal.last(t) for t in TABLES] == [2, 2, 1, 2, 2]

    told(tmp_path, story)


def test_what_was_asked_for_in_the_turn_of_the_closing_is_written(tmp_path: Path) -> None:
    async def story(journal: Counted) -> None:
        lease = await journal.create(TABLES[0], [b"one"])
        writing = asyncio.ensure_future(journal.append(lease, 1, [b"two"]))
        await asyncio.sleep(0)
        await journal.close()
        await writing
        looking = SqliteJournal(journal.path, looking=True)
        await looking.open()
        assert await looking.last(TABLES[0]) == 2
        await looking.close()

    told(tmp_path, story)
