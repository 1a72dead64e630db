"""`kickdoor serve`: tables for friends, by link."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

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
    p.add_argument("--metrics", action="store_true", help="show figures for Prometheus at /metrics")
    p.add_argument("--log", choices=("text", "json"), default="text", help="how the log is written (default text)")
    p.add_argument(
        "--drain",
        type=float,
        default=3.0,
        metavar="SECONDS",
        help="at SIGTERM, how long the proxy has to notice before tables are handed to other servers (default 3)",
    )
    p.add_argument(
        "--back",
        type=int,
        default=5,
        metavar="SECONDS",
        help="at SIGTERM without other servers: when people are told to come again (default 5)",
    )
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from kickdoor.app import serving  # the server's packages take a moment to load
    from kickdoor.server import logs
    from kickdoor.server.website import website

    logs.begin(args.log)
    sock = serving.listener(args.host, args.port)
    port = sock.getsockname()[1]
    shown = serving.lan_address() if args.host in ("0.0.0.0", "::") else args.host
    here = args.public_url or f"http://{shown}:{port}"
    print(f"Kickdoor is open at {here}  (Ctrl-C closes; nothing is lost)", flush=True)
    hub = serving.hub_for(args, sock, here)
    app = website(hub, args.public_url, frozenset(args.origin), metrics=args.metrics)
    return serving.serve(hub, app, sock, args.proxy, args.drain, args.back, log_config=None)
