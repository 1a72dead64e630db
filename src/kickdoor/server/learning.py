"""Has anybody learnt anything? What cannot be unlearnt is not taken back without asking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event
from kickdoor.engine.value.seen import Seen
from kickdoor.engine.views import SPECTATOR, asked, own_cards, seen
from kickdoor.voice.telling import known

# Both lists err on the safe side: a field that is in neither counts as something new when it changes.
# Where cards lie in a view; a number found there was known as a card before.
_CARDS: Final = frozenset({"hand", "table", "discards", "box", "dungeons", "door_card", "doors", "card", "enhancers"})
# Numbers that are no cards, and which everybody can work out from what lies on the table.
_COUNTS: Final = frozenset(
    {
        *("seat", "turn", "turns", "level", "hand_size", "strength", "run_bonus", "hands_free", "hand_limit"),
        *("counts", "treasures", "munchkins", "monsters", "decks", "piles", "discard_counts", "awaited", "passed"),
        *("winners", "space", "spaces", "by", "to", "picks", "plays", "tamed"),
    }
)

_ROWS: Final = ("players", "discards")  # lists of which each part is compared with what was there
_OF_CARDS: Final = ("cards", "foes")  # domains of questions
KEPT: Final = 64  # games of which it is known what everybody sees


def learnt(old: Game, new: Game, events: Sequence[Event]) -> bool:
    """Does anybody at the table, or any onlooker, know more than before: a card, the fall of a die, a pile's order?"""
    if old.rng != new.rng or old.piles != new.piles or old.aside != new.aside or len(old.dice) != len(new.dice):
        return True
    if any(a.hand != b.hand or a.shown != b.shown for a, b in zip(old.players, new.players, strict=True)):
        return True
    told = [e for e in events if e.card >= 0]
    common = onlooker(old), onlooker(new)
    fresh = _changed(*common, "")
    seen_by_all: set[int] | None = None
    for viewer in range(SPECTATOR, len(new.players)):
        mine = (_own(old, viewer), _own(new, viewer)) if viewer >= 0 else ({}, {})
        named = (fresh | _changed(*mine, "") | {known(e, viewer).card for e in told}) - {-1}
        if not named:
            continue
        if seen_by_all is None:
            seen_by_all = _numbers(common[0], "", _CARDS)
        if not named <= seen_by_all | _numbers(mine[0], "", _CARDS):
            return True
    return False


_kept: dict[int, tuple[Game, Seen]] = {}  # by identity: a game after one move is the game before the next


def onlooker(g: Game) -> Seen:
    """What everybody sees of a game; it is asked for more than once, and not to be changed."""
    kept = _kept.get(id(g))
    if kept is None or kept[0] is not g:
        if len(_kept) >= KEPT:
            del _kept[next(iter(_kept))]
        kept = _kept[id(g)] = (g, seen(g, SPECTATOR))
    return kept[1]


def _own(g: Game, seat: int) -> dict[str, Any]:
    """What a seat is sent besides."""
    return {"own": own_cards(g, seat), "asked": asked(g, seat)}


def _changed(old: Any, new: Any, field: str) -> set[int]:
    """The numbers of a view that may be cards, and were not in the same place of the view before."""
    if old == new:
        return set()
    if isinstance(old, dict) and isinstance(new, dict):
        return set().union(*(_changed(old.get(k), v, k) for k, v in _fields(new)))
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and field in _ROWS:
        return set().union(*(_changed(a, b, field) for a, b in zip(old, new, strict=True)))
    return _numbers(new, field) - _numbers(old, field)


def _numbers(value: Any, field: str, only: frozenset[str] = frozenset()) -> set[int]:
    """Every number of a view that may be a card; or only those of some fields."""
    if isinstance(value, dict):
        keys = {k for k in value if isinstance(k, int)} if not only or field in only else set()
        return keys.union(*(_numbers(v, field if isinstance(k, int) else k, only) for k, v in _fields(value)))
    if isinstance(value, (list, tuple)):
        return set().union(*(_numbers(v, field, only) for v in value))
    if type(value) is int and value >= 0 and (not only or field in only):
        return {value}
    return set()


def _fields(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """What may hold cards. The options of a question are no cards where it is about something else."""
    return [(k, v) for k, v in value.items() if k not in _COUNTS and (k != "options" or value["domain"] in _OF_CARDS)]
