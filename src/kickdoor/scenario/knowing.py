"""A position as one seat knows it: the table without every card that the seat cannot see where it lies.

`known` is the only door from the true game. It takes out what the seat's view does not show, counts it (`unseen:`
says how many cards lie where), and lets everything that speaks in secret of such a card speak of one that took its
place. What follows is made of that, so that two games which differ only in hidden cards become the same scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from kickdoor.engine.table import several_piles
from kickdoor.engine.table.zones import lies_open
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import uses
from kickdoor.engine.value.game import DECKS, Game
from kickdoor.engine.value.records import Deal
from kickdoor.engine.value.seen import View
from kickdoor.engine.views import view
from kickdoor.scenario import unseen

SEED: Final = 1  # of what is still to be thrown and shuffled, which nobody knows
Place = tuple[str, int]  # a hand, a deck, its discards, or what is being resolved; and whose, or which
LIMBO: Final = "limbo"


@dataclass
class Known:
    """What a seat knows: the table with only the cards that it sees, and how many others lie where."""

    game: Game
    unseen: dict[str, Any]


def known(g: Game, seat: int) -> Known:
    """The position as `seat` knows it (-1: an onlooker)."""
    veil = _Veil(g, seat)
    veil.take_out()
    veil.speak_of_others()
    return Known(veil.new, veil.words)


class _Veil:
    def __init__(self, g: Game, seat: int) -> None:
        self.g, self.seat = g, seat
        self.sees: View = view(g, seat)
        self.new = g.clone()
        self.new.events = None
        self.new.rng, self.new.dice = SEED, []
        self.words: dict[str, Any] = {}
        self.home: dict[int, Place] = {}  # every card that is taken out, and where it lay
        self.instead: dict[int, int] = {}  # what is being resolved in secret, and what lies there for it
        self.there: dict[Place, list[int]] = {}  # what lies where in the end
        asked = self.sees["asked"]
        mine = asked is not None and asked["seat"] == seat and asked["domain"] == "cards"
        self.asked: list[int] = (asked["options"] or []) if asked is not None and mine else []

    # -- taking out -------------------------------------------------------------------------------------------

    def take_out(self) -> None:
        for s, p in enumerate(self.new.players):
            if self.sees["players"][s]["hand"] is None:
                self._count("hands", p.name, self._keep(p.hand, self.asked, ("hand", s)))
        piles, discards = self.new.own_piles()
        for deck in range(DECKS):
            self._decks(deck, piles[deck])
            seen = {*self.sees["discards"][deck], *self.asked}
            order = [c for c in self.g.discards[deck] if c in seen]
            self._say(unseen.DISCARD_WORDS[deck], self._keep(discards[deck], order, ("discards", deck)))
        self._limbo()

    def _decks(self, deck: int, in_use: list[int]) -> None:
        """What lies openly on a deck stays, and what the seat is looking at, the first it sees on top."""
        kept = [*self.asked[::-1], *self.g.lib.wanderers]  # CAP-50: these lie on a deck for all to see
        names = list(several_piles.heights(self.g, deck))
        left = {i: self._keep(pile, kept, ("deck", deck)) for i, pile in self._piles(deck, in_use)}
        if names:
            heights = {names[i]: n for i, n in sorted(left.items()) if n}
            if heights:
                self.words[unseen.DECK_WORDS[deck]] = heights
        else:
            self._say(unseen.DECK_WORDS[deck], sum(left.values()))

    def _piles(self, deck: int, in_use: list[int]) -> Iterable[tuple[int, list[int]]]:
        yield self.new.heap[deck], in_use
        yield from ((i, pile) for i, pile in enumerate(self.new.aside[deck]) if i != self.new.heap[deck])

    def _keep(self, cards: list[int], seen: Sequence[int], place: Place) -> int:
        """Only what is seen stays, in the order in which it is seen; says how many do not."""
        here = set(cards)
        for c in here.difference(seen):
            self.home[c] = place
        n = len(cards)
        cards[:] = [c for c in seen if c in here]
        return n - len(cards)

    def _limbo(self) -> None:
        """Cards being resolved are seen by all, unless they were drawn to be chosen from: others lie there for them."""
        open_here = set(_cards_in(self.sees))
        for f in self.new.stack:
            open_here.add(getattr(f, "card", -1))
            if isinstance(f, fr.Turn):
                open_here.update((*f.doors, *f.foes))
        secret = [c for c in self.new.limbo if c not in open_here and not lies_open(self.new, c)]
        for c in secret:
            self.home[c] = (LIMBO, self.g.lib.defs[c].deck)
        others = self.instead = self._stand_ins(secret)
        self.new.limbo = [others.get(c, c) for c in self.new.limbo]
        for f in self.new.stack:
            if isinstance(f, (fr.Effect, fr.Death)):
                f.pool = tuple(others.get(c, c) for c in f.pool)
                f.ans = f.ans and tuple(others.get(c, c) for c in f.ans)
            if isinstance(f, fr.Death):
                f.bound = tuple((others.get(a, a), others.get(b, b)) for a, b in f.bound)
                f.clings = tuple((others.get(a, a), others.get(b, b)) for a, b in f.clings)

    def _stand_ins(self, secret: list[int]) -> dict[int, int]:
        """For each card its deck's first of those that are out of sight."""
        hidden = sorted(c for c in self.home if not self.g.lib.defs[c].immediate)
        by_deck = [iter([c for c in hidden if self.g.lib.defs[c].deck == d]) for d in range(DECKS)]
        return {c: next(by_deck[self.g.lib.defs[c].deck], c) for c in secret}

    def _count(self, word: str, name: str, n: int) -> None:
        if n:
            self.words.setdefault(word, {})[name] = n

    def _say(self, word: str, n: int) -> None:
        if n:
            self.words[word] = n

    # -- what speaks of cards that are out of sight ---------------------------------------------------------------

    def speak_of_others(self) -> None:
        g = self.new
        g.fresh = [(s, c) for s, c in g.fresh if s == self.seat]
        drew = enumerate(zip(g.drew, self.sees["players"], strict=True))
        g.drew = [codes if s == self.seat or p["drew"]["cards"] is not None else () for s, (codes, p) in drew]
        g.strays = [x for x in g.strays if x[0] not in self.home]
        uses.forget_cards(g, self.home)
        self.there = self._dealt()
        g.offers = [msgspec.structs.replace(o, deal=self._deal(o.deal)) for o in g.offers]
        if g.fight is not None:
            g.fight.deal = self._deal(g.fight.deal)
            g.fight.at_once = list(self._others(g.fight.at_once))
        for f in g.stack:
            self._frame(f)

    def _dealt(self) -> dict[Place, list[int]]:
        """What lies in each place that is out of sight, once the unseen cards are dealt; the top of a deck first."""
        then = self.new.clone()
        unseen.deal(then, self.words)
        out: dict[Place, list[int]] = {}
        for s, p in enumerate(then.players):
            out["hand", s] = p.hand[len(self.new.players[s].hand) :]
        for deck in range(DECKS):
            out["deck", deck] = list(then.piles[deck][: len(then.piles[deck]) - len(self.new.piles[deck])][::-1])
            low = len(then.discards[deck]) - len(self.new.discards[deck])
            out["discards", deck] = list(then.discards[deck][:low][::-1])
        return out

    def _deal(self, deal: Deal) -> Deal:
        return msgspec.structs.replace(deal, plays=self._others(deal.plays))

    def _others(self, cards: Iterable[int]) -> tuple[int, ...]:
        """The same cards as far as they are seen; as many others that lie where the unseen ones lay."""
        rest = {place: iter(there) for place, there in self.there.items()}
        out = []
        for c in cards:
            place = self.home.get(c)
            if place is None or place[0] == LIMBO:
                out.append(self.instead.get(c, c))
            else:
                out += [x for x in [next(rest[place], None)] if x is not None]
        return tuple(out)

    def _frame(self, f: fr.Frame) -> None:
        if isinstance(f, fr.Ask) and f.domain == fr.CARDS and f.seat != self.seat:
            f.options, f.chosen = self._options(f), self._others(f.chosen)
        elif isinstance(f, fr.Draft):
            f.give, f.get = self._others(f.give), self._others(f.get)
            f.plays, f.doubled = self._others(f.plays), self._others(f.doubled)
        elif isinstance(f, fr.Draw):
            f.got, f.more = self._others(f.got), self._others(f.more)
        elif isinstance(f, fr.Victory):
            others = dict(zip(f.pool, self._others(f.pool), strict=False))
            f.pool = tuple(others.values())
            f.ans = f.ans and tuple(others.get(c, c) for c in f.ans)
        elif isinstance(f, fr.Promise):
            f.cards = self._others(f.cards)

    def _options(self, f: fr.Ask) -> tuple[int, ...]:
        """How many cards of a hand would do says something about the hand: all of them might.

        Not so with the Treasure of a victory: how many were drawn is known, and that it is these.
        """
        won = {c for x in self.g.stack if isinstance(x, fr.Victory) for c in x.pool}
        seen = [c for c in f.options if c not in self.home]
        places = {self.home[c] for c in f.options if c in self.home}
        hands = sorted(p for p in places if p[0] == "hand" and not won.issuperset(f.options))
        rest = [c for c in f.options if c in self.home and self.home[c] not in hands]
        return (*seen, *(c for p in hands for c in self.there[p]), *self._others(rest))


def _cards_in(sees: View) -> Iterable[int]:
    """The cards that lie open before everybody, or before this seat, while something is being resolved."""
    for p in sees["players"]:
        yield from p["drew"]["cards"] or ()
    yield from (sees["door_card"], *sees["doors"])
    asked, pending = sees["asked"], sees["pending"]
    if asked is not None:
        yield asked["card"]
        if asked["domain"] == "cards":
            yield from asked["options"] or ()
    if pending is not None:
        yield from (n for n in (pending.get("card"), pending.get("item"), pending.get("foe")) if isinstance(n, int))
