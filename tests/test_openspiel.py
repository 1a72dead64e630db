"""The game for OpenSpiel: their own simulation test, clones, and one of their environments."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'kickdoor[openspiel]'")

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent
from open_spiel.python.observation import make_observation

from kickdoor.bots import make
from kickdoor.engine.views import view
from kickdoor.lab import openspiel


@pytest.fixture(scope="module")
def game() -> Any:
    return pyspiel.load_game("python_kickdoor(players=3,deals=20,max_moves=120)")


@pytest.mark.parametrize("packs", ["classic", "bites"])
def test_it_passes_their_simulation_test(packs: str) -> None:
    game = pyspiel.load_game(f"python_kickdoor(players=3,packs={packs},deals=20,max_moves=120)")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def dealt(game: Any, deal: int = 7) -> Any:
    state = game.new_initial_state()
    assert state.is_chance_node()
    state.apply_action(deal)
    return state


def test_a_clone_goes_its_own_way_and_meets_the_same_luck(game: Any) -> None:
    state = dealt(game)
    for n in range(30):
        before = str(state)
        twin = state.clone()
        assert str(twin) == before
        action = twin.legal_actions()[n % len(twin.legal_actions())]
        twin.apply_action(action)
        assert str(state) == before
        state.apply_action(action)
        assert str(state) == str(twin)
        assert state.legal_actions() == twin.legal_actions()


def test_a_state_that_was_written_out_is_the_same(game: Any) -> None:
    state = dealt(game)
    for _ in range(25):
        state.apply_action(state.legal_actions()[-1])
    assert str(game.deserialize_state(state.serialize())) == str(state)


def test_actions_have_names_and_positions_are_views(game: Any) -> None:
    state = dealt(game)
    said = [state.action_to_string(state.current_player(), a) for a in state.legal_actions()]
    assert len(set(said)) == len(said)
    assert any("player 0" in s for s in said), said
    observer = make_observation(game)
    for player in range(3):
        observer.set_from(state, player)
        assert observer.dict["player"].argmax() == player
        assert observer.dict["moves"].any() == (player == state.current_player())
        hidden = view(state.stepper.game, player)["players"][(player + 1) % 3]["hand"]
        assert hidden is None
        assert '"hand":null' in observer.string_from(state, player)


def test_who_wins_is_paid_by_the_others() -> None:
    state = dealt(pyspiel.load_game("python_kickdoor(players=3)"), 2)
    bots = [make("greedy", seed=s) for s in range(3)]
    while not state.is_terminal():
        state.apply_action(state.stepper.bot_action(bots[state.current_player()]))
    assert sorted(state.returns()) == [-0.5, -0.5, 1.0]


def test_their_agents_can_play_it(game: Any) -> None:
    environment = rl_environment.Environment(game)
    environment.seed(3)
    agents = [random_agent.RandomAgent(s, environment.action_spec()["num_actions"]) for s in range(3)]
    step = environment.reset()
    steps = 0
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == np.prod(game.observation_tensor_shape())
        step = environment.step([agents[seat].step(step).action])
        steps += 1
    assert steps > 20


def test_what_there_is_not_is_told(game: Any) -> None:
    with pytest.raises(ValueError, match="perfect recall"):
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert openspiel.NAME in pyspiel.registered_names()
