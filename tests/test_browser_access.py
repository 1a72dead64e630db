"""For every screen and everybody, in a real browser: phones, keyboard only, axe, motion and colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from browsing import DESKTOP, PHONE, SIZED, SMALL_PHONE, Guest, House
from kickdoor.lab import wording
from looking import laid, resized
from staging import BOT, Stage, at_the_door, clothes, in_a_fight, my_turn, staged

Make = Callable[..., Guest]


def fighting(house: House) -> Stage:
    return house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))


@pytest.fixture(scope="module")
def over(house: House) -> Stage:
    """A game that has been won."""
    return house.lay(staged(lambda s: s.lively(lambda g: bool(g.winners)), ["Ann"], [BOT, BOT, BOT]))


@pytest.fixture(scope="module")
def rich(house: House) -> Stage:
    """The first seat's turn, after a dozen others."""
    return house.lay(staged(lambda s: s.lively(lambda g: my_turn(g) and g.turns > 12), ["Ann"], [BOT, BOT, BOT]))


@pytest.fixture(scope="module")
def fight(house: House) -> Stage:
    """A fight that is only looked at."""
    return fighting(house)


def inside(what: Locator, page: Page) -> bool:
    """Is it on the screen, whole?"""
    box = what.bounding_box()
    size = page.viewport_size
    assert size is not None
    if box is None:
        return False
    right, low = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= -1 and box["y"] >= -1 and right <= size["width"] + 1 and low <= size["height"] + 1


WRITE = """([text, bad]) => {
  const words = 'The troll bows to nobody below Level 5 and takes your footgear with a smile. '.repeat(9);
  const body = document.querySelector('dialog .card .text');
  body.closest('.card').querySelector('.stuff')?.remove();
  body.closest('.card').classList.toggle('wordy', text + bad > 200);
  const stuff = document.createElement('span');
  stuff.style.cssText = 'display: block; margin-top: 0.45em; padding-top: 0.35em; border-top: 1.5px dashed';
  stuff.textContent = bad ? 'Bad Stuff: ' + words.slice(0, bad) : '';
  body.replaceChildren(words.slice(0, text), ...(bad ? [stuff] : []));
  const box = body.closest('dialog').querySelector('.body');
  return [box.scrollHeight, box.clientHeight];
}"""


def has_room_for_words(page: Page) -> None:
    """What `lab.wording` lets a card say is seen of it at once, of the card that is shown now."""
    expect(page.locator("dialog .card")).to_be_visible()
    for text, bad in ((wording.FITS, 0), (wording.BRIEF_WITH_BAD_STUFF, wording.BRIEF_BAD_STUFF)):
        needed, there = page.evaluate(WRITE, [text, bad])
        assert needed <= there + 1, f"{text} letters and {bad} of Bad Stuff need {needed} pixels of {there}"


# -- phones -----------------------------------------------------------------------------------------------------------

TOO_SMALL = """() => [...document.querySelectorAll('button, a[href], select, input')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.closest('.log, .terms') && e.tabIndex >= 0)
    .map(e => [e.getBoundingClientRect(), e.getAttribute('aria-label') || e.textContent.trim().slice(0, 40)])
    .filter(([r]) => r.width && (r.width < 24 || r.height < 24))
    .map(([r, t]) => `${t}: ${r.width}x${r.height}`)"""


def test_a_fight_on_a_phone(house: House, guest: Make) -> None:
    stage = fighting(house)
    ann = guest(size=PHONE, touch=True)
    page = ann.sit(stage)
    cards = ann.cards()
    sums = stage.view(0)["fight"]
    expect(ann.primary).to_be_visible()
    for size in (PHONE, SMALL_PHONE):
        resized(ann, (size["width"], size["height"]))
        ann.fits()
        assert inside(ann.primary, page), "the big button is on the screen"
        for side in ("munchkins", "monsters"):
            number = ann.fight.get_by_role("button", name=re.compile(f"^{side} {sums[side]}", re.I))
            assert inside(number, page), "both numbers are on the screen"
            assert number.locator(".big").evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 24
    expect(ann.fight.get_by_text(re.compile("^Losing by|^A tie is a loss|^Winning|^Cannot")).first).to_be_visible()
    assert page.evaluate(TOO_SMALL) == [], "what is tapped is large enough"

    # a long press shows a card, and as many words as it may have are read without scrolling
    name = stage.game.lib.defs[stage.game.players[0].hand[0]].name
    box = ann.card(int(cards[0])).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    devtools = ann.context.new_cdp_session(page)
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(ann.dialog(name)).to_be_visible()
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(ann.dialog(name)).to_be_visible()
    has_room_for_words(page)
    ann.dialog(name).get_by_role("button", name="Close").tap()
    expect(ann.dialog(name)).to_be_hidden()

    # the hand is swiped; the last card comes into view, and a tap opens what can be done with it
    last = ann.card(int(cards[-1]))
    last.scroll_into_view_if_needed()
    last.tap()
    menu = page.get_by_role("region", name=re.compile("^What to do with"))
    expect(menu).to_be_visible()
    ann.fits()
    menu.get_by_role("button", name="Put the card back").tap()
    expect(menu).to_be_hidden()

    # players, log, chat and menu are sheets that open and close
    page.get_by_role("list", name="The others").get_by_role("button", name=re.compile("^Bob")).tap()
    for title, open_ in (
        ("Bob", None),
        ("Log", "Log"),
        ("Chat", re.compile("^Chat")),
        ("Friday", "Menu"),
    ):
        if open_ is not None:
            ann.button(open_, exact=isinstance(open_, str)).tap()
        sheet = ann.dialog(title)
        expect(sheet).to_be_visible()
        ann.fits()
        close = sheet.get_by_role("button", name="Close")
        assert inside(close, page)
        close.tap()
        expect(sheet).to_be_hidden()
    ann.primary.tap()
    expect(ann.primary).to_be_hidden()


# -- keyboard only ----------------------------------------------------------------------------------------------------


class Keys:
    """Somebody without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def to(self, what: Locator, steps: int = 80) -> None:
        """Tab until it has the focus."""
        expect(what).to_be_visible()
        for _ in range(steps):
            if what.evaluate("e => e === document.activeElement", timeout=2000):
                return
            self.press("Tab")
        raise AssertionError(f"{what} cannot be reached by Tab")


def test_from_the_front_door_into_a_game_by_keyboard_alone(guest: Make) -> None:
    ann = guest()
    page = ann.go()
    keys = Keys(page)
    keys.to(page.get_by_role("textbox", name="Your name"))
    page.keyboard.type("Ann")
    keys.to(page.get_by_role("textbox", name="What it is called"))
    page.keyboard.type("By hand")
    keys.to(ann.button("Open the table"), 150)
    keys.press("Enter")
    keys.to(ann.button("Start the game"), 150)
    keys.press("Enter")
    expect(ann.table).to_be_visible()
    expect(ann.page.get_by_role("heading", name="By hand")).to_be_visible()
    expect(ann.hand.first).to_be_visible()


def test_a_turn_by_keyboard_alone(house: House, guest: Make) -> None:
    def dressed(s: Stage) -> bool:
        return at_the_door(s) and bool(clothes(s))

    stage = house.lay(staged(dressed, ["Ann"], [BOT, BOT]))
    ann = guest()
    page = ann.sit(stage)
    cards = ann.cards()
    keys = Keys(page)

    # ? opens the help, Esc closes it and gives the focus back
    keys.to(ann.button("Menu"))
    keys.press("?")
    expect(ann.dialog("How to play")).to_be_visible()
    keys.press("Escape")
    expect(ann.dialog("How to play")).to_be_hidden()
    expect(ann.button("Menu")).to_be_focused()

    # arrows go along the hand; Enter takes a card up, its number puts it on
    card = clothes(stage)[0]
    keys.to(ann.hand.first, 150)
    for _ in range(cards.index(str(card))):
        keys.press("ArrowRight")
    expect(ann.card(card)).to_be_focused()
    keys.press("z")
    name = stage.game.lib.defs[card].name
    expect(ann.dialog(name)).to_be_visible()
    keys.press("Escape")
    expect(ann.card(card)).to_be_focused()
    keys.press("Enter")
    menu = page.get_by_role("region", name=f"What to do with {name}")
    expect(menu).to_be_visible()
    keys.press("Escape")
    expect(menu).to_be_hidden()
    expect(ann.card(card)).to_be_focused()
    number = str(cards.index(str(card)) + 1)
    keys.press(number)
    expect(menu).to_be_visible()
    keys.press("Tab")  # what can be done with it comes next, wherever on the page it stands
    expect(menu.locator("[data-option='1']")).to_be_focused()
    keys.press("Shift+Tab")
    expect(ann.card(card)).to_be_focused()
    keys.press("Tab", "Escape")
    expect(menu).to_be_hidden()
    expect(ann.card(card)).to_be_focused()
    keys.press(number)
    expect(menu).to_be_visible()
    keys.press("1")
    worn = page.get_by_role("region", name="You", exact=True).locator(f"[data-card='{card}']")
    expect(worn).to_be_visible()

    # everything else is in the list of all moves
    page.evaluate("document.activeElement?.blur()")
    keys.press("m")
    moves = ann.dialog("Everything you can do")
    keys.to(moves.get_by_role("button", name="Kick open the door"))
    keys.press("Escape")
    expect(moves).to_be_hidden()

    # Space is the big button, until the turn is over
    before = ann.log.get_by_role("heading").count()
    for _ in range(60):
        page.evaluate("document.activeElement?.blur()")
        if ann.log.get_by_role("heading").count() > before:
            break
        with suppress(AssertionError, TimeoutError):  # gone before it was reached: look again
            on_with_it(ann, keys)
        page.wait_for_timeout(100)
    assert ann.log.get_by_role("heading").count() > before, "the turn has passed on"


# Keys that come faster than the page does what it has put off.
IN_ONE_BREATH = """for (const key of ['Escape', ' '])
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))"""


def test_space_is_the_big_button_unless_the_keys_led_elsewhere(house: House, guest: Make) -> None:
    ann = guest()
    page = ann.sit(laid(house, "charity, too many cards"))
    ann.cards()
    keys = Keys(page)
    menu, sheet = page.get_by_role("region", name=re.compile("^What to do with")), ann.dialog("Charity")
    expect(ann.primary.get_by_text("Space")).to_be_visible()
    keys.to(ann.hand.first, 150)
    keys.press("Space")  # walked to, to be pressed
    expect(menu).to_be_visible()
    page.evaluate(IN_ONE_BREATH)  # left there: that is over, at once
    expect(ann.hand.first).not_to_be_focused()
    expect(sheet).to_be_visible()
    keys.press("Escape")
    expect(sheet).to_be_hidden()
    ann.hand.nth(1).click()
    expect(menu).to_be_visible()
    keys.press("z", "Escape", "Escape")
    expect(menu).to_be_hidden()
    keys.press("Space")
    expect(sheet).to_be_visible()
    expect(menu).to_be_hidden()


def on_with_it(ann: Guest, keys: Keys) -> None:
    """One step of the turn, as far as the keys lead."""
    if ann.question.is_visible() and not ann.primary.is_visible():
        keys.press("1")
    elif ann.dialog(re.compile("Charity")).is_visible():
        sheet = ann.dialog("Charity")
        keys.to(
            sheet.locator("button.thing")
            .or_(sheet.get_by_role("button", name=re.compile("Give (it|them) away|Discard (it|them)")))
            .first
        )
        keys.press("Enter")
    elif ann.primary.is_visible():
        keys.press("Space")


def test_updates_do_not_steal_the_focus(house: House, guest: Make) -> None:
    stage = fighting(house)
    ann, bob = guest(), guest()
    page = ann.sit(stage, 0)
    bob.sit(stage, 1)
    keys = Keys(page)
    keys.to(ann.hand.first, 150)
    keys.press("ArrowRight", "ArrowRight")
    third = ann.hand.nth(2)
    expect(third).to_be_focused()
    bob.primary.click()
    expect(page.get_by_role("article", name="Bob").get_by_text("done")).to_be_visible()
    expect(third).to_be_focused()
    keys.press("l")  # typed words are no hotkeys, and a hotkey is none while typing
    log = ann.dialog("Log")
    expect(log).to_be_visible()
    keys.press("Escape")
    expect(third).to_be_focused()
    keys.press("c")
    said = ann.dialog("Chat").get_by_role("textbox", name="Say something")
    keys.to(said)
    page.keyboard.type("l m 1 ?")
    expect(said).to_have_value("l m 1 ?")
    expect(ann.dialog("Chat")).to_be_visible()


# -- axe --------------------------------------------------------------------------------------------------------------

SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]


@pytest.mark.parametrize("size", SIZES)
def test_what_is_around_the_game_fits_and_axe_finds_nothing(guest: Make, over: Stage, size: dict[str, int]) -> None:
    ann = guest(size=size, touch=size is PHONE)

    def good(where: str, same: bool = False) -> None:
        """A phone has the same colours, and some pages are the `same` on it; `make looks` has all of both."""
        ann.axe(where, dark=size is DESKTOP, only=SIZED if same and size is PHONE else ())
        for other in (SMALL_PHONE, PHONE) if size is PHONE else ():
            resized(ann, (other["width"], other["height"]))
            ann.fits()

    page = ann.go()
    expect(page.get_by_role("heading", name="Make a table")).to_be_visible()
    page.get_by_role("textbox", name="Your name").fill("Ann")
    expect(ann.button("Open the table")).to_be_enabled()
    expect(page.get_by_role("radiogroup", name="Which box").get_by_role("radio")).to_have_count(5)
    good("home", same=True)
    for width, height in ((800, 600), (1366, 768)) if size is PHONE else ():
        resized(ann, (width, height))
        ann.fits()
    resized(ann, (size["width"], size["height"]))
    ann.button("Open the table").click()
    expect(ann.button("Start the game")).to_be_visible()
    good("lobby")
    ann.sit(over)
    expect(ann.end).to_be_visible()
    good("end")
    page.get_by_role("link", name="Watch the replay").click()
    replay = ann.replay
    replay.get_by_role("slider").press("End")
    expect(replay.get_by_text(re.compile(r"^(\d+) / \1$"))).to_be_visible()
    good("replay")
    ann.go("/about")
    expect(page.get_by_role("heading", name="Privacy")).to_be_visible()
    good("about", same=True)
    ann.go("/t/zzzzzzzzzz")
    expect(page.get_by_role("heading", name="No such table")).to_be_visible()
    good("no such table", same=True)


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_at_the_table(guest: Make, rich: Stage, fight: Stage, size: dict[str, int]) -> None:
    ann = guest(size=size, touch=size is PHONE)
    page = ann.sit(rich)
    ann.cards()
    dark = size is DESKTOP
    ann.axe("table", dark=dark)
    ann.hand.first.click()
    expect(page.get_by_role("region", name=re.compile("^What to do with"))).to_be_visible()
    ann.axe("card menu", dark=dark)

    ann.sit(fight)
    ann.cards()
    expect(ann.fight).to_be_visible()
    ann.axe("fight", dark=dark)
    deal = ann.ask_for_help("Bob")
    only = () if dark else SIZED  # on a phone a dialog is the same, but for its size
    ann.axe("deal", dark=dark, only=only)
    deal.get_by_role("button", name="Never mind").click()
    for item, title in (("Settings", "Settings"), ("Rules", "The rules"), ("How to play", "How to play")):
        ann.menu(item)
        sheet = ann.dialog(title)
        expect(sheet).to_be_visible()
        if item == "Rules":
            sheet.get_by_role("searchbox", name="Search the rules").fill("run away")
            sheet.get_by_role("button", name="Search").click()
            expect(sheet.get_by_role("heading", level=3).first).to_be_visible()
        ann.axe(item, dark=dark, only=only)
        sheet.get_by_role("button", name="Close").click()
        expect(sheet).to_be_hidden()


# -- motion and colours -----------------------------------------------------------------------------------------------


SHADE = """() => {
    const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
    return r + g + b;
}"""


def test_calm_and_colours_follow_the_device_and_the_settings(guest: Make, fight: Stage) -> None:
    """... and at a desk, too, as many words as a card may have are read without scrolling."""
    still, lively = guest(), guest(motion=True)
    moving = """() => [...document.querySelectorAll('*')].filter(e => {
        const s = getComputedStyle(e);
        return s.animationName !== 'none' || s.transitionDuration.split(',').some(t => parseFloat(t) > 0);
    }).length"""
    still.sit(fight)
    still.cards()
    assert still.page.evaluate(moving) == 0
    assert still.page.evaluate("document.getAnimations().length") == 0
    lively.sit(fight)
    lively.cards()
    assert lively.page.evaluate(moving) > 0
    lively.menu("Settings")
    lively.dialog("Settings").get_by_role("combobox", name="Motion").select_option("off")
    assert lively.page.evaluate(moving) == 0
    resized(lively, (1280, 600))  # the lowest screen of a desk
    lively.page.keyboard.press("Escape")
    expect(lively.dialog("Settings")).to_be_hidden()
    lively.hand.first.click(force=True)
    lively.page.get_by_role("button", name="Read the card").click()
    has_room_for_words(lively.page)

    page = still.page
    assert page.evaluate(SHADE) > 380
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({SHADE})() < 250")
    still.menu("Settings")
    still.dialog("Settings").get_by_role("combobox", name="Look").select_option("light")
    page.wait_for_function(f"() => ({SHADE})() > 380")
    page.reload()
    still.cards()
    assert page.evaluate(SHADE) > 380, "the setting is kept"
