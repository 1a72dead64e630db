"""Processes that work for this one, each at the end of a pipe of its own, and gone at once when it is told to stop.

An interrupt that is raised wherever the program happens to be can be lost: what is raised while a process forks, in a
finaliser or in a callback of the garbage collector is printed and forgotten. So while a crew is at work a signal only
rings a bell. The one loop that waits for the crew waits for the bell as well; it sends everybody home, and only then
hands the signal to whoever would have had it. No pipe is shared: a worker that goes in the middle of a word leaves
nobody else waiting for the end of it.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, Final, Generic, TypeVar

from kickdoor.paper.helpers import deaf

AHEAD: Final = 3  # jobs given out and not yet handed on, for each worker
DEEP: Final = 2  # jobs in a worker's pipe: the next one is there when the last one is done
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

Job = TypeVar("Job")
Answer = TypeVar("Answer")
Handler = Callable[[int, FrameType | None], Any]


class WorkerDied(Exception):
    """A worker is gone, and nobody had told it to."""


def in_order(work: Callable[[Job], Answer], jobs: Sequence[Job], workers: int) -> Generator[Answer, None, None]:
    """`map`, with so many processes. A signal between two answers, or while one is waited for, ends it at once."""
    with Bell() as bell:
        crew: Crew[Job, Answer] = Crew(work, jobs, bell)
        try:
            crew.hire(workers)
            yield from crew.answers()
        finally:
            crew.dismiss()


class Bell:
    """Signals that would interrupt this process, kept for the loop that waits: `rope` can be read once one came."""

    def __init__(self) -> None:
        self.rope, self._end = multiprocessing.Pipe(duplex=False)
        self._before: dict[int, Handler] = {}
        self._rung: list[int] = []

    def __enter__(self) -> Bell:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):  # who does not listen to a signal, or dies of it, goes on doing so
                    self._before[number] = handler
                    signal.signal(number, self._ring)
        return self

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if not self._rung:
            self._rung.append(number)
            self._end.send_bytes(b"!")

    @property
    def rung(self) -> bool:
        return bool(self._rung)

    def __exit__(self, *_: object) -> None:
        """Hand on what was kept: the usual handler raises KeyboardInterrupt."""
        before, self._before = self._before, {}
        for number, handler in before.items():
            signal.signal(number, handler)
        self.rope.close()
        self._end.close()
        if self._rung and (told := before.get(self._rung[0])) is not None:
            told(self._rung[0], None)


class Crew(Generic[Job, Answer]):
    """The workers, and who of them has which jobs."""

    def __init__(self, work: Callable[[Job], Answer], jobs: Sequence[Job], bell: Bell) -> None:
        self.work = work
        self.jobs = jobs
        self.bell = bell
        self.given = 0  # jobs given out, from the first on
        self.done: dict[int, Answer] = {}
        self.hands: dict[Connection, deque[int]] = {}  # a worker's pipe: the jobs that it has, by their numbers
        self.people: list[BaseProcess] = []

    def hire(self, workers: int) -> None:
        context = multiprocessing.get_context()
        for _ in range(workers):
            mine, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(self.work, theirs, [*self.hands, mine]), daemon=True)
            with deaf():
                process.start()
            theirs.close()
            self.people.append(process)
            self.hands[mine] = deque()

    def answers(self) -> Iterator[Answer]:
        for number in range(len(self.jobs)):
            while number not in self.done:
                self._give(number + AHEAD * len(self.hands))
                self._take()
                if self.bell.rung:
                    return
            yield self.done.pop(number)
            if self.bell.rung:
                return

    def _give(self, end: int) -> None:
        """Jobs to whoever has least to do. Towards the end nobody gets a second one while another might be idle."""
        end = min(end, len(self.jobs))
        deep = DEEP if len(self.jobs) - self.given > len(self.hands) else 1
        for depth in range(deep):
            for pipe, has in self.hands.items():
                if len(has) == depth and self.given < end:
                    with _gone():
                        pipe.send(self.jobs[self.given])
                    has.append(self.given)
                    self.given += 1

    def _take(self) -> None:
        """Wait for an answer, or for the bell."""
        ready = wait([*self.hands, self.bell.rope])
        for pipe, has in self.hands.items():
            if pipe in ready:
                with _gone():
                    answer = pipe.recv()
                if isinstance(answer, BaseException):
                    raise answer
                self.done[has.popleft()] = answer

    def dismiss(self) -> None:
        """At once: what they were at is lost, and nobody else needs it."""
        for process in self.people:
            process.kill()
        for process in self.people:
            process.join()
        for pipe in self.hands:
            pipe.close()


@contextmanager
def _gone() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError):
        raise WorkerDied from None


def _serve(work: Callable[[Any], Any], pipe: Connection, others: Sequence[Connection]) -> None:
    """A worker: answers until its pipe is closed, or the one who started it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # a forked process has its elders' ends too, and would keep them open
        other.close()
    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            try:
                answer = work(job)
            except Exception as e:
                answer = e
            pipe.send(answer)
