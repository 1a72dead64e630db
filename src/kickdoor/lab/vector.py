"""Many games at once, as arrays: what a learner wants that asks one network about all of them in one go.

    from kickdoor.lab import vector
    games = vector.Games(64, players=4, seed=1)
    while learning:
        actions = policy(games.observation, games.moves, games.action_mask)
        rewards, over = games.step(actions)

The same games as `kickdoor.lab.env` with the same seeds plays, decision for decision. A game that is over is dealt anew
in the same step: `rewards` and `over` are about the game that ended, the observation is the first of the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kickdoor.engine.setup import library
from kickdoor.lab.encoding import ACTIONS, MOVE, Encoder
from kickdoor.lab.stepping import MAX_MOVES, MAX_TURNS, Stepper, Terms

try:
    import numpy as np
    import numpy.typing as npt
except ImportError:
    raise ImportError(
        "kickdoor.lab.vector needs the package 'numpy'; get it with: pip install 'kickdoor[env]'"
    ) from None


class Legal(NamedTuple):
    """All legal actions of all games, one after the other, without the gaps between them."""

    game: npt.NDArray[np.int64]  # whose action it is
    action: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]  # where the actions of each game begin, and where the last ones end
    moves: npt.NDArray[np.float32]  # what each is like: rows of `MOVE`
    cards: npt.NDArray[np.int16]  # which card it is about, counted from 1, or 0


class Games:
    """`games` tables that go on together. Game i begins with the seed `seed + i`, and is dealt anew with `games` more
    each time, so that no two of them are the same game.

    After `reset` and after every `step`, for each game: `seat` is who has to act, and `observation`, `moves`,
    `action_cards` and `action_mask` are what `env.raw_env.observe` tells that seat. The next step writes over them.
    """

    def __init__(
        self,
        games: int,
        players: int = 4,
        packs: Sequence[str] = ("classic",),
        edition: str | None = None,
        rules: dict[str, Any] | None = None,
        quick: bool = True,
        max_moves: int = MAX_MOVES,
        max_turns: int = MAX_TURNS,
        seed: int = 1,
    ) -> None:
        if games < 1:
            raise ValueError(f"{games} games: at least one, please")
        self.encoder = Encoder(library(packs), players)
        self.players = players
        self.terms = Terms(players, packs, edition, rules, quick, max_moves, max_turns)
        self.observation = np.zeros((games, self.encoder.size), np.float32)
        self.moves = np.zeros((games, ACTIONS, len(MOVE)), np.float32)
        self.action_cards = np.zeros((games, ACTIONS), np.int16)
        self.action_mask = np.zeros((games, ACTIONS), np.int8)
        self.seat = np.zeros(games, np.int64)
        self.seeds = np.zeros(games, np.int64)
        self._first = [0] * games
        self._end = [0] * games
        self._rows = self._views()
        self.reset(seed)

    def _views(self) -> list[tuple[memoryview, ...]]:
        """Where each game's numbers are written."""
        arrays = (self.observation, self.moves, self.action_mask, self.action_cards)
        return [tuple(memoryview(x[i].reshape(-1)) for x in arrays) for i in range(len(self))]

    def __getstate__(self) -> dict[str, Any]:
        """For pickle and copies: all but the views into the arrays."""
        return {k: v for k, v in self.__dict__.items() if k != "_rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._rows = self._views()

    def __len__(self) -> int:
        return len(self.seeds)

    def reset(self, seed: int) -> None:
        """Deal all games anew."""
        self.seeds[:] = range(seed, seed + len(self))
        self.steppers = [Stepper.deal(self.terms, int(s)) for s in self.seeds]
        self._look()

    def step(self, actions: Sequence[int] | npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int8]]:
        """One action for each game. Returns the rewards (a row per game, a column per seat; zeros unless a game ended)
        and how games ended: 0 goes on, 1 somebody won, 2 cut off."""
        rewards = np.zeros((len(self), self.players))
        over = np.zeros(len(self), np.int8)
        chosen = np.asarray(actions).tolist()
        self._check(chosen)  # nothing is done unless all of it can be
        for i, (stepper, action) in enumerate(zip(self.steppers, chosen, strict=True)):
            stepper.step(action)
            if stepper.over:
                over[i] = 1 if stepper.won else 2
                rewards[i] = [stepper.reward(s) for s in range(self.players)]
                self.seeds[i] += len(self)
                self.steppers[i] = Stepper.deal(self.terms, int(self.seeds[i]))
        self._look()
        return rewards, over

    def _check(self, actions: list[Any]) -> None:
        if len(actions) != len(self):
            raise ValueError(f"{len(actions)} actions for {len(self)} games: one for each, please")
        for i, (stepper, action) in enumerate(zip(self.steppers, actions, strict=True)):
            if type(action) is not int:
                raise ValueError(f"game {i}: an action is a whole number, not {action!r}")
            try:
                stepper.check(action)
            except ValueError as e:
                raise ValueError(f"game {i}: {e}; no game has moved") from None

    def _look(self) -> None:
        """Write what the acting seats see over what was there."""
        self.observation.fill(0)
        used = max(self._end)
        for x in (self.moves, self.action_mask, self.action_cards):
            x[:, :used] = 0
        self.seat[:] = [s.seat for s in self.steppers]
        for i, stepper in enumerate(self.steppers):
            observation, moves, mask, cards = self._rows[i]
            game, seat = stepper.game, stepper.seat
            self.encoder.table(game, seat, observation)
            self._first[i], self._end[i] = self.encoder.moves(game, seat, stepper.options, moves, mask, cards)

    def legal(self) -> Legal:
        """The legal actions of all games, gathered: a tenth of the numbers in `moves`, or less."""
        first = np.array(self._first)
        counts = np.array(self._end) - first
        start = np.concatenate([[0], np.cumsum(counts)])
        game = np.repeat(np.arange(len(self)), counts)
        action = np.arange(start[-1]) - start[game] + first[game]
        return Legal(game, action, start, self.moves[game, action], self.action_cards[game, action])
