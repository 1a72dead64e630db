"""The sockets' way out: a frame goes to the network in the moment it is sent.

Uvicorn does the rest (handshake, pings, closing). Over its own way out a frame would wait in a queue for a task of its
socket to be woken; with thousands of sockets those tasks were a good part of what a move costs.
"""

from __future__ import annotations

from typing import Any, Final, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

WAITING_BYTES: Final = 1 << 20  # what may wait for a slow reader; then he is let go
_KEY: Final = "kickdoor.wire"


class Wire(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, which can also be written to at once."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            cast("dict[str, Any]", self.scope["extensions"])[_KEY] = self

    def settle(self) -> None:
        """The handshake is done: what it was about need not be kept."""
        self.__dict__.pop("request", None)
        self.__dict__.pop("response", None)
        self.scope["headers"] = []

    def push(self, data: bytes) -> bool:
        """Send a text frame; False if too much is waiting already. To a line that has gone it means nothing."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return True
        if self.transport.get_write_buffer_size() > WAITING_BYTES:
            return False
        try:
            self.conn.send_text(data)
        except InvalidState:
            return True
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def cut(self) -> None:
        """Hang up without waiting for what was not read."""
        self.transport.abort()


class Http(HttpToolsProtocol):
    """Uvicorn's protocol for calls, which goes when its connection has become a socket. (It and its parser hold each
    other, and nobody would come to free them for minutes.)"""

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self.__dict__.pop("parser", None)
        self.__dict__.pop("headers", None)


def wire_of(scope: Any) -> Wire:
    """The wire behind a socket's scope."""
    return cast("Wire", scope["extensions"][_KEY])
