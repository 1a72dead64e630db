"""Windows with nothing more to them than that everyone may act or pass; and showing one's hand (PILE-15)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import death
from kickdoor.engine.playing import abilities
from kickdoor.engine.table import taming
from kickdoor.engine.table.rows import Action, Moment, has_passed, marks_pass, yet_to_pass
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.frames import Ask, Window
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason

_STAGE: Final = {
    "escaped": cx.ESCAPED,
    "victory": cx.VICTORY,
    "opening": cx.OPENING,
    "invited": cx.INVITED,
    taming.STRAY: cx.STRAY,
    death.DYING: cx.DYING,
}


def step_window(g: Game, f: Window) -> bool:
    alive = sum(1 << s for s, p in enumerate(g.players) if not p.dead)
    if f.what == death.DYING:
        alive = 1 << f.seat
    if f.passed & alive == alive or not _matters(g, f):
        g.stack.pop()
        if f.what == taming.STRAY:
            g.strays = []
        return True
    return False


def _matters(g: Game, f: Window) -> bool:
    """Is there any card in the whole game that could be used at such a moment? (Never a question of hands.)"""
    return bool(g.lib.stages() & _STAGE[f.what])


def awaited_window(g: Game, f: Window) -> list[int]:
    return [f.seat] if f.what == death.DYING else yet_to_pass(g, f)


def window_stage(g: Game, f: Window, seat: int) -> int:
    if f.what == death.DYING and seat != f.seat:
        return 0
    if f.what == "victory" and seat == f.seat:
        return _STAGE[f.what] | cx.MAIN  # the fight is over, but it was his
    return _STAGE[f.what]


def last_words(g: Game, seat: int) -> bool:
    """The dead do nothing any more but what the dying do (DEATH-12, FQ-REL-7), and answer when a card asks them about
    somebody else: it is the character who died, not who plays him."""
    f = g.stack[-1]
    if type(f) is Ask:
        return f.seat == seat
    return type(f) is Window and f.what == death.DYING and f.seat == seat


def offer_strays(g: Game) -> bool:
    """Somebody may want what was discarded: everybody sees who has the power, and the cards to pay (EPIC-53)."""
    if any(type(f) is Window and f.what == taming.STRAY for f in g.stack):
        return False
    wanted = taming.strays(g)
    for s in g.living(g.turn) if wanted else ():
        for c, p in abilities.sources(g, s):
            able = any(a & cx.STRAY for a, _ in p.alts) and abilities.can_pay(g, s, c, p)
            if able and (p.test is None or p.test(g, s, None)):
                g.stack.append(Window(taming.STRAY, s))
                return True
    g.strays = []
    return False


def may_show(g: Game, seat: int) -> bool:
    p = g.players[seat]
    return bool(p.hand) and not p.shown


def why_not_show(g: Game, ctx: int, move: Move) -> Reason | None:
    return None if may_show(g, move.seat) else r.SHOWN


def show(g: Game, move: Move) -> None:
    g.players[move.seat].shown = True
    g.emit("show_hand", move.seat, rule="PILE-15")


MOMENT: Final[Moment] = Moment(awaited_window, window_stage, has_passed, marks_pass)
SHOWING: Final[Action] = Action(why_not_show, show)
