"""Has anybody learnt anything? What cannot be unlearnt is not taken back without asking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event
from kickdoor.engine.views import SPECTATOR, seen
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


def learnt(old: Game, new: Game, events: Sequence[Event]) -> bool:
    """Does anybody at the table, or any onlooker, know more than before: a card, the fall of a die, a pile's order?"""
    if old.rng != new.rng or old.piles != new.piles or old.aside != new.aside or len(old.dice) != len(new.dice):
        return True
    if any(a.hand != b.hand or a.shown != b.shown for a, b in zip(old.players, new.players, strict=True)):
        return True
    return any(_learnt(old, new, events, v) for v in range(SPECTATOR, len(new.players)))


def _learnt(old: Game, new: Game, events: Sequence[Event], viewer: int) -> bool:
    before, after = seen(old, viewer), seen(new, viewer)
    had = set(_numbers(before))
    cards = {n for field, n in had if field in _CARDS}
    if any(n not in cards and (field, n) not in had for field, n in _numbers(after) if n >= 0):
        return True
    return any(known(e, viewer).card not in (-1, *cards) for e in events)


def _numbers(value: Any, field: str = "") -> Iterator[tuple[str, int]]:
    """Every number of a view that may be a card, with the name of its field."""
    if isinstance(value, dict):
        for k, v in value.items():
            if isinstance(k, int):
                yield field, k
            yield from _numbers(v, field if isinstance(k, int) else k)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _numbers(v, field)
    elif isinstance(value, int) and not isinstance(value, bool) and field not in _COUNTS:
        yield field, value
