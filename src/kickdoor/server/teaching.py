"""The guided first game, as the learner is shown it: where he is in it, what to do next, and why."""

from __future__ import annotations

from typing import Final

from kickdoor.bots.lesson import LEARNER, Lesson, Note, first
from kickdoor.engine.kernel import legal
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.paper.grammar import Person, Word, render
from kickdoor.server import menu
from kickdoor.server import protocol as pr

_PASS: Final = Note("Your word", "There is nothing for you to do here. Press the big button.")
_WAIT: Final = Note("A moment", "The others are at it.")
_PEOPLE: Final = ("me", "a", "b")


def state(g: Game, viewer: int) -> pr.LessonState | None:
    """The next step for the learner; None for others, and when the story is over or has been left."""
    if viewer != LEARNER or len(g.players) != len(_PEOPLE):
        return None
    told = first()
    step = told.at(g)
    if step < 0:
        return None
    move, note = _next(told, g, step)
    return {
        "step": step + 1,
        "of": len(told.steps),
        "title": note.title,
        "text": render(note.text, lambda gap: _person(g, gap)),
        "move": menu.key(move) if move is not None else "",
    }


def _next(told: Lesson, g: Game, step: int) -> tuple[Move | None, Note]:
    s = told.steps[step]
    move = told.move(g, step)
    if move is not None and s.seat == LEARNER:
        return move, s.say or _PASS
    done = Move(LEARNER, mv.PASS)
    theirs = move is not None and s.wait is not None  # somebody is about to do something: he should see it first
    if done in legal(g, LEARNER) and not theirs:
        return done, s.at.get(type(g.stack[-1]).__name__.lower()) or s.passing or _PASS
    return None, _waiting(told, step)


def _waiting(told: Lesson, step: int) -> Note:
    """What is said while others act: the last thing that was, since the learner's own last move."""
    for s in reversed(told.steps[: step + 1]):
        if s.wait is not None:
            return s.wait
        if s.seat == LEARNER:
            break
    return _WAIT


def _person(g: Game, gap: str) -> Word:
    seat = _PEOPLE.index(gap)
    return Person(g.players[seat].name, seat == LEARNER)
