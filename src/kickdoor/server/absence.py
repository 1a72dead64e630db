"""People who are not there: a table waits for a while, and then goes on without them.

Ready is a promise to be there: it lapses. The host's part passes to somebody who is there. In a game a bot stands in.
Time counts only while somebody is there to wait (`room`): who comes first to a table waits for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kickdoor.server import entries as en
from kickdoor.server.chairs import PERSON
from kickdoor.server.table import LOBBY, PLAYING, Table

READY_SECONDS: Final = 20.0  # long enough to load the page again
HOST_SECONDS: Final = 60.0

LeftAt = Mapping[int, float]  # people whose line is gone, and since when


class Due(NamedTuple):
    """What happens by itself, and when."""

    at: float
    what: en.Entries


def dues(t: Table, left: LeftAt, here: Sequence[int]) -> Iterator[Due]:
    """Everything that comes of people's absence, if nobody comes back before."""
    heir = next((x for x in here if t.chairs[x].who == PERSON), -1)
    for s, at in left.items():
        c = t.chairs[s]
        if s in here:
            continue
        if t.status == LOBBY and c.ready:
            yield Due(at + READY_SECONDS, en.ReadySet(s, False, ", since nobody has been there for a while"))
        if t.status == PLAYING and not c.standin:
            yield Due(at + t.options.grace, en.StandIn(s, True, ", whose line is gone"))
        if s == t.host and heir >= 0:
            yield Due(at + HOST_SECONDS, en.HostSet(heir, f", since {c.name} is away"))


def due(t: Table, left: LeftAt, here: Sequence[int], moment: float) -> list[en.Entries]:
    """What is due now, one thing at a time."""
    return next(([d.what] for d in dues(t, left, here) if moment >= d.at), [])
