"""Small journals for tests: a real game, its entries, and what the table is like after each of them."""

from __future__ import annotations

import asyncio
import random
from functools import lru_cache
from pathlib import Path
from typing import Any

from kickdoor.engine.kernel import legal, to_act
from kickdoor.server import deciding, snapshots
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.journal import Lease
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.table import OVER, PLAYING, Table

TALK = (18, 19, 25, 27)
NAMES = ["Ann", "Bob", "Cid", "Dee"]


def run(work: Any, seconds: float = 120) -> Any:
    return asyncio.run(asyncio.wait_for(work, seconds))


def state(t: Table) -> tuple[Any, ...]:
    """What a table is, as far as a game depends on it."""
    chairs = [(c.who, c.name, c.token, c.bot, c.standin) for c in t.chairs]
    game = t.game.key() if t.game is not None else b""
    return (t.name, t.status, t.games, t.window, t.count, game, chairs)


@lru_cache(maxsize=4)
def story(
    ident: str = "abcdefghjk", moves: int = 120, seed: int = 5
) -> tuple[list[bytes], list[tuple[Any, ...]], bytes]:
    """The entries of a table, its state after each (and before the first), and its shortcut at entry 100."""
    t = Table(ident)
    rng = random.Random(seed)
    raw: list[bytes] = []
    states = [state(t)]
    short = b""

    def take(what: Any) -> None:
        nonlocal short
        entry = en.Entry(what, 1_790_000_000.0 + len(raw))
        raw.append(en.pack(entry))
        t.take(entry)
        states.append(state(t))
        if t.seq == 100:
            short = snapshots.dump(t)

    options = op.changed(op.TableOptions(), {"packs": ["classic"]})
    take(en.Opened(t.id, "Small", op.plain(options), 4))
    take(en.Sealed(seed, "salt"))
    for i, name in enumerate(NAMES):
        take(en.Sat(i, name, "male", f"mark {i}"))
    take(deciding.dealing(t, [0, 1, 2, 3]))
    while t.status == PLAYING and len(raw) < moves + 7:
        g = t.game
        assert g is not None
        s = to_act(g)[0]
        choice = [m for m in legal(g, s) if m.verb not in TALK] or legal(g, s)
        take(deciding.prepare(t, g, s, [rng.choice(choice).deed], "person"))
    return raw, states, short


class Hasty(SqliteJournal):
    """The same, but it does not wait for the disk: for tests in which no power goes."""

    synchronous = "off"


@lru_cache(maxsize=1)
def finished() -> list[bytes]:
    """The entries of a game to its end (with this seed a short one)."""
    raw, states, _ = story("abcdefghjk", 100_000, 7)
    assert states[-1][1] == OVER
    return raw


async def write(path: Path, *tables: str, shortcut: bool = True) -> None:
    """A journal with this story at each of these tables."""
    journal = Hasty(str(path))
    await journal.open()
    for ident in tables:
        raw, _, short = story(ident)
        lease = await journal.create(ident, raw[:7])
        assert isinstance(lease, Lease)
        for after in range(7, len(raw), 10):
            await journal.append(lease, after, raw[after : after + 10])
        if shortcut:
            await journal.snapshot(ident, 100, short)
    await journal.close()
