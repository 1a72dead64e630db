"""Carrying out the moves of a scenario: words become the engine's small moves, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kickdoor.engine import dungeons, items, traits
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import reasons as r
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.moves import Move
from kickdoor.engine.reasons import Refused
from kickdoor.scenario.dealing import Dealing
from kickdoor.scenario.naming import is_seat
from kickdoor.scenario.using import Using
from kickdoor.scenario.wording import BARE, as_list, parse


class Hands(Using, Dealing):
    """Does on a game what a step says. Raises Refused where the rules say no."""

    def do(self, seat: int, move: Any) -> None:
        verb, arg, keys = parse(move)
        if verb in ("choose", "keep") and self._flip(seat, verb, arg):
            return
        if verb in BARE:
            self._simple(Move(seat, BARE[verb]))
        else:
            handler: Callable[[int, Any, dict[str, Any]], None] = getattr(self, f"_{verb}")
            handler(seat, arg, keys)

    def already(self, seat: int, move: Any) -> bool:
        """Does the step say how an Item lies that lies so already (put in use as it came, say)?"""
        verb, arg, keys = parse(move)
        if verb not in ("equip", "unequip") or keys or items.why_locked(self.g, seat) is not None:
            return False
        mine = [c for c in items.own_items(self.g, seat) if self.names.matches(str(arg), c)]
        return bool(mine) and all((c in self.g.equipped) == (verb == "equip") for c in mine)

    def _flip(self, seat: int, verb: str, arg: Any) -> bool:
        """A Portal just drawn face-down, answered like a question: carried out, or kept (PORTAL-6)."""
        if isinstance(self.g.stack[-1], fr.Ask) or self.g.door_card >= 0:
            return False
        drawn = [c for c in self.g.players[seat].hand if dungeons.just_drawn(self.g, seat, c)]
        word = "keep" if verb == "keep" else str(arg).lower()
        if drawn and word in ("yes", "true", "now", "play", "reveal"):
            apply(self.g, Move(seat, mv.PLAY, drawn[-1]))
            return True
        return bool(drawn) and word in ("no", "false", "keep", "hand")

    def _choose(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        top = self.g.stack[-1]
        if isinstance(top, fr.Window) and top.what == "invited":  # answered like a question (FQ-ENH-2)
            for value in as_list(arg):
                self._play(seat, value, {})
            return
        if isinstance(arg, dict):
            self._choose_shares(seat, arg)
            return
        frame = self.g.stack[-1]
        values = as_list(arg)
        for i, value in enumerate(values):
            if isinstance(frame, fr.Ask) and frame.order and frame not in self.g.stack:
                break  # the last one of an order is no choice any more
            if i and isinstance(frame, fr.Surplus) and self._asks(fr.SEATS) and not is_seat(self.g, value):
                self.held = values[i:]
                return
            self._choose_one(seat, value)
            while self.held and isinstance(self.g.stack[-1], fr.Surplus):
                self._choose_one(seat, self.held.pop(0))
        more = isinstance(arg, list) and self.g.stack[-1] is frame
        if more and any(m.verb == mv.DONE for m in legal(self.g, seat)):
            apply(self.g, Move(seat, mv.DONE))

    def _look_for_trouble(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = self._find(seat, mv.TROUBLE, str(arg))
        if not found:
            self._refuse(Move(seat, mv.TROUBLE, self._any_card(seat, str(arg))))
        apply(self.g, found[0])

    def _equip(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = self._find(seat, mv.EQUIP, str(arg))
        if "by" in keys:
            found = [m for m in found if m.target >= 0 and self._means(str(keys["by"]), m.target)]
        else:
            found = [m for m in found if m.target < 0]
        if not found:
            by = self._any_card(seat, str(keys["by"])) if "by" in keys else mv.NONE
            self._refuse(Move(seat, mv.EQUIP, self._any_card(seat, str(arg)), by))
        apply(self.g, found[0])

    def _unequip(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = self._find(seat, mv.UNEQUIP, str(arg))
        if not found:
            self._refuse(Move(seat, mv.UNEQUIP, self._any_card(seat, str(arg))))
        apply(self.g, found[0])

    def _discard(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = self._find(seat, mv.DISCARD, str(arg))
        top = self.g.stack[-1]
        if not found and isinstance(top, fr.Surplus) and top.seat == seat and top.kind in traits.KINDS:
            self._choose_one(seat, arg)  # what may be dropped at will is dropped in answer as well (BT-15, BT-17)
            return
        if not found:
            self._refuse(Move(seat, mv.DISCARD, self._any_card(seat, str(arg))))
        apply(self.g, found[0])

    def _run(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = [m for m in legal(self.g, seat) if m.verb == mv.RUN]
        if "from" in keys:
            foes = self.names.foes(self.g, str(keys["from"]))
            found = [m for m in found if m.card in foes]
        if not found:
            self._refuse(Move(seat, mv.RUN))
        apply(self.g, found[0])

    def _sacrifice(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        found = self._find(seat, mv.SACRIFICE, str(arg))
        if not found:
            self._refuse(Move(seat, mv.SACRIFICE, self._any_card(seat, str(arg))))
        yes = str(keys.get("helper_too", "no")).lower() in ("yes", "true")
        if yes and self.g.fight is not None and self.g.fight.helper == seat:
            raise Refused(r.SACRIFICE_HELPER)  # AMB-32: a helper saves himself and nobody else
        apply(self.g, found[0])
        if "helper_too" in keys and self._asking(seat):
            apply(self.g, Move(seat, mv.CHOOSE, 1 if yes else 0))
