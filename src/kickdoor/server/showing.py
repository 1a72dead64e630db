"""What each viewer is sent: the state of a table as that viewer may know it."""

from __future__ import annotations

from typing import Any, Final

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.levels import goal_level
from kickdoor.engine.views import EVERYTHING, view
from kickdoor.server import catalog
from kickdoor.server import options as op
from kickdoor.server.deciding import free_undo
from kickdoor.server.table import OVER, PLAYING, Table, sayings
from kickdoor.voice import words

NO_CLOCK: Final[dict[str, Any]] = {"kind": "none", "seats": [], "left": 0, "total": 0, "window": 0}


def state(t: Table, viewer: int, here: list[bool], watchers: int) -> dict[str, Any]:
    """Everything one viewer has, but for the clock, which goes its own way."""
    return {
        "table": {**table_part(t, here, watchers), "undo": viewer >= 0 and free_undo(t, viewer)},
        "game": game_part(t, viewer),
        "moves": moves_part(t, viewer),
        "prompt": prompt(t, viewer),
    }


def table_part(t: Table, here: list[bool], watchers: int) -> dict[str, Any]:
    """All that is not the game; the same for everybody."""
    o = t.options
    return {
        "id": t.id,
        "name": t.name,
        "status": t.status,
        "game": t.games,
        "host": t.host,
        "packs": list(o.packs),
        "cards": catalog.mix(o).hash,
        "theme": op.theme(o.packs),
        "options": op.plain(o),
        "house": list(o.house),
        "seats": [_seat(t, s, s < len(here) and here[s]) for s in range(len(t.chairs))],
        "watchers": watchers,
        "votes": [
            {"id": v.id, "kind": v.kind, "by": v.by, "seat": v.seat, "text": v.text, "yes": v.yes[:], "no": v.no[:]}
            for v in t.votes
        ],
        "seed": _seed(t),
    }


def _seat(t: Table, s: int, here: bool) -> dict[str, Any]:
    c = t.chairs[s]
    return {
        "name": c.name,
        "sex": c.sex,
        "who": c.who,
        "bot": c.bot,
        "here": here or c.who == "bot",
        "ready": c.ready,
        "auto": c.auto,
        "standin": c.standin,
        "dozing": c.dozing,
        "open_hand": c.open_hand,
    }


def _seed(t: Table) -> dict[str, Any]:
    """The seal; seed and salt only when the game is over."""
    shown = t.status == OVER and t.dealt is not None
    return {
        "hash": t.seal(),
        "seed": str(t.dealt.seed) if shown and t.dealt else None,
        "salt": t.dealt.salt if shown and t.dealt else None,
    }


def game_part(t: Table, viewer: int) -> dict[str, Any] | None:
    """The engine's view, as JSON has it."""
    g = t.game
    if g is None:
        return None
    v = view(g, EVERYTHING if t.status == OVER else viewer)
    v["seat"] = viewer
    v["goal"] = goal_level(g)
    del v["dice_left"]
    for s, p in enumerate(v["players"]):
        p["attached"] = {str(k): x for k, x in p["attached"].items()}
        p["borne"] = {str(k): x for k, x in p["borne"].items()}
        if viewer < 0 and t.chairs[s].open_hand:
            p["hand"] = list(g.players[s].hand)
    return v


def moves_part(t: Table, viewer: int) -> dict[str, str]:
    if viewer < 0 or t.status != PLAYING or t.game is None:
        return {}
    return sayings(t.game, viewer)


def prompt(t: Table, viewer: int) -> dict[str, Any]:
    """What is asked of this viewer, in words."""
    g = t.game
    if g is None or t.status != PLAYING:
        return {"headline": "", "must": False, "primary": ""}
    must = viewer >= 0 and viewer in to_act(g)
    headline = words.headline(g, viewer, must)
    if viewer < 0:
        return {"headline": headline, "must": False, "primary": ""}
    first = words.first_move(legal(g, viewer))
    key = f"{first.verb},{first.card},{first.target},{first.extra}" if first is not None else ""
    return {"headline": headline, "must": must, "primary": key}
