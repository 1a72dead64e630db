"""Agents at the tables of the lab: whoever can read an observation and name an action can sit down beside the bots.

    trained                 the agent that comes with the lab
    trained=FILE.npz        one of your own, as `python -m kickdoor.lab.training` writes it
    agent=module:function   anything: `function(seed)` makes an object with `act(observation) -> action`

An observation is what `kickdoor.lab.env` gives (`observation`, `moves`, `action_cards`, `action_mask`), nothing else.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from kickdoor.bots import Bot, BotError, Choice, Seat
from kickdoor.bots import make as make_bot
from kickdoor.cards.library import Library
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move
from kickdoor.lab.encoding import ACTIONS, WIDTH, Encoder
from kickdoor.lab.extras import LabError, need

TRAINED: Final = "trained"
AGENT: Final = "agent"
WEIGHTS: Final = Path(__file__).with_name("trained.npz")
TIRING: Final = frozenset({mv.SELL, mv.ASK_HELP, mv.OFFER_HELP, mv.TRADE, mv.EQUIP, mv.UNEQUIP, mv.GIVE})
TIMES: Final = 3
POWERS: Final = frozenset({mv.USE})  # begun and called off, they could be used for ever
OFTEN: Final = 12
SHARP: Final = 3.0  # how much more often than in training it does what it likes best


class Agent(Protocol):
    """Somebody who plays by numbers alone."""

    def act(self, observation: dict[str, Any]) -> int:
        """One of the actions that the mask allows."""


def make(kind: str, seed: int = 0) -> Bot:
    """A bot of the ladder, or an agent in a bot's chair."""
    base, given, what = kind.partition("=")
    if base == TRAINED:
        return Seated(kind, Trained(_policy(Path(what) if given else WEIGHTS), seed))
    if base == AGENT and given:
        return Seated(kind, _made(what, seed))
    return make_bot(kind, seed)


def marks(kinds: Sequence[str]) -> dict[str, str]:
    """What agents are by their files, so that games of one are not taken for those of another by the same name."""
    found = {kind: _file(kind) for kind in dict.fromkeys(kinds)}
    return {kind: hashlib.sha256(path.read_bytes()).hexdigest()[:12] for kind, path in found.items() if path}


def _file(kind: str) -> Path | None:
    """The file that says how an agent plays; None for a bot of the ladder. Of a module, its own file."""
    base, given, what = kind.partition("=")
    path: Path | None = None
    if base == TRAINED:
        path = Path(what) if given else WEIGHTS
    elif base == AGENT and given:
        made = sys.modules.get(_own(what).__module__)
        path = Path(made.__file__) if made is not None and made.__file__ else None
    return path if path is not None and path.is_file() else None


def _own(what: str) -> Callable[[int], Agent]:
    module, _, name = what.partition(":")
    try:
        found: Callable[[int], Agent] = getattr(import_module(module), name or "make")
        if not callable(found):
            raise TypeError(f"{name or 'make'} cannot be called")
    except Exception as e:  # somebody's module may fail in any way
        raise BotError(
            f"no agent {what!r}: {e}; say agent=module:function, and put the folder of the module on PYTHONPATH"
        ) from None
    return found


def _made(what: str, seed: int) -> Agent:
    own = _own(what)
    try:
        return own(seed)
    except Exception as e:
        raise BotError(f"agent {what!r} cannot be made: {type(e).__name__}: {e}; it is called with a seed") from None


class Trained:
    """Draws its moves by the chances that a policy gives them, sharpened."""

    def __init__(self, policy: Any, seed: int) -> None:
        self.np = need("numpy", "env")
        self.policy = policy
        self.chance = random.Random(seed)

    def act(self, observation: dict[str, Any]) -> int:
        policy = import_module("kickdoor.lab.policy")
        if len(observation["observation"]) != self.policy.size:
            raise LabError(
                f"a policy that reads {self.policy.size} numbers cannot play here, where there are "
                f"{len(observation['observation'])}: it was trained with other packs, or for another number of players"
            )
        legal = self.np.flatnonzero(observation["action_mask"])
        start = self.np.array([0, len(legal)])
        seen = observation["observation"][None]
        batch = policy.Batch(seen, start, observation["moves"][legal], observation["action_cards"][legal])
        p = policy.softmax(SHARP * self.policy.scores(batch), start)
        return int(self.chance.choices(legal, p)[0])


@cache
def _policy(path: Path) -> Any:
    need("numpy", "env")
    return import_module("kickdoor.lab.policy").Policy.load(path)


class Seated:
    """An agent as a bot: it is shown what `env` would show it, and its action becomes a move. What can be done over and
    over in one turn, it may do three times, as the bots do: who remembers nothing would never come to an end."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.agent = agent
        self.np = need("numpy", "env")

    def idle(self, seat: Seat) -> bool:
        return False

    def choose(self, seat: Seat) -> Choice:
        seat.forget(TIRING, TIMES)
        seat.forget(POWERS, OFTEN)
        moves = seat.moves
        if len(moves) == 1:
            return Choice(moves[0])
        move = self._asked(seat, moves)
        assert move is not None
        return Choice(move)

    def interject(self, seat: Seat) -> Choice | None:
        seat.forget(TIRING, TIMES)
        seat.forget(POWERS, OFTEN)
        move = self._asked(seat, [None, *seat.moves])
        return Choice(move) if move is not None else None

    def _asked(self, seat: Seat, options: list[Any]) -> Move | None:
        """The encoder reads the whole game, and tells no more than the seat's view has (tests/test_lab_env.py)."""
        np, game = self.np, seat.whole
        encoder = _encoder(game.lib, len(game.players))
        seen = {
            "observation": np.zeros(encoder.size, np.float32),
            "moves": np.zeros((ACTIONS, WIDTH), np.float32),
            "action_cards": np.zeros(ACTIONS, np.int16),
            "action_mask": np.zeros(ACTIONS, np.int8),
        }
        encoder.table(game, seat.seat, memoryview(seen["observation"]))
        rows = memoryview(seen["moves"].reshape(-1))
        mask, cards = memoryview(seen["action_mask"]), memoryview(seen["action_cards"])
        first, _ = encoder.moves(game, seat.seat, options, rows, mask, cards)
        action = int(self.agent.act(seen))
        if not (0 <= action < ACTIONS and seen["action_mask"][action]):
            raise LabError(f"{self.name} chose action {action}, which its mask does not allow")
        move: Move | None = options[action - first]
        return move


_ENCODERS: dict[tuple[int, int], Encoder] = {}


def _encoder(lib: Library, players: int) -> Encoder:
    key = (id(lib), players)
    got = _ENCODERS.get(key)
    if got is None or got.lib is not lib:
        got = _ENCODERS[key] = Encoder(lib, players)
    return got
