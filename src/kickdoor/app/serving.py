"""Running a server: where its journal is, the socket it listens on, and the loop it lives in."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from kickdoor.server.hub import Hub
from kickdoor.server.journal import Lost
from kickdoor.server.journals import open_journal
from kickdoor.server.neighbours import identity, neighbours
from kickdoor.server.wire import Http, Wire


def data_folder() -> Path:
    """Where the journal is, unless told otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "kickdoor"


def lan_address() -> str:
    """This machine's address on the home network; no packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
            return str(s.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def listener(host: str, port: int) -> socket.socket:
    """A bound socket, so that the address can be told before anything starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    s = socket.socket(family, socket.SOCK_STREAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        s.bind((host, port))
    except OSError as e:
        s.close()
        raise ValueError(f"cannot listen on {host} port {port}: {e.strerror}. Choose another with --port.") from None
    return s


def hub_for(args: argparse.Namespace, sock: socket.socket, public: str) -> Hub:
    """The tables in the journal that the arguments name."""
    where = args.database or str((args.data or data_folder()) / "journal.sqlite")
    me = identity(sock)
    return Hub(open_journal(where, me, public), neighbours=neighbours(where, me, public))


class DrainingServer(uvicorn.Server):
    """Uvicorn, which at SIGTERM first lets go of the tables in good order. A second one, or Ctrl-C, ends it at once."""

    def __init__(self, config: uvicorn.Config, hub: Hub, wait: float, back: int) -> None:
        super().__init__(config)
        self._hub, self._wait, self._back = hub, wait, back
        self._drain: asyncio.Task[None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGTERM and self.loop is not None and self._drain is None and self.started:
            self.loop.call_soon_threadsafe(self._begin)
        else:
            super().handle_exit(sig, frame)

    def _begin(self) -> None:
        if self._drain is None:
            self._drain = asyncio.ensure_future(self._end())

    async def _end(self) -> None:
        try:
            await self._hub.drain(self._wait, self._back)
        finally:
            self.should_exit = True


def serve(
    hub: Hub,
    app: Any,
    sock: socket.socket,
    proxies: list[str],
    wait: float = 0.0,
    back: int = 0,
    log_config: dict[str, Any] | None = LOGGING_CONFIG,
) -> int:
    """Run until interrupted. A journal that cannot be opened is told in one line."""
    config = uvicorn.Config(
        app,
        http=Http,
        ws=Wire,
        log_level="warning",
        access_log=False,
        ws_max_size=64 * 1024,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=3,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        server_header=False,
        log_config=log_config,
    )
    server = DrainingServer(config, hub, wait, back)

    async def main() -> None:
        server.loop = asyncio.get_running_loop()
        await hub.open()
        await server.serve(sockets=[sock])

    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(main())
    except Lost as e:
        raise ValueError(str(e)) from None
    return 0 if server.started else 1
