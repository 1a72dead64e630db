"""`kickdoor simulate`: many games into a folder of Parquet files."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, Final

from kickdoor.app import lab_options
from kickdoor.app.terminal import as_json, plural, say
from kickdoor.lab import command, farm, simulate
from kickdoor.lab.extras import need

EPILOG: Final = """\
  kickdoor simulate -n 100000 --out RUN                     greedy bots, the classic set, all cores
  kickdoor simulate --packs classic,my_pack --out RUN       with a pack of your own
  kickdoor simulate --out RUN                               again: goes on where it was stopped
  kickdoor simulate -n 100000 --on ray --out RUN            on the Ray cluster that RAY_ADDRESS names
  kickdoor report RUN                                       what the numbers say, as one page

The result is the same whatever the number of workers. Formats: docs/lab.md.
"""


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "simulate",
        help="play many games and keep what happened, for kickdoor report",
        description="Play many games on all cores and keep what happened in Parquet files.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lab_options.add(parser, "greedy", 10_000)
    parser.add_argument("--out", type=Path, required=True, metavar="RUN_DIR", help="the folder of the run")
    parser.add_argument("--on", choices=farm.PLACES, default="cores", help="where to play (default: cores)")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    need("pyarrow", "lab")
    setting = lab_options.setting(args)
    began, played, failed, kept, stopped = time.monotonic(), 0, 0, -1, False
    with command.stoppable(), lab_options.meter(args.n) as meter:
        games = simulate.simulate(args.out, setting, args.n, args.workers, args.on)
        try:
            for done, bad in games:
                meter.add(done)
                if kept < 0:
                    kept = done
                else:
                    played, failed = played + done, failed + bad
        except KeyboardInterrupt:
            stopped = True
        finally:
            games.close()  # type: ignore[attr-defined]
    _tell(args, played, failed, max(0, kept), time.monotonic() - began, stopped)
    return 130 if stopped else 1 if failed else 0


def _tell(args: argparse.Namespace, played: int, failed: int, kept: int, seconds: float, stopped: bool) -> None:
    there = sum(simulate.opened(args.out).rows(part) for part in simulate.opened(args.out).parts())
    rate = played / seconds if seconds else 0.0
    if args.json:
        words = {"run": str(args.out), "games": there, "played": played, "kept": kept, "failed": failed}
        as_json({**words, "seconds": round(seconds, 2), "stopped": stopped, "bytes": simulate.size(args.out)})
        return
    if stopped:
        say("kickdoor: stopped; the same command goes on with what is missing", err=True)
    where = lab_options.workers(args) if args.on == "cores" else "Ray"
    earlier = f", {kept:,} were there already" if kept else ""
    say(f"{plural(played, 'game')} in {seconds:.0f} s on {where} ({rate:.1f} a second){earlier}.")
    if failed:
        say(f"{plural(failed, 'game')} failed; the column `error` of the games says why.")
    megabytes = simulate.size(args.out) / 1e6
    say(f"{args.out}: {plural(there, 'game')}, {megabytes:.1f} MB. What they say: kickdoor report {args.out}")
