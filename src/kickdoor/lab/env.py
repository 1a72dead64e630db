"""The game as a PettingZoo AEC environment.

    from kickdoor.lab import env
    e = env.env(players=4)
    e.reset(seed=7)
    for agent in e.agent_iter():
        observation, reward, over, cut_off, info = e.last()
        e.step(None if over or cut_off else e.action_space(agent).sample(observation["action_mask"]))

An action is a place in the list of the acting seat's moves: 0 is "let it be" (only where nobody waits for the seat), k
is the k-th legal move. `observation["moves"]` describes each of them in numbers. See docs/lab.md for all of them.
Many games at once are in `kickdoor.lab.vector`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kickdoor.bots import Bot, Table
from kickdoor.engine.setup import library
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.views import SPECTATOR, view
from kickdoor.lab.encoding import ACTIONS, EDGE, LET_IT_BE, MOVE, SEAT, TABLE, Encoder
from kickdoor.lab.stepping import MAX_MOVES, MAX_TURNS, Stepper, Terms

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as e:
    raise ImportError(
        f"kickdoor.lab.env needs the package {(e.name or 'pettingzoo').split('.')[0]!r}; "
        "get it with: pip install 'kickdoor[env]'"
    ) from None

__all__ = ["ACTIONS", "EDGE", "LET_IT_BE", "MOVE", "SEAT", "TABLE", "Encoder", "env", "raw_env", "told"]


def env(**options: Any) -> Any:
    """The environment with PettingZoo's usual guards."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**options)))


class raw_env(AECEnv):
    """One table. `players` agents, named player_0 and so on in the order of their seats.

    `packs`, `edition` and `rules` choose the game as in `kickdoor.new_game`; `quick` is explained in `stepping`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "name": "kickdoor_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        players: int = 4,
        packs: Sequence[str] = ("classic",),
        edition: str | None = None,
        rules: dict[str, Any] | None = None,
        quick: bool = True,
        max_moves: int = MAX_MOVES,
        max_turns: int = MAX_TURNS,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"no render mode {render_mode!r}; known: ansi, human")
        super().__init__()
        self.render_mode = render_mode
        self.encoder = Encoder(library(packs), players)
        self.possible_agents = [f"player_{s}" for s in range(players)]
        self.seats = {a: s for s, a in enumerate(self.possible_agents)}
        self.terms = Terms(players, packs, edition, rules, quick, max_moves, max_turns)
        self._spaces = {a: space(self.encoder) for a in self.possible_agents}
        self._actions = {a: spaces.Discrete(ACTIONS) for a in self.possible_agents}
        self.agents: list[str] = []
        self.next_seed = 1

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    # -- playing --------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. Without a seed the games of one environment differ, and still are the same every time."""
        seed = self.next_seed if seed is None else int(seed)  # numpy's numbers are seeds as well
        self.next_seed = seed + 1
        self.stepper = Stepper.deal(self.terms, seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self._look_up()

    @property
    def game(self) -> Game:
        return self.stepper.game

    @property
    def table(self) -> Table:
        return self.stepper.table

    @property
    def options(self) -> list[Move | None]:
        """What the acting seat can choose from; None is "let it be"."""
        return self.stepper.options

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.stepper.step(-1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        self._look_up()
        if self.render_mode == "human":
            self.render()

    def _look_up(self) -> None:
        """Whose turn it is to choose, or how it ended."""
        s = self.stepper
        self.agent_selection = self.possible_agents[s.seat]
        if s.over:
            for agent, seat in self.seats.items():
                self.terminations[agent], self.truncations[agent] = s.won, s.cut_off
                self.rewards[agent] = s.reward(seat)
            self._accumulate_rewards()  # there are none before

    # -- looking --------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What this agent's seat sees. Moves and mask are the acting agent's alone; others get zeros."""
        s = self.seats[agent]
        acting = agent == self.agent_selection and bool(self.options)
        seen = blank(self.encoder)
        self.encoder.table(self.game, s, memoryview(seen["observation"]))
        if acting:
            rows = memoryview(seen["moves"].reshape(-1))
            self.encoder.moves(
                self.game, s, self.options, rows, memoryview(seen["action_mask"]), memoryview(seen["action_cards"])
            )
        return seen

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        text = told(self.game)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing to close."""

    def bot_action(self, bot: Bot) -> int:
        """What a bot of the ladder would do in the acting seat."""
        return self.stepper.bot_action(bot)


def space(encoder: Encoder) -> Any:
    """The observations of one agent."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-EDGE, EDGE, (encoder.size,), np.float32),
            "moves": spaces.Box(-EDGE, EDGE, (ACTIONS, len(MOVE)), np.float32),
            "action_cards": spaces.Box(0, encoder.cards, (ACTIONS,), np.int16),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def blank(encoder: Encoder) -> dict[str, Any]:
    """An observation in which nothing stands yet."""
    return {
        "observation": np.zeros(encoder.size, np.float32),
        "moves": np.zeros((ACTIONS, len(MOVE)), np.float32),
        "action_cards": np.zeros(ACTIONS, np.int16),
        "action_mask": np.zeros(ACTIONS, np.int8),
    }


def told(g: Game) -> str:
    """The table in words, as an onlooker sees it."""
    v = view(g, SPECTATOR)
    lines = [
        f"turn {v['turns']}, {v['phase'].replace('_', ' ') or 'set-up'}; "
        f"{v['decks'][0]} Doors and {v['decks'][1]} Treasures are left"
    ]
    for s, p in enumerate(v["players"]):
        mark = ">" if v["turn"] == s else " "
        cards = ", ".join(g.lib.defs[c].name for c in p["table"]) or "nothing"
        dead = " (dead)" if p["dead"] else ""
        lines.append(
            f"{mark} {p['name']}{dead}: Level {p['level']}, strength {p['strength']}, {p['hand_size']} in hand; {cards}"
        )
    f = v["fight"]
    if f is not None:
        foes = " and ".join(g.lib.defs[x["face"]].name for x in f["foes"])
        helper = f" and {v['players'][f['helper']]['name']}" if f["helper"] >= 0 else ""
        lines.append(f"  {v['players'][f['main']]['name']}{helper} {f['munchkins']} against {foes} {f['monsters']}")
    if v["winners"]:
        lines.append("  won by " + " and ".join(v["players"][s]["name"] for s in v["winners"]))
    return "\n".join(lines)
