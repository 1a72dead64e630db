"""Verbs of the card language: monsters that are not fought at all (EPIC-26, EPIC-45)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine import epic, levels, zones
from kickdoor.engine import queries as q
from kickdoor.engine.effects import otherwise
from kickdoor.engine.frames import Effect
from kickdoor.engine.game import Game
from kickdoor.engine.records import ACTIVE, Foe


def _foe(g: Game, f: Effect) -> Foe | None:
    foe = q.find_foe(g.fight, f.target) if g.fight is not None else None
    return foe if foe is not None and foe.fate == ACTIVE else None


def make_pet(g: Game, f: Effect, a: Args) -> bool:
    """Instead of being fought, a monster lies before the actor: no kill, no Treasure (EPIC-26, EPIC-28)."""
    foe = _foe(g, f)
    if foe is None or foe.card != foe.face:  # the card of a copy is no monster
        return otherwise(g, f, a)
    epic.leave_fight(g, foe)
    zones.to_table(g, f.actor, foe.card)
    g.emit("pet", f.actor, foe.card, rule="EPIC-28")
    return True


def eat_monster(g: Game, f: Effect, a: Args) -> bool:
    """Eaten: a kill, for a level at once and its printed Treasure; its bonuses are gone (EPIC-45..EPIC-49, AMB-45)."""
    foe = _foe(g, f)
    if foe is None:
        return otherwise(g, f, a)
    assert g.fight is not None
    epic.leave_fight(g, foe)
    zones.to_discard(g, foe.card, "EPIC-45")
    g.fight.owed += g.lib.defs[foe.face].treasures
    g.emit("eaten", f.actor, foe.card, rule="EPIC-45")
    levels.gain(g, f.actor, 1, "EPIC-48", kill=True)
    levels.check_win(g, [f.actor])
    return True
