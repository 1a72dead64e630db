"""The counter in other languages: as the phone says, as one chooses, without a line, and with room for long words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Route, expect

from browsing import SMALL_PHONE, Guest, House
from counting import Counted
from kickdoor.server.website import STATIC
from looking import ALL, SIZES, at_sizes, file_name, told
from speaking import TABLES, english_left, said
from test_browser_counter_looks import evening, losing, over

Make = Callable[..., Guest]
Go = Callable[[Guest, str], None]
LONG: Final = "de"  # the tongue with the longest words
TONGUES: Final = sorted(f.stem for f in TABLES.glob("*.ts") if f.stem != "en")
QUICK: Final = [(360, 640), (640, 360)]
# Every word on the screen, to see or to hear, that is not marked as English.
WORDS: Final = """() => [...document.querySelectorAll('body *')].filter((e) => !e.closest('[lang=en]')).flatMap((e) => [
  e.getAttribute('aria-label'), e.getAttribute('placeholder'), e.getAttribute('title'), e.getAttribute('alt'),
  ...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data),
]).map((s) => (s ?? '').trim()).filter(Boolean)"""


def test_as_the_phone_says_and_as_one_chooses(guest: Make) -> None:
    """A German phone speaks German from the first word on, beside an English one; what is chosen stays chosen."""
    ann = guest(size=SMALL_PHONE, touch=True)
    address = Counted("Ann", "Bob").brought(ann.house)
    ann.go(address)
    ann.button("Ann").click()
    bob = guest(size=SMALL_PHONE, touch=True, locale="de-AT")
    page = bob.go(address)
    expect(page.get_by_role("heading", name=said("de", "whosePhone"))).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    bob.button("Bob").click()
    bob.button("Stufe plus 1").click()
    ann.page.get_by_role("navigation", name="Counter").get_by_role("button", name="Log").click()
    expect(ann.page.get_by_text("Bob: Level +1, now 2")).to_be_visible()  # a tap has no language

    bob.button(said("de", "menu")).click()
    bob.button(said("de", "thisPhone")).click()
    choice = page.get_by_role("combobox", name=said("de", "language"))
    expect(page.get_by_role("dialog").get_by_text(said("de", "cardsInEnglish"))).to_be_visible()
    choice.select_option(label="Français")
    expect(page.get_by_role("dialog", name=said("fr", "thisPhone"))).to_be_visible()
    page.reload()
    expect(page.get_by_role("region", name=said("fr", "sheetOf", who="Bob"))).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(ann.page.locator("html")).to_have_attribute("lang", "en")


def test_a_language_that_does_not_come(guest: Make) -> None:
    """It goes on in the one that is spoken, and says so, and is remembered for when it can come. The worker fetches
    all of them in advance: then one needs no line."""
    ann = guest(
        size=SMALL_PHONE, touch=True, locale="de-DE", forgive=["ERR_", "Failed to fetch", "WebSocket"], worker=True
    )
    page = ann.page
    page.route("**/tongue-fr-*", lambda route: route.abort())
    page.add_init_script("sessionStorage.setItem('kickdoor.reloaded', location.href)")  # no newer page that has it
    ann.go("/counter")
    choice = page.get_by_role("combobox", name=said("de", "language"))
    choice.select_option(label="Français")
    expect(page.get_by_role("alert")).to_have_text(said("de", "cannotFetch"))
    expect(choice).to_have_value("de")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    ann.context.set_offline(True)
    page.reload()
    expect(page.get_by_text(said("fr", "startOffline"))).to_be_visible()
    choice = page.get_by_role("combobox", name=said("fr", "language"))
    choice.select_option(label="Italiano")
    expect(page.get_by_text(said("it", "startOffline"))).to_be_visible()


def test_a_language_that_is_long_in_coming(guest: Make) -> None:
    """Nobody waits for it in front of an empty page."""
    ann = guest(size=SMALL_PHONE, touch=True, locale="es-MX")
    held: list[Route] = []
    ann.page.route("**/tongue-es-*", lambda route: held.append(route))
    ann.page.goto(f"{ann.house.url}/counter", wait_until="commit")
    expect(ann.button("Begin")).to_be_visible()
    held[0].continue_()
    expect(ann.button(said("es", "begin"))).to_be_visible()


def test_each_is_a_small_file_of_its_own(house: House) -> None:
    """Nobody fetches a language that he does not read, before the page is there."""
    weighs = {f.name.split("-")[1]: f.stat().st_size for f in (STATIC / "assets").glob("tongue-*.js.br")}
    assert sorted(weighs) == TONGUES
    assert max(weighs.values()) < 8_000, weighs


# -- room for long words ----------------------------------------------------------------------------------------------


def start(ann: Guest, tongue: str) -> None:
    ann.go("/counter")
    ann.button(said(tongue, "oneMoreHere")).click()


def at(laid: Callable[[], Counted], *steps: Go) -> Go:
    def go(ann: Guest, tongue: str) -> None:
        laid().opened(ann)
        expect(ann.page.locator("header .sync.on")).to_be_visible()
        for step in steps:
            step(ann, tongue)

    return go


def press(key: str, **holes: str | int) -> Go:
    return lambda ann, tongue: ann.button(said(tongue, key, **holes)).first.click()


def tab(key: str) -> Go:
    def go(ann: Guest, tongue: str) -> None:
        bar = ann.page.get_by_role("navigation", name=said(tongue, "counter"))
        bar.get_by_role("button", name=re.compile(f"^{said(tongue, key)}")).click()

    return go


def asked(ann: Guest, tongue: str) -> None:
    expect(ann.page.get_by_role("heading", name=said(tongue, "whatHelps"))).to_be_visible()


def caught(ann: Guest, tongue: str) -> None:
    ann.button(said(tongue, "threw", who="Ann", n=1)).first.click()
    expect(ann.page.get_by_text(said(tongue, "badStuff")).first).to_be_visible()


FIGHT: Final = (tab("tabFight"), asked)
LOOKS: Final[dict[str, Go]] = {
    "start": start,
    "a sheet": at(lambda: evening().tap("device", sheet="s0")),
    "a fight lost": at(losing, *FIGHT),
    "running away": at(losing, *FIGHT, press("runAway"), caught),
    "log": at(losing, tab("tabLog")),
    "rules": at(evening, tab("tabRules")),
    "dice": at(evening, tab("tabDice"), press("roll")),
    "the table": at(evening, press("menu")),
    "this phone": at(evening, press("menu"), press("thisPhone")),
    "a card by name": at(evening, press("cardByName")),
    "a person": at(evening, press("openPerson", who="Ann")),
    "the end": at(over),
}
FEW: Final = ("start", "a sheet", "a fight lost", "running away", "the end")


@pytest.mark.parametrize(
    ("tongue", "look"),
    [(t, x) for t in (TONGUES if ALL else [LONG]) for x in LOOKS if ALL or x in FEW],
    ids=file_name,
)
def test_there_is_room_for_long_words(guest: Make, tongue: str, look: str) -> None:
    name = f"counter {tongue} {look}"
    sizes = [s for s in SIZES if s in QUICK] if not ALL else [s for s in SIZES if s[0] < 1300]
    ann = guest(size=dict(zip(("width", "height"), sizes[0], strict=True)), locale=tongue)
    LOOKS[look](ann, tongue)
    flaws = at_sizes(ann, name, sizes)
    assert not flaws, f"{len(flaws)} flaws:\n{told(flaws)}"
    assert english_left(tongue, ann.page.evaluate(WORDS)) == []
