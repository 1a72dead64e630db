"""The environment: PettingZoo's own tests, the mask, what is seen, and the worked example of the documentation."""

from __future__ import annotations

import pickle
import re
import warnings
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test, render_test, seed_test

from encoded import Reference
from kickdoor.bots import make
from kickdoor.engine.value.moves import VERB_NAMES
from kickdoor.engine.views import view
from kickdoor.lab import env, vector
from kickdoor.lab.stepping import Stepper, Terms

PAGE = Path(__file__).parent.parent / "docs" / "lab.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
# All of PettingZoo's own card and board games have observations of this shape, and are excused by name.
KNOWN = ("Observation space for each agent probably should be", "Observation is not a NumPy array")


def test_it_passes_the_api_test() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env.env(), num_cycles=300)
    assert [str(w.message) for w in told if not str(w.message).startswith(KNOWN)] == []


def test_it_passes_the_seed_test() -> None:
    seed_test(env.env, num_cycles=40)


def test_it_passes_the_render_test(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **options: env.env(**options))
    assert "Level 1" in capsys.readouterr().out


@pytest.fixture(scope="module")
def table() -> Any:
    e = env.raw_env(players=4)
    e.reset(seed=5)
    return e


def steps(e: Any, n: int, seed: int) -> Any:
    """Some random steps; yields before each."""
    e.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(n):
        agent = e.agent_selection
        if e.terminations[agent] or e.truncations[agent]:
            return
        seen = e.observe(agent)
        yield agent, seen
        e.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def test_only_the_acting_seat_has_moves(table: Any) -> None:
    for agent, seen in steps(table, 150, 5):
        assert seen["action_mask"].sum() == len(table.options) > 0
        assert table.observation_space(agent).contains(seen)
        described = seen["moves"].any(axis=1)
        assert (described == (seen["action_mask"] > 0)).all()
        for other in table.possible_agents:
            if other != agent:
                assert not table.observe(other)["action_mask"].any()
                assert not table.observe(other)["moves"].any()


def test_zero_is_let_it_be_and_nothing_else(table: Any) -> None:
    both = set()
    for _, seen in steps(table, 400, 6):
        free = table.options[0] is None
        assert bool(seen["action_mask"][env.LET_IT_BE]) == free
        both.add(free)
    assert both == {True, False}


def test_names_and_numbers_agree(table: Any) -> None:
    names = table.encoder.names()
    for agent, seen in steps(table, 120, 7):
        v, s = view(table.game, table.seats[agent]), table.seats[agent]
        x = dict(zip(names, seen["observation"], strict=True))
        assert x["me: level / 10"] == pytest.approx(v["players"][s]["level"] / 10)
        assert x["1 after me: strength / 20"] == pytest.approx(v["players"][(s + 1) % 4]["strength"] / 20)
        assert x["my turn"] == (v["turn"] == s)
        hand = sum(n for name, n in x.items() if name.startswith("in my hand: "))
        assert hand == v["players"][s]["hand_size"]
        verbs = seen["moves"][:, : len(VERB_NAMES) + 1].sum(axis=1)
        assert (verbs == seen["action_mask"]).all()
    assert len(env.MOVE) == table.observe("player_0")["moves"].shape[1]


def test_what_a_seat_cannot_see_changes_nothing(table: Any) -> None:
    table.reset(seed=11)
    g = table.game
    before = table.observe("player_0")
    hand, pile = g.players[2].hand, g.own_piles()[0][0]
    doors = [i for i, c in enumerate(hand) if g.lib.defs[c].deck == 0]
    for i, at in zip(doors, range(len(doors)), strict=True):
        hand[i], pile[at] = pile[at], hand[i]
    g.touch()
    g.moves = {}
    after = table.observe("player_0")
    for part in before:
        assert (before[part] == after[part]).all(), part


@pytest.mark.parametrize(
    ("packs", "quick"),
    [
        (("classic",), True),
        (("classic", "clerical_errors", "dungeons", "need_for_steed"), False),
        (("bites",), True),
        (("good_bad",), False),
    ],
)
def test_the_numbers_follow_from_the_view(packs: tuple[str, ...], quick: bool) -> None:
    """Nothing is told that the seat's view does not have; greedy bots get further than chance does."""
    e = env.raw_env(players=4, packs=packs, quick=quick)
    reference = Reference(e.encoder)
    rng = np.random.default_rng(3)
    bots = [make("greedy", seed=s) for s in range(4)]
    e.reset(seed=8)
    for n in range(300):
        if e.stepper.over:
            e.reset()
        agent = e.possible_agents[n % 4] if n % 3 == 0 else e.agent_selection
        s, acting = e.seats[agent], agent == e.agent_selection
        seen = e.observe(agent)
        wanted = reference.observe(view(e.game, s), s, e.options if acting else [])
        assert seen.keys() == wanted.keys()
        for part in wanted:
            np.testing.assert_allclose(seen[part], wanted[part], rtol=1e-6, atol=1e-7, err_msg=part)
        legal = np.flatnonzero(e.observe(e.agent_selection)["action_mask"])
        chance = rng.random() < 0.2
        e.step(int(rng.choice(legal)) if chance else e.bot_action(bots[e.stepper.seat]))


def chosen(mask: Any, n: int) -> int:
    """Some legal action that depends on the position alone."""
    legal = np.flatnonzero(mask)
    return int(legal[(n * 7919 + int(legal.sum())) % len(legal)])


def test_many_games_are_the_same_as_each_of_them() -> None:
    """Short games, so that they are dealt anew many times."""
    options: dict[str, Any] = {"players": 3, "max_moves": 60}
    many = vector.Games(4, seed=20, **options)
    single = [env.raw_env(**options) for _ in range(4)]
    for i, e in enumerate(single):
        e.reset(seed=20 + i)
    ends = 0
    for n in range(120):
        gathered = many.legal()
        for i, e in enumerate(single):
            seen = e.observe(e.agent_selection)
            assert many.seat[i] == e.stepper.seat
            for part in seen:
                assert (getattr(many, part)[i] == seen[part]).all(), part
            legal = np.flatnonzero(seen["action_mask"])
            mine = slice(gathered.start[i], gathered.start[i + 1])
            assert (gathered.game[mine] == i).all()
            assert (gathered.action[mine] == legal).all()
            assert (gathered.moves[mine] == seen["moves"][legal]).all()
            assert (gathered.cards[mine] == seen["action_cards"][legal]).all()
        actions = [chosen(mask, n) for mask in many.action_mask]
        rewards, over = many.step(actions)
        for i, e in enumerate(single):
            e.step(actions[i])
            assert over[i] == (1 if e.stepper.won else 2 if e.stepper.cut_off else 0)
            assert list(rewards[i]) == list(e.rewards.values())
            if over[i]:
                ends += 1
                e.reset(seed=int(many.seeds[i]))
    assert ends >= 8
    assert len(set(many.seeds)) == 4


def test_many_games_pay_their_winners() -> None:
    many = vector.Games(2, players=3, seed=2)
    bots = [make("greedy", seed=s) for s in range(3)]
    over: Any = np.zeros(2)
    while not over.any():
        rewards, over = many.step([s.bot_action(bots[s.seat]) for s in many.steppers])
    row = rewards[np.flatnonzero(over)[0]]
    assert sorted(row) == [-0.5, -0.5, 1.0]
    with pytest.raises(ValueError, match="is not legal"):
        many.step([255, 255])
    with pytest.raises(ValueError, match="at least one"):
        vector.Games(0)


def test_a_game_can_be_put_aside_and_taken_up() -> None:
    """Copied, and pickled: from there on it is the same game."""
    one = Stepper.deal(Terms(players=3, packs=("classic", "dungeons")), 4)
    for n in range(150):
        if n % 50 == 25:
            copies = [deepcopy(one), pickle.loads(pickle.dumps(one))]
            for k in range(40):
                action = one.first + k % one.count
                for x in (one, *copies):
                    x.step(action)
            assert one.game.key() == copies[0].game.key() == copies[1].game.key()
            assert one.options == copies[0].options == copies[1].options
        one.step(one.first + (7 * n) % one.count)


def test_an_illegal_action_says_what_would_be_legal(table: Any) -> None:
    table.reset(seed=5)
    with pytest.raises(ValueError, match=r"action 255 is not legal for player_\d now; its mask allows [01] to \d+"):
        table.step(255)


def test_the_winner_gets_what_the_others_lose() -> None:
    e = env.raw_env(players=3)
    e.reset(seed=2)
    bots = [make("greedy", seed=s) for s in range(3)]
    while not any(e.terminations.values()):
        assert set(e.rewards.values()) == {0}
        e.step(e.bot_action(bots[e.seats[e.agent_selection]]))
    assert sum(e.rewards.values()) == pytest.approx(0)
    assert sorted(e.rewards.values()) == [-0.5, -0.5, 1.0]
    assert e.rewards[f"player_{e.game.winners[0]}"] == 1.0
    while e.agents:
        e.step(None)
    assert e._cumulative_rewards == {}


def test_a_game_without_end_is_cut_off() -> None:
    e = env.raw_env(players=3, max_moves=40)
    agents = [agent for agent, _ in steps(e, 500, 3)]
    assert agents
    assert all(e.truncations.values())
    assert not any(e.terminations.values())
    assert set(e.rewards.values()) == {0}


def test_a_wrong_render_mode_is_told() -> None:
    with pytest.raises(ValueError, match="known: ansi, human"):
        env.raw_env(render_mode="hologram")


def test_every_number_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in (*env.TABLE, *env.SEAT, *env.MOVE):
        words = re.sub(
            r"^(phase|verb|card) is .*|^pending: .*|^asked about: .*", lambda m: m[0].split()[0].rstrip(":"), name
        )
        assert words in text, name


def test_the_first_example_runs() -> None:
    code = next(b for b in BLOCKS if "agent_iter" in b)
    names: dict[str, Any] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["e"].unwrapped.table.count > 0


def test_the_example_with_many_games_runs() -> None:
    names: dict[str, Any] = {}
    exec(compile(next(b for b in BLOCKS if "vector.Games" in b), str(PAGE), "exec"), names)
    assert all(s.table.count > 0 for s in names["games"].steppers)


def test_the_worked_example_learns() -> None:
    """The program in docs/lab.md as it stands there, only with fewer games."""
    code = next(b for b in BLOCKS if "LESSONS" in b)
    small, n = re.subn(r"LESSONS, GAMES = \d+, \d+", "LESSONS, GAMES = 8, 8", code)
    assert n == 1
    names: dict[str, Any] = {}
    exec(compile(small, str(PAGE), "exec"), names)
    assert len(names["lessons"]) > 500
    assert names["share"] >= 0.25
