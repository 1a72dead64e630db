"""Moving cards: every physical card is in exactly one place, and leaves it for a reason (CAP-09, CAP-10)."""

from __future__ import annotations

from kickdoor.engine import queries as q
from kickdoor.engine.frames import Effect
from kickdoor.engine.game import Game

# Why a card in play is lost.
CURSE = "curse"
BAD_STUFF = "bad_stuff"
COST = "cost"
SALE = "sale"
LIMIT = "limit"
DEATH = "death"
REPLACED = "replaced"
WILL = "will"
TAKEN = "taken"
COMBAT = "combat"
SACRIFICE = "sacrifice"
KILLED = "killed"


def to_discard(g: Game, card: int, rule: str = "PILE-14") -> None:
    """Onto the discard pile of the deck it came from (PILE-14). The card must already be in no other zone."""
    g.discards[g.lib.defs[card].deck].append(card)
    g.emit("discard", card=card, rule=rule)


def from_hand(g: Game, seat: int, card: int) -> None:
    g.players[seat].hand.remove(card)
    if g.fresh:
        g.fresh = [x for x in g.fresh if x[1] != card]


def discard_hand_card(g: Game, seat: int, card: int, rule: str) -> None:
    from_hand(g, seat, card)
    to_discard(g, card, rule)


def to_hand(g: Game, seat: int, card: int) -> None:
    g.players[seat].hand.append(card)


def to_table(g: Game, seat: int, card: int, equip: bool = False) -> None:
    """Into play in front of a player."""
    from kickdoor.engine import items

    g.players[seat].table.append(card)
    g.dirty |= 1 << seat
    g.touch()
    if equip and items.why_not_equip(g, seat, card) is None:
        g.equipped.add(card)
        g.touch()


def lift(g: Game, seat: int, card: int) -> list[int]:
    """Take a card off the table with everything that lies on it; returns the card and its attachments."""
    p = g.players[seat]
    p.table.remove(card)
    group = [card]
    for a in q.attachments(g, card):
        if a in p.table:
            p.table.remove(a)
        group.append(a)
        g.host.pop(a, None)
        g.equipped.discard(a)
    g.host.pop(card, None)
    g.equipped.discard(card)
    g.bearer.pop(card, None)
    g.dirty |= 1 << seat
    g.touch()
    return group


def discard_in_play(g: Game, seat: int, card: int, cause: str, rule: str) -> None:
    """A card in front of a player is lost; what lies on it goes along (FQ-CURSE-8)."""
    d = g.lib.defs[card]
    worn = card in g.equipped
    carried = [i for i, b in g.bearer.items() if b == card]
    group = lift(g, seat, card)
    g.emit("lost", seat, card, rule=rule)
    for c in group:
        g.discards[g.lib.defs[c].deck].append(c)
    for i in carried:
        _companion_item(g, seat, i, cause, rule)
    if worn and d.slot and cause in (CURSE, BAD_STUFF, DEATH):
        fire(g, seat, f"{d.slot}_lost", seat)


def _companion_item(g: Game, seat: int, item: int, cause: str, rule: str) -> None:
    """What happens to what a companion carried (HIRE-18..HIRE-20, AMB-34)."""
    g.bearer.pop(item, None)
    if cause in (SACRIFICE, CURSE, BAD_STUFF, TAKEN):
        discard_in_play(g, seat, item, cause, "HIRE-18")
    else:
        g.equipped.discard(item)
        g.touch()


def discard_any(g: Game, seat: int, card: int, cause: str, rule: str) -> None:
    """A card of this player's, wherever he has it."""
    if card in g.players[seat].hand:
        discard_hand_card(g, seat, card, rule)
    else:
        discard_in_play(g, seat, card, cause, rule)


def transfer(g: Game, giver: int, taker: int, card: int, how: str, rule: str, hand: bool = False) -> None:
    """A card in play changes owner with what lies on it: into play, or into the hand (looting)."""
    group = lift(g, giver, card)
    g.emit(how, taker, card, giver, rule=rule)
    if hand:
        for c in group:
            to_hand(g, taker, c)
        return
    for c in group[1:]:
        g.players[taker].table.append(c)
        g.host[c] = card
    to_table(g, taker, card, equip=how == "force" or not q.in_fight(g, taker))


def fire(g: Game, seat: int, event: str, who: int) -> None:
    """Run what cards in front of a player say about an event."""
    defs = g.lib.defs
    for c in list(g.players[seat].table):
        prog = defs[c].on.get(event, -1)
        if prog >= 0 and q.in_force(g, seat, c):
            g.stack.append(Effect(prog, c, seat, who, cause=event))
