"""This position as a scenario, out of the menu and out of a replay, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from browsing import SMALL_PHONE, Guest, House
from kickdoor.cards.reading import documents
from kickdoor.scenario.runner import Play, run_text
from looking import resized
from staging import BOT, Stage, in_a_fight, staged

Make = Callable[..., Guest]
ITEM = "This position as a scenario"
LAPTOP, TABLET = {"width": 1366, "height": 768}, {"width": 820, "height": 1180}


@pytest.fixture(scope="module")
def fight(house: House) -> Stage:
    return house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))


@pytest.fixture(scope="module")
def over(house: House) -> Stage:
    return house.lay(staged(lambda s: s.lively(lambda g: bool(g.winners)), ["Ann"], [BOT, BOT]))


def opened(who: Guest) -> Locator:
    """The sheet, with its text."""
    sheet = who.dialog(ITEM)
    expect(sheet.get_by_role("textbox", name="The scenario")).to_have_value(re.compile("scenario:"))
    return sheet


def text_of(sheet: Locator) -> str:
    return sheet.get_by_role("textbox", name="The scenario").input_value()


def fits(who: Guest, sheet: Locator) -> None:
    """Both buttons can be got at, and nothing is wider than the window."""
    for button in (sheet.get_by_role("button", name="Copy"), sheet.get_by_role("button", name="Save as file")):
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=1)
    who.fits()


def found_in_a_replay(who: Guest) -> Locator:
    """The button that leads to it, where there is little room behind another one."""
    button, more = (who.replay.get_by_role("button", name=name) for name in ("Scenario", "More"))
    expect(button.or_(more).first).to_be_visible()
    if more.is_visible():
        more.click()
    expect(button).to_be_in_viewport(ratio=1)
    who.fits()
    return button


def test_it_is_copied_and_saved(fight: Stage, guest: Make, tmp_path: Path) -> None:
    """... and fits and can be read by everybody, on a laptop and on a tablet."""
    ann = guest(size=LAPTOP)
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = ann.sit(fight)
    ann.menu(ITEM)
    sheet = opened(ann)
    text = text_of(sheet)
    (outcome,) = run_text(text)
    assert outcome.passed
    assert "as Ann knows it" in text
    expect(sheet.get_by_text("Only what you know:")).to_be_visible()
    expect(sheet.get_by_text("put it into a bug report or settle an argument")).to_be_visible()
    ((words, _),) = documents(text, "the sheet")
    players = words["table"]["players"]
    assert players["Ann"]["hand"]
    assert "hand" not in players["Bob"]
    sheet.get_by_role("button", name="Copy").click()
    expect(sheet.get_by_role("status").get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == text
    with page.expect_download() as got:
        sheet.get_by_role("button", name="Save as file").click()
    assert re.fullmatch(rf"kickdoor-{fight.id}-\d+\.yaml", got.value.suggested_filename)
    got.value.save_as(tmp_path / "position.yaml")
    assert (tmp_path / "position.yaml").read_text(encoding="utf-8") == text
    fits(ann, sheet)
    ann.axe("the sheet on a laptop")
    resized(ann, (TABLET["width"], TABLET["height"]))
    fits(ann, sheet)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_on_a_phone_without_a_clipboard_it_is_copied_all_the_same(fight: Stage, over: Stage, guest: Make) -> None:
    """Over plain http, as at home, a page has no clipboard of its own."""
    ann = guest(size=SMALL_PHONE, touch=True)
    ann.context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page = ann.sit(fight)
    ann.menu(ITEM)
    sheet = opened(ann)
    fits(ann, sheet)
    ann.axe("the sheet on a phone", dark=False)  # it has the same colours as on a laptop
    sheet.get_by_role("button", name="Copy").click()
    expect(sheet.get_by_role("status").get_by_text("Copied.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    ann.go(f"/t/{over.id}/replay#7")
    found_in_a_replay(ann)


def test_who_watches_gets_what_everybody_knows(fight: Stage, guest: Make) -> None:
    eve = guest()
    eve.go(f"/t/{fight.id}")
    expect(eve.table).to_be_visible()
    eve.menu(ITEM)
    sheet = opened(eve)
    expect(sheet.get_by_text("Only what everybody knows:")).to_be_visible()
    ((words, _),) = documents(text_of(sheet), "the sheet")
    assert not any("hand" in p for p in words["table"]["players"].values())


def test_a_moment_of_a_replay_is_whole(over: Stage, guest: Make) -> None:
    ann = guest(size=TABLET)
    ann.go(f"/t/{over.id}/replay#7")
    expect(ann.replay.get_by_text(re.compile(r"^7 / \d+$"))).to_be_visible()
    found_in_a_replay(ann)
    resized(ann, (LAPTOP["width"], LAPTOP["height"]))
    found_in_a_replay(ann).click()
    sheet = opened(ann)
    expect(sheet.get_by_text("The whole table:")).to_be_visible()
    text = text_of(sheet)
    assert ", step 7 of " in text
    ((words, _),) = documents(text, "the sheet")
    play = Play(words)
    play.run()
    assert play.g.piles[0]
    assert f"kickdoor-{over.id}-7.yaml" in sheet.inner_text()
