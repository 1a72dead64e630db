"""A pack on trial: games with it and games without it, and what is out of line, in plain sentences.

A box that is a game of its own is played alone; anything else beside the set that it expands. The measure is that set,
or the classic one, as the bots play it: how far its cards differ in what they do for winning, how long they stay in
hands, how long games take. A card of the pack is named when its whole 99% interval lies outside that. A card that is
meant to be better than others says so in its note ("Prize: ..."), and is listed apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from kickdoor.cards.language import Card
from kickdoor.cards.packs import find_pack, read_pack
from kickdoor.engine.setup import prepared, rules_for
from kickdoor.engine.table import deck_building
from kickdoor.engine.value.reasons import Refused
from kickdoor.lab import bounds, simulate
from kickdoor.lab.analysis import FEWEST, findings
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import Z99, percentile
from kickdoor.lab.playing import Setting

BASE: Final = "classic"
BOTS: Final = ("greedy",) * 4
PRIZE: Final = "Prize:"  # how the note of a card begins that is meant to be better than others
WIDE: Final = 2.5  # standard deviations of the measure's cards that still are usual
LONGER: Final = 0.15  # a change of length or of deaths that is worth a sentence
SURE: Final = 3.0  # standard errors
MARGIN: Final = 1.2  # longer in hands than that many times the limit

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Finding:
    """One thing that is out of line."""

    what: str  # failed, strong, weak, stalls, stuck, unplayed, length, deaths, help, seats, longest, rare, prize
    card: str
    says: str


@dataclass
class Trial:
    """Both runs, and what they say about the pack."""

    pack: str
    games: int
    base_packs: tuple[str, ...]
    alone: bool
    base: dict[str, Any]
    mix: dict[str, Any]
    findings: list[Finding]
    cards: list[dict[str, Any]]

    def plain(self) -> dict[str, Any]:
        keep = ("games", "failed", "length", "deaths", "moves", "spread")
        return {
            "pack": self.pack,
            "games": self.games,
            "beside": [] if self.alone else list(self.base_packs),
            "without": {k: self.base[k] for k in keep},
            "with": {k: self.mix[k] for k in keep},
            "findings": [asdict(f) for f in self.findings],
            "cards": self.cards,
        }


class Plan(NamedTuple):
    """Which games are played: those that are the measure, and those with the pack."""

    base: tuple[str, ...]
    mix: tuple[str, ...]
    pack: str
    alone: bool
    bots: tuple[str, ...]


def plan(folder: Path) -> Plan:
    """A box that is a game of its own is played alone, by schemers; others beside the set they belong to."""
    head = read_pack(folder).head
    bundled = _bundled(head.id)
    word = head.id if bundled is not None and bundled.resolve() == folder.resolve() else str(folder)
    if not (head.expands or head.for_mixes or head.needs) and stands_alone(word):
        return Plan((BASE,), (word,), head.id, True, bounds.BOTS)
    base = tuple(dict.fromkeys((head.expands or BASE, *head.needs)))
    if head.id in base:
        raise LabError(f"{head.id!r} belongs to itself; say in its pack.yaml which set it expands")
    return Plan(base, (*base, word), head.id, False, BOTS)


def stands_alone(pack: str) -> bool:
    """Can four people play this set and nothing else?"""
    g = prepared([f"Player {i + 1}" for i in range(len(bounds.BOTS))], (pack,), 1, rules_for((pack,)))
    try:
        deck_building.check_size(g)
    except Refused:
        return False
    return True


def is_prize(card: Card) -> bool:
    """Is it meant to be better than others? Then its note begins with that word."""
    return (card.note or "").lstrip().startswith(PRIZE)


def prizes(folder: Path) -> frozenset[str]:
    """The cards of a pack that are meant to be better than others."""
    return frozenset(c.name for c in read_pack(folder).cards if is_prize(c))


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
    bots: Sequence[str] = (),
    seed: int = 1,
) -> Trial:
    """Play `games` of the measure and as many with the pack."""
    if games < 1:
        raise LabError(f"--simulate {games}: at least one game, please; a few hundred say little, 2,000 say something")
    p = plan(folder)
    found = [
        _measure(Setting(tuple(bots) or p.bots, packs, seed=seed), games, workers, progress)
        for packs in dict.fromkeys((p.base, p.mix))
    ]
    base, mix = found[0], found[-1]
    cards = [c for c in mix["cards"] if c["pack"] == p.pack]
    return Trial(p.pack, games, p.base, p.alone, base, mix, judge(p.pack, base, mix, p.alone, prizes(folder)), cards)


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


def judge(
    pack: str, base: dict[str, Any], mix: dict[str, Any], alone: bool = False, prized: frozenset[str] = frozenset()
) -> list[Finding]:
    """What is out of line, the worst first; prizes, and what cannot be judged, at the end."""
    mine = [c for c in mix["cards"] if c["pack"] == pack]
    lifts = lift_findings(mine, base, prized)
    return [
        *([] if alone else _failures(mix)),
        *(f for f in lifts if f.what != "prize"),
        *_stalls(mine, base),
        *_stuck(mix, pack),
        *_unplayed(mine),
        *(_out_of_bounds(mix) if alone else _whole(base, mix)),
        *(f for f in lifts if f.what == "prize"),
        *_rare(pack, mix),
    ]


def _out_of_bounds(mix: dict[str, Any]) -> list[Finding]:
    return [Finding(what, "", says) for what, says in bounds.outside(mix)]


def _stuck(mix: dict[str, Any], pack: str) -> list[Finding]:
    mine = {c["card"] for c in mix["cards"] if c["pack"] == pack}
    return [
        Finding("stuck", name, f"{name} has come into hands and never left one.")
        for name in bounds.stuck(mix)
        if name in mine
    ]


def _failures(mix: dict[str, Any]) -> list[Finding]:
    if not mix["failed"]:
        return []
    says = (
        f"{mix['failed']:,} of {mix['games'] + mix['failed']:,} games with the pack could not be played to their end."
    )
    return [Finding("failed", "", says)]


def lift_findings(
    mine: Sequence[dict[str, Any]], base: dict[str, Any], prized: frozenset[str] = frozenset()
) -> list[Finding]:
    """The cards that do more or less for winning than cards of the measure do, the farthest first."""
    middle, sd = base["spread"]["mean"], base["spread"]["sd"]
    low, high = middle - WIDE * sd, middle + WIDE * sd
    usual = " and ".join(base["settings"]["packs"])
    out = []
    for c in sorted(mine, key=lambda c: -abs(c["lift"])):
        least, most = c["lift"] - Z99 * c["error"], c["lift"] + Z99 * c["error"]
        measured = (
            f"({100 * least:+.1f} to {100 * most:+.1f}); "
            f"cards of {usual} lie between {100 * low:+.1f} and {100 * high:+.1f}."
        )
        if least > high:
            prize = c["card"] in prized
            is_ = "is a prize, as its note says" if prize else "is too good"
            says = f"{c['card']} {is_}: who gets it wins {100 * c['lift']:.1f} points more often {measured}"
            out.append(Finding("prize" if prize else "strong", c["card"], says))
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
            f" 39 of 40 cards of {' and '.join(base['settings']['packs'])} are gone within {limit:.1f}.",
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


def _rare(pack: str, mix: dict[str, Any]) -> list[Finding]:
    names = bounds.unseen(mix, [c for c in mix["all_cards"] if c["pack"] == pack])
    if not names:
        return []
    says = f"Too seldom seen to be judged (fewer than {FEWEST} times): {', '.join(names)}. Simulate more games."
    return [Finding("rare", "", says)]
