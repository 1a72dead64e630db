"""Keeping the garbage collector from holding up every table at once.

A table's data is freed by counting references; only cycles (tracebacks, tasks) need the collector. A full collection
walks over all tables, which takes hundreds of milliseconds with some hundred of them. So only the young are collected.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

YOUNG: Final = (5_000, 20, 1_000_000)  # never a full collection by itself
REST: Final = 600.0  # seconds between two full ones


def tame() -> None:
    """What is there when the server starts stays for good: no collection looks at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)


async def sweep(idle: float = REST) -> None:
    """A full collection now and then."""
    while True:
        await asyncio.sleep(idle)
        gc.collect()
