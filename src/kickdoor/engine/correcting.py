"""The table corrects itself: what everybody agrees on is so (CONF-8).

Besides moves this is the only door into a game. It is open only while nothing is being resolved, and it can do no more
than people around a table do: set a level right, or put a card where it belongs.
"""

from __future__ import annotations

from typing import Final

from kickdoor.engine.kernel import settle
from kickdoor.engine.table import levels, zones
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import DUNGEON, Game
from kickdoor.engine.value.reasons import Reason, Refused

BUSY: Final = Reason("CONF-8", "Something is being resolved. Correct the table when it is over.")
LEVEL: Final = Reason("WIN-5", "A correction cannot go below Level 1 or win the game.")
NOT_THERE: Final = Reason("CONF-8", "That card is not in front of anybody, in a hand or on top of the discards.")

DEAD: Final = Reason("DEATH-12", "Nothing can be given to the dead. Wait until the next turn begins.")


def correct_level(g: Game, seat: int, level: int) -> None:
    """Set a level right; never to the winning one."""
    _quiet(g)
    if not 1 <= level < levels.goal_level(g, seat):
        raise Refused(LEVEL)
    change = level - g.players[seat].level
    g.players[seat].level = level
    g.emit("level", seat, n=change, rule="CONF-8")
    _settled(g, seat)


def correct_card(g: Game, seat: int, card: int, to: str) -> None:
    """Put a card into a player's hand, in front of him, or on the discards."""
    _quiet(g)
    if to != "discard" and g.players[seat].dead:
        raise Refused(DEAD)
    _take_out(g, card)
    if to == "hand":
        zones.to_hand(g, seat, card)
    elif to == "table":
        zones.to_table(g, seat, card, equip=g.lib.defs[card].is_item)
    else:
        zones.to_discard(g, card, "CONF-8")
    g.emit("corrected", seat, card, rule="CONF-8", secret=to == "hand")
    _settled(g, seat)


def _quiet(g: Game) -> None:
    if g.winners or g.fight is not None or not isinstance(g.stack[-1], fr.Turn):
        raise Refused(BUSY)


def _take_out(g: Game, card: int) -> None:
    """Out of the zone it is in, with nothing happening because of it."""
    if not 0 <= card < len(g.lib.defs) or card in g.host.values() or card in g.bearer.values():
        raise Refused(NOT_THERE)
    for s, p in enumerate(g.players):
        if card in p.hand:
            zones.from_hand(g, s, card)
            return
        if card in p.table:
            zones.lift(g, s, card)
            g.afflictions = [a for a in g.afflictions if a[1] != card]
            return
    deck = g.lib.defs[card].deck
    if deck == DUNGEON or g.discards[deck][-1:] != [card]:
        raise Refused(NOT_THERE)
    g.discards[deck] = g.discards[deck][:-1]


def _settled(g: Game, seat: int) -> None:
    g.offers = []  # what was offered may not be there any more
    g.touch()
    g.dirty |= 1 << seat
    settle(g)
