"""Equal bytes at equal times: two tables that differ only in cards a viewer cannot see answer him alike.

Every message of the protocol is tried, by seats and by spectators, and every call about a table; in virtual time, so
that what is compared is what the server schedules, and not how busy the machine is.
"""

from __future__ import annotations

import asyncio
import copy
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, get_args

import httpx
import msgspec
import pytest

import virtual_time
from kickdoor.bots import Choice, Seat, make
from kickdoor.bots.driver import only_pass
from kickdoor.bots.ledger import BLANK, Ledger
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.server import deciding, menu, thinking, timing
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.audience import Guest
from kickdoor.server.chairs import Chair
from kickdoor.server.games import Past, made
from kickdoor.server.hub import Hub
from kickdoor.server.journal import Lease
from kickdoor.server.room import Room
from kickdoor.server.table import PLAYING, Table
from kickdoor.server.thinking import Thinker
from kickdoor.server.website import website
from test_leaks import PACKS, SEATS, dealt
from test_views import hidden_from, known_to, rename_references

Frame = tuple[float, bytes]
MODES = get_args(pr.AutoPass)


class NoJournal:
    """A journal that takes everything and gives nothing back."""

    async def append(self, lease: Lease, after: int, entries: list[bytes]) -> None:
        pass

    async def snapshot(self, table: str, seq: int, data: bytes) -> None:
        pass

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        return [en.pack(en.Entry(en.Dealt(1, "salt", [], [], [], "", "", {}, [])))]


# -- two tables -------------------------------------------------------------------------------------------------


def unseen(games: list[Game], viewer: int) -> list[int]:
    """Cards that this viewer has not seen in any of these games."""
    hidden = ({c for z in hidden_from(g, viewer) for c in z} - known_to(g, viewer) for g in games)
    return sorted(set.intersection(*hidden))


def exchange(games: list[Game], viewer: int, rng: random.Random) -> dict[int, int]:
    """All that the viewer has not seen is dealt anew; Doors for Doors."""
    other: dict[int, int] = {}
    for deck in range(len(games[0].piles)):
        cards = [c for c in unseen(games, viewer) if games[0].lib.defs[c].deck == deck]
        moved = cards[:]
        rng.shuffle(moved)
        other.update(zip(cards, moved, strict=True))
    return other


def exchanged(g: Game, viewer: int, other: dict[int, int], luck: int) -> Game:
    """The same table as this viewer knows it."""
    new = g.clone()
    for zone in hidden_from(new, viewer):
        zone[:] = [other.get(c, c) for c in zone]
    rename_references(new, other)
    new.rng ^= luck
    new.touch()
    return new


def copied(t: Table) -> Table:
    """A table of its own, at which the same has happened."""
    new = t.copy()
    new.lines = {v: deque(lines, maxlen=lines.maxlen) for v, lines in t.lines.items()}
    new.chat, new.past = copy.copy(t.chat), copy.copy(t.past)
    new.votes, new.answers, new.recent = copy.deepcopy(t.votes), copy.deepcopy(t.answers), t.recent[:]
    return new


class Pair(NamedTuple):
    """A table, and one that differs from it in what the viewer cannot see."""

    viewer: int
    a: Table
    b: Table
    moved: list[int]  # cards that lie elsewhere in the other

    def fresh(self) -> tuple[Table, Table]:
        return copied(self.a), copied(self.b)


def games_of(t: Table) -> list[Game]:
    """The game, and what can be taken back, which is a secret as well."""
    assert t.game is not None
    return [t.game, *(p.game for p in list(t.past)[-1:])]


def pair(t: Table, viewer: int, rng: random.Random, other: dict[int, int] | None = None) -> Pair:
    """Two tables; `other` says which cards change places, or everything does that can."""
    a, b = copied(t), copied(t)
    last = list(t.past)[-1:]
    if other is None:
        other = exchange(games_of(t), viewer, rng)
    luck = rng.getrandbits(64)
    assert a.game is not None
    b.game = exchanged(a.game, viewer, other, luck)
    a.past = deque(last, t.past.maxlen)
    other_past = [Past(p.seat, exchanged(p.game, viewer, other, luck), p.window, p.move, p.events) for p in last]
    b.past = deque(other_past, t.past.maxlen)
    moved = [c for c in other if place(a.game, c) != place(b.game, c)]
    rng.shuffle(moved)
    return Pair(viewer, a, b, moved)


def place(g: Game, card: int) -> int:
    return next((s for s, p in enumerate(g.players) if card in p.hand), -1)


# -- in a room --------------------------------------------------------------------------------------------------


class Visit:
    """A running room with everybody in it; what the viewer is sent is kept, with the time."""

    def __init__(self, t: Table, viewer: int, thinker: Any = None) -> None:
        self.table = t
        self.viewer = viewer
        self.room = Room(t, Lease(t.id, 1), NoJournal(), thinker)  # type: ignore[arg-type]
        self.task = asyncio.create_task(self.room.run())
        self.began = asyncio.get_running_loop().time()
        self.frames: list[Frame] = []
        self.guests = {s: self._guest(s) for s in range(-1, len(t.chairs)) if s < 0 or t.chairs[s].who == "person"}
        for s in self.guests:
            self.say(self.hello(s), s)

    def hello(self, seat: int) -> pr.Hello:
        return pr.Hello(pr.VERSION, f"token {seat}" if seat >= 0 else None)

    def _guest(self, seat: int) -> Guest:
        def keep(data: bytes) -> bool:
            if seat == self.viewer:
                self.frames.append((round(asyncio.get_running_loop().time() - self.began, 6), data))
            return True

        def hang_up(code: str, says: str) -> None:
            keep(pr.encode(pr.Bye(code, says)))

        return Guest(f"token {seat}" if seat >= 0 else None, keep, hang_up)

    def say(self, message: Any, seat: int | None = None) -> None:
        self.room.inbox.put_nowait((self.guests[self.viewer if seat is None else seat], message))

    async def end(self) -> None:
        self.room.close("over", "The test is over.")
        await self.task


async def visits(p: Pair, thinker: Callable[[], Any] = lambda: None) -> tuple[Visit, Visit]:
    """One after the other at each moment, so that neither waits for the other."""
    a, b = (Visit(t, p.viewer, thinker()) for t in p.fresh())
    await asyncio.sleep(0.01)
    return a, b


def closes(frame: bytes, window: int) -> bool:
    """Is this the news that the window is another one?"""
    said = msgspec.json.decode(frame)
    clock = said.get("clock") or said.get("state", {}).get("clock")
    return clock is not None and clock["window"] != window


# -- every message ----------------------------------------------------------------------------------------------


def hello(p: Pair, g: Game) -> Iterator[Any]:
    token = f"token {p.viewer}" if p.viewer >= 0 else None
    yield from (pr.Hello(pr.VERSION, token, have) for have in (None, 0, p.a.seq, p.a.seq + 7))


def acts(p: Pair, g: Game) -> Iterator[Any]:
    """Cards of others named as what is played, as what it is aimed at, and as what goes with it; by every verb."""
    mine = (g.players[p.viewer].hand or [-1])[0] if p.viewer >= 0 else -1
    for verb in range(len(mv.VERB_NAMES)):
        card = p.moved[verb % len(p.moved)]
        parts = [(verb, card, -1, -1), (verb, mine, card, -1), (verb, mine, -1, card), (verb, card, card, card)]
        parts += [(verb, card, mv.at_seat(verb % SEATS), -1)]
        for x in parts:
            move = Move(p.viewer, *x)
            if p.viewer < 0 or move not in legal(g, p.viewer):
                yield pr.Act(f"{x}", p.a.window, [menu.key(move)])
    yield pr.Act("stale", p.a.window - 1, ["0,-1,-1,-1"])


def quiet_acts(p: Pair, g: Game) -> Iterator[Any]:
    """Moves of one's own by which nothing comes to light."""
    for m in (legal(g, p.viewer) if p.viewer >= 0 else ())[:40:8]:
        after = made(g, en.Made(p.viewer, [m.deed]))[0]
        if after.rng == g.rng and after.piles == g.piles and not after.winners and _shut(g, after, p.viewer):
            yield pr.Act(f"{m}", p.a.window, [menu.key(m)])


def _shut(before: Game, after: Game, viewer: int) -> bool:
    """Has no other hand changed?"""
    return all(
        a.hand == b.hand for s, (a, b) in enumerate(zip(before.players, after.players, strict=True)) if s != viewer
    )


def drafts(p: Pair, g: Game) -> Iterator[Any]:
    for verb in menu.DRAFTS:
        for seat in range(SEATS):
            first = menu.key(Move(p.viewer, verb, -1, mv.at_seat(seat)))
            yield pr.Draft(f"{verb}.{seat}", [first])
            yield pr.Draft(f"{verb}.{seat}+", [first, menu.key(Move(p.viewer, mv.ADD, p.moved[0]))])
        yield pr.Draft(f"{verb}", [menu.key(Move(p.viewer, verb)), menu.key(Move(p.viewer, mv.ADD, p.moved[-1]))])


def whys(p: Pair, g: Game) -> Iterator[Any]:
    mine = [*g.players[p.viewer].hand, *g.players[p.viewer].table] if p.viewer >= 0 else []
    yield from (pr.WhyNot(f"why {c}", c) for c in (*p.moved[:8], *mine, -1, len(g.lib.defs)))


def proposals(p: Pair, g: Game) -> Iterator[Any]:
    for i, card in enumerate(p.moved[:4]):
        for to in ("hand", "table", "discard"):
            yield pr.Propose(f"{card}.{to}", pr.Fix(i % SEATS, card=card, to=to))
        yield pr.Propose(f"{card}.level", pr.Fix(i % SEATS, level=3, card=card))
    yield pr.Propose("level", pr.Fix(1, level=3))


SAMPLES: dict[type, Callable[[Pair, Game], Iterator[Any]]] = {
    pr.Hello: hello,
    pr.Act: acts,
    pr.Draft: drafts,
    pr.WhyNot: whys,
    pr.Hint: lambda p, g: iter([pr.Hint("h")]),
    pr.Wait: lambda p, g: iter([pr.Wait("w")]),
    pr.Say: lambda p, g: iter([pr.Say("s", "Well?")]),
    pr.Phrase: lambda p, g: iter([pr.Phrase("p1", "hello"), pr.Phrase("p2", "nonsense")]),
    pr.Ready: lambda p, g: iter([pr.Ready("r")]),
    pr.Colour: lambda p, g: iter([pr.Colour("c", 2)]),
    pr.Bring: lambda p, g: iter([pr.Bring("b", ["a coin"])]),
    pr.Start: lambda p, g: iter([pr.Start("st")]),
    pr.Rematch: lambda p, g: iter([pr.Rematch("re")]),
    pr.Leave: lambda p, g: iter([pr.Leave("l")]),
    pr.TakeBack: lambda p, g: iter([pr.TakeBack("t")]),
    pr.SetBot: lambda p, g: iter([pr.SetBot("sb", 1, "random")]),
    pr.MakeHost: lambda p, g: iter([pr.MakeHost("mh", s) for s in range(SEATS)]),
    pr.Avatar: lambda p, g: iter([pr.Avatar("av", "owl"), pr.Avatar("av2", "No Owl")]),
    pr.Options: lambda p, g: iter([pr.Options("o1", {"bot_speed": "fast"}), pr.Options("o2", {"packs": ["classic"]})]),
    pr.Auto: lambda p, g: iter([pr.Auto(f"a{m}", m) for m in MODES]),
    pr.OpenHand: lambda p, g: iter([pr.OpenHand("oh", True), pr.OpenHand("ohh", False)]),
    pr.Undo: lambda p, g: iter([pr.Undo("u")]),
    pr.Propose: proposals,
    pr.Vote: lambda p, g: iter([pr.Vote("v1", v, yes) for v in (1, 2, 99) for yes in (True, False)]),
    pr.Wake: lambda p, g: iter([pr.Wake(f"w{s}", s) for s in range(SEATS)]),
}
# Answered where the socket is, before any table is asked.
NO_TABLE = {pr.Ping}


def test_no_message_is_forgotten() -> None:
    assert set(get_args(pr.Said)) == SAMPLES.keys() | NO_TABLE


async def same(p: Pair, messages: list[Any], first: list[Any]) -> int:
    """Say these one after the other at both tables, each time at a new one if something has happened."""
    compared = 0
    while messages:
        a, b = await visits(p)
        for m in first:
            a.say(m)
            b.say(m)
        await asyncio.sleep(0.01)
        before = a.table.seq
        while messages and a.table.seq == before:
            m = messages.pop()
            a.say(m)
            b.say(m)
            await asyncio.sleep(0.001)
            assert a.frames == b.frames, f"viewer {p.viewer} can tell by {m}: {parted(a.frames, b.frames)}"
        await asyncio.sleep(0.3)
        assert a.frames == b.frames, f"viewer {p.viewer} can tell soon after {m}: {parted(a.frames, b.frames)}"
        compared += len(a.frames)
        await a.end()
        await b.end()
    return compared


def parted(a: list[Frame], b: list[Frame]) -> str:
    """Where two stories part."""
    for x, y in zip(a, b, strict=False):
        if x != y:
            return f"at {x[0]} {x[1][:300]!r}, at {y[0]} {y[1][:300]!r}"
    return f"{len(a)} and {len(b)} frames; {(a + b)[-1]!r:.300}"


def positions(packs: list[str], seed: int, steps: int, every: int) -> Iterator[tuple[Table, random.Random]]:
    """Moments of a random game; everybody wants to be passed for in another way each time."""
    rng = random.Random(seed)
    t = dealt(packs, seed)
    for i in range(steps):
        g = t.game
        assert g is not None
        if g.winners:
            return
        if i % every == every - 1:
            for c in t.chairs:
                c.auto = rng.choice(MODES)
            yield t, rng
        s = to_act(g)[0]
        t.take(en.Entry(deciding.prepare(t, g, s, [rng.choice(legal(g, s)).deed], "person")))


@pytest.mark.parametrize("kind", SAMPLES, ids=lambda k: k.__name__)
def test_no_answer_tells_what_others_hold(kind: type) -> None:
    async def story() -> None:
        compared = 0
        for i, (t, rng) in enumerate(positions(PACKS[1], 5, 120, 17)):
            p = pair(t, i % (SEATS + 1) - 1, rng)
            assert p.a.game is not None
            assert p.moved
            compared += await same(p, list(SAMPLES[kind](p, p.a.game)), [])
        assert compared > 5

    virtual_time.run(story())


def test_no_move_of_ones_own_tells_what_others_hold() -> None:
    async def story() -> None:
        for t, rng in positions(PACKS[0], 6, 200, 9):
            p = pair(t, rng.randrange(SEATS), rng)
            assert p.a.game is not None
            await same(p, list(quiet_acts(p, p.a.game)), [])

    virtual_time.run(story())


def test_no_proposal_tells_what_others_hold_while_another_is_open() -> None:
    async def story() -> None:
        for t, rng in positions(PACKS[0], 7, 160, 27):
            p = pair(t, rng.randrange(SEATS), rng)
            assert p.a.game is not None
            await same(p, list(proposals(p, p.a.game)), [pr.Propose("first", pr.Fix(1, level=2))])

    virtual_time.run(story())


def test_no_taking_back_tells_what_others_hold() -> None:
    """By whoever has just moved; at once, or with a vote that the others leave open."""

    async def story() -> None:
        asked = 0
        for t, rng in positions(PACKS[1], 8, 200, 7):
            p = pair(t, t.past[-1].seat, rng)
            before = p.a.seq
            asked += await same(p, [pr.Undo("u")], []) > 1
            assert p.a.seq == before
        assert asked > 20

    virtual_time.run(story())


# -- every delay ------------------------------------------------------------------------------------------------


def same_until_it_shows(a: list[Frame], b: list[Frame], window: int) -> int:
    """Equal frames at equal times, up to and with the time at which the window changes; how many there were.

    What changes it may show what was hidden: a card is played, somebody dies. When it happens must not.
    """
    n = 0
    for (t1, x), (t2, y) in zip(a, b, strict=False):
        assert t1 == t2, f"at {t1} {x[:200]!r}, at {t2} {y[:200]!r}"
        n += 1
        if closes(x, window) or closes(y, window):
            return n
        assert x == y, f"at {t1} {x[:200]!r} or {y[:200]!r}"
    assert len(a) == len(b), parted(a, b)
    return n


def idle(g: Game, s: int) -> bool:
    return only_pass(legal(g, s)) is not None


def telling_swap(t: Table, viewer: int) -> tuple[int, dict[int, int]] | None:
    """Somebody who has nothing to play, and a card of the deck that changes this in exchange for one of his."""
    games = games_of(t)
    defs = games[0].lib.defs
    for s in timing.waiting(games[0]).seats:
        if s == viewer or not idle(games[0], s):
            continue
        cards = unseen(games, viewer)
        mine = {defs[c].deck: c for c in games[0].players[s].hand if c in cards}
        for c in {defs[c].name: c for c in cards if place(games[0], c) < 0 and defs[c].deck in mine}.values():
            swap = {c: mine[defs[c].deck], mine[defs[c].deck]: c}
            if not idle(exchanged(games[0], viewer, swap, 0), s):
                return s, swap
    return None


def test_how_long_a_window_lasts_does_not_tell_who_could_have_done_something() -> None:
    """Nobody moves; whoever wants to be passed for is passed for at the same time, whatever he holds."""

    async def story() -> None:
        told_apart: set[str] = set()
        closed = 0
        for t, rng in positions(PACKS[0], 3, 400, 1):
            assert t.game is not None
            if timing.waiting(t.game).kind != "window" or closed == 12:
                continue
            viewer = rng.randrange(-1, SEATS)
            found = telling_swap(t, viewer)
            if found is None:
                continue
            t.chairs[found[0]].auto = ("nothing", "soon")[closed % 2]
            p = pair(t, viewer, rng, found[1])
            a, b = await visits(p)
            await asyncio.sleep(t.options.decision + 1)
            n = same_until_it_shows(a.frames, b.frames, t.window)
            closed += a.frames[n - 1][0] > 0
            told_apart.add(t.chairs[found[0]].auto)
            await a.end()
            await b.end()
        assert closed > 3
        assert told_apart == {"nothing", "soon"}

    virtual_time.run(story())


class Ponderer(Thinker):
    """Thinks as lookahead does: not at all without a choice, else for some time that depends on what it sees."""

    async def think(
        self, kind: str, seed: int, g: Game, seat: int, count: int, mine: list[Move], must: bool, ledger: Ledger = BLANK
    ) -> Choice | None:
        choices = len(legal(g, seat))
        await asyncio.sleep(0 if choices < 3 else (sum(g.players[seat].hand) % 49) / 100)
        eyes = Seat(g, seat, count, mine, ledger)
        bot = make("schemer", seed)
        return bot.choose(eyes) if must else bot.interject(eyes)


@pytest.mark.parametrize("speed", ["normal", "instant"])
@pytest.mark.parametrize("kind", ["schemer", "lookahead"])
def test_how_long_a_bot_takes_does_not_tell_what_it_thinks_about(kind: str, speed: pr.BotSpeed) -> None:
    async def story() -> None:
        differed = answered = 0
        for t, rng in positions(PACKS[0], 8, 150, 5):
            assert t.game is not None
            t.options = msgspec.structs.replace(t.options, bot_speed=speed)
            kept = t.chairs
            t.chairs = [kept[0], *(Chair("bot", c.name, c.sex, bot=kind) for c in kept[1:])]
            p = pair(t, 0, rng)
            t.chairs = kept
            a, b = await visits(p, Ponderer)
            await asyncio.sleep(4)
            n = same_until_it_shows(a.frames, b.frames, t.window)
            answered += n > 1
            differed += a.frames[n - 1 : n] != b.frames[n - 1 : n]
            await a.end()
            await b.end()
        assert answered > 10
        assert differed > 1, "the bots always did the same"

    virtual_time.run(story())


def test_a_thought_that_comes_late_is_told_at_the_next_slot() -> None:
    """A machine that has too much to do does not make a bot's time a measure of its thought."""

    class Slow(Ponderer):
        async def think(self, *job: Any) -> Choice | None:
            await asyncio.sleep(0.8 + len(legal(job[2], job[3])) % 60 / 100)
            return await super().think(*job)

    async def story() -> None:
        times: list[set[float]] = []
        for t, rng in positions(PACKS[0], 9, 60, 6):
            kept = t.chairs
            t.options = msgspec.structs.replace(t.options, bot_speed="instant")
            t.chairs = [Chair("bot", c.name, c.sex, bot="lookahead") for c in kept]
            p = pair(t, -1, rng)
            t.chairs = kept
            (visit, other) = await visits(p, Slow)
            await asyncio.sleep(9)
            times.append({x for x, _ in visit.frames[1:]})
            await visit.end()
            await other.end()
        slot = thinking.seconds("lookahead")
        later = [x for some in times for x in some]
        assert len(later) > 10
        assert all(min(x % slot, slot - x % slot) < 1e-3 for x in later), later

    virtual_time.run(story())


# -- every call -------------------------------------------------------------------------------------------------


# What is said with a call; a new one that says something belongs here.
BODIES: dict[str, Callable[[int], Any]] = {
    "seats": lambda viewer: {"name": "Eve"},
    "move": lambda viewer: {"token": "nobody's"},  # anybody's own gets a code that is never the same
    "claim": lambda viewer: {"code": "nothing"},
    "play": lambda viewer: {"name": "Eve", "seat": 0},
    "scenario": lambda viewer: {"token": f"token {viewer}" if viewer >= 0 else None},
}


async def called(t: Table, viewer: int, paths: dict[str, Any]) -> list[tuple[str, int, bytes]]:
    """Every call about a table, as this viewer makes it."""
    hub = Hub(NoJournal())  # type: ignore[arg-type]
    hub.ready = True
    room = hub.rooms[t.id] = Room(t, Lease(t.id, 1), hub.journal)
    task = asyncio.create_task(room.run())
    out = []
    async with httpx.AsyncClient(transport=httpx.ASGITransport(website(hub)), base_url="http://here") as http:
        for path, verbs in paths.items():
            for verb in verbs:
                where = path.replace("{table}", t.id).replace("{step}", "3")
                body = BODIES[path.rsplit("/", 1)[-1]](viewer) if verb != "get" else None
                for query in ("", "?game=1", "?game=2") if verb == "get" else ("",):
                    got = await http.request(verb.upper(), where + query, json=body)
                    out.append((f"{verb} {where}{query}", got.status_code, got.content))
    room.close("over", "The test is over.")
    await task
    return out


def test_no_call_tells_what_anybody_holds() -> None:
    async def story() -> None:
        app = website(Hub(NoJournal()))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as http:
            described = (await http.get("/openapi.json")).json()["paths"]
        paths = {path: verbs for path, verbs in described.items() if "{table}" in path}
        assert len(paths) >= 7
        for i, (t, rng) in enumerate(positions(PACKS[1], 5, 120, 37)):
            p = pair(t, i % (SEATS + 1) - 1, rng)
            assert p.a.status == PLAYING
            a, b = [await called(x, p.viewer, paths) for x in p.fresh()]
            assert a == b
            assert all(status in (404, 409) for name, status, _ in a if "/replay" in name), "it is not over yet"
            assert all(status < 500 for _, status, _ in a)

    asyncio.run(story())  # some of them use threads, which take their own time
