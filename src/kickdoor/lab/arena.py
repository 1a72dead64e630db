"""The arena: bots against each other, many times, with everybody in every seat; who wins, how sure that is, how fast.

Results may be kept in a file of JSON lines. It can hold several contests: each line carries the key of its settings,
and a contest that is run again goes on where its lines end.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TextIO

from kickdoor.cards.packs import bundles, known_packs
from kickdoor.engine.setup import library
from kickdoor.lab import agents, farm
from kickdoor.lab.extras import LabError, need
from kickdoor.lab.figures import Clock, mean, percentile, wilson
from kickdoor.lab.playing import Record, Setting
from kickdoor.paper.files import LOG_BYTES, ReadingError, read_bytes, why

FORMAT: Final = 1
FEWEST: Final = 3  # seats that are filled up if fewer bots are named
TABLE: Final = 4


MOST: Final = 12  # seats; the rules say how many of them a game takes


def seating(kinds: Sequence[str], players: int = 0) -> tuple[str, ...]:
    """Who sits down. The last one named fills the seats that are left: `schemer,greedy` is one against three."""
    if not kinds:
        raise LabError("no bots are named; say who plays, such as --bots greedy,random")
    if not 0 <= players <= MOST or len(kinds) > MOST:
        raise LabError(f"a table has 3 to {MOST} seats at the most; name that many bots, or --players")
    size = players or (len(kinds) if len(kinds) >= FEWEST else TABLE)
    if size < len(kinds):
        raise LabError(f"{len(kinds)} bots are named for {size} seats; name fewer or give more --players")
    return (*kinds, *[kinds[-1]] * (size - len(kinds)))


@dataclass(frozen=True)
class Result:
    """One game, as far as the arena cares."""

    game: int
    bots: tuple[str, ...]
    first: int
    winners: tuple[int, ...]
    turns: int
    moves: int
    thought: dict[str, Clock]
    error: str = ""

    def plain(self, key: str) -> dict[str, Any]:
        out: dict[str, Any] = {
            "key": key,
            "game": self.game,
            "bots": list(self.bots),
            "first": self.first,
            "winners": list(self.winners),
            "turns": self.turns,
            "moves": self.moves,
            "thought": {kind: clock.plain() for kind, clock in self.thought.items()},
        }
        return out | ({"error": self.error} if self.error else {})

    @staticmethod
    def of(data: dict[str, Any]) -> Result:
        thought = {kind: Clock.of(clock) for kind, clock in data["thought"].items()}
        winners, bots = tuple(data["winners"]), tuple(data["bots"])
        return Result(
            data["game"], bots, data["first"], winners, data["turns"], data["moves"], thought, data.get("error", "")
        )


def result(r: Record) -> Result:
    thought: dict[str, Clock] = {}
    for kind, clock in zip(r.bots, r.thought, strict=False):
        thought.setdefault(kind, Clock()).merge(clock)
    return Result(r.number, r.bots, r.first, tuple(r.winners), r.turns, r.moves, thought, r.error)


# -- the file -----------------------------------------------------------------------------------------------------


def key_of(setting: Setting) -> str:
    """Twelve letters that stand for everything the games depend on."""
    rests = [FORMAT, setting.plain()]
    made = agents.marks(setting.bots) | _brought(setting.packs)
    text = json.dumps([*rests, made] if made else rests, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _brought(packs: Sequence[str]) -> dict[str, str]:
    """What the cards are, where a pack is somebody's own."""
    return {} if set(packs) <= {*known_packs(), *bundles()} else {"packs": library(packs).hash}


class Log:
    """A file of results. A line that was cut off by a crash is ignored, and its game played again."""

    def __init__(self, path: Path, setting: Setting) -> None:
        self.path = path
        self.setting = setting
        self.key = key_of(setting)
        self.results: dict[int, Result] = {}
        self.known = False
        self._read()

    def _read(self) -> None:
        if not self.path.exists():
            return
        try:
            text = read_bytes(self.path, LOG_BYTES).decode("utf-8", "replace")
        except ReadingError as e:
            raise LabError(str(e)) from None
        good = 0
        for line in text.splitlines():
            good += self._line(line)
        if text.strip() and not good:
            raise LabError(f"{self.path} is not a file of the arena; name another with --out, nothing was written")

    def _line(self, line: str) -> int:
        try:
            data = json.loads(line)
            key = data["key"]
            if "game" in data and key == self.key:
                self.results[data["game"]] = Result.of(data)
            elif key == self.key:
                self.known = True
        except (ValueError, KeyError, TypeError, AssertionError, RecursionError):
            return 0
        return 1

    def upto(self, games: int) -> list[Result]:
        """The results of these games that the file has."""
        return [self.results[n] for n in sorted(self.results) if n < games]

    def open(self) -> TextIO:
        """Ready to be appended to; the settings come before their first result."""
        try:
            file = self.path.open("a+", encoding="utf-8")
        except OSError as e:
            raise LabError(f"{self.path}: cannot be written: {why(e)}") from None
        if file.tell() and not self._ends_well():
            file.write("\n")
        if not self.known:
            file.write(json.dumps({"key": self.key, "format": FORMAT, "settings": self.setting.plain()}) + "\n")
            self.known = True
        file.flush()
        return file

    def _ends_well(self) -> bool:
        with self.path.open("rb") as f:
            f.seek(-1, os.SEEK_END)
            return f.read(1) == b"\n"


# -- playing ------------------------------------------------------------------------------------------------------


def run(
    setting: Setting, games: int, workers: int = 0, out: Path | None = None, on: str = "cores"
) -> Iterator[list[Result]]:
    """Play the games that the file does not have yet; first yields what it has."""
    if out is None:
        for batch in farm.run(setting, range(games), workers, on, detail=False):
            yield [result(r) for r in batch]
        return
    log = Log(out, setting)
    yield log.upto(games)
    end = min(games, max(log.results, default=-1) + 1)
    holes = [n for n in range(end) if n not in log.results]  # of games that were stopped
    for left in (holes, range(end, games)):
        if not left:
            continue
        with log.open() as file:
            for batch in farm.run(setting, left, workers, on, detail=False):
                results = [result(r) for r in batch]
                file.writelines(json.dumps(r.plain(log.key), separators=(",", ":")) + "\n" for r in results)
                file.flush()
                yield results


# -- the table ----------------------------------------------------------------------------------------------------


@dataclass
class Standing:
    """How one kind of bot did. `seats` counts every chair it sat in: three of a kind play three times a game."""

    kind: str
    seats: int = 0
    wins: int = 0
    clock: Clock = field(default_factory=Clock)
    mu: float = 0.0
    sigma: float = 0.0
    chairs: int = 0  # per game

    @property
    def share(self) -> float:
        return self.wins / self.seats if self.seats else 0.0

    def plain(self) -> dict[str, Any]:
        low, high = wilson(self.wins, self.seats)
        return {
            "bot": self.kind,
            "chairs": self.chairs,
            "seats": self.seats,
            "wins": self.wins,
            "win_rate": self.share,
            "low": low,
            "high": high,
            "rating": self.mu - 3 * self.sigma,
            "mu": self.mu,
            "sigma": self.sigma,
            "think_ms_mean": 1000 * self.clock.mean,
            "think_ms_p95": 1000 * self.clock.percentile(0.95),
            "think_ms_max": 1000 * self.clock.longest,
            "decisions": self.clock.count,
        }


def table(setting: Setting, results: Sequence[Result]) -> dict[str, Any]:
    """What the games came to, ready for a screen or for JSON. Ratings are worked out in the order of the games."""
    ordered = sorted(results, key=lambda r: r.game)
    good = [r for r in ordered if not r.error]
    chairs = Counter(setting.bots)
    standings = {kind: Standing(kind, chairs=chairs[kind]) for kind in chairs}
    for r in good:
        for s, kind in enumerate(r.bots):
            standings[kind].seats += 1
            standings[kind].wins += s in r.winners
        for kind, clock in r.thought.items():
            standings[kind].clock.merge(clock)
    rate(good, standings)
    rounds = [r.turns / len(r.bots) for r in good]
    return {
        "settings": setting.plain(),
        "games": len(good),
        "even": 1 / len(setting.bots),
        "standings": [s.plain() for s in sorted(standings.values(), key=lambda s: -s.share)],
        "rounds": {
            "median": percentile(rounds, 0.5),
            "mean": mean(rounds),
            "p90": percentile(rounds, 0.9),
            "longest": max(rounds, default=0.0),
        },
        "moves": mean([r.moves for r in good]),
        "shared_victories": sum(len(r.winners) > 1 for r in good),
        "first_player_wins": sum(r.first in r.winners for r in good),
        "failed": [{"game": r.game, "error": r.error} for r in ordered if r.error],
    }


def rate(results: Sequence[Result], standings: dict[str, Standing]) -> None:
    """OpenSkill (Plackett-Luce): whoever won is first, all others share the second place.

    A kind in several chairs is rated by the mean of what its chairs would have gained.
    """
    model = need("openskill.models", "lab").PlackettLuce()
    ratings = {kind: model.rating(name=kind) for kind in standings}
    for r in results:
        if r.winners and len(standings) > 1:
            _rate_game(model, ratings, r)
    for kind, rating in ratings.items():
        standings[kind].mu, standings[kind].sigma = float(rating.mu), float(rating.sigma)


def _rate_game(model: Any, ratings: dict[str, Any], r: Result) -> None:
    teams = [[model.rating(mu=ratings[kind].mu, sigma=ratings[kind].sigma)] for kind in r.bots]
    after = model.rate(teams, ranks=[0 if s in r.winners else 1 for s in range(len(r.bots))])
    for kind in dict.fromkeys(r.bots):
        chairs = [after[s][0] for s, k in enumerate(r.bots) if k == kind]
        ratings[kind].mu = mean([c.mu for c in chairs])
        ratings[kind].sigma = mean([c.sigma for c in chairs])
