"""Answers to questions: what to give up, what to take, which face of the die."""

from __future__ import annotations

from typing import Any, Final

from kickdoor.bots import bargaining, turning
from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.values import worth
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine.moves import Move

GREEDY: Final = ("loot", "share", "retrieve", "take", "companion")


def answer(seat: Seat, asked: dict[str, Any]) -> Choice:
    """The move that answers what this seat is asked."""
    about = asked["about"]
    if about == "sell":
        return turning.sell(seat)
    if about == "charity":
        return _charity(seat)
    if about in ("help", "trade"):
        return bargaining.draft(seat, about)
    moves = seat.moves
    picks = [m for m in moves if m.verb == mv.CHOOSE]
    if asked["domain"] == fr.CARDS and picks:
        return _card(seat, about, picks)
    if picks:
        return _other(seat, asked["domain"], picks)
    return Choice(moves[0], "There is nothing else to say.")


def _card(seat: Seat, about: str, picks: list[Move]) -> Choice:
    rank = {m: worth(seat, m.card) + (0.5 if m.card in seat.me["equipped"] else 0) for m in picks}
    if about in GREEDY:
        return Choice(max(picks, key=lambda m: rank[m]), "Best one first.")
    return Choice(min(picks, key=lambda m: rank[m]), "That one will be missed least.")


def _other(seat: Seat, domain: int, picks: list[Move]) -> Choice:
    if domain == fr.NUMBERS:
        return Choice(max(picks, key=lambda m: m.card), "High is good.")
    if domain == fr.YESNO:
        return Choice(max(picks, key=lambda m: m.card), "Why not be kind.")
    if domain == fr.SEATS:
        low = min(picks, key=lambda m: (seat.view["players"][m.card]["level"], m.card))
        return Choice(low, "The least dangerous one.")
    return Choice(picks[0], "The first offer sounds fine.")


def _charity(seat: Seat) -> Choice:
    """The least useful card, to the weakest receiver."""
    players = seat.view["players"]

    def rank(m: Move) -> tuple[float, int]:
        s = mv.seat_of(m.target)
        return worth(seat, m.card), players[s]["strength"] if s >= 0 else 0

    return Choice(min(seat.moves, key=rank), "I was not using it.")
