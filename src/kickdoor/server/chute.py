"""Open connections go from one process of a server to another, with what has been read of them.

The other end goes on as if they had been opened there: whoever is at their far end notices nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import socket
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

MOST_BYTES: Final = 64 * 1024  # that can have been read of a connection that is handed on
PATIENCE: Final = 5.0  # seconds that one waits for room; a loop that takes nothing for so long hangs
LOOK: Final = 1.0  # seconds until those who wait are looked at again
_GONE: Final = getattr(select, "POLLRDHUP", 0)  # its caller says nothing more; not every system tells

Take = Callable[[socket.socket, bytes], None]


class Waiting(NamedTuple):
    """A connection for which there is no room yet: its file, what has been read of it, and until when it waits."""

    file: int
    data: bytes
    until: float


class Chute:
    """One end. `take` is given what comes out of it."""

    def __init__(self, sock: socket.socket, take: Take) -> None:
        self._sock = sock
        self._take = take
        self._waiting: deque[Waiting] = deque()  # until there is room for them
        self._look: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        self._sock.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._sock.fileno(), self._read)

    def close(self) -> None:
        """What still waits is hung up on, and comes again."""
        if self._loop is None:
            return
        self._loop.remove_reader(self._sock.fileno())
        self._loop.remove_writer(self._sock.fileno())
        self._loop = None
        if self._look is not None:
            self._look.cancel()
        for w in self._waiting:
            os.close(w.file)
        self._waiting.clear()
        self._sock.close()

    def push(self, connection: int, data: bytes) -> bool:
        """Hand an open connection (its file) on; whoever has it here closes his end of it. False: it has to stay."""
        if self._loop is None or len(data) > MOST_BYTES:
            return False
        try:
            fd = os.dup(connection)
        except OSError:  # there is no room for another file
            return False
        if self._waiting or not self._send(fd, data):
            if not self._waiting:
                self._loop.add_writer(self._sock.fileno(), self._write)
                self._look_again(self._loop)
            self._waiting.append(Waiting(fd, data, self._loop.time() + PATIENCE))
        return True

    def _look_again(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._look is not None:
            self._look.cancel()
        self._look = loop.call_later(LOOK, self._look_after)

    def _look_after(self) -> None:
        """Each of those who wait is a file, and the other end may hang: who has hung up is let go, and who has waited
        long is hung up on and comes again."""
        self._write()  # it may be this loop that was late
        if not self._waiting or self._loop is None:
            return
        moment, gone = self._loop.time(), _hung_up([w.file for w in self._waiting])
        over = {w.file for w in self._waiting if w.file in gone or w.until <= moment}
        for fd in over:
            os.close(fd)
        self._waiting = deque(w for w in self._waiting if w.file not in over)
        if self._waiting:
            self._look_again(self._loop)
        else:
            self._loop.remove_writer(self._sock.fileno())

    def _send(self, fd: int, data: bytes) -> bool:
        try:
            socket.send_fds(self._sock, [data], [fd])
        except BlockingIOError:
            return False
        except OSError:
            pass  # nobody is there any more, and the connection is hung up on
        os.close(fd)
        return True

    def _write(self) -> None:
        while self._waiting and self._send(self._waiting[0].file, self._waiting[0].data):
            self._waiting.popleft()
        if not self._waiting and self._loop is not None:
            self._loop.remove_writer(self._sock.fileno())

    def _read(self) -> None:
        for _ in range(64):  # then others have their turn
            try:
                data, fds, _flags, _from = socket.recv_fds(self._sock, MOST_BYTES, 1)
            except BlockingIOError:
                return
            except OSError:
                data, fds = b"", []
            if not data:  # the other end has gone
                if self._loop is not None:
                    self._loop.remove_reader(self._sock.fileno())
                return
            for fd in fds:
                with contextlib.suppress(OSError):
                    self._take(socket.socket(fileno=fd), data)


def _hung_up(files: list[int]) -> set[int]:
    """Those of these connections whose callers have gone."""
    poll = select.poll()
    for fd in files:
        poll.register(fd, _GONE)
    return {fd for fd, _ in poll.poll(0)}


def possible() -> bool:
    """Can processes hand each other connections on this system?"""
    if not hasattr(socket, "send_fds"):
        return False
    try:
        one, two = pair()
    except (OSError, AttributeError):
        return False
    one.close()
    two.close()
    return True


def pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of one. A message is a connection: they must not run together."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
