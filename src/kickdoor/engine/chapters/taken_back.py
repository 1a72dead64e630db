"""Cards that leave a fight before it is over: taken back by whoever played them, and undone, or annihilated."""

from __future__ import annotations

import msgspec

from kickdoor.engine.chapters import curses, fight_cards, running_away
from kickdoor.engine.facts import fights, front
from kickdoor.engine.table import enhancer_enhancers, hirelings, several_piles, zones
from kickdoor.engine.value import renewed
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import NONE
from kickdoor.engine.value.records import ACTIVE, Deal, Displaced, Fight, Foe


def reset(g: Game, by: int) -> None:
    """Back to the beginning: only the monsters it began with, no bonuses, no helper (CAP-42, FQ-CARD-12)."""
    fight = g.fight
    if fight is None:
        return
    while played := [x for x in _played(fight) if x[0] != by]:  # what one hid comes out when it goes
        for c, owner in played:
            _back(g, fight, c, owner)
    for foe in fight.foes:
        if not foe.gone:
            _comes_back(foe)
    fight.owed, fight.earlier = 0, []
    fight.tokens, fight.uses, fight.links, fight.optins, fight.hostile = [], {}, [], [], 0
    fight.helper, fight.deal, fight.compelled = -1, Deal(), False
    g.emit("reset", fight.main, by, rule="FQ-CARD-12")
    g.touch()


def take_back(g: Game, seat: int, one_shots_only: bool) -> None:
    """A player takes back what he played into the fight, but for what has been won with it (FQ-BASE-54)."""
    fight = g.fight
    assert fight is not None
    defs = g.lib.defs
    won = {x.by for x in fight.foes if x.paid}
    while mine := [
        c
        for c, owner in _played(fight)
        if owner == seat and c not in won and _in_force(fight, c) and (defs[c].is_one_shot or not one_shots_only)
    ]:
        for c in mine:
            _back(g, fight, c, seat)
    g.touch()


def take_back_hostile(g: Game, seat: int) -> None:
    """A player takes back what he played against the munchkins."""
    fight = g.fight
    assert fight is not None
    defs = g.lib.defs
    against = {t.card for t in fight.tokens if (t.amount > 0 if t.monsters else t.amount < 0)}
    while True:
        mine = [c for c, owner in fight.committed if owner == seat and c in against]
        mine += [c for c, _, owner in fight.enhancers if owner == seat and defs[c].bonus >= 0]
        brought = {c for a, b, owner in fight.links if owner == seat for c in (a, b)}
        mine += [x.card for x in fight.foes if x.fate == ACTIVE and (x.owner == seat or x.card in brought)]
        for c in mine:
            _back(g, fight, c, seat)  # and what brought it, which was against them too
        if not mine:
            break
    g.touch()


def annihilate(g: Game, card: int, by: int) -> None:
    """A card in play, in the fight or just played leaves the game; what a rival of his who does that played along with
    it goes back (FQ-AXE-11)."""
    fight = g.fight
    frame = curses.find_curse(g)
    if frame is not None and frame.card == card:
        frame.stage = curses.CANCELLED
        g.limbo.remove(card)
    elif fight is not None and fight_cards.take_out(fight, card):
        enhancer_enhancers.orphaned(g)
        _with_it(g, fight, card, by)
    else:
        owner = front.owner(g, card)
        if owner < 0 or front.shielded(g, card, "box"):
            return  # FQ-BOOST-1: spent in vain
        load = hirelings.carried(g, card)
        for extra in zones.lift(g, owner, card)[1:]:
            zones.to_discard(g, extra, "IENH-4")
        zones.leave_behind(g, owner, g.lib.defs[card], load, zones.KILLED)
    g.box = [*g.box, g.lib.origin.get(card, card)]
    g.emit("annihilate", card=card, rule="FQ-AXE-8")
    g.touch()


def _played(fight: Fight) -> list[tuple[int, int]]:
    """What players have brought into the fight and lies there, each with who it was."""
    out = list(fight.committed)
    out += [(c, owner) for c, _, owner in fight.enhancers if owner >= 0]
    return out + [(x.card, x.owner) for x in fight.foes if x.owner >= 0 and not x.gone]


def _in_force(fight: Fight, card: int) -> bool:
    """Is it no monster that is out of the fight?"""
    foe = fights.find_foe(fight, card)
    return foe is None or foe.fate == ACTIVE


def _back(g: Game, fight: Fight, card: int, owner: int) -> None:
    """A card, and what was played with it, goes to the hand of who played it."""
    if _taken(g, fight, card, owner):
        _with_it(g, fight, card)


def _with_it(g: Game, fight: Fight, card: int, but: int = NONE) -> None:
    """What was played along with a card, by whoever that was, goes back; nothing of one of them, if he is named."""
    for a, b, owner in fight.links:
        other = b if a == card else a if b == card else -1
        if other >= 0 and owner != but and _in_force(fight, other):
            _taken(g, fight, other, owner)


def _taken(g: Game, fight: Fight, card: int, owner: int) -> bool:
    """Out of the fight, or out of the discards if it did its work there, and undone. False: it was in neither."""
    if not (fight_cards.take_out(fight, card) or _out_of_discards(g, card)):
        return False
    enhancer_enhancers.orphaned(g)
    for foe in fight.foes:
        if foe.by == card and not foe.gone and not foe.paid:
            _comes_back(foe)
    for x in [x for x in fight.displaced if x.by == card]:
        _stands_there_again(g, fight, x)
    zones.to_hand(g, owner, card)
    g.emit("back", owner, card, rule="FQ-CARD-12")
    return True


def _comes_back(foe: Foe) -> None:
    """It is in the fight again, as if nothing had been."""
    foe.fate, foe.by, foe.credit, foe.pays, foe.wore, foe.paid = ACTIVE, -1, -1, True, None, False


def _stands_there_again(g: Game, fight: Fight, x: Displaced) -> None:
    """A monster for which another stood, with all that lay on it and has not gone elsewhere since."""
    fight.displaced = renewed.less(fight.displaced, x)
    if not _out_of_discards(g, x.foe.card):
        return
    fight.foes.append(msgspec.structs.replace(x.foe))
    kept = {e[0] for e in fight.enhancers}
    lay = [e for e in x.enhancers if e[0] in kept or _out_of_discards(g, e[0])]
    cards = {e[0] for e in lay}
    fight.enhancers = [*(e for e in fight.enhancers if e[0] not in cards), *lay]
    fight.boosts = [*(b for b in fight.boosts if b not in x.boosts), *(b for b in x.boosts if cards.issuperset(b))]
    if fight.fleeing:
        running_away.one_more(g, fight)


def _out_of_discards(g: Game, card: int) -> bool:
    """Unless somebody has had it from there meanwhile."""
    g.strays = [x for x in g.strays if x[0] != card]
    return several_piles.take_back(g, g.lib.defs[card].deck, card)
