"""The frames: whatever is being resolved lies on a stack inside the value, and the top one says who is asked what.

Frames hold only numbers, strings and tuples, so a shallow copy is a full copy. What they do lives in the chapter
named at each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Union

import msgspec

from kickdoor.engine.value.moves import PICKS_UNSAID


class Frame(msgspec.Struct, tag=True, gc=False):
    """Something that is being resolved; what is derived from this is written, read back and told of by itself."""


class Turn(Frame):
    """turn: the bottom of the stack; `phase` as in `game.PHASES`."""

    phase: int
    doors: tuple[int, ...] = ()  # cards of an Epic door that are still to be dealt with, as drawn
    foes: tuple[int, ...] = ()  # and what of them has been chosen to be fought
    ans: tuple[int, ...] | None = None


class Creation(Frame):
    """setup: players put down starting cards, in seating order (CHAR-4..CHAR-8)."""

    seat: int
    left: int


class Standies(Frame):
    """standies: these players still choose the figure they put on the board; the deal comes after (MM-3)."""

    seats: tuple[int, ...]
    ans: tuple[int, ...] | None = None


class FirstDungeon(Frame):
    """dungeons: this player picks the Dungeon that lies open from the start (DUNG-12)."""

    seat: int
    ans: tuple[int, ...] | None = None


class Combat(Frame):
    """combat: the fight's own window. `mark` is the standing when it was last opened."""

    stage: int = 0
    mark: tuple[int, ...] = ()


class Victory(Frame):
    """combat: rewards are paid, in order."""

    stage: int = 0
    ans: tuple[int, ...] | None = None
    pool: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    asked: int = 0
    treasures: int = 0
    denied: bool = False
    again: tuple[int, ...] = ()  # monsters that the winner fights next
    luck: int = 0
    swaps: int = 0
    deck: int = 1  # from which the reward is drawn; Treasures, unless somebody may choose
    exchanged: bool = False  # the main player has taken a level instead (FQ-REL-6)


class Flee(Frame):
    """running_away: who still has to run from what (the cards of the monsters, per runner)."""

    stage: int = 0
    passed: int = 0
    main_left: tuple[int, ...] = ()
    helper_left: tuple[int, ...] = ()
    runner: int = -1
    foe: int = -1
    result: int = 0
    ans: tuple[int, ...] | None = None
    escaped: int = 0
    caught: int = 0
    hurt: tuple[int, ...] = ()  # whom Bad Stuff is being done to, and how he stood before


class Roll(Frame):
    """dice: a die has been thrown and may still be changed (AMB-77)."""

    seat: int
    purpose: int
    face: int = 0
    bonus: int = 0
    need: int = 0
    foe: int = -1
    stage: int = 0
    passed: int = 0
    used: int = 0
    forced: int = 0
    base: int = 0  # of the bonus, what the roller adds to any roll like this
    mount: int = -1  # whose legs he has named for it (AMB-58)


class RollOff(Frame):
    """dice: players roll against each other, those who are still tied; the one who is left is the answer below.

    With an `event`, what that card does on it is done for him instead.
    """

    tied: tuple[int, ...]
    rule: str
    low: bool = False  # does the lowest have it?
    card: int = -1
    event: str = ""
    rolls: tuple[int, ...] = ()  # what the first of them have thrown
    ans: tuple[int, ...] | None = None


class Curse(Frame):
    """curses: a Curse is about to strike and may be cancelled."""

    card: int
    victim: int
    caster: int
    stage: int = 0
    passed: int = 0
    used: int = 0
    spared: int = 0  # bit set of players whom somebody has spared
    item: int = -1  # the Item it was aimed at
    ans: tuple[int, ...] | None = None  # whom it has been thrown back at


class Effect(Frame):
    """effects: a card's program, with its place in it."""

    prog: int
    card: int
    actor: int
    who: int
    target: int = -1
    foe: int = -1
    pc: int = 0
    n: int = 0
    ans: tuple[int, ...] | None = None
    mem: tuple[int, ...] = ()
    cause: str = ""
    face: int = 0
    acc: int = 0
    pool: tuple[int, ...] = ()


class Ask(Frame):
    """prompts: one player must answer; the answer goes to the frame below."""

    seat: int
    domain: int
    options: tuple[int, ...]
    low: int = 1
    high: int = 1
    chosen: tuple[int, ...] = ()
    card: int = -1
    about: str = ""
    rule: str = ""
    secret: bool = False
    cancel: bool = False
    order: bool = False


class Draft(Frame):
    """helping, trading, selling, charity: something put together piece by piece before it is said aloud."""

    kind: int
    seat: int
    to: int = -1
    give: tuple[int, ...] = ()
    get: tuple[int, ...] = ()
    plays: tuple[int, ...] = ()
    treasures: int = 0
    picks: int = PICKS_UNSAID
    received: tuple[int, ...] = ()  # of charity: how many each seat has got
    doubled: tuple[int, ...] = ()  # of what is given, the Items that sell at twice their value
    need: int = 0


class Death(Frame):
    """death: the body is looted (DEATH-7..DEATH-11)."""

    seat: int
    stage: int = 0
    order: tuple[int, ...] = ()
    pool: tuple[int, ...] = ()
    ans: tuple[int, ...] | None = None
    looted: bool = True
    clings: tuple[tuple[int, int], ...] = ()  # (Curse, the wandering card it is on): they stay together
    bound: tuple[tuple[int, int], ...] = ()  # (enhancer, the Item it is on): looted as one (AMB-23)
    ties: tuple[tuple[int, ...], ...] = ()  # looters of one Level, the highest first, not yet in order (DEATH-9)
    rolls: tuple[int, ...] = ()  # what the first of them have thrown


class Surplus(Frame):
    """items, traits: more in play than is allowed; the owner says what goes (BIG-5, COMBO-17)."""

    seat: int
    kind: int
    card: int = -1
    ans: tuple[int, ...] | None = None
    given: tuple[int, ...] = ()  # who has got one already, once for each (AMB-26)


class Draw(Frame):
    """decks: cards drawn one at a time, because some act the moment they are received."""

    seat: int
    deck: int
    left: int
    face_up: bool
    reason: str = ""
    got: tuple[int, ...] = ()
    rule: str = ""
    pool: bool = False
    resurrected: int = 0
    ans: tuple[int, ...] | None = None
    stage: int = 0
    pile: int = -1  # of a deck in several piles, the one that was chosen (DECK-12)
    more: tuple[int, ...] = ()  # what a card that acted at once drew besides, as in `g.drew`


class Knock(Frame):
    """turn: a door is about to be kicked open, once it is said from which pile (DECK-13, DECK-15)."""

    seat: int
    ans: tuple[int, ...] | None = None


class Window(Frame):
    """A moment at which everyone may act or pass, with nothing more to it (`what` names it)."""

    what: str
    seat: int
    card: int = -1
    passed: int = 0


class Promise(Frame):
    """plays: what the main player promised his helper to play is due, now that the fight is over (MM-43)."""

    seat: int
    helper: int
    cards: tuple[int, ...]


class Pay(Frame):
    """abilities: an ability has been announced and its price is being chosen."""

    seat: int
    card: int
    ability: int
    target: int
    ans: tuple[int, ...] | None = None


KINDS: Final = tuple(Frame.__subclasses__())
if TYPE_CHECKING:
    AnyFrame = Frame
else:
    AnyFrame = Union[KINDS]  # noqa: UP007 - what a stack is read back as: msgspec wants to know all there are

# Domains of an Ask: what its options are.
CARDS: Final = 0
SEATS: Final = 1
NUMBERS: Final = 2
YESNO: Final = 3
LABELS: Final = 4
FOES: Final = 5
PILES: Final = 6
FIGURES: Final = 7

# Kinds of Draft.
HELP_DRAFT: Final = 0
TRADE_DRAFT: Final = 2
SELL_DRAFT: Final = 3
CHARITY_DRAFT: Final = 4

# Kinds of Surplus.
BIG_SURPLUS: Final = 0
RACE_SURPLUS: Final = 1
CLASS_SURPLUS: Final = 2
SLOT_SURPLUS: Final = 3
STEED_SURPLUS: Final = 4
POWER_SURPLUS: Final = 5
EPIC_SURPLUS: Final = 6
COMPANION_SURPLUS: Final = 7
SHIP_SURPLUS: Final = 8
STYLE_SURPLUS: Final = 9
TRAINING_SURPLUS: Final = 10
LOYALTY_SURPLUS: Final = 11
ACCENT_SURPLUS: Final = 12
