"""The room of a counter: the one task that owns it. Taps in, journal, and then everybody has them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from kickdoor.companion import taps as tp
from kickdoor.paper.files import UNREADABLE
from kickdoor.paper.plain import first_control
from kickdoor.server import counter_entries as ce
from kickdoor.server import limits, outages, watching
from kickdoor.server.journal import Damaged, Journal, Lease, Lost, Stale, no_writing
from kickdoor.server.letterbox import Letterbox
from kickdoor.server.table import now
from kickdoor.server.trouble import Trouble

log = logging.getLogger("kickdoor.server")

AT_ONCE: Final = 200  # messages that are written together
SOME: Final = 100  # taps in one frame of news
UNWRITABLE_AGAIN: Final = 2.0  # seconds until a phone says again what could not be written
FULL: Final = (
    "This counter has all the taps it can hold, and takes no more. Begin another with the same people (rematch)."
)
FAILED: Final = ("failed", "Something went wrong on the server. Nothing is lost; connecting again ...")
ELSEWHERE: Final = ("elsewhere", "This counter is kept by another server now. Connecting again ...")


class Phone:
    """Somebody on the line."""

    __slots__ = ("device", "hang_up", "inside", "send")

    def __init__(self, device: str, send: Callable[[bytes], bool], hang_up: Callable[[str, str], None]) -> None:
        self.device = device
        self.send = send
        self.hang_up = hang_up
        self.inside = False


class Come(NamedTuple):
    """A phone says hello."""

    phone: Phone
    hello: tp.Hello


class Gone(NamedTuple):
    phone: Phone


class Said(NamedTuple):
    """Taps that are well formed, by their ids; from a phone, or from a call that waits."""

    taps: list[tuple[str, bytes]]
    phone: Phone | None = None
    done: asyncio.Future[None] | None = None


class NotText(ValueError):
    """A tap of the right shape that says what nobody could read."""


class Bad(NamedTuple):
    """A tap that will not do, and why."""

    ident: str
    says: str
    code: str


def sorted_out(raw: Sequence[msgspec.Raw]) -> tuple[list[tuple[str, bytes]], list[Bad]]:
    """Taps as they are kept, and those that will not do: each is looked at alone, to the leaves."""
    good: list[tuple[str, bytes]] = []
    bad: list[Bad] = []
    for data in raw:
        try:
            tap = tp.decode_tap(data)
            kept = tp.encode(tap)
            if len(kept) > limits.TAP_BYTES:
                raise NotText(f"a tap has at most {limits.TAP_BYTES} bytes")
            if any(
                first_control(text) or (not text.isprintable() and {"\n", "\t"} & set(text)) for text in _texts(tap)
            ):
                raise NotText("there is a character in it that is no text")
        except NotText as e:
            bad.append(Bad(tap.id, f"That tap will not do: {e}.", "refused"))
        except UNREADABLE as e:
            bad.append(Bad(_ident(data), f"That tap will not do: {e}", "not_understood"))
        else:
            good.append((tap.id, kept))
    return good, bad


def _texts(tap: tp.Taps) -> list[str]:
    values = [getattr(tap, field) for field in tap.__struct_fields__]
    return [x for v in values for x in (v if isinstance(v, list) else [v]) if isinstance(x, str)]


class _Named(msgspec.Struct):
    id: str = ""


def _ident(data: msgspec.Raw) -> str:
    try:
        return msgspec.json.decode(data, type=_Named).id[:40]
    except UNREADABLE:
        return ""


class CounterRoom:
    """A counter with the phones that look at it. It is kept in the journal as `name`."""

    def __init__(
        self, counter: str, name: str, told: ce.Told, seq: int, lease: Lease, journal: Journal, link: str = ""
    ) -> None:
        self.counter, self.name = counter, name
        self.told = told
        self.seq = seq  # entries in the journal
        self.lease = lease
        self.journal = journal
        self.link = link
        self.phones: list[Phone] = []
        self.inbox: Letterbox[Come | Gone | Said | None] = Letterbox()
        self.closed = False
        self.unwritten = False
        self._loop = asyncio.get_running_loop()
        self.empty_since = self._loop.time()

    # -- the loop -----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Until the room is closed."""
        try:
            while not self.closed:
                letters = [await self.inbox.get()]
                while not self.inbox.empty() and len(letters) < AT_ONCE:
                    letters.append(self.inbox.get_nowait())
                await self._together([x for x in letters if x is not None])
        except Stale as e:
            log.warning("counter %s: %s", self.counter, e)
            self.close(*ELSEWHERE)
        except Damaged as e:
            log.error("counter %s: %s", self.counter, e)
            self.close(*FAILED)
        except Exception:
            log.exception("counter %s: the room failed", self.counter)
            self.close(*FAILED)

    async def _together(self, letters: list[Come | Gone | Said]) -> None:
        """What has come meanwhile: who came and went, and all taps with one line in the journal."""
        try:
            await self._take([x for x in letters if isinstance(x, Said)])
            self._move(letters)
        except BaseException as e:  # nobody waits in vain
            why = ELSEWHERE if isinstance(e, (Stale, Damaged)) else FAILED
            for x in letters:
                if isinstance(x, Said):
                    _answer(x, Trouble(*why))
                elif isinstance(x, Come) and x.phone not in self.phones:
                    x.phone.hang_up(*why)
            raise

    def _move(self, letters: list[Come | Gone | Said]) -> None:
        moved = [x for x in letters if not isinstance(x, Said)]
        for moving in moved:
            if isinstance(moving, Come):
                self._come(moving)
            else:
                self._gone(moving.phone)
        if moved:
            here = tp.encode(tp.Here(sorted({p.device for p in self.phones})))
            for p in list(self.phones):
                self._send(p, here)

    async def _take(self, said: list[Said]) -> None:
        """Into the journal, and then to everybody. What is there already is only answered."""
        new: dict[str, bytes] = {}
        full: set[str] = set()
        size = self.told.size
        for x in said:
            for ident, raw in x.taps:
                if ident in self.told.ids or ident in new:
                    continue
                if len(self.told.taps) + len(new) >= limits.TAPS_PER_COUNTER or size + len(raw) > limits.COUNTER_BYTES:
                    full.add(ident)
                else:
                    new[ident] = raw
                    size += len(raw)
        try:
            if new:
                await self._write(new)
        except Lost as e:
            self._not_written(said, new, e)
            return
        for x in said:
            self._took(x, [ident for ident, _ in x.taps if ident not in full], [i for i, _ in x.taps if i in full])

    async def _write(self, new: dict[str, bytes]) -> None:
        entry = ce.pack(ce.Tapped(now(), [msgspec.Raw(raw) for raw in new.values()]))
        if self.unwritten and await self.journal.last(self.name) != self.seq:
            raise Stale("what could not be written seems to be in the journal after all")  # then it has happened
        began = self._loop.time()
        await self.journal.append(self.lease, self.seq, [entry])
        watching.APPEND.observe(self._loop.time() - began)
        watching.WRITTEN.entries += 1
        watching.TAPS.inc(len(new))
        self.seq += 1
        if self.unwritten:
            self.unwritten = False
            self._all(tp.Problem("writable", "The server can write again."))
        first = len(self.told.taps)
        self.told.add(list(new.items()))
        for frame in _news(self.told.taps, first):
            for p in list(self.phones):
                self._send(p, frame)

    def _took(self, x: Said, ids: list[str], full: list[str]) -> None:
        if x.phone is not None:
            if ids:
                self._send(x.phone, tp.encode(tp.Took(ids)))
            if full:
                self._send(x.phone, tp.encode(tp.Refused(full, "full", FULL)))
        _answer(x, Trouble("full", FULL) if full else None)

    def _not_written(self, said: list[Said], new: dict[str, bytes], e: Lost) -> None:
        """Nothing has happened, since nothing could be written; the phones keep their taps, and say them again."""
        no = no_writing(e)
        if not self.unwritten:
            self.unwritten = True
            outages.JOURNAL.met(f"counter {self.counter}", e)
            self._all(tp.Problem(no.code, no.says))
        for x in said:
            lost = [ident for ident, _ in x.taps if ident in new]
            safe = [ident for ident, _ in x.taps if ident in self.told.ids]
            if x.phone is not None and lost:
                self._send(x.phone, tp.encode(tp.Refused(lost, no.code, no.says, UNWRITABLE_AGAIN)))
            if x.phone is not None and safe:
                self._send(x.phone, tp.encode(tp.Took(safe)))
            _answer(x, no)

    # -- coming and going ---------------------------------------------------------------------------------------

    def _come(self, x: Come) -> None:
        p, told = x.phone, self.told
        if self.closed:  # while the taps that came with it were written
            p.hang_up(*ELSEWHERE)
            return
        if len(self.phones) >= limits.PHONES:
            p.hang_up("crowded", "So many phones are at this counter that there is no room left.")
            return
        if p not in self.phones:
            self.phones.append(p)
        seq = len(told.taps)
        first = x.hello.have if x.hello.line == told.line and x.hello.have <= seq else 0
        self._send(p, tp.encode(tp.Welcome(tp.VERSION, self.counter, told.line, seq, first, self.link)))
        for frame in _news(told.taps, first):
            self._send(p, frame)

    def _gone(self, p: Phone) -> None:
        if p in self.phones:
            self.phones.remove(p)
        if not self.phones:
            self.empty_since = self._loop.time()

    def _send(self, p: Phone, data: bytes) -> None:
        if not p.send(data):
            p.hang_up("slow", "")
            self._gone(p)

    def _all(self, message: tp.Problem) -> None:
        data = tp.encode(message)
        for p in list(self.phones):
            self._send(p, data)

    async def tell(self, taps: list[tuple[str, bytes]]) -> None:
        """Taps over HTTP: returns when they are safe. Raises Trouble."""
        if self.closed:
            raise Trouble(*ELSEWHERE)
        done: asyncio.Future[None] = self._loop.create_future()
        self.inbox.put_nowait(Said(taps, None, done))
        await done

    def close(self, code: str, says: str) -> None:
        """Everybody out, and nobody waits in vain; the counter is in the journal, and on the phones."""
        self.closed = True
        for p in self.phones:
            p.hang_up(code, says)
        self.phones.clear()
        while not self.inbox.empty():
            x = self.inbox.get_nowait()
            if isinstance(x, Said):
                _answer(x, Trouble(*ELSEWHERE))
            elif isinstance(x, Come):
                x.phone.hang_up(code, says)
        self.inbox.put_nowait(None)


def _news(taps: list[bytes], first: int) -> list[bytes]:
    """Everything from tap `first` + 1 on, in frames. (The taps are JSON already, and are not made twice.)"""
    return [
        b'{"t":"news","first":%d,"taps":[%s]}' % (at, b",".join(taps[at : at + SOME]))
        for at in range(first, len(taps), SOME)
    ]


def _answer(x: Said, trouble: Trouble | None = None) -> None:
    if x.done is None or x.done.done():  # nobody waits, or whoever did has gone
        return
    if trouble is None:
        x.done.set_result(None)
    else:
        x.done.set_exception(trouble)
