"""What is put together piece by piece: sales, gifts, trades, offers of help, charity."""

from __future__ import annotations

from typing import Any

from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import queries as q
from kickdoor.engine import reasons as r
from kickdoor.engine import selling
from kickdoor.engine.explain import not_yours
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.moves import Move, at_seat
from kickdoor.engine.reasons import Refused
from kickdoor.scenario.handling import Handling
from kickdoor.scenario.naming import ScenarioError, is_seat, seat_named
from kickdoor.scenario.wording import as_list


class Dealing(Handling):
    """Sells, gives, trades, asks for help."""

    def _sell(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        labels = [str(x) for x in as_list(arg)]
        cards = self._own_cards(seat, labels)
        double = [str(x) for x in as_list(keys.get("double"))]
        for c in cards:
            if not q.is_item(self.g, c):
                raise Refused(r.SELL_NOT_ITEM)
            if self.g.players[seat].table.count(c) + self.g.players[seat].hand.count(c) == 0:
                raise Refused(not_yours(self.g, c))
            if q.suppressed(self.g, c):
                raise Refused(r.EQUIP_STUCK)
        if len(double) > selling.doubles_left(self.g, seat) and selling.why_not(self.g, seat) is None:
            raise Refused(r.SELL_DOUBLE)  # before the sum: without the double price it may not come to a level
        apply(self.g, Move(seat, mv.SELL))
        for label, c in zip(labels, cards, strict=True):
            apply(self.g, Move(seat, mv.ADD, c, extra=1 if label in double else mv.NONE))
        apply(self.g, Move(seat, mv.DONE))

    def _give(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        if "to" not in keys:
            raise ScenarioError("give: needs `to:` a player")
        self._barter(seat, seat_named(self.g, keys["to"]), as_list(arg), [])

    def _trade(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        if not isinstance(arg, dict) or "with" not in keys:
            raise ScenarioError("trade: needs {give: [...], get: [...]} and `with:` a player")
        self._barter(seat, seat_named(self.g, keys["with"]), as_list(arg.get("give")), as_list(arg.get("get")))

    def _barter(self, seat: int, to: int, give: list[Any], get: list[Any]) -> None:
        mine = self._own_cards(seat, [str(x) for x in give])
        theirs = self._own_cards(to, [str(x) for x in get])
        for s, cards in ((seat, mine), (to, theirs)):
            for c in cards:
                if not q.is_item(self.g, c):
                    raise Refused(r.TRADE_ITEMS)
                if c not in self.g.players[s].table:
                    raise Refused(r.TRADE_TABLE)
        if not any(isinstance(f, fr.Draft) for f in self.g.stack):
            apply(self.g, Move(seat, mv.TRADE, target=at_seat(to)))
        for c in (*mine, *theirs):
            apply(self.g, Move(seat, mv.ADD, c))
        apply(self.g, Move(seat, mv.PROPOSE))

    def _ask_help(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        to = seat_named(self.g, str(arg))
        apply(self.g, Move(seat, mv.ASK_HELP, target=at_seat(to)))
        self._terms(seat, keys)

    def _offer_help(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        fight = self.g.fight
        to = seat_named(self.g, str(arg)) if arg is not None else (fight.main if fight else 0)
        apply(self.g, Move(seat, mv.OFFER_HELP, target=at_seat(to)))
        self._terms(seat, keys)

    def _counter(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = [m for m in legal(self.g, seat) if m.verb == mv.COUNTER]
        if not found:
            self._refuse(Move(seat, mv.COUNTER))
        apply(self.g, found[-1])
        if isinstance(arg, dict):
            f = self.g.stack[-1]
            assert isinstance(f, fr.Draft)
            self._barter(seat, f.to, as_list(arg.get("give")), as_list(arg.get("get")))
        else:
            self._terms(seat, keys)

    def _terms(self, seat: int, keys: dict[str, Any]) -> None:
        g = self.g
        assert g.fight is not None
        main = g.fight.main
        f = g.stack[-1]
        assert isinstance(f, fr.Draft)
        if "treasures" in keys and int(keys["treasures"]) != f.treasures:
            apply(g, Move(seat, mv.ADD, extra=mv.ADD_TREASURES - int(keys["treasures"])))
        picks = self._picks(seat, main, keys.get("picks_first"))
        f = g.stack[-1]
        assert isinstance(f, fr.Draft)
        if picks is not None and picks != f.picks and f.treasures:
            apply(g, Move(seat, mv.ADD, extra=mv.ADD_PICKS - picks))
        for label in as_list(keys.get("items")):
            c = self._own_cards(main, [str(label)])[0]
            f = g.stack[-1]
            if isinstance(f, fr.Draft) and c in f.give:
                continue
            apply(g, Move(seat, mv.ADD, c))
        for label in as_list(keys.get("plays")):
            apply(g, Move(seat, mv.ADD, self._own_cards(main, [str(label)])[0]))
        apply(g, Move(seat, mv.PROPOSE))

    def _picks(self, seat: int, main: int, word: Any) -> int | None:
        if word is None:
            return None
        if word == "helper":
            return mv.PICKS_HELPER
        if word in ("handed", "main_hands_over"):
            return mv.PICKS_HANDED
        if word == "main" or (word == "me" and seat == main):
            return mv.PICKS_MAIN
        if word == "me":
            return mv.PICKS_HELPER
        if is_seat(self.g, word):
            return mv.PICKS_MAIN if seat_named(self.g, word) == main else mv.PICKS_HELPER
        raise ScenarioError(f"picks_first: me or helper, not {word!r}")

    def _charity(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        if not isinstance(arg, dict):
            raise ScenarioError("charity: needs {player: [cards], discard: [cards]}")
        apply(self.g, Move(seat, mv.CHARITY))
        for name, labels in arg.items():
            target = mv.NONE if name == "discard" else at_seat(seat_named(self.g, name))
            for c in self._own_cards(seat, [str(x) for x in as_list(labels)]):
                if not isinstance(self.g.stack[-1], fr.Draft):
                    raise Refused(r.CHARITY_MANY)
                apply(self.g, Move(seat, mv.ADD, c, target))
        if isinstance(self.g.stack[-1], fr.Draft):
            raise Refused(r.END_HAND)
