"""Who did what to whom this game, as everybody saw it: what a player with a memory goes by.

A ledger is a value. It follows from the record of the game and from nothing else, so a table that was read back from
its journal remembers what it remembered before, and a move that is taken back is forgiven.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from kickdoor.engine.facts import fights
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import MONSTERS, seat_of
from kickdoor.engine.value.records import Event

WRONGS: Final = ("cursed", "robbed", "betrayed")
FAVOURS: Final = ("helped",)
_SEATS: Final = 16  # more than there are at any table
_FAVOUR: Final = _SEATS * _SEATS


class Deed(NamedTuple):
    """Something that one player did to another: cursed, robbed, looted, betrayed, helped, refused, given."""

    kind: str
    by: int
    to: int


# Events in which one seat does something to the other: the kind of deed, and whether `seat` is the one who does it.
_BETWEEN: Final[dict[str, tuple[str, bool]]] = {
    "curse": ("cursed", False),
    "penalty": ("betrayed", False),
    "charity": ("given", False),
    "give": ("given", False),
    "help": ("helped", True),
    "steal": ("robbed", True),
    "force": ("robbed", True),
    "loot_body": ("looted", True),
    "decline": ("refused", True),
}
_INTO_A_FIGHT: Final = ("play", "join")


def deeds(g: Game, events: Iterable[Event]) -> list[Deed]:
    """What players did to each other in these events, as far as it was done in front of everybody."""
    out: list[Deed] = []
    for e in events:
        if e.kind in _BETWEEN:
            if not e.secret:
                _between(e, out)
        elif e.kind in _INTO_A_FIGHT and g.fight is not None and not e.secret and _against(g, e):
            out += [Deed("betrayed", e.seat, s) for s in fights.fighters(g)]
    return out


def _between(e: Event, out: list[Deed]) -> None:
    kind, does = _BETWEEN[e.kind]
    by, to = (e.seat, e.other) if does else (e.other, e.seat)
    if by >= 0 <= to and by != to:
        out.append(Deed(kind, by, to))


def _against(g: Game, e: Event) -> bool:
    """Has somebody who is not in the fight made it worse for those who are?"""
    fight = g.fight
    if fight is None or e.seat < 0 or e.seat in fights.fighters(g):
        return False
    if e.kind == "join":
        return True
    if seat_of(e.other) >= 0:
        return False
    at_monsters = e.other == MONSTERS or fights.find_foe(fight, e.other) is not None
    return at_monsters and e.card >= 0 and g.lib.defs[e.card].bonus > 0


class Ledger:
    """How often each player wronged and helped each other one."""

    def __init__(self, counts: dict[int, int] | None = None) -> None:
        self._counts: dict[int, int] = counts if counts is not None else {}

    def wrongs(self, by: int, to: int) -> int:
        """How often one cursed, robbed or betrayed the other."""
        return self._counts.get(by * _SEATS + to, 0)

    def favours(self, by: int, to: int) -> int:
        """How often one helped the other in a fight."""
        return self._counts.get(_FAVOUR + by * _SEATS + to, 0)

    def owed(self, by: int, to: int) -> int:
        """How many times more one was helped by the other than he helped him: what he promised when he asked."""
        return max(0, self.favours(to, by) - self.favours(by, to)) if self._counts else 0

    def after(self, done: Sequence[Deed], times: int = 1) -> Ledger:
        """With these deeds as well; with `times` -1, without them again."""
        told = [d for d in done if d.kind in WRONGS or d.kind in FAVOURS]
        if not told:
            return self
        counts = self._counts.copy()
        for d in told:
            key = d.by * _SEATS + d.to + (_FAVOUR if d.kind in FAVOURS else 0)
            counts[key] = counts.get(key, 0) + times
            if not counts[key]:
                del counts[key]
        return Ledger(counts)

    def plain(self) -> list[tuple[int, int]]:
        """As numbers, to be written down."""
        return sorted(self._counts.items())

    @staticmethod
    def of(plain: Iterable[Sequence[int]]) -> Ledger:
        """What `plain` gave."""
        return Ledger({row[0]: row[1] for row in plain})


BLANK: Final = Ledger()
