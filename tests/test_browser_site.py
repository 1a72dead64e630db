"""What people expect of a site: what is kept of a game, replays, the rulebook, one device for several, no network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browsing import DESKTOP, OFFLINE, SMALL_PHONE, Guest, House
from looking import SETTLED
from serving import CALM, call, new_table
from staging import Stage, at_the_door, staged

Make = Callable[..., Guest]
OTHER = {"Ann": "Bob", "Bob": "Ann"}


@pytest.fixture(scope="module")
def over(house: House) -> Stage:
    """A game of four that is over."""
    s = Stage(["Ann"], ["greedy", "greedy", "greedy"], seed=5)
    assert s.lively(lambda g: bool(g.winners), 30_000)
    return house.lay(s)


# On a busy machine the letters may come later than anybody is made to wait for them (PATIENCE in web/src/lib/ahead.ts,
# counted in steps of 100 ms): here they are waited for.
SHIFTS = """
const wait = window.setTimeout;
window.setTimeout = (f, ms, ...more) => wait(f, ms === 100 ? 60000 : ms, ...more);
window.shifts = [];
new PerformanceObserver((seen) => {
  for (const e of seen.getEntries()) for (const s of e.sources) {
    const n = s.node?.nodeType === 1 ? s.node : s.node?.parentElement;
    shifts.push(`${n?.tagName}.${n?.className} ${s.previousRect.y} -> ${s.currentRect.y}`);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("size", [DESKTOP, SMALL_PHONE], ids=["desktop", "phone"])
def test_nothing_moves_when_the_front_page_and_a_lobby_are_complete(guest: Make, size: dict[str, int]) -> None:
    ann = guest(size=size, drawn=True)
    ann.context.add_init_script(SHIFTS)
    page = ann.go()
    for ready in ("Open the table", "Start the game"):
        if ready == "Start the game":
            ann.button("Open the table").click()
            expect(ann.button(ready)).to_be_visible()
            page.reload()  # as a friend opens the link
        expect(ann.button(ready)).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.locator(".avatar svg").first).to_be_visible()
        assert page.evaluate(SETTLED) is None
        assert page.evaluate("shifts") == [], ready
    ann.check()


def test_the_end_is_kept_shown_and_shared(over: Stage, guest: Make) -> None:
    ann = guest()
    page = ann.sit(over)
    expect(ann.end.get_by_role("img", name=re.compile("^Levels turn by turn. At the end: Ann"))).to_be_visible()
    with page.expect_download() as got:
        ann.button("A picture to share").click()
    assert got.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    page.get_by_role("link", name="My games").click()
    expect(page.get_by_role("heading", name="My games")).to_be_visible()
    item = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Replay"))
    expect(item).to_have_count(1)
    ann.axe("my games")
    with page.expect_download() as got:
        ann.button("Save as a file").click()
    saved = json.loads(got.value.path().read_text())["games"]
    assert [g["players"] for g in saved] == [[p.name for p in over.game.players]]
    ann.button("Delete all").click()
    ann.button("Really delete all?").click()
    expect(item).to_have_count(0)
    page.get_by_label("Read from a file").set_input_files(
        {"name": "g.json", "mimeType": "application/json", "buffer": json.dumps({"games": saved}).encode()}
    )
    expect(item).to_have_count(1)
    ann.check()


def test_who_has_won_is_offered_tougher_company(house: House, guest: Make) -> None:
    def won(s: Stage) -> bool:
        return s.lively(lambda g: bool(g.winners), 30_000) and s.game.winners == [0]

    stage = house.lay(staged(won, ["Ann"], ["greedy", "greedy"]))
    ann = guest()
    ann.sit(stage)
    offer = ann.end.get_by_role("button", name=re.compile("^Tougher company: "))
    title = offer.inner_text().removeprefix("Tougher company: ")
    offer.click()
    expect(ann.end).to_be_hidden()
    expect(ann.hand.first).to_be_visible()  # the next game has begun
    titles = {b["id"]: b["title"] for b in call(f"{house.url}/api/about")[1]["bots"]}
    seats = call(f"{house.url}/api/tables/{stage.id}")[1]["seats"]
    assert title != titles["greedy"]
    assert [titles[s["bot"]] for s in seats if s["who"] == "bot"] == [title, title]


def test_a_replay_has_chapters_and_is_played_on(over: Stage, guest: Make) -> None:
    ann = guest()
    page = ann.go(f"/t/{over.id}/replay")
    ann.replay.get_by_role("button", name="Next turn").click()
    expect(ann.replay.get_by_text(re.compile("^Turn 1, "))).to_be_visible()
    ann.replay.get_by_role("button", name="Turns").click()
    turns = ann.dialog("Turns and fights")
    ann.axe("the chapters of a replay")
    turns.get_by_role("button", name=re.compile("^Turn 6 ")).click()
    expect(turns).to_have_count(0)
    where = ann.replay.get_by_text(re.compile("^Turn 6, "))
    expect(where).to_be_visible()
    whose = where.inner_text().removeprefix("Turn 6, ")
    ann.replay.get_by_role("button", name="Play on from here").click()
    sheet = ann.dialog("Play on from here")
    sheet.get_by_role("textbox", name="Your name").fill("Zoe")
    sheet.get_by_role("radio", name=re.compile(re.escape(whose))).check()
    ann.axe("playing on")
    sheet.get_by_role("button", name="Play on", exact=True).click()
    expect(ann.table).to_be_visible()
    expect(ann.log).to_contain_text("The game goes on from here, with another shuffle.")
    expect(ann.hand.first).to_be_visible()
    assert over.id not in page.url
    ann.check()


def test_two_people_at_one_device(house: House, guest: Make) -> None:
    """A curtain hangs between them: what the one holds is nowhere in the page while the other has it, or nobody."""
    ann = guest()
    ticket = new_table(house.url, seats=3, bots=["greedy"], options=CALM)
    ann._first(f"kickdoor.seat.{ticket['table']}", ticket["token"])
    page = ann.go(f"/t/{ticket['table']}")
    page.get_by_role("textbox", name="Name of who else plays here").fill("Bob")
    ann.button("Add").click()
    expect(page.get_by_role("region", name="At this device").get_by_text("Bob")).to_be_visible()
    expect(page.get_by_text("Everybody is ready.")).to_be_visible()
    ann.button("Start the game").click()
    hands: dict[str, set[str]] = {}
    curtain = page.get_by_role("main", name="Curtain")
    for _ in range(12):
        ann.play_on(curtain)
        assert page.locator("[data-card]").count() == 0, "somebody's cards can be seen"
        name = curtain.get_by_role("heading").inner_text()
        curtain.get_by_role("button", name=f"I am {name}").click()
        expect(ann.table.or_(curtain.get_by_role("heading", name=OTHER[name]))).to_be_visible()
        if ann.table.is_visible():
            hands[name] = set(ann.cards())
        if len(hands) == 2:
            break
    assert set(hands) == {"Ann", "Bob"}
    assert not hands["Ann"] & hands["Bob"]
    page.reload()
    expect(curtain).to_be_visible()
    ann.axe("the curtain")
    ann.check()


def test_the_rulebook_has_contents(guest: Make) -> None:
    ann = guest(size=SMALL_PHONE, touch=True)
    page = ann.go("/rules")
    page.get_by_role("link", name=re.compile("^Running away")).tap()
    expect(page.get_by_role("heading", name="Running away")).to_be_visible()
    page.get_by_role("searchbox", name="Search the rules").fill("steal in combat")
    ann.button("Search").tap()
    page.get_by_role("link", name="COMBAT-20").first.tap()
    expect(page.locator("#COMBAT-20")).to_be_in_viewport()
    ann.fits()
    ann.go("/rules/FAST")
    expect(page.get_by_role("heading", name=re.compile("^FAST-1$"))).to_be_visible()
    ann.axe("a chapter of the rulebook")
    ann.check()


def until(page: Page, so: str) -> None:
    """Wait for something in the page (its policy forbids the usual way)."""
    page.evaluate(f"new Promise(done => {{ const look = () => {so} ? done() : setTimeout(look, 50); look(); }})")


def test_without_a_network(over: Stage, guest: Make) -> None:
    """What was seen can be seen again: the page itself, the rules, a replay, my games; and it says what cannot be."""
    ann = guest(forgive=OFFLINE, worker=True)
    page = ann.go("/")
    until(page, "navigator.serviceWorker.controller")
    ann.go("/rules/RUN")
    expect(page.get_by_role("heading", name="Running away")).to_be_visible()
    ann.go(f"/t/{over.id}/replay#60")
    expect(ann.replay.get_by_role("button", name="Turns")).to_be_enabled()
    page.context.set_offline(True)
    page.reload()
    expect(ann.replay.get_by_text(re.compile("^60 / "))).to_be_visible()
    ann.replay.get_by_role("button", name="One step on").click()
    expect(ann.replay.get_by_text(re.compile("^61 / "))).to_be_visible()
    ann.go("/rules/COMBAT")
    expect(page.get_by_role("heading", name="Fighting monsters")).to_be_visible()
    page.get_by_role("searchbox", name="Search the rules").fill("steal combat")
    ann.button("Search").click()
    expect(page.get_by_role("link", name="COMBAT-20").first).to_be_visible()
    ann.go("/")
    expect(page.get_by_text("This device is offline.")).to_be_visible()
    ann.check()


def test_a_hidden_tab_calls_if_it_was_asked_to(house: House, guest: Make) -> None:
    stage = house.lay(staged(at_the_door, ["Ann", "Bob", "Cid"]))
    ann = guest()
    ann.context.add_init_script(
        "localStorage.setItem('kickdoor.settings', JSON.stringify({notify: true, guide: false, sound: false}));"
        "Object.defineProperty(document, 'hidden', {get: () => true}); window.calls = [];"
        "window.Notification = class { static permission = 'granted';"
        " constructor(t, o) { calls.push([t, o.data.path]); } close() {} };"
    )
    page = ann.sit(stage)
    until(page, "calls.length > 0")
    assert page.evaluate("calls[0]") == ["Your move at Friday", f"/t/{stage.id}"]
    expect(page).to_have_title(re.compile("Your move"))
    ann.check()
