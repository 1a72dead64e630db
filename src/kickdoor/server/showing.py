"""What each viewer is sent: the state of a table as that viewer may know it.

Most of it is the same for everybody, so it is made once per change (`shared`), and so are its changes. What only one
viewer has (`own`: his hand, his moves, the question he is asked) is laid over it.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

import msgspec

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.table.levels import common_goal
from kickdoor.engine.views import EVERYTHING, SPECTATOR, asked, own_cards, seen
from kickdoor.server import catalog, menu, patching, playable, teaching
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import colours
from kickdoor.server.consent import free_undo
from kickdoor.server.table import LOBBY, OVER, PLAYING, Table
from kickdoor.voice import words

NO_CLOCK: Final[pr.Clock] = {"kind": "none", "seats": [], "left": 0, "total": 0, "window": 0}
NO_PROMPT: Final[pr.Prompt] = {"headline": "", "rule": "", "must": False, "primary": ""}

Own = dict[tuple[str | int, ...], Any]  # what only one viewer has, by its place in the state
UNDO: Final = ("table", "undo")


class Shown(NamedTuple):
    """What was last sent: to all, and to each viewer besides."""

    shared: pr.SharedState
    own: dict[int, Own]


class Drawn(NamedTuple):
    """A table as it looks to everybody: after which entry, and who was there."""

    seq: int
    here: list[bool]
    watchers: int
    shared: pr.SharedState
    own: dict[int, Own]


NOTHING: Final = cast("pr.SharedState", {})  # before anybody has looked


def shared(t: Table, here: list[bool], watchers: int, front: Front | None = None) -> pr.SharedState:
    """What everybody may know, spectators included. `front`: of this table, as it was last shown."""
    part = table_part(t, here, watchers) if front is None else front.part(t, here, watchers)
    return {"table": part, "game": _game(t)}


def rehearse(t: Table) -> dict[int, Own]:
    """Look at a table with everybody's eyes: what cannot be shown must not come to be. What each viewer has besides."""
    shared(t, [], 0)
    return {v: own(t, v) for v in range(SPECTATOR, len(t.chairs))}


def own(t: Table, viewer: int) -> Own:
    """What this viewer has besides."""
    out: Own = {
        UNDO: viewer >= 0 and free_undo(t, viewer),
        ("moves",): moves_part(t, viewer),
        ("prompt",): prompt(t, viewer),
    }
    g = t.game
    if g is None:
        return out
    out["game", "seat"] = viewer
    if t.status == OVER:
        return out
    if viewer >= 0:
        for key, value in own_cards(g, viewer).items():
            out["game", "players", viewer, key] = value
        out["game", "asked"] = asked(g, viewer)
    else:
        for s, c in enumerate(t.chairs):
            if c.open_hand:
                out["game", "players", s, "hand"] = list(g.players[s].hand)
    return out


def beside(mine: Own) -> Own:
    """What a viewer has after somebody else has passed, and nothing has come of it: the same, but that it is not his
    move any more that could be taken back."""
    return {**mine, UNDO: False} if mine[UNDO] else mine


def state(common: pr.SharedState, mine: Own, clock: pr.Clock) -> pr.State:
    """The whole state of a viewer, for a welcome."""
    game = common["game"]
    out: dict[str, Any] = {"table": dict(common["table"]), "game": None, "clock": clock}
    if game is not None:
        out["game"] = {**game, "players": [dict(p) for p in game["players"]]}
    for path, value in mine.items():
        at: Any = out
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return cast("pr.State", out)


class Painted:
    """What the common changes paint over, worked out once for all viewers."""

    def __init__(self, common: list[patching.Change]) -> None:
        self.common = common
        self.touched: set[tuple[Any, ...]] = {tuple(c[0]) for c in common}
        self.deep: set[tuple[Any, ...]] = {path[:n] for path in self.touched for n in range(1, len(path))}
        self._over: dict[tuple[str | int, ...], bool] = {}

    def over(self, path: tuple[str | int, ...]) -> bool:
        """Is something at, above or below this place painted over?"""
        known = self._over.get(path)
        if known is None:
            above = any(path[:n] in self.touched for n in range(1, len(path)))
            known = self._over[path] = above or path in self.deep or path in self.touched
        return known


_painted: list[Painted] = [Painted([])]  # of the latest changes: they are asked about once per viewer


def _paint(common: list[patching.Change]) -> Painted:
    if _painted[0].common is not common:
        _painted[0] = Painted(common)
    return _painted[0]


def own_changes(old: Own, new: Own, common: list[patching.Change], now: pr.SharedState) -> list[patching.Change]:
    """The changes that only this viewer is sent, after the common ones, which may have painted over what is his."""
    paint = _paint(common)
    out: list[patching.Change] = []
    if old is new:
        for path, value in new.items():
            if paint.over(path):
                out.append([list(path), value])
        return out
    for path in old:
        if path not in new:  # not his own any more: what everybody sees is true for him too
            out += _common_value(now, path)
    for path, value in new.items():
        if path not in old or paint.over(path):
            out.append([list(path), value])
            continue
        before = old[path]
        if before is not value and before != value:
            patching.extend(list(path), before, value, out)
    return out


def _common_value(now: pr.SharedState, path: tuple[str | int, ...]) -> list[patching.Change]:
    at: Any = now
    try:
        for key in path:
            at = at[key]
    except (KeyError, IndexError, TypeError):
        return []  # it has gone, and what held it has been sent
    return [[list(path), at]]


def table_part(t: Table, here: list[bool], watchers: int) -> pr.TablePart:
    """All that is not the game; the same for everybody."""
    o = t.options
    return {
        "id": t.id,
        "name": t.name,
        "status": t.status,
        "game": t.games,
        "host": t.host,
        **mix(o),
        "seats": [_seat(t, s, s < len(here) and here[s], colour) for s, colour in enumerate(colours(t.chairs))],
        "watchers": watchers,
        "votes": [
            {"id": v.id, "kind": v.kind, "by": v.by, "seat": v.seat, "text": v.text, "yes": v.yes[:], "no": v.no[:]}
            for v in t.votes
        ],
        "seed": _seed(t),
        "obstacles": playable.of_table(t) if t.status == LOBBY else [],
    }


class Front:
    """The part of a table that is not the game, made anew only when something of it has changed: seldom by a move."""

    def __init__(self) -> None:
        self._of: tuple[Any, ...] = ()
        self._part: pr.TablePart | None = None

    def part(self, t: Table, here: list[bool], watchers: int) -> pr.TablePart:
        of = (t.name, t.status, t.games, t.host, t.options, t.dealt, t.next_seed, t.next_salt, here, watchers, t.chairs)
        if self._part is None or t.votes or self._part["votes"] or of != self._of:
            self._of = (*of[:-1], [msgspec.structs.replace(c) for c in t.chairs])
            self._part = table_part(t, here, watchers)
        return self._part


_mixes: OrderedDict[bytes, pr.MixState] = OrderedDict()
MIXES_KEPT: Final = 500


def mix(o: op.TableOptions) -> pr.MixState:
    """What follows from the options alone; kept, since options seldom change."""
    key = msgspec.msgpack.encode(o)
    kept = _mixes.get(key)
    if kept is None:
        kept = _mixes[key] = {
            "packs": list(o.packs),
            "cards": op.cards(o).printed,  # the page keeps what is read under it
            "theme": _theme(o.packs[0]),
            "options": op.shown(o),
            "house": list(o.house),
            "advice": op.advice(o),
            "board": op.rules(o).components.board,
        }
        if len(_mixes) > MIXES_KEPT:
            _mixes.popitem(last=False)
    _mixes.move_to_end(key)
    catalog.remember(kept["cards"], o)
    return kept


@lru_cache(maxsize=64)
def _theme(pack: str) -> dict[str, str]:
    return op.theme([pack])


def _seat(t: Table, s: int, here: bool, colour: int) -> pr.SeatState:
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
        "colour": colour,
        "things": list(c.things),
        "avatar": c.avatar,
    }


def _seed(t: Table) -> pr.SeedState:
    """The seal; seed and salt only when the game is over."""
    shown = t.dealt if t.status == OVER else None
    return {
        "hash": t.seal(),
        "seed": str(shown.seed) if shown is not None else None,
        "salt": shown.salt if shown is not None else None,
    }


def _game(t: Table) -> pr.GameState | None:
    """The engine's view for a spectator; when the game is over, everything."""
    if t.game is None:
        return None
    return game_view(t, EVERYTHING if t.status == OVER else SPECTATOR)


def game_view(t: Table, viewer: int) -> pr.GameState:
    g = t.game
    assert g is not None
    goal = max(common_goal(g, s) for s in range(len(g.players)))  # how far the track goes
    return {**(t.eye.seen(g) if viewer == SPECTATOR else seen(g, viewer)), "seat": SPECTATOR, "goal": goal}


def moves_part(t: Table, viewer: int) -> dict[str, pr.MoveState]:
    if viewer < 0 or t.status != PLAYING or t.game is None:
        return {}
    return menu.moves(t.game, viewer)


def prompt(t: Table, viewer: int) -> pr.Prompt:
    """What is asked of this viewer, in words."""
    g = t.game
    if g is None or t.status != PLAYING:
        return NO_PROMPT
    must = viewer >= 0 and viewer in to_act(g)
    headline = words.sentence(g, viewer, must)
    if viewer < 0:
        return {**NO_PROMPT, "headline": headline}
    first = words.first_move(legal(g, viewer))
    key = menu.key(first) if first is not None else ""
    out: pr.Prompt = {"headline": headline, "rule": words.asking_rule(g, viewer), "must": must, "primary": key}
    if t.options.lesson:
        told = teaching.state(g, viewer)
        if told is not None:
            out["lesson"] = told
    return out
