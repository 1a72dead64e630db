"""Making a Steed of a monster, and mounting what may be ridden (EPIC-53..EPIC-55, FQ-DER-10)."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import epic
from kickdoor.engine.effects.programs import otherwise
from kickdoor.engine.table import items, several_piles, steeds, taming, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import Effect, Window
from kickdoor.engine.value.game import DOOR, Game
from kickdoor.engine.value.moves import NONE


def tame(g: Game, f: Effect, a: Args) -> bool:
    """No kill, no Treasure: the monster is the tamer's Steed, with its Treasures as bonus (FQ-DER-1..FQ-DER-3)."""
    if taming.why_not(g, f.actor, f.target) is not None:
        return otherwise(g, f, a)
    if f.ans is None:
        ask(g, f.actor, steeds.places(g, f.actor), card=f.target, about="steed", rule="FQ-DER-3")
        if f.ans is None:
            return False
    if f.ans[0] != NONE:
        zones.discard_in_play(g, f.actor, f.ans[0], zones.REPLACED, "FQ-DER-3")
    bonus = _leaves_the_fight(g, f.target) if taming.foe_of(g, f.target) is not None else _picked_up(g, f.target)
    g.ridden = {**g.ridden, f.target: bonus}
    zones.to_table(g, f.actor, f.target)
    g.emit("tamed", f.actor, f.target, n=bonus, rule="FQ-DER-1" if g.fight is not None else "EPIC-54")
    return True


def _leaves_the_fight(g: Game, card: int) -> int:
    """What lay on it is discarded; the rest of the fight goes on, if need be without a monster (FQ-DER-2, FQ-DER-8)."""
    foe = taming.foe_of(g, card)
    assert foe is not None
    assert g.fight is not None
    epic.leave_fight(g, foe)
    g.fight.deserted = False  # as after a Charm, others may still answer (FQ-CBT-35)
    return g.lib.defs[card].treasures


def _picked_up(g: Game, card: int) -> int:
    """From the discards, worth what it would have paid (EPIC-55, AMB-48)."""
    bonus = next(n for c, n in reversed(g.strays) if c == card)
    several_piles.take_back(g, DOOR, card)
    for f in g.stack:
        if isinstance(f, Window) and f.what == taming.STRAY:
            f.passed = 0
    return bonus


def ride(g: Game, f: Effect, a: Args) -> bool:
    """The owner says what it is now: a Steed, or again what it is otherwise (FQ-DER-10)."""
    if f.card not in g.players[f.actor].table or not taming.may_ride(g, f.actor, f.card):
        return otherwise(g, f, a)
    if f.card in g.ridden:
        g.ridden = renewed.without(g.ridden, f.card)
        g.touch()
        if items.why_not_equip(g, f.actor, f.card) is None:
            g.equipped.add(f.card)
    else:
        g.equipped.discard(f.card)
        g.ridden = {**g.ridden, f.card: 0}
    g.touch()
    g.dirty |= 1 << f.actor
    g.emit("ride", f.actor, f.card, n=int(f.card in g.ridden), rule="FQ-DER-10")
    return True
