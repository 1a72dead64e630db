"""What is being voted on: one thing, as it was when it was proposed. When that is gone, so is the vote."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from kickdoor.engine.kernel import to_act
from kickdoor.engine.value.game import Game
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import PERSON, Chair
from kickdoor.server.options import TableOptions


class About(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a vote was called about, so that it can be seen whether it is still there.

    `move`: the moves to be taken back, by the number of moves there were after them. `level`: the Level that is said to
    be wrong. `place`: where the card lies that is said to lie wrong.
    """

    move: int = -1
    level: int = 0
    place: str = ""


class Ballot(msgspec.Struct):
    """A vote that is open."""

    id: int
    kind: pr.Motion
    by: int
    seat: int
    text: str
    fix: dict[str, Any] | None
    yes: list[int]
    no: list[int]
    about: About = About()

    def copy(self) -> Ballot:
        return msgspec.structs.replace(self, yes=self.yes[:], no=self.no[:])


class Sitting(Protocol):
    """As much of a table as votes are about."""

    status: pr.Status
    game: Game | None
    chairs: list[Chair]
    options: TableOptions

    def last_move(self) -> int:
        """The number of the moves that could be taken back now, or -1."""


def place(g: Game, card: int) -> str:
    """Where a card lies that can be corrected; nothing if it is out of everybody's reach."""
    for s, p in enumerate(g.players):
        if card in p.hand:
            return f"hand {s}"
        if card in p.table:
            return f"table {s}"
    return "discards" if any(pile[-1:] == [card] for pile in g.discards) else ""


def asleep(t: Sitting, seat: int) -> bool:
    """May a bot be voted in here? Where no clock runs nobody is ever late: it may be whoever the table waits for."""
    c = t.chairs[seat]
    if c.dozing or t.options.decision or t.game is None:
        return c.dozing
    return c.who == PERSON and not c.standin and seat in to_act(t.game)


def stands(t: Sitting, v: Ballot) -> bool:
    """Is what this vote is about still there?"""
    if t.status != "playing" or t.game is None or t.chairs[v.by].who != PERSON:
        return False
    if v.kind == "undo":
        return v.about.move == t.last_move() >= 0
    if v.kind == "standin":
        return asleep(t, v.seat)
    fix = v.fix or {}
    if v.about.level:
        return t.game.players[v.seat].level == v.about.level
    return place(t.game, fix.get("card", -1)) == v.about.place != ""
