"""Agents at the tables of the lab: whoever can read an observation and name an action can sit down beside the bots.

    trained                 the agent that comes with the lab
    trained=FILE.npz        one of your own, as `python -m kickdoor.lab.training` writes it
    agent=module:function   anything: `function(seed)` makes an object with `act(observation) -> action`

An observation is what `kickdoor.lab.env` gives (`observation`, `moves`, `action_cards`, `action_mask`), nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from kickdoor.bots import Bot, BotError, Choice, Seat
from kickdoor.bots import make as make_bot
from kickdoor.cards.library import Library
from kickdoor.engine.value.moves import Move
from kickdoor.lab.encoding import ACTIONS, WIDTH, Encoder
from kickdoor.lab.extras import LabError, need

TRAINED: Final = "trained"
AGENT: Final = "agent"
WEIGHTS: Final = Path(__file__).with_name("trained.npz")
SHARP: Final = 3.0  # how much more often than in training it does what it likes best


class Agent(Protocol):
    """Somebody who plays by numbers alone."""

    def act(self, observation: dict[str, Any]) -> int:
        """One of the actions that the mask allows."""


def make(kind: str, seed: int = 0) -> Bot:
    """A bot of the ladder, or an agent in a bot's chair."""
    base, given, what = kind.partition("=")
    if base == TRAINED:
        return Seated(kind, Trained(Path(what) if given else WEIGHTS, seed))
    if base == AGENT and given:
        return Seated(kind, _own(what)(seed))
    return make_bot(kind, seed)


def _own(what: str) -> Callable[[int], Agent]:
    module, _, name = what.partition(":")
    try:
        found: Callable[[int], Agent] = getattr(import_module(module), name or "make")
    except (ImportError, AttributeError, ValueError) as e:
        raise BotError(
            f"no agent {what!r}: {e}; say agent=module:function, and put the folder of the module on PYTHONPATH"
        ) from None
    return found


class Trained:
    """Draws its moves by the chances that a policy gives them, sharpened."""

    def __init__(self, path: Path, seed: int) -> None:
        self.np = need("numpy", "env")
        self.policy = _policy(path)
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
    """An agent as a bot: it is shown what `env` would show it, and its action becomes a move."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.name = name
        self.agent = agent
        self.np = need("numpy", "env")

    def idle(self, seat: Seat) -> bool:
        return False

    def choose(self, seat: Seat) -> Choice:
        moves = seat.moves
        if len(moves) == 1:
            return Choice(moves[0])
        move = self._asked(seat, moves)
        assert move is not None
        return Choice(move)

    def interject(self, seat: Seat) -> Choice | None:
        move = self._asked(seat, [None, *seat.moves])
        return Choice(move) if move is not None else None

    def _asked(self, seat: Seat, options: list[Any]) -> Move | None:
        """The encoder reads the whole game, and tells no more than the seat's view has (tests/test_lab_env.py)."""
        np, game = self.np, seat.whole
        encoder = _encoder(game.lib, len(game.players))
        seen = {
            "observation": np.zeros(encoder.size, np.float32),
            "moves": np.zeros((ACTIONS, WIDTH), np.float32),
            "action_cards": np.full(ACTIONS, -1, np.int16),
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
