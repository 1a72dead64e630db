"""The HTTP side of a counter for real cards: making one, its taps, and what the engine is asked for it."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response

from kickdoor.companion import facts, fights, rulings, shapes
from kickdoor.companion import taps as tp
from kickdoor.companion.laying import Impossible
from kickdoor.paper.files import UNREADABLE
from kickdoor.server import limits
from kickdoor.server.counter_room import sorted_out
from kickdoor.server.http import Site, address, problems, too_fast
from kickdoor.server.names import kept_as
from kickdoor.server.trouble import Trouble

QUESTIONS: Final = ("/api/counter/fight", "/api/counter/item", "/api/counter/could")  # they change nothing
EXACT: Final = 2**53  # up to here a number is itself
CounterId = Annotated[str, Path(max_length=40, description="the ten letters in a counter's link")]

T = TypeVar("T")
Q = TypeVar("Q", shapes.FightQuestion, shapes.ItemQuestion, shapes.CouldQuestion)


def _json(value: Any) -> Response:
    return Response(value if isinstance(value, bytes) else tp.encode(value), media_type="application/json")


async def _asked(request: Request, kind: type[T]) -> T:
    """The body of a call. Its shape is in /api/counter/protocol.json."""
    try:
        plain = _whole_numbers(msgspec.json.decode(await request.body()))
        return msgspec.json.decode(tp.encode(plain), type=kind)
    except UNREADABLE as e:
        raise Trouble("not_understood", f"The request is not understood: {e}") from None


def _whole_numbers(value: Any) -> Any:
    """JSON has one sort of numbers: 5.0 is 5."""
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)
    if isinstance(value, list):
        return [_whole_numbers(x) for x in value]
    return {k: _whole_numbers(v) for k, v in value.items()} if isinstance(value, dict) else value


def _takes(kind: type) -> dict[str, Any]:
    """What a call takes, for /openapi.json; spelled out, since that document has no place for shapes of ours."""
    parts = shapes.schema()["$defs"]
    schema = _spelled_out(parts[kind.__name__], parts)
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _spelled_out(part: Any, parts: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_spelled_out(x, parts) for x in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _spelled_out(parts[part["$ref"].rsplit("/", 1)[-1]], parts)
    return {k: _spelled_out(v, parts) for k, v in part.items() if k != "discriminator"}


def routes(site: Site) -> APIRouter:
    """All calls under /api/counter."""
    api = APIRouter(prefix="/api/counter")
    _questions(api, site)
    _counters(api, site)
    return api


class Mixes:
    """Which sets were asked for lately: their cards are compiled. Others cost whoever asks a mix."""

    def __init__(self, gate: limits.Gate, most: int = limits.CARD_LISTS) -> None:
        self.gate, self.most = gate, most
        self._seen: OrderedDict[tuple[str, ...], None] = OrderedDict()

    def pay(self, packs: Sequence[str], who: str) -> None:
        """Trouble for an address that asks for ever other sets."""
        if _mix(packs) not in self._seen and not self.gate.new_mixes.take(who):
            raise too_fast("You have just asked about many mixes of sets.", self.gate.new_mixes.wait(who))

    def saw(self, packs: Sequence[str]) -> None:
        self._seen[_mix(packs)] = None
        self._seen.move_to_end(_mix(packs))
        if len(self._seen) > self.most:
            self._seen.popitem(last=False)


def _mix(packs: Sequence[str]) -> tuple[str, ...]:
    """In whatever order, it is the same (laying.in_order)."""
    return (*packs[:1], *sorted(packs[1:]))


class Answers:
    """What the engine was asked lately: everybody around a table asks the same."""

    def __init__(self, most: int = limits.ANSWERS) -> None:
        self.most = most
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    def get(self, key: bytes) -> bytes | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: bytes, answer: bytes) -> None:
        self._kept[key] = answer
        if len(self._kept) > self.most:
            self._kept.popitem(last=False)


def _worked_out(answer: Callable[[T], Any], question: T) -> bytes:
    """In the workshop: the engine's answer, as it is sent."""
    try:
        return tp.encode(answer(question))
    except Impossible as e:
        raise Trouble("refused", str(e)) from None


def _packs(text: str) -> tuple[str, ...]:
    return _mix(list(dict.fromkeys(p for p in text.split(",") if p))[: limits.PACKS_ASKED])


def _facts(packs: tuple[str, ...]) -> bytes:
    """In the workshop: the cards of these sets, packed."""
    try:
        return gzip.compress(tp.encode(facts.told(packs)), 6)
    except Impossible as e:
        raise Trouble("no_cards", str(e)) from None


def _questions(api: APIRouter, site: Site) -> None:
    kept = Answers()
    lists = Answers(limits.CARD_LISTS)
    mixes = Mixes(site.gate)
    work = site.hub.questions

    @api.get("/cards", responses=problems(404))
    async def cards(
        request: Request,
        packs: Annotated[str, Query(max_length=400, description="sets, with commas between")] = "classic",
    ) -> Response:
        """The cards of some sets, to look up and to count by without a line (`CardsTold`)."""
        names = _packs(packs)
        key = ",".join(names).encode()
        found = lists.get(key)
        if found is None:
            mixes.pay(names, address(request.scope))
            async with site.heavy(request):
                found = await work.do(_facts, names)
                lists.put(key, found)
            mixes.saw(names)
        return await site.packed(request, found, {"Cache-Control": "no-cache"})

    async def asked(request: Request, kind: type[Q], answer: Callable[[Q], Any]) -> Response:
        question = await _asked(request, kind)
        key = kind.__name__.encode() + tp.encode(question)
        found = kept.get(key)
        if found is None:
            packs = question.position.packs
            mixes.pay(packs, address(request.scope))
            async with site.heavy(request):
                found = kept.get(key)  # somebody else may have asked it meanwhile
                if found is None:
                    found = await work.do(_worked_out, answer, question)
                    kept.put(key, found)
            mixes.saw(packs)
        return _json(found)

    @api.post("/fight", responses=problems(408, 409), openapi_extra=_takes(shapes.FightQuestion))
    async def fight(request: Request) -> Response:
        """How does a fight stand? Both sides term by term, who wins, what it pays, what helps (`FightTold`)."""
        return await asked(request, shapes.FightQuestion, fights.stands)

    @api.post("/item", responses=problems(408, 409), openapi_extra=_takes(shapes.ItemQuestion))
    async def item(request: Request) -> Response:
        """May this one have this card in play, and use it (`ItemTold`)?"""
        return await asked(request, shapes.ItemQuestion, rulings.may_have)

    @api.post("/could", responses=problems(408, 409), openapi_extra=_takes(shapes.CouldQuestion))
    async def could(request: Request) -> Response:
        """Could this one now play this card, or use what it does (`CouldTold`)?"""
        return await asked(request, shapes.CouldQuestion, rulings.could)


def _counters(api: APIRouter, site: Site) -> None:
    @api.post("", status_code=201, responses=problems(408, 409), openapi_extra=_takes(shapes.NewCounter))
    async def make(request: Request) -> Response:
        """Make a counter, or find the one that a phone has begun without a line (`CounterMade`)."""
        new = await _asked(request, shapes.NewCounter)
        good, bad = sorted_out(new.taps)
        if bad:
            raise Trouble(bad[0].code, bad[0].says)
        site.link(request, "")  # better now than when there is a counter
        taps = (kept_as(new.counter), address(request.scope), len(good), sum(len(raw) for _, raw in good))
        async with site.making(request) as known:
            if not site.gate.may_tap(*taps):
                wait = site.gate.tap_again(*taps)
                raise too_fast("So many taps at once that the server has to catch its breath.", wait)
            room = await site.hub.counters.make(new.counter, good)
            known(room.name)
            if site.hub.shared and not room.phones:  # who is asked for it next depends on its name
                await site.hub.counters.let_go(room, "idle", "")
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
    async def show(counter: CounterId, request: Request) -> Response:
        """All taps of a counter (`CounterTold`)."""
        room = await site.hub.counters.room(counter)
        head = msgspec.json.encode({"counter": counter, "line": room.told.line, "seq": len(room.told.taps)})
        whole = head[:-1] + b',"taps":[' + b",".join(room.told.taps) + b"]}"
        async with site.heavy(request):
            return await site.packed(request, await site.hub.workshop.do(gzip.compress, whole, 6))

    @api.get("/{counter}/qr.svg", response_class=Response, responses=problems(404, 409, 410))
    async def qr(
        counter: CounterId, request: Request, sheet: Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,40}$")] = ""
    ) -> Response:
        """The counter's link as a QR code; with `sheet`, the link that gives this sheet to whoever scans it."""
        await site.hub.counters.room(counter)
        link = site.link(request, f"/counter/{counter}{f'#sheet={sheet}' if sheet else ''}")
        return Response(await site.picture(request, link), media_type="image/svg+xml")
