"""What a table can choose, and the board of games that have one, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browsing import PHONE, Guest, House
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import BEFORE_DOOR, Game
from serving import CALM, new_table
from staging import BOT, Stage

Make = Callable[..., Guest]
SIZES: list[dict[str, Any]] = [{"size": {"width": 1366, "height": 768}}, {"size": PHONE, "touch": True}]


def in_lobby(guest: Guest, **options: Any) -> None:
    ticket = new_table(guest.house.url, seats=4, bots=[BOT, BOT], options={**CALM, **options})
    guest._first(f"kickdoor.seat.{ticket['table']}", ticket["token"])
    guest.go(f"/t/{ticket['table']}")
    expect(guest.page.get_by_role("heading", name="At the table")).to_be_visible()


def choice(guest: Guest, name: str) -> Locator:
    return guest.page.get_by_role("combobox", name=name, exact=True)


def test_options_of_the_books_are_chosen_in_the_lobby_and_hold_in_the_game(guest: Make) -> None:
    ann = guest()
    in_lobby(ann, packs=["classic"])
    page = ann.page
    page.get_by_text("House rules and more").click()
    expect(choice(ann, "Tall decks")).to_be_visible()
    expect(choice(ann, "The first Dungeon")).to_have_count(0)
    page.get_by_text("Mix boxes, add sets").click()
    page.get_by_role("checkbox", name=re.compile("^Demented Dungeons")).check()
    choice(ann, "The first Dungeon").select_option("Joe's Discount Dungeon")
    page.get_by_role("checkbox", name=re.compile("^A base Dungeon")).check()
    choice(ann, "Portals").select_option("none")
    page.get_by_role("checkbox", name=re.compile("^Epic play")).check()
    expect(page.get_by_role("region", name="The books on this mix")).to_contain_text("EPIC-2")
    ann.button("Start the game").click()
    expect(ann.table).to_be_visible()
    expect(ann.log).to_contain_text("Joe's Discount Dungeon")


def box(guest: Guest, name: str) -> Locator:
    return guest.page.get_by_role("radiogroup", name="Which box").get_by_role("radio", name=name, exact=True)


def test_boxes_and_sets_are_taken_from_the_shelf_and_put_back(guest: Make) -> None:
    """One host who changes her mind: refused, with a set and without, one box alone, two by the rules of the first."""
    ann = guest()
    rules = {"dungeons.portals": "none", "dungeons.first": "winner"}
    in_lobby(ann, packs=["classic", "dungeons"], house=["locked_dungeon"], rules=rules)
    page = ann.page
    dungeons = page.get_by_role("checkbox", name=re.compile("^Demented Dungeons"))

    # what cannot be is refused, and the form shows what is
    expect(choice(ann, "Portals")).to_have_value("none")
    choice(ann, "Where the Portals are").select_option("150")
    expect(page.get_by_text("Without Portals in the game")).to_be_visible()
    expect(choice(ann, "Where the Portals are")).to_have_value("0")

    # a set that goes takes its options along
    expect(choice(ann, "The first Dungeon")).to_have_value("winner")
    dungeons.uncheck()
    expect(choice(ann, "The first Dungeon")).to_have_count(0)
    dungeons.check()
    expect(choice(ann, "The first Dungeon")).to_have_value("random")

    # a box is taken from the shelf and played alone
    expect(box(ann, "Classic")).to_be_checked()
    box(ann, "Classic").focus()
    page.keyboard.press("ArrowRight")
    expect(box(ann, "Bites!")).to_be_checked()
    expect(page.get_by_role("list", name="What is special about Bites!")).to_contain_text("Vampire")
    expect(page.get_by_text("Bites! alone", exact=True)).to_be_visible()  # the Dungeons are back in their box
    expect(dungeons).not_to_be_checked()

    # boxes mix, and the first gives the rules
    box(ann, "Bites!").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Classic alone", exact=True)).to_be_visible()
    page.get_by_role("checkbox", name=re.compile("^Shakespeare")).check()
    expect(choice(ann, "By the rules of")).to_have_value("classic")
    choice(ann, "By the rules of").select_option("Shakespeare")
    expect(box(ann, "Shakespeare")).to_be_checked()
    expect(page.get_by_text("the book asks for a rhyming couplet")).to_be_visible()
    page.get_by_role("radio", name="Blitz").check()  # the time to react is the book's
    expect(page.get_by_text("6 s to react to others (the book asks for a rhyming couplet)")).to_be_visible()
    ann.button("Shakespeare alone").click()
    expect(page.get_by_role("checkbox", name=re.compile("^Classic"))).not_to_be_checked()


def test_what_is_ones_own_is_chosen_in_the_lobby_and_is_there_in_the_game(guest: Make) -> None:
    """Accessories lie beside their owner, standies have the colour that was chosen."""
    ann = guest()
    in_lobby(ann, packs=["magical_mess", "classic", "accessories"], house=["accessories"])
    brought = ann.page.get_by_role("region", name="What do you bring?")
    brought.get_by_role("checkbox", name=re.compile("^Munchkin Dice")).check()
    expect(brought.get_by_role("checkbox", name=re.compile("^Munchkin Dice"))).to_be_checked()
    mine = ann.page.get_by_role("radiogroup", name="Your standies")
    expect(mine.get_by_role("radio")).to_have_count(6)
    mine.get_by_role("radio", name="teal").check()
    expect(mine.get_by_role("radio", name="teal")).to_be_checked()
    ann.button("Start the game").click()
    expect(ann.table).to_be_visible()
    me = ann.page.get_by_role("region", name="You", exact=True)
    expect(me.get_by_role("button", name=re.compile("^Munchkin Dice.*brought along"))).to_be_visible()
    mine_on_board = ann.page.locator(".stand.me .foot")
    expect(mine_on_board).to_have_attribute("fill", "#0f7f86")


@pytest.mark.parametrize("device", SIZES, ids=["desktop", "phone"])
def test_a_lobby_with_everything_and_standies_on_their_board(house: House, guest: Make, device: Any) -> None:
    ann = guest(**device)
    packs = ["magical_mess", "classic", "dungeons", "accessories"]
    in_lobby(ann, packs=packs, house=["epic", "accessories"], rules={"decks.piles": "halves"})
    expect(ann.page.get_by_role("radiogroup", name="Your standies")).to_be_visible()
    expect(ann.page.get_by_role("region", name="What do you bring?")).to_be_visible()
    dark = not device.get("touch")  # a phone has the same colours
    ann.axe("lobby", dark=dark)
    ann.fits()
    s = Stage(["Ann"], [BOT] * 5, packs=packs)
    assert s.idle(at_a_door)
    s.fix(0, level=4)
    s.fix(1, level=4)
    ann.sit(house.lay(s))
    ann.axe("board", dark=dark)
    board = ann.page.get_by_role("img", name=re.compile("^The board, 10 spaces"))
    expect(board).to_have_accessible_name(re.compile("Ann on space 4, female figure"))
    expect(board.locator(".stand")).to_have_count(6)
    ann.fits()
    inside(board)


# -- the board --------------------------------------------------------------------------------------------------------


def at_a_door(g: Game) -> bool:
    top, bottom = g.stack[-1], g.stack[0]
    return isinstance(top, fr.Turn) and isinstance(bottom, fr.Turn) and bottom.phase == BEFORE_DOOR


def inside(board: Locator) -> None:
    """No standie sticks out of the board, and those on one space can be told apart."""
    measured = """board => [board, ...board.querySelectorAll('.stand')].map(x => {
      const r = x.getBoundingClientRect();
      return {x: r.x, y: r.y, width: r.width, height: r.height};
    })"""
    edge, *boxes = board.evaluate(measured)  # at one moment: the page may still be settling
    lefts = set()
    for b in boxes:
        assert edge["x"] - 1 <= b["x"]
        assert b["x"] + b["width"] <= edge["x"] + edge["width"] + 1
        assert edge["y"] - 1 <= b["y"]
        assert b["y"] + b["height"] <= edge["y"] + edge["height"] + 1
        lefts.add(round(b["x"]))
    assert len(lefts) == len(boxes)


def test_whoever_won_the_last_game_picks_the_dungeon_at_the_table(house: House, guest: Make) -> None:
    rules = {"dungeons.first": "winner", "dungeons.chosen_by": "Ann"}
    s = house.lay(Stage(["Ann"], [BOT] * 2, packs=["classic", "dungeons"], rules=rules))
    ann = guest()
    ann.sit(s)
    expect(ann.question).to_contain_text("In which Dungeon does it begin?")
    ann.question.get_by_role("button", name=re.compile("^Dungeon of Extra Effort")).click()
    expect(ann.log).to_contain_text("Dungeon of Extra Effort")
    # a game without a board has its track of levels
    expect(ann.page.get_by_role("img", name=re.compile("^Level track"))).to_be_visible()
    expect(ann.page.get_by_role("img", name=re.compile("^The board"))).to_have_count(0)
