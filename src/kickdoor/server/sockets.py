"""The WebSocket: one per person and table."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kickdoor.server import limits, watching
from kickdoor.server import protocol as pr
from kickdoor.server.hub import Elsewhere, Hub
from kickdoor.server.limits import Gate
from kickdoor.server.room import Guest, Room
from kickdoor.server.trouble import Trouble
from kickdoor.server.wire import wire_of

POLICY = 1008
TRY_AGAIN = 1013
NORMAL = 1000
RUBBISH = 50  # so many messages that could not be taken, and the line is cut
ANSWER = b'{"t":"answer"'
RETURNING = ("restart",)  # goodbyes that say when to come again
TOO_FAST = "Too many messages at once. Take a breath and say it again."


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
    if origin.rstrip("/") in allowed or urlsplit(origin).netloc == ws.headers.get("host", ""):
        return True
    return await hub.knows(origin.rstrip("/"))


async def serve(ws: WebSocket, hub: Hub, gate: Gate, allowed: frozenset[str], address: str) -> None:
    """A socket from hello to goodbye."""
    if not await welcome_origin(ws, allowed, hub):
        await ws.close(POLICY, "This page belongs to another site.")
        return
    if not gate.enter(address):
        await ws.close(TRY_AGAIN, "Too many connections from your address.")
        return
    watching.SOCKETS.inc()
    try:
        await ws.accept()
        wire_of(ws.scope).settle()
        await _talk(ws, hub)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        gate.leave(address)
        watching.SOCKETS.dec()


async def _talk(ws: WebSocket, hub: Hub) -> None:
    line = Line(ws, hub)
    writer = asyncio.create_task(line.write())
    guest: Guest | None = None
    room: Room | None = None
    try:
        hello = await _hello(ws, line)
        if hello is None:
            return
        room = await _room(ws, hub, line)
        if room is None:
            return
        guest = Guest(hello.token, line.send, line.hang_up)
        room.inbox.put_nowait((guest, hello))
        await _listen(ws, line, room, guest)
    finally:
        if guest is not None and room is not None:
            room.inbox.put_nowait((guest, None))
        line.hang_up("bye", "Goodbye.")
        with contextlib.suppress(Exception):
            await asyncio.wait_for(writer, 2)
        if not writer.done():
            writer.cancel()


async def _receive(ws: WebSocket) -> bytes:
    message = await ws.receive()
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


async def _listen(ws: WebSocket, line: Line, room: Room, guest: Guest) -> None:
    pace, chat = limits.socket_bucket(), limits.chat_bucket()
    rubbish = 0.0
    while not line.over.is_set():
        raw = await _receive(ws)  # ends when the writer has hung up
        rubbish += _message(raw, line, room, guest, pace, chat)
        if rubbish > RUBBISH:
            line.hang_up("flood", "Too many messages that could not be taken. Goodbye.")


def _message(raw: bytes, line: Line, room: Room, guest: Guest, pace: limits.Bucket, chat: limits.Bucket) -> float:
    """Hand one message on; returns how much of it was rubbish."""
    if len(raw) > limits.MESSAGE_BYTES:
        _problem(line, "too_long", f"A message has at most {limits.MESSAGE_BYTES} bytes.")
        return 1
    try:
        said: Any = pr.decode(raw)
    except (msgspec.DecodeError, UnicodeError) as e:
        _problem(line, "not_understood", f"That message was not understood: {e}")
        return 1
    if not pace.take():
        if isinstance(said, (pr.Hello, pr.Ping)):
            _problem(line, "too_fast", TOO_FAST)
        else:
            line.send(pr.encode(pr.Answer(said.id, False, 0, "too_fast", TOO_FAST)))
        return 0.1
    if isinstance(said, pr.Ping):
        line.send(pr.encode(pr.Pong(said.n)))
        return 0
    if isinstance(said, (pr.Say, pr.Phrase)) and not chat.take():
        line.send(pr.encode(pr.Answer(said.id, False, 0, "too_fast", "Slow down a little; nobody can read that fast.")))
        return 0
    if room.closed:
        line.hang_up("elsewhere", "This table has moved. Connecting again ...")
        return 0
    line.asked = time.perf_counter()
    room.inbox.put_nowait((guest, said))
    return 0


def _problem(line: Line, code: str, says: str) -> None:
    line.send(pr.encode(pr.Problem(code, says)))
