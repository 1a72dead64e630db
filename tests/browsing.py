"""A real Chromium for tests: guests, each with a browser of their own, who notice everything that goes wrong in it."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, WebSocket, expect, sync_playwright

from serving import Server, call
from staging import Stage

ROOT = Path(__file__).parent.parent
# The first is Chromium without the parts that nobody sees in a test: a third less work for the same page.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = ("--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--disable-background-networking", "--no-first-run")
# Milliseconds. Two busy cores are slow, and a shared machine may stand still for a minute; waiting ends as soon as
# there is something to see.
PATIENCE = 180_000
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
COLOURS = ("color-contrast", "link-in-text-block")  # the rules of axe that a colour scheme may break
SIZED = ("scrollable-region-focusable",)  # the one that a smaller window may break in the same page
# Said by the browser itself about answers that are a clear no; the page shows them to the person.
REFUSED = r"Failed to load resource: the server responded with a status of 4\d\d"

# A browser that has no service worker in time.
UNKEPT = "if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});"

# What costs most to paint and changes neither where anything is nor what it says: grain, gradients and shadows. They
# are left out unless somebody judges colours (`Guest.axe`), weighs the page or takes pictures of it.
UNADORNED = """{
  const plain = new CSSStyleSheet();
  plain.replaceSync(`*, ::before, ::after {
    background-image: none !important; box-shadow: none !important; text-shadow: none !important;
  }`);
  document.adoptedStyleSheets = [plain];
}"""


def needed() -> bool:
    return os.environ.get("KICKDOOR_BROWSER_TESTS") == "required"


def without(reason: str) -> Any:
    """No browser test is possible: skipped, or failed where they are required."""
    if needed():
        pytest.fail(f"{reason} (KICKDOOR_BROWSER_TESTS=required)", pytrace=False)
    pytest.skip(reason)


def chromium_path() -> str:
    named = os.environ.get("KICKDOOR_CHROMIUM", "")
    if named and not shutil.which(named):
        without(f"KICKDOOR_CHROMIUM is {named!r}, which cannot be run")
    found = next((p for p in map(shutil.which, (named, *NAMES) if named else NAMES) if p), None)
    if found is None:
        without(f"no Chromium: none of {', '.join(NAMES)} on the PATH; KICKDOOR_CHROMIUM may name one")
    return str(found)


def built() -> None:
    """The browser's files are there, or are made now."""
    from kickdoor.server.website import STATIC

    if (STATIC / "index.html").is_file():
        return
    try:
        import importlib.util

        spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.build()
    except Exception as e:
        without(f"the browser table is not built, and cannot be: {str(e)[:500]}. Try: make web")


@contextmanager
def chromium() -> Iterator[Browser]:
    path = chromium_path()
    built()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=path, args=list(ARGS), chromium_sandbox=False)
        yield browser
        browser.close()


# What a browser has to say when its line is cut, and when it looks for a newer worker meanwhile.
OFFLINE: Final = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_FAILED",
    "WebSocket connection to .* failed",
    "error occurred when fetching the script",
)


class House:
    """A server whose journal the tests can lay tables into."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Server("--data", str(folder))

    @property
    def url(self) -> str:
        return self.server.url

    def lay(self, stage: Stage) -> Stage:
        return stage.lay(self.folder / "journal.sqlite")

    def read_up(self) -> None:
        """Wait until it has read all sets: on a busy machine that takes longer than it would let a guest wait."""
        end = time.monotonic() + PATIENCE / 1000 * 3
        while call(f"{self.url}/api/about")[0] != 200:
            assert time.monotonic() < end, "the server does not come to reading its sets"


class Guest:
    """A person with a browser. Whatever goes wrong in the page is remembered, and told by `check`."""

    def __init__(
        self,
        browser: Browser,
        house: House,
        *,
        size: dict[str, int] | None = None,
        touch: bool = False,
        dark: bool = False,
        motion: bool = False,
        guide: bool = False,
        scenes: str = "off",
        forgive: Sequence[str] = (),
        locale: str = "en-GB",
        worker: bool = False,
        drawn: bool = False,
    ) -> None:
        self.house = house
        self.forgive = list(forgive)
        self.problems: list[str] = []
        self.scheme: Literal["light", "dark"] = "dark" if dark else "light"
        self.context = browser.new_context(
            viewport=size or DESKTOP,  # type: ignore[arg-type]
            has_touch=touch,
            is_mobile=touch,
            color_scheme=self.scheme,
            reduced_motion="no-preference" if motion else "reduce",
            locale=locale,
        )
        self.context.set_default_timeout(PATIENCE)
        self._first("kickdoor.settings", json.dumps({"guide": guide, "sound": False, "scenes": scenes}))
        self.context.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('CSP', e.violatedDirective, e.blockedURI))"
        )
        if not worker:  # it fetches the whole page beforehand, which only those need who lose their line or walk far
            self.context.add_init_script(UNKEPT)
        if not (drawn or worker or os.environ.get("KICKDOOR_LOOKS")):
            self.context.add_init_script(UNADORNED)
        self.page = self.context.new_page()
        self._watch(self.page)

    def as_drawn(self) -> None:
        """From now on this page is painted as it is for everybody, with grain, gradients and shadows."""
        self.page.evaluate("document.adoptedStyleSheets = []")

    def axe(self, where: str, whole: bool = False, dark: bool = True, only: Sequence[str] = ()) -> None:
        """No violation of WCAG A and AA, nor of best practice, as it is shown now; and then in the dark (or, if it was
        dark, in the light, which it stays in) as far as it goes by colours, or `whole`.

        `only` some rules, where the same page has been looked at by all of them.
        """
        self.as_drawn()
        self._look(where, only)
        if dark:
            self.scheme = "light" if self.scheme == "dark" else "dark"
            self.page.emulate_media(color_scheme=self.scheme)
            self._look(where, () if whole else COLOURS)

    def _look(self, where: str, only: Sequence[str]) -> None:
        told = [
            f"{v['id']}: {n['html'][:160]} {n.get('failureSummary', '')[:300]}"
            for v in self._violations(only)
            for n in v["nodes"]
        ]
        assert not told, f"{where} ({self.scheme}): " + "\n".join(told[:8])

    def _violations(self, only: Sequence[str]) -> list[dict[str, Any]]:
        """What axe complains about. It is read once by a page; what it is content with is not described nor sent."""
        if not self.page.evaluate("typeof axe === 'object'"):
            self.page.evaluate(AXE_SCRIPT)
        # nothing is fetched beforehand: that is for rules on sound and orientation, which look at nothing that is here
        options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
        if only:
            options["runOnly"] = {"type": "rule", "values": list(only)}
        found: list[dict[str, Any]] = self.page.evaluate("o => axe.run(document, o).then(r => r.violations)", options)
        return found

    def _first(self, key: str, value: str) -> None:
        """Something this browser remembers from an earlier visit."""
        key, value = json.dumps(key), json.dumps(value)
        self.context.add_init_script(f"if (localStorage.getItem({key}) === null) localStorage.setItem({key}, {value})")

    def _watch(self, page: Page) -> None:
        def console(m: ConsoleMessage) -> None:
            if m.type in ("error", "warning"):
                self.problems.append(f"console {m.type}: {m.text} {m.location.get('url', '')}".rstrip())

        def asked(url: str) -> None:
            if not re.match(r"(data|blob):", url) and url.split("://", 1)[-1].split("/")[0] != self.house.url[7:]:
                self.problems.append(f"a request to {url}")

        def requested(r: Request) -> None:
            asked(r.url)

        def dialled(w: WebSocket) -> None:
            asked(w.url)

        page.on("console", console)
        page.on("pageerror", lambda e: self.problems.append(f"error: {e}"))
        page.on("request", requested)
        page.on("websocket", dialled)

    def check(self) -> None:
        bad = [p for p in self.problems if not any(re.search(f, p) for f in self.forgive)]
        assert not bad, bad

    # -- where ----------------------------------------------------------------------------------------------------

    def go(self, path: str = "/") -> Page:
        self.page.goto(f"{self.house.url}{path}")
        return self.page

    def seat(self, stage: Stage, seat: int = 0) -> None:
        """The browser has the token of a seat."""
        self._first(f"kickdoor.seat.{stage.id}", stage.tokens[seat])

    def sit(self, stage: Stage, seat: int = 0) -> Page:
        """At a table that was laid, with the seat's token in the browser."""
        self.seat(stage, seat)
        self.go(f"/t/{stage.id}")
        expect(self.table).to_be_visible()
        return self.page

    # -- what a person sees -----------------------------------------------------------------------------------------

    def button(self, name: str | re.Pattern[str], exact: bool = True) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    @property
    def table(self) -> Locator:
        return self.page.get_by_role("main", name="The table")

    @property
    def hand(self) -> Locator:
        """The cards in my hand."""
        return self.page.get_by_role("list", name="Your hand").locator("button[data-card]")

    def cards(self) -> list[str]:
        """Their numbers, when they have been dealt."""
        expect(self.hand.first).to_be_visible()
        return [str(x) for x in self.hand.evaluate_all("all => all.map(x => x.dataset.card)")]

    def card(self, number: int) -> Locator:
        return self.page.locator(f"button[data-card='{number}'][aria-pressed]")

    @property
    def primary(self) -> Locator:
        return self.page.get_by_role("group", name="What you can do").locator("button[aria-keyshortcuts=Space]")

    @property
    def question(self) -> Locator:
        return self.page.get_by_role("region", name="You are asked")

    @property
    def fight(self) -> Locator:
        return self.page.get_by_role("region", name="The fight")

    @property
    def offers(self) -> Locator:
        return self.page.get_by_role("list", name="Offers")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log", name="What happened")

    @property
    def end(self) -> Locator:
        return self.page.get_by_role("region", name="The end")

    @property
    def replay(self) -> Locator:
        """The buttons of a replay."""
        return self.page.get_by_label("Replay", exact=True)

    def dialog(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("dialog", name=name)

    def menu(self, item: str) -> None:
        """Something out of the menu."""
        self.button("Menu").click()
        self.page.get_by_role("dialog").get_by_role("button", name=item, exact=True).click()

    def ask_for_help(self, whom: str) -> Locator:
        """The deal, to be put together."""
        self.button(re.compile("^Ask for help")).click()
        bar = self.page.get_by_role("group", name="What you can do")
        bar.get_by_role("button", name=re.compile(f"^{whom}")).click()
        deal = self.dialog(f"A deal with {whom}")
        expect(deal.get_by_role("button", name="1", exact=True)).to_be_visible()
        return deal

    def fits(self) -> None:
        """Nothing to scroll sideways."""
        wide, seen = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= seen, f"the page is {wide} px wide on a screen of {seen}"

    def play_on(self, done: Locator, steps: int = 400) -> int:
        """Do what is asked, by the big button and the answers offered, until something is to be seen."""
        page = self.page
        sheet = page.get_by_role("dialog")
        end = sheet.get_by_role("button", name=re.compile("Give (it|them) away|Discard (it|them)|that is the offer"))
        thing = sheet.locator("button.thing:enabled")
        offer = self.offers.get_by_role("button", name="Decline")
        answer = self.question.locator("button[data-option]:enabled")
        charity = self.button("Charity")
        ready = self.page.locator("button[aria-keyshortcuts=Space]:enabled")
        any_of = done.or_(end).or_(offer).or_(answer).or_(ready).or_(charity)
        for step in range(steps):
            expect(any_of.first).to_be_visible()
            if done.is_visible():
                return step
            for button in (end.and_(page.locator(":enabled")), thing, offer, answer, ready, charity):
                if button.first.is_visible():
                    try:
                        button.first.click(timeout=2000)
                    except Exception:  # gone meanwhile: look again
                        break
                    break
        raise AssertionError("it does not come to an end")
