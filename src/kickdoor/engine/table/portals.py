"""Portals: a way out of one Dungeon and into the next (PORTAL). What comes after one is in `resolving`."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.facts import fights
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import uses
from kickdoor.engine.value.flags import PORTAL_USED
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.reasons import Reason

FACE_DOWN: Final = 0
FACE_UP: Final = 1
AT_DOOR: Final = 2  # face-up, when the door was kicked open
AT_EPIC_DOOR: Final = 3  # the same, with another card beside it (AMB-51)


def start_portal(g: Game, seat: int, card: int, face: int) -> None:
    """A Portal is carried out: at once when it was drawn face-up (PORTAL-3), or played (PORTAL-7, PORTAL-11)."""
    g.limbo.append(card)
    if seat == g.turn:
        g.flags |= PORTAL_USED  # AMB-37
    g.emit("portal", seat, card, rule="PORTAL-3" if face else "PORTAL-11")
    g.stack.append(Effect(g.lib.defs[card].prog_effect, card, seat, seat, cause="portal", face=face))


def drew(g: Game, seat: int, card: int, reason: str) -> None:
    """A Portal came face-down: it may be carried out as long as it is fresh, but not in combat (PORTAL-6, AMB-50)."""
    if reason != "deal" and not fights.in_fight(g, seat):
        uses.draw_portal(g, seat, card)


def just_drawn(g: Game, seat: int, card: int) -> bool:
    return (seat, card) in g.fresh and uses.drew_portal(g, seat, card)


def why_not_portal(g: Game, seat: int, card: int) -> Reason | None:
    """What keeps a Portal in the hand (PORTAL-8, PORTAL-9, PORTAL-10); flips at the draw are never blocked (AMB-37)."""
    if fights.in_fight(g, seat):
        return r.PORTAL_FIGHT
    if just_drawn(g, seat, card):
        return None
    if seat != g.turn:
        return r.PORTAL_TURN
    return r.PORTAL_ONCE if g.flags & PORTAL_USED else None
