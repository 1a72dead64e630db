"""For those who run servers: several behind one address, one that dies, one that is stopped, figures and logs."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import io
import json
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import asyncpg
import pytest
import yaml
from starlette.testclient import TestClient

from kickdoor.server import logs
from kickdoor.server import neighbours as neighbouring
from kickdoor.server.chairs import new_token
from kickdoor.server.hub import HEARD, PATIENCE, SILENT, Elsewhere, Hub
from kickdoor.server.journal import LEASE_SECONDS, Lost, Stale
from kickdoor.server.journal_postgres import PostgresJournal
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.journals import open_journal
from kickdoor.server.limits import Gate
from kickdoor.server.links import Links
from kickdoor.server.neighbours import Alone, PostgresNeighbours, identity, neighbours
from kickdoor.server.sockets import _talk, welcome_origin
from kickdoor.server.trouble import Trouble
from kickdoor.server.website import website
from serving import CALM, Client, Server, all_go_on, begin, call, free_port, play_on, seated

ROOT = Path(__file__).resolve().parents[1]
HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")


def run(coro: Any, seconds: float = 200) -> Any:
    return asyncio.run(asyncio.wait_for(coro, seconds))


def get(url: str, origin: str = "") -> tuple[int, str, dict[str, str]]:
    request = urllib.request.Request(url, headers={"Origin": origin} if origin else {})
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return answer.status, answer.read().decode(), {k.lower(): v for k, v in answer.headers.items()}
    except urllib.error.HTTPError as e:
        return e.code, e.read().decode(), {k.lower(): v for k, v in e.headers.items()}


# -- who is who -----------------------------------------------------------------------------------------------------


def test_two_servers_on_any_free_port_are_not_the_same() -> None:
    with socket.socket() as a, socket.socket() as b:
        a.bind(("127.0.0.1", 0))
        b.bind(("127.0.0.1", 0))
        assert identity(a) != identity(b)
        assert identity(a) == identity(a)


@asynccontextmanager
async def hubs(postgres: str, *public: str) -> AsyncIterator[list[Hub]]:
    """Servers of one journal, in this process."""
    made = []
    for i, url in enumerate(public):
        name = f"{url}#{i}"
        hub = Hub(open_journal(postgres, name, url), neighbours=neighbours(postgres, name, url))
        await hub.open()
        made.append(hub)
    try:
        yield made
    finally:
        for hub in made:
            await hub.close()


def test_servers_know_each_other_through_the_journal_and_nobody_else(postgres: str) -> None:
    async def story() -> None:
        async with hubs(postgres, "http://one.example", "http://two.example") as (one, two):
            one._met = 0.0  # as if a second had passed
            assert await one.knows("http://two.example")
            assert await two.knows("http://one.example")
            assert not await one.knows("http://evil.example")
            room, _, _ = await one.create("", "Ann", "female", dict(CALM), 3, [])
            with pytest.raises(Elsewhere) as sent:
                await two.room(room.table.id)
            assert sent.value.url == "http://one.example"

    run(story())


def test_a_server_that_died_for_good_is_forgotten_when_another_begins(postgres: str) -> None:
    async def story() -> None:
        async with hubs(postgres, "http://one.example", "http://two.example") as (one, _):
            await one.meet()
            db = await asyncpg.connect(postgres)
            for server, ago in (("yesterdays", 2), ("todays", 0)):
                await db.execute(
                    "insert into kd_servers (server, url, until) values ($1, '', now() - make_interval(days => $2))",
                    server,
                    ago,
                )
            async with hubs(postgres, "http://three.example", "http://four.example"):
                known = {r["server"] for r in await db.fetch("select server from kd_servers")}
            await db.execute("delete from kd_servers where server = 'todays'")
            await db.close()
            assert "todays" in known
            assert "http://one.example#0" in known
            assert "yesterdays" not in known

    run(story())


def test_behind_one_address_a_table_goes_to_where_its_people_are_sent(postgres: str) -> None:
    """A new table is anybody's; later a server asks the other one for it, and gets it with all that happened."""

    async def story() -> None:
        async with hubs(postgres, "https://play.example", "https://play.example") as (one, two):
            await one.meet()
            room, _, _ = await one.create("", "Ann", "female", dict(CALM), 3, [])
            ident = room.table.id
            there = await two.room(ident)
            assert there.table.seq == room.table.seq
            back = await one.room(ident)
            assert back.table.seq == there.table.seq
            assert there.closed
            assert ident not in two.rooms

    run(story())


def test_a_dead_server_is_known_by_its_missing_sign_of_life_before_its_leases_are_over(postgres: str) -> None:
    """Its tables are taken at once; and what was wished of it is not taken for a wish of somebody else later."""

    async def story() -> None:
        async with hubs(postgres, "https://play.example", "https://play.example") as (one, two):
            await one.meet()
            room, _, _ = await two.create("", "Ann", "female", dict(CALM), 3, [])
            ident = room.table.id
            room = await one.room(ident)
            assert isinstance(one.journal, PostgresJournal)
            assert isinstance(two.neighbours, PostgresNeighbours)
            assert isinstance(one.neighbours, PostgresNeighbours)
            forever = "update kd_tables set until = now() + interval '1 hour' where tbl = $1"
            await one.journal._pool.execute(forever, ident)
            await dead(one)
            late = await two.room(ident)
            assert late.table.seq == room.table.seq
            await two._grant()
            assert not late.closed
            with pytest.raises(Stale):
                await one.journal.append(room.lease, room.table.seq, [b"late"])

    run(story())


async def dead(hub: Hub) -> None:
    """As if this server had been killed: nothing is renewed or let go, and its lines to the database are gone."""
    assert isinstance(hub.neighbours, PostgresNeighbours)
    assert hub._keeper is not None
    hub._keeper.cancel()
    hub.neighbours._sign.terminate()


def test_a_server_that_lost_its_line_gives_its_sign_again_and_keeps_its_tables(postgres: str) -> None:
    async def story() -> None:
        async with hubs(postgres, "https://play.example", "https://play.example") as (one, two):
            assert isinstance(one.neighbours, PostgresNeighbours)
            assert isinstance(two.neighbours, PostgresNeighbours)
            one.neighbours._sign.terminate()
            await one.meet()
            for _ in range(3):
                assert await two.neighbours.gone() == frozenset()
                await asyncio.sleep(neighbouring.CERTAIN)

    run(story())


def test_entries_and_leases_are_written_at_the_same_time(postgres: str) -> None:
    """Two statements over the same tables never wait for each other: not for those in the other's order either."""

    async def story() -> None:
        journal = open_journal(postgres, "one", "http://one.example")
        await journal.open()
        leases = [await journal.create(f"busy{i:03}", [b"a"]) for i in range(150)]
        names = [x.table for x in leases]
        for seq in range(1, 13):
            one, other = leases[:: 1 if seq % 2 else -1], names[:: -1 if seq % 2 else 1]
            await asyncio.gather(
                *(journal.append(x, seq, [b"b"]) for x in one), *(journal.renew(other) for _ in range(3))
            )
        assert {await journal.last(n) for n in names} == {13}
        await journal.close()

    run(story())


def test_a_server_that_drains_takes_no_tables_and_gives_its_own_away(postgres: str) -> None:
    async def story() -> None:
        async with hubs(postgres, "http://one.example", "http://two.example") as (one, two):
            room, _, _ = await one.create("", "Ann", "female", dict(CALM), 3, [])
            await one.meet()
            await one.drain(0.0, 5)
            assert one.back == 0  # another server is there: come at once
            with pytest.raises(Trouble, match="restart"):
                await one.create("", "Ann", "female", dict(CALM), 3, [])
            with pytest.raises(Trouble, match="restart"):
                await one.room(room.table.id)
            assert (await two.room(room.table.id)).table.seq == room.table.seq

    run(story())


# -- behind a proxy -------------------------------------------------------------------------------------------------


class Proxy:
    """HAProxy with the configuration that we hand out."""

    def __init__(self, folder: Path, one: int, two: int) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {
            **os.environ,
            "KICKDOOR_BIND": f"127.0.0.1:{self.port}",
            "KICKDOOR_ONE": f"127.0.0.1:{one}",
            "KICKDOOR_TWO": f"127.0.0.1:{two}",
        }

    def __enter__(self) -> Proxy:
        command = [str(HAPROXY), "-db", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
        self.child = subprocess.Popen(command, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_: object) -> None:
        self.child.kill()
        self.child.wait(60)

    def ready(self) -> None:
        for _ in range(600):
            try:
                if get(f"{self.url}/api/about")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise AssertionError("the proxy does not answer")


class Echo(BaseHTTPRequestHandler):
    """Says which of two servers it is, whatever it is asked."""

    def do_GET(self) -> None:
        body = str(self.connection.getsockname()[1])
        with suppress(ConnectionError):  # the proxy's checks do not wait for all of it
            self.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed (on Debian and Ubuntu: apt install haproxy)")
def test_all_of_a_table_or_counter_goes_to_one_server_however_its_path_is_written(tmp_path: Path) -> None:
    """Counters went to both in turns; and whoever spelt a table's name in another way made it wander for ever."""
    with ExitStack() as stack:
        servers = [ThreadingHTTPServer(("127.0.0.1", 0), Echo) for _ in range(2)]
        for s in servers:
            threading.Thread(target=s.serve_forever, daemon=True).start()
            stack.callback(s.server_close)
            stack.callback(s.shutdown)
        proxy = stack.enter_context(Proxy(tmp_path, *(s.server_address[1] for s in servers)))
        proxy.ready()
        went: dict[str, set[str]] = {}
        for name in (f"{chr(97 + i) * 5}{i:05}" for i in range(16)):
            odd = f"%{ord(name[0]):02x}{name[1:]}"
            for kind, page in (("tables", "t"), ("counter", "counter")):
                ways = (f"/{page}/{name}", f"/{page}/{odd}", f"/%{ord(page[0]):02X}{page[1:]}/{name}")
                calls = (
                    f"/api/{kind}/{name}",
                    f"/api/{kind}/{odd}?x=1",
                    f"/ws/{kind}/{odd}",
                    f"/%61pi/{kind}/{name}/qr.svg",
                )
                went[f"{kind} {name}"] = {get(proxy.url + path)[1] for path in (*ways, *calls, *ways)}
        assert all(len(s) == 1 for s in went.values()), went
        for path in ("/metrics", "/%6detrics", "/metric%73", "/%72eadyz", "/healthz"):
            assert get(proxy.url + path)[0] == 404, "that is for whoever runs it"
        assert len(set.union(*went.values())) == 2, "they are spread by their names"


@pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed (on Debian and Ubuntu: apt install haproxy)")
@pytest.mark.parametrize("loops", [1, 2])
def test_behind_one_address_a_server_dies_and_another_is_stopped(postgres: str, tmp_path: Path, loops: int) -> None:
    """Eight tables; one server is killed, comes back, and the other is told to stop: all tables go on, each time; also
    where each server is several processes."""
    port_one, port_two = free_port(), free_port()

    async def story(stack: AsyncExitStack, proxy: Proxy, one: Server, two: Server) -> None:
        games = []
        kept = [0, 0]
        for i in range(40):  # eight, and more only if all of them went to one server
            if i >= 8 and all(kept):
                break
            ident, tickets = await asyncio.to_thread(lambda: asyncio.run(seated(proxy.url, 3)))
            clients = [
                await stack.enter_async_context(Client(proxy.url, ident, t["token"], 10 * i + k))
                for k, t in enumerate(tickets)
            ]
            await begin(clients)
            await play_on(clients, 3)
            games.append(clients)
            kept = [json.loads(get(f"{s.url}/healthz")[1])["tables"] for s in (one, two)]
        assert sum(kept) == len(games)
        assert all(kept), "the tables are spread by their ids"
        one.kill()
        await all_go_on(games)  # how soon is measured by `make bench-server`
        await asyncio.to_thread(one.start)
        await until(lambda: get(f"{one.url}/readyz")[0] == 200)
        assert two.child is not None
        two.child.send_signal(signal.SIGTERM)
        await until(lambda: get(f"{two.url}/readyz")[0] == 503)
        status, no = call(f"{two.url}/api/tables", {"host": {"name": "Ann"}})
        assert (status, no["code"]) == (503, "closing")
        await all_go_on(games)
        assert await asyncio.to_thread(two.child.wait, 60) == 0
        await all_go_on(games)  # every table is at the other one by now
        for clients in games:
            acknowledged = max(a["seq"] for c in clients for a in c.answers.values())
            assert clients[0].seq >= acknowledged

    with ExitStack() as outer:
        proxy = outer.enter_context(Proxy(tmp_path, port_one, port_two))
        behind = ("--public-url", proxy.url, "--proxy", "127.0.0.1", "--drain", "2")
        shared = ("--database", postgres, "--loops", str(loops), *behind)
        one = outer.enter_context(Server(*shared, port=port_one))
        two = outer.enter_context(Server(*shared, port=port_two))
        proxy.ready()
        assert get(f"{proxy.url}/metrics")[0] == get(f"{proxy.url}/readyz")[0] == 404  # not for everybody

        async def main() -> None:
            async with AsyncExitStack() as stack:
                await story(stack, proxy, one, two)

        run(main(), 600)  # three servers begin in it, on a busy machine, too


class Moody(Echo):
    """A server that says how it is, and keeps an open line until it is told otherwise."""

    moods: ClassVar[dict[int, str]] = {}

    def do_GET(self) -> None:
        port = self.connection.getsockname()[1]
        if self.moods.get(port) == "hangs":
            time.sleep(60)
        elif self.path.startswith("/ws/"):
            key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            said = b64encode(hashlib.sha1(key.encode(), usedforsecurity=False).digest()).decode()
            head = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {said}\r\n\r\n"
            self.wfile.write(f"HTTP/1.1 101 Switching Protocols\r\n{head}".encode())
            with suppress(ConnectionError):
                while got := self.connection.recv(100):
                    self.connection.sendall(got)
        elif self.path == "/readyz" and self.moods.get(port) == "drains":
            with suppress(ConnectionError):
                self.wfile.write(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")
        else:
            super().do_GET()


def open_line(proxy: Proxy, table: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", proxy.port), 60)
    asks = "Host: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = b64encode(b"16 random bytes!").decode()
    line.sendall(f"GET /ws/tables/{table} HTTP/1.1\r\n{asks}Sec-WebSocket-Key: {key}\r\n\r\n".encode())
    assert line.recv(1000).startswith(b"HTTP/1.1 101")
    return line


@pytest.mark.skipif(HAPROXY is None, reason="HAProxy is not installed (on Debian and Ubuntu: apt install haproxy)")
def test_lines_to_a_server_that_hangs_are_cut_and_those_to_one_that_drains_are_not(tmp_path: Path) -> None:
    """Pages notice that nothing comes only after 40 seconds, and who had just called waited for 30."""
    with ExitStack() as stack:
        servers = [ThreadingHTTPServer(("127.0.0.1", 0), Moody) for _ in range(2)]
        for s in servers:
            s.daemon_threads = True
            threading.Thread(target=s.serve_forever, daemon=True).start()
            stack.callback(s.server_close)
            stack.callback(s.shutdown)
        one, two = (s.server_address[1] for s in servers)
        proxy = stack.enter_context(Proxy(tmp_path, one, two))
        proxy.ready()
        names = (f"{chr(97 + i) * 5}{i:05}" for i in range(26))
        table = next(n for n in names if get(f"{proxy.url}/t/{n}")[1] == str(one))

        def goes_to(port: int) -> None:
            end = time.monotonic() + 60
            while get(f"{proxy.url}/t/{table}")[1] != str(port):
                assert time.monotonic() < end, "people are not sent there"
                time.sleep(0.1)

        with open_line(proxy, table) as line:
            Moody.moods[one] = "drains"
            goes_to(two)
            line.sendall(b"still there?")
            assert line.recv(100) == b"still there?"
            Moody.moods[one] = ""
            goes_to(one)
            Moody.moods[one] = "hangs"
            assert get(f"{proxy.url}/t/{table}")[:2] == (200, str(two)), "who calls now is answered by the other one"
            assert line.recv(100) == b"", "and who is connected is let go"


def test_the_proxy_waits_for_a_busy_server_and_no_longer_than_its_leases_last() -> None:
    """One that is asked for its journal may take two seconds for the answer. One that is taken for dead loses nothing:
    by then its leases are over."""
    config = (ROOT / "deploy" / "haproxy.cfg").read_text()
    check = float(found(r"timeout check (\d+)s", config))
    between = float(found(r"fastinter (\d+)ms", config)) / 1000
    before = float(found(r"inter (\d+)s", config))
    falls = int(found(r"fall (\d+)", config))
    assert check > PATIENCE + 0.5
    silence = falls * check + (falls - 1) * between
    assert silence > LEASE_SECONDS
    told = f"it takes {silence:g} to {silence + before:g} seconds until its tables go on elsewhere"
    assert told in (ROOT / "docs" / "hosting.md").read_text()


def found(pattern: str, text: str) -> str:
    there = re.search(pattern, text)
    assert there is not None, pattern
    return there[1]


async def until(test: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(_quietly, test):
        assert time.monotonic() < end, "it did not come to be"
        await asyncio.sleep(0.05)


def _quietly(test: Any) -> bool:
    try:
        return bool(test())
    except OSError:
        return False


# -- one server: stopping, figures, logs -----------------------------------------------------------------------------


def test_figures_readiness_a_discreet_log_and_a_stop_in_good_order(tmp_path: Path) -> None:
    """One server's life, and nothing secret in what it tells its operator."""
    said = "meet me at the dragon"
    with (
        open(tmp_path / "log", "wb") as log,
        Server("--data", str(tmp_path), "--metrics", "--log", "json", "--back", "7", stderr=log) as server,
    ):
        assert get(f"{server.url}/readyz")[0] == 200

        async def story() -> tuple[list[str], dict[str, Any]]:
            ident, tickets = await seated(server.url, 3)
            tokens = [t["token"] for t in tickets]
            async with AsyncExitStack() as stack:
                clients = [await stack.enter_async_context(Client(server.url, ident, t)) for t in tokens]
                await begin(clients)
                await play_on(clients, 10)
                assert not (await clients[0].say("act", window=-5, moves=["0,-1,-1,-1"]))["ok"]
                assert (await clients[1].say("say", text=said))["ok"]
                code = call(f"{server.url}/api/tables/{ident}/move", {"token": tokens[2]})[1]["code"]
                call(f"{server.url}/api/tables/{ident}/claim", {"code": code + "x"})
                figures = get(f"{server.url}/metrics")[1]
                secrets = [*tokens, code, said]
                assert not [x for x in [*secrets, ident, "Ann"] if x in figures]
                check_figures(figures)
                assert server.child is not None
                server.child.send_signal(signal.SIGTERM)
                await clients[0].until(lambda: clients[0].goodbye is not None)
                bye = clients[0].goodbye
                assert bye is not None
                return secrets, bye

        secrets, bye = run(story())
        assert (bye["code"], bye["back"]) == ("restart", 7)
        assert server.child is not None
        assert server.child.wait(30) == 0
    text = (tmp_path / "log").read_text()
    assert not [x for x in secrets if x in text]
    for line in text.splitlines():
        assert {"at", "level", "logger", "says"} <= json.loads(line).keys()


def test_who_asks_only_how_an_answer_begins_is_told_the_same(tmp_path: Path) -> None:
    """Watchmen ask for no more than that (HEAD), and would take a server for dead."""
    with Server("--data", str(tmp_path / "data"), "--metrics") as server:
        line = http.client.HTTPConnection(server.url.partition("://")[2], timeout=60)
        for path in ("/healthz", "/readyz", "/metrics", "/api/about", "/api/tables/abcdefghjk", "/", "/nothing"):
            asked = {}
            for method in ("GET", "HEAD"):
                line.request(method, path)
                answer = line.getresponse()
                asked[method] = (answer.status, answer.headers["content-type"], len(answer.read()))
            assert asked["HEAD"] == (*asked["GET"][:2], 0)
            assert asked["GET"][2] > 0
        line.close()


@pytest.mark.parametrize(
    ("after", "word", "status"),
    [(0.0, signal.SIGTERM, 0), (0.5, signal.SIGTERM, 0), (1.1, signal.SIGTERM, 0), (0.0, signal.SIGINT, 130)],
)
def test_a_server_that_is_stopped_before_it_is_open_has_nothing_to_regret(
    after: float, word: signal.Signals, status: int, tmp_path: Path
) -> None:
    """However far it has come: once it can be told anything, to be told to stop is no failure."""
    command = [sys.executable, "-m", "kickdoor.app.cli", "serve", "--port", "0", "--data", str(tmp_path)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not Path(f"/proc/{child.pid}/status").exists() or not _minds(child.pid):
        assert child.poll() is None
        time.sleep(0.01)
    time.sleep(after)
    child.send_signal(word)
    _, said = child.communicate(timeout=60)
    assert child.returncode == status, said
    assert "Traceback" not in said


def test_who_stops_a_server_that_is_being_loaded_throws_nothing_into_it() -> None:
    """What is imported may make something else of an exception; then a server that was stopped said "a bug, sorry"."""
    story = (
        "import signal\n"
        "from kickdoor.app import serving\n"
        "serving.leave_in_peace()\n"
        "try:\n"
        "    signal.raise_signal(signal.SIGTERM)\n"
        "except BaseException:\n"
        "    raise TypeError('expected a message') from None\n"
    )
    ended = subprocess.run([sys.executable, "-c", story], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def _minds(pid: int) -> bool:
    """Does it do something of its own when it is told to stop?"""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16)  # type: ignore[index]
    return bool(caught >> (signal.SIGTERM - 1) & 1)


def check_figures(text: str) -> None:
    """Moves, refusals, sockets and times are counted."""
    value = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line[:1] != "#"}
    assert value['kickdoor_moves_total{by="person"}'] == 10
    assert value['kickdoor_refusals_total{code="stale"}'] == 1
    assert value["kickdoor_sockets"] == 3
    assert value["kickdoor_tables"] == 1
    assert value["kickdoor_command_seconds_count"] >= 12
    assert value["kickdoor_journal_append_seconds_count"] >= 12
    assert value["kickdoor_draining"] == 0
    assert "kickdoor_thinking_seconds_count" in value
    assert not [k for k in value if k.startswith("kickdoor_errors_total{")]


@pytest.mark.parametrize(("stops", "code"), [(True, "restart"), (False, "bye")])
def test_who_is_still_on_his_way_in_when_a_server_stops_is_told_to_come_again(stops: bool, code: str) -> None:
    """A stop waits for nobody who waits for his table, and a goodbye without a reason would send him home."""
    said: list[Any] = []
    wire = SimpleNamespace(push=lambda raw: said.append(json.loads(raw)), shut=lambda code: None)
    ws: Any = SimpleNamespace(scope={"extensions": {"kickdoor.wire": wire}})
    hub: Any = SimpleNamespace(draining=stops, back=7)

    async def story() -> None:
        async def visit(*_: object) -> None:
            await asyncio.sleep(600)

        coming = asyncio.ensure_future(_talk(ws, hub, Gate(), "here", visit))
        await asyncio.sleep(0)
        coming.cancel()
        assert not await coming

    run(story())
    assert [(s["t"], s["code"], s.get("back", 0)) for s in said] == [("bye", code, 7 if stops else 0)]


def test_what_is_put_away_in_a_container_outlives_it() -> None:
    """The archive is a folder beside where the journal would be, also when that is in a database."""
    image = (ROOT / "Dockerfile").read_text()
    (folder,) = re.findall(r"^VOLUME (.+)$", image, re.MULTILINE)
    assert folder == "/home/table/.local/share/kickdoor"
    assert f"install -d -o table -g table {folder}" in image  # a volume has the owner of what it is laid over
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())
    named = dict(v.split(":") for v in composed["services"]["table"]["volumes"])
    assert folder in named.values()
    assert named.keys() <= composed["volumes"].keys()
    assert composed["services"]["table"]["stop_grace_period"] == "30s"  # docs/hosting.md, "Stopping"


def test_without_asking_there_are_no_figures(tmp_path: Path) -> None:
    journal = SqliteJournal(str(tmp_path / "journal.sqlite"))
    hub = Hub(journal)
    with TestClient(website(hub)) as site:
        assert site.get("/metrics").status_code == 404
        assert site.get("/readyz").json() == {"ready": True, "journal": True, "draining": False}

        async def gone(_: str) -> Any:
            raise OSError("no disk")

        journal.latest = gone  # type: ignore[method-assign,assignment]
        hub._heard -= HEARD
        answer = site.get("/readyz")
        assert (answer.status_code, answer.json()["journal"]) == (503, False)
        assert site.get("/healthz").status_code == 200  # alive all the same: nobody should restart it for that


def test_whoever_watches_over_a_busy_server_does_not_wait_behind_its_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the journal said a moment ago will do; what it said long ago will not."""

    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "journal.sqlite"))
        await journal.open()
        hub = Hub(journal)
        asked: list[str] = []

        async def busy(name: str) -> None:
            asked.append(name)
            raise Lost("too much to do")

        assert await hub.reachable()
        answers, journal.latest = journal.latest, busy  # type: ignore[method-assign,assignment]
        assert await hub.reachable()
        assert not asked
        hub._heard -= HEARD
        assert not await hub.reachable()
        journal.latest = answers  # type: ignore[method-assign]
        assert await hub.reachable()  # a no is not kept

        async def slow(name: str) -> None:
            await asyncio.sleep(600)

        monkeypatch.setattr("kickdoor.server.hub.PATIENCE", 0.01)
        journal.latest = slow  # type: ignore[method-assign,assignment]
        hub._heard -= HEARD
        assert await hub.reachable(), "it is slow, and has answered not long ago"
        hub._heard -= SILENT
        assert not await hub.reachable(), "nobody is as slow as that"
        journal.latest = answers  # type: ignore[method-assign]
        await stopped_while_it_listens(hub)
        await journal.close()

    async def stopped_while_it_listens(hub: Hub) -> None:
        """In the very moment in which the journal answers: it is stopped all the same, and the server ends."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        hub.journal.latest = lambda _: answer  # type: ignore[method-assign,assignment,return-value]
        task = asyncio.create_task(hub._listen())
        await asyncio.sleep(0)
        answer.set_result(None)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(story())


@pytest.mark.parametrize("style", ["text", "json"])
def test_what_is_secret_is_blotted_out_of_the_log(style: logs.Style) -> None:
    stream, before = io.StringIO(), logging.getLogger().handlers[:]
    token, code = new_token(), Links(b"key").make("abcdefghjk", "f" * 40)
    address = "postgresql://kickdoor:hunter2@journal/kickdoor"
    try:
        logs.begin(style, stream)
        log = logging.getLogger("kickdoor.server")
        log.error("somebody came with %s and %s", token, code)
        try:
            raise ValueError(f"cannot use {address} with {token}")
        except ValueError:
            log.exception("a call failed")
        logging.getLogger("asyncpg.pool").warning("no line to the database; retrying")  # we tell that ourselves, once
        log.info("an_ordinary_long_function_name_stays readable, and so does abcdefghjk")
    finally:
        logging.basicConfig(handlers=before, force=True)
    text = stream.getvalue()
    assert not [x for x in (token, code, "hunter2") if x in text]
    assert "a call failed" in text
    assert "retrying" not in text
    assert "an_ordinary_long_function_name_stays" in text
    assert "abcdefghjk" in text


@pytest.mark.parametrize("style", ["text", "json"])
def test_what_is_no_text_is_logged_all_the_same(style: logs.Style) -> None:
    """The name of a folder may be any bytes. A line that names one is not lost, and is a line."""
    stream, before = io.StringIO(), logging.getLogger().handlers[:]
    try:
        logs.begin(style, stream)
        logging.getLogger("kickdoor.server").warning("cannot write %s", os.fsdecode(b"/data/\xff/x\x1b[2J"))
    finally:
        logging.basicConfig(handlers=before, force=True)
    [line] = stream.getvalue().encode().splitlines()
    assert b"cannot write /data/" in line
    assert b"\x1b" not in line
    if style == "json":
        assert json.loads(line)["says"] == os.fsdecode(b"cannot write /data/\xff/x\x1b[2J")


class Beside(Alone):
    """Another server is there."""

    async def meet(self) -> frozenset[str]:
        return frozenset({"http://two.example"})


def test_pages_of_another_server_of_the_journal_may_come_and_others_may_not(tmp_path: Path) -> None:
    """`moved` needs no settings: the addresses are in the journal."""
    hub = Hub(SqliteJournal(str(tmp_path / "journal.sqlite")), neighbours=Beside("http://one.example"))
    with TestClient(website(hub)) as site:
        theirs = {"Origin": "http://two.example"}
        assert site.get("/api/about", headers=theirs).headers["access-control-allow-origin"] == "http://two.example"
        assert site.options("/api/tables", headers=theirs).headers["access-control-allow-headers"] == "content-type"
        evil = site.get("/api/about", headers={"Origin": "http://evil.example"})
        assert "access-control-allow-origin" not in evil.headers
    for origin, fits in (("http://two.example/", True), ("http://one.example", True), ("http://evil.example", False)):
        ws: Any = SimpleNamespace(scope={"headers": [(b"origin", origin.encode()), (b"host", b"one.example")]})
        assert asyncio.run(welcome_origin(ws, frozenset(), hub)) is fits
