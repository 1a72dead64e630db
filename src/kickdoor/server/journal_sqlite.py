"""The journal in a SQLite file: all that waits goes into one commit (WAL, synchronous=FULL).

A thread does what there is to do; but what tables write with every move the loop writes itself, while nothing else is
under way and the disk is quick (`flushing`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import secrets
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from kickdoor.paper.files import ReadingError, must_be_plain, why
from kickdoor.server import chain, sqlite_schema
from kickdoor.server.chain import Account, Held
from kickdoor.server.flushing import Flushes
from kickdoor.server.journal import (
    SCHEMA,
    Archived,
    Checked,
    Damaged,
    Keeper,
    Lease,
    Lost,
    Lying,
    Shortcut,
    Stale,
    lying,
)
from kickdoor.server.sqlite_place import Place
from kickdoor.server.sqlite_schema import HELP, SAID, damaged

log = logging.getLogger("kickdoor.server")

_BATCH: Final = 2000
CHECKPOINT_SECONDS: Final = 2.0
LONG_LOG: Final = 20_000  # pages; a log that is written to all the time would never begin anew by itself
_BUSY_MS: Final = 5000  # that another program may hold the file, while the thread waits for it; the loop does not
_WHY: Final = {
    sqlite3.SQLITE_FULL: "its disk is full",
    sqlite3.SQLITE_READONLY: "its disk cannot be written to",
    sqlite3.SQLITE_IOERR: "its disk does not work as it should",
    sqlite3.SQLITE_CANTOPEN: "the journal's file cannot be opened",
    sqlite3.SQLITE_BUSY: "another program holds the journal's file",
}
_CURES: Final = {
    sqlite3.SQLITE_FULL: "Free some space there, or name another place",
    sqlite3.SQLITE_READONLY: "Look at its permissions, or name another place",
    sqlite3.SQLITE_IOERR: "Look at that disk, or name another place",
    sqlite3.SQLITE_CANTOPEN: "Look at its permissions, or name another place",
    sqlite3.SQLITE_BUSY: "Close the program that holds it",
    sqlite3.SQLITE_NOTADB: "Or its very beginning is damaged: then only a backup helps (docs/hosting.md)",
}
_DISORDER: Final = "the numbers of its entries are in disorder"
Answer = tuple["asyncio.Future[Any]", Any, Exception | None]


def _moved(db: sqlite3.Connection) -> int:
    """What is in the log goes into the file; how many pages the log has."""
    return int(db.execute("pragma wal_checkpoint(passive)").fetchone()[1])


def _begun(db: sqlite3.Connection) -> bool:
    """A transaction, unless another program has one: nobody waits for it here."""
    db.execute("pragma busy_timeout = 0")
    try:
        db.execute("begin immediate")
    except sqlite3.OperationalError:
        return False
    finally:
        db.execute(f"pragma busy_timeout = {_BUSY_MS}")
    return True


class Append(NamedTuple):
    """Entries of one table, and how many there are before them."""

    table: str
    after: int
    entries: list[bytes]


class Job(NamedTuple):
    """Something to do with the file; what only reads does not need the disk to have room. Entries to be written are
    done together with those of other tables, and one by one (`fn`) only where something is wrong with them. What is
    `small` takes no longer than they do."""

    fn: Callable[[sqlite3.Connection], Any]
    done: asyncio.Future[Any]
    writes: bool
    append: Append | None = None
    small: bool = False


class SqliteJournal(Checked):
    """One file, one server. Whoever opens it keeps all its tables; a second server is turned away.

    With `looking` it is only read, beside a server that may be running, and left as it is. With `beside` tables may be
    added to it, also beside a server: it knows nothing of them yet.
    """

    synchronous = "full"

    def __init__(self, path: str, looking: bool = False, beside: bool = False) -> None:
        self.path = path
        self.looking = looking
        self.beside = beside
        self.version = SCHEMA
        self._jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._gathered: list[Job] = []  # in this turn of the loop; the thread is woken once for all of them
        self._thread: threading.Thread | None = None
        self._tidying: threading.Thread | None = None
        self._tidied: sqlite3.Connection | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._place = Place(path)
        self._closing = threading.Event()
        self._db: sqlite3.Connection | None = None
        self._using = threading.Lock()  # the connection, by the thread or by the loop
        self._flushes = Flushes()
        self._disordered: set[str] = set()  # tables in which there was a number that should not have been there
        self._tips: dict[str, tuple[int, bytes]] = {}  # of tables written to: the last number and its check

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self.path != ":memory:":
            self._find_place()
        ready: asyncio.Future[Any] = self._loop.create_future()
        self._thread = threading.Thread(target=self._work, args=(ready,), name="journal", daemon=True)
        self._thread.start()
        try:
            await ready
        except Lost:
            self._place.leave_as_found()
            await self.close()
            raise

    def _find_place(self) -> None:
        """There is a folder, nothing but a file stands in it under this name, and no other server uses it."""
        path = Path(self.path)
        try:
            if path.exists():
                must_be_plain(path, path.stat().st_mode)
            if not self.looking:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._place.take()
        except Lost:
            if not self.beside:
                raise
        except ReadingError as e:
            raise Lost(f"{e}: it cannot be used as a journal") from None
        except OSError as e:
            raise Lost(f"{self.path} cannot be used as a journal: {why(e)}. Name a folder with --data.") from None

    async def close(self) -> None:
        self._closing.set()
        if self._thread is not None:
            self._hand_over()
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        if self._tidying is not None:
            if self._tidied is not None:
                with contextlib.suppress(sqlite3.ProgrammingError):  # it has closed meanwhile
                    self._tidied.interrupt()  # checking a large file may take long
            await asyncio.to_thread(self._tidying.join)
            self._tidying = None
        self._place.leave()

    # -- the writer ---------------------------------------------------------------------------------------------

    def _work(self, ready: asyncio.Future[Any]) -> None:
        """The thread: jobs that are waiting are done in one transaction, and answered when it is on disk."""
        try:
            db = self._connect()
        except Exception as e:  # whatever it is: somebody waits for an answer
            self._answer([(ready, None, Lost(f"{self.path} cannot be used as a journal: {_words(e)}{_cure(e)}"))])
            return
        self._db = db
        self._answer([(ready, None, None)])
        if self.path != ":memory:" and not self.looking:
            self._tidying = threading.Thread(target=self._tidy, name="journal tidying", daemon=True)
            self._tidying.start()
        going = True
        while going:
            jobs, going = self._waiting()
            with self._using:
                done = self._commit(db, [j for j in jobs if j.writes])
            self._answer(done)  # whoever hears of it may write at once
            for job in jobs:
                if not job.writes:
                    with self._using:
                        seen = self._look(db, job)
                    self._answer([seen])
        with self._using:
            self._db = None
            db.close()

    def _waiting(self) -> tuple[list[Job], bool]:
        """All that waits to be done, and whether more may come."""
        jobs: list[Job] = []
        while (some := self._jobs.get()) is not None:
            jobs += some
            if len(jobs) >= _BATCH or self._jobs.empty():
                return jobs, True
        return jobs, False

    def _connect(self) -> sqlite3.Connection:
        if self.looking:
            db = _looking(self.path)
        else:
            db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Nothing is changed in a file before it is known to be a journal: it may be another program's."""
        db.text_factory = _text
        db.execute(f"pragma busy_timeout = {_BUSY_MS}")
        db.execute("pragma cell_size_check = on")  # damage is to be noticed where it is first read
        found = sqlite_schema.version(db)
        if self.looking:
            self.version = found
            if found == 0:
                raise Lost("there is nothing in it")
            return
        if self.beside and not self._place.taken and found != SCHEMA:
            raise Lost("a server of an earlier version is using it. Stop it first")
        db.execute("pragma journal_mode = wal")
        db.execute(f"pragma synchronous = {self.synchronous}")
        db.execute("pragma wal_autocheckpoint = 0")  # a thread of its own does it, so that no move waits for it
        sqlite_schema.make(db)
        self._place.remember()

    def _tidy(self) -> None:
        """Another thread: what has been written is moved from the log into the file, now and then."""
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)) as db:
            db.text_factory = _text
            self._tidied = db  # whoever closes the journal may interrupt it
            with contextlib.suppress(*SAID):
                for (flaw,) in db.execute("pragma quick_check(5)").fetchall():
                    if flaw != "ok":
                        log.error("the journal's file is damaged (%s). %s", " ".join(str(flaw).split()), HELP)
                        break
            while not self._closing.wait(CHECKPOINT_SECONDS):
                with contextlib.suppress(*SAID, Lost):  # busy: next time
                    with self._using:
                        self._place.check()
                    if _moved(db) > LONG_LOG:
                        with self._using:  # what was written meanwhile, too: now the log begins anew
                            _moved(db)

    def _commit(self, db: sqlite3.Connection, jobs: list[Job]) -> list[Answer]:
        """All of them in one transaction. What is wrong with one job is told to that job; a full disk to all."""
        if not jobs:
            return []
        try:
            self._place.check()
        except Lost as e:
            return [(job.done, None, e) for job in jobs]
        try:
            db.execute("begin immediate")
            done = self._written(db, jobs)
            db.execute("commit")
        except Exception:  # which of them was it? Again, one by one
            self._back(db)
            return self._one_by_one(db, jobs)
        return done

    def _written(self, db: sqlite3.Connection, jobs: list[Job]) -> list[Answer]:
        """All of them, in a transaction that is not over yet."""
        self._append_all(db, [job.append for job in jobs if job.append is not None])
        return [(job.done, None if job.append else job.fn(db), None) for job in jobs]

    def _one_by_one(self, db: sqlite3.Connection, jobs: list[Job]) -> list[Answer]:
        done: list[Answer] = []
        try:
            db.execute("begin immediate")
            for job in jobs:
                db.execute("savepoint job")
                try:
                    done.append((job.done, job.fn(db), None))
                except Exception as e:
                    done.append((job.done, None, self._own(e)))
                    self._tips.clear()
                    db.execute("rollback to job")
                db.execute("release job")
            db.execute("commit")
        except SAID as e:
            self._back(db)
            done = [(job.done, None, self._trouble(e)) for job in jobs]
        return done

    def _back(self, db: sqlite3.Connection) -> None:
        """Nothing of it has happened."""
        self._tips.clear()
        if db.in_transaction:
            with contextlib.suppress(*SAID):
                db.execute("rollback")

    def _look(self, db: sqlite3.Connection, job: Job) -> Answer:
        try:
            return job.done, job.fn(db), None
        except Exception as e:
            return job.done, None, self._trouble(e) if isinstance(e, SAID) else e

    def _own(self, e: Exception) -> Exception:
        """What went wrong with one job. Raises it again where it concerns all of them."""
        if isinstance(e, sqlite3.IntegrityError):
            return Stale(str(e))
        if isinstance(e, SAID):
            if not damaged(e):
                raise e
            return self._trouble(e)
        return e

    def _trouble(self, e: Exception) -> Exception:
        if damaged(e):
            return Damaged(f"the journal's file is damaged there ({_words(e)})")
        why = _WHY.get(getattr(e, "sqlite_errorcode", 0) & 0xFF, str(e))
        return Lost(f"the server cannot write down what happens: {why}")

    def _answer(self, done: list[Answer]) -> None:
        if done and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, done)

    # -- the loop -----------------------------------------------------------------------------------------------

    def _do(
        self,
        fn: Callable[[sqlite3.Connection], Any],
        writes: bool = True,
        append: Append | None = None,
        small: bool = False,
    ) -> asyncio.Future[Any]:
        assert self._loop is not None, "the journal is not open"
        future: asyncio.Future[Any] = self._loop.create_future()
        if not self._gathered:
            self._loop.call_later(self._flushes.pause(time.monotonic()), self._hand_over)
        self._gathered.append(Job(fn, future, writes, append, small))
        return future

    def _hand_over(self) -> None:
        """What the tables of this turn have to write, together: the thread would ask for its turn after each of them,
        in the middle of what the others do."""
        jobs, self._gathered = self._gathered, []
        if jobs and not self._written_here(jobs):
            self._jobs.put(jobs)

    def _written_here(self, jobs: list[Job]) -> bool:
        """The loop does it, if that will not take long; all else is the thread's, and so is finding out what is wrong.
        It may overtake what the thread is about to do: other tables' entries, or a shortcut, which is good later, too.
        """
        db = self._db
        quick = self._flushes.are_quick(time.monotonic()) and all(job.small for job in jobs) and self._jobs.empty()
        if db is None or not quick or not self._using.acquire(blocking=False):
            return False
        try:
            self._place.check()
            if not _begun(db):
                return False
            done = self._written(db, jobs)
            began = time.monotonic()
            db.execute("commit")
            now = time.monotonic()
            self._flushes.took(now - began, now)
        except Exception:
            self._back(db)
            return False
        finally:
            self._using.release()
        _resolve(done)
        return True

    def _ask(self, fn: Callable[[sqlite3.Connection], Any]) -> asyncio.Future[Any]:
        return self._do(fn, writes=False)

    # -- what rooms ask -----------------------------------------------------------------------------------------

    async def secret(self) -> bytes:
        def job(db: sqlite3.Connection) -> bytes:
            row = db.execute("select value from secrets where name = 'links'").fetchone()
            if row is None or type(row[0]) is not bytes or len(row[0]) != 32:
                row = (secrets.token_bytes(32),)
                db.execute("insert or replace into secrets values ('links', ?)", row)
            return bytes(row[0])

        return bytes(await self._do(job))

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        def job(db: sqlite3.Connection) -> None:
            db.execute("insert into tables values (?, 0, 0)", (table,))
            db.execute("delete from archived where tbl = ?", (table,))
            self._append(db, table, 0, entries)

        await self._do(job)
        return Lease(table, 1)

    async def take(self, table: str) -> Lease | Keeper | None:
        def job(db: sqlite3.Connection) -> bool:
            if db.execute("select 1 from tables where tbl = ?", (table,)).fetchone():
                return True
            if not db.execute("select 1 from entries where tbl = ? limit 1", (table,)).fetchone():
                return False
            try:
                db.execute("insert into tables values (?, -1, ?)", (table, int(time.time())))  # its line was damaged
            except sqlite3.IntegrityError:
                raise Damaged(_DISORDER) from None
            return True

        known = await self._ask(lambda db: db.execute("select 1 from tables where tbl = ?", (table,)).fetchone())
        return Lease(table, 1) if known or await self._do(job) else None

    async def keepers(self, tables: list[str], gone: Collection[str]) -> dict[str, Keeper | None]:
        """Nobody else's: there is one server."""
        return dict.fromkeys(await self.claim(tables, gone))

    async def claim(self, tables: list[str], gone: Collection[str]) -> dict[str, Lease]:
        marks = ",".join("?" * len(tables))
        asked = f"select tbl from tables where tbl in ({marks})"
        rows = await self._ask(lambda db: db.execute(asked, tables).fetchall())
        return {table: Lease(table, 1) for (table,) in rows}

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        return {t: await lying(self, t) for t in tables}

    async def held(self, table: str) -> Held:
        found: Held = await self._ask(lambda db: _held(db, table, self.version))
        return found._replace(broken=_DISORDER) if table in self._disordered and not found.broken else found

    async def last(self, table: str) -> int:
        row = await self._ask(lambda db: db.execute("select last from tables where tbl = ?", (table,)).fetchone())
        return row[0] if row and type(row[0]) is int else -1

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        a = Append(lease.table, after, entries)
        await self._do(lambda db: self._append(db, *a), append=a, small=True)

    def _append_all(self, db: sqlite3.Connection, appends: list[Append]) -> None:
        """The entries of many tables in a few statements. After each of them this thread would have to wait for its
        turn again, behind whatever the tables are doing."""
        moment = int(time.time())
        for count in {len(a.entries) for a in appends}:
            for some in _parts([a for a in appends if len(a.entries) == count]):
                values = (count, moment, *(a.table for a in some), *(x for a in some for x in a[:2]))
                if db.execute(_moved_on(len(some)), values).rowcount != len(some):
                    raise Stale("one of these tables has other entries than it should")  # and now one by one
        tips, rows = {}, []
        for table, after, entries in appends:
            check = self._check(db, table, after)
            for seq, data in enumerate(entries, after + 1):
                check = chain.link(check, seq, data)
                rows.append((table, seq, data, check))
            tips[table] = (after + len(entries), check)
        for part in _parts(rows):
            db.execute(_written(len(part)), [x for row in part for x in row])
        self._tips.update(tips)

    def _check(self, db: sqlite3.Connection, table: str, after: int) -> bytes:
        """The check of the entry that the next one is chained to."""
        known = self._tips.get(table)
        return known[1] if known is not None and known[0] == after else _tip(db, table, after)

    def _append(self, db: sqlite3.Connection, table: str, after: int, entries: list[bytes]) -> None:
        """The number says that nobody has written in between."""
        upto = after + len(entries)
        values = (upto, int(time.time()), table, after)
        if db.execute("update tables set last = ?, touched = ? where tbl = ? and last = ?", values).rowcount != 1:
            raise Stale(f"table {table} has other than {after} entries")
        check = self._check(db, table, after)
        rows = []
        for seq, data in enumerate(entries, after + 1):
            check = chain.link(check, seq, data)
            rows.append((table, seq, data, check))
        try:
            db.executemany("insert into entries values (?, ?, ?, ?)", rows)
        except sqlite3.IntegrityError:
            self._disordered.add(table)
            raise Damaged(_DISORDER) from None
        self._tips[table] = (upto, check)

    async def mend(self, lease: Lease, held: Held, good: Account) -> None:
        def job(db: sqlite3.Connection) -> None:
            self._tips.pop(lease.table, None)
            _mend(db, lease.table, held, good)

        await self._do(job)
        self._disordered.discard(lease.table)

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        def job(db: sqlite3.Connection) -> None:
            row = db.execute("select chain from entries where tbl = ? and seq = ?", (table, seq)).fetchone()
            if row is not None:
                values = (table, seq, data, row[0], chain.stamp(table, seq, row[0], data))
                db.execute("insert or replace into snapshots values (?, ?, ?, ?, ?)", values)

        await self._do(job, small=True)

    async def latest(self, table: str) -> Shortcut | None:
        if self.version < SCHEMA:
            return None
        query = "select seq, data, chain, mark from snapshots where tbl = ?"
        row = await self._ask(lambda db: db.execute(query, (table,)).fetchone())
        if row is None or [type(x) for x in row] != [int, bytes, bytes, bytes]:
            return None
        seq, data, check, mark = row
        return Shortcut(seq, check, data) if chain.stamp(table, seq, check, data) == mark else None

    async def renew(self, tables: list[str]) -> None:
        """Nobody else can keep them."""

    async def release(self, table: str) -> None:
        """Nobody else can keep it."""
        self._tips.pop(table, None)

    async def tables(self) -> int:
        return int((await self._ask(lambda db: db.execute("select count(*) from tables").fetchone()))[0])

    # -- the house ----------------------------------------------------------------------------------------------

    async def names(self, after: str, limit: int) -> list[str]:
        def job(db: sqlite3.Connection) -> list[str]:
            listed = _names(db, "select tbl from tables where tbl > ? order by tbl limit 1", after, limit)
            there = _names(db, "select min(tbl) from entries where tbl > ?", after, limit)  # only damage unlists one
            return sorted({*listed, *there})[:limit]

        return list(await self._ask(job))

    async def untouched(self, before: float, limit: int) -> list[str]:
        query = "select tbl from tables where touched < ? and typeof(tbl) = 'text' order by touched limit ?"
        return [r[0] for r in await self._ask(lambda db: db.execute(query, (int(before), limit)).fetchall())]

    async def remove(self, lease: Lease, last: int, file: str) -> None:
        def job(db: sqlite3.Connection) -> None:
            gone = db.execute("delete from tables where tbl = ? and last = ?", (lease.table, last)).rowcount
            if gone != 1:
                raise Stale(f"table {lease.table} has been written to")
            db.execute("delete from entries where tbl = ?", (lease.table,))
            db.execute("delete from snapshots where tbl = ?", (lease.table,))
            values = (lease.table, int(time.time()), last, file)
            db.execute("insert or replace into archived values (?, ?, ?, ?)", values)

        await self._do(job)

    async def archived(self, table: str) -> Archived | None:
        query = "select at, entries, file from archived where tbl = ?"
        row = await self._ask(lambda db: db.execute(query, (table,)).fetchone())
        return Archived(*row) if row and [type(x) for x in row] == [int, int, str] else None

    async def flaws(self) -> list[str]:
        """What SQLite itself finds wrong with the file. Reads all of it."""
        try:
            rows = await self._ask(lambda db: db.execute("pragma integrity_check(20)").fetchall())
        except Damaged as e:
            return [str(e)]
        return [" ".join(str(r[0]).split()) for r in rows if r[0] != "ok"]


T = TypeVar("T")


def _parts(things: list[T]) -> Iterator[list[T]]:
    """In parts of 64, 32, 16 ... at most, so that there are few different statements, which SQLite keeps ready."""
    at, size = 0, 64
    while at < len(things):
        while at + size > len(things):
            size //= 2
        yield things[at : at + size]
        at += size


@lru_cache
def _moved_on(tables: int) -> str:
    """So many tables have so many entries more; only those that have as many as was thought."""
    names, rows = ", ".join(["?"] * tables), ", ".join(["(?, ?)"] * tables)
    return f"update tables set last = last + ?, touched = ? where tbl in ({names}) and (tbl, last) in (values {rows})"


@lru_cache
def _written(entries: int) -> str:
    return f"insert into entries values {', '.join(['(?, ?, ?, ?)'] * entries)}"


def _tip(db: sqlite3.Connection, table: str, after: int) -> bytes:
    """The check of entry `after`."""
    if after == 0:
        return chain.start(table)
    row = db.execute("select chain from entries where tbl = ? and seq = ?", (table, after)).fetchone()
    if row is None or type(row[0]) is not bytes:
        raise Stale(f"entry {after} of table {table} is not there any more")
    return row[0]


def _held(db: sqlite3.Connection, table: str, version: int = SCHEMA) -> Held:
    """All that can be read of a table; a file that breaks off in the middle gives what comes before."""
    rows: list[tuple[Any, Any, Any]] = []
    last: Any = None
    broken = ""
    alone = not db.in_transaction  # both must be of one moment: a server may be writing
    try:
        if alone:
            db.execute("begin")
        row = db.execute("select last from tables where tbl = ?", (table,)).fetchone()
        last = row[0] if row else None
        if version < SCHEMA:
            query = "select seq, data from entries where tbl = ? order by seq"
            rows.extend(chain.unchained(table, db.execute(query, (table,))))
        else:
            query = "select seq, data, chain from entries where tbl = ? order by seq"
            rows.extend(db.execute(query, (table,)))
    except SAID as e:
        if not damaged(e):
            raise
        broken = f"the journal's file is damaged after entry {len(rows)} ({_words(e)})"
    finally:
        if alone and db.in_transaction:
            db.execute("rollback")
    return Held(last, rows, broken)


def _mend(db: sqlite3.Connection, table: str, held: Held, good: Account) -> None:
    """What is good is written anew, so that nothing damaged can be left between its rows; then it is looked at."""
    n = len(good.entries)
    at = int(time.time())
    rest = [(table, *row, at, good.damage) for row in held.rows[n:]]
    db.executemany("insert into quarantine values (?, ?, ?, ?, ?, ?)", rest)
    short = db.execute("select seq, data, chain from snapshots where tbl = ? and seq > ?", (table, n)).fetchone()
    if short is not None:
        db.execute(
            "insert into quarantine values (?, ?, ?, ?, ?, ?)", (table, *short, at, f"a shortcut: {good.damage}")
        )
        db.execute("delete from snapshots where tbl = ?", (table,))
    db.execute("delete from entries where tbl = ?", (table,))
    rows = [(table, i + 1, data, good.checks[i]) for i, data in enumerate(good.entries)]
    try:
        db.executemany("insert into entries values (?, ?, ?, ?)", [*rows, (table, n + 1, b"", b"")])  # is it free?
        db.execute("delete from entries where tbl = ? and seq > ?", (table, n))
    except sqlite3.IntegrityError:
        raise Damaged(_DISORDER) from None
    db.execute("update tables set last = ? where tbl = ?", (n, table))
    again = chain.account(table, _held(db, table))
    if again.damage or again.checks != good.checks:
        raise Damaged(again.damage or "it cannot be put in order")


def _names(db: sqlite3.Connection, query: str, after: str, limit: int) -> list[str]:
    """Names one after the other, as far as the file lets itself be read."""
    out: list[str] = []
    with contextlib.suppress(*SAID):
        while len(out) < limit:
            row = db.execute(query, (after,)).fetchone()
            if row is None or type(row[0]) is not str or row[0] <= after:
                break
            after = row[0]
            out.append(after)
    return out


def _looking(path: str) -> sqlite3.Connection:
    """A connection that changes nothing, also where the folder cannot be written to."""
    file = Path(path)
    if not file.is_file():
        raise Lost("there is no such file")
    if _missing(file):
        return _filled_up(file)
    where = file.resolve().as_uri()
    try:
        db = sqlite3.connect(f"{where}?mode=ro", uri=True, isolation_level=None)
        db.execute("pragma user_version").fetchone()
    except sqlite3.OperationalError:
        if file.with_name(f"{file.name}-wal").exists():
            raise
        db = sqlite3.connect(f"{where}?immutable=1", uri=True, isolation_level=None)
    return db


def _missing(file: Path) -> int:
    """How many bytes a file is shorter than its head says: a copy that was cut off."""
    with file.open("rb") as f:
        head = f.read(32)
    size = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    whole = (65536 if size == 1 else size) * pages if head.startswith(b"SQLite format 3") else 0
    return max(0, whole - file.stat().st_size)


def _filled_up(file: Path) -> sqlite3.Connection:
    """A copy of a file that breaks off, with nothing for what is missing: what was before it can be read."""
    log.warning("%s breaks off: %d bytes are missing at its end; the rest is read", file, _missing(file))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        copy = Path(folder, file.name)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(file.with_name(f"{file.name}-wal"), f"{copy}-wal")
        shutil.copyfile(file, copy)
        os.truncate(copy, file.stat().st_size + _missing(file))
        db = sqlite3.connect(copy, isolation_level=None)
        db.execute("pragma user_version").fetchone()  # open it stays, when its name is gone
        return db


def _words(e: Exception) -> str:
    """What went wrong, as it can be told."""
    return "what is written in it is no text any more" if isinstance(e, UnicodeError) else str(e)


def _cure(e: Exception) -> str:
    """What can be done about it."""
    cure = _CURES.get(getattr(e, "sqlite_errorcode", 0) & 0xFF, HELP if damaged(e) else "")
    return f". {cure}" if cure else ""


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")


def _resolve(done: list[Answer]) -> None:
    for future, value, error in done:
        if not future.done():
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)
