"""What strangers, friends with a link and robots are shown: the list of open tables, previews, what could be played."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from browsing import built
from kickdoor.app import serving
from kickdoor.server import ahead, catalog, limits, lounge, playable, previews
from kickdoor.server import options as op
from kickdoor.server.chairs import guest_name
from kickdoor.server.hub import Hub
from kickdoor.server.neighbours import Alone
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from rooms import Place
from serving import Client, Server, call, free_port, join, new_table

BOXES = ["bites", "classic", "good_bad", "magical_mess", "shakespeare"]


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server("--data", str(tmp_path_factory.mktemp("public")), "--public") as server:
        yield server


def options(**changes: Any) -> op.TableOptions:
    return op.changed(op.TableOptions(), changes)


# -- the list ---------------------------------------------------------------------------------------------------------


def test_a_server_lists_nothing_unless_it_is_asked_to_and_a_table_only_if_its_host_wants_it(public: Server) -> None:
    async def story() -> None:
        hidden = new_table(public.url, name="Ours")
        shown = new_table(public.url, name="<b>Everybody's</b>", options={"listed": True}, bots=["greedy"])
        async with (
            Client(public.url, hidden["table"], hidden["token"]),
            Client(public.url, shown["table"], shown["token"]) as ann,
        ):
            await asyncio.sleep(lounge.FRESH)
            (found,) = call(f"{public.url}/api/tables")[1]["tables"]
            assert (found["id"], found["people"], found["bots"], found["free"]) == (shown["table"], ["Ann"], 1, 2)
            assert not {"token", "seed", "chat"} & found.keys()
            assert (await ann.say("options", options={"listed": False}))["ok"]
            await asyncio.sleep(lounge.FRESH)
            assert call(f"{public.url}/api/tables")[1] == {"tables": []}

    asyncio.run(story())


class Hall:
    """As much of a hub as a list is made from."""

    def __init__(self, rooms: dict[str, Any]) -> None:
        self.rooms = rooms
        self.neighbours = Alone()


def test_the_list_has_an_end_and_only_tables_where_somebody_is() -> None:
    async def story() -> None:
        places = [Place(people=2, dealt=False, listed=True) for _ in range(limits.LISTED + 5)]
        for p in places[:-2]:
            p.table.chairs.append(type(p.table.chairs[0])())
            await p.come("Ann")
        hall = Hall({str(i): p.room for i, p in enumerate(places)})
        found = lounge.Lounge(hall)._look()  # type: ignore[arg-type]
        assert len(found) == limits.LISTED
        full = Hall({"x": places[-1].room, "y": places[-2].room})
        await places[-1].come("Ann")  # somebody is there, but no seat is free
        assert lounge.Lounge(full)._look() == []  # type: ignore[arg-type]

    asyncio.run(story())


def test_nobody_has_the_whole_list_for_himself() -> None:
    async def story() -> None:
        rooms = {}
        for i in range(limits.LISTED_PER_ADDRESS + 3):
            p = Place(people=2, dealt=False, listed=True)
            p.table.chairs.append(type(p.table.chairs[0])())
            await p.come("Ann")
            p.room.guests[0].address = "192.0.2.7" if i else "192.0.2.8"
            rooms[str(i)] = p.room
        found = lounge.listed(Hall(rooms))  # type: ignore[arg-type]
        assert len(found) == limits.LISTED_PER_ADDRESS + 1

    asyncio.run(story())


def test_only_where_there_is_a_list_one_is_asked_about_it() -> None:
    for lists in (True, False):
        about = catalog.about(lists)
        assert about["lists"] == lists
        assert ("listed" in [o["id"] for o in about["options"]]) == lists


# -- previews ---------------------------------------------------------------------------------------------------------


def head(url: str) -> str:
    with urllib.request.urlopen(url, timeout=90) as answer:
        assert answer.headers["cache-control"] == "no-cache"
        return str(answer.read().decode())


def test_a_pasted_link_shows_the_table_and_who_waits_there(public: Server) -> None:
    table = new_table(public.url, name='Fri"day <script>', seats=4)["table"]
    join(public.url, table, "<i>Bob</i>")
    built()
    page = head(f"{public.url}/t/{table}")
    tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)" />', page))
    assert tags["title"] == "Fri&quot;day &lt;script&gt;"
    assert tags["description"].startswith("Ann and &lt;i&gt;Bob&lt;/i&gt; wait for you. 2 seats are free")
    assert tags["url"] == f"{public.url}/t/{table}"
    assert 'name="robots" content="noindex"' in page
    assert "Kick open the door" in head(f"{public.url}/t/nosuchtable")
    assert "Fri&quot;day" not in head(f"{public.url}/")


def test_what_a_preview_says_while_they_play() -> None:
    async def story() -> Table:
        return Place(people=2, bots=1, seed=3).table

    t = asyncio.run(story())
    said = previews.told(t)
    assert said.startswith("Ann, Bob and ")
    assert " play " in said


def ahead_of(page: str) -> dict[str, Any]:
    """What is sent along with a page."""
    found = re.search(r'<script type="application/json" id="ahead">(.*?)</script>', page)
    return dict(json.loads(found[1])) if found else {}


def test_what_a_page_asks_for_first_comes_with_it(public: Server) -> None:
    built()
    about = json.loads(json.dumps(catalog.about(True)))
    assert ahead_of(head(f"{public.url}/")) == {"about": about, "box": ""}
    assert ahead_of(head(f"{public.url}/about")) == {}
    table = new_table(public.url, options={"packs": ["bites"]})["table"]
    lobby = head(f"{public.url}/t/{table}")
    assert ahead_of(lobby) == {"about": about, "box": "bites"}
    assert lobby.index('id="ahead"') < lobby.index('type="module"')  # it is there when the program looks for it
    assert ahead_of(head(f"{public.url}/t/{table}/replay")) == {}


def test_of_a_game_that_is_played_come_its_cards() -> None:
    async def story() -> tuple[str, str, str]:
        place = Place(people=2, bots=1, seed=3)
        hub = SimpleNamespace(rooms={"abc": SimpleNamespace(table=place.table)})
        block = ahead.block(cast(Hub, hub), "/t/abc", "abc", False)
        return block, op.cards(place.table.options).printed, ahead._written({"x": "</script><script>"})

    block, cards, nasty = asyncio.run(story())
    assert ahead_of(block) == {"cards": cards, "box": "classic"}
    assert nasty.count("<") == 2  # nothing in it ends the block


# -- what could be played ---------------------------------------------------------------------------------------------


def test_a_mix_that_cannot_be_played_is_refused_when_it_is_chosen_and_says_what_to_add() -> None:
    with pytest.raises(Trouble) as no:
        playable.check(options(packs=["unnatural_axe"]), 3)
    assert (no.value.code, no.value.rule) == ("bad_option", "SETUP-5")
    assert "Add a base set (classic)." in no.value.says
    for box in BOXES:
        playable.check(options(packs=[box]), 3)


@pytest.mark.parametrize("packs", [["boosters"], ["bites"], ["classic"], ["cwbh"], ["accessories", "dungeons"]])
@pytest.mark.parametrize("players", [3, 6, 8, 12])
def test_what_is_suggested_is_enough(packs: list[str], players: int) -> None:
    """Whatever is suggested to be added, nothing about cards is in the way any more."""
    o = options(packs=packs, rules={"players.max": 12})
    for x in playable.obstacles(o, players):
        for add in x["add"]:
            mended = op.changed(o, {"packs": [add, *packs]})
            assert not [y for y in playable.obstacles(mended, players) if y["rule"] == x["rule"]], add


@pytest.mark.parametrize(("n", "house"), [(2, "two_players"), (7, "eight_players"), (8, "eight_players"), (9, "")])
def test_a_number_of_people_that_the_book_does_not_allow_names_the_house_rule(n: int, house: str) -> None:
    (first, *_) = playable.obstacles(options(), n)
    assert (first["rule"], first["house"]) == ("SETUP-1", house)
    if house:
        assert "house rule" in first["says"]
        assert not [x for x in playable.obstacles(options(house=[house]), n) if x["rule"] == "SETUP-1"]


def test_a_lobby_says_what_is_in_the_way_now_and_what_would_be_at_a_full_table() -> None:
    async def story() -> None:
        p = Place(people=3, dealt=False)
        await p.come()
        assert (await p.say("Ann", "options", options={"seats": 8}))["ok"]
        assert next((x["now"], x["house"]) for x in playable.of_table(p.table)) == (False, "eight_players")
        assert (await p.say("Ann", "options", options={"packs": ["unnatural_axe"]}))["code"] == "bad_option"
        assert (await p.say("Ann", "options", options={"bot_speed": "fast"}))["ok"]

    asyncio.run(story())


def test_it_can_be_asked_before_there_is_a_table(public: Server) -> None:
    status, said = call(f"{public.url}/api/mix", {"options": {"packs": ["boosters"]}, "players": 4})
    assert status == 200
    assert [x["add"] for x in said["obstacles"]] == [["classic"]]
    plain = call(f"{public.url}/api/mix", {"options": {"packs": ["classic"]}, "players": 4})[1]
    assert plain == {"obstacles": [], "advice": [], "book": {"house": [], "rules": {}}}
    assert call(f"{public.url}/api/mix", {"options": {"packs": ["nonsense"]}})[0] == 409
    status, no = call(f"{public.url}/api/tables", {"host": {"name": "Ann"}, "packs": ["boosters"]})
    assert (status, no["rule"]) == (409, "SETUP-5")


# -- names and faces --------------------------------------------------------------------------------------------------


def test_who_says_no_name_is_a_guest_with_a_number(public: Server) -> None:
    table = new_table(public.url, host={}, seats=4)["table"]
    join(public.url, table, "", avatar="owl")
    join(public.url, table, "guest 3")
    shown = call(f"{public.url}/api/tables/{table}")[1]
    assert [s["name"] for s in shown["seats"]] == ["Guest 1", "Guest 2", "guest 3", ""]
    assert [s["avatar"] for s in shown["seats"]] == ["", "owl", "", ""]
    assert guest_name(["Guest 2", "GUEST 1"]) == "Guest 3"
    for odd in ("No Owl", "../x", "x" * 30):
        assert call(f"{public.url}/api/tables/{table}/seats", {"name": "Eve", "avatar": odd})[0] == 422


def test_a_face_can_be_changed_at_any_time_and_is_in_the_journal() -> None:
    async def story() -> None:
        p = Place(people=3)
        await p.come()
        assert (await p.say("Bob", "avatar", avatar="troll"))["ok"]
        assert (await p.say("Bob", "avatar", avatar="A troll"))["code"] == "bad_avatar"
        assert p.table.chairs[1].avatar == "troll"
        await p.same()

    asyncio.run(story())


# -- the door and the data folder -------------------------------------------------------------------------------------


def test_the_address_is_printed_when_one_can_come_in_and_the_journal_is_where_the_environment_says(
    tmp_path: Path,
) -> None:
    port = free_port()
    command = [sys.executable, "-m", "kickdoor.app.cli", "serve", "--port", str(port)]
    env = {**os.environ, "KICKDOOR_DATA": str(tmp_path / "here")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as child:
        try:
            assert child.stdout is not None
            assert f"http://127.0.0.1:{port}" in child.stdout.readline()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=90) as answer:  # at once, no retry
                assert answer.status == 200
            status, no = call(f"http://127.0.0.1:{port}/api/tables")
            assert (status, no["code"]) == (404, "no_list"), "without --public there is no list"
        finally:
            child.terminate()
    assert (tmp_path / "here" / "journal.sqlite").is_file()


def test_data_counts_more_than_the_environment_and_that_more_than_the_usual_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("KICKDOOR_DATA", raising=False)
    assert serving.data_folder() == tmp_path / "kickdoor"
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path / "mine"))
    assert serving.data_folder() == tmp_path / "mine"
