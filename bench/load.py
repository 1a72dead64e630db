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
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from kickdoor.server.patching import patched
from kickdoor.server.protocol import VERSION

SEATS: Final = 4
QUIET: Final = {"offer_help", "trade", "counter", "show_hand"}  # talk that a load test can do without
CALM: Final = {"window": 120, "decision": 3600, "timer": "custom", "grace": 600}
PATIENCE: Final = 15.0
AT_IT: Final = 0.1  # seconds between two tries to go on, after a lost line
_read: Final = msgspec.json.Decoder().decode
_write: Final = msgspec.json.Encoder().encode


class Player(WSListener):
    """One socket, which keeps its state as a page does, and comes back by itself."""

    def __init__(self, table: LoadedTable, token: str) -> None:
        super().__init__()
        self.table, self.token = table, token
        self.state: dict[str, Any] = {}
        self.seq = 0
        self.wire: WSTransport | None = None
        self._again: asyncio.Future[None] | None = None

    async def open(self) -> None:
        while not self.table.over:
            try:
                await ws_connect(lambda: self, self.table.socket, local_addr=(self.table.address, 0))
                return
            except (OSError, TimeoutError, Exception):
                await asyncio.sleep(0.2)

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.wire = transport
        self.say({"t": "hello", "v": VERSION, "token": self.token})

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.wire = None
        if not self.table.over:
            self.table.cut()
            self._again = asyncio.ensure_future(self.open())

    def say(self, message: dict[str, Any]) -> None:
        if self.wire is not None:
            self.wire.send(WSMsgType.TEXT, _write(message))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
            return
        if frame.msg_type != WSMsgType.TEXT:
            return
        moment = time.monotonic()
        raw = frame.get_payload_as_memoryview()
        heard = _read(raw)
        kind = heard["t"]
        if kind == "update":
            self.table.sizes.append(len(raw))
            self.state = patched(self.state, heard["patch"])
            self.state["clock"] = heard["clock"]
        elif kind == "welcome":
            self.state = heard["state"]
        elif kind == "answer":
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
        self.socket = ""
        self.players: list[Player] = []
        self.made: list[tuple[float, float]] = []  # when a move was sent, and how long until all had it
        self.cuts: list[float] = []
        self._cut = asyncio.Event()
        self.sizes: list[int] = []
        self.count = 0
        self.rng = random.Random(number)
        self.over = False
        self._wanted = 0
        self._done: asyncio.Future[float] | None = None
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def open(self) -> None:
        tickets = await asyncio.to_thread(self._seats)
        at = urlsplit(self.server)
        self.socket = f"ws://{at.netloc}/ws/tables/{tickets[0]['table']}"
        self.players = [Player(self, t["token"]) for t in tickets]
        for p in self.players:
            await p.open()
        while not all(p.state for p in self.players):
            await asyncio.sleep(0.05)
        await self._start()

    def _seats(self) -> list[dict[str, Any]]:
        at = urlsplit(self.server)
        line = http.client.HTTPConnection(at.hostname or "", at.port, timeout=60, source_address=(self.address, 0))

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
        """A move every so often, at this table's own offset, until it is over."""
        due = time.monotonic() + self.rng.random() * every
        while not self.over:
            if self._stopped():
                due = time.monotonic() + AT_IT  # it goes on as soon as it can, and that is measured
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._cut.wait(), max(0.0, due - time.monotonic()))
            self._cut.clear()
            due = max(due + every, time.monotonic())
            await self._move()

    def _stopped(self) -> bool:
        """Has no move been made since a line was cut?"""
        return bool(self.cuts) and (not self.made or self.made[-1][0] < self.cuts[-1])

    async def _move(self) -> None:
        if any(p.wire is None for p in self.players):
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

    def cut(self) -> None:
        self.cuts.append(time.monotonic())
        self._cut.set()
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
