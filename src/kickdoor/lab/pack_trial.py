"""A pack on trial: games with it and games without it, and what is out of line, in plain sentences.

The measure is the classic set as the bots play it: how far its cards differ in what they do for winning, how long they
stay in hands, how long games take. A card of the pack is named when its whole 99% interval lies outside that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kickdoor.cards.packs import find_pack, read_pack
from kickdoor.lab import simulate
from kickdoor.lab.analysis import FEWEST, findings
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import Z99, percentile
from kickdoor.lab.playing import Setting

BASE: Final = "classic"
BOTS: Final = ("greedy",) * 4
WIDE: Final = 2.5  # standard deviations of the classic cards that still are usual
LONGER: Final = 0.15  # a change of length or of deaths that is worth a sentence
SURE: Final = 3.0  # standard errors
MARGIN: Final = 1.2  # longer in hands than that many times the limit

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Finding:
    """One thing that is out of line."""

    what: str  # failed, strong, weak, stalls, unplayed, rare, length, deaths
    card: str
    says: str


@dataclass
class Trial:
    """Both runs, and what they say about the pack."""

    pack: str
    games: int
    base: dict[str, Any]
    mix: dict[str, Any]
    findings: list[Finding]
    cards: list[dict[str, Any]]

    def plain(self) -> dict[str, Any]:
        keep = ("games", "failed", "length", "deaths", "moves", "spread")
        return {
            "pack": self.pack,
            "games": self.games,
            "alone": {k: self.base[k] for k in keep},
            "mixed": {k: self.mix[k] for k in keep},
            "findings": [asdict(f) for f in self.findings],
            "cards": self.cards,
        }


def mixes(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """The sets without the pack and with it, and the pack's id."""
    head = read_pack(folder).head
    base = tuple(dict.fromkeys((BASE, *head.needs)))
    if head.id in base:
        raise LabError(f"{head.id!r} is what packs are compared with; it cannot be compared with itself")
    bundled = _bundled(head.id)
    word = head.id if bundled is not None and bundled.resolve() == folder.resolve() else str(folder)
    return base, (*base, word), head.id


def _bundled(pack: str) -> Path | None:
    try:
        return find_pack(pack)
    except ValueError:
        return None


def run(
    folder: Path,
    games: int,
    workers: int = 0,
    progress: Progress | None = None,
    bots: Sequence[str] = BOTS,
    seed: int = 1,
) -> Trial:
    """Play `games` without the pack and as many with it."""
    if games < 1:
        raise LabError(f"--simulate {games}: at least one game, please; a few hundred say little, 2,000 say something")
    base, mix, pack = mixes(folder)
    found = [_measure(Setting(tuple(bots), packs, seed=seed), games, workers, progress) for packs in (base, mix)]
    cards = [c for c in found[1]["cards"] if c["pack"] == pack]
    return Trial(pack, games, found[0], found[1], judge(pack, found[0], found[1]), cards)


def _measure(setting: Setting, games: int, workers: int, progress: Progress | None) -> dict[str, Any]:
    with TemporaryDirectory(prefix="kickdoor-trial-") as name:
        folder = Path(name) / "run"
        played = simulate.simulate(folder, setting, games, workers)
        try:
            for done, _ in played:
                if progress is not None:
                    progress(done)
        finally:
            played.close()  # type: ignore[attr-defined]
        run = simulate.opened(folder)
        return {**findings(run), "all_cards": run.cards}


# -- judging ------------------------------------------------------------------------------------------------------


def judge(pack: str, base: dict[str, Any], mix: dict[str, Any]) -> list[Finding]:
    """What is out of line, the worst first."""
    mine = [c for c in mix["cards"] if c["pack"] == pack]
    return [
        *_failures(mix),
        *_lifts(mine, base),
        *_stalls(mine, base),
        *_unplayed(mine),
        *_whole(base, mix),
        *_rare(pack, mine, mix),
    ]


def _failures(mix: dict[str, Any]) -> list[Finding]:
    if not mix["failed"]:
        return []
    says = (
        f"{mix['failed']:,} of {mix['games'] + mix['failed']:,} games with the pack could not be played to their end."
    )
    return [Finding("failed", "", says)]


def _lifts(mine: Sequence[dict[str, Any]], base: dict[str, Any]) -> list[Finding]:
    middle, sd = base["spread"]["mean"], base["spread"]["sd"]
    low, high = middle - WIDE * sd, middle + WIDE * sd
    out = []
    for c in sorted(mine, key=lambda c: -abs(c["lift"])):
        least, most = c["lift"] - Z99 * c["error"], c["lift"] + Z99 * c["error"]
        usual = f"classic cards lie between {100 * low:+.1f} and {100 * high:+.1f}"
        measured = f"({100 * least:+.1f} to {100 * most:+.1f}); {usual}."
        if least > high:
            says = f"{c['card']} is too good: who gets it wins {100 * c['lift']:.1f} points more often {measured}"
            out.append(Finding("strong", c["card"], says))
        elif most < low:
            says = f"{c['card']} is a burden: who gets it wins {-100 * c['lift']:.1f} points less often {measured}"
            out.append(Finding("weak", c["card"], says))
    return out


def _stalls(mine: Sequence[dict[str, Any]], base: dict[str, Any]) -> list[Finding]:
    usual = [c["held"] for c in base["cards"] if c["in_hand"] >= FEWEST]
    limit = percentile(usual, 0.975)
    slow = [c for c in mine if c["in_hand"] >= FEWEST and c["held"] > MARGIN * limit]
    return [
        Finding(
            "stalls",
            c["card"],
            f"{c['card']} lies in hands for {c['held']:.1f} rounds, and in {c['stuck']:.0%} of them to the game's end;"
            f" 39 of 40 classic cards are gone within {limit:.1f}.",
        )
        for c in sorted(slow, key=lambda c: -c["held"])
    ]


def _unplayed(mine: Sequence[dict[str, Any]]) -> list[Finding]:
    return [
        Finding(
            "unplayed",
            c["card"],
            f"{c['card']} came up {c['seen']} times and was never played nor met: perhaps nobody can, perhaps no bot.",
        )
        for c in mine
        if not c["plays"]
    ]


def _whole(base: dict[str, Any], mix: dict[str, Any]) -> list[Finding]:
    """Length and deaths, if they change by a good deal and not by chance."""
    out = []
    a, b = base["length"], mix["length"]
    noise = math.sqrt(a["sd"] ** 2 / base["games"] + b["sd"] ** 2 / mix["games"])
    change = b["mean"] / a["mean"] - 1 if a["mean"] else 0.0
    if abs(change) > LONGER and abs(b["mean"] - a["mean"]) > SURE * noise:
        word = "longer" if change > 0 else "shorter"
        says = f"Games get {abs(change):.0%} {word}: {b['mean']:.1f} rounds instead of {a['mean']:.1f}."
        out.append(Finding("length", "", says))
    noise = math.sqrt(max(base["deaths"], 1e-9) / base["games"] + max(mix["deaths"], 1e-9) / mix["games"])
    gap = mix["deaths"] - base["deaths"]
    if abs(gap) > max(SURE * noise, 2 * LONGER * base["deaths"]):
        word = "more" if gap > 0 else "less"
        says = f"Players die {word} often: {mix['deaths']:.2f} times a game instead of {base['deaths']:.2f}."
        out.append(Finding("deaths", "", says))
    return out


def _rare(pack: str, mine: Sequence[dict[str, Any]], mix: dict[str, Any]) -> list[Finding]:
    known = {c["card"] for c in mine}
    names = [c["name"] for c in mix["all_cards"] if c["pack"] == pack and c["copies"] and c["name"] not in known]
    if not names:
        return []
    says = f"Too seldom seen to be judged (fewer than {FEWEST} times): {', '.join(names)}. Simulate more games."
    return [Finding("rare", "", says)]
