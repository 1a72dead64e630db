"""The WebSocket: one per person and table."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kickdoor.server import limits, watching
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import fingerprint
from kickdoor.server.explaining import explained
from kickdoor.server.hub import Elsewhere, Hub
from kickdoor.server.limits import Gate, Who
from kickdoor.server.room import Room
from kickdoor.server.trouble import Trouble
from kickdoor.server.wire import wire_of

POLICY = 1008
TRY_AGAIN = 1013
NORMAL = 1000
GOODBYE_SECONDS = 2.0
RUBBISH = 50  # so many messages that could not be taken, and the line is cut
ANSWER = b'{"t":"answer"'
RETURNING = ("restart",)  # goodbyes that say when to come again
TOO_FAST = "Too many messages at once. Take a breath and say it again."
CHATTY = "Slow down a little; nobody can read that fast."
SEAT_FULL = f"Your seat is open in {limits.SOCKETS_PER_SEAT} places already. Close one of them."
WATCHERS_FULL = f"{limits.WATCHERS_PER_ADDRESS} people are watching this table from your address already."


class Line:
    """The sending half of a socket. Nothing here waits, so that a slow reader never makes a room wait."""

    __slots__ = ("asked", "hub", "last", "over", "wire", "ws")

    def __init__(self, ws: WebSocket, hub: Hub) -> None:
        self.ws = ws
        self.hub = hub
        self.wire = wire_of(ws.scope)
        self.over = asyncio.Event()
        self.last: pr.Bye | None = None
        self.asked = 0.0  # when the command came that is not answered yet

    def send(self, data: bytes) -> bool:
        if self.over.is_set():
            return True
        if self.asked and data.startswith(ANSWER):
            watching.LATENCY.observe(time.perf_counter() - self.asked)
            self.asked = 0.0
        return self.wire.push(data)

    def hang_up(self, code: str, says: str) -> None:
        if not self.over.is_set():
            self.last = pr.Bye(code, says, self.hub.back if code in RETURNING else 0)
            self.over.set()

    async def write(self) -> None:
        """Wait until the line is hung up, and say goodbye."""
        await self.over.wait()
        if self.last is not None and self.last.code == "slow":
            self.wire.cut()  # who does not read would not read that either; the page comes back by itself
            return
        if self.last is not None:
            self.wire.push(pr.encode(self.last))
        await self.ws.close(NORMAL)


async def welcome_origin(ws: WebSocket, allowed: frozenset[str], hub: Hub) -> bool:
    """A page of another site may not use a visitor's seat. Programs send no Origin; servers of one journal send their
    visitors to each other."""
    origin = ws.headers.get("origin")
    if origin is None:
        return True
    try:
        ours = urlsplit(origin).netloc == ws.headers.get("host", "")
    except ValueError:
        return False
    if ours or origin.rstrip("/") in allowed:
        return True
    return await hub.knows(origin.rstrip("/"))


async def serve(ws: WebSocket, hub: Hub, gate: Gate, allowed: frozenset[str], address: str) -> None:
    """A socket from hello to goodbye."""
    if not await welcome_origin(ws, allowed, hub):
        await ws.close(POLICY, "This page belongs to another site.")
        return
    if not gate.openings.take(address) or not gate.sockets.enter(address):
        await ws.close(TRY_AGAIN, "Too many connections from your address.")
        return
    watching.SOCKETS.inc()
    try:
        await ws.accept()
        wire_of(ws.scope).settle()
        await _talk(ws, hub, gate, address)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        gate.sockets.leave(address)
        watching.SOCKETS.dec()


async def _talk(ws: WebSocket, hub: Hub, gate: Gate, address: str) -> None:
    line = Line(ws, hub)
    writer = asyncio.create_task(line.write())
    visit = asyncio.create_task(_visit(ws, line, hub, gate, address))
    over = asyncio.create_task(line.over.wait())
    try:
        await asyncio.wait((visit, over), return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait((visit,), timeout=GOODBYE_SECONDS)  # we have hung up; who does not listen is not waited for
        visit.cancel()
        await visit
    except (WebSocketDisconnect, asyncio.CancelledError):
        pass
    except Exception as e:
        no = explained(e, f"a socket of table {ws.path_params['table'][:20]!a}")
        line.hang_up(no.code, no.says)
    finally:
        over.cancel()
        line.hang_up("bye", "Goodbye.")
        with contextlib.suppress(Exception):
            await asyncio.wait_for(writer, GOODBYE_SECONDS)
        writer.cancel()


async def _visit(ws: WebSocket, line: Line, hub: Hub, gate: Gate, address: str) -> None:
    """Hello, a place at the table, and then whatever is said."""
    hello = await _hello(ws, line)
    room = await _room(ws, hub, line) if hello is not None else None
    if hello is None or room is None:
        return
    ident = room.table.id
    if not gate.arrivals.take(ident):
        line.hang_up("busy", "So many people come to this table at once that you have to wait a moment.")
        return
    mark = fingerprint(hello.token) if hello.token else ""
    places, place, full = (gate.seats, mark, SEAT_FULL) if mark else (gate.watching, address, WATCHERS_FULL)
    if not places.enter((ident, place)):
        line.hang_up("crowded", full)
        return
    guest = Guest(hello.token, line.send, line.hang_up, hello.watcher)
    try:
        guest.seat = room.table.seat_of(hello.token) if hello.token else -1
        room.inbox.put_nowait((guest, hello))
        await _listen(ws, line, Mouth(room, guest, hub, gate, address))
    finally:
        places.leave((ident, place))
        room.inbox.put_nowait((guest, None))


async def _receive(ws: WebSocket) -> bytes:
    try:
        message = await ws.receive()
    except RuntimeError:  # it has gone already
        raise WebSocketDisconnect from None
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect
    text = message.get("text")
    return text.encode() if text is not None else message.get("bytes") or b""


async def _hello(ws: WebSocket, line: Line) -> pr.Hello | None:
    try:
        raw = await asyncio.wait_for(_receive(ws), limits.HELLO_SECONDS)
        said = pr.decode(raw)
    except TimeoutError:
        line.hang_up("no_hello", "Say hello first; nothing was said for ten seconds.")
        return None
    except (msgspec.DecodeError, UnicodeError):
        line.hang_up("bad_hello", 'The first message must be {"t": "hello", "v": 2, ...}. See docs/protocol.md.')
        return None
    if not isinstance(said, pr.Hello):
        line.hang_up("bad_hello", "Say hello first.")
        return None
    if said.v != pr.VERSION:
        line.hang_up("old", "This page and the server are of different versions. Reload the page.")
        return None
    return said


async def _room(ws: WebSocket, hub: Hub, line: Line) -> Room | None:
    try:
        return await hub.room(ws.path_params["table"])
    except Elsewhere as e:
        line.send(pr.encode(pr.Moved(e.url)))
        line.hang_up("elsewhere", "Another server keeps this table.")
    except Trouble as e:
        line.hang_up("restart" if e.code == "closing" else e.code, e.says)
    return None


class Mouth(NamedTuple):
    """Who speaks on a socket, to which room, and what may be asked of both."""

    room: Room
    guest: Guest
    hub: Hub
    gate: Gate
    address: str

    @property
    def who(self) -> Who:
        return Who(self.room.table.id, self.guest.seat, self.address)


async def _listen(ws: WebSocket, line: Line, mouth: Mouth) -> None:
    rubbish = 0.0
    while not line.over.is_set():
        raw = await _receive(ws)  # ends when the writer has hung up
        rubbish += await _message(raw, line, mouth)
        if rubbish > RUBBISH:
            line.hang_up("flood", "Too many messages that could not be taken. Goodbye.")


async def _message(raw: bytes, line: Line, mouth: Mouth) -> float:
    """Hand one message on; returns how much of it was rubbish."""
    if len(raw) > limits.MESSAGE_BYTES:
        _problem(line, "too_long", f"A message has at most {limits.MESSAGE_BYTES} bytes.")
        return 1
    try:
        said: Any = pr.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as e:
        _problem(line, "not_understood", f"That message was not understood: {e}")
        return 1
    no = _too_much(said, mouth)
    if no:
        if isinstance(said, (pr.Hello, pr.Ping)):
            _problem(line, "too_fast", no)
        else:
            line.send(pr.encode(pr.Answer(said.id, False, 0, "too_fast", no)))
        return 0 if no is CHATTY else 0.1
    if isinstance(said, pr.Ping):
        line.send(pr.encode(pr.Pong(said.n)))
        return 0
    if isinstance(said, pr.Options) and (other := await _other_cards(said, mouth)) is not None:
        line.send(pr.encode(pr.Answer(said.id, False, 0, other.code, other.says, other.rule)))
        return 0
    if mouth.room.closed:
        line.hang_up("elsewhere", "This table has moved. Connecting again ...")
        return 0
    line.asked = time.perf_counter()
    mouth.room.inbox.put_nowait((mouth.guest, said))
    return 0


def _too_much(said: Any, mouth: Mouth) -> str:
    """Is this more than may be asked at once? Each seat has its own measure, however many sockets it opens."""
    gate, who = mouth.gate, mouth.who
    cost = len(said.moves) if isinstance(said, (pr.Act, pr.Draft)) else 1
    if not gate.may_say(who, cost) or mouth.room.inbox.qsize() > limits.INBOX:
        return TOO_FAST
    if isinstance(said, (pr.Say, pr.Phrase)):
        return "" if gate.may_talk(who) else CHATTY
    if isinstance(said, (pr.Act, pr.Draft, pr.WhyNot, pr.Ping)) or gate.settings.take(who.voice):
        return ""
    return TOO_FAST


async def _other_cards(said: pr.Options, mouth: Mouth) -> Trouble | None:
    """Other packs are other cards: made beside the loop, so that they are there when the table asks for them. Or why
    there cannot be any."""
    t = mouth.room.table
    if mouth.guest.seat != t.host or not said.options.keys() & {"packs", "without", "copies"}:
        return None
    if not mouth.gate.new_mixes.take(mouth.address):
        return Trouble("too_fast", "You have just changed the cards very often. Wait a moment.")
    changes = {k: v for k, v in said.options.items() if k != "seats"}
    try:
        mouth.hub.check_mix(await mouth.hub.workshop.do(op.changed, t.options, changes))
    except Trouble as e:
        return e
    return None


def _problem(line: Line, code: str, says: str) -> None:
    line.send(pr.encode(pr.Problem(code, says)))
