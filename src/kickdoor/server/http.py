"""The HTTP side: what is done once. Described at /openapi.json."""

from __future__ import annotations

import asyncio
import gzip
import math
import re
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Annotated, Any, Final, Literal, NamedTuple
from urllib.parse import quote

import msgspec
import segno
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from kickdoor.server import catalog, deciding, going_on, limits, playable, replays, showing
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import AVATAR, fingerprint, new_token
from kickdoor.server.folding import Folding
from kickdoor.server.hub import Hub, in_words
from kickdoor.server.limits import Gate, household
from kickdoor.server.lounge import Lounge
from kickdoor.server.positions import Scribe
from kickdoor.server.replays import Shelf
from kickdoor.server.table import PLAYING, Table
from kickdoor.server.trouble import Trouble
from kickdoor.server.workshop import Tick, Turns, one_turn

STATUS: Final[dict[str, int]] = {
    "no_table": 404,
    "no_cards": 404,
    "no_rule": 404,
    "no_set": 404,
    "no_game": 404,
    "no_list": 404,
    "no_counter": 404,
    "not_found": 404,
    "full": 409,
    "taken": 409,
    "name_taken": 409,
    "started": 409,
    "not_over": 409,
    "not_started": 409,
    "over": 409,
    "no_seat": 409,
    "unsayable": 409,
    "no_watching": 403,
    "elsewhere": 409,
    "bad_option": 409,  # well formed, but not with the packs and rules that are here
    "bad_bot": 409,
    "refused": 409,
    "bad_token": 403,
    "expired": 410,
    "archived": 410,
    "unwritable": 503,
    "newer": 503,
    "bad_link": 410,
    "too_fast": 429,
    "too_long": 413,
    "too_slow": 408,
    "busy": 503,
    "no_journal": 503,
    "damaged": 503,
    "closing": 503,
    "failed": 500,
}
HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")


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

    name: str = Field(
        default="",
        max_length=24,
        pattern=rf"^$|{NAME}",
        description="letters, digits, whatever you are called by; without one you are a guest with a number",
    )
    sex: Literal["male", "female"] = Field(default="male", description="how the munchkin starts (CHAR-10)")
    avatar: str = Field(default="", pattern=rf"^({AVATAR.pattern})?$", description="the name of a drawing")


class NewTable(Strict):
    """A table to be made."""

    name: str = Field(default="", max_length=40)
    host: Person
    packs: list[Annotated[str, Field(max_length=40)]] | None = Field(default=None, max_length=20)
    options: dict[str, Any] = Field(default_factory=dict, max_length=20)
    seats: int = Field(default=4, ge=2, le=12)
    bots: list[Annotated[str, Field(max_length=20)]] = Field(default_factory=list, max_length=11)


class Mix(Strict):
    """Sets, options and a number of players to be tried out."""

    options: dict[str, Any] = Field(default_factory=dict, max_length=20)
    players: int = Field(default=4, ge=1, le=12)


class Ticket(BaseModel):
    """A seat: keep the token, it is the only key to it."""

    table: str
    seat: int
    token: str
    link: str


class Sitting(Person):
    """A seat to be taken."""

    seat: int | None = Field(default=None, ge=0, le=11)
    token: str = Field(
        default="",
        pattern=r"^([A-Za-z0-9_-]{32,100})?$",
        description="of your own making: ask again with it if the answer is lost, and you sit there once",
    )


class PlayOn(Strict):
    """Who plays on from a position of a finished game, on which seat of it, and against what."""

    name: str = Field(max_length=24, pattern=NAME)
    seat: int = Field(ge=0, le=11)
    bot: str = Field(default="", max_length=20, description="empty: those bots that played there")
    avatar: str = Field(default="", pattern=rf"^({AVATAR.pattern})?$", description="the name of a drawing")


class Token(Strict):
    token: str = Field(max_length=100)


class Watcher(Strict):
    token: str | None = Field(default=None, max_length=100, description="of your seat; without one you watch")


class Code(Strict):
    code: str = Field(max_length=300)


class MoveLink(BaseModel):
    """A link that carries a seat to another device, for ten minutes; `qr` is a picture of it, to be shown as it is.

    Whoever has the link has the seat: it is never a part of an address that is asked for, where others would log it.
    """

    code: str
    link: str
    qr: str


NOT_JSON: Final = ("not_understood", "The body of the request is not JSON in UTF-8.")
ALWAYS: Final = (413, 422, 429, 500, 503)  # whatever is asked, it can be too much, or the server's own fault
ABOUT: Final = {
    403: "That is not yours.",
    404: "There is no such thing.",
    408: "The request did not come to an end in time.",
    409: "It cannot be so, or not now.",
    410: "The link has expired, has been used, or is damaged.",
    413: "The request is too long.",
    422: "The request is not understood.",
    429: "Too much at once; Retry-After says when it goes on.",
    500: "A mistake of the server's own; what it says has a reference number for its log.",
    503: "The server has too much to do, cannot reach its journal, or cannot read this table in it.",
}


def problems(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The ways in which a call can go wrong, for /openapi.json."""
    return {c: {"model": Trouble_, "description": ABOUT[c]} for c in sorted({*codes, *ALWAYS})}


def _json(value: Any) -> Response:
    """An answer whose shape is in the protocol's schema, as it is or encoded already."""
    return Response(value if isinstance(value, bytes) else pr.encode(value), media_type="application/json")


def too_fast(says: str, seconds: float) -> Trouble:
    """Later, and when."""
    wait = math.ceil(seconds) or 1
    return Trouble("too_fast", f"{says} Wait {wait} second{'s' * (wait > 1)}.", wait=wait)


TableId = Annotated[str, Path(max_length=40, description="the ten letters in a table's link")]


MixHash = Annotated[str, Path(max_length=80, description="`cards` of a table: the hash of its mix")]
Step = Annotated[int, Path(ge=0, le=1_000_000)]
GameNumber = Annotated[int, Query(ge=0, le=10_000, description="which game at this table; 0 is the latest")]
GameOrNow = Annotated[int | None, Query(ge=0, le=10_000, description="a game that is over; 0 is the latest")]

UNCHANGING: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


class Story(NamedTuple):
    """A table and everything that happened there, as it is written down."""

    table: Table
    playing: bool  # was a game going on when it was read?
    raw: list[bytes]


class Site:
    """What the calls share."""

    def __init__(self, hub: Hub, public: str, gate: Gate, lists: bool = False) -> None:
        self.hub = hub
        self.lists = lists  # are open tables shown to everybody?
        self.lounge = Lounge(hub)
        self.public = public.rstrip("/")
        self.gate = gate
        self.shelf = Shelf()
        self._old: dict[str, Story] = {}
        self.scribe = Scribe(hub.workshop)
        self._lasting: dict[Callable[[], Any], bytes] = {}
        self._turns = Turns(limits.HEAVY_PER_ADDRESS)

    def link(self, request: Request, path: str) -> str:
        """How people reach a page of this server: as was configured, or as this one has reached it."""
        if self.public:
            return f"{self.public}{path}"
        host = request.headers.get("host", "")
        if not HOST.fullmatch(host):
            raise Trouble("not_understood", "The Host of this request is no name of a server.")
        return f"{request.scope['scheme']}://{host}{path}"

    def about(self) -> pr.About:
        return catalog.about(self.lists)

    async def story(self, table: str) -> Story:
        """A table with its entries, also out of the archive."""
        try:
            room = await self.hub.room(table)
        except Trouble as e:
            if e.code != "archived":
                raise
            return await self._archived(table, e)
        with in_words(table):
            playing = room.table.status == PLAYING
            raw = await self.hub.journal.read(table)
        # A game may have ended meanwhile, and its end is not among what was read; or one has begun.
        return Story(room.table, playing or room.table.status == PLAYING, raw)

    async def _archived(self, table: str, away: Trouble) -> Story:
        if table not in self._old:
            raw = await self.hub.from_archive(table)
            if raw is None:
                raise away
            work = self.hub.workshop
            telling = await work.do(_unpacked, table, raw)
            while not await work.do(_told_on, telling):  # a long one takes several turns, so that others have theirs
                pass
            self._old.clear()  # one is enough: who looks at an old game looks at all its steps
            self._old[table] = story = Story(telling.table, telling.table.status == PLAYING, raw)
            return story
        return self._old[table]

    @asynccontextmanager
    async def making(self, request: Request) -> AsyncIterator[Callable[[str], None]]:
        """Around the making of a table, whose name is told to what this gives. Trouble for an address that makes too
        many."""
        who, gate, makers = address(request.scope), self.gate, self.hub.makers
        place = await makers.enter(who)
        if not place:
            raise Trouble("too_fast", "Your address has many tables already. One that nobody visits closes by itself.")
        made = [""]
        try:
            if not gate.new_tables.take(who):
                raise too_fast("You have just made many tables.", gate.new_tables.wait(who))
            yield made.append
        finally:
            await makers.leave(who, place, made[-1])

    def heavy(self, request: Request) -> asyncio.Semaphore:
        """Around what makes the server think: few at a time for each address, so that nobody has it for himself."""
        return self._turns.of(address(request.scope))

    async def picture(self, request: Request, link: str) -> str:
        """A link as a QR code (SVG). A long one takes a tenth of a second, so it is drawn beside the loop."""
        async with self.heavy(request):
            return await self.hub.workshop.do(_drawn, link)

    async def lasting(self, make: Callable[[], Any]) -> Response:
        """An answer that is always the same; made beside the loop when it is asked for first."""

        def made() -> bytes:
            if make not in self._lasting:
                self._lasting[make] = pr.encode(make())
            return self._lasting[make]

        return _json(self._lasting.get(make) or await self.hub.workshop.whole(made))

    async def packed(self, request: Request, raw: bytes, headers: dict[str, str] | None = None) -> Response:
        """A long answer, which was packed beside the loop (gzip); unpacked there for whoever cannot read that."""
        out = {"Vary": "Accept-Encoding", **(headers or {})}
        if "gzip" in request.headers.get("accept-encoding", ""):
            out["Content-Encoding"] = "gzip"
        else:
            raw = await self.hub.workshop.do(gzip.decompress, raw)
        return Response(raw, headers=out, media_type="application/json")


def address(scope: Any) -> str:
    """Whom a request comes from, as far as limits are concerned."""
    client = scope.get("client")
    return household(str(client[0])) if client else "?"


async def in_utf8(request: Request) -> None:
    """JSON is UTF-8 here, and nothing else that could be read as it: others would refuse what we take."""
    body = await request.body()
    try:
        body.decode()
    except UnicodeDecodeError:
        raise Trouble(*NOT_JSON) from None
    if b"\0" in body or body[:3] == BOM_UTF8:  # UTF-16 and UTF-32 have a 0 in every bracket, and JSON has none
        raise Trouble(*NOT_JSON)


def routes(site: Site) -> APIRouter:
    """All calls under /api."""
    api = APIRouter(prefix="/api", dependencies=[Depends(in_utf8)])
    _lookups(api, site)
    _tables(api, site)
    _seats(api, site)
    _positions(api, site)
    _replays(api, site)
    return api


def _lookups(api: APIRouter, site: Site) -> None:
    @api.get("/about", responses=problems())
    async def about() -> Response:
        """What there is: packs, bots, timers, options, phrases (`About` in /api/protocol.json)."""
        return await site.lasting(site.about)

    @api.get("/protocol.json", responses=problems())
    async def protocol() -> Response:
        """The socket's messages as JSON Schema."""
        return await site.lasting(pr.schema)

    @api.get("/cards/{mix}", responses=problems(404))
    async def cards(mix: MixHash, request: Request) -> Response:
        """The cards of a mix that somebody plays with here, by number (`CardInfo` in /api/protocol.json)."""
        async with site.heavy(request):
            return await site.packed(request, await site.hub.workshop.do(catalog.cards, mix), UNCHANGING)

    @api.get("/shelf/{pack}", responses=problems(404))
    async def shelf(pack: Annotated[str, Path(max_length=80)]) -> Response:
        """A set, looked into: sample cards, and the rules that speak of it in a mix (`ShelfInfo`)."""
        return _json(await site.hub.workshop.do(catalog.shelf, pack))

    @api.get("/rules", responses=problems())
    async def rules(search: Annotated[str, Query(max_length=200)] = "") -> Response:
        """Rules in our words that have to do with these words (each a `RuleInfo`)."""
        return _json(await site.hub.workshop.do(catalog.find_rules, search) if search.strip() else [])

    @api.get("/rulebook", responses=problems())
    async def book(request: Request) -> Response:
        """The whole rulebook: all chapters with their rules, in order (each a `ChapterInfo`)."""
        return await site.packed(request, await site.hub.workshop.do(catalog.rulebook_packed))

    @api.get("/rules/{rule}", responses=problems(404))
    async def rule(rule: Annotated[str, Path(max_length=40)]) -> Response:
        """One rule (`RuleInfo`)."""
        return _json(await site.hub.workshop.do(catalog.rule, rule))


def _tables(api: APIRouter, site: Site) -> None:
    @api.post("/tables", status_code=201, responses=problems(408, 409))
    async def create(new: NewTable, request: Request) -> Ticket:
        """Make a table; you are its host."""
        options = dict(new.options)
        if new.packs is not None:
            options["packs"] = new.packs
        site.link(request, "")  # better now than when there is a table
        async with site.making(request) as made, site.heavy(request):
            room, seat, token = await site.hub.create(
                new.name, new.host.name, new.host.sex, options, new.seats, new.bots, avatar=new.host.avatar
            )
            made(ident := room.table.id)
        return Ticket(table=ident, seat=seat, token=token, link=site.link(request, f"/t/{ident}"))

    @api.get("/tables", responses=problems(404))
    async def tables() -> Response:
        """The open tables here, if this server shows them (`OpenTables`)."""
        if not site.lists:
            raise Trouble("no_list", "This server keeps its tables to itself: you need the link of one.")
        return _json(site.lounge.tables(monotonic()))

    @api.post("/mix", responses=problems(409))
    async def mix(asked: Mix, request: Request) -> Response:
        """Could such a table be played at? What is in the way, what would help, what the books say (`MixAnswer`)."""
        if not site.gate.new_mixes.take(who := address(request.scope)):
            raise too_fast("You have just tried many mixes.", site.gate.new_mixes.wait(who))
        async with site.heavy(request):
            return _json(await site.hub.workshop.do(_mixed, asked))

    @api.get("/tables/{table}", responses=problems(404, 409, 410))
    async def show(table: TableId) -> Response:
        """Who is at a table and what is played there (`TableInfo`)."""
        room = await site.hub.room(table)
        here = set(room.here())
        return _json(showing.table_info(room.table, [s in here for s in range(len(room.table.chairs))], 0))

    @api.get("/tables/{table}/qr.svg", response_class=Response, responses=problems(404, 409, 410))
    async def qr(table: TableId, request: Request) -> Response:
        """The table's link as a QR code."""
        await site.hub.room(table)
        picture = await site.picture(request, site.link(request, f"/t/{table}"))
        return Response(picture, media_type="image/svg+xml")


def _seats(api: APIRouter, site: Site) -> None:
    @api.post("/tables/{table}/seats", status_code=201, responses=problems(404, 408, 409, 410))
    async def sit(table: TableId, who: Sitting, request: Request) -> Ticket:
        """Sit down."""
        link = site.link(request, f"/t/{table}")  # before anything is written that nobody could be told of
        room = await site.hub.room(table)
        token = who.token or new_token()

        def sitting() -> list[en.Entries]:
            if room.table.seat_of(token) >= 0:
                return []
            return deciding.sit(room.table, who.name, who.sex, who.seat, token, who.avatar)

        await room.call(sitting)
        return Ticket(table=table, seat=room.table.seat_of(token), token=token, link=link)

    @api.post("/tables/{table}/move", responses=problems(403, 404, 408, 409, 410))
    async def move(table: TableId, body: Token, request: Request) -> MoveLink:
        """A link that carries your seat to another device."""
        room = await site.hub.room(table)
        if room.table.seat_of(body.token) < 0:
            raise Trouble("bad_token", "This seat is not yours any more.")
        code = site.hub.links.make(table, fingerprint(body.token))
        link = site.link(request, f"/t/{table}#move={code}")
        return MoveLink(code=code, link=link, qr=f"data:image/svg+xml,{quote(await site.picture(request, link))}")

    @api.post("/tables/{table}/claim", responses=problems(404, 408, 409, 410))
    async def claim(table: TableId, body: Code, request: Request) -> Ticket:
        """Take a seat over on this device: it is yours, and nobody else's, when you have said hello with its token."""
        link = site.link(request, f"/t/{table}")
        room = await site.hub.room(table)
        mark = site.hub.links.read(table, body.code)
        token = new_token()
        seat = room.claim(mark, token)
        if seat < 0:
            raise Trouble("expired", "This link has been used already. Make a new one on the device that has the seat.")
        return Ticket(table=table, seat=seat, token=token, link=link)


def _positions(api: APIRouter, site: Site) -> None:
    @api.post("/tables/{table}/scenario", responses=problems(403, 404, 408, 409, 410))
    async def scenario(table: TableId, who: Watcher, request: Request) -> Response:
        """This position as a scenario: what you know of it, and all of it when the game is over (`PositionText`)."""
        async with site.heavy(request):
            room = await site.hub.room(table)
            return _json(await site.scribe.of_table(room.table, who.token))


def _replays(api: APIRouter, site: Site) -> None:
    work = site.hub.workshop

    async def stage(table: str, game: int) -> replays.Stage:
        """The replay as it is laid out; begun, but perhaps not played to its end."""
        room = site.hub.rooms.get(table)
        found = site.shelf.get(table, game or room.table.games) if room is not None else None
        if found is None:
            told = await site.story(table)
            number = game or told.table.games
            found = site.shelf.get(table, number)
            if found is None:
                found = site.shelf.put(await work.do(_laid_out, told, number))
        return found

    async def in_turns(look: Callable[..., bytes], table: str, game: int, *where: int) -> bytes:
        """What it is in a replay that one looks at; a long game takes several turns of the workshop to get there."""
        laid = await stage(table, game)
        return await work.in_turns(lambda tick: look(tick, laid, *where))

    @api.get("/tables/{table}/cards/{mix}", responses=problems(404, 409, 410))
    async def cards(table: TableId, mix: MixHash, request: Request, game: GameOrNow = None) -> Response:
        """The cards of this table, or of a game that is over, by number (`CardInfo` in /api/protocol.json)."""
        async with site.heavy(request):
            if not catalog.known(mix):  # this server has just started, or another had the table
                if game is None:
                    options = (await site.hub.room(table)).table.options
                else:
                    options = msgspec.convert((await stage(table, game)).record.options, op.TableOptions)
                await work.do(showing.mix, options)
            return await site.packed(request, await work.do(catalog.cards, mix), UNCHANGING)

    @api.get("/tables/{table}/replay/table", responses=problems(404, 409, 410))
    async def info(table: TableId, request: Request, game: GameNumber = 0) -> Response:
        """The table at which a finished game was played (`TableInfo` in /api/protocol.json)."""
        async with site.heavy(request):
            return _json(await work.do(replays.info, await stage(table, game)))

    @api.get("/tables/{table}/replay", responses=problems(404, 409, 410))
    async def replay(table: TableId, request: Request, game: GameNumber = 0) -> Response:
        """The record of a finished game; what `kickdoor verify` reads."""
        async with site.heavy(request):
            return await site.packed(request, await in_turns(_record, table, game))

    @api.get("/tables/{table}/replay/story", responses=problems(404, 409, 410))
    async def story(table: TableId, request: Request, game: GameNumber = 0) -> Response:
        """A finished game in figures: turns, fights, Levels, betrayals (`Chronicle` in /api/protocol.json)."""
        async with site.heavy(request):
            return await site.packed(request, await in_turns(_story, table, game))

    @api.post("/tables/{table}/replay/{step}/play", status_code=201, responses=problems(404, 408, 409, 410))
    async def play_on(table: TableId, who: PlayOn, request: Request, step: Step, game: GameNumber = 0) -> Ticket:
        """Play on from the position after a step, against bots: a new table, with another shuffle."""
        link = site.link(request, "")
        async with site.making(request) as made, site.heavy(request):
            laid = await stage(table, game)
            token = new_token()
            guest = going_on.Guest(who.seat, who.name, who.bot, token, who.avatar)
            options = msgspec.convert(laid.record.options, op.TableOptions)
            room = await site.hub.go_on(options, lambda at, tick: going_on.begin(laid, step, guest, at, tick))
            made(room.table.id)
        return Ticket(table=room.table.id, seat=who.seat, token=token, link=f"{link}/t/{room.table.id}")

    @api.get("/tables/{table}/replay/pages/{step}", responses=problems(404, 409, 410))
    async def page(table: TableId, request: Request, step: Step, game: GameNumber = 0) -> Response:
        """The steps from this one on, up to fifty, as changes (`ReplayPage` in /api/protocol.json)."""
        async with site.heavy(request):
            return await site.packed(request, await in_turns(_page, table, game, step))

    @api.get("/tables/{table}/replay/{step}", responses=problems(404, 409, 410))
    async def step(table: TableId, request: Request, step: Step, game: GameNumber = 0) -> Response:
        """Everything as it lay on the table after a step (`ReplayFrame` in /api/protocol.json)."""
        async with site.heavy(request):
            return _json(await in_turns(_frame, table, game, step))

    @api.get("/tables/{table}/replay/{step}/scenario", responses=problems(404, 409, 410))
    async def position(table: TableId, request: Request, step: Step, game: GameNumber = 0) -> Response:
        """The position after a step as a scenario (`PositionText` in /api/protocol.json)."""
        async with site.heavy(request):
            return _json(await site.scribe.of_replay(await stage(table, game), step))


# -- in the workshop --------------------------------------------------------------------------------------------------


def _drawn(link: str) -> str:
    image = segno.make(link, micro=False).svg_inline(scale=5, border=2, dark="#000", light="#fff")
    return image if "xmlns=" in image else image.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)


def _mixed(asked: Mix) -> pr.MixAnswer:
    o = op.changed(op.TableOptions(), asked.options)
    book = op.by_the_book(o)
    return {
        "obstacles": playable.obstacles(o, asked.players),
        "advice": op.advice(o),
        "book": {"house": book.house, "rules": book.rules},
    }


def _unpacked(table: str, raw: list[bytes]) -> Folding:
    return Folding(table, [en.unpack(data) for data in raw])


def _told_on(telling: Folding) -> bool:
    return telling.turn(one_turn().tick)


def _laid_out(told: Story, number: int) -> replays.Stage:
    entries = [en.unpack(raw) for raw in told.raw]
    return replays.Stage(
        replays.unplayed(told.table, entries, number, told.playing), limits.MARKS, True, told.table.chairs
    )


def _record(tick: Tick, stage: replays.Stage) -> bytes:
    stage.finish(tick)
    return gzip.compress(msgspec.json.encode(stage.record), 6)


def _story(tick: Tick, stage: replays.Stage) -> bytes:
    return gzip.compress(pr.encode(replays.story(stage, tick)), 6)


def _page(tick: Tick, stage: replays.Stage, step: int) -> bytes:
    return gzip.compress(pr.encode(replays.page(stage, step, tick)), 6)


def _frame(tick: Tick, stage: replays.Stage, step: int) -> bytes:
    return pr.encode(replays.frame(stage, step, tick))
