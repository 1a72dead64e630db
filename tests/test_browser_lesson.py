"""The guided first game in a real browser: whoever presses what it points at gets to the end of it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browsing import PATIENCE, PHONE, Guest, House

Make = Callable[..., Guest]

# What is pointed at, when it has come to rest: its middle, and what lies there.
POINTED = """() => {
    const ring = document.querySelector('.ring'), say = document.querySelector('[aria-label=Lesson]');
    if (!say) return null;
    if (!ring) return {x: 0, y: 0, text: say.innerText, apart: true, seen: true};
    const r = ring.getBoundingClientRect(), s = say.getBoundingClientRect();
    const apart = s.bottom <= r.top + 8 || s.top >= r.bottom - 8 || s.right <= r.left + 8 || s.left >= r.right - 8;
    return {x: r.left + r.width / 2, y: r.top + r.height / 2, text: say.innerText, apart,
            seen: r.left >= -8 && r.top >= -8 && r.right <= innerWidth + 8 && r.bottom <= innerHeight + 8};
}"""


def changed(page: Page, old: dict[str, Any]) -> bool:
    """Is something else said, or pointed at?"""
    now = page.evaluate(POINTED)
    return not now or now["text"] != old["text"] or abs(now["x"] - old["x"]) + abs(now["y"] - old["y"]) > 4


def follow(page: Page, shots: Path | None = None) -> list[str]:
    """Press what is pointed at until nothing is; returns what was said."""
    said: list[str] = []
    over = page.get_by_role("heading", name="Now you know it")
    patience = time.monotonic() + PATIENCE / 1000
    for i in range(600):
        expect(page.get_by_role("region", name="Lesson")).to_be_visible()
        if over.is_visible():
            return said
        now = page.evaluate(POINTED)
        if now is None:
            continue
        if not said or said[-1] != now["text"]:
            said.append(now["text"])
            if shots is not None:
                page.wait_for_timeout(400)
                page.screenshot(path=shots / f"{i:03}.png")
        page.wait_for_timeout(170)  # what is pointed at is looked for eight times a second
        if changed(page, now):
            continue  # it has not come to rest
        if not now["apart"] and time.monotonic() < patience:
            continue  # the box makes way as soon as the page gets to it, which takes a busy machine a while
        assert now["apart"], f"what is said lies on what it is about: {now}"
        assert now["seen"], f"what is pointed at is not on the screen: {now}"
        if now["x"]:
            page.mouse.click(now["x"], now["y"])
        patience = time.monotonic() + PATIENCE / 1000
        while not changed(page, now):
            assert time.monotonic() < patience, f"nothing comes of it: {now}"
            page.wait_for_timeout(40)
        patience = time.monotonic() + PATIENCE / 1000
    raise AssertionError(f"it does not come to an end: {said[-3:]}")


def without_waiting(page: Page) -> None:
    """The bots of the lesson take their time, for people who read; here they do not."""

    def ask(route: Route) -> None:
        table: dict[str, Any] = route.request.post_data_json or {}
        table["options"]["bot_speed"] = "instant"
        route.continue_(post_data=table)

    page.route("**/api/tables", ask)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_first_game_is_learnt_by_pressing_what_it_points_at(house: House, guest: Make, phone: bool) -> None:
    folder = os.environ.get("KICKDOOR_SHOTS")
    drawn = bool(folder)
    ann = guest(size=PHONE, touch=True, drawn=drawn) if phone else guest(guide=True, drawn=drawn)
    page = ann.go()
    without_waiting(page)
    page.get_by_label("Your name").first.fill("Ann")
    ann.button("Show me how").click()
    said = follow(page, Path(folder) if folder else None)
    assert len(said) > 15
    assert any("Betrayed" in x for x in said)
    ann.button("Play on here").click()
    expect(ann.table).to_be_visible()
    ann.fits()


def test_a_lesson_lets_nothing_go_wrong_survives_a_reload_and_can_be_left(house: House, guest: Make) -> None:
    ann = guest()
    page = ann.go()
    page.get_by_label("Your name").first.fill("Ann")
    ann.button("Show me how").click()
    lesson = page.get_by_role("region", name="Lesson")
    expect(lesson).to_contain_text("Who are you?")
    page.keyboard.press("Space")  # not yet
    expect(page.get_by_text("All in good time")).to_be_visible()
    page.reload()
    expect(lesson).to_contain_text("Who are you?")
    lesson.get_by_role("button", name="Leave the lesson").click()
    expect(lesson).to_be_hidden()
    page.keyboard.press("Space")
    expect(ann.log).to_contain_text("Suzan")  # the game goes on, without it
    page.reload()
    expect(ann.table).to_be_visible()
    expect(lesson).to_be_hidden()
