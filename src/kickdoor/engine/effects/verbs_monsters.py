"""Verbs of the card language: monsters that come back from the discards, or change."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import combat
from kickdoor.engine.effects.programs import amount, otherwise, seat_for
from kickdoor.engine.facts import fights
from kickdoor.engine.table import several_piles, zones
from kickdoor.engine.value.frames import Effect, Window
from kickdoor.engine.value.game import DOOR, Game


def topmost_monster(g: Game) -> int:
    """The monster nearest to the top of the Door discards, or -1."""
    return next((c for c in reversed(g.discards[DOOR]) if g.lib.defs[c].kind == "monster"), -1)


def raise_monster(g: Game, f: Effect, a: Args) -> bool:
    """It joins the fight that is going on, or starts one with the victim (COMBAT-35, FQ-DUNG-2)."""
    card = topmost_monster(g)
    if card < 0 or (g.fight is not None and g.fight.over):
        return otherwise(g, f, a)
    several_piles.take_back(g, DOOR, card)
    if g.fight is not None:
        combat.join(g, card, -1, "MULTI-1")
    else:
        combat.start_fight(g, seat_for(g, f, a.who), [card])
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    if foe is not None:
        foe.tags = a.tags
    g.touch()
    return True


def suffer(g: Game, f: Effect, a: Args) -> bool:
    """The Bad Stuff of a monster that is long gone (RUN-11)."""
    card = topmost_monster(g)
    if card < 0:
        return otherwise(g, f, a)
    seat = seat_for(g, f, a.who)
    g.emit("caught", seat, card, rule="RUN-11")
    prog = g.lib.defs[card].prog_bad
    if prog >= 0:
        g.stack.append(Effect(prog, card, seat, seat, foe=card, cause=zones.BAD_STUFF))
    return True


def monster_level(g: Game, f: Effect, a: Args) -> bool:
    """From now on this monster is of another Level."""
    foe = fights.find_foe(g.fight, f.foe) if g.fight is not None else None
    if foe is not None:
        foe.level = amount(f, a.amount)
        g.emit("monster_level", card=foe.card, n=foe.level, rule="COMBAT-1")
        g.touch()
    return True


def invite(g: Game, f: Effect, a: Args) -> bool:
    """The other players may bring monsters of their own now, each weaker than the first one (FQ-ENH-2)."""
    g.stack.append(Window("invited", f.actor, f.card, passed=1 << f.actor))
    return True
