"""Verbs of the card language: monsters that are not fought at all (EPIC-26, EPIC-45)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import epic
from kickdoor.engine.effects.programs import otherwise
from kickdoor.engine.facts import fights
from kickdoor.engine.table import zones
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import ACTIVE, Foe


def _foe(g: Game, f: Effect) -> Foe | None:
    foe = fights.find_foe(g.fight, f.target) if g.fight is not None else None
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
    """Eaten: a kill, worth its level and printed Treasure when the fight is over (EPIC-45..EPIC-49, CONF-6, AMB-45)."""
    foe = _foe(g, f)
    if foe is None:
        return otherwise(g, f, a)
    epic.eat(g, foe, f.actor)
    g.emit("eaten", f.actor, foe.card, rule="EPIC-45")
    return True
