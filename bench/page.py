"""What a page costs the one who opens it, in a real Chromium: bytes, the time to the first card, frames during a game.

    python -m bench.page                 a table of figures, each beside its bar
    python -m bench.page --json          the same for a program
    python -m bench.page --only bytes    or: first, slow, boxes, frames

The server is a real one on loopback. "Slow" is 1.6 Mbit a second with 150 ms there and back, and a processor four times
slower, as Chromium itself plays it. Times are medians of several openings with an empty cache.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page

import browsing
from browsing import Guest, House
from looking import laid
from staging import BOT, Stage, in_a_fight, staged

BOXES: Final = {
    "classic": "a fight of one, alone",
    "bites": "Bites",
    "good_bad": "the Good, the Bad",
    "magical_mess": "the Magical Mess",
    "shakespeare": "Shakespeare",
}
OPENINGS: Final = 5
LINE: Final = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
SLOWER: Final = 4
FRAME: Final = 1000 / 60
FIRST_CARD: Final = """
(() => {
  // when the first card of my hand has been painted, in milliseconds since the page was asked for
  const seen = () => document.querySelector('button[data-card] .name');
  const watch = () => {
    if (!seen()) return requestAnimationFrame(watch);
    requestAnimationFrame(() => setTimeout(() => (window.firstCard = performance.now())));
  };
  requestAnimationFrame(watch);
})();
"""
FRAMES: Final = """
(() => {
  let last = 0;
  window.frames_ = [];
  const next = (t) => { if (last) frames_.push(t - last); last = t; requestAnimationFrame(next); };
  requestAnimationFrame(next);
})();
"""


class Figure(NamedTuple):
    """Something measured, and what it should be at most (or at least)."""

    what: str
    value: float
    unit: str
    bar: float | None = None
    least: bool = False

    @property
    def met(self) -> bool | None:
        if self.bar is None:
            return None
        return self.value >= self.bar if self.least else self.value <= self.bar

    def __str__(self) -> str:
        mark = {None: "", True: "ok", False: "MISSED"}[self.met]
        bar = "" if self.bar is None else f"{'at least' if self.least else 'at most'} {self.bar:g} {self.unit}"
        return f"{self.what:<58} {self.value:>8.2f} {self.unit:<4} {bar:<20} {mark}"


class Wire:
    """Counts what comes over the network, by address."""

    def __init__(self, cdp: CDPSession) -> None:
        self.bytes: dict[str, float] = {}
        self._urls: dict[str, str] = {}
        self._sockets = 0.0
        cdp.send("Network.enable")
        cdp.on("Network.requestWillBeSent", self._asked)
        cdp.on("Network.loadingFinished", self._came)
        cdp.on("Network.webSocketFrameReceived", self._heard)

    def _asked(self, e: dict[str, Any]) -> None:
        self._urls[e["requestId"]] = e["request"]["url"]

    def _came(self, e: dict[str, Any]) -> None:
        url = self._urls.get(e["requestId"], "?")
        self.bytes[url] = self.bytes.get(url, 0) + e["encodedDataLength"]

    def _heard(self, e: dict[str, Any]) -> None:
        self._sockets += len(e["response"]["payloadData"])

    @property
    def total(self) -> float:
        """Kilobytes, as the bars mean them: 1,000 bytes. What comes by socket counts unpacked."""
        return (sum(self.bytes.values()) + self._sockets) / 1000


@contextmanager
def opened(
    browser: Browser, house: House, *, slow: bool = False, motion: bool = False, scenes: str = "off"
) -> Iterator[tuple[Guest, Page, Wire]]:
    """Somebody who has never been here."""
    ann = Guest(browser, house, motion=motion, scenes=scenes, worker=True, drawn=True)
    cdp = ann.context.new_cdp_session(ann.page)
    wire = Wire(cdp)
    cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
    cdp.send("Network.setBypassServiceWorker", {"bypass": True})  # else what goes through it counts as nothing
    if slow:
        cdp.send("Network.emulateNetworkConditions", LINE)
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    ann.context.add_init_script(FIRST_CARD)
    yield ann, ann.page, wire
    ann.context.close()


def first_card(browser: Browser, house: House, stage: Stage, slow: bool, times: int = OPENINGS) -> tuple[float, float]:
    """Seconds until the first card of the hand is there, from the address on, and those of them in which the page's own
    thread worked, whoever else was using the machine: medians."""
    took: list[float] = []
    worked: list[float] = []
    for _ in range(times):
        with opened(browser, house, slow=slow) as (ann, page, _):
            cdp = ann.context.new_cdp_session(page)
            cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
            ann.seat(stage)
            page.goto(f"{house.url}/t/{stage.id}", wait_until="commit")
            page.wait_for_function("() => window.firstCard", timeout=60_000)
            metrics = {m["name"]: m["value"] for m in cdp.send("Performance.getMetrics")["metrics"]}
            took.append(page.evaluate("window.firstCard") / 1000)
            worked.append(metrics["TaskDuration"])
    return statistics.median(took), statistics.median(worked)


def measure_first(browser: Browser, house: House) -> Iterator[Figure]:
    stage = house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    first_card(browser, house, stage, False, 1)  # the server has loaded the table
    took, worked = first_card(browser, house, stage, False)
    yield Figure("first card on screen, loopback", took, "s", 1.0)
    yield Figure("... of that, the page's own work", worked, "s")


def measure_slow(browser: Browser, house: House) -> Iterator[Figure]:
    stage = house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    first_card(browser, house, stage, False, 1)
    took, _ = first_card(browser, house, stage, True, 3)
    yield Figure("first card on screen, 1.6 Mbit, processor / 4", took, "s", 3.0)


def quiet(page: Page, wire: Wire) -> None:
    """Wait until nothing more comes."""
    last = -1.0
    while wire.total != last:
        last = wire.total
        page.wait_for_timeout(1500)


def measure_bytes(browser: Browser, house: House) -> Iterator[Figure]:
    with opened(browser, house) as (ann, page, wire):
        ann.go()
        page.get_by_role("heading", name="Make a table").wait_for()
        quiet(page, wire)
        yield Figure("first load of the front page, over the wire", wire.total, "KB", 500)
    stage = house.lay(staged(in_a_fight, ["Ann", "Bob"], [BOT]))
    with opened(browser, house) as (ann, page, wire):
        ann.sit(stage)
        page.wait_for_function("() => window.firstCard")
        quiet(page, wire)
        yield Figure("first load of a table, pictures and all", wire.total, "KB")
        yield Figure("... without the pictures of its box", wire.total - pictures(wire, "classic"), "KB", 500)


def pictures(wire: Wire, box: str) -> float:
    """Kilobytes of the files with a box's pictures."""
    return sum(n for url, n in wire.bytes.items() if f"/assets/{box}-" in url) / 1000


def measure_boxes(browser: Browser, house: House) -> Iterator[Figure]:
    for box, name in BOXES.items():
        stage = laid(house, name)
        with opened(browser, house) as (ann, page, wire):
            ann.sit(stage)
            page.wait_for_function("() => window.firstCard")
            for _ in range(60):
                if pictures(wire, box):
                    break
                page.wait_for_timeout(500)
            assert pictures(wire, box), f"no file with the pictures of {box} came: {sorted(wire.bytes)}"
            quiet(page, wire)
            yield Figure(f"pictures of {box}", pictures(wire, box), "KB", 400)
            others = sum(pictures(wire, b) for b in BOXES if b != box)
            yield Figure("... and of boxes that are not on this table", others, "KB", 0)


def measure_frames(browser: Browser, house: House) -> Iterator[Figure]:
    """A game with bots, everything moving: how many frames came in time?"""
    stage = house.lay(staged(in_a_fight, ["Ann"], [BOT] * 3))
    with opened(browser, house, motion=True, scenes="full") as (ann, page, _):
        ann.sit(stage)
        page.wait_for_function("() => window.firstCard")
        page.evaluate(FRAMES)
        for _ in range(12):
            ready = page.locator("button[aria-keyshortcuts=Space]:enabled, button[data-option]:enabled").first
            try:
                ready.click(timeout=4000)
            except Exception:  # nobody asks me for anything just now: the game goes on without me
                page.wait_for_timeout(500)
            page.wait_for_timeout(700)
        got: list[float] = page.evaluate("frames_")
    # a frame that came late is one that took more than its 16.7 ms and half of the next
    intime = sum(f < 1.5 * FRAME for f in got) / len(got)
    yield Figure(f"frames in time during a game ({len(got)} frames)", 100 * intime, "%", 95, least=True)
    yield Figure("... the slowest of a hundred", statistics.quantiles(got, n=100)[98], "ms")


MEASURES: Final[dict[str, Callable[[Browser, House], Iterator[Figure]]]] = {
    "bytes": measure_bytes,
    "boxes": measure_boxes,
    "first": measure_first,
    "slow": measure_slow,
    "frames": measure_frames,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=MEASURES, action="append")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    browsing.built()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder, browsing.chromium() as browser:
        house = House(Path(folder))
        with house.server:
            for name in args.only or MEASURES:
                for figure in MEASURES[name](browser, house):
                    figures.append(figure)
                    if not args.json:
                        print(figure, flush=True)
    if args.json:
        print(json.dumps([{**f._asdict(), "met": f.met} for f in figures], indent=2))
    return 1 if any(f.met is False for f in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
