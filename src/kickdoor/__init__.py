"""Kickdoor: an unofficial engine for the Munchkin family of card games.

>>> import kickdoor
>>> game = kickdoor.new_game(["Ann", "Bob", "Cid"], seed=7)
>>> seat = kickdoor.to_act(game)[0]
>>> events = kickdoor.apply(game, kickdoor.legal(game, seat)[0])
"""

from kickdoor.engine import kernel as _kernel
from kickdoor.engine.kernel import apply, legal, to_act, why_not, why_not_card
from kickdoor.engine.setup import new_game
from kickdoor.engine.table.accessories import after as accessories_after
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason, Refused
from kickdoor.engine.value.records import Event
from kickdoor.engine.value.ruleset import Ruleset, ruleset
from kickdoor.engine.views import view

__version__ = "0.1.0"
COMPILED = not str(_kernel.__file__).endswith(".py")  # is this the compiled engine, or the plain one?
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
