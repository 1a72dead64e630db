"""Rolling the die for a card, and changing what it shows (FQ-DICE, RUN-6)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import running_away
from kickdoor.engine.effects.programs import amount, run, seat_for
from kickdoor.engine.table import dice
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import NUMBERS, Effect
from kickdoor.engine.value.game import Game


def roll(g: Game, f: Effect, a: Args) -> bool:
    """One throw. A normal Run Away roll is one to all that speaks of such rolls, with no monster behind (AMB-64)."""
    flight = a.word == "run_away"
    if f.ans is None:
        seat = seat_for(g, f, a.who)
        if flight:
            own = running_away.run_bonus(g, seat)  # EPIC-43
            dice.start_roll(g, seat, dice.RUN_ROLL, g.rules.run.success_min, bonus=own)
        else:
            dice.start_roll(g, seat, dice.CARD_ROLL)
        return False
    least = g.rules.run.success_min if flight and f.ans[2] else 1
    f.n = max(least, f.ans[1])
    return True


def by_roll(g: Game, f: Effect, a: Args) -> bool:
    run(g, f, a.table[min(12, max(1, f.n))])
    return True


def set_die(g: Game, f: Effect, a: Args) -> bool:
    """Turn the die to a face of one's choice; modifiers come after (FQ-BASE-30, FQ-BASE-31)."""
    if f.ans is None:
        ask(g, f.actor, range(1, 7), domain=NUMBERS, card=f.card, about="die", rule="FQ-BASE-30")
        return False
    frame = dice.find_roll(g)
    if frame is not None:
        frame.face = f.ans[0]
        g.rolls = renewed.at(g.rolls, -1, frame.face)
        g.emit("die_set", f.actor, f.card, n=frame.face, rule="FQ-BASE-30")
        running_away.changed(g, frame)
    return True


def reroll(g: Game, f: Effect, a: Args) -> bool:
    frame = dice.find_roll(g)
    if frame is not None:
        if a.word == "clean":
            frame.bonus, frame.forced = frame.base, 0
        frame.face = dice.throw(g, frame.seat, "RUN-6")
        running_away.changed(g, frame)
    else:
        running_away.roll_again(g, seat_for(g, f, "target"))
    return True


def roll_bonus(g: Game, f: Effect, a: Args) -> bool:
    frame = dice.find_roll(g)
    if frame is not None:
        frame.bonus += amount(f, a.amount)
        g.emit("roll_bonus", f.actor, n=amount(f, a.amount), rule="RUN-6")
        running_away.changed(g, frame)
    return True
