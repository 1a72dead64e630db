"""`make bench-server`: many tables on loopback, through the real engine and journal, beside a bare echo server.

Opens N tables of four sockets each. Every table makes one real move a second; measured is the time from sending the
move to the moment the last of the four seats has the frame. It stops by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from kickdoor.server.patching import patched
from kickdoor.server.protocol import VERSION

SEATS = 4
QUIET = {
    "offer_help",
    "trade",
    "counter",
    "show_hand",
}  # talk that a load test can do without


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Process:
    """A server under test, with what it costs."""

    def __init__(self, *args: str) -> None:
        self.port = free_port()
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "bench.server_under_test", "--port", str(self.port), *args]
        self.child = subprocess.Popen(command, env=env)
        self.url = f"http://127.0.0.1:{self.port}"
        self._wait()

    def _wait(self) -> None:
        for _ in range(100):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.url}/healthz", timeout=1).read()
                return
            time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Bytes in memory."""
        return int(Path(f"/proc/{self.child.pid}/statm").read_text().split()[1]) * resource.getpagesize()

    def stop(self) -> None:
        self.child.terminate()
        self.child.wait(10)


class Player:
    """One socket, which keeps its state as a client does."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.state: dict[str, Any] = {}
        self.seq = 0
        self.sizes: list[int] = []
        self.arrived = asyncio.Event()
        self.ws: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self.at: dict[int, float] = {}

    async def open(self) -> None:
        self.ws = await connect(self.url, compression=None, max_size=None, ping_interval=None)
        await self.say(t="hello", v=VERSION, token=self.token)
        self._reader = asyncio.create_task(self._read())

    async def say(self, **message: Any) -> None:
        assert self.ws is not None
        await self.ws.send(json.dumps(message))

    async def _read(self) -> None:
        assert self.ws is not None
        with contextlib.suppress(Exception):
            async for raw in self.ws:
                moment = time.perf_counter()
                heard = json.loads(raw)
                if heard["t"] == "update":
                    self.sizes.append(len(raw))
                    self.state = patched(self.state, heard["patch"])
                    self.state["clock"] = heard["clock"]
                elif heard["t"] == "welcome":
                    self.state = heard["state"]
                else:
                    continue
                for seq in range(self.seq + 1, heard["seq"] + 1):
                    self.at[seq] = moment
                self.seq = heard["seq"]
                self.arrived.set()

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
        if self.ws is not None:
            await self.ws.close()


class LoadedTable:
    """A table of four players who move in turn, one move a second."""

    def __init__(self, server: str, number: int) -> None:
        self.server = server
        self.number = number
        self.players: list[Player] = []
        self.delays: list[float] = []
        self.moves = 0
        self.rng = random.Random(number)

    async def open(self) -> None:
        options = {"window": 120, "decision": 3600, "timer": "custom"}
        host = {"name": "P0"}
        ticket = await asyncio.to_thread(post, f"{self.server}/api/tables", {"host": host, "options": options})
        tickets = [ticket]
        for i in range(1, SEATS):
            body = {"name": f"P{i}"}
            tickets.append(await asyncio.to_thread(post, f"{self.server}/api/tables/{ticket['table']}/seats", body))
        ws = f"{self.server.replace('http', 'ws', 1)}/ws/tables/{ticket['table']}"
        self.players = [Player(ws, t["token"]) for t in tickets]
        for p in self.players:
            await p.open()
        await self._start()

    async def _start(self) -> None:
        for i, p in enumerate(self.players):
            await p.say(t="ready", id=f"r{self.moves}.{i}", ready=True)
        await asyncio.sleep(0.2)
        await self.players[0].say(t="start", id=f"s{self.moves}")
        await asyncio.sleep(0.3)

    async def run(self, seconds: float) -> None:
        """One move a second, at this table's own offset."""
        end = time.perf_counter() + seconds
        due = time.perf_counter() + self.rng.random()
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await self._move()
            due += 1.0

    async def _move(self) -> None:
        if self.players[0].state["table"]["status"] == "over":
            await self.players[0].say(t="rematch", id=f"again{self.moves}")
            await asyncio.sleep(0.2)
            await self._start()
            return
        mover = next((p for p in self.players if p.state["prompt"]["must"]), None)
        if mover is None:
            return
        key = mover.state["prompt"]["primary"]
        keys = [k for k, m in mover.state["moves"].items() if m["action"] not in QUIET]
        if keys and (not key or self.rng.random() < 0.5):
            key = self.rng.choice(keys)
        before = max(p.seq for p in self.players)
        start = time.perf_counter()
        self.moves += 1
        window = mover.state["clock"]["window"]
        await mover.say(t="act", id=f"m{self.moves}", window=window, moves=[key])
        await self._everyone(before + 1, start)

    async def _everyone(self, seq: int, start: float) -> None:
        for p in self.players:
            while p.seq < seq:
                p.arrived.clear()
                try:
                    await asyncio.wait_for(p.arrived.wait(), 5)
                except TimeoutError:
                    return
        self.delays.append(max(p.at[seq] for p in self.players) - start)
        for p in self.players:
            p.at.clear()


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=30))  # type: ignore[no-any-return]


def quantile(values: list[float], q: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))] if ordered else float("nan")


async def tables(server: Process, n: int, seconds: float) -> dict[str, float]:
    """The real thing."""
    rooms = [LoadedTable(server.url, i) for i in range(n)]
    base = server.memory()
    for i in range(0, n, 10):
        await asyncio.gather(*(r.open() for r in rooms[i : i + 10]))
        print(f"\r  {min(i + 10, n)} of {n} tables open", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    await asyncio.gather(*(r.run(3) for r in rooms))  # warm
    for r in rooms:
        r.delays.clear()
        for p in r.players:
            p.sizes.clear()
    gc.collect()
    gc.disable()  # pauses of the measuring side are not the server's
    cpu, began = server.cpu(), time.perf_counter()
    await asyncio.gather(*(r.run(seconds) for r in rooms))
    took = time.perf_counter() - began
    gc.enable()
    delays = [d for r in rooms for d in r.delays]
    sizes = [float(s) for r in rooms for p in r.players for s in p.sizes]
    out = {
        "actions/s": len(delays) / took,
        "p50 ms": median(delays) * 1000,
        "p99 ms": quantile(delays, 0.99) * 1000,
        "cpu": (server.cpu() - cpu) / took,
        "KB/table": (server.memory() - base) / n / 1024,
        "p50 bytes": median(sizes),
        "p95 bytes": quantile(sizes, 0.95),
    }
    await asyncio.gather(*(p.close() for r in rooms for p in r.players))
    return out


async def echo(server: Process, n: int, seconds: float) -> dict[str, float]:
    """The same stack with nothing behind it: a message to the four sockets of a group."""
    url = server.url.replace("http", "ws", 1)
    groups = []
    for i in range(n):
        groups.append([await connect(f"{url}/echo/{i}", compression=None, ping_interval=None) for _ in range(SEATS)])
    delays: list[float] = []
    text = "x" * 1500

    async def run(group: list[ClientConnection], offset: float) -> None:
        end = time.perf_counter() + seconds
        due = time.perf_counter() + offset
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            start = time.perf_counter()
            await group[0].send(text)
            for ws in group:
                await ws.recv()
            delays.append(time.perf_counter() - start)
            due += 1.0

    cpu, began = server.cpu(), time.perf_counter()
    await asyncio.gather(*(run(g, random.random()) for g in groups))
    took = time.perf_counter() - began
    out = {
        "actions/s": len(delays) / took,
        "p50 ms": median(delays) * 1000,
        "p99 ms": quantile(delays, 0.99) * 1000,
        "cpu": (server.cpu() - cpu) / took,
    }
    for g in groups:
        for ws in g:
            await ws.close()
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--tables", type=int, default=300)
    parser.add_argument("-s", "--seconds", type=float, default=20)
    args = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 16384)), hard))
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, fn, extra in (("echo", echo, ("--echo",)), ("tables", tables, ("--data", folder))):
            server = Process(*extra)
            try:
                rows[name] = asyncio.run(fn(server, args.tables, args.seconds))
            finally:
                server.stop()
    print(f"{args.tables} tables, {args.tables * SEATS} sockets, one move a second each, {args.seconds:g} seconds")
    for name, row in rows.items():
        print(f"  {name:<7}" + "  ".join(f"{k} {v:,.1f}" if v >= 10 else f"{k} {v:,.2f}" for k, v in row.items()))
    got = rows["tables"]
    ok = got["p99 ms"] < 50 and got["p95 bytes"] < 4096
    print(f"  bars: p99 under 50 ms, p95 under 4,096 bytes: {'met' if ok else 'NOT met'}")
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
