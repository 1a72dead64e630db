"""Connections before there is a request: how many, and how long they may take to say what they want.

uvicorn waits for ever for the rest of a request. Here a clock runs whenever the other side has to speak: for the
headers, for the body, and between two requests.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import httptools

from kickdoor.server import limits
from kickdoor.server.chute import Chute
from kickdoor.server.limits import Gate, household
from kickdoor.server.wire import Headers, Http

SLOW: Final = (408, "Request Timeout", "too_slow", "The request did not come to an end in time.")
LONG: Final = (431, "Request Header Fields Too Large", "too_long", "The headers of this request are too long.")
MANY: Final = (503, "Service Unavailable", "busy", "Too many connections. Close some of them, or try again.")
ODD: Final = (400, "Bad Request", "not_understood", "A socket is asked for by HTTP/1.1, in a request without a body.")
PIECE: Final = 8 * 1024
FORWARDED: Final = re.compile(rb"(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[0-9a-f]*:[0-9a-f]*:[0-9a-f:]*")
ASKED: Final = re.compile(rb"[\r\n]*[A-Z]{1,20} +([^ \r\n]+) ")
BEGUN: Final = re.compile(rb"[\r\n]*[A-Z]{0,20}(?: +[^ \r\n]*)?")  # what may still become that
COMING_IN: Final = 0.002  # seconds for which sockets are let in, before others have their turn
BREATH: Final = 0.001

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def networks(words: Sequence[str]) -> list[Network]:
    """The proxies to be believed, as addresses or networks. Raises ValueError with a sentence."""
    try:
        return [ipaddress.ip_network(w) for w in words]
    except ValueError as e:
        raise ValueError(f"a proxy is named by its address or network, such as 10.0.0.5 or 10.0.0.0/24: {e}") from None


def trusted(host: str, proxies: Sequence[Network]) -> bool:
    """Is this one of the proxies?"""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(ip in n for n in proxies)


Way = Callable[[str, bool], Chute | None]  # where a connection goes that asks for this path; had it been handed on?


def patient(gate: Gate, proxies: Sequence[Network] = (), most: int = 10_000, way: Way | None = None) -> type[Http]:
    """The protocol for uvicorn, with this gate. A proxy brings many people and is not counted; `most`: of all kinds;
    `way`: to other loops of this server."""
    doorway = Doorway()

    @lru_cache(maxsize=1024)
    def proxy(host: str) -> bool:
        return trusted(host, proxies)

    class Patient(Connection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(gate, proxy, most, doorway, way, *args, **kwargs)

    return Patient


class Doorway:
    """Through it sockets come in, a few at a time. When another server dies thousands come in the same second, and the
    tables that are here do not stand still until all of them are in."""

    def __init__(self) -> None:
        self._outside: deque[Connection] = deque()
        self._left = COMING_IN  # seconds for which sockets may come in, before others have their turn
        self._rests = False

    def come(self, who: Connection) -> None:
        self._outside.append(who)
        self._let_in()

    def _let_in(self) -> None:
        while self._outside and self._left > 0:
            began = time.perf_counter()
            self._outside.popleft().become_socket()
            self._left -= time.perf_counter() - began
        if not self._rests:
            self._rests = True
            asyncio.get_running_loop().call_later(BREATH, self._rested)

    def _rested(self) -> None:
        self._left, self._rests = COMING_IN, False
        if self._outside:
            self._let_in()


class Connection(Http):
    """One connection, from its opening until it is closed or becomes a socket."""

    handed = b""  # what another loop had read of it, before it was handed on

    def __init__(
        self,
        gate: Gate,
        proxy: Callable[[str], bool],
        most: int,
        doorway: Doorway,
        way: Way | None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._doorway = doorway
        self._way = way
        self._early = b""  # the beginning of a request that does not say yet what it asks for
        self._gate = gate
        self._proxy = proxy
        self._most = most
        self._counted = ""
        self._clock: asyncio.TimerHandle | None = None
        self._reading = False  # is a request on its way?
        self._upgraded = False
        self._in_body = False  # are its headers complete?
        self._head = 0  # bytes that came before they were
        self._answering: Any = None  # the first of the requests that came together
        self._deaf = (
            False  # the next of them asks for more than an answer: they are answered up to it, and then it is over
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        who = household(self.client[0]) if self.client else "?"
        if self.client and self._proxy(self.client[0]):
            who = ""
        if len(self.connections) > self._most or (who and not self._gate.connections.enter(who)):
            self._refuse(MANY)
            return
        self._counted = who
        self._wait(limits.HEADER_SECONDS)
        if self.handed:
            self.data_received(self.handed)

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        if self.pipeline:  # several things were asked for: uvicorn tells only the last that nobody is there any more
            self.pipeline.clear()
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        if self._deaf:
            return
        if self.scope["http_version"] != "1.1" or self._has_body():
            self._refuse(ODD)
            return
        if not self.url.startswith(b"/"):  # as it is said to proxies (RFC 9112, 3.2.2)
            said = httptools.parse_url(self.url)
            self.url = (said.path or b"/") + (b"?" + said.query if said.query else b"")
        self._upgraded = True
        self._let_go()  # from now on it is counted as a socket
        self._doorway.come(self)

    def _has_body(self) -> bool:
        said = dict(self.scope["headers"])
        return b"transfer-encoding" in said or said.get(b"content-length", b"0") != b"0"

    def become_socket(self) -> None:
        """Its turn has come; unless it has gone."""
        if not self.transport.is_closing():
            super().handle_websocket_upgrade()

    def asks(self, headers: Headers) -> str:
        """A proxy that is believed tells for whom it asks. (If it tells more than one address, uvicorn sorts them.)"""
        host = super().asks(headers)
        if not host or not self._proxy(host):
            return host
        told = [value for name, value in headers if name == b"x-forwarded-for"]
        if len(told) != 1 or not FORWARDED.fullmatch(told[0]) or self._proxy(told[0].decode()):
            return ""
        return told[0].decode()

    def data_received(self, data: bytes) -> None:
        """In pieces, so that what is counted as headers is headers, whatever else came with them."""
        if self._way is not None and self._between_requests():
            data, self._early = self._early + data, b""
            if self._is_elsewhere(self._way, data):
                return
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing() or self._upgraded or self._deaf:
                return
            piece = data[at : at + PIECE]
            if not self._in_body:
                self._head += len(piece)
            if self._head > limits.HEADER_BYTES:
                self._refuse(LONG)
                return
            super().data_received(piece)

    def _between_requests(self) -> bool:
        answered = self.cycle is None or self.cycle.response_complete
        return answered and not (self._reading or self._head or self.pipeline or self._upgraded)

    def _is_elsewhere(self, way: Way, data: bytes) -> bool:
        """Another loop keeps the table that this request is about: the connection goes there, with what has come of it.
        Or it does not say yet what it is about, and is waited for."""
        asked = ASKED.match(data)
        if asked is None:
            if len(data) < PIECE and BEGUN.fullmatch(data):
                self._early = data
                return True
            return False  # it is no request, and will be told so
        handed, self.handed = bool(self.handed), b""
        chute = way(asked[1].decode("latin-1"), handed)
        if chute is None or self.transport.get_write_buffer_size():
            return False
        if not chute.push(self.transport.get_extra_info("socket").fileno(), data):
            return False
        self.transport.pause_reading()
        self.transport.abort()  # here; it goes on there
        return True

    def on_message_begin(self) -> None:
        self._reading = True
        self._wait(limits.HEADER_SECONDS)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._deaf or self._asks_for_more():
            self._deaf, self._reading, self._in_body = True, False, False
            self.cycle.keep_alive = False
            self._wait(limits.REQUEST_SECONDS + limits.GOODBYE_SECONDS)  # for the answer to what came before
            return
        self._in_body, self._head = True, 0
        self._wait(limits.BODY_SECONDS)
        super().on_headers_complete()
        if not self.pipeline:
            self._answering = self.cycle

    def _asks_for_more(self) -> bool:
        """Has it been sent along with another that is not answered yet, and asks for a socket, which would speak into
        that answer, or for another loop than that one?"""
        if self.cycle is None or self.cycle.response_complete:
            return False
        if self.parser.should_upgrade():
            return True
        return self._way is not None and self._way(self.url.decode("latin-1"), False) is not None

    def on_body(self, body: bytes) -> None:
        if not self._deaf:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._deaf:
            return
        self._reading = self._in_body = False
        self._wait(limits.REQUEST_SECONDS + limits.GOODBYE_SECONDS)  # now it is our turn
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self.pipeline:
            self._answering = self.pipeline[-1][0]  # its turn comes now
        super().on_response_complete()
        if not self._reading and not self.pipeline:
            self._wait(limits.HEADER_SECONDS)

    # -- the clock ----------------------------------------------------------------------------------------------------

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._clock = self.loop.call_later(seconds, self._too_slow)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_slow(self) -> None:
        """Not in time. Who has begun to say something is told; an answer that is on its way is not disturbed."""
        answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if self.transport.is_closing():
            self.transport.abort()  # nobody reads what is left to say
        elif (self._reading or self._early) and not answering:
            self._refuse(SLOW)
        else:
            self._close()

    def _refuse(self, no: tuple[int, str, str, str]) -> None:
        if self.transport.is_closing():
            return
        status, phrase, code, says = no
        body = json.dumps({"code": code, "says": says, "rule": ""})
        head = f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(f"{head}connection: close\r\n\r\n{body}".encode())
        self._close()

    def _close(self) -> None:
        self.transport.close()
        self._wait(limits.GOODBYE_SECONDS)

    def _let_go(self) -> None:
        self._stop()
        if self._counted:
            self._gate.connections.leave(self._counted)
            self._counted = ""
