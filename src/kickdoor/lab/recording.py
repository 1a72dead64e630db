"""A game between bots, move by move, and what becomes of its cards and fights: the part of `playing` that is compiled.

The rows are lists of numbers, as they are kept in a record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final

from kickdoor.bots.driver import Table, unasked
from kickdoor.bots.seat import Bot
from kickdoor.cards.library import Library
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event
from kickdoor.lab.extras import LabError

# How a card came to a seat, and what became of it there.
HOWS: Final = ("dealt", "drawn", "kicked", "given")
DEALT: Final = 0
DRAWN: Final = 1
KICKED: Final = 2
GIVEN: Final = 3
FATES: Final = ("gone", "in_hand", "in_play", "played", "sold", "passed_on", "met")
GONE: Final = 0
IN_HAND: Final = 1
IN_PLAY: Final = 2
PLAYED: Final = 3
SOLD: Final = 4
PASSED_ON: Final = 5
MET: Final = 6
ENDS: Final = ("won_alone", "won_with_help", "escaped", "caught", "died", "broken_off")
WON_ALONE: Final = 0
WON_WITH_HELP: Final = 1
ESCAPED: Final = 2
CAUGHT: Final = 3
DIED: Final = 4
BROKEN_OFF: Final = 5


def to_the_end(
    table: Table,
    bots: Sequence[Bot],
    thought: Sequence[Callable[[float], None]],
    recorder: Recorder | None,
    turns: int,
    moves: int,
) -> None:
    """Play until somebody has won, for so many turns and moves at most. `thought` is told how long each seat took,
    whenever it was asked."""
    g = table.game
    while (turn := table.next()) is not None:
        s, must = turn
        seat = table.seat(s)
        move = unasked(bots[s], seat) if must else None
        if move is None:
            began = perf_counter()
            choice = bots[s].choose(seat) if must else bots[s].interject(seat)
            thought[s](perf_counter() - began)
            if choice is None:
                continue
            move = choice.move
        events = table.apply(move)
        if recorder is not None:
            recorder.see(events)
        if g.turns > turns or table.count > moves:
            raise LabError(f"no winner after {g.turns} turns and {table.count} moves")
    if recorder is not None:
        recorder.close()


def numbering(lib: Library) -> list[int]:
    """For each physical card the number of its definition among the different ones; -1 for what is in no deck."""
    number = {id(d): i for i, d in enumerate(lib.unique)}
    return [number.get(id(d), -1) for d in lib.defs]


_NUMBERS: dict[int, tuple[Library, list[int]]] = {}


def numbers(lib: Library) -> list[int]:
    """The same, worked out once for many games with the same cards."""
    got = _NUMBERS.get(id(lib))
    if got is None or got[0] is not lib:
        _NUMBERS.clear()
        got = _NUMBERS[id(lib)] = (lib, numbering(lib))
    return got[1]


class Recorder:
    """Follows the cards and the fights of one game by its events."""

    def __init__(self, g: Game) -> None:
        self.g = g
        self.numbers = numbers(g.lib)
        self.open: dict[int, list[int]] = {}  # physical card -> its row
        self.fight: list[int] | None = None
        self.running = self.dead = self.got = False
        self.turns = g.turns
        self.levels: list[list[int]] = [[] for _ in g.players]
        self.deaths = [0] * len(g.players)
        self.cards: list[list[int]] = []
        self.fights: list[list[int]] = []
        for s, p in enumerate(g.players):
            for c in p.hand:
                self._arrives(c, s, DEALT)

    def kept(self) -> tuple[list[list[int]], list[int], list[list[int]], list[list[int]]]:
        """Levels, deaths, cards and fights, to which more is added as the game goes on."""
        return self.levels, self.deaths, self.cards, self.fights

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
            self.cards.append(row)
        return row

    def _turn(self, e: Event, gone: list[int]) -> None:
        self.turns = e.n
        for s, p in enumerate(self.g.players):
            self.levels[s].append(p.level)
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
        self.deaths[e.seat] += 1
        self.dead = True

    def _fight_over(self, e: Event | None, gone: list[int]) -> None:
        if self.fight is None:
            return
        if self.running and self.fight[5] == BROKEN_OFF:
            self.fight[5] = DIED if self.dead else CAUGHT if self.got else ESCAPED
        if self.fight[3] >= 0:
            self.fights.append(self.fight)
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
    "portal": Recorder._played,
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
