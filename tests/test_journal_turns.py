"""What the tables write in one turn of the loop goes to the disk together, and each is told of its own."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from kickdoor.server.flushing import PAUSE, QUICK, SHARE, Flushes
from kickdoor.server.journal import Stale
from kickdoor.server.journal_sqlite import Answer, Job, SqliteJournal

TABLES = [f"table{i}" for i in range(5)]


class Counted(SqliteJournal):
    """Notes how many jobs were written at a time."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.commits: list[int] = []
        self.by: list[str] = []  # the threads that wrote

    def _written(self, db: sqlite3.Connection, jobs: list[Job]) -> list[Answer]:
        self.commits.append(len(jobs))
        self.by.append(threading.current_thread().name)
        return super()._written(db, jobs)


class Patient(Flushes):
    """For whom no disk is slow: beside other work a flush may take as long as anywhere."""

    def took(self, seconds: float, now: float) -> None:
        pass


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


def test_the_loop_writes_what_is_small_while_the_disk_is_quick(tmp_path: Path) -> None:
    async def story(journal: Counted) -> None:
        lease = await journal.create("table1", [b"one"])
        assert journal.by == ["journal"]
        journal._flushes = Patient()
        await journal.append(lease, 1, [b"two"])
        await journal.snapshot("table1", 2, b"short")
        assert journal.by[1:] == [threading.current_thread().name] * 2
        journal._flushes = Flushes()
        for _ in range(20):
            journal._flushes.took(3 * QUICK, time.monotonic())  # as a slow disk does
        await journal.append(lease, 2, [b"three"])
        assert journal.by[3:] == ["journal"]

    told(tmp_path, story)


def test_nobody_waits_in_the_loop_for_another_program(tmp_path: Path) -> None:
    async def story(journal: Counted) -> None:
        lease = await journal.create("table1", [b"one"])
        with closing(sqlite3.connect(tmp_path / "j.sqlite", isolation_level=None)) as other:
            other.execute("begin immediate")
            writing = asyncio.ensure_future(journal.append(lease, 1, [b"two"]))
            while not journal._using.locked():  # then the thread waits for it, and the loop goes round
                await asyncio.sleep(0.01)
            assert not writing.done()
            other.execute("commit")
        await writing
        assert journal.by == ["journal", "journal"]
        assert await journal.last("table1") == 2

    told(tmp_path, story)


def test_a_disk_is_slow_where_most_flushes_are() -> None:
    flushes = Flushes()
    for n in range(1000):
        flushes.took(QUICK * 8 if n % 4 == 0 else QUICK / 5, 1.0)
    assert flushes.are_quick(1.0)
    for _ in range(20):
        flushes.took(QUICK * 3, 1.0)
    assert not flushes.are_quick(1.0 + PAUSE / 2)
    assert flushes.are_quick(1.0 + PAUSE)


def test_a_disk_that_hangs_holds_the_loop_up_once() -> None:
    flushes = Flushes()
    for _ in range(100):
        flushes.took(QUICK / 5, 1.0)
    flushes.took(3.0, 4.0)
    assert not flushes.are_quick(4.0 + 3 * SHARE - 1)
    assert flushes.are_quick(4.0 + 3 * SHARE)


def test_what_the_loop_cannot_write_the_thread_looks_into(tmp_path: Path) -> None:
    async def story(journal: Counted) -> None:
        journal._flushes = Patient()
        leases = [await journal.create(t, [b"one"]) for t in TABLES[:2]]
        journal.by.clear()
        wrong = journal.append(leases[0], 7, [b"two"])
        right = journal.append(leases[1], 1, [b"two"])
        done = await asyncio.gather(wrong, right, return_exceptions=True)
        assert [type(x) for x in done] == [Stale, type(None)]
        assert journal.by == [threading.current_thread().name, "journal"]
        assert [await journal.last(t) for t in TABLES[:2]] == [1, 2]

    told(tmp_path, story)
