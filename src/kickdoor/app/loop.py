"""A further loop of a server: a process of its own, which the first one starts and tells what to do (`serve --loops`).

`python -m kickdoor.app.loop LINE CHUTE`: the files over which it speaks with the first, and is handed connections.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import socket
import sys
from typing import Final

from kickdoor.app import serving
from kickdoor.paper.files import why
from kickdoor.server import logs, lounge
from kickdoor.server.addresses import is_database
from kickdoor.server.archive import Attic
from kickdoor.server.channel import message
from kickdoor.server.chute import Chute, Take
from kickdoor.server.desk import Report
from kickdoor.server.far import FarJournal, FarMakers, FarNeighbours, SharedJournal
from kickdoor.server.hub import Hub
from kickdoor.server.journals import open_journal
from kickdoor.server.limits import Gate
from kickdoor.server.loops import received, table_of
from kickdoor.server.website import own_figures, website

log = logging.getLogger("kickdoor.server")

LAST_WORD: Final = 2.0  # seconds that the first one has to hear why this one ends
GONE: Final = 3  # the status with which a loop ends whose first one has gone


class Further:
    """The other loops, as this one needs them: everything that is not about its tables goes back to the first."""

    def __init__(self, hub: Hub, journal: FarJournal, sock: socket.socket) -> None:
        self._hub = hub
        self._journal = journal
        self._sock = sock
        self._chute: Chute | None = None

    async def open(self, take: Take) -> None:
        self._chute = Chute(self._sock, take)

    async def ready(self) -> None:
        if self._chute is not None:
            self._chute.open()
            await self._journal.call("ready")

    async def close(self) -> None:
        """The first one notices by itself."""

    def kill(self) -> None:
        """The same."""

    def way(self, path: str, handed: bool) -> Chute | None:
        """Who has been sent here stays, for this request; and whoever asks for a table that is here."""
        return None if handed or table_of(path) in self._hub.rooms else self._chute


def journal_for(database: str, me: str, public: str, line: socket.socket) -> FarJournal:
    """A file is the first one's alone; in a database all loops of a server write as that server."""

    def lost() -> None:
        os._exit(GONE)

    if not is_database(database):
        return FarJournal(line, lost)
    return SharedJournal(line, lost, open_journal(database, me, public))


def main() -> int:
    """What keeps it from starting, or ends it, is told to the first one in a sentence: that one knows what to do."""
    line, chute = (socket.socket(fileno=int(fd)) for fd in sys.argv[1:3])
    for sock in (line, chute):
        sock.set_inheritable(False)  # a bot that thinks must not hold them open after this process has died
    last = line.dup()  # the line itself is closed with the loop that reads it
    public, args, me = received(line)
    logs.begin(args.log)
    try:
        return run(line, chute, public, args, me)
    except KeyboardInterrupt:
        return 130
    except Exception as e:
        says, status = excuse(e)
    with contextlib.suppress(OSError):  # it has gone, too
        last.settimeout(LAST_WORD)
        last.sendall(message("sorry", says))
    return status


def excuse(e: Exception) -> tuple[str, int]:
    """Why it has to end, and its status. Only a bug is worth a trace."""
    if isinstance(e, MemoryError):
        return "there is not enough memory for it", 2
    if isinstance(e, OSError):
        return why(e), 2
    if isinstance(e, ValueError):
        return str(e), 2
    log.error("this loop cannot go on", exc_info=e)
    return f"a bug, sorry: {type(e).__name__}: {e}", 1


def run(line: socket.socket, chute: socket.socket, public: str, args: argparse.Namespace, me: str) -> int:
    """Until it is told to stop."""
    journal = journal_for(args.database, me, public, line)
    neighbours = FarNeighbours(journal, public)
    hub = Hub(journal, attic=Attic(serving.archive(args), None), neighbours=neighbours)
    hub.makers = FarMakers(journal)
    hub.by_the_book = args.by_the_book
    neighbours.tell = lambda: Report(
        lounge.listed(hub) if args.public else [], own_figures(hub) if args.metrics else b""
    )
    gate = Gate(args.generous)
    app = website(hub, args.public_url, frozenset(args.origin), gate, metrics=args.metrics, lists=args.public)
    loops = Further(hub, journal, chute)
    return serving.serve(hub, app, None, args.proxy, gate, wait=args.drain, back=args.back, loops=loops)


if __name__ == "__main__":
    sys.exit(main())
