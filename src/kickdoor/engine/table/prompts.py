"""Prompts: one player must answer, out of a list, one choice at a time (DESIGN: the first of the two shapes)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kickdoor.engine.table.rows import Question
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import CARDS, Ask
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import CANCEL, CHOOSE, DONE, NONE, Move, word
from kickdoor.engine.value.reasons import Reason


def ask(
    g: Game,
    seat: int,
    options: Iterable[int],
    *,
    about: str,
    rule: str,
    domain: int = CARDS,
    low: int = 1,
    high: int = 1,
    card: int = NONE,
    secret: bool = False,
    cancel: bool = False,
    order: bool = False,
) -> None:
    """Ask; the answer goes to the frame below the question, in `ans`. A single possible answer answers itself.

    With `order` the options are to be put in order, all of them.
    """
    opts = tuple(options)
    if order:
        low = high = len(opts)
    low, high = min(low, len(opts)), min(high, len(opts))
    g.stack.append(Ask(seat, domain, opts, low, high, (), card, about, rule, secret, cancel, order))


def step_ask(g: Game, f: Ask) -> bool:
    if f.low == f.high == len(f.options) and not f.cancel and not f.order:
        f.chosen = f.options
    if f.order and len(f.chosen) == len(f.options) - 1:  # the last one is no choice
        f.chosen += tuple(o for o in f.options if o not in f.chosen)
    if len(f.chosen) >= f.high:  # never more than there are options
        _answer(g, f)
        return True
    return False


def _answer(g: Game, f: Ask) -> None:
    g.stack.pop()
    g.stack[-1].ans = f.chosen  # type: ignore[attr-defined]


def moves_ask(g: Game, f: Ask, out: list[Move]) -> None:
    chosen = f.chosen
    for o in f.options:
        if o not in chosen:
            out.append(Move(f.seat, CHOOSE, o))
    if len(chosen) >= f.low:
        out.append(word(f.seat, DONE))
    if f.cancel and not chosen:
        out.append(word(f.seat, CANCEL))


def why_not(g: Game, f: Ask, move: Move) -> Reason | None:
    """Why that is no answer: by the rule that puts the question."""
    if move.verb == CHOOSE:
        why = None if move.card in f.options and move.card not in f.chosen else r.NOT_ASKED
    elif move.verb == DONE:
        why = None if len(f.chosen) >= f.low else r.TOO_FEW_CHOSEN
    elif move.verb == CANCEL:
        return None if f.cancel and not f.chosen else r.NO_TAKING_BACK
    else:
        return r.ANSWER_FIRST
    return None if why is None else why._replace(rule=f.rule)


def why_not_asked(g: Game, ctx: int, move: Move) -> Reason | None:
    return r.NO_QUESTION


def play_ask(g: Game, f: Ask, move: Move) -> None:
    if move.verb == CHOOSE:
        f.chosen = (*f.chosen, move.card)
    elif move.verb == DONE:
        _answer(g, f)
    else:
        g.stack.pop()
        g.stack[-1].ans = (NONE,)  # type: ignore[attr-defined]


ASKED: Final[Question] = Question(moves_ask, why_not, play_ask)
