"""From the words of a step to the engine's small moves. Whether they are allowed is for the engine to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from kickdoor.engine.kernel import apply
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.scenario import choosing, dealing, playing, using
from kickdoor.scenario.finding import Finder
from kickdoor.scenario.naming import Names
from kickdoor.scenario.wording import BARE, Keys, parse

Translation = Callable[[Finder, Any, Keys], Iterator[Move]]

VERBS: Final[dict[str, Translation]] = {
    "pass": choosing.pass_,
    "accept": choosing.accept,
    "decline": choosing.decline,
    "choose": choosing.choose,
    "sell": dealing.sell,
    "give": dealing.give,
    "trade": dealing.trade,
    "ask_help": dealing.ask_help,
    "offer_help": dealing.offer_help,
    "counter": dealing.counter,
    "charity": dealing.charity,
    "use": using.use,
    "play": playing.play,
    "look_for_trouble": playing.look_for_trouble,
    "discard": playing.discard,
    "equip": playing.equip,
    "unequip": playing.unequip,
    "run": playing.run,
    "sacrifice": playing.sacrifice,
}


def translate(g: Game, names: Names, seat: int, move: Any) -> Iterator[Move]:
    """The parts of a move. Each is worked out when the one before it has been made: make it before asking on."""
    verb, arg, keys = parse(move)
    if verb in BARE:
        yield Move(seat, BARE[verb])
    else:
        yield from VERBS[verb](Finder(g, names, seat), arg, keys)


def after(g: Game, names: Names, seat: int, move: Any) -> Game:
    """The position that a move leads to, part by part; `g` stays as it is. Raises Refused where a part is."""
    then = g.clone()
    then.events = []
    for part in translate(then, names, seat, move):
        apply(then, part)
    return then
