"""`kickdoor serve`: tables for friends, by link."""

from __future__ import annotations

import argparse
import functools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kickdoor.app.terminal import port, say
from kickdoor.paper import loading

LOOP: Final = [sys.executable, "-m", "kickdoor.app.loop"]
MOST_LOOPS: Final = 64
DEFAULT_PORT: Final = 8765
KEEP: Final = "90d"
ADDRESS: Final = re.compile(r"(https?)://([^\s/?#@]+)(/[^\s?#]*)?", re.IGNORECASE)
USUAL: Final = {"http": ":80", "https": ":443"}
DATA_HELP: Final = "folder for the journal (default: $KICKDOOR_DATA, or ~/.local/share/kickdoor)"


def _address(text: str) -> str:
    """How browsers reach a site, written as they write it: what is put before every link has to be one."""
    found = ADDRESS.fullmatch(text) if text.isprintable() else None
    if found is None:
        if text:
            raise argparse.ArgumentTypeError(f"{text[:60]!a} is no address such as https://play.example.org")
        return ""
    scheme, host, path = found[1].lower(), found[2].lower(), found[3] or ""
    return f"{scheme}://{host.removesuffix(USUAL[scheme])}{path.rstrip('/')}"


def _site(text: str) -> str:
    """The same, as pages of it name where they come from: without a path."""
    return "/".join(_address(text).split("/")[:3])


def register(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    p = sub.add_parser(
        "serve",
        help="tables in the browser, for friends by link",
        description="Serve tables in the browser. Everything is kept in a journal: a restart costs nothing.",
    )
    p.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the whole home network")
    p.add_argument("--port", type=port, default=DEFAULT_PORT, help=f"port (default {DEFAULT_PORT}; 0: any free one)")
    p.add_argument("--data", type=Path, help=DATA_HELP)
    p.add_argument("--database", default="", metavar="URL", help="postgresql://... instead of a file")
    p.add_argument(
        "--public-url", type=_address, default="", metavar="URL", help="how people reach it, for links and QR codes"
    )
    p.add_argument(
        "--origin",
        type=_site,
        action="append",
        default=[],
        metavar="URL",
        help="another site whose pages may connect",
    )
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
    p.add_argument(
        "--loops",
        type=int,
        default=1,
        metavar="N",
        help="share the tables among N processes, for hundreds of them on a machine with several cores (default 1)",
    )
    p.add_argument("--public", action="store_true", help="show everybody a list of the tables whose hosts want it")
    p.add_argument(
        "--by-the-book",
        action="store_true",
        help="tables begin with fractions, filters, Portals and piles as the books recommend for their sets",
    )
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


def _keep(text: str) -> str:
    from kickdoor.server.archive import seconds

    try:
        seconds(text)
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e)) from None
    return text


def run(args: argparse.Namespace) -> int:
    loading.begun()
    try:
        serve = _made_ready(args)
    finally:
        loading.done()
    return serve()


def _made_ready(args: argparse.Namespace) -> Callable[[], int]:
    """All that a server needs; nothing is open yet."""
    from kickdoor.app import serving  # the server's packages take a moment to load
    from kickdoor.server import logs
    from kickdoor.server.connections import networks
    from kickdoor.server.limits import Gate
    from kickdoor.server.loops import Loops
    from kickdoor.server.neighbours import identity
    from kickdoor.server.website import website

    serving.leave_in_peace()
    networks(args.proxy)  # better now than when everything is open
    if not 1 <= args.generous <= 1_000_000:
        raise ValueError("--generous is a number from 1 to 1000000: so many times as much as usual.")
    if not 0 <= args.drain <= 3600 or not 0 <= args.back <= 3600:
        raise ValueError("--drain and --back are seconds, from 0 to 3600.")

    _check_loops(args.loops)
    logs.begin(args.log)
    sock = serving.listener(args.host, args.port)
    here = args.public_url or serving.shown(args.host, sock.getsockname()[1])
    hub, desk = serving.hub_for(args, sock, here)
    hub.by_the_book = args.by_the_book
    gate = Gate(args.generous)
    app = website(hub, args.public_url, frozenset(args.origin), gate, metrics=args.metrics, lists=args.public)
    said = f"Kickdoor is open at {here}  (Ctrl-C closes; nothing is lost)"
    ready = functools.partial(say, said, flush=True)
    loops = Loops(desk, args.loops, LOOP, (here, args, identity(sock)), args.drain) if desk is not None else None
    return functools.partial(
        serving.serve, hub, app, sock, args.proxy, gate, ready, wait=args.drain, back=args.back, loops=loops
    )


def _check_loops(loops: int) -> None:
    from kickdoor.server.chute import possible

    if not 1 <= loops <= MOST_LOOPS:
        raise ValueError(f"--loops is a number of processes, from 1 to {MOST_LOOPS}: not more than there are cores.")
    if loops > 1 and not possible():
        raise ValueError("--loops needs a system on which processes can hand each other connections, such as Linux.")
