"""A card that wanders (CAP-50): on top of its deck or before a player, nowhere else, and it comes to the dead.

It lies openly on its deck, is never in a hand, goes back on top instead of to the discards, and what it does when it
is received depends on how that came about (CAP-09).
"""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import front
from kickdoor.engine.table import several_piles
from kickdoor.engine.value import uses
from kickdoor.engine.value.frames import Creation, Effect, RollOff
from kickdoor.engine.value.game import Game

BARGAINS: Final = ("trade", "give")  # agreed between players: nothing is gained by it (FQ-BOOK-12)


def go_home(g: Game, card: int) -> None:
    """Back on top of its deck, instead of the discards (FQ-BOOK-1)."""
    deck = g.lib.defs[card].deck
    g.piles[deck] = [*g.piles[deck], card]
    g.touch()
    g.emit("home", card=card, rule="FQ-BOOK-1")


def parted(g: Game, seat: int, card: int) -> None:
    """Who sold it or had to discard it does not draw it again this turn (FQ-BOOK-13)."""
    uses.part(g, seat, card)


def pass_over(g: Game, deck: int, seat: int) -> list[int]:
    """Take off the top what this player cannot draw now; the caller lays it back.

    Nobody is dealt it, and nobody draws it in the turn in which he lost it (FQ-BOOK-13).
    """
    pile = g.piles[deck]
    dealing = any(type(f) is Creation for f in g.stack)
    out = [c for c in g.lib.wanderers if (dealing or uses.has_parted(g, seat, c)) and c in pile]
    if out:
        g.piles[deck] = [c for c in pile if c not in out]
    return out


def to_the_top(g: Game) -> None:
    """Where it lies when a game begins: on its deck, not in it."""
    for c in g.lib.wanderers:
        deck = g.lib.defs[c].deck
        if several_piles.take_out(g, deck, c):
            g.piles[deck] = [*g.piles[deck], c]


def on_top(g: Game, deck: int) -> int:
    """The card that lies openly on a deck, or -1."""
    pile = g.piles[deck]
    return pile[-1] if pile and g.lib.defs[pile[-1]].wanders else -1


def received(g: Game, seat: int, card: int, how: str) -> None:
    """What a card does for whoever gets it otherwise than by a bargain (FQ-BOOK-9..FQ-BOOK-12)."""
    prog = g.lib.defs[card].on.get("received", -1)
    if prog >= 0 and how not in BARGAINS:
        g.stack.append(Effect(prog, card, seat, seat, cause="received"))


def mourn(g: Game) -> None:
    """What lies on its deck comes to who has died, when he has been looted; several roll for it (FQ-BOOK-7, FQ-BOOK-8).

    Who is dead has died this turn (DEATH-14). One who got it so loses it again if another dies and rolls higher.
    """
    dead = [s for s in g.around(g.turn) if g.players[s].dead]
    for c in g.lib.wanderers:
        prog = g.lib.defs[c].on.get("mourned", -1)
        holder = front.owner(g, c)
        at_home = any(c in pile for pile in several_piles.piles(g, g.lib.defs[c].deck))
        if prog < 0 or len(dead) <= uses.mourned(g, c) or not (at_home or holder in dead):
            continue
        uses.mourn(g, c, len(dead))
        g.stack.append(RollOff(tuple(dead), "FQ-BOOK-8", card=c, event="mourned"))
