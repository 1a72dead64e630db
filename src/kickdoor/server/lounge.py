"""The open tables of a server: those whose hosts want strangers to find them. A server has such a list if it is asked
to (`--public`), and a table is in it if its host says so. Whoever is in the list can be watched and joined."""

from __future__ import annotations

from collections import Counter
from typing import Final

from kickdoor.server import limits
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import BOT, OPEN, PERSON
from kickdoor.server.hub import Hub
from kickdoor.server.room import Room
from kickdoor.server.table import LOBBY, PLAYING

FRESH: Final = 2.0  # seconds for which a list is good: it is made once for everybody


class Lounge:
    """The list, made anew when it is asked for and old."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._made: tuple[float, bytes] | None = None

    def tables(self, moment: float) -> bytes:
        """The list as it is sent (`OpenTables`)."""
        if self._made is None or moment - self._made[0] >= FRESH:
            self._made = (moment, pr.encode({"tables": self._look()}))
        return self._made[1]

    def _look(self) -> list[pr.OpenTable]:
        found = [*listed(self.hub), *self.hub.neighbours.beyond().listed]
        found.sort(key=lambda t: (t["status"] != LOBBY, -len(t["people"]), t["id"]))
        return found[: limits.LISTED]


def listed(hub: Hub) -> list[pr.OpenTable]:
    """The open tables of this loop of the server: not so many of one address that there would be no room for others."""
    found: list[pr.OpenTable] = []
    shown: Counter[str] = Counter()
    for r in hub.rooms.values():
        if not r.table.options.listed or not _to_be_seen(r):
            continue
        who = next((g.address for g in r.guests if g.seat >= 0), "")
        shown[who] += 1
        if not who or shown[who] <= limits.LISTED_PER_ADDRESS:
            found.append(_open(r))
    return found


def _to_be_seen(r: Room) -> bool:
    """Is somebody there, and a place for one more: at the table, or around it?"""
    t = r.table
    if not r.here():
        return False
    if t.status == LOBBY:
        return any(c.who == OPEN for c in t.chairs)
    return t.status == PLAYING and t.options.watchers


def _open(r: Room) -> pr.OpenTable:
    t = r.table
    return {
        "id": t.id,
        "name": t.name,
        "status": t.status,
        "packs": list(t.options.packs),
        "people": [c.name for c in t.chairs if c.who == PERSON],
        "avatars": [c.avatar for c in t.chairs if c.who == PERSON],
        "bots": sum(c.who == BOT for c in t.chairs),
        "free": sum(c.who == OPEN for c in t.chairs),
        "timer": t.options.timer,
        "house": list(t.options.house),
    }
