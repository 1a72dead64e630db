"""Playing cards, as a step says it: on what, with what, as what, instead of what."""

from __future__ import annotations

from typing import Any, Final

from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import plays
from kickdoor.engine import queries as q
from kickdoor.engine import reasons as r
from kickdoor.engine.kernel import apply
from kickdoor.engine.moves import Move, at_seat
from kickdoor.engine.reasons import Refused
from kickdoor.scenario.choosing import Choosing
from kickdoor.scenario.naming import Unclear, card_name, is_seat, seat_named
from kickdoor.scenario.wording import as_list

SAID_WAYS: Final = ("monster", "ally")  # a Steed is fought and a monster befriended only where the step says so


class Playing(Choosing):
    """Plays cards."""

    def _play(self, seat: int, arg: Any, keys: dict[str, Any]) -> None:
        label = str(arg)
        self.names.copies(label)
        companions = [str(x) for x in as_list(keys.get("with"))]
        for other in companions:
            self.names.copies(other)
        if companions and self._play_with(seat, label, companions, keys):
            return
        found = self._find(seat, mv.PLAY, label)
        word = keys.get("as")
        if self._recast(seat, label, word):
            found = [m for m in found if m.extra >= 0]
            word = None
        elif companions:
            one = companions if len(companions) == 1 else []  # INTERFERE-5: with one card, not with several
            found = [m for m in found if m.extra >= 0 and any(self._means(o, m.extra) for o in one)]
        else:
            found = [m for m in found if m.extra < 0]
        if "on" in keys and not companions and self._answered(seat, found, keys["on"]):
            return
        found = self._by_target(seat, found, keys)
        d = self.g.lib.defs[self._any_card(seat, label)]
        if word is not None and str(word).lower() == d.slot:
            word = "equipped"  # what has two places, where Items of its slot go (FQ-DER-10)
        elif word is not None and str(word).lower() == d.kind and not any(m.word == d.kind for m in d.modes):
            word = ""  # as what it is
        laid = any(self._mode(m).op == "lay" for m in found)
        if word == "carried" and not laid and not self.g.lib.defs[self._any_card(seat, label)].is_item:
            raise Refused(r.NOT_AN_ITEM)
        if word in ("carried", "equipped"):
            found = [m for m in found if self._mode(m).op in ("item", "lay")]
        elif word is not None:
            found = [m for m in found if self._mode_word(m) == str(word).lower()]
        else:
            found = [m for m in found if self._mode_word(m) not in SAID_WAYS]
            if len({self._mode_word(m) for m in found}) > 1:
                found = [m for m in found if not self._mode_word(m)] or found
        if not found:
            target = mv.NONE
            if "on" in keys:
                target = self._some_target(seat, keys["on"])
            card = self._any_card(seat, label)
            if any(self._too_strong(card, self._any_card(seat, o)) for o in companions):
                raise Refused(r.NOT_SO_STRONG)
            if companions and self.g.lib.defs[card].recasts:  # the Race or Class is what is refused (FQ-CWBH-3)
                card = self._any_card(seat, companions[0])
            elif companions and self.g.lib.defs[self._any_card(seat, companions[0])].waives:
                card, target = self._any_card(seat, companions[0]), card  # the Cheat! is, not what it was to go on
            self._refuse(Move(seat, mv.PLAY, card, target, self._way(card, word)))
        move = self._pick(seat, found)
        apply(self.g, move)
        if word == "carried" and move.card in self.g.equipped:
            apply(self.g, Move(seat, mv.UNEQUIP, move.card))

    def _recast(self, seat: int, label: str, word: Any) -> bool:
        """A Race that is to be played as a Class, or the other way round (FQ-CWBH-3)."""
        return word is not None and q.RECAST.get(self.g.lib.defs[self._any_card(seat, label)].kind) == str(word).lower()

    def _answered(self, seat: int, found: list[Move], value: Any) -> bool:
        """`on:` what a card without a target asks for the moment it is played (a Dungeon, PORTAL-4)."""
        fits = self._target(seat, value)
        if isinstance(value, list) or any(fits(m.target) for m in found) or not self._names_dungeon(value):
            return False
        for m in found:
            trial = Playing(self.g.clone(), self.names)
            apply(trial.g, m)
            f = trial.g.stack[-1]
            if isinstance(f, fr.Ask) and f.seat == seat and any(trial._is_answer(c, value) for c in f.options):
                apply(self.g, m)
                self._choose_one(seat, value)
                return True
            if not trial._names_dungeon(value):  # the only one, so there was nothing to ask
                apply(self.g, m)
                return True
        return False

    def _names_dungeon(self, value: Any) -> bool:
        return any(self.names.matches(str(value), c) for c in self.g.dungeons)

    def _too_strong(self, card: int, other: int) -> bool:
        """Is that a monster which this card does not bring along (FQ-ENH-2)?"""
        tests = [m.along for m in self.g.lib.defs[card].modes if m.along is not None]
        return self.g.fight is not None and bool(tests) and not any(test(self.g, other) for test in tests)

    def _way(self, card: int, word: Any) -> int:
        """The code of the way to play a card that is called so."""
        modes = self.g.lib.defs[card].modes
        return next((plays.mode_code(m) for m in modes if m.word and m.word == str(word).lower()), mv.NONE)

    def _play_with(self, seat: int, label: str, others: list[str], keys: dict[str, Any]) -> bool:
        """`with:` in its other senses: Cheat! on an Item being played, an enhancer with a joining monster, a pair."""
        g = self.g
        for other in others:
            for m in self._find(seat, mv.PLAY, other):
                if m.target >= 0 and self._means(label, m.target) and g.lib.defs[m.card].waives:
                    apply(g, m)
                    return True
                if m.extra >= 0 and self._means(label, m.extra):
                    apply(g, m)
                    return True
            for m in self._find(seat, mv.PLAY, label):
                if m.target >= 0 and self._means(other, m.target) and g.lib.defs[m.card].waives:
                    apply(g, m)
                    return True
        direct = [m for m in self._find(seat, mv.PLAY, label) if m.extra >= 0]
        if direct:
            return False
        if any(m.card for o in others for m in self._find(seat, mv.PLAY, label)) and len(others) == 1:
            d = g.lib.defs[self._any_card(seat, label)]
            e = g.lib.defs[self._any_card(seat, others[0])]
            if d.multi or e.multi:
                first, second = (label, others[0]) if d.multi else (others[0], label)
                self._play(seat, first, {})
                self._play(seat, second, {})
                return True
        return False

    def _by_target(self, seat: int, found: list[Move], keys: dict[str, Any]) -> list[Move]:
        if "replacing" in keys:
            label = str(keys["replacing"])
            self.names.copies(label)
            return [m for m in found if m.target >= 0 and self._means(label, m.target)]
        if "on" in keys:
            fits = self._target(seat, keys["on"])
            fitting = [m for m in found if fits(m.target)] or self._before(keys["on"], found)
            return fitting or [m for m in found if m.target == mv.NONE and self._goes_on(seat, m, keys["on"])]
        return [m for m in found if not (m.target >= 0 and self._replaces(m.card))]

    def _before(self, value: Any, found: list[Move]) -> list[Move]:
        """A player named where a card of his is meant: the cards that lie before him."""
        if not is_seat(self.g, value):
            return []
        table = self.g.players[seat_named(self.g, value)].table
        return [m for m in found if m.target in table]

    def _goes_on(self, seat: int, m: Move, value: Any) -> bool:
        """A card without targets, played on the fight where it does something there; or before its own player."""
        if is_seat(self.g, value) and seat_named(self.g, value) == seat:
            return True
        return self._mode(m).op in ("effect", "join", "ally") and self._names_fight(seat, value)

    def _names_fight(self, seat: int, value: Any) -> bool:
        """A side of the fight, or somebody in it."""
        if self.g.fight is None:
            return False
        if value in ("munchkins", "monsters"):
            return True
        return is_seat(self.g, value) and q.in_fight(self.g, seat_named(self.g, value))

    def _replaces(self, card: int) -> bool:
        d = self.g.lib.defs[card]
        return bool(d.trait or d.multi) or d.kind in ("steed", "ship")

    def _one_pair(self, found: list[Move]) -> bool:
        """What enhances a monster enhances its Mate: between the two there is nothing to choose (ENH-6)."""
        fight = self.g.fight
        if fight is None or any(self._mode(m).op != "enhance_monster" for m in found):
            return False
        return len({x.group if x else -1 for x in (q.find_foe(fight, m.target) for m in found)}) == 1

    def _pick(self, seat: int, found: list[Move]) -> Move:
        """Where several targets are possible the step must say which; one's own side or self is understood."""
        targets = {m.target for m in found}
        if len(targets) > 1:
            # to lay a one-shot down is to say `as: carried`
            used = [m for m in found if self._mode(m).op not in ("item", "lay")]
            if len({m.target for m in used}) == 1 or self._one_pair(found):
                return used[0]
            for preferred in (at_seat(seat), mv.MUNCHKINS):
                mine = [m for m in found if m.target == preferred]
                if mine and self.g.lib.defs[mine[0].card].kind in ("go_up_a_level", "one_shot", "special"):
                    return mine[0]
            by_mode = [m for m in found if m.target == mv.NONE]
            if by_mode:
                return by_mode[0]
            if self.g.lib.defs[found[0].card].kind == "go_up_a_level":  # meant for oneself, who cannot have it
                self._refuse(Move(seat, mv.PLAY, found[0].card, at_seat(seat)))
            raise Unclear(f"{card_name(self.g, found[0].card)}: say `on:` what")
        return found[0]
