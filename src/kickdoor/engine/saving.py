"""Writing a game out and reading it back, at any moment, as JSON or msgpack."""

from __future__ import annotations

from typing import Any

import msgspec

from kickdoor.cards.library import Library
from kickdoor.engine import setup
from kickdoor.engine.game import Game, restore
from kickdoor.engine.invariants import check
from kickdoor.engine.ruleset import Ruleset

FORMAT = 1


class SaveError(ValueError):
    """A save that is damaged, or was made with other cards."""


def _data(g: Game) -> dict[str, Any]:
    return {
        "kickdoor": FORMAT,
        "packs": list(g.lib.packs),
        "without": list(g.lib.without),
        "copies": dict(g.lib.copies),
        "cards": g.lib.hash,
        "rules": msgspec.to_builtins(g.rules),
        "game": g.plain(),
    }


def to_json(g: Game) -> bytes:
    return msgspec.json.encode(_data(g))


def to_msgpack(g: Game) -> bytes:
    return msgspec.msgpack.encode(_data(g))


def from_json(data: bytes, lib: Library | None = None) -> Game:
    try:
        return _game(msgspec.json.decode(data), lib)
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise SaveError(f"this is not a saved game: {e}") from None


def from_msgpack(data: bytes, lib: Library | None = None) -> Game:
    try:
        return _game(msgspec.msgpack.decode(data), lib)
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise SaveError(f"this is not a saved game: {e}") from None


def _game(data: Any, lib: Library | None) -> Game:
    if not isinstance(data, dict) or "kickdoor" not in data:
        raise SaveError("this is not a saved game")
    if data["kickdoor"] != FORMAT:
        raise SaveError(f"this game was saved in format {data['kickdoor']!r}; this version reads {FORMAT}")
    try:
        if lib is None:
            lib = setup.library(tuple(data["packs"]), without=tuple(data["without"]), copies=dict(data["copies"]))
        if lib.hash != data["cards"]:
            raise SaveError("this game was saved with other cards (the packs have changed since)")
        rules = msgspec.convert(data["rules"], Ruleset)
        g = restore(lib, rules, data["game"])
        check(g)
        return g
    except SaveError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError) as e:
        raise SaveError(f"the saved game is damaged: {e}") from None
