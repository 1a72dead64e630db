"""What the words of a step mean in a position: which card, which target, which of the legal moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kickdoor.cards.library import Mode
from kickdoor.engine.chapters import curses
from kickdoor.engine.facts import fights
from kickdoor.engine.kernel import legal
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move, at_seat
from kickdoor.scenario.naming import Names, ScenarioError, Unclear, card_name, is_seat, seat_named

SIDES = {"munchkins": mv.MUNCHKINS, "monsters": mv.MONSTERS}

Fits = Callable[[int], bool]


class Finder:
    """One player's words in one position. It only looks: what a word means, it says with a number or a Move."""

    def __init__(self, g: Game, names: Names, seat: int) -> None:
        self.g = g
        self.names = names
        self.seat = seat

    # -- legal moves ------------------------------------------------------------------------------------------

    def legal(self, *verbs: int) -> list[Move]:
        return [m for m in legal(self.g, self.seat) if m.verb in verbs]

    def with_card(self, verb: int, label: str) -> list[Move]:
        """The legal moves of this kind with a card of that name, the likeliest card first."""
        self.names.copies(label)
        found = [m for m in self.legal(verb) if self.means(label, m.card)]
        return sorted(found, key=lambda m: self.nearness(label, m.card))

    def only(self, found: list[Move], what: str) -> Move:
        """The one way that is left; where several are, the step must say which."""
        targets = {m.target for m in found}
        if len(targets) > 1:
            raise Unclear(f"{what}: say `on:` what ({', '.join(sorted(map(self.told, targets)))})")
        if len({m.extra for m in found}) > 1:
            raise Unclear(f"{what}: say `as:` what")
        return found[0]

    def told(self, target: int) -> str:
        """A target as a step would write it."""
        if target >= 0:
            return card_name(self.g, target)
        seat = mv.seat_of(target)
        if seat >= 0:
            return self.g.players[seat].name
        return next((word for word, code in SIDES.items() if code == target), "nothing")

    # -- cards ------------------------------------------------------------------------------------------------

    def means(self, label: str, card: int) -> bool:
        if card < 0:
            return False
        if self.g.fight is not None and fights.find_foe(self.g.fight, card) is not None:
            return card in self.names.foes(self.g, label)
        return self.names.matches(label, card)

    def nearness(self, label: str, card: int) -> tuple[int, int]:
        """The very card that the table calls so, if it calls only one so; then hand before table before elsewhere."""
        p = self.g.players[self.seat]
        place = 0 if card in p.hand else 1 if card in p.table else 2
        return self.names.rank(label, card), place

    def card(self, label: str, whose: int = -1) -> int:
        """The card that a name means: one's own (hand, then table), one that lies in the open, any copy."""
        copies = self.names.copies(label)
        foes = self.names.foes(self.g, label)
        p = self.g.players[self.seat if whose < 0 else whose]
        for zone in (p.hand, p.table, foes, list(self.in_the_open())):
            found = [c for c in zone if self.names.matches(label, c) or c in foes]
            if found:
                return min(found, key=lambda c: self.names.rank(label, c))
        return next((c for c in copies if self.names.matches(label, c)), copies[0])

    def in_the_open(self) -> Iterator[int]:
        g = self.g
        for p in g.players:
            yield from p.table
        yield from g.dungeons
        if g.door_card >= 0:
            yield g.door_card
        for pile in g.discards:
            yield from pile[-1:]

    def has(self, seat: int, label: str) -> bool:
        p = self.g.players[seat]
        return any(self.names.matches(label, c) for c in (*p.table, *p.hand))

    # -- targets ----------------------------------------------------------------------------------------------

    def fits(self, value: Any) -> Fits:
        """A test of target codes for the word of an `on:`."""
        value = self.side(value)
        if value in SIDES:
            return lambda t: t == SIDES[value]
        if is_seat(self.g, value):
            seat = seat_named(self.g, value)
            return lambda t: t == at_seat(seat)
        owner, label = self.names.owned(value)
        self.names.copies(label)
        of = self.belonging(owner) if owner else None
        return lambda t: t >= 0 and self.means(label, t) and (of is None or t in of)

    def target(self, value: Any) -> int:
        """The target code for a word, be it a possible target or not."""
        value = self.side(value)
        if value in SIDES:
            return SIDES[value]
        if is_seat(self.g, value):
            return at_seat(seat_named(self.g, value))
        owner, label = self.names.owned(value)
        whose = seat_named(self.g, owner) if is_seat(self.g, owner) else -1
        return next((c for c in self.belonging(owner) if self.means(label, c)), self.card(label, whose))

    def side(self, value: Any) -> str:
        """A list of those who fight together is their side; a list of one is that one."""
        if not isinstance(value, list):
            return str(value)
        if len(value) == 1:
            return str(value[0])
        fighters = [self.g.players[s].name for s in fights.fighters(self.g)] if self.g.fight is not None else []
        if sorted(map(str, value)) != sorted(fighters):
            raise ScenarioError(f"on: {', '.join(map(str, value))} are no side of the fight")
        return "munchkins"

    def belonging(self, owner: str) -> list[int]:
        """The cards of a player (`Player/Card`), or what lies on a monster (`Monster/Enhancer`)."""
        if is_seat(self.g, owner):
            p = self.g.players[seat_named(self.g, owner)]
            return [*p.table, *p.hand]
        fight = self.g.fight
        groups = [x.group for x in fight.foes if x.card in self.names.foes(self.g, owner)] if fight is not None else []
        return [card for card, group, _ in fight.enhancers if group in groups] if fight is not None else []

    def on(self, found: list[Move], value: Any) -> list[Move]:
        """Those of the moves that are made on what `on:` says; one's own card before another's of that name."""
        fits = self.fits(value)
        fitting = [m for m in found if fits(m.target)]
        mine = [m for m in fitting if m.target in self.g.players[self.seat].table]
        return mine or fitting or [m for m in found if m.target == mv.NONE and self.is_answered(value)]

    def is_answered(self, value: Any) -> bool:
        """Is that the Curse which is being answered? A move without a target is made on it all the same."""
        frame = curses.find_curse(self.g)
        return frame is not None and self.names.matches(str(value), frame.card)

    # -- ways to play -----------------------------------------------------------------------------------------

    def mode(self, m: Move) -> Mode:
        return self.g.lib.defs[m.card].modes[mv.mode_index(m.extra)]
