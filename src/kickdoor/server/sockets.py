"""The WebSocket: one per person and table."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kickdoor.paper.files import UNREADABLE
from kickdoor.server import limits, playable, watching
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import OPEN, fingerprint
from kickdoor.server.explaining import explained
from kickdoor.server.hub import RESTARTING, Elsewhere, Hub
from kickdoor.server.limits import Gate, Who, household
from kickdoor.server.room import Room
from kickdoor.server.trouble import Trouble
from kickdoor.server.wire import Headers, Wire, wire_of

POLICY = 1008
TRY_AGAIN = 1013
NORMAL = 1000
RUBBISH = 50  # so many messages that could not be taken, and the line is cut
ANSWER = b'{"t":"answer"'
RETURNING = ("restart",)  # goodbyes that say when to come again
TOO_FAST = "Too many messages at once. Take a breath and say it again."
CHATTY = "Slow down a little; nobody can read that fast."
MOVED = ("elsewhere", "This table has moved. Connecting again ...")
SEAT_FULL = f"Your seat is open in {limits.SOCKETS_PER_SEAT} places already. Close one of them."
PATIENCE = 1.0  # seconds after which somebody whose table is not here yet is told so
ON_ITS_WAY = pr.encode(pr.Problem("waiting", "Your table is being fetched. Nothing is lost; a moment, please ..."))
LATER = frozenset({"too_fast", "busy"})  # said before anything was looked into: asked again, it may be done
DEAR = frozenset({"packs", "without", "copies", "lesson", "house", "rules"})  # options that take a while to look into
WATCHERS_FULL = f"{limits.WATCHERS_PER_ADDRESS} people are watching this table from your address already."


class _Named(msgspec.Struct):
    """As much of a command as is needed to answer it, whatever else is wrong with it."""

    id: pr.CommandId


class Line:
    """The sending half of a socket. Nothing here waits, so that a slow reader never makes a room wait."""

    __slots__ = ("asked", "hub", "over", "wire")

    def __init__(self, wire: Wire, hub: Hub) -> None:
        self.hub = hub
        self.wire = wire
        self.over = False
        self.asked = 0.0  # when the command came that is not answered yet

    def send(self, data: bytes) -> bool:
        if self.over:
            return True
        if self.asked and data.startswith(ANSWER):
            self._answered()
        return self.wire.push(data)

    def hold(self, data: bytes) -> bool:
        """An answer that goes out together with the frame that follows it."""
        if self.over:
            return True
        if self.asked:
            self._answered()
        return self.wire.hold(data)

    def _answered(self) -> None:
        watching.LATENCY.observe(time.perf_counter() - self.asked)
        self.asked = 0.0

    def hang_up(self, code: str, says: str) -> None:
        """Say goodbye; whoever listens on this socket hears that it is over."""
        if self.over:
            return
        self.over = True
        if code == "slow":
            self.wire.cut()  # who does not read would not read that either; the page comes back by itself
            return
        self.wire.push(pr.encode(pr.Bye(code, says, self.hub.back if code in RETURNING else 0)))
        self.wire.shut(NORMAL)

    def part(self) -> None:
        """It is over, and nobody has said why: where the server is about to restart, because of that."""
        if self.hub.draining:
            self.hang_up("restart", RESTARTING)
        else:
            self.hang_up("bye", "Goodbye.")


# what somebody comes for; whoever stays after it has somebody who listens to him
Visit = Callable[[WebSocket, Line, Hub, Gate, str], Awaitable["Newcomer | None"]]


def familiar(headers: Headers, allowed: frozenset[str]) -> bool:
    """Is this a page of ours? Programs send no Origin. A page of another site may not use a visitor's seat."""
    origin = _header(headers, b"origin")
    if origin is None:
        return True
    try:
        ours = urlsplit(origin).netloc == (_header(headers, b"host") or "")
    except ValueError:
        return False
    return ours or origin.rstrip("/") in allowed


async def welcome_origin(ws: WebSocket, allowed: frozenset[str], hub: Hub) -> bool:
    """A page of ours, or of a server of the same journal: they send their visitors to each other."""
    headers = ws.scope["headers"]
    return familiar(headers, allowed) or await hub.knows((_header(headers, b"origin") or "").rstrip("/"))


def _header(headers: Headers, name: bytes) -> str | None:
    """The first header of this name. (Asked for by `ws.headers` all of them would be kept.)"""
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), None)


class Door:
    """Lets people in who ask for a table as browsers do, at once: without the application, and a task for each. It
    says no to nobody; whom it does not know is looked into (`serve`)."""

    def __init__(self, hub: Hub, gate: Gate, allowed: frozenset[str]) -> None:
        self.hub, self.gate, self.allowed = hub, gate, allowed

    def admit(self, wire: Wire, table: str, host: str, headers: Headers) -> bool:
        """Is he in?"""
        address, gate = household(host), self.gate
        if not familiar(headers, self.allowed) or not gate.openings.take(address) or not gate.sockets.enter(address):
            return False
        watching.SOCKETS.inc()
        wire.accept()
        wire.hand_over(Newcomer(Line(wire, self.hub), table, self.hub, gate, address))
        return True


async def serve(
    ws: WebSocket, hub: Hub, gate: Gate, allowed: frozenset[str], address: str, visit: Visit | None = None
) -> None:
    """A socket, from its being asked for; at a table, unless it is another kind of `visit`."""
    if not await welcome_origin(ws, allowed, hub):
        await ws.close(POLICY, "This page belongs to another site.")
        return
    if not gate.openings.take(address) or not gate.sockets.enter(address):
        await ws.close(TRY_AGAIN, "Too many connections from your address.")
        return
    watching.SOCKETS.inc()
    stays = False
    try:
        await ws.accept()
        wire_of(ws.scope).settle()
        stays = await _talk(ws, hub, gate, address, visit or _at_a_table)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        if not stays:
            _gone(gate, address)


def _gone(gate: Gate, address: str) -> None:
    """A socket is closed."""
    gate.sockets.leave(address)
    watching.SOCKETS.dec()


async def _at_a_table(ws: WebSocket, line: Line, hub: Hub, gate: Gate, address: str) -> Newcomer:
    return Newcomer(line, ws.path_params["table"], hub, gate, address)


async def _talk(ws: WebSocket, hub: Hub, gate: Gate, address: str, visit: Visit) -> bool:
    """Let somebody in; True if he stays, and somebody listens to him."""
    wire = wire_of(ws.scope)
    line = Line(wire, hub)
    listener = None
    try:
        listener = await visit(ws, line, hub, gate, address)
    except (WebSocketDisconnect, asyncio.CancelledError):
        pass
    except Exception as e:
        _broken(line, ws.path_params["table"], e)
    finally:
        if listener is None:
            line.part()
        else:
            wire.hand_over(listener)
    return listener is not None


def _broken(line: Line, table: str, e: Exception) -> None:
    no = explained(e, f"a socket of table {table[:20]!a}")
    line.hang_up(no.code, no.says)


async def receive(ws: WebSocket) -> bytes:
    try:
        message = await ws.receive()
    except RuntimeError:  # it has gone already
        raise WebSocketDisconnect from None
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect
    return _raw(message)


def _raw(message: Any) -> bytes:
    text = message.get("text")
    return text.encode() if text is not None else message.get("bytes") or b""


class Newcomer:
    """Somebody who is in the door of a table, until he has said hello and there is a place for him; or a no."""

    __slots__ = ("_clock", "_hello", "_later", "address", "gate", "hub", "left", "line", "table")

    def __init__(self, line: Line, table: str, hub: Hub, gate: Gate, address: str) -> None:
        self.line, self.table, self.hub, self.gate, self.address = line, table, hub, gate, address
        self.left = False
        self._hello: pr.Hello | None = None  # what he has said, while his table is not here yet
        self._later: deque[Any] = deque()  # and what he has said since then
        self._clock: asyncio.TimerHandle = asyncio.get_running_loop().call_later(limits.HELLO_SECONDS, self._too_late)

    # -- what a wire asks of its listener -----------------------------------------------------------------------------

    def put_nowait(self, event: Any) -> None:
        if event["type"] != "websocket.receive":
            asyncio.get_running_loop().call_soon(self._leave)
        elif self._hello is None:
            self._hear(_raw(event))
        else:
            self._later.append(event)

    def get_nowait(self) -> Any:
        """What was said before there was a place for him, for whoever listens then."""
        return self._later.popleft()

    def empty(self) -> bool:
        return self._hello is None and not self._later

    def heard(self) -> None:
        if self._hello is None and not self.left:
            self.line.wire.listen(self._hear)

    # -- hello ---------------------------------------------------------------------------------------------------------

    def _hear(self, raw: bytes) -> bool:
        """His first message, where nobody else would explain what goes wrong with it."""
        self._clock.cancel()
        try:
            hello = self._understood(raw)
            room = self.hub.here(self.table)
            if hello is not None and room is not None:
                self._sit(room, hello)
            elif hello is not None:
                self._hello, self.line.wire.ear = hello, None
                self._clock = asyncio.get_running_loop().call_later(PATIENCE, self.line.send, ON_ITS_WAY)
                self.hub.when_here(self.table, self._arrived)
        except Exception as e:
            _broken(self.line, self.table, e)
        return True

    def _understood(self, raw: bytes) -> pr.Hello | None:
        try:
            said = pr.decode(raw)
        except UNREADABLE:
            says = f'The first message must be {{"t": "hello", "v": {pr.VERSION}, ...}}. See docs/protocol.md.'
            self.line.hang_up("bad_hello", says)
            return None
        if not isinstance(said, pr.Hello):
            self.line.hang_up("bad_hello", "Say hello first.")
            return None
        if said.v != pr.VERSION:
            self.line.hang_up("old", "This page and the server are of different versions. Reload the page.")
            return None
        return said

    def _too_late(self) -> None:
        self.line.hang_up("no_hello", "Say hello first; nothing was said for ten seconds.")

    # -- the table -----------------------------------------------------------------------------------------------------

    def _arrived(self, room: Room | None, no: Exception | None) -> None:
        """His table is here, or why it is not."""
        self._clock.cancel()
        hello, self._hello = self._hello, None
        if self.left or hello is None:
            return
        try:
            if room is not None:
                self._sit(room, hello)
            elif no is not None:
                self._sent_away(no)
        except Exception as e:
            _broken(self.line, self.table, e)

    def _sent_away(self, no: Exception) -> None:
        line = self.line
        if isinstance(no, Elsewhere):
            line.send(pr.encode(pr.Moved(no.url)))
            line.hang_up("elsewhere", "Another server keeps this table.")
        elif isinstance(no, Trouble):
            line.hang_up("restart" if no.code == "closing" else no.code, no.says)
        else:
            _broken(line, self.table, no)

    def _sit(self, room: Room, hello: pr.Hello) -> None:
        """There is a place at the table for him; from now on his `Mouth` speaks. Or a no."""
        line, gate, ident = self.line, self.gate, room.table.id
        if room.closed:  # nobody opens its letters any more
            line.hang_up(*MOVED)
            return
        mark = fingerprint(hello.token) if hello.token else ""
        if not (gate.returns.take((ident, mark)) if room.expects(mark) else gate.arrivals.take(ident)):
            line.hang_up("busy", "So many people come to this table at once that you have to wait a moment.")
            return
        places, place, full = (gate.seats, mark, SEAT_FULL) if mark else (gate.watching, self.address, WATCHERS_FULL)
        if not places.enter((ident, place)):
            line.hang_up("crowded", full)
            return
        guest = Guest(hello.token, line.send, line.hang_up, hello.watcher, line.hold, self.address)
        guest.seat = room.table.seat_of(hello.token) if hello.token else -1
        room.inbox.put_nowait((guest, hello))
        self.left = True  # it is his mouth that leaves
        line.wire.hand_over(Mouth(line, room, guest, self.hub, gate, self.address, place))

    def _leave(self) -> None:
        """The socket is closed, by whomever."""
        if self.left:
            return
        self.left = True
        self._clock.cancel()
        self.line.part()
        self.line.wire.let_go()
        _gone(self.gate, self.address)


class Mouth:
    """Who speaks on a socket, to which room, and what may be asked of both."""

    __slots__ = ("_later", "_work", "address", "gate", "guest", "hub", "left", "line", "place", "room", "rubbish")

    def __init__(self, line: Line, room: Room, guest: Guest, hub: Hub, gate: Gate, address: str, place: str) -> None:
        self.line, self.room, self.guest = line, room, guest
        self.hub, self.gate, self.address, self.place = hub, gate, address, place
        self.rubbish = 0.0  # how much was said that could not be taken
        self.left = False
        self._work: asyncio.Task[None] | None = None  # something that has to be looked into
        self._later: deque[Any] | None = None  # what came meanwhile

    # -- what a wire asks of its listener: most of what is said goes to the room at once, without any of this ----------

    def put_nowait(self, event: Any) -> None:
        if event["type"] != "websocket.receive":
            asyncio.get_running_loop().call_soon(self._leave)
        elif self._work is not None:
            if self._later is None:
                self._later = deque()
            self._later.append(event)
        elif not self._at_once(raw := _raw(event)):
            self._work = asyncio.create_task(self._look_into(raw))

    def empty(self) -> bool:
        return self._work is None

    def heard(self) -> None:
        self.line.wire.listen(self._at_once)

    async def _look_into(self, raw: bytes) -> None:
        try:
            await self._options(pr.decode(raw))
        except Exception as e:
            _broken(self.line, self.room.table.id, e)
        self._work = None
        while self._later and self._work is None and not self.left:
            self.put_nowait(self._later.popleft())
        if not self.left:
            self.heard()

    def _leave(self) -> None:
        """The socket is closed, by whomever."""
        if self.left:
            return
        self.left = True
        self.line.part()
        self.line.wire.let_go()
        places = self.gate.seats if self.guest.token else self.gate.watching
        places.leave((self.room.table.id, self.place))
        self.room.inbox.put_nowait((self.guest, None))
        _gone(self.gate, self.address)

    # -- what is said --------------------------------------------------------------------------------------------------

    def _at_once(self, raw: bytes) -> bool:
        """A message as it comes from the wire, where nobody else would explain what goes wrong with it."""
        try:
            return self.say(raw)
        except Exception as e:
            _broken(self.line, self.room.table.id, e)
            return True

    def say(self, raw: bytes) -> bool:
        """Hand one message on; False if something has to be looked into before."""
        said = self._understood(raw)
        if said is None:
            return True
        if self._answered(said):
            return True
        if isinstance(said, pr.Options):
            return False
        if self._may(said):
            self._hand_on(said)
        return True

    def _answered(self, said: Any) -> bool:
        """What was done or refused before is answered as it was, whatever would be said of it now (exactly once)."""
        known = None if isinstance(said, (pr.Hello, pr.Ping)) else self.room.answered(self.guest, said)
        if known is None:
            return False
        self.line.send(pr.encode(known))
        if not self.gate.may_say(Who(self.room.table.id, self.guest.seat, self.address), 1):
            self._count(0.1)
        return True

    def _understood(self, raw: bytes) -> Any:
        if len(raw) > limits.MESSAGE_BYTES:
            self._problem("too_long", f"A message has at most {limits.MESSAGE_BYTES} bytes.", 1)
            return None
        try:
            return pr.decode(raw)
        except UNREADABLE as e:
            self._not_understood(raw, f"That message was not understood: {e}")
            return None

    def _not_understood(self, raw: bytes, says: str) -> None:
        """Whoever has named what he asked for is answered by that name."""
        try:
            asked = msgspec.json.decode(raw, type=_Named).id
        except UNREADABLE:
            self._problem("not_understood", says, 1)
            return
        self.line.send(pr.encode(pr.Answer(asked, False, 0, "not_understood", says)))
        self._count(1)

    def _problem(self, code: str, says: str, rubbish: float) -> None:
        self.line.send(pr.encode(pr.Problem(code, says)))
        self._count(rubbish)

    def _count(self, rubbish: float) -> None:
        self.rubbish += rubbish
        if self.rubbish > RUBBISH:
            self.line.hang_up("flood", "Too many messages that could not be taken. Goodbye.")

    def _may(self, said: Any) -> bool:
        """Is this not more than may be asked at once?"""
        no = self._too_much(said)
        if not no:
            return True
        rubbish = 0 if no is CHATTY else 0.1
        if isinstance(said, (pr.Hello, pr.Ping)):
            self._problem("too_fast", no, rubbish)
        else:
            self.line.send(pr.encode(pr.Answer(said.id, False, 0, "too_fast", no)))
            self._count(rubbish)
        return False

    def _too_much(self, said: Any) -> str:
        """Each seat has its own measure, however many sockets it opens."""
        gate, who = self.gate, Who(self.room.table.id, self.guest.seat, self.address)
        cost = len(said.moves) if isinstance(said, (pr.Act, pr.Draft)) else 1
        if not gate.may_say(who, cost) or self.room.inbox.qsize() > limits.INBOX:
            return TOO_FAST
        if isinstance(said, (pr.Say, pr.Phrase)):
            return "" if gate.may_talk(who) else CHATTY
        if isinstance(said, pr.Hint) and not gate.hints.take(self.address):
            return TOO_FAST
        if isinstance(said, (pr.Act, pr.Draft, pr.WhyNot, pr.Ping)) or gate.settings.take(who.voice):
            return ""
        return TOO_FAST

    def _hand_on(self, said: Any) -> None:
        if isinstance(said, pr.Ping):
            self.line.send(pr.encode(pr.Pong(said.n)))
        elif self.room.closed:
            self.line.hang_up(*MOVED)
        else:
            self.line.asked = time.perf_counter()
            self.room.inbox.put_nowait((self.guest, said))

    async def _options(self, said: pr.Options) -> None:
        """Other cards are looked into one change after the other, from whatever line: each with those before it."""
        room = self.room
        if self.guest.seat != room.table.host or not said.options.keys() & DEAR:
            if self._may(said):
                self._hand_on(said)
            return
        async with room.changing:
            with contextlib.suppress(Trouble):  # it has closed, which `_hand_on` says
                await room.caught_up()
            if self._answered(said) or not self._may(said):
                return
            no = await self._other_cards(said)
            if no is None:
                self._hand_on(said)
            elif no.code in LATER:
                self.line.send(pr.encode(pr.Answer(said.id, False, 0, no.code, no.says, no.rule)))
            else:
                room.refuse(self.guest, said.id, no)

    async def _other_cards(self, said: pr.Options) -> Trouble | None:
        """Other packs are other cards, and rules have to be put together: done beside the loop, so that they are there
        when the table asks for them. Or why there cannot be any."""
        t = self.room.table
        if not self.gate.new_mixes.take(self.address):
            return Trouble("too_fast", "You have just changed the cards or the rules very often. Wait a moment.")
        changes = {k: v for k, v in said.options.items() if k != "seats"}
        try:
            await self.hub.check_mix(new := await self.hub.workshop.do(op.changed, t.options, changes))
            await self.hub.workshop.do(playable.check, new, sum(c.who != OPEN for c in t.chairs))
        except Trouble as e:
            return e
        return None
