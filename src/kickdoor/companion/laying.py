"""A table with real cards, laid for the engine: sheets and a fight become a scenario's table, and that a game.

What the engine cannot know is entered as it was given: a number for what has no card here, a monster by its Level. What
the rules do not allow is noted, and counted all the same by its printed figures: house rules happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.packs import known_packs, members
from kickdoor.companion import shapes as sh
from kickdoor.engine import setup
from kickdoor.engine.chapters import helping
from kickdoor.engine.kernel import apply, legal, why_not_card
from kickdoor.engine.playing import saying
from kickdoor.engine.table import items
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.reasons import Reason, Refused
from kickdoor.engine.value.records import Token
from kickdoor.paper.plain import one_line
from kickdoor.scenario.naming import from_pack, split
from kickdoor.scenario.runner import NOT_PLAYERS
from kickdoor.scenario.setting import set_table

HIGHEST: Final = 100  # the engine's own bound on Levels
MOST_COPIES: Final = 20  # of a card, whatever a sheet says
MOST_CARDS: Final = 250  # in one position: twelve players with twenty each
MOST_MORE: Final = 40  # copies beyond those in the boxes, of all cards together: each is compiled anew
FREE: Final = "free:"  # how the engine is told of a number that was entered, in place of a rule
LIE_ON: Final = ("item_enhancer", "steed_enhancer", "ship_enhancer", "race_or_class_enhancer", "enhancer")
NO_ROOM: Final = {"steed": "STEED-2", "race": "RACE-8", "class": "CLASS-8"}
SIDES: Final = {"munchkins": mv.MUNCHKINS, "monsters": mv.MONSTERS}


class Impossible(ValueError):
    """A question that makes no sense, in a sentence."""


class Entered(NamedTuple):
    """A number that somebody entered: what it is called, for which thing, on whose sheet."""

    name: str
    thing: str = ""
    sheet: str = ""
    rule: str = "COMBAT-2"


@dataclass
class Laid:
    """A game that stands as the phones say, and what everything in it is called there."""

    g: Game
    doc: dict[str, Any]
    seats: dict[str, int]
    cards: dict[str, int]  # by thing
    asked: sh.Position
    unlisted: frozenset[int]  # monsters that were entered without a card
    entered: list[Entered] = field(default_factory=list)
    refusals: list[sh.Refusal] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    played: list[Move] = field(default_factory=list)

    @property
    def things(self) -> dict[int, str]:
        return {c: t for t, c in self.cards.items()}

    @property
    def sheets(self) -> list[str]:
        """By seat."""
        return list(self.seats)

    def refuse(self, thing: str, reason: Reason) -> None:
        self.refusals.append({"thing": thing, "rule": reason.rule, "says": reason.says})

    def enter(self, amount: int, what: Entered, seat: int = -1, foe: int = -1, monsters: bool = False) -> None:
        """A number joins the fight."""
        fight = self.g.fight
        if fight is None or not amount:
            return
        rule = f"{FREE}{len(self.entered)}"
        self.entered.append(what)
        fight.tokens = [*fight.tokens, Token(amount, seat, monsters, -1, foe, rule)]
        self.g.touch()


def in_order(packs: Sequence[str]) -> tuple[str, ...]:
    """The sets in the one order that they are laid in: the first gives the rules, among the others none comes first.

    Only sets that come with the project are: elsewhere a set may be any folder, and what a phone says is a stranger's
    word. Raises Impossible, before anything is read.
    """
    known, packs = known_packs(), members(packs)
    missing = [p for p in packs if p not in known]
    if missing or not packs:
        there = f"There are: {', '.join(known)}."
        raise Impossible(f"There is no set {missing[0][:40]!r} here. {there}" if missing else "Name at least one set.")
    if len(set(packs)) < len(packs):
        raise Impossible("A set is named twice. Name each once.")
    return (packs[0], *sorted(packs[1:]))


def find_library(packs: Sequence[str]) -> Library:
    """The cards of these sets. Raises Impossible."""
    names = in_order(packs)
    try:
        return setup.library(names)
    except (OSError, ValueError) as e:
        raise Impossible(f"These sets cannot be laid: {e}") from None


class Labels:
    """Which copy of a card each thing is. Where a box has too few, more are laid that are like it."""

    def __init__(self, packs: Sequence[str]) -> None:
        self.packs = in_order(packs)
        self.lib = find_library(self.packs)
        self.more: list[str] = []  # names of cards of which there is one more than in the box
        self._used: set[int] = set()

    def known(self, label: str) -> bool:
        return bool(label) and bool(self._copies(label))

    def of(self, label: str) -> str:
        """The next copy, as a scenario calls it."""
        name, _, _ = split(label)
        same = self.lib.by_name[name.lower()]
        free = [c for c in self._copies(label) if c not in self._used]
        if free:
            self._used.add(free[0])
            return f"{name}#{same.index(free[0]) + 1}"
        extra = sum(n.lower() == name.lower() for n in self.more) + 1
        if extra > MOST_COPIES:
            raise Impossible(f"Nobody has so many of {name}.")
        if len(self.more) >= MOST_MORE:
            raise Impossible(
                f"More than {MOST_MORE} cards are here that the boxes do not hold. Add the sets they are from, or "
                "enter some of them by their bonus."
            )
        self.more.append(name)
        return f"{name}#{len(same) + extra}"

    def definition(self, label: str) -> CardDef | None:
        return self.lib.defs[self._copies(label)[0]] if self.known(label) else None

    def kind(self, label: str) -> str:
        """Of what kind a card is; empty: there is none."""
        d = self.definition(label)
        return "" if d is None else d.kind

    def doubles(self, label: str) -> bool:
        """Does it make a second monster, and so lie on none (ENH-6)?"""
        d = self.definition(label)
        programs = [self.lib.programs[m.prog] for m in d.modes if m.prog >= 0] if d is not None else []
        return any(i.verb == "clone_monster" for program in programs for i in program)

    def carried(self, label: str) -> bool:
        """Can it lie there without counting? A Race, a Class, a Steed that is turned away is not in play at all."""
        d = self.definition(label)
        assert d is not None
        return d.is_item and not d.is_companion and (d.is_one_shot or d.kind not in items.NEVER_IN_USE)

    def _copies(self, label: str) -> list[int]:
        name, _, pack = split(label)
        return [c for c in self.lib.by_name.get(name.lower(), []) if from_pack(self.lib.defs[c], pack)]


def _find(lib: Library, written: str) -> int:
    """The card that such a label is, in the library of the game."""
    name, number, _ = split(written)
    return lib.by_name[name.lower()][number - 1]


class Layer:
    """Lays one table."""

    def __init__(self, asked: sh.Position, hands: dict[str, list[tuple[str, str]]]) -> None:
        self.asked = asked
        self.hands = hands  # by sheet: (thing, card)
        self.labels = Labels(asked.packs)
        self.written: dict[str, str] = {}  # by thing: the label it has in the table
        self.unlisted: dict[str, str] = {}  # by thing: the fixture that stands for it
        self.names = _names(asked.sheets)

    def document(self) -> dict[str, Any]:
        """The table as a scenario would have it."""
        a = self.asked
        main = a.fight.main if a.fight is not None else a.turn or a.sheets[0].sheet
        fight = a.fight if a.fight is not None and a.fight.foes else None
        table: dict[str, Any] = {
            "turn": self.names.get(main) or next(iter(self.names.values())),
            "phase": "after_door" if fight is not None else "before_door",
            "players": {self.names[s.sheet]: self._player(s) for s in a.sheets},
        }
        dungeons = [self.labels.of(d) for d in a.dungeons if self.labels.known(d)]
        if dungeons:
            table["dungeons"] = dungeons
        fixtures: list[dict[str, Any]] = []
        if fight is not None:
            table["fight"] = self._fight(fight, fixtures)
        fixtures += [{"name": name, "like": name} for name in self.labels.more]
        if fixtures:
            table["fixtures"] = fixtures
        doc: dict[str, Any] = {
            "scenario": "A table with real cards",
            "packs": list(self.labels.packs),
            "rules": self._rules(),
        }
        doc["table"] = table
        return doc

    def _rules(self) -> dict[str, Any]:
        a = self.asked
        goal = max(a.limit or HIGHEST, min(HIGHEST, max(s.level for s in a.sheets)))
        epic = {"epic": True} if a.limit == 20 else {}
        return {**epic, "level.goal": goal} if goal != 10 else epic

    def _player(self, s: sh.Sheet) -> dict[str, Any]:
        out: dict[str, Any] = {"level": min(s.level, HIGHEST), "sex": s.sex}
        laid = {h.thing: h for h in s.cards if self.labels.known(h.card) and (h.worn or self.labels.carried(h.card))}
        roots = [h for h in laid.values() if h.on not in laid or laid[h.on].on in laid or h.on == h.thing]
        loose = {h.thing for h in roots if self.labels.kind(h.card) in LIE_ON}
        in_play = [
            self._held(h, [x for x in laid.values() if x.on == h.thing != x.thing])
            for h in roots
            if h.thing not in loose
        ]
        if in_play:
            out["in_play"] = in_play
        hand = [self._label(thing, card) for thing, card in self.hands.get(s.sheet, ()) if self.labels.known(card)]
        if hand:
            out["hand"] = hand
        return out

    def _held(self, h: sh.Held, on: Sequence[sh.Held]) -> Any:
        """A card before a player, with what lies on it; an Item that is no enhancer is carried for its owner."""
        label = self._label(h.thing, h.card)
        d = self.labels.definition(h.card)
        bears = d is not None and (d.is_companion or d.kind == "steed")
        kinds = {x.thing: self.labels.kind(x.card) for x in on}
        lying = [self._label(x.thing, x.card) for x in on if kinds[x.thing] in LIE_ON or not bears]
        borne = [self._label(x.thing, x.card) for x in on if kinds[x.thing] not in LIE_ON and bears]
        if lying or borne:
            return {"card": label, **({"with": lying} if lying else {}), **({"carries": borne} if borne else {})}
        return label if h.worn else {"carried": label}

    def _label(self, thing: str, card: str) -> str:
        label = self.written[thing] = self.labels.of(card)
        return label

    def _fight(self, f: sh.FightAsked, fixtures: list[dict[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {"main": self.names[f.main]}
        if f.helper and f.helper != f.main:
            out["helper"] = self.names[f.helper]
        out["monsters"] = [self._foe(x, fixtures) for x in f.foes]
        return out

    def _foe(self, x: sh.FoeAsked, fixtures: list[dict[str, Any]]) -> Any:
        if self._fights(x.card):
            label = self._label(x.thing, x.card)
        else:
            label = self.unlisted[x.thing] = self._unlisted(x, len(fixtures) + 1)
            levels = {} if x.levels is None else {"levels_gained": x.levels}
            figures = {"level": x.level or 1, "treasures": x.treasures or 0, **levels}
            fixtures.append({"name": label, "kind": "monster", **figures})
        kinds = {e.thing: self.labels.kind(e.card) for e in x.enhancers}
        all_ = [e for e in x.enhancers if kinds[e.thing] == "monster_enhancer"]
        first = [e for e in all_ if not self.labels.doubles(e.card)]
        then = [e for e in x.enhancers if kinds[e.thing] == "enhancer_enhancer" and first]  # they lie on the one before
        lying = [self._label(e.thing, e.card) for e in (*first, *then, *(e for e in all_ if e not in first))]
        return {"card": label, "with": lying} if lying else label

    def _unlisted(self, x: sh.FoeAsked, number: int) -> str:
        """What a monster without a card is called: as it was entered, unless a card is called so."""
        name = one_line(x.name or x.card)
        free = name and not self.labels.known(name) and name not in self.unlisted.values() and _plain(name)
        return name if free else f"Monster {number}"

    def _fights(self, card: str) -> bool:
        return self.labels.kind(card) in ("monster", "steed", "hireling")


def _plain(name: str) -> bool:
    """Is there nothing in it that means something in a scenario?"""
    return not any(c in name for c in "/#@:")


def _names(sheets: Sequence[sh.Sheet]) -> dict[str, str]:
    """What the players are called in a scenario: as they are, unless that would be taken for something else."""
    out: dict[str, str] = {}
    taken = {n.lower() for n in NOT_PLAYERS}
    for i, s in enumerate(sheets):
        name = one_line(s.name)
        if not name or name.lower() in taken or not _plain(name):
            name = f"Player {i + 1}"
        while name.lower() in taken:
            name += "'"
        taken.add(name.lower())
        out[s.sheet] = name
    return out


def lay(asked: sh.Position, hands: dict[str, list[tuple[str, str]]] | None = None) -> Laid:
    """The game; `hands` are cards that somebody holds, by sheet: (thing, card). Raises Impossible."""
    _check(asked)
    fight = asked.fight if asked.fight is not None and asked.fight.foes else None
    holding = {k: list(v) for k, v in (hands or {}).items()}
    layer = Layer(asked, holding)
    for p in fight.played if fight is not None else ():
        if layer.labels.known(p.card):  # played from the hand, by whoever is said to have played it
            holding.setdefault(_player(asked, p), []).append((p.thing, p.card))
    doc = layer.document()
    try:
        g, _ = set_table(doc, Path())
    except (ValueError, Refused) as e:
        raise Impossible(f"This table cannot be laid: {e}") from None
    seats = {s.sheet: i for i, s in enumerate(asked.sheets)}
    cards = {thing: _find(g.lib, label) for thing, label in layer.written.items()}
    unlisted = {thing: g.lib.by_name[name.lower()][0] for thing, name in layer.unlisted.items()}
    out = Laid(g, doc, seats, {**cards, **unlisted}, asked, frozenset(unlisted.values()))
    for s in asked.sheets:
        g.players[seats[s.sheet]].level = s.level
    g.touch()
    _sheets(out)
    if fight is not None:
        _play(out, fight)
        _help(out, fight)
        _numbers(out, fight)
    return out


def _check(asked: sh.Position) -> None:
    sheets = [s.sheet for s in asked.sheets]
    if len(set(sheets)) < len(sheets):
        raise Impossible("Two sheets have the same name.")
    things = [h.thing for s in asked.sheets for h in s.cards]
    f = asked.fight
    if f is not None:
        things += [x.thing for x in f.foes] + [p.thing for p in f.played]
        things += [e.thing for x in f.foes for e in x.enhancers]
        if f.main not in sheets or (f.helper and f.helper not in sheets):
            raise Impossible("Who fights has no sheet here.")
    if len(set(things)) < len(things):
        raise Impossible("One thing is in two places.")
    if len(things) > MOST_CARDS:
        raise Impossible(
            f"So many cards cannot be counted at once ({len(things)}; {MOST_CARDS} can). Take off the sheets what is "
            "no longer in play, or enter it together as gear."
        )


def _player(asked: sh.Position, p: sh.Played) -> str:
    """Who played a card; where nobody says so, the one who gains by it."""
    assert asked.fight is not None
    if p.sheet in {s.sheet for s in asked.sheets}:
        return p.sheet
    others = [s.sheet for s in asked.sheets if s.sheet not in (asked.fight.main, asked.fight.helper)]
    return others[0] if p.side == "monsters" and others else asked.fight.main


# -- what the rules have against it -----------------------------------------------------------------------------


def _sheets(out: Laid) -> None:
    """Items that may not be in use are noted, and count by what is printed on them."""
    g = out.g
    for s in out.asked.sheets:
        seat = out.seats[s.sheet]
        for h in s.cards:
            card = out.cards.get(h.thing, -1)
            if card < 0:
                _without_a_card(out, h, seat)
                continue
            out.enter(h.bonus, Entered(g.lib.defs[card].name, h.thing, s.sheet), seat)
            if card not in g.players[seat].table:
                _not_kept(out, h, card, seat)
            elif h.worn and items.can_be_equipped(g, card) and card not in g.equipped:
                why = items.why_not_equip(g, seat, card)
                if why is not None:
                    out.refuse(h.thing, saying.worded(g, Move(seat, mv.EQUIP, card), why))
                rule = why.rule if why is not None else "COMBAT-2"
                out.enter(_printed(g, seat, card), Entered(g.lib.defs[card].name, h.thing, s.sheet, rule), seat)
        out.enter(s.gear, Entered("Gear", "", s.sheet), seat)


def _not_kept(out: Laid, h: sh.Held, card: int, seat: int) -> None:
    """What had to go as soon as the table was laid: there was no room for it."""
    d = out.g.lib.defs[card]
    rule = "HIRE-4" if d.is_companion else NO_ROOM.get(d.kind, "BIG-1")
    out.refuse(h.thing, Reason(rule, f"{out.g.players[seat].name} could not have {d.name} beside all the rest."))
    out.enter(_printed(out.g, seat, card), Entered(d.name, h.thing, out.sheets[seat], rule), seat)


def _without_a_card(out: Laid, h: sh.Held, seat: int) -> None:
    """What is on a sheet and could not be laid: its number counts, if it is in use."""
    if not h.worn:
        return
    found = out.g.lib.by_name.get(split(h.card)[0].lower()) if h.card else None
    if h.card:
        why = "lies on nothing" if found else "is not in these sets"
        out.assumed.append(f"{h.card} {why}; only its number counts.")
    printed = out.g.lib.defs[found[0]].bonus if found else 0
    out.enter(h.bonus + printed, Entered(h.name or h.card or "An Item", h.thing, out.sheets[seat]), seat)


def _printed(g: Game, seat: int, card: int) -> int:
    """What is printed on an Item, for somebody who uses it against the rules."""
    d = g.lib.defs[card]
    mods = [m for m in d.mods.get("strength", ()) if not m.per and m.host is None]
    return d.bonus + sum(m.amount for m in mods if m.test is None or m.test(g, seat, None))


def _play(out: Laid, f: sh.FightAsked) -> None:
    """Cards are played into the fight, one by one; one that may not be counts by what is printed on it."""
    for p in f.played:
        card = out.cards.get(p.thing, -1)
        if card >= 0:
            seat = out.seats[_player(out.asked, p)]
            if not _played(out, seat, card, SIDES[p.side]):
                _counted(out, seat, card, p)


def _played(out: Laid, seat: int, card: int, side: int) -> bool:
    g = out.g
    moves = [m for m in legal(g, seat) if m.card == card and m.verb == mv.PLAY]
    foes = {x.card for x in g.fight.foes} if g.fight is not None else set()
    wanted = [m for m in moves if m.target == side]
    wanted += [m for m in moves if side == mv.MONSTERS and m.target in foes]
    for m in wanted[:1]:
        apply(g, m)
        out.played.append(m)
        return True
    return False


def _counted(out: Laid, seat: int, card: int, p: sh.Played) -> None:
    g = out.g
    d = g.lib.defs[card]
    why = why_not_card(g, seat, card)
    if why is not None:
        out.refuse(p.thing, why)
    else:
        out.assumed.append(f"{d.name} does more than give a bonus; only its number counts here.")
    if card in g.players[seat].hand:  # another card that was played may have taken it away
        g.players[seat].hand.remove(card)
    monsters = p.side == "monsters"
    entered = Entered(d.name, p.thing, "" if monsters else out.sheets[seat], why.rule if why else "COMBAT-2")
    out.enter(d.bonus, entered, -1 if monsters else _fighter(out, seat), monsters=monsters)


def _fighter(out: Laid, seat: int) -> int:
    """For whom a number counts: a fighter's own is his, all others are the main fighter's (FQ-BASE-34)."""
    fight = out.g.fight
    assert fight is not None
    return seat if seat in (fight.main, fight.helper) else fight.main


def _help(out: Laid, f: sh.FightAsked) -> None:
    """A helper whom the cards send away is noted, and stays: it is their table (FQ-BASE-37)."""
    fight, seat = out.g.fight, out.seats.get(f.helper, -1)
    if fight is None or seat < 0 or f.helper == f.main or fight.helper == seat:
        return
    move = Move(seat, mv.OFFER_HELP, target=mv.at_seat(fight.main))
    out.refuse(f.helper, saying.worded(out.g, move, helping.why_not(out.g, seat) or r.HELP_ALONE))
    fight.helper = seat
    out.g.touch()


def _numbers(out: Laid, f: sh.FightAsked) -> None:
    """The numbers that were entered for the fight."""
    main = out.seats[f.main]
    for p in f.played:
        if p.thing not in out.cards or p.bonus:
            what = Entered(p.name or p.card or "A bonus", p.thing, p.sheet)
            seat = out.seats.get(p.sheet, main)
            out.enter(p.bonus, what, -1 if p.side == "monsters" else _fighter(out, seat), monsters=p.side == "monsters")
    for x in f.foes:
        foe = out.cards[x.thing]
        out.enter(x.swing, Entered("By hand", x.thing, rule="COMBAT-1"), foe=foe, monsters=True)
        at = next((y for y in out.g.fight.foes if y.card == foe), None) if out.g.fight is not None else None
        if at is not None and x.level is not None and foe not in out.unlisted:
            at.level = x.level
        for e in x.enhancers:
            if e.thing not in out.cards or e.bonus:
                what = Entered(e.name or e.card or "An enhancer", e.thing, rule="ENH-1")
                out.enter(e.bonus, what, foe=foe, monsters=True)
    out.enter(f.munchkins, Entered("By hand"), main)
    out.enter(f.monsters, Entered("By hand"), monsters=True)
    out.g.touch()
