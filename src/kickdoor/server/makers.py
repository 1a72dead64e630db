"""Who made which tables: an address has only so many of them in memory (limits.TABLES_PER_ADDRESS).

Counted in one place for all loops of a server, the first one's: the others ask there (`far`). A table counts while it
is in memory, in whichever loop; and one that its maker's loop did not keep counts from its making for as long as one
stays that nobody visits: it goes to another loop or server by its name, and is in nobody's memory until it is asked
for. Who made a table is known as long as this server runs, and written down nowhere: an address is a person's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import count
from time import monotonic
from typing import Final

from kickdoor.server import limits

REMEMBERED: Final = 20_000  # tables that are not in memory any more: they count when they are opened again


class Makers:
    """The register. `living`: all that is in memory, by the names that the journal has for it."""

    def __init__(self, living: Callable[[], Collection[str]]) -> None:
        self.times = 1.0  # so many times as many tables as usual
        self._living = living
        self._made: dict[str, set[str]] = {}
        self._until: dict[tuple[str, str], float] = {}  # it counts until then, wherever it is; the oldest first
        self._places = count(1)

    async def enter(self, address: str) -> str:
        """A place for one more table of this address, which `leave` gives back; "" if it has none. Whoever asks for
        many at once gets no more of them than one after the other."""
        living, moment = self._living(), monotonic()
        counting = sum(t in living or self._until[address, t] > moment for t in self._made.get(address, ()))
        if counting >= self._most():
            return ""
        place = f"place {next(self._places)}"
        self._note(address, place, moment + limits.UNVISITED_SECONDS)
        return place

    async def leave(self, address: str, place: str, table: str) -> None:
        """What came of it; "": nothing."""
        self._drop(address, place)
        if table:
            living, moment = self._living(), monotonic()
            self._note(address, table, moment if table in living else moment + limits.UNVISITED_SECONDS)
            if len(self._until) > 2 * len(living) + REMEMBERED:
                self._forget(living, moment)

    async def crowded(self) -> frozenset[str]:
        """The tables in memory of those who have too many: some were opened again. Nobody is kept out of them, but
        those that nobody visits have to go sooner."""
        most = self._most()
        many = [made for made in self._made.values() if len(made) > most]
        living = set(self._living()) if many else set()
        here = [made & living for made in many]
        return frozenset[str]().union(*(tables for tables in here if len(tables) > most))

    def _most(self) -> float:
        return limits.TABLES_PER_ADDRESS * self.times

    def _note(self, address: str, table: str, until: float) -> None:
        self._made.setdefault(address, set()).add(table)  # a counter is found again and again by the same call
        self._until[address, table] = until

    def _drop(self, address: str, table: str) -> None:
        made = self._made.get(address, set())
        made.discard(table)
        if not made:
            self._made.pop(address, None)
        self._until.pop((address, table), None)

    def _forget(self, living: Collection[str], moment: float) -> None:
        """Of those that do not count now, the older half."""
        resting = [key for key, until in self._until.items() if until <= moment and key[1] not in living]
        for address, table in resting[: len(resting) // 2 + 1]:
            self._drop(address, table)
