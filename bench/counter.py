"""How soon a tap is on everybody's phone: a real server on loopback, a journal on disk, and phones that tap.

    python -m bench.counter                      8 phones at one counter, two taps a second each
    python -m bench.counter --counters 50        so many counters at the same time
    python -m bench.counter --json

A time is taken from the moment a phone sends its tap to the moment another phone has it: through the server's journal,
since nothing is passed on before it is safe. The bar is 100 ms for 95 of 100.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import statistics
import sys
import tempfile
import time
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from kickdoor.companion import taps as tp
from serving import Server, call

BAR: Final = 0.100  # seconds, at p95
EVERY: Final = 0.5  # seconds between two taps of one phone, on average


class Clock:
    """When each tap was sent, and how long it took to each of the other phones."""

    def __init__(self) -> None:
        self.sent: dict[str, float] = {}
        self.took: list[float] = []

    def heard(self, ident: str) -> None:
        self.took.append(time.perf_counter() - self.sent[ident])


class Phone:
    def __init__(self, clock: Clock, seed: int) -> None:
        self.clock = clock
        self.rng = random.Random(seed)
        self.device = f"phone-{seed}"
        self.n = self.heard = 0

    async def live(self, url: str, begin: asyncio.Event, end: asyncio.Event, done: asyncio.Event) -> None:
        async with connect(url, max_size=None, ping_interval=None, open_timeout=30) as ws:
            await ws.send(json.dumps({"t": "hello", "v": tp.VERSION, "device": self.device}))
            ear = asyncio.create_task(self._listen(ws))
            await begin.wait()
            while not end.is_set():
                await asyncio.sleep(self.rng.expovariate(1 / EVERY))
                if not end.is_set():
                    await self._tap(ws)
            await done.wait()
            ear.cancel()

    async def _listen(self, ws: ClientConnection) -> None:
        async for raw in ws:
            said = json.loads(raw)
            for tap in said["taps"] if said["t"] == "news" else ():
                self.heard += 1
                if tap["who"] != self.device and tap["id"] in self.clock.sent:
                    self.clock.heard(tap["id"])

    async def _tap(self, ws: ClientConnection) -> None:
        self.n += 1
        ident = f"{self.device}-{self.n}-{secrets.token_hex(4)}"
        tap = {"kind": "level", "id": ident, "clock": self.n, "who": self.device, "at": 0, "sheet": "ann", "by": 1}
        self.clock.sent[ident] = time.perf_counter()
        await ws.send(json.dumps({"t": "taps", "taps": [tap]}))


async def measure(server: Server, counters: int, phones: int, seconds: float) -> dict[str, Any]:
    clock = Clock()
    begin, end, done = asyncio.Event(), asyncio.Event(), asyncio.Event()
    tasks = []
    for c in range(counters):
        status, made = await asyncio.to_thread(call, f"{server.url}/api/counter", {})
        assert status == 201, made
        url = f"{server.url.replace('http', 'ws', 1)}/ws/counter/{made['counter']}"
        tasks += [asyncio.create_task(Phone(clock, 1000 * c + p).live(url, begin, end, done)) for p in range(phones)]
    await asyncio.sleep(1)
    begin.set()
    await asyncio.sleep(seconds)
    end.set()
    for _ in range(100):  # for what is on its way
        await asyncio.sleep(0.1)
        if len(clock.took) == len(clock.sent) * (phones - 1):
            break
    done.set()
    await asyncio.gather(*tasks)
    cut = statistics.quantiles(clock.took, n=100)
    expected = len(clock.sent) * (phones - 1)
    return {
        "counters": counters,
        "phones": phones,
        "taps": len(clock.sent),
        "lost": expected - len(clock.took),
        "p50_ms": round(1000 * cut[49], 1),
        "p95_ms": round(1000 * cut[94], 1),
        "p99_ms": round(1000 * cut[98], 1),
    }


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--counters", type=int, default=1)
    p.add_argument("--phones", type=int, default=8)
    p.add_argument("--seconds", type=float, default=15)
    p.add_argument("--json", action="store_true")
    args = p.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server("--data", folder) as server:
        got = asyncio.run(measure(server, args.counters, args.phones, args.seconds))
    if args.json:
        print(json.dumps(got))
    else:
        print(f"{got['counters']} counters of {got['phones']} phones, {got['taps']} taps, {got['lost']} of them lost")
        print(f"on another phone after: p50 {got['p50_ms']} ms, p95 {got['p95_ms']} ms, p99 {got['p99_ms']} ms")
        print(f"the bar: p95 below {1000 * BAR:g} ms")
    return 0 if got["p95_ms"] < 1000 * BAR and not got["lost"] else 1


if __name__ == "__main__":
    sys.exit(main())
