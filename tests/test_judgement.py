"""What the bots think of a position: figures that know what cards do, the network over them, and how it learns."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kickdoor
from kickdoor.bots import evaluation, features
from kickdoor.bots.evaluation import WEIGHTS, chances, judgement
from kickdoor.engine.value.game import BEFORE_DOOR, Game
from kickdoor.lab import fitting
from kickdoor.lab.boxes import base_boxes
from test_bots import hold, quiet_table


def figure(g: Game, seat: int, name: str) -> float:
    return features.figures(g)[seat][features.NAMES.index(name)]


def table(change: Callable[[Game], object] = lambda g: None) -> Game:
    g = quiet_table(BEFORE_DOOR)
    for p in g.players:
        p.level = 5
    change(g)
    g.touch()
    return g


# -- figures ------------------------------------------------------------------------------------------------------


def test_there_is_a_figure_for_every_name_at_every_table() -> None:
    for pack in base_boxes():
        for seats in (3, 6):
            g = kickdoor.new_game([f"P{i}" for i in range(seats)], packs=[pack], seed=2)
            rows = features.figures(g)
            assert len(rows) == seats
            assert all(len(row) == len(features.NAMES) and all(map(math.isfinite, row)) for row in rows)


def test_a_monster_counts_by_whether_it_would_be_beaten() -> None:
    names = ("monsters in hand that are beaten", "monsters that are too strong")
    weak = table(lambda g: hold(g, 0, "Potted Plant"))
    strong = table(lambda g: hold(g, 0, "Plutonium Dragon"))
    assert [figure(weak, 0, n) > 0 for n in names] == [True, False]
    assert [figure(strong, 0, n) > 0 for n in names] == [False, True]


def test_a_potion_is_worth_what_it_adds_and_turns_a_monster() -> None:
    g = table(lambda g: hold(g, 0, "Magic Missile"))
    assert figure(g, 0, "bonus of one-shots") == 0.5
    assert figure(g, 0, "and with one-shots") > figure(g, 0, "monsters of the deck beaten")
    assert figure(g, 1, "rivals' one-shots and enhancers") > figure(g, 0, "rivals' one-shots and enhancers")


def test_figures_do_not_change_the_table() -> None:
    g = table(lambda g: hold(g, 0, "Magic Missile", "Plutonium Dragon"))
    before = g.key()
    chances(g)
    assert g.key() == before


# -- the network --------------------------------------------------------------------------------------------------


def test_the_weights_fit_and_are_small() -> None:
    assert WEIGHTS.stat().st_size < 2_000_000
    assert len(judgement().straight) == len(features.NAMES)


def test_weights_for_other_figures_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "judgement.json"
    other.write_text(WEIGHTS.read_text().replace(features.NAMES[0], "something else"))
    with pytest.raises(RuntimeError, match="other figures"):
        evaluation.Judgement(other)


def test_chances_add_up_and_who_has_won_has_won() -> None:
    g = table()
    assert sum(chances(g)) == pytest.approx(1)
    g.winners = [2]
    assert chances(g) == [0, 0, 1, 0]


BETTER: list[Callable[[Game], object]] = [
    lambda g: setattr(g.players[1], "level", 8),
    lambda g: hold(g, 1, "Magic Missile", "Sleep Potion"),
    lambda g: hold(g, 1, "Potted Plant"),
]


@pytest.mark.parametrize("change", BETTER)
def test_what_helps_a_player_is_seen_to_help(change: Callable[[Game], object]) -> None:
    assert chances(table(change))[1] > chances(table())[1]


def test_packages_network_is_the_one_that_learned() -> None:
    """The lab's network and the package's give the same chances for the same figures."""
    mine = judgement()
    width = len(mine.first_bias)
    net = fitting.Net(np, len(features.NAMES), np.random.default_rng(0))
    second = np.array(mine.second)
    net.w = {
        "first": np.array(mine.first).T,
        "first_bias": np.array(mine.first_bias),
        "own": second[:, :width].T,
        "others": second[:, width:].T,
        "second_bias": np.array(mine.second_bias),
        "last": np.array(mine.last),
        "straight": np.array(mine.straight),
    }
    g = kickdoor.new_game(["Ann", "Bob", "Cid", "Dee"], seed=5)
    assert net.chances(np.array([features.figures(g)]))[0] == pytest.approx(chances(g))


# -- learning -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> fitting.Sample:
    rows, won, game = [], [], []
    for seed in range(1, 5):
        seen, shares = fitting.watch(seed, "schemer", "classic")
        rows += seen
        won += [shares] * len(seen)
        game += [seed] * len(seen)
    return fitting.Sample(np.array(rows, np.float32), np.array(won, np.float32), np.array(game))


def test_it_learns_and_twice_the_same(played: fitting.Sample) -> None:
    nets = [fitting.learn(np, played, played, seed=3, rounds=8) for _ in range(2)]
    assert nets[0].surprise(played) < math.log(4) - 0.05
    assert fitting.written(nets[0]) == fitting.written(nets[1])


def test_the_slopes_are_those_of_the_surprise(played: fitting.Sample) -> None:
    """Each weight's slope is what a small step of that weight does."""
    net = fitting.Net(np, played.x.shape[2], np.random.default_rng(4))
    net.w = {k: v.astype(np.float64) for k, v in net.w.items()}
    few = fitting.Sample(played.x[:20].astype(np.float64), played.won[:20], played.game[:20])
    slopes = net.slopes(few.x, few.won)
    for name, weight in net.w.items():
        at = tuple(n // 2 for n in weight.shape)
        before, step = net.surprise(few), 1e-5
        weight[at] += step
        assert (net.surprise(few) - before) / step == pytest.approx(slopes[name][at], abs=1e-4), name
        weight[at] -= step


def test_hindsight_looks_back_within_a_game_and_ends_with_who_won(played: fitting.Sample) -> None:
    net = fitting.Net(np, played.x.shape[2], np.random.default_rng(4))
    seen = fitting.hindsight(np, net, played)
    ends = [i for i in range(len(played.game)) if i + 1 == len(played.game) or played.game[i] != played.game[i + 1]]
    for i in range(len(played.game)):
        if i in ends:
            assert (seen.won[i] == played.won[i]).all()
        else:
            thought = net.chances(played.x[i + 1 : i + 2])[0]
            mixed = (1 - fitting.LAMBDA) * thought + fitting.LAMBDA * seen.won[i + 1]
            assert seen.won[i] == pytest.approx(mixed, abs=1e-5)


def test_the_measure_is_never_learned_from(tmp_path: Path) -> None:
    for pack in ("classic", "bites"):
        games = np.array([3200, 3201, 4000, 4001])
        np.savez(tmp_path / f"{pack}-x.npz", x=np.zeros((4, 4, 2)), won=np.zeros((4, 4)), game=games)
    learned, stop, held = fitting.samples(np, [tmp_path / "classic-x.npz", tmp_path / "bites-x.npz"])
    assert held.game.tolist() == [3201, 4000]
    assert {g & 0xFFFFFFFF for g in learned.game.tolist() if g < 1 << 32} == {4001}
    assert len(stop.x) == 3
