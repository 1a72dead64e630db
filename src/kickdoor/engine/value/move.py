"""One move. Apart from `moves`, which is compiled; most moves are made to be listed, and a Struct is made fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

NONE: Final = -1


class Move(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """Who does what, with which card, on what; what `extra` means is said in `moves`."""

    seat: int
    verb: int
    card: int = NONE
    target: int = NONE
    extra: int = NONE

    def __iter__(self) -> Iterator[int]:
        return iter((self.seat, *self.deed))

    @property
    def deed(self) -> tuple[int, int, int, int]:
        """What is done, whoever does it: as a journal has it, which knows whose moves it notes."""
        return self.verb, self.card, self.target, self.extra
