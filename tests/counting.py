"""Counters for real cards, laid for a browser: the taps are made here, so that nobody has to tap his way there."""

from __future__ import annotations

import json
import time
from typing import Any, Final

from browsing import Guest, House
from serving import call

PHONE: Final = "looking-at-it"  # what the browser calls itself
COLOURS: Final = ("#b3382c", "#1f6fb0", "#2c7a45", "#8a4fb0", "#b06a00", "#0f7f86", "#a8326e", "#5d6b1f")


class Counted:
    """A counter in the making: taps, one after the other, a second apart."""

    def __init__(self, *names: str, packs: tuple[str, ...] = ("classic",), began: float = 0) -> None:
        self.taps: list[dict[str, Any]] = []
        self.at = int(((began or time.time()) - 3600) * 1000)
        self.things = 0
        self.tap("table", packs=list(packs), limit=10, name="")
        for i, name in enumerate(names):
            sex = ("female", "male")[i % 2]
            self.tap("person", sheet=f"s{i}", name=name, sex=sex, colour=COLOURS[i % 8], avatar="")
        self.tap("device", sheet=None)

    def tap(self, kind: str, **what: Any) -> Counted:
        self.at += 5000
        number = len(self.taps) + 1
        self.taps.append({"kind": kind, "id": f"tap-{number:04}", "clock": number, "who": PHONE, "at": self.at, **what})
        return self

    def card(self, name: str, sheet: str = "s0", place: str = "worn", **more: Any) -> Counted:
        return self.thing(name, place, card=name, sheet=sheet, **more)

    def thing(self, name: str, place: str, **more: Any) -> Counted:
        self.things += 1
        return self.tap("put", thing=f"t{self.things}", place=place, name=name, **more)

    def level(self, sheet: str, by: int) -> Counted:
        return self.tap("level", sheet=sheet, by=by)

    def fight(self, main: str, *foes: str, helper: str | None = None) -> Counted:
        self.tap("fight", fight="f1", main=main, **({"helper": helper, "promised": 1} if helper else {}))
        for name in foes:
            self.thing(name, "foe", card=name, fight="f1")
        return self

    def brought(self, house: House) -> str:
        """On the server now; its address."""
        status, answer = call(f"{house.url}/api/counter", {"taps": self.taps[:100]})
        assert status == 201, answer
        return f"/counter/{answer['counter']}"

    def opened(self, ann: Guest) -> None:
        """On the phone that everything was tapped on."""
        ann.context.add_init_script(f"localStorage.setItem('kickdoor.phone', {json.dumps(PHONE)})")
        ann.go(self.brought(ann.house))
