"""Players that see only what their seat sees: a ladder of them, behind one protocol.

>>> import kickdoor
>>> from kickdoor.bots import make, play_out
>>> game = kickdoor.new_game(["Ann", "Bob", "Cid"], seed=7)
>>> moves = play_out(game, [make("schemer", seed=1), make("greedy:spiteful"), make("random")])
"""

from kickdoor.bots.acting import InCharacter
from kickdoor.bots.characters import CHARACTERS, Character
from kickdoor.bots.driver import Stuck, Table, play_out
from kickdoor.bots.easy import EasyBot, NewcomerBot
from kickdoor.bots.greedy import GreedyBot
from kickdoor.bots.lookahead import LOOKAHEAD, MASTER, LookaheadBot
from kickdoor.bots.manners import MANNERS, Mannered
from kickdoor.bots.random_bot import RandomBot
from kickdoor.bots.schemer import SchemerBot
from kickdoor.bots.seat import Bot, Choice, Moment, Seat
from kickdoor.bots.tutor import TutorBot

KINDS = ("random", "easy", "greedy", "schemer", "lookahead", "master")  # from the weakest to the strongest
TUTOR = "tutor"  # of the guided first game; nobody seats it otherwise
NEWCOMER = "newcomer"  # a model of somebody's first games, to measure with
_EFFORTS = {"lookahead": LOOKAHEAD, "master": MASTER}
ALIASES = {"sensible": "schemer"}  # names of old, still understood


class BotError(ValueError):
    """There is no such kind of bot."""


def known(kind: str) -> bool:
    """Is this a kind of bot, with or without a character (`schemer:miser`) or a budget (`lookahead@50`)?"""
    try:
        make(kind)
    except BotError:
        return False
    return True


def make(kind: str, seed: int = 0, name: str = "", manners: str = "") -> Bot:
    """A bot of a kind. `schemer:miser` is a character, `schemer:quiet` has manners; `lookahead#20` thinks in 20 worlds,
    `lookahead@50` for 50 ms."""
    base, _, suffix = kind.partition(":")
    base, _, rounds = base.partition("#")
    base, _, budget = base.partition("@")
    bot = _make(ALIASES.get(base, base), seed, name or base, _number(kind, budget), _number(kind, rounds))
    if bot is None:
        raise BotError(f"no bot {base!r}; known: {', '.join(KINDS)}")
    manners = manners or suffix
    if not manners:
        return bot
    if manners in CHARACTERS:
        return InCharacter(bot, CHARACTERS[manners])
    if manners not in MANNERS:
        raise BotError(f"no manners {manners!r}; known: {', '.join((*CHARACTERS, *MANNERS))}")
    return Mannered(bot, manners)


def _number(kind: str, text: str) -> int:
    if text and not (text.isdecimal() and len(text) <= 5 and 0 < int(text) <= 60_000):
        raise BotError(f"{kind[:40]!r}: {text[:40]!r} is not a number from 1 to 60000")
    return int(text or 0)


def _make(kind: str, seed: int, name: str, budget: int, rounds: int) -> Bot | None:
    if kind in _EFFORTS:
        return LookaheadBot(seed, name, _EFFORTS[kind], budget, rounds)
    if budget or rounds:
        return None
    if kind == "schemer":
        return SchemerBot(seed, name)
    if kind == "greedy":
        return GreedyBot(seed, name)
    if kind == "easy":
        return EasyBot(seed, name)
    if kind == NEWCOMER:
        return NewcomerBot(seed, name)
    if kind == TUTOR:
        return TutorBot(seed, name)
    return RandomBot(seed, name) if kind == "random" else None


__all__ = [
    "ALIASES",
    "CHARACTERS",
    "KINDS",
    "MANNERS",
    "NEWCOMER",
    "TUTOR",
    "Bot",
    "BotError",
    "Character",
    "Choice",
    "EasyBot",
    "GreedyBot",
    "InCharacter",
    "LookaheadBot",
    "Mannered",
    "Moment",
    "NewcomerBot",
    "RandomBot",
    "SchemerBot",
    "Seat",
    "Stuck",
    "Table",
    "TutorBot",
    "known",
    "make",
    "play_out",
]
