"""A bot that plays to win: arms itself, fights what it beats, bargains, and stops whoever is about to win."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import answering, bargaining, fighting, turning
from kickdoor.bots.seat import Choice, Seat
from kickdoor.engine import moves as mv

# What may come to nothing, and then looks just as good as before.
REPEATED: Final = frozenset({mv.SELL, mv.EQUIP, mv.UNEQUIP, mv.ASK_HELP, mv.OFFER_HELP, mv.USE, mv.TRADE})


class SensibleBot:
    """Deterministic: the same seat, seed and situation give the same move."""

    def __init__(self, seed: int = 0, name: str = "sensible") -> None:
        self.seed = seed
        self.name = name

    def choose(self, seat: Seat) -> Choice:
        """Answer the question, fight the fight, or get on with the turn."""
        seat.forget(REPEATED, 3)
        asked = seat.question
        if asked is not None:
            return answering.answer(seat, asked)
        moment = seat.moment.kind
        if moment == "roll":
            return fighting.at_roll(seat)
        if moment == "curse":
            return fighting.at_curse(seat)
        if moment in ("stray", "invited", "dying"):
            return fighting.let_be(seat)
        if any(m.verb == mv.DECLINE for m in seat.moves):
            said = bargaining.reply(seat)
            if said is not None:
                return said
        if seat.view["fight"] is not None:
            return fighting.in_fight(seat, seat.chance(self.seed))
        if moment in ("escaped", "victory", "draw"):
            return fighting.let_be(seat)
        return turning.own_turn(seat, seat.chance(self.seed))

    def interject(self, seat: Seat) -> Choice | None:
        """In somebody else's turn: answer an offer, use a fresh card, or knock the leader back."""
        seat.forget(REPEATED, 3)
        if any(m.verb == mv.DECLINE for m in seat.moves):
            return bargaining.reply(seat)
        return turning.fresh_cards(seat) or turning.hold_back(seat)
