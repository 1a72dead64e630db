"""The whole application: calls, socket, the browser's files, and what every answer carries."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect

import kickdoor
from kickdoor.server import ahead, counter_http, counter_sockets, limits, previews, sockets, tongues, watching
from kickdoor.server.explaining import explained
from kickdoor.server.files import Assets
from kickdoor.server.http import HOST, NOT_JSON, STATUS, Site, address, routes, too_fast
from kickdoor.server.hub import Elsewhere, Hub
from kickdoor.server.limits import Gate
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import busy

log = logging.getLogger("kickdoor.server")

STATIC: Final = Path(__file__).parent / "static"
NOT_BUILT: Final = (
    "<!doctype html><html lang=en><title>Kickdoor</title><h1>Kickdoor</h1><p>The server runs, but the browser table "
    "has not been built. In the checkout: <code>make web</code>.</p></html>"
)
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'{sockets}; manifest-src 'self'; media-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
)

MACHINES: Final = ("api/", "ws/", "assets/")  # where programs ask, and want to be answered as programs
CODES: Final = {404: "not_found", 405: "not_allowed", 413: "too_long"}
COUNTER_PAGES: Final = ("/counter", "/counter/{counter}")
NOTHING: Final = "There is nothing here."
UNCOUNTED: Final = ("/healthz", "/readyz", "/metrics")  # those who watch over the server ask often
ORIGIN: Final = re.compile(r"https?://[A-Za-z0-9.:\[\]_-]{1,300}")
LONGEST: Final = 600  # letters of an answer that says no
SOCKET: Final = re.compile(r"/ws/(tables|counter)/([^/]+)")
TOO_LONG: Final = f"A request has at most {limits.BODY_BYTES} bytes."

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class Doorman:
    """Around everything: limits on bodies and calls, what every answer carries, a clear word when something fails."""

    def __init__(self, app: Any, site: Site, door: sockets.Door) -> None:
        self.app = app
        self.site = site
        self.gate = site.gate
        self.door = door  # for `wire.Http`: who asks for a table comes in by it
        self.siblings = tuple(door.allowed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer_ = Answering(send, policy(_header(scope, b"host"), (*self.siblings, *self.site.hub.others)))
        no = self._refusal(scope)
        if no is not None:
            await answer(no)(scope, receive, answer_)
            return
        who = address(scope)
        if not self.gate.all_flights.enter(None):
            await answer(busy())(scope, receive, answer_)
            return
        try:
            if self.gate.flights.enter(who):
                try:
                    await self._answer(scope, receive, answer_)
                finally:
                    self.gate.flights.leave(who)
            else:
                await answer(too_fast("Too many calls at once.", 1))(scope, receive, answer_)
        finally:
            self.gate.all_flights.leave(None)

    async def _answer(self, scope: Scope, receive: Receive, send: Answering) -> None:
        try:
            async with asyncio.timeout(limits.REQUEST_SECONDS):
                await self.app(_asked(scope), _bounded(receive), send)
        except TimeoutError:
            log.warning("%s %s took longer than it may", scope["method"], scope["path"])
            await self._last_word(busy(), scope, receive, send)
        except ClientDisconnect:
            return  # whoever asked has hung up in the middle of it, or was too slow
        except Exception as e:
            if send.gone:
                return  # whoever asked has hung up: nothing of ours is wrong
            await self._last_word(explained(e, f"{scope['method']} {scope['path']}"), scope, receive, send)

    @staticmethod
    async def _last_word(no: Trouble, scope: Scope, receive: Receive, send: Answering) -> None:
        if not send.begun:  # else there is no taking back what was sent, and the line is cut
            await answer(no)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Trouble | None:
        path = scope["path"]
        if len(path) > limits.PATH_LETTERS or not path.isprintable():
            return Trouble("not_found", NOTHING)
        if path in UNCOUNTED:
            return None
        who = address(scope)
        called = path.startswith("/api") or path == "/openapi.json"
        counted = [self.gate.calls if called else self.gate.pages]
        if path in counter_http.QUESTIONS:
            counted.append(self.gate.questions)
        elif scope["method"] not in ("GET", "HEAD"):
            counted.append(self.gate.writes)
        for buckets in counted:
            if not buckets.take(who):
                return too_fast("Too many calls at once.", buckets.wait(who))
        size = _header(scope, b"content-length")
        if size.isdigit() and (len(size) > 9 or int(size) > limits.BODY_BYTES):
            return Trouble("too_long", TOO_LONG)
        return None


class Answering:
    """The way out: adds what every answer carries, and knows whether there is something on its way."""

    def __init__(self, send: Send, policy: str) -> None:
        self._send = send
        self._headers = ((b"content-security-policy", policy.encode()), *HEADERS)
        self.begun = False
        self.gone = False  # nobody is there to be answered

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message["headers"] = [*message["headers"], *self._headers]
        try:
            await self._send(message)
        except RuntimeError as e:  # as the loop says it
            self.gone = "is closed" in str(e)
            raise


def policy(host: str, siblings: Iterable[str]) -> str:
    """What a page of ours may do. Sockets: only to this very server, and to those that may take its tables over.

    Not every browser takes 'self' to mean sockets, too; whether they are ws or wss only a proxy knows.
    """
    hosts = [f"{scheme}://{host}" for scheme in ("ws", "wss")] if HOST.fullmatch(host) else []
    others = [f"{at} {at.replace('http', 'ws', 1)}" for at in siblings if ORIGIN.fullmatch(at)]
    return POLICY.format(sockets="".join(f" {x}" for x in (*hosts, *others)))


def _asked(scope: Scope) -> Scope:
    """Whoever asks only how the answer begins (HEAD, as previews of links and many a watchman do) is answered like
    whoever wants all of it; the rest is not sent (RFC 9110, 9.3.2)."""
    return {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope


def _header(scope: Scope, name: bytes) -> str:
    return next((v.decode("latin-1") for k, v in scope["headers"] if k == name), "")


class Sockets:
    """Sockets go their own way: what calls need around them (routes, forms, compression) would be kept for each, and
    would be most of what an open socket costs."""

    def __init__(self, app: Any, serve: Callable[[WebSocket, str], Awaitable[None]]) -> None:
        self.app = app
        self.serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        ws = WebSocket(scope, receive, send)
        place = SOCKET.fullmatch(scope["path"])
        if place is None:
            await ws.close(sockets.POLICY, "There is nothing here.")
            return
        scope["path_params"] = {"table": place[2]}
        await self.serve(ws, place[1])


class Neighbourly:
    """Pages of the other servers of this journal may call here, since a table may have moved. Nobody else's may: no
    answer says that they could read it."""

    def __init__(self, app: Any, hub: Hub) -> None:
        self.app = app
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = _origin(scope)
        if scope["type"] != "http" or not origin or not await self.hub.knows(origin):
            await self.app(scope, receive, send)
            return
        allowed = [(b"access-control-allow-origin", origin.encode()), (b"vary", b"Origin")]
        if scope["method"] == "OPTIONS":
            more = {"access-control-allow-methods": "GET, POST", "access-control-allow-headers": "content-type"}
            await Response(status_code=204, headers={**more, "access-control-allow-origin": origin})(
                scope, receive, send
            )
            return

        async def said(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *allowed]
            await send(message)

        await self.app(scope, receive, said)


def _origin(scope: Scope) -> str:
    return next((v.decode("latin-1").rstrip("/") for k, v in scope.get("headers", ()) if k == b"origin"), "")


def _bounded(receive: Receive) -> Receive:
    """A body that does not say how long it is may not be longer either."""
    got = 0

    async def counted() -> Any:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > limits.BODY_BYTES:
            raise HTTPException(413, TOO_LONG)
        return message

    return counted


def answer(e: Trouble) -> JSONResponse:
    """A clear no over HTTP."""
    says = e.says.encode("utf-8", "replace").decode()  # it may quote what was sent, and that may be anything
    body = {"code": e.code, "says": says[:LONGEST], "rule": e.rule}
    return JSONResponse(body, STATUS.get(e.code, 422), {"Retry-After": str(e.wait)} if e.wait else None)


def website(
    hub: Hub,
    public: str = "",
    origins: frozenset[str] = frozenset(),
    gate: Gate | None = None,
    metrics: bool = False,
    lists: bool = False,
) -> Any:
    """The application for uvicorn. `lists`: open tables are shown to everybody."""
    gate = gate or Gate()
    hub.instant = gate.instant
    hub.makers.times = gate.times
    allowed = origins | ({public.rstrip("/")} if public else frozenset())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await hub.open()
        yield
        await hub.close()

    app = FastAPI(
        title="Kickdoor",
        version=kickdoor.__version__,
        summary="Tables for an unofficial engine of the Munchkin family of card games.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # an address with a slash too many is not ours
        lifespan=lifespan,
    )
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    site = Site(hub, public, gate, lists)
    app.include_router(counter_http.routes(site))  # before those of tables: its paths are plain words
    app.include_router(routes(site))
    _errors(app)

    _operators(app, hub, metrics)

    async def socket(ws: WebSocket, kind: str) -> None:
        visit = counter_sockets.visit if kind == "counter" else None
        await sockets.serve(ws, hub, gate, allowed, address(ws.scope), visit)

    _pages(app, site)
    return Doorman(Sockets(Neighbourly(app, hub), socket), site, sockets.Door(hub, gate, allowed))


def _operators(app: FastAPI, hub: Hub, metrics: bool) -> None:
    """For those who run it: is it alive, should people be sent here, and the figures."""

    @app.get("/healthz", include_in_schema=False)
    async def health() -> dict[str, Any]:
        return {"ok": True, "tables": hub.tables()}

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> JSONResponse:
        journal = await hub.reachable()
        ok = journal and not hub.draining
        return JSONResponse({"ready": ok, "journal": journal, "draining": hub.draining}, 200 if ok else 503)

    if metrics:

        @app.get("/metrics", include_in_schema=False)
        async def figures() -> Response:
            body = watching.together([own_figures(hub), *hub.neighbours.beyond().figures])
            return Response(body, headers={"Content-Type": watching.KIND})


def own_figures(hub: Hub) -> bytes:
    """Those of this loop of the server."""
    watching.TABLES.set(len(hub.rooms))
    watching.DRAINING.set(hub.draining)
    return watching.page()


def _errors(app: FastAPI) -> None:
    @app.exception_handler(Trouble)
    async def trouble(_: Request, e: Trouble) -> JSONResponse:
        watching.REFUSALS.labels(e.code).inc()
        return answer(e)

    @app.exception_handler(Elsewhere)
    async def elsewhere(_: Request, e: Elsewhere) -> JSONResponse:
        body = {"code": "elsewhere", "says": f"Another server keeps this table: {e.url}", "rule": "", "url": e.url}
        return JSONResponse(body, STATUS["elsewhere"])

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, e: RequestValidationError) -> JSONResponse:
        first = e.errors()[0] if e.errors() else {"loc": (), "msg": "not understood"}
        where = ".".join(str(x)[:40] for x in first["loc"][1:4])
        return answer(Trouble("not_understood", f"{where or 'The request'}: {first['msg']}"))

    @app.exception_handler(HTTPException)
    async def http(_: Request, e: HTTPException) -> JSONResponse:
        if e.status_code == 400:  # a body that is not even text
            return answer(Trouble(*NOT_JSON))
        says = NOTHING if e.status_code == 404 else str(e.detail)
        body = {"code": CODES.get(e.status_code, "http"), "says": says, "rule": ""}
        return JSONResponse(body, e.status_code, headers=e.headers)

    @app.exception_handler(Exception)
    async def failed(request: Request, e: Exception) -> None:
        raise e  # the doorman has the last word


def _pages(app: FastAPI, site: Site) -> None:
    """The browser's files; every page of the table is the same document, and every page of the counter another."""
    if (STATIC / "assets").is_dir():
        app.mount("/assets", Assets(directory=STATIC / "assets"), name="assets")

    async def page(request: Request) -> Response:
        counter = request.path_params.get("counter", "")
        index = STATIC / (previews.COUNTER if counter or request.scope["path"] == ahead.COUNTER else "index.html")
        if not index.is_file():
            return HTMLResponse(NOT_BUILT, 200)
        known = site.public or HOST.fullmatch(request.headers.get("host", ""))
        path = request.scope["path"]  # `request.url` would ask the Host header, which may be anything
        link = site.link(request, path) if known else ""
        ident = request.path_params.get("table", "")
        if not ahead.ready(site.lists):
            await site.hub.workshop.whole(lambda: ahead.prepare(site.lists))
        first = ahead.block(site.hub, path, ident, site.lists, counter)
        if index.name == previews.COUNTER:
            first += tongues.hint(STATIC / "assets", request.headers.get("accept-language", ""))
        shown = previews.page(index, site.hub, ident, link, first)
        return HTMLResponse(shown, headers={"Cache-Control": "no-cache"})

    for path in (
        "/",
        "/t/{table}",
        "/t/{table}/replay",
        "/about",
        "/games",
        "/rules",
        "/rules/{chapter}",
        *COUNTER_PAGES,
    ):
        app.add_api_route(path, page, include_in_schema=False)

    @app.get("/{name:path}", include_in_schema=False)
    async def file(request: Request, name: str) -> Response:
        found = next((p for p in STATIC.glob("*") if p.name == name and p.is_file()), None)
        if found is None:
            if name.startswith(MACHINES) or "text/html" not in request.headers.get("accept", ""):
                raise HTTPException(404)
            lost = await page(request)  # somebody looks: it says so, and shows the way back
            lost.status_code = 404
            return lost
        # A new worker and a new manifest are seen at once; browsers want the manifest under its own name.
        kind = "application/manifest+json" if name.endswith(".webmanifest") else None
        return FileResponse(found, media_type=kind, headers={"Cache-Control": "no-cache"})
