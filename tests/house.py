"""The whole server inside a test: asked directly, as if from any address, or behind a real port."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from kickdoor.server import protocol as pr
from kickdoor.server.connections import networks, patient
from kickdoor.server.hub import Hub
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Gate
from kickdoor.server.website import website
from kickdoor.server.wire import Wire

ANN = {"host": {"name": "Ann"}}
GENEROUS = 10**6


class House:
    """The whole application in this process: asked directly, as if from any address."""

    def __init__(self, folder: Path, gate: Gate) -> None:
        self.gate = gate
        self.hub = Hub(SqliteJournal(str(folder / "journal.sqlite")))
        self.app = website(self.hub, gate=gate)

    def caller(self, address: str = "192.0.2.1") -> httpx.AsyncClient:
        way = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(address, 1))
        return httpx.AsyncClient(transport=way, base_url="http://test")


def story(folder: Path, tell: Callable[[House], Any], times: float = 1) -> Any:
    """Open a house, let something happen in it, close it."""

    async def run() -> Any:
        house = House(folder, Gate(times))
        await house.hub.open()
        try:
            return await asyncio.wait_for(tell(house), 60)
        finally:
            await house.hub.close()

    return asyncio.run(run())


@contextlib.asynccontextmanager
async def listening(house: House, proxy: str = "", most: int = 1000) -> AsyncIterator[int]:
    """The same behind a real port of this machine, as `kickdoor serve` sets it up."""
    config = uvicorn.Config(
        house.app,
        port=0,
        http=patient(house.gate, networks([proxy] if proxy else []), most),
        ws=Wire,
        lifespan="off",
        log_level="critical",
        access_log=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=[proxy],
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.005)
    try:
        yield int(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await task


async def eventually(test: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not test():
            await asyncio.sleep(0.005)


async def hello(port: int, table: str, token: str | None = None) -> tuple[ClientConnection, dict[str, Any]]:
    ws = await connect(f"ws://127.0.0.1:{port}/ws/tables/{table}", max_size=None)
    await ws.send(json.dumps({"t": "hello", "v": pr.VERSION, "token": token}))
    return ws, json.loads(await ws.recv())


async def said(ws: ClientConnection, **words: Any) -> dict[str, Any]:
    """What a command is answered."""
    await ws.send(json.dumps(words))
    while True:
        heard: dict[str, Any] = json.loads(await ws.recv())
        if heard.get("id") == words["id"]:
            return heard
