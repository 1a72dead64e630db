"""Keeping the garbage collector from holding up every table at once.

A table's data is freed by counting references; only cycles (tracebacks, tasks) need the collector. A collection that
walks over hundreds of tables takes hundreds of milliseconds. So it is done by the clock, seldom.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from typing import Final

log = logging.getLogger("kickdoor.server")

REST: Final = 120.0  # seconds between two collections


async def sweep(rest: float = REST) -> None:
    """What is there at the start stays for good; afterwards a collection now and then."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        while True:
            await asyncio.sleep(rest)
            began = time.perf_counter()
            found = gc.collect()
            log.debug("collected %s objects in %.0f ms", found, (time.perf_counter() - began) * 1000)
    finally:
        gc.enable()
        gc.unfreeze()
