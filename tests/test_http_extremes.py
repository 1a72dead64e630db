"""Every parameter and every field of every call that is described, with extremes: a clear no, and nothing grows by it.

What is tried is read from /openapi.json: a call that is added is tried, too.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx
import pytest

from kickdoor.engine import setup
from kickdoor.server import catalog, limits
from kickdoor.server.hub import Hub
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Gate
from kickdoor.server.options import TableOptions
from kickdoor.server.website import website

WORDS: Final = [
    *("", " ", "\x00", "a\x00b", "\ud800", "\u202e\u200b", "é" * 100, "😀" * 60, "x" * 300, "x" * 20_000, "9" * 5000),
    *("../../etc/passwd", "%00", "null", "-1", "1e999", "<b>", "'; drop table entries; --", "lookahead@" + "9" * 5000),
]
NUMBERS: Final = [0, -1, 1, 13, 2**31, 2**63, -(2**63), 10**30, 1e308, -0.5, True]
NESTED: Any = {}
for _ in range(500):
    NESTED = {"a": NESTED}
SHAPES: Final[list[Any]] = [None, [], {}, [[]], [None], ["\x00"], ["x"] * 3000, {"\ud800": 1}, {"x" * 9000: 1}, NESTED]
VALUES: Final = [*WORDS, *NUMBERS, *SHAPES]
COUNTS: Final[list[Any]] = [5_000_000, 0, -1, 21, None, "x", 1.5, 10**30, []]
NAMED: Final = [{"Potted Plant": n} for n in COUNTS]
RULED: Final = ("sell.threshold", "combat.response.seconds", "edition", "x")
FIELDS: Final = [{field: n} for field in RULED for n in COUNTS]
LAID: Final[dict[str, Any]] = {"packs": ["classic"], "sheets": [{"sheet": "a"}]}
GOOD: Final[dict[str, dict[str, Any]]] = {
    "NewTable": {"host": {"name": "Ann"}},
    "Sitting": {"name": "Bob"},
    "Token": {"token": "guess"},
    "Code": {"code": "guess"},
    "Watcher": {},
    "Mix": {},
    "PlayOn": {"name": "Ann", "seat": 0},
    "NewCounter": {},
    "FightQuestion": {"position": {**LAID, "fight": {"main": "a", "foes": [{"thing": "f", "card": "Maul Rat"}]}}},
    "ItemQuestion": {"position": LAID, "sheet": "a", "card": "Flaming Armor"},
    "CouldQuestion": {"position": LAID, "sheet": "a", "card": "Flaming Armor"},
}
MOST_SAID: Final = 3000  # bytes of a no
REQUEST = tuple[str, str, bytes | None]  # method, address, body


def described(doc: dict[str, Any], table: str) -> Iterator[tuple[str, str, REQUEST]]:
    """Every extreme, with the call that it is for."""
    for path, calls in doc["paths"].items():
        for verb, what in calls.items():
            here = path.replace("{table}", table)
            for p in what.get("parameters", ()):
                for word in (w for w in (*WORDS, *map(str, NUMBERS)) if len(w) <= 5000):
                    yield path, verb, (verb, _placed(path, here, p, word), None)
            if "requestBody" in what:
                for body in _bodies(doc, what):
                    yield path, verb, (verb, here, body)


def _placed(path: str, here: str, p: dict[str, Any], word: str) -> str:
    said = quote(word.encode("utf-8", "surrogatepass"), safe="")
    if p["in"] == "path":
        here = (
            path.replace("{" + p["name"] + "}", said)
            if p["name"] == "table"
            else here.replace("{" + p["name"] + "}", said)
        )
    else:
        here = f"{here}?{p['name']}={said}"
    return (
        here.replace("{step}", "1")
        .replace("{mix}", "none")
        .replace("{rule}", "HELP-1")
        .replace("{table}", "abcdefghjk")
        .replace("{counter}", "abcdefghjk")
    )


def _bodies(doc: dict[str, Any], what: dict[str, Any]) -> Iterator[bytes]:
    schema = what["requestBody"]["content"]["application/json"]["schema"]
    name = schema["$ref"].rpartition("/")[2] if "$ref" in schema else schema["title"]
    good, shape = GOOD[name], schema if "properties" in schema else doc["components"]["schemas"][name]
    for value in VALUES:
        yield _text(value)
        for field in (*shape["properties"], "unheard_of"):
            yield _text({**good, field: value})
    if name == "NewTable":
        for value in VALUES:
            yield _text({"host": {"name": value}})
            yield _text({"host": {"name": "Ann", "sex": value}})
        for option in (*TableOptions.__struct_fields__, "seats", "\x00", "\ud800"):
            for value in (*VALUES, *(NAMED if option == "copies" else FIELDS if option == "rules" else ())):
                yield _text({**good, "options": {option: value}})
    yield from (b"", b"{", b"\xff\xfe\xfd", b"[" * 30_000, b'{"seats":' + b"9" * 5000 + b"}", b'{"a":NaN}', b"\x00")
    yield b'{"host":{"name":"A"},"options":{"window":NaN,"decision":Infinity}}'
    yield b" " * (limits.BODY_BYTES + 1)


def _text(value: Any) -> bytes:
    return json.dumps(value).encode()


class Tried:
    """A house with a table in it, asked from one address without limits of rate."""

    def __init__(self, folder: Path) -> None:
        self.hub = Hub(SqliteJournal(str(folder / "journal.sqlite")))
        app = website(self.hub, gate=Gate(10**6))
        way = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.caller = httpx.AsyncClient(transport=way, base_url="http://test")

    async def ask(self, method: str, path: str, body: bytes | None = None, **headers: bytes) -> httpx.Response:
        more = [("content-type", b"application/json")] if body is not None else []
        every: Any = [*more, *headers.items()]
        return await self.caller.request(method, path, content=body, headers=every)


def test_extremes_get_a_clear_no_and_make_nothing_grow(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)

    async def story() -> int:
        house = Tried(tmp_path)
        await house.hub.open()
        doc = (await house.ask("get", "/openapi.json")).json()
        table = (await house.ask("post", "/api/tables", b'{"host":{"name":"Ann"}}')).json()["table"]
        tried, made = 0, 1
        for path, verb, (method, address, body) in described(doc, table):
            answer = await house.ask(method, address, body)
            case = f"{method} {address[:120]} {(body or b'')[:120]!r}: {answer.status_code} {answer.text[:200]}"
            assert answer.status_code < 500, case
            announced = doc["paths"][path][verb]["responses"]
            moved = answer.status_code in (404, 405) and "{" in path  # an empty or odd name may be another address
            assert str(answer.status_code) in announced or moved, case
            if answer.status_code >= 400:
                assert answer.json().keys() == {"code", "says", "rule"}, case
                assert answer.json()["says"], case
                assert len(answer.content) <= MOST_SAID, case
            tried += 1
            made += answer.status_code == 201 and path == "/api/tables"
            assert len(house.hub.rooms) == made, case
        assert len(catalog._mixes) <= limits.MIXES
        assert setup._library.cache_info().currsize <= 32
        assert all(len(house.hub.rooms[i].table.name) <= 40 for i in house.hub.rooms)
        most = max(sum(r.table.options.copies.values()) for r in house.hub.rooms.values())
        assert most <= limits.COPIES_OF_ALL
        await house.hub.close()
        return tried

    assert asyncio.run(story()) > 1500
    assert not caplog.records, "nothing was unforeseen"


def test_a_host_that_is_none_makes_no_link(tmp_path: Path) -> None:
    async def story() -> None:
        house = Tried(tmp_path)
        await house.hub.open()
        ann = b'{"host":{"name":"Ann"}}'
        table = (await house.ask("post", "/api/tables", ann)).json()["table"]
        for host in (b"x" * 5000, b"[", b"a b", b"\xfc", b"", b"a/b", b"a@b", b"a#b", b"localhost:999999999"):
            qr = await house.ask("get", f"/api/tables/{table}/qr.svg", host=host)
            made = await house.ask("post", "/api/tables", ann, host=host)
            sat = await house.ask("post", f"/api/tables/{table}/seats", b'{"name":"Bob"}', host=host)
            for answer in (qr, made, sat):
                assert (answer.status_code, answer.json()["code"]) == (422, "not_understood")
            assert (await house.ask("get", "/", host=host)).status_code == 200
        assert len(house.hub.rooms) == 1, "nothing has been made that nobody could be told of"
        assert [c.who for c in house.hub.rooms[table].table.chairs] == ["person", "open", "open", "open"]
        await house.hub.close()

    asyncio.run(story())


def test_every_address_that_is_not_ours_is_a_plain_no(tmp_path: Path) -> None:
    async def story() -> None:
        house = Tried(tmp_path)
        await house.hub.open()
        for word in WORDS:
            said = quote(word.encode("utf-8", "surrogatepass"), safe="")
            for before in ("/", "/t/", "/assets/", "/api/", "/api/tables/", "/ws/tables/", "/t/x/"):
                answer = await house.ask("get", before + said)
                assert answer.status_code in (200, 404, 422), (before, word[:50], answer.status_code)
                assert "traceback" not in answer.text.lower()
        await house.hub.close()

    asyncio.run(story())


def test_a_signature_that_is_none_is_a_damaged_link(tmp_path: Path) -> None:
    async def story() -> None:
        house = Tried(tmp_path)
        await house.hub.open()
        t = (await house.ask("post", "/api/tables", b'{"host":{"name":"Ann"}}')).json()["table"]
        for text in (f"{t}.mark.9999999999.ß", f"{t}.m.٣.x", f"{t}.m.{'9' * 150}.x", f"{t}...", f"{t}.\x00.1.x", "ß"):
            code = base64.urlsafe_b64encode(text.encode()).decode()
            answer = await house.ask("post", f"/api/tables/{t}/claim", _text({"code": code}))
            assert (answer.status_code, answer.json()["code"]) == (410, "bad_link")
        await house.hub.close()

    asyncio.run(story())
