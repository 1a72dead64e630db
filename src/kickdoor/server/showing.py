"""What each viewer is sent: the state of a table as that viewer may know it.

Most of it is the same for everybody, so it is made once per change (`shared`), and so are its changes. What only one
viewer has (`own`: his hand, his moves, the question he is asked) is laid over it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

import msgspec

from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.table.levels import common_goal
from kickdoor.engine.value.seen import AskedState, OwnState
from kickdoor.engine.views import EVERYTHING, SPECTATOR, asked, own_cards, seen
from kickdoor.server import catalog, menu, patching, playable, teaching
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import colours
from kickdoor.server.consent import free_undo
from kickdoor.server.table import LOBBY, OVER, PLAYING, Table
from kickdoor.voice import asking, words

NO_CLOCK: Final[pr.Clock] = {"kind": "none", "seats": [], "left": 0, "total": 0, "window": 0}
NO_PROMPT: Final[pr.Prompt] = {"headline": "", "rule": "", "must": False, "primary": ""}

Path = tuple[str | int, ...]  # a place in the state
UNDO: Final = ("table", "undo")
_MOVES: Final = ("moves",)
_PROMPT: Final = ("prompt",)
_SEAT: Final = ("game", "seat")
_ASKED: Final = ("game", "asked")


class Own:
    """What only one viewer has. Of a player who is in a game: `cards` of his own place, and what he is `asked`; of an
    onlooker: the open `hands`, by seat."""

    __slots__ = ("asked", "cards", "hands", "moves", "playing", "prompt", "undo", "viewer")

    def __init__(self, viewer: int, undo: bool, moves: dict[str, pr.MoveState], prompt: pr.Prompt) -> None:
        self.viewer, self.undo, self.moves, self.prompt = viewer, undo, moves, prompt
        self.playing = False  # is there a game?
        self.cards: OwnState | None = None
        self.asked: AskedState | None = None
        self.hands: dict[int, list[int]] = {}

    def places(self) -> list[tuple[Path, Any]]:
        """All of it, by its place in the state."""
        out: list[tuple[Path, Any]] = [(UNDO, self.undo), (_MOVES, self.moves), (_PROMPT, self.prompt)]
        if self.playing:
            out.append((_SEAT, self.viewer))
        if self.cards is not None:
            out += [(("game", "players", self.viewer, key), value) for key, value in self.cards.items()]
            out.append((_ASKED, self.asked))
        out += [(("game", "players", s, "hand"), hand) for s, hand in self.hands.items()]
        return out


class Shown:
    """What was last sent: to all, and to each viewer besides."""

    __slots__ = ("own", "shared")

    def __init__(self, shared: pr.SharedState, own: dict[int, Own]) -> None:
        self.shared, self.own = shared, own


class Drawn:
    """A table as it looks to everybody: after which entry, and who was there."""

    __slots__ = ("here", "own", "seq", "shared", "watchers")

    def __init__(self, seq: int, here: list[bool], watchers: int, shared: pr.SharedState, own: dict[int, Own]) -> None:
        self.seq, self.here, self.watchers, self.shared, self.own = seq, here, watchers, shared, own


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
    out = Own(viewer, viewer >= 0 and free_undo(t, viewer), moves_part(t, viewer), prompt(t, viewer))
    g = t.game
    if g is None:
        return out
    out.playing = True
    if t.status == OVER:
        return out
    if viewer >= 0:
        out.cards, out.asked = own_cards(g, viewer), asked(g, viewer)
    else:
        out.hands = {s: list(g.players[s].hand) for s, c in enumerate(t.chairs) if c.open_hand}
    return out


def beside(mine: Own) -> Own:
    """What a viewer has after somebody else has passed, and nothing has come of it: the same, but that it is not his
    move any more that could be taken back."""
    if not mine.undo:
        return mine
    out = Own(mine.viewer, False, mine.moves, mine.prompt)
    out.playing, out.cards, out.asked, out.hands = mine.playing, mine.cards, mine.asked, mine.hands
    return out


def state(common: pr.SharedState, mine: Own, clock: pr.Clock) -> pr.State:
    """The whole state of a viewer, for a welcome."""
    game = common["game"]
    out: dict[str, Any] = {"table": dict(common["table"]), "game": None, "clock": clock}
    if game is not None:
        out["game"] = {**game, "players": [dict(p) for p in game["players"]]}
    for path, value in mine.places():
        at: Any = out
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
    return cast("pr.State", out)


class Painted:
    """What the common changes paint over, worked out once for all viewers: a tree of the places that they touch."""

    def __init__(self, common: list[patching.Change]) -> None:
        self.common = common
        self._tree: dict[str | int, Any] = {}
        for change in common:
            *above, last = change[0]
            at: Any = self._tree
            for key in above:
                at = at.setdefault(key, {})
                if at is None:
                    break  # all of it is painted over anyway
            else:
                at[last] = None
        self.undo, self.seat, self.asked = self.over(UNDO), self.over(_SEAT), self.over(_ASKED)
        game: dict[str | int, Any] | None = self._tree.get("game", {})
        self._players: dict[str | int, Any] | None = game.get("players", {}) if game is not None else None

    def place(self, seat: int) -> bool:
        """Is something of this player's place, or all of it, painted over?"""
        return self._players is None or seat in self._players

    def over(self, path: Path) -> bool:
        """Is something at, above or below this place painted over?"""
        at: dict[str | int, Any] | None = self._tree
        for key in path:
            if at is None:
                return True
            if key not in at:
                return False
            at = at[key]
        return True


_painted: list[Painted] = [Painted([])]  # of the latest changes: they are asked about once per viewer


def _paint(common: list[patching.Change]) -> Painted:
    if _painted[0].common is not common:
        _painted[0] = Painted(common)
    return _painted[0]


def own_changes(old: Own | None, new: Own, common: list[patching.Change], now: pr.SharedState) -> list[patching.Change]:
    """The changes that only this viewer is sent, after the common ones, which may have painted over what is his. (The
    common ones are about table and game, not about moves and prompts.)"""
    if old is None:
        return [[list(path), value] for path, value in new.places()]
    paint = _paint(common)
    out: list[patching.Change] = []
    if old.undo != new.undo or paint.undo:
        out.append([list(UNDO), new.undo])
    if old.moves is not new.moves and old.moves != new.moves:
        patching.extend(["moves"], old.moves, new.moves, out)
    if old.prompt is not new.prompt and old.prompt != new.prompt:
        patching.extend(["prompt"], old.prompt, new.prompt, out)
    if new.playing and (paint.seat or not old.playing):
        out.append([list(_SEAT), new.viewer])
    if new.cards is not None:
        _own_place(old, new, new.cards, paint, out)
    for s, hand in new.hands.items():
        if old.hands.get(s) != hand or paint.over(("game", "players", s, "hand")):
            out.append([["game", "players", s, "hand"], hand])
    if old.playing != new.playing or (old.cards is None) != (new.cards is None) or old.hands.keys() != new.hands.keys():
        return _gone(old, new, now) + out
    return out


def _own_place(old: Own, new: Own, cards: OwnState, paint: Painted, out: list[patching.Change]) -> None:
    """What changed of a player's own place, and of what he is asked."""
    before = old.cards
    painted = before is None or paint.place(new.viewer)
    if painted or before != cards:
        for key, value in cards.items():
            path: list[str | int] = ["game", "players", new.viewer, key]
            if before is None or (painted and paint.over(tuple(path))):
                out.append([path, value])
            elif before[key] != value:  # type: ignore[literal-required]
                patching.extend(path, before[key], value, out)  # type: ignore[literal-required]
    if before is None or paint.asked:
        out.append([list(_ASKED), new.asked])
    elif old.asked != new.asked:
        patching.extend(list(_ASKED), old.asked, new.asked, out)


def _gone(old: Own, new: Own, now: pr.SharedState) -> list[patching.Change]:
    """What is not the viewer's own any more: there, what everybody sees is true for him, too."""
    has = {path for path, _ in new.places()}
    out: list[patching.Change] = []
    for path, _ in old.places():
        if path not in has:
            out += _common_value(now, path)
    return out


def _common_value(now: pr.SharedState, path: Path) -> list[patching.Change]:
    at: Any = now
    try:
        for key in path:
            at = at[key]
    except (KeyError, IndexError, TypeError):
        return []  # it has gone, and what held it has been sent
    return [[list(path), at]]


def table_part(t: Table, here: list[bool], watchers: int) -> pr.TablePart:
    """All that is not the game; the same for everybody."""
    return {
        **table_info(t, here, watchers),
        "votes": [
            {"id": v.id, "kind": v.kind, "by": v.by, "seat": v.seat, "text": v.text, "yes": v.yes[:], "no": v.no[:]}
            for v in t.votes
        ],
    }


def table_info(t: Table, here: list[bool], watchers: int) -> pr.TableInfo:
    """What anybody can look up."""
    return {
        "id": t.id,
        "name": t.name,
        "status": t.status,
        "game": t.games,
        "host": t.host,
        **mix(t.options),
        "seats": [_seat(t, s, s < len(here) and here[s], colour) for s, colour in enumerate(colours(t.chairs))],
        "watchers": watchers,
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


def mix(o: op.TableOptions) -> pr.MixState:
    """What follows from the options alone; kept, since options seldom change."""
    told = _mix(msgspec.msgpack.encode(o))
    catalog.remember(told["cards"], o)
    return told


@lru_cache(maxsize=500)
def _mix(options: bytes) -> pr.MixState:
    o = msgspec.msgpack.decode(options, type=op.TableOptions)
    return {
        "packs": list(o.packs),
        "cards": op.cards(o).printed,  # the page keeps what is read under it
        "theme": _theme(o.packs[0]),
        "options": op.shown(o),
        "house": list(o.house),
        "advice": op.advice(o),
        "board": op.rules(o).components.board,
    }


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
    out: pr.Prompt = {"headline": headline, "rule": asking.rule(g, viewer), "must": must, "primary": key}
    if t.options.lesson:
        told = teaching.state(g, viewer)
        if told is not None:
            out["lesson"] = told
    return out
