"""What a turn has seen so far, as bits of `Game.flags`, and a mark on monsters."""

from __future__ import annotations

from typing import Final

MONSTER_MET: Final = 1
LOOKED: Final = 2
FOUGHT: Final = 4
LOOT_GRANTED: Final = 8
TURN_OVER: Final = 16
AFTER_FIGHT: Final = 32
ENDING: Final = 64  # the turn player is done, apart from Charity
PORTAL_USED: Final = 128  # PORTAL-10
GIVING: Final = 256  # and is about to give

REFUSED: Final = -2  # the credit of a monster that would not fight
