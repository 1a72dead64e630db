"""A process full of players, started by `bench.server`: so many tables of four, each making a move every so often.

It speaks with its parent over its pipes: it says how many tables are open, waits for a line, plays until it is told to
stop, and prints every move with its time. Each table comes from an address of its own (127.x.y.z), as tables do.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import http.client
import json
import random
import resource
import sys
import time
from typing import Any, Final, cast
from urllib.parse import urlsplit

import msgspec
import uvloop

from kickdoor.server.patching import patched
from kickdoor.server.protocol import VERSION

SEATS: Final = 4
QUIET: Final = {"offer_help", "trade", "counter", "show_hand"}  # talk that a load test can do without
CALM: Final = {"window": 120, "decision": 3600, "timer": "custom", "grace": 600}
PATIENCE: Final = 15.0
AT_IT: Final = 0.1  # seconds between two tries to go on, when all are back after a lost line
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # whole messages in one frame (RFC 6455, 5.2)
LONG: Final = 126  # longer messages have their length after this
ASKING: Final = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_read: Final = msgspec.json.Decoder().decode
_write: Final = msgspec.json.Encoder().encode


class Player(asyncio.Protocol):
    """One socket, which keeps its state as a page does, and comes back by itself.

    It speaks just as much of RFC 6455 as the server has to hear: when a server is killed thousands come back at once,
    and what they need for it they take from the server that lets them in.
    """

    def __init__(self, table: LoadedTable, token: str) -> None:
        self.table, self.token = table, token
        self.state: dict[str, Any] = {}
        self.seq = 0
        self.wire: asyncio.Transport | None = None  # when it is open
        self.here = False  # when it has been welcomed
        self._line: asyncio.Transport | None = None
        self._in: asyncio.Future[bool] | None = None
        self._heard = b""
        self._again: asyncio.Future[None] | None = None

    async def open(self) -> None:
        while not self.table.over:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    if await self._connect():
                        return
            if self._line is not None:
                self._line.abort()  # what still came over it would be taken for the next one's
            await asyncio.sleep(0.2)

    async def _connect(self) -> bool:
        loop = asyncio.get_running_loop()
        self._heard, self._in = b"", loop.create_future()
        await loop.create_connection(lambda: self, *self.table.server_at, local_addr=(self.table.address, 0))
        return await self._in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast("asyncio.Transport", transport)
        self._line.write(self.table.asking)

    def connection_lost(self, exc: Exception | None) -> None:
        was_open, self.wire, self.here = self.wire is not None, None, False
        if self._in is not None and not self._in.done():
            self._in.set_result(False)
        if was_open and not self.table.over:
            self.table.cut()
            self._again = asyncio.ensure_future(self.open())

    def data_received(self, data: bytes) -> None:
        moment = time.monotonic()
        data = self._heard + data if self._heard else data
        if self.wire is None:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._heard = head
                return
            self._let_in(head)
        at, n = 0, len(data)
        while n - at >= 2:
            start, size = at + 2, data[at + 1]
            if size >= LONG:
                start += 2 if size == LONG else 8
                size = int.from_bytes(data[at + 2 : start], "big")
            if start + size > n:
                break
            self._frame(data[at], data[start : start + size], moment)
            at = start + size
        self._heard = data[at:]

    def _let_in(self, head: bytes) -> None:
        assert self._line is not None
        if not head.startswith(b"HTTP/1.1 101"):
            self._line.close()
            return
        self.wire = self._line
        self.say({"t": "hello", "v": VERSION, "token": self.token})
        if self._in is not None and not self._in.done():
            self._in.set_result(True)

    def say(self, message: dict[str, Any]) -> None:
        self._send(TEXT, _write(message))

    def _send(self, kind: int, data: bytes) -> None:
        """A frame of a client, whose mask is all zeros."""
        if self.wire is not None:
            size = bytes((0x80 | len(data),)) if len(data) < LONG else b"\xfe" + len(data).to_bytes(2, "big")
            self.wire.write(bytes((kind,)) + size + bytes(4) + data)

    def _frame(self, kind: int, raw: bytes, moment: float) -> None:
        if kind == PING:
            self._send(PONG, raw)
        elif kind == CLOSE and self.wire is not None:
            self.wire.close()
        if kind != TEXT:
            return
        heard = _read(raw)
        told = heard["t"]
        if told == "update":
            self.table.sizes.append(len(raw))
            self.state = patched(self.state, heard["patch"])
            self.state["clock"] = heard["clock"]
        elif told == "welcome":
            self.state = heard["state"]
            self.here = True
            self.table.back()
        elif told == "answer":
            self.table.answered(heard)
            return
        else:
            return
        self.seq = heard["seq"]
        self.table.moved(moment)


class LoadedTable:
    """A table of four players who move in turn."""

    def __init__(self, server: str, number: int) -> None:
        self.server, self.number = server, number
        self.address = f"127.{10 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"
        at = urlsplit(server)
        self.server_at = (at.hostname or "", at.port or 80)
        self.asking = b""
        self.players: list[Player] = []
        self.made: list[tuple[float, float]] = []  # when a move was sent, and how long until all had it
        self.cuts: list[float] = []
        self._stirred = asyncio.Event()  # by a lost line, or because all are back
        self.sizes: list[int] = []
        self.count = 0
        self.rng = random.Random(number)
        self.over = False
        self._wanted = 0
        self._done: asyncio.Future[float] | None = None
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def open(self) -> None:
        tickets = await asyncio.to_thread(self._seats)
        place = f"/ws/tables/{tickets[0]['table']}"
        self.asking = ASKING.format(path=place, host=urlsplit(self.server).netloc).encode()
        self.players = [Player(self, t["token"]) for t in tickets]
        for p in self.players:
            await p.open()
        while not all(p.state for p in self.players):
            await asyncio.sleep(0.05)
        await self._start()

    def _seats(self) -> list[dict[str, Any]]:
        line = http.client.HTTPConnection(*self.server_at, timeout=60, source_address=(self.address, 0))

        def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
            line.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = line.getresponse()
            got = json.loads(answer.read())
            if answer.status != 201:
                raise RuntimeError(f"{path}: {answer.status} {got}")
            return dict(got)

        first = post("/api/tables", {"host": {"name": "P0"}, "options": CALM})
        rest = [post(f"/api/tables/{first['table']}/seats", {"name": f"P{i}"}) for i in range(1, SEATS)]
        line.close()
        return [first, *rest]

    async def ask(self, player: Player, t: str, **fields: Any) -> dict[str, Any]:
        """A command and its answer; an empty one if none comes."""
        self.count += 1
        ident = f"{self.number}.{self.count}"
        self._answers[ident] = asyncio.get_running_loop().create_future()
        player.say({"t": t, "id": ident, **fields})
        try:
            return await asyncio.wait_for(self._answers[ident], PATIENCE)
        except TimeoutError:
            return {"ok": False}
        finally:
            del self._answers[ident]

    def answered(self, heard: dict[str, Any]) -> None:
        waiting = self._answers.get(heard["id"])
        if waiting is not None and not waiting.done():
            waiting.set_result(heard)

    async def _start(self) -> None:
        for p in self.players:
            await self.ask(p, "ready", ready=True)
        await self.ask(self.players[0], "start")

    async def run(self, every: float) -> None:
        """A move every so often, at this table's own offset, until it is over: also after a server has died, else those
        that came back in the same moment would all move in the same moment from then on."""
        began = time.monotonic() - self.rng.random() * every
        self._stirred.clear()
        while not self.over:
            wait = every - (time.monotonic() - began) % every
            if self._stopped():  # it goes on as soon as it can, and that is measured
                wait = AT_IT if self._all_here() else PATIENCE
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._stirred.wait()
            self._stirred.clear()
            await self._move()

    def _stopped(self) -> bool:
        """Has no move been made since a line was cut?"""
        return bool(self.cuts) and (not self.made or self.made[-1][0] < self.cuts[-1])

    def _all_here(self) -> bool:
        return all(p.here for p in self.players)

    async def _move(self) -> None:
        if not self._all_here():
            return
        if self.players[0].state["table"]["status"] != "playing":
            await self.ask(self.players[0], "rematch")
            await self._start()
            return
        mover = next((p for p in self.players if p.state["prompt"]["must"]), None)
        if mover is None:
            return
        key = mover.state["prompt"]["primary"]
        keys = [k for k, m in mover.state["moves"].items() if m["action"] not in QUIET]
        if keys and (not key or self.rng.random() < 0.5):
            key = self.rng.choice(keys)
        self._wanted = max(p.seq for p in self.players) + 1
        self._done = asyncio.get_running_loop().create_future()
        start = time.monotonic()
        answer = await self.ask(mover, "act", window=mover.state["clock"]["window"], moves=[key])
        if answer["ok"]:
            try:
                self.made.append((start, await asyncio.wait_for(self._done, PATIENCE) - start))
            except (TimeoutError, asyncio.CancelledError):
                return

    def moved(self, moment: float) -> None:
        """Somebody has a frame; when the last of the four has it, the move is done."""
        if self._done is not None and not self._done.done() and all(p.seq >= self._wanted for p in self.players):
            self._done.set_result(moment)

    def back(self) -> None:
        if self._all_here():
            self._stirred.set()

    def cut(self) -> None:
        self.cuts.append(time.monotonic())
        self._stirred.set()
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_result({"ok": False})
        if self._done is not None and not self._done.done():
            self._done.cancel()


async def play(args: argparse.Namespace) -> None:
    rooms = [LoadedTable(args.server, i) for i in range(args.first, args.first + args.tables)]
    turns = asyncio.Semaphore(8)

    async def come(room: LoadedTable) -> None:
        async with turns:
            await room.open()
        print("open", flush=True)

    await asyncio.gather(*(come(r) for r in rooms))
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.readline)
    for r in rooms:
        r.sizes.clear()  # those of the deal
    gc.collect()
    gc.freeze()
    gc.disable()  # pauses of the measuring side are not the server's
    tasks = [asyncio.create_task(r.run(args.every)) for r in rooms]
    await loop.run_in_executor(None, sys.stdin.readline)
    for r in rooms:
        r.over = True
    await asyncio.gather(*tasks)
    used = resource.getrusage(resource.RUSAGE_SELF)
    out = {
        "tables": [{"made": r.made, "cuts": r.cuts} for r in rooms],
        "sizes": sorted(s for r in rooms for s in r.sizes)[:: max(1, len(rooms) // 100)],
        "cpu": used.ru_utime + used.ru_stime,
    }
    print(json.dumps(out), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--every", type=float, default=1.0)
    uvloop.run(play(parser.parse_args()))


if __name__ == "__main__":
    main()
