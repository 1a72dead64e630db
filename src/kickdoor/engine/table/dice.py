"""The die (SETUP-8, AMB-1): one d6, thrown by the generator inside the value or by a script, then open to change."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.engine.facts import force, front
from kickdoor.engine.table.rows import Moment, has_passed, marks_pass, yet_to_pass
from kickdoor.engine.value import uses
from kickdoor.engine.value.frames import Effect, Roll, RollOff
from kickdoor.engine.value.game import Game

RUN_ROLL = 0
CARD_ROLL = 1


def throw(g: Game, seat: int, rule: str) -> int:
    """One plain throw, nobody asked."""
    if g.dice:
        face, g.dice = g.dice[0], g.dice[1:]
    else:
        face = g.random(6) + 1
    g.rolls = [*g.rolls, face]
    g.emit("roll", seat, n=face, rule=rule)
    return face


def start_roll(
    g: Game,
    seat: int,
    purpose: int,
    need: int = 0,
    foe: int = -1,
    bonus: int = 0,
    rule: str = "SETUP-8",
    mount: int = -1,
) -> None:
    """Throw and open the moment in which only what changes rolls may be used (AMB-77)."""
    uses.begin_roll(g)
    face = throw(g, seat, "RUN-6" if purpose == RUN_ROLL else rule)
    bonus += force.total(g, seat, "die")
    g.stack.append(Roll(seat, purpose, face, bonus, need, foe, base=bonus, mount=mount))


def step_roll_off(g: Game, f: RollOff) -> bool:
    """Everybody throws, each throw open to what changes rolls; who is tied throws again (DEATH-9, FQ-BOOK-8)."""
    if f.ans is not None:
        f.rolls, f.ans = (*f.rolls, f.ans[1]), None
    if len(f.rolls) == len(f.tied):
        best = min(f.rolls) if f.low else max(f.rolls)
        f.tied = tuple(s for s, n in zip(f.tied, f.rolls, strict=True) if n == best)
        f.rolls = ()
    if len(f.tied) > 1:
        start_roll(g, f.tied[len(f.rolls)], CARD_ROLL, rule=f.rule)
        return True
    g.stack.pop()
    if not f.event:
        g.stack[-1].ans = f.tied  # type: ignore[attr-defined]
    elif front.owner(g, f.card) != f.tied[0]:
        g.stack.append(Effect(g.lib.defs[f.card].on[f.event], f.card, f.tied[0], f.tied[0], cause=f.event))
    return True


def result(f: Roll) -> int:
    return f.face + f.bonus


def failed(f: Roll) -> bool:
    return f.need > 0 and result(f) < f.need


def step_roll(g: Game, f: Roll) -> bool:
    alive = 0
    for s, p in enumerate(g.players):
        if not p.dead:
            alive |= 1 << s
    if f.passed & alive != alive:
        return False
    g.stack.pop()
    below = g.stack[-1]
    below.ans = (f.face, result(f), f.forced)  # type: ignore[attr-defined]
    return True


def reopen(g: Game, f: Roll, bonus: int) -> None:
    """The roll has been changed: `bonus` is what its roller adds to it now, after what it has cost (FQ-BASE-31)."""
    bonus += force.total(g, f.seat, "die")
    f.bonus, f.base = f.bonus + bonus - f.base, bonus
    f.passed = 0


def roll_stage(g: Game, f: Roll, seat: int) -> int:
    ctx = cx.ROLL
    if failed(f):
        ctx |= cx.ROLL_FAILED
    if seat == f.seat:
        ctx |= cx.ROLLER
        if f.purpose == RUN_ROLL:
            ctx |= cx.RUNNER
    return ctx


def find_roll(g: Game) -> Roll | None:
    for f in reversed(g.stack):
        if type(f) is Roll:
            return f
    return None


MOMENT: Final[Moment] = Moment(yet_to_pass, roll_stage, has_passed, marks_pass)
