"""Lists and mappings of a game that hardly ever change: they are replaced by new ones, never changed in place.

So a clone shares them with the original. Their types (`Sequence`, `Mapping`) have no way to change them, which the
type checker holds everybody to; these functions are what is done instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def less(old: Sequence[T], what: T) -> list[T]:
    """Without the first that is this; it has to be there."""
    new = list(old)
    new.remove(what)
    return new


def at(old: Sequence[T], place: int, what: T) -> list[T]:
    """With this in that place."""
    new = list(old)
    new[place] = what
    return new


def without(old: Mapping[int, int], key: int) -> Mapping[int, int]:
    """Without this key, if it is there."""
    return {k: v for k, v in old.items() if k != key} if key in old else old
