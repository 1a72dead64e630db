"""Deck building: which cards of the sets at the table go into the decks, and which stay in the box (DECK).

Sets can be mixed freely (DECK-1, DECK-16). Some are made for mixes: of those only a part of the Doors is used while the
pool is small. What is suggested is what happens, unless the table decides otherwise (`decks` in the ruleset).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from kickdoor.cards.compiler import deck_of
from kickdoor.cards.language import Card, Pack
from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.packs import find_pack, known_packs, read_pack
from kickdoor.engine.value.game import DOOR, TREASURE, Game
from kickdoor.engine.value.reasons import Reason, Refused
from kickdoor.engine.value.ruleset import PICKERS, Ruleset

ROUNDS: Final = Fraction(21, 8)  # of dealing, for which the decks must do: the smallest box does, for six (SETUP-1)
DOORS: Final = "Doors"
TREASURES: Final = "Treasures"
MONSTERS: Final = "monsters"
_TRAITS: Final = (("race", "Races", "DECK-10"), ("class", "Classes", "DECK-11"))


class Advice(NamedTuple):
    """Something the books say about a mix, the rule that says it, and the fields of the ruleset that do as it says.

    Without fields it is up to the people at the table: to bring another set, for instance.
    """

    rule: str
    says: str
    fields: Mapping[str, bool | int | str] = MappingProxyType({})

    def followed(self, rules: Ruleset) -> bool:
        """Do these rules do as the book says?"""
        return all(value_of(rules, name) == value for name, value in self.fields.items())


# -- what a mix is ----------------------------------------------------------------------------------------------


def mixers(lib: Library) -> list[Pack]:
    """The sets of this mix that are made for mixes (DECK-1)."""
    return [h for h in lib.heads if h.for_mixes]


def families(lib: Library) -> dict[str, list[Pack]]:
    """The sets by the base set they belong to; sets made for mixes do not count (DECK-6)."""
    out: dict[str, list[Pack]] = {}
    here = _in_decks(lib)
    for head in lib.heads:
        if not head.for_mixes and head.id in here:
            out.setdefault(head.expands or head.id, []).append(head)
    return out


def _in_decks(lib: Library) -> set[str]:
    """The sets that have a card in one of the two decks, be it a bag of Treasures; what people bring has none."""
    return {d.pack for d in lib.unique if d.deck in (DOOR, TREASURE) and not d.outside and d.pack != "fixtures"}


def supplemented(lib: Library) -> bool:
    """Is there more than one set, beside the one that the Portals come from (PORTAL-14, PORTAL-15)?"""
    portals = {d.pack for d in lib.unique if d.kind == "portal"}
    return len(_in_decks(lib) - portals) > 1


def has_kind(lib: Library, kind: str) -> bool:
    """Does any set of the mix have cards of that kind?"""
    return any(d.kind == kind and d.pack != "fixtures" for d in lib.unique)


def share(lib: Library) -> tuple[Fraction, str]:
    """How much of the Doors of a set for mixes goes in beside these sets, and by which rule (DECK-5..DECK-8)."""
    groups = families(lib)
    expanded = any(len(packs) > 1 for packs in groups.values())
    if len(groups) == 1:
        return (Fraction(1, 2), "DECK-6") if expanded else (Fraction(1, 3), "DECK-5")
    if len(groups) == 2 and not expanded:
        return Fraction(2, 3), "DECK-7"
    return Fraction(1), "DECK-8"


def rounded(n: int, part: Fraction) -> int:
    """The nearest whole number of cards, a half upwards (AMB-4)."""
    return int(n * part + Fraction(1, 2))


def unfit(lib: Library, d: CardDef) -> str:
    """The rule that keeps a card out of this mix because nobody could ever use it, or nothing (DECK-10, DECK-11)."""
    for kind, _, rule in _TRAITS:
        if kind in d.mix_needs and not has_kind(lib, kind):
            return rule
    return ""


def thinned(lib: Library, rules: Ruleset, mixer: Pack) -> int:
    """How many of its Level 1 monsters such a set leaves out beside the others, as the table has decided (DECK-9)."""
    return suggested_thinning(lib, mixer) if rules.decks.thin_out == "suggested" else rules.decks.thin_out


def suggested_thinning(lib: Library, mixer: Pack) -> int:
    """The same, as the book suggests."""
    others = [h.id for packs in families(lib).values() for h in packs]
    return mixer.thin_beside.get(others[0], 0) if len(others) == 1 else 0


# -- carrying it out --------------------------------------------------------------------------------------------


def build(g: Game) -> None:
    """Out of full decks, into the box with what this mix does not use (DECK-3..DECK-11)."""
    leave_out(g)
    for mixer in mixers(g.lib):
        weak = [c for c in _of(g, DOOR, mixer) if g.lib.defs[c].kind == "monster" and g.lib.defs[c].level == 1]
        g.shuffle(weak)
        _box(g, DOOR, weak[: thinned(g.lib, g.rules, mixer)])
        if g.rules.decks.doors == "suggested":
            _take_part(g, DOOR, mixer)
        if g.rules.decks.treasures == "as_doors":
            _take_part(g, TREASURE, mixer)


def leave_out(g: Game) -> None:
    """What nobody in this mix could ever use; no suggestion, and no matter of chance (DECK-10, DECK-11)."""
    if g.rules.decks.filters:
        for deck in (DOOR, TREASURE):
            _box(g, deck, [c for c in g.piles[deck] if unfit(g.lib, g.lib.defs[c])])


def _of(g: Game, deck: int, pack: Pack) -> list[int]:
    return [c for c in g.piles[deck] if g.lib.defs[c].pack == pack.id]


def _take_part(g: Game, deck: int, pack: Pack) -> None:
    """Shuffle them and take as many as the mix can bear, at random (AMB-4)."""
    part, _ = share(g.lib)
    if part < 1:
        mine = _of(g, deck, pack)
        g.shuffle(mine)
        _box(g, deck, mine[rounded(len(mine), part) :])


def _box(g: Game, deck: int, cards: list[int]) -> None:
    if cards:
        out = set(cards)
        g.piles[deck] = [c for c in g.piles[deck] if c not in out]
        g.box = [*g.box, *cards]


# -- is it enough? ----------------------------------------------------------------------------------------------


def check_size(g: Game) -> None:
    """What could not be dealt, or not be won, is refused before it begins, saying what to add (SETUP-5, WIN-5)."""
    n = len(g.players)
    if not _based(g):
        titles = " and ".join(h.title for h in g.lib.heads)
        raise Refused(Reason("SETUP-5", f"{titles} without a base set is too small a game. {what_to_add(g)}"))
    here = held(g)
    short = [f"{here[w]} {w} where {need} are needed" for w, need in _needed(g).items() if here[w] < need]
    if short:
        says = f"These sets are too small for {n} players: {' and '.join(short)}. {what_to_add(g)}"
        raise Refused(Reason("SETUP-5", says))
    if here[MONSTERS] < n:
        says = f"Nobody could win with {here[MONSTERS]} monsters among the Doors. {what_to_add(g)}"
        raise Refused(Reason("WIN-5", says))


def _based(g: Game) -> bool:
    """Is a set among them that is a game of its own?"""
    doors = {g.lib.defs[c].pack for c in g.piles[DOOR]}
    return any(not h.expands and not h.for_mixes and h.id in doors for h in g.lib.heads)


def held(g: Game) -> dict[str, int]:
    """How many cards the decks hold, and how many monsters."""
    monsters = sum(1 for c in g.piles[DOOR] if g.lib.defs[c].kind == "monster")
    return {DOORS: len(g.piles[DOOR]), TREASURES: len(g.piles[TREASURE]), MONSTERS: monsters}


def _needed(g: Game) -> dict[str, int]:
    rounds, dealt = ROUNDS * len(g.players), g.rules.setup
    return {DOORS: ceil(rounds * dealt.deal_doors), TREASURES: ceil(rounds * dealt.deal_treasures)}


def mending(g: Game) -> list[str]:
    """The base sets of which one would be enough: first those which the sets at the table expand (FQ-CWBH-4)."""
    here = {h.id for h in g.lib.heads}
    parents = [h.expands for h in g.lib.heads if h.expands and h.expands not in here]
    sources = [read_pack(find_pack(p)) for p in known_packs()]
    bases = [s for s in sources if not s.head.expands and not s.head.for_mixes and s.head.id not in here]
    good = [s.head.id for s in bases if _enough(g, s.cards)]
    return [p for p in dict.fromkeys(parents) if p in good] or good


def _enough(g: Game, cards: Sequence[Card]) -> bool:
    """Would the game be large enough with these cards beside its own?"""
    more = {DOORS: 0, TREASURES: 0, MONSTERS: 0}
    for c in cards:
        if c.outside or c.kind == "accessory":
            continue
        deck = deck_of(c)
        more[DOORS] += c.copies if deck == "door" else 0
        more[TREASURES] += c.copies if deck == "treasure" else 0
        more[MONSTERS] += c.copies if c.kind == "monster" else 0
    need = {**_needed(g), MONSTERS: len(g.players)}
    return more[MONSTERS] > 0 and all(n + more[word] >= need[word] for word, n in held(g).items())


def what_to_add(g: Game) -> str:
    """What would mend it, in words."""
    fewer = len(g.players) > g.rules.players.min and _based(g)
    wanted = mending(g)
    if wanted:
        return f"Add a base set ({', '.join(wanted)}){', or play with fewer people' if fewer else ''}."
    return f"Add several base sets{', play with fewer people,' if fewer else ''} or take all cards (decks.doors: all)."


def check_choices(lib: Library, rules: Ruleset) -> None:
    """A choice about cards that are not there, or that another choice takes away, is refused before the game."""
    said = rules.dungeons
    names = sorted({d.name for d in lib.unique if d.kind == "dungeon"})
    if not names and (said.first != "random" or said.locked):
        rule = "DUNG-15" if said.locked else "DUNG-12"
        raise Refused(Reason(rule, "No set at this table has Dungeons, so there is nothing to agree on about them."))
    named = said.first != "random" and said.first not in PICKERS
    if named and said.first.lower() not in (n.lower() for n in names):
        raise Refused(Reason("DUNG-12", f"There is no Dungeon {said.first!r} here. There are: {', '.join(names)}."))
    if said.chosen_by and said.first not in PICKERS:
        raise Refused(Reason("DUNG-12", f"{said.chosen_by} cannot pick the first Dungeon: it is agreed on, or random."))
    if not said.portal_block:
        return
    if said.portals == "none" or not any(d.kind == "portal" for d in lib.unique):
        raise Refused(Reason("PORTAL-16", "Without Portals in the game there are none to mix into a block of Doors."))
    if rules.decks.piles == "per_set":
        says = "With a pile for each set the Portals are dealt out over all of them; there is no block on top."
        raise Refused(Reason("PORTAL-16", says))


# -- what the books say about it --------------------------------------------------------------------------------


def advice(lib: Library, rules: Ruleset) -> list[Advice]:
    """What the rulebooks recommend for this mix, each with its rule (DECK, PORTAL-14, FQ-CWBH-4).

    It is the same whatever the table has decided about its decks: `Advice.followed` tells whether it does so.
    """
    return [
        *_about_mixers(lib),
        *_about_filters(lib),
        *_about_parents(lib),
        *about_pace(rules),
        *_about_portals(lib),
        *_about_height(lib),
    ]


def by_the_book(lib: Library, rules: Ruleset) -> dict[str, bool | int | str]:
    """The fields of a ruleset by which this mix is played as the books recommend."""
    return {name: value for a in advice(lib, rules) for name, value in a.fields.items()}


def value_of(rules: Ruleset, dotted: str) -> Any:
    """A field of a ruleset by its dotted name."""
    at: Any = rules
    for part in dotted.split("."):
        at = getattr(at, part)
    return at


TALL: Final = 600
MANY_DOORS: Final = 300
PORTAL_BLOCK: Final = 150  # PORTAL-16: "about"


def about_pace(rules: Ruleset) -> list[Advice]:
    """A game to Level 20 is long (EPIC-2)."""
    if not rules.options.epic:
        return []
    says = "Epic play goes on to Level 20: the faster rules are suggested along with it."
    return [Advice("EPIC-2", says, {"options.faster_play": True})]


def _about_mixers(lib: Library) -> list[Advice]:
    out = []
    for mixer in mixers(lib):
        if len(families(lib)) < 2 or not all(has_kind(lib, kind) for kind, _, _ in _TRAITS):
            says = f"{mixer.title} is meant for two sets or more that have both Races and Classes."
            out.append(Advice("DECK-2", says))
        doors = sum(1 for d in lib.defs if d.pack == mixer.id and d.deck == DOOR and not unfit(lib, d))
        out.append(Advice("DECK-3", f"Use all Treasures of {mixer.title}.", {"decks.treasures": "suggested"}))
        weak = suggested_thinning(lib, mixer)
        if weak:
            doors -= weak
            says = f"Leave out about {weak} of the Level 1 monsters of {mixer.title}."
            out.append(Advice("DECK-9", says, {"decks.thin_out": "suggested"}))
        part, rule = share(lib)
        n = rounded(doors, part)
        some = f"{part} of the Doors of {mixer.title}: {n} of {doors}, picked at random."
        says = f"Use all {doors} Doors of {mixer.title}." if part == 1 else f"Use {some}"
        out.append(Advice(rule, says, {"decks.doors": "suggested"}))
    return out


def _about_filters(lib: Library) -> list[Advice]:
    out = []
    for kind, word, rule in _TRAITS:
        names = sorted({d.name for d in lib.unique if kind in d.mix_needs})
        if names and not has_kind(lib, kind):
            says = f"No set here has {word}: leave out {', '.join(names)}."
            out.append(Advice(rule, says, {"decks.filters": True}))
    return out


def _about_parents(lib: Library) -> list[Advice]:
    here = {h.id for h in lib.heads}
    return [
        Advice("FQ-CWBH-4", f"{h.title} goes with anything, but best with {h.expands}.")
        for h in lib.heads
        if h.expands and h.expands not in here
    ]


def _about_portals(lib: Library) -> list[Advice]:
    if not has_kind(lib, "portal"):
        return []
    fields = {"dungeons.portals": "suggested"}
    out = [
        Advice("PORTAL-15", "With more than one set use all Portals.", fields)
        if supplemented(lib)
        else Advice("PORTAL-14", "With a single set use one Portal of each kind.", fields)
    ]
    doors = sum(1 for d in lib.defs if d.deck == DOOR and d.kind != "portal" and not d.outside)
    if doors > MANY_DOORS:
        says = f"Among {doors} Doors the Portals get lost: mix them into the top {PORTAL_BLOCK}."
        out.append(Advice("PORTAL-16", says, {"dungeons.portal_block": PORTAL_BLOCK}))
    return out


def _about_height(lib: Library) -> list[Advice]:
    """Of the book's three remedies the one that changes nothing for who draws (DECK-14)."""
    cards = sum(1 for d in lib.defs if d.deck in (DOOR, TREASURE) and not d.outside)
    if len(families(lib)) <= 2 and cards <= TALL:
        return []
    says = (
        f"Decks this tall ({cards} cards) fall over: put half of each away as a reserve. "
        "Two halves or a pile per set keep them standing as well."
    )
    return [Advice("DECK-12", says, {"decks.piles": "reserve"})]
