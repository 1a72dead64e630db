"""Ctrl-C while a program is still being loaded.

Nothing has begun then, so it ends there and then. An exception would be thrown into whatever is being imported, and not
everybody bears that: msgspec swallows it and crashes later. Nothing is imported here that takes time.
"""

import os
import signal
from typing import Final

STOPPED: Final = 130


def _leave(_number: int, _frame: object) -> None:
    os._exit(STOPPED)


def begun() -> None:
    """From now on Ctrl-C ends it without a word; unless whoever started it has said otherwise."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def done() -> None:
    """It is loaded, and looks after Ctrl-C itself."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
