"""`kickdoor serve`: tables for friends, by link."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Final

from kickdoor.app.terminal import log_to_stderr, port, say

DEFAULT_PORT: Final = 8765


def register(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    p = sub.add_parser(
        "serve",
        help="tables in the browser, for friends by link",
        description="Serve tables in the browser. Everything is kept in a journal: a restart costs nothing.",
    )
    p.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the whole home network")
    p.add_argument("--port", type=port, default=DEFAULT_PORT, help=f"port (default {DEFAULT_PORT}; 0: any free one)")
    p.add_argument("--data", type=Path, help="folder for the journal (default: ~/.local/share/kickdoor)")
    p.add_argument("--database", default="", metavar="URL", help="postgresql://... instead of a file")
    p.add_argument("--public-url", default="", metavar="URL", help="how people reach it, for links and QR codes")
    p.add_argument("--origin", action="append", default=[], metavar="URL", help="another site whose pages may connect")
    p.add_argument("--proxy", action="append", default=[], metavar="IP", help="a reverse proxy to be believed")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from kickdoor.app import serving  # the server's packages take a moment to load
    from kickdoor.server.website import website

    log_to_stderr(logging.INFO)
    sock = serving.listener(args.host, args.port)
    number = sock.getsockname()[1]
    shown = serving.lan_address() if args.host in ("0.0.0.0", "::") else args.host
    here = args.public_url or f"http://{shown}:{number}"
    hub = serving.hub_for(args, here)
    app = website(hub, args.public_url, frozenset(args.origin))
    said = f"Kickdoor is open at {here}  (Ctrl-C closes; nothing is lost)"
    return serving.serve(hub, app, sock, args.proxy, lambda: say(said, flush=True))
