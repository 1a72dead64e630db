"""`kickdoor serve`: tables for friends, by link."""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
from pathlib import Path
from typing import Any, Final

DEFAULT_PORT: Final = 8765


def register(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    p = sub.add_parser(
        "serve",
        help="tables in the browser, for friends by link",
        description="Serve tables in the browser. Everything is kept in a journal: a restart costs nothing.",
    )
    p.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the whole home network")
    p.add_argument("--port", type=int, default=DEFAULT_PORT, help=f"port (default {DEFAULT_PORT}; 0: any free one)")
    p.add_argument("--data", type=Path, help="folder for the journal (default: ~/.local/share/kickdoor)")
    p.add_argument("--database", default="", metavar="URL", help="postgresql://... instead of a file")
    p.add_argument("--public-url", default="", metavar="URL", help="how people reach it, for links and QR codes")
    p.add_argument("--origin", action="append", default=[], metavar="URL", help="another site whose pages may connect")
    p.add_argument("--proxy", action="append", default=[], metavar="IP", help="a reverse proxy to be believed")
    p.set_defaults(run=run)


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


def application(args: argparse.Namespace, public: str) -> Any:
    """The website on the journal that the arguments name."""
    from kickdoor.server.hub import Hub
    from kickdoor.server.journal import open_journal
    from kickdoor.server.website import website

    where = args.database or str((args.data or data_folder()) / "journal.sqlite")
    hub = Hub(open_journal(where, f"{socket.gethostname()}/{os.getpid()}", public))
    return website(hub, args.public_url, frozenset(args.origin))


def serve(app: Any, sock: socket.socket, proxies: list[str], quiet: bool = False) -> int:
    """Run until interrupted."""
    import uvicorn

    config = uvicorn.Config(
        app,
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
    )
    server = uvicorn.Server(config)
    server.run(sockets=[sock])
    return 0 if server.started else 1


def run(args: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    sock = listener(args.host, args.port)
    port = sock.getsockname()[1]
    shown = lan_address() if args.host in ("0.0.0.0", "::") else args.host
    here = args.public_url or f"http://{shown}:{port}"
    print(f"Kickdoor is open at {here}  (Ctrl-C closes; nothing is lost)", flush=True)
    return serve(application(args, here), sock, args.proxy)
