"""The game for OpenSpiel: `import kickdoor.lab.openspiel`, and then `pyspiel.load_game("python_kickdoor")`.

    game = pyspiel.load_game("python_kickdoor(players=3,packs=classic+bites,max_moves=2000)")

The first node is chance, and chooses one of `deals` deals. That settles the whole game as far as luck goes, so that a
clone that is played on meets the same cards and dice. Whoever searches must not look into clones of the true state:
that is looking at hidden cards. Actions, observations and rewards are those of `kickdoor.lab.env`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from kickdoor.engine.setup import library
from kickdoor.engine.value import notation
from kickdoor.engine.views import view
from kickdoor.lab.encoding import ACTIONS, LET_IT_BE, WIDTH, Encoder
from kickdoor.lab.stepping import MAX_MOVES, Stepper, Terms

try:
    import numpy as np
    import pyspiel
except ImportError as e:
    raise ImportError(
        f"kickdoor.lab.openspiel needs the package {'open_spiel' if e.name == 'pyspiel' else e.name!r}; "
        "get it with: pip install 'kickdoor[openspiel]'"
    ) from None

NAME: Final = "python_kickdoor"
DEALS: Final = 1_000
FEWEST, MOST = 3, 6
BETWEEN: Final = "+"  # packs: a comma would end the parameter

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Kickdoor",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST,
    min_num_players=FEWEST,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 4, "packs": "classic", "deals": DEALS, "max_moves": MAX_MOVES},
)


class KickdoorGame(pyspiel.Game):
    """The rules of a table: how many players, which packs, how many different deals."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.deals = int(given["deals"])
        packs = tuple(str(given["packs"]).split(BETWEEN))
        self.terms = Terms(int(given["players"]), packs, max_moves=int(given["max_moves"]))
        self.encoder = Encoder(library(packs), self.terms.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=self.deals,
            num_players=self.terms.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * self.terms.max_moves,  # letting it be is a decision, and no move
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> KickdoorState:
        return KickdoorState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> KickdoorObserver:
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            raise ValueError(f"{NAME}: there is no observer with perfect recall; ask for the default one")
        return KickdoorObserver(self, params)


class KickdoorState(pyspiel.State):
    """A table before the deal, or at a decision, or at its end."""

    def __init__(self, game: KickdoorGame) -> None:
        super().__init__(game)
        self.deals = game.deals
        self.terms = game.terms
        self.stepper: Stepper | None = None

    def current_player(self) -> int:
        if self.stepper is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.stepper.over else self.stepper.seat

    def _legal_actions(self, player: int) -> list[int]:
        s = self.stepper
        if s is None or s.over or player != s.seat:
            return []
        return list(range(s.first, s.first + s.count))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action: int) -> None:
        if self.stepper is None:
            self.stepper = Stepper.deal(self.terms, action + 1)
        else:
            self.stepper.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        s = self.stepper
        if s is None or player < 0:
            return f"deal {action}"
        place = action - s.first
        move = s.options[place] if 0 <= place < s.count and player == s.seat else None
        if move is None:
            return "let it be" if action == LET_IT_BE else f"move {action}"
        return f"{action}: {notation.text(s.game, move)}"

    def is_terminal(self) -> bool:
        return self.stepper is not None and self.stepper.over

    def returns(self) -> list[float]:
        s = self.stepper
        return [s.reward(seat) if s is not None else 0.0 for seat in range(self.terms.players)]

    def __str__(self) -> str:
        if self.stepper is None:
            return "before the deal"
        return f"{self.stepper.table.count} moves, {self.stepper.game.key().hex()}"


class KickdoorObserver:
    """What a player sees now: who he is, the table, and what each of his moves is like."""

    def __init__(self, game: KickdoorGame, params: Any) -> None:
        if params:
            raise ValueError(f"{NAME}: the observer has no parameters; passed {params}")
        self.encoder = game.encoder
        shapes: dict[str, Sequence[int]] = {
            "player": (game.terms.players,),
            "observation": (self.encoder.size,),
            "moves": (ACTIONS, WIDTH),
        }
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}
        self._rows: Any = parts[1].data, parts[2].data
        self._unused: Any = np.zeros(ACTIONS, np.int8).data, np.zeros(ACTIONS, np.int16).data

    def set_from(self, state: KickdoorState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        s = state.stepper
        if s is not None:
            self.encoder.table(s.game, player, self._rows[0])
            if player == s.seat:
                self.encoder.moves(s.game, player, s.options, self._rows[1], *self._unused)

    def string_from(self, state: KickdoorState, player: int) -> str:
        if state.stepper is None:
            return f"player {player}, before the deal"
        return msgspec.json.encode(view(state.stepper.game, player)).decode()


pyspiel.register_game(GAME_TYPE, KickdoorGame)
