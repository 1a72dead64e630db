"""Using powers, and what they cost."""

from __future__ import annotations

from typing import Any

from kickdoor.cards.library import Power
from kickdoor.engine import abilities, curses
from kickdoor.engine import moves as mv
from kickdoor.engine import reasons as r
from kickdoor.engine.explain import explain_use, not_yours
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.moves import Move
from kickdoor.engine.reasons import Reason, Refused
from kickdoor.scenario.naming import Unclear, card_name, is_seat, seat_named
from kickdoor.scenario.playing import Playing
from kickdoor.scenario.wording import as_list


class Using(Playing):
    """Uses powers of cards in play."""

    def _use(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        name = str(arg).lower()
        pay = [str(x) for x in as_list(keys.get("discard"))]
        on = as_list(keys.get("on"))
        for label in pay:
            owner, slash, _ = label.partition("/")
            if slash and is_seat(self.g, owner) and seat_named(self.g, owner) != seat:
                raise Refused(r.NOT_YOURS)
        pay = [label.split("/", 1)[-1] for label in pay]
        for label in pay:
            self.names.copies(label)
        rounds = max(1, len(on) if len(on) > 1 else 0)
        first = self._powers(seat, name, keys)
        if first and self._card_by_card(self._power(seat, first[0])):
            rounds = max(rounds, len(pay))
        ready = self._lies_ready(seat, name, keys.get("on")) if not first else -1
        if ready >= 0:
            self._play(seat, card_name(self.g, ready), {k: v for k, v in keys.items() if k == "on"})
            return
        for i in range(rounds):
            found = self._powers(seat, name, keys)
            if on:
                thing = on[i] if i < len(on) else on[-1]
                fits = self._target(seat, thing)
                answers = [m for m in found if m.target == mv.NONE and self._is_struck(thing)]
                found = [m for m in found if fits(m.target)] or answers
            if not found:
                target = self._some_target(seat, on[0]) if on else mv.NONE
                raise Refused(self._why_unused(seat, name, target, pay))
            if len({m.target for m in found}) > 1 and not on:
                raise Unclear(f"{arg}: say `on:` what")
            power = self._power(seat, found[0])
            if power.cost_hand and pay and not self._whole_hand(seat, pay):
                raise Refused(_by_card(power, r.WHOLE_HAND))
            share = pay[i : i + 1] if self._card_by_card(power) else pay
            if power.cost_by and pay and len(pay) != abilities.price(self.g, power, found[0].target):
                raise Refused(_by_card(power, r.ABILITY_COST))
            if pay and len(pay) < power.cost:
                raise Refused(_by_card(power, r.ABILITY_COST))
            self._check_price(seat, found[0], share)
            apply(self.g, found[0])
            for label in share:
                if self._asking(seat):
                    self._choose_one(seat, label)

    def _why_unused(self, seat: int, name: str, target: int, pay: list[str]) -> Reason:
        """Why a power cannot be used; if it is the price, what is wrong with the card that was to pay it."""
        reason = explain_use(self.g, seat, name, target)
        if not pay or reason.says != r.ABILITY_COST.says:
            return reason
        mine = [(c, p) for c, p in abilities.sources(self.g, seat) if name in (p.key, *p.aka)]
        if not mine:
            return reason
        card, power = mine[0]
        return _by_card(power, self._price_reason(seat, Move(seat, mv.USE, card), self._any_card(seat, pay[0])))

    def _is_struck(self, value: Any) -> bool:
        """Is that the Curse which is being answered?"""
        frame = curses.find_curse(self.g)
        return frame is not None and self.names.matches(str(value), frame.card)

    def _lies_ready(self, seat: int, name: str, on: Any) -> int:
        """A card before the player that is spent as one plays it (a pet, EPIC-29), named as what is used; -1 for none.

        A pet that is sent to a side may be called by the power that got it.
        """
        g = self.g
        table = g.players[seat].table
        ready = sorted({m.card for m in legal(g, seat) if m.verb == mv.PLAY and m.card in table})
        powers = [p for _, p in abilities.sources(g, seat) if name in (p.key, *p.aka) and p.prog >= 0]
        sent = on in ("munchkins", "monsters")
        keeps = sent and any(g.lib.programs[p.prog][0].verb == "make_pet" for p in powers)
        for c in ready:
            if card_name(g, c).lower() == name or (keeps and g.lib.defs[c].kind == "monster"):
                return c
        return -1

    def _card_by_card(self, power: Any) -> bool:
        """A power that is used once for each card paid."""
        return not power.cost_hand and not power.cost_by and power.cost <= 1

    def _whole_hand(self, seat: int, labels: list[str]) -> bool:
        hand = self.g.players[seat].hand
        return len(labels) == len(hand) and all(any(self.names.matches(x, c) for c in hand) for x in labels)

    def _check_price(self, seat: int, move: Move, pay: list[str]) -> None:
        """A card that cannot pay is refused before anything is announced."""
        p = self._power(seat, move)
        if not (p.cost or p.cost_by) or not pay:
            return
        options = abilities.payable(self.g, seat, move.card, p)
        for label in pay:
            if not any(self.names.matches(label, c) for c in options):
                card = self._any_card(seat, label)
                raise Refused(_by_card(p, self._price_reason(seat, move, card)))

    def _price_reason(self, seat: int, move: Move, card: int) -> Reason:
        if card == move.card:
            return r.OWN_CARD_COST
        if self.g.lib.defs[card].is_curse and card in self.g.players[seat].table:
            return r.CURSE_COST
        if card not in self.g.players[seat].hand and card not in self.g.players[seat].table:
            return not_yours(self.g, card)
        return r.ABILITY_COST

    def _power(self, seat: int, m: Move) -> Any:
        return abilities.power_of(self.g, seat, m.card, abilities.POWER_BASE - m.extra)

    def _powers(self, seat: int, name: str, keys: dict[str, Any]) -> list[Move]:
        out = []
        for m in legal(self.g, seat):
            if m.verb != mv.USE:
                continue
            p = self._power(seat, m)
            source = card_name(self.g, m.card).lower()
            named = name in (p.key, *p.aka) or name == source
            if named and ("card" not in keys or self._means(str(keys["card"]), m.card)):
                out.append(m)
        return out


def _by_card(power: Power, reason: Reason) -> Reason:
    """A refusal that the rules of this very power account for as well (EPIC-37: out of the hand)."""
    return reason._replace(also=(*reason.also, *power.rules)) if power.rules else reason
