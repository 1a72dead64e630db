"""What a mix of sets is: its cards, what it switches on or off, what the books recommend, and what is played of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from kickdoor.cards.language import Pack
from kickdoor.cards.library import CardDef, Library
from kickdoor.cards.packs import find_pack, known_packs, read_pack
from kickdoor.engine.setup import library, prepared, rules_for
from kickdoor.engine.table import deck_building
from kickdoor.engine.value.game import DOOR, DUNGEON, FAIRY_DUST, SPELL, TREASURE
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import Ruleset

DECKS: Final = {DOOR: "doors", TREASURE: "treasures", DUNGEON: "dungeons", SPELL: "spells", FAIRY_DUST: "fairy_dust"}
BASE: Final = "base set"
TRAITS: Final = ("race", "class", "power")


class Switch(NamedTuple):
    """Something that a game has or has not, depending on its sets."""

    what: str
    kinds: tuple[str, ...]
    rule: str
    without: str  # what it means to have none


SWITCHES: Final = (
    Switch("Races", ("race",), "RACE-1", "Nobody has a Race, and nobody is Human either."),
    Switch("Classes", ("class",), "CLASS-1", "Nobody has a Class."),
    Switch("Powers", ("power",), "BT-10", "Nobody has Powers."),
    Switch("Hirelings", ("hireling", "minion", "sidekick", "mook", "ally"), "XOVER-4", "Everybody fights alone."),
    Switch("Steeds", ("steed", "vehicle"), "STEED-1", "Everybody walks."),
    Switch("Dungeons", ("dungeon",), "SETUP-9", "There is no third deck."),
    Switch("Portals", ("portal",), "SETUP-10", "The Doors are only doors."),
    Switch("Item enhancers", ("item_enhancer",), "IENH-1", "Items are what they are."),
    Switch("Enhancer enhancers", ("enhancer_enhancer",), "EENH-1", "Enhancers are what they are."),
    Switch("Spells", ("spell",), "FQ-BOOK-1", "There is no Spell deck."),
)


def physical(lib: Library) -> list[CardDef]:
    """Every card of a library that belongs into a deck, each copy once."""
    return [d for c, d in enumerate(lib.defs) if c not in lib.origin and not d.outside]


def standing(lib: Library, head: Pack) -> str:
    """What a set is among sets."""
    if head.for_mixes:
        return "for mixes"
    if head.expands:
        return f"expands {head.expands}"
    fights = any(d.kind == "monster" for d in lib.unique if d.pack == head.id)
    return BASE if fights else "goes with any"


def known_sets() -> list[dict[str, Any]]:
    """Every set that comes with the game."""
    out = []
    for name in known_packs():
        head = read_pack(find_pack(name)).head
        lib = library(tuple(dict.fromkeys((*head.needs, name))))
        cards = [d for d in physical(lib) if d.pack == head.id]
        out.append({"id": head.id, "title": head.title, "is": standing(lib, head), **_count(cards)})
    return out


def _count(cards: list[CardDef]) -> dict[str, Any]:
    decks = Counter(d.deck for d in cards)
    return {
        **{word: decks[deck] for deck, word in DECKS.items()},
        "kinds": dict(sorted(Counter(d.kind for d in cards).items())),
        "traits": {kind: sorted({d.name for d in cards if d.kind == kind}) for kind in TRAITS},
    }


def switches(lib: Library, rules: Ruleset) -> list[dict[str, Any]]:
    """What this mix has and has not, and why."""
    out = []
    for s in SWITCHES:
        names = list(dict.fromkeys(d.pack for d in lib.unique if d.kind in s.kinds))
        why = f"They are in {', '.join(names)}." if names else f"No set here has any. {s.without}"
        out.append({"what": s.what, "on": bool(names), "rule": s.rule, "why": why})
    kin = [t.capitalize() for t in rules.combat.join_tags]
    if kin:
        why = f"{' and '.join(kin)} monsters may join their kin."
        out.append({"what": "Monsters that join their kin", "on": True, "rule": "UNDEAD-2", "why": why})
    return out


def describe(
    packs: Sequence[str], edition: str | None = None, players: int = 4, seed: int = 1, **fields: Any
) -> dict[str, Any]:
    """A mix, ready for a screen or for JSON. `decks` is what a game would be dealt from."""
    rules = rules_for(packs, edition, **fields)
    lib = library(packs)
    return {
        "sets": [{"id": h.id, "title": h.title, "is": standing(lib, h)} for h in lib.heads],
        "edition": rules.meta.label,
        **_count(physical(lib)),
        "switches": switches(lib, rules),
        "recommended": [_told(a, rules) for a in deck_building.advice(lib, rules)],
        "decks": _built(packs, rules, players, seed),
    }


def _told(a: deck_building.Advice, rules: Ruleset) -> dict[str, Any]:
    """`followed`: what the book says is what will be done."""
    return {"rule": a.rule, "says": a.says, "fields": dict(a.fields), "followed": a.followed(rules)}


def _built(packs: Sequence[str], rules: Ruleset, players: int, seed: int) -> dict[str, Any]:
    """The decks as they would be played: how tall, what stays in the box, and whether that is a game."""
    g = prepared([f"Player {i + 1}" for i in range(players)], packs, seed, rules)
    refused = None
    try:
        deck_building.check_choices(g.lib, rules)
        deck_building.check_size(g)
    except Refused as e:
        refused = {"rule": e.rule, "says": e.reason.says}
    left_out = [g.lib.defs[c] for c in g.box]
    certain = sorted({d.name for d in left_out if rules.decks.filters and deck_building.unfit(g.lib, d)})
    return {
        "players": players,
        "doors": len(g.piles[DOOR]),
        "treasures": len(g.piles[TREASURE]),
        "in_the_box": len(left_out),
        "left_out": certain,
        "piles": rules.decks.piles,
        "playable": refused is None,
        "refused": refused,
    }
