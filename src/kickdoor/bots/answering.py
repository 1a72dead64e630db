"""Answers to questions: what to give up, what to take, whom to give what, which face of the die."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import bargaining, dressing, plans, turning
from kickdoor.bots.seat import Choice, Query, Seat
from kickdoor.bots.standing import danger, rank
from kickdoor.bots.values import meeting, turnout, worth
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, seat_of

TAKING: Final = frozenset({"loot", "share", "retrieve", "take", "companion"})


def answer(seat: Seat) -> Choice:
    """The move that answers what this seat is asked."""
    asked = seat.query
    if asked.about == "sell":
        return dressing.sell(seat, turning.sale_limit(seat))
    if asked.about == "charity":
        return _charity(seat)
    if asked.about in ("help", "trade"):
        return bargaining.draft(seat, asked.about)
    picks = [m for m in seat.moves if m.verb == mv.CHOOSE]
    if not picks:
        return Choice(seat.moves[0], "There is nothing else to say.")
    if asked.about == "mount":  # the fastest is offered first (AMB-58)
        return Choice(picks[0], "The fast one, please.")
    if asked.about == "order":
        return _order(seat, picks)
    if asked.about == "surplus" or asked.domain == fr.CARDS:
        return _card(seat, asked, picks)
    return _other(seat, asked, picks)


def _card(seat: Seat, asked: Query, picks: list[Move]) -> Choice:
    mine = seat.table(seat.seat)
    theirs = [m for m in picks if m.card not in mine and m.card not in seat.hand and m.card >= 0]
    value = {m: worth(seat, m.card) + (0.5 if seat.in_use(m.card) else 0.0) for m in picks}
    if asked.about in TAKING or (theirs and len(theirs) == len(picks)):
        return Choice(max(picks, key=lambda m: (value[m], -m.card)), "Best one first.")
    return Choice(min(picks, key=lambda m: (value[m], m.card)), "That one will be missed least.")


def _order(seat: Seat, picks: list[Move]) -> Choice:
    """What I would like to meet comes first, to be mine; then the worst, for whoever is next."""
    if seat.mine and seat.mine[-1].verb == mv.CHOOSE:
        return Choice(min(picks, key=lambda m: (meeting(seat, m.card), m.card)), "That can wait for somebody else.")
    return Choice(max(picks, key=lambda m: (meeting(seat, m.card), -m.card)), "This one, please.")


def _other(seat: Seat, asked: Query, picks: list[Move]) -> Choice:
    if asked.domain == fr.NUMBERS:
        return Choice(max(picks, key=lambda m: m.card), "High is good.")
    if asked.domain == fr.YESNO:
        if asked.about == "consent" and _used(seat):
            return Choice(min(picks, key=lambda m: m.card), "Not for that one.")
        return Choice(max(picks, key=lambda m: m.card), "Why not.")
    if asked.domain == fr.SEATS:
        return Choice(min(picks, key=lambda m: (rank(seat, m.card), m.card)), "The least dangerous one.")
    ways = seat.ways
    if ways and all(0 <= m.card < len(ways) for m in picks):
        whose = seat.concerned
        if whose != seat.seat:
            return Choice(min(picks, key=lambda m: (turnout(seat, ways[m.card], whose), m.card)), "The greater evil.")
        return Choice(max(picks, key=lambda m: (turnout(seat, ways[m.card]), -m.card)), "The lesser evil.")
    return Choice(picks[0], "The first offer sounds fine.")


def _used(seat: Seat) -> bool:
    """Would I be lending a hand to the one to stop?"""
    fray = seat.fray
    if fray is None or fray.fleeing or seat.seat in (fray.main, fray.helper):
        return False
    return plans.wins_game(seat, fray) or danger(seat, fray.main)


def _charity(seat: Seat) -> Choice:
    """The least useful card, to the receiver who is furthest behind."""

    def order(m: Move) -> tuple[float, float, Move]:
        s = seat_of(m.target)
        return worth(seat, m.card), rank(seat, s) if s >= 0 else 0.0, m

    return Choice(min(seat.moves, key=order), "I was not using it.")
