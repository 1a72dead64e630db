"""The journal in a SQLite file: one writer thread, and all that waits goes into one commit (WAL, synchronous=FULL)."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import secrets
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from kickdoor.server.journal import Keeper, Lease, Lost, Stale

_MAKE: Final = """
create table if not exists entries (
    tbl text not null, seq integer not null, data blob not null, primary key (tbl, seq)
) without rowid;
create table if not exists tables (tbl text primary key, last integer not null) without rowid;
create table if not exists snapshots (tbl text primary key, seq integer not null, data blob not null);
create table if not exists secrets (name text primary key, value blob not null);
"""
_BATCH: Final = 2000
CHECKPOINT_SECONDS: Final = 2.0

Job = tuple[Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]


class SqliteJournal:
    """One file, one server. Whoever opens it keeps all its tables; a second server is turned away."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock: Any = None
        self._closing = threading.Event()

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self._lock = _only_one(self.path)
        ready: asyncio.Future[Any] = self._loop.create_future()
        self._thread = threading.Thread(target=self._write, args=(ready,), name="journal", daemon=True)
        self._thread.start()
        await ready

    async def close(self) -> None:
        self._closing.set()
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # -- the writer ---------------------------------------------------------------------------------------------

    def _write(self, ready: asyncio.Future[Any]) -> None:
        """The thread: jobs that are waiting are done in one transaction, and answered when it is on disk."""
        try:
            db = sqlite3.connect(self.path, isolation_level=None)
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = full")
            db.execute("pragma wal_autocheckpoint = 0")  # a thread of its own does it, so that no move waits for it
            db.executescript(_MAKE)
        except sqlite3.Error as e:
            self._answer([(ready, None, Lost(f"{self.path} cannot be used as a journal: {e}"))])
            return
        self._answer([(ready, None, None)])
        if self.path != ":memory:":
            threading.Thread(target=self._tidy, name="journal tidying", daemon=True).start()
        going = True
        while going:
            jobs = [self._jobs.get()]
            while len(jobs) < _BATCH:
                try:
                    jobs.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            going = None not in jobs
            self._commit(db, [j for j in jobs if j is not None])
        db.close()

    def _tidy(self) -> None:
        """Another thread: what has been written is moved from the log into the file, now and then."""
        db = sqlite3.connect(self.path, isolation_level=None)
        while not self._closing.wait(CHECKPOINT_SECONDS):
            with contextlib.suppress(sqlite3.Error):  # busy: next time
                db.execute("pragma wal_checkpoint(passive)")
        db.close()

    def _commit(self, db: sqlite3.Connection, jobs: list[Job]) -> None:
        done: list[tuple[asyncio.Future[Any], Any, Exception | None]] = []
        try:
            db.execute("begin immediate")
            for fn, future in jobs:
                db.execute("savepoint job")
                try:
                    done.append((future, fn(db), None))
                    db.execute("release job")
                except (Stale, sqlite3.IntegrityError) as e:
                    db.execute("rollback to job")
                    db.execute("release job")
                    done.append((future, None, e if isinstance(e, Stale) else Stale(str(e))))
            db.execute("commit")
        except sqlite3.Error as e:
            if db.in_transaction:
                db.execute("rollback")
            done = [(future, None, Lost(f"the journal cannot be written: {e}")) for _, future in jobs]
        self._answer(done)

    def _answer(self, done: list[tuple[asyncio.Future[Any], Any, Exception | None]]) -> None:
        if done and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_resolve, done)

    def _do(self, fn: Callable[[sqlite3.Connection], Any]) -> asyncio.Future[Any]:
        assert self._loop is not None, "the journal is not open"
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put((fn, future))
        return future

    # -- what rooms ask -----------------------------------------------------------------------------------------

    async def secret(self) -> bytes:
        def job(db: sqlite3.Connection) -> bytes:
            db.execute("insert or ignore into secrets values ('links', ?)", (secrets.token_bytes(32),))
            return bytes(db.execute("select value from secrets where name = 'links'").fetchone()[0])

        return bytes(await self._do(job))

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        def job(db: sqlite3.Connection) -> None:
            db.execute("insert into tables values (?, 0)", (table,))
            _append(db, table, 0, entries)

        await self._do(job)
        return Lease(table, 1)

    async def take(self, table: str) -> Lease | Keeper | None:
        row = await self._do(lambda db: db.execute("select 1 from tables where tbl = ?", (table,)).fetchone())
        return Lease(table, 1) if row else None

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        query = "select data from entries where tbl = ? and seq > ? order by seq"
        rows = await self._do(lambda db: db.execute(query, (table, after)).fetchall())
        return [bytes(r[0]) for r in rows]

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        await self._do(lambda db: _append(db, lease.table, after, entries))

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        await self._do(lambda db: db.execute("insert or replace into snapshots values (?, ?, ?)", (table, seq, data)))

    async def latest(self, table: str) -> tuple[int, bytes] | None:
        row = await self._do(
            lambda db: db.execute("select seq, data from snapshots where tbl = ?", (table,)).fetchone()
        )
        return (row[0], bytes(row[1])) if row else None

    async def renew(self, tables: list[str]) -> None:
        """Nobody else can keep them."""

    async def release(self, table: str) -> None:
        """Nobody else can keep it."""

    async def tables(self) -> int:
        return int((await self._do(lambda db: db.execute("select count(*) from tables").fetchone()))[0])


def _append(db: sqlite3.Connection, table: str, after: int, entries: list[bytes]) -> None:
    """The number says that nobody has written in between."""
    done = db.execute(
        "update tables set last = ? where tbl = ? and last = ?", (after + len(entries), table, after)
    ).rowcount
    if done != 1:
        raise Stale(f"table {table} has more than {after} entries")
    db.executemany(
        "insert into entries values (?, ?, ?)", [(table, after + 1 + i, data) for i, data in enumerate(entries)]
    )


def _resolve(done: list[tuple[asyncio.Future[Any], Any, Exception | None]]) -> None:
    for future, value, error in done:
        if not future.done():
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(value)


def _only_one(path: str) -> Any:
    """A lock that dies with the process: two servers on one file would contradict each other."""
    try:
        import fcntl
    except ImportError:  # not on every system; there the port is the lock
        return None
    lock = open(f"{path}.lock", "w")  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise Lost(f"another server is using {path}. Stop it, or name another folder with --data.") from None
    return lock
