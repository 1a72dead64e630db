"""A room: the one task that owns a table. Commands in, journal, then everybody sees.

Nothing is shown that is not in the journal. The clocks stand still while nobody is there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from kickdoor.bots.driver import only_pass
from kickdoor.engine.kernel import legal
from kickdoor.engine.value import moves as mv
from kickdoor.server import deciding, limits, patching, showing, snapshots, thinking, timing, watching
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.botplay import Company
from kickdoor.server.chairs import PERSON, Chair, fingerprint
from kickdoor.server.journal import Journal, Lease, Lost, Stale
from kickdoor.server.table import PLAYING, WATCHER, Table, now
from kickdoor.server.thinking import Thinker
from kickdoor.server.trouble import Trouble

log = logging.getLogger("kickdoor.server")

SNAPSHOT_EVERY: Final = 25  # so that a server that takes hundreds of tables over has little to play again
QUICK_PASS: Final = 0.25  # of a bot's pace: saying "I'm done" takes less than a move
AUTO_PAUSE: Final = 0.4  # seconds before the table passes for somebody, so that the eye can follow
REFUSALS_KEPT: Final = 100
_RESEATS: Final = (en.Sat, en.Retoken, en.GotUp, en.Dealt, en.OptionsSet, en.BotSat)


class Guest:
    """One connection: a person at a seat, or a spectator. `send` never waits; it is False when the line is full."""

    def __init__(self, token: str | None, send: Callable[[bytes], bool], hang_up: Callable[[str, str], None]) -> None:
        self.token = token
        self.send = send
        self.hang_up = hang_up
        self.seat = WATCHER
        self.inside = False


class Room:
    """A table with its people."""

    def __init__(self, table: Table, lease: Lease, journal: Journal, thinker: Thinker | None = None) -> None:
        self.table = table
        self.lease = lease
        self.journal = journal
        self.guests: list[Guest] = []
        self.company = Company(table)
        self.thinker = thinker or Thinker()
        self._thinking = -1  # the moment (`table.count`) that a slow bot is thinking about
        self.inbox: asyncio.Queue[tuple[Guest | None, Any]] = asyncio.Queue()
        self.shown = showing.Shown(showing.NOTHING, {})
        self.told = table.seq
        self.refused: dict[str, pr.Answer] = {}
        self.left_at: dict[int, float] = {}
        self._leaving: list[Guest] = []
        self.empty_since = self._time()
        self.closed = False
        self._wait: timing.Wait = timing.NOTHING
        self._key: tuple[Any, ...] = ()
        self._since = self._time()
        self._bot_due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._background: set[asyncio.Task[None]] = set()

    @staticmethod
    def _time() -> float:
        return asyncio.get_running_loop().time()

    # -- the loop -----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Until the room is closed."""
        try:
            self._rest()
            while not self.closed:
                guest, message = await self.inbox.get()
                await self._handle(guest, message)
        except (Stale, Lost) as e:
            log.warning("table %s: %s", self.table.id, e)
            self.close("elsewhere", "This table has moved to another server. Connecting again ...")
        except Exception:
            log.exception("table %s: the room failed", self.table.id)
            self.close("failed", "Something went wrong on the server. Nothing is lost; connecting again ...")

    def close(self, code: str, says: str) -> None:
        """Everybody out; the table is in the journal."""
        self.closed = True
        if self._timer is not None:
            self._timer.cancel()
        for g in self.guests:
            g.hang_up(code, says)
        self.guests = []
        self.inbox.put_nowait((None, None))

    async def _handle(self, guest: Guest | None, message: Any) -> None:
        if guest is None:
            if callable(message):
                await message()
            elif not self.closed:
                await self._tick()
        elif isinstance(message, pr.Hello):
            await self._join(guest, message)
        elif message is None:
            await self._part(guest)
        elif guest.inside:
            await self._command(guest, message)

    # -- coming and going ---------------------------------------------------------------------------------------

    async def _join(self, guest: Guest, hello: pr.Hello) -> None:
        t = self.table
        if hello.have is not None and hello.have > t.seq:  # must never happen: somebody saw what the journal has not
            log.error("table %s: a client has seen %s, the journal has %s", t.id, hello.have, t.seq)
        guest.seat = t.seat_of(guest.token) if guest.token else WATCHER
        if guest.token and guest.seat < 0:
            guest.hang_up("bad_token", "This seat is not yours any more: it was given up, or moved to another device.")
            return
        if guest.seat < 0 and not t.options.watchers:
            guest.hang_up("no_watching", "This table does not want spectators.")
            return
        if guest.seat < 0 and sum(g.seat < 0 for g in self.guests) >= limits.WATCHERS:
            guest.hang_up("crowded", "So many people are watching that there is no room left.")
            return
        if not guest.inside:
            self.guests.append(guest)
            guest.inside = True
        self.left_at.pop(guest.seat, None)
        if guest.seat >= 0 and t.chairs[guest.seat].standin:
            await self._write([en.StandIn(guest.seat, False)], guest.seat)
        self._rest()
        self._broadcast(but=guest)
        self._welcome(guest)

    async def _part(self, guest: Guest) -> None:
        if guest not in self.guests:
            return
        self.guests.remove(guest)
        guest.inside = False
        if guest.seat >= 0 and not any(g.seat == guest.seat for g in self.guests):
            self.left_at[guest.seat] = self._time()
        if not self.guests:
            self.empty_since = self._time()
        self._rest()
        self._broadcast()

    def here(self) -> list[int]:
        """Seats whose people are connected."""
        return sorted({g.seat for g in self.guests if g.seat >= 0})

    # -- commands -----------------------------------------------------------------------------------------------

    async def _command(self, guest: Guest, m: Any) -> None:
        if isinstance(m, (pr.Draft, pr.WhyNot)):
            self._question(guest, m)
            return
        key = f"{self._mark(guest)}/{m.id}"
        if key in self.table.answers:  # exactly once: a repeat gets the first answer
            self._send(guest, pr.Answer(m.id, True, self.table.answers[key]))
            return
        if key in self.refused:
            self._send(guest, self.refused[key])
            return
        try:
            done = deciding.decide(self.table, guest.seat, m, self.here())
        except Trouble as e:
            answer = pr.Answer(m.id, False, self.table.seq, e.code, e.says, e.rule)
            watching.REFUSALS.labels(e.code).inc()
            self.refused[key] = answer
            if len(self.refused) > REFUSALS_KEPT:
                self.refused.pop(next(iter(self.refused)))
            self._send(guest, answer)
            return
        await self._write(done, guest.seat, key)
        self._rest()
        self._send(guest, pr.Answer(m.id, True, self.table.seq))
        self._broadcast()

    @staticmethod
    def _mark(guest: Guest) -> str:
        return fingerprint(guest.token)[:16] if guest.token else f"watcher{id(guest)}"

    def _question(self, guest: Guest, m: pr.Draft | pr.WhyNot) -> None:
        try:
            if guest.seat < 0:
                raise Trouble(*deciding.NOT_SEATED)
            if isinstance(m, pr.Draft):
                answer = pr.Answer(m.id, True, self.table.seq, data=deciding.draft(self.table, guest.seat, m))
            else:
                rule, says = deciding.why(self.table, guest.seat, m)
                answer = pr.Answer(m.id, True, self.table.seq, "", says, rule)
        except Trouble as e:
            answer = pr.Answer(m.id, False, self.table.seq, e.code, e.says, e.rule)
        self._send(guest, answer)

    async def call(self, fn: Callable[[], list[en.Entries]]) -> None:
        """Do something from outside (HTTP) in the room's own order; raises what `fn` raises."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def job() -> None:
            try:
                await self._write(fn(), -1)
            except (Stale, Lost) as e:
                done.set_exception(Trouble("elsewhere", "This table is kept by another server now. Try again."))
                raise e
            except Exception as e:
                done.set_exception(e)
                return
            self._rest()
            self._broadcast()
            done.set_result(None)

        if self.closed:
            raise Trouble("elsewhere", "This table is kept by another server now. Try again.")
        self.inbox.put_nowait((None, job))
        await done

    # -- the journal --------------------------------------------------------------------------------------------

    async def _write(self, whats: list[en.Entries], by: int, command: str = "") -> None:
        """Into the journal first, then into the table."""
        if not whats:
            return
        at = now()
        entries = [en.Entry(w, at, by, command if i == 0 else "") for i, w in enumerate(whats)]
        with watching.writing(whats):
            await self.journal.append(self.lease, self.table.seq, [en.pack(e) for e in entries])
        before = self.table.seq
        for e in entries:
            self.table.take(e)
        if any(isinstance(w, _RESEATS) for w in whats):
            self._reseat()
        if self.table.seq // SNAPSHOT_EVERY != before // SNAPSHOT_EVERY:
            self._snapshot()

    def _snapshot(self) -> None:
        """A shortcut for the next start; nobody waits for it."""
        task = asyncio.create_task(self.journal.snapshot(self.table.id, self.table.seq, snapshots.dump(self.table)))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _reseat(self) -> None:
        """Chairs have moved: whose connection is whose?"""
        for g in list(self.guests):
            seat = self.table.seat_of(g.token) if g.token else WATCHER
            if g.token and seat < 0:
                self.guests.remove(g)
                g.inside = False
                self._leaving.append(g)
            elif seat != g.seat:
                g.seat = seat
                g.inside = False  # a new welcome is due
        self.left_at = {s: t for s, t in self.left_at.items() if s < len(self.table.chairs)}

    # -- showing ------------------------------------------------------------------------------------------------

    def _look(self) -> list[patching.Change]:
        """Look at the table anew; returns what has changed for everybody."""
        seats = set(self.here())
        here = [s in seats for s in range(len(self.table.chairs))]
        new = showing.shared(self.table, here, sum(g.seat < 0 for g in self.guests))
        changes = patching.diff(self.shown.shared, new)
        self.shown = showing.Shown(new, self.shown.own)
        return changes

    def _welcome(self, guest: Guest) -> None:
        """The whole state, as it was last looked at."""
        t = self.table
        mine = self.shown.own.get(guest.seat)
        if mine is None:
            mine = self.shown.own[guest.seat] = showing.own(t, guest.seat)
        lines = list(t.lines.get(guest.seat, t.lines.get(WATCHER, ())))
        chat = list(t.chat)
        guest.inside = True
        full = showing.state(self.shown.shared, mine, self._clock(guest.seat))
        self._send(guest, pr.Welcome(pr.VERSION, guest.seat, t.seq, full, lines, chat))

    def _broadcast(self, but: Guest | None = None) -> None:
        """Send every viewer what has changed for him."""
        while self._leaving:
            self._leaving.pop().hang_up("bad_token", "This seat has been given up, or taken to another device.")
        since, self.told = self.told, self.table.seq
        common = self._look()
        viewers = {g.seat for g in self.guests}
        for v in [v for v in self.shown.own if v not in viewers]:
            del self.shown.own[v]
        ready = {v: self._update(v, since, common) for v in viewers}
        for g in list(self.guests):
            if g is but:
                continue
            if not g.inside:
                self._welcome(g)
            elif not g.send(ready[g.seat]):
                self._drop(g)

    def _update(self, viewer: int, since: int, common: list[patching.Change]) -> bytes:
        t = self.table
        mine = showing.own(t, viewer)
        patch = common + showing.own_changes(self.shown.own.get(viewer, {}), mine, common, self.shown.shared)
        self.shown.own[viewer] = mine
        lines = _newer(t.lines.get(viewer, t.lines.get(WATCHER, ())), since)
        chat = _newer(t.chat, since)
        return pr.encode(pr.Update(t.seq, self._clock(viewer), patch, lines, chat))

    def _send(self, guest: Guest, message: Any) -> None:
        if not guest.send(pr.encode(message)):
            self._drop(guest)

    def _drop(self, guest: Guest) -> None:
        """A reader that cannot keep up is let go; it comes back with a fresh start."""
        guest.hang_up("slow", "Your line is too slow for this table. Connecting again ...")

    # -- clocks -------------------------------------------------------------------------------------------------

    def _clock(self, viewer: int) -> pr.Clock:
        w = self._wait
        if w.kind == "none":
            return {**showing.NO_CLOCK, "window": self.table.window}
        seats = [s for s in w.seats if not self.table.chairs[s].played_by_bot]
        of = viewer if viewer in seats else max(seats, key=self._total, default=-1)
        total = self._total(of) if of >= 0 else 0.0
        left = max(0.0, self._since + total - self._time())
        return {
            "kind": w.kind,
            "seats": list(w.seats),
            "left": int(left * 1000),
            "total": int(total * 1000),
            "window": self.table.window,
        }

    def _total(self, seat: int) -> float:
        """How long this seat has, counted from the last change."""
        o = self.table.options
        g = self.table.game
        if self._wait.kind == "decision" or (g is not None and timing.patient(g, seat)):
            return o.decision
        return o.window

    def _rest(self) -> None:
        """After a change: whom do we wait for, since when, and when do we look again?"""
        t = self.table
        g = t.game
        w = timing.waiting(g) if g is not None and t.status == PLAYING else timing.NOTHING
        key = (t.games, t.window, w.kind, w.seats[:1] if w.kind == "decision" else ())
        moment = self._time()
        if key != self._key:
            self._key, self._since = key, moment
            self._bot_due = moment + op.PACE[t.options.bot_speed]
        elif w != self._wait:
            self._bot_due = moment + op.PACE[t.options.bot_speed] * QUICK_PASS
        self._wait = w
        self._set_timer()

    def _set_timer(self) -> None:
        at = self._next_due()
        if self._timer is not None:
            if at is not None and abs(self._timer_at - at) < 0.001 and not self._timer.cancelled():
                return
            self._timer.cancel()
            self._timer = None
        if at is not None and not self.closed:
            self._timer_at = at
            self._timer = asyncio.get_running_loop().call_at(at, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self.inbox.put_nowait((None, None))

    def _next_due(self) -> float | None:
        """When something happens by itself, if anybody is there to see it."""
        t = self.table
        if t.status != PLAYING or not self.guests:
            return None
        dues = [self._since + self._total(s) for s in self._wait.seats if not t.chairs[s].played_by_bot]
        dues += [self._since + AUTO_PAUSE for s in self._wait.seats if self._auto(s)]
        dues += [at + t.options.grace for s, at in self.left_at.items() if self._absent(s)]
        if self._thinking != t.count and self.company.next() is not None:
            dues.append(self._bot_due)
        return min(dues, default=None)

    def _absent(self, s: int) -> bool:
        c: Chair = self.table.chairs[s]
        return c.who == PERSON and not c.standin

    def _auto(self, s: int) -> bool:
        """Does the table pass for this seat now?"""
        c = self.table.chairs[s]
        g = self.table.game
        if g is None or self._wait.kind != "window" or c.played_by_bot or c.auto == "off":
            return False
        if c.auto == "nothing":
            return only_pass(legal(g, s)) is not None
        fight = g.fight
        return c.auto == "always" or fight is None or s not in (fight.main, fight.helper)

    async def _tick(self) -> None:
        """Do what is due."""
        if self.table.status != PLAYING or not self.guests:
            return
        moment = self._time() + 0.002
        done = self._absent_due(moment) or self._all_dozing() or self._seat_due(moment) or self._bots_due(moment)
        if done:
            await self._write(done, -1)
            self._rest()
            self._broadcast()
        else:
            self._set_timer()

    def _absent_due(self, moment: float) -> list[en.Entries]:
        for s, at in list(self.left_at.items()):
            if moment >= at + self.table.options.grace:
                del self.left_at[s]
                if self._absent(s):
                    return [en.StandIn(s, True, ", whose line is gone")]
        return []

    def _all_dozing(self) -> list[en.Entries]:
        """Nobody is left to vote: bots play for all who sleep, until they say something."""
        people = [s for s, c in enumerate(self.table.chairs) if c.who == PERSON and not c.standin]
        if not people or not all(self.table.chairs[s].dozing for s in people):
            return []
        return [en.StandIn(s, True, ", who does not answer") for s in people]

    def _seat_due(self, moment: float) -> list[en.Entries]:
        """Time is up, or the seat wants to be passed for."""
        g = self.table.game
        assert g is not None
        for s in self._wait.seats:
            if self.table.chairs[s].played_by_bot:
                continue
            if moment >= self._since + AUTO_PAUSE and self._auto(s):
                return [deciding.prepare(self.table, g, s, [(mv.PASS, -1, -1, -1)], "auto")]
            if moment >= self._since + self._total(s):
                move = timing.default(g, s)
                if move is not None:
                    return [deciding.prepare(self.table, g, s, [tuple(move[1:])], "clock")]  # type: ignore[list-item]
        return []

    def _think(self, s: int) -> None:
        """Let a slow bot think; what it chose comes in like everything else."""
        if self._thinking != self.table.count:
            self._thinking = self.table.count
            task = asyncio.create_task(self._thought(s, self.table.count))
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    async def _thought(self, s: int, count: int) -> None:
        t, g = self.table, self.table.game
        assert g is not None
        mine = [m for m in t.recent if m.seat == s]
        try:
            choice = await self.thinker.think(self.company.kind(s), self.company.seed(s), g, s, count, mine)
        except Exception as e:
            log.error("table %s: the bot at seat %s could not think: %s", t.id, s, e)
            choice = None

        async def job() -> None:
            self._thinking = -1
            now_ = self.table.game
            if self.closed or now_ is None or self.table.count != count or not t.chairs[s].played_by_bot:
                self._set_timer()  # too late: something else has happened, or the person is back
                return
            move = choice.move if choice is not None and choice.move in legal(now_, s) else timing.default(now_, s)
            if move is not None:
                reason = choice.reason if choice is not None else ""
                await self._write([deciding.prepare(t, now_, s, [move[1:]], "bot", reason)], -1)
            self._rest()
            self._broadcast()

        self.inbox.put_nowait((None, job))

    def _bots_due(self, moment: float) -> list[en.Entries]:
        if moment < self._bot_due:
            return []
        g = self.table.game
        assert g is not None
        while (turn := self.company.next()) is not None:
            if turn[1] and thinking.slow(self.company.kind(turn[0])) and only_pass(legal(g, turn[0])) is None:
                self._think(turn[0])
                return []
            choice = self.company.ask(*turn)
            if choice is not None:
                parts = choice.move[1:]
                return [deciding.prepare(self.table, g, turn[0], [parts], "bot", choice.reason)]
        return []


def _newer(lines: Any, since: int) -> list[Any]:
    """The lines after a number; the newest are at the end."""
    out = []
    for x in reversed(lines):
        if x["seq"] <= since:
            break
        out.append(x)
    return out[::-1]
