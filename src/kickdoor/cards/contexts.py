"""When something may be done, as bits: the stage of the table, one's role in it, and whether the turn is one's own.

The engine computes the bits for a seat once per decision; every play mode and ability carries what it needs.
"""

from __future__ import annotations

from typing import Final

# stages
OWN_IDLE: Final = 1 << 0
OTHER_IDLE: Final = 1 << 1
FIGHT: Final = 1 << 2
FIGHT_START: Final = 1 << 3
FLEE: Final = 1 << 4
CURSE: Final = 1 << 5
ROLL: Final = 1 << 6
ROLL_FAILED: Final = 1 << 7
ESCAPED: Final = 1 << 8
VICTORY: Final = 1 << 9
AFTER_COMBAT: Final = 1 << 10
CREATION: Final = 1 << 11
FRESH: Final = 1 << 12
FACE_UP_DRAW: Final = 1 << 13
FACE_UP_DOOR: Final = 1 << 14
OPENING: Final = 1 << 15  # a card of an opening hand is shown and about to act
# roles
MAIN: Final = 1 << 16
HELPER: Final = 1 << 17
BYSTANDER: Final = 1 << 18
RUNNER: Final = 1 << 19
VICTIM: Final = 1 << 20
ROLLER: Final = 1 << 21
OUTSIDE: Final = 1 << 22  # no fight is going on
# whose turn
OWN_TURN: Final = 1 << 24
# rarer stages
STRAY: Final = 1 << 25  # a monster has been discarded
DYING: Final = 1 << 26  # of a fight that was lost, and not laid out yet
INVITED: Final = 1 << 27  # to add monsters to a fight
DICE_TO_COME: Final = 1 << 28  # in a flight: who runs has not rolled yet, and nothing has caught him

OPEN: Final = OWN_IDLE | OTHER_IDLE | FIGHT | FLEE  # where "any time" cards may be played

Alternatives = tuple[tuple[int, int], ...]

WHEN: Final[dict[str, Alternatives]] = {
    "any_time": ((OPEN, 0),),
    "own_turn": ((OPEN, OWN_TURN), (FRESH, 0)),
    "own_turn_idle": ((OWN_IDLE | CREATION | FRESH, 0),),
    "idle": ((OWN_IDLE | OTHER_IDLE, 0),),
    "fight": ((FIGHT, 0),),
    "own_turn_fight": ((FIGHT, OWN_TURN),),
    "fight_start": ((FIGHT_START, 0),),
    "before_roll": ((FLEE, 0),),
    "before_dice": ((DICE_TO_COME, 0),),
    "after_roll": ((ROLL, 0),),
    "after_failed_roll": ((ROLL_FAILED, 0),),
    "after_escape": ((ESCAPED, 0),),
    "curse": ((CURSE, 0),),
    "victory": ((VICTORY, 0),),
    "after_combat": ((AFTER_COMBAT, 0),),
    "face_up_draw": ((FACE_UP_DRAW, 0),),
    "any_time_not_fighting": ((OWN_IDLE | OTHER_IDLE, 0), (FIGHT | FLEE, BYSTANDER)),
    "monster_discarded": ((STRAY, 0),),
    "dying": ((DYING, 0),),
    "trait": ((OPEN | CREATION, OWN_TURN), (FRESH | CREATION | OPENING, 0)),
    "power": ((OPEN | CREATION | FRESH | OPENING, 0),),  # less, where the ruleset says so (SAMB-11)
    # not names of the language: what the kinds need
    "face_up_door": ((FACE_UP_DOOR, 0),),
    "invited": ((INVITED, 0),),
    "portal": ((OWN_IDLE | OTHER_IDLE | FRESH, 0),),  # just drawn, an onlooker opens it in a fight too (AMB-50)
    "companion": ((OPEN | CREATION | FRESH, 0),),
}

BY: Final[dict[str, int]] = {
    "anyone": 0,
    "fighter": MAIN | HELPER,
    "main": MAIN,
    "helper": HELPER,
    "bystander": BYSTANDER,
    "runner": RUNNER,
    "victim": VICTIM,
    "roller": ROLLER,
    "rival": 0,  # anybody but the one before whom the card lies
}


def fits(ctx: int, alternatives: Alternatives, by: int) -> bool:
    """Is this the moment, and is this the role? Asked of every card at every moment, hence no generator."""
    if by and not ctx & by:
        return False
    for any_of, all_of in alternatives:  # noqa: SIM110
        if ctx & any_of and ctx & all_of == all_of:
            return True
    return False
