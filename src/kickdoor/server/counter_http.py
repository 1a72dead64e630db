"""The HTTP side of a counter for real cards: making one, its taps, and what the engine is asked for it."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, Path, Request, Response

from kickdoor.companion import shapes
from kickdoor.companion import taps as tp
from kickdoor.server.counter_room import sorted_out
from kickdoor.server.http import Site, address, picture, problems
from kickdoor.server.trouble import Trouble

QUESTIONS: Final = ("/api/counter/fight", "/api/counter/item", "/api/counter/could")  # they change nothing
CounterId = Annotated[str, Path(max_length=40, description="the ten letters in a counter's link")]

T = TypeVar("T")


def _json(value: Any) -> Response:
    return Response(value if isinstance(value, bytes) else tp.encode(value), media_type="application/json")


async def _asked(request: Request, kind: type[T]) -> T:
    """The body of a call. Its shape is in /api/counter/protocol.json."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as e:
        raise Trouble("not_understood", f"The request is not understood: {e}") from None


def _takes(kind: type) -> dict[str, Any]:
    """What a call takes, for /openapi.json."""
    (ref,), parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": {**ref, "$defs": parts}}}}}


def routes(site: Site) -> APIRouter:
    """All calls under /api/counter."""
    api = APIRouter(prefix="/api/counter")
    _counters(api, site)
    return api


def _counters(api: APIRouter, site: Site) -> None:
    @api.post("", status_code=201, responses=problems(408, 409), openapi_extra=_takes(shapes.NewCounter))
    async def make(request: Request) -> Response:
        """Make a counter, or find the one that a phone has begun without a line (`CounterMade`)."""
        new = await _asked(request, shapes.NewCounter)
        good, bad = sorted_out(new.taps)
        if bad:
            raise Trouble("not_understood", bad[0].says)
        site.link(request, "")  # better now than when there is a counter
        site.may_make_table(request)
        room = await site.hub.counters.make(new.counter, good)
        if site.hub.shared and not room.phones:  # who is asked for it next depends on its name
            await site.hub.counters.let_go(room, "idle", "")
        site.gate.made_table(address(request.scope), room.name, site.hub.living())
        made: shapes.CounterMade = {
            "counter": room.counter,
            "link": site.link(request, f"/counter/{room.counter}"),
            "seq": len(room.told.taps),
        }
        return Response(tp.encode(made), 201, media_type="application/json")

    @api.get("/protocol.json", responses=problems())
    async def protocol() -> Response:
        """Taps, the socket's messages, questions and answers as JSON Schema."""
        return await site.lasting(shapes.schema)

    @api.get("/{counter}", responses=problems(404, 409, 410))
    async def show(counter: CounterId) -> Response:
        """All taps of a counter (`CounterTold`)."""
        room = await site.hub.counters.room(counter)
        head = msgspec.json.encode({"counter": counter, "line": room.told.line, "seq": len(room.told.taps)})
        return _json(head[:-1] + b',"taps":[' + b",".join(room.told.taps) + b"]}")

    @api.get("/{counter}/qr.svg", response_class=Response, responses=problems(404, 409, 410))
    async def qr(counter: CounterId, request: Request, sheet: str = "") -> Response:
        """The counter's link as a QR code; with `sheet`, the link that gives this sheet to whoever scans it."""
        await site.hub.counters.room(counter)
        if sheet:
            msgspec.convert(sheet, tp.Ident)
        link = site.link(request, f"/counter/{counter}{f'#sheet={sheet}' if sheet else ''}")
        return Response(picture(link), media_type="image/svg+xml")
