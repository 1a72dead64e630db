"""Taming: monsters that become Steeds, and Items that may serve as one (FQ-DER, EPIC-53..EPIC-55)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import Args
from kickdoor.engine import epic, hirelings, steeds, zones
from kickdoor.engine import queries as q
from kickdoor.engine.effects import otherwise
from kickdoor.engine.frames import Effect, Window
from kickdoor.engine.game import DOOR, Game
from kickdoor.engine.moves import NONE
from kickdoor.engine.prompts import ask
from kickdoor.engine.records import ACTIVE, Foe

STRAY: Final = "stray"  # the window in which a discarded monster may be taken


# -- what a monster costs and gives -----------------------------------------------------------------------------


def printed_treasures(g: Game, card: int) -> int:
    """The Treasures on the card of a monster in the fight, whatever lies on it."""
    foe = _foe(g, card)
    return g.lib.defs[foe.face].treasures if foe is not None else 0


def _foe(g: Game, card: int) -> Foe | None:
    foe = q.find_foe(g.fight, card) if g.fight is not None else None
    return foe if foe is not None and foe.fate == ACTIVE else None


def tamable(g: Game, card: int) -> bool:
    """A monster in the fight that is a card of its own, or one just discarded (FQ-DER-1, EPIC-53)."""
    foe = _foe(g, card)
    if foe is not None:
        return foe.card == foe.face and g.lib.defs[card].kind == "monster"
    return card in strays(g)


# -- taming -----------------------------------------------------------------------------------------------------


def tame(g: Game, f: Effect, a: Args) -> bool:
    """No kill, no Treasure: the monster is the tamer's Steed, with its Treasures as bonus (FQ-DER-1..FQ-DER-3)."""
    if not tamable(g, f.target):
        return otherwise(g, f, a)
    if f.ans is None:
        ask(g, f.actor, steeds.places(g, f.actor), card=f.target, about="steed", rule="FQ-DER-3")
        if f.ans is None:
            return False
    if f.ans[0] != NONE:
        zones.discard_in_play(g, f.actor, f.ans[0], zones.REPLACED, "FQ-DER-3")
    bonus = _leaves_the_fight(g, f.target) if _foe(g, f.target) is not None else _picked_up(g, f.target)
    g.ridden[f.target] = bonus
    zones.to_table(g, f.actor, f.target)
    g.emit("tamed", f.actor, f.target, n=bonus, rule="FQ-DER-1" if g.fight is not None else "EPIC-54")
    return True


def _leaves_the_fight(g: Game, card: int) -> int:
    """What lay on it is discarded; the rest of the fight goes on, if need be without a monster (FQ-DER-2, FQ-DER-8)."""
    foe = _foe(g, card)
    assert foe is not None
    assert g.fight is not None
    epic.leave_fight(g, foe)
    g.fight.deserted = False  # as after a Charm, others may still answer (FQ-CBT-35)
    return g.lib.defs[card].treasures


# -- strays -----------------------------------------------------------------------------------------------------


def strays(g: Game) -> list[int]:
    """Monsters that have just been discarded and lie there still (EPIC-53)."""
    return [c for c, _ in g.strays if c in g.discards[DOOR]]


def _picked_up(g: Game, card: int) -> int:
    """From the discards, worth what it would have paid (EPIC-55, AMB-48)."""
    bonus = next(n for c, n in reversed(g.strays) if c == card)
    g.discards[DOOR].remove(card)
    for f in g.stack:
        if isinstance(f, Window) and f.what == STRAY:
            f.passed = 0
    return bonus


def offer(g: Game) -> bool:
    """Somebody may want what was discarded: everybody sees who has the power, and the cards to pay (EPIC-53)."""
    from kickdoor.engine import abilities

    if any(isinstance(f, Window) and f.what == STRAY for f in g.stack):
        return False
    wanted = strays(g)
    for s in g.living(g.turn) if wanted else ():
        for c, p in abilities.sources(g, s):
            able = any(a & cx.STRAY for a, _ in p.alts) and abilities.can_pay(g, s, c, p)
            if able and (p.test is None or p.test(g, s, None)):
                g.stack.append(Window(STRAY, s))
                return True
    g.strays = []
    return False


# -- Items that may serve as a Steed ----------------------------------------------------------------------------


def may_ride(g: Game, seat: int, card: int) -> bool:
    """To get off needs room for a companion, if it is one (HIRE-4); to get on needs room for a Steed (STEED-2)."""
    if card in g.ridden:
        return not g.lib.defs[card].is_companion or hirelings.has_room(g, seat)
    return len([c for c in q.steeds(g, seat) if not q.waived(g, c)]) < steeds.limit(g, seat)


def ride(g: Game, f: Effect, a: Args) -> bool:
    """The owner says what it is now: a Steed, or again what it is otherwise (FQ-DER-10)."""
    from kickdoor.engine import items

    if f.card not in g.players[f.actor].table or not may_ride(g, f.actor, f.card):
        return otherwise(g, f, a)
    if f.card in g.ridden:
        del g.ridden[f.card]
        g.touch()
        if items.why_not_equip(g, f.actor, f.card) is None:
            g.equipped.add(f.card)
    else:
        g.equipped.discard(f.card)
        g.ridden[f.card] = 0
    g.touch()
    g.dirty |= 1 << f.actor
    g.emit("ride", f.actor, f.card, n=int(f.card in g.ridden), rule="FQ-DER-10")
    return True
