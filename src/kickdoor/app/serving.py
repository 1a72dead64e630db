"""Running a server: where its journal is, the socket it listens on, and the loop it lives in."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FrameType
from typing import Any, Final, Protocol

import uvicorn

from kickdoor.app import saves
from kickdoor.server.addresses import is_database
from kickdoor.server.archive import Attic, seconds
from kickdoor.server.chute import Chute, Take
from kickdoor.server.connections import networks, patient
from kickdoor.server.desk import FIRST, FIRST_SHARE, SHARE, Desk, DeskJournal, DeskNeighbours
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Damaged, Lost
from kickdoor.server.journals import open_journal
from kickdoor.server.limits import GOODBYE_SECONDS, Gate
from kickdoor.server.neighbours import identity, neighbours
from kickdoor.server.sqlite_schema import HELP
from kickdoor.server.trouble import Trouble
from kickdoor.server.wire import Wire

try:
    import resource
except ImportError:  # not on Windows, which needs no such thing
    resource = None  # type: ignore[assignment]

log = logging.getLogger("kickdoor.server")

DATA: Final = "KICKDOOR_DATA"
JOURNAL: Final = "journal.sqlite"
MOST_CONNECTIONS: Final = 20_000  # where the system allows so many files; those of a server that died come, too
SPARE_FILES: Final = 200
EVERYWHERE: Final = ("0.0.0.0", "::", "")
HEEDED: Final = 0.1  # seconds until somebody who is in a hurry is heeded
# Names of the one socket at which people come in: in a turn of the loop one connection is accepted by each name, and
# thousands come in one moment when another server dies. The check of a proxy stands in the same line.
DOORS: Final = 16


def data_folder() -> Path:
    """Where the journal is, unless told otherwise: where KICKDOOR_DATA says, or where this system keeps such things."""
    named = os.environ.get(DATA)
    return Path(named) if named else saves.folder()


def lan_address() -> str:
    """This machine's address on the home network; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
            return str(s.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def shown(host: str, number: int) -> str:
    """How a browser is told to go to this address."""
    host = lan_address() if host in EVERYWHERE else host
    return f"http://[{host}]:{number}" if ":" in host else f"http://{host}:{number}"


def listener(host: str, port: int) -> socket.socket:
    """A bound socket, so that the address can be told before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    s = socket.socket(family, socket.SOCK_STREAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        s.bind((host, port))
        return s
    except OSError as e:
        said, cure = e.strerror, "Choose another with --port." if e.errno in _TAKEN else "Is that an address here?"
    except (OverflowError, ValueError, TypeError):  # no such port; a name that cannot be one
        said, cure = "no such address", "Give --host a name or number of this machine."
    s.close()
    raise ValueError(f"cannot listen on {host} port {port}: {said}. {cure}")


_TAKEN: Final = (errno.EADDRINUSE, errno.EACCES)


def most_connections() -> int:
    """A connection is a file: as many as the system lets us have, less some for the journal and the pages."""
    if resource is None:
        return MOST_CONNECTIONS
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files < 0 else max(50, min(MOST_CONNECTIONS, files - SPARE_FILES))


def archive(args: argparse.Namespace) -> Path:
    """The folder for tables that are put away."""
    folder = Path(args.archive or (args.data or data_folder()) / "archive")
    way = (folder, *folder.absolute().parents) if args.archive else (folder,)  # the journal finds its own
    there = next((p for p in way if os.path.lexists(p)), None)
    if there is not None and not there.is_dir():
        raise ValueError(f"{folder} is no folder, so old tables cannot be put there. Name another with --archive.")
    return folder


def hub_for(args: argparse.Namespace, sock: socket.socket, public: str) -> tuple[Hub, Desk | None]:
    """The tables in the journal that the arguments name; and the desk, if several loops are to share them."""
    where = args.database or str((args.data or data_folder()) / JOURNAL)
    attic = Attic(archive(args), seconds(args.keep))
    me = identity(sock)
    try:
        journal = open_journal(where, me, public)
        servers = neighbours(where, me, public)
        if args.loops == 1:
            return Hub(journal, attic=attic, neighbours=servers), None
        desk = Desk(journal, public, servers, SHARE if is_database(where) else FIRST_SHARE)
        hub = Hub(DeskJournal(desk, FIRST), attic=attic, neighbours=DeskNeighbours(desk))
        desk.makers = hub.makers
        return hub, desk
    except Lost as e:
        raise ValueError(str(e)) from None


class Others(Protocol):
    """The other loops of this server, as each of them needs them."""

    async def open(self, take: Take) -> None:
        """Get in touch; `take`: what to do with connections that they hand on."""

    async def ready(self) -> None:
        """This loop is open: connections may come."""

    async def close(self) -> None:
        """This loop is about to end."""

    def kill(self) -> None:
        """The same, in a hurry: nobody waits for anybody."""

    def way(self, path: str, handed: bool) -> Chute | None:
        """Where a connection goes that asks for this path; None: it stays. `handed`: it has just come from another."""


class DrainingServer(uvicorn.Server):
    """Uvicorn, which at SIGTERM first lets go of the tables in good order. A second one, or Ctrl-C, ends it at once."""

    def __init__(
        self,
        config: uvicorn.Config,
        hub: Hub,
        ready: Callable[[], None],
        wait: float = 0.0,
        back: int = 0,
        loops: Others | None = None,
    ) -> None:
        super().__init__(config)
        self._hub, self._wait, self._back = hub, wait, back
        self._loops = loops
        self._ready = ready
        self._taking: set[asyncio.Future[Any]] = set()
        self._drain: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Whoever reads that it is open may come in: not before the journal is there, and the door is."""
        try:
            if self._loops is None:
                await super().startup(sockets)
            elif await self._unless("should_exit", self._loops.open(self._take)):
                await self._hub.meet()  # new tables go to them from the first one on
                await super().startup(sockets)
        finally:
            if not self.started:
                await self._unless("force_exit", self._close())
        if self.started:
            if self._loops is not None:
                await self._loops.ready()
            self._ready()

    def _take(self, sock: socket.socket, data: bytes) -> None:
        """A connection that another loop of this server hands on, with what has come of it."""
        made: Any = self.config.http_protocol_class
        connection = made(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        connection.handed = data
        taking = asyncio.ensure_future(asyncio.get_running_loop().connect_accepted_socket(lambda: connection, sock))
        self._taking.add(taking)
        taking.add_done_callback(self._taken)

    def _taken(self, taking: asyncio.Future[Any]) -> None:
        self._taking.discard(taking)
        if not taking.cancelled():
            taking.exception()  # it may have hung up meanwhile

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """In good order, unless somebody is in a hurry. Nothing is lost then either: what was answered is written."""
        await self._unless("force_exit", self._shut(sockets))

    async def _shut(self, sockets: list[socket.socket] | None) -> None:
        """The other loops first: the journal that they write to is this one's."""
        if self._loops is not None:
            await self._loops.close()
        await super().shutdown(sockets)
        await self._close()

    async def _close(self) -> None:
        if self._loops is not None:
            await self._loops.close()
        try:
            await self._hub.close()
        except Exception:
            log.exception("the tables could not be closed in good order; what was answered is in the journal")

    async def _unless(self, told: str, work: Coroutine[Any, Any, None]) -> bool:
        """Do this, unless one is told to end meanwhile (`should_exit`, `force_exit`). Was it done?"""
        task = asyncio.ensure_future(work)
        try:
            while not (task.done() or getattr(self, told)):
                await asyncio.wait([task], timeout=HEEDED)
        finally:
            if not task.done():
                await self._give_up(task)
        if task.cancelled() or not task.done():
            return False
        task.result()
        return True

    async def _give_up(self, task: asyncio.Future[None]) -> None:
        task.cancel()
        if self.force_exit and self._loops is not None:
            self._loops.kill()
        await asyncio.wait([task], timeout=HEEDED)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Uvicorn raises every signal once more when all is over. It is enough to hear of Ctrl-C once."""
        if sig == signal.SIGTERM and self.loop is not None and self._drain is None and self.started:
            self.loop.call_soon_threadsafe(self._begin)
        elif sig == signal.SIGINT and self.should_exit:
            self.force_exit = True
        else:
            super().handle_exit(sig, frame)

    def _begin(self) -> None:
        if self._drain is None:
            self._drain = asyncio.ensure_future(self._end())

    async def _end(self) -> None:
        others = [] if self._loops is None else [self._loops.close()]
        try:
            await asyncio.gather(*others, self._hub.drain(self._wait, self._back))
        finally:
            self.should_exit = True


def leave_in_peace() -> None:
    """From now on whoever is told to stop (SIGTERM) ends with 0, also before there is anything to let go of: nothing is
    lost, and whoever watches over servers need not worry. It ends there and then, as by Ctrl-C while it is loaded
    (`loading`): an exception would be thrown into whatever is being imported, which may make another one of it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _leave)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    os._exit(0)


def serve(
    hub: Hub,
    app: Any,
    sock: socket.socket | None,
    proxies: list[str],
    gate: Gate,
    ready: Callable[[], None] = lambda: None,
    *,
    wait: float = 0.0,
    back: int = 0,
    loops: Others | None = None,
) -> int:
    """Run until interrupted; `ready` is called when people can come in. What keeps them away is told in one line.
    Without a socket they come by way of another loop (`loops`)."""
    config = uvicorn.Config(
        app,
        http=patient(gate, networks(proxies), most_connections(), None if loops is None else loops.way),
        ws=Wire,
        lifespan="off",  # tables are opened and closed here; who is in a hurry would leave that to whatever ends last
        log_config=None,  # what it logs goes where ours goes
        log_level="error",  # what strangers get wrong is no news, and fills the log
        access_log=False,
        backlog=8192,  # when another server dies, thousands stand at the door in one moment
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=int(GOODBYE_SECONDS) + 1,  # then lines that nobody reads have been cut
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        server_header=False,
    )
    server = DrainingServer(config, hub, ready, wait, back, loops)

    async def main() -> None:
        server.loop = asyncio.get_running_loop()
        await hub.open()
        await server.serve(sockets=[] if sock is None else [sock, *(sock.dup() for _ in range(1, DOORS))])

    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(main())
    except (Lost, Trouble) as e:
        raise ValueError(str(e)) from None
    except Damaged as e:
        raise ValueError(f"{e}. {HELP}") from None
    return 0 if server.started else 1
