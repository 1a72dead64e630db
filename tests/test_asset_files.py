"""The browser's built files: kept for good, and sent as they lie packed."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.testclient import TestClient

from kickdoor.server.files import KEPT, Assets

PLAIN = b"let door = 'kicked';\n" * 200


@pytest.fixture
def browser(tmp_path: Path) -> TestClient:
    (tmp_path / "index-1a2b.js").write_bytes(PLAIN)
    (tmp_path / "index-1a2b.js.gz").write_bytes(gzip.compress(PLAIN))
    (tmp_path / "index-1a2b.js.br").write_bytes(b"as brotli has it")
    (tmp_path / "small-3c4d.css").write_bytes(b"p{}")
    app = Starlette()
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.mount("/assets", Assets(directory=tmp_path))
    return TestClient(app)


def raw(browser: TestClient, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The bytes as they go over the wire."""
    with browser.stream("GET", path, headers={"accept-encoding": "identity", **headers}) as answer:
        return answer.status_code, dict(answer.headers), b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("takes", "coding"),
    [("gzip, deflate, br, zstd", "br"), ("gzip;q=1.0", "gzip"), ("identity", None), ("", None), ("deflate", None)],
)
def test_a_file_comes_as_it_lies_packed_where_the_browser_takes_it_so(
    browser: TestClient, takes: str, coding: str | None
) -> None:
    status, headers, body = raw(browser, "/assets/index-1a2b.js", **{"accept-encoding": takes})
    assert status == 200
    assert headers.get("content-encoding") == coding
    assert headers["content-type"].startswith("text/javascript")
    assert headers["cache-control"] == KEPT
    assert "accept-encoding" in headers["vary"].lower()
    assert int(headers["content-length"]) == len(body)
    unpacked = {"br": lambda b: PLAIN if b == b"as brotli has it" else b"", "gzip": gzip.decompress, None: bytes}
    assert unpacked[coding](body) == PLAIN


def test_a_file_that_was_not_worth_packing_comes_plain(browser: TestClient) -> None:
    _, headers, body = raw(browser, "/assets/small-3c4d.css", **{"accept-encoding": "br, gzip"})
    assert "content-encoding" not in headers
    assert body == b"p{}"
    assert headers["cache-control"] == KEPT


def test_a_part_of_a_file_is_a_part_of_the_plain_one(browser: TestClient) -> None:
    status, headers, body = raw(browser, "/assets/index-1a2b.js", **{"accept-encoding": "br", "range": "bytes=0-7"})
    assert (status, body) == (206, PLAIN[:8])
    assert "content-encoding" not in headers


def test_what_the_browser_has_is_not_sent_again(browser: TestClient) -> None:
    _, headers, _ = raw(browser, "/assets/index-1a2b.js", **{"accept-encoding": "br"})
    status, again, body = raw(
        browser, "/assets/index-1a2b.js", **{"accept-encoding": "br", "if-none-match": headers["etag"]}
    )
    assert (status, body) == (304, b"")
    assert again["cache-control"] == KEPT


def test_what_is_not_there_is_not_kept(browser: TestClient) -> None:
    status, headers, _ = raw(browser, "/assets/nothing-0000.js", **{"accept-encoding": "br"})
    assert status == 404
    assert "cache-control" not in headers
