"""`kickdoor play` in the browser: the same server as `kickdoor serve`, on this machine only, with a private table."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import webbrowser
from collections.abc import Sequence
from typing import Any, Final

from kickdoor.app import serving
from kickdoor.app.terminal import say
from kickdoor.server import deciding
from kickdoor.server import protocol as pr
from kickdoor.server.archive import Attic
from kickdoor.server.chairs import fingerprint
from kickdoor.server.hub import Hub
from kickdoor.server.journal_sqlite import SqliteJournal
from kickdoor.server.limits import Gate
from kickdoor.server.website import STATIC, website

PORT: Final = 8765


def built() -> bool:
    """Is there a browser table to show?"""
    return (STATIC / "index.html").is_file()


def play(args: argparse.Namespace, name: str, kinds: Sequence[str], options: dict[str, Any]) -> int:
    """Set the table, print its address, open it, and serve until Ctrl-C."""
    sock = _listen(args.port)
    here = f"http://127.0.0.1:{sock.getsockname()[1]}"
    hub = PrivateHub(args, name, kinds, options, here)
    gate = Gate()
    return serving.serve(hub, website(hub, gate=gate), sock, [], gate, hub.announce)


def _listen(port: int | None) -> Any:
    if port is not None:
        return serving.listener("127.0.0.1", port)
    try:
        return serving.listener("127.0.0.1", PORT)
    except ValueError:  # somebody else has it; any other will do
        return serving.listener("127.0.0.1", 0)


class PrivateHub(Hub):
    """A hub that opens with one table set: you and your bots."""

    def __init__(
        self, args: argparse.Namespace, name: str, kinds: Sequence[str], options: dict[str, Any], here: str
    ) -> None:
        folder = args.data or serving.data_folder()
        super().__init__(SqliteJournal(str(folder / "play.sqlite")), attic=Attic(folder / "archive"))
        self._args, self._name, self._kinds, self._options = args, name, kinds, options
        self._here = here
        self._link = ""

    async def open(self) -> None:
        if self.ready:
            return
        await super().open()
        a = self._args
        room, seat, token = await self.create(
            f"{self._name}'s dungeon", self._name, a.sex, self._options, len(self._kinds) + 1, list(self._kinds), a.seed
        )
        await room.call(lambda: deciding.decide(room.table, seat, pr.Auto("auto", "nothing")))
        if a.bring:
            await room.call(lambda: deciding.decide(room.table, seat, pr.Bring("bring", list(a.bring))))
        await room.call(lambda: deciding.decide(room.table, seat, pr.Start("start")))
        code = self.links.make(room.table.id, fingerprint(token))
        self._link = f"{self._here}/t/{room.table.id}#move={code}"

    def announce(self) -> None:
        """The table can be come to: say where, and go there."""
        say(f"Your table is set: {self._link}", flush=True)
        say("Ctrl-C closes it; nothing is lost. In this terminal instead: kickdoor play --terminal", flush=True)
        if not self._args.no_open and (sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY")):
            with contextlib.suppress(Exception):
                webbrowser.open(self._link)
