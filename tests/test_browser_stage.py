"""What happens is staged: scenes appear, are ended by a key, hold nobody up, and can be calm or off.

Time stands still in these pages (`clock`): a scene stays until it is ended, so nothing here depends on being quick.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import PHONE, Guest, House
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.views import pending
from looking import over
from staging import Stage, at_the_door, staged

Make = Callable[..., Guest]
PEOPLE = ["Ann", "Bob", "Cid"]


def tried(g: Game, seat: int, verb: int) -> Game | None:
    """The game after a move of this sort, if there is one."""
    move = next((m for m in legal(g, seat) if m.verb == verb), None)
    if move is None:
        return None
    after = g.clone()
    apply(after, move)
    return after


def cursed_door(s: Stage) -> bool:
    """A Curse lies behind the first seat's door."""
    if not at_the_door(s):
        return False
    after = tried(s.game, 0, mv.KICK)
    now = pending(after) if after is not None else None
    return now is not None and now["what"] == "curse"


def everyone_passes(s: Stage, *seats: int) -> None:
    for seat in seats:
        if any(m.verb == mv.PASS for m in legal(s.game, seat)):
            s.make(seat, (mv.PASS, -1, -1, -1))


def about_to_die(s: Stage) -> bool:
    """The first seat has thrown too little, nobody helps, and what has caught it kills."""
    if not at_the_door(s) or not s.say(0, "Kick") or s.game.fight is None or s.view(0)["fight"]["winning"]:
        return False
    everyone_passes(s, 1, 2, 0)
    everyone_passes(s, 1, 2, 0)
    run = next((m for m in legal(s.game, 0) if m.verb == mv.RUN), None)
    if run is None:
        return False
    s.make(0, run.deed)
    everyone_passes(s, 1, 2)
    after = tried(s.game, 0, mv.PASS)
    return after is not None and after.players[0].dead


def about_to_win(s: Stage) -> bool:
    """The first seat is of Level 9, wins its fight, and has only to say so."""
    if not at_the_door(s):
        return False
    s.fix(0, level=9)
    if not s.say(0, "Kick") or s.game.fight is None or not s.view(0)["fight"]["winning"]:
        return False
    everyone_passes(s, 1, 2)
    after = tried(s.game, 0, mv.PASS)
    return after is not None and bool(after.winners)


def sit(house: House, who: Guest, stage: Stage) -> Page:
    """At a table where time stands still."""
    house.lay(stage)
    who.page.clock.install()
    page = who.sit(stage)
    who.cards()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    return page


def scene(page: Page, kind: str = "") -> Locator:
    return page.locator(f"[data-scene{f'={kind}' if kind else ''}]")


def test_a_curse_behind_the_door_is_staged_and_a_key_ends_it(house: House, guest: Make) -> None:
    stage = staged(cursed_door, PEOPLE)
    ann = guest(motion=True, scenes="full")
    page = sit(house, ann, stage)
    ann.primary.click()
    expect(scene(page, "curse")).to_be_visible()
    expect(scene(page).get_by_text("A Curse on you")).to_be_visible()
    # For ears nothing waits, and nothing is left out.
    heard = page.locator("[aria-live=polite].sr")
    expect(heard).to_have_text(re.compile("You kick open the door.*strikes you"))
    expect(scene(page)).to_have_attribute("aria-hidden", "true")
    page.keyboard.press("Escape")
    expect(scene(page)).to_be_hidden()
    expect(ann.primary).to_be_enabled()  # and that was all it did
    expect(page.get_by_text("strikes you", exact=True)).to_be_visible()


def test_a_click_goes_through_at_once(house: House, guest: Make) -> None:
    """The scene would stay for ever here, and the table has moved on all the same."""
    stage = staged(cursed_door, PEOPLE)
    ann = guest(motion=True, scenes="full")
    page = sit(house, ann, stage)
    ann.primary.click()
    expect(scene(page, "curse")).to_be_visible()
    everyone = page.get_by_role("group", name="What you can do")
    ann.primary.click()
    expect(scene(page, "curse")).to_be_hidden()
    expect(everyone.get_by_text(re.compile("Waiting|done", re.I)).first).to_be_visible()


def test_my_own_death_is_worth_a_scene(house: House, guest: Make) -> None:
    ann = guest(motion=True, scenes="full", size=PHONE, touch=True)
    page = sit(house, ann, staged(about_to_die, PEOPLE))
    ann.primary.click()
    expect(scene(page, "death")).to_be_visible()
    expect(scene(page).get_by_text("You die", exact=True)).to_be_visible()
    ann.fits()
    page.clock.run_for(2600)
    expect(scene(page, "death")).to_be_hidden()


def test_the_winner_is_on_top_and_then_comes_the_end(house: House, guest: Make) -> None:
    ann = guest(motion=True, scenes="full")
    page = sit(house, ann, staged(about_to_win, PEOPLE))
    ann.primary.click()
    expect(scene(page, "win")).to_be_visible()
    expect(scene(page).get_by_text("You win!")).to_be_visible()
    page.clock.run_for(4000)
    expect(scene(page)).to_be_hidden()
    expect(ann.end).to_be_visible()


@pytest.mark.parametrize("how", ["off", "calm", "reduced"])
def test_it_can_be_calm_or_off(house: House, guest: Make, how: str) -> None:
    stage = staged(cursed_door, PEOPLE)
    ann = guest(motion=how != "reduced", scenes="full" if how == "reduced" else how)
    page = sit(house, ann, stage)
    ann.primary.click()
    expect(ann.log.get_by_text(re.compile("strikes you")).last).to_be_visible()
    if how == "off":
        expect(scene(page)).to_have_count(0)
        return
    expect(scene(page, "curse")).to_be_visible()
    moving = "n => n.getAnimations({subtree: true}).length"
    assert scene(page).evaluate(moving) == 0


def test_a_step_of_a_replay_is_staged_and_a_jump_is_not(house: House, guest: Make) -> None:
    """What was jumped over did not happen just now, least of all to those who stand there now."""
    ann = guest(motion=True, scenes="full")
    ann.page.clock.install()
    page = ann.go(f"/t/{over(house).id}/replay")
    turn, step = (ann.replay.get_by_role("button", name=name) for name in ("Next turn", "One step on"))
    where = ann.replay.get_by_text(re.compile(r"^\d+ / \d+$"))
    expect(turn).to_be_enabled()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 1)
    for _ in range(6):
        was = where.inner_text()
        turn.click()
        expect(where).not_to_have_text(was)
        expect(scene(page)).to_have_count(0)
    for _ in range(20):
        was = where.inner_text()
        step.click()
        expect(where).not_to_have_text(was)
        page.clock.run_for(20)
        if scene(page).count():
            break
    expect(scene(page)).to_be_visible()
    turn.click()
    expect(scene(page)).to_have_count(0)
