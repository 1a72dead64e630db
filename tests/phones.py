"""Phones at a counter for real cards, as the page behaves: they keep all taps, and send what the server lacks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kickdoor.companion import taps as tp

SOME = 20  # taps in a message


class Phone:
    """Taps that it knows, those that the server has not confirmed, and a line that comes and goes."""

    def __init__(self, url: str, counter: str, device: str = "") -> None:
        self.url = f"{url.replace('http', 'ws', 1)}/ws/counter/{counter}"
        self.device = device or secrets.token_hex(6)
        self.taps: dict[str, dict[str, Any]] = {}
        self.waiting: dict[str, dict[str, Any]] = {}
        self.line = self.have = self.clock = 0
        self.here: list[str] = []
        self.refused: list[dict[str, Any]] = []
        self.problems: list[dict[str, Any]] = []
        self.goodbye: dict[str, Any] | None = None
        self.welcome: dict[str, Any] | None = None
        self.changed = asyncio.Condition()
        self._ws: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Phone:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cut()

    async def connect(self) -> None:
        """Get a line, and keep one."""
        self.welcome = None
        self._task = asyncio.create_task(self._live())
        await self.until(lambda: self.welcome is not None or self.goodbye is not None)

    async def cut(self) -> None:
        """No line any more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _live(self) -> None:
        while True:
            with contextlib.suppress(OSError, ConnectionClosed, TimeoutError):
                async with connect(self.url, max_size=None, ping_interval=None, open_timeout=5) as ws:
                    hello = {"t": "hello", "v": tp.VERSION, "device": self.device, "line": self.line, "have": self.have}
                    await ws.send(json.dumps(hello))
                    self._ws = ws
                    try:
                        async for raw in ws:
                            await self._hear(json.loads(raw))
                    finally:
                        self._ws = None
            if self.goodbye is not None and self.goodbye["code"] not in ("elsewhere", "restart", "failed", "slow"):
                return
            await asyncio.sleep(0.05)

    async def _hear(self, heard: dict[str, Any]) -> None:
        kind = heard["t"]
        if kind == "welcome":
            self.welcome, self.line = heard, heard["line"]
            if heard["first"] == 0:  # whatever the server has, it says now
                self.have, self.waiting = 0, dict(self.taps)
            if self.have >= heard["seq"]:
                await self._send_waiting()
        elif kind == "news":
            assert heard["first"] == self.have, "a tap is missing"
            for tap in heard["taps"]:
                self.taps[tap["id"]] = tap
                self.waiting.pop(tap["id"], None)
                self.clock = max(self.clock, tap["clock"])
            self.have += len(heard["taps"])
            if self.welcome is not None and self.have == self.welcome["seq"]:
                await self._send_waiting()
        elif kind == "took":
            for ident in heard["ids"]:
                self.waiting.pop(ident, None)
        elif kind == "refused":
            self.refused.append(heard)
        elif kind == "here":
            self.here = heard["devices"]
        elif kind == "problem":
            self.problems.append(heard)
        elif kind == "bye":
            self.goodbye = heard
        async with self.changed:
            self.changed.notify_all()

    async def _send_waiting(self) -> None:
        rows = list(self.waiting.values())
        for at in range(0, len(rows), SOME):
            await self.raw(json.dumps({"t": "taps", "taps": rows[at : at + SOME]}))

    async def raw(self, text: str) -> None:
        if self._ws is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._ws.send(text)

    async def tap(self, kind: str, **fields: Any) -> str:
        """One tap: known here at once, told to the server if there is a line."""
        self.clock += 1
        tap = {"kind": kind, "id": secrets.token_hex(8), "clock": self.clock, "who": self.device, "at": 1, **fields}
        self.taps[tap["id"]] = self.waiting[tap["id"]] = tap
        await self.raw(json.dumps({"t": "taps", "taps": [tap]}))
        return str(tap["id"])

    async def until(self, test: Any, seconds: float = 60) -> None:
        """Wait until something is so."""
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(test), seconds)

    async def quiet(self) -> None:
        """Until the server has everything."""
        await self.until(lambda: not self.waiting)

    @property
    def ordered(self) -> list[str]:
        """All taps in the order in which they count."""
        return [t["id"] for t in sorted(self.taps.values(), key=lambda t: (t["clock"], t["id"]))]

    def level(self, sheet: str) -> int:
        """One number of the fold, for tests: the page has all of it."""
        return 1 + sum(int(t["by"]) for t in self.taps.values() if t["kind"] == "level" and t["sheet"] == sheet)
