"""Cards that lie in a fight: played into it, taken back, discarded with it (COMBAT-17, COMBAT-29, FQ-CARD-10)."""

from __future__ import annotations

import msgspec

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import curses, rewards
from kickdoor.engine.facts import enemies, strength
from kickdoor.engine.facts import queries as q
from kickdoor.engine.table import decks, enhancer_enhancers, several_piles, wandering, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.flags import AFTER_FIGHT, LOOT_GRANTED
from kickdoor.engine.value.frames import Effect, Promise
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.moves import MONSTERS
from kickdoor.engine.value.records import ACTIVE, MULTIPLIES, Deal, Fight, Foe, Token


def fight_cards(fight: Fight) -> list[int]:
    """What lies in the fight and is discarded with it (COMBAT-29)."""
    foes = [x.card for x in fight.foes if not x.gone]
    return foes + [e for e, _, _ in fight.enhancers] + [c for c, _ in fight.committed]


def leaves(g: Game, foe: Foe, fate: int, by: int = -1) -> None:
    """A monster is out of the fight, killed or not, with what lies on it now (AMB-30, FQ-CBT-29)."""
    foe.wore = tuple(enemies.enhancers_of(g, foe))
    foe.fate, foe.by = fate, by
    g.touch()


def _comes_back(foe: Foe) -> None:
    """It is in the fight again, as if nothing had been."""
    foe.fate, foe.by, foe.credit, foe.pays, foe.wore = ACTIVE, -1, -1, True, None


def _undo(g: Game, fight: Fight, card: int) -> None:
    """A card is taken back: the monsters that it sent away, or put others in place of, are there again (FQ-CARD-12)."""
    for foe in fight.foes:
        if foe.by == card and not foe.gone and not foe.paid:
            _comes_back(foe)
    for x in [x for x in fight.displaced if x.by == card]:
        fight.displaced = renewed.less(fight.displaced, x)
        if _out_of_discards(g, x.foe.card):
            fight.foes.append(msgspec.structs.replace(x.foe))
            fight.enhancers = [*fight.enhancers, *(e for e in x.enhancers if _out_of_discards(g, e[0]))]


def _out_of_discards(g: Game, card: int) -> bool:
    """Unless somebody has had it from there meanwhile."""
    g.strays = [x for x in g.strays if x[0] != card]
    return several_piles.take_back(g, g.lib.defs[card].deck, card)


def ask_order(g: Game, fight: Fight) -> bool:
    """Where the table wants it, the turn player orders the discards; the answer goes to the top frame (FQ-CARD-13)."""
    cards = fight_cards(fight)
    if g.rules.decks.discard_order != "ask" or len(cards) < 2 or g.players[g.turn].dead:
        return False
    ask(g, g.turn, cards, low=len(cards) - 1, high=len(cards), about="discard order", rule="FQ-CARD-13")
    return True


def discard_all(g: Game, fight: Fight, order: tuple[int, ...] = ()) -> None:
    """Monsters, enhancers and one-shots go before any Treasure is drawn (COMBAT-29, COMBAT-30)."""
    cards = fight_cards(fight)
    worth = {x.card: strength.foe_treasures(g, x) for x in fight.foes} if g.lib.stages() & cx.STRAY else {}
    lasting = _not_yet_spent(g, fight)
    for c in (*order, *(c for c in cards if c not in order)):
        if c not in lasting:
            zones.to_discard(g, c, "COMBAT-29")
    if worth:  # AMB-48: with what lay on them
        g.strays = [(c, worth.get(c, n)) for c, n in g.strays]
    fight.enhancers = []
    fight.committed = []
    fight.over = True
    g.touch_moment()


def _not_yet_spent(g: Game, fight: Fight) -> list[int]:
    """Cards that have something to say when the fight they were played in is over, before they go (FQ-FAIRY-2)."""
    defs = g.lib.defs
    found = [(c, owner) for c, owner in fight.committed if "spent" in defs[c].on and not g.players[owner].dead]
    for c, owner in found:
        g.limbo.append(c)
        g.stack.append(Effect(defs[c].on["spent"], c, owner, owner, cause="played"))
    return [c for c, _ in found]


def end_fight(g: Game, order: tuple[int, ...] = ()) -> None:
    """The fight is over for good; the turn player goes on with his turn."""
    fight = g.fight
    assert fight is not None
    earlier = rewards.still_due(g, fight)
    if not fight.over:
        curses.end_of_combat(g, q.fighters(g))
        discard_all(g, fight, order)
    if fight.loot_after:
        g.flags |= LOOT_GRANTED
    g.flags |= AFTER_FIGHT
    owed = fight.owed if fight.fleeing else 0
    promised = fight.deal.plays if fight.helper >= 0 else ()
    helper, main = fight.helper, fight.main
    strained = [t for t in fight.tokens if t.kind == MULTIPLIES]
    g.fight = None
    zones.close_rooms(g)
    g.touch_moment()
    g.emit("fight_over", main, rule="COMBAT-33")
    if owed:  # given, not won: kept although the fight was lost
        decks.draw(g, main, TREASURE, owed, helper >= 0, "reward", "FQ-CBT-7")
    rewards.pay_earlier(g, earlier)
    for t in strained:  # what becomes of an Item that was used beyond its strength
        prog = g.lib.defs[t.card].on.get("fight_over", -1)
        if prog >= 0:
            g.stack.append(Effect(prog, t.card, t.seat, t.seat, t.item, cause="fight_over"))
    if promised:
        g.stack.append(Promise(main, helper, promised))
    if g.lib.wanderers:
        wandering.mourn(g)


def commit(g: Game, card: int, owner: int) -> None:
    """A one-shot lies in the fight until it ends and belongs to nobody meanwhile (FQ-CARD-10, FQ-CARD-11)."""
    assert g.fight is not None
    g.fight.committed = [*g.fight.committed, (card, owner)]


def lend(g: Game, bonus: int) -> None:
    """What lay on the one-shot just played counts with it (IENH-3)."""
    assert g.fight is not None
    tokens = g.fight.tokens
    g.fight.tokens = [*tokens[:-1], msgspec.structs.replace(tokens[-1], amount=tokens[-1].amount + bonus)]
    g.touch_moment()


def side_bonus(g: Game, card: int, owner: int, target: int) -> None:
    """The user decides which side a one-shot counts for (INTERFERE-3)."""
    assert g.fight is not None
    monsters = target == MONSTERS
    g.fight.tokens = [*g.fight.tokens, Token(g.lib.defs[card].bonus, -1, monsters, card, rule="COMBAT-14")]
    if monsters:
        g.fight.hostile |= 1 << owner
    commit(g, card, owner)
    g.emit("one_shot", owner, card, target, rule="INTERFERE-3")
    g.touch_moment()


def ally(g: Game, card: int, owner: int) -> None:
    """A monster from the hand fights on its player's side for once: its Level counts for him (RACE-2)."""
    assert g.fight is not None
    g.fight.tokens = [*g.fight.tokens, Token(g.lib.defs[card].level, owner, False, card)]
    commit(g, card, owner)
    g.emit("ally", owner, card, rule="COMBAT-2")
    g.touch_moment()


def enhance(g: Game, card: int, owner: int, target: int) -> None:
    assert g.fight is not None
    foe = q.find_foe(g.fight, target)
    if foe is None:  # a Mook: the enhancer is his master's from now on (ENH-11)
        g.host[card] = target
        zones.to_table(g, q.owner(g, target), card)
        g.emit("enhance", owner, card, target, rule="ENH-11")
        return
    g.fight.enhancers = [*g.fight.enhancers, (card, foe.group, owner)]
    if g.lib.defs[card].bonus + enemies.levels_added(g, card) > 0 and owner >= 0:
        g.fight.hostile |= 1 << owner
    g.emit("enhance", owner, card, target, rule="ENH-3")
    g.touch()


def reset(g: Game, by: int) -> None:
    """Back to the beginning: only the monsters it began with, no bonuses, no helper (CAP-42)."""
    fight = g.fight
    if fight is None:
        return
    for c, owner in [x for x in fight.committed if x[0] != by]:
        _back(g, fight, c, owner)
    for c, _, owner in [e for e in fight.enhancers if e[2] >= 0]:
        _back(g, fight, c, owner)
    for foe in [x for x in fight.foes if x.owner >= 0]:
        _back(g, fight, foe.card, foe.owner)
        _undo_links(g, fight, foe.card)
    for foe in fight.foes:
        if not foe.gone:
            _comes_back(foe)
    fight.owed, fight.earlier = 0, []
    fight.tokens, fight.uses, fight.links, fight.optins, fight.hostile = [], {}, [], [], 0
    fight.helper, fight.deal, fight.compelled = -1, Deal(), False
    g.emit("reset", fight.main, by, rule="FQ-CARD-12")
    g.touch()


def take_back(g: Game, seat: int, one_shots_only: bool) -> None:
    """A player takes back what he played into the fight."""
    fight = g.fight
    assert fight is not None
    defs = g.lib.defs
    mine = [c for c, owner in fight.committed if owner == seat]
    mine += [c for c, _, owner in fight.enhancers if owner == seat]
    mine += [x.card for x in fight.foes if x.owner == seat and x.fate == ACTIVE]
    for c in mine:
        if defs[c].is_one_shot or not one_shots_only:
            _back(g, fight, c, seat)
            _undo_links(g, fight, c)
    g.touch()


def take_back_hostile(g: Game, seat: int) -> None:
    """A player takes back what he played against the munchkins."""
    fight = g.fight
    assert fight is not None
    against = {t.card for t in fight.tokens if (t.amount > 0 if t.monsters else t.amount < 0)}
    mine = [c for c, owner in fight.committed if owner == seat and c in against]
    mine += [c for c, _, owner in fight.enhancers if owner == seat and g.lib.defs[c].bonus >= 0]
    mine += [x.card for x in fight.foes if x.owner == seat and x.fate == ACTIVE]
    for c in mine:
        _back(g, fight, c, seat)
        _undo_links(g, fight, c)  # what brought it was against them too
    g.touch()


def _back(g: Game, fight: Fight, card: int, owner: int) -> None:
    """A card leaves the fight, or the discards if it did its work there, for the hand of the one who played it."""
    if _leave_fight(fight, card) or _out_of_discards(g, card):
        enhancer_enhancers.orphaned(g)
        _undo(g, fight, card)
        zones.to_hand(g, owner, card)
        g.emit("back", owner, card, rule="FQ-CARD-12")


def annihilate(g: Game, card: int) -> None:
    """A card in play, in the fight or just played leaves the game; its companions in play go back (FQ-AXE-11)."""
    fight = g.fight
    frame = curses.find_curse(g)
    if frame is not None and frame.card == card:
        frame.stage = curses.CANCELLED
        g.limbo.remove(card)
    elif fight is not None and _leave_fight(fight, card):
        enhancer_enhancers.orphaned(g)
        _undo_links(g, fight, card)
    else:
        owner = q.owner(g, card)
        if owner < 0 or q.shielded(g, card, "box"):
            return  # FQ-BOOST-1: spent in vain
        for extra in zones.lift(g, owner, card)[1:]:
            zones.to_discard(g, extra, "IENH-4")
    g.box = [*g.box, g.lib.origin.get(card, card)]
    g.emit("annihilate", card=card, rule="FQ-AXE-8")
    g.touch()


def _leave_fight(fight: Fight, card: int) -> bool:
    """Take a monster, an enhancer or a played card out of the fight."""
    for foe in fight.foes:
        if foe.card == card:
            fight.foes.remove(foe)
            return True
    for e in fight.enhancers:
        if e[0] == card:
            fight.enhancers = renewed.less(fight.enhancers, e)
            return True
    for c in fight.committed:
        if c[0] == card:
            fight.committed = renewed.less(fight.committed, c)
            fight.tokens = [t for t in fight.tokens if t.card != card]
            return True
    return False


def take_out(g: Game, card: int) -> bool:
    """A monster leaves the fight for somewhere else than the discards."""
    assert g.fight is not None
    return _leave_fight(g.fight, card)


def _undo_links(g: Game, fight: Fight, card: int) -> None:
    for a, b, owner in fight.links:
        other = b if a == card else a if b == card else -1
        foe = q.find_foe(fight, other)
        if other >= 0 and (foe is None or foe.fate == ACTIVE):
            _back(g, fight, other, owner)
