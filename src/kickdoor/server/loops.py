"""Several loops in one server: processes that each keep a part of the tables, behind one door.

The first opens the door, keeps the journal (`desk`), makes tables, and answers all that is not about one table. Who
asks for a table is handed on to the loop that keeps it (`chute`), and never notices. A loop that dies is started again;
its tables are taken over by whoever is asked for them next. One that hangs is ended for it. When the first one dies all
of them end. A server whose loops cannot start does not open.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import re
import signal
import socket
import subprocess
import sys
from typing import Any, Final
from urllib.parse import unquote

from kickdoor.paper.files import why
from kickdoor.server.channel import Channel
from kickdoor.server.chute import Chute, Take, pair
from kickdoor.server.desk import FIRST, Desk, DeskJournal, DeskNeighbours
from kickdoor.server.journal import Journal, Lost

log = logging.getLogger("kickdoor.server")

STARTING: Final = 60.0  # seconds that a loop has to get ready
ENDING: Final = 8.0  # seconds that it has to let go of its tables, once proxies have noticed
ANSWERS: Final = 1.5  # seconds that a loop has to say that it is there, as it is asked to every second
HANGING: Final = 4  # times in a row that it does not
PAUSES: Final = (0.2, 1.0, 5.0, 30.0)  # before a loop that died is started again, if it died soon after its start
_ABOUT: Final = re.compile(r"/(?:ws/tables|api/tables|t)/([a-z0-9]{5,20})(?:[/?]|$)")
_JOURNAL: Final = frozenset(name for name in vars(Journal) if name[0] != "_") - {"open", "close"}
_NEIGHBOURS: Final = frozenset({"gone", "wish", "wished"})
_MAKERS: Final = frozenset({"enter", "leave", "crowded"})


def table_of(path: str) -> str:
    """The table that a request is about, if it is about one, however its path is written (RFC 9112, 3.2.2)."""
    if path[:4] == "http":
        path = f"/{path.partition('://')[2].partition('/')[2]}"
    found = _ABOUT.match(unquote(path))
    return found[1] if found else ""


class Loops:
    """The others, as the first one knows them. `command` starts one, given the numbers of its files; `settings` are
    sent to it; `wait` is how long it gives proxies to notice that it ends."""

    def __init__(self, desk: Desk, count: int, command: list[str], settings: Any, wait: float = 0.0) -> None:
        self.desk = desk
        self._count = count
        self._ending = ENDING + wait
        self._command = command
        self._settings = settings
        self._others: dict[int, _Other] = {}
        self._keepers: list[asyncio.Task[None]] = []
        self._take: Take = _hang_up

    async def open(self, take: Take) -> None:
        """Start them; when this returns they are ready. `take`: what to do with connections that they hand back.
        Raises Lost if one of them cannot start: then none is there any more."""
        self._take = take
        ready = {number: asyncio.get_running_loop().create_future() for number in range(FIRST + 1, self._count)}
        for number, there in ready.items():
            self._keepers.append(asyncio.create_task(self._keep(number, there)))
        done, _ = await asyncio.wait(ready.values(), timeout=STARTING, return_when=asyncio.FIRST_EXCEPTION)
        failures = [e for e in (there.exception() for there in done) if e is not None]
        if failures:
            await self.close()
            raise failures[0]
        for number, there in ready.items():
            if not there.done():
                log.warning("loop %s of this server is not ready yet; the others begin without it", number)
                there.set_result(None)

    async def ready(self) -> None:
        """The door is open."""

    def way(self, path: str, handed: bool) -> Chute | None:
        """Where a connection goes that asks for this; None: it stays."""
        table = table_of(path)
        other = self._others.get(self.desk.owner(table)) if table else None
        return None if other is None else other.chute

    async def close(self) -> None:
        """They let go of their tables and end; what they have written is safe before this returns."""
        self.desk.closing = True
        for task in self._keepers:
            task.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        self._keepers.clear()
        await asyncio.gather(*(self._end(o) for o in list(self._others.values())))

    def kill(self) -> None:
        """They end at once; what they have answered is in the journal."""
        for task in self._keepers:
            task.cancel()
        for other in self._others.values():
            other.process.kill()

    async def _end(self, other: _Other) -> None:
        with contextlib.suppress(ProcessLookupError):
            other.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(other.gone.wait(), self._ending)
        await asyncio.to_thread(other.ended)
        other.close()

    async def _keep(self, number: int, ready: asyncio.Future[None]) -> None:
        """Start it, and again whenever it dies; but if it never was there, whoever starts the server is told."""
        tries = 0
        while True:
            began = asyncio.get_running_loop().time()
            try:
                how = await self._life(number, ready)
            except OSError as e:  # no process, or no file, to be had
                how = why(e)
            if not ready.done():
                ready.set_exception(Lost(f"loop {number} of this server cannot start: {how}"))
                return
            tries = 0 if asyncio.get_running_loop().time() - began > STARTING else tries + 1
            pause = PAUSES[min(tries, len(PAUSES) - 1)]
            log.error("loop %s of this server has ended (%s); it is started again in %g s", number, how, pause)
            await asyncio.sleep(pause)

    async def _life(self, number: int, ready: asyncio.Future[None]) -> str:
        """From its start to its end; returns how it ended."""
        other = self._others[number] = await self._start(number, ready)
        watch = asyncio.create_task(self._watch(number, other))
        try:
            await other.gone.wait()
        finally:
            watch.cancel()
        self._others.pop(number, None)
        how = await asyncio.to_thread(other.ended)
        return other.sorry or how

    async def _watch(self, number: int, other: _Other) -> None:
        """End it when it hangs, so that its tables go on elsewhere. What counts is how often this loop has asked in
        vain: when all of the server stood still for a while, that was once."""
        await other.up.wait()  # until then it keeps no table
        silent = 0
        while silent < HANGING:
            await asyncio.sleep(1)
            silent = 0 if await other.answers() else silent + 1
        log.error("loop %s of this server does not answer any more; it is ended", number)
        other.process.kill()
        other.close()

    async def _start(self, number: int, ready: asyncio.Future[None]) -> _Other:
        line, far_line = socket.socketpair()
        chute, far_chute = pair()
        with far_line, far_chute:
            files = (far_line.fileno(), far_chute.fileno())
            process = subprocess.Popen(
                [*self._command, *map(str, files)],
                pass_fds=files,
                start_new_session=True,  # Ctrl-C is for the first one, who ends them in good order
            )
        other = _Other(self.desk, number, process, ready, Chute(chute, self._take))
        line.setblocking(False)
        data = pickle.dumps(self._settings)
        await asyncio.get_running_loop().sock_sendall(line, len(data).to_bytes(4, "big") + data)
        await asyncio.get_running_loop().create_unix_connection(lambda: other.channel, sock=line)
        other.chute.open()
        return other


def _hang_up(sock: socket.socket, _data: bytes) -> None:
    sock.close()


class _Other:
    """One of them, as the first knows it."""

    def __init__(
        self, desk: Desk, number: int, process: subprocess.Popen[bytes], ready: asyncio.Future[None], chute: Chute
    ) -> None:
        self.process = process
        self.chute = chute
        self.gone = asyncio.Event()
        self.up = asyncio.Event()
        self.sorry = ""  # why it ends, in its own words
        self.channel = Channel(self._answer, self._lost)
        self._desk = desk
        self._number = number
        self._ready = ready
        self._journal = DeskJournal(desk, number)
        self._neighbours = DeskNeighbours(desk, number)

    async def _answer(self, name: str, args: tuple[Any, ...]) -> Any:
        if name in _JOURNAL:
            return await getattr(self._journal, name)(*args)
        if name in _NEIGHBOURS:
            return await getattr(self._neighbours, name)(*args)
        if name in _MAKERS:
            return await getattr(self._desk.makers, name)(*args)
        if name == "meet":
            return self._desk.meet(self._number, *args)
        if name == "ready":
            self._desk.arrive(self._number)
            if not self._ready.done():
                self._ready.set_result(None)
            self.up.set()
            return None
        if name == "sorry":
            (self.sorry,) = args
            return None
        raise ValueError(f"nobody here does {name}")

    async def answers(self) -> bool:
        """Is it there? (One that is gone is not asked any more.)"""
        try:
            async with asyncio.timeout(ANSWERS):
                await self.channel.call("alive")
        except TimeoutError:
            return False
        except Lost:
            await self.gone.wait()
        return True

    def _lost(self) -> None:
        """Its line is cut: it has ended, or cannot write any more, which is the same."""
        self._desk.leave(self._number)
        self.close()
        self.gone.set()

    def close(self) -> None:
        self.chute.close()
        self.channel.close()

    def ended(self) -> str:
        """It is made sure of; and how, in words."""
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        return f"by signal {-code}" if code < 0 else f"with status {code}"


def received(sock: socket.socket) -> Any:
    """In a loop that has just been started: the settings that the first one sends it."""

    def exactly(n: int) -> bytes:
        got = b""
        while len(got) < n:
            more = sock.recv(n - len(got))
            if not more:
                sys.exit(0)  # the first one has gone meanwhile
            got += more
        return got

    return pickle.loads(exactly(int.from_bytes(exactly(4), "big")))
