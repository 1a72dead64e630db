"""What a table remembers beside the cards on it: `memory:` in a table, for positions out of real games.

The rest of `table:` is written for people and leaves out what a rule seldom asks for: how often something was used this
turn, what was rolled, who has passed. A position that is written out of a game (`writing`) has these things here, field
by field as `Game.plain` has them, with cards and players by name. What is not written is as the table sets it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

import msgspec

from kickdoor.engine.invariants import check
from kickdoor.engine.saving import restore
from kickdoor.engine.value import drawn, notation
from kickdoor.engine.value import flags as fl
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import PHASES, Game
from kickdoor.engine.value.records import Deal, Fight, Foe, Offer, Token
from kickdoor.scenario.naming import ScenarioError
from kickdoor.scenario.unseen import deal

# A shape is a word for one number, a list of one shape, a tuple of several, or a mapping with the type it belongs to.
Shape = Any

CARD: Final = "card"
SEAT: Final = "seat"
SEATS: Final = "seats"  # a bit set
FLAGS: Final = "flags"
PHASE: Final = "phase"
DREW: Final = "drew"  # what a seat drew last
AS_IT_IS: Final = "as it is"
CARDS: Final = [CARD]

_DEAL: Final = (Deal, {"items": CARDS, "plays": CARDS})
_OFFER: Final = (
    Offer,
    {"by": SEAT, "to": SEAT, "helper": SEAT, "deal": _DEAL, "give": CARDS, "get": CARDS},
)
_FOE: Final = (Foe, {"card": CARD, "face": CARD, "owner": SEAT, "met": SEATS, "faced": SEATS})
_TOKEN: Final = (Token, {"seat": SEAT, "card": CARD, "foe": CARD, "item": CARD})
_FIGHT: Final = (
    Fight,
    {
        "main": SEAT,
        "helper": SEAT,
        "foes": [_FOE],
        "enhancers": [(CARD, AS_IT_IS, SEAT)],
        "tokens": [_TOKEN],
        "committed": [(CARD, SEAT)],
        "passed": SEATS,
        "at_once": CARDS,
        "deal": _DEAL,
        "starter": CARD,
        "optins": CARDS,
        "hostile": SEATS,
        "gained": SEATS,
        "links": [(CARD, CARD, SEAT)],
        "boosts": [(CARD, CARD)],
    },
)
QUIET: Final = ("Turn", "Creation", "Combat")  # frames at which nothing is being resolved
# What is not named here is a number of the engine's own: a stage, a bit set, a place in a program, an answer.
_IN_FRAMES: Final[dict[str, Shape]] = {
    "seat": SEAT,
    "actor": SEAT,
    "who": SEAT,
    "victim": SEAT,
    "caster": SEAT,
    "runner": SEAT,
    "helper": SEAT,
    "to": SEAT,
    "seats": [SEAT],
    "tied": [SEAT],
    "passed": SEATS,
    "card": CARD,
    "foe": CARD,
    "item": CARD,
    "doors": CARDS,
    "foes": CARDS,
    "give": CARDS,
    "get": CARDS,
    "doubled": CARDS,
    "plays": CARDS,
    "got": CARDS,
    "cards": CARDS,
    "main_left": CARDS,
    "helper_left": CARDS,
    "again": CARDS,
}
FRAMES: Final[dict[str, Shape]] = {
    frame.__name__: (frame, {**_IN_FRAMES, "phase": PHASE} if frame is fr.Turn else _IN_FRAMES)
    for frame in get_args(fr.Frame)
}
PLAYER: Final = ("name", "level", "sex", "dead", "redeal", "shown", "hand", "table")
_PLAYER: Final[dict[str, Shape]] = {"hand": CARDS, "table": CARDS}

FIELDS: Final[dict[str, Shape]] = {
    "dice": AS_IT_IS,
    "rolls": AS_IT_IS,
    "turn": SEAT,
    "turns": AS_IT_IS,
    "flags": FLAGS,
    "piles": [CARDS],
    "aside": [[CARDS]],
    "heap": AS_IT_IS,
    "discards": [CARDS],
    "box": CARDS,
    "dungeons": CARDS,
    "reach": [(CARD, SEATS)],
    "limbo": CARDS,
    "door_card": CARD,
    "equipped": CARDS,
    "host": [(CARD, CARD)],
    "bearer": [(CARD, CARD)],
    "fresh": [(SEAT, CARD)],
    "drew": [DREW],
    "afflictions": [(SEAT, CARD, AS_IT_IS, AS_IT_IS)],
    "returning": [(CARD, SEAT)],
    "exempt": CARDS,
    "turned": CARDS,
    "accessories": [CARDS],
    "brought": [(SEAT, CARD)],
    "ledger": [(CARD, SEAT, SEAT)],
    "grown": [(CARD, AS_IT_IS)],
    "ridden": [(CARD, AS_IT_IS)],
    "strays": [(CARD, AS_IT_IS)],
    "skips": AS_IT_IS,
    "uses": AS_IT_IS,
    "offers": [_OFFER],
    "winners": [SEAT],
    "dirty": SEATS,
}
KEYS: Final = ("players", "fight", "stack", *FIELDS)

_DECKS: Final = ("doors", "treasures", "dungeons", "spells", "fairy_dust")
_FLAGS: Final = {
    "monster_met": fl.MONSTER_MET,
    "looked": fl.LOOKED,
    "fought": fl.FOUGHT,
    "loot_granted": fl.LOOT_GRANTED,
    "turn_over": fl.TURN_OVER,
    "after_fight": fl.AFTER_FIGHT,
    "ending": fl.ENDING,
    "portal_used": fl.PORTAL_USED,
    "giving": fl.GIVING,
}


# -- numbers to words -------------------------------------------------------------------------------------------


def say(g: Game, shape: Shape, value: Any) -> Any:
    """A part of `Game.plain` in words."""
    if value is None or shape == AS_IT_IS:
        return value
    if isinstance(shape, str):
        return _SAY[shape](g, value)
    if isinstance(shape, list):
        return [say(g, shape[0], v) for v in value]
    if isinstance(shape[0], type):
        return _say_record(g, shape, value)
    return [say(g, s, v) for s, v in zip(shape, value, strict=True)]


def _say_record(g: Game, shape: Shape, value: dict[str, Any]) -> dict[str, Any]:
    """Only what is not as it always is."""
    record, shapes = shape
    usual = {f.encode_name: _usual(f) for f in msgspec.structs.fields(record)}
    return {k: say(g, shapes.get(k, AS_IT_IS), v) for k, v in value.items() if k == "type" or usual[k] != v}


def _usual(f: msgspec.structs.FieldInfo) -> Any:
    factory: Any = f.default_factory
    if factory is not msgspec.NODEFAULT:
        return msgspec.to_builtins(factory())
    return msgspec.to_builtins(f.default) if f.default is not msgspec.NODEFAULT else f


def _say_card(g: Game, card: int) -> Any:
    return notation.card_text(g.lib, card) if 0 <= card < len(g.lib.defs) else card


def _say_seat(g: Game, seat: int) -> Any:
    return notation.player_text(g, seat) if 0 <= seat < len(g.players) else seat


def _say_seats(g: Game, bits: int) -> Any:
    seats = [s for s in range(len(g.players)) if bits >> s & 1]
    return [_say_seat(g, s) for s in seats] if sum(1 << s for s in seats) == bits else bits


def _say_flags(g: Game, bits: int) -> Any:
    words = [w for w, bit in _FLAGS.items() if bits & bit]
    return words if sum(_FLAGS[w] for w in words) == bits else bits


def _say_drew(g: Game, codes: list[int]) -> Any:
    """Cards in the order drawn, and from which deck."""
    if not codes:
        return {}
    came = tuple(codes)
    cards = [(_say_card(g, drawn.card_of(c)), drawn.is_face_up(c)) for c in drawn.cards(came)]
    said = [{"face_up": name} if up else name for name, up in cards]
    return {"deck": _DECKS[drawn.deck(came)], "cards": said}


_SAY: Final[dict[str, Callable[[Game, Any], Any]]] = {
    DREW: _say_drew,
    CARD: _say_card,
    SEAT: _say_seat,
    SEATS: _say_seats,
    FLAGS: _say_flags,
    PHASE: lambda g, phase: PHASES[phase],
}


# -- words to numbers -------------------------------------------------------------------------------------------


def read(g: Game, shape: Shape, words: Any) -> Any:
    """The part of `Game.plain` that the words are. Numbers stand for themselves."""
    if words is None or isinstance(words, int) or shape == AS_IT_IS:
        return words
    if isinstance(shape, str):
        return _READ[shape](g, words)
    if isinstance(shape, tuple) and isinstance(shape[0], type):
        return _read_record(g, shape, words)
    if not isinstance(words, list):
        raise ScenarioError(f"memory: must be a list, not {words!r}")
    if isinstance(shape, list):
        return [read(g, shape[0], w) for w in words]
    if len(words) != len(shape):
        raise ScenarioError(f"memory: {words!r} should have {len(shape)} parts")
    return [read(g, s, w) for s, w in zip(shape, words, strict=True)]


def _read_record(g: Game, shape: Shape, words: Any) -> dict[str, Any]:
    record, shapes = shape
    if not isinstance(words, dict):
        raise ScenarioError(f"memory: must be a mapping, not {words!r}")
    known = ("type", *(f.encode_name for f in msgspec.structs.fields(record)))
    for k in words:
        if k not in known:
            raise ScenarioError(f"memory: {record.__name__.lower()}: unknown key {k!r}; known: {', '.join(known[1:])}")
    return {k: read(g, shapes.get(k, AS_IT_IS), w) for k, w in words.items()}


def _read_seats(g: Game, words: Any) -> int:
    return sum(1 << notation.parse_player(g, str(w)) for w in _list(words))


def _read_flags(g: Game, words: Any) -> int:
    unknown = [w for w in _list(words) if w not in _FLAGS]
    if unknown:
        raise ScenarioError(f"memory: flags: unknown {unknown[0]!r}; known: {', '.join(_FLAGS)}")
    return sum(_FLAGS[w] for w in words)


def _read_phase(g: Game, word: Any) -> int:
    if word not in PHASES:
        raise ScenarioError(f"memory: phase: one of {', '.join(PHASES)}, not {word!r}")
    return PHASES.index(word)


def _list(words: Any) -> list[Any]:
    if not isinstance(words, list):
        raise ScenarioError(f"memory: must be a list, not {words!r}")
    return words


def _read_drew(g: Game, words: Any) -> tuple[int, ...]:
    if not words:
        return ()
    if not isinstance(words, dict) or words.get("deck") not in _DECKS:
        raise ScenarioError(f"memory: drew: needs cards and a deck, one of {', '.join(_DECKS)}")
    codes = []
    for word in _list(words.get("cards")):
        up = isinstance(word, dict)
        codes.append(drawn.code(notation.parse_card(g.lib, str(word["face_up"] if up else word)), up))
    return drawn.record(codes, _DECKS.index(words["deck"]))


_READ: Final[dict[str, Callable[[Game, Any], Any]]] = {
    DREW: _read_drew,
    CARD: lambda g, word: notation.parse_card(g.lib, str(word)),
    SEAT: lambda g, word: notation.parse_player(g, str(word)),
    SEATS: _read_seats,
    FLAGS: _read_flags,
    PHASE: _read_phase,
}


# -- what differs -----------------------------------------------------------------------------------------------


def beside(g: Game, table: Game) -> dict[str, Any]:
    """What of a game is not as this table has it, in words; the generator is left to `seed:`."""
    was, is_ = _plain(table.plain()), _plain(g.plain())
    out: dict[str, Any] = {}
    players = {g.players[s].name: _beside_player(g, a, b) for s, (a, b) in _pairs(was["players"], is_["players"])}
    if any(players.values()):
        out["players"] = {name: words for name, words in players.items() if words}
    for field, shape in FIELDS.items():
        if was[field] != is_[field]:
            out[field] = say(g, shape, is_[field])
    if was["fight"] != is_["fight"]:
        out["fight"] = _beside_fight(g, was["fight"], is_["fight"])
    if was["stack"] != is_["stack"]:
        out["stack"] = [say(g, FRAMES[f["type"]], f) for f in is_["stack"]]
    return out


def _pairs(was: list[Any], is_: list[Any]) -> Any:
    return enumerate(zip(was, is_, strict=True))


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def _beside_player(g: Game, was: list[Any], is_: list[Any]) -> dict[str, Any]:
    parts = zip(PLAYER, was, is_, strict=True)
    return {k: say(g, _PLAYER.get(k, AS_IT_IS), b) for k, a, b in parts if a != b}


def _beside_fight(g: Game, was: dict[str, Any] | None, is_: dict[str, Any] | None) -> Any:
    if was is None or is_ is None:
        return say(g, _FIGHT, is_)
    return {k: say(g, _FIGHT[1].get(k, AS_IT_IS), v) for k, v in is_.items() if was[k] != v}


# -- setting ----------------------------------------------------------------------------------------------------


def recall(g: Game, memory: Any, unseen: Any = None) -> Game:
    """The table with what it remembers, and the cards that nobody named; without any of it the very table."""
    if memory is None and unseen is None:
        return g
    memory = {} if memory is None else memory
    if not isinstance(memory, dict):
        raise ScenarioError(f"memory: must be a mapping, not {memory!r}")
    for k in memory:
        if k not in KEYS:
            raise ScenarioError(f"memory: unknown key {k!r}; known: {', '.join(KEYS)}")
    try:
        then = restore(g.lib, g.rules, _recalled(g, memory))
        if unseen is not None:
            deal(then, unseen)
        check(then)
    except notation.NotationError as e:
        raise ScenarioError(f"memory: {e}") from None
    except (msgspec.ValidationError, AssertionError, IndexError, KeyError, TypeError) as e:
        raise ScenarioError(f"memory: there is no such position: {e}") from None
    then.events = []
    return then


def _recalled(g: Game, memory: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(g.plain())
    for name, words in (memory.get("players") or {}).items():
        seat = notation.parse_player(g, str(name))
        for k, w in words.items():
            if k not in PLAYER:
                raise ScenarioError(f"memory: players: unknown key {k!r}; known: {', '.join(PLAYER)}")
            plain["players"][seat][PLAYER.index(k)] = read(g, _PLAYER.get(k, AS_IT_IS), w)
    for field, words in memory.items():
        if field in FIELDS:
            plain[field] = read(g, FIELDS[field], words)
    if "fight" in memory:
        fight = read(g, _FIGHT, memory["fight"])
        plain["fight"] = fight if fight is None or plain["fight"] is None else {**plain["fight"], **fight}
    if "stack" in memory:
        plain["stack"] = [_read_frame(g, words) for words in _list(memory["stack"])]
    return plain


def _read_frame(g: Game, words: Any) -> dict[str, Any]:
    kind = words.get("type") if isinstance(words, dict) else None
    if kind not in FRAMES:
        raise ScenarioError(f"memory: stack: each has a type, one of {', '.join(FRAMES)}")
    return _read_record(g, FRAMES[kind], words)
