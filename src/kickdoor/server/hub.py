"""The hub: all tables of this server. Finds a table in memory or in the journal, and lets go of those nobody visits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Hashable
from typing import Any, Final
from weakref import WeakValueDictionary

from kickdoor.server import chain, deciding, limits, outages, pauses, playable, showing, watching
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.archive import Attic
from kickdoor.server.chairs import fit_name, guest_name, new_token
from kickdoor.server.counters import Counters
from kickdoor.server.explaining import damaged, of_the_journal
from kickdoor.server.journal import LEASE_SECONDS, Damaged, Journal, Lease, Lying, Stale
from kickdoor.server.links import Links
from kickdoor.server.makers import Makers
from kickdoor.server.names import ALPHABET, is_counter, new_ident
from kickdoor.server.neighbours import Alone, Neighbours
from kickdoor.server.portable import PortableError
from kickdoor.server.porter import Elsewhere as Elsewhere
from kickdoor.server.porter import Porter, sought
from kickdoor.server.recovery import hopeless
from kickdoor.server.recovery import in_words as in_words
from kickdoor.server.recovery import recover as recover
from kickdoor.server.room import Room
from kickdoor.server.table import Table, now
from kickdoor.server.thinking import Thinker
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Tick, Workshop

log = logging.getLogger("kickdoor.server")

IDLE_SECONDS: Final = limits.UNVISITED_SECONDS
CLEARING: Final = "clearing out old tables"
ATTIC_FIRST: Final = 60.0
ATTIC_EVERY: Final = 3600.0
ATTIC_PAUSE: Final = 0.2  # between two tables
CROWDED_SECONDS: Final = limits.CROWDED_SECONDS
TAKEOVER_SECONDS: Final = LEASE_SECONDS + 1.5  # so long somebody waits here for a table that another server keeps
HANDING: Final = 16  # tables that are handed over at the same time
HEARD: Final = LEASE_SECONDS  # seconds for which an answer of the journal is good for whoever asks whether it answers
PATIENCE: Final = 2.0  # seconds for which an answer of the journal is waited for
SILENT: Final = 20.0  # a journal that has not answered for so long is taken for gone, and not for busy
Tell = Callable[[Room | None, Exception | None], None]  # a room, or why there is none
RESTARTING: Final = "The server is restarting. Nothing is lost; connecting again ..."


class Hub:
    """All rooms."""

    def __init__(
        self,
        journal: Journal,
        max_tables: int = 5000,
        attic: Attic | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        self.journal = journal
        self.attic = attic
        self.neighbours = neighbours or Alone()
        self.others: frozenset[str] = frozenset()  # public addresses of the other servers of this journal
        self._met = 0.0
        self._heard = -math.inf  # when the journal last answered
        self.draining = False
        self.back = 0  # seconds after which those who are sent away should come again
        self.max_tables = max_tables
        self.instant: limits.Buckets[None] | None = None  # what bots that play at once may do, all of them together
        self.by_the_book = False  # tables begin as the books recommend for their sets
        self.rooms: dict[str, Room] = {}
        self.makers = Makers(self.living)
        self.links = Links(b"")
        self.thinker = Thinker()
        self.adviser = Thinker(1)  # for people who ask: nobody's bot waits because of them
        self.workshop = Workshop()
        self.questions = Workshop()  # a stranger's sums for real cards hold up no table that is being read
        self.porter = Porter(journal, self.neighbours, self._bring, self._seek, TAKEOVER_SECONDS)
        self.counters = Counters(journal, self.neighbours, self.workshop, TAKEOVER_SECONDS)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._asking: dict[str, tuple[asyncio.Task[None], list[Tell]]] = {}  # for tables that are not here yet
        self._bugs = outages.Bugs()  # in what is done again and again
        self.ready = False
        self._keeper: asyncio.Task[None] | None = None
        self._sweeper: asyncio.Task[None] | None = None
        self._clearer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Ready for guests; a second call does nothing."""
        if self.ready:
            return
        self.ready = True
        await self.journal.open()
        await self.neighbours.open()
        await self.meet()
        self.links = Links(await self.journal.secret())
        self._keeper = asyncio.create_task(self._keep())
        self._sweeper = asyncio.create_task(pauses.sweep())
        self._clearer = asyncio.create_task(self._clear_out())

    async def close(self) -> None:
        """Everything is in the journal already; say goodbye."""
        tasks = [task for task in (self._keeper, self._sweeper, self._clearer) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:  # one that waits for a journal that does not answer ends with the journal's lines
            await asyncio.wait(tasks, timeout=PATIENCE)
        await self._hand_over()
        self.thinker.close()
        self.adviser.close()
        self.workshop.close()
        self.questions.close()
        await self.neighbours.close()
        await self.journal.close()

    async def drain(self, wait: float, back: int) -> None:
        """No new tables; proxies see that this server is not ready; then every table is let go. Where other servers
        are, they take them at once; else everybody is told to come again after `back` seconds."""
        self.draining = True
        with contextlib.suppress(Exception):
            await self.meet()  # one may have just come
        if self.others:
            await asyncio.sleep(wait)  # until the proxy has noticed
        self.back = 0 if self.others else back
        await self._hand_over()

    async def _hand_over(self) -> None:
        """Let go of all tables. A table that has been let go can be taken by another server while others follow."""
        self.draining = True
        await self.porter.close(closing())
        await self.counters.close(closing(), RESTARTING)
        turns = asyncio.Semaphore(HANDING)

        async def one(room: Room) -> None:
            async with turns:
                await self._let_go(room, "restart", RESTARTING)

        await asyncio.gather(*(one(r) for r in list(self.rooms.values())))

    async def _let_go(self, room: Room, code: str, says: str) -> None:
        """Close a room, and free its table when everything that was begun in it is in the journal."""
        ident = room.table.id
        task = self._tasks.get(ident)
        room.close(code, says)
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)
        with contextlib.suppress(Exception):  # then the lease runs out
            await self.journal.release(ident)

    async def reachable(self) -> bool:
        """Does the journal answer? It is asked all the time (`_keep`), and whoever watches over a busy server is told
        at once: to ask for him would be to wait behind everything that the server has to do, and look like a dead one.
        """
        now = asyncio.get_running_loop().time
        if now() > self._heard + HEARD:
            await self._listen()
        return now() <= self._heard + SILENT

    async def _listen(self) -> None:
        """Ask the journal. One that is slow is not gone: if nobody is sent to a server with too much to do, all are
        sent nowhere, and come again."""
        try:
            async with asyncio.timeout(PATIENCE):  # `wait_for` may take no notice of being stopped
                await self.journal.latest("readiness")
        except TimeoutError:
            pass
        except Exception:
            self._heard = -math.inf
        else:
            self._heard = asyncio.get_running_loop().time()

    # -- other servers ------------------------------------------------------------------------------------------

    async def meet(self) -> None:
        """Hear which other servers there are."""
        self._met = asyncio.get_running_loop().time()
        self.others = await self.neighbours.meet()

    async def knows(self, origin: str) -> bool:
        """Is this the address of a server of this journal? Looks again, since it may have just come."""
        if origin in self.others:
            return True
        if asyncio.get_running_loop().time() - self._met > 1:
            with contextlib.suppress(Exception):
                await self.meet()
        return origin in self.others

    @property
    def shared(self) -> bool:
        """Do other servers stand behind the same address?"""
        return self.neighbours.public in self.others

    # -- tables -------------------------------------------------------------------------------------------------

    async def create(
        self,
        name: str,
        host: str,
        sex: str,
        options: dict[str, Any],
        seats: int,
        bots: list[str],
        seed: int | None = None,
        avatar: str = "",
    ) -> tuple[Room, int, str]:
        """A new table with its host on the first seat; returns the room, the seat and the token."""
        if self.draining:
            raise closing()
        await self._make_room()
        opts = await self.workshop.do(op.changed, op.TableOptions(), options)
        if self.by_the_book:
            opts = await self.workshop.do(op.by_the_book, opts, True)
        await self.check_mix(opts)
        await self.workshop.do(playable.check, opts, 1 + len(bots))
        if not 2 <= seats <= 12 or len(bots) >= seats:
            raise Trouble("bad_option", "A table has two to twelve seats, and one of them is yours.", "SETUP-1")
        ident = new_ident()
        token = new_token()
        host = fit_name(host, []) if host.strip() else guest_name([])
        title = fit_name(name, [], 40) if name.strip() else f"{host}'s table"
        whats: list[en.Entries] = [en.Opened(ident, title, op.plain(opts), seats), deciding.new_seal(seed)]
        scratch = Table(ident)
        for w in whats:
            scratch.take(en.Entry(w))
        for w in deciding.sit(scratch, host, sex, 0, token, avatar):
            whats.append(w)
            scratch.take(en.Entry(w))
        for i, bot in enumerate(bots):
            w = deciding.bot_for(scratch, i + 1, bot)
            whats.append(w)
            scratch.take(en.Entry(w))
        return await self._found(scratch, whats), 0, token

    async def go_on(self, options: op.TableOptions, begin: Callable[[str, Tick], list[en.Entries]]) -> Room:
        """A table that begins in the middle of a game: `begin` makes its entries, for the id that it gets,
        and may be stopped on the way."""
        if self.draining:
            raise closing()
        await self._make_room()
        await self.check_mix(options)
        scratch = Table(new_ident())
        whats = await self.workshop.in_turns(lambda tick: begin(scratch.id, tick))
        for w in whats:
            scratch.take(en.Entry(w))
        return await self._found(scratch, whats)

    async def _found(self, tried: Table, whats: list[en.Entries]) -> Room:
        """The table that these entries make; they were tried out."""
        showing.rehearse(tried)  # nothing is made that nobody could look at
        t = Table(tried.id)
        entries = [en.Entry(w, now()) for w in whats]
        with in_words(t.id):
            lease = await self.journal.create(t.id, [en.pack(e) for e in entries])
        for e in entries:
            t.take(e)
        room = self._start(t, lease)
        if self.shared and not self.neighbours.comes_here(t.id):  # whoever is asked for it next can take it
            await self._let_go(room, "idle", "")
        return room

    def _start(self, t: Table, lease: Lease) -> Room:
        room = Room(t, lease, self.journal, self.thinker, self.adviser, instant=self.instant)
        self.rooms[t.id] = room
        task = asyncio.create_task(room.run(), name=f"table {t.id}")
        self._tasks[t.id] = task
        task.add_done_callback(lambda _: self._gone(t.id, room))
        return room

    def _gone(self, ident: str, room: Room) -> None:
        if self.rooms.get(ident) is room:
            del self.rooms[ident]
            self._tasks.pop(ident, None)

    def here(self, ident: str) -> Room | None:
        """The room of a table that is in memory."""
        room = self.rooms.get(ident)
        return None if room is None or room.closed else room

    async def room(self, ident: str) -> Room:
        """The room of a table, loaded if need be. Raises Trouble (no such table) or Elsewhere."""
        room = self.here(ident)
        if room is not None:
            return room
        if not 5 <= len(ident) <= 20 or any(c not in ALPHABET for c in ident):
            raise no_table()
        if self.porter.knows(ident):
            with in_words(ident):
                return await self.porter.fetch(ident)
        async with self._lock(ident):  # two rooms for one table would each see half of it
            room = self.here(ident)
            if room is not None:
                return room
            if self.draining:
                raise closing()
            with in_words(ident):
                return await self.porter.fetch(ident)

    def when_here(self, ident: str, tell: Tell) -> None:
        """Tell when the room of a table is here, or why it is not. Those who come together are told together."""
        asking = self._asking.get(ident)
        if asking is not None:
            asking[1].append(tell)
            return
        task = asyncio.create_task(self._ask(ident))
        self._asking[ident] = (task, [tell])

    async def _ask(self, ident: str) -> None:
        room, no = None, None
        try:
            room = await self.room(ident)
        except Exception as e:
            no = e
        for tell in self._asking.pop(ident)[1]:
            tell(room, no)

    def living(self) -> set[str]:
        """All that is in memory, by the names that the journal has for it: tables and counters, other loops' too."""
        return {*self.kept(), *self.neighbours.beyond().tables}

    def kept(self) -> list[str]:
        """What is kept here, by the names that the journal has for it."""
        return [*self.rooms, *self.counters.rooms]

    def tables(self) -> int:
        """How many tables are in memory, those of other loops of this server counted in."""
        return len(self.rooms) + len(self.neighbours.beyond().tables)

    def _lock(self, ident: str) -> asyncio.Lock:
        lock = self._loading.get(ident)
        if lock is None:
            lock = self._loading[ident] = asyncio.Lock()
        return lock

    async def _seek(self, ident: str) -> Lease:
        return await sought(self.journal, ident, no_table)

    async def _bring(self, lease: Lease, lying: Lying) -> Room:
        """The room of a table that is this server's now."""
        ident = lease.table
        try:
            await self._make_room()
            room = self._start(await recover(self.journal, ident, lease, self.workshop, lying), lease)
        except BaseException as e:
            with contextlib.suppress(Exception):
                await self.journal.release(ident)
            if isinstance(e, Exception) and not isinstance(e, (Trouble, Damaged)) and not of_the_journal(e):
                raise damaged(e, ident) from None
            raise
        watching.TAKEOVERS.inc()
        return room

    async def check_mix(self, o: op.TableOptions) -> None:
        """Room for these cards: those at whose tables nobody has been for longest go, or Trouble. Tables with the same
        ones share them."""
        mixes: dict[Hashable, list[Room]] = {}
        for r in self.rooms.values():
            mixes.setdefault(_mix(r.table.options), []).append(r)
        if len(mixes) < limits.MIXES_PLAYED or _mix(o) in mixes:
            return
        deserted = [rooms for rooms in mixes.values() if all(map(self._deserted, rooms))]
        if not deserted:
            says = "So many different mixes of cards are played here that there is no room for another one."
            raise Trouble("busy", f"{says} Play with one or two whole packs, or try again later.", wait=60)
        for room in min(deserted, key=lambda rooms: max(r.empty_since for r in rooms)):
            await self._let_rest(room)

    async def _make_room(self) -> None:
        """Room for one more table: the one that nobody has visited for longest goes, or Trouble."""
        if len(self.rooms) < self.max_tables:
            return
        empty = [r for r in self.rooms.values() if self._deserted(r)]
        if not empty:
            raise Trouble("busy", "This server has all the tables it can hold. Try again later.")
        await self._let_rest(min(empty, key=lambda r: r.empty_since))

    def _deserted(self, room: Room) -> bool:
        """Has nobody been there for a while, so that others may have its place?"""
        return not room.guests and asyncio.get_running_loop().time() - room.empty_since > CROWDED_SECONDS

    async def _let_rest(self, room: Room) -> None:
        """Out of memory; it lies in the journal for who comes again."""
        room.close("idle", "")
        self._gone(room.table.id, room)
        await self.journal.release(room.table.id)

    # -- the attic ----------------------------------------------------------------------------------------------

    async def _clear_out(self) -> None:
        """Now and then tables that nobody has touched for long go into the archive."""
        await asyncio.sleep(ATTIC_FIRST)
        while True:
            try:
                await self.put_old_away()
                self._bugs.well(CLEARING)
            except Exception as e:
                self._bugs.failed(CLEARING, e)
            await asyncio.sleep(ATTIC_EVERY)

    async def put_old_away(self) -> int:
        """Archive what is due, one table after the other, with pauses in which the server does other things."""
        attic = self.attic
        if attic is None or attic.keep is None:
            return 0
        tried: set[str] = set()
        done = 0
        while True:
            names = await self.journal.untouched(now() - attic.keep, len(tried) + 20)
            names = [n for n in names if n not in tried]
            if not names:
                break
            for ident in names:
                tried.add(ident)
                done += await self._put_away(attic, ident)
                await asyncio.sleep(ATTIC_PAUSE)
        if done:
            log.info("%s tables that nobody has touched for long are in %s now", done, attic.folder)
        return done

    async def _put_away(self, attic: Attic, ident: str) -> bool:
        """One table, unless somebody is there: first it is safe in its file, then it goes out of the journal."""
        async with self.counters.lock(ident) if is_counter(ident) else self._lock(ident):
            if ident in self.rooms or ident in self.counters.rooms:
                return False
            lease = await self.journal.take(ident)
            if not isinstance(lease, Lease):
                return False
            try:
                found = await self.workshop.do(chain.account, ident, await self.journal.held(ident))
                if found.damage:
                    log.warning("table %s is old, but damaged (%s): it is not archived", ident, found.damage)
                else:
                    path = await asyncio.to_thread(attic.store, ident, found)
                    await self.journal.remove(lease, len(found.entries), str(path))
                    return True
            except Exception as e:  # whatever is wrong with one table, the others are put away
                log.warning("table %s could not be archived: %s", ident, e)
            with contextlib.suppress(Exception):
                await self.journal.release(ident)
            return False

    async def from_archive(self, ident: str) -> list[bytes] | None:
        """The entries of an archived table, if its file is on this server. Raises Trouble if it is damaged."""
        if self.attic is None:
            return None
        try:
            return await asyncio.to_thread(self.attic.fetch, ident)
        except (PortableError, OSError) as e:
            raise hopeless(ident, f"its file in the archive: {e}") from None

    # -- keeping ------------------------------------------------------------------------------------------------

    async def _keep(self) -> None:
        """Renew leases, let go of empty rooms, and hear of other servers. What fails is tried again, alone."""
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            calm = True
            for step in (self._renew, self._listen, self._sweep, self.meet, self._grant):
                what = f"the upkeep of tables ({step.__name__.strip('_')})"
                try:
                    await step()
                    self._bugs.well(what)
                except Exception as e:
                    calm = False
                    self._bugs.failed(what, e)
            if calm:
                outages.JOURNAL.calm()

    async def _renew(self) -> None:
        try:
            await self.journal.renew(self.kept())
        except Stale as e:
            for ident in e.args[1] if len(e.args) > 1 else ():
                room = self.rooms.get(ident) or self.counters.rooms.get(ident)
                if room is not None:
                    room.close("elsewhere", "This table has moved to another server.")

    async def _grant(self) -> None:
        """Tables that people look for at another server, behind the same address, go there."""
        says = "This table moves to another server. Connecting ..."
        for ident in await self.neighbours.wished(self.kept()) if self.shared else ():
            if ident in self.rooms:
                await self._let_go(self.rooms[ident], "restart", says)
            elif ident in self.counters.rooms:
                await self.counters.let_go(self.counters.rooms[ident], "restart", says)

    async def _sweep(self) -> None:
        """Let go of those at which nobody is; sooner where their maker has too many in memory."""
        crowded = await self.makers.crowded()
        moment = asyncio.get_running_loop().time()
        for ident, room in list(self.rooms.items()):
            patience = CROWDED_SECONDS if ident in crowded else IDLE_SECONDS
            if not room.guests and moment - room.empty_since > patience:
                room.close("idle", "")
                await self.journal.release(ident)
        await self.counters.sweep(crowded)


def _mix(o: op.TableOptions) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, int], ...]]:
    """What decides about the cards."""
    return tuple(o.packs), tuple(o.without), tuple(sorted(o.copies.items()))


def closing() -> Trouble:
    return Trouble("closing", "This server is about to restart. Try again in a moment.")


def no_table() -> Trouble:
    return Trouble("no_table", "There is no such table here. Check the link; perhaps a letter got lost.")
