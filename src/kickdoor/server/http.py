"""The HTTP side: what is done once. Described at /openapi.json."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
import segno
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from kickdoor.server import catalog, deciding, replays
from kickdoor.server import entries as en
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import fingerprint, new_token
from kickdoor.server.hub import Hub
from kickdoor.server.positions import Scribe
from kickdoor.server.replays import Shelf
from kickdoor.server.room import Room
from kickdoor.server.showing import table_part
from kickdoor.server.trouble import Trouble

STATUS: Final[dict[str, int]] = {
    "no_table": 404,
    "no_cards": 404,
    "no_rule": 404,
    "no_game": 404,
    "not_found": 404,
    "full": 409,
    "taken": 409,
    "name_taken": 409,
    "started": 409,
    "not_over": 409,
    "not_started": 409,
    "unsayable": 409,
    "no_watching": 403,
    "elsewhere": 409,
    "bad_option": 409,  # well formed, but not with the packs and rules that are here
    "bad_bot": 409,
    "refused": 409,
    "bad_token": 403,
    "expired": 410,
    "bad_link": 410,
    "too_fast": 429,
    "too_long": 413,
    "busy": 503,
    "closing": 503,
}


NAME: Final = r"[A-Za-z0-9\u00C0-\u024F\u0370-\u1FFF\u3040-\u9FFF\uAC00-\uD7A3]"  # at least one letter or digit


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Trouble_(BaseModel):
    """What went wrong: a word for programs, a sentence for people."""

    code: str
    says: str
    rule: str = ""


class Person(Strict):
    """Who sits down."""

    name: str = Field(max_length=24, pattern=NAME, description="letters, digits, whatever you are called by")
    sex: Literal["male", "female"] = Field(default="male", description="how the munchkin starts (CHAR-10)")


class NewTable(Strict):
    """A table to be made."""

    name: str = Field(default="", max_length=40)
    host: Person
    packs: list[Annotated[str, Field(max_length=40)]] | None = Field(default=None, max_length=20)
    options: dict[str, Any] = Field(default_factory=dict, max_length=20)
    seats: int = Field(default=4, ge=2, le=12)
    bots: list[Annotated[str, Field(max_length=20)]] = Field(default_factory=list, max_length=11)


class Ticket(BaseModel):
    """A seat: keep the token, it is the only key to it."""

    table: str
    seat: int
    token: str
    link: str


class Sitting(Person):
    """A seat to be taken."""

    seat: int | None = Field(default=None, ge=0, le=11)


class Token(Strict):
    token: str = Field(max_length=100)


class Watcher(Strict):
    token: str | None = Field(default=None, max_length=100, description="of your seat; without one you watch")


class Code(Strict):
    code: str = Field(max_length=300)


class MoveLink(BaseModel):
    """A link that carries a seat to another device, for ten minutes."""

    code: str
    link: str


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The ways in which a call can go wrong, for /openapi.json."""
    return {c: {"model": Trouble_} for c in (*codes, 422, 429)}


def _json(value: Any, headers: dict[str, str] | None = None) -> Response:
    """An answer whose shape is in the protocol's schema."""
    return Response(pr.encode(value), headers=headers, media_type="application/json")


TableId = Annotated[str, Path(max_length=40, description="the ten letters in a table's link")]


Step = Annotated[int, Path(ge=0, le=1_000_000)]
GameNumber = Annotated[int, Query(ge=0, le=10_000, description="which game at this table; 0 is the latest")]


class Site:
    """What the calls share."""

    def __init__(self, hub: Hub, public: str) -> None:
        self.hub = hub
        self.public = public.rstrip("/")
        self.shelf = Shelf()
        self.scribe = Scribe()

    def link(self, request: Request, path: str) -> str:
        base = self.public or str(request.base_url).rstrip("/")
        return f"{base}{path}"

    async def journal(self, room: Room) -> list[en.Entry]:
        return [en.unpack(raw) for raw in await self.hub.journal.read(room.table.id)]


def routes(site: Site) -> APIRouter:
    """All calls under /api."""
    api = APIRouter(prefix="/api")
    _lookups(api)
    _tables(api, site)
    _seats(api, site)
    _positions(api, site)
    _replays(api, site)
    return api


def _lookups(api: APIRouter) -> None:
    @api.get("/about", responses=problems())
    async def about() -> Response:
        """What there is: packs, bots, timers, options, phrases (`About` in /api/protocol.json)."""
        return _json(catalog.about())

    @api.get("/protocol.json", responses=problems())
    async def protocol() -> dict[str, Any]:
        """The socket's messages as JSON Schema."""
        return pr.schema()

    @api.get("/cards/{mix}", responses=problems(404))
    async def cards(mix: Annotated[str, Path(max_length=80)]) -> Response:
        """The cards of a mix, by number (`CardInfo` in /api/protocol.json)."""
        return _json(catalog.cards(mix), {"Cache-Control": "public, max-age=31536000, immutable"})

    @api.get("/rules", responses=problems())
    async def rules(search: Annotated[str, Query(max_length=200)] = "") -> Response:
        """Rules in our words that have to do with these words (each a `RuleInfo`)."""
        return _json(catalog.find_rules(search) if search.strip() else [])

    @api.get("/rules/{rule}", responses=problems(404))
    async def rule(rule: Annotated[str, Path(max_length=40)]) -> Response:
        """One rule (`RuleInfo`)."""
        return _json(catalog.rule(rule))


def _tables(api: APIRouter, site: Site) -> None:
    @api.post("/tables", status_code=201, responses=problems(409, 503))
    async def create(new: NewTable, request: Request) -> Ticket:
        """Make a table; you are its host."""
        options = dict(new.options)
        if new.packs is not None:
            options["packs"] = new.packs
        room, seat, token = await site.hub.create(new.name, new.host.name, new.host.sex, options, new.seats, new.bots)
        ident = room.table.id
        return Ticket(table=ident, seat=seat, token=token, link=site.link(request, f"/t/{ident}"))

    @api.get("/tables/{table}", responses=problems(404, 409))
    async def show(table: TableId) -> Response:
        """Who is at a table and what is played there (`TableInfo`)."""
        room = await site.hub.room(table)
        here = set(room.here())
        part = table_part(room.table, [s in here for s in range(len(room.table.chairs))], 0)
        return _json({k: v for k, v in part.items() if k != "votes"})

    @api.get("/tables/{table}/qr.svg", response_class=Response, responses=problems(404, 409))
    async def qr(table: TableId, request: Request, code: Annotated[str, Query(max_length=300)] = "") -> Response:
        """The table's link (or, with a code, the link that moves a seat) as a QR code."""
        await site.hub.room(table)
        link = site.link(request, f"/t/{table}" + (f"#move={code}" if code else ""))
        image = segno.make(link, micro=False).svg_inline(scale=5, border=2, dark="#000", light="#fff")
        head = '<svg xmlns="http://www.w3.org/2000/svg"'
        body = image if "xmlns=" in image else image.replace("<svg", head, 1)
        return Response(body, media_type="image/svg+xml")


def _seats(api: APIRouter, site: Site) -> None:
    @api.post("/tables/{table}/seats", status_code=201, responses=problems(404, 409))
    async def sit(table: TableId, who: Sitting, request: Request) -> Ticket:
        """Sit down."""
        room = await site.hub.room(table)
        token = new_token()
        await room.call(lambda: deciding.sit(room.table, who.name, who.sex, who.seat, token))
        seat = room.table.seat_of(token)
        return Ticket(table=table, seat=seat, token=token, link=site.link(request, f"/t/{table}"))

    @api.post("/tables/{table}/move", responses=problems(403, 404, 409))
    async def move(table: TableId, body: Token, request: Request) -> MoveLink:
        """A link that carries your seat to another device."""
        room = await site.hub.room(table)
        if room.table.seat_of(body.token) < 0:
            raise Trouble("bad_token", "This seat is not yours any more.")
        code = site.hub.links.make(table, fingerprint(body.token))
        return MoveLink(code=code, link=site.link(request, f"/t/{table}#move={code}"))

    @api.post("/tables/{table}/claim", responses=problems(404, 409, 410))
    async def claim(table: TableId, body: Code, request: Request) -> Ticket:
        """Take a seat over on this device."""
        room = await site.hub.room(table)
        mark = site.hub.links.read(table, body.code)
        token = new_token()

        def retoken() -> list[en.Entries]:
            for i, c in enumerate(room.table.chairs):
                if c.token and c.token == mark:
                    return [en.Retoken(i, fingerprint(token))]
            raise Trouble("expired", "This link has been used already. Make a new one on the device that has the seat.")

        await room.call(retoken)
        return Ticket(table=table, seat=room.table.seat_of(token), token=token, link=site.link(request, f"/t/{table}"))


def _positions(api: APIRouter, site: Site) -> None:
    @api.post("/tables/{table}/scenario", responses=problems(403, 404, 409, 503))
    async def scenario(table: TableId, who: Watcher) -> Response:
        """This position as a scenario: what you know of it, and all of it when the game is over (`PositionText`)."""
        room = await site.hub.room(table)
        return _json(await site.scribe.of_table(room.table, who.token))


def _replays(api: APIRouter, site: Site) -> None:

    async def stage(table: str, game: int) -> replays.Stage:
        room = await site.hub.room(table)
        number = game or room.table.games
        found = site.shelf.get(table, number)
        if found is None:
            found = site.shelf.stage(replays.record(room.table, await site.journal(room), number))
        return found

    @api.get("/tables/{table}/replay", responses=problems(404, 409))
    async def replay(table: TableId, game: GameNumber = 0) -> Response:
        """The record of a finished game; what `kickdoor verify` reads."""
        found = await stage(table, game)
        return Response(msgspec.json.encode(found.record), media_type="application/json")

    @api.get("/tables/{table}/replay/{step}", responses=problems(404, 409))
    async def step(table: TableId, step: Step, game: GameNumber = 0) -> Response:
        """Everything as it lay on the table after a step (`ReplayFrame` in /api/protocol.json)."""
        return _json(replays.frame(await stage(table, game), step))

    @api.get("/tables/{table}/replay/{step}/scenario", responses=problems(404, 409, 503))
    async def position(table: TableId, step: Step, game: GameNumber = 0) -> Response:
        """The position after a step as a scenario (`PositionText` in /api/protocol.json)."""
        return _json(await site.scribe.of_replay((await stage(table, game)).record, step))
