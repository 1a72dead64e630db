"""Looking at the page as a player would, on every size of window: by geometry, in one script inside the page.

`looks/judge.js` says what may not be; `looks/positions.yaml` what is looked at. `make looks` looks at everything and
leaves pictures, `tests/test_browser_geometry.py` at a part of it that is quick.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import expect

from browsing import SCHEMES, Guest, House
from laying import Position, positions
from staging import BOT, Stage, staged

HERE: Final = Path(__file__).parent / "looks"
ALL: Final = os.environ.get("KICKDOOR_LOOKS", "")  # a folder: look at everything, and leave pictures there
TOUCH: Final = 900  # windows narrower than this are of phones and tablets


def script(name: str) -> str:
    """A function to be run inside a page, without what it says about itself."""
    return (HERE / name).read_text(encoding="utf-8").split("*/", 1)[1].strip()


JUDGE: Final = script("judge.js")
SETTLED: Final = script("settled.js")
FAULTS: Final = (HERE / "faults.html").read_text(encoding="utf-8")
EVERY: Final = "360x640 640x360 820x1180 1366x650 1280x800 1920x1080 2560x1440"
SIZES: Final = [
    (int(w), int(h)) for w, h in (size.split("x") for size in os.environ.get("KICKDOOR_SIZES", EVERY).split())
]


class Look(NamedTuple):
    """Something to look at: how one gets there, and what waits until it is there."""

    name: str
    open: Callable[[Guest, House], None]


class Flaw(NamedTuple):
    """One thing that is wrong."""

    look: str
    size: str
    kind: str
    where: str
    text: str
    how: str
    times: int


# -- how one gets there ---------------------------------------------------------------------------------------------

POSITIONS: Final = HERE / "positions.yaml"
NAMES: Final = re.findall("^scenario: (.+)$", POSITIONS.read_text(encoding="utf-8"), re.MULTILINE)
_LAID: Final[dict[tuple[str, str], Stage]] = {}


@cache
def scenarios() -> dict[str, Any]:
    """The positions, read when the first is wanted: to collect the tests their names will do."""
    return dict(positions(POSITIONS))


def laid(house: House, name: str) -> Stage:
    """The table of a scenario; laid once for all who look at it."""
    key = (house.url, name)
    if key not in _LAID:
        _LAID[key] = house.lay(Position(scenarios()[name]))
    return _LAID[key]


def over(house: House) -> Stage:
    """A game that has been played to its end."""
    key = (house.url, "over")
    if key not in _LAID:
        _LAID[key] = house.lay(staged(lambda s: s.lively(lambda g: bool(g.winners)), ["Ann"], [BOT, BOT, BOT]))
    return _LAID[key]


def _at(name: str, then: Callable[[Guest], None] | None = None) -> Callable[[Guest, House], None]:
    def go(ann: Guest, house: House) -> None:
        ann.sit(laid(house, name))
        ann.cards()
        _put_notes_away(ann)
        if then is not None:
            then(ann)

    return go


def _put_notes_away(ann: Guest) -> None:
    """What a slow server had to say while it fetched the table: notes lie over things until they are put away."""
    ann.page.evaluate("document.querySelectorAll('.notes button').forEach(b => b.click())")


def _dialog(ann: Guest) -> None:
    expect(ann.page.get_by_role("dialog")).to_be_visible()


def _asking_for_help(ann: Guest) -> None:
    ann.button(re.compile("^Ask for help")).click()
    bar = ann.page.get_by_role("group", name="What you can do")
    expect(bar.get_by_role("button", name=re.compile("^Bob"))).to_be_visible()


def _deal(ann: Guest) -> None:
    ann.ask_for_help("Bob")


def _act(name: str) -> Callable[[Guest], None]:
    """Something out of the list of all moves, which every button leads to as well."""

    def then(ann: Guest) -> None:
        ann.page.keyboard.press("m")
        moves = ann.dialog("Everything you can do")
        expect(moves).to_be_visible()
        moves.get_by_role("button", name=re.compile(name)).first.click()
        expect(moves).to_be_hidden()
        _dialog(ann)

    return then


def _card_menu(ann: Guest) -> None:
    ann.hand.first.press("Enter")
    expect(ann.page.get_by_role("region", name=re.compile("^What to do with"))).to_be_visible()


def _zoom(ann: Guest) -> None:
    ann.hand.first.focus()
    ann.page.keyboard.press("z")
    _dialog(ann)


def _sheet(item: str) -> Callable[[Guest], None]:
    def then(ann: Guest) -> None:
        ann.menu(item)
        _dialog(ann)

    return then


def _menu(ann: Guest) -> None:
    ann.button("Menu").click()
    _dialog(ann)


def _home(ann: Guest, house: House) -> None:
    page = ann.go()
    expect(page.get_by_role("heading", name="Make a table")).to_be_visible()


def _lobby(ann: Guest, house: House) -> None:
    page = ann.go()
    page.get_by_role("textbox", name="Your name").fill("Annabella Rosamundis XIV")
    ann.button("Open the table").click()
    expect(ann.button("Start the game")).to_be_visible()


def _shelf(ann: Guest, house: House) -> None:
    """Everything that stands on the shelf, on the table: an evening of all sets, and the books on it."""
    _lobby(ann, house)
    ann.button(re.compile("^The Whole Shelf")).click()
    expect(ann.page.get_by_text("By the book")).to_be_visible()
    ann.page.get_by_text("Mix boxes, add sets").click()
    expect(ann.page.get_by_role("checkbox", name="Demented Dungeons")).to_be_checked()


def _inside(pack: str) -> Callable[[Guest, House], None]:
    def then(ann: Guest, house: House) -> None:
        _home(ann, house)
        ann.page.get_by_text("Mix boxes, add sets").click()
        ann.button(f"Look into {pack}").click()
        _dialog(ann)
        expect(ann.page.get_by_role("heading", name="In a mix")).to_be_visible()

    return then


def _end(ann: Guest, house: House) -> None:
    ann.sit(over(house))
    expect(ann.end).to_be_visible()


def _replay(ann: Guest, house: House) -> None:
    ann.go(f"/t/{over(house).id}/replay#40")
    expect(ann.replay.get_by_text(re.compile(r"^40 / \d+$"))).to_be_visible()


def _about(ann: Guest, house: House) -> None:
    page = ann.go("/about")
    expect(page.get_by_role("heading", name="Privacy")).to_be_visible()


def _no_such_table(ann: Guest, house: House) -> None:
    page = ann.go("/t/zzzzzzzzzz")
    expect(page.get_by_role("heading", name="No such table")).to_be_visible()


ONE: Final = "a fight of one, alone"
MANY: Final = "own turn, fifteen cards in hand"
ITEMS: Final = "twelve Items before a seat, and before one's own"

LOOKS: Final = (
    *(Look(name, _at(name)) for name in NAMES),
    Look("whom to ask for help", _at(ONE, _asking_for_help)),
    Look("a deal for help", _at(ONE, _deal)),
    Look("a trade", _at(ITEMS, _act("^Trade with Bob|^Offer Bob a trade|[Tt]rade.*Bob"))),
    Look("a sale", _at(ITEMS, _act("^Sell"))),
    Look("what to do with a card", _at(MANY, _card_menu)),
    Look("a card held close", _at(MANY, _zoom)),
    Look("the menu", _at(MANY, _menu)),
    Look("the settings", _at(MANY, _sheet("Settings"))),
    Look("the rules", _at(MANY, _sheet("Rules"))),
    Look("how to play", _at(MANY, _sheet("How to play"))),
    Look("home", _home),
    Look("lobby", _lobby),
    Look("the shelf", _shelf),
    Look("a look into a box", _inside("Shakespeare")),
    Look("a look into an expansion", _inside("Demented Dungeons")),
    Look("the end", _end),
    Look("a replay", _replay),
    Look("about", _about),
    Look("no such table", _no_such_table),
)


# -- looking --------------------------------------------------------------------------------------------------------


def named(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def file_name(look: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", look)


def picture_of(kind: str, look: str) -> Path:
    """Where the picture of a look goes, when pictures are asked for."""
    folder = Path(ALL) / kind
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{file_name(look)}.png"


def judged(ann: Guest, look: str, size: tuple[int, int]) -> list[Flaw]:
    """What is wrong with the page as it is now."""
    found: list[dict[str, Any]] = ann.page.evaluate(JUDGE)
    return [Flaw(look, named(size), f["kind"], f["where"], f["text"], f["how"], f["times"]) for f in found]


def resized(ann: Guest, size: tuple[int, int]) -> None:
    """Another window; waits until the page has taken it in."""
    ann.page.set_viewport_size({"width": size[0], "height": size[1]})
    ann.page.evaluate(SETTLED)


def at_sizes(ann: Guest, look: str, sizes: list[tuple[int, int]]) -> list[Flaw]:
    """What is wrong in windows of these sizes; where everything is looked at, pictures are left, light and dark."""
    flaws: list[Flaw] = []
    for size in sizes:
        resized(ann, size)
        flaws += judged(ann, look, size)
        if ALL:
            for scheme in SCHEMES:
                ann.page.emulate_media(color_scheme=scheme)
                ann.page.screenshot(path=picture_of(f"{named(size)} {scheme}", look))
            ann.page.emulate_media(color_scheme="light")
    return flaws


def told(flaws: list[Flaw]) -> str:
    """A report for people: look by look, the same fault at several sizes told once."""
    same: dict[tuple[str, str, str], list[Flaw]] = {}
    for f in flaws:
        same.setdefault((f.look, f.kind, f.where), []).append(f)
    out: list[str] = []
    look = ""
    for (name, kind, where), all_ in sorted(same.items()):
        if name != look:
            out.append(f"\n{name}")
            look = name
        first = all_[0]
        quoted = f" “{first.text}”" if first.text else ""
        often = f" ({first.times} times)" if first.times > 1 else ""
        sizes = ", ".join(dict.fromkeys(f.size for f in all_))
        out += [f"  {kind}: {where}{quoted}", f"      {first.how}{often}", f"      at {sizes}"]
    return "\n".join(out)


def unlike(found: list[dict[str, Any]]) -> list[str]:
    """What was found among the planted faults without being there, or was there and not found."""
    planted = set(re.findall(r'id="((?:[a-z]+)-[a-z]+)"', FAULTS))
    got = {(f["kind"], name) for f in found for name in [_planted(f["where"])]}
    missed = [f"{p} was not found" for p in planted if (p.partition("-")[0], p) not in got and p != "overlap-two"]
    return [*missed, *(f"{kind} at {name}" for kind, name in got if name.partition("-")[0] != kind)]


def _planted(where: str) -> str:
    """Which of the planted faults an element belongs to."""
    named = re.findall(r"#([a-z]+-[a-z]+)", where)
    return str(named[-1]) if named else where
