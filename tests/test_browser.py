"""Coming to the table in a real browser: lobby, a friend by link, a whole game, another device, and every clear no."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from browsing import REFUSED, Guest, House
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import BEFORE_DOOR, Game
from serving import CALM, call, join, new_table
from staging import BOT, Stage, at_the_door, staged

Make = Callable[..., Guest]
NASTY = "<img src=x onerror=x()>"


def test_a_table_is_made_a_friend_comes_by_link_and_each_sees_only_his_own_hand(house: House, guest: Make) -> None:
    ann, bob = guest(worker=True), guest(worker=True)
    page = ann.go()
    expect(page.get_by_role("heading", name="Kickdoor")).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill("Ann")
    page.get_by_role("textbox", name="What it is called").fill("Friday night")
    page.get_by_role("combobox", name="Seats").select_option("3")
    page.get_by_role("combobox", name="Seat 2").select_option("")
    expect(page.get_by_role("combobox", name="Seat 4")).to_have_count(0)
    ann.button("Open the table").click()

    expect(page.get_by_role("heading", name="Friday night")).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    link = page.get_by_role("textbox", name="One link for everybody").input_value()
    assert link.startswith(f"{house.url}/t/")

    bob.page.goto(link)
    bob.page.get_by_role("textbox", name="Your name").fill("Bob")
    bob.button("Sit down").click()
    expect(page.get_by_text("Waiting for Bob.")).to_be_visible()
    expect(ann.button("Start the game")).to_be_disabled()
    bob.button("I am ready").click()
    expect(page.get_by_text("Everybody is ready.")).to_be_visible()
    ann.button("Start the game").click()

    for who, other in ((ann, "Bob"), (bob, "Ann")):
        expect(who.table).to_be_visible()
        expect(who.page.get_by_role("article", name=other)).to_be_visible()
        expect(who.hand.nth(4)).to_be_visible()
    hands = [set(ann.cards()), set(bob.cards())]
    assert not hands[0] & hands[1]
    for who, others in ((ann, hands[1]), (bob, hands[0])):
        seen = who.page.locator("[data-card]").evaluate_all("all => all.map(x => x.dataset.card)")
        assert not others & set(seen), "a card of somebody else's hand"


def test_one_tap_starts_a_game_against_three_bots_with_hints(guest: Make) -> None:
    ann = guest(guide=True)
    ann.go()
    ann.page.get_by_role("textbox", name="Your name").fill("Ann")
    ann.button("Play against three bots").click()
    expect(ann.table).to_be_visible()
    expect(ann.page.get_by_role("article")).to_have_count(3)
    hint = ann.page.get_by_label("Hint")
    expect(hint).to_be_visible()
    title = hint.get_by_role("heading").inner_text()
    hint.get_by_role("button", name="Got it").click()
    expect(hint.get_by_role("heading", name=title)).to_be_hidden()


def near_the_end(s: Stage) -> bool:
    """A game that has come far, with the first seat about to open a door."""

    def late(g: Game) -> bool:
        far = max(p.level for p in g.players) >= 8
        return far and g.turn == 0 and isinstance(g.stack[-1], fr.Turn) and g.stack[-1].phase == BEFORE_DOOR

    return s.lively(late)


def test_a_game_is_played_to_its_end_replayed_and_played_again(house: House, guest: Make) -> None:
    stage = house.lay(staged(near_the_end, ["Ann"], [BOT, BOT, BOT]))
    ann = guest()
    page = ann.sit(stage)
    moves = ann.play_on(ann.end)
    assert moves > 0
    expect(ann.end.get_by_role("heading", name=re.compile("wins?!$"))).to_be_visible()
    expect(ann.end.get_by_role("list", name="Result").get_by_role("listitem")).to_have_count(4)
    seed = ann.end.locator("code").inner_text()
    assert seed == str(stage.table.next_seed)
    ann.button("Check it").click()
    expect(ann.dialog("The seal on the shuffle").get_by_text(stage.table.seal())).to_be_visible()
    expect(ann.dialog("The seal on the shuffle").get_by_text("kickdoor verify replay.json")).to_be_visible()
    page.keyboard.press("Escape")

    page.get_by_role("link", name="Watch the replay").click()
    replay = ann.replay
    expect(replay.get_by_text(re.compile(r"^0 / \d+$"))).to_be_visible()
    replay.get_by_role("button", name="One step on").click()
    replay.get_by_role("button", name="One step on").click()
    expect(replay.get_by_text(re.compile(r"^2 / \d+$"))).to_be_visible()
    replay.get_by_role("button", name="One step back").click()
    expect(replay.get_by_text(re.compile(r"^1 / \d+$"))).to_be_visible()
    slider = replay.get_by_role("slider", name="Step")
    slider.press("End")
    last = int(slider.get_attribute("max") or "0")
    expect(replay.get_by_text(f"{last} / {last}")).to_be_visible()
    expect(ann.log.get_by_text(re.compile("win", re.I)).last).to_be_visible()
    with page.expect_download() as download:
        replay.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename.endswith(".json")
    page.reload()  # a link to this moment
    expect(replay.get_by_text(f"{last} / {last}")).to_be_visible()

    ann.go(f"/t/{stage.id}")
    ann.end.get_by_role("button", name="Rematch").click()
    expect(ann.button("Start the game")).to_be_enabled()
    ann.button("Start the game").click()
    expect(ann.hand.nth(4)).to_be_visible()


# -- the seat goes with its person ------------------------------------------------------------------------------------


def test_the_seat_moves_to_another_device_by_a_link_that_works_once(house: House, guest: Make) -> None:
    stage = house.lay(Stage(["Ann", "Bob"], [BOT]))
    desk, phone, thief = guest(), guest(size={"width": 390, "height": 844}, touch=True), guest(forgive=[REFUSED])
    desk.sit(stage)
    hand = desk.cards()
    asked: list[str] = []
    desk.page.on("request", lambda r: asked.append(r.url))
    desk.menu("Another device")
    sheet = desk.dialog("Take my seat to another device")
    link = sheet.get_by_role("textbox", name=re.compile("^The link of your seat")).input_value()
    _, mark, code = link.partition("#move=")
    assert mark
    picture = sheet.get_by_role("img", name="QR code of the link")
    assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 0
    assert not [url for url in asked if code in url], "who has the code has the seat: no address has it"

    claimed: list[str] = []

    def goes_away(route: Route) -> None:
        """The server that answers this has gone before anybody says hello, and the next one knows nothing of it."""
        claimed.append(route.request.method)
        route.fulfill(status=200, json={"table": stage.id, "seat": 0, "token": "a" * 32, "link": ""})

    phone.page.route("**/claim", goes_away, times=1)
    phone.page.goto(link)
    assert phone.cards() == hand
    assert claimed == ["POST"]
    expect(desk.page.get_by_text(re.compile("another device|moved", re.I)).first).to_be_visible()
    desk.button("Watch instead").click()
    expect(desk.table).to_be_visible()
    expect(desk.page.get_by_role("list", name="Your hand")).to_have_count(0)

    phone.page.reload()
    assert phone.cards() == hand, "the seat stays on the new device"
    thief.page.goto(link)
    expect(thief.page.get_by_text(re.compile("link.*(expired|used)", re.I)).first).to_be_visible()
    expect(thief.page.get_by_role("list", name="Your hand")).to_have_count(0)


# -- a clear no -------------------------------------------------------------------------------------------------------


def sit_down(page: Page, name: str) -> None:
    page.get_by_role("textbox", name="Your name").fill(name)
    page.get_by_role("button", name="Sit down", exact=True).click()


def test_what_is_not_there_or_not_yet(house: House, guest: Make) -> None:
    """One visitor at every door that stays closed: no such table, no link, no such page, no replay yet."""
    stage = house.lay(Stage(["Ann", "Bob"], [BOT]))
    eve = guest(forgive=[REFUSED])
    eve.go("/t/zzzzzzzzzz")
    expect(eve.page.get_by_role("heading", name="No such table")).to_be_visible()
    expect(eve.page.get_by_text("Check the link")).to_be_visible()
    eve.page.get_by_role("link", name="Home").click()
    eve.page.get_by_role("textbox", name="The link you were sent").fill("!?")
    eve.button("Join").click()
    expect(eve.page.get_by_role("alert")).to_contain_text("That is not the link of a table")
    eve.go("/t/a/b/c")
    expect(eve.page.get_by_text(re.compile("nothing here|no such page", re.I)).first).to_be_visible()
    eve.go(f"/t/{stage.id}/replay")  # of a game that is not over
    expect(eve.page.get_by_role("heading", name="No replay")).to_be_visible()
    expect(eve.page.get_by_text("over")).to_be_visible()
    expect(eve.page.get_by_role("link", name="To the table")).to_be_visible()


def test_seats_and_names_that_are_taken(house: House, guest: Make) -> None:
    """A full table, a name that is taken, and a seat: the page still shows it as free, and while the wish is on its way
    somebody else is quicker."""
    full = new_table(house.url, seats=2)["table"]
    join(house.url, full, "Bob")
    eve = guest(forgive=[REFUSED])
    eve.go(f"/t/{full}")
    expect(eve.page.get_by_role("heading", name="Every seat is taken")).to_be_visible()
    expect(eve.page.get_by_text("You can watch")).to_be_visible()

    named = new_table(house.url, seats=3)["table"]
    sit_down(eve.go(f"/t/{named}"), "ann")
    expect(eve.page.get_by_role("alert")).to_contain_text(re.compile("called|name|taken", re.I))
    sit_down(eve.page, "Eve")
    expect(eve.button("I am ready")).to_be_visible()

    table = new_table(house.url, seats=2)["table"]

    def overtake(route: Route) -> None:
        join(house.url, table, "Bob")
        route.continue_()

    eve.page.route("**/seats", overtake)
    sit_down(eve.go(f"/t/{table}"), "Eve")
    expect(eve.page.get_by_text("Every seat").first).to_be_visible()


def test_who_comes_to_a_game_that_has_begun_watches_without_seeing_a_hand(house: House, guest: Make) -> None:
    """... also by an expired or broken link of a seat, which is said."""
    stage = house.lay(Stage(["Ann", "Bob"], [BOT]))
    status, no = call(f"{house.url}/api/tables/{stage.id}/seats", {"name": "Eve"})
    assert (status, no["code"]) == (409, "started")
    eve = guest(forgive=[REFUSED])
    eve.go(f"/t/{stage.id}#move=AAAA.BBBB.CCCC")
    expect(eve.page.get_by_text(re.compile("link is damaged")).first).to_be_visible()
    expect(eve.table).to_be_visible()
    expect(eve.page.get_by_text("You are watching. The game has begun")).to_be_visible()
    expect(eve.page.get_by_role("article")).to_have_count(3)
    expect(eve.page.get_by_role("list", name="Your hand")).to_have_count(0)
    expect(eve.page.locator("[data-card]")).to_have_count(0)


# What a broken, old or hostile page might send instead; the person before it is told in words.
ODD: dict[str, tuple[Callable[[dict[str, Any]], str | list[str]], str]] = {
    "a closed window": (lambda m: json.dumps({**m, "window": m["window"] - 1}), "Something has happened since"),
    "a move that is not allowed": (lambda m: json.dumps({**m, "moves": ["3,-1,-1,-1"]}), r"[A-Z]+-\d+"),
    "not JSON": (lambda m: "what?", "(understood|understand)"),
    "a flood": (lambda m: ["what?"] * 400, "(fast|many|flood)"),
    "an old client": (lambda m: json.dumps({**m, "v": 0}), "(reload|version)"),
}


def test_what_cannot_be_understood_or_allowed_is_answered_in_words(house: House, guest: Make) -> None:
    stage = house.lay(staged(at_the_door, ["Ann"], [BOT, BOT]))
    ann = guest(forgive=["WebSocket"])
    odd, kind = "", "act"

    def line(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()

        def said(text: str | bytes) -> None:
            message = json.loads(text)
            out = ODD[odd][0](message) if message["t"] == kind and odd else str(text)
            for one in out if isinstance(out, list) else [out]:
                server.send(one)

        ws.on_message(said)

    def told() -> None:
        words = re.compile(ODD[odd][1])
        expect(ann.page.locator(".note, main.message p").filter(has_text=words), odd).to_be_visible()

    ann.page.route_web_socket("**/ws/tables/*", line)
    ann.sit(stage)
    hand = ann.cards()
    for odd in ("a closed window", "a move that is not allowed", "not JSON"):
        ann.primary.click()
        told()
        expect(ann.primary, odd).to_have_text(re.compile("Kick open the door"))
        assert ann.cards() == hand, f"{odd}: nothing has changed"
    ann.page.reload()
    odd = "a flood"
    ann.primary.click()
    told()
    again = ann.page.get_by_role("button", name=re.compile("^(Reload|Try again)$"))
    expect(again, odd).to_be_visible()
    odd, kind = "an old client", "hello"
    ann.page.reload()
    told()
    expect(again, odd).to_be_visible()


# -- nothing from outside, nothing that runs --------------------------------------------------------------------------


def test_names_and_chat_with_html_in_them_are_only_text(house: House, guest: Make) -> None:
    ticket = new_table(house.url, host={"name": NASTY}, seats=3, name=NASTY, bots=[BOT], options=CALM)
    stage = house.lay(Stage([NASTY, "Bob"], [BOT], title=NASTY))
    for where in (f"/t/{ticket['table']}", f"/t/{stage.id}"):
        bob = guest()
        bob.context.add_init_script("window.x = () => { document.title = 'pwned'; window.pwned = true; }")
        if stage.id in where:
            page = bob.sit(stage, 1)
            page.get_by_role("tab", name="Chat").click()
            expect(page.get_by_role("article", name=NASTY)).to_be_visible()
        else:
            page = bob.go(where)
            sit_down(page, "<b>Bob</b>")
            expect(page.get_by_text("<b>Bob</b>").first).to_be_visible()
        expect(page.get_by_role("heading", name=NASTY).first).to_be_visible()
        page.get_by_role("textbox", name="Say something").fill(f"{NASTY}<script>x()</script>")
        page.get_by_role("button", name="Say", exact=True).click()
        chat = page.get_by_role("log", name="Chat")
        expect(chat.get_by_text(f"{NASTY}<script>x()</script>")).to_be_visible()
        assert page.locator("img[src='x'], .chat script, .chat img, li b b").count() == 0
        assert page.evaluate("window.pwned === undefined")


def test_every_page_asks_only_its_own_server_and_breaks_no_policy(house: House, guest: Make) -> None:
    """Guests complain about foreign requests, console errors and policy violations; here they see every page."""
    stage = house.lay(Stage(["Ann"], [BOT, BOT]))
    ann = guest(motion=True, worker=True, drawn=True)
    seen: list[str] = []
    ann.page.on("request", lambda r: seen.append(r.url))
    ann.go()
    expect(ann.page.get_by_role("heading", name="Make a table")).to_be_visible()
    ann.page.get_by_role("link", name="About, licences and privacy").click()
    expect(ann.page.get_by_role("heading", name="Privacy")).to_be_visible()
    ann.sit(stage)
    ann.cards()
    ann.primary.click()
    expect(ann.hand.first).to_be_visible()
    assert len(seen) > 10
    assert all(url.startswith(f"{house.url}/") for url in seen)
    assert ann.context.cookies() == []
