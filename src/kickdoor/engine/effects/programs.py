"""What cards do: programs of steps, run one at a time as frames, so that a choice may interrupt them anywhere.

Each verb of the card language is one function in `verbs_levels`, `verbs_cards` or `verbs_fight`. It returns True when
it is done, and False when it has asked something and wants to be called again with the answer in `f.ans`.
"""

from __future__ import annotations

from copy import copy

from kickdoor.cards.library import Args
from kickdoor.engine.facts import front
from kickdoor.engine.table import zones
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import seat_of


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
    run(g, f, a.else_)
    return True


def seat_for(g: Game, f: Effect, word: str) -> int:
    """Whom a step is about; inside `each` that is the player whose go it is."""
    if not word or word == "this":
        return f.mem[0] if f.mem else f.who
    n = len(g.players)
    fight = g.fight
    if word == "victim":
        return f.who
    if word == "actor":
        return f.actor
    if word == "target":
        s = seat_of(f.target)
        return s if s >= 0 else front.owner(g, f.target)
    if word == "left":
        return (f.who + 1) % n
    if word == "right":
        return (f.who - 1) % n
    if word == "this_left":
        return ((f.mem[0] if f.mem else f.who) + 1) % n
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
