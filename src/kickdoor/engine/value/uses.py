"""What `Game.uses` remembers of a turn: a pair of functions for each sort of thing. Nobody else knows the keys.

Most of it is forgotten when the next turn begins, what is once in a roll or a Curse with the next one of these, and
what is once in a game never.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from kickdoor.engine.value.game import Game

PER_GAME: Final = "game"
PER_ROLL: Final = "roll"
PER_CURSE: Final = "curse"
PER_COMBAT: Final = "combat"
PER_TARGET: Final = "target"
_TURN_END: Final = "turn_end"


# -- forgetting -------------------------------------------------------------------------------------------------


def begin_turn(g: Game) -> None:
    g.uses = {k: n for k, n in g.uses.items() if k.startswith(f"{PER_GAME}:")}


def begin_roll(g: Game) -> None:
    _forget(g, PER_ROLL)


def begin_curse(g: Game) -> None:
    _forget(g, PER_CURSE)


def _forget(g: Game, per: str) -> None:
    for key in [k for k in g.uses if k.startswith(f"{per}:")]:
        del g.uses[key]


# -- powers with a number of times ------------------------------------------------------------------------------


def _power(per: str, seat: int, name: str, target: int) -> str:
    return f"{per}:{seat}:{name}:{target}" if per == PER_TARGET else f"{per}:{seat}:{name}"


def _kept(g: Game, per: str) -> dict[str, int] | None:
    """Where it is counted: with the fight, if it is so often in a fight."""
    if per not in (PER_COMBAT, PER_TARGET):
        return g.uses
    return g.fight.uses if g.fight is not None else None


def times_used(g: Game, per: str, seat: int, name: str, target: int) -> int:
    kept = _kept(g, per)
    return kept.get(_power(per, seat, name, target), 0) if kept is not None else 0


def use(g: Game, per: str, seat: int, name: str, target: int) -> None:
    kept = _kept(g, per)
    if kept is not None:
        key = _power(per, seat, name, target)
        kept[key] = kept.get(key, 0) + 1


def bar_victory(g: Game, seat: int) -> None:
    """Nothing that becomes of this fight takes this player to the winning level."""
    use(g, PER_COMBAT, seat, "bar", -1)


def victory_barred(g: Game, seat: int) -> bool:
    return g.fight is not None and times_used(g, PER_COMBAT, seat, "bar", -1) > 0


# -- what has happened this turn --------------------------------------------------------------------------------


def sold_double(g: Game, seat: int) -> int:
    """How many Items this player has sold at twice their value."""
    return g.uses.get(f"double:{seat}", 0)


def sell_double(g: Game, seat: int, n: int) -> None:
    g.uses[f"double:{seat}"] = sold_double(g, seat) + n


def bans(g: Game, seat: int) -> int:
    """Bit set of the seats against whom this one may play nothing."""
    return g.uses.get(f"ban:{seat}", 0)


def ban(g: Game, seat: int, protected: int) -> None:
    g.uses[f"ban:{seat}"] = bans(g, seat) | 1 << protected


def has_cast(g: Game, caster: int, card: int) -> bool:
    """Was it this one (-1: nobody) who played this Curse?"""
    return g.uses.get(f"cast:{card}") == caster


def cast(g: Game, caster: int, card: int) -> None:
    g.uses[f"cast:{card}"] = caster


def has_parted(g: Game, seat: int, card: int) -> bool:
    """Has this player sold that card, or had to discard it?"""
    return f"parted:{seat}:{card}" in g.uses


def part(g: Game, seat: int, card: int) -> None:
    g.uses[f"parted:{seat}:{card}"] = 1


def mourned(g: Game, card: int) -> int:
    """For how many dead a card has come off its deck."""
    return g.uses.get(f"mourned:{card}", 0)


def mourn(g: Game, card: int, dead: int) -> None:
    g.uses[f"mourned:{card}"] = dead


def drew_portal(g: Game, seat: int, card: int) -> bool:
    return g.uses.get(f"portal:{card}") == seat + 1


def draw_portal(g: Game, seat: int, card: int) -> None:
    g.uses[f"portal:{card}"] = seat + 1


def turn_end_told(g: Game) -> bool:
    """Have those who wait for the end of the turn been told of it?"""
    return bool(g.uses.get(_TURN_END))


def tell_turn_end(g: Game) -> None:
    g.uses[_TURN_END] = 1


# -- what not everybody knows -----------------------------------------------------------------------------------

_OF_CARDS: Final = ("cast", "parted", "mourned", "portal")  # the card is the last part of the key


def forget_cards(g: Game, cards: Container[int]) -> None:
    """Leave out whatever is remembered of these cards."""
    g.uses = {k: n for k, n in g.uses.items() if _card_of(k) not in cards}


def _card_of(key: str) -> int:
    return int(key.rpartition(":")[2]) if key.partition(":")[0] in _OF_CARDS else -1
