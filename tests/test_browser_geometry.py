"""Nothing is ever cut off, covered or crooked: sizes of windows x positions, judged by geometry (tests/looking.py)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browsing import DESKTOP, SMALL_PHONE, Guest, House
from looking import (
    ALL,
    FAULTS,
    JUDGE,
    LOOKS,
    SIZES,
    TOUCH,
    Look,
    file_name,
    judged,
    named,
    picture_of,
    resized,
    told,
    unlike,
)

Make = Callable[..., Guest]
FEW = (
    "own turn, fifteen cards in hand",
    "twelve Items before a seat, and before one's own",
    "a fight of five with enhancers and a helper",
    "running away from three",
    "the loot is shared out",
    "charity, too many cards",
    "eight players with long names",
    "Epic, twenty levels",
    "whom to ask for help",
    "home",
    "the end",
)


def wanted() -> list[Look]:
    return [x for x in LOOKS if ALL or x.name in FEW]


def screens(look: Look) -> list[tuple[bool, list[tuple[int, int]]]]:
    """Fingers on small screens and a mouse on large ones.

    For every day a mouse everywhere, since that is one page, and only one of the large ones, which share a layout: they
    take turns from look to look, so that every look is seen in every layout and every size is seen.
    """
    small, large = [s for s in SIZES if s[0] < TOUCH], [s for s in SIZES if s[0] >= TOUCH]
    if ALL:
        return [(touch, sizes) for touch, sizes in ((True, small), (False, large)) if sizes]
    turn = FEW.index(look.name) % max(1, len(large))
    return [(False, [*small, *large[turn : turn + 1]])]


def test_the_judge_finds_every_kind_of_fault_and_nothing_else(chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 800, "height": 900})
    page.set_content(FAULTS)
    wrongly_judged = unlike(page.evaluate(JUDGE))
    page.close()
    assert not wrongly_judged


@pytest.mark.parametrize("look", wanted(), ids=lambda x: x.name.replace(" ", "_"))
def test_nothing_is_cut_off_covered_or_outside(house: House, guest: Make, look: Look) -> None:
    flaws = []
    for touch, sizes in screens(look):
        width, height = sizes[-1]
        ann = guest(size={"width": width, "height": height}, touch=touch, forgive=["status of 404"])
        look.open(ann, house)
        for size in reversed(sizes):
            resized(ann, size)
            flaws += judged(ann, look.name, size)
            if ALL:
                ann.page.screenshot(path=picture_of(named(size), look.name))
        ann.context.close()
    if ALL:
        (Path(ALL) / f"{file_name(look.name)}.txt").write_text(told(flaws) + "\n", encoding="utf-8")
    assert not flaws, f"{len(flaws)} flaws:\n{told(flaws)}"


if ALL:  # test_browser_access has the main screens, for every day

    @pytest.mark.parametrize("look", wanted(), ids=lambda x: x.name.replace(" ", "_"))
    def test_axe_finds_nothing(house: House, guest: Make, look: Look) -> None:
        for touch, size in ((False, DESKTOP), (True, SMALL_PHONE)):
            ann = guest(size=size, touch=touch, forgive=["status of 404"])
            look.open(ann, house)
            ann.axe(f"{look.name}, {size['width']} wide", whole=True)
            ann.context.close()
