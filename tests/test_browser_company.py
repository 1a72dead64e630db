"""Company in a real browser: who a bot is, by choice and by lot; and what it would do in one's place."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from browsing import Guest, House
from kickdoor.bots import CHARACTERS
from test_browser_lobby import host_of


def test_a_bot_is_somebody_and_says_what_it_would_do(house: House, guest: Callable[..., Guest]) -> None:
    calm = {"hints": True, "timer": "none", "bot_speed": "instant"}
    ann, _ = host_of(house, guest, seats=3, bots=["greedy", "greedy"], options=calm)
    page = ann.page
    greta = CHARACTERS["avenger"]
    who = page.get_by_role("combobox", name="Which character sits on seat 2")
    who.select_option(label=greta.id.capitalize())
    expect(page.get_by_text(greta.line)).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=greta.line).get_by_text("bot, Greedy")).to_be_visible()
    page.get_by_role("combobox", name="Who sits on seat 2").select_option(label="Schemer")
    expect(page.get_by_text("bot, Schemer")).to_be_visible()
    expect(page.get_by_text(greta.line)).to_be_visible()  # the same, on another rung
    other = page.get_by_role("combobox", name="Which character sits on seat 3")
    other.select_option(label="By lot")
    expect(page.locator(".line")).to_have_count(2)
    ann.axe("a lobby with characters")
    ann.button("Start the game").click()
    asked, said = ann.button("What would you do?"), page.get_by_role("status").filter(has_text="I would:")
    late = page.get_by_text("I could not make up my mind").or_(page.get_by_text("Something has happened since"))
    for _ in range(5):  # the first answer may be late: the process that thinks has yet to start, and bots play on
        asked.click()
        expect(said.or_(late).first).to_be_visible()
        if said.count():
            break
        expect(late).to_have_count(0)
    expect(said).to_be_visible()
    ann.axe("a hint")
    page.get_by_role("button", name="I know better").click()
    expect(said).to_have_count(0)
