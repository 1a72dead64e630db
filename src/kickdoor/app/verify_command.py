"""`kickdoor verify`: was this game played as its record says, with the shuffle that was sealed before it?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def register(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    p = sub.add_parser(
        "verify",
        help="check the replay of a game: its seal, its cards, every move",
        description="Plays a downloaded replay again and compares. Status 0: it is true; 1: it is not.",
    )
    p.add_argument("replay", type=Path, help="the file that the end of a game offers for download")
    p.add_argument("--json", action="store_true", help="for programs")
    p.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from kickdoor.server.replays import verify
    from kickdoor.server.trouble import Trouble

    try:
        raw = args.replay.read_bytes()
    except OSError as e:
        raise ValueError(f"{args.replay} cannot be read: {e.strerror}") from None
    try:
        checks = verify(raw)
    except Trouble as e:
        raise ValueError(f"{args.replay}: {e.says}") from None
    good = all(ok for ok, _ in checks)
    if args.json:
        print(json.dumps({"true": good, "checks": [{"ok": ok, "what": what} for ok, what in checks]}, indent=1))
    else:
        for ok, what in checks:
            print(f"{'ok ' if ok else 'NOT'}  {what}")
        print("This is how it was." if good else "This record does not hold.")
    return 0 if good else 1
