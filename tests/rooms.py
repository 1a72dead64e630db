"""Rooms for tests without a network: a journal in memory, people who speak in turn, a clock that the test turns."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import msgspec

from kickdoor.server import deciding
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chain import Held, links, start
from kickdoor.server.chairs import fingerprint
from kickdoor.server.hub import recover
from kickdoor.server.journal import Lease, Shortcut
from kickdoor.server.room import Room
from kickdoor.server.table import Table

NAMES = ["Ann", "Bob", "Cid", "Dee", "Eve"]


class Memory:
    """A journal that forgets when the test is over."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.short: Shortcut | None = None

    async def last(self, table: str) -> int:
        return len(self.entries)

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        assert after == len(self.entries)
        self.entries += entries

    async def held(self, table: str) -> Held:
        checks = links(start(table), 0, self.entries)
        rows = list(zip(range(1, len(self.entries) + 1), self.entries, checks, strict=True))
        return Held(len(self.entries), rows)

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        self.short = Shortcut(seq, links(start(table), 0, self.entries[:seq])[-1], data)

    async def latest(self, table: str) -> Shortcut | None:
        return self.short


class Voice:
    """A person or a spectator, on one line."""

    def __init__(self, name: str | None, watcher: str | None = None) -> None:
        self.name, self.watcher = name, watcher
        self.heard: list[dict[str, Any]] = []
        self.bye: tuple[str, str] | None = None
        self.guest = Guest(name and f"token {name}", self._take, self._hung_up, watcher)

    def _take(self, data: bytes) -> bool:
        self.heard.append(json.loads(data))
        return True

    def _hung_up(self, code: str, says: str) -> None:
        self.bye = (code, says)

    def answer(self, ident: str) -> dict[str, Any]:
        return next(m for m in reversed(self.heard) if m["t"] == "answer" and m["id"] == ident)


class Standing:
    """A clock that stands until the test turns it, and never rings by itself."""

    def __init__(self) -> None:
        self.moment = 0.0

    def time(self) -> float:
        return self.moment

    def call_at(self, when: float, callback: Callable[[], object]) -> Standing:
        return self

    def cancel(self) -> None:
        pass


class Place:
    """A table that can be restarted, and the people who come and go."""

    def __init__(self, people: int = 3, bots: int = 0, seed: int = 7, dealt: bool = True, **options: Any) -> None:
        self.journal = Memory()
        self.clock = Standing()
        self._ids = itertools.count(1)
        t = Table("abcdefghjk")
        calm = {"timer": "custom", "window": 120, "decision": 3600, "grace": 60, "bot_speed": "instant"}
        o = op.changed(op.TableOptions(), {**calm, **options})
        whats: list[Any] = [en.Opened(t.id, "Friday", op.plain(o), people + bots), en.Sealed(seed, "salt")]
        whats += [en.Sat(i, NAMES[i], "female", fingerprint(f"token {NAMES[i]}")) for i in range(people)]
        for w in whats:
            self._lay(t, w)
        for i in range(bots):
            self._lay(t, deciding.bot_for(t, people + i, "random"))
        if dealt:
            self._lay(t, deciding.dealing(t, list(range(people + bots))))
        self.voices: dict[str, Voice] = {}
        self.people = NAMES[:people]
        self._open(t)

    def _lay(self, t: Table, what: Any) -> None:
        entry = en.Entry(what)
        t.take(entry)
        self.journal.entries.append(en.pack(entry))

    def _open(self, t: Table) -> None:
        self.room = Room(t, Lease(t.id, 1), self.journal, bell=self.clock)  # type: ignore[arg-type]

    @property
    def table(self) -> Table:
        return self.room.table

    async def come(self, *names: str) -> None:
        for name in names or self.people:
            voice = self.voices[name] = Voice(name)
            await self.room._one(voice.guest, pr.Hello(pr.VERSION, voice.guest.token))
            assert voice.guest.inside, voice.bye

    async def go(self, *names: str) -> None:
        for name in names:
            await self.room._one(self.voices.pop(name).guest, None)

    async def restart(self) -> None:
        """The server stops and starts; nobody is there any more."""
        self.voices.clear()
        self._open(await recover(self.journal, self.table.id))  # type: ignore[arg-type]
        self.room.left_at, self.room.away_at, self.room.asked_at = {}, {}, {}
        self.room._mind()

    async def say(self, name: str, t: str, ident: str = "", **fields: Any) -> dict[str, Any]:
        """A command as it comes over the wire, and its answer."""
        ident = ident or f"c{next(self._ids)}"
        voice = self.voices[name]
        await self.room._one(voice.guest, pr.decode(json.dumps({"t": t, "id": ident, **fields})))
        return voice.answer(ident)

    async def act(self, name: str, *moves: str) -> dict[str, Any]:
        return await self.say(name, "act", window=self.table.window, moves=list(moves))

    async def turn(self) -> bool:
        """To the next thing that happens by itself."""
        due = self.room._next_due()
        if due is None:
            return False
        self.clock.moment = max(self.clock.moment, due)
        await self.room._one(None, None)
        return True

    def texts(self, seat: int = -1) -> list[str]:
        return [line.text for line in self.table.lines.get(seat, ())]

    async def same(self) -> None:
        """The table as it comes out of its journal is the one we have, with and without a shortcut."""
        assert facts(await recover(self.journal, self.table.id)) == facts(self.table)  # type: ignore[arg-type]
        fresh = Table(self.table.id)
        for raw in self.journal.entries:
            fresh.take(en.unpack(raw))
        assert facts(fresh) == facts(self.table)


def facts(t: Table) -> dict[str, Any]:
    """Everything that a table is, to be compared."""
    plain = "id name seq status games host first_seq next_seed next_salt window count voted declined last answers"
    out: dict[str, Any] = {k: getattr(t, k) for k in plain.split()}
    out["options"], out["chairs"], out["votes"] = (msgspec.to_builtins(x) for x in (t.options, t.chairs, t.votes))
    out["game"] = t.game and t.game.key()
    out["past"] = [(p.seat, p.window, p.move, p.game.key(), list(p.events)) for p in t.past]
    out["ledger"], out["regrets"] = t.ledger.plain(), t.regrets
    out["recent"], out["lines"], out["chat"] = list(t.recent), {v: list(x) for v, x in t.lines.items()}, list(t.chat)
    return out
