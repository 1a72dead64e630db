"""Answers: passing, accepting, declining, choosing, dividing."""

from __future__ import annotations

from typing import Any

from kickdoor.engine import frames as fr
from kickdoor.engine import humongous
from kickdoor.engine import moves as mv
from kickdoor.engine.game import SEXES, Game
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.moves import Move, seat_of
from kickdoor.scenario.handling import Handling
from kickdoor.scenario.naming import is_seat, seat_named
from kickdoor.scenario.wording import as_list


class Choosing(Handling):
    """Answers questions and offers."""

    def _pass(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        for verb in (mv.PASS, mv.DONE):
            if any(m.verb == verb for m in legal(self.g, seat)):
                apply(self.g, Move(seat, verb))
                return
        self._refuse(Move(seat, mv.PASS))

    def _accept(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        self._reply(seat, mv.ACCEPT, arg)

    def _decline(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        self._reply(seat, mv.DECLINE, arg)

    def _reply(self, seat: int, verb: int, arg: Any) -> None:
        if self._asking(seat) and self._asks(fr.YESNO):
            self._choose_one(seat, "yes" if verb == mv.ACCEPT else "no")
            return
        found = [m for m in legal(self.g, seat) if m.verb == verb]
        if is_seat(self.g, arg):
            found = [m for m in found if seat_of(m.target) == seat_named(self.g, arg)]
        if not found:
            self._refuse(Move(seat, verb))
        apply(self.g, found[-1])

    def _choose_one(self, seat: int, value: Any) -> None:
        _pick_again(self.g, seat)
        options = [m for m in legal(self.g, seat) if m.verb == mv.CHOOSE]
        if value in ("none", "nothing", "pass") or (value == "no" and not self._asks(fr.YESNO)):
            apply(self.g, Move(seat, mv.DONE))
            return
        options.sort(key=lambda m: self.names.rank(str(value), m.card))
        for m in options:
            if self._is_answer(m.card, value):
                apply(self.g, m)
                return
        self._refuse(Move(seat, mv.CHOOSE, -99))

    def _is_answer(self, option: int, value: Any) -> bool:
        g = self.g
        f = g.stack[-1]
        domain = f.domain if isinstance(f, fr.Ask) else fr.CARDS
        text = str(value).lower()
        if domain == fr.SEATS:
            return g.players[option].name.lower() == text
        if domain == fr.NUMBERS:
            return str(option) == text
        if domain == fr.YESNO:
            return text == ("yes" if option == 1 else "no") or text == str(option == 1).lower()
        if domain == fr.LABELS:
            return self._is_label(option, text)
        if domain == fr.FIGURES:
            return text == SEXES[option]
        if domain == fr.PILES:
            return humongous.name(g, option) == text
        if option < 0:
            return text in ("hand", "unseen", "a card from the hand")
        if is_seat(g, value):
            return False
        if str(value).isdigit() and not g.lib.by_name.get(text):
            return False
        return self._means(str(value).split("/", 1)[-1], option)

    def _is_label(self, option: int, text: str) -> bool:
        f = self.g.stack[-2]
        if not isinstance(f, fr.Effect):
            return False
        labels = self.g.lib.programs[f.prog][f.pc].a.labels
        label = labels[option][0].lower()
        return text == label or text == str(option + 1) or all(w in label for w in text.replace("_", " ").split())

    def _choose_shares(self, seat: int, shares: dict[str, Any]) -> None:
        """Who gets what: card by card; a question with a single answer was not asked."""
        if not isinstance(self.g.stack[-1], (fr.Ask, fr.Surplus)):
            self._refuse(Move(seat, mv.CHOOSE, -99))
        if isinstance(self.g.stack[-2], fr.Victory):
            self._deal_out(seat, {seat_named(self.g, n): [str(c) for c in as_list(x)] for n, x in shares.items()})
            if all(self._has(seat_named(self.g, n), str(c)) for n, x in shares.items() for c in as_list(x)):
                return
            self._refuse(Move(seat, mv.CHOOSE, -99))
        for name, cards in shares.items():
            for label in as_list(cards):
                if self._asks(fr.CARDS) or isinstance(self.g.stack[-1], fr.Surplus):
                    self._choose_one(seat, label)
                if self._asks(fr.SEATS):
                    self._choose_one(seat, name)
                elif not self._has(seat_named(self.g, name), str(label)):
                    self._refuse(Move(seat, mv.CHOOSE, -99))

    def _deal_out(self, seat: int, wanted: dict[int, list[str]]) -> None:
        """Treasure that was won with help: whoever the deal lets pick first says who gets what, pick by pick."""
        while isinstance(f := self.g.stack[-1], fr.Ask) and isinstance(victory := self.g.stack[-2], fr.Victory):
            if not victory.order:
                return
            mine = wanted.get(victory.order[0], [])
            others = [c for s, cards in wanted.items() if s != victory.order[0] for c in cards]
            spare = [c for c in f.options if not any(self.names.matches(label, c) for label in others)]
            if mine:
                self._choose_one(f.seat, mine.pop(0))
            elif f.seat == seat and spare:
                apply(self.g, Move(seat, mv.CHOOSE, spare[0]))
            else:
                return


def _pick_again(g: Game, seat: int) -> bool:
    """A list of picks given at once: the two agree that he who has just picked goes on (HELP-8)."""
    asked, fight = g.stack[-1], g.fight
    if not isinstance(asked, fr.Ask) or asked.seat == seat or fight is None:
        return False
    f = g.stack[-2]
    if not isinstance(f, fr.Victory) or asked.about != "share":
        return False
    order = f.order + (fight.main,) * (len(f.pool) - len(f.order))
    if fight.deal.picks == mv.PICKS_HANDED or seat not in order or all(s != seat for s, _ in g.fresh):
        return False
    at = order.index(seat)
    f.order = (seat, *order[:at], *order[at + 1 :])
    asked.seat = seat
    g.moves = {}
    return True
