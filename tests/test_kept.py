"""What is kept until it changes, shared or sent together, so that a thousand tables fit into one server."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.views import SPECTATOR, seen
from kickdoor.server import chain, menu, showing
from kickdoor.server.journal import Stale
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.letterbox import Letterbox
from kickdoor.server.table import PLAYING
from kickdoor.server.wire import framed
from rooms import Place


def run(coro: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coro, 200))


async def stirred(p: Place, rng: random.Random) -> None:
    """Something happens at a table: a move, or something that changes what is not the game."""
    name = rng.choice(p.people)
    what = rng.random()
    if what < 0.1:
        await p.say(name, "auto", mode=rng.choice(["off", "soon", "always"]))
    elif what < 0.15:
        await p.say(name, "open_hand", on=rng.random() < 0.5)
    elif what < 0.25:
        await p.say(name, "undo")
    elif what < 0.35 and p.table.votes:
        await p.say(name, "vote", vote=p.table.votes[0].id, yes=rng.random() < 0.7)
    elif what < 0.4 and len(p.voices) > 2:
        await p.go(name)
        await p.come(name)
    elif p.table.status == PLAYING and p.table.game is not None:
        s = to_act(p.table.game)[0]
        await p.act(p.people[s], menu.key(rng.choice(legal(p.table.game, s))))


def test_what_is_kept_of_a_table_is_what_it_would_be_made_anew() -> None:
    async def story() -> None:
        rng = random.Random(3)
        p = Place()
        await p.come()
        keys = {}
        for _ in range(250):
            await stirred(p, rng)
            t, audience = p.table, p.room.audience
            here, watchers = audience._present(t)
            assert audience._front.part(t, here, watchers) == showing.table_part(t, here, watchers)
            assert audience.shown.shared["table"] == showing.table_part(t, here, watchers)
            if t.game is not None:
                assert t.eye.seen(t.game) == seen(t.game, SPECTATOR)
                keys[id(t.game)] = (t.game, t.game.key())
            for past in t.past:  # it shares with later games what they have not changed
                game, key = keys.get(id(past.game), (past.game, past.game.key()))
                assert game is past.game
                assert game.key() == key
        await p.same()

    run(story())


def test_games_share_what_is_the_same() -> None:
    async def story() -> None:
        p = Place()
        await p.come()
        g = p.table.game
        assert g is not None
        s = to_act(g)[0]
        assert (await p.act(p.people[s], "0,-1,-1,-1"))["ok"]
        new = p.table.game
        assert new is not None
        assert new is not g
        assert new.piles[0] is g.piles[0]
        other = new.clone()
        other.piles[0] = other.piles[0][:-1]
        assert new.piles[0] == g.piles[0] != other.piles[0], "a clone is on its own"

    run(story())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 70_000])
def test_a_frame_is_what_the_protocol_says(size: int) -> None:
    data = b"x" * size
    assert framed(data) == Frame(Opcode.TEXT, data).serialize(mask=False)


def test_a_letterbox_gives_things_out_in_order_and_wakes_whoever_waits() -> None:
    async def story() -> None:
        box: Letterbox[int] = Letterbox()
        waiting = asyncio.create_task(box.get())
        await asyncio.sleep(0)
        assert box.empty()
        for n in (1, 2, 3):
            box.put_nowait(n)
        assert await waiting == 1
        assert (box.qsize(), box.get_nowait(), await box.get()) == (2, 2, 3)
        gone = asyncio.create_task(box.get())
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        box.put_nowait(4)
        assert await box.get() == 4, "what came after somebody stopped waiting is not lost"

    run(story())


def test_in_a_batch_each_table_has_its_own_luck(tmp_path: Path) -> None:
    """Many tables are written in a few statements; who is wrong is told, and the others are written all the same."""

    async def story() -> None:
        journal = SqliteJournal(str(tmp_path / "journal.db"))
        await journal.open()
        names = [f"table{i:03}" for i in range(150)]
        leases = [await journal.create(n, [b"1"]) for n in names[:1]]
        leases += await asyncio.gather(*(journal.create(n, [b"1"]) for n in names[1:]))
        wrong = {7, 80}
        jobs = [
            journal.append(lease, 5 if i in wrong else 1, [b"2"] if i % 3 else [b"2", b"3"])
            for i, lease in enumerate(leases)
        ]
        twice = journal.append(leases[0], 1, [b"again"])
        done = await asyncio.gather(*jobs, twice, return_exceptions=True)
        assert {i for i, x in enumerate(done) if isinstance(x, Stale)} == {*wrong, len(names)}
        assert sum(x is None for x in done) == len(names) - len(wrong)
        for i, n in enumerate(names):
            want = [b"1"] if i in wrong else [b"1", b"2"] if i % 3 else [b"1", b"2", b"3"]
            assert await journal.read(n) == want
            assert chain.account(n, await journal.held(n)).damage == ""
        done = await asyncio.gather(
            *(journal.append(x, 1 if i in wrong else 3 - (i % 3 > 0), [b"4"]) for i, x in enumerate(leases))
        )
        assert set(done) == {None}
        await journal.close()

    run(story())
