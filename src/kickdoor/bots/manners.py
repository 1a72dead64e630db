"""Manners: how a bot says what it does, and whom it picks where two are alike. Never how well it plays."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from kickdoor.bots.seat import Bot, Choice, Seat
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, seat_of

MANNERS: Final = ("friendly", "spiteful", "quiet")
_AT_SOMEBODY: Final = frozenset({mv.PLAY, mv.USE})

# What is said first, by who is meant: somebody is hit, helped, or nobody is.
_WORDS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "friendly": {
        "hit": ("Sorry, {name}.", "Nothing personal, {name}.", "I owe you one, {name}."),
        "deal": ("Gladly.", "Let us see, {name}.", "Between friends, {name}:"),
        "other": ("", "", "Here goes."),
    },
    "spiteful": {
        "hit": ("This is for you, {name}.", "Did that hurt, {name}?", "I have been saving this, {name}."),
        "deal": ("If I must.", "You need me, {name}.", "Do not get used to it, {name}."),
        "other": ("", "", "Watch and learn."),
    },
}
DEALS: Final = frozenset({mv.ASK_HELP, mv.OFFER_HELP, mv.ACCEPT, mv.DECLINE, mv.COUNTER, mv.TRADE, mv.PROPOSE})


class Mannered:
    """A bot with manners: the same moves, but for the choice between players who are alike in every way one sees."""

    def __init__(self, bot: Bot, manners: str) -> None:
        self.bot = bot
        self.manners = manners
        self.name = bot.name

    def idle(self, seat: Seat) -> bool:
        return self.bot.idle(seat)

    def choose(self, seat: Seat) -> Choice:
        return self._said(seat, self.bot.choose(seat))

    def interject(self, seat: Seat) -> Choice | None:
        got = self.bot.interject(seat)
        return self._said(seat, got) if got is not None else None

    def _said(self, seat: Seat, choice: Choice) -> Choice:
        move = self._preferred(seat, choice.move)
        if self.manners == "quiet":
            return Choice(move, "")
        target = seat_of(move.target)
        kind = "deal" if move.verb in DEALS else "hit" if move.verb in _AT_SOMEBODY and target >= 0 else "other"
        if target == seat.seat or (kind == "hit" and target < 0):
            kind = "other"
        words = _WORDS[self.manners][kind]
        first = words[(seat.number + seat.seat) % len(words)]  # not by the card, which may be nobody's business
        named = first.format(name=seat.name(target)) if target >= 0 else first if "{" not in first else ""
        return Choice(move, choice.reason, named)

    def _preferred(self, seat: Seat, move: Move) -> Move:
        """Between players of equal standing: friends take the first on the left, the spiteful the last."""
        target = seat_of(move.target)
        if self.manners == "quiet" or move.verb not in _AT_SOMEBODY or target < 0 or target == seat.seat:
            return move
        alike = [
            m for m in seat.moves if replace(m, target=move.target) == move and _alike(seat, seat_of(m.target), target)
        ]
        alike.sort(key=lambda m: (seat_of(m.target) - seat.seat) % seat.count)
        return alike[0 if self.manners == "friendly" else -1] if alike else move


def _alike(seat: Seat, a: int, b: int) -> bool:
    """Do two players look the same: Level, strength, cards in hand, nothing on the table but its number?"""
    if a < 0 or a == seat.seat:
        return False
    return a == b or (
        seat.level(a) == seat.level(b)
        and seat.strength(a) == seat.strength(b)
        and seat.hand_size(a) == seat.hand_size(b)
        and len(seat.table(a)) == len(seat.table(b)) == 0
        and seat.fray is None
    )
