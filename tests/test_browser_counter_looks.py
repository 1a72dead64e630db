"""The counter's screens, judged by geometry like the table's (tests/looking.py). `make looks` leaves pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from browsing import OFFLINE, Guest
from counting import Counted
from looking import ALL, SIZES, at_sizes, file_name, resized, told

Make = Callable[..., Guest]
Go = Callable[[Guest], None]
QUICK: Final = [(360, 640), (640, 360), (1366, 650)]  # for every day
FOUR: Final = ("Ann", "Bob", "Cid", "Dorothea the Unready")
EIGHT: Final = (*FOUR, "Eleonora", "Fritz", "Gwendolyn of Nine Hills", "Hu")


# -- tables ---------------------------------------------------------------------------------------------------------


def evening(*names: str) -> Counted:
    """An hour in: Levels, gear and cards before everybody."""
    t = Counted(*(names or FOUR))
    for i, _ in enumerate(names or FOUR):
        t.level(f"s{i}", (3, 6, 1, 4, 2, 7, 5, 8)[i])
        t.tap("gear", sheet=f"s{i}", by=(0, 5, 2, 3, 1, 6, 0, 2)[i])
    for card in ("Elf", "Wizard", "Helm of Courage", "Boots of Running Really Fast", "Eleven-Foot Pole"):
        t.card(card)
    t.card("Dwarf", "s1").card("Warrior", "s1").card("Broad Sword", "s2").card(
        "Singing & Dancing Sword", "s2", "carried"
    )
    return t.tap("turn", sheet="s0")


def winning() -> Counted:
    return evening().fight("s1", "Maul Rat", helper="s3")


def losing() -> Counted:
    """Two monsters with long names, an enhancer, a one-shot, a helper: as much as one fight has."""
    t = evening().fight("s0", "Unspeakably Awful Indescribable Horror", "Shrieking Geek", helper="s2")
    foe = next(x["thing"] for x in t.taps if x.get("place") == "foe")
    t.thing("Intelligent", "on_foe", card="Intelligent", fight="f1", on=foe)
    t.thing("Cotion of Ponfusion", "munchkins", card="Cotion of Ponfusion", fight="f1")
    return t.tap("swing", fight="f1", side="munchkins", by=2)


def over() -> Counted:
    t = evening()
    for sheet, by in (("s1", 1), ("s0", 2), ("s2", 3), ("s0", -1), ("s1", 1), ("s3", 2), ("s1", 1)):
        t.level(sheet, by)
    return t.tap("died", sheet="s2").tap("over", winners=["s1"])


# -- how one gets there ---------------------------------------------------------------------------------------------


def tab(name: str) -> Go:
    def go(ann: Guest) -> None:
        bar = ann.page.get_by_role("navigation", name="Counter")
        bar.get_by_role("button", name=re.compile(f"^{name}")).click()

    return go


def there(ann: Guest) -> None:
    expect(
        ann.page.get_by_role("list", name="Who plays").or_(ann.page.get_by_role("region").first).first
    ).to_be_visible()
    expect(ann.page.locator("header .sync.on")).to_be_visible()


def at(table: Callable[[], Counted], *steps: Go) -> Go:
    def go(ann: Guest) -> None:
        table().opened(ann)
        there(ann)
        for step in steps:
            step(ann)

    return go


def press(name: str | re.Pattern[str]) -> Go:
    return lambda ann: ann.button(name).first.click()


def dialog(ann: Guest) -> None:
    expect(ann.page.get_by_role("dialog")).to_be_visible()


def letters(text: str) -> Go:
    def go(ann: Guest) -> None:
        box = ann.page.get_by_role("dialog")
        box.get_by_role("searchbox").fill(text)
        expect(box.get_by_role("list", name="Cards found").get_by_role("button").first).to_be_visible()

    return go


def says(what: str) -> Go:
    return lambda ann: expect(ann.page.get_by_text(re.compile(what)).first).to_be_visible()


def caught(ann: Guest) -> None:
    ann.button("Run away").click()
    ann.button("Ann threw a 1").first.click()
    says("Bad Stuff")(ann)


def start(ann: Guest) -> None:
    ann.go("/counter")
    expect(ann.button("Begin")).to_be_visible()


def known(ann: Guest) -> None:
    """One has been here before."""
    over().opened(ann)
    expect(ann.button("Once more, same people")).to_be_visible()
    start(ann)
    says("won by Bob")(ann)


def joining(ann: Guest) -> None:
    ann.go(evening().brought(ann.house))
    expect(ann.button("Sit down")).to_be_visible()


def offline(ann: Guest) -> None:
    ann.context.set_offline(True)
    ann.button("Level plus 1").click()
    says("^Offline, 1 tap waits")(ann)


def apart(ann: Guest) -> None:
    """A fight without a line, with conditions to tick."""
    expect(ann.page.get_by_role("region", name="The fight")).to_be_visible()
    ann.context.set_offline(True)
    ann.button("Monsters plus 1 at once").or_(ann.button("Munchkins plus 1 at once")).first.click()
    expect(ann.page.get_by_role("heading", name="Does it count?")).to_be_visible()


def asked(ann: Guest) -> None:
    ann.page.get_by_role("searchbox").fill("two big items")
    ann.button("Search").click()
    expect(ann.page.get_by_role("region", name="Rules").get_by_role("listitem").first).to_be_visible()


FIGHT: Final = (tab("Fight"), says("^What would help|wins,|win,"))
LOOKS: Final[dict[str, Go]] = {
    "start": start,
    "start, been here before": known,
    "whose phone": joining,
    "a sheet": at(lambda: evening().tap("device", sheet="s0")),
    "eight seats": at(lambda: evening(*EIGHT)),
    "a card by name": at(evening, press("Card by name"), letters("hel")),
    "a card that is not allowed": at(
        evening, press("Card by name"), letters("dag"), press(re.compile("^Dagger of Treachery")), says("all the same")
    ),
    "a fight won": at(winning, *FIGHT),
    "a fight lost": at(losing, *FIGHT),
    "whose fight": at(losing, *FIGHT, press(re.compile("somebody else fights$")), dialog),
    "running away": at(losing, *FIGHT, caught),
    "no line": at(evening, offline),
    "a fight without a line": at(losing, *FIGHT, apart),
    "dice": at(evening, tab("Dice"), press("Roll")),
    "rules": at(evening, tab("Rules"), asked),
    "log": at(losing, tab("Log")),
    "the table": at(evening, press("Menu"), dialog),
    "invite": at(evening, press("Invite phones"), dialog),
    "a person": at(evening, press("Ann: name, face, colour, sex"), dialog),
    "this phone": at(evening, press("Menu"), press("This phone"), dialog),
    "the end": at(over),
}
FEW: Final = ("start", "a sheet", "eight seats", "a fight lost", "running away", "a fight without a line", "the end")


def screens() -> Iterator[tuple[int, int]]:
    return (s for s in SIZES if ALL or s in QUICK)


@pytest.mark.parametrize("look", [x for x in LOOKS if ALL or x in FEW], ids=file_name)
def test_nothing_is_cut_off_covered_or_outside(guest: Make, look: str) -> None:
    name = f"counter {look}"
    sizes = list(screens())
    ann = guest(size=dict(zip(("width", "height"), sizes[0], strict=True)), forgive=OFFLINE, worker="line" in look)
    LOOKS[look](ann)
    flaws = at_sizes(ann, name, sizes)
    if ALL:
        (Path(ALL) / f"{file_name(name)}.txt").write_text(told(flaws) + "\n", encoding="utf-8")
        resized(ann, sizes[0])
        ann.axe(name)
    assert not flaws, f"{len(flaws)} flaws:\n{told(flaws)}"
