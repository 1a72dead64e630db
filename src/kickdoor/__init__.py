"""Kickdoor: an unofficial engine for the Munchkin family of card games.

>>> import kickdoor
>>> game = kickdoor.new_game(["Ann", "Bob", "Cid"], seed=7)
>>> seat = kickdoor.to_act(game)[0]
>>> events = kickdoor.apply(game, kickdoor.legal(game, seat)[0])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kickdoor.engine.kernel import apply, legal, to_act, why_not, why_not_card
    from kickdoor.engine.setup import new_game
    from kickdoor.engine.table.accessories import after as accessories_after
    from kickdoor.engine.value.game import Game
    from kickdoor.engine.value.moves import Move
    from kickdoor.engine.value.reasons import Reason, Refused
    from kickdoor.engine.value.records import Event
    from kickdoor.engine.value.ruleset import Ruleset, ruleset
    from kickdoor.engine.views import view

    COMPILED: bool

__version__ = "0.1.0"
__all__ = [
    "COMPILED",
    "Event",
    "Game",
    "Move",
    "Reason",
    "Refused",
    "Ruleset",
    "accessories_after",
    "apply",
    "legal",
    "new_game",
    "ruleset",
    "to_act",
    "view",
    "why_not",
    "why_not_card",
]

# The engine is fetched when it is asked for, not before: the command must be there first, to take a Ctrl-C.
_KERNEL: Final = "kickdoor.engine.kernel"
_WHERE: Final = {
    **dict.fromkeys(("apply", "legal", "to_act", "why_not", "why_not_card"), _KERNEL),
    **dict.fromkeys(("Reason", "Refused"), "kickdoor.engine.value.reasons"),
    **dict.fromkeys(("Ruleset", "ruleset"), "kickdoor.engine.value.ruleset"),
    "Event": "kickdoor.engine.value.records",
    "Game": "kickdoor.engine.value.game",
    "Move": "kickdoor.engine.value.moves",
    "new_game": "kickdoor.engine.setup",
    "view": "kickdoor.engine.views",
}


def __getattr__(name: str) -> Any:
    """Fetched once: from then on it is a name of this module like any other."""
    found = globals()[name] = _fetched(name)
    return found


def _fetched(name: str) -> Any:
    if name == "COMPILED":  # is this the compiled engine, or the plain one?
        return not str(import_module(_KERNEL).__file__).endswith(".py")
    if name == "accessories_after":
        return import_module("kickdoor.engine.table.accessories").after
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'kickdoor' has no attribute {name!r}")
