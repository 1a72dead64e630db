"""The lobby in a real browser: nobody waits for who has gone, and what cannot be played is said where it is chosen."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect

from browsing import Guest, House
from serving import call, join, new_table

Make = Callable[..., Guest]


def host_of(house: House, guest: Make, **table: object) -> tuple[Guest, str]:
    """Somebody who has made a table, at its lobby."""
    ticket = new_table(house.url, **table)
    ann = guest()
    ann._first(f"kickdoor.seat.{ticket['table']}", ticket["token"])
    ann.go(f"/t/{ticket['table']}")
    expect(ann.page.get_by_role("heading", name="At the table")).to_be_visible()
    return ann, ticket["table"]


def test_a_game_begins_without_a_friend_who_has_closed_the_tab(house: House, guest: Make) -> None:
    ann, table = host_of(house, guest, seats=3, bots=["greedy"])
    join(house.url, table, "Bob")
    expect(ann.page.get_by_text("Bob is away. You need not wait:")).to_be_visible()
    ann.axe("a lobby where somebody is away")
    ann.button("Start; a bot plays for Bob until Bob is back").click()
    expect(ann.table).to_be_visible()
    seats = call(f"{house.url}/api/tables/{table}")[1]["seats"]
    assert [(s["name"], s["standin"]) for s in seats if s["who"] == "person"] == [("Ann", False), ("Bob", True)]


def test_the_face_that_is_shown_is_the_face_one_gets(house: House, guest: Make) -> None:
    """Chosen or not, named or not, in a game of one's own, at a friend's table, and in the lesson."""

    def shown(who: Guest) -> str:
        return who.page.get_by_role("button", name="Change face").inner_text().splitlines()[0]

    def got(table: str, seat: int) -> str:
        face = call(f"{house.url}/api/tables/{table}")[1]["seats"][seat]["avatar"]
        return str(face).replace("_", " ").capitalize()

    ann, bob = guest(), guest()
    ann.go()
    face = shown(ann)
    ann.button("Open the table").click()
    expect(ann.button("Start the game")).to_be_visible()
    table = ann.page.url.rsplit("/", 1)[1]
    assert got(table, 0) == shown(ann) == face

    ann.page.get_by_role("combobox", name="Who sits on seat 2").select_option("")
    bob.go(f"/t/{table}")
    other = shown(bob)
    bob.button("Sit down").click()
    expect(bob.button("I am ready")).to_be_visible()
    assert got(table, 1) == shown(bob) == other != face

    ann.go()
    ann.page.get_by_role("textbox", name="Your name").fill("Annabel")
    assert shown(ann) == face  # kept
    ann.button("Show me how").click()
    expect(ann.table).to_be_visible()
    assert got(ann.page.url.rsplit("/", 1)[1], 0) == face


def test_the_host_has_a_face_and_frees_a_seat_but_asks_before_if_somebody_sits_there(house: House, guest: Make) -> None:
    ann, table = host_of(house, guest, seats=3)
    face = ann.page.get_by_role("button", name="Change face")
    face.click()
    ann.page.get_by_title("Owl").click()
    ann.axe("faces to choose from")
    expect(ann.page.get_by_role("button", name="Owl")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("radiogroup", name="Your face")).to_have_count(0)
    assert call(f"{house.url}/api/tables/{table}")[1]["seats"][0]["avatar"] == "owl"

    bob = guest()
    ticket = join(house.url, table, "Bob")
    bob._first(f"kickdoor.seat.{table}", ticket["token"])
    bob.go(f"/t/{table}")
    expect(bob.button("I am ready")).to_be_visible()
    expect(ann.page.get_by_text("not ready yet")).to_be_visible()
    seat = ann.page.get_by_role("combobox", name="Who sits on seat 2")
    seat.select_option(label="Free the seat")
    asked = ann.page.get_by_role("alertdialog", name="Free the seat of Bob?")
    asked.get_by_role("button", name="No", exact=True).click()
    expect(seat.locator("option:checked")).to_have_text("A friend")
    seat.select_option(label="Greedy")
    expect(asked).to_be_visible()

    # while she is asked, the seat is freed from her other device: nobody is there to be asked about
    key = f"kickdoor.seat.{table}"
    other = guest()
    other._first(key, ann.page.evaluate("key => localStorage.getItem(key)", key))
    other.go(f"/t/{table}")
    other.page.get_by_role("combobox", name="Who sits on seat 2").select_option(label="Free the seat")
    other.page.get_by_role("alertdialog").get_by_role("button", name="Yes, free the seat").click()
    expect(bob.button("Watch instead")).to_be_visible()
    expect(ann.page.get_by_text("bot, Greedy")).to_be_visible()
    expect(ann.page.get_by_role("alertdialog")).to_have_count(0)


def test_a_set_is_looked_into_and_what_cannot_be_played_is_refused_at_its_checkbox_with_what_to_add(
    guest: Make,
) -> None:
    ann = guest()
    page = ann.go()
    page.get_by_text("Mix boxes, add sets").click()
    look = ann.button("Look into Demented Dungeons")
    look.focus()
    page.keyboard.press("Enter")
    box = ann.dialog("Demented Dungeons")
    for words in ("Joe's Discount Dungeon", "Every monster is worth one Treasure more.", "20 Dungeons"):
        expect(box.get_by_text(words).first).to_be_visible()
    ann.axe("a look into a set")
    box.get_by_role("button", name="Rule PORTAL-16").click()
    expect(ann.dialog("The rules").get_by_text("take about 150 from the top")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(look).to_be_focused()
    dungeons = page.get_by_role("checkbox", name="Demented Dungeons")
    expect(dungeons).not_to_be_checked()
    look.press("Enter")
    box.get_by_role("button", name="Shuffle it in").click()
    expect(box).to_be_hidden()
    expect(dungeons).to_be_checked()
    dungeons.uncheck()
    expect(dungeons).not_to_be_checked()

    axe, classic = (
        page.get_by_role("checkbox", name="Unnatural Axe"),
        page.get_by_role("checkbox", name=re.compile("^Classic")),
    )
    axe.click()
    expect(axe).to_be_checked()
    classic.click()
    expect(page.get_by_text("Unnatural Axe without a base set is too small a game. Add a box.")).to_be_visible()
    expect(classic).to_be_checked()
    ann.button("Add Classic").click()
    expect(page.get_by_text("too small a game")).to_have_count(0)
    page.get_by_role("combobox", name="Seats").select_option("8")
    expect(page.get_by_text("This game is for 3 to 6 players, not 8.")).to_be_visible()
    ann.axe("obstacles")
    ann.button("Up to eight may play").click()
    expect(page.get_by_text("This game is for 3 to 6 players")).to_have_count(0)


def said(books: Locator, how: str, what: str) -> Locator:
    """A line of what the books recommend, and whether it is so."""
    return books.get_by_role("listitem").filter(has_text=re.compile(f"{how}:\\s*{what}"))


def test_by_the_book_is_one_tap_with_each_rule_a_tap_away_and_so_is_an_evening(house: House, guest: Make) -> None:
    mix = {"packs": ["classic", "cwbh"], "house": ["all_cards"]}
    ann, table = host_of(house, guest, seats=4, bots=["greedy"] * 3, options=mix)
    books = ann.page.get_by_role("region", name="The books on this mix")
    expect(said(books, "not so here", "Use 1/3 of the Doors")).to_be_visible()
    expect(said(books, "up to you", "Cheat With Both Hands is meant for two sets")).to_be_visible()
    books.get_by_role("button", name="Rule DECK-5").click()
    expect(ann.dialog("The rules").get_by_text("take a third of the Cheat With Both Hands Doors")).to_be_visible()
    ann.page.keyboard.press("Escape")
    ann.axe("what the books say of a mix")
    books.get_by_role("button", name="By the book").click()
    expect(said(books, "done", "Use 1/3 of the Doors")).to_be_visible()
    expect(books.get_by_text("By the book: 1 thing set.")).to_be_visible()
    assert call(f"{house.url}/api/tables/{table}")[1]["house"] == []

    evening = ann.button(re.compile("^The Whole Shelf"))
    expect(evening).to_have_attribute("aria-pressed", "false")
    evening.press("Enter")
    expect(evening).to_have_attribute("aria-pressed", "true")
    expect(said(books, "done", "Among")).to_be_visible()
    told = call(f"{house.url}/api/tables/{table}")[1]
    assert told["options"]["rules"] == {"dungeons.portal_block": 150, "decks.piles": "reserve"}
    assert told["house"] == ["faster"]
    assert not told["obstacles"]
    ann.axe("the whole shelf")


def test_who_is_no_host_reads_what_is_on_the_table(house: House, guest: Make) -> None:
    table = new_table(house.url, seats=4, options={"packs": ["bites", "unnatural_axe"]})["table"]
    bob = guest()
    ticket = join(house.url, table, "Bob")
    bob._first(f"kickdoor.seat.{table}", ticket["token"])
    bob.go(f"/t/{table}")
    expect(bob.page.get_by_text("Unnatural Axe goes with anything, but best with classic.")).to_be_visible()
    bob.button("Unnatural Axe").click()
    expect(bob.dialog("Unnatural Axe").get_by_text("Cute Shoulder Dragon")).to_be_visible()
