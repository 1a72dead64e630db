"""`kickdoor arena`: bots against each other, and how sure one can be of the result."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from kickdoor.app import lab_options
from kickdoor.app.terminal import as_json, columns, console, plural, say
from kickdoor.lab import arena, command, farm
from kickdoor.lab.extras import need

EPILOG: Final = """\
  kickdoor arena --bots greedy,random -n 1000               one greedy bot against three random ones
  kickdoor arena --bots schemer,greedy,random -n 500        three at a table
  kickdoor arena --bots greedy,random --out night.jsonl     keep the results; again: goes on where it stopped

Everybody sits in every seat equally often. Intervals are 95% (Wilson). A rating is what OpenSkill is nearly sure of:
mu - 3 sigma.
"""


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "arena",
        help="bots against each other: who wins, and how sure that is",
        description="Let bots play each other, on all cores, and say who wins.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    lab_options.add(parser, "greedy,random", 1000)
    parser.add_argument("--out", type=Path, metavar="FILE", help="append results to this file, and go on from it")
    parser.add_argument("--on", choices=farm.PLACES, default="cores", help="where to play (default: cores)")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    need("openskill.models", "lab")
    setting = lab_options.setting(args)
    results: list[arena.Result] = []
    stopped = False
    with command.stoppable(), lab_options.meter(args.n) as meter:
        games = arena.run(setting, args.n, args.workers, args.out, args.on)
        try:
            for batch in games:
                results += batch
                meter.add(len(batch))
        except KeyboardInterrupt:
            stopped = True
        finally:
            games.close()  # type: ignore[attr-defined]
    if stopped and args.out is not None:
        results = arena.Log(args.out, setting).upto(args.n)  # a batch may have been written and not yet counted
    found = arena.table(setting, results)
    if args.json:
        as_json({**found, "stopped": stopped})
    else:
        show(found, setting.bots)
    if stopped:
        _leave(args)
        return 130
    return 1 if found["failed"] else 0


def _leave(args: argparse.Namespace) -> None:
    if args.out is not None:
        say(
            f"kickdoor: stopped; go on with the same command, {shlex.quote(str(args.out))} keeps what was played",
            err=True,
        )
    else:
        say("kickdoor: stopped; with --out FILE the next run could go on from here", err=True)


def show(found: dict[str, Any], bots: tuple[str, ...]) -> None:
    """The table as people read it."""
    out = console()
    packs = ", ".join(found["settings"]["packs"])
    out.print(Text(f"{plural(found['games'], 'game')}, {len(bots)} seats ({', '.join(bots)}), {packs}", "bold"))
    if not found["games"]:
        _failures(found)
        return
    rows = [_row(s) for s in found["standings"]]
    heads = ("bot", "wins", "win rate", "95% interval", "rating", "mu, sigma", "ms", "p95", "longest")
    columns(rows, heads, right=tuple(range(1, len(heads))))
    rounds = found["rounds"]
    out.print(
        Text(
            f"Even is {found['even']:.1%} per chair. Rounds: median {rounds['median']:.1f}, mean {rounds['mean']:.1f}, "
            f"9 of 10 within {rounds['p90']:.1f}, longest {rounds['longest']:.1f}; {found['moves']:.0f} moves a game.",
            "dim",
        )
    )
    if found["shared_victories"]:
        out.print(Text(f"{plural(found['shared_victories'], 'game')} with more than one winner.", "dim"))
    _failures(found)


def _row(s: dict[str, Any]) -> tuple[str, ...]:
    rated = s["sigma"] > 0
    return (
        s["bot"] if s["chairs"] == 1 else f"{s['bot']} x{s['chairs']}",
        f"{s['wins']:,}",
        f"{s['win_rate']:.1%}",
        f"{100 * s['low']:.1f}-{s['high']:.1%}",
        f"{s['rating']:.1f}" if rated else "-",
        f"{s['mu']:.1f} {s['sigma']:.2f}" if rated else "-",
        f"{s['think_ms_mean']:.2f}",
        f"{s['think_ms_p95']:.2f}",
        f"{s['think_ms_max']:.0f}",
    )


def _failures(found: dict[str, Any]) -> None:
    for failed in found["failed"][:5]:
        console().print(Text(f"game {failed['game']} failed: {failed['error']}", "bold red"))
    if len(found["failed"]) > 5:
        console().print(Text(f"and {len(found['failed']) - 5} more", "bold red"))
