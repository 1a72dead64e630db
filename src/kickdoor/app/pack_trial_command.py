"""`kickdoor pack check --simulate`: the part of checking a pack that plays it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from kickdoor.app import lab_options
from kickdoor.app.terminal import console
from kickdoor.lab import pack_trial
from kickdoor.lab.extras import need

STYLES: Final = {"failed": "bold red", "rare": "dim", "prize": "green"}
ASIDE: Final = ("prize", "rare")  # what is said beside, and is no fault


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--simulate",
        type=int,
        metavar="GAMES",
        help="also play so many games of a box alone (of an expansion: beside its base), as many of the base, and say "
        "what is out of line",
    )
    parser.add_argument(
        "--workers", type=int, default=0, metavar="W", help="processes for that (default: one per core)"
    )


def measure(folder: Path, games: int, workers: int) -> pack_trial.Trial:
    for package in ("pyarrow", "numpy"):
        need(package, "lab")
    plan = pack_trial.plan(folder)
    with lab_options.meter(len({plan.base, plan.mix}) * games) as meter:
        return pack_trial.run(folder, games, workers, meter.add)


def tell(trial: pack_trial.Trial) -> None:
    out = console()
    a, b = trial.base, trial.mix
    base = " and ".join(trial.base_packs)
    with_it = f"{trial.pack} alone" if trial.alone else f"{base} with {trial.pack}"
    rounds, deaths = (f"{x['length']['mean']:.1f} rounds" for x in (a, b)), (f"{x['deaths']:.2f}" for x in (a, b))
    said = f"{trial.games:,} games of {base} and as many of {with_it}: {', then '.join(rounds)}; "
    said += f"{', then '.join(deaths)} deaths a game."
    if a is b:
        said = f"{trial.games:,} games of {with_it}: {b['length']['mean']:.1f} rounds; {b['deaths']:.2f} deaths a game."
    out.print(Text(said, "bold"))
    for f in trial.findings:
        out.print(Text(f"- {f.says}", STYLES.get(f.what, "")), soft_wrap=True)
    if all(f.what in ASIDE for f in trial.findings):
        cards = len(trial.cards)
        out.print(Text(f"Nothing is out of line among {cards} cards that could be judged.", "green"))


def plain(trial: pack_trial.Trial) -> dict[str, Any]:
    return trial.plain()
