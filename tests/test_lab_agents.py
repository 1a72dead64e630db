"""Agents: a network that learns, one that is trained in a moment, agents of one's own at the arena, the benchmark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("kickdoor.lab.policy", exc_type=ImportError)  # before numpy: it asks for one thread

import numpy as np

from kickdoor.bots import KINDS, BotError
from kickdoor.lab import agents, arena, benchmark, training
from kickdoor.lab.encoding import WIDTH
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import Clock
from kickdoor.lab.playing import Setting, play
from kickdoor.lab.policy import Batch, Policy, drawn, softmax

START = np.array([0, 3, 5, 9])


def batch(seed: int = 1, size: int = 20, cards: int = 6) -> Batch:
    rng = np.random.default_rng(seed)
    seen, moves = rng.random((3, size), np.float32), rng.random((9, WIDTH), np.float32)
    return Batch(seen, START, moves, rng.integers(0, cards + 1, 9))


# -- the network --------------------------------------------------------------------------------------------------


def test_chances_add_up_within_each_decision() -> None:
    p = softmax(np.array([1, 2, 3, 1000, 1000, 0, 0, 0, 0], np.float32), START)
    assert np.add.reduceat(p, START[:-1]) == pytest.approx([1, 1, 1])
    assert p[3:] == pytest.approx([0.5, 0.5, 0.25, 0.25, 0.25, 0.25])


def test_moves_are_drawn_by_their_chances() -> None:
    p = np.array([0, 1, 0, 0.25, 0.75, 0, 0, 0, 1], np.float32)
    rng = np.random.default_rng(2)
    found = np.array([drawn(p, START, rng) for _ in range(400)])
    assert set(found[:, 0]) == {1}
    assert set(found[:, 2]) == {8}
    assert 0.65 < (found[:, 1] == 4).mean() < 0.85


def test_the_slope_is_that_of_the_loss() -> None:
    """Every part of the network, against a difference quotient."""
    b, right, weight = batch(), np.array([1, 3, 8]), np.array([1.0, 0.5, 2.0], np.float32)
    policy = Policy.new(20, 6, 3, hidden=5)
    policy.w["last"] = np.linspace(-1, 1, 5).astype(np.float32)
    slopes: dict[str, Any] = {}
    policy._adam = lambda found, rate: slopes.update(found)  # type: ignore[method-assign, assignment]
    policy.learn(b, right, 0.1, weight)

    def loss() -> float:
        return float(-(weight * np.log(policy.chances(b)[right])).mean())

    for name, slope in slopes.items():
        where = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        before, step = policy.w[name][where], 1e-2
        policy.w[name][where] = before + step
        high = loss()
        policy.w[name][where] = before - step
        low = loss()
        policy.w[name][where] = before
        # a bias that moves all chances alike has no slope: there both are the rounding of 32 bits
        assert (high - low) / (2 * step) == pytest.approx(slope[where], rel=0.05, abs=1e-4), name


def test_it_learns_what_it_is_told_and_keeps_it_in_a_file(tmp_path: Path) -> None:
    b, right = batch(), np.array([1, 3, 8])
    policy = Policy.new(20, 6, 3)
    assert policy.learn(b, right, 1e-2) == pytest.approx(np.log([3, 2, 4]).mean(), rel=1e-3)
    for _ in range(60):
        policy.learn(b, right, 1e-2)
    assert policy.chances(b)[right].min() > 0.9
    policy.save(tmp_path / "w.npz")
    again = Policy.load(tmp_path / "w.npz")
    assert again.chances(b) == pytest.approx(policy.chances(b), abs=0.01)
    (tmp_path / "bad.npz").write_bytes(b"no weights")
    with pytest.raises(LabError, match="no weights of a policy"):
        Policy.load(tmp_path / "bad.npz")


# -- training -----------------------------------------------------------------------------------------------------


def test_training_comes_to_the_same_agent_twice_and_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "CHUNK", 256)
    monkeypatch.setattr(training, "SMALL", 64)
    monkeypatch.setattr(training, "PASSES", 3)

    def trained() -> tuple[Policy, list[training.Point]]:
        trainer = training.Trainer(seed=3, games=4)
        return trainer.policy, list(trainer.run(700))

    (one, points), (two, _) = trained(), trained()
    for name in one.w:
        assert (one.w[name] == two.w[name]).all(), name
    assert points[-1].agreed > points[0].agreed + 0.05


def test_the_command_writes_weights_and_a_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(training, "CHUNK", 256)
    monkeypatch.setattr(training, "PASSES", 1)
    words = ["-o", str(tmp_path / "w.npz"), "--lessons", "300", "--trial", "2", "--curve", str(tmp_path / "c.csv")]
    assert training.main(words) == 0
    assert "wins against three greedy" in capsys.readouterr().out
    assert (tmp_path / "c.csv").read_text().startswith("lessons,seconds,loss,agreed,share,low,high")
    made = play(Setting((f"trained={tmp_path / 'w.npz'}", "greedy", "greedy", "greedy")), 0)
    assert made.error == ""
    assert training.main(["-o", str(tmp_path / "w.npz"), "--teacher", "nobody"]) == 2


# -- at the tables ------------------------------------------------------------------------------------------------


def test_the_trained_agent_plays_the_same_game_twice() -> None:
    setting = Setting(("trained", "greedy", "greedy", "greedy"), seed=5)
    one, two = play(setting, 1, False), play(setting, 1, False)
    assert one.error == ""
    assert (one.winners, one.moves) == (two.winners, two.moves)


def test_what_it_was_not_trained_for_is_told() -> None:
    assert "trained with other packs" in play(Setting(("trained", "greedy", "greedy")), 0).error


MINE = """
import random

class Chance:
    def __init__(self, seed):
        self.chance = random.Random(seed)
    def act(self, observation):
        return int(self.chance.choice(observation["action_mask"].nonzero()[0]))

def make(seed):
    return Chance(seed)

class Wrong(Chance):
    def act(self, observation):
        return 255

def wrong(seed):
    return Wrong(seed)
"""


def test_an_agent_of_ones_own_sits_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_agent.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    record = play(Setting(("agent=my_own_agent:make", "greedy", "greedy", "greedy")), 0)
    assert record.error == ""
    assert record.thought[0].count > 5
    assert "which its mask does not allow" in play(Setting(("agent=my_own_agent:wrong", "greedy", "greedy")), 0).error
    sys.modules.pop("my_own_agent")
    with pytest.raises(BotError, match="say agent=module:function"):
        agents.make("agent=my_own_agent:nobody")
    with pytest.raises(BotError, match="no bot 'agent'"):
        agents.make("agent")


# -- the benchmark ------------------------------------------------------------------------------------------------


def test_the_benchmark_is_kept_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["greedy", "-n", "4", "--workers", "1", "--home", str(tmp_path)]
    assert benchmark.main(words) == 0
    table = capsys.readouterr().out
    row = table.splitlines()[2]
    assert row.startswith("| greedy | ")
    assert "25.0% (even)" in row
    assert row.count("n=4") == 2
    before = benchmark.place(tmp_path).read_bytes()
    assert benchmark.main([*words, "--page"]) == 0
    assert capsys.readouterr().out == table
    assert benchmark.main(words) == 0
    assert benchmark.place(tmp_path).read_bytes() == before
    assert benchmark.main(["nobody", "--home", str(tmp_path)]) == 2


def test_wins_are_the_agents_own() -> None:
    results = [
        arena.Result(0, ("greedy", "random", "random", "random"), 0, (0,), 9, 9, {"greedy": Clock()}),
        arena.Result(1, ("random", "random", "random", "greedy"), 0, (0,), 9, 9, {"greedy": Clock()}),
        arena.Result(2, ("random", "random", "greedy", "random"), 0, (), 9, 9, {}, "it broke"),
    ]
    cell = benchmark.played("greedy", "random", results)
    assert (cell.wins, cell.games, cell.failed) == (1, 2, 1)
    assert str(cell) == "50.0% (9.5-90.5, n=2, 1 failed)"
    assert all(kind in KINDS for kind in benchmark.RIVALS)
