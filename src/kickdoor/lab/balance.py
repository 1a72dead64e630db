"""The balance of the boxes, each played alone: length, deaths, help, seats, cards out of line, and which bot is better.

    python -m kickdoor.lab.balance -o docs/balance.md            the whole page, 2,000 games for each box
    python -m kickdoor.lab.balance --packs bites -n 500          one box
    python -m kickdoor.lab.balance --packs classic,bites         a mix
    python -m kickdoor.lab.balance --page -o docs/balance.md     the page again, from what has been measured

What is measured is kept under build/balance, in a folder for these cards: a run that was stopped goes on where it was,
and changed cards are measured anew. (Changed bots are not noticed: remove the folder.) In a page that is there already,
what stands below the line that says so is kept: it is written by hand.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kickdoor.cards.packs import find_pack, members
from kickdoor.cards.reading import ReadingError
from kickdoor.engine.setup import library
from kickdoor.lab import arena, bounds, command, met, pack_trial, simulate
from kickdoor.lab.analysis import findings
from kickdoor.lab.boxes import base_boxes
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import wilson
from kickdoor.lab.playing import Setting
from kickdoor.lab.structure import MODEL
from kickdoor.paper.files import write_text

GAMES: Final = 2_000
HOME: Final = Path("build/balance")
MEETING: Final = 200  # games at random, at most
RESULT: Final = "balance.json"
BY_HAND: Final = "<!-- What follows is written by hand. -->"
BOUNDS: Final = (
    "median 7 to 12 rounds; 0.3 to 1.2 deaths; 25% to 50% of won fights with help; no seat more than "
    f"{bounds.SURE:g} standard errors from its share; no game beyond 300 turns"
)
PATIENCE: Final = 10.0  # seconds between two lines of progress
Told = Callable[[int], None]


@dataclass(frozen=True)
class Plan:
    """How much is played, and where it is kept."""

    games: int = GAMES
    arena: int = GAMES // 2
    random: int = MEETING
    workers: int = 0
    home: Path = HOME

    def folder(self, packs: Sequence[str]) -> Path:
        """Where a mix is kept: other cards, another folder."""
        return self.home / f"{'+'.join(packs)}-{library(packs).hash[:8]}"


# -- measuring ----------------------------------------------------------------------------------------------------


def measure(packs: Sequence[str], plan: Plan, progress: Callable[[str, int], Told]) -> dict[str, Any]:
    """Everything about one mix. What an earlier run did is not done again."""
    packs = tuple(packs)
    folder = plan.folder(packs)
    folder.mkdir(parents=True, exist_ok=True)
    name = "+".join(packs)
    found = _schemers(packs, plan, folder, progress(f"{name}: four schemers", plan.games))
    result = {
        "packs": list(packs),
        "wanted": plan.games,
        "run": found,
        "rivals": _rivals(packs, plan, folder, progress(f"{name}: one schemer, three greedy", plan.arena)),
        "met": met.run(packs, plan.random, plan.workers, progress(f"{name}: at random", plan.random)).plain(),
    }
    write_text(folder / RESULT, json.dumps(result, ensure_ascii=False, indent=1) + "\n")
    return result


def _schemers(packs: tuple[str, ...], plan: Plan, folder: Path, told: Told) -> dict[str, Any]:
    for done, _ in simulate.simulate(folder / "run", Setting(bounds.BOTS, packs), plan.games, plan.workers):
        told(done)
    run = simulate.opened(folder / "run")
    return {**findings(run), "all_cards": run.cards}


def _rivals(packs: tuple[str, ...], plan: Plan, folder: Path, told: Told) -> dict[str, Any]:
    setting = Setting(bounds.RIVALS, packs)
    results = []
    for batch in arena.run(setting, plan.arena, plan.workers, folder / "arena.jsonl"):
        results += batch
        told(len(batch))
    good = [r for r in results if not r.error]
    wins = sum(1 for r in good if any(r.bots[s] == bounds.RIVALS[0] for s in r.winners))
    low, high = wilson(wins, len(good))
    return {"games": len(good), "wins": wins, "share": wins / max(1, len(good)), "low": low, "high": high}


def measured(packs: Sequence[str], plan: Plan) -> dict[str, Any] | None:
    """What an earlier run has found about these very cards, if it came to its end."""
    path = plan.folder(packs) / RESULT
    if not path.exists():
        return None
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return kept


# -- the page -----------------------------------------------------------------------------------------------------


def page(results: Sequence[dict[str, Any]], model: dict[str, Any] | None = None) -> str:
    """All boxes side by side, then what is to be said about each. The lift of cards is measured by the model's."""
    names = [_name(r) for r in results]
    lines = [
        "# Balance",
        "",
        f"Each box alone, by its own rules, between {len(bounds.BOTS)} schemers. "
        "Made by `python -m kickdoor.lab.balance -o docs/balance.md`.",
        "",
        "| | " + " | ".join(names) + " |",
        "|" + " --- |" * (len(names) + 1),
        *(f"| {what} | " + " | ".join(tell(r) for r in results) + " |" for what, tell in ROWS),
        "",
        f"Bounds: {BOUNDS}; a schemer wins at least {bounds.BETTER:.0%} against three greedy players.",
        "",
    ]
    for r in results:
        lines += _about(r, model or r)
    return "\n".join(lines)


def _name(r: dict[str, Any]) -> str:
    return " + ".join(r["packs"])


def _rounds(r: dict[str, Any]) -> str:
    length = r["run"]["length"]
    return f"median {length['median']:.1f}, mean {length['mean']:.1f}, 9 of 10 under {length['p90']:.0f}"


def _seats(r: dict[str, Any]) -> str:
    return " / ".join(f"{100 * s['share']:.1f}" for s in r["run"]["seat_wins"])


def _fights(r: dict[str, Any]) -> str:
    ends = r["run"]["fights"]["ends"]
    won = ends["won_alone"] + ends["won_with_help"]
    return f"{won / r['run']['games']:.1f}, {bounds.helped(r['run']):.0%} with help"


def _curve(r: dict[str, Any]) -> str:
    levels = r["run"]["levels"]
    return " / ".join(f"{levels['best'][i - 1]:.1f}" for i in (1, 3, 5, 8) if i <= len(levels["best"]))


def _better(r: dict[str, Any]) -> str:
    x = r["rivals"]
    return f"{x['share']:.1%} ({x['low']:.1%} to {x['high']:.1%}), {x['games']:,} games"


def _met(r: dict[str, Any]) -> str:
    m = r["met"]
    return f"{len(m['missing'])} not within {m['games']} games" if m["missing"] else f"all within {m['games']} games"


ROWS: Final[tuple[tuple[str, Callable[[dict[str, Any]], str]], ...]] = (
    ("games", lambda r: f"{r['run']['games']:,}"),
    ("rounds per game", _rounds),
    (
        "turns per game",
        lambda r: f"median {4 * r['run']['length']['median']:.0f}, longest {bounds.longest(r['run'])}",
    ),
    ("moves per game", lambda r: f"{r['run']['moves']:.0f}"),
    ("deaths per game", lambda r: f"{r['run']['deaths']:.2f}"),
    ("fights won per game", _fights),
    ("wins by seat, from the first player on, %", _seats),
    ("the leader's Level in round 1 / 3 / 5 / 8", _curve),
    ("games with more than one winner", lambda r: f"{r['run']['shared'] / r['run']['games']:.1%}"),
    ("cards that came up and never left a hand", lambda r: str(len(bounds.stuck(r["run"])))),
    ("cards hardly ever seen", lambda r: str(len(bounds.unseen(r["run"], r["run"]["all_cards"])))),
    ("schemer against three greedy", _better),
    ("cards played or suffered, at random", _met),
)


def _about(r: dict[str, Any], model: dict[str, Any]) -> list[str]:
    """What is out of line in one box, and how long its cards take to be met."""
    run, lines = r["run"], [f"## {_name(r)}", ""]
    said = [says for _, says in bounds.outside(run)]
    if r["rivals"]["high"] < bounds.BETTER:
        said.append(f"A schemer wins only {r['rivals']['share']:.0%} against three greedy players.")
    prized: frozenset[str] = frozenset().union(*(pack_trial.prizes(find_pack(p)) for p in r["packs"]))
    for f in pack_trial.lift_findings(run["cards"], model["run"], prized):
        said.append(f.says)
    said += [f"{card} has come into hands and never left one." for card in bounds.stuck(run)]
    said += [f"{card} has hardly ever been seen." for card in bounds.unseen(run, run["all_cards"])]
    said += [f"{card} was neither played nor suffered at random." for card in r["met"]["missing"]]
    lines += [f"- {s}" for s in said] or ["Nothing is out of line."]
    latest = sorted(r["met"]["first"].items(), key=lambda x: (-x[1], x[0]))[:5]
    late = ", ".join(f"{card} ({n})" for card, n in latest)
    return [
        *lines,
        "",
        f"The last cards to be played or suffered at random, with the game in which they were: {late}.",
        "",
    ]


def written(path: Path, text: str) -> str:
    """The page with what the old one had written by hand."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    _, mark, by_hand = old.partition(BY_HAND)
    return f"{text}\n{mark}{by_hand}" if mark else text


# -- the command --------------------------------------------------------------------------------------------------


def _progress(what: str, total: int) -> Told:
    """A line now and then on stderr."""
    done, told = 0, time.monotonic()

    def tell(n: int) -> None:
        nonlocal done, told
        done += n
        if time.monotonic() - told > PATIENCE or done >= total > done - n:
            told = time.monotonic()
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    return tell


def _mixes(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for words in said or base_boxes():
        yield members(w.strip() for w in words.split(",") if w.strip())


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.balance`."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.balance", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--packs", action="append", default=[], metavar="P,Q", help="a box, or a mix; may be said several times"
    )
    parser.add_argument(
        "-n", type=command.whole(1), default=GAMES, metavar="GAMES", help=f"of four schemers (default {GAMES:,})"
    )
    parser.add_argument(
        "--arena", type=command.whole(0), metavar="GAMES", help="of one schemer and three greedy (default: half)"
    )
    parser.add_argument("--random", type=command.whole(0), default=MEETING, metavar="GAMES", help="at random, at most")
    parser.add_argument(
        "--workers", type=command.whole(0), default=0, metavar="W", help="processes (default: one per core)"
    )
    parser.add_argument("--home", type=Path, default=HOME, metavar="FOLDER", help=f"what is kept (default {HOME})")
    parser.add_argument("--page", action="store_true", help="play nothing: the page from what has been measured")
    parser.add_argument("-o", type=Path, metavar="FILE", help="write the page there instead of to the screen")
    args = parser.parse_args(argv)
    plan = Plan(args.n, args.n // 2 if args.arena is None else args.arena, args.random, args.workers, args.home)
    try:
        mixes = list(_mixes(args.packs))
        if args.page:
            results = [r for r in (measured(m, plan) for m in mixes) if r is not None]
        else:
            results = [measure(m, plan, _progress) for m in mixes]
        if not results:
            raise LabError(f"nothing has been measured yet for these cards under {plan.home}")
    except (LabError, ReadingError) as e:
        print(f"error: {e}", file=sys.stderr)
        return 2
    text = page(results, measured((MODEL,), plan))
    if args.o is None:
        print(text)
    else:
        write_text(args.o, written(args.o, text))
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
