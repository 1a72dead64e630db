"""No leak over the wire: what a seat may not know makes no difference to the bytes it is sent."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import pytest

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value.game import Game
from kickdoor.server import deciding
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import fingerprint
from kickdoor.server.games import made
from kickdoor.server.journal import Lease
from kickdoor.server.room import Room
from kickdoor.server.table import Table
from rooms import Standing
from test_views import known_to, swap_hidden

SEATS = 4
PACKS = [["classic"], ["classic", "clerical_errors", "dungeons"]]


class NoJournal:
    """A journal that remembers nothing; enough for looking at frames."""

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        pass

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        pass


def dealt(packs: list[str], seed: int) -> Table:
    t = Table("abcdefghjk")
    options = op.changed(op.TableOptions(), {"packs": packs})
    t.take(en.Entry(en.Opened(t.id, "Leaky", op.plain(options), SEATS)))
    t.take(en.Entry(en.Sealed(seed, "salt")))
    for i, name in enumerate(["Ann", "Bob", "Cid", "Dee"]):
        t.take(en.Entry(en.Sat(i, name, "female", fingerprint(f"token {i}"))))
    t.take(en.Entry(deciding.dealing(t, list(range(SEATS)))))
    return t


class Eye:
    """A guest that keeps the bytes."""

    def __init__(self, room: Room, viewer: int) -> None:
        self.frames: list[bytes] = []
        self.guest = Guest(f"token {viewer}" if viewer >= 0 else None, self._take, lambda *_: None)
        self.guest.seat = viewer
        self.guest.inside = True
        room.guests.append(self.guest)

    def _take(self, data: bytes) -> bool:
        self.frames.append(data)
        return True


def room_of(t: Table) -> Room:
    return Room(t, Lease(t.id, 1), NoJournal(), bell=Standing())  # type: ignore[arg-type]


async def frames_for(t: Table, viewer: int, move: tuple[int, ...] | None) -> list[bytes]:
    """The welcome of a viewer, and the update after a move of his own."""
    room = room_of(t)
    eye = Eye(room, viewer)
    room._rest()
    eye.guest.inside = False  # he has just come
    room._broadcast()
    if move is not None:
        assert t.game is not None
        w = deciding.prepare(t, t.game, viewer, [move], "person")  # type: ignore[list-item]
        await room._write([w], viewer)
        room._rest()
        room._broadcast()
    return eye.frames


def with_game(t: Table, g: Game) -> Table:
    """The same table with another game on it, and the same things said so far."""
    new = Table(t.id)
    for name in ("name", "seq", "status", "games", "host", "options", "chairs", "dealt", "window", "count", "lines"):
        setattr(new, name, getattr(t, name))
    new.next_seed, new.next_salt, new.game = t.next_seed, t.next_salt, g
    new.lines = {v: type(lines)(lines, maxlen=lines.maxlen) for v, lines in t.lines.items()}
    return new


def quiet(before: Game, after: Game, viewer: int) -> bool:
    """Did a move tell its player nothing that was hidden?"""
    return before.rng == after.rng and before.piles == after.piles


@pytest.mark.parametrize("packs", PACKS, ids=["classic", "three sets"])
def test_two_games_that_differ_only_in_what_a_seat_cannot_see_give_it_the_same_bytes(packs: list[str]) -> None:
    async def story() -> None:
        rng = random.Random(3)
        t = dealt(packs, 11)
        compared = 0
        for _ in range(400):
            g = t.game
            assert g is not None
            if g.winners:
                break
            viewer = rng.randrange(-1, SEATS)
            other = swap_hidden(g, viewer, rng)
            move = None
            mine = legal(g, viewer) if viewer >= 0 else []
            if mine:
                choice = rng.choice(mine)
                w = en.Made(viewer, [choice.deed])
                if quiet(g, made(g, w)[0], viewer):
                    move = choice.deed
            a = await frames_for(with_game(t, g), viewer, move)
            b = await frames_for(with_game(t, other), viewer, move)
            assert a == b, f"seat {viewer} could tell, at {g.stack[-1]!r}, move {move}"
            compared += len(a)
            s = to_act(g)[0]
            m = rng.choice(legal(g, s))
            t.take(en.Entry(deciding.prepare(t, g, s, [m.deed], "person")))
        assert compared > 500

    asyncio.run(story())


@pytest.mark.parametrize("packs", PACKS, ids=["classic", "three sets"])
def test_no_frame_names_a_card_its_reader_has_never_seen(packs: list[str]) -> None:
    async def story() -> None:
        rng = random.Random(7)
        t = dealt(packs, 5)
        room = room_of(t)
        eyes = {v: Eye(room, v) for v in range(-1, SEATS)}
        seen: dict[int, set[int]] = {v: set() for v in eyes}
        room._rest()
        room._broadcast()
        looked = 0
        for _ in range(500):
            g = t.game
            assert g is not None
            if g.winners:
                break
            for v, eye in eyes.items():
                for frame in eye.frames:
                    check_frame(g, v, frame.decode(), seen[v])
                    looked += 1
                eye.frames.clear()
            s = to_act(g)[0]
            m = rng.choice(legal(g, s))
            await room._write([deciding.prepare(t, g, s, [m.deed], "person")], s)
            room._rest()
            room._broadcast()
        assert looked > 1000

    asyncio.run(story())


# What every sale says; there is a card of that name as well, and in any other words it would be told of.
PRICE = re.compile(r"[\d,]+ of 1,000 Gold Pieces\.|come to 1,000 Gold Pieces or more")


def check_frame(g: Game, viewer: int, text: str, seen: set[int]) -> None:
    """Remember what the reader may know by now; nothing else may be named."""
    hidden = {c for s, p in enumerate(g.players) if s != viewer and not p.shown for c in p.hand}
    hidden |= {c for pile in g.piles for c in pile}
    hidden -= known_to(g, viewer)
    seen |= set(range(len(g.lib.defs))) - hidden
    known_names = {g.lib.defs[c].name for c in seen}
    text = PRICE.sub("", text)
    for c in hidden - seen:
        name = g.lib.defs[c].name
        if name not in known_names and len(name) > 6:
            assert name not in text, f"seat {viewer} was told of {name}"


def test_clocks_and_passes_do_not_depend_on_hands() -> None:
    """A window is open to everyone for the same time, whatever they hold."""
    t = dealt(["classic"], 21)
    rng = random.Random(1)

    async def story() -> None:
        windows = 0
        for _ in range(600):
            g = t.game
            assert g is not None
            if g.winners:
                break
            room = room_of(t)
            room._rest()
            viewer = rng.randrange(SEATS)
            other = room_of(with_game(t, swap_hidden(g, viewer, rng)))
            other._rest()
            assert room.clocks.wait == other.clocks.wait
            clocks: list[Any] = [r.clocks.of(viewer) for r in (room, other)]
            assert clocks[0] == clocks[1]
            windows += room.clocks.wait.kind == "window"
            s = to_act(g)[0]
            m = rng.choice(legal(g, s))
            t.take(en.Entry(deciding.prepare(t, g, s, [m.deed], "person")))
        assert windows > 20

    asyncio.run(story())


def test_tokens_are_not_in_any_frame_or_in_the_journal() -> None:
    t = dealt(["classic"], 8_675_309_123_456)

    async def story() -> bytes:
        return b"".join([f for v in range(-1, SEATS) for f in await frames_for(with_game(t, t.game), v, None)])  # type: ignore[arg-type]

    raw = asyncio.run(story())
    for i in range(SEATS):
        assert f"token {i}".encode() not in raw
        assert fingerprint(f"token {i}").encode() not in raw
    assert str(t.next_seed).encode() not in raw
