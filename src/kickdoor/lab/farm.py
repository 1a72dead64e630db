"""Many games on many cores, or on a Ray cluster: the same records in the same order, whoever played them."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from kickdoor.lab import crew
from kickdoor.lab.crew import AHEAD
from kickdoor.lab.extras import LabError, need
from kickdoor.lab.playing import Record, Setting, play

LARGEST: Final = 25  # games in a batch
PLACES: Final = ("cores", "ray")
THINKERS: Final = ("lookahead", "master")  # bots whose games take minutes


@dataclass(frozen=True)
class Job:
    """Some games of a setting, by their numbers."""

    setting: Setting
    numbers: tuple[int, ...]
    detail: bool = True


def work(job: Job) -> list[Record]:
    return [play(job.setting, n, job.detail) for n in job.numbers]


def cores() -> int:
    """The cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


class Jobs(Sequence[Job]):
    """All games of a run, so many to a job; each is made when its turn comes, since there may be a billion."""

    def __init__(self, setting: Setting, numbers: Sequence[int], detail: bool, size: int) -> None:
        self.setting, self.numbers, self.detail, self.size = setting, numbers, detail, size

    def __len__(self) -> int:
        return -(-len(self.numbers) // self.size)

    @overload
    def __getitem__(self, at: int) -> Job: ...

    @overload
    def __getitem__(self, at: slice) -> list[Job]: ...

    def __getitem__(self, at: int | slice) -> Job | list[Job]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        first = range(len(self))[at] * self.size
        return Job(self.setting, tuple(self.numbers[first : first + self.size]), self.detail)


def run(
    setting: Setting,
    numbers: Sequence[int],
    workers: int = 0,
    on: str = "cores",
    detail: bool = True,
    size: int = 0,
) -> Iterator[list[Record]]:
    """Play these games; yields their records in batches, in the order of `numbers`.

    `workers` 0 means all cores (of this machine, or of the cluster). One worker needs no second process.
    """
    many = workers or cores()
    jobs = Jobs(setting, numbers, detail, size or batch_size(setting, len(numbers), many))
    if on == "ray":
        return _on_ray(jobs, workers)
    if on != "cores":
        raise LabError(f"there is no place {on!r} to play on; known: {', '.join(PLACES)}")
    if many <= 1 or len(jobs) <= 1:
        return (work(job) for job in jobs)
    return _on_cores(jobs, min(many, len(jobs)))


def batch_size(setting: Setting, games: int, workers: int) -> int:
    """Large enough to be worth a message, small enough that nobody waits for the last one; one where bots search."""
    if any(kind.startswith(THINKERS) for kind in setting.bots):
        return 1
    return max(1, min(LARGEST, games // (workers * 32)))


# -- this machine -------------------------------------------------------------------------------------------------


def _on_cores(jobs: Sequence[Job], workers: int) -> Iterator[list[Record]]:
    try:
        yield from crew.in_order(work, jobs, workers)
    except crew.WorkerDied:
        raise LabError(
            "a worker process died, perhaps for want of memory; what was finished is kept: "
            "run the same command again to go on, with fewer --workers if it happens again"
        ) from None


# -- a cluster ----------------------------------------------------------------------------------------------------


def _on_ray(jobs: Sequence[Job], workers: int) -> Iterator[list[Record]]:
    ray = need("ray", "ray")
    started = _join(ray, workers)
    try:
        many = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield from _from_ray(ray, jobs, many)
    finally:
        if started:
            ray.shutdown()


def _join(ray: Any, workers: int) -> bool:
    """Join the cluster that RAY_ADDRESS names, or start one on this machine; True if one must be left afterwards."""
    if ray.is_initialized():
        return False
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "include_dashboard": False}
    try:
        if os.environ.get("RAY_ADDRESS"):
            quiet.pop("include_dashboard")
            ray.init(**quiet)
        else:
            ray.init(num_cpus=workers or cores(), **quiet)
    except (ConnectionError, OSError, RuntimeError, ValueError) as e:
        raise LabError(
            f"no Ray cluster: {' '.join(str(e).split())[:200]}; set RAY_ADDRESS to a running one, "
            "or leave --on ray out to use the cores of this machine"
        ) from None
    return True


def _from_ray(ray: Any, jobs: Sequence[Job], workers: int) -> Iterator[list[Record]]:
    remote: Callable[..., Any] = ray.remote(max_retries=2)(work).remote
    waiting: deque[Any] = deque()
    try:
        for job in jobs:
            waiting.append(remote(job))
            if len(waiting) >= AHEAD * workers:
                yield ray.get(waiting.popleft())
        while waiting:
            yield ray.get(waiting.popleft())
    except ray.exceptions.RayError as e:
        raise LabError(
            f"the cluster gave up: {' '.join(str(e).split())[:200]}; what was finished is kept, run it again to go on"
        ) from None
    finally:
        for left in waiting:
            with contextlib.suppress(Exception):
                ray.cancel(left, force=False)
