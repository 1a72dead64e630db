"""Steps about other steps: choosing, conditions, everybody in turn, and asking first."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import curses
from kickdoor.engine.effects.programs import amount, otherwise, rule_of, run, seat_for
from kickdoor.engine.facts import fights
from kickdoor.engine.table import levels
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.frames import LABELS, SEATS, YESNO, Effect
from kickdoor.engine.value.game import Game


def choose(g: Game, f: Effect, a: Args) -> bool:
    if f.ans is None:
        seat = seat_for(g, f, a.who)
        ask(g, seat, range(len(a.labels)), domain=LABELS, card=f.card, about="choose", rule=rule_of(f))
        return False
    run(g, f, a.labels[f.ans[0]][1])
    return True


def if_(g: Game, f: Effect, a: Args) -> bool:
    assert a.test is not None
    run(g, f, a.do if a.test(g, seat_for(g, f, ""), f) else a.else_)
    return True


def each(g: Game, f: Effect, a: Args) -> bool:
    """Do something for several players, in an order: from the left, from the right, or as the victim says."""
    hit = [s for s in _each_of(g, f, a) if a.test is None or a.test(g, s, f)]
    if a.order == "choice":
        if f.ans is None:
            ask(g, f.who, hit, domain=SEATS, card=f.card, about="order", rule=rule_of(f), order=True)
            if f.ans is None:
                return False
        hit = list(f.ans)
    program = g.lib.programs[a.do] if a.do >= 0 else ()
    if all(i.verb == "gain_level" and i.a.who in ("", "this") for i in program):
        _all_at_once(g, f, [i.a for i in program], hit)
        return True
    for s in reversed(hit):
        run(g, f, a.do, s)
    return True


def _all_at_once(g: Game, f: Effect, gains: list[Args], hit: list[int]) -> None:
    """Levels that one card gives to several are gained together: nobody wins before the others have theirs."""
    risen = []
    for s in hit:
        for a in gains:
            if levels.gain(g, s, amount(f, a.amount), "LEVEL-2", may_win=a.may_win, check=False):
                risen.append(s)
    levels.check_win(g, risen)


def _each_of(g: Game, f: Effect, a: Args) -> list[int]:
    """The living players meant, less those whom somebody spared this Curse, or who are immune to it: what it brings
    them they may have."""
    n = len(g.players)
    around = [(f.who + i) % n for i in range(1, n)]
    if a.order == "right":
        around = [(f.who - i) % n for i in range(1, n)]
    if a.who == "everyone":
        around = [f.who, *around]
    elif a.who == "neighbours":
        around = list(dict.fromkeys([(f.who + 1) % n, (f.who - 1) % n]))  # with two at the table it is one
    elif a.who == "fighters":
        around = fights.fighters(g)
    living = [s for s in around if not g.players[s].dead]
    if a.who == "highest_level":  # of all at the table, of whom the victim may be one
        top = max((p.level for p in g.players if not p.dead), default=0)
        living = [s for s in living if g.players[s].level == top]
    frame = curses.find_curse(g)
    if frame is not None and frame.card == f.card:
        program = g.lib.programs[a.do] if a.do >= 0 else ()
        suffers = any(i.a.who == "this" and i.verb != "draw" for i in program)
        living = [s for s in living if not (curses.keeps_off(g, frame, s) if suffers else frame.spared >> s & 1)]
    return living


def consent(g: Game, f: Effect, a: Args) -> bool:
    """Ask a player whether he wants it; who did it himself has said so (FQ-BASE-38)."""
    seat = seat_for(g, f, a.who or "target")
    if seat == f.actor:
        run(g, f, a.do)
        return True
    if f.ans is None:
        ask(g, seat, (1, 0), domain=YESNO, card=f.card, about="consent", rule="FQ-BASE-38")
        return False
    if f.ans[0] == 1:
        run(g, f, a.do)
        return True
    return otherwise(g, f, a)
