"""Writing a game out and reading it back, at any moment, as JSON or msgpack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from kickdoor.cards.library import Library
from kickdoor.engine import setup
from kickdoor.engine.invariants import check
from kickdoor.engine.value import stored
from kickdoor.engine.value.frames import CHARITY_DRAFT, SELL_DRAFT
from kickdoor.engine.value.game import Game, bare_table, new_player
from kickdoor.engine.value.records import DOUBLES, MULTIPLIES, REVERSES
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.paper.files import UNREADABLE
from kickdoor.paper.plain import one_line, short

FORMAT = 2
READABLE = (1, FORMAT)
SEATS = 12
FRAMES = 500  # on the stack, and offers: what happens inside what happens is a few deep


class SaveError(ValueError):
    """A save that is damaged, or was made with other cards."""


def restore(lib: Library, rules: Ruleset, data: dict[str, Any]) -> Game:
    """The inverse of `Game.plain`; raises msgspec.ValidationError where the data is not such a thing."""
    return _laid(lib, rules, stored.read(data))


def packed(g: Game) -> bytes:
    """The plain value of a game alone, for whoever knows its cards and rules."""
    return msgspec.msgpack.encode(g.plain())


def unpacked(lib: Library, rules: Ruleset, data: bytes) -> Game:
    """The inverse of `packed`. Raises SaveError."""
    with _damage_told():
        g = _laid(lib, rules, stored.unpacked(data))
        check(g)
        return g


def _laid(lib: Library, rules: Ruleset, fields: dict[str, Any]) -> Game:
    players = []
    for row in fields.pop("players"):
        p = new_player(row.name)
        for name in stored.PLAYER:
            setattr(p, name, getattr(row, name))
        players.append(p)
    g = bare_table(lib, rules, players, int(fields.pop("rng")))
    for name, value in fields.items():
        setattr(g, name, value)
    return g


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
    except UNREADABLE as e:
        raise SaveError(f"this is not a saved game: {e}") from None


def from_msgpack(data: bytes, lib: Library | None = None) -> Game:
    try:
        return _game(msgspec.msgpack.decode(data), lib)
    except UNREADABLE as e:
        raise SaveError(f"this is not a saved game: {e}") from None


_KINDS_IN_FORMAT_1 = {"double": DOUBLES, "multiply": MULTIPLIES, "reversed": REVERSES}


def _from_format_1(game: dict[str, Any]) -> None:
    """What lay in a fight said by its rule what it does; a trade's `get` was other things in a sale and in charity."""
    for token in (game["fight"] or {}).get("tokens", ()):
        kind = _KINDS_IN_FORMAT_1.get(token["rule"])
        if kind is not None:
            token.update(kind=kind, rule="COMBAT-2")
        if kind == MULTIPLIES:
            token.update(item=token["foe"], foe=-1)
    own = {SELL_DRAFT: "doubled", CHARITY_DRAFT: "received"}
    for frame in game["stack"]:
        if frame["type"] == "Draft" and frame["kind"] in own:
            frame.update({own[frame["kind"]]: frame["get"], "get": []})


def _must_be_likely(game: dict[str, Any]) -> None:
    """SaveError for what no game has, before the cards are fetched for it."""
    for what, most in (("players", SEATS), ("stack", FRAMES), ("offers", FRAMES)):
        if len(game[what]) > most:
            raise SaveError(f"the saved game is damaged: it has {len(game[what]):,} {what}, at most {most}")
    for player in game["players"]:
        if one_line(player[0]) != player[0]:
            raise SaveError(f"the saved game is damaged: nobody is called {short(player[0])}")


def _game(data: Any, lib: Library | None) -> Game:
    if not isinstance(data, dict) or "kickdoor" not in data:
        raise SaveError("this is not a saved game")
    if data["kickdoor"] not in READABLE:
        raise SaveError(
            f"this game was saved in format {data['kickdoor']!r}; this version reads formats 1 to {FORMAT}. A newer "
            "version of Kickdoor may have written it: use that one"
        )
    with _damage_told():
        _must_be_likely(data["game"])
        if data["kickdoor"] == 1:
            _from_format_1(data["game"])
        if lib is None:
            lib = setup.library(tuple(data["packs"]), without=tuple(data["without"]), copies=dict(data["copies"]))
        if not lib.same(data["cards"]):
            raise SaveError("this game was saved with other cards (the packs have changed since)")
        return _checked(lib, msgspec.convert(data["rules"], Ruleset), data["game"])


def position(lib: Library, rules: Ruleset, plain: dict[str, Any]) -> Game:
    """A game out of its plain value alone (`Game.plain`), by whoever knows its cards and rules. Raises SaveError."""
    with _damage_told():
        _must_be_likely(plain)
        return _checked(lib, rules, plain)


def _checked(lib: Library, rules: Ruleset, plain: dict[str, Any]) -> Game:
    g = restore(lib, rules, plain)
    check(g)
    return g


@contextmanager
def _damage_told() -> Iterator[None]:
    """Whatever trips over a value that no game has is a SaveError."""
    try:
        yield
    except SaveError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, AssertionError) as e:
        raise SaveError(f"the saved game is damaged: {e}") from None
