"""Company for a first evening, and a model of whoever comes to it.

Both do what a greedy player does, with what they think of. A card that is overlooked is overlooked for the whole turn,
so what is done looks like sense and not like dice: it is only less than could have been done.
"""

from __future__ import annotations

import random
from typing import Final

from kickdoor.bots.greedy import GreedyBot
from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.style import PLAIN, Style
from kickdoor.engine.value import moves as mv

EASY_BLIND: Final = 0.33  # of the cards in its hand that the easy bot does not think of in a turn
FRESH_BLIND: Final = 0.3  # and somebody who has read the rules an hour ago
GENTLE: Final = Style(kindness=2.5, share=1)
ANXIOUS: Final = Style(fear=2.0)
SALES: Final = frozenset({mv.SELL})


class Overlooking:
    """A greedy player who does not think of every card in every turn."""

    def __init__(self, seed: int, name: str, blind: float, style: Style, never: frozenset[int] = frozenset()) -> None:
        self.seed = seed
        self.never = never
        self.name = name
        self.blind = blind
        self.style = style
        self.mind = GreedyBot(seed, name)

    def idle(self, seat: Seat) -> bool:
        return self.mind.idle(seat)

    def choose(self, seat: Seat) -> Choice:
        self._look(seat)
        return self.mind.choose(seat)

    def interject(self, seat: Seat) -> Choice | None:
        self._look(seat)
        return self.mind.interject(seat)

    def _look(self, seat: Seat) -> None:
        if seat.style is PLAIN:
            seat.style = self.style
        if seat.frame in ("turn", "combat"):
            seat.overlook(frozenset(c for c in seat.hand if self._overlooked(seat, c)), self.never)

    def _overlooked(self, seat: Seat, card: int) -> bool:
        """The same all through a turn; what is worn or in play is seen."""
        return random.Random(f"{self.seed}/{seat.seat}/{seat.turns}/{card}").random() < self.blind


class EasyBot(Overlooking):
    """Plays along: arms itself when it thinks of it, fights what it beats, helps gladly, hurts nobody."""

    def __init__(self, seed: int = 0, name: str = "easy") -> None:
        super().__init__(seed, name, EASY_BLIND, GENTLE, SALES)


class NewcomerBot(Overlooking):
    """Somebody who has just read the rules: knows what a card is for, misses some, and calls for help when losing."""

    def __init__(self, seed: int = 0, name: str = "newcomer") -> None:
        super().__init__(seed, name, FRESH_BLIND, ANXIOUS)
