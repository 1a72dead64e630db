"""Who is in a fight, and against whom."""

from __future__ import annotations

from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import seat_of
from kickdoor.engine.value.records import ACTIVE, Fight, Foe


def fighters(g: Game) -> list[int]:
    f = g.fight
    if f is None:
        return []
    return [f.main, f.helper] if f.helper >= 0 else [f.main]


def in_fight(g: Game, seat: int) -> bool:
    """Main or helper, from exposure until running away is over (COMBAT-25, SAMB-9)."""
    f = g.fight
    return f is not None and not f.over and (f.main == seat or f.helper == seat)


def active_foes(f: Fight) -> list[Foe]:
    return [x for x in f.foes if x.fate == ACTIVE]


def foe_count(g: Game) -> int:
    return len(active_foes(g.fight)) if g.fight is not None else 0


def find_foe(f: Fight, card: int) -> Foe | None:
    for x in f.foes:
        if x.card == card:
            return x
    return None


def opts_in(g: Game, prog: int) -> bool:
    """Is this the program that declares an Item for the fight?"""
    return prog >= 0 and any(i.verb == "opt_in" for i in g.lib.programs[prog])


def target_seat(f: Effect | None) -> int:
    return seat_of(f.target) if f is not None else -1
