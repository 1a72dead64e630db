"""The commands of the lab (`python -m kickdoor.lab.NAME`): wrong words are one line, and "stop" is enough."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from kickdoor.bots import Table
from kickdoor.lab import agents, arena, balance, command, company, forks, ladder, simulate, training, vector
from kickdoor.lab import env as lab_env
from kickdoor.lab.playing import Setting, deal

Main = Callable[[Sequence[str]], int]

WRONG: list[tuple[Main, str, str]] = [
    (ladder.main, "x", "no bot 'x'"),
    (ladder.main, "greedy/random --packs nope -n 1 --workers 1", "no pack 'nope'"),
    (ladder.main, "-n 0", "not from 1"),
    (ladder.main, "--workers -1", "not from 0"),
    (forks.main, "nope schemer -n 1", "no bot 'nope'"),
    (forks.main, "--share nan", "no share"),
    (company.main, "--rung nope", "no bot 'nope'"),
    (balance.main, "--packs cwbh -n 1", "base set"),
    (training.main, "-o x.npz --seed -1", "not from 0"),
]


@pytest.mark.parametrize(("main", "words", "says"), WRONG, ids=lambda x: x if isinstance(x, str) else "")
def test_wrong_words_are_one_line_and_a_status(
    main: Main,
    words: str,
    says: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = command.run(lambda: main(words.split()))
    except SystemExit as e:  # argparse
        status = int(str(e.code))
    assert status == 2
    assert says in capsys.readouterr().err.splitlines()[-1]


def test_what_cannot_be_seen_in_a_name_reaches_no_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    nasty = tmp_path / "no\x1b[2J\nsuch"
    assert command.run(lambda: len(nasty.read_bytes())) == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", ["ladder -n 100000 greedy/random", "mixes -n 100000"])
def test_told_to_stop_it_stops_with_all_who_work_for_it(words: str, number: int) -> None:
    name, *rest = words.split()
    me = subprocess.Popen(
        [sys.executable, "-m", f"kickdoor.lab.{name}", *rest],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    end = time.monotonic() + 120
    while len(_session(me.pid)) < 3:
        assert time.monotonic() < end, "it does not begin"
        time.sleep(0.1)
    os.kill(me.pid, number)
    said, _ = me.communicate(timeout=120)
    assert me.returncode == command.STOPPED, said
    assert "Traceback" not in said
    assert _session(me.pid) == []


INTERRUPTING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupting:
    def find_spec(self, name, *_):
        if name == "{module}":
            print("interrupted", flush=True)
            signal.raise_signal(signal.SIGINT)
sys.modules.pop("{module}", None)
sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.parametrize("module", ["kickdoor.engine", "msgspec", "argparse", "kickdoor.lab.command"])
@pytest.mark.parametrize("name", ["ladder", "balance"])
def test_ctrl_c_is_quiet_also_while_it_is_loaded(tmp_path: Path, name: str, module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING.format(module=module))
    path = os.pathsep.join([str(tmp_path), *(p for p in sys.path if p)])
    words = [sys.executable, "-m", f"kickdoor.lab.{name}", "-n", "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (command.STOPPED, "interrupted\n", "")


def _session(leader: int) -> list[int]:
    """The processes that a command has started, and itself."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state != "Z":
            found.append(int(stat.parent.name))
    return found


# -- agents -----------------------------------------------------------------------------------------------------------


def test_another_agent_by_the_same_name_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games are not added to those of the first, and a run with it is another run."""
    weights = tmp_path / "w.npz"
    weights.write_bytes(agents.WEIGHTS.read_bytes())
    setting = Setting((f"trained={weights}", "random"))
    key, mark = arena.key_of(setting), simulate.fingerprint(setting)
    weights.write_bytes(agents.WEIGHTS.read_bytes() + b" ")
    assert arena.key_of(setting) != key
    assert simulate.fingerprint(setting) != mark
    module = tmp_path / "an_agent_of_mine.py"
    module.write_text("def make(seed):\n    return None\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    mine = Setting(("agent=an_agent_of_mine:make", "random"))
    key = arena.key_of(mine)
    module.write_text("def make(seed):\n    return 1\n")
    assert arena.key_of(mine) != key
    assert arena.key_of(Setting(("greedy", "random"))) == arena.key_of(Setting(("greedy", "random")))


class Last:
    """Always the last thing that is allowed, such as calling off what it has just begun."""

    def act(self, observation: dict[str, np.ndarray]) -> int:
        return int(observation["action_mask"].nonzero()[0][-1])


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_an_agent_that_remembers_nothing_comes_to_the_end_of_its_turn(seed: int) -> None:
    table = Table(deal(Setting(("random",) * 4, seed=seed), 0))
    for _ in range(3000):
        turn = table.next()
        if turn is None or table.game.turns > 6:
            return
        s, must = turn
        bot = agents.Seated("last", Last())
        choice = bot.choose(table.seat(s)) if must else bot.interject(table.seat(s))
        if choice is not None:
            table.apply(choice.move)
    raise AssertionError(f"turn {table.game.turns} does not end")


# -- for learners -----------------------------------------------------------------------------------------------------


def test_a_batch_that_is_refused_moves_no_game() -> None:
    games = vector.Games(3, seed=1)
    good = games.action_mask.argmax(axis=1).tolist()
    before = [s.game.key() for s in games.steppers]
    for wrong in ([*good[:2], 255], good[:2], [*good, 1], [float(x) for x in good]):
        with pytest.raises(ValueError, match=r"game|actions"):
            games.step(wrong)  # type: ignore[arg-type]
        assert [s.game.key() for s in games.steppers] == before, wrong
    games.step(good)
    assert [s.game.key() for s in games.steppers] != before


def test_environments_are_copied_and_pickled_and_go_on_alike() -> None:
    one = lab_env.raw_env()
    one.reset(seed=np.int64(5))  # type: ignore[arg-type]
    other, third = copy.deepcopy(one), pickle.loads(pickle.dumps(one))
    for _ in range(40):
        action = int(one.observe(one.agent_selection)["action_mask"].argmax())
        for e in (one, other, third):
            e.step(action)
        assert one.game.key() == other.game.key() == third.game.key()
    games = vector.Games(2, seed=3)
    again = pickle.loads(pickle.dumps(games))
    for g in (games, again):
        g.step(g.action_mask.argmax(axis=1))
    assert (games.observation == again.observation).all()
    assert (games.action_mask == again.action_mask).all()
