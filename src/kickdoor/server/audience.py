"""The audience of a table: who is connected, and what each of them is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kickdoor.server import patching, showing
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import fingerprint, new_token
from kickdoor.server.table import STRANGER, WATCHER, Table, mark_of

NOT_YOURS: Final = (
    "This seat is not yours any more: it was given up, freed by the host, or moved to another device. You can watch, "
    "and sit down again where a seat is free."
)
NO_WATCHING: Final = ("no_watching", "This table does not want spectators.")
ClockOf = Callable[[int], pr.Clock]  # how long a viewer is told that there is


class Guest:
    """One connection: a person at a seat, or a spectator. `send` never waits; it is False when the line is full.

    `hold` is for what goes out with the frame that is sent next. `watcher` is what a spectator calls himself, so that
    he is the same one after a lost line.
    """

    def __init__(
        self,
        token: str | None,
        send: Callable[[bytes], bool],
        hang_up: Callable[[str, str], None],
        watcher: str | None = None,
        hold: Callable[[bytes], bool] | None = None,
        address: str = "",
    ) -> None:
        self.token = token
        self.address = address  # whom he comes from, as far as limits are concerned; empty: not known
        self.send = send
        self.hold = hold or send
        self.hang_up = hang_up
        self.seat = WATCHER
        self.inside = False
        self.mark = mark_of(fingerprint(token)) if token else STRANGER + mark_of(fingerprint(watcher or new_token()))


class Audience:
    """Everybody here, and what they were last sent."""

    def __init__(self, t: Table) -> None:
        self.guests: list[Guest] = []
        self.shown = showing.Shown(showing.NOTHING, {})
        self.told = t.seq
        self._own: tuple[int, dict[int, showing.Own]] = t.looked or (-1, {})  # after which entry, by viewer
        t.looked = None
        self.drawn: showing.Drawn | None = None  # what was tried out, and is going to be shown
        self._front = showing.Front()
        self._leaving: list[Guest] = []

    def here(self) -> list[int]:
        """Seats whose people are connected."""
        return sorted({g.seat for g in self.guests if g.seat >= 0})

    def reseat(self, t: Table) -> None:
        """Chairs have moved, or spectators are not wanted any more: whose connection is whose, and who has to go?"""
        for g in list(self.guests):
            seat = t.seat_of(g.token) if g.token else WATCHER
            if seat < 0 and (g.token or not t.options.watchers):
                self.guests.remove(g)
                g.inside = False
                self._leaving.append(g)
            elif seat != g.seat:
                g.seat = seat
                g.inside = False  # a new welcome is due

    def draw(self, t: Table) -> showing.Drawn:
        """A table as everybody here sees it."""
        here, watchers = self._present(t)
        known = self._known(t)
        own = {v: known[v] if v in known else showing.own(t, v) for v in {g.seat for g in self.guests}}
        return showing.Drawn(t.seq, here, watchers, showing.shared(t, here, watchers, self._front), own)

    def _known(self, t: Table) -> dict[int, showing.Own]:
        """What viewers have, as far as it has been worked out already."""
        seq, known = self._own
        if seq == t.seq:
            return known
        last, who = t.passed
        if last != t.seq or seq != last - 1 or t.options.lesson:
            return {}
        return {v: showing.beside(mine) for v, mine in known.items() if v != who}  # all the others may do is as it was

    def _present(self, t: Table) -> tuple[list[bool], int]:
        here = [False] * len(t.chairs)
        watchers = 0
        for g in self.guests:
            if g.seat < 0:
                watchers += 1
            elif g.seat < len(here):
                here[g.seat] = True
        return here, watchers

    def _look(self, t: Table, compare: bool) -> tuple[list[patching.Change], dict[int, showing.Own]]:
        """Look at the table anew; returns what has changed for everybody, if anybody wants to know, and what each
        viewer has besides."""
        drawn, self.drawn = self.drawn, None
        if drawn is None or drawn.seq != t.seq or (drawn.here, drawn.watchers) != self._present(t):
            drawn = self.draw(t)
        if self._own[0] == t.seq:  # somebody has come or gone: what the others have is as it was
            self._own[1].update(drawn.own)
        else:
            self._own = (t.seq, drawn.own)
        changes = patching.diff(self.shown.shared, drawn.shared) if compare else []
        self.shown.shared = drawn.shared
        return changes, drawn.own

    def welcome(self, t: Table, guest: Guest, clock: ClockOf) -> None:
        """The whole state, as it was last looked at."""
        mine = self.shown.own.get(guest.seat)
        if mine is None:
            mine = self.shown.own[guest.seat] = showing.own(t, guest.seat)
        guest.inside = True
        full = showing.state(self.shown.shared, mine, clock(guest.seat))
        lines = list(t.lines.get(guest.seat, t.lines.get(WATCHER, ())))
        self.send(guest, pr.Welcome(pr.VERSION, guest.seat, t.seq, full, lines, list(t.chat)))

    def broadcast(self, t: Table, clock: ClockOf) -> None:
        """Send every viewer what has changed for him, and whoever has just come everything."""
        while self._leaving:
            g = self._leaving.pop()
            g.hang_up(*(("bad_token", NOT_YOURS) if g.token else NO_WATCHING))
        since, self.told = self.told, t.seq
        viewers = {g.seat for g in self.guests if g.inside}  # whoever has just come gets no changes
        common, own = self._look(t, bool(viewers))
        ready: dict[int, bytes] = {}
        if viewers:
            frames = Frames(t, since, common)
            ready = {v: frames.update(v, clock(v), self._changes(v, common, own[v])) for v in viewers}
        self.shown.own = dict(own)
        for g in list(self.guests):
            if not g.inside:
                self.welcome(t, g, clock)
            elif not g.send(ready[g.seat]):
                self._drop(g)

    def _changes(self, viewer: int, common: list[patching.Change], mine: showing.Own) -> list[patching.Change]:
        """What has changed for this viewer alone."""
        return showing.own_changes(self.shown.own.get(viewer), mine, common, self.shown.shared)

    def answer(self, guest: Guest, message: pr.Answer) -> None:
        """An answer that goes out with the frame of the broadcast that follows it, where the guest gets one."""
        if guest.inside:
            guest.hold(pr.encode(message))
        else:
            self.send(guest, message)

    def send(self, guest: Guest, message: Any) -> None:
        if not guest.send(pr.encode(message)):
            self._drop(guest)

    def _drop(self, guest: Guest) -> None:
        """A reader that cannot keep up is let go; it comes back with a fresh start."""
        guest.hang_up("slow", "Your line is too slow for this table. Connecting again ...")


class Frames:
    """What viewers are sent after a change, an `Update` each. What several of them are told alike is written once."""

    def __init__(self, t: Table, since: int, common: list[patching.Change]) -> None:
        self._table, self._since = t, since
        self._head = b'{"t":"update","seq":%d,"clock":' % t.seq
        self._common = pr.encode(common)[1:-1]
        chat = _newer(t.chat, since)
        self._tail = b',"chat":' + pr.encode(chat) + b"}" if chat else b"}"
        self._clock: pr.Clock | None = None
        self._clock_written = b""
        self._lines: list[Any] = []
        self._log = self._tail

    def update(self, viewer: int, clock: pr.Clock, own: list[patching.Change]) -> bytes:
        """One viewer's frame."""
        t = self._table
        if clock is not self._clock:
            self._clock, self._clock_written = clock, self._head + pr.encode(clock) + b',"patch":[' + self._common
        lines = _newer(t.lines.get(viewer, t.lines.get(WATCHER, ())), self._since)
        if lines != self._lines:  # those who are told the same have the very same lines
            self._lines = lines
            self._log = b',"log":' + pr.encode(lines) + self._tail if lines else self._tail
        if not own:
            return b"".join((self._clock_written, b"]", self._log))
        mine = pr.encode(own)
        return b"".join((self._clock_written, b"," + mine[1:] if self._common else mine[1:], self._log))


def _newer(lines: Any, since: int) -> list[Any]:
    """The lines after a number; the newest are at the end."""
    if not lines or lines[-1].seq <= since:
        return []
    out = []
    for x in reversed(lines):
        if x.seq <= since:
            break
        out.append(x)
    return out[::-1]
