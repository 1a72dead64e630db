"""The table over the wire: seats, moves, deals, chat, undo, consent, replays, and every clear no."""

from __future__ import annotations

import asyncio
import contextlib
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kickdoor.server import protocol as pr
from serving import CALM, Client, Server, begin, call, join, new_table, play_on, seated


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("journal"))) as s:
        yield s


@contextlib.asynccontextmanager
async def table(server: Server, n: int = 3, **body: Any) -> AsyncIterator[list[Client]]:
    """A game of n people."""
    ident, tickets = await seated(server.url, n, **body)
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(Client(server.url, ident, t["token"], i)) for i, t in enumerate(tickets)
        ]
        await begin(clients)
        yield clients


def run(coro: Any) -> Any:
    return asyncio.run(asyncio.wait_for(coro, 200))


# -- a whole game ---------------------------------------------------------------------------------------------------


def test_a_game_with_bots_is_played_to_its_end_verified_and_played_again(server: Server, tmp_path: Path) -> None:
    async def story() -> None:
        ticket = new_table(server.url, seats=4, bots=["sensible", "sensible", "random"])
        async with Client(server.url, ticket["table"], ticket["token"], 3) as ann:
            sealed = dict(ann.state["table"]["seed"])
            assert sealed["seed"] is None
            await ann.say("start")
            await ann.until(lambda: ann.status == "playing")
            await play_on([ann], 2000)
            assert ann.status == "over"
            shown = ann.state["table"]["seed"]
            assert shown["hash"] == sealed["hash"]
            assert shown["seed"] is not None
            replay = f"{server.url}/api/tables/{ticket['table']}/replay"
            with urllib.request.urlopen(replay) as answer:
                raw = answer.read()
            check_replay(raw, tmp_path)
            steps = len(json.loads(raw)["steps"])
            status, last = call(f"{replay}/{steps}")
            assert status == 200
            assert last["game"]["winners"] == ann.game["winners"]
            assert len({m.partition(": ")[0] for m in last["moves"]}) == 1
            status, first = call(f"{replay}/0")
            assert first["moves"] == []
            assert first["game"]["players"][1]["hand"], "a replay shows all hands"
            again = await ann.say("rematch")
            assert again["ok"]
            await ann.until(lambda: ann.status == "lobby")
            assert ann.state["table"]["seed"]["hash"] != sealed["hash"]
            assert (await ann.say("start"))["ok"]
            status, refused = call(f"{replay}?game=2")
            assert (status, refused["code"]) == (409, "not_over")
            assert call(f"{replay}?game=1")[0] == 200

    run(story())


def check_replay(raw: bytes, folder: Path) -> None:
    """True as it is; not true when anything was touched."""
    from kickdoor.app.cli import main

    path = folder / "replay.json"
    path.write_bytes(raw)
    assert main(["verify", str(path)]) == 0
    record = json.loads(raw)
    changes: list[dict[str, Any]] = [
        {"seed": str(int(record["seed"]) + 1)},
        {"steps": record["steps"][:-1]},
        {"winners": []},
    ]
    for change in changes:
        path.write_text(json.dumps({**record, **change}))
        assert main(["verify", str(path)]) == 1
    path.write_text("{}")
    assert main(["verify", str(path)]) == 2


def test_what_is_said_is_heard_in_its_order_however_it_comes(server: Server) -> None:
    """Other cards have to be looked into; short, long, odd and broken messages that come meanwhile wait their turn."""

    async def story() -> None:
        ticket = new_table(server.url, seats=3)
        async with Client(server.url, ticket["table"], ticket["token"]) as ann:
            long, odd = "a long story " * 12, "Grüße"
            said: list[dict[str, Any]] = [
                {"t": "options", "id": "x1", "options": {"packs": ["bites"]}},
                {"t": "say", "id": "x2", "text": "short"},
                {"t": "say", "id": "x3", "text": long},
                {"t": "options", "id": "x4", "options": {"packs": ["classic"]}},
                {"t": "say", "id": "x5", "text": odd},
            ]
            for m in said:
                await ann.raw(json.dumps(m, ensure_ascii=False))
            await ann.raw("no message at all")
            await ann.raw(json.dumps({"t": "say", "id": "x6", "text": "last"}))
            await ann.until(lambda: "x6" in ann.answers)
            assert [x for x in ann.answers if x[0] == "x"] == ["x1", "x2", "x3", "x4", "x5", "x6"]
            assert all(ann.answers[m["id"]]["ok"] for m in said)
            assert [x["text"] for x in ann.chat] == ["short", long.strip(), odd, "last"]
            assert [x["code"] for x in ann.problems] == ["not_understood"]
            assert ann.state["table"]["packs"] == ["classic"]

    run(story())


# -- seats ----------------------------------------------------------------------------------------------------------


def test_the_lobby_turns_away_what_does_not_fit(server: Server) -> None:
    ticket = new_table(server.url, seats=3)
    seats = f"{server.url}/api/tables/{ticket['table']}/seats"
    assert call(seats, {"name": "ANN"})[1]["code"] == "name_taken"
    for name in ("  ", "\u200b", "x" * 50):
        status, no = call(seats, {"name": name})
        assert status == 422
        assert "name" in no["says"]
    assert call(seats, {"name": "Bob", "seat": 0})[1]["code"] == "taken"
    join(server.url, ticket["table"], "Bob")
    join(server.url, ticket["table"], "Cid")
    status, full = call(seats, {"name": "Dee"})
    assert (status, full["code"]) == (409, "full")
    assert "watch" in full["says"]
    status, none = call(f"{server.url}/api/tables/zzzzzzzzzz/seats", {"name": "Dee"})
    assert (status, none["code"]) == (404, "no_table")


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"packs": ["nonsense"]}, "no pack"),
        ({"packs": []}, "at least one pack"),
        ({"window": 1}, "2.6"),
        ({"house": ["anarchy"]}, "house rule"),
        ({"rules": {"combat.nonsense": 1}}, "nonsense"),
        ({"spicy": True}, "spicy"),
        ({"timer": "eternal"}, "eternal"),
    ],
)
def test_options_that_make_no_sense_are_refused_with_a_sentence(
    server: Server, options: dict[str, Any], part: str
) -> None:
    status, no = call(f"{server.url}/api/tables", {"host": {"name": "Ann"}, "options": options})
    assert status == 409
    assert part in no["says"]


def test_a_seat_moves_to_another_device_and_the_link_works_once(server: Server) -> None:
    async def story() -> None:
        async with table(server) as (ann, *_):
            ident = ann.state["table"]["id"]
            base = f"{server.url}/api/tables/{ident}"
            status, link = call(f"{base}/move", {"token": ann.token})
            assert status == 200
            assert call(f"{base}/move", {"token": "guess"})[1]["code"] == "bad_token"
            assert call(f"{base}/claim", {"code": link["code"][:-4] + "AAAA"})[0] == 410
            lost = call(f"{base}/claim", {"code": link["code"]})[1]["token"]  # say that nobody hears this answer
            status, fresh = call(f"{base}/claim", {"code": link["code"]})
            assert (status, fresh["seat"]) == (200, 0)
            assert (await ann.say("say", text="Still here."))["ok"], "until somebody comes it is hers"
            async with Client(server.url, ident, fresh["token"]) as phone:
                assert phone.seat == 0
                assert phone.game["players"][0]["hand"] is not None
                await ann.until(lambda: ann.goodbye is not None)
                assert ann.goodbye is not None
                assert ann.goodbye["code"] == "bad_token"
                status, used = call(f"{base}/claim", {"code": link["code"]})
                assert (status, used["code"]) == (410, "expired")
            for old in (lost, ann.token):
                async with Client(server.url, ident, old) as nobody:
                    assert nobody.goodbye is not None
                    assert nobody.goodbye["code"] == "bad_token"

    run(story())


def test_who_sits_down_with_a_token_of_his_own_sits_down_once(server: Server) -> None:
    """The answer may be lost: he asks again, and has the seat that he got."""
    host = {"name": "Ann", "sex": "female"}
    made = call(f"{server.url}/api/tables", {"host": host, "seats": 3})[1]
    base, mine = f"{server.url}/api/tables/{made['table']}", "my-own-token-that-nobody-can-guess_0123456789"
    bob = {"name": "Bob", "sex": "male", "token": mine}
    first, again = call(f"{base}/seats", bob), call(f"{base}/seats", bob)
    assert first == again
    assert (first[0], first[1]["token"]) == (201, mine)
    assert [s["name"] for s in call(base)[1]["seats"]] == ["Ann", "Bob", ""]
    assert call(f"{base}/seats", {**bob, "token": "short"})[0] == 422
    assert call(f"{base}/seats", {**bob, "token": mine + "x"})[1]["code"] == "name_taken"


def test_what_was_done_is_said_to_be_done_though_it_could_not_be_done_any_more(server: Server) -> None:
    """Options that fitted the cards of that moment, asked once more when other cards lie there."""

    async def story() -> None:
        host = {"name": "Ann", "sex": "female"}
        made = call(f"{server.url}/api/tables", {"host": host, "seats": 3, "packs": ["classic"]})[1]
        async with Client(server.url, made["table"], made["token"]) as ann:
            less = {"without": ["Potted Plant"]}
            done = await ann.say("options", ident="less", options=less)
            assert done["ok"]
            assert (await ann.say("options", options={"packs": ["bites"], "without": []}))["ok"]
            assert not (await ann.say("options", options=less))["ok"]
            async with Client(server.url, made["table"], made["token"]) as tab:
                assert await tab.say("options", ident="less", options=less) == done

    run(story())


def test_a_body_is_utf_8(server: Server) -> None:
    host = json.dumps({"host": {"name": "Ann", "sex": "female"}})
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"):
        r = httpx.post(
            f"{server.url}/api/tables",
            content=host.encode(encoding),
            headers={"Content-Type": "application/json"},
            timeout=60,
        )
        assert r.status_code == (201 if encoding == "utf-8" else 422), encoding


def test_an_expired_link_says_so(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    from kickdoor.server.links import Links
    from kickdoor.server.trouble import Trouble

    links = Links(b"secret")
    code = links.make("abcdefghjk", "mark")
    assert links.read("abcdefghjk", code) == "mark"
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment + 700)
    with pytest.raises(Trouble, match="expired"):
        links.read("abcdefghjk", code)


# -- moves ----------------------------------------------------------------------------------------------------------


def test_a_move_for_a_closed_window_or_against_the_rules_changes_nothing(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            await play_on(clients, 60, lambda: clients[0].game["phase"] == "before_door")
            mover = clients[clients[0].game["turn"]]
            for c in clients:
                await c.until(lambda c=c: c.must is (c is mover))
            before = mover.seq
            stale = await mover.say("act", window=mover.state["clock"]["window"] - 1, moves=[mover.pick()])
            assert (stale["ok"], stale["code"]) == (False, "stale")
            refused = await mover.act("14,-1,-1,-1", "11,-1,-1,-1")
            assert not refused["ok"]
            assert refused["rule"]
            rubbish = await mover.act("999,12345,-77,3")
            assert not rubbish["ok"]
            other = next(c for c in clients if c is not mover)
            not_mine = await other.act(mover.pick())
            assert not not_mine["ok"]
            await asyncio.sleep(0.1)
            assert all(c.seq == before for c in clients)

    run(story())


def test_a_spectator_sees_the_table_and_no_hand_and_cannot_move(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            ident = clients[0].state["table"]["id"]
            async with Client(server.url, ident) as eve:
                assert eve.seat == -1
                assert all(p["hand"] is None for p in eve.game["players"])
                assert eve.state["moves"] == {}
                no = await eve.say("act", window=eve.state["clock"]["window"], moves=["1,-1,-1,-1"])
                assert no["code"] == "watching"
                await clients[0].until(lambda: clients[0].state["table"]["watchers"] == 1)
                await clients[1].say("open_hand", on=True)
                await eve.until(lambda: eve.game["players"][1]["hand"] is not None)
                assert eve.game["players"][1]["hand"] == clients[1].game["players"][1]["hand"]
                assert clients[2].game["players"][1]["hand"] is None, "players do not see what spectators see"
                await clients[1].say("open_hand", on=False)
                await eve.until(lambda: eve.game["players"][1]["hand"] is None)

    run(story())


def test_why_not_says_why_with_the_rule(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            mover = clients[clients[0].game["awaited"][0]]
            idle = next(c for c in clients if c is not mover)
            cards = idle.game["players"][idle.seat]["hand"]
            for card in cards:
                answer = await idle.say("why", card=card)
                assert answer["ok"]
                assert answer["says"]
            other = await idle.say("why", card=99999)
            assert not other["ok"]

    run(story())


def test_an_offer_is_put_together_without_stopping_the_table(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:

            def selling() -> Client | None:
                return next((c for c in clients if c.find("sell")), None)

            await play_on(clients, 300, lambda: selling() is not None)
            seller = selling()
            assert seller is not None
            before = seller.seq
            draft = await seller.say("draft", moves=[seller.find("sell")])
            assert draft["ok"]
            assert any(m["action"] == "add" for m in draft["data"]["moves"].values())
            assert seller.seq == before
            assert seller.find("sell"), "nothing has happened at the table"
            no = await seller.say("draft", moves=["1,-1,-1,-1"])
            assert no["code"] == "no_draft"

    run(story())


# -- talk -----------------------------------------------------------------------------------------------------------


def test_chat_and_names_stay_text(server: Server) -> None:
    async def story() -> None:
        nasty = "<img src=x onerror=alert(1)>"
        ticket = new_table(server.url, host={"name": "<b>Ann</b>"}, seats=3, name=nasty)
        join(server.url, ticket["table"], "Bob")
        async with Client(server.url, ticket["table"], ticket["token"]) as ann:
            await ann.say("say", text=nasty)
            await ann.until(lambda: bool(ann.chat))
            assert ann.chat[0]["text"] == nasty, "it is sent as it was typed; the page shows it as text"
            assert ann.state["table"]["seats"][0]["name"] == "<b>Ann</b>"
            assert (await ann.say("phrase", phrase="hello"))["ok"]
            assert (await ann.say("phrase", phrase="<script>"))["code"] == "no_phrase"
            assert (await ann.say("say", text="\u0000\u202e"))["code"] == "empty"

    run(story())


def test_what_is_said_comes_in_the_order_in_which_it_was_said(server: Server) -> None:
    """Short messages go straight to the table; they do not overtake one that has to wait for its turn."""

    async def story() -> None:
        ticket = new_table(server.url, host={"name": "Ann"}, seats=3)
        async with Client(server.url, ticket["table"], ticket["token"]) as ann:
            texts = ["one", "zwei ist größer", "three", "x" * 200, "five"]
            await asyncio.gather(*(ann.say("say", text=text) for text in texts))
            await ann.until(lambda: len(ann.chat) == len(texts))
            assert [line["text"] for line in ann.chat] == texts

    run(story())


# -- taking back, correcting ----------------------------------------------------------------------------------------


def test_a_move_that_revealed_nothing_can_be_taken_back_at_once(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            first = clients[clients[0].game["awaited"][0]]
            await first.until(lambda: first.must)
            before = json.dumps(first.game["players"], sort_keys=True)
            assert (await first.act("0,-1,-1,-1"))["ok"]
            await first.until(lambda: first.state["table"]["undo"])
            assert (await first.say("undo"))["ok"]
            await first.until(lambda: first.must)
            assert json.dumps(first.game["players"], sort_keys=True) == before

    run(story())


def test_what_was_revealed_is_taken_back_only_if_everybody_agrees(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            await play_on(clients, 60, lambda: any(c.find("kick") for c in clients))
            kicker = next(c for c in clients if c.find("kick"))
            doors = kicker.game["decks"][0]
            assert (await kicker.act("1,-1,-1,-1"))["ok"]
            await kicker.until(lambda: kicker.game["decks"][0] < doors)
            assert not kicker.state["table"]["undo"]
            assert (await kicker.say("undo"))["ok"]
            others = [c for c in clients if c is not kicker]
            for c in others:
                await c.until(lambda c=c: bool(c.state["table"]["votes"]))
            vote = others[0].state["table"]["votes"][0]["id"]
            assert (await others[0].say("vote", vote=vote, yes=True))["ok"]
            assert kicker.game["decks"][0] < doors
            assert (await others[1].say("vote", vote=vote, yes=True))["ok"]
            await kicker.until(lambda: kicker.game["decks"][0] == doors)
            assert (await others[0].say("vote", vote=vote, yes=True))["code"] == "no_vote"

    run(story())


def test_the_table_corrects_a_level_by_consent_and_one_no_is_enough(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            await play_on(clients, 60, lambda: clients[0].game["phase"] == "before_door")
            ann, bob, cid = clients

            async def vote(*answers: bool) -> None:
                for c, yes in zip((bob, cid), answers, strict=False):
                    await c.until(lambda c=c: bool(c.state["table"]["votes"]))
                    await c.say("vote", vote=c.state["table"]["votes"][0]["id"], yes=yes)

            assert (await ann.say("propose", fix={"seat": 1, "level": 5}))["ok"]
            await vote(False)
            await ann.until(lambda: not ann.state["table"]["votes"])
            assert ann.game["players"][1]["level"] == 1
            assert (await ann.say("propose", fix={"seat": 1, "level": 5}, why="we forgot"))["ok"]
            await vote(True, True)
            await ann.until(lambda: ann.game["players"][1]["level"] == 5)
            assert any("CONF-8" in line["rule"] for line in ann.log)
            assert (await ann.say("propose", fix={"seat": 1, "level": 10}))["rule"] == "WIN-5"

    run(story())


# -- clocks and bots ------------------------------------------------------------------------------------------------


def test_a_bot_fills_in_for_a_lost_line_and_hands_back_at_once(server: Server) -> None:
    async def story() -> None:
        options = {**CALM, "grace": 5}
        ident, tickets = await seated(server.url, 3, options=options)
        tokens = [t["token"] for t in tickets]
        async with Client(server.url, ident, tokens[0]) as ann, Client(server.url, ident, tokens[1]) as bob:
            async with Client(server.url, ident, tokens[2]) as cid:
                await begin([ann, bob, cid])
            await ann.until(lambda: not ann.state["table"]["seats"][2]["here"])
            await ann.until(lambda: ann.state["table"]["seats"][2]["standin"])
            assert any("bot plays for Cid" in line["text"] for line in ann.log)
            async with Client(server.url, ident, tokens[2]) as cid:
                assert not cid.state["table"]["seats"][2]["standin"]
                await ann.until(lambda: not ann.state["table"]["seats"][2]["standin"])

    run(story())


def test_whoever_gets_up_is_replaced_and_the_game_goes_on(server: Server) -> None:
    async def story() -> None:
        async with table(server) as clients:
            ann, bob, cid = clients
            assert (await cid.say("leave"))["ok"]
            await ann.until(lambda: ann.state["table"]["seats"][2]["who"] == "bot")
            await play_on([ann, bob], 5)

    run(story())


# -- rubbish --------------------------------------------------------------------------------------------------------


def test_rubbish_on_the_socket_gets_a_clear_answer_and_harms_nobody(server: Server) -> None:
    async def story() -> None:
        ticket = new_table(server.url, seats=3)
        async with Client(server.url, ticket["table"], ticket["token"]) as ann:
            for text in ("", "not json", "[]", '{"t": "dance"}', '{"t": "act"}', b"\xff\xfe", "x" * 9000):
                n = len(ann.problems)
                await ann.raw(text)
                await ann.until(lambda n=n: len(ann.problems) > n)
            assert {p["code"] for p in ann.problems} == {"not_understood", "too_long"}
            odd = await ann.say("propose", fix={"seat": -1, "level": 3})
            assert (odd["ok"], odd["code"]) == (False, "not_understood"), "whoever names what he says is answered by it"
            assert (await ann.say("say", text="still here"))["ok"]

    run(story())


def test_a_flood_is_cut_off(server: Server) -> None:
    async def story() -> None:
        ticket = new_table(server.url, seats=3)
        async with Client(server.url, ticket["table"], ticket["token"]) as ann:
            with contextlib.suppress(Exception):
                for _ in range(600):
                    await ann.raw("rubbish")
            await ann.until(lambda: ann.goodbye is not None)
            assert ann.goodbye is not None
            assert ann.goodbye["code"] == "flood"

    run(story())


def test_a_flood_of_pings_is_cut_off(server: Server) -> None:
    """Each would be answered, and the answers kept for somebody who does not read them."""
    ticket = new_table(server.url, seats=3)
    url = f"{server.url.replace('http', 'ws', 1)}/ws/tables/{ticket['table']}"

    def flood(line: ClientConnection) -> None:
        for n in range(100_000):
            line.ping(str(n))

    with connect(url) as line, pytest.raises(ConnectionClosed):
        flood(line)


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ('{"t": "hello", "v": 999}', "old"),
        ("hi there", "bad_hello"),
        ('{"t": "ping"}', "bad_hello"),
        ('{"a": ' + "[" * 3500 + "]" * 3500 + ', "t": "hello", "v": 3}', "bad_hello"),
        ('{"t": "hello", "v": 3, "token": "stolen"}', "bad_token"),
    ],
)
def test_a_wrong_hello_is_answered_in_words(server: Server, hello: str, code: str) -> None:
    from websockets.asyncio.client import connect

    async def story() -> None:
        ticket = new_table(server.url, seats=3)
        async with connect(f"{server.url.replace('http', 'ws', 1)}/ws/tables/{ticket['table']}") as ws:
            await ws.send(hello)
            bye = json.loads(await ws.recv())
            assert (bye["t"], bye["code"]) == ("bye", code)
            assert len(bye["says"]) > 10

    run(story())


def test_a_page_is_asked_about_without_being_fetched(server: Server) -> None:
    for path in ("/", "/about", "/icon.svg"):
        answer = httpx.head(f"{server.url}{path}", timeout=60)
        assert (answer.status_code, answer.content) == (200, b""), path


def test_pages_of_other_sites_cannot_connect(server: Server) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    async def story() -> None:
        ticket = new_table(server.url, seats=3)
        url = f"{server.url.replace('http', 'ws', 1)}/ws/tables/{ticket['table']}"
        with pytest.raises(InvalidStatus):
            async with connect(url, origin="https://elsewhere.example"):  # type: ignore[arg-type]
                pass
        async with connect(url, origin=server.url):  # type: ignore[arg-type]
            pass

    run(story())


def test_every_answer_carries_the_headers_that_keep_a_page_honest(server: Server) -> None:
    with urllib.request.urlopen(f"{server.url}/") as page:
        policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert "default-src 'none'" in policy


def test_big_and_broken_requests_are_refused(server: Server) -> None:
    assert call(f"{server.url}/api/tables", raw=b"{")[0] == 422
    assert call(f"{server.url}/api/tables", raw=b"[" * 40_000)[0] == 413
    assert call(f"{server.url}/api/tables", {"host": {"name": "A", "boss": True}})[0] == 422
    assert call(f"{server.url}/api/rules/NOPE-1")[0] == 404
    assert call(f"{server.url}/nothing/here")[0] == 404


# -- the public protocol --------------------------------------------------------------------------------------------


def test_every_frame_keeps_to_the_published_schema(server: Server) -> None:
    import jsonschema

    status, schema = call(f"{server.url}/api/protocol.json")
    assert (status, schema) == (200, json.loads(json.dumps(pr.schema())))
    validator = jsonschema.Draft202012Validator({**schema, "anyOf": [{"$ref": "#/$defs/Heard"}]})

    async def story() -> list[str]:
        async with table(server) as clients:
            await play_on(clients, 40)
            await clients[0].say("say", text="hello")
            return [f for c in clients for f in c.frames]

    frames = run(story())
    assert len(frames) > 100
    for frame in frames:
        validator.validate(json.loads(frame))


def test_the_example_client_plays_a_game(server: Server) -> None:
    import importlib.util

    path = Path(__file__).parent.parent / "examples" / "client.py"
    spec = importlib.util.spec_from_file_location("client", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert run(module.play(server.url))
    assert len(path.read_text().splitlines()) <= 60


def test_a_body_without_a_length_is_bounded_too(server: Server) -> None:
    import http.client

    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    parts = (b" " * 10_000 for _ in range(10))
    line.request("POST", "/api/tables", body=parts, headers={"Content-Type": "application/json"}, encode_chunked=True)
    answer = line.getresponse()
    assert answer.status == 413
    assert json.load(answer)["code"] == "too_long"


def test_a_bot_that_thinks_long_keeps_nobody_else_waiting(server: Server) -> None:
    async def story() -> None:
        ticket = new_table(server.url, seats=3, bots=["lookahead", "random"])
        assert (
            call(f"{server.url}/api/tables", {"host": {"name": "A"}, "seats": 3, "bots": ["lookahead@60000"]})[0] == 409
        )
        async with Client(server.url, ticket["table"], ticket["token"]) as ann:
            await ann.say("start")
            await ann.until(lambda: ann.status == "playing")

            def thought() -> bool:
                return any(line["seat"] == 1 and line["id"] in ("kick", "play", "keep", "loot") for line in ann.log)

            await play_on([ann], 200, thought)
            assert thought()

    run(story())


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/nosuch", "text/html,*/*", "text/html"),
        ("/no/such/page", "text/html,*/*", "text/html"),
        ("/nosuch", "*/*", "application/json"),
        ("/api/nosuch", "text/html,*/*", "application/json"),
        ("/assets/nosuch.js", "text/html,*/*", "application/json"),
    ],
)
def test_people_who_lose_their_way_get_a_page_and_programs_an_answer(
    server: Server, path: str, accept: str, kind: str
) -> None:
    with pytest.raises(urllib.error.HTTPError) as got:
        urllib.request.urlopen(urllib.request.Request(server.url + path, headers={"Accept": accept}), timeout=30)
    assert got.value.code == 404
    assert (got.value.headers["Content-Type"] or "").startswith(kind)
