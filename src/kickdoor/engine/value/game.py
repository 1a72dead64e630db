"""The game as one plain value: zones of small integers, a stack of frames, a seeded generator.

Everything here can be cloned, written out, read back, compared and hashed at any moment, also in the middle of a
decision. Behaviour lives in the chapters beside this module; here is only what the table looks like.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kickdoor.engine.value import chance
from kickdoor.engine.value.frames import Frame
from kickdoor.engine.value.happenings import Kind
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Event, Fight, Offer
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.engine.value.stored import EMPTY, WRITERS

if TYPE_CHECKING:
    from kickdoor.cards.library import CardDef, Library, Mod, Power
    from kickdoor.engine.value.seen import Seen

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


def by_seat(what: str) -> tuple[str, ...]:
    """Under what an answer about each seat is kept in a game's cache: words that are there are found faster than pairs
    that are made to be looked up."""
    return tuple(f"{what}/{s}" for s in range(len(_ROUNDS)))


# A shallow copy of a frame or a record: what `copy.copy` comes to for these, without its looking for a way.
_again: Final[Callable[[Any], Any]] = msgspec.Struct.__copy__  # type: ignore[attr-defined]


def _fight_again(fight: Fight) -> Fight:
    """An independent copy of a fight: what is never changed in place is shared."""
    new: Fight = _again(fight)
    new.foes = [_again(f) for f in fight.foes]
    new.uses = fight.uses.copy()
    return new


class Player:
    """What one seat has: a level, a sex, a hand, and everything in front of it."""

    name: str
    level: int
    sex: int
    dead: bool
    redeal: bool  # DEATH-16: draws a fresh hand at the start of the own next turn
    shown: bool  # PILE-15
    hand: list[int]
    table: list[int]

    __slots__ = tuple(__annotations__)

    def clone(self) -> Player:
        new = Player()
        new.name = self.name
        new.level = self.level
        new.sex = self.sex
        new.dead = self.dead
        new.redeal = self.redeal
        new.shown = self.shown
        new.hand = self.hand[:]
        new.table = self.table[:]
        return new


class Known:
    """What has been worked out about the cards before one seat; None: not yet. It rests on these cards alone."""

    force: list[tuple[int, CardDef]] | None  # the cards in force
    kinds: dict[str, list[tuple[int, Mod]]] | None  # their modifiers, by what they change
    powers: list[tuple[int, Power]] | None
    traits: frozenset[str] | None
    lost: frozenset[str] | None  # kinds of trait that a lasting Curse keeps from him
    base: frozenset[str] | None  # traits without those that Items grant
    items: tuple[int, ...] | None
    free: tuple[int, ...] | None  # Items that may be parted with
    bonus: int | None  # what the cards in force add to strength, if nothing else bears on that (`strength.UNSTEADY`)

    __slots__ = tuple(__annotations__)

    def __init__(self) -> None:
        self.force = None
        self.kinds = None
        self.powers = None
        self.traits = None
        self.lost = None
        self.base = None
        self.items = None
        self.free = None
        self.bonus = None

    def again(self) -> Known:
        new = Known()
        new.force = self.force
        new.kinds = self.kinds
        new.powers = self.powers
        new.traits = self.traits
        new.lost = self.lost
        new.base = self.base
        new.items = self.items
        new.free = self.free
        new.bonus = self.bonus
        return new


class Game:
    """One table, whole. Change it only through `kickdoor.engine.apply`."""

    lib: Library
    rules: Ruleset
    players: list[Player]
    rng: int
    dice: Sequence[int]
    rolls: Sequence[int]
    turn: int
    turns: int
    flags: int
    piles: list[Sequence[int]]  # what lies in a pile is replaced, never changed in place: clones share it (`renewed`)
    aside: Sequence[list[list[int]]]  # a deck in several piles (DECK-12)
    heap: Sequence[int]  # which of them lies in `piles` at the moment
    discards: list[Sequence[int]]  # likewise
    box: Sequence[int]
    dungeons: Sequence[int]  # face-up, the oldest first
    reach: Mapping[int, int]  # Dungeon -> bit set of seats, where it is not for everyone
    limbo: list[int]  # cards being resolved (a Curse, Hoard!): in no pile yet
    door_card: int
    equipped: set[int]
    host: dict[int, int]  # attachment -> the card it lies on
    bearer: Mapping[int, int]  # Item -> the companion that carries it
    fresh: Sequence[tuple[int, int]]  # (seat, card) just received
    drew: Sequence[tuple[int, ...]]  # last reward or draw of each seat, as `drawn` writes it
    afflictions: Sequence[tuple[int, int, int, int]]  # (seat, card, which, fights since)
    returning: Sequence[tuple[int, int]]  # (card, seat) that it comes back to
    ridden: Mapping[int, int]  # what serves as a Steed and is none -> its bonus as one
    strays: Sequence[tuple[int, int]]  # (monster just discarded, Treasures it would have paid)
    grown: Mapping[int, int]  # Item -> by how much its bonus has grown
    turned: Sequence[int]  # companions whose sex has been changed
    exempt: Sequence[int]  # Items that may be used for good whatever the limits
    accessories: list[list[int]]  # what lies beside each seat, where the module is in use (CAP-52)
    brought: Sequence[tuple[int, int]]  # (seat, thing) as the game began
    ledger: Sequence[tuple[int, int, int]]  # (thing, from, to or -1): what changed hands for good
    skips: Sequence[int]  # turns that a seat will miss
    uses: dict[str, int]
    offers: Sequence[Offer]
    fight: Fight | None
    stack: list[Frame]
    winners: Sequence[int]
    dirty: int
    events: list[Event] | None
    cache: dict[Any, Any]  # derived answers, until something they rest on changes
    known: list[Known]  # and those that rest on the cards in play alone, by seat; empty: nothing is known
    moves: dict[int, list[Move]]  # legal moves by seat, until the next move
    sight: Seen | None  # what everybody sees, until the next move
    acts: dict[int, tuple[int, list[Move]]]  # and the part of them that outlasts moves which change nothing (`kernel`)

    __slots__ = tuple(__annotations__)  # all of the above, and nothing else

    # -- the value as a value ---------------------------------------------------------------------------------

    def clone(self) -> Game:
        """An independent copy; events so far stay with the original."""
        new = Game()
        new.lib = self.lib
        new.rules = self.rules
        new.players = [p.clone() for p in self.players]
        new.rng = self.rng
        new.dice = self.dice
        new.rolls = self.rolls
        new.turn = self.turn
        new.turns = self.turns
        new.flags = self.flags
        new.piles = self.piles[:]
        new.aside = [[p[:] for p in deck] for deck in self.aside] if any(self.aside) else self.aside
        new.heap = self.heap
        new.discards = self.discards[:]
        new.box = self.box
        new.dungeons = self.dungeons
        new.reach = self.reach
        new.limbo = self.limbo[:]
        new.door_card = self.door_card
        new.equipped = self.equipped.copy()
        new.host = self.host.copy()
        new.bearer = self.bearer
        new.fresh = self.fresh
        new.drew = self.drew
        new.afflictions = self.afflictions
        new.returning = self.returning
        new.exempt = self.exempt
        new.turned = self.turned
        new.accessories = [x[:] for x in self.accessories]
        new.brought = self.brought
        new.ledger = self.ledger
        new.grown = self.grown
        new.ridden = self.ridden
        new.strays = self.strays
        new.skips = self.skips
        new.uses = self.uses.copy()
        new.offers = self.offers
        new.fight = _fight_again(self.fight) if self.fight is not None else None
        new.stack = [_again(f) for f in self.stack]
        new.winners = self.winners
        new.dirty = self.dirty
        new.events = None if self.events is None else []
        new.cache = {}
        new.known = []
        new.moves = {}
        new.sight = None
        new.acts = {}
        return new

    def what_if(self) -> Game:
        """A copy to try something out on, silently: what is known about the cards before the players is known there as
        well, and whoever changes them there forgets it there (`touch`)."""
        new = self.clone()
        new.events = None
        new.known = [k.again() for k in self.known]
        return new

    def heir(self) -> Game:
        """A copy to make the next move on: what was worked out about this game is true of it as well, until that move
        changes what it rests on."""
        new = self.clone()
        new.cache, new.moves, new.acts = self.cache.copy(), self.moves.copy(), self.acts.copy()
        new.known = [k.again() for k in self.known]
        return new

    def share(self, old: Game) -> None:
        """Keep once what is the same as in another game: hardly anything changes by a move. Only for games that nobody
        changes any more, except on a clone."""
        if self.stack == old.stack:
            self.stack = old.stack
        if self.fight == old.fight:
            self.fight = old.fight
        if self.equipped == old.equipped:
            self.equipped = old.equipped
        if self.uses == old.uses:
            self.uses = old.uses
        if self.drew == old.drew:
            self.drew = old.drew
        if self.box == old.box:
            self.box = old.box
        for mine, theirs in ((self.piles, old.piles), (self.discards, old.discards)):
            for i, pile in enumerate(theirs):
                if mine[i] == pile:
                    mine[i] = pile
        for i, was_player in enumerate(old.players):
            p = self.players[i]
            if p.hand == was_player.hand:
                p.hand = was_player.hand
            if p.table == was_player.table:
                p.table = was_player.table

    def own_piles(self) -> tuple[list[list[int]], list[list[int]]]:
        """Decks and discards as lists that no other game has, to be changed in place: for whoever lays a table. They
        are this game's from now on; once it has been cloned, they are to be asked for again."""
        piles, discards = [list(p) for p in self.piles], [list(p) for p in self.discards]
        self.piles, self.discards = [*piles], [*discards]
        return piles, discards

    def plain(self) -> dict[str, Any]:
        """The whole value as JSON-ready builtins: every field of `stored`."""
        return {name: write(getattr(self, name)) if write else getattr(self, name) for name, write in WRITERS}

    def key(self) -> bytes:
        """A hash of the whole value: equal games have equal keys."""
        return hashlib.blake2b(msgspec.msgpack.encode(self.plain()), digest_size=16).digest()

    # -- small helpers that every chapter uses ----------------------------------------------------------------

    def touch(self) -> None:
        """Forget derived answers: something they rest on has changed."""
        if self.cache:
            self.cache = {}
        if self.known:
            self.known = []
        self.unlist()

    def touch_lightly(self) -> None:
        """A hand or a Level has changed: what lies before the players, and what of it is in force, has not."""
        if self.cache:
            self.cache = {}
        self.unlist()

    def touch_moment(self) -> None:
        """Another turn or fight, or something else in it: what lies before the players is in force as before, but for
        cards that are so in some fights or turns only, and troubles that bear on a fight."""
        if self.cache:
            self.cache = {}
        if self.known:
            if self.lib.timely:
                self._forget_timely()
            for seat, _, _, _ in self.afflictions:
                self.known[seat] = Known()
        self.unlist()

    def _forget_timely(self) -> None:
        defs = self.lib.defs
        for seat, p in enumerate(self.players):
            for c in p.table:
                if defs[c].timely:
                    self.known[seat] = Known()
                    break

    def touch_seat(self, seat: int) -> None:
        """What lies before one player has changed, or what of it is in use: nobody else has other cards by that."""
        if self.cache:
            self.cache = {}
        if self.known:
            self.known[seat] = Known()
        self.unlist()

    def about(self, seat: int) -> Known:
        """What is known about the cards before a seat, to be read and added to."""
        known = self.known
        if not known:
            known = self.known = [Known() for _ in self.players]
        return known[seat]

    def unlist(self) -> None:
        """Forget which moves there are, and how things look."""
        self.sight = None
        if self.moves:
            self.moves = {}
        if self.acts:
            self.acts = {}

    def emit(
        self,
        kind: Kind,
        seat: int = -1,
        card: int = -1,
        other: int = -1,
        n: int = 0,
        rule: str = "",
        secret: bool = False,
    ) -> None:
        if self.events is not None:
            self.events.append(Event(kind, seat, card, other, n, rule, secret))

    def random(self, n: int) -> int:
        """A number from 0 to n-1 out of the generator inside the value."""
        while True:
            self.rng = (self.rng * chance.MULTIPLIER + chance.INCREMENT) & _MASK
            x = self.rng ^ (self.rng >> 33)
            x = (x * chance.STIRRER) & _MASK
            x = (x ^ (x >> 33)) >> 16
            if x < chance.RANGE - chance.RANGE % n:
                return x % n

    def shuffle(self, pile: list[int]) -> None:
        self.rng = chance.shuffle(self.rng, pile)

    def living(self, start: int) -> tuple[int, ...]:
        """Living seats, clockwise from `start`."""
        players = self.players
        seats = _ROUNDS[len(players)][start]
        for p in players:
            if p.dead:
                return tuple([s for s in seats if not players[s].dead])
        return seats

    def around(self, start: int) -> tuple[int, ...]:
        return _ROUNDS[len(self.players)][start]

    @property
    def over(self) -> bool:
        return bool(self.winners)


def new_player(name: str, sex: int = MALE, level: int = 1) -> Player:
    p = Player()
    p.name = name
    p.level = level
    p.sex = sex
    p.dead = p.redeal = p.shown = False
    p.hand = []
    p.table = []
    return p


def bare_table(lib: Library, rules: Ruleset, players: list[Player], seed: int) -> Game:
    """A table with players and nothing on it yet."""
    g = Game()
    for name, empty in EMPTY:
        setattr(g, name, empty())
    g.lib = lib
    g.rules = rules
    g.players = players
    g.rng = seed & _MASK
    g.piles = [[] for _ in range(DECKS)]
    g.aside = [[] for _ in range(DECKS)]
    g.heap = [0] * DECKS
    g.discards = [[] for _ in range(DECKS)]
    g.door_card = -1
    g.drew = [() for _ in players]
    g.skips = [0 for _ in players]
    g.fight = None
    g.events = []
    g.cache = {}
    g.known = []
    g.moves = {}
    g.sight = None
    g.acts = {}
    return g
