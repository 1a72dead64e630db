"""The die (SETUP-8, AMB-1): one d6, thrown by the generator inside the value or by a script, then open to change."""

from __future__ import annotations

from kickdoor.engine import queries as q
from kickdoor.engine.frames import Roll
from kickdoor.engine.game import Game
from kickdoor.engine.moves import PASS, Move

RUN_ROLL = 0
CARD_ROLL = 1


def throw(g: Game, seat: int, rule: str) -> int:
    """One plain throw, nobody asked."""
    face = g.dice.pop(0) if g.dice else g.random(6) + 1
    g.rolls.append(face)
    g.emit("roll", seat, n=face, rule=rule)
    return face


def against_others(g: Game, seat: int, rule: str) -> int:
    """One throw to be compared with other players' (DEATH-9); what is on all of one's rolls is on this one."""
    return throw(g, seat, rule) + q.total(g, seat, "die")


def start_roll(
    g: Game, seat: int, purpose: int, need: int = 0, foe: int = -1, bonus: int = 0, rule: str = "SETUP-8"
) -> None:
    """Throw and open the moment in which only what changes rolls may be used (AMB-77)."""
    for key in [k for k in g.uses if k.startswith("roll:")]:
        del g.uses[key]
    face = throw(g, seat, "RUN-6" if purpose == RUN_ROLL else rule)
    bonus += q.total(g, seat, "die")
    g.stack.append(Roll(seat, purpose, face, bonus, need, foe, base=bonus))


def result(f: Roll) -> int:
    return f.face + f.bonus


def failed(f: Roll) -> bool:
    return f.need > 0 and result(f) < f.need and not f.forced


def step_roll(g: Game, f: Roll) -> bool:
    alive = 0
    for s, p in enumerate(g.players):
        if not p.dead:
            alive |= 1 << s
    if f.passed & alive != alive:
        return False
    g.stack.pop()
    below = g.stack[-1]
    below.ans = (f.face, result(f), f.forced)  # type: ignore[union-attr]
    return True


def reopen(f: Roll) -> None:
    f.passed = 0


def moves_roll(g: Game, f: Roll, seat: int, out: list[Move]) -> None:
    if not f.passed >> seat & 1:
        out.append(Move(seat, PASS))


def play_roll(g: Game, f: Roll, move: Move) -> None:
    f.passed |= 1 << move.seat


def find_roll(g: Game) -> Roll | None:
    for f in reversed(g.stack):
        if isinstance(f, Roll):
            return f
    return None
