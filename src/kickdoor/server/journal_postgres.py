"""The journal in Postgres, for several servers: a lease with an epoch per table, appends of all tables in one batch.

Notifications are kept out of the transaction: they would make commits wait for each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
import time
from collections.abc import AsyncIterator, Collection
from typing import Any, Final

import asyncpg

from kickdoor.server import chain, postgres_lines, postgres_schema
from kickdoor.server.chain import Account, Held
from kickdoor.server.journal import (
    LEASE_SECONDS,
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

GAP: Final = 0.008  # seconds from one batch to the next, so that what a busy server writes goes together
_LEASE: Final = f"now() + interval '{LEASE_SECONDS} seconds'"
_FREE: Final = "(until < now() or server = $2 or server = any($3))"
_KEEPERS: Final = f"select tbl, server, url, {_FREE} as free from kd_tables where tbl = any($1)"
# Whoever changes many rows of `kd_tables` takes them in the order of their names first: entries and leases are written
# at the same time, and would wait for each other's rows for ever. Rows are asked for by a list of names and not by what
# they are joined to, so that the plan that is kept uses the index, however few rows there are when it is made.
_RENEW: Final = f"""
with mine as (select tbl from kd_tables where tbl = any($1) and server = $2 order by tbl for update)
update kd_tables set until = {_LEASE} where tbl = any(array(select tbl from mine)) and server = $2 returning tbl
"""
_CLAIM: Final = f"""
with free as (select tbl from kd_tables where tbl = any($1) and {_FREE} order by tbl for update)
update kd_tables set epoch = epoch + 1, server = $2, url = $4, until = {_LEASE}
where tbl = any(array(select tbl from free)) returning tbl, epoch
"""
# Only damage unlists a table whose entries are there. Names are looked up one after the other, and not entry by entry.
_NAMES: Final = """
with recursive there as (
    select min(tbl) as tbl from kd_entries where tbl > $1
    union all select (select min(e.tbl) from kd_entries e where e.tbl > there.tbl) from there where tbl is not null
)
select tbl from (
    (select tbl from kd_tables where tbl > $1 order by tbl limit $2)
    union (select tbl from there where tbl is not null limit $2)
) as named order by tbl limit $2
"""
_RELEASE: Final = "update kd_tables set until = now() where tbl = $1 and server = $2"
_APPEND: Final = """
with mine as (
    select tbl from kd_tables where tbl = any($1::text[]) order by tbl for update
), moved as (
    update kd_tables t set last = w.upto, touched = $9
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as w(tbl, epoch, after, upto)
    where t.tbl = any(array(select tbl from mine)) and t.tbl = w.tbl and t.epoch = w.epoch and t.last = w.after
    returning t.tbl
), written as (
    insert into kd_entries
    select r.* from unnest($5::text[], $6::bigint[], $7::bytea[], $8::bytea[]) as r(tbl, seq, data, chain)
    join moved on moved.tbl = r.tbl returning 1
)
select tbl from moved
"""


class _Job:
    """One table's entries, waiting to be written."""

    __slots__ = ("after", "checks", "done", "entries", "lease")

    def __init__(self, lease: Lease, after: int, entries: list[bytes], done: asyncio.Future[None]) -> None:
        self.lease, self.after, self.entries, self.done = lease, after, entries, done
        self.checks: list[bytes] = []

    def answer(self, error: Exception | None) -> None:
        if not self.done.done():
            if error is None:
                self.done.set_result(None)
            else:
                self.done.set_exception(error)


class PostgresJournal(Checked):
    """Several servers, one database. A table is kept by the server that has its lease.

    With `looking` it is only read, and left as it is.
    """

    def __init__(self, url: str, server: str, public: str, looking: bool = False) -> None:
        self.url = url
        self.server = server
        self.public = public
        self.looking = looking
        self.version = SCHEMA
        self._pool: Any = None
        self._jobs: list[_Job] = []
        self._tips: dict[str, tuple[int, bytes]] = {}  # of the tables kept here: the last number and its check
        self._ready = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False
        self._silent_until = 0.0  # a lease could not be let go, and until then none is tried

    async def open(self) -> None:
        async with postgres_lines.opened(self.url, 6) as pool, pool.acquire() as db:
            if self.looking:
                self.version = await postgres_schema.version(db)
            else:
                await postgres_schema.make(db)
            if self.version == 0:
                raise Lost("there is no journal of Kickdoor in it")
        self._pool = pool
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        self._closing = True
        self._ready.set()
        if self._writer is not None:
            await self._writer
        if self._pool is not None:
            await postgres_lines.closed(self._pool)

    @contextlib.asynccontextmanager
    async def _db(self, seconds: float | None = None) -> AsyncIterator[Any]:
        """A connection, within so many seconds; what goes wrong with it is told in our words."""
        try:
            async with self._pool.acquire(timeout=seconds) as db:
                yield db
        except asyncpg.UniqueViolationError as e:
            raise Stale(str(e)) from None
        except postgres_lines.DOWN as e:
            raise postgres_lines.trouble(e) from None

    # -- the writer ---------------------------------------------------------------------------------------------

    async def _write(self) -> None:
        """All that waits goes into one statement, one commit."""
        written = -math.inf
        while True:
            await self._ready.wait()
            if not self._closing:
                await asyncio.sleep(written + GAP - time.monotonic())
            self._ready.clear()
            jobs, self._jobs = self._jobs, []
            if jobs:
                written = time.monotonic()
                await self._batch(jobs)
            elif self._closing:
                return
            if self._jobs or self._closing:
                self._ready.set()

    async def _batch(self, jobs: list[_Job]) -> None:
        """What is wrong with one of them is told to that one; a database that is away, to all."""

        def wrong(j: _Job, e: Exception) -> None:
            self._tips.pop(j.lease.table, None)
            j.answer(e)

        try:
            async with self._db() as db:
                await postgres_lines.apart(lambda some: self._append(db, some), jobs, wrong)
        except Exception as e:
            for j in jobs:
                j.answer(e)

    async def _append(self, db: Any, jobs: list[_Job]) -> None:
        """Their entries in one statement, which is one commit."""
        jobs = [j for j in jobs if await self._chained(db, j)]
        got = await db.fetch(
            _APPEND,
            [j.lease.table for j in jobs],
            [j.lease.epoch for j in jobs],
            [j.after for j in jobs],
            [j.after + len(j.entries) for j in jobs],
            [j.lease.table for j in jobs for _ in j.entries],
            [j.after + 1 + i for j in jobs for i in range(len(j.entries))],
            [d for j in jobs for d in j.entries],
            [c for j in jobs for c in j.checks],
            int(time.time()),
        )
        written = {r["tbl"] for r in got}
        for j in jobs:
            table = j.lease.table
            if table in written:
                self._tips[table] = (j.after + len(j.entries), j.checks[-1])
                j.answer(None)
            else:
                self._tips.pop(table, None)
                j.answer(Stale(f"table {table} is kept by another server"))

    async def _chained(self, db: Any, j: _Job) -> bool:
        """Chain a job's entries to the last one; the statement that appends sees to it that it still is the last."""
        table = j.lease.table
        tip = self._tips.get(table)
        before = chain.start(table) if j.after == 0 else tip[1] if tip is not None and tip[0] == j.after else None
        if before is None:
            before = await db.fetchval("select chain from kd_entries where tbl = $1 and seq = $2", table, j.after)
        if before is None:
            j.answer(Stale(f"entry {j.after} of table {table} is not there any more"))
            return False
        j.checks = chain.links(before, j.after, j.entries)
        return True

    # -- what rooms ask -----------------------------------------------------------------------------------------

    async def secret(self) -> bytes:
        async with self._db() as db:
            await db.execute(
                "insert into kd_secrets values ('links', $1) on conflict do nothing", secrets.token_bytes(32)
            )
            return bytes(await db.fetchval("select value from kd_secrets where name = 'links'"))

    async def create(self, table: str, entries: list[bytes]) -> Lease:
        checks = chain.links(chain.start(table), 0, entries)
        async with self._db() as db, db.transaction():
            await db.execute(
                "insert into kd_tables (tbl, last, epoch, server, url, until, touched) "
                f"values ($1, $2, 1, $3, $4, {_LEASE}, $5)",
                table,
                len(entries),
                self.server,
                self.public,
                int(time.time()),
            )
            await db.execute("delete from kd_archived where tbl = $1", table)
            await _insert(db, table, entries, checks)
        return Lease(table, 1)

    async def take(self, table: str) -> Lease | Keeper | None:
        mine = await self.claim([table], ())
        if mine:
            return mine[table]
        async with self._db() as db:
            row = await db.fetchrow("select server, url from kd_tables where tbl = $1", table)
            if row is None and await db.fetchval("select 1 from kd_entries where tbl = $1 limit 1", table):
                await db.execute(
                    "insert into kd_tables (tbl, last, epoch, server, url, until, touched) "
                    f"values ($1, -1, 1, $2, $3, {_LEASE}, $4)",  # its line was damaged
                    table,
                    self.server,
                    self.public,
                    int(time.time()),
                )
                return Lease(table, 1)
        return Keeper(row["server"], row["url"]) if row else None

    async def keepers(self, tables: list[str], gone: Collection[str]) -> dict[str, Keeper | None]:
        async with self._db() as db:
            rows = await db.fetch(_KEEPERS, tables, self.server, list(gone))
        return {tbl: None if free else Keeper(server, url) for tbl, server, url, free in rows}

    async def claim(self, tables: list[str], gone: Collection[str]) -> dict[str, Lease]:
        async with self._db() as db:
            rows = await db.fetch(_CLAIM, tables, self.server, list(gone), self.public)
        for table, _ in rows:
            self._tips.pop(table, None)
        return {table: Lease(table, epoch) for table, epoch in rows}

    async def lying(self, tables: list[str]) -> dict[str, Lying]:
        try:
            async with self._db() as db, db.transaction(isolation="repeatable_read", readonly=True):
                return await _lying(db, tables)
        except Damaged:  # by one of them, and the others are read nevertheless
            return {t: await lying(self, t) for t in tables}

    async def held(self, table: str) -> Held:
        async with self._db() as db, db.transaction(isolation="repeatable_read", readonly=True):
            return await _held(db, table, self.version)

    async def last(self, table: str) -> int:
        async with self._db() as db:
            found = await db.fetchval("select last from kd_tables where tbl = $1", table)
        return -1 if found is None else int(found)

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(lease, after, entries, done))
        self._ready.set()
        await done

    async def mend(self, lease: Lease, held: Held, good: Account) -> None:
        table, n, at = lease.table, len(good.entries), int(time.time())
        rest = [(table, *row, at, good.damage) for row in held.rows[n:]]
        self._tips.pop(table, None)
        async with self._db() as db, db.transaction():
            mine = await db.fetchval("select 1 from kd_tables where tbl = $1 and epoch = $2 for update", *lease)
            if mine is None:
                raise Stale(f"table {table} is kept by another server")
            await db.executemany("insert into kd_quarantine values ($1, $2, $3, $4, $5, $6)", rest)
            await db.execute(
                "insert into kd_quarantine select tbl, seq, data, chain, $3, $4 from kd_snapshots "
                "where tbl = $1 and seq > $2",
                table,
                n,
                at,
                f"a shortcut: {good.damage}",
            )
            await db.execute("delete from kd_snapshots where tbl = $1 and seq > $2", table, n)
            await db.execute("delete from kd_entries where tbl = $1", table)
            await _insert(db, table, good.entries, good.checks)
            await db.execute("update kd_tables set last = $2 where tbl = $1", table, n)
            again = chain.account(table, await _held(db, table))
            if again.damage or again.checks != good.checks:
                raise Damaged(again.damage or "it cannot be put in order")

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        tip = self._tips.get(table)
        async with self._db() as db:
            if tip is not None and tip[0] == seq:
                check = tip[1]
            else:
                check = await db.fetchval("select chain from kd_entries where tbl = $1 and seq = $2", table, seq)
            if check is not None:
                await db.execute(
                    "insert into kd_snapshots (tbl, seq, data, chain, mark) values ($1, $2, $3, $4, $5) "
                    "on conflict (tbl) do update set seq = $2, data = $3, chain = $4, mark = $5",
                    table,
                    seq,
                    data,
                    check,
                    chain.stamp(table, seq, check, data),
                )

    async def latest(self, table: str) -> Shortcut | None:
        if self.version < SCHEMA:
            return None
        async with self._db() as db:
            return (await _shortcuts(db, [table])).get(table)

    async def renew(self, tables: list[str]) -> None:
        """Raises Stale with the list of tables that are kept elsewhere by now."""
        kept: set[str] = set()
        broken: dict[str, Exception] = {}
        if not tables:
            return
        async with self._db() as db:

            async def some(names: list[str]) -> None:
                kept.update(r["tbl"] for r in await db.fetch(_RENEW, names, self.server))

            await postgres_lines.apart(some, tables, broken.__setitem__)
        lost = sorted(set(tables) - kept - broken.keys())
        if lost:
            raise Stale("tables are kept by another server", lost)
        for table, e in broken.items():
            raise Damaged(f"table {table} cannot be kept any longer: {e}")

    async def release(self, table: str) -> None:
        """A lease that is not let go runs out by itself: whoever lets go of a thousand tables does not wait for a
        database that does not answer, and does not ask it a thousand times."""
        self._tips.pop(table, None)
        if time.monotonic() < self._silent_until:
            raise Lost("the lease is not let go: the database does not answer")
        try:
            async with self._db(postgres_lines.CLOSING) as db:
                await db.execute(_RELEASE, table, self.server, timeout=postgres_lines.CLOSING)
        except Lost:
            self._silent_until = time.monotonic() + LEASE_SECONDS
            raise

    async def tables(self) -> int:
        async with self._db() as db:
            return int(await db.fetchval("select count(*) from kd_tables"))

    # -- the house ----------------------------------------------------------------------------------------------

    async def names(self, after: str, limit: int) -> list[str]:
        async with self._db() as db:
            rows = await db.fetch(_NAMES, after, limit)
        return [r["tbl"] for r in rows]

    async def untouched(self, before: float, limit: int) -> list[str]:
        async with self._db() as db:
            rows = await db.fetch(
                "select tbl from kd_tables where touched < $1 and until < now() order by touched limit $2",
                int(before),
                limit,
            )
        return [r["tbl"] for r in rows]

    async def remove(self, lease: Lease, last: int, file: str) -> None:
        async with self._db() as db, db.transaction():
            gone = await db.fetchval(
                "delete from kd_tables where tbl = $1 and epoch = $2 and last = $3 returning tbl", *lease, last
            )
            if gone is None:
                raise Stale(f"table {lease.table} has been written to")
            await db.execute("delete from kd_entries where tbl = $1", lease.table)
            await db.execute("delete from kd_snapshots where tbl = $1", lease.table)
            await db.execute(
                "insert into kd_archived values ($1, $2, $3, $4) "
                "on conflict (tbl) do update set at = $2, entries = $3, file = $4",
                lease.table,
                int(time.time()),
                last,
                file,
            )

    async def archived(self, table: str) -> Archived | None:
        async with self._db() as db:
            row = await db.fetchrow("select at, entries, file from kd_archived where tbl = $1", table)
        return Archived(row["at"], row["entries"], row["file"]) if row else None

    async def flaws(self) -> list[str]:
        """Postgres looks after its files itself (checksums, amcheck)."""
        return []


async def _insert(db: Any, table: str, entries: list[bytes], checks: list[bytes]) -> None:
    rows = [(table, i + 1, data, checks[i]) for i, data in enumerate(entries)]
    await db.executemany("insert into kd_entries (tbl, seq, data, chain) values ($1, $2, $3, $4)", rows)


async def _lying(db: Any, tables: list[str]) -> dict[str, Lying]:
    lasts = dict(await db.fetch("select tbl, last from kd_tables where tbl = any($1)", tables))
    rows: dict[str, list[tuple[Any, Any, Any]]] = {t: [] for t in tables}
    for table, *row in await db.fetch(
        "select tbl, seq, data, chain from kd_entries where tbl = any($1) order by tbl, seq", tables
    ):
        rows[table].append(tuple(row))
    shorts = await _shortcuts(db, tables)
    return {t: Lying(Held(lasts.get(t), rows[t]), shorts.get(t)) for t in tables}


async def _shortcuts(db: Any, tables: list[str]) -> dict[str, Shortcut]:
    """Those that are whole."""
    out = {}
    for table, seq, data, check, mark in await db.fetch(
        "select tbl, seq, data, chain, mark from kd_snapshots where tbl = any($1)", tables
    ):
        if check is not None and chain.stamp(table, seq, check, data) == mark:
            out[table] = Shortcut(seq, check, data)
    return out


async def _held(db: Any, table: str, version: int = SCHEMA) -> Held:
    last = await db.fetchval("select last from kd_tables where tbl = $1", table)
    check = "chain" if version >= SCHEMA else "null::bytea as chain"
    found = await db.fetch(f"select seq, data, {check} from kd_entries where tbl = $1 order by seq", table)
    rows: list[tuple[Any, Any, Any]] = [(r["seq"], r["data"], r["chain"]) for r in found]
    if version < SCHEMA:
        rows = list(chain.unchained(table, [(s, d) for s, d, _ in rows]))
    return Held(last, rows)
