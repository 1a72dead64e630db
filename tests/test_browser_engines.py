"""The same table in Firefox and WebKit, where the system has them: a game is begun and played, a few screens judged."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest

import engines
from browsing import House
from engines import Engine, EngineGone, surviving
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


@surviving
def test_the_judge_finds_every_kind_of_fault_and_nothing_else(engine: Engine) -> None:
    engine.resize(800, 900)
    engine.go("data:text/html;charset=utf-8," + quote(FAULTS))
    assert not unlike(engine.evaluate(JUDGE))


@surviving
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
@surviving
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


@contextmanager
def slowed(url: str, part: str, seconds: float) -> Iterator[str]:
    """The same site over a line on which one part of it, and what is gone to next, take their time."""

    class Line(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(seconds if part in self.path else seconds / 4 if self.path == "/" else 0)
            with suppress(OSError), urllib.request.urlopen(url + self.path) as answer:
                body = answer.read()
                self.send_response(200)
                self.send_header("Content-Type", answer.headers["Content-Type"])
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Line)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@surviving
def test_who_leaves_before_all_of_a_page_is_there_gets_where_he_goes(engine: Engine, house: House) -> None:
    """WebKit gives up the part that was on its way, which looks as if a newer version had taken it away."""
    with slowed(house.url, "/assets/About", 4.0) as url:
        engine.go(f"{url}/about")
        engine.go(f"{url}/")
        engine.until("() => document.querySelector('main input') !== null")
        assert engine.evaluate("() => location.pathname") == "/"


class Fragile(engines.WebKit):
    """A browser that crashes as often as it is told to."""

    def __init__(self, crashes: int) -> None:
        self.crashes, self.opened = crashes, 1

    def reopen(self) -> None:
        self.opened += 1

    def go(self, url: str) -> None:
        if self.opened <= self.crashes:
            raise EngineGone(url)


@pytest.mark.parametrize("crashes", [0, 1, 2])
def test_a_browser_that_crashes_is_opened_once_more_and_not_twice(crashes: int) -> None:
    browser = Fragile(crashes)
    visit = surviving(lambda *, engine: engine.go("/"))
    if crashes < 2:
        visit(engine=browser)
    else:
        with pytest.raises(EngineGone):
            visit(engine=browser)
    assert browser.opened == min(crashes + 1, 2)
