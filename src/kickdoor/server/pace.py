"""How long the table waits before it does something for somebody: a pass, or a bot's move.

None of it may depend on cards that others do not see. Who passes at once when he has nothing, and thinks when he has
something, shows his hand; so does a bot that answers as soon as it is done. What depends on the hand is left to people.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kickdoor.bots.driver import only_pass
from kickdoor.engine.kernel import legal
from kickdoor.engine.value.game import Game
from kickdoor.server import thinking, timing
from kickdoor.server.chairs import Chair
from kickdoor.server.table import played_by_bot

QUICK_PASS: Final = 0.25  # of a bot's pace: saying "I'm done" takes less than a move
AUTO_PAUSE: Final = 0.4  # seconds before the table passes for somebody, so that the eye can follow


def auto_pass(g: Game, chair: Chair, seat: int, stirred: bool, watched: bool) -> float | None:
    """After how many seconds of a window the table passes for this seat; None: not before the window is over.

    `stirred`: the person has said or asked something in this window. `watched`: somebody else could see how long it
    took. Only with nobody to see it may the hand decide.
    """
    if played_by_bot(chair) or chair.auto == "off":
        return None
    if chair.auto == "nothing":
        return AUTO_PAUSE if not watched and only_pass(legal(g, seat)) is not None else None
    fighting = g.fight is not None and seat in (g.fight.main, g.fight.helper)
    if chair.auto == "soon":
        return None if stirred or timing.patient(g, seat) else g.rules.combat.response.seconds
    return None if chair.auto == "bystander" and fighting else AUTO_PAUSE


def bots(speed: float, kinds: Iterable[str], share: float = 1.0) -> float:
    """How long until a bot's answer is shown: settled before it begins to think, and longer than that takes."""
    longest = max(speed * share, 0.0)
    for k in kinds:
        longest = max(longest, thinking.seconds(k))
    return longest


def late(due: float, moment: float, slot: float) -> float:
    """When an answer is shown that was not there in time: after whole slots, so that little can be read in it."""
    return due + -(-(moment - due) // slot) * slot if moment > due else due
