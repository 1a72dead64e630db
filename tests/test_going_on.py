"""A finished game in figures, and played on from one of its positions."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import msgspec
import pytest

from house import House, story
from kickdoor.engine.going_on import go_on
from kickdoor.engine.invariants import check
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.setup import new_game
from kickdoor.engine.table import wandering
from kickdoor.engine.value.game import DECKS
from kickdoor.engine.value.records import Event
from kickdoor.server import chronicle as ch
from kickdoor.server import entries as en
from kickdoor.server import going_on, replays, snapshots
from kickdoor.server import protocol as pr
from kickdoor.server.patching import patched
from kickdoor.server.table import OVER, PLAYING, Table
from kickdoor.server.trouble import Trouble
from staging import Stage

REPLAYS = Path(__file__).parent / "replays"
ZOE = going_on.Guest(1, "Zoe", "greedy", "token")
AT = "abcdefghjk"


@cache
def stage() -> replays.Stage:
    return replays.Stage(replays.read((REPLAYS / "family.json").read_bytes()), 48)


def middle() -> int:
    return len(stage().record.steps) // 2


def begun(step: int, guest: going_on.Guest = ZOE) -> tuple[Table, list[en.Entry]]:
    """The new table, out of what its journal would hold."""
    whats = going_on.begin(stage(), step, guest, AT, lambda: None)
    entries = [en.unpack(en.pack(en.Entry(w))) for w in whats]
    t = Table(AT)
    for e in entries:
        t.take(e)
    return t, entries


def test_a_table_that_goes_on_is_not_open_to_strangers_because_the_first_one_was() -> None:
    listed = replays.Stage(replays.read((REPLAYS / "family.json").read_bytes()), 48)
    listed.record.options["listed"] = True
    opened = going_on.begin(listed, 3, ZOE, AT, lambda: None)[0]
    assert isinstance(opened, en.Opened)
    assert opened.options["listed"] is False
    assert opened.options["packs"] == listed.record.options["packs"]


# -- in figures -------------------------------------------------------------------------------------------------------


def test_the_story_of_a_game() -> None:
    told = replays.story(stage())
    record = stage().record
    assert told["winners"] == record.winners
    assert told["final"][told["winners"][0]] == 10
    assert [t["turn"] for t in told["turns"]] == list(range(1, len(told["turns"]) + 1))
    assert [t["step"] for t in told["turns"]] == sorted(t["step"] for t in told["turns"])
    assert {f["outcome"] for f in told["fights"]} <= {"won", "lost", "over"}
    assert all(f["foes"] for f in told["fights"])  # also where the monster was sent away
    assert sum(n["won"] for n in told["numbers"]) == sum(f["outcome"] == "won" for f in told["fights"])
    weights = [b["weight"] for b in told["betrayals"]]
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == sum(n["stabs"] for n in told["numbers"])
    stage().go(told["turns"][5]["step"])
    game = stage().table.game
    assert game is not None
    assert [p.level for p in game.players] == told["turns"][5]["levels"]


def test_a_page_of_a_replay_is_its_frames() -> None:
    """The first as it is, the others as changes: taken together they are what is shown step by step."""
    start = middle() // 50 * 50
    told = json.loads(pr.encode(replays.page(stage(), start)))
    game = told["first"]["game"]
    assert len(told["then"]) == 49
    for step, change in enumerate(told["then"], start + 1):
        game = patched(game, change["patch"])
        if step % 7 == 0:
            frame = json.loads(pr.encode(replays.frame(stage(), step)))
            assert (game, change["moves"]) == (frame["game"], frame["moves"])
            assert change["log"] == frame["log"][len(frame["log"]) - len(change["log"]) :]
    last = replays.page(stage(), len(stage().record.steps))
    assert last["then"] == []


def clash(ahead: int, helper: int = -1) -> ch.Clash:
    return ch.Clash(0, helper, (7,), 9, ahead, ahead > 0)


def test_a_stab_is_what_an_outsider_does_and_counts_more_if_it_turns_the_fight() -> None:
    beats = [
        ch.Beat(1, -1, [Event("turn", 0, n=1)], (1, 1), None, None),
        ch.Beat(2, 0, [Event("fight", 0, 7)], (1, 1), None, clash(3)),
        ch.Beat(3, 0, [Event("play", 0, 8)], (1, 1), clash(3), clash(2)),  # his own doing
        ch.Beat(4, 1, [Event("play", 1, 9)], (1, 1), clash(2), clash(-3)),
        ch.Beat(5, -1, [Event("losing", 0), Event("death", 0)], (1, 1), clash(-3), clash(-3)),
        ch.Beat(6, -1, [Event("fight_over", 0), Event("curse", 0, 4, 1)], (1, 1), clash(-3), None),
    ]
    told = ch.chronicle(["Ann", "Bob"], [1], [1, 1], beats)
    worst, curse = told["betrayals"]
    assert (worst["by"], worst["against"], worst["card"], worst["before"], worst["after"]) == (1, 0, 9, 2, -3)
    assert worst["turned"]
    assert worst["died"]
    assert (curse["card"], curse["died"]) == (4, False)
    assert told["fights"] == [{"step": 2, "turn": 1, "seat": 0, "helper": -1, "foes": [7], "outcome": "lost"}]
    assert told["numbers"][0]["deaths"] == 1


def test_what_was_taken_back_has_not_happened() -> None:
    beats = [
        ch.Beat(1, -1, [Event("turn", 0, n=1)], (1, 1), None, None),
        ch.Beat(2, 0, [Event("fight", 0, 7)], (1, 1), None, clash(3)),
        ch.Beat(3, 1, [Event("play", 1, 9)], (1, 1), clash(3), clash(-2)),
        ch.Beat(4, -1, (), (1, 1), clash(-2), clash(3), back=True),
    ]
    assert ch.chronicle(["Ann", "Bob"], [0], [1, 1], beats)["betrayals"] == []


# -- played on --------------------------------------------------------------------------------------------------------


def test_the_position_stays_and_what_nobody_has_seen_is_shuffled() -> None:
    stage().go(middle())
    was = stage().table.game
    assert was is not None
    now, _ = begun(middle())
    g = now.game
    assert g is not None
    check(g)
    assert now.status == PLAYING
    assert (now.host, now.chairs[1].name, g.players[1].name) == (1, "Zoe", "Zoe")
    assert [c.who for c in now.chairs] == ["bot", "person", "bot", "bot"]
    assert [p.hand for p in g.players] == [p.hand for p in was.players]
    assert [p.table for p in g.players] == [p.table for p in was.players]
    assert g.discards == was.discards
    assert (g.turn, g.turns, to_act(g)) == (was.turn, was.turns, to_act(was))
    assert [sorted(p) for p in g.piles] == [sorted(p) for p in was.piles]
    assert g.piles[0] != was.piles[0]
    assert g.rng != was.rng
    again, _ = begun(middle())
    assert again.game is not None
    assert again.game.piles != g.piles, "another seed, another shuffle"


def test_a_card_that_lies_openly_on_its_deck_stays_there() -> None:
    g = new_game(packs=("classic", "other_expansions"))
    deck = next(d for d in range(DECKS) if wandering.on_top(g, d) >= 0)
    was = g.clone()
    go_on(g, 5)
    assert g.piles[deck][-1] == wandering.on_top(was, deck)
    assert sorted(g.piles[deck]) == sorted(was.piles[deck])
    assert g.piles[0] != was.piles[0]


def test_the_new_game_is_sealed_played_and_verified_like_any_other() -> None:
    t, entries = begun(len(stage().record.steps) - 40)
    rng = random.Random(3)
    while t.status != OVER:
        assert t.game is not None
        seat = to_act(t.game)[0]
        moves = legal(t.game, seat)
        entry = en.Entry(en.Made(seat, [rng.choice(moves).deed], "bot"))
        t.take(entry)
        entries.append(entry)
        assert len(entries) < 20_000
    record = replays.record(t, entries, 0)
    checks = replays.verify(msgspec.json.encode(record))
    assert all(ok for ok, _ in checks), checks
    other = msgspec.structs.replace(record, seed=str(int(record.seed) + 1))
    assert not all(ok for ok, _ in replays.verify(msgspec.json.encode(other)))
    damaged = msgspec.structs.replace(record, position={**record.position, "turn": 99})
    assert not all(ok for ok, _ in replays.verify(msgspec.json.encode(damaged)))


def test_a_table_that_goes_on_is_a_table_like_any_other() -> None:
    t, _ = begun(middle())
    loaded = snapshots.load(AT, snapshots.dump(t))
    assert loaded.game is not None
    assert t.game is not None
    assert loaded.game.key() == t.game.key()
    assert loaded.dealt is not None
    assert not loaded.dealt.position, "it is in the journal; in memory it would be most of a table"


@pytest.mark.parametrize(
    ("step", "guest", "code"),
    [
        (10**6, ZOE, "over"),
        (0, ZOE._replace(seat=4), "no_seat"),
        (0, ZOE._replace(name="Cid"), "name_taken"),
        (0, ZOE._replace(bot="nobody"), "bad_bot"),
    ],
)
def test_what_cannot_be_played_on(step: int, guest: going_on.Guest, code: str) -> None:
    with pytest.raises(Trouble) as no:
        going_on.begin(stage(), step, guest, AT, lambda: None)
    assert no.value.code == code


@pytest.mark.parametrize("name", ["", " ", "You", "yOu"])
def test_you_is_nobodys_name_here_either(name: str) -> None:
    entries = going_on.begin(stage(), 0, ZOE._replace(name=name), AT, lambda: None)
    (sat,) = (e for e in entries if isinstance(e, en.Sat))
    assert sat.name == "Guest 1"


def test_over_http(tmp_path: Path) -> None:
    """Only finished games tell their story and are played on."""
    over = Stage(["Ann"], ["greedy", "greedy"], seed=3)
    over.lively(lambda g: bool(g.winners), 20_000)
    going = Stage(["Ann"], ["greedy", "greedy"], seed=4)

    async def tell(house: House) -> None:
        for s in (over, going):
            s.lay(tmp_path / "journal.sqlite")
        async with house.caller() as api:
            told = (await api.get(f"/api/tables/{over.id}/replay/story")).json()
            assert told["winners"] == over.game.winners
            assert (await api.get(f"/api/tables/{going.id}/replay/story")).status_code == 409
            step = told["turns"][1]["step"]
            me = {"name": "Zoe", "seat": 2}
            assert (await api.post(f"/api/tables/{going.id}/replay/1/play", json=me)).status_code == 409
            made = await api.post(f"/api/tables/{over.id}/replay/{step}/play", json=me)
            assert made.status_code == 201, made.text
            ticket = made.json()
            room = await house.hub.room(ticket["table"])
            assert room.table.seat_of(ticket["token"]) == 2
            assert room.table.status == PLAYING
            shown = (await api.get(f"/api/tables/{ticket['table']}")).json()
            assert shown["seed"]["seed"] is None, "sealed until it is over"
            assert [s["name"] for s in shown["seats"]] == [*told["players"][:2], "Zoe"]
            book = (await api.get("/api/rulebook")).json()
            assert {"COMBAT", "RUN", "FQ-CBT", "MM"} <= {c["id"] for c in book}
            assert all(c["part"] and c["title"] and c["rules"] for c in book)

    story(tmp_path, tell)
