"""One game of the lab: bots at a table, and a record of what happened that two machines would write alike.

Everything follows from a `Setting` and the number of the game, whoever plays it and when. Only thinking times differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kickdoor.bots import Table
from kickdoor.engine.setup import library, new_game, rules_for
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.lab.agents import make
from kickdoor.lab.figures import Clock
from kickdoor.lab.recording import Recorder, numbers, to_the_end
from kickdoor.lab.stopwatch import Stopwatch

TOO_LONG: Final = 2_000  # turns; the longest sane game has a few hundred
TOO_MANY: Final = 200_000  # moves


@dataclass(frozen=True)
class Setting:
    """What is played: who, with which cards, by which rules. `bots` are the seats of game 0; they move on by one."""

    bots: tuple[str, ...]
    packs: tuple[str, ...] = ("classic",)
    edition: str | None = None
    rules: tuple[tuple[str, Any], ...] = ()
    seed: int = 1
    rotate: bool = True

    def seats(self, number: int) -> tuple[str, ...]:
        """Who sits where in a game: everybody moves on by one seat from game to game."""
        n = len(self.bots)
        shift = number % n if self.rotate else 0
        return tuple(self.bots[(s + shift) % n] for s in range(n))

    def plain(self) -> dict[str, Any]:
        return {
            "bots": list(self.bots),
            "packs": list(self.packs),
            "edition": self.edition,
            "rules": dict(self.rules),
            "seed": self.seed,
            "rotate": self.rotate,
        }

    @staticmethod
    def of(data: dict[str, Any]) -> Setting:
        return Setting(
            tuple(data["bots"]),
            tuple(data["packs"]),
            data["edition"],
            tuple(sorted(data["rules"].items())),
            data["seed"],
            data["rotate"],
        )


@dataclass
class Record:
    """How a game went. Lists of numbers only: it travels between processes and into files."""

    number: int
    seed: int = 0
    bots: tuple[str, ...] = ()
    error: str = ""
    first: int = 0
    winners: list[int] = field(default_factory=list)
    turns: int = 0
    moves: int = 0
    final: list[int] = field(default_factory=list)
    deaths: list[int] = field(default_factory=list)
    levels: list[list[int]] = field(default_factory=list)  # per seat: the Level at the beginning of each turn
    cards: list[list[int]] = field(default_factory=list)  # card, seat, how, turn, held, played, fate
    fights: list[list[int]] = field(default_factory=list)  # turn, main, helper, card, foes, end
    thought: list[Clock] = field(default_factory=list)

    @property
    def rounds(self) -> float:
        return self.turns / len(self.bots) if self.bots else 0.0


def check(setting: Setting) -> Game:
    """Deal the first game, so that a wrong name of a bot, a pack or an edition is told at once."""
    for kind in dict.fromkeys(setting.bots):
        make(kind, 0)
    return deal(setting, 0)


def game_seed(setting: Setting, number: int) -> int:
    return setting.seed * 1_000_003 + number


def deal(setting: Setting, number: int) -> Game:
    names = [f"{kind} {s + 1}" for s, kind in enumerate(setting.seats(number))]
    sexes = ["female" if s % 2 else "male" for s in range(len(names))]
    seed, rules = game_seed(setting, number), _rules(setting)
    return new_game(names, packs=setting.packs, seed=seed, rules=rules, sexes=sexes)


_RULES: dict[str, Ruleset] = {}


def _rules(setting: Setting) -> Ruleset:
    """The rules of a setting, which are the same for all its games."""
    key = repr(setting)  # what is asked for need not be hashable
    got = _RULES.get(key)
    if got is None:
        _RULES.clear()
        got = _RULES[key] = rules_for(setting.packs, setting.edition, **dict(setting.rules))
    return got


def play(setting: Setting, number: int, detail: bool = True) -> Record:
    """Play a game. Whatever goes wrong is told in the record: one bad game must not spoil a night's run."""
    out = Record(number, game_seed(setting, number), setting.seats(number))
    try:
        _play(setting, out, detail)
    except Exception as e:
        out.error = f"{type(e).__name__}: {' '.join(str(e).split())}"
    return out


def _play(setting: Setting, out: Record, detail: bool) -> None:
    g = deal(setting, out.number)
    bots = [make(kind, out.seed * 31 + s) for s, kind in enumerate(out.bots)]
    out.first = g.turn
    thought = [Stopwatch() for _ in bots]
    table = Table(g, bots)
    recorder = Recorder(g) if detail else None
    if recorder is not None:
        out.levels, out.deaths, out.cards, out.fights = recorder.kept()
    try:
        to_the_end(table, bots, thought, recorder, TOO_LONG, TOO_MANY)
    finally:
        out.thought = [Clock.read(watch) for watch in thought]
    out.winners = list(g.winners)
    out.turns = g.turns
    out.moves = table.count
    out.final = [p.level for p in g.players]


def cards_of(packs: Sequence[str]) -> list[dict[str, Any]]:
    """The different cards of a mix, in the order of their numbers."""
    lib = library(packs)
    copies: dict[int, int] = {}
    for c, number in enumerate(numbers(lib)):
        if c not in lib.origin:
            copies[number] = copies.get(number, 0) + 1
    return [
        {"card": i, "name": d.name, "pack": d.pack, "kind": d.kind, "deck": d.deck, "copies": copies.get(i, 0)}
        for i, d in enumerate(lib.unique)
    ]
