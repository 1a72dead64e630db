"""One game of the lab: bots at a table, and a record of what happened that two machines would write alike.

Everything follows from a `Setting` and the number of the game, whoever plays it and when. Only thinking times differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from kickdoor.bots import Table
from kickdoor.bots.driver import unasked
from kickdoor.cards.library import Library
from kickdoor.engine.setup import library, new_game, rules_for
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.lab.agents import make
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import Clock

TOO_LONG: Final = 2_000  # turns; the longest sane game has a few hundred
TOO_MANY: Final = 200_000  # moves

# How a card came to a seat, and what became of it there.
HOWS: Final = ("dealt", "drawn", "kicked", "given")
DEALT, DRAWN, KICKED, GIVEN = range(4)
FATES: Final = ("gone", "in_hand", "in_play", "played", "sold", "passed_on", "met")
GONE, IN_HAND, IN_PLAY, PLAYED, SOLD, PASSED_ON, MET = range(7)
ENDS: Final = ("won_alone", "won_with_help", "escaped", "caught", "died", "broken_off")
WON_ALONE, WON_WITH_HELP, ESCAPED, CAUGHT, DIED, BROKEN_OFF = range(6)


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
    out.thought = [Clock() for _ in bots]
    table = Table(g, bots)
    recorder = Recorder(g, out) if detail else None
    while (turn := table.next()) is not None:
        s, must = turn
        seat = table.seat(s)
        move = unasked(bots[s], seat) if must else None
        if move is None:
            began = perf_counter()
            choice = bots[s].choose(seat) if must else bots[s].interject(seat)
            out.thought[s].add(perf_counter() - began)
            if choice is None:
                continue
            move = choice.move
        events = table.apply(move)
        if recorder is not None:
            recorder.see(events)
        if g.turns > TOO_LONG or table.count > TOO_MANY:
            raise LabError(f"no winner after {g.turns} turns and {table.count} moves")
    if recorder is not None:
        recorder.close()
    out.winners = list(g.winners)
    out.turns = g.turns
    out.moves = table.count
    out.final = [p.level for p in g.players]


# -- what happened ------------------------------------------------------------------------------------------------


def numbering(lib: Library) -> list[int]:
    """For each physical card the number of its definition among the different ones; -1 for what is in no deck."""
    number = {id(d): i for i, d in enumerate(lib.unique)}
    return [number.get(id(d), -1) for d in lib.defs]


_NUMBERS: dict[int, tuple[Library, list[int]]] = {}


def _numbers(lib: Library) -> list[int]:
    got = _NUMBERS.get(id(lib))
    if got is None or got[0] is not lib:
        _NUMBERS.clear()
        got = _NUMBERS[id(lib)] = (lib, numbering(lib))
    return got[1]


class Recorder:
    """Follows the cards and the fights of one game by its events."""

    def __init__(self, g: Game, out: Record) -> None:
        self.g = g
        self.out = out
        self.numbers = _numbers(g.lib)
        self.open: dict[int, list[int]] = {}  # physical card -> its row
        self.fight: list[int] | None = None
        self.running = self.dead = self.got = False
        self.turns = g.turns
        out.levels = [[] for _ in g.players]
        out.deaths = [0] * len(g.players)
        for s, p in enumerate(g.players):
            for c in p.hand:
                self._arrives(c, s, DEALT)

    def see(self, events: Sequence[Event]) -> None:
        """What a move led to."""
        gone: list[int] = []
        for e in events:
            told = TOLD.get(e.kind)
            if told is not None:
                told(self, e, gone)

    def close(self) -> None:
        """The last state of every card."""
        for s, p in enumerate(self.g.players):
            for cards, fate in ((p.hand, IN_HAND), (p.table, IN_PLAY)):
                for c in cards:
                    row = self.open.get(c)
                    if row is not None and row[1] == s:
                        row[6] = fate
        if self.fight is not None:
            self._fight_over(None, [])

    # -- cards

    def _arrives(self, card: int, seat: int, how: int) -> list[int]:
        row = [self.numbers[card], seat, how, max(1, self.turns), 0, 0, GONE]
        self.open[card] = row
        if row[0] >= 0:
            self.out.cards.append(row)
        return row

    def _turn(self, e: Event, gone: list[int]) -> None:
        self.turns = e.n
        for s, p in enumerate(self.g.players):
            self.out.levels[s].append(p.level)
            for c in p.hand:
                row = self.open.get(c)
                if row is None or row[1] != s:
                    row = self._passed_on(c, s)
                row[4] += 1

    def _drawn(self, e: Event, gone: list[int]) -> None:
        self._arrives(e.card, e.seat, KICKED if e.kind == "kick" else DRAWN)

    def _received(self, e: Event, gone: list[int]) -> None:
        """A share of the Treasure: it was drawn for both, and is whose it is from now on."""
        row = self.open.get(e.card)
        if row is not None and row[2] == DRAWN:
            row[1] = e.seat

    def _handed(self, e: Event, gone: list[int]) -> None:
        row = self.open.get(e.card)
        if e.card >= 0 and e.seat >= 0 and (row is None or row[1] != e.seat):
            self._passed_on(e.card, e.seat)

    def _passed_on(self, card: int, seat: int) -> list[int]:
        row = self.open.get(card)
        if row is not None:
            row[6] = PASSED_ON
        return self._arrives(card, seat, GIVEN)

    def _played(self, e: Event, gone: list[int]) -> None:
        row = self.open.get(e.card)
        if row is not None:
            row[5] = row[5] or max(1, self.turns)
            row[6] = PLAYED

    def _gone(self, e: Event, gone: list[int]) -> None:
        gone.append(e.card)

    def _sale(self, e: Event, gone: list[int]) -> None:
        for c in gone:
            row = self.open.get(c)
            if row is not None:
                row[6] = SOLD

    def _curse(self, e: Event, gone: list[int]) -> None:
        self._met(e.card)

    def _met(self, card: int) -> None:
        row = self.open.get(card)
        if row is not None and row[2] == KICKED and row[6] == GONE:
            row[6] = MET

    # -- fights

    def _fight(self, e: Event, gone: list[int]) -> None:
        if self.fight is not None:
            self._fight_over(e, gone)
        self._met(e.card)
        self.fight = [max(1, self.turns), e.seat, -1, self.numbers[e.card], 1, BROKEN_OFF]
        self.running = self.dead = self.got = False

    def _joins(self, e: Event, gone: list[int]) -> None:
        if self.fight is not None:
            self.fight[4] += 1

    def _help(self, e: Event, gone: list[int]) -> None:
        if self.fight is not None:
            self.fight[2] = e.seat

    def _victory(self, e: Event, gone: list[int]) -> None:
        if self.fight is not None:
            self.fight[5] = WON_ALONE if self.fight[2] < 0 else WON_WITH_HELP

    def _losing(self, e: Event, gone: list[int]) -> None:
        self.running = True

    def _caught(self, e: Event, gone: list[int]) -> None:
        self.got = True

    def _death(self, e: Event, gone: list[int]) -> None:
        self.out.deaths[e.seat] += 1
        self.dead = True

    def _fight_over(self, e: Event | None, gone: list[int]) -> None:
        if self.fight is None:
            return
        if self.running and self.fight[5] == BROKEN_OFF:
            self.fight[5] = DIED if self.dead else CAUGHT if self.got else ESCAPED
        if self.fight[3] >= 0:
            self.out.fights.append(self.fight)
        self.fight = None


TOLD: Final[dict[str, Callable[[Recorder, Event, list[int]], None]]] = {
    "turn": Recorder._turn,
    "draw": Recorder._drawn,
    "kick": Recorder._drawn,
    "receive": Recorder._received,
    "charity": Recorder._handed,
    "given": Recorder._handed,
    "taken": Recorder._handed,
    "play": Recorder._played,
    "immediate": Recorder._played,
    "trouble": Recorder._played,
    "lost": Recorder._gone,
    "discard": Recorder._gone,
    "sale": Recorder._sale,
    "curse": Recorder._curse,
    "fight": Recorder._fight,
    "join": Recorder._joins,
    "help": Recorder._help,
    "victory": Recorder._victory,
    "losing": Recorder._losing,
    "caught": Recorder._caught,
    "death": Recorder._death,
    "fight_over": Recorder._fight_over,
}


def cards_of(packs: Sequence[str]) -> list[dict[str, Any]]:
    """The different cards of a mix, in the order of their numbers."""
    lib = library(packs)
    copies: dict[int, int] = {}
    for c, number in enumerate(_numbers(lib)):
        if c not in lib.origin:
            copies[number] = copies.get(number, 0) + 1
    return [
        {"card": i, "name": d.name, "pack": d.pack, "kind": d.kind, "deck": d.deck, "copies": copies.get(i, 0)}
        for i, d in enumerate(lib.unique)
    ]
