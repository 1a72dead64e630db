"""How much is done of what could go on for ever: a share for every day, the whole in `make drills`."""

from __future__ import annotations

import os
from typing import Final, TypeVar

T = TypeVar("T")

WHOLE: Final = bool(os.environ.get("KICKDOOR_DRILLS"))


def daily(few: T, whole: T) -> T:
    """So much for every day, and so much in a drill."""
    return whole if WHOLE else few
