"""Has anybody learnt anything? What cannot be unlearnt is not taken back without asking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kickdoor.engine.kernel import to_act
from kickdoor.engine.value import frames as fr
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
        *("winners", "space", "spaces", "by", "to", "picks", "plays", "tamed", "helper"),
    }
)

_ROWS: Final = ("players", "discards")  # lists of which each part is compared with what was there
_OF_CARDS: Final = ("cards", "foes")  # domains of questions


class Eye:
    """What everybody sees of a game, as it was last looked at. It is asked for more than once, and not to be changed.

    A game after one move is the game before the next, so each table keeps one: what it was last shown as.
    """

    def __init__(self) -> None:
        self._game: Game | None = None
        self._seen: Seen | None = None

    def seen(self, g: Game) -> Seen:
        if self._seen is None or self._game is not g:
            self._game, self._seen = g, seen(g, SPECTATOR)
        return self._seen

    def follow(self, old: Game, new: Game) -> None:
        """From one game to one that is the same but for who has passed: not much of it is looked at again."""
        if self._seen is None or self._game is not old:
            return
        fight, f = self._seen["fight"], new.fight
        if fight is not None and f is not None:
            fight = {**fight, "passed": [s for s in range(len(new.players)) if f.passed >> s & 1]}
        self._game, self._seen = new, {**self._seen, "awaited": to_act(new), "fight": fight}


def learnt(old: Game, new: Game, events: Sequence[Event], eye: Eye) -> bool:
    """Does anybody at the table, or any onlooker, know more than before: a card, the fall of a die, a pile's order?"""
    if old.rng != new.rng or old.piles != new.piles or old.aside != new.aside or len(old.dice) != len(new.dice):
        return True
    if any(a.hand != b.hand or a.shown != b.shown for a, b in zip(old.players, new.players, strict=True)):
        return True
    if _gone_on(old, new):
        return True
    told = [e for e in events if e.card >= 0]
    common = eye.seen(old), eye.seen(new)  # in this order: the older one is what it saw last
    fresh = _changed(*common, "")
    same = old.drew == new.drew and old.fresh == new.fresh  # then nobody's own cards look different
    seen_by_all: set[int] = set()  # of the cards that were looked for
    for viewer in range(SPECTATOR, len(new.players)):
        named = fresh | {known(e, viewer).card for e in told}
        if viewer >= 0:
            named |= _changed(asked(old, viewer), asked(new, viewer), "asked")
            if not same:
                named |= _changed(own_cards(old, viewer), own_cards(new, viewer), "own")
        named.discard(-1)
        named -= seen_by_all
        if not named:
            continue
        unknown = named.copy()
        _strike(common[0], "", unknown)
        seen_by_all |= named - unknown
        if unknown and viewer >= 0:
            _strike(own_cards(old, viewer), "own", unknown)
            _strike(asked(old, viewer), "asked", unknown)
        if unknown:
            return True
    return False


def _gone_on(old: Game, new: Game) -> bool:
    """Has an effect that was waiting gone on? Whom it asks next, and whom it passes over, tells what is in hands."""
    return any(f not in new.stack for f in old.stack if type(f) is fr.Effect)


def _changed(old: Any, new: Any, field: str) -> set[int]:
    """The numbers of a view that may be cards, and were not in the same place of the view before."""
    out: set[int] = set()
    _compare(old, new, field, out)
    return out


def _compare(old: Any, new: Any, field: str, out: set[int]) -> None:
    if old is new or old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for k, v in new.items():
            if isinstance(k, int):
                if k not in old:
                    out.add(k)
                _compare(old.get(k), v, field, out)
            elif _may_hold_cards(new, k):
                _compare(old.get(k), v, k, out)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and field in _ROWS:
        for a, b in zip(old, new, strict=True):
            _compare(a, b, field, out)
    else:
        out |= _numbers(new, field) - _numbers(old, field)


def _strike(value: Any, field: str, out: set[int]) -> None:
    """Take away what was known as a card in some part of a view. Only as far as there is something left to look for: it
    is done for every second move."""
    if not out:
        return
    if isinstance(value, dict):
        for k, v in value.items():
            if isinstance(k, int):
                if field in _CARDS:
                    out.discard(k)
                _strike(v, field, out)
            elif _may_hold_cards(value, k):
                _strike(v, k, out)
    elif isinstance(value, (list, tuple)):
        if not value:
            return
        if type(value[0]) is int:  # no list holds both numbers and other things
            if field in _CARDS:
                out.difference_update(value)
        else:
            for v in value:
                _strike(v, field, out)
    elif type(value) is int and field in _CARDS:
        out.discard(value)


def _numbers(value: Any, field: str) -> set[int]:
    """Every number of a view that may be a card."""
    out: set[int] = set()
    _gather(value, field, out)
    return out


def _gather(value: Any, field: str, out: set[int]) -> None:
    if isinstance(value, dict):
        for k, v in value.items():
            if isinstance(k, int):
                out.add(k)
                _gather(v, field, out)
            elif _may_hold_cards(value, k):
                _gather(v, k, out)
    elif isinstance(value, (list, tuple)):
        for v in value:
            _gather(v, field, out)
    elif type(value) is int and value >= 0:
        out.add(value)


def _may_hold_cards(value: dict[Any, Any], k: str) -> bool:
    """The options of a question are no cards where it is about something else."""
    return k not in _COUNTS and (k != "options" or value["domain"] in _OF_CARDS)
