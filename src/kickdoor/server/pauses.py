"""Keeping the garbage collector and the threads from holding up every table at once.

The journal's thread needs its turn a few times for every batch that it writes, and everybody in the batch waits for it;
so it does not have to wait for long until the tables let it in.

A table's data is freed by counting references; only cycles (tracebacks, tasks) need the collector. A collection that
walks over hundreds of tables takes hundreds of milliseconds. So it is done by the clock, seldom: the longer one takes,
the longer it is until the next, and the first one waits by what it will take. A server with thousands of tables must
not stand still more often than one with ten; nor a minute after they have all come, as when another server has died.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import time
from typing import Final

log = logging.getLogger("kickdoor.server")

REST: Final = 120.0  # seconds between two collections, at least
SHARE: Final = 0.0005  # of the time may go into them
EACH: Final = 4e-7  # seconds, about, for everything new that one has to look at
TURN: Final = 0.0005  # seconds that a thread which wants to go on waits for another that is busy


async def sweep(rest: float = REST) -> None:
    """What is there at the start stays for good; afterwards a collection now and then."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        last, took = time.monotonic(), 0.0
        while True:
            await asyncio.sleep(rest)
            if time.monotonic() - last < max(took, gc.get_count()[0] * EACH) / SHARE:
                continue
            began = time.perf_counter()
            found = gc.collect()
            last, took = time.monotonic(), time.perf_counter() - began
            log.debug("collected %s objects in %.0f ms", found, took * 1000)
    finally:
        sys.setswitchinterval(usual)
        gc.enable()
        gc.unfreeze()
