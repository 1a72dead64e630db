"""The browser's built files: each under a name that says what is in it, so they are kept for good; and packed already,
so that nobody waits for them to be packed, and the loop does not either."""

from __future__ import annotations

import mimetypes
import os
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

PACKED: Final = (
    ("br", ".br"),
    ("gzip", ".gz"),
)  # the smaller first; over plain http some browsers take only the second
KEPT: Final = "public, max-age=31536000, immutable"


class Assets(StaticFiles):
    """Files whose names have a hash of their content in them (web/scripts/packed.ts packs them when they are built)."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        asked = Headers(scope=scope)
        response = _packed(os.fspath(full_path), asked) or FileResponse(full_path, status_code, stat_result=stat_result)
        response.headers["cache-control"] = KEPT
        response.headers.add_vary_header("Accept-Encoding")
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, asked) else response


def _packed(path: str, asked: Headers) -> FileResponse | None:
    """The file as it lies packed beside itself, if the browser takes it so."""
    if "range" in asked:
        return None
    taken = {word.partition(";")[0].strip() for word in asked.get("accept-encoding", "").split(",")}
    for coding, ending in PACKED:
        if coding in taken and os.path.isfile(path + ending):
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            there = os.stat(path + ending)
            return FileResponse(path + ending, 200, {"content-encoding": coding}, kind, stat_result=there)
    return None
