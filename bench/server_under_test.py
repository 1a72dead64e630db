"""What `bench.server` starts: our server with a generous gate, or a bare echo server on the same stack."""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from kickdoor.server.hub import Hub
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Gate
from kickdoor.server.website import website
from kickdoor.server.wire import Wire


def echo_app() -> Starlette:
    groups: dict[str, list[WebSocket]] = defaultdict(list)

    async def health(_: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    async def echo(ws: WebSocket) -> None:
        await ws.accept()
        group = groups[ws.path_params["group"]]
        group.append(ws)
        try:
            while True:
                text = await ws.receive_text()
                for other in group:
                    await other.send_text(text)
        except WebSocketDisconnect:
            group.remove(ws)

    return Starlette(routes=[Route("/healthz", health), WebSocketRoute("/echo/{group}", echo)])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--echo", action="store_true")
    parser.add_argument("--data", default="")
    args = parser.parse_args()
    app: Any = echo_app()
    if not args.echo:
        app = website(Hub(SqliteJournal(f"{args.data}/journal.sqlite")), gate=Gate(100_000, 100_000))
    uvicorn.run(app, port=args.port, log_level="warning", access_log=False, ws_per_message_deflate=False, ws=Wire)


if __name__ == "__main__":
    main()
