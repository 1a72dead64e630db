"""The sockets' way in and out: a frame goes to the network when it is sent, and a message to the table when it comes.

Uvicorn does the rest (pings, closing, long and broken messages). Over its own ways a frame and a message would each
wait in a queue for a task of their socket to be woken; with thousands of sockets those tasks were a good part of what a
move costs, and of what a socket keeps.

A socket is asked for in a request that has been read already when it turns out to be one. Uvicorn would write it down
again for another parser, and the application would be asked in a task of its own; with thousands who come at once after
a server has died, that is time which they wait. So whoever asks for a table as browsers do is let in here, by the
`Door` of the application, every other one asks the application, and a request that is not plain goes uvicorn's way,
which knows how to say no.
"""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha1
from inspect import isfunction
from typing import Any, Final, Protocol, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import CONNECTING, OPEN
from websockets.server import ServerProtocol
from websockets.utils import apply_mask

from kickdoor.server.letterbox import Letterbox
from kickdoor.server.limits import ASIDE, GOODBYE_SECONDS

WAITING_BYTES: Final = 1 << 20  # what may wait for a slow reader; then he is let go
_KEY: Final = "kickdoor.wire"


NO_TEXT: Final = 1007  # why a socket is closed on which text was no text (RFC 6455, 7.4.1)
_TEXT: Final = 0x81  # a whole text message in one frame (RFC 6455, 5.2)
_MASKED: Final = 0x80
_HEAD: Final = 6  # bytes before what a short masked frame says
_SHORT: Final = 126  # longer ones have their length elsewhere

# A request for a socket as browsers and programs send it, its headers in small letters.
_PLACE: Final = re.compile(rb"/ws/[A-Za-z0-9_/-]{1,200}")
_TABLE: Final = re.compile(r"/ws/tables/([A-Za-z0-9_-]+)")
_ASKED: Final = re.compile(rb"[A-Za-z0-9+/]{22}==")
_SWITCH: Final = (b"upgrade", b"keep-alive, upgrade")
_ONCE: Final = frozenset({b"upgrade", b"connection", b"sec-websocket-key", b"sec-websocket-version", b"origin"})
_ODD: Final = frozenset({b"sec-websocket-protocol", b"content-length", b"transfer-encoding"})
_MOST_HEADERS: Final = 100
_LONGEST_HEADER: Final = 4000
_GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
_WELCOME: Final = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"

_ALWAYS: Final = asyncio.Event()  # one for all: nothing here waits to be written
_ALWAYS.set()

Ear = Callable[[bytes], bool]  # takes a message at once; False: it has to wait for its turn
Headers = list[tuple[bytes, bytes]]


class Listener(Protocol):
    """Who hears what comes on a socket, in place of a task that would have to be woken for it."""

    def put_nowait(self, event: Any) -> None:
        """A message that is too long or too odd for `Wire.ear`, or that it is over, as uvicorn puts it."""

    def empty(self) -> bool:
        """Has everything been looked into that came?"""

    def heard(self) -> None:
        """What came has been handed over."""


class Door(Protocol):
    """Whoever is in charge of an application's sockets."""

    def admit(self, wire: Wire, table: str, host: str, headers: Headers) -> bool:
        """Let somebody in who asks plainly for a table; False: the application has to look into it."""


class _Never:
    """A clock that never rings. Uvicorn hangs up when an application has ended, but not on a socket that has one."""

    def cancel(self) -> None:
        pass


_NEVER: Final = cast("asyncio.TimerHandle", _Never())


def framed(data: bytes) -> bytes:
    """A text message as one frame, as servers send them."""
    n = len(data)
    if n < _SHORT:
        return bytes((_TEXT, n)) + data
    if n < 1 << 16:
        return b"\x81\x7e" + n.to_bytes(2, "big") + data
    return b"\x81\x7f" + n.to_bytes(8, "big") + data


def accepting(method: bytes, url: bytes, headers: Headers) -> bytes:
    """What to answer the key of a plain request for a socket with (RFC 6455, 4.2.2); nothing: it is not that plain."""
    if method != b"GET" or not _PLACE.fullmatch(url) or len(headers) > _MOST_HEADERS:
        return b""
    said: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in _ODD or len(name) + len(value) > _LONGEST_HEADER or (name in said and name in _ONCE):
            return b""
        said[name] = value
    key = said.get(b"sec-websocket-key", b"")
    if (
        not _ASKED.fullmatch(key)
        or said.get(b"sec-websocket-version") != b"13"
        or said.get(b"upgrade", b"").lower() != b"websocket"
        or said.get(b"connection", b"").lower() not in _SWITCH
    ):
        return b""
    return b64encode(sha1(key + _GUID, usedforsecurity=False).digest())


class Wire(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, which can also be written to and listened to at once."""

    ear: Ear | None = None
    _accepting: bytes = b""  # what its key is answered with, until it has been
    _held: bytes = b""
    _listener: Listener | None = None
    _spoke = False  # since the last time that it was to be asked whether it is still there
    _aside = 0  # frames beside what is said, in the second that began at `_second`
    _second = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = cast("Any", Letterbox())
        self.writable = _ALWAYS

    def stand_behind(self, http: Http, accepting: bytes) -> None:
        """It was asked for in a plain request, which has been read: frames come now."""
        self.__dict__.pop("conn", None)  # which would read a request
        self.transport, self.server, self.client = http.transport, http.server, http.client
        self.scheme = "wss" if http.scheme == "https" else "ws"
        self.connections.add(self)
        self.handshake_initiated, self._accepting = True, accepting

    @cached_property
    def conn(self) -> ServerProtocol:  # type: ignore[override]
        """Who reads and writes all frames but short texts. Most sockets need nobody for long."""
        conn = ServerProtocol(extensions=[], max_size=self.config.ws_max_size, logger=self.logger)
        conn.state = OPEN
        conn.parser = conn.parse()  # it reads no request, but frames
        next(conn.parser)
        conn.state = OPEN if self.handshake_complete else CONNECTING
        return conn

    @property
    def _needed(self) -> ServerProtocol | None:
        """The same, if anybody has asked for it."""
        return self.__dict__.get("conn")

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            cast("dict[str, Any]", self.scope["extensions"])[_KEY] = self

    def ask(self, path: str, headers: Headers) -> None:
        """Ask the application, as `handle_connect` does after reading a request."""
        self.scope = {
            "type": "websocket",
            "asgi": {"version": self.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": self.scheme,
            "server": self.server,
            "client": self.client,
            "root_path": self.root_path,
            "path": self.root_path + path,
            "raw_path": (self.root_path + path).encode("ascii"),
            "query_string": b"",
            "headers": headers,
            "subprotocols": [],
            "state": self.app_state.copy(),
            "extensions": {"websocket.http.response": {}, _KEY: cast("Any", self)},
        }
        self.queue.put_nowait({"type": "websocket.connect"})
        task = self.loop.create_task(self.run_asgi())
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def answered(self) -> None:
        """A request that was too long for its parser has been given an answer that nobody has sent yet."""
        if not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
            self._end_soon()

    async def send(self, message: Any) -> None:
        if self.transport.is_closing() and not self.handshake_complete and self.initial_response is None:
            self.handshake_complete = True  # there is nobody left to be told no, and uvicorn need not say so in the log
            raise ClientDisconnected
        if self._accepting and message["type"] == "websocket.accept":
            self.accept(message.get("headers", ()))
        else:
            await super().send(message)

    def accept(self, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Yes, come in."""
        said, self._accepting = self._accepting, b""
        headers = [*self.default_headers, *headers]
        more = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
        self.handshake_complete = True
        if self._needed is not None:
            self.conn.state = OPEN
        self.transport.write(_WELCOME + b"Sec-WebSocket-Accept: " + said + b"\r\n" + more + b"\r\n")
        self.start_keepalive()

    def settle(self) -> None:
        """The handshake is done: what it was about need not be kept. (Its parser goes on holding the request.)"""
        request = self.__dict__.pop("request", None)
        if request is not None:
            request.headers.clear()
        self.__dict__.pop("response", None)
        self.scope["headers"] = []

    # -- in -----------------------------------------------------------------------------------------------------------

    def hand_over(self, listener: Listener) -> None:
        """From now on this one hears what comes, and nobody has to wait for it: the task of a socket, and all that it
        stands in, is a third of what a socket keeps."""
        before, self.queue = self.queue, cast("Any", listener)
        self._listener = listener
        if self.close_timer is None:
            self.close_timer = _NEVER
        self.scope = cast("Any", {})  # it holds this wire
        while not before.empty():  # the first of it may bring somebody else to listen
            self.queue.put_nowait(before.get_nowait())
        self._listener.heard()

    def let_go(self) -> None:
        """It is over, and nobody listens any more."""
        self.ear, self._listener = None, None
        self.queue = cast("Any", _NOBODY)

    def listen(self, ear: Ear) -> None:
        """From now on short messages go straight there, as long as none is waiting in the queue before them."""
        if self.queue.empty() and not self.close_sent:
            self.ear = ear
            if self.read_paused:
                self.read_paused = False
                self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        n = len(data) - _HEAD
        if (
            self.ear is not None
            and 0 <= n < _SHORT
            and data[0] == _TEXT
            and data[1] == _MASKED | n
            and not (self.frames or self.close_sent or (self._needed is not None and self.conn.reader.buffer))
        ):
            said = apply_mask(data[_HEAD:], data[2:_HEAD])
            if said.isascii() and self.ear(said):
                self._spoke = True
                return
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        self.ear = None  # what comes next must not overtake this
        if not self._is_text():  # uvicorn would say so in the log, as often as anybody likes
            self.frames = []
            if self.conn.state is OPEN:  # else a goodbye came along with it: it has been answered, and is heard next
                self.conn.send_close(NO_TEXT)
                self.handle_parser_exception()
            return
        super().send_receive_event_to_app()
        if self._listener is not None:
            self._listener.heard()

    def _is_text(self) -> bool:
        """Is the message that has just come text, if it was said to be?"""
        if self.curr_msg_data_type != "text" or self.close_sent:
            return True
        try:
            b"".join(self.frames).decode()
        except UnicodeDecodeError:
            return False
        return True

    def send_keepalive_ping(self) -> None:
        """Whoever has said something meanwhile is there, and need not be asked."""
        if self._spoke:
            self._spoke = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def handle_ping(self) -> None:
        """Each is answered: whoever does not read the answers must not have more and more of them kept for him."""
        if self._counted() and self.transport.get_write_buffer_size() < WAITING_BYTES:
            super().handle_ping()
        else:
            self.cut()

    def handle_pong(self, event: Frame) -> None:
        if self._counted():
            super().handle_pong(event)
        else:
            self.cut()

    def handle_cont(self, event: Frame) -> None:
        if self._counted():
            super().handle_cont(event)
        else:
            self.cut()

    def _counted(self) -> bool:
        """One more frame that no table counts; False if there are too many."""
        now = self.loop.time()
        if now - self._second > 1:
            self._second, self._aside = now, 0
        self._aside += 1
        return self._aside <= ASIDE

    def pause_writing(self) -> None:
        """Nobody waits until there is room again: see `push`."""

    def resume_writing(self) -> None:
        """See `pause_writing`."""

    # -- out ----------------------------------------------------------------------------------------------------------

    def push(self, data: bytes) -> bool:
        """Send a text frame; False if too much is waiting already. To a line that has gone it means nothing."""
        if self._is_over():
            return True
        if self.transport.get_write_buffer_size() > WAITING_BYTES:
            return False
        held, self._held = self._held, b""
        self.transport.write(held + framed(data))
        return True

    def _is_over(self) -> bool:
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return True
        return self._needed is not None and self.conn.state is not OPEN

    def hold(self, data: bytes) -> bool:
        """A text frame that goes out with the next one, which is about to come: the network is troubled once."""
        self._held += framed(data)
        return True

    def shut(self, code: int) -> None:
        """Say that it is over; whoever reads from this socket is told so, too."""
        if self._is_over():
            return
        self.ear = None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": ""})
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(self.close_timeout, self.cut)

    # A transport that is closed first sends what it has: to somebody who does not read, for ever.

    def handle_close(self, event: Frame) -> None:
        """A goodbye, which is answered as it is read: there is no other to be said, should the server stop now."""
        super().handle_close(event)
        self.close_sent = True
        self._end_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._end_soon()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # nonsense of somebody who was not let in yet: there is no line to say so on
            self.cut()
            return
        super().handle_parser_exception()
        self._end_soon()

    def shutdown(self) -> None:
        super().shutdown()
        self._end_soon()

    def _end_soon(self) -> None:
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self.loop.call_later(GOODBYE_SECONDS, self.cut)

    def cut(self) -> None:
        """Hang up without waiting for what was not read."""
        self.transport.abort()


class Wires:
    """Makes the wires of a server. What is so for each of them at first is so for their class, and needs neither time
    nor room; where uvicorn gives them more of their own than is known here, each is made as uvicorn makes it."""

    OWN: Final = frozenset({"conn", "frames", "queue"})

    def __init__(self, *args: Any) -> None:
        self._args = args
        one, two = vars(Wire(*args)), vars(Wire(*args))
        same = {name: value for name, value in one.items() if two.get(name, self) is value}
        known = one.keys() - same.keys() <= self.OWN
        if isfunction(same.get("app")):
            same["app"] = staticmethod(same["app"])  # an application may be a function, and is no method of a wire
        self.plain: type[Wire] | None = type("PlainWire", (Wire,), same) if known else None

    def new(self) -> Wire:
        if self.plain is None:
            return Wire(*self._args)
        wire = object.__new__(self.plain)
        wire.frames, wire.queue = [], cast("Any", Letterbox())
        return wire


class _Nobody:
    """Where what comes after the end goes."""

    def put_nowait(self, event: Any) -> None:
        pass

    def empty(self) -> bool:
        return True


_NOBODY: Final = _Nobody()


class Http(HttpToolsProtocol):
    """Uvicorn's protocol for calls, which goes when its connection has become a socket. (It and its parser hold each
    other, and nobody would come to free them for minutes.)"""

    wires: Wires | None = None

    def handle_websocket_upgrade(self) -> None:
        headers = cast("Headers", self.scope["headers"])
        plain = self.scope["http_version"] == "1.1" and accepting(self.scope["method"].encode(), self.url, headers)
        if plain:
            self.connections.discard(self)
            wire = self._wire()
            wire.stand_behind(self, plain)
            self.transport.set_protocol(wire)
            if not self._admitted(wire, headers):
                wire.ask(self.url.decode("ascii"), headers)
        else:
            super().handle_websocket_upgrade()
            cast("Wire", self.transport.get_protocol()).answered()
        self.__dict__.pop("parser", None)
        self.__dict__.pop("headers", None)

    def _wire(self) -> Wire:
        """A new one of this server, which has a class of connections to itself."""
        kind = type(self)
        if kind.wires is None:
            kind.wires = Wires(self.config, self.server_state, self.app_state)
        return kind.wires.new()

    def _admitted(self, wire: Wire, headers: Headers) -> bool:
        """Is there somebody at the door who knows whoever asks, and lets him in?"""
        door: Door | None = getattr(self.config.app, "door", None)
        table, host = _TABLE.fullmatch(self.url.decode("ascii")), self.asks(headers)
        return door is not None and table is not None and bool(host) and door.admit(wire, table[1], host, headers)

    def asks(self, headers: Headers) -> str:
        """The address of whoever asks; nothing: that has to be looked into."""
        return self.client[0] if self.client else ""


def wire_of(scope: Any) -> Wire:
    """The wire behind a socket's scope."""
    return cast("Wire", scope["extensions"][_KEY])
