"""A bot that plays to win at this table: prices cards, help and harm, and keeps Curses for who is about to win."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import answering, bargaining, fighting, turning
from kickdoor.bots.greedy import REPEATED
from kickdoor.bots.seat import Choice, Seat

QUIET: Final = frozenset({"stray", "invited", "draw"})


class SchemerBot:
    """Deterministic: the same seat and situation give the same move."""

    def __init__(self, seed: int = 0, name: str = "schemer") -> None:
        self.seed = seed
        self.name = name

    def idle(self, seat: Seat) -> bool:
        """Nobody asks me, I roll nothing, what I fight is won, and there is nobody to stop."""
        frame = seat.frame
        if frame == "combat":
            if seat.asked_for_an_answer:
                return False
            fray = seat.fray
            if fray is None:
                return False
            return fighting.content(seat, fray) if seat.fighting else not fighting.watched(seat, fray)
        if frame == "turn":
            if seat.turn == seat.seat or seat.asked_for_an_answer:
                return False
            return not turning.poised(seat)
        if frame in ("roll", "curse", "window"):
            mine = seat.moment.seat == seat.seat or seat.moment.kind == "opening"
            return not mine and not self._chance(seat)
        return frame == "flee" and not seat.fighting

    def _chance(self, seat: Seat) -> bool:
        """Is there something in what happens to others for a card of mine?"""
        kind = seat.moment.kind
        return (kind == "victory" and fighting.holds(seat, "gain_level", "steal_level", "reward_from")) or (
            kind in ("escaped", "roll") and fighting.holds(seat, "reroll")
        )

    def choose(self, seat: Seat) -> Choice:
        """Answer the question, fight the fight, or get on with the turn."""
        seat.forget(REPEATED, 3)
        frame = seat.frame
        if frame in ("ask", "draft", "surplus"):
            return answering.answer(seat)
        if frame == "roll":
            return fighting.at_roll(seat)
        if frame == "curse":
            return fighting.at_curse(seat)
        if seat.moment.kind == "victory":
            return turning.rise(seat) or fighting.deny(seat) or fighting.let_be(seat)
        if seat.moment.kind == "escaped":
            return fighting.at_escape(seat)
        if seat.moment.kind == "dying":
            return turning.last_words(seat) or fighting.let_be(seat)
        if frame == "draw" or seat.moment.kind in QUIET:
            return fighting.let_be(seat)
        if seat.asked_for_an_answer:
            said = bargaining.reply(seat)
            if said is not None:
                return said
        return fighting.in_fight(seat) if seat.fray is not None else turning.own_turn(seat)

    def interject(self, seat: Seat) -> Choice | None:
        """In somebody else's turn: answer an offer, or knock the leader back."""
        seat.forget(REPEATED, 3)
        if seat.asked_for_an_answer:
            return bargaining.reply(seat)
        return turning.hold_back(seat)
