"""Several loops in one server: nobody notices which of them keeps his table, and none of them ends the others."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from kickdoor.app.cli import main
from kickdoor.server import chute as chute_module
from kickdoor.server import limits, makers, watching
from kickdoor.server.chute import Chute, pair
from kickdoor.server.desk import FIRST, Desk, DeskJournal, DeskNeighbours, Report
from kickdoor.server.far import FarJournal, FarMakers, FarNeighbours
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Keeper, Lease, Lost, Stale
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.loops import Loops, _Other, table_of
from kickdoor.server.makers import Makers
from kickdoor.server.website import website
from serving import Client, Server, all_go_on, begin, call, data, join, new_table, play_on

TABLES = 4


def further(server: Server) -> list[int]:
    """The processes of its other loops."""
    assert server.child is not None
    pid = server.child.pid
    found = [int(x) for x in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [x for x in found if b"kickdoor.app.loop" in Path(f"/proc/{x}/cmdline").read_bytes()]


def loop_of(table: str, loops: int) -> int:
    """Of so many."""
    desk = Desk(SqliteJournal(":memory:"), "")
    for n in range(1, loops):
        desk.arrive(n)
    return desk.owner(table)


def seated(url: str, number: int, loops: int = 2) -> list[dict[str, Any]]:
    """A table of three that goes by its name to this loop. Names cannot be chosen, so some tables stay in their
    lobbies."""
    while True:
        first = new_table(url, seats=3)
        if loop_of(first["table"], loops) == number:
            return [first, *(join(url, first["table"], name) for name in ("Bob", "Cid"))]


def test_a_table_is_kept_by_one_loop_and_written_to_by_no_other(tmp_path: Path) -> None:
    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "journal.sqlite"))
        desk = Desk(journal, "http://here")
        one, two = DeskJournal(desk, FIRST), DeskJournal(desk, 1)
        desk.arrive(1)
        await one.open()
        lease = await one.create("abcdefghjk", [b"1"])
        await one.append(lease, 1, [b"2"])
        assert await two.take("abcdefghjk") == Keeper("loop 0", "http://here")
        assert await two.keepers(["abcdefghjk"], ()) == {"abcdefghjk": Keeper("loop 0", "http://here")}
        assert await two.claim(["abcdefghjk"], ()) == {}
        with pytest.raises(Stale):
            await two.append(lease, 2, [b"3"])
        with pytest.raises(Stale):
            await two.create("abcdefghjk", [b"1"])
        await one.release("abcdefghjk")
        taken = await asyncio.gather(*(j.claim(["abcdefghjk"], ()) for j in (two, one, two)))
        assert [list(t) for t in taken] == [["abcdefghjk"], [], ["abcdefghjk"]], "whoever asks first"
        await two.append(Lease("abcdefghjk", 1), 2, [b"3"])
        assert await two.take("nosuchtable") is None
        assert desk.owner("abcdefghjk") == 1
        desk.leave(1)  # it has died
        assert desk.owner("abcdefghjk") == FIRST
        await two.claim(["abcdefghjk"], ())  # it had asked before
        assert desk.owner("abcdefghjk") == FIRST
        assert await one.read("abcdefghjk") == [b"1", b"2", b"3"]
        assert "nosuchtable" not in desk.kept
        await one.close()

    asyncio.run(story())


def test_what_other_loops_keep_counts_as_this_servers(tmp_path: Path) -> None:
    """Else an address could make as many tables as it likes, since most of them are somewhere else at once."""
    desk = Desk(SqliteJournal(str(tmp_path / "journal.sqlite")), "http://here")
    hub = Hub(DeskJournal(desk, FIRST), neighbours=DeskNeighbours(desk))
    desk.arrive(1)
    desk.kept = {"abcdefghjk": 1, "bcdefghjkm": FIRST}
    desk.meet(1, Report([{"id": "abcdefghjk"}], b"kickdoor_tables 1.0\n"))
    assert "abcdefghjk" in hub.living()
    assert hub.tables() == 1
    assert hub.neighbours.beyond().listed == [{"id": "abcdefghjk"}]


async def stuffed(chute: Chute, callers: list[socket.socket]) -> int:
    """Callers for the other end, until ten of them have to wait; how many did not."""
    while len(chute._waiting) < 10:
        ours, theirs = socket.socketpair()
        assert chute.push(ours.fileno(), b"GET")
        ours.close()
        callers.append(theirs)
    return len(callers) - 10


@pytest.mark.parametrize("patience", [60.0, 0.3])
def test_who_is_to_be_handed_to_a_loop_that_hangs_waits_for_a_while_and_as_long_as_he_is_there(
    patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is a file of the first loop, which has only so many."""
    monkeypatch.setattr(chute_module, "LOOK", 0.02)
    monkeypatch.setattr(chute_module, "PATIENCE", patience)

    async def story() -> None:
        callers: list[socket.socket] = []
        got: list[socket.socket] = []
        one, two = pair()
        chute, other = Chute(one, lambda *_: None), Chute(two, lambda sock, _: got.append(sock))
        chute.open()
        went = await stuffed(chute, callers)
        for caller in callers[went::2]:
            caller.close()
        staying = callers[went + 1 :: 2]
        while len(chute._waiting) > (len(staying) if patience > 1 else 0):
            await asyncio.sleep(0.01)
        if patience < 1:
            assert [c.recv(10) for c in staying] == [b""] * 5, "he may come again"
        other.open()
        came = went + len(staying) * (patience > 1)
        while len(got) < came:
            await asyncio.sleep(0.01)
        assert not chute._waiting
        assert chute.push(callers[0].fileno(), b"GET"), "and all goes on as ever"
        while len(got) < came + 1:
            await asyncio.sleep(0.01)
        for chute_ in (chute, other):
            chute_.close()
        for sock in (*callers, *got):
            sock.close()

    asyncio.run(asyncio.wait_for(story(), 60))


HERE = "http://here"
HOME = "192.0.2.1"


async def made(known: Makers, *tables: str) -> list[bool]:
    """Could this address make these, one after the other?"""
    done = []
    for table in tables:
        place = await known.enter(HOME)
        done.append(bool(place))
        if place:
            await known.leave(HOME, place, table)
    return done


def test_a_table_that_goes_to_another_loop_counts_until_it_would_have_left_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is in nobody's memory until somebody asks for it. Who made many, and then opened them, had more than 50."""
    moment, living = 1000.0, {"kept"}
    monkeypatch.setattr(limits, "TABLES_PER_ADDRESS", 3)
    monkeypatch.setattr(makers, "monotonic", lambda: moment)

    async def story() -> None:
        nonlocal moment
        known = Makers(lambda: living)
        assert await made(known, "one", "two", "kept", "three") == [True, True, True, False]
        assert await known.enter("192.0.2.2"), "others have their own"
        living.discard("kept")
        assert await made(known, "three", "four") == [True, False], "what was here and has gone counts no more"
        moment += limits.UNVISITED_SECONDS
        living.update(("one", "two"))  # they are opened
        assert await made(known, "four", "five") == [True, False]
        living.update(("kept", "three"))  # all of them are opened again: nobody is kept out of them
        assert not await known.enter(HOME)
        assert await known.crowded() == {"one", "two", "kept", "three"}
        living.difference_update(("kept", "three"))
        assert await known.crowded() == frozenset()

    asyncio.run(story())


def test_who_asks_for_many_at_once_gets_no_more_places_and_gives_back_what_came_to_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "TABLES_PER_ADDRESS", 3)

    async def story() -> None:
        known = Makers(lambda: {"one"})
        places = [await known.enter(HOME) for _ in range(5)]
        assert [bool(p) for p in places] == [True, True, True, False, False]
        await known.leave(HOME, places[0], "one")
        assert not await known.enter(HOME)
        await known.leave(HOME, places[1], "")
        assert await known.enter(HOME)

    asyncio.run(story())


def test_of_tables_that_are_long_gone_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 1000.0
    monkeypatch.setattr(makers, "REMEMBERED", 100)
    monkeypatch.setattr(makers, "monotonic", lambda: moment)

    async def story() -> None:
        nonlocal moment
        living = {"kept"}
        known = Makers(lambda: living)
        for i in range(1000):
            for table in ("kept", f"table{i}"):
                await known.leave(f"192.0.2.{i % 200}", "", table)
            moment += limits.UNVISITED_SECONDS
        assert len(known._until) <= 200 + 102, "a table that is kept is never forgotten, however many found it"
        assert sum(map(len, known._made.values())) == len(known._until)

    asyncio.run(story())


def test_tables_of_who_has_too_many_leave_the_memory_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kickdoor.server.hub.CROWDED_SECONDS", -1.0)
    monkeypatch.setattr("kickdoor.server.counters.CROWDED_SECONDS", -1.0)

    async def story() -> None:
        hub = Hub(SqliteJournal(str(tmp_path / "journal.sqlite")))
        await hub.open()
        names = [(await hub.create("", "Ann", "female", {}, 3, []))[0].table.id for _ in range(2)]
        names.append((await hub.counters.make("", [])).name)
        for name in names:
            await hub.makers.leave(HOME, "", name)
        await hub._sweep()
        assert len(hub.kept()) == 3
        monkeypatch.setattr(limits, "TABLES_PER_ADDRESS", 2)
        await hub._sweep()
        await asyncio.sleep(0.1)
        assert hub.living() == set()
        assert (await hub.room(names[0])).table.id == names[0], "nobody is kept out"
        await hub.close()

    asyncio.run(story())


def test_an_address_makes_no_more_tables_because_there_are_several_loops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever loop makes them (one that keeps a replay makes the games that are played on from it), and whichever
    keeps them."""
    monkeypatch.setattr(limits, "TABLES_PER_ADDRESS", 4)

    async def story() -> None:
        desk = Desk(SqliteJournal(str(tmp_path / "journal.sqlite")), "http://here")
        first = Hub(DeskJournal(desk, FIRST), neighbours=DeskNeighbours(desk))
        desk.makers = first.makers
        async with AsyncExitStack() as stack:
            other = await further_hub(desk)
            for hub in (first, other):
                await hub.open()
                stack.push_async_callback(hub.close)
            ways = [httpx.ASGITransport(website(h), client=(HOME, 1)) for h in (first, other)]
            one, two = [await stack.enter_async_context(httpx.AsyncClient(transport=w, base_url=HERE)) for w in ways]

            async def make(asked: httpx.AsyncClient, path: str = "/api/tables") -> int:
                return (await asked.post(path, json={"host": {"name": "Ann"}} if path[-1] == "s" else {})).status_code

            codes = [await make(one), await make(one, "/api/counter"), await make(two), await make(two)]
            assert codes == [201] * 4
            assert len(first.living()) < 4, "some are nowhere in memory"
            assert [await make(one), await make(two), await make(one, "/api/counter")] == [429] * 3

    asyncio.run(asyncio.wait_for(story(), 60))


async def further_hub(desk: Desk) -> Hub:
    """A further loop of this server, in this process."""
    line, far_line = socket.socketpair()
    chute = Chute(socket.socket(), lambda *_: None)
    ended = subprocess.Popen(["true"])
    ended.wait()
    other = _Other(desk, 1, ended, asyncio.get_running_loop().create_future(), chute)
    line.setblocking(False)
    await asyncio.get_running_loop().create_unix_connection(lambda: other.channel, sock=line)
    journal = FarJournal(far_line, lambda: None)
    hub = Hub(journal, neighbours=FarNeighbours(journal, desk.public))
    hub.makers = FarMakers(journal)
    desk.arrive(1)
    return hub


def test_the_figures_of_all_loops_are_added_up() -> None:
    one = b"# HELP kickdoor_tables Tables\nkickdoor_tables 3.0\nkickdoor_draining 0.0\nprocess_start_time_seconds 5.0\n"
    two = b'# HELP kickdoor_tables Tables\nkickdoor_tables 4.0\nkickdoor_moves_total{by="bot"} 7.0\n'
    both = watching.together([one, two + b"kickdoor_draining 1.0\nprocess_start_time_seconds 9.0\n"]).decode()
    assert both.splitlines() == [
        "# HELP kickdoor_tables Tables",
        "kickdoor_tables 7.0",
        "kickdoor_draining 0.0",
        "process_start_time_seconds 5.0",
        'kickdoor_moves_total{by="bot"} 7.0',
    ]
    assert watching.together([one]) == one


@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("/ws/tables/abcdefghjk", "abcdefghjk"),
        ("/api/tables/abcdefghjk", "abcdefghjk"),
        ("/api/tables/abcdefghjk/replay/3?x=1", "abcdefghjk"),
        ("/t/abcdefghjk/replay", "abcdefghjk"),
        ("/api/tables", ""),
        ("/api/cards/classic", ""),
        ("/t/../abcdefghjk", ""),
        ("/ws/counter/abcdefghjk", ""),
        ("http://here/t/abcdefghjk", "abcdefghjk"),
        ("/api/tables/%61bcdefghj%6b", "abcdefghjk"),
        ("http://[", ""),
    ],
)
def test_which_table_a_request_is_about(path: str, table: str) -> None:
    assert table_of(path) == table


def test_one_connection_asks_for_this_and_that(tmp_path: Path) -> None:
    """It goes from loop to loop and back, with what has been read of it, in whatever pieces that came; and a loop that
    hangs holds up its own guests only."""
    with Server(*data(tmp_path), "--loops", "3", "--metrics", "--public") as server:
        tables = [seated(server.url, n, 3)[0]["table"] for n in (0, 1)]
        line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

        def get(path: str) -> tuple[int, bytes]:
            line.request("GET", path)
            answer = line.getresponse()
            return answer.status, answer.read()

        for _ in range(3):
            for table in tables:
                status, body = get(f"/api/tables/{table}")
                assert (status, json.loads(body)["id"]) == (200, table)
                assert get("/api/about")[0] == 200
                assert get(f"/t/{table}")[0] == 200
        assert json.loads(get("/healthz")[1])["tables"] >= 2
        assert b"kickdoor_tables " in get("/metrics")[1]
        assert get("/api/tables/zzzzzzzzzz")[0] == 404
        with socket.create_connection(("127.0.0.1", server.port), 60) as slow:
            for letter in f"GET /api/tables/{tables[1]} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n":
                slow.sendall(letter.encode())
                time.sleep(0.002)
            said = b"".join(iter(lambda: slow.recv(65536), b""))
        assert said.startswith(b"HTTP/1.1 200")
        assert tables[1].encode() in said
        for nonsense in (b"\x16\x03\x01 no request at all\r\n\r\n", b"\x16\x03\x01", b"get /api"):
            with socket.create_connection(("127.0.0.1", server.port), 60) as rude:
                rude.sendall(nonsense)
                assert rude.recv(65536).startswith(b"HTTP/1.1 400"), nonsense
        many = [{"Host": "here"}, {"Host": "here", "Connection": "close"}]
        asked = "".join(
            f"GET /api/tables/{t} HTTP/1.1\r\n{''.join(f'{k}: {v}{chr(13)}{chr(10)}' for k, v in h.items())}\r\n"
            for t, h in zip((tables[1], tables[1]), many, strict=True)
        )
        with socket.create_connection(("127.0.0.1", server.port), 60) as eager:
            eager.sendall(asked.encode())  # both at once
            said = b"".join(iter(lambda: eager.recv(65536), b""))
        assert said.count(b"HTTP/1.1 200") == 2
        counter = call(f"{server.url}/api/counter", {})[1]["counter"]
        elsewhere = (f"/api/counter/{counter}", f"/api/tables/{tables[0]}", "/healthz")
        assert loop_of(tables[1], 3) != FIRST
        for path in elsewhere:  # what comes along for another loop is not answered by this one: it is asked for anew
            with socket.create_connection(("127.0.0.1", server.port), 60) as eager:
                parts = [f"GET {p} HTTP/1.1\r\nHost: here\r\n\r\n" for p in (f"/api/tables/{tables[1]}", path)]
                eager.sendall("".join(parts).encode())
                said = b"".join(iter(lambda: eager.recv(65536), b""))
            assert said.count(b"HTTP/1.1 ") == 1, path
            assert said.startswith(b"HTTP/1.1 200")
            assert tables[1].encode() in said
        assert call(f"{server.url}/api/counter/{counter}")[0] == 200

        os.kill(further(server)[0], signal.SIGSTOP)  # it hangs: whoever is not its guest is not kept waiting
        try:
            assert call(f"{server.url}/api/about")[0] == 200
        finally:
            for pid in further(server):
                os.kill(pid, signal.SIGCONT)


def with_two_loops(folder: Path, story: Callable[[AsyncExitStack, Server], Awaitable[None]]) -> None:
    async def play(server: Server) -> None:
        async with AsyncExitStack() as stack:
            await story(stack, server)

    with Server(*data(folder), "--loops", "2") as server:
        asyncio.run(asyncio.wait_for(play(server), 600))


def test_a_loop_dies_the_first_dies_and_all_are_stopped(tmp_path: Path) -> None:
    """Tables of both loops; each time all of them go on, and nothing that was acknowledged is lost."""

    async def story(stack: AsyncExitStack, server: Server) -> None:
        games = []
        for i in range(TABLES):
            tickets = await asyncio.to_thread(seated, server.url, i % 2)
            clients = [
                await stack.enter_async_context(Client(server.url, t["table"], t["token"], 10 * i + k))
                for k, t in enumerate(tickets)
            ]
            await begin(clients)
            await play_on(clients, 3)
            games.append(clients)
        for pid in further(server):
            os.kill(pid, signal.SIGKILL)
        await all_go_on(games)
        others = further(server)
        server.kill()
        await asyncio.to_thread(_gone, others)  # they have nothing to write to
        await asyncio.to_thread(server.start)
        await all_go_on(games)
        assert server.child is not None
        others = further(server)
        server.child.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.child.wait, 60) == 0
        await asyncio.to_thread(_gone, others)
        assert {c.goodbye["code"] for g in games for c in g if c.goodbye is not None} <= {"restart"}
        await asyncio.to_thread(server.start)
        await all_go_on(games)
        for clients in games:
            acknowledged = max(a["seq"] for c in clients for a in c.answers.values())
            assert clients[0].seq >= acknowledged

    with_two_loops(tmp_path, story)


def test_a_loop_that_hangs_is_ended_and_its_tables_go_on(tmp_path: Path) -> None:
    async def story(stack: AsyncExitStack, server: Server) -> None:
        tickets = await asyncio.to_thread(seated, server.url, 1)
        clients = [
            await stack.enter_async_context(Client(server.url, t["table"], t["token"], k))
            for k, t in enumerate(tickets)
        ]
        await begin(clients)
        await play_on(clients, 3)
        hung = further(server)
        for pid in hung:
            os.kill(pid, signal.SIGSTOP)
        await all_go_on([clients])
        await asyncio.to_thread(_gone, hung)
        assert clients[0].seq >= max(a["seq"] for c in clients for a in c.answers.values())

    with_two_loops(tmp_path, story)


def test_a_database_that_is_a_file_is_the_first_loops_as_the_usual_file_is(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        words = ("--database", str(tmp_path / "my.sqlite"), "--loops", "2")
        with Server(*data(tmp_path), *words, stderr=log) as server:
            tables = [seated(server.url, n)[0]["table"] for n in (0, 1)]
            assert len(further(server)) == 1
            assert [call(f"{server.url}/api/tables/{t}")[0] for t in tables] == [200, 200]
            server.kill()
            server.start()
            assert [call(f"{server.url}/api/tables/{t}")[0] for t in tables] == [200, 200]
    assert "has ended" not in (tmp_path / "log").read_text()
    assert list(tmp_path.glob("**/*.sqlite")) == [tmp_path / "my.sqlite"]


def test_a_server_whose_loops_cannot_start_does_not_open(
    postgres: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Too few lines for all of them: one sentence, whoever of them did not get one, and nobody is left."""
    asyncpg = pytest.importorskip("asyncpg")

    async def prepare() -> None:
        db = await asyncpg.connect(postgres)
        await db.execute("create role narrow login connection limit 4")
        await db.execute("create database narrow owner narrow")
        await db.close()

    asyncio.run(prepare())
    head, _, query = postgres.partition("?")
    url = f"{head.partition('://')[0]}://narrow@/narrow?{query}"
    before = set(Path("/proc").glob("[0-9]*"))
    assert main(["serve", "--port", "0", *data(tmp_path), "--loops", "4", "--database", url]) == 2
    out, err = capfd.readouterr()
    assert not out
    said = [line for line in err.splitlines() if "kickdoor: " in line]
    assert len(said) == 1
    assert "of this server cannot start: the database cannot be used: too many connections" in said[0]
    assert "Traceback" not in err
    left = [p for p in set(Path("/proc").glob("[0-9]*")) - before if b"kickdoor.app.loop" in _command(p)]
    assert not [p for p in left if str(os.getpid()).encode() in _parent(p)]


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def _parent(process: Path) -> bytes:
    try:
        return (process / "stat").read_bytes().rpartition(b")")[2].split()[1]
    except OSError:
        return b""


def pending(pid: int, number: int) -> bool:
    """Does this signal wait for a process that is stopped?"""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    masks = [int(x.split()[1], 16) for x in lines if x.startswith(("SigPnd:", "ShdPnd:"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


def wait_for(what: Callable[[], Any]) -> Any:
    end = time.monotonic() + 60
    while not (found := what()):
        assert time.monotonic() < end, "it did not come to be"
        time.sleep(0.02)
    return found


def test_a_second_ctrl_c_waits_for_nobody_and_says_nothing(tmp_path: Path) -> None:
    """One of its loops hangs, and would be waited for until proxies have noticed: ten minutes."""
    with (tmp_path / "log").open("wb") as log:
        server = Server(*data(tmp_path), "--loops", "2", "--drain", "600", stderr=log).start()
        child = server.child
        assert child is not None
        table = seated(server.url, 1)[0]["table"]
        (other,) = further(server)
        os.kill(other, signal.SIGSTOP)
        try:
            child.send_signal(signal.SIGINT)
            wait_for(lambda: pending(other, signal.SIGTERM))
            child.send_signal(signal.SIGINT)
            assert child.wait(60) == 130
            _gone([other])
        finally:
            server.stop()
            with contextlib.suppress(ProcessLookupError):
                os.kill(other, signal.SIGKILL)
    assert (tmp_path / "log").read_text() == ""
    server.stderr = subprocess.DEVNULL
    with server:
        assert call(f"{server.url}/api/tables/{table}")[0] == 200, "nothing is lost"


@pytest.mark.parametrize(("word", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_server_that_is_stopped_while_its_loops_start_ends_quietly(
    tmp_path: Path, word: signal.Signals, status: int
) -> None:
    server = Server(*data(tmp_path), "--loops", "3")
    command = [sys.executable, "-m", "kickdoor.app.cli", "serve", "--port", str(server.port), *server.args]
    child = server.child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        others = wait_for(lambda: further(server))
        child.send_signal(word)
        out, _ = child.communicate(timeout=60)
    finally:
        server.stop()
    _gone(others)
    assert child.returncode == status
    assert out.count(b"\n") == out.count(b"is open at")


STUB = """\
import socket, sys, pathlib
from kickdoor.server.channel import message
from kickdoor.server.loops import received
mark, line = pathlib.Path(sys.argv[1]), socket.socket(fileno=int(sys.argv[2]))
what = received(line)
if what == "never" or mark.exists():
    line.sendall(message("sorry", "there is no room"))
    sys.exit(2)
if what == "dies":
    sys.exit(7)
mark.touch()
line.sendall(message("ready"))
while line.recv(100):
    pass
"""


def stubs(folder: Path, how: str) -> Loops:
    """Loops that do nothing but begin and end."""
    (folder / "stub.py").write_text(STUB)
    command = [sys.executable, str(folder / "stub.py"), str(folder / "mark")]
    return Loops(Desk(SqliteJournal(":memory:"), ""), 2, command, how)


@pytest.mark.parametrize(("how", "says"), [("never", "there is no room"), ("dies", "with status 7")])
def test_a_loop_that_never_was_there_is_not_tried_again(tmp_path: Path, how: str, says: str) -> None:
    async def story() -> None:
        loops = stubs(tmp_path, how)
        with pytest.raises(Lost, match=f"loop 1 of this server cannot start: .*{says}"):
            await loops.open(lambda *_: None)
        assert not loops._keepers
        assert not loops._others

    asyncio.run(asyncio.wait_for(story(), 60))


def test_a_loop_that_was_there_is_tried_again_after_pauses_that_grow(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kickdoor.server.loops.PAUSES", (0.01, 0.02, 0.03))

    async def story() -> None:
        loops = stubs(tmp_path, "once")
        await loops.open(lambda *_: None)
        loops._others[1].process.kill()
        while len(told()) < 4:
            await asyncio.sleep(0.02)
        await loops.close()

    def told() -> list[logging.LogRecord]:
        return [r for r in caplog.records if "has ended" in r.getMessage()]

    asyncio.run(asyncio.wait_for(story(), 60))
    assert not [r for r in told() if r.exc_info]
    one, *more = (r.getMessage() for r in told()[:4])
    assert one == "loop 1 of this server has ended (by signal 9); it is started again in 0.02 s"
    assert set(more) == {"loop 1 of this server has ended (there is no room); it is started again in 0.03 s"}


def _gone(pids: list[int]) -> None:
    end = time.monotonic() + 60
    while any(Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids):
        assert time.monotonic() < end, "a loop outlived the first one"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--loops", "0"], "--loops is a number of processes, from 1 to 64"),
        (["--loops", "1000"], "--loops is a number of processes, from 1 to 64"),
    ],
)
def test_what_cannot_be_is_said(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "0", *data(tmp_path), *words]) == 2
    assert says in capsys.readouterr().err
