"""An event loop whose clock jumps: waiting takes no time, and what was waited for is known to the microsecond.

A test of delays run on it measures exactly what the server schedules, on a busy machine as on a quiet one.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Where the loop would sleep, the clock is put forward."""

    def __init__(self, jump: Callable[[float], None]) -> None:
        super().__init__()
        self._jump = jump

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everybody waits, and nothing will ever happen")
            self._jump(max(timeout, 0.0))
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Begins at zero."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Jumping(self._forward))

    def time(self) -> float:
        return self._now

    def _forward(self, seconds: float) -> None:
        self._now += seconds


def run(story: Coroutine[Any, Any, T]) -> T:
    """Run a story in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)
