"""What all commands of the lab (`python -m kickdoor.lab.NAME`) have in common: numbers that make sense, one line for
what cannot be done, and an end when they are told to."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from kickdoor.engine.value.reasons import Refused
from kickdoor.lab.crew import WorkerDied
from kickdoor.paper import loading
from kickdoor.paper.files import why
from kickdoor.paper.plain import one_line

STOPPED: Final = loading.STOPPED


def whole(least: int, most: int = 10**9) -> Callable[[str], int]:
    """A number of at least so many, for argparse."""

    def number(text: str) -> int:
        try:
            n = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text[:20]!r} is no whole number") from None
        if not least <= n <= most:
            raise argparse.ArgumentTypeError(f"{text[:20]} is not from {least:,} to {most:,}")
        return n

    return number


def share(text: str) -> float:
    """A part of all there is, for argparse."""
    try:
        x = float(text)
    except ValueError:
        x = -1.0
    if not 0.0 < x <= 1.0:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no share: more than 0, and 1 at most")
    return x


@contextmanager
def stoppable() -> Iterator[None]:
    """Being told to end is like Ctrl-C: what was played is kept."""

    def stop(_signum: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run(main: Callable[[], int]) -> int:
    """The command's status. Whatever is wrong with what was asked for is one line; `KICKDOOR_DEBUG=1` shows more."""
    try:
        loading.done()
        with stoppable():
            status = main()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except WorkerDied:
        print("error: a worker process died; run it again, perhaps with fewer --workers", file=sys.stderr)
        return 2
    except (ValueError, Refused, OSError) as e:
        if os.environ.get("KICKDOOR_DEBUG"):
            raise
        said = f"{e.filename}: {why(e)}" if isinstance(e, OSError) and e.filename else str(e)
        print(f"error: {one_line(said)}", file=sys.stderr)
        return 2
