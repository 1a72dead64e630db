"""Playing in a real browser: fights, deals, Curses, reasons, reloads, and a server that dies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from browsing import PATIENCE, Guest, House
from kickdoor.engine.kernel import legal
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from staging import BOT, Stage, at_the_door, clothes, in_a_fight, my_turn, staged

Make = Callable[..., Guest]


def with_a_curse(s: Stage) -> bool:
    """... and the second seat holds a Curse it may play on the first."""
    return in_a_fight(s) and bool(curses(s, 1))


def curses(s: Stage, seat: int) -> list[int]:
    defs = s.game.lib.defs
    aimed = {m.card for m in legal(s.game, seat) if m.verb == 4 and m.target == -10}
    return [c for c in s.game.players[seat].hand if c in aimed and defs[c].name.startswith("Curse!")]


def two_fighting(house: House, guest: Make, wanted: Callable[[Stage], bool] = in_a_fight) -> tuple[Stage, Guest, Guest]:
    stage = house.lay(staged(wanted, ["Ann", "Bob"], [BOT]))
    ann, bob = guest(), guest()
    ann.sit(stage, 0)
    bob.sit(stage, 1)
    return stage, ann, bob


def ask_for_help(who: Guest, whom: str, treasures: int) -> None:
    deal = who.ask_for_help(whom)
    deal.get_by_role("group", name="Treasures for the helper").get_by_role("button", name=str(treasures)).click()
    expect(deal.get_by_role("button", name=str(treasures), exact=True)).to_have_attribute("aria-pressed", "true")
    expect(deal.get_by_role("button", name="Say it: that is the offer")).to_be_disabled()  # HELP-8: who picks?
    deal.get_by_role("group", name="Who picks").get_by_role("button", name="you pick first").click()
    deal.get_by_role("button", name="Say it: that is the offer").click()
    expect(deal).to_be_hidden()


def test_a_deal_for_help_is_declined_asked_again_countered_and_accepted(house: House, guest: Make) -> None:
    _, ann, bob = two_fighting(house, guest)
    ask_for_help(ann, "Bob", 1)
    for who, words in ((ann, "You ask Bob for help"), (bob, "Ann asks you for help")):
        expect(who.offers.get_by_text(words)).to_be_visible()
        expect(who.offers.get_by_text(re.compile(r"1 of \d+ Treasures?"))).to_be_visible()
    bob.offers.get_by_role("button", name="Decline").click()
    for who in (ann, bob):
        expect(who.offers).to_be_hidden()
        expect(who.log.get_by_text(re.compile("says? no to")).first).to_be_visible()

    ask_for_help(ann, "Bob", 1)
    bob.offers.get_by_role("button", name="Counter").click()
    deal = bob.dialog("A deal with Ann")
    deal.get_by_role("group", name="Treasures for the helper").get_by_role("button", name="2", exact=True).click()
    deal.get_by_role("button", name="Say it: that is the offer").click()
    expect(ann.offers.get_by_text(re.compile(r"2 of \d+ Treasures?"))).to_be_visible()
    expect(bob.offers.get_by_text("waiting for Ann")).to_be_visible()
    ann.offers.get_by_role("button", name="Accept").click()
    expect(ann.fight.get_by_text(re.compile(r"helps? for 2")).first).to_be_visible()
    expect(bob.fight.get_by_text(re.compile(r"helps? for 2")).first).to_be_visible()
    expect(bob.page.get_by_role("region", name="You", exact=True).get_by_text("helping")).to_be_visible()


def test_a_bot_that_is_asked_for_help_gives_an_answer(house: House, guest: Make) -> None:
    stage = house.lay(staged(in_a_fight, ["Ann"], [BOT, BOT]))
    ann = guest()
    ann.sit(stage)
    before = ann.log.locator("p").count()
    ask_for_help(ann, stage.game.players[1].name, 2)
    expect(ann.log.locator("p").nth(before + 1)).to_be_visible()
    expect(ann.offers.or_(ann.fight.get_by_text("(helps)")).or_(ann.primary).first).to_be_visible()


def test_a_curse_is_played_on_somebody_in_the_middle_of_a_fight(house: House, guest: Make) -> None:
    stage, ann, bob = two_fighting(house, guest, with_a_curse)
    card = curses(stage, 1)[0]
    name = stage.game.lib.defs[card].name
    bob.card(card).click()
    menu = bob.page.get_by_role("region", name=f"What to do with {name}")
    menu.get_by_role("button", name=re.compile("(^|on )Ann$")).click()
    expect(bob.card(card)).to_be_hidden()
    expect(ann.log.get_by_text(re.compile(re.escape(name.replace("Curse! ", "")))).first).to_be_visible()
    expect(ann.page.get_by_text(re.compile("strikes you|Bob.*Curse")).first).to_be_visible()


def test_a_card_is_aimed_by_tapping_its_target(house: House, guest: Make) -> None:
    stage = house.lay(staged(with_a_curse, ["Ann", "Bob"], [BOT]))
    card = curses(stage, 1)[0]
    bob = guest()
    bob.sit(stage, 1)
    bob.card(card).click()
    bob.page.get_by_role("button", name=re.compile("^Ann, level .* may be chosen")).click()
    expect(bob.card(card)).to_be_hidden()


def test_a_reload_in_a_fight_changes_nothing_and_its_numbers_are_the_sums_of_their_terms(
    house: House, guest: Make
) -> None:
    stage = house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    ann = guest()
    ann.sit(stage)

    def seen() -> list[str]:
        ann.cards()
        expect(ann.primary).to_be_visible()
        expect(ann.fight).to_be_visible()
        return [
            ann.page.locator(".prompt p").inner_text(),
            ann.primary.inner_text(),
            ann.fight.inner_text(),
            *ann.hand.all_inner_texts(),
            ann.log.inner_text(),
            ann.page.get_by_role("region", name="You", exact=True).inner_text(),
        ]

    before = seen()
    ann.page.reload()
    assert seen() == before

    sums = stage.view(0)["fight"]
    for side in ("munchkins", "monsters"):
        terms = ann.fight.get_by_role("list", name=f"The sum of the {side}").get_by_role("listitem")
        expect(terms.first).to_be_visible()
        assert sum(int(t.replace("−", "-")) for t in terms.locator("b").all_inner_texts()) == sums[side]
        expect(ann.fight.get_by_role("button", name=re.compile(f"^{side} {sums[side]}", re.I))).to_be_visible()
    terms.first.get_by_role("button", name=re.compile("^Rule ")).click()
    expect(ann.dialog("The rules").get_by_role("heading", level=3)).to_be_visible()
    ann.page.keyboard.press("Escape")
    monster = ann.fight.get_by_role("list", name="Monsters in the fight").get_by_role("button").first
    monster.click()
    expect(ann.page.get_by_role("dialog").get_by_text("Bad Stuff:")).to_be_visible()


def test_an_update_takes_neither_words_nor_choice_nor_focus_away_and_who_talks_too_much_is_muted(
    house: House, guest: Make
) -> None:
    stage, ann, bob = two_fighting(house, guest)
    ann.page.get_by_role("tab", name="Chat").click()
    said = ann.page.get_by_role("textbox", name="Say something")
    card = stage.game.players[0].hand[2]
    ann.card(card).click()
    said.fill("wait, I have a pl")
    bob.primary.click()
    bob.page.get_by_role("tab", name="Chat").click()
    bob.page.get_by_role("textbox", name="Say something").fill("I am done")
    bob.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("log", name="Chat").get_by_text("I am done")).to_be_visible()
    expect(said).to_have_value("wait, I have a pl")
    expect(said).to_be_focused()
    expect(ann.card(card)).to_have_attribute("aria-pressed", "true")
    ann.page.keyboard.type("an")
    ann.page.keyboard.press("Enter")
    expect(bob.page.get_by_role("log", name="Chat").get_by_text("wait, I have a plan")).to_be_visible()

    bob.button("Quick phrases").click()
    bob.button("Some time today, please.").click()
    chat = ann.page.get_by_role("log", name="Chat")
    expect(chat.get_by_text("Some time today, please.")).to_be_visible()
    ann.page.get_by_text("Mute", exact=True).click()
    ann.button("Bob").click()
    expect(chat.get_by_text("Some time today, please.")).to_be_hidden()
    ann.button("Bob").click()
    expect(chat.get_by_text("Some time today, please.")).to_be_visible()


def test_a_card_that_cannot_be_played_says_why_and_what_was_played_is_taken_back(house: House, guest: Make) -> None:
    def stuck(s: Stage) -> bool:
        usable = {m.card for m in legal(s.game, 0)} if at_the_door(s) and clothes(s) else set()
        return bool(usable) and any(c not in usable for c in s.game.players[0].hand)

    stage = house.lay(staged(stuck, ["Ann"], [BOT, BOT]))
    ann = guest()
    ann.sit(stage)
    usable = {m.card for m in legal(stage.game, 0)}
    card = next(c for c in stage.game.players[0].hand if c not in usable)
    name = stage.game.lib.defs[card].name
    expect(ann.card(card)).to_have_accessible_name(re.compile("not playable now"))
    ann.card(card).hover()
    ann.button(f"Why can I not play {name}?").click()
    menu = ann.page.get_by_role("region", name=f"What to do with {name}")
    expect(menu.get_by_role("status")).to_contain_text("Not now.")
    rule = menu.get_by_role("button", name=re.compile(r"^Rule [A-Z-]+\d+$")).first
    ident = rule.inner_text()
    rule.click()
    rules = ann.dialog("The rules")
    expect(rules.get_by_role("heading", name=ident, exact=True)).to_be_visible()
    expect(rules.locator("li p").first).to_have_text(re.compile(r"\w{3,} \w+"))
    ann.page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    ann.card(card).click()  # the card itself tells as well, and is put back by a second tap
    expect(menu).to_be_hidden()
    ann.card(card).click()
    expect(menu.get_by_role("status")).to_contain_text("Not now.")

    # a move is taken back at once when nothing was revealed
    card = clothes(stage)[0]
    hand = ann.cards()
    ann.card(card).click()
    ann.page.get_by_role("region", name=re.compile("^What to do with")).locator("button[data-option='1']").click()
    worn = ann.page.get_by_role("region", name="You", exact=True).locator(f"[data-card='{card}']")
    expect(worn).to_be_visible()
    ann.button("Undo").click()
    expect(worn).to_be_hidden()
    expect(ann.hand).to_have_count(len(hand))


# What a browser says of a server that dies in the middle of an answer.
CUT_OFF = [
    "WebSocket connection",
    "ERR_CONNECTION_(REFUSED|RESET)",
    "ERR_CONTENT_LENGTH_MISMATCH",
    "ERR_EMPTY_RESPONSE",
    "error occurred when fetching the script",  # of its service worker
]


@pytest.fixture
def inn(chromium: object, tmp_path: Path) -> Iterator[House]:
    """A house of this test's own, which it may set on fire."""
    house = House(tmp_path)
    with house.server:
        house.read_up()
        yield house


def test_a_killed_server_costs_nothing_and_the_page_comes_back_by_itself(inn: House, guest: Make) -> None:
    stage = inn.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    ann = guest(house=inn, forgive=CUT_OFF, worker=True)
    ann.sit(stage)
    hand, fight = ann.cards(), ann.fight.inner_text()
    inn.server.kill()
    lost = ann.page.get_by_role("status").get_by_text(re.compile("The line is gone|Connecting again"))
    expect(lost).to_be_visible()
    assert ann.cards() == hand
    ann.primary.click()  # said while the line is gone: it is not lost
    inn.server.start()
    expect(lost).to_be_hidden()
    assert ann.cards() == hand
    assert ann.fight.inner_text().split()[0] == fight.split()[0]
    expect(ann.page.get_by_role("region", name="You", exact=True).get_by_text("done")).to_be_visible()
    bob = guest(house=inn, forgive=CUT_OFF, worker=True)
    bob.sit(stage, 1)
    bob.primary.click()
    expect(ann.fight.get_by_text("Running away", exact=True)).to_be_visible()


def test_cards_that_a_killed_server_did_not_send_come_from_the_next(inn: House, guest: Make) -> None:
    """They are asked for before anybody has said hello there, and so before it has shown a table to anybody."""
    stage = inn.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    ann = guest(house=inn, forgive=[*CUT_OFF, "ERR_FAILED"])
    ann.page.route("**/cards/*", lambda route: route.abort())
    ann.sit(stage)
    ann.cards()
    ann.page.route_web_socket(re.compile("/ws/tables/"), lambda ws: ws.close())
    inn.server.kill()
    inn.server.start()
    inn.read_up()
    ann.page.unroute("**/cards/*")
    fight = stage.game.fight
    assert fight is not None
    name = stage.game.lib.defs[fight.foes[0].card].name
    expect(ann.fight).to_contain_text(name)


def test_a_part_of_the_page_that_does_not_come_from_a_server_that_is_gone_comes_later(
    house: House, guest: Make
) -> None:
    """It looked as if a newer version had taken it away, and the page loaded itself anew from nowhere."""
    stage = house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    ann = guest(forgive=["ERR_FAILED", "dynamically imported module"])
    asked: list[str] = []

    def gone(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    for path in ("**/assets/later-*.js", "**/healthz"):
        ann.page.route(path, gone)
    ann.sit(stage)
    hand = ann.cards()
    ann.page.evaluate("window.still = 'here'")
    while sum("/assets/later" in url for url in asked) < 2:  # it is asked for again
        ann.page.wait_for_event("request", timeout=PATIENCE)
    assert any("/healthz" in url for url in asked)
    assert ann.page.evaluate("window.still") == "here"
    for path in ("**/assets/later-*.js", "**/healthz"):
        ann.page.unroute(path, gone)
    ann.page.keyboard.press("m")
    expect(ann.dialog("Everything you can do")).to_be_visible()
    assert ann.cards() == hand


def test_a_trade_is_offered_and_accepted(house: House, guest: Make) -> None:
    def with_goods(s: Stage) -> bool:
        def goods(g: Game) -> bool:
            trades = {m.target for m in legal(g, 0) if m.verb == mv.TRADE} if my_turn(g) else set()
            return mv.at_seat(1) in trades and bool(s.view(0)["players"][0]["equipped"])

        return s.lively(goods, 200)

    stage = house.lay(staged(with_goods, ["Ann", "Bob"], [BOT]))
    ann, bob = guest(), guest()
    ann.sit(stage, 0)
    bob.sit(stage, 1)
    ann.button("Menu").click()
    ann.page.get_by_role("dialog").get_by_role("button", name=re.compile("trade.*Bob", re.I)).click()
    deal = ann.dialog("Trade with Bob")
    thing = deal.locator("button.thing").first
    name = thing.locator("b").inner_text()
    thing.click()
    expect(deal.get_by_role("button", name=re.compile("^Take back: "))).to_be_visible()
    deal.get_by_role("button", name="Say it: that is the offer").click()
    expect(deal).to_be_hidden()
    expect(bob.offers.get_by_text("Ann offers you a trade")).to_be_visible()
    bob.offers.get_by_role("button", name=name).click()  # look at it first
    expect(bob.dialog(name)).to_be_visible()
    bob.page.keyboard.press("Escape")
    bob.offers.get_by_role("button", name="Accept").click()
    expect(bob.page.get_by_role("region", name="You", exact=True).get_by_role("button", name=name)).to_be_visible()
    expect(ann.page.get_by_role("article", name="Bob").get_by_role("button", name=name)).to_be_visible()


def test_the_table_corrects_a_level_when_everybody_agrees(house: House, guest: Make) -> None:
    stage = house.lay(staged(at_the_door, ["Ann", "Bob"], [BOT]))
    ann, bob = guest(), guest()
    ann.sit(stage, 0)
    bob.sit(stage, 1)
    expect(ann.page.get_by_role("article", name="Bob").get_by_text("away")).to_be_hidden()
    ann.menu("Propose a correction")
    sheet = ann.dialog("Propose a correction")
    sheet.get_by_role("combobox", name="Whose").select_option("Bob")
    sheet.get_by_role("spinbutton", name="Level").fill("5")
    sheet.get_by_role("textbox", name="Why").fill("we forgot")
    sheet.get_by_role("button", name="Propose", exact=True).click()
    vote = bob.page.get_by_role("group", name="A vote")
    expect(vote).to_contain_text("Ann proposes: Bob is Level 5, not 1 (we forgot).")
    vote.get_by_role("button", name="Agree").click()
    expect(ann.page.get_by_role("button", name=re.compile("^Bob, level 5"))).to_be_visible()
    expect(bob.log.get_by_role("button", name="Rule CONF-8").first).to_be_visible()


AT_ITS_END = "log => log.scrollTop + log.clientHeight > log.scrollHeight - 40"


def test_the_log_stays_at_its_newest_line_until_somebody_reads_further_up(house: House, guest: Make) -> None:
    def long_told(g: Game) -> bool:
        return my_turn(g) and g.turns > 6

    stage = house.lay(staged(lambda s: s.lively(long_told), ["Ann"], [BOT, BOT]))
    ann = guest(size={"width": 1366, "height": 650})
    ann.sit(stage)
    turns = ann.log.locator("summary h2")
    expect(turns.nth(3)).to_be_visible()
    told = turns.count()
    ann.play_on(turns.nth(told + 1))  # older ones have closed meanwhile, which moves the log
    log = ann.log.element_handle()
    assert log is not None
    ann.page.wait_for_function(AT_ITS_END, arg=log)
    log.evaluate("log => log.scrollTo(0, 0)")
    ann.play_on(turns.nth(told + 3))
    assert log.evaluate("log => log.scrollTop") < log.evaluate("log => log.scrollHeight - log.clientHeight") - 40
