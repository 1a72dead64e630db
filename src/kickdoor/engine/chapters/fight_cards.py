"""Cards that lie in a fight: played into it, and discarded with it (COMBAT-17, COMBAT-29, FQ-CARD-10)."""

from __future__ import annotations

import msgspec

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import curses, rewards
from kickdoor.engine.facts import enemies, fights, front, strength
from kickdoor.engine.table import decks, wandering, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.flags import AFTER_FIGHT, LOOT_GRANTED
from kickdoor.engine.value.frames import Effect, Promise
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.moves import MONSTERS
from kickdoor.engine.value.records import MULTIPLIES, Fight, Foe, Token


def fight_cards(fight: Fight) -> list[int]:
    """What lies in the fight and is discarded with it (COMBAT-29)."""
    foes = [x.card for x in fight.foes if not x.gone]
    return foes + [e for e, _, _ in fight.enhancers] + [c for c, _ in fight.committed]


def leaves(g: Game, foe: Foe, fate: int, by: int = -1) -> None:
    """A monster is out of the fight, killed or not, with what lies on it now (AMB-30, FQ-CBT-29)."""
    foe.wore = tuple(enemies.enhancers_of(g, foe))
    foe.fate, foe.by = fate, by
    g.touch()


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


def end_fight(g: Game, order: tuple[int, ...] = (), won: bool = False) -> None:
    """The fight is over for good; the turn player goes on with his turn."""
    fight = g.fight
    assert fight is not None
    earlier = [] if won else rewards.still_due(g, fight)
    if not fight.over:
        curses.end_of_combat(g, fights.fighters(g))
        discard_all(g, fight, order)
    if fight.loot_after:
        g.flags |= LOOT_GRANTED
    g.flags |= AFTER_FIGHT
    salvaged = fight.salvaged
    promised = fight.deal.plays if fight.helper >= 0 else ()
    helper, main = fight.helper, fight.main
    strained = [t for t in fight.tokens if t.kind == MULTIPLIES]
    g.fight = None
    zones.close_rooms(g)
    g.touch_moment()
    g.emit("fight_over", main, rule="COMBAT-33")
    if salvaged:
        decks.draw(g, main, TREASURE, salvaged, helper >= 0, "reward", "FQ-BASE-50")
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
    foe = fights.find_foe(g.fight, target)
    if foe is None:  # a Mook: the enhancer is his master's from now on (ENH-11)
        g.host[card] = target
        zones.to_table(g, front.owner(g, target), card)
        g.emit("enhance", owner, card, target, rule="ENH-11")
        return
    g.fight.enhancers = [*g.fight.enhancers, (card, foe.group, owner)]
    if g.lib.defs[card].bonus + enemies.levels_added(g, card) > 0 and owner >= 0:
        g.fight.hostile |= 1 << owner
    g.emit("enhance", owner, card, target, rule="ENH-3")
    g.touch()


def link(g: Game, card: int, other: int, owner: int) -> None:
    """Two cards that somebody played together: where one is undone the other goes back to him (FQ-AXE-11)."""
    assert g.fight is not None
    g.fight.links = [*g.fight.links, (card, other, owner)]


def take_out(fight: Fight, card: int) -> bool:
    """A monster, an enhancer or a played card leaves the fight, for somewhere else than the discards."""
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
