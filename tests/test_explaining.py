"""What goes wrong is said in a sentence; what is secret stands in no address."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from house import ANN, House, hello, listening, story
from kickdoor.cards.packs import known_packs
from kickdoor.server import catalog, limits
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.journal import Lost
from kickdoor.server.website import policy

# -- what goes wrong here ---------------------------------------------------------------------------------------------


def test_a_mistake_of_ours_has_a_number_and_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def tell(house: House) -> None:
        async def broken(ident: str) -> Any:
            raise KeyError("secret thing")

        monkeypatch.setattr(house.hub, "room", broken)
        async with house.caller() as c, listening(house) as port:
            answer = await c.get("/api/tables/abcdefghjk")
            assert (answer.status_code, answer.json()["code"]) == (500, "failed")
            number = re.search(r"[0-9a-f]{8}", answer.json()["says"])
            assert number is not None
            assert "secret thing" not in answer.text
            assert next(r for r in caplog.records if number[0] in r.getMessage()).exc_info
            assert sum(" failed (reference" in r.getMessage() for r in caplog.records) == 1
            _, bye = await hello(port, "abcdefghjk")
            assert (bye["t"], bye["code"]) == ("bye", "failed")
            assert re.search(r"[0-9a-f]{8}", bye["says"])

    story(tmp_path, tell)


@pytest.mark.parametrize(("says", "alarms"), [("the transport is closed", 0), ("something of ours", 1)])
def test_whoever_hangs_up_in_the_middle_of_an_answer_is_no_mistake_of_ours(
    says: str, alarms: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def tell(house: House) -> None:
        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            raise RuntimeError(says)

        scope = {"type": "http", "method": "GET", "path": "/api/about", "raw_path": b"/api/about", "query_string": b""}
        scope |= {"headers": [(b"host", b"here")], "client": ("127.0.0.1", 1), "scheme": "http", "server": ("here", 80)}
        await house.app(scope, receive, send)
        assert sum(" failed (reference" in r.getMessage() for r in caplog.records) == alarms

    story(tmp_path, tell)


def test_a_journal_that_is_away_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def tell(house: House) -> None:
        async def away(*_: Any) -> Any:
            raise Lost("the database is down")

        monkeypatch.setattr(house.hub.journal, "take", away)
        monkeypatch.setattr(house.hub.journal, "create", away)
        async with house.caller() as c, listening(house) as port:
            for answer in (await c.get("/api/tables/abcdefghjk"), await c.post("/api/tables", json=ANN)):
                assert (answer.status_code, answer.json()["code"]) == (503, "unwritable")
                assert "Try again" in answer.json()["says"]
            _, bye = await hello(port, "abcdefghjk")
            assert (bye["code"], "nothing is lost" in bye["says"]) == ("unwritable", True)

    story(tmp_path, tell)


def test_a_table_that_cannot_be_understood_says_so_and_the_others_are_well(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        await house.hub.journal.create("abcdefghjk", [b"this is no entry"])
        async with house.caller() as c, listening(house) as port:
            answer = await c.get("/api/tables/abcdefghjk")
            assert (answer.status_code, answer.json()["code"]) == (503, "newer")
            _, bye = await hello(port, "abcdefghjk")
            assert bye["code"] == "newer"
            assert "does not understand" in bye["says"]
            assert (await c.post("/api/tables", json=ANN)).status_code == 201

    story(tmp_path, tell)


# -- what others can read ---------------------------------------------------------------------------------------------


def test_the_code_that_moves_a_seat_is_in_no_address(tmp_path: Path) -> None:
    async def tell(house: House) -> None:
        async with house.caller() as c:
            ticket = (await c.post("/api/tables", json=ANN)).json()
            base = f"/api/tables/{ticket['table']}"
            moved = (await c.post(f"{base}/move", json={"token": ticket["token"]})).json()
            assert moved["qr"].startswith("data:image/svg+xml,")
            plain = (await c.get(f"{base}/qr.svg")).text
            assert (await c.get(f"{base}/qr.svg", params={"code": moved["code"]})).text == plain, "it is not asked for"
            described = (await c.get("/openapi.json")).json()["paths"]
            asked = [p["name"] for call in described.values() for v in call.values() for p in v.get("parameters", ())]
            assert not {"code", "token"} & set(asked)

    story(tmp_path, tell)
    page = Path(__file__).parent.parent / "web" / "src"
    assert not [p for p in page.rglob("*.svelte") if re.search(r"qr\.svg\?[^\"`]*(code|token)", p.read_text())]


def test_a_page_connects_to_its_own_server_and_its_siblings_only() -> None:
    allowed = re.search("connect-src ([^;]*);", policy("play.example:8000", ["https://two.example"]))
    assert allowed is not None
    assert allowed[1].split() == [
        *("'self'", "ws://play.example:8000", "wss://play.example:8000"),
        *("https://two.example", "wss://two.example"),
    ]
    for odd in ("a; script-src *", "a b", "x" * 999, "*", ""):
        assert "connect-src 'self';" in policy(odd, [odd])


def test_all_packs_together_fit() -> None:
    """The limits are for mischief: the largest game that can be set up is well inside them."""
    options = op.changed(op.TableOptions(), {"packs": ["classic", *(p for p in known_packs() if p != "classic")][:20]})
    assert (
        len(gzip.compress(pr.encode([catalog._card(i, d) for i, d in enumerate(op.cards(options).defs)])))
        < limits.MIX_BYTES / 20
    )
