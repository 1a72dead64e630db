"""A real server for tests, and clients that behave as browsers do."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kickdoor.server import protocol as pr
from kickdoor.server.patching import patched

CALM = {"timer": "custom", "window": 120, "decision": 3600, "bot_speed": "instant"}
TALK = {"offer_help", "trade", "counter", "show_hand"}  # offers, trades and showing one's hand: what a test need not do


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Server:
    """`kickdoor serve` as a process of its own, which can be killed. All tests come from one address: `generous`."""

    def __init__(self, *args: str, port: int = 0, generous: float = 1000, stderr: Any = subprocess.DEVNULL) -> None:
        self.port = port or free_port()
        self.args = ("--generous", str(generous), *args)
        self.stderr = stderr
        self.url = f"http://127.0.0.1:{self.port}"
        self.child: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        command = [sys.executable, "-m", "kickdoor.app.cli", "serve", "--port", str(self.port), *self.args]
        self.child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self.stderr)
        for _ in range(1200):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.url}/healthz", timeout=1).read()
                return self
            assert self.child.poll() is None, "the server did not start"
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """As if the power went."""
        assert self.child is not None
        os.kill(self.child.pid, signal.SIGKILL)
        self.child.wait(60)

    def stop(self) -> None:
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(60)
            except subprocess.TimeoutExpired:
                self.child.kill()

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def call(url: str, body: Any = None, raw: bytes | None = None) -> tuple[int, Any]:
    """An HTTP call: the status, and the JSON."""
    data = raw if raw is not None else None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as e:
        return e.code, json.loads(e.read() or b"null")


def new_table(url: str, **body: Any) -> dict[str, Any]:
    status, ticket = call(f"{url}/api/tables", {"host": {"name": "Ann"}, "options": CALM, **body})
    assert status == 201, ticket
    return dict(ticket)


def join(url: str, table: str, name: str, **more: Any) -> dict[str, Any]:
    status, ticket = call(f"{url}/api/tables/{table}/seats", {"name": name, **more})
    assert status == 201, ticket
    return dict(ticket)


class Client:
    """One connection that keeps its state, and comes back by itself when the line breaks, as the browser does."""

    def __init__(self, url: str, table: str, token: str | None = None, seed: int = 0) -> None:
        self.url = f"{url.replace('http', 'ws', 1)}/ws/tables/{table}"
        self.token = token
        self.state: dict[str, Any] = {}
        self.seat = -1
        self.seq = 0
        self.frames: list[str] = []
        self.log: list[dict[str, Any]] = []
        self.chat: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.problems: list[dict[str, Any]] = []
        self.pending: dict[str, dict[str, Any]] = {}
        self.goodbye: dict[str, Any] | None = None
        self.changed = asyncio.Condition()
        self.rng = random.Random(seed)
        self._ids = itertools.count(1)
        self._mark = secrets.token_hex(6)  # ids are never used twice, not even by another client of the same seat
        self._ws: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Client:
        self._task = asyncio.create_task(self._live())
        await self.until(lambda: bool(self.state) or self.goodbye is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _live(self) -> None:
        while True:
            try:
                async with connect(self.url, max_size=None, ping_interval=None, open_timeout=5) as ws:
                    self._ws = ws
                    await ws.send(json.dumps({"t": "hello", "v": pr.VERSION, "token": self.token}))
                    for waiting in list(self.pending.values()):
                        await ws.send(json.dumps(waiting))
                    async for raw in ws:
                        await self._hear(str(raw))
            except (OSError, ConnectionClosed, TimeoutError, Exception) as e:
                if isinstance(e, AssertionError):
                    raise
            self._ws = None
            if self.goodbye is not None and self.goodbye["code"] not in ("elsewhere", "restart", "failed", "slow"):
                return
            await asyncio.sleep(0.05)

    async def _hear(self, raw: str) -> None:
        self.frames.append(raw)
        heard = json.loads(raw)
        kind = heard["t"]
        if kind == "welcome":
            self.state, self.seat = heard["state"], heard["seat"]
            assert heard["seq"] >= self.seq, "something that was seen has been lost"
            self.log = heard["log"]
            self.chat = heard["chat"]
        elif kind == "update":
            self.state = patched(self.state, heard["patch"])
            self.state["clock"] = heard["clock"]
            self.log += heard.get("log", [])
            self.chat += heard.get("chat", [])
        elif kind == "answer":
            self.answers[heard["id"]] = heard
            self.pending.pop(heard["id"], None)
        elif kind == "problem":
            self.problems.append(heard)
        elif kind == "bye":
            self.goodbye = heard
        if "seq" in heard and kind != "answer":
            self.seq = heard["seq"]
        async with self.changed:
            self.changed.notify_all()

    async def until(self, test: Any, seconds: float = 60) -> None:
        """Wait until something is so."""
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(test), seconds)

    async def raw(self, text: str | bytes) -> None:
        assert self._ws is not None
        await self._ws.send(text)

    async def say(self, t: str, wait: bool = True, ident: str = "", **fields: Any) -> dict[str, Any]:
        """A command, said again after a lost line until it is answered."""
        name = ident or f"{self._mark}.{next(self._ids)}"
        message = {"t": t, "id": name, **fields}
        self.pending[name] = message
        if self._ws is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._ws.send(json.dumps(message))
        if not wait:
            return {}
        await self.until(lambda: name in self.answers, 90)
        return self.answers[name]

    @property
    def game(self) -> dict[str, Any]:
        return self.state["game"]  # type: ignore[no-any-return]

    @property
    def status(self) -> str:
        return str(self.state["table"]["status"])

    @property
    def must(self) -> bool:
        return bool(self.state["prompt"]["must"])

    def find(self, action: str) -> str | None:
        """The first move of this kind, by its key."""
        return next((key for key, m in self.state["moves"].items() if m["action"] == action), None)

    async def act(self, *moves: str) -> dict[str, Any]:
        return await self.say("act", window=self.state["clock"]["window"], moves=list(moves))

    def pick(self) -> str:
        """A move that gets the game on, sometimes any."""
        key = str(self.state["prompt"]["primary"])
        others = [k for k, m in self.state["moves"].items() if m["action"] not in TALK]
        if others and (not key or self.rng.random() < 0.4):
            key = self.rng.choice(others)
        return key


async def play_on(clients: list[Client], moves: int, done: Any = None) -> int:
    """Whoever is asked moves; returns the number of moves that were made."""
    made = 0
    while made < moves and clients[0].status == "playing" and not (done and done()):
        mover = next((c for c in clients if c.must and c.state["moves"]), None)
        if mover is None:
            await asyncio.sleep(0.01)
            continue
        answer = await mover.act(mover.pick())
        if answer["ok"]:
            made += 1
            for c in clients:
                await c.until(lambda c=c, seq=answer["seq"]: c.seq >= seq or c.status != "playing")
        else:
            assert answer["code"] in ("stale", "too_fast", "not_playing"), answer
            await asyncio.sleep(0.02)
    return made


async def all_go_on(games: list[list[Client]]) -> None:
    """At every table two more moves are made, unless it is over."""
    made = await asyncio.gather(*(play_on(clients, 2) for clients in games))
    assert all(n == 2 or c[0].status == "over" for n, c in zip(made, games, strict=True))


async def seated(url: str, n: int = 3, **body: Any) -> tuple[str, list[dict[str, Any]]]:
    """A table of n people in the lobby: its id and their tickets."""
    ticket = new_table(url, seats=n, **body)
    tickets = [ticket]
    for i in range(1, n):
        tickets.append(join(url, ticket["table"], ["Bob", "Cid", "Dee", "Eve", "Fay"][i - 1]))
    return ticket["table"], tickets


async def begin(clients: list[Client]) -> None:
    for c in clients[1:]:
        assert (await c.say("ready"))["ok"]
    answer = await clients[0].say("start")
    assert answer["ok"], answer
    for c in clients:
        await c.until(lambda c=c: c.status == "playing")


def data(folder: Path) -> list[str]:
    return ["--data", str(folder)]
