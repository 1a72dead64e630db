"""What a seat knows, in numbers: the table, and each move that it could make. docs/lab.md names all of them.

This reads the game itself, because a whole view costs more than the rest of a step. It may use only what the view of
that seat has: tests/encoded.py says the same in terms of the view, and a test compares the two. No array library here:
the module is compiled with the engine, and writes into whatever takes numbers (a memoryview of an array's row).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kickdoor.cards.library import CardDef, Library
from kickdoor.engine.chapters import helping, running_away
from kickdoor.engine.facts import force, front, nature, strength
from kickdoor.engine.kernel import to_act
from kickdoor.engine.setup import library
from kickdoor.engine.table import items, several_piles
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import DOOR, PHASES, SEXES, TREASURE, Game
from kickdoor.engine.value.moves import VERB_NAMES, Move, seat_of
from kickdoor.engine.value.records import ACTIVE, Fight
from kickdoor.engine.views import asked, pending, phase_name

ACTIONS: Final = 256
LET_IT_BE: Final = 0
EDGE: Final = 4.0  # all numbers are scaled to about 0..1 and cut off here

PENDING: Final = ("curse", "roll", "flight")
DRAFTS: Final = ("help", "trade", "sell", "charity")  # what is put together piece by piece
CARD_KINDS: Final = (
    "class", "curse", "dungeon", "enhancer_enhancer", "go_up_a_level", "hireling", "item", "item_enhancer", "monster",
    "monster_enhancer", "one_shot", "portal", "power", "race", "race_or_class_enhancer", "special", "spell", "steed",
    "steed_enhancer", "trap", "other",
)  # fmt: skip
TABLE: Final = (
    *(f"phase is {p}" for p in PHASES),
    "my turn", "turns / 100", "Doors left / 100", "Treasures left / 100",
    "Door discards / 100", "Treasure discards / 100",
    "I am asked", "somebody else is asked", *(f"asked about: {d}" for d in DRAFTS),
    "offers to me", "Treasures offered to me / 5",
    *(f"pending: {p}" for p in PENDING), "pending: something else", "pending for me", "die", "roll needs",
    "a fight", "I am the main fighter", "I help", "munchkins / 20", "monsters / 20", "munchkins ahead / 10",
    "munchkins winning", "fleeing", "monsters in it", "Treasures at stake / 5", "Treasures promised / 5",
)  # fmt: skip
SEAT: Final = (
    "level / 10", "dead", "cards in hand / 8", "strength / 20", "run away bonus / 5", "hands free / 2",
    "hand limit / 6", "male", "female", "cards in use / 6", "cards in front / 10", "Gold in front / 2000",
    "lasting curses / 3", "traits / 4", "has the turn", "is awaited", "main fighter", "helper", "has passed", "has won",
)  # fmt: skip
MOVE: Final = (
    *(f"verb is {v}" for v in VERB_NAMES),
    "let it be",
    *(f"card is {k}" for k in CARD_KINDS),
    "card level / 20", "card bonus / 10", "card Gold / 1000", "card Treasures / 5", "card is Big", "card is in my hand",
    "card is in use", "on me", "on another player", "on the munchkins", "on the monsters", "on a card",
    "target's level / 10", "target's strength / 20", "Treasures / 5", "I pick first", "the helper picks first",
    "a choice of mine", "answer is a number", "number / 10",
)  # fmt: skip

# Where the parts of `TABLE` begin; what is not said in a name here is counted from one of these.
_MY_TURN: Final = len(PHASES)
_ASKED: Final = _MY_TURN + 6
_ABOUT: Final = _ASKED + 2
_OFFERS: Final = _ABOUT + len(DRAFTS)
_PENDING: Final = _OFFERS + 2
_FIGHT: Final = _PENDING + len(PENDING) + 4
_SEATS: Final = len(TABLE)
_QUIET: Final = (fr.Turn, fr.Combat)  # nothing is pending in these, and nobody is asked but about an offer

# Where the parts of a row of `MOVE` begin.
WIDTH: Final = len(MOVE)
_LET: Final = len(VERB_NAMES)
_KIND: Final = _LET + 1
_FACTS: Final = _KIND + len(CARD_KINDS)
_HAND: Final = _FACTS + 5
_ON: Final = _HAND + 2
_WHOM: Final = _ON + 5
_EXTRA: Final = _WHOM + 2


class Encoder:
    """For tables with these cards and so many players."""

    def __init__(self, lib: Library, players: int) -> None:
        self.lib = lib
        self.players = players
        number = {id(d): i for i, d in enumerate(self.lib.unique)}
        self.number: list[int] = [number.get(id(d), -1) for d in self.lib.defs]
        self.cards = len(self.lib.unique)
        self.facts: list[list[float]] = [_facts(d) for d in self.lib.defs]
        self.gold: list[float] = [(d.gold or 0) / 2000 for d in self.lib.defs]
        self.kind: list[int] = [_kind(d) for d in self.lib.defs]
        self.head = len(TABLE) + players * len(SEAT)
        self.size = self.head + (players + 1) * self.cards

    def __deepcopy__(self, memo: object) -> Encoder:
        return self  # it only reads

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle."""
        lib = self.lib
        return restored, (lib.packs, lib.without, lib.copies, self.players)

    def names(self) -> list[str]:
        """What each number of an observation is. Seats are counted from the observer."""
        who = ["me", *(f"{i} after me" for i in range(1, self.players))]
        cards = [d.name for d in self.lib.unique]
        return [
            *TABLE,
            *(f"{w}: {x}" for w in who for x in SEAT),
            *(f"in my hand: {c}" for c in cards),
            *(f"in front of {w}: {c}" for w in who for c in cards),
        ]

    # -- the table ------------------------------------------------------------------------------------------------

    def table(self, g: Game, seat: int, row: Any) -> None:
        """Write an observation over zeros. Only what is not zero is written: most of it is."""
        _table(g, seat, row)
        f = g.fight
        fight = f if f is not None and not f.over else None
        awaited = to_act(g)
        self._count(g.players[seat].hand, row, self.head)
        for i in range(self.players):
            s = (seat + i) % self.players
            self._seat(g, s, fight, awaited, row, _SEATS + i * len(SEAT), self.head + (i + 1) * self.cards)

    def _count(self, cards: list[int], row: Any, at: int) -> None:
        """How many there are of each."""
        for c in cards:
            n = self.number[c]
            if n >= 0:
                there: float = row[at + n]
                if there < EDGE:
                    row[at + n] = there + 1.0

    def _seat(self, g: Game, s: int, f: Fight | None, awaited: list[int], row: Any, at: int, cards: int) -> None:
        p = g.players[s]
        force, run, hands, limit, male, female, traits = _figures(g, s)
        row[at] = _cut(p.level / 10)
        if p.dead:
            row[at + 1] = 1.0
        if p.hand:
            row[at + 2] = _cut(len(p.hand) / 8)
        row[at + 3] = force
        row[at + 4] = run
        row[at + 5] = hands
        row[at + 6] = limit
        row[at + 7] = male
        row[at + 8] = female
        if p.table:
            self._in_front(g, p.table, row, at)
            self._count(p.table, row, cards)
        cursed = 0
        for x in g.afflictions:
            if x[0] == s:
                cursed += 1
        if cursed:
            row[at + 12] = _cut(cursed / 3)
        row[at + 13] = traits
        if g.turn == s:
            row[at + 14] = 1.0
        if s in awaited:
            row[at + 15] = 1.0
        if f is not None:
            if f.main == s:
                row[at + 16] = 1.0
            if f.helper == s:
                row[at + 17] = 1.0
            if f.passed >> s & 1:
                row[at + 18] = 1.0
        if s in g.winners:
            row[at + 19] = 1.0

    def _in_front(self, g: Game, cards: list[int], row: Any, at: int) -> None:
        used = 0
        gold = 0.0
        for c in cards:
            gold += self.gold[c]
            if c in g.equipped:
                used += 1
        row[at + 9] = _cut(used / 6)
        row[at + 10] = _cut(len(cards) / 10)
        row[at + 11] = _cut(gold)

    # -- moves ----------------------------------------------------------------------------------------------------

    def moves(
        self, g: Game, seat: int, options: Sequence[Move | None], flat: Any, mask: Any, cards: Any
    ) -> tuple[int, int]:
        """Write the rows of these moves over zeros, one after the other; returns the first action and the one after
        the last. Letting it be, where that can be done, is the first of the options and action 0."""
        at = first = LET_IT_BE if options and options[0] is None else 1
        top = g.stack[-1]
        numbers = isinstance(top, fr.Ask) and top.domain == fr.NUMBERS
        for move in options[: ACTIONS - first]:
            mask[at] = 1
            if move is None:
                flat[at * WIDTH + _LET] = 1.0
            else:
                cards[at] = self._move(g, seat, move, numbers, flat, at * WIDTH)
            at += 1
        return first, at

    def _move(self, g: Game, seat: int, move: Move, numbers: bool, row: Any, at: int) -> int:
        """One row; returns the number of the card, counted from 1, or 0."""
        verb, card, target = move.verb, move.card, move.target
        found = 0
        row[at + verb] = 1.0
        if 0 <= card < len(self.facts):
            found = self.number[card] + 1
            row[at + _KIND + self.kind[card]] = 1.0
            i = at + _FACTS
            for x in self.facts[card]:
                if x:
                    row[i] = x
                i += 1
            me = g.players[seat]
            if card in me.hand:
                row[at + _HAND] = 1.0
            if card in me.table and card in g.equipped:
                row[at + _HAND + 1] = 1.0
        if target != mv.NONE:
            self._target(g, seat, target, row, at)
        _extra(move, numbers, row, at + _EXTRA)
        return found

    def _target(self, g: Game, seat: int, target: int, row: Any, at: int) -> None:
        to = seat_of(target)
        if 0 <= to < self.players:
            row[at + (_ON if to == seat else _ON + 1)] = 1.0
            row[at + _WHOM] = _cut(g.players[to].level / 10)
            row[at + _WHOM + 1] = _figures(g, to)[0]
        elif target == mv.MUNCHKINS:
            row[at + _ON + 2] = 1.0
        elif target == mv.MONSTERS:
            row[at + _ON + 3] = 1.0
        elif target >= 0:
            row[at + _ON + 4] = 1.0


def _kind(d: CardDef) -> int:
    return CARD_KINDS.index(d.kind) if d.kind in CARD_KINDS else len(CARD_KINDS) - 1


def _facts(d: CardDef) -> list[float]:
    """What is printed on a card, as far as it is a number."""
    printed = (d.level / 20, d.bonus / 10, (d.gold or 0) / 1000, d.treasures / 5, float(d.big))
    return [_cut(x) for x in printed]


def _cut(x: float) -> float:
    return EDGE if x > EDGE else -EDGE if x < -EDGE else x


def _figures(g: Game, s: int) -> tuple[float, float, float, float, float, float, float]:
    """What everybody can work out about a player; kept until something changes."""
    key = ("in numbers", s)
    got: tuple[float, float, float, float, float, float, float] | None = g.cache.get(key)
    if got is None:
        sexes = front.sexes(g, s)
        got = g.cache[key] = (
            _cut(strength.strength(g, s) / 20),
            _cut((running_away.run_bonus(g, s) + force.total(g, s, "die")) / 5),
            _cut((items.hand_capacity(g, s) - items.hands_used(g, s)) / 2),
            _cut(force.hand_limit(g, s) / 6),
            1.0 if SEXES[0] in sexes else 0.0,
            1.0 if SEXES[1] in sexes else 0.0,
            _cut(len(nature.traits(g, s)) / 4),
        )
    return got


def _extra(move: Move, numbers: bool, row: Any, at: int) -> None:
    """What a move says besides: terms of an offer, or a number that was asked for."""
    if move.verb == mv.ADD:
        if mv.names_treasures(move.extra):
            row[at] = _cut(mv.treasures_in(move.extra) / 5)
        elif mv.names_picks(move.extra):
            row[at + 1 + mv.picks_in(move.extra)] = 1.0
    elif numbers and move.verb == mv.CHOOSE:
        row[at + 4] = 1.0
        row[at + 5] = _cut(move.card / 10)


def _table(g: Game, me: int, row: Any) -> None:
    """The middle of the table."""
    phase = phase_name(g)
    if phase:
        row[PHASES.index(phase)] = 1.0
    if g.turn == me:
        row[_MY_TURN] = 1.0
    row[_MY_TURN + 1] = _cut(g.turns / 100)
    row[_MY_TURN + 2] = _cut(several_piles.size(g, DOOR) / 100)
    row[_MY_TURN + 3] = _cut(several_piles.size(g, TREASURE) / 100)
    row[_MY_TURN + 4] = _cut(len(g.discards[DOOR]) / 100)
    row[_MY_TURN + 5] = _cut(len(g.discards[TREASURE]) / 100)
    quiet = isinstance(g.stack[-1], _QUIET)
    if g.offers or not quiet:
        _asked(g, me, row)
    if not quiet:
        _pending(g, me, row)
    if g.fight is not None and not g.fight.over:
        _fight(g, g.fight, me, row)


def _asked(g: Game, me: int, row: Any) -> None:
    asks = asked(g, me)
    if asks is not None:
        row[_ASKED if asks["seat"] == me else _ASKED + 1] = 1.0
        if asks["about"] in DRAFTS:
            row[_ABOUT + DRAFTS.index(asks["about"])] = 1.0
    offers = treasures = 0
    for o in g.offers:
        if o.to == me:
            offers += 1
            treasures += o.deal.treasures
    if offers:
        row[_OFFERS] = _cut(float(offers))
        row[_OFFERS + 1] = _cut(treasures / 5)


def _pending(g: Game, me: int, row: Any) -> None:
    what = pending(g)
    if what is None:
        return
    name = what["what"]
    if name in PENDING:
        row[_PENDING + PENDING.index(name)] = 1.0
    elif name:
        row[_PENDING + len(PENDING)] = 1.0
    if what.get("seat", -1) == me:
        row[_PENDING + len(PENDING) + 1] = 1.0
    if name == "roll":
        row[_PENDING + len(PENDING) + 2] = _cut(what["die"] / 6)
        row[_PENDING + len(PENDING) + 3] = _cut(what["need"] / 6)


def _fight(g: Game, f: Fight, me: int, row: Any) -> None:
    row[_FIGHT] = 1.0
    if f.main == me:
        row[_FIGHT + 1] = 1.0
    if f.helper == me:
        row[_FIGHT + 2] = 1.0
    ours, theirs = strength.standing(g)
    row[_FIGHT + 3] = _cut(ours / 20)
    row[_FIGHT + 4] = _cut(theirs / 20)
    row[_FIGHT + 5] = _cut((ours - theirs) / 10)
    if strength.winning(g):
        row[_FIGHT + 6] = 1.0
    if f.fleeing:
        row[_FIGHT + 7] = 1.0
    foes = 0
    for x in f.foes:
        if x.fate == ACTIVE and not x.gone:
            foes += 1
    row[_FIGHT + 8] = _cut(float(foes))
    row[_FIGHT + 9] = _cut(helping.expected_treasures(g) / 5)
    row[_FIGHT + 10] = _cut(f.deal.treasures / 5)


def restored(packs: Sequence[str], without: Sequence[str], copies: Sequence[tuple[str, int]], players: int) -> Encoder:
    """The same encoder, out of what pickle keeps of it."""
    return Encoder(library(packs, without=without, copies=dict(copies)), players)
