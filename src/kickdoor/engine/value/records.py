"""The small records that lie in the value: a fight with its monsters, offers, and what happened.

They are kept apart from `Game` itself, so that `Game` can be compiled (docs/architecture.md, "The compiled wheel").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from kickdoor.engine.value.moves import PICKS_UNSAID

ACTIVE: Final = 0
KILLED: Final = 1
REMOVED: Final = 2  # gone without a kill


class Foe(msgspec.Struct, gc=False):
    """A monster in the fight. `card` lies on the table; `face` is the monster it is (a Mate is another's face)."""

    card: int
    face: int
    group: int
    fate: int = ACTIVE
    credit: int = -1  # whose kill it is when that is settled before the fight ends (FQ-BASE-54)
    pays: bool = True
    owner: int = -1
    joined: bool = False
    gone: bool = False  # already on the discard pile
    level: int = 0  # a Level it has instead of its own
    tags: tuple[str, ...] = ()  # tags it came back with
    met: int = 0  # bit set of fighters who have come to face it
    settled: bool = False  # it knows who helps
    faced: int = 0  # bit set of seats that have done something, or passed, with it there
    wore: tuple[int, ...] | None = None  # the enhancers on it when it left the fight: later ones are not its own
    by: int = -1  # the card that took it out of the fight
    paid: bool = False  # what it is worth has been put down for who beat it (`Fight.earlier`)


class Displaced(msgspec.Struct, frozen=True, gc=False):
    """A monster that another stands for, the card that made it so, and what lay on it."""

    foe: Foe
    by: int
    enhancers: tuple[tuple[int, int, int], ...]
    boosts: tuple[tuple[int, int], ...]


# What a Token does.
BONUS: Final = 0
DOUBLES: Final = 1  # its owner's strength counts twice
MULTIPLIES: Final = 2  # one Item counts several times
REVERSES: Final = 3  # the digits of a side's total are turned round


class Token(msgspec.Struct, frozen=True, gc=False):
    """What lies in the fight and counts: for a seat, or (seat -1) for a side or for one monster."""

    amount: int
    seat: int
    monsters: bool
    card: int
    foe: int = -1
    rule: str = "COMBAT-2"
    per: str = ""  # what it is counted by, afresh each time (Elves in the fight)
    kind: int = BONUS
    item: int = -1  # that is multiplied


class Term(msgspec.Struct, frozen=True, gc=False):
    """One summand of a strength: how much, from which card (-1: the Level itself), and by which rule."""

    amount: int
    card: int
    rule: str


class Deal(msgspec.Struct, frozen=True, gc=False):
    """What main and helper agreed (HELP-6..HELP-8)."""

    treasures: int = 0
    picks: int = PICKS_UNSAID  # must be said where Treasure is shared
    items: tuple[int, ...] = ()
    plays: tuple[int, ...] = ()


class Offer(msgspec.Struct, frozen=True, gc=False):
    """A proposal on the table: help (asked or volunteered) or a trade; answered by `to`."""

    kind: int
    by: int
    to: int
    helper: int = -1
    deal: Deal = Deal()
    give: tuple[int, ...] = ()
    get: tuple[int, ...] = ()


OFFER_OF_HELP: Final = 0  # asked for or volunteered
OFFER_TRADE: Final = 2


# What somebody has coming from: a kill, or what was given or left behind.
KILL: Final = 0
LEFT: Final = 1


class Due(msgspec.Struct, frozen=True, gc=False):
    """What somebody has coming from a fight that is another's now."""

    seat: int
    levels: int
    treasures: int
    kind: int


class Fight(msgspec.Struct):
    """The one combat (COMBAT-35). A `Sequence` is replaced by a new one, never changed in place (`renewed`)."""

    main: int
    helper: int = -1
    foes: list[Foe] = []
    enhancers: Sequence[tuple[int, int, int]] = []  # (card, group, owner; -1 = came with the door)
    tokens: Sequence[Token] = []
    committed: Sequence[tuple[int, int]] = []  # (card, owner): one-shots and the like, until the fight is over
    uses: dict[str, int] = {}
    passed: int = 0
    fleeing: bool = False
    rolled: int = 0  # bit set of seats that have rolled to get away
    over: bool = False
    compelled: bool = False  # the helper, by a card with which no game is won
    deserted: bool = False  # no monster was left to fight: it is over at once
    at_once: Sequence[int] = []  # cards that a fighter has just received and may play now
    owed: int = 0  # Treasure given, which is had with the rest if the fight is won (FQ-CBT-7)
    salvaged: int = 0  # Treasure of what left while the munchkins ran, which they have all the same (FQ-BASE-50)
    earlier: Sequence[Due] = []  # what those have coming who fought it before (FQ-BASE-54)
    deal: Deal = Deal()
    starter: int = -1
    loot_after: bool = False
    optins: Sequence[int] = []  # Items whose owners chose to use them in this fight
    hostile: int = 0  # bit set of seats that acted against the munchkins
    gained: int = 0  # bit set of seats that victory gave a level
    links: Sequence[tuple[int, int, int]] = []  # (card, card, owner) played together
    displaced: Sequence[Displaced] = []
    boosts: Sequence[tuple[int, int]] = []  # (enhancer enhancer, the enhancer it lies on)
    hold: tuple[int, ...] = ()  # (seat, card): who is still given time to play what he searched for


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, and why. `secret`: only `seat` and `other` may know which card it was."""

    kind: str
    seat: int = -1
    card: int = -1
    other: int = -1
    n: int = 0
    rule: str = ""
    secret: bool = False
