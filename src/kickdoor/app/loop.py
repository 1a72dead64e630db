"""A further loop of a server: a process of its own, which the first one starts and tells what to do (`serve --loops`).

`python -m kickdoor.app.loop LINE CHUTE`: the files over which it speaks with the first, and is handed connections.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Final

from kickdoor.app import serving
from kickdoor.server import logs, lounge
from kickdoor.server.archive import Attic
from kickdoor.server.chute import Chute, Take
from kickdoor.server.desk import Report
from kickdoor.server.far import FarJournal, FarMakers, FarNeighbours, SharedJournal
from kickdoor.server.hub import Hub
from kickdoor.server.journals import open_journal
from kickdoor.server.limits import Gate
from kickdoor.server.loops import received, table_of
from kickdoor.server.website import own_figures, website

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

    def way(self, path: str, handed: bool) -> Chute | None:
        """Who has been sent here stays, for this request; and whoever asks for a table that is here."""
        return None if handed or table_of(path) in self._hub.rooms else self._chute


def journal_for(database: str, me: str, public: str, line: socket.socket) -> FarJournal:
    """A file is the first one's alone; in a database all loops of a server write as that server."""

    def lost() -> None:
        os._exit(GONE)

    return SharedJournal(line, lost, open_journal(database, me, public)) if database else FarJournal(line, lost)


def main() -> int:
    line, chute = (socket.socket(fileno=int(fd)) for fd in sys.argv[1:3])
    for sock in (line, chute):
        sock.set_inheritable(False)  # a bot that thinks must not hold them open after this process has died
    public, args, me = received(line)
    logs.begin(args.log)
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
