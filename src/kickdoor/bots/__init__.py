"""Players that see only what their seat sees.

>>> import kickdoor
>>> from kickdoor.bots import make, play_out
>>> game = kickdoor.new_game(["Ann", "Bob", "Cid"], seed=7)
>>> moves = play_out(game, [make("sensible", seed=1) for _ in range(3)])
"""

from kickdoor.bots.driver import Stuck, Table, play_out
from kickdoor.bots.random_bot import RandomBot
from kickdoor.bots.seat import Bot, Choice, Moment, Seat
from kickdoor.bots.sensible import SensibleBot

KINDS = ("sensible", "random")


class BotError(ValueError):
    """There is no such kind of bot."""


def make(kind: str, seed: int = 0, name: str = "") -> Bot:
    """A bot of a kind: `sensible` or `random`."""
    if kind == "sensible":
        return SensibleBot(seed, name or "sensible")
    if kind == "random":
        return RandomBot(seed, name or "random")
    raise BotError(f"no bot {kind!r}; known: {', '.join(KINDS)}")


__all__ = [
    "KINDS",
    "Bot",
    "BotError",
    "Choice",
    "Moment",
    "RandomBot",
    "Seat",
    "SensibleBot",
    "Stuck",
    "Table",
    "make",
    "play_out",
]
