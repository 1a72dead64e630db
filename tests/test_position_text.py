"""This position as a scenario, over the server: to each what he knows, and to all everything when the game is over."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from kickdoor.cards.reading import documents
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.value.game import Game
from kickdoor.scenario.runner import Play, run_text
from kickdoor.server import deciding, limits, replays
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.positions import Scribe
from kickdoor.server.table import OVER, Table
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Workshop
from serving import CALM, Server, call, new_table
from test_known_positions import swapped
from test_leaks import SEATS, dealt, with_game

RECORD = replays.read((Path(__file__).parent / "replays" / "classic.json").read_bytes())


def written(t: Table, viewer: int) -> dict[str, Any]:
    token = f"token {viewer}" if viewer >= 0 else None
    return dict(asyncio.run(Scribe(Workshop()).of_table(t, token)))


def loaded(text: str) -> Game:
    ((data, _),) = documents(text, "written")
    play = Play(data)
    play.run()
    return play.g


def play_on(t: Table, moves: int, rng: random.Random) -> None:
    for _ in range(moves):
        g = t.game
        assert g is not None
        if g.winners:
            return
        s = to_act(g)[0]
        t.take(en.Entry(deciding.prepare(t, g, s, [rng.choice(legal(g, s)).deed], "person")))


def test_two_games_that_look_the_same_give_the_same_bytes() -> None:
    rng = random.Random(3)
    t = dealt(["classic", "clerical_errors"], 11)
    for _ in range(12):
        assert t.game is not None
        viewer = rng.randrange(-1, SEATS)
        other = with_game(t, swapped(t.game, viewer, rng))
        assert written(t, viewer) == written(other, viewer), f"seat {viewer} could tell, at {t.game.stack[-1]!r}"
        play_on(t, 17, rng)


def test_a_seat_gets_its_own_hand_and_no_other() -> None:
    t = dealt(["classic"], 4)
    assert t.game is not None
    for viewer in range(-1, SEATS):
        got = written(t, viewer)
        assert got["whole"] is False
        assert got["file"] == "kickdoor-abcdefghjk-0.yaml"
        (words, _), *_ = documents(got["text"], "written")
        hands = {name: p.get("hand") for name, p in words["table"]["players"].items()}
        names = [p.name for p in t.game.players]
        assert [n for n in names if hands[n]] == names[viewer : viewer + 1] if viewer >= 0 else not any(hands.values())


def test_when_it_is_over_everybody_gets_everything() -> None:
    stage = replays.Stage(RECORD)
    stage.go(len(RECORD.steps))
    t = stage.table
    assert t.status == OVER
    assert t.game is not None
    got = written(t, -1)
    assert got["whole"] is True
    assert loaded(got["text"]).key() == t.game.key()


def test_a_step_of_a_replay() -> None:
    got = asyncio.run(Scribe(Workshop()).of_replay(replays.Stage(RECORD), 40))
    stage = replays.Stage(RECORD)
    stage.go(40)
    assert stage.table.game is not None
    assert loaded(got["text"]).key() == stage.table.game.key()
    assert got["whole"]
    assert got["file"] == f"kickdoor-{RECORD.table}-40.yaml"


def test_writing_leaves_the_loop_to_others_and_the_line_is_not_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORK_WAITING", 3)

    async def story() -> None:
        scribe = Scribe(Workshop())
        go = threading.Event()
        first = [asyncio.create_task(scribe.write(lambda: str(go.wait(30)))) for _ in range(3)]
        await asyncio.sleep(0)  # they have begun, and the loop goes round all the same
        with pytest.raises(Trouble, match="more to do"):
            await scribe.write(str)
        go.set()
        assert await asyncio.gather(*first) == ["True"] * 3
        assert await scribe.write(lambda: "again") == "again"

    asyncio.run(story())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("journal"))) as s:
        yield s


def table(server: Server, **options: Any) -> dict[str, Any]:
    return new_table(server.url, seats=3, bots=["random", "random"], options={**CALM, **options})


def begin(server: Server, ticket: dict[str, Any]) -> None:
    with connect(f"{server.url.replace('http', 'ws', 1)}/ws/tables/{ticket['table']}") as ws:
        ws.send(json.dumps({"t": "hello", "v": pr.VERSION, "token": ticket["token"]}))
        ws.send(json.dumps({"t": "start", "id": "1"}))
        heard = next(m for m in map(json.loads, ws) if m["t"] == "answer")
    assert heard["ok"], heard


def ask(server: Server, table: str, **body: Any) -> tuple[int, Any]:
    return call(f"{server.url}/api/tables/{table}/scenario", body)


def test_over_http(server: Server) -> None:
    ticket = table(server)
    ident, token = ticket["table"], ticket["token"]
    status, early = ask(server, ident, token=token)
    assert (status, early["code"]) == (409, "not_started")
    begin(server, ticket)
    status, mine = ask(server, ident, token=token)
    assert status == 200
    assert "as Ann knows it" in mine["text"]
    assert not mine["whole"]
    (outcome,) = run_text(mine["text"])
    assert outcome.passed
    assert "as anybody may know it" in ask(server, ident)[1]["text"]
    assert ask(server, ident, token="stolen")[1]["code"] == "bad_token"
    assert ask(server, "nowhere")[0] == 404
    status, step = call(f"{server.url}/api/tables/{ident}/replay/0/scenario")
    assert (status, step["code"]) == (409, "not_over")


def test_who_may_not_watch_gets_nothing(server: Server) -> None:
    ticket = table(server, watchers=False)
    begin(server, ticket)
    status, answer = ask(server, ticket["table"])
    assert (status, answer["code"]) == (403, "no_watching")
    assert ask(server, ticket["table"], token=ticket["token"])[0] == 200
