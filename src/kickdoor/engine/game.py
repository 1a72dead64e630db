"""The game as one plain value: zones of small integers, a stack of frames, a seeded generator.

Everything here can be cloned, written out, read back, compared and hashed at any moment, also in the middle of a
decision. Behaviour lives in the chapters beside this module; here is only what the table looks like.
"""

from __future__ import annotations

import hashlib
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kickdoor.engine.frames import Frame
from kickdoor.engine.moves import Move
from kickdoor.engine.ruleset import Ruleset

if TYPE_CHECKING:
    from kickdoor.cards.library import Library

DOOR: Final = 0
TREASURE: Final = 1
DUNGEON: Final = 2
SPELL: Final = 3
FAIRY_DUST: Final = 4  # drawn from as a part of some rewards, and at no other time
DECKS: Final = 5

MALE: Final = 0
FEMALE: Final = 1
SEXES: Final = ("male", "female")

# Phases of a turn (TURN-1..TURN-25) as the bottom frame sees them.
CREATION: Final = 0
BEFORE_DOOR: Final = 1
DOOR_CARD: Final = 2
AFTER_DOOR: Final = 3
CHARITY_PHASE: Final = 4
PHASES: Final = ("creation", "before_door", "door_card", "after_door", "charity")

_MASK: Final = (1 << 64) - 1


# Seats clockwise from each seat, for every size of table.
_ROUNDS: Final = tuple(tuple(tuple((s + i) % n for i in range(n)) for s in range(n)) for n in range(13))

# Derived answers (by the first word of their key) that rest on the cards in play alone.
_LASTING: Final = frozenset({"force", "kinds", "traits", "tradable"})


class Player:
    """What one seat has: a level, a sex, a hand, and everything in front of it."""

    __slots__ = ("dead", "hand", "level", "name", "redeal", "sex", "shown", "table")

    def __init__(self, name: str, sex: int = MALE, level: int = 1) -> None:
        self.name = name
        self.level = level
        self.sex = sex
        self.dead = False
        self.redeal = False  # DEATH-16: draws a fresh hand at the start of the own next turn
        self.shown = False  # PILE-15
        self.hand: list[int] = []
        self.table: list[int] = []

    def clone(self) -> Player:
        new = Player.__new__(Player)
        new.name = self.name
        new.level = self.level
        new.sex = self.sex
        new.dead = self.dead
        new.redeal = self.redeal
        new.shown = self.shown
        new.hand = self.hand[:]
        new.table = self.table[:]
        return new


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


class Token(msgspec.Struct, frozen=True, gc=False):
    """A bonus that lies in the fight: for a seat, or (seat -1) for a side or for one monster."""

    amount: int
    seat: int
    monsters: bool
    card: int
    foe: int = -1
    rule: str = "COMBAT-2"
    per: str = ""  # what it is counted by, afresh each time (Elves in the fight)


class Deal(msgspec.Struct, frozen=True, gc=False):
    """What main and helper agreed (HELP-6..HELP-8)."""

    treasures: int = 0
    picks: int = 0
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


OFFER_ASKED: Final = 0
OFFER_VOLUNTEERED: Final = 1
OFFER_TRADE: Final = 2


class Fight(msgspec.Struct):
    """The one combat (COMBAT-35)."""

    main: int
    helper: int = -1
    foes: list[Foe] = []
    enhancers: list[tuple[int, int, int]] = []  # (card, group, owner; -1 = came with the door)
    tokens: list[Token] = []
    committed: list[tuple[int, int]] = []  # (card, owner): one-shots and the like, until the fight is over
    uses: dict[str, int] = {}
    passed: int = 0
    fleeing: bool = False
    over: bool = False
    compelled: bool = False
    deserted: bool = False  # no monster was left to fight: it is over at once
    at_once: list[int] = []  # cards that a fighter has just received and may play now
    owed: int = 0  # Treasure given, not won (FQ-CBT-7)
    deal: Deal = Deal()
    starter: int = -1
    loot_after: bool = False
    optins: list[int] = []  # Items whose owners chose to use them in this fight
    hostile: int = 0  # bit set of seats that acted against the munchkins
    gained: int = 0  # bit set of seats that victory gave a level
    links: list[tuple[int, int, int]] = []  # (card, card, owner) played together
    boosts: list[tuple[int, int]] = []  # (enhancer enhancer, the enhancer it lies on)
    hold: tuple[int, ...] = ()  # (seat, card): who is still given time to play what he searched for

    def clone(self) -> Fight:
        new = copy(self)
        new.foes = [copy(f) for f in self.foes]
        new.enhancers = self.enhancers[:]
        new.tokens = self.tokens[:]
        new.committed = self.committed[:]
        new.uses = self.uses.copy()
        new.optins = self.optins[:]
        new.at_once = self.at_once[:]
        new.links = self.links[:]
        new.boosts = self.boosts[:]
        return new


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, why, and who may know which card it was (-1: everyone; else one seat)."""

    kind: str
    seat: int = -1
    card: int = -1
    other: int = -1
    n: int = 0
    rule: str = ""
    audience: int = -1


class Game:
    """One table, whole. Change it only through `kickdoor.engine.apply`."""

    __slots__ = (
        "accessories",
        "afflictions",
        "aside",
        "bearer",
        "box",
        "brought",
        "cache",
        "dice",
        "dirty",
        "discards",
        "door_card",
        "drew",
        "dungeons",
        "equipped",
        "events",
        "exempt",
        "fight",
        "flags",
        "fresh",
        "grown",
        "heap",
        "host",
        "ledger",
        "lib",
        "limbo",
        "moves",
        "offers",
        "piles",
        "players",
        "reach",
        "returning",
        "ridden",
        "rng",
        "rolls",
        "rules",
        "skips",
        "stack",
        "strays",
        "turn",
        "turned",
        "turns",
        "uses",
        "winners",
    )

    def __init__(self, lib: Library, rules: Ruleset, players: list[Player], seed: int) -> None:
        self.lib = lib
        self.rules = rules
        self.players = players
        self.rng = seed & _MASK
        self.dice: list[int] = []
        self.rolls: list[int] = []
        self.turn = 0
        self.turns = 0
        self.flags = 0
        self.piles: list[list[int]] = [[] for _ in range(DECKS)]
        self.aside: list[list[list[int]]] = [[] for _ in range(DECKS)]  # a deck in several piles (DECK-12)
        self.heap: list[int] = [0] * DECKS  # which of them lies in `piles` at the moment
        self.discards: list[list[int]] = [[] for _ in range(DECKS)]
        self.box: list[int] = []
        self.dungeons: list[int] = []  # face-up, the oldest first
        self.reach: dict[int, int] = {}  # Dungeon -> bit set of seats, where it is not for everyone
        self.limbo: list[int] = []  # cards being resolved (a Curse, Hoard!): in no pile yet
        self.door_card = -1
        self.equipped: set[int] = set()
        self.host: dict[int, int] = {}  # attachment -> the card it lies on
        self.bearer: dict[int, int] = {}  # Item -> the companion that carries it
        self.fresh: list[tuple[int, int]] = []  # (seat, card) just received
        self.drew: list[tuple[int, ...]] = [() for _ in players]  # last reward or draw; negative = face-up
        self.afflictions: list[tuple[int, int, int, int]] = []  # (seat, card, which, fights since)
        self.returning: list[tuple[int, int]] = []  # (card, seat) that it comes back to
        self.ridden: dict[int, int] = {}  # what serves as a Steed and is none -> its bonus as one
        self.strays: list[tuple[int, int]] = []  # (monster just discarded, Treasures it would have paid)
        self.grown: dict[int, int] = {}  # Item -> by how much its bonus has grown
        self.turned: list[int] = []  # companions whose sex has been changed
        self.exempt: list[int] = []  # Items that may be used for good whatever the limits
        self.accessories: list[list[int]] = []  # what lies beside each seat, where the module is in use (CAP-52)
        self.brought: list[tuple[int, int]] = []  # (seat, thing) as the game began
        self.ledger: list[tuple[int, int, int]] = []  # (thing, from, to or -1): what changed hands for good
        self.skips: list[int] = [0 for _ in players]  # turns that a seat will miss
        self.uses: dict[str, int] = {}
        self.offers: list[Offer] = []
        self.fight: Fight | None = None
        self.stack: list[Frame] = []
        self.winners: list[int] = []
        self.dirty = 0
        self.events: list[Event] | None = []
        self.cache: dict[Any, Any] = {}  # derived answers, until something they rest on changes
        self.moves: dict[int, list[Move]] = {}  # legal moves by seat, until the next move

    # -- the value as a value ---------------------------------------------------------------------------------

    def clone(self) -> Game:
        """An independent copy; events so far stay with the original."""
        new = Game.__new__(Game)
        new.lib = self.lib
        new.rules = self.rules
        new.players = [p.clone() for p in self.players]
        new.rng = self.rng
        new.dice = self.dice[:]
        new.rolls = self.rolls[:]
        new.turn = self.turn
        new.turns = self.turns
        new.flags = self.flags
        new.piles = [p[:] for p in self.piles]
        new.aside = [[p[:] for p in deck] for deck in self.aside]
        new.heap = self.heap[:]
        new.discards = [p[:] for p in self.discards]
        new.box = self.box[:]
        new.dungeons = self.dungeons[:]
        new.reach = self.reach.copy()
        new.limbo = self.limbo[:]
        new.door_card = self.door_card
        new.equipped = self.equipped.copy()
        new.host = self.host.copy()
        new.bearer = self.bearer.copy()
        new.fresh = self.fresh[:]
        new.drew = self.drew[:]
        new.afflictions = self.afflictions[:]
        new.returning = self.returning[:]
        new.exempt = self.exempt[:]
        new.turned = self.turned[:]
        new.accessories = [x[:] for x in self.accessories]
        new.brought = self.brought
        new.ledger = self.ledger[:]
        new.grown = self.grown.copy()
        new.ridden = self.ridden.copy()
        new.strays = self.strays[:]
        new.skips = self.skips[:]
        new.uses = self.uses.copy()
        new.offers = self.offers[:]
        new.fight = self.fight.clone() if self.fight is not None else None
        new.stack = [copy(f) for f in self.stack]
        new.winners = self.winners[:]
        new.dirty = self.dirty
        new.events = None if self.events is None else []
        new.cache = {}
        new.moves = {}
        return new

    def plain(self) -> dict[str, Any]:
        """The whole value as JSON-ready builtins."""
        return {
            "players": [[p.name, p.level, p.sex, p.dead, p.redeal, p.shown, p.hand, p.table] for p in self.players],
            "rng": str(self.rng),
            "dice": self.dice,
            "rolls": self.rolls,
            "turn": self.turn,
            "turns": self.turns,
            "flags": self.flags,
            "piles": self.piles,
            "aside": self.aside,
            "heap": self.heap,
            "discards": self.discards,
            "box": self.box,
            "dungeons": self.dungeons,
            "reach": sorted(self.reach.items()),
            "limbo": self.limbo,
            "door_card": self.door_card,
            "equipped": sorted(self.equipped),
            "host": sorted(self.host.items()),
            "bearer": sorted(self.bearer.items()),
            "fresh": self.fresh,
            "drew": self.drew,
            "afflictions": self.afflictions,
            "returning": self.returning,
            "exempt": self.exempt,
            "turned": self.turned,
            "accessories": self.accessories,
            "brought": self.brought,
            "ledger": self.ledger,
            "grown": sorted(self.grown.items()),
            "ridden": sorted(self.ridden.items()),
            "strays": self.strays,
            "skips": self.skips,
            "uses": sorted(self.uses.items()),
            "offers": msgspec.to_builtins(self.offers),
            "fight": msgspec.to_builtins(self.fight),
            "stack": msgspec.to_builtins(self.stack),
            "winners": self.winners,
            "dirty": self.dirty,
        }

    def key(self) -> bytes:
        """A hash of the whole value: equal games have equal keys."""
        return hashlib.blake2b(msgspec.msgpack.encode(self.plain()), digest_size=16).digest()

    # -- small helpers that every chapter uses ----------------------------------------------------------------

    def touch(self) -> None:
        """Forget derived answers: something they rest on has changed."""
        if self.cache:
            self.cache = {}
        if self.moves:
            self.moves = {}

    def touch_lightly(self) -> None:
        """A hand or a Level has changed: what lies before the players, and what of it is in force, has not."""
        if self.cache:
            self.cache = {k: v for k, v in self.cache.items() if k[0] in _LASTING}
        if self.moves:
            self.moves = {}

    def emit(
        self,
        kind: str,
        seat: int = -1,
        card: int = -1,
        other: int = -1,
        n: int = 0,
        rule: str = "",
        audience: int = -1,
    ) -> None:
        if self.events is not None:
            self.events.append(Event(kind, seat, card, other, n, rule, audience))

    def random(self, n: int) -> int:
        """A number from 0 to n-1 out of the generator inside the value."""
        while True:
            self.rng = (self.rng * 6364136223846793005 + 1442695040888963407) & _MASK
            x = self.rng ^ (self.rng >> 33)
            x = (x * 0xFF51AFD7ED558CCD) & _MASK
            x = (x ^ (x >> 33)) >> 16
            if x < (1 << 48) - (1 << 48) % n:
                return x % n

    def shuffle(self, pile: list[int]) -> None:
        for i in range(len(pile) - 1, 0, -1):
            j = self.random(i + 1)
            pile[i], pile[j] = pile[j], pile[i]

    def living(self, start: int) -> list[int]:
        """Living seats, clockwise from `start`."""
        players = self.players
        return [s for s in _ROUNDS[len(players)][start] if not players[s].dead]

    def around(self, start: int) -> list[int]:
        return list(_ROUNDS[len(self.players)][start])

    @property
    def over(self) -> bool:
        return bool(self.winners)


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """What `Game.plain` writes, with its types, so that a damaged one is noticed."""

    players: list[tuple[str, int, int, bool, bool, bool, list[int], list[int]]]
    rng: str
    dice: list[int]
    rolls: list[int]
    turn: int
    turns: int
    flags: int
    piles: list[list[int]]
    aside: list[list[list[int]]]
    heap: list[int]
    discards: list[list[int]]
    box: list[int]
    dungeons: list[int]
    reach: list[tuple[int, int]]
    limbo: list[int]
    door_card: int
    equipped: set[int]
    host: list[tuple[int, int]]
    bearer: list[tuple[int, int]]
    fresh: list[tuple[int, int]]
    drew: list[tuple[int, ...]]
    afflictions: list[tuple[int, int, int, int]]
    returning: list[tuple[int, int]]
    exempt: list[int]
    turned: list[int]
    accessories: list[list[int]]
    brought: list[tuple[int, int]]
    ledger: list[tuple[int, int, int]]
    grown: list[tuple[int, int]]
    ridden: list[tuple[int, int]]
    strays: list[tuple[int, int]]
    skips: list[int]
    uses: list[tuple[str, int]]
    offers: list[Offer]
    fight: Fight | None
    stack: list[Frame]
    winners: list[int]
    dirty: int


def restore(lib: Library, rules: Ruleset, data: dict[str, Any]) -> Game:
    """The inverse of `Game.plain`; raises msgspec.ValidationError where the data is not such a thing."""
    record = msgspec.convert(data, Record)
    players = []
    for name, level, sex, dead, redeal, shown, hand, table in record.players:
        p = Player(name, sex, level)
        p.dead, p.redeal, p.shown, p.hand, p.table = dead, redeal, shown, hand, table
        players.append(p)
    g = Game(lib, rules, players, int(record.rng))
    for name in Record.__struct_fields__:
        if name not in ("players", "rng", "host", "bearer", "uses", "reach", "grown", "ridden"):
            setattr(g, name, getattr(record, name))
    g.grown = dict(record.grown)
    g.host, g.bearer, g.uses = dict(record.host), dict(record.bearer), dict(record.uses)
    g.reach, g.ridden = dict(record.reach), dict(record.ridden)
    return g
