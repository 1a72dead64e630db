"""`kickdoor verify`: was this game played as its record says, with the shuffle that was sealed before it?"""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import Any

from kickdoor.app.terminal import as_json, say
from kickdoor.paper.files import REPLAY_BYTES, open_plain, read_bytes

Verdict = tuple[list[tuple[bool, str]], list[str]]


def register(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    p = sub.add_parser(
        "verify",
        help="check the replay of a game: its seal, its cards, every move",
        description="Plays a downloaded replay again and compares. Status 0: it is true; 1: it is not.",
    )
    p.add_argument(
        "replay", type=Path, help="the file that the end of a game offers for download; or an export, or an archive"
    )
    p.add_argument("--json", action="store_true", help="for programs")
    p.add_argument("--moves", action="store_true", help="also list every move, as far as the record holds")
    p.set_defaults(run=run)


def _replay(args: argparse.Namespace, raw: bytes) -> Verdict:
    from kickdoor.server.replays import notated, read, verify

    return verify(raw), notated(read(raw)) if args.moves else []


def _beginning(path: Path) -> bytes:
    """The first bytes of a file; none where it cannot be read, and whoever reads it says why."""
    with contextlib.suppress(OSError, ValueError), open_plain(path) as file:
        return file.read(64)
    return b""


def _export(args: argparse.Namespace) -> Verdict:
    """Every finished game of every table in an export or an archive."""
    import msgspec

    from kickdoor.server import housekeeping, portable
    from kickdoor.server.trouble import Trouble

    checks: list[tuple[bool, str]] = []
    moves: list[str] = []
    for told in portable.read(args.replay):
        checks.append(
            (
                not told.damage,
                f"table {told.table}: {told.damage or f'all {len(told.entries)} entries match their checks'}",
            )
        )
        try:
            games = list(housekeeping.games(told))
        except housekeeping.Untold as e:
            checks.append((False, f"table {told.table}: {e}"))
            continue
        for number, game in games:
            if isinstance(game, Trouble):
                checks.append((True, f"table {told.table}, game {number}: {game.says}"))
                continue
            found, made = _replay(args, msgspec.json.encode(game))
            checks += [(ok, f"table {told.table}, game {number}: {what}") for ok, what in found]
            moves += made
    return checks, moves


def run(args: argparse.Namespace) -> int:
    from kickdoor.server.portable import is_portable
    from kickdoor.server.trouble import Trouble

    try:
        if is_portable(_beginning(args.replay)):
            checks, moves = _export(args)
        else:
            checks, moves = _replay(args, read_bytes(args.replay, REPLAY_BYTES))
    except Trouble as e:
        raise ValueError(f"{args.replay}: {e.says}") from None
    good = all(ok for ok, _ in checks)
    if args.json:
        told: dict[str, Any] = {"true": good, "checks": [{"ok": ok, "what": what} for ok, what in checks]}
        as_json({**told, "moves": moves} if args.moves else told, 1)
    else:
        for number, move in enumerate(moves, 1):
            say(f"{number:4}  {move}")
        for ok, what in checks:
            say(f"{'ok ' if ok else 'NOT'}  {what}")
        say("This is how it was." if good else "This record does not hold.")
    return 0 if good else 1
