"""The guided first game: which cards come in which order, who does what, and what the learner is told about it.

It is a game like any other, dealt from a stacked deck. Whether it still goes as written is read from the game itself
(`Lesson.at`), so there is nothing to keep and nothing to get out of step: a table that was left and loaded again goes
on where it was, and one where somebody did something else is a game against easy bots from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from kickdoor.cards.library import Library
from kickdoor.engine.kernel import apply, legal, to_act
from kickdoor.engine.setup import library, open_game, prepared, rules_for
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import DOOR, TREASURE, Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, Move
from kickdoor.engine.value.ruleset import Ruleset

FIRST: Final = "first"  # there is one lesson so far
LESSONS: Final = (FIRST,)
LEARNER: Final = 0
SEATS: Final = 3
_SIDES: Final = {"munchkins": MUNCHKINS, "monsters": MONSTERS}
_PICKS: Final = {"main": mv.PICKS_MAIN, "helper": mv.PICKS_HELPER, "handed": mv.PICKS_HANDED}
_ENOUGH: Final = 500  # moves; the lesson has about a hundred


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the learner is told. {me}, {a} and {b} are the players."""

    title: str
    text: str


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"passing": "pass"}):
    """A move of somebody, and what the learner is told before it: about his own move, about passing, about waiting."""

    seat: int
    action: str
    card: str = ""
    target: str = ""
    treasures: int = -1
    picks: str = ""
    say: Note | None = None
    passing: Note | None = None
    at: dict[str, Note] = {}  # instead of `pass`, by what is being settled: flee, roll, window
    wait: Note | None = None


class Lesson(msgspec.Struct, forbid_unknown_fields=True):
    """The whole of it."""

    packs: list[str]
    seed: int
    rules: dict[str, Any]
    treasures: list[str]
    doors: list[str]
    dice: list[int]
    steps: list[Step]

    def deal(self, players: Sequence[str], sexes: Sequence[str], lib: Library, rules: Ruleset, seed: int) -> Game:
        """The game it is played with: shuffled as always, then what the story needs is put on top."""
        g = prepared(players, self.packs, seed, rules, sexes, lib=lib)
        for deck, names in ((DOOR, self.doors), (TREASURE, self.treasures)):
            _stack(g, deck, names)
        g.dice = list(self.dice)
        open_game(g, first=LEARNER)
        return g

    def at(self, g: Game) -> int:
        """The step that comes next in this game; -1: the story is over, or this is another one."""
        return _marks().get(mark(g), -1)

    def move(self, g: Game, step: int) -> Move | None:
        """The move of a step, if it can be made now."""
        return _meant(g, self.steps[step]) if 0 <= step < len(self.steps) else None


def _stack(g: Game, deck: int, names: Sequence[str]) -> None:
    """These cards on top of a deck, the first of them uppermost; the last card of a pile is its top."""
    pile = g.piles[deck]
    top: list[int] = []
    for name in names:
        card = next(c for c in g.lib.by_name[name.lower()] if c in pile and c not in top)
        top.append(card)
    g.piles[deck] = [c for c in pile if c not in top] + top[::-1]


def _meant(g: Game, s: Step) -> Move | None:
    """The legal move that a step describes."""
    for m in legal(g, s.seat):
        if mv.VERB_NAMES[m.verb] != s.action or (s.card and (m.card < 0 or g.lib.defs[m.card].name != s.card)):
            continue
        if s.target and m.target != _SIDES[s.target]:
            continue
        if s.treasures >= 0 and not (mv.names_treasures(m.extra) and mv.treasures_in(m.extra) == s.treasures):
            continue
        if s.picks and not (mv.names_picks(m.extra) and mv.picks_in(m.extra) == _PICKS[s.picks]):
            continue
        return m
    return None


def mark(g: Game) -> tuple[Any, ...]:
    """Where a game is, whoever sits there and whoever has passed."""
    top = g.stack[-1]
    fight = g.fight
    return (
        g.turns,
        g.turn,
        type(top).__name__,
        (top.treasures, top.picks, top.give) if isinstance(top, fr.Draft) else (),
        tuple((p.level, p.dead, tuple(p.hand), tuple(p.table)) for p in g.players),
        tuple(len(pile) for pile in g.piles),
        tuple(len(pile) for pile in g.discards),
        tuple(sorted(g.equipped)),
        g.door_card,
        len(g.offers),
        tuple(g.rolls),
        (fight.helper, fight.over, fight.fleeing, len(fight.foes), len(fight.enhancers), len(fight.committed))
        if fight is not None
        else (),
        g.stack[0].phase if isinstance(g.stack[0], fr.Turn) else -1,
    )


@lru_cache(maxsize=1)
def first() -> Lesson:
    """The lesson, as it is written."""
    text = (Path(__file__).parent / "lesson.yaml").read_text("utf-8")
    return msgspec.convert(yaml.safe_load(text), Lesson)


def rehearse(lesson: Lesson, note: list[tuple[Game, int]] | None = None) -> Game:
    """Play it as written, everybody passing where there is nothing else; `note` gets each position and its step."""
    lib, rules = library(tuple(lesson.packs)), rules_for(tuple(lesson.packs), **lesson.rules)
    g = lesson.deal(("Ann", "Bob", "Cid"), (), lib, rules, lesson.seed)
    step = 0
    for _ in range(_ENOUGH):
        if note is not None:
            note.append((g.clone(), step))
        if step == len(lesson.steps):
            return g
        move = lesson.move(g, step)
        if move is not None:
            step += 1
        else:
            move = next((Move(s, mv.PASS) for s in to_act(g) if Move(s, mv.PASS) in legal(g, s)), None)
        if move is None:
            raise ValueError(f"step {step} of the lesson cannot be made: {lesson.steps[step]}")
        apply(g, move)
    raise ValueError("the lesson does not come to an end")


@lru_cache(maxsize=1)
def _marks() -> dict[tuple[Any, ...], int]:
    """The step that comes next, by where the game is."""
    path: list[tuple[Game, int]] = []
    lesson = first()
    rehearse(lesson, path)
    return {mark(g): step for g, step in path if step < len(lesson.steps)}
