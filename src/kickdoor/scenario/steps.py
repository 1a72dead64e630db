"""Carrying out the moves of a scenario: words become the engine's small moves, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, Final

from kickdoor.cards.library import Mode, Power
from kickdoor.engine import abilities, curses, dungeons, humongous, items, plays, selling, traits
from kickdoor.engine import frames as fr
from kickdoor.engine import moves as mv
from kickdoor.engine import queries as q
from kickdoor.engine import reasons as r
from kickdoor.engine.explain import explain, explain_use, not_yours
from kickdoor.engine.game import SEXES, Game
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.moves import Move, at_seat, seat_of
from kickdoor.engine.reasons import Reason, Refused
from kickdoor.scenario.naming import Names, ScenarioError, Unclear, card_name, is_seat, seat_named

BARE: Final = {
    "kick": mv.KICK,
    "loot": mv.LOOT,
    "keep": mv.KEEP,
    "end_turn": mv.END_TURN,
    "show_hand": mv.SHOW_HAND,
    "withdraw": mv.WITHDRAW,
}
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "kick": (),
    "loot": (),
    "keep": (),
    "end_turn": (),
    "show_hand": (),
    "withdraw": (),
    "pass": (),
    "look_for_trouble": (),
    "play": ("on", "with", "as", "replacing"),
    "equip": ("by",),
    "unequip": ("by",),
    "sell": ("double",),
    "give": ("to",),
    "trade": ("with",),
    "ask_help": ("treasures", "picks_first", "items", "plays"),
    "offer_help": ("treasures", "picks_first", "items", "plays"),
    "counter": ("treasures", "picks_first", "items", "plays"),
    "accept": (),
    "decline": (),
    "discard": (),
    "use": ("card", "discard", "on"),
    "run": ("from",),
    "sacrifice": ("helper_too",),
    "choose": (),
    "charity": (),
}


def parse(move: Any) -> tuple[str, Any, dict[str, Any]]:
    """A bare verb, or a mapping whose first key is the verb."""
    if isinstance(move, str):
        verb, arg, keys = move, None, {}
    elif isinstance(move, dict) and move:
        items = list(move.items())
        verb, arg = str(items[0][0]), items[0][1]
        keys = {str(k): v for k, v in items[1:]}
    else:
        raise ScenarioError(f"not a move: {move!r}")
    if verb not in KEYS:
        near = get_close_matches(verb, list(KEYS), 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(KEYS)}"
        raise ScenarioError(f"unknown move {verb!r}; {hint}")
    for k in keys:
        if k not in KEYS[verb]:
            near = get_close_matches(k, KEYS[verb], 1)
            hint = f"did you mean {near[0]!r}?" if near else f"{verb} takes {', '.join(KEYS[verb]) or 'nothing more'}"
            raise ScenarioError(f"{verb}: unknown key {k!r}; {hint}")
    return verb, arg, keys


def as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


SAID_WAYS: Final = ("monster", "ally")  # a Steed is fought and a monster befriended only where the step says so


class Hands:
    """Does on a game what a step says. Raises Refused where the rules say no."""

    def __init__(self, g: Game, names: Names) -> None:
        self.g = g
        self.names = names
        self.held: list[Any] = []  # named in one list; who gets the one before is still to be said

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

    # -- helpers ----------------------------------------------------------------------------------------------

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

    # -- playing ----------------------------------------------------------------------------------------------

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
            trial = Hands(self.g.clone(), self.names)
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

    def _mode(self, m: Move) -> Mode:
        index = plays.MODE_BASE - m.extra if m.extra <= plays.MODE_BASE else 0
        return self.g.lib.defs[m.card].modes[index]

    def _mode_word(self, m: Move) -> str:
        return self._mode(m).word

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

    # -- turn and equipment -----------------------------------------------------------------------------------

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

    def _asking(self, seat: int) -> bool:
        f = self.g.stack[-1]
        return isinstance(f, fr.Ask) and f.seat == seat

    # -- passing and answering --------------------------------------------------------------------------------

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

    def _asks(self, domain: int) -> bool:
        f = self.g.stack[-1]
        return isinstance(f, fr.Ask) and f.domain == domain

    def _has(self, seat: int, label: str) -> bool:
        p = self.g.players[seat]
        return any(self.names.matches(label, c) for c in (*p.table, *p.hand))

    # -- selling, trading, helping, charity -------------------------------------------------------------------

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

    # -- powers -----------------------------------------------------------------------------------------------

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
