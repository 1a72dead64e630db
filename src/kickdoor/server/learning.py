"""Has anybody learnt anything? What cannot be unlearnt is not taken back without asking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import Event
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


def learnt(old: Game, new: Game, events: Sequence[Event]) -> bool:
    """Does anybody at the table, or any onlooker, know more than before: a card, the fall of a die, a pile's order?"""
    if old.rng != new.rng or old.piles != new.piles or old.aside != new.aside or len(old.dice) != len(new.dice):
        return True
    if any(a.hand != b.hand or a.shown != b.shown for a, b in zip(old.players, new.players, strict=True)):
        return True
    for viewer, (had, has) in enumerate(zip(_known(old), _known(new), strict=True), SPECTATOR):
        cards = {n for field, n in had if field in _CARDS}
        if any(n not in cards for _, n in has - had):
            return True
        if any(known(e, viewer).card not in (-1, *cards) for e in events):
            return True
    return False


def _known(g: Game) -> list[set[tuple[str, int]]]:
    """What everybody sees of a game: a spectator first, then each seat, who is sent the same and his own besides."""
    common = set(_numbers(seen(g, SPECTATOR)))
    seats = range(len(g.players))
    return [common, *(common.union(_numbers(own_cards(g, s)), _numbers(asked(g, s), "asked")) for s in seats)]


def _numbers(value: Any, field: str = "") -> Iterator[tuple[str, int]]:
    """Every number of a view that may be a card, with the name of its field."""
    if isinstance(value, dict):
        for k, v in value.items():
            if isinstance(k, int):
                yield field, k
                yield from _numbers(v, field)
            elif k not in _COUNTS:
                yield from _numbers(v, k)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _numbers(v, field)
    elif type(value) is int and value >= 0:
        yield field, value
