"""The companion for real cards in a real browser: one phone for all, four phones, two that were apart, everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect

from browsing import DESKTOP, OFFLINE, SMALL_PHONE, Guest
from counting import Counted

Make = Callable[..., Guest]


def begin(ann: Guest, *names: str) -> str:
    """A counter with these people, on one phone; its id."""
    page = ann.go("/counter")
    for i, name in enumerate(names):
        if i:
            ann.button("One more on this phone").click()
        page.get_by_role("textbox", name=f"Name {i + 1}", exact=True).fill(name)
    ann.button("Begin").click()
    expect(sheet(page, names[0])).to_be_visible()
    return page.url.rsplit("/", 1)[1]


def sheet(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=f"{name}’s sheet")


def token(page: Page, name: str) -> Locator:
    """Somebody among all."""
    return page.get_by_role("list", name="Who plays").get_by_role("button", name=re.compile(f"^{name}"))


def level(page: Page, name: str) -> Locator:
    return token(page, name).locator(".level .sr").last


def together(page: Page) -> None:
    """Everything tapped here is safe, and what others tapped is here."""
    expect(page.locator("header .sync.on")).to_be_visible()


def shown(page: Page, number: str) -> str:
    """A number that is tapped up and down."""
    return page.get_by_role("spinbutton", name=number, exact=True).get_attribute("aria-valuenow") or ""


def test_one_phone_for_all(guest: Make) -> None:
    ann = guest(size=SMALL_PHONE, touch=True)
    begin(ann, "Ann", "Bob", "Cid")
    page = ann.page
    ann.fits()
    for name in ("Level plus 1", "Gear plus 1", "Gear plus 10 at once", "Ann fights"):
        box = ann.button(name).bounding_box()
        assert box is not None
        assert box["height"] >= 40
        assert box["y"] > SMALL_PHONE["height"] * 0.35, "where the thumb is"
        assert box["y"] + box["height"] <= SMALL_PHONE["height"]
    ann.button("Level plus 1").tap()
    ann.button("Gear plus 10 at once").tap()
    ann.button("Gear plus 10 at once").tap()
    ann.button("Gear plus 3 at once").tap()
    assert (shown(page, "Level"), shown(page, "Gear")) == ("2", "23"), "no cap, several presses"
    ann.button("Undo").tap()
    assert shown(page, "Gear") == "20"
    ann.button("Redo").tap()
    assert shown(page, "Gear") == "23"
    ann.button("Clear Gear").tap()
    assert shown(page, "Gear") == "0"
    ann.button("Take away instead of adding").tap()
    ann.button("Gear minus 2 at once").tap()
    assert shown(page, "Gear") == "-2"

    token(page, "Bob").tap()
    sheet(page, "Bob").get_by_role("button", name="Level plus 1").tap()
    expect(level(page, "Bob")).to_have_text("2")

    # it is kept: the page is opened again, and everything is undone out of the log
    page.reload()
    expect(level(page, "Bob")).to_have_text("2")
    page.get_by_role("navigation", name="Counter").get_by_role("button", name="Log").tap()
    ann.button("Undo: Bob: Level +1, now 2").tap()
    expect(ann.button("Redo: Bob: Level +1")).to_be_visible()
    page.get_by_role("navigation", name="Counter").get_by_role("button", name="Table").tap()
    expect(level(page, "Bob")).to_have_text("1")


def test_four_phones(guest: Make) -> None:
    """Joined by the link; a tap is on all of them; who has his sheet edited by another is told, and can undo it."""
    ann = guest(size=SMALL_PHONE, touch=True)
    counter = begin(ann, "Ann")
    together(ann.page)
    others = []
    for name in ("Bob", "Cid", "Dee"):
        one = guest(size=SMALL_PHONE, touch=True)
        page = one.go(f"/counter/{counter}")
        page.get_by_role("textbox", name="Your name").fill(name)
        one.button("Sit down").click()
        expect(sheet(page, name)).to_be_visible()
        others.append(one)
    bob, cid, dee = others
    for g in (ann, *others):
        expect(g.page.get_by_text("4 phones together")).to_be_visible()
    bob.button("Level plus 1").tap()
    for g in (ann, cid, dee):
        expect(level(g.page, "Bob")).to_have_text("2")
    token(cid.page, "Bob").tap()
    sheet(cid.page, "Bob").get_by_role("button", name="Gear plus 5 at once").tap()
    told = bob.page.locator(".notices").get_by_text("Cid: Bob: gear +5, now 5")
    expect(told).to_be_visible()
    bob.page.locator(".notices").get_by_role("button", name="Undo").tap()
    expect(sheet(cid.page, "Bob").get_by_role("spinbutton", name="Gear")).to_have_attribute("aria-valuenow", "0")

    # a fight that one begins is on everybody's phone, live
    sheet(dee.page, "Dee").get_by_role("button", name="Fight").tap()
    dee.button("+ Monster").tap()
    dee.page.get_by_role("spinbutton", name="Level").fill("12")
    dee.button("Fight it").tap()
    for g in (ann, bob):
        g.page.get_by_role("navigation", name="Counter").get_by_role("button", name=re.compile("^Fight")).tap()
        expect(g.page.get_by_role("region", name="The fight").locator("strong .sr").nth(1)).to_have_text("12")
    ann.button("Munchkins plus 10 at once").tap()
    ann.button("Munchkins plus 2 at once").tap()
    for g in (bob, dee):
        expect(g.page.get_by_role("region", name="The fight").locator("strong .sr").first).to_have_text("13")
    bob.button(re.compile("^Won")).tap()
    expect(level(bob.page, "Dee")).to_have_text("2")


def test_scanned_and_tapped(guest: Make) -> None:
    """Two answers are all that one needs to tap: the document, with the table and its styles in it, and the program.
    Letters, faces, cards and the line come beside them; what was tapped before there was a line gets there."""
    ann = guest(size=SMALL_PHONE, touch=True)
    counter = begin(ann, "Ann <i>")
    together(ann.page)
    bob = guest(size=SMALL_PHONE, touch=True, forgive=["preload"], drawn=True)
    asked: list[str] = []
    late: list[Route] = []
    lines: list[WebSocketRoute] = []

    def ask(route: Route) -> None:
        url = route.request.url.removeprefix(bob.house.url)
        asked.append(url)
        if route.request.resource_type == "document" or re.match("/assets/counter-.*js$", url):
            route.continue_()
        else:
            late.append(route)

    def dial(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) > 1:  # the first time nobody answers
            line.connect_to_server()

    bob.page.route("**", ask)
    bob.page.route_web_socket("**", dial)
    page = bob.page
    page.goto(f"{bob.house.url}/counter/{counter}", wait_until="commit")
    expect(bob.button("Ann <i> has a phone")).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill("Bob")
    bob.button("Sit down").click()
    bob.button("Level plus 1").tap()
    expect(level(page, "Bob")).to_have_text("2")
    assert len(asked) - len(late) == 2, asked
    assert len(lines) == 1
    expect(token(ann.page, "Bob")).to_be_hidden()
    for route in late:
        route.continue_()
    lines[0].close()
    together(page)
    expect(level(ann.page, "Bob")).to_have_text("2")


def test_what_it_weighs(guest: Make) -> None:
    """Under 250 KB with everything that can be opened, without the facts of the cards."""
    bob = guest(size=SMALL_PHONE, touch=True, drawn=True)
    address = Counted("Ann", "Bob").brought(bob.house)
    cdp = bob.context.new_cdp_session(bob.page)
    cdp.send("Network.enable")
    cdp.send("Network.setBypassServiceWorker", {"bypass": True})  # what goes through it would count as nothing
    urls: dict[str, str] = {}
    came: dict[str, float] = {}
    cdp.on("Network.requestWillBeSent", lambda e: urls.update({e["requestId"]: e["request"]["url"]}))
    cdp.on("Network.loadingFinished", lambda e: came.update({urls[e["requestId"]]: e["encodedDataLength"]}))
    page = bob.go(address)
    bob.button("Bob").click()
    together(page)
    for opens in ("Invite phones", "Menu", "Bob: name, face, colour, sex", "Card by name"):
        bob.button(opens).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
    for tab in ("Fight", "Dice", "Log", "Table"):
        page.get_by_role("navigation", name="Counter").get_by_role("button", name=tab).click()
    page.wait_for_load_state("networkidle")
    page.wait_for_function("document.fonts.status === 'loaded'")
    weighs = {url.removeprefix(bob.house.url): n for url, n in came.items() if "/api/counter/cards" not in url}
    assert any("woff2" in url for url in weighs)
    assert 50_000 < sum(weighs.values()) < 250_000, weighs


def test_two_phones_that_were_apart(guest: Make) -> None:
    """Without a line everything goes on, also after a reload; with one again nobody's tap is lost."""
    ann = guest(size=SMALL_PHONE, touch=True, forgive=OFFLINE, worker=True)
    counter = begin(ann, "Ann", "Bob")
    together(ann.page)
    bob = guest(size=SMALL_PHONE, touch=True, forgive=OFFLINE, worker=True)
    bob.go(f"/counter/{counter}")
    bob.button("Bob").click()
    expect(ann.page.get_by_text("2 phones together")).to_be_visible()
    # the page itself is kept, too
    bob.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    bob.page.wait_for_function("caches.keys().then(k => k.some(x => x.startsWith('kickdoor-page-')))")
    bob.page.wait_for_function("navigator.serviceWorker.controller !== null")

    bob.context.set_offline(True)
    for _ in range(3):
        bob.button("Level plus 1").tap()
    expect(bob.page.get_by_text(re.compile("^Offline, 3 taps wait"))).to_be_visible()
    token(ann.page, "Bob").tap()
    sheet(ann.page, "Bob").get_by_role("button", name="Level plus 1").tap()
    sheet(ann.page, "Bob").get_by_role("button", name="Gear plus 5 at once").tap()
    expect(level(ann.page, "Bob")).to_have_text("2")
    bob.page.reload()
    expect(level(bob.page, "Bob")).to_have_text("4")
    # dice, the fight by printed figures, and a word about what cannot be known
    sheet(bob.page, "Bob").get_by_role("button", name="Fight").tap()
    bob.button("+ Monster").tap()
    bob.page.get_by_role("spinbutton", name="Level").fill("2")
    bob.button("Fight it").tap()
    expect(bob.page.get_by_role("status").filter(has_text="The munchkins win by 2")).to_be_visible()
    bob.button(re.compile("^Won")).tap()
    bob.button(re.compile("^Offline")).tap()
    expect(bob.dialog("Phones at this table").get_by_text("cannot be seen from here")).to_be_visible()
    bob.button("Close").tap()

    bob.context.set_offline(False)
    for g in (ann, bob):
        expect(level(g.page, "Bob")).to_have_text("6")
        together(g.page)
    assert counter in bob.page.evaluate("localStorage.getItem('kickdoor.counters')")


def test_a_fight_is_somebody_elses_and_everybody_sees_the_throws(guest: Make) -> None:
    ann, bob = (guest(size=SMALL_PHONE, touch=True) for _ in range(2))
    table = Counted("Ann", "Bob").fight("s0", "Maul Rat", "Net Troll")
    table.opened(ann)
    bob.go(ann.page.url.removeprefix(ann.house.url))
    bob.button("Bob").click()
    for g in (ann, bob):
        g.page.get_by_role("navigation", name="Counter").get_by_role("button", name=re.compile("^Fight")).tap()
    expect(ann.page.get_by_role("status").filter(has_text=re.compile("^Ann loses"))).to_be_visible()
    bob.button("Ann: somebody else fights").tap()
    bob.dialog("Whose fight is it?").get_by_role("button", name=re.compile("^Bob")).tap()
    for g in (ann, bob):
        expect(g.page.get_by_role("status").filter(has_text=re.compile("^Bob loses"))).to_be_visible()
    bob.button("Run away").tap()
    bob.button("Bob threw a 1").first.tap()
    expect(ann.page.get_by_role("heading", name="Bob runs from Maul Rat")).to_be_visible()
    expect(ann.page.get_by_text("Caught", exact=True)).to_be_visible()


def test_a_fight_without_a_line(guest: Make) -> None:
    """Printed figures, what the sheets say about conditions, and what somebody says who knows better."""
    ann = guest(size=SMALL_PHONE, touch=True, forgive=OFFLINE, worker=True)
    page = ann.page
    Counted("Ann", packs=("bites",)).fight("s0", "Aluminum Bat").opened(ann)
    page.get_by_role("navigation", name="Counter").get_by_role("button", name=re.compile("^Fight")).tap()
    fight = page.get_by_role("region", name="The fight")
    expect(fight.get_by_role("status").filter(has_text=re.compile("^Ann loses"))).to_be_visible()
    expect(page.get_by_role("heading", name="Does it count?")).to_be_hidden()
    page.wait_for_function("fetch('/api/counter/cards?packs=bites').then((r) => r.ok)")  # its cards are here
    ann.context.set_offline(True)
    ann.button("Munchkins plus 5 at once").tap()
    monsters = fight.locator("strong .sr").nth(1)
    expect(monsters).to_have_text("10")
    hat = fight.get_by_role("checkbox", name=re.compile(r"^\+3 Aluminum Bat"))
    expect(hat).not_to_be_checked()
    hat.tap()
    expect(monsters).to_have_text("13")
    expect(fight.get_by_role("status").filter(has_text="The monsters win by 7")).to_be_visible()
    ann.axe("a fight without a line")
    ann.button("Undo").tap()
    expect(monsters).to_have_text("10")


def test_the_end_and_once_more(guest: Make) -> None:
    ann = guest(size=SMALL_PHONE, touch=True)
    counter = begin(ann, "Ann", "Bob")
    page = ann.page
    together(page)
    for _ in range(9):
        ann.button("Level plus 1").tap()
    ann.button("Ann wins: the game is over").tap()
    end = page.get_by_role("region", name="The end")
    expect(end.get_by_role("heading", name="Ann wins!")).to_be_visible()
    expect(end.get_by_role("img", name=re.compile("At the end: Ann 10, Bob 1"))).to_be_visible()
    with page.expect_download() as file:
        ann.button("JSON").tap()
    told = json.loads(file.value.path().read_text(encoding="utf-8"))
    assert told["id"] == counter
    assert [p["level"] for p in told["summary"]["people"]] == [10, 1]
    assert len(told["taps"]) >= 12
    with page.expect_download() as picture:
        ann.button("Picture").tap()
    assert picture.value.path().read_bytes()[:4] == b"\x89PNG"
    ann.button("Once more, same people").tap()
    expect(level(page, "Ann")).to_have_text("1")
    expect(token(page, "Bob")).to_be_visible()
    assert counter not in page.url
    # history on the device
    page.goto(f"{ann.house.url}/counter")
    expect(page.get_by_text(re.compile("won by Ann"))).to_be_visible()


def fighting(ann: Guest) -> None:
    """Four people, and a fight of two of them."""
    begin(ann, "Ann", "Bob", "Cid", "Dorothea the Unready")
    sheet(ann.page, "Ann").get_by_role("button", name="Ann fights").click()
    ann.button("+ Monster").click()
    monster = ann.dialog("Which monster?")
    monster.get_by_role("spinbutton", name="Level").fill("8")
    monster.get_by_role("button", name="Fight it").click()
    expect(monster).to_be_hidden()
    ann.page.get_by_role("combobox", name="Helper").select_option(label="Bob helps")


def test_for_everybody(guest: Make) -> None:
    """No violation of WCAG on any screen of a phone, nothing wider than the window."""
    ann = guest(size=SMALL_PHONE, touch=True)
    page = ann.go("/")
    page.get_by_role("link", name="We have real cards here").click()
    expect(ann.button("Begin")).to_be_visible()
    ann.axe("the start")
    fighting(ann)
    ann.axe("a fight")
    ann.fits()
    ann.button("Run away").click()
    ann.button("Ann threw a 1").click()
    ann.axe("running")
    nav = page.get_by_role("navigation", name="Counter")
    for tab in ("Table", "Dice", "Rules", "Log"):
        nav.get_by_role("button", name=tab).click()
        ann.axe(tab)
        ann.fits()
    for opens, title in (("Invite phones", "Phones at this table"), ("Menu", "The table")):
        ann.button(opens).click()
        expect(ann.dialog(title)).to_be_visible()
        ann.axe(title)
        page.keyboard.press("Escape")


def test_a_screen_in_the_middle_of_the_table(guest: Make) -> None:
    """Sheets and fight side by side, and everybody's Level within reach."""
    ann = guest(size=DESKTOP)
    fighting(ann)
    ann.button("Bob: Level plus 1").click()
    expect(level(ann.page, "Bob")).to_have_text("2")
    fight = ann.page.get_by_role("region", name="The fight")
    expect(fight.locator("strong .sr").first).to_have_text("3")
    expect(sheet(ann.page, "Ann")).to_be_visible()
    ann.axe("sheets and fight")
    ann.fits()


def test_cards_by_name(guest: Make) -> None:
    """Three letters; what the rules say against it; and the fight worked out by the engine from both sides' cards."""
    ann = guest(size=SMALL_PHONE, touch=True)
    begin(ann, "Ann", "Bob")
    page = ann.page
    together(page)

    def look_for(letters: str, name: str) -> None:
        box = page.get_by_role("dialog")
        box.get_by_role("searchbox").fill(letters)
        box.get_by_role("list", name="Cards found").get_by_role("button", name=re.compile(f"^{name}")).tap()

    ann.button("Card by name").tap()
    look_for("hel", "Helm of Courage")
    expect(sheet(page, "Ann").get_by_role("button", name=re.compile(r"Helm of Courage \+1"))).to_be_visible()
    ann.button("Card by name").tap()
    look_for("gold", "1,000 Gold Pieces")
    expect(level(page, "Ann")).to_have_text("2")
    ann.button("Undo").tap()
    ann.button("Card by name").tap()
    look_for("poin", "Pointy Hat of Power")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name=re.compile("^Rule "))).to_be_visible()
    ann.axe("a card that is not allowed")
    dialog.get_by_role("button", name="Put it on all the same").tap()
    expect(sheet(page, "Ann").get_by_role("button", name=re.compile("Pointy Hat of Power"))).to_be_visible()
    sheet(page, "Ann").get_by_role("button", name="Ann fights").tap()
    ann.button("+ Monster").tap()
    look_for("net", "Net Troll")
    fight = page.get_by_role("region", name="The fight")
    expect(fight.get_by_role("status").filter(has_text=re.compile("^Ann loses"))).to_be_visible()
    expect(fight.get_by_role("heading", name="What would help")).to_be_visible()
    ann.button("Run away").tap()
    ann.button("Ann threw a 1").tap()
    expect(fight.get_by_text(re.compile("Bad Stuff"))).to_be_visible()
    # an argument, and its ruling in the log
    page.get_by_role("navigation", name="Counter").get_by_role("button", name="Rules").tap()
    ann.button(re.compile("^Could Ann now play")).tap()
    look_for("curs", "Curse! Duck of Doom")
    ann.button("Write it in the log").tap()
    ann.button("Close").tap()
    page.get_by_role("navigation", name="Counter").get_by_role("button", name="Log").tap()
    expect(
        page.get_by_role("region", name="Log").get_by_text(re.compile("^Curse! Duck of Doom: (yes|no)"))
    ).to_be_visible()
