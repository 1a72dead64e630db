"""Verbs of the card language: what stays on the table afterwards, and what is shared out or put in order."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import fight_cards
from kickdoor.engine.effects.programs import amount, otherwise, rule_of, run, seat_for
from kickdoor.engine.facts import fights, force, front, goods
from kickdoor.engine.table import several_piles, wandering, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import SEATS, Effect
from kickdoor.engine.value.game import DOOR, TREASURE, Game
from kickdoor.engine.value.moves import NONE


def afflict(g: Game, f: Effect, a: Args) -> bool:
    """Lasting Bad Stuff: it stays with the victim although its card is discarded (CAP-24)."""
    seat = seat_for(g, f, a.who)
    if not g.players[seat].dead:
        foe = fights.find_foe(g.fight, f.card) if g.fight is not None else None
        zones.afflict(g, seat, f.card if foe is None else foe.face, amount(f, a.amount))
    return True


def keep_as_item(g: Game, f: Effect, a: Args) -> bool:
    """A monster leaves the fight and lies before the actor as an Item from now on (CAP-05)."""
    face = g.lib.faces.get((f.foe, amount(f, a.amount)), NONE)  # none where another card only stands for it (ENH-6)
    if g.fight is None or face == NONE or not fight_cards.take_out(g.fight, f.foe):
        return otherwise(g, f, a)
    zones.to_table(g, f.actor, face)
    if g.lib.defs[face].kind == "item":
        g.equipped.add(face)
    g.touch()
    g.emit("keep_as_item", f.actor, face, rule="FQ-CARD-5")
    return True


def grow(g: Game, f: Effect, a: Args) -> bool:
    """The Item this is about gives more from now on, until its owner loses it (FQ-CWBH-2)."""
    if front.owner(g, f.card) >= 0:
        g.grown = {**g.grown, f.card: g.grown.get(f.card, 0) + amount(f, a.amount)}
        g.touch()
    return True


def peek(g: Game, f: Effect, a: Args) -> bool:
    """Look at the top of a deck, alone, and put it back in any order (CAP-34)."""
    deck = DOOR if a.to == "door" else TREASURE
    pile = g.piles[deck]
    if f.ans is None:
        top = pile[: -1 - amount(f, a.amount) : -1]
        g.emit("peek", f.actor, f.card, n=len(top), rule="PILE-3")
        ask(g, f.actor, top, card=f.card, about="order", rule="PILE-3", secret=True, order=True)
        if f.ans is None:
            return False
    g.piles[deck] = [*pile[: len(pile) - len(f.ans)], *reversed(f.ans)]
    wandering.to_the_top(g)  # whatever else was looked at
    return True


def share_out(g: Game, f: Effect, a: Args) -> bool:
    """Every other player gets one card of the giver's, as he likes; who gets none helps himself (FQ-AXE-5).

    `f.mem` remembers who has been given something, `f.acc` the card whose taker is being asked for.
    """
    seat = f.who
    if f.ans is not None:
        _share_answer(g, f, seat)
    left = [s for s in g.around(seat)[1:] if not g.players[s].dead and s not in f.mem]
    options = [c for c in g.players[seat].table if c not in g.host and goods.is_item(g, c)]
    options = [c for c in options if any(force.may_receive(g, s, c) for s in left)]
    if f.acc:
        able = [s for s in left if force.may_receive(g, s, f.acc - 1)]
        ask(g, seat, able, domain=SEATS, card=f.acc - 1, about="share", rule="FQ-AXE-5")
        return False
    if options:
        ask(g, seat, options, card=f.card, about="share", rule=rule_of(f))
        return False
    f.mem = ()
    for s in reversed(left):
        run(g, f, a.do, s)
    return True


def _share_answer(g: Game, f: Effect, seat: int) -> None:
    assert f.ans is not None
    if f.acc:
        zones.transfer(g, seat, f.ans[0], f.acc - 1, "give", "FQ-CARD-9", cause=f.cause)
        f.mem = (*f.mem, f.ans[0])
        f.acc = 0
    else:
        f.acc = f.ans[0] + 1


def oust(g: Game, f: Effect, a: Args) -> bool:
    """There is room for one of a kind: the others lose the Race or Class that this card lies on (FQ-DUNG-7)."""
    traits = g.lib.defs[g.host[f.card]].traits if f.card in g.host else frozenset()
    for s in g.around(f.actor)[1:]:
        for c in list(g.players[s].table):
            d = g.lib.defs[c]
            if d.trait and d.traits & traits:
                zones.discard_in_play(g, s, c, zones.LIMIT, "FQ-DUNG-7")
    return True


def to_hand(g: Game, f: Effect, a: Args) -> bool:
    """This card is not used up after all (FQ-FAIRY-2)."""
    if f.card in g.limbo:
        g.limbo.remove(f.card)
        zones.to_hand(g, f.actor, f.card)
        g.emit("back", f.actor, f.card, rule="FQ-FAIRY-2")
    return True


def summon(g: Game, f: Effect, a: Args) -> bool:
    """From wherever it is: another player, a deck, the discards, the box (FQ-BOOK-6, FQ-BOOK-13, FQ-BOOK-14)."""
    seat = seat_for(g, f, a.who or "actor")
    called = g.lib.called(a.tags) if a.tags else range(len(g.lib.defs))
    cards = [f.card] if a.what is None else [c for c in called if a.what(g, c)]
    for c in cards:
        holder = front.owner(g, c)
        if holder == seat:
            continue
        if holder >= 0:
            zones.transfer(g, holder, seat, c, "summon", "FQ-BOOK-14")
            return True
        if _fetch(g, c):
            zones.arrive(g, seat, c, "summon")
            return True
    return otherwise(g, f, a)


def _fetch(g: Game, card: int) -> bool:
    """Take it out of a deck, the discards or the box."""
    deck = g.lib.defs[card].deck
    if not several_piles.find(g, deck, card):
        if card not in g.box:
            return False
        g.box = renewed.less(g.box, card)
    g.touch()
    return True


def give_away(g: Game, f: Effect, a: Args) -> bool:
    """A thing that must be given away is the other's from now on, accessories.after the game too (FQ-PROMO-3)."""
    to = seat_for(g, f, a.who or "target")
    if to < 0 or not g.accessories or f.card not in g.accessories[f.actor]:
        return otherwise(g, f, a)
    g.accessories[f.actor].remove(f.card)
    g.accessories[to].append(f.card)
    g.ledger = [*g.ledger, (f.card, f.actor, to)]
    g.touch()
    g.emit("given_away", to, f.card, f.actor, rule="FQ-PROMO-3")
    return True
