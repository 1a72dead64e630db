"""From the words of a scenario to cards, seats and back."""

from __future__ import annotations

import re
from difflib import get_close_matches

from kickdoor.cards.library import CardDef
from kickdoor.cards.packs import members
from kickdoor.engine.facts import fights
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import ACTIVE


class ScenarioError(ValueError):
    """A scenario that makes no sense: a typo, an unknown card, a word that is not in the language."""


class Unclear(ScenarioError):
    """A move that is possible in more than one way, and the step does not say which."""


class Unused(ScenarioError):
    """Something is written that the move does not use."""


_COPY = re.compile(r"^(.*)#(\d+)$")


def split(label: str) -> tuple[str, int, str]:
    """Name, copy number (0: none given) and pack or set of a label such as `Thief#2` or `Foo@classic`."""
    name, _, pack = label.partition("@")
    m = _COPY.match(name)
    if m:
        return m[1].strip(), int(m[2]), pack
    return name.strip(), 0, pack


def unknown_card(g: Game, name: str) -> ScenarioError:
    names = {d.name.lower(): d.name for d in g.lib.unique}
    near = get_close_matches(name.lower(), list(names), 1)
    hint = f"did you mean {names[near[0]]!r}?" if near else "no pack of this scenario has it"
    return ScenarioError(f"unknown card {name!r}; {hint}")


def called(d: CardDef, *names: str) -> bool:
    """Does a card go by one of these names, as printed on it or elsewhere?"""
    wanted = [n.lower() for n in names]
    return d.name.lower() in wanted or any(a.lower() in wanted for a in d.card.aka)


def from_pack(d: CardDef, pack: str) -> bool:
    """Is it of this pack or bundle, or of this set, where a pack has several (XOVER-29)?"""
    return not pack or pack in (d.pack, d.card.set_) or d.pack in members([pack])


class TooFew(ScenarioError):
    """A table with more copies of a card than the game has."""

    def __init__(self, label: str, copies: list[int]) -> None:
        super().__init__(f"the game has only {len(copies)} of {label!r}; write a fixture that is `like:` it")
        self.copies = copies


class Names:
    """Which physical card a label means, as far as the scenario has said."""

    def __init__(self, g: Game) -> None:
        self.g = g
        self.used: set[int] = set()
        self.alias: dict[str, int] = {}
        self.repeated: set[str] = set()

    def copies(self, label: str) -> list[int]:
        """All physical cards a label could mean."""
        name, _, pack = split(label)
        got = self.g.lib.by_name.get(label.lower()) or self.g.lib.by_name.get(name.lower())
        if not got:
            raise unknown_card(self.g, name)
        return [c for c in got if from_pack(self.g.lib.defs[c], pack)]

    def claim(self, label: str) -> int:
        """Take the next unused copy for a place on the table; a card of the scenario's own before a pack's."""
        copies = self.copies(label)
        _, number, _ = split(label)
        if number and number <= len(copies) and copies[number - 1] not in self.used:
            card = copies[number - 1]
        else:
            free = [c for c in copies if c not in self.used]
            if not free:
                raise TooFew(label, copies)
            card = next((c for c in free if self.g.lib.defs[c].pack == "fixtures"), free[0])
        self.used.add(card)
        if self.alias.setdefault(label.lower(), card) != card:
            self.repeated.add(label.lower())
        return card

    def rank(self, label: str, card: int) -> int:
        """0 for the very card the table gave that label, and no other; 1 for any other it could mean."""
        return 0 if self.alias.get(label.lower()) == card and label.lower() not in self.repeated else 1

    def owned(self, label: str) -> tuple[str, str]:
        """`Player/Card` and `Monster/Enhancer` as owner and card; a card's own name may have a stroke in it."""
        owner, stroke, card = label.partition("/")
        if not stroke or split(label)[0].lower() in self.g.lib.by_name:
            return "", label
        return owner, card

    def matches(self, label: str, card: int) -> bool:
        """Could this label mean that card?"""
        if card < 0:
            return False
        d = self.g.lib.defs[card]
        alias = self.alias.get(label.lower())
        if "#" in label and alias is not None:
            return alias == card
        name, number, pack = split(label)
        if not from_pack(d, pack):
            return False
        if called(d, label):
            return True
        if not called(d, name):
            return False
        return not number or self._is_copy(card, name, number)

    def _is_copy(self, card: int, name: str, number: int) -> bool:
        copies = self.g.lib.by_name[name.lower()]
        return number <= len(copies) and copies[number - 1] == card

    def foes(self, g: Game, label: str) -> list[int]:
        """Monsters in the fight that a label means; `Name#2` is the second of that name there."""
        fight = g.fight
        if fight is None:
            return []
        name, number, pack = split(label)
        defs = g.lib.defs
        same = [x for x in fight.foes if called(defs[x.face], name, label) and from_pack(defs[x.face], pack)]
        if not same:  # a copy by the name of its card
            same = [x for x in fight.foes if called(defs[x.card], name, label) and from_pack(defs[x.card], pack)]
        if number:
            numbers = numbered([name] * len(same), [x.face != x.card for x in same])
            return [x.card for x, n in zip(same, numbers, strict=True) if n == number]
        active = [x for x in same if x.fate == ACTIVE]
        return [x.card for x in active or same][:1]


def numbered(names: list[str], copied: list[bool]) -> list[int]:
    """The numbers of monsters of one name, in order; a copy is never the first, even where that one has gone."""
    last: dict[str, int] = {}
    out = []
    for name, copy in zip(names, copied, strict=True):
        last[name] = max(last.get(name, 0) + 1, 2 if copy else 1)
        out.append(last[name])
    return out


def seat_named(g: Game, name: str) -> int:
    for s, p in enumerate(g.players):
        if p.name.lower() == str(name).lower():
            return s
    near = get_close_matches(str(name), [p.name for p in g.players], 1)
    hint = f"did you mean {near[0]!r}?" if near else f"at this table: {', '.join(p.name for p in g.players)}"
    raise ScenarioError(f"no player {name!r}; {hint}")


def is_seat(g: Game, name: object) -> bool:
    return isinstance(name, str) and any(p.name.lower() == name.lower() for p in g.players)


def card_name(g: Game, card: int) -> str:
    """A card's name; a Mate in the fight bears the name of what it is a copy of."""
    fight = g.fight
    if fight is not None:
        foe = fights.find_foe(fight, card)
        if foe is not None and foe.face != card:
            return f"{g.lib.defs[foe.face].name}#2"
    return g.lib.defs[card].name
