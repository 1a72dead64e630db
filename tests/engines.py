"""Browsers that are no Chromium, driven over their own standard protocols: no driver to download, what the system's
packages bring is enough.

Firefox speaks WebDriver BiDi over a socket of its own; WebKit (GTK) has `WebKitWebDriver`, WebDriver over HTTP, and
wants a display, for which Xvfb will do. Both come down to the few things a test of a page needs.
"""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, ParamSpec

from websockets.sync.client import ClientConnection, connect

from serving import free_port

P = ParamSpec("P")

PATIENCE = 120.0  # seconds; two busy cores are slow, and waiting ends as soon as there is something
MINI = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
FIREFOX_PREFS = {
    "ui.prefersReducedMotion": 1,
    "app.update.auto": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "remote.active-protocols": 1,
}


class Engine(ABC):
    """A browser with one page open."""

    name = ""

    @abstractmethod
    def go(self, url: str) -> None: ...

    def reopen(self) -> None:
        """Begin anew after the browser itself has ended."""
        raise EngineGone(f"{self.name} has ended")

    @abstractmethod
    def evaluate(self, function: str, *args: Any) -> Any:
        """What a function comes to inside the page; a promise is waited for."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None: ...

    @abstractmethod
    def _act(self, actions: list[dict[str, Any]]) -> None:
        """What hands do, in the words that both protocols share."""

    def click(self, selector: str, text: str = "") -> None:
        """A click of a mouse in the middle of the first such element (with such words) that is there to be clicked.

        A page may move between the look and the click: what was missed is clicked again, as a person would.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self._press(*self.until(_MIDDLE, selector, text))
            if self.until("() => [window.arrived !== false]")[0]:
                return
        raise AssertionError(f"{self.name}: {selector} {text!r} moves away from every click")

    def _press(self, x: float, y: float) -> None:
        press: list[dict[str, Any]] = [
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": press}])

    def rest(self) -> None:
        """The mouse lies in the corner, where it looks at nothing: moved there even if it was there, to be noticed."""
        move = [{"type": "pointerMove", "duration": 0, "x": n, "y": n} for n in (3, 1)]
        self._act([{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": move}])

    def write(self, text: str) -> None:
        """Typed on a keyboard, letter by letter."""
        keys = [{"type": t, "value": c} for c in text for t in ("keyDown", "keyUp")]
        self._act([{"type": "key", "id": "keyboard", "actions": keys}])

    @abstractmethod
    def picture(self, path: Path) -> None: ...

    def until(self, function: str, *args: Any) -> Any:
        """Wait for something to be so in the page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if got := self.evaluate(function, *args):
                    return got
            except EngineGone:
                raise
            except EngineError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"{self.name}: in vain: {function[:200]} {args}\n{self._shown()}")

    def _shown(self) -> str:
        """What stands in the page now, for whom a test has failed."""
        try:
            return str(self.evaluate("() => location.pathname + '\\n' + document.body.innerText.slice(0, 1500)"))
        except (EngineError, OSError) as e:
            return f"and the page does not answer: {e}"


class EngineError(Exception):
    """The browser says no."""


class EngineGone(EngineError):
    """The browser itself has ended."""


def surviving(test: Callable[P, None]) -> Callable[P, None]:
    """The same test, from its beginning in a new browser if the first one crashes: once; nothing else is forgiven."""

    @functools.wraps(test)
    def twice(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            test(*args, **kwargs)
        except EngineGone as e:
            browser = kwargs["engine"]
            assert isinstance(browser, Engine)
            print(f"{browser.name} crashed ({e}); once more")
            browser.reopen()
            test(*args, **kwargs)

    return twice


# -- Firefox --------------------------------------------------------------------------------------------------------


class Firefox(Engine):
    name = "Firefox"

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._count = 0
        self._said("session.new", capabilities={})
        self._page = self._said("browsingContext.getTree")["contexts"][0]["context"]

    def _said(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        self._line.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            heard = json.loads(self._line.recv(PATIENCE))
            if heard.get("id") != self._count:
                continue
            if heard["type"] == "error":
                raise EngineError(f"{method}: {heard['error']}: {heard['message']}")
            return dict(heard["result"])

    def go(self, url: str) -> None:
        self._said("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, function: str, *args: Any) -> Any:
        # everything goes as text: BiDi's own form of values is made for other needs
        wrapped = f"async () => JSON.stringify(await ({function})(...{json.dumps(args)}))"
        got = self._said(
            "script.callFunction",
            functionDeclaration=wrapped,
            target={"context": self._page},
            awaitPromise=True,
            userActivation=True,
        )
        if got["type"] == "exception":
            raise EngineError(got["exceptionDetails"]["text"])
        return json.loads(got["result"]["value"]) if got["result"]["type"] == "string" else None

    def resize(self, width: int, height: int) -> None:
        self._said("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def _act(self, actions: list[dict[str, Any]]) -> None:
        self._said("input.performActions", context=self._page, actions=actions)

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._said("browsingContext.captureScreenshot", context=self._page)["data"]))


# in the middle of the first such element that is on the screen with nothing over it, once it has stopped moving
_MIDDLE = """async (selector, text) => {
  const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 200); });
  for (const e of document.querySelectorAll(selector)) {
    if (!e.innerText.includes(text)) continue;
    e.scrollIntoView({block: 'nearest', behavior: 'instant'});
    const was = e.getBoundingClientRect();
    await frame();
    await frame();
    const r = e.getBoundingClientRect(), x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
    if (r.top !== was.top || r.left !== was.left) continue;
    const hit = r.width && !e.disabled && document.elementFromPoint(x, y);
    if (!hit || !(hit === e || e.contains(hit))) continue;
    window.arrived = false;
    e.addEventListener('click', () => { window.arrived = true; }, {capture: true, once: true});
    return [x, y];
  }
  return null;
}"""


@contextmanager
def firefox() -> Iterator[Firefox]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        prefs = "".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in FIREFOX_PREFS.items())
        (folder / "user.js").write_text(prefs)
        log = folder / "said.txt"
        command = [
            firefox_path() or "",
            "--headless",
            "--no-remote",
            "--profile",
            str(folder),
            "--remote-debugging-port=0",
        ]
        with log.open("wb") as out:
            child = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, "MOZ_HEADLESS": "1"})
        stack.callback(_end, child)
        url = _heard(child, log, r"BiDi listening on (ws://\S+)")
        line = stack.enter_context(connect(f"{url}/session", max_size=None, open_timeout=PATIENCE))
        yield Firefox(line)


def firefox_path() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


def _heard(child: subprocess.Popen[bytes], log: Path, what: str) -> str:
    """What a child says when it is ready."""
    end = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end:
        if found := re.search(what, log.read_text(errors="replace")):
            return found[1]
        assert child.poll() is None, log.read_text(errors="replace")[-800:]
        time.sleep(0.05)
    raise AssertionError(f"it never said {what}: {log.read_text(errors='replace')[-800:]}")


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


# -- WebKit ---------------------------------------------------------------------------------------------------------

NARROWEST = 450  # its tool bar is as wide


class WebKit(Engine):
    name = "WebKit"

    def __init__(self, port: int) -> None:
        self._driver = f"http://127.0.0.1:{port}"
        self.reopen()

    def reopen(self) -> None:
        """A browser that knows nothing; the one before, if there was one, is gone."""
        self._base = self._driver
        options = {"binary": mini_browser(), "args": ["--automation"]}
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options, "pageLoadStrategy": "normal"}
        got = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._base += f"/session/{got['sessionId']}"
        self._call("POST", "/timeouts", {"script": int(PATIENCE * 1000)})

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            said = e.read().decode(errors="replace")[:600]
            raise (EngineGone if "invalid session id" in said else EngineError)(f"{path}: {said}") from None

    def go(self, url: str) -> None:
        self._call("POST", "/url", {"url": url})

    def evaluate(self, function: str, *args: Any) -> Any:
        script = (
            "const done = arguments[arguments.length - 1];"
            f"Promise.resolve(({function})(...arguments[0]))"
            ".then(v => done(JSON.stringify([v ?? null])), e => done(String(e)));"
        )
        got = self._call("POST", "/execute/async", {"script": script, "args": [list(args)]})
        try:
            return json.loads(got)[0]
        except ValueError:
            raise EngineError(str(got)) from None

    def resize(self, width: int, height: int) -> None:
        """So that the page has this size, below the bar of the window; narrower than that bar it cannot be."""
        self._call("POST", "/window/rect", {"width": max(width, NARROWEST), "height": height + self._bar()})
        self.until("(w, h) => innerWidth === w && innerHeight === h", max(width, NARROWEST), height)

    def _bar(self) -> int:
        return int(self.evaluate("() => outerHeight - innerHeight"))

    def _act(self, actions: list[dict[str, Any]]) -> None:
        self._call("POST", "/actions", {"actions": actions})

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def close(self) -> None:
        with suppress(EngineError, OSError):
            self._call("DELETE", "")


def mini_browser() -> str | None:
    found = sorted(Path("/").glob(MINI[1:]))
    return str(found[-1]) if found else None


def webkit_missing() -> list[str]:
    """What WebKit would need here."""
    there = {
        "WebKitWebDriver": shutil.which("WebKitWebDriver"),
        "MiniBrowser": mini_browser(),
        "Xvfb": shutil.which("Xvfb"),
    }
    return [k for k, v in there.items() if not v]


@contextmanager
def webkit(width: int = 2600, height: int = 1700) -> Iterator[WebKit]:
    with ExitStack() as stack:
        read, write = os.pipe()
        screen = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"]
        shown = subprocess.Popen(screen, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        stack.callback(_end, shown)
        with os.fdopen(read) as said:
            number = said.readline().strip()
        home = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        env = {
            **os.environ,
            "DISPLAY": f":{number}",
            "HOME": home,
            "XDG_RUNTIME_DIR": home,
            "LIBGL_ALWAYS_SOFTWARE": "1",
            # Painting by OpenGL without a graphics card crashes now and then (in Mesa, on one of many threads).
            "WEBKIT_SKIA_ENABLE_CPU_RENDERING": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "GTK_A11Y": "none",
            "NO_AT_BRIDGE": "1",
        }
        port = free_port()
        child = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        stack.callback(_end, child)
        engine = _session(child, port)
        stack.callback(engine.close)
        yield engine


def _session(child: subprocess.Popen[bytes], port: int) -> WebKit:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return WebKit(port)
        except (EngineError, OSError) as e:
            assert child.poll() is None, "WebKitWebDriver has ended"
            if time.monotonic() > end or isinstance(e, EngineError):
                raise
            time.sleep(0.1)
