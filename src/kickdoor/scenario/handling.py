"""What a label in a step means among the cards and the legal moves at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kickdoor.cards.library import Mode
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import plays
from kickdoor.engine import queries as q
from kickdoor.engine.explain import explain
from kickdoor.engine.game import Game
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.moves import Move, at_seat
from kickdoor.engine.reasons import Refused
from kickdoor.scenario.naming import Names, is_seat, seat_named


class Handling:
    """A game, the names of its cards, and finding among them what a step speaks of."""

    def __init__(self, g: Game, names: Names) -> None:
        self.g = g
        self.names = names
        self.held: list[Any] = []  # named in one list; who gets the one before is still to be said

    def _simple(self, move: Move) -> None:
        apply(self.g, move)

    def _find(self, seat: int, verb: int, label: str) -> list[Move]:
        found = [m for m in legal(self.g, seat) if m.verb == verb and self._means(label, m.card)]
        return sorted(found, key=lambda m: self.names.rank(label, m.card))

    def _means(self, label: str, card: int) -> bool:
        if card < 0:
            return False
        if self.g.fight is not None and q.find_foe(self.g.fight, card) is not None:
            return card in self.names.foes(self.g, label)
        return self.names.matches(label, card)

    def _any_card(self, seat: int, label: str) -> int:
        """The card a refused move spoke of, preferably one of the player's own."""
        copies = self.names.copies(label)
        p = self.g.players[seat]
        for zone in (p.hand, p.table):
            for c in zone:
                if self.names.matches(label, c):
                    return c
        for c in copies:
            if self.names.matches(label, c):
                return c
        return copies[0]

    def _refuse(self, move: Move) -> None:
        raise Refused(explain(self.g, move))

    def _target(self, seat: int, value: Any) -> Callable[[int], bool]:
        """A test of target codes for the word of an `on:`."""
        g = self.g
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else "munchkins"
        if value == "munchkins":
            return lambda t: t == mv.MUNCHKINS
        if value == "monsters":
            return lambda t: t == mv.MONSTERS
        text = str(value)
        if is_seat(g, text):
            s = seat_named(g, text)
            return lambda t: t == at_seat(s)
        owner, slash, rest = text.partition("/")
        if slash:
            text = rest
        self.names.copies(text)
        if slash and is_seat(g, owner):
            p = g.players[seat_named(g, owner)]
            return lambda t: (t in p.table or t in p.hand) and self._means(text, t)
        return lambda t: t >= 0 and self._means(text, t)

    def _some_target(self, seat: int, value: Any) -> int:
        """A target code for explaining a refusal."""
        g = self.g
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else "munchkins"
        if value in ("munchkins", "monsters"):
            return mv.MUNCHKINS if value == "munchkins" else mv.MONSTERS
        if is_seat(g, value):
            return at_seat(seat_named(g, value))
        owner, slash, text = str(value).rpartition("/")
        foes = self.names.foes(g, text)
        whose = seat_named(g, owner) if slash and is_seat(g, owner) else seat
        return foes[0] if foes else self._any_card(whose, text)

    def _own_cards(self, seat: int, labels: list[str]) -> list[int]:
        """Distinct cards of the player's for these labels, where he has them."""
        p = self.g.players[seat]
        out: list[int] = []
        for label in labels:
            self.names.copies(label)
            mine = [c for c in (*p.table, *p.hand) if self.names.matches(label, c) and c not in out]
            mine.sort(key=lambda c: self.names.rank(label, c))
            out.append(mine[0] if mine else self._any_card(seat, label))
        return out

    def _has(self, seat: int, label: str) -> bool:
        p = self.g.players[seat]
        return any(self.names.matches(label, c) for c in (*p.table, *p.hand))

    def _asking(self, seat: int) -> bool:
        f = self.g.stack[-1]
        return isinstance(f, fr.Ask) and f.seat == seat

    def _asks(self, domain: int) -> bool:
        f = self.g.stack[-1]
        return isinstance(f, fr.Ask) and f.domain == domain

    def _mode(self, m: Move) -> Mode:
        index = plays.MODE_BASE - m.extra if m.extra <= plays.MODE_BASE else 0
        return self.g.lib.defs[m.card].modes[index]

    def _mode_word(self, m: Move) -> str:
        return self._mode(m).word
