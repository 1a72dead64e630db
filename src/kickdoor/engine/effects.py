"""What cards do: programs of steps, run one at a time as frames, so that a choice may interrupt them anywhere.

Each verb of the card language is one function in `verbs_levels`, `verbs_cards` or `verbs_fight`. It returns True when
it is done, and False when it has asked something and wants to be called again with the answer in `f.ans`.
"""

from __future__ import annotations

from copy import copy

from kickdoor.cards.library import Args
from kickdoor.engine import queries as q
from kickdoor.engine import zones
from kickdoor.engine.frames import Effect
from kickdoor.engine.game import Game
from kickdoor.engine.moves import seat_of


def step_effect(g: Game, f: Effect) -> bool:
    """Run the next step of the program on top."""
    program = g.lib.programs[f.prog]
    if f.pc >= len(program):
        g.stack.pop()
        finish(g, f)
        return True
    instr = program[f.pc]
    above = len(g.stack)
    if instr.fn(g, f, instr.a):
        f.pc += 1
        f.ans = None
    elif len(g.stack) > above + 1:
        # What it set off comes first; what it asks must lie right on it, since that is where the answer goes.
        g.stack.insert(above, g.stack.pop())
    return True


def finish(g: Game, f: Effect) -> None:
    """A played card is put away when its program is done."""
    if f.cause == "portal":
        from kickdoor.engine import dungeons

        dungeons.portal_done(g, f)
    elif f.cause == "laid":
        g.dirty |= 1 << f.actor
    elif f.cause in ("played", "immediate") and f.card in g.limbo and not zones.lies_open(g, f.card):
        g.limbo.remove(f.card)
        zones.to_discard(g, f.card, "SPECIAL-3")


def run(g: Game, f: Effect, prog: int, seat: int = -2) -> None:
    """Run a part of a program on top of this one, with the same persons; `seat` makes it about that player."""
    if prog < 0:
        return
    new = copy(f)
    new.prog, new.pc, new.ans = prog, 0, None
    if new.cause in ("played", "immediate", "portal", "laid"):
        new.cause = "part"
    if seat != -2:
        new.mem = (seat,)
    g.stack.append(new)


def otherwise(g: Game, f: Effect, a: Args) -> bool:
    """It could not happen: do what `else` says (AMB-69)."""
    if a.else_ >= 0:
        f.ans = None
        run(g, f, a.else_)
    return True


def seat_for(g: Game, f: Effect, word: str) -> int:
    """Whom a step is about; inside `each` that is the player whose go it is."""
    if not word:
        return f.mem[0] if f.mem else f.who
    n = len(g.players)
    fight = g.fight
    if word == "this":
        return f.mem[0] if f.mem else f.who
    if word == "victim":
        return f.who
    if word == "actor":
        return f.actor
    if word == "target":
        s = seat_of(f.target)
        return s if s >= 0 else q.owner(g, f.target)
    if word == "left":
        return (f.who + 1) % n
    if word == "right":
        return (f.who - 1) % n
    if word == "main":
        return fight.main if fight is not None else -1
    if word == "helper":
        return fight.helper if fight is not None else -1
    raise ValueError(f"nobody is called {word!r}")  # the language has no such word


def amount(f: Effect, value: int | str) -> int:
    """A number, the die's result, what was remembered, or the bonus of what was paid with."""
    if isinstance(value, int):
        return value
    times, star, word = value.rpartition("*")  # "2*remembered"
    n = f.n if word in ("roll", "remembered", "paid") else int(word)
    return int(times) * n if star else n


def rule_of(f: Effect) -> str:
    return {"curse": "CURSE-3", "bad_stuff": "RUN-11"}.get(f.cause, "CONF-1")


def cause_of(f: Effect) -> str:
    return f.cause if f.cause in (zones.CURSE, zones.BAD_STUFF) else zones.COST
