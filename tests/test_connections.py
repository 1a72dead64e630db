"""Connections and calls: how many at once, and nobody holds one by saying half of something."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
import uvicorn
from uvicorn.server import ServerState

import virtual_time
from house import ANN, House, eventually, listening, story
from kickdoor.server import connections, limits, wire
from kickdoor.server.connections import networks


async def half(port: int, sent: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    return reader, writer


HEAD = b"POST /api/tables HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"


ENDLESS = [
    (b"", b""),
    (b"GET / HT", b"408"),
    (HEAD, b"408"),
    (HEAD + b"Content-Length: 500\r\n\r\n{", b"408"),
    (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", b"408"),
    (b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n", b"200"),
    (b"GET /healthz HTTP/1.1\r\nHost: test\r\n\r\nGET /he", b"200"),
]


def test_a_request_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody holds a connection by saying nothing, or half of something; also not after an answer."""
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.1)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.1)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            for sent, status in ENDLESS:
                reader, writer = await half(port, sent)
                heard = await reader.read()  # to its end: the server has closed it
                assert heard[9:12] == status, sent
                writer.close()
                await eventually(lambda: len(house.gate.connections) == 0)

    story(tmp_path, tell)


def test_one_letter_at_a_time_is_no_way_to_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            starts = (HEAD, HEAD + b"Content-Length: 9999\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            lines = [await half(port, start) for start in starts]
            drips = (b"X", b" ", b"\r\n")

            async def drip(writer: asyncio.StreamWriter, letter: bytes) -> None:
                with contextlib.suppress(OSError):
                    while True:
                        writer.write(letter)
                        await writer.drain()
                        await asyncio.sleep(0.02)

            tasks = [asyncio.create_task(drip(w, d)) for (_, w), d in zip(lines, drips, strict=True)]
            await eventually(lambda: len(house.gate.connections) == 0)
            for task in tasks:
                task.cancel()

    story(tmp_path, tell)


def test_who_does_not_read_the_answer_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.3)
    monkeypatch.setattr(limits, "HEADER_SECONDS", 0.2)
    monkeypatch.setattr(limits, "GOODBYE_SECONDS", 0.1)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", port))
            asked = b"GET /api/protocol.json HTTP/1.1\r\nHost: a\r\n\r\n"
            line.setblocking(False)
            for _ in range(200):  # more than all buffers between here and there can hold
                with contextlib.suppress(BlockingIOError):
                    line.send(asked)
            await eventually(lambda: house.gate.connections.of("127.0.0.1") == 1)
            await eventually(lambda: len(house.gate.connections) == 0)
            line.close()

    story(tmp_path, tell, times=1000)


@pytest.mark.parametrize("call", [b"GET /api/about", b"POST /api/counter/could", b"POST /api/tables", b"GET /t/none"])
def test_who_hangs_up_in_the_middle_is_no_trouble_of_the_servers(
    tmp_path: Path, call: bytes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nobody would have looked for a body: the log is for what is wrong here."""

    async def tell(house: House) -> None:
        came: list[str] = []
        enter = house.gate.flights.enter

        def enters(who: str) -> bool:
            came.append(who)
            return enter(who)

        monkeypatch.setattr(house.gate.flights, "enter", enters)
        async with listening(house) as port:
            _, writer = await half(port, call + b" HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n{")
            await eventually(lambda: came == ["127.0.0.1"])  # a page may have been answered already
            writer.close()
            await eventually(lambda: len(house.gate.connections) == len(house.gate.flights) == 0)

    story(tmp_path, tell)
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("path", [b"/ws/tables/nowhere", b"/ws/tables/nowhere?x", b"/ws/nowhere"])
def test_a_socket_whose_line_has_gone_before_it_is_answered_is_no_trouble_of_the_servers(
    tmp_path: Path, path: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has hung up is not let in, nor told no: there is nobody to tell."""
    complaints: list[Any] = []
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "error", lambda *said, **_: complaints.append(said))
    ended = asyncio.Event()

    def hung_up(app: Any) -> Any:
        async def asked(scope: Any, receive: Any, send: Any) -> None:
            wire.wire_of(scope).transport.close()  # as when its end was read in the same moment
            try:
                await app(scope, receive, send)
            finally:
                ended.set()

        return asked

    async def tell(house: House) -> None:
        monkeypatch.setattr(house, "app", hung_up(house.app))
        async with listening(house) as port:
            _, writer = await half(port, b"GET " + path + b" HTTP/1.1\r\n" + ASKED + KEY + b"\r\n")
            await ended.wait()
            await eventually(lambda: not house.gate.sockets._now)
            writer.close()

    story(tmp_path, tell)
    assert complaints == []


def test_nonsense_from_somebody_who_is_not_in_yet_is_no_trouble_of_the_servers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of another site is looked into, which may take a while: what it says meanwhile may be anything."""

    async def tell(house: House) -> None:
        asked, known = asyncio.Event(), asyncio.Event()

        async def knows(_: str) -> bool:
            asked.set()
            await known.wait()
            return False

        monkeypatch.setattr(house.hub, "knows", knows)
        async with listening(house) as port:
            reader, writer = await half(port, HERE + b"Origin: http://elsewhere\r\n\r\n")
            await asked.wait()
            writer.write(b"\x83\x80\0\0\0\0")  # a frame of a kind that there is not
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b""
            known.set()
            writer.close()

    story(tmp_path, tell)
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


def test_a_server_stops_in_good_order_while_somebody_has_said_goodbye_and_does_not_listen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """His line is there as long as something waits for him, and nothing more is said on it."""
    monkeypatch.setattr(wire, "GOODBYE_SECONDS", 0.2)
    wires: list[wire.Wire] = []
    monkeypatch.setattr(wire.Wire, "start_keepalive", lambda w: wires.append(w))

    async def tell(house: House) -> None:
        async with listening(house) as port:
            _, writer = await half(port, HERE + b"\r\n")
            await eventually(lambda: bool(wires))
            wires[0].transport.write(bytes(32 * 1024 * 1024))  # more than all buffers between here and there can hold
            writer.write(b"\x88\x82\0\0\0\0\x03\xe8")
            await eventually(wires[0].transport.is_closing)
            assert wires[0].transport.get_write_buffer_size()
        writer.transport.abort()

    story(tmp_path, tell)


def test_headers_have_an_end(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with listening(house) as port:
            for endless in (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000):
                reader, writer = await half(port, endless)
                assert (await reader.read(12))[9:] == b"431"
                writer.close()

    story(tmp_path, tell)


def test_connections_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_PER_ADDRESS", 5)

    async def tell(house: House) -> None:
        async with listening(house) as port:
            held = [await half(port, b"GET") for _ in range(5)]
            await eventually(lambda: house.gate.connections.of("127.0.0.1") == 5)
            reader, writer = await half(port, b"")
            assert (await reader.read())[9:12] == b"503"
            for _, w in (*held, (reader, writer)):
                w.close()
            await eventually(lambda: len(house.gate.connections) == 0)

    story(tmp_path, tell)


def test_proxies_are_named_by_address_or_network() -> None:
    assert len(networks(["10.0.0.5", "10.1.0.0/16", "::1"])) == 3
    for odd in ("*", "my-proxy", "10.0.0.5:80"):
        with pytest.raises(ValueError, match="address or network"):
            networks([odd])


def test_calls_in_flight_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CALLS_IN_FLIGHT_PER_ADDRESS", 3)

    async def tell(house: House) -> None:
        async with house.caller() as c:
            ticket = (await c.post("/api/tables", json=ANN)).json()["table"]
            gate = asyncio.Event()
            real = house.hub.room

            async def slow(ident: str) -> Any:
                await gate.wait()
                return await real(ident)

            monkeypatch.setattr(house.hub, "room", slow)
            calls = [asyncio.create_task(c.get(f"/api/tables/{ticket}")) for _ in range(3)]
            await eventually(lambda: house.gate.flights.of("192.0.2.1") == 3)
            assert (await c.get(f"/api/tables/{ticket}")).status_code == 429
            async with house.caller("192.0.2.9") as other:
                assert (await other.get("/healthz")).status_code == 200
            gate.set()
            assert {a.status_code for a in await asyncio.gather(*calls)} == {200}
            assert len(house.gate.flights) == 0

    story(tmp_path, tell)


def test_a_call_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.05)

    async def tell(house: House) -> None:
        async def never(ident: str) -> Any:
            await asyncio.Event().wait()

        monkeypatch.setattr(house.hub, "room", never)
        async with house.caller() as c:
            answer = await c.get("/api/tables/abcdefghjk")
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert len(house.gate.flights) == 0

    story(tmp_path, tell)


def calling(port: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60)


@pytest.mark.usefixtures("no_time_passes")
@pytest.mark.parametrize("proxy", ["127.0.0.1", ""])
def test_behind_a_proxy_everybody_counts_for_himself(tmp_path: Path, proxy: str) -> None:
    """What the known proxy says counts, not what came to it; what anybody else says does not count at all."""

    async def tell(house: House) -> None:
        async with listening(house, proxy) as port, calling(port) as c:
            for i in range(3):
                forged = {"X-Forwarded-For": f"203.0.113.{i}, 198.51.100.7"}
                assert (await c.get("/api/about", headers=forged)).status_code == 200
            counted = set(house.gate.calls._left)
            assert counted == ({"198.51.100.7"} if proxy else {"127.0.0.1"})
            assert house.gate.connections.of("127.0.0.1") == (0 if proxy else 1)

    story(tmp_path, tell)


def test_there_is_an_end_to_all_connections(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with listening(house, most=3) as port:
            held = [await half(port, b"GET") for _ in range(3)]
            await eventually(lambda: house.gate.connections.of("127.0.0.1") == 3)
            reader, writer = await half(port, b"")
            assert (await reader.read())[9:12] == b"503"
            for _, w in (*held, (reader, writer)):
                w.close()

    story(tmp_path, tell)


# -- thousands at once --------------------------------------------------------------------------------------------


def test_sockets_come_in_a_few_at_a_time_and_others_have_their_turns_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """In virtual time: letting one in takes three tenths of what may be spent at once."""
    worked, let_in, turns = 0.0, [], 0
    monkeypatch.setattr(connections, "time", SimpleNamespace(perf_counter=lambda: worked))

    class Coming:
        def __init__(self, number: int) -> None:
            self.number = number

        def become_socket(self) -> None:
            nonlocal worked
            worked += 0.3 * connections.COMING_IN
            let_in.append(self.number)

    async def story() -> None:
        nonlocal turns
        doorway = connections.Doorway()
        for i in range(1000):
            doorway.come(Coming(i))  # type: ignore[arg-type]
        most = 4
        assert let_in == list(range(most))
        while len(let_in) < 1000:
            before = len(let_in)
            await asyncio.sleep(connections.BREATH)
            turns += 1
            assert len(let_in) - before <= most
        assert let_in == list(range(1000))
        assert turns >= 1000 / most - 1
        await asyncio.sleep(1)
        doorway.come(Coming(1000))  # type: ignore[arg-type]
        assert let_in[-1] == 1000, "on a quiet day nobody waits"

    virtual_time.run(story())


ASKED = b"Host: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
HERE = b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY


PLAIN_OR_NOT = [
    (HERE, b"101"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED.replace(b": Upgrade", b": keep-alive, upgrade") + KEY, b"101"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\nOrigin: http://test\r\n" + ASKED + KEY, b"101"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\nOrigin: http://elsewhere\r\n" + ASKED + KEY, b"403"),
    (b"GET /ws/nowhere HTTP/1.1\r\n" + ASKED + KEY, b"403"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED, b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY.replace(b"dGhl", b""), b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY + KEY, b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED.replace(b"13", b"12") + KEY, b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY + b"Origin: http://test\r\n" * 2, b"400"),
    (b"POST /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY, b"405"),
    (b"GET http://test/ws/tables/nowhere?x=1 HTTP/1.1\r\n" + ASKED + KEY, b"101"),
    (b"GET /ws/tables/nowhere HTTP/1.0\r\n" + ASKED + KEY, b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY + b"Content-Length: 5\r\n", b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY + b"Transfer-Encoding: chunked\r\n", b"400"),
    (b"GET /ws/tables/nowhere HTTP/1.1\r\n" + ASKED + KEY + b"X: y\r\n" * 200, b"431"),
]


def test_a_socket_is_answered_alike_whoever_reads_the_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain request is answered at once, any other one by the long way; nobody can tell which it was."""

    async def first(port: int, asked: bytes) -> list[bytes]:
        reader, writer = await half(port, asked + b"\r\n")
        heard = await reader.readuntil(b"\r\n\r\n")
        writer.close()
        return sorted(line for line in heard.lower().split(b"\r\n") if not line.startswith(b"date"))

    async def tell(house: House) -> None:
        async with listening(house) as port:
            short = [await first(port, asked) for asked, _ in PLAIN_OR_NOT]
            monkeypatch.setattr(wire, "accepting", lambda *_: b"")
            for (asked, status), heard in zip(PLAIN_OR_NOT, short, strict=True):
                assert heard == await first(port, asked), asked
                assert any(line.startswith(b"http/1.1 " + status) for line in heard), asked

    story(tmp_path, tell)


def test_a_socket_that_is_asked_for_along_with_something_else_does_not_speak_into_its_answer(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with listening(house) as port:
            both = b"GET /api/about HTTP/1.1\r\nHost: test\r\n\r\n" + PLAIN_OR_NOT[0][0] + b"\r\n"
            reader, writer = await half(port, both)
            heard = await reader.read()  # to its end
            assert heard.startswith(b"HTTP/1.1 200")
            assert heard.count(b"HTTP/1.1 ") == 1
            writer.close()

    story(tmp_path, tell)


@pytest.mark.parametrize("proxy", ["127.0.0.1", ""])
def test_a_socket_counts_for_whoever_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    """Behind the known proxy for whom that names, however it does; the short way in and the long one agree."""
    named = {
        b"": "127.0.0.1",
        b"198.51.100.7": "198.51.100.7",
        b"203.0.113.9, 198.51.100.7": "198.51.100.7",
        b"203.0.113.9\r\nX-Forwarded-For: 198.51.100.7": "198.51.100.7",
        b"198.51.100.7:4321": "198.51.100.7",
        b"2001:db8::7": "2001:db8::/64",
        b"127.0.0.1": "127.0.0.1",
        b"somebody": "?",
    }

    async def counted(house: House, port: int, forwarded: bytes) -> list[str]:
        told = b"X-Forwarded-For: " + forwarded + b"\r\n" if forwarded else b""
        reader, writer = await half(port, PLAIN_OR_NOT[0][0] + told + b"\r\n")
        await reader.readuntil(b"\r\n\r\n")
        found = list(house.gate.sockets._now)
        writer.close()
        await eventually(lambda: not house.gate.sockets._now)
        return found

    async def tell(house: House) -> None:
        async with listening(house, proxy) as port:
            short = [await counted(house, port, f) for f in named]
            assert short == [[who if proxy else "127.0.0.1"] for who in named.values()]
            monkeypatch.setattr(wire, "accepting", lambda *_: b"")
            assert short == [await counted(house, port, f) for f in named]

    story(tmp_path, tell)


def test_sockets_of_a_server_share_nothing_that_changes(tmp_path: Path) -> None:
    """What uvicorn gives each of them at first is told once; what can be changed in place is each one's own."""

    async def tell(house: House) -> None:
        config = uvicorn.Config(house.app, ws=wire.Wire, lifespan="off")
        config.load()
        of_the_server = ServerState()
        wires = wire.Wires(config, of_the_server, {})
        assert wires.plain is not None, "this uvicorn gives its sockets something new: see `Wires.OWN`"
        one, two, usual = wires.new(), wires.new(), wire.Wire(config, of_the_server, {})
        shared = {n for n in vars(usual) if isinstance(getattr(one, n), (list, dict, set, bytearray))}
        assert shared == {"app_state", "connections", "tasks", "default_headers", "frames"}
        assert one.frames is not two.frames
        assert one.queue is not two.queue
        assert one.conn is not two.conn
        assert one.conn is one.conn
        assert all(hasattr(one, n) for n in vars(usual))

    story(tmp_path, tell)
