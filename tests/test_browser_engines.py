"""The same table in Firefox and WebKit, where the system has them: a game is begun and played, a few screens judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from urllib.parse import quote

import pytest

import engines
from browsing import House
from engines import Engine
from looking import ALL, FAULTS, JUDGE, SETTLED, Flaw, laid, named, picture_of, told, unlike

SCREENS = ("a fight of five with enhancers and a helper", "eight players with long names")
SIZES = ((1366, 650), (1920, 1080), (820, 1180), (360, 640))


def opened(name: str) -> AbstractContextManager[Engine]:
    """That browser, or a reason why it is not looked at here."""
    if name == "firefox":
        if engines.firefox_path() is None:
            pytest.skip("no Firefox here; Debian's package is firefox-esr")
        return engines.firefox()
    missing = engines.webkit_missing()
    if missing:
        pytest.skip(f"no {', '.join(missing)} here; Debian's packages are webkit2gtk-driver and xvfb")
    return engines.webkit()


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with opened(request.param) as browser:
        yield browser


SETTINGS = json.dumps({"guide": False, "sound": False, "motion": "off"})
REMEMBER = "(k, v) => { localStorage.setItem(k, v); return true; }"
# What a press of the big button changes: a line of the log, or, where somebody only lets something happen, the button.
SEEN = """() => [document.querySelectorAll('[role=log] p').length,
                 document.querySelector('button[aria-keyshortcuts=Space]')?.innerText].join()"""


def fresh(engine: Engine, house: House) -> None:
    """Somebody whose browser knows what he likes, and nothing else."""
    engine.resize(1366, 768)
    engine.go(f"{house.url}/about")
    engine.evaluate("() => localStorage.clear()")
    engine.evaluate(REMEMBER, "kickdoor.settings", SETTINGS)


def test_the_judge_finds_every_kind_of_fault_and_nothing_else(engine: Engine) -> None:
    engine.resize(800, 900)
    engine.go("data:text/html;charset=utf-8," + quote(FAULTS))
    assert not unlike(engine.evaluate(JUDGE))


def test_a_game_is_begun_and_played(engine: Engine, house: House) -> None:
    fresh(engine, house)
    engine.go(house.url)
    engine.click("input[autocomplete=nickname], input[name=name], main input")
    engine.write("Ann")
    engine.click("button", "Open the table")
    engine.click("button", "Start the game")
    engine.until("() => document.querySelectorAll('[data-card][aria-pressed]').length >= 4")
    for _ in range(3):
        before = engine.evaluate(SEEN)
        engine.click("button[aria-keyshortcuts=Space]")
        engine.until(f"(old) => ({SEEN})() !== old", before)


@pytest.mark.parametrize("name", SCREENS if ALL else (), ids=lambda x: x.replace(" ", "_"))
def test_nothing_is_cut_off_covered_or_outside(engine: Engine, house: House, name: str) -> None:
    stage = laid(house, name)
    fresh(engine, house)
    engine.evaluate(REMEMBER, f"kickdoor.seat.{stage.id}", stage.tokens[0])
    engine.go(f"{house.url}/t/{stage.id}")
    engine.until("() => document.querySelector('[data-card][aria-pressed]') !== null")
    flaws = []
    for size in SIZES:
        engine.resize(*size)
        engine.rest()
        engine.until("() => !document.querySelector('.hover')")
        engine.evaluate(SETTLED)
        found = engine.evaluate(JUDGE)
        flaws += [Flaw(name, named(size), **{k: f[k] for k in Flaw._fields[2:]}) for f in found]
        if ALL:
            engine.picture(picture_of(f"{named(size)}-{engine.name}", name))
    assert not flaws, f"{engine.name}: {len(flaws)} flaws:\n{told(flaws)}"
