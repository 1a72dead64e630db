"""What is found out about a card once, for all bots: the same as long as that card is played with."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from kickdoor.cards.library import CardDef

MOST: Final = 5000  # cards; every mix has its own, a server sees ever new mixes, and what is known of old ones goes

T = TypeVar("T")


class Findings(Generic[T]):
    """By the card's definition, which is kept beside its number: that would be another's otherwise."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[CardDef, T]] = {}

    def about(self, d: CardDef) -> T | None:
        got = self._found.get(id(d))
        return None if got is None else got[1]

    def keep(self, d: CardDef, what: T) -> T:
        if len(self._found) >= MOST:
            self._found.clear()
        self._found[id(d)] = d, what
        return what

    def __len__(self) -> int:
        return len(self._found)
