"""The WebSocket of a counter: one per phone."""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocket

from kickdoor.companion import taps as tp
from kickdoor.paper.files import UNREADABLE
from kickdoor.server import limits, sockets
from kickdoor.server.counter_room import Come, CounterRoom, Gone, Phone, Said, sorted_out
from kickdoor.server.hub import Elsewhere, Hub
from kickdoor.server.limits import Gate
from kickdoor.server.sockets import Line, receive
from kickdoor.server.trouble import Trouble

TOO_FAST = (
    "So many taps at once that the server has to catch its breath. They are on your phone, and go out by themselves."
)
HOUSE_FULL = (
    f"{limits.PHONES_PER_ADDRESS} phones and pages of your address are at this counter already, and others need room, "
    "too. Close some of them."
)
PHONE_FULL = f"This counter is open in {limits.SOCKETS_PER_SEAT} places on your phone already. Close one of them."
MOVED = ("elsewhere", "This counter has moved. Connecting again ...")
AGAIN = 2.0  # seconds, at least, until a phone says again what was too much


async def visit(ws: WebSocket, line: Line, hub: Hub, gate: Gate, address: str) -> None:
    """Hello, what the phone lacks, and then taps both ways until the phone goes."""
    hello = await _hello(ws, line)
    room = await _room(ws, hub, line) if hello is not None else None
    if hello is None or room is None:
        return
    if room.closed:  # nobody opens its letters any more
        line.hang_up(*MOVED)
        return
    if not gate.returns.take(here := (room.name, address)):
        line.hang_up("busy", "So many phones of your address come at once that you have to wait a moment.")
        return
    if not gate.phones.enter(here):
        line.hang_up("crowded", HOUSE_FULL)
        return
    try:
        await _with_us(ws, line, room, hello, gate, address)
    finally:
        gate.phones.leave(here)


async def _with_us(ws: WebSocket, line: Line, room: CounterRoom, hello: tp.Hello, gate: Gate, address: str) -> None:
    """One phone until it goes. What it calls itself everybody hears, so its lines are counted with its address: nobody
    else's can take its places."""
    place = (room.name, f"{address} {hello.device}")
    if not gate.seats.enter(place):
        line.hang_up("crowded", PHONE_FULL)
        return
    phone = Phone(hello.device, line.send, line.hang_up)
    try:
        room.inbox.put_nowait(Come(phone, hello))
        await Ear(line, room, phone, gate, address).listen(ws)
    finally:
        gate.seats.leave(place)
        room.inbox.put_nowait(Gone(phone))


async def _hello(ws: WebSocket, line: Line) -> tp.Hello | None:
    try:
        said = tp.decode(await asyncio.wait_for(receive(ws), limits.HELLO_SECONDS))
    except TimeoutError:
        line.hang_up("no_hello", "Say hello first; nothing was said for ten seconds.")
        return None
    except UNREADABLE:
        line.hang_up("bad_hello", 'The first message must be {"t": "hello", "v": 1, ...}. See docs/companion.md.')
        return None
    if not isinstance(said, tp.Hello):
        line.hang_up("bad_hello", "Say hello first.")
        return None
    if said.v != tp.VERSION:
        line.hang_up("old", "This page and the server are of different versions. Reload the page.")
        return None
    return said


async def _room(ws: WebSocket, hub: Hub, line: Line) -> CounterRoom | None:
    wait = asyncio.get_running_loop().call_later(sockets.PATIENCE, line.send, sockets.ON_ITS_WAY)
    try:
        return await hub.counters.room(ws.path_params["table"])
    except Elsewhere as e:
        line.send(tp.encode(tp.Moved(e.url)))
        line.hang_up("elsewhere", "Another server keeps this counter.")
    except Trouble as e:
        line.hang_up("restart" if e.code == "closing" else e.code, e.says)
    finally:
        wait.cancel()
    return None


class Ear:
    """What one phone says, and how much of it may be."""

    def __init__(self, line: Line, room: CounterRoom, phone: Phone, gate: Gate, address: str) -> None:
        self.line, self.room, self.phone, self.gate = line, room, phone, gate
        self.address = address
        self.rubbish = 0.0

    async def listen(self, ws: WebSocket) -> None:
        while not self.line.over:
            self.hear(await receive(ws))

    def hear(self, raw: bytes) -> None:
        """One message."""
        if len(raw) > limits.MESSAGE_BYTES:
            self._problem("too_long", f"A message has at most {limits.MESSAGE_BYTES} bytes.")
            return
        try:
            said = tp.decode(raw)
        except UNREADABLE as e:
            self._problem("not_understood", f"That message was not understood: {e}")
            return
        if isinstance(said, tp.Ping):
            if self.gate.may_tap(self.room.name, self.address, 1):
                self.line.send(tp.encode(tp.Pong(said.n)))
            else:
                self._count(0.1)
        elif isinstance(said, tp.Tell):
            self._tapped(said)
        else:
            self._problem("bad_hello", "You have said hello already.")

    def _tapped(self, said: tp.Tell) -> None:
        good, bad = sorted_out(said.taps)
        for no in bad:
            self.line.send(tp.encode(tp.Refused([no.ident], no.code, no.says)))
            self._count(0.1)
        if not good:
            return
        full = self.room.inbox.qsize() > limits.INBOX
        taps = (self.room.name, self.address, len(good), sum(len(raw) for _, raw in good))
        if full or not self.gate.may_tap(*taps):
            again = max(AGAIN, self.gate.tap_again(*taps))
            self.line.send(tp.encode(tp.Refused([ident for ident, _ in good], "too_fast", TOO_FAST, again)))
            self._count(0.05)
        elif self.room.closed:
            self.line.hang_up(*MOVED)
        else:
            self.room.inbox.put_nowait(Said(good, self.phone))

    def _problem(self, code: str, says: str) -> None:
        self.line.send(tp.encode(tp.Problem(code, says)))
        self._count(1)

    def _count(self, rubbish: float) -> None:
        self.rubbish += rubbish
        if self.rubbish > sockets.RUBBISH:
            self.line.hang_up("flood", "Too many messages that could not be taken. Goodbye.")
