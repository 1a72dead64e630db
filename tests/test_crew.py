"""Processes at work: their answers in order, and an end at once, whatever they and this process are busy with."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kickdoor.lab import crew, farm
from kickdoor.lab.extras import LabError
from kickdoor.lab.playing import Setting

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another matter there")


@contextmanager
def listening() -> Iterator[None]:
    """As a program in the foreground: the tests themselves may have been started deaf to Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def nobody_is_left() -> bool:
    return multiprocessing.active_children() == []


def slow_first(n: int) -> int:
    """The earlier a job, the longer it takes."""
    time.sleep(0.02 * (10 - n))
    return n * n


def interrupts(_: int) -> int:
    """Never answers. Once it is busy, it stops the one it works for."""
    os.kill(os.getppid(), signal.SIGINT)
    while True:
        pass


def fails(n: int) -> int:
    if n == 2:
        raise ValueError("two is too many")
    return n


def dies(n: int) -> int:
    if n == 2:
        os._exit(3)
    return n


def test_answers_come_in_the_order_of_the_jobs() -> None:
    assert list(crew.in_order(slow_first, range(10), 3)) == [n * n for n in range(10)]
    assert nobody_is_left()


@pytest.mark.parametrize(("work", "error"), [(fails, ValueError), (dies, crew.WorkerDied)])
def test_a_worker_that_fails_is_told(work: Callable[[int], int], error: type[Exception]) -> None:
    got: list[int] = []
    with pytest.raises(error):
        got.extend(crew.in_order(work, range(40), 2))
    assert nobody_is_left()


def test_the_farm_says_that_a_worker_died(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farm, "work", lambda job: os._exit(9))
    with pytest.raises(LabError, match="a worker process died"):
        list(farm.run(Setting(("random",) * 3), range(4), 2, size=1))


def test_no_more_is_given_out_than_is_taken() -> None:
    """Whoever looks at one answer an hour does not find a thousand of them waiting."""
    jobs = Counting(50)
    answers = crew.in_order(abs, jobs, 2)
    assert next(answers) == 0
    assert jobs.furthest <= crew.AHEAD * 2
    answers.close()
    assert nobody_is_left()


class Counting(list[int]):
    def __init__(self, n: int) -> None:
        super().__init__(range(n))
        self.furthest = 0

    def __getitem__(self, i: int) -> int:  # type: ignore[override]
        self.furthest = max(self.furthest, i + 1)
        return super().__getitem__(i)


def test_an_interrupt_while_all_are_busy_ends_it_at_once() -> None:
    """Nobody will ever answer: only the signal can end this."""
    with listening(), pytest.raises(KeyboardInterrupt):
        list(crew.in_order(interrupts, range(8), 2))
    assert nobody_is_left()


class Swallows:
    """What is raised while this goes is printed and forgotten, as it is while a process forks."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # let it arrive here
            pass


def test_an_interrupt_cannot_be_swallowed() -> None:
    with listening():
        answers = crew.in_order(abs, range(10_000), 2)
        assert next(answers) == 0
        thing = Swallows()
        del thing
        with pytest.raises(KeyboardInterrupt):
            next(answers)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert nobody_is_left()


def test_who_is_deaf_stays_deaf() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        answers = crew.in_order(abs, range(20), 2)
        assert next(answers) == 0
        os.kill(os.getpid(), signal.SIGINT)
        assert sum(answers) == sum(range(20))
    finally:
        signal.signal(signal.SIGINT, before)


BUSY = """
import os, pathlib, sys
from kickdoor.lab import farm
from kickdoor.app.cli import main
def work(job):
    pathlib.Path(sys.argv[1], str(os.getpid())).touch()
    while True:
        pass
farm.work = work
raise SystemExit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(("command", "how"), [("arena", signal.SIGINT), ("simulate", signal.SIGTERM)])
def test_the_commands_stop_while_their_workers_are_busy(tmp_path: Path, command: str, how: signal.Signals) -> None:
    busy = tmp_path / "busy"
    busy.mkdir()
    words = [command, "--bots", "random", "-n", "100", "--workers", "2", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        [sys.executable, "-c", BUSY, str(busy), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        while len(list(busy.iterdir())) < 2:
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.02)
        os.killpg(process.pid, how)  # as a terminal does it: to the workers too
        _, err = process.communicate(timeout=120)  # a bound for the slowest machine, not a measure
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "stopped" in err
    for pid in (int(p.name) for p in busy.iterdir()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
