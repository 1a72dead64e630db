"""`kickdoor serve`: tables for friends, by link."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import Final

from kickdoor.app.terminal import log_to_stderr, port, say

DEFAULT_PORT: Final = 8765
KEEP: Final = "90d"


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
    p.add_argument(
        "--keep",
        type=_keep,
        default=KEEP,
        metavar="TIME",
        help="put tables into the archive that nobody has touched for so long: 90d (default), 12h, 2w, 1y, forever",
    )
    p.add_argument("--archive", type=Path, metavar="FOLDER", help="where to (default: archive, beside the journal)")
    p.add_argument(
        "--proxy", action="append", default=[], metavar="IP", help="a reverse proxy (or 10.0.0.0/24) to be believed"
    )
    p.add_argument(
        "--generous",
        type=float,
        default=1.0,
        metavar="N",
        help="let everybody ask for N times as much as usual: for a school behind one address, or a test of the server",
    )
    p.set_defaults(run=run)


def _keep(text: str) -> str:
    from kickdoor.server.archive import seconds

    try:
        seconds(text)
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e)) from None
    return text


def run(args: argparse.Namespace) -> int:
    from kickdoor.app import serving  # the server's packages take a moment to load
    from kickdoor.server.connections import networks
    from kickdoor.server.limits import Gate
    from kickdoor.server.website import website

    networks(args.proxy)  # better now than when everything is open
    if not 1 <= args.generous <= 1_000_000:
        raise ValueError("--generous is a number from 1 to 1000000: so many times as much as usual.")

    log_to_stderr(logging.INFO)
    sock = serving.listener(args.host, args.port)
    number = sock.getsockname()[1]
    shown = serving.lan_address() if args.host in ("0.0.0.0", "::") else args.host
    here = args.public_url or f"http://{shown}:{number}"
    hub = serving.hub_for(args, here)
    gate = Gate(args.generous)
    app = website(hub, args.public_url, frozenset(args.origin), gate)
    said = f"Kickdoor is open at {here}  (Ctrl-C closes; nothing is lost)"
    return serving.serve(hub, app, sock, args.proxy, gate, lambda: say(said, flush=True))
