"""What a bot gets: one seat's eyes and hands, and nothing else of the game.

A bot keeps no state but its seed. What it did a moment ago it can read here (`mine`), so that a game that was saved
and read back goes on exactly as it would have.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from kickdoor.bots.ledger import BLANK, Ledger
from kickdoor.bots.style import PLAIN, Style
from kickdoor.bots.worlds import veiled
from kickdoor.cards.library import Args, CardDef, Instr, Mode, Power
from kickdoor.engine.chapters import helping, running_away
from kickdoor.engine.facts import enemies, fights, force, nature, strength
from kickdoor.engine.kernel import legal, to_act
from kickdoor.engine.table import items
from kickdoor.engine.table.levels import goal_level
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import DOOR, TREASURE, Game, by_seat
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import ACTIVE, OFFER_TRADE, Foe
from kickdoor.engine.value.seen import AskedState, PlayerState, View
from kickdoor.engine.views import view

REGARD = 1.5  # points by which each Level of a feud makes my help dearer
DRAFTS = ("help", "help", "trade", "sell", "charity", "help")
CARD_MOVES = frozenset({mv.PLAY, mv.USE, mv.TROUBLE, mv.EQUIP})
ANSWERS = frozenset({mv.CHOOSE, mv.ADD, mv.DONE, mv.CANCEL, mv.PROPOSE})


# What is made and read at every decision is a class of its own: compiled, its fields are loads (docs/performance.md).


class Choice:
    """A move, and why, in one sentence; `first`: what somebody with manners or a character says before that."""

    __slots__ = ("first", "move", "reason")

    def __init__(self, move: Move, reason: str = "", first: str = "") -> None:
        self.move = move
        self.reason = reason
        self.first = first

    @property
    def said(self) -> str:
        """All of it."""
        return f"{self.first} {self.reason}".strip()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choice):
            return False
        return self.move == other.move and self.reason == other.reason and self.first == other.first

    def __hash__(self) -> int:
        return hash((self.move, self.reason, self.first))

    def __repr__(self) -> str:
        return f"Choice({self.move!r}, {self.reason!r}, {self.first!r})"


class Moment:
    """What everybody at the table can see is happening: a roll, a Curse about to strike, or nothing special."""

    __slots__ = ("card", "kind", "need", "result", "seat")

    def __init__(self, kind: str = "", seat: int = -1, card: int = -1, result: int = 0, need: int = 0) -> None:
        self.kind = kind
        self.seat = seat
        self.card = card
        self.result = result
        self.need = need


class Fray:
    """The fight as everybody sees it."""

    __slots__ = (
        "fleeing",
        "foes",
        "helper",
        "levels",
        "main",
        "ours",
        "passed",
        "share",
        "theirs",
        "treasures",
        "winning",
    )

    def __init__(
        self,
        main: int,
        helper: int,
        ours: int,
        theirs: int,
        winning: bool,
        fleeing: bool,
        foes: tuple[Foe, ...],  # those that are still there
        treasures: int,
        levels: int,
        passed: int,
        share: int,  # the Treasures that the helper gets
    ) -> None:
        self.main = main
        self.helper = helper
        self.ours = ours
        self.theirs = theirs
        self.winning = winning
        self.fleeing = fleeing
        self.foes = foes
        self.treasures = treasures
        self.levels = levels
        self.passed = passed
        self.share = share

    def against(self, foes: tuple[Foe, ...], levels: int) -> Fray:
        """The same fight against these, for so many levels."""
        new = self.less(0)
        new.foes, new.levels = foes, levels
        return new

    def less(self, strength: int) -> Fray:
        """The same fight with so much less on our side."""
        new = Fray(
            self.main, self.helper, self.ours - strength, self.theirs, self.winning, self.fleeing, (), 0, 0, 0, 0
        )
        new.foes, new.treasures, new.levels = self.foes, self.treasures, self.levels
        new.passed, new.share = self.passed, self.share
        return new


class Query:
    """A question: what about, what kind of answers, and the card behind it."""

    __slots__ = ("about", "card", "domain", "seat")

    def __init__(self, about: str = "", domain: int = 0, card: int = -1, seat: int = -1) -> None:
        self.about = about
        self.domain = domain
        self.card = card
        self.seat = seat


class Said(NamedTuple):
    """An offer, as it was said aloud."""

    trade: bool
    by: int
    to: int
    treasures: int
    items: tuple[int, ...]
    give: tuple[int, ...]
    get: tuple[int, ...]


NO_MOVES: Final[list[Move]] = []  # to be read
NO_VERBS: Final[list[list[Move]]] = [NO_MOVES] * len(mv.VERB_NAMES)
_STRENGTH: Final = by_seat("strength")
_SALE: Final = by_seat("sale")


class Bot(Protocol):
    """A player."""

    name: str

    def idle(self, seat: Seat) -> bool:
        """Is there certainly nothing here for it but to pass? Asked before anything dear is worked out."""

    def choose(self, seat: Seat) -> Choice:
        """Answer: the table waits."""

    def interject(self, seat: Seat) -> Choice | None:
        """Nobody waits, but something could be done. None: let it be."""


class Seat:
    """One seat at a table: what it sees, what it may do, what the cards say, and what it has done this turn."""

    def __init__(
        self, game: Game, seat: int, moment: int = 0, mine: Sequence[Move] = (), ledger: Ledger = BLANK
    ) -> None:
        self._game = game
        self.seat = seat
        self.number = moment  # how many moves the table has seen
        self._mine: Sequence[Move] | None = mine
        self._recent: list[Move] = NO_MOVES  # everybody's, to find mine in, and how many there were
        self._until = 0
        self.ledger = ledger  # what everybody saw players do to each other this game
        self.style: Style = PLAIN  # how whoever sits here plays; he says so himself
        self.defs: list[CardDef] = game.lib.defs
        # What is dear to find out is found out once, when it is asked for.
        self._view: View | None = None
        self._moves: list[Move] | None = None
        self._sorted: list[Move] | None = None  # what `_by_verb` was made of
        self._by_verb: list[list[Move]] = NO_VERBS  # by the number of the verb
        self._hand: list[int] | None = None
        self._hand_limit = -1
        self._fray: Fray | None = None
        self._looked = False  # at the fight
        self._moment: Moment | None = None
        self._query: Query | None = None
        self.foremost: tuple[Style, int] | None = None  # who is ahead, in the eyes of somebody of that style
        self.gear: set[int] | None = None  # what of mine should be in use

    def remember(self, recent: list[Move]) -> None:
        """What everybody has done since the turn began; it may go on growing. Mine are looked for if anybody asks."""
        self._mine, self._recent, self._until = None, recent, len(recent)

    @property
    def mine(self) -> Sequence[Move]:
        """This seat's own moves since the turn began."""
        if self._mine is None:
            self._mine = [m for m in self._recent[: self._until] if m.seat == self.seat]
        return self._mine

    @property
    def view(self) -> View:
        """All that this seat can see."""
        if self._view is None:
            self._view = view(self._game, self.seat)
        return self._view

    @property
    def moves(self) -> list[Move]:
        """All that it may do, less what it has tried often enough."""
        if self._moves is None:
            self._moves = legal(self._game, self.seat)
        return self._moves

    def of(self, verb: int) -> list[Move]:
        """Those of its moves that have this verb, in the order they are listed in."""
        moves = self.moves
        if self._sorted is not moves:
            self._sorted = moves
            by_verb = NO_VERBS[:]
            last, got = -1, NO_MOVES
            for m in moves:
                v: int = m.verb
                if v != last:  # those of a verb mostly stand together
                    last, got = v, by_verb[v]
                    if got is NO_MOVES:
                        got = by_verb[v] = []
                got.append(m)
            self._by_verb = by_verb
        return self._by_verb[verb]

    def forget(self, verbs: frozenset[int], times: int) -> None:
        """Leave out moves of these verbs that were made that often this turn and led nowhere."""
        made = self._made(verbs)
        if len(made) < times:
            return
        tired = {m for m in made if made.count(m) >= times}
        if tired:
            self._moves = [m for m in self.moves if m not in tired] or self.moves

    def _made(self, verbs: frozenset[int]) -> list[Move]:
        """My own moves of these verbs since the turn began; most are others' or of other verbs."""
        if self._mine is not None:
            return [m for m in self._mine if m.verb in verbs]
        me = self.seat
        return [m for m in self._recent[: self._until] if m.seat == me and m.verb in verbs]

    def overlook(self, cards: frozenset[int], verbs: frozenset[int] = frozenset()) -> None:
        """Leave out what could be done with these cards, and such moves; as long as something else can be done."""
        left = [m for m in self.moves if m.verb not in verbs and (m.card not in cards or m.verb not in CARD_MOVES)]
        self._moves = left or self.moves

    @property
    def whole(self) -> Game:
        """The game as it is, hidden cards and all: for the tutor, who knows the story, and for nobody else."""
        return self._game

    def imagine(self) -> Game:
        """The table with everything that this seat cannot know put into a fixed order: what worlds are made of."""
        return veiled(self._game, self.seat)

    # -- what is between me and others ------------------------------------------------------------------------

    def wrongs(self, by: int) -> int:
        """How often this player wronged me this game."""
        return self.ledger.wrongs(by, self.seat)

    def owed(self, to: int) -> int:
        """How often this player helped me, and I have not helped him yet."""
        return self.ledger.owed(self.seat, to)

    def feud(self, s: int) -> float:
        """How many Levels more than he has this player counts for when I look for whom to stop."""
        return self.style.grudge * self.wrongs(s) - self.style.honour * self.owed(s)

    def regard(self, s: int) -> float:
        """For how many points less I help this player than my rung would."""
        return self.style.kindness - REGARD * self.feud(s)

    # -- what everybody sees, without the cost of a whole view ------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._game.players)

    @property
    def turn(self) -> int:
        return self._game.turn

    @property
    def turns(self) -> int:
        return self._game.turns

    @property
    def phase(self) -> int:
        f = self._game.stack[0]
        return f.phase if type(f) is fr.Turn else 0

    @property
    def hand(self) -> list[int]:
        """My own."""
        if self._hand is None:
            self._hand = self._game.players[self.seat].hand[:]
        return self._hand

    @property
    def at_hand(self) -> list[int]:
        """What I could play, if it were the time for it: my hand, and the one-shots before me."""
        defs = self.defs
        out = self.hand.copy()
        for c in self._game.players[self.seat].table:
            if defs[c].is_one_shot:
                out.append(c)
        return out

    def hand_size(self, seat: int) -> int:
        return len(self._game.players[seat].hand)

    @property
    def hand_limit(self) -> int:
        if self._hand_limit < 0:
            self._hand_limit = force.hand_limit(self._game, self.seat)
        return self._hand_limit

    def table(self, seat: int) -> list[int]:
        """What lies before a player."""
        return self._game.players[seat].table

    def in_use(self, card: int) -> bool:
        return card in self._game.equipped

    @property
    def hosts(self) -> dict[int, int]:
        """What lies on what."""
        return self._game.host

    @property
    def borne(self) -> Mapping[int, int]:
        return self._game.bearer

    def level(self, seat: int) -> int:
        return self._game.players[seat].level

    def dead(self, seat: int) -> bool:
        return self._game.players[seat].dead

    def rivals(self) -> Sequence[int]:
        """The living others, from my left on."""
        return self._game.living(self.seat)[1:] if not self.dead(self.seat) else self._game.living(self.seat)

    def strength(self, seat: int) -> int:
        cache = self._game.cache
        key = _STRENGTH[seat]
        got: int | None = cache.get(key)
        if got is None:
            got = cache[key] = strength.strength(self._game, seat)
        return got

    def traits(self, seat: int) -> frozenset[str]:
        """Race, Class and sex."""
        return nature.traits(self._game, seat)

    def sale_planned(self, limit: float) -> tuple[int, ...] | None:
        """What I made up my mind to sell, if nothing has changed since: a sale is named piece by piece."""
        kept: tuple[float, tuple[int, ...]] | None = self._game.cache.get(_SALE[self.seat])
        return kept[1] if kept is not None and kept[0] == limit else None

    def plan_sale(self, limit: float, cards: tuple[int, ...]) -> None:
        self._game.cache[_SALE[self.seat]] = (limit, cards)

    def has(self, seat: int, what: str) -> bool:
        """Does a card in force before a player do this (wins_ties, helper_level, ...)?"""
        return force.any_modifier(self._game, seat, what)

    def run_bonus(self, seat: int) -> int:
        return running_away.run_bonus(self._game, seat) + force.total(self._game, seat, "die")

    def hands_free(self) -> int:
        return items.hand_capacity(self._game, self.seat) - items.hands_used(self._game, self.seat)

    @property
    def fray(self) -> Fray | None:
        """The fight that is going on, if there is one."""
        if not self._looked:
            self._looked = True
            self._fray = self._look_at_fight()
        return self._fray

    def _look_at_fight(self) -> Fray | None:
        g = self._game
        f = g.fight
        if f is None or f.over:
            return None
        ours, theirs = strength.standing(g)
        foes = tuple([x for x in f.foes if x.fate == ACTIVE])
        return Fray(
            f.main,
            f.helper,
            ours,
            theirs,
            strength.winning(g),
            f.fleeing,
            foes,
            helping.expected_treasures(g),
            strength.levels(g),
            f.passed,
            f.deal.treasures,
        )

    def foe_strength_now(self, foe: Foe) -> int:
        return sum(t.amount for t in strength.foe_terms(self._game, foe))

    def enhancers(self, foe: Foe) -> list[int]:
        """What has been played on a monster in the fight."""
        return list(enemies.enhancers_of(self._game, foe))

    def dulled(self, seat: int, d: CardDef) -> int:
        """What the Items of a player give that would give nothing with this card in the fight."""
        g = self._game
        words = [x.word for x in d.mods.get("ignore_items", ())]
        worn = [c for c in self.table(seat) if c in g.equipped and any(fits(g, c) for fits in words)]
        return sum(max(0, self.defs[c].bonus) for c in worn)

    def enhancement(self, foe: Foe, card: int) -> int:
        """What one of them adds to it, as things stand."""
        return sum(t.amount for t in strength.foe_terms(self._game, foe) if t.card == card)

    def enhanced_by(self, foe: Foe) -> int:
        """How often an enhancer counts on this monster."""
        return strength.enhancer_factor(self.defs[foe.face])

    def struck(self, seat: int, a: Args) -> list[int]:
        """The cards before a player that a step which takes cards could take."""
        g = self._game
        worn = a.frm == "equipped"
        cards = [c for c in self.table(seat) if c not in g.host and (not worn or c in g.equipped)]
        return [c for c in cards if a.what is None or a.what(g, c)]

    def played(self, card: int) -> bool:
        """Have I played this very card this turn? Where a deck is nearly empty, it may come back at once."""
        return any(m.verb == mv.PLAY and m.card == card for m in self.mine)

    def called(self, a: Args, by: int) -> list[int]:
        """The cards that a step calls to me, from wherever they are: what is mine stays where it is."""
        g, me = self._game, self._game.players[self.seat]
        cards = [by] if a.what is None else [c for c in g.lib.wanderers if a.what(g, c)]
        return [c for c in cards if c not in me.table and c not in me.hand]

    def heap(self, a: Args) -> Sequence[int]:
        """The discards that a search goes through: how many there are, and which is the last, everybody sees."""
        return self._game.discards[DOOR if a.frm == "doors" else TREASURE]

    def fits(self, card: int, a: Args) -> bool:
        """Is this such a card as a step asks for?"""
        return a.what is None or a.what(self._game, card)

    @property
    def fighting(self) -> bool:
        """Am I in the fight?"""
        return fights.in_fight(self._game, self.seat)

    @property
    def offers(self) -> list[Said]:
        return [
            Said(o.kind == OFFER_TRADE, o.by, o.to, o.deal.treasures, o.deal.items, o.give, o.get)
            for o in self._game.offers
        ]

    @property
    def waiting(self) -> bool:
        """Have I made an offer that is not answered yet?"""
        return any(o.by == self.seat for o in self._game.offers)

    @property
    def asked_for_an_answer(self) -> bool:
        """Is there an offer to me?"""
        return self.offered(self.seat)

    def offered(self, to: int) -> bool:
        """Is there an offer to this player?"""
        offers = self._game.offers
        return bool(offers) and any(o.to == to for o in offers)

    @property
    def frame(self) -> str:
        """The name of what is being settled: turn, combat, flee, roll, curse, window, ask, draft, ..."""
        return _NAMES[type(self._game.stack[-1])]

    @property
    def may_pass(self) -> bool:
        """Is this a window that I have not passed in? Then passing is legal."""
        g = self._game
        f = g.stack[-1]
        if type(f) is fr.Combat:
            return g.fight is not None and not g.fight.passed >> self.seat & 1 and not g.players[self.seat].dead
        kind = type(f)
        if kind is fr.Roll or kind is fr.Curse or kind is fr.Window:
            return self.seat in to_act(g)
        return type(f) is fr.Flee and f.stage == running_away.WINDOW and self.seat in to_act(g)

    @property
    def goal(self) -> int:
        return self.goal_of(self.seat)

    def goal_of(self, seat: int) -> int:
        """The Level that wins, for this player; everybody can see who needs less."""
        return goal_level(self._game, seat)

    @property
    def me(self) -> PlayerState:
        """My part of the view."""
        return self.view["players"][self.seat]

    @property
    def sale(self) -> int:
        """How much a level costs."""
        return self._game.rules.sell.threshold

    @property
    def moment(self) -> Moment:
        if self._moment is None:
            self._moment = moment(self._game)
        return self._moment

    @property
    def query(self) -> Query:
        """What this seat is asked, when it is; the short form of `question`."""
        if self._query is None:
            self._query = query(self._game)
        return self._query

    @property
    def question(self) -> AskedState | None:
        """What this seat, and nobody else, is asked: a choice, or the next part of something it puts together."""
        if not any(m.verb in ANSWERS for m in self.moves):
            return None
        return self.view["asked"]

    @property
    def concerned(self) -> int:
        """Whom the answer to a card's question happens to, who may be somebody else than who is asked."""
        below = self._game.stack[-2] if len(self._game.stack) > 1 else None
        return below.who if type(below) is fr.Effect else self.seat

    @property
    def ways(self) -> list[int]:
        """What the card behind a question does for each of its answers; empty where no card asks."""
        stack = self._game.stack
        below = stack[-2] if len(stack) > 1 else None
        if self.query.domain != fr.LABELS or type(below) is not fr.Effect:
            return []
        return [prog for _, prog in self._game.lib.programs[below.prog][below.pc].a.labels]

    def name(self, seat: int) -> str:
        return self._game.players[seat].name

    def chance(self, seed: int) -> random.Random:
        """Randomness that depends on the seed and on how far the table is, and on nothing that is hidden."""
        return random.Random(f"{seed}/{self.seat}/{self.number}")

    # -- what the cards say -----------------------------------------------------------------------------------

    def mode(self, move: Move) -> Mode | None:
        """The way in which a play plays its card."""
        modes = self.defs[move.card].modes
        extra: int = move.extra
        if mv.names_mode(extra):
            return modes[mv.mode_index(extra)]
        if mv.names_card(extra):
            return next((m for m in modes if m.needs_monster), modes[0])
        return modes[0] if modes else None

    def power(self, move: Move) -> Power:
        """The power that a move uses; a monster's face may be another card's."""
        card = move.card
        fight = self._game.fight
        for foe in fight.foes if fight is not None else ():
            if foe.card == card:
                card = foe.face
        return self.defs[card].powers[mv.power_index(move.extra)]

    def does(self, move: Move) -> list[Instr]:
        """The steps that a play or a power carries out."""
        prog = -1
        if move.verb == mv.PLAY:
            mode = self.mode(move)
            prog = mode.prog if mode is not None else -1
        elif move.verb == mv.USE:
            prog = self.power(move).prog
        return self.steps(prog)

    def steps(self, prog: int) -> list[Instr]:
        """A program with its parts, in the order they are written."""
        return self._game.lib.steps(prog)


_NAMES: dict[type, str] = {t: t.__name__.lower() for t in fr.KINDS}


NO_QUERY: Final = Query()
NO_MOMENT: Final = Moment()


def query(g: Game) -> Query:
    """What the top of the stack asks of its one seat."""
    f = g.stack[-1]
    if type(f) is fr.Ask:
        return Query(f.about, f.domain, f.card, f.seat)
    if type(f) is fr.Draft:
        return Query(DRAFTS[f.kind], 0, -1, f.seat)
    if type(f) is fr.Surplus:
        return Query("surplus", 0, f.card, f.seat)
    return NO_QUERY


def moment(g: Game) -> Moment:
    """The public part of what lies on top of the stack."""
    f = g.stack[-1]
    if type(f) is fr.Turn or type(f) is fr.Combat:
        return NO_MOMENT
    if type(f) is fr.Roll:
        return Moment("roll", f.seat, f.foe, f.face + f.bonus, f.need)
    if type(f) is fr.Curse:
        return Moment("curse", f.victim, f.card)
    if type(f) is fr.Creation:
        return Moment("creation", f.seat)
    if type(f) is fr.Flee:
        return Moment("flee", f.runner, f.foe)
    if type(f) is fr.Window:
        return Moment(f.what, f.seat, f.card)
    if type(f) is fr.Draw:
        return Moment("draw", f.seat)
    return NO_MOMENT
