"""Processes that help another one: Ctrl-C is for that one alone, and without it they have nobody to work for.

A terminal gives Ctrl-C to all of them, and whoever is killed tells nobody: each would leave a trace of its own on the
screen, or stay in memory for good.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deaf() -> Iterator[None]:
    """A process that is started in here does not hear Ctrl-C: that is for the one who started it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def helps() -> None:
    """In a process that helps, before its first job."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    master: Any = multiprocessing.parent_process()
    if master is not None:
        threading.Thread(target=_end_with, args=(master,), name="the one who started this", daemon=True).start()


def _end_with(master: Any) -> None:
    master.join()
    os._exit(0)
