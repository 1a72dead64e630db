"""A room: the one task that owns a table. Commands in, journal, then everybody sees.

Nothing is shown that is not in the journal. Time stands still while none of the table's people is there.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol
from zlib import crc32

from kickdoor.engine.value.reasons import Refused
from kickdoor.server import absence, consent, deciding, limits, links, outages, showing, snapshots, watching
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.audience import NO_WATCHING, NOT_YOURS, Audience, Guest
from kickdoor.server.ballots import asleep
from kickdoor.server.bot_turns import BotTurns
from kickdoor.server.botplay import Company
from kickdoor.server.chairs import PERSON, fingerprint
from kickdoor.server.clocks import Clocks
from kickdoor.server.hinting import Hints
from kickdoor.server.journal import Damaged, Journal, Lease, Lost, Stale, no_writing
from kickdoor.server.letterbox import Letterbox
from kickdoor.server.table import PLAYING, WATCHER, Table, mark_of, now
from kickdoor.server.thinking import Thinker
from kickdoor.server.trouble import Trouble

log = logging.getLogger("kickdoor.server")

SNAPSHOT_EVERY: Final = 25  # so that a server that takes hundreds of tables over has little to play again
REFUSALS_KEPT: Final = 100  # of one person
VOTE_SECONDS: Final = 600.0  # then a vote that nobody has settled is over
SILENCE: Final = 60.0  # seconds after which somebody who is waited for may be called asleep where no clock runs
LIKELY: Final = 1000  # entries that a client may claim to have seen beyond the journal; more is made up
HOLD: Final = 20.0  # seconds for which clocks and bots wait for a vote on the last move
WRITE_AGAIN: Final = 1.0  # seconds until bots and clocks try again, when the journal could not be written
_LEAVE_PEOPLE: Final = frozenset({en.Made, en.Chatted})  # nobody comes, goes or is asked by these
_RESEATS: Final = frozenset({en.Sat, en.Retoken, en.GotUp, en.Dealt, en.OptionsSet, en.BotSat})
_GOES_ON: Final = frozenset({pr.Act, pr.Undo, pr.Vote, pr.Wake, pr.TakeBack, pr.Leave, pr.Auto})
_QUESTIONS: Final = frozenset({pr.Draft, pr.WhyNot, pr.Wait})

FAILED: Final = (
    "failed",
    "That could not be done, and it should have been: the server's log has the reason. Nothing has changed.",
)
BOOK_FULL: Final = (
    "full_book",
    "So much has been written down of this table that it takes only moves. Play the game to its end; for the next one "
    "make a new table.",
)
BOOK_CLOSED: Final = (
    "full_book",
    "So much has been written down of this game that nothing more is taken: no game takes that long. Make a new table.",
)
AGAIN: Final = ("failed", "Something went wrong on the server. Nothing is lost; connecting again ...")
ELSEWHERE: Final = ("elsewhere", "This table is kept by another server now. Try again.")


class Call:
    """Something from outside (HTTP) that waits for its turn, and for its answer; without `fn`, only for its turn."""

    def __init__(self, fn: Callable[[], list[en.Entries]] | None) -> None:
        self.fn = fn
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def answer(self, trouble: Exception | None = None) -> None:
        if self.done.done():  # whoever asked has gone
            return
        if trouble is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(trouble)


class Ring(Protocol):
    """Something that is going to happen."""

    def cancel(self) -> None:
        """It is not."""


class Bell(Protocol):
    """What tells a room the time and wakes it: its loop, unless somebody turns the hands."""

    def time(self) -> float:
        """The time, in seconds since whenever."""

    def call_at(self, when: float, callback: Callable[[], object], /) -> Ring:
        """Ring then."""


class Room:
    """A table with its people."""

    def __init__(
        self,
        table: Table,
        lease: Lease,
        journal: Journal,
        thinker: Thinker | None = None,
        adviser: Thinker | None = None,
        bell: Bell | None = None,
        instant: limits.Buckets[None] | None = None,
    ) -> None:
        self._bell: Bell = bell or asyncio.get_running_loop()
        self.table = table
        self.lease = lease
        self.journal = journal
        self.audience = Audience(table)
        self.guests = self.audience.guests
        self.company = Company(table)
        self.thinker = thinker or Thinker()
        self.hints = Hints(table, self.company, adviser or self.thinker, self._post)
        self.bots = BotTurns(
            table, self.company, self.thinker, self._post, self._time, self._set_timer, self._whom_for, instant
        )
        self.clocks = Clocks(table, self.guests, self._time)
        self.inbox: Letterbox[tuple[Guest | None, Any]] = Letterbox()
        self.changing = asyncio.Lock()  # other cards are being looked into (`sockets.Mouth`)
        self.refused: dict[str, dict[str, pr.Answer]] = {}
        self.claims: dict[str, tuple[str, float]] = {}  # seats that are to move: whose token has one, and until when
        self.left_at: dict[int, float] = {}  # since when a person's line is gone
        self.away_at: dict[int, float] = {}  # since when a bot stands in for a person who is not there
        self._spoke: dict[int, float] = {}  # when a seat's person last said anything
        self.asked_at: dict[int, float] = {}  # since when a vote is open
        self._stuck = -1  # after this entry nothing happens by itself any more: it failed
        self.empty_since = self._time()
        self._stood: float | None = self.empty_since  # since when time stands still, if it does (`Clocks.running`)
        self.closed = False
        self._again_at = 0.0  # nothing happens by itself before that
        self.unwritten = ""  # why the journal could not be written the last time, if so
        self._timer: Ring | None = None
        self._timer_at = 0.0
        self._offset = crc32(table.id.encode()) % SNAPSHOT_EVERY  # tables that began together take turns with shortcuts
        self._background: set[asyncio.Task[None]] = set()
        self._mind()

    def _time(self) -> float:
        return self._bell.time()

    def _whom_for(self) -> str:
        """The address that bots think for here: of who sits at the table, or where nobody does, of who watches."""
        return min(self.guests, key=lambda g: g.seat < 0).address if self.guests else ""

    def _post(self, job: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Something that was done beside the room comes in like everything else."""
        self.inbox.put_nowait((None, job))

    # -- the loop -----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Until the room is closed."""
        try:
            self._rest()
            while not self.closed:
                guest, message = await self.inbox.get()
                await self._one(guest, message)
        except Stale as e:
            log.warning("table %s: %s", self.table.id, e)
            self.close("elsewhere", "This table has moved to another server, or its journal has. Connecting again ...")
        except Damaged as e:
            log.error("table %s: %s", self.table.id, e)
            self.close("failed", "What the server wrote down is damaged. Connecting again, to what is good of it ...")
        except Exception:
            log.exception("table %s: the room failed", self.table.id)
            self.close(*AGAIN)

    async def _one(self, guest: Guest | None, message: Any) -> None:
        """Handle one message. The table is what its journal says, whatever fails; so only what failed is given up."""
        try:
            await self._handle(guest, message)
        except Lost as e:
            self._not_written(guest, message, e)
        except (Stale, Damaged):
            if isinstance(message, Call):
                message.answer(Trouble(*ELSEWHERE))
            raise
        except Exception:
            if isinstance(message, Call):
                message.answer(Trouble(*FAILED))
                raise
            if guest is None:
                log.exception("table %s: what was due could not be done", self.table.id)
                self._stuck = self.table.seq
            elif isinstance(message, pr.Hello) or message is None:
                log.exception("table %s: a guest could not be let in or out", self.table.id)
                for g in [guest, *(g for g in self.guests if not g.inside)]:
                    self._remove(g)
                    g.hang_up(*AGAIN)
            else:
                number = self.table.answers.get(guest.mark, {}).get(message.id)
                if number is not None:  # it has been done, and what failed came after it
                    self._send(guest, pr.Answer(message.id, True, number))
                raise

    def close(self, code: str, says: str) -> None:
        """Everybody out, and nobody waits in vain; the table is in the journal."""
        self.closed = True
        if self._timer is not None:
            self._timer.cancel()
        self.hints.close()
        for g in self.guests:
            g.hang_up(code, says)
        self.guests.clear()
        while not self.inbox.empty():
            guest, message = self.inbox.get_nowait()
            if isinstance(message, Call):
                message.answer(Trouble(*(ELSEWHERE if code == "elsewhere" else AGAIN)))
            elif guest is not None:
                guest.hang_up(code, says)
        self.inbox.put_nowait((None, None))

    async def _handle(self, guest: Guest | None, message: Any) -> None:
        if isinstance(message, Call):
            await self._called(message)
        elif guest is None:
            if callable(message):
                await message()
            elif not self.closed:
                await self._tick()
        elif type(message) is pr.Hello:
            await self._join(guest, message)
            if not self._more_come():
                self._rest()
                self._broadcast()
        elif message is None:
            await self._part(guest)
        elif guest.inside:
            await self._command(guest, message)

    def _not_written(self, guest: Guest | None, message: Any, e: Lost) -> None:
        """Nothing has happened, since nothing could be written. Everybody stays, is told once, and may try again.

        What the clocks and bots wanted to do is due again later: nobody's time runs out while nobody can move.
        """
        if not self.unwritten:
            self.unwritten = str(e)
            outages.JOURNAL.met(f"table {self.table.id}, where everybody waits", e)
            for g in self.guests:
                self._send(g, pr.Problem("unwritable", no_writing(e).says))
        self._mind()
        self.clocks.since = self._time()
        self._again_at = self.clocks.since + WRITE_AGAIN
        self._rest()
        if isinstance(message, Call):
            message.answer(no_writing(e))
        if guest is None:
            return
        if isinstance(message, pr.Hello):
            if guest not in self.guests:  # he was to have a seat by this
                guest.hang_up(*AGAIN)
            self._broadcast()
        elif hasattr(message, "id"):
            trouble = no_writing(e)
            self._send(guest, pr.Answer(message.id, False, self.table.seq, trouble.code, trouble.says))

    # -- coming and going ---------------------------------------------------------------------------------------

    async def _join(self, guest: Guest, hello: pr.Hello) -> None:
        t = self.table
        guest.seat = t.seat_of(guest.token) if guest.token else WATCHER
        if guest.token and guest.seat < 0:
            guest.seat = await self._arrived(fingerprint(guest.token))
        if hello.have is not None and t.seq < hello.have < t.seq + LIKELY and guest.seat >= 0:
            # must never happen: somebody saw what the journal has not (a spectator may be anybody: no alarm)
            log.error("table %s: a client has seen %s, the journal has %s", t.id, hello.have, t.seq)
        if guest.token and guest.seat < 0:
            guest.hang_up("bad_token", NOT_YOURS)
            return
        if guest.seat < 0 and not t.options.watchers:
            guest.hang_up(*NO_WATCHING)
            return
        if guest.seat < 0 and sum(g.seat < 0 for g in self.guests) >= limits.WATCHERS:
            guest.hang_up("crowded", "So many people are watching that there is no room left.")
            return
        if guest not in self.guests:
            self.guests.append(guest)
        guest.inside = False  # until he is welcomed
        self._mind()
        if guest.seat >= 0 and t.chairs[guest.seat].standin:
            await self._write([en.StandIn(guest.seat, False)], guest.seat)

    def claim(self, mark: str, token: str) -> int:
        """A seat is to move to who has this token: which one, or -1. Until he is here it stays where it is, so that an
        answer that is lost loses nobody his seat; and he has to come while the link would be good."""
        seat = self._whose(mark)
        if seat >= 0:
            self.claims = {new: x for new, x in self.claims.items() if x[0] != mark and self._whose(x[0]) >= 0}
            self.claims[fingerprint(token)] = mark, self._time() + links.SECONDS
        return seat

    def expects(self, mark: str) -> bool:
        """Does whoever has the token with this fingerprint have a seat, or come for one?"""
        return bool(mark) and (self._whose(mark) >= 0 or mark in self.claims)

    def _whose(self, mark: str) -> int:
        """The seat of the token with this fingerprint, or -1."""
        return next((i for i, c in enumerate(self.table.chairs) if c.token and c.token == mark), WATCHER)

    async def _arrived(self, mark: str) -> int:
        """Somebody comes to whom a seat was to move, and has it from now on: which one, or -1."""
        old, until = self.claims.get(mark, ("", 0.0))
        seat = self._whose(old)
        if seat >= 0 and self._time() < until:
            await self._write([en.Retoken(seat, mark)], seat)
            return seat
        return WATCHER

    def _more_come(self) -> bool:
        """Does somebody else wait to be let in? Those who come together are welcomed together, and announced once."""
        letter = self.inbox.next()
        return letter is not None and isinstance(letter[1], pr.Hello)

    async def _part(self, guest: Guest) -> None:
        if guest not in self.guests:
            return
        self._remove(guest)
        self._rest()
        self._broadcast()

    def _remove(self, guest: Guest) -> None:
        if guest in self.guests:
            self.guests.remove(guest)
        guest.inside = False
        if not self.guests:
            self.empty_since = self._time()
        self._mind()

    def _mind(self) -> None:
        """Who has gone since when, who is stood in for since when, which votes are open since when."""
        moment, here, t = self._time(), self.here(), self.table
        if self.clocks.running():
            self._goes_on(moment)
        elif self._stood is None:
            self._stood = moment
        people = [(s, c) for s, c in enumerate(t.chairs) if c.who == PERSON]
        self.left_at = {s: self.left_at.get(s, moment) for s, _ in people if s not in here}
        self.away_at = {s: self.away_at.get(s, moment) for s, c in people if c.standin and s not in here}
        self.asked_at = {v.id: self.asked_at.get(v.id, moment) for v in t.votes}

    def _goes_on(self, moment: float) -> None:
        """Somebody is there again. While time stood it passed for nobody, and nobody waited for who had gone."""
        stood, self._stood = self._stood, None
        if stood is None:
            return
        self.left_at = {}
        self.away_at = {s: moment - max(0.0, stood - at) for s, at in self.away_at.items()}
        self.asked_at = {v: moment - max(0.0, stood - at) for v, at in self.asked_at.items()}
        self.clocks.since = moment - max(0.0, stood - self.clocks.since)

    def away(self) -> list[int]:
        """The people who need not be asked: gone, with a bot in their seat, for as long as this table waits."""
        patience = self.table.options.absent
        return [s for s, at in self.away_at.items() if patience and self._time() >= at + patience]

    def here(self) -> list[int]:
        """Seats whose people are connected."""
        return self.audience.here()

    def _send(self, guest: Guest, message: Any) -> None:
        self.audience.send(guest, message)

    def _broadcast(self) -> None:
        """Send every viewer what has changed for him, and whoever has just come everything."""
        self.audience.broadcast(self.table, self.clocks.all())

    # -- commands -----------------------------------------------------------------------------------------------

    async def _command(self, guest: Guest, m: Any) -> None:
        self._stir(guest.seat)
        await self._speaks_up(guest.seat, m)
        if type(m) is pr.Hint:
            self._hint(guest, m)
            return
        if type(m) in _QUESTIONS:
            self._question(guest, m)
            return
        known = self.answered(guest, m)
        if known is not None:  # exactly once: a repeat gets the first answer
            self._send(guest, known)
            return
        try:
            self._has_pages(m)
            if type(m) is pr.Wake:
                self._must_be_silent(m.seat)
            done = self._decided(lambda: deciding.decide(self.table, guest.seat, m, self.away(), list(self.left_at)))
            await self._write(done, guest.seat, f"{guest.mark}/{m.id}")
        except Trouble as e:
            with contextlib.suppress(Trouble):  # what is wrong with the table is said already
                await self._plays_himself(guest.seat, m)
            self.refuse(guest, m.id, e)
            return
        self._rest()
        self.audience.answer(guest, pr.Answer(m.id, True, self.table.seq))
        self._broadcast()

    def answered(self, guest: Guest, m: Any) -> pr.Answer | None:
        """The answer to a command that was carried out or refused before. A question is asked anew every time."""
        if type(m) in _QUESTIONS or type(m) is pr.Hint:
            return None
        number = self.table.answers.get(guest.mark, {}).get(m.id)
        if number is not None:
            return pr.Answer(m.id, True, number)
        return self.refused.get(guest.mark, {}).get(m.id)

    def _has_pages(self, m: Any) -> None:
        """Is there room for this in the table's book? Then for its game only, and that has an end as well."""
        if self.table.weight > 2 * limits.BOOK_BYTES:
            raise Trouble(*BOOK_CLOSED)
        if self.table.weight > limits.BOOK_BYTES and type(m) not in _GOES_ON:
            raise Trouble(*BOOK_FULL)

    def _decided(self, decide: Callable[[], list[en.Entries]]) -> list[en.Entries]:
        try:
            return decide()
        except Trouble:
            raise
        except Exception:
            log.exception("table %s: something could not be decided", self.table.id)
            raise Trouble(*FAILED) from None

    def refuse(self, guest: Guest, ident: str, e: Trouble) -> None:
        """Say no, and the same no if it is asked again."""
        watching.REFUSALS.labels(e.code).inc()
        answer = pr.Answer(ident, False, self.table.seq, e.code, e.says, e.rule)
        mine = self.refused.setdefault(guest.mark, {})
        mine[ident] = answer
        if len(mine) > REFUSALS_KEPT:
            del mine[next(iter(mine))]
        if len(self.refused) > len(self.table.chairs) + limits.WATCHERS:
            known = {g.mark for g in self.guests} | {mark_of(c.token) for c in self.table.chairs}
            self.refused = {m: kept for m, kept in self.refused.items() if m in known}  # strangers push nobody's out
        self._send(guest, answer)

    def _must_be_silent(self, seat: int) -> None:
        """Where no clock runs nobody is called asleep who was waited for a moment ago, or has just said something."""
        t = self.table
        if t.options.decision or seat >= len(t.chairs) or not asleep(t, seat):
            return
        silent = self._time() - max(self.clocks.since, self._spoke.get(seat, -math.inf))
        if silent < SILENCE:
            says = (
                f"That player was waited for, or said something, {silent:.0f} seconds ago. After {SILENCE:.0f} seconds"
            )
            raise Trouble("awake", f"{says} of silence the others may let a bot play.")

    async def _speaks_up(self, seat: int, m: Any) -> None:
        """Whoever says anything is there: a vote on letting a bot play for him has its no."""
        about = [v.id for v in self.table.votes if v.kind == "standin" and v.seat == seat]
        for vote in about:
            if not isinstance(m, pr.Vote) or m.vote != vote:
                await self._write([en.Voted(vote, seat, False), en.Closed(vote, False)], seat)
                self._rest()
                self._broadcast()

    async def _plays_himself(self, seat: int, m: Any) -> None:
        """Whoever is told no is there all the same: no bot goes on for him, or he would be too late again and again."""
        if seat >= 0 and self.table.chairs[seat].standin and type(m) not in deciding.SAYS_ITSELF:
            await self._write([en.StandIn(seat, False)], seat)
            self._rest()
            self._broadcast()

    def _stir(self, seat: int) -> None:
        """Somebody is there, and is not passed for before this window is over; only his own clock shows it."""
        self._spoke[seat] = self._time()
        if self.clocks.stir(seat):
            self._set_timer()
            for g in [g for g in self.guests if g.seat == seat and g.inside]:
                self._send(g, pr.Update(self.audience.told, self.clocks.of(seat), []))

    def _question(self, guest: Guest, m: pr.Draft | pr.WhyNot | pr.Wait) -> None:
        try:
            if guest.seat < 0:
                raise Trouble(*deciding.NOT_SEATED)
            if isinstance(m, pr.Draft):
                answer = pr.Answer(m.id, True, self.table.seq, data=deciding.draft(self.table, guest.seat, m))
            elif isinstance(m, pr.Wait):
                answer = pr.Answer(m.id, True, self.table.seq)
            else:
                rule, says = deciding.why(self.table, guest.seat, m)
                answer = pr.Answer(m.id, True, self.table.seq, "", says, rule)
        except Trouble as e:
            answer = pr.Answer(m.id, False, self.table.seq, e.code, e.says, e.rule)
        except Exception:
            log.exception("table %s: a question could not be answered: %s", self.table.id, m)
            answer = pr.Answer(m.id, False, self.table.seq, *FAILED)
        self._send(guest, answer)

    def _hint(self, guest: Guest, m: pr.Hint) -> None:
        try:
            self.hints.ask(guest.seat, m, lambda answer: self._send(guest, answer) if guest.inside else None)
        except Trouble as e:
            self._send(guest, pr.Answer(m.id, False, self.table.seq, e.code, e.says, e.rule))

    async def call(self, fn: Callable[[], list[en.Entries]]) -> None:
        """Do something from outside (HTTP) in the room's own order; raises what `fn` raises."""
        if self.closed:
            raise Trouble(*ELSEWHERE)
        call = Call(fn)
        self.inbox.put_nowait((None, call))
        await call.done

    async def caught_up(self) -> None:
        """Until everything that has been said so far is done. Raises Trouble where the table goes elsewhere."""
        if self.closed:
            raise Trouble(*ELSEWHERE)
        call = Call(None)
        self.inbox.put_nowait((None, call))
        await call.done

    async def _called(self, call: Call) -> None:
        if call.fn is None:
            call.answer()
            return
        try:
            await self._write(self._decided(call.fn), -1)
        except Trouble as e:
            call.answer(e)
            return
        call.answer()
        self._rest()
        self._broadcast()

    # -- the journal --------------------------------------------------------------------------------------------

    async def _write(self, whats: list[en.Entries], by: int, command: str = "") -> None:
        """Carried out on a copy, then into the journal, and then the copy is the table. Raises Trouble before that."""
        if not whats:
            return
        whats = [*whats, *self.company.reactions(whats)]
        at = now()
        last = len(whats) - 1
        entries = [en.Entry(w, at, by, command if i == last else "") for i, w in enumerate(whats)]
        reseats = any(type(w) in _RESEATS for w in whats)
        new, packed, drawn = self._rehearsed(entries, reseats)
        before = self.table.seq
        tokens = [c.token for c in self.table.chairs] if reseats else []
        if self.unwritten and await self.journal.last(self.table.id) != before:
            raise Stale("what could not be written seems to be in the journal after all")  # then it has happened
        began = time.perf_counter()
        await self.journal.append(self.lease, before, packed)
        new.weight += sum(map(len, packed))
        watching.written(whats, time.perf_counter() - began)
        if self.unwritten:
            self._writes_again()
        self.table.become(new)
        self.audience.drawn = drawn
        if reseats:
            visited = bool(self.guests)
            self.audience.reseat(self.table)
            if visited and not self.guests:
                self.empty_since = self._time()
            if tokens != [c.token for c in new.chairs] or any(isinstance(w, en.Dealt) for w in whats):
                self.left_at, self.away_at = {}, {}  # whoever has not come yet is waited for from now on
        if self.asked_at or self.table.votes or not all(type(w) in _LEAVE_PEOPLE for w in whats):
            self._mind()
        if (self.table.seq + self._offset) // SNAPSHOT_EVERY != (before + self._offset) // SNAPSHOT_EVERY:
            self._snapshot()

    def _writes_again(self) -> None:
        log.warning("table %s: the journal can be written again", self.table.id)
        self.unwritten = ""
        for g in self.guests:
            self._send(g, pr.Problem("writable", "The server can write again. The game goes on."))

    def _rehearsed(self, entries: list[en.Entry], reseats: bool) -> tuple[Table, list[bytes], showing.Drawn | None]:
        """The table after these entries, and what everybody would see of it: if that cannot be, nothing happens."""
        try:
            new = self.table.after(entries)
            if reseats:
                showing.rehearse(new)
            drawn = None if reseats else self.audience.draw(new)
            self.clocks.foresee(new.game)
            return new, [en.pack(e) for e in entries], drawn
        except Refused as e:
            raise Trouble.because(e.reason) from None
        except Trouble:
            raise
        except Exception:
            log.exception("table %s: this cannot be carried out: %s", self.table.id, [e.what for e in entries])
            raise Trouble(*FAILED) from None

    def _snapshot(self) -> None:
        """A shortcut for the next start; nobody waits for it, and it may fail."""
        task = asyncio.create_task(self._keep_shortcut(self.table.seq, snapshots.dump(self.table)))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _keep_shortcut(self, seq: int, data: bytes) -> None:
        try:
            await self.journal.snapshot(self.table.id, seq, data)
        except Exception as e:
            log.warning("table %s: no shortcut at entry %s (%s)", self.table.id, seq, e)

    # -- time --------------------------------------------------------------------------------------------------

    def _rest(self) -> None:
        """After a change: whom do we wait for, since when, and when do we look again?"""
        share = self.clocks.turn()
        if share is not None:
            self.bots.begin(self._time(), share)
        self.bots.ponder(self.clocks.running())
        self._set_timer()

    def _set_timer(self) -> None:
        at = self._next_due()
        if at is not None:
            at = max(at, self._again_at)
        if self._timer is not None:
            if at is not None and self._timer_at <= at + 0.001:
                return  # it rings too early, and is then set anew: once in a window, and not with every move
            self._timer.cancel()
            self._timer = None
        if at is not None and not self.closed:
            self._timer_at = at
            self._timer = self._bell.call_at(at, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self.inbox.put_nowait((None, None))

    def _next_due(self) -> float | None:
        """When something happens by itself, if time does not stand still."""
        t = self.table
        if not self.clocks.running() or self._stuck == t.seq:
            return None
        absent = [d.at for d in absence.dues(t, self.left_at, self.here())] if self.left_at else []
        if t.status != PLAYING:
            return min(absent, default=None)
        dues = [*self.clocks.dues(), *(at for at in absent if at < math.inf)]
        bots = self.bots.next_due()
        if bots is not None:
            dues.append(bots)
        held = self._held()
        return min([max(at, held) for at in dues] + self._votes_at(), default=None)

    def _held(self) -> float:
        """Until when nothing happens by itself: a move would end the vote on taking the last one back."""
        return max((self.asked_at.get(v.id, 0.0) + HOLD for v in self.table.votes if v.kind == "undo"), default=0.0)

    def _votes_at(self) -> list[float]:
        """When something may come of an open vote without another word."""
        if not self.table.votes:
            return []
        patience = self.table.options.absent
        dues = [at + VOTE_SECONDS for at in self.asked_at.values()]
        dues += [at + patience for at in self.away_at.values() if patience and at + patience > self._time()]
        return [*dues, self._time()] if self._votes_due(self._time()) else dues

    def _votes_due(self, moment: float) -> list[en.Entries]:
        old = [v for v, at in self.asked_at.items() if moment >= at + VOTE_SECONDS]
        return consent.due(self.table, self.away(), old)

    async def _tick(self) -> None:
        """Do what is due."""
        if not self.clocks.running() or self._stuck == self.table.seq:
            return
        moment = self._time() + 0.002
        done = self._votes_due(moment)
        if not done and moment >= self._held():
            done = absence.due(self.table, self.left_at, self.here(), moment)
            if not done and self.table.status == PLAYING:
                done = self.clocks.due(moment) or self.bots.due(moment)
        if done:
            await self._write(done, -1)
            self._rest()
            self._broadcast()
        else:
            self._set_timer()
