"""Connections before there is a request: how many, and how long they may take to say what they want.

uvicorn waits for ever for the rest of a request. Here a clock runs whenever the other side has to speak: for the
headers, for the body, and between two requests.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from kickdoor.server import limits
from kickdoor.server.limits import Gate, household
from kickdoor.server.wire import Http

SLOW: Final = (408, "Request Timeout", "too_slow", "The request did not come to an end in time.")
LONG: Final = (431, "Request Header Fields Too Large", "too_long", "The headers of this request are too long.")
MANY: Final = (503, "Service Unavailable", "busy", "Too many connections. Close some of them, or try again.")
PIECE: Final = 8 * 1024
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


def patient(gate: Gate, proxies: Sequence[Network] = (), most: int = 10_000) -> type[Http]:
    """The protocol for uvicorn, with this gate. A proxy brings many people and is not counted; `most`: of all kinds."""
    doorway = Doorway()

    class Patient(Connection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(gate, proxies, most, doorway, *args, **kwargs)

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

    def __init__(
        self, gate: Gate, proxies: Sequence[Network], most: int, doorway: Doorway, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._doorway = doorway
        self._gate = gate
        self._proxies = proxies
        self._most = most
        self._counted = ""
        self._clock: asyncio.TimerHandle | None = None
        self._reading = False  # is a request on its way?
        self._upgraded = False
        self._in_body = False  # are its headers complete?
        self._head = 0  # bytes that came before they were

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        who = household(self.client[0]) if self.client else "?"
        if self.client and trusted(self.client[0], self._proxies):
            who = ""
        if len(self.connections) > self._most or (who and not self._gate.connections.enter(who)):
            self._refuse(MANY)
            return
        self._counted = who
        self._wait(limits.HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._let_go()  # from now on it is counted as a socket
        self._doorway.come(self)

    def become_socket(self) -> None:
        """Its turn has come; unless it has gone."""
        if not self.transport.is_closing():
            super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """In pieces, so that what is counted as headers is headers, whatever else came with them."""
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing() or self._upgraded:
                return
            piece = data[at : at + PIECE]
            if not self._in_body:
                self._head += len(piece)
            if self._head > limits.HEADER_BYTES:
                self._refuse(LONG)
                return
            super().data_received(piece)

    def on_message_begin(self) -> None:
        self._reading = True
        self._wait(limits.HEADER_SECONDS)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_body, self._head = True, 0
        self._wait(limits.BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._reading = self._in_body = False
        self._wait(limits.REQUEST_SECONDS + limits.GOODBYE_SECONDS)  # now it is our turn
        super().on_message_complete()

    def on_response_complete(self) -> None:
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
        elif self._reading and not answering:
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
