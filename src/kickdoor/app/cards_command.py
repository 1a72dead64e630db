"""`kickdoor cards`: the packs, and any card as it lies on the table."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final
from unicodedata import combining, normalize

import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from kickdoor.app.terminal import as_json, columns, complain, console, plural
from kickdoor.cards.conditions import DECK_NUMBERS
from kickdoor.cards.library import CardDef
from kickdoor.cards.packs import find_pack, known_packs, members, read_pack
from kickdoor.cards.reading import KEY_LETTERS, ReadingError
from kickdoor.cards.words import SLOTS
from kickdoor.engine.setup import library
from kickdoor.paper.plain import short
from kickdoor.rulebook import RuleError, rule
from kickdoor.scenario.coverage import pack_scenarios, showing

KIND_NAMES: Final = {
    "one_shot": "one-shot",
    "item": "Item",
    "go_up_a_level": "Go Up a Level",
    "race_or_class_enhancer": "Race or Class enhancer",
}
_RULE_ID: Final = re.compile(r"\b[A-Z]+(?:-[A-Z]+)*-\d+\b")


def show_scenarios(scenarios: list[str]) -> None:
    """The scenarios that show something, each with its place."""
    out = console()
    out.print()
    out.print(Text("Scenarios" if scenarios else "No scenario shows it.", "bold" if scenarios else "dim"))
    for line in scenarios:
        place, _, title = line.partition(" ")
        out.print(Text.assemble("  ", title, (f"  {place}", "dim")), soft_wrap=True)


# -- the command --------------------------------------------------------------------------------------------------


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "cards",
        help="list the card packs, or show a card",
        description="List the card packs with their counts, the cards of one pack, or one card as at the table.",
        epilog='Examples: kickdoor cards; kickdoor cards --pack classic; kickdoor cards "Net Troll"',
    )
    parser.add_argument("name", nargs="?", help="the card to show")
    parser.add_argument("--pack", metavar="P", help="only this pack: an id, or a folder of one's own")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        names = list(members([args.pack])) if args.pack else known_packs()
        if args.name is not None:
            return _one(args.name, names, args.json)
        return _packs(names, args.json, listed=bool(args.pack))
    except ReadingError as e:
        return complain(e)


def definitions(pack: str) -> tuple[str, list[CardDef]]:
    """A pack's id and its physical cards, compiled together with the packs it needs."""
    head = read_pack(find_pack(pack)).head
    lib = library((*head.needs, pack))
    return head.id, [d for d in lib.defs if d.pack == head.id]


def identity(d: CardDef) -> tuple[str, str | None]:
    """What tells a card from others of its pack: its name, and its set if there are namesakes (XOVER-29)."""
    return d.name, d.card.set_


def summary(id: str, cards: list[CardDef]) -> dict[str, Any]:
    """The counts of one pack; every copy is a card, blanks are not."""
    kinds = Counter(d.kind for d in cards)
    return {
        "id": id,
        "doors": sum(1 for d in cards if d.deck == 0),
        "treasures": sum(1 for d in cards if d.deck == 1),
        "different": len({identity(d) for d in cards}),
        "kinds": dict(sorted(kinds.items())),
    }


def _packs(names: list[str], for_programs: bool, listed: bool) -> int:
    found, code = [], 0
    for name in names:
        try:
            found.append((name, *definitions(name)))
        except ReadingError as e:
            if listed:
                raise
            code = complain(e)
    if for_programs:
        as_json({"packs": [summary(id, cards) for _, id, cards in found]})
    elif listed:
        for one in found:
            _list(*one)
    else:
        _overview(found)
    return code


def _overview(found: list[tuple[str, str, list[CardDef]]]) -> None:
    rows = []
    for name, id, cards in found:
        s = summary(id, cards)
        kinds = ", ".join(f"{n} {kind_name(k, n)}" for k, n in sorted(s["kinds"].items(), key=lambda kn: -kn[1]))
        title = read_pack(find_pack(name)).head.title
        rows.append((id, title, str(s["doors"]), str(s["treasures"]), str(s["different"]), kinds))
    columns(rows, ("pack", "title", "doors", "treasures", "different", "kinds"), right=(2, 3, 4))


def _list(name: str, id: str, cards: list[CardDef]) -> None:
    """The cards of one pack by deck and kind."""
    head = read_pack(find_pack(name)).head
    s = summary(id, cards)
    out = console()
    out.print(Text(head.title, "bold"))
    if head.about:
        out.print(Text(head.about.strip()))
    out.print(f"{s['doors']} Doors and {s['treasures']} Treasures, {s['different']} different cards.")
    copies = Counter(identity(d) for d in cards)
    groups: dict[tuple[int, str], dict[tuple[str, str | None], CardDef]] = {}
    for d in cards:
        groups.setdefault((d.deck, d.kind), {})[identity(d)] = d
    for (deck, kind), these in sorted(groups.items()):
        out.print()
        deck_name = ("Doors", "Treasures", "Dungeons", "Spells", "Fairy Dust")[deck]
        out.print(Text(f"{deck_name}: {kind_name(kind, 2)}", "bold"))
        rows = [(d.name, f"x{copies[k]}" if copies[k] > 1 else "", figures(d)) for k, d in these.items()]
        columns(rows, ("card", "", "figures"))


# -- one card -----------------------------------------------------------------------------------------------------


def plain(name: str) -> str:
    """A name as people type it: without case, accents, or how its dots, quotes and blanks are set."""
    bare = "".join(c for c in normalize("NFKD", name.replace("’", "'")) if not combining(c))
    return re.sub(r"\s+", " ", re.sub(r"\.(\s*\.)+\s*", "...", bare)).strip().casefold()


def spellings(d: CardDef) -> list[str]:
    """The names that a card goes by in print, as people type them, its own first."""
    return [plain(name) for name in (d.name, *d.card.aka)]


def called(d: CardDef, name: str) -> int:
    """How well a card answers to a name: by its own (2), by another spelling in print (1), or not (0)."""
    own, *others = spellings(d)
    asked = plain(name)
    return 2 if asked == own else int(asked in others)


def _one(name: str, packs: list[str], for_programs: bool) -> int:
    found: list[tuple[str, CardDef, int]] = []
    known: dict[str, str] = {}
    for pack in packs:
        try:
            id, cards = definitions(pack)
        except ReadingError as e:
            complain(e)
            continue
        known.update({spelling: d.name for d in cards for spelling in spellings(d)})
        same = [d for d in cards if called(d, name)]
        first = {identity(d): d for d in reversed(same)}
        counts = Counter(identity(d) for d in same)
        found += [(id, first[key], n) for key, n in counts.items()]
    if not found:
        return complain(f"no card {short(name)}; {nearest(name[:KEY_LETTERS], known)}")
    found.sort(key=lambda f: -called(f[1], name))
    id = found[0][0]
    cards_here = [(card, copies) for pack, card, copies in found if pack == id]
    others = [other for other, _, _ in found if other != id]
    if for_programs:
        out = data(*cards_here[0], others)
        out |= {"namesakes": [data(*c, []) for c in cards_here[1:]]} if cards_here[1:] else {}
        as_json(out)
        return 0
    for i, (card, copies) in enumerate(cards_here):
        if i:
            console().print()
        show(card, copies, others)
    return 0


def nearest(name: str, known: dict[str, str]) -> str:
    """What may have been meant: a name that is spelled like it, or one that has it in it."""
    low = plain(name)
    inside = [full for key, full in sorted(known.items()) if low and low in key]
    near = [known[key] for key in get_close_matches(low, list(known), 3, 0.6)]
    best = list(dict.fromkeys(near + inside))[:3]
    if best:
        return "did you mean " + " or ".join(repr(b) for b in best) + "?"
    return "`kickdoor cards --pack P` lists a pack's cards"


def data(d: CardDef, copies: int, others: list[str]) -> dict[str, Any]:
    """A card for programs: what its file says, with what the kind implies."""
    implied = {"name": d.name, "pack": d.pack, "kind": d.kind, "deck": list(DECK_NUMBERS)[d.deck]}
    out = {**msgspec.to_builtins(d.card), **implied, "copies": copies}
    if others:
        out["also_in"] = others
    return out


def kind_name(kind: str, n: int = 1) -> str:
    name = KIND_NAMES.get(kind, kind.replace("_", " "))
    if n == 1 or name == "Go Up a Level":
        return name
    if name.endswith("y"):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith("s") else "s")


def heading(d: CardDef) -> str:
    """The deck and the kind of a card. What makes an Item is the price, not the kind (ITEM-1, HIRE-6, SH-20)."""
    deck = ("Door", "Treasure", "Dungeon", "Spell", "Fairy Dust")[d.deck]
    kind = kind_name(d.kind)
    if d.is_item and d.kind != "item":
        kind += " Item" if d.kind == "one_shot" else ", an Item"
    return f"{deck}, {kind}"


def figures(d: CardDef) -> str:
    """The numbers of a card in one line."""
    return ", ".join(_figures(d))


def _figures(d: CardDef) -> Iterator[str]:
    if d.kind == "monster":
        yield f"Level {d.level}"
        yield plural(d.treasures, "Treasure")
        if d.levels != 1:
            yield plural(d.levels, "level")
        yield from sorted(t.capitalize() for t in d.tags & {"undead"})
    elif d.kind == "monster_enhancer":
        if d.card.level:
            yield f"{d.card.level:+d} Level"
        if d.treasures:
            yield f"{d.treasures:+d} Treasure{'s' if abs(d.treasures) > 1 else ''}"
    if d.bonus:
        yield f"{d.bonus:+d}"
    if d.run_away:
        yield f"{d.run_away:+d} to run away"
    if d.slot:
        yield SLOTS[d.slot]
    if d.big:
        yield "Big"
    if d.usable_by:
        yield f"{' or '.join(sorted(t.title() for t in d.usable_by))} only"
    if d.not_usable_by:
        yield f"not for {' or '.join(sorted(t.title() for t in d.not_usable_by))}"
    if d.gold is not None:
        yield f"{d.gold} Gold Pieces" if d.gold else "no value"


def show(d: CardDef, copies: int, others: list[str]) -> None:
    """A card as it lies on the table, and what is worth knowing about it."""
    out = console()
    out.print(Text(d.name, "bold"))
    out.print(Text(f"{heading(d)} ({d.pack}{f', {copies} copies' if copies > 1 else ''})", "dim"))
    if d.card.aka:
        out.print(Text(f"also printed as {' / '.join(d.card.aka)}", "dim"))
    if line := figures(d):
        out.print(line)
    for label, text in (("", d.card.text), ("Bad Stuff: ", d.card.bad_stuff_text), ("Note: ", note(d))):
        if text:
            out.print()
            out.print(Text.assemble((label, "bold"), text.strip()))
    _rules(out, d)
    if d.pack in known_packs():
        show_scenarios(showing(f"{d.pack}:{d.name}", pack_scenarios()))
    if others:
        out.print()
        out.print(Text(f"Also in {', '.join(others)}: see --pack.", "dim"))


def note(d: CardDef) -> str:
    """What is worth knowing about a card; where figures are not the published ones, this as well."""
    said = (d.card.note or "").strip()
    if d.card.origin == "ours" and not re.search(r"\bours\b", said):
        said = f"{said} What is printed on it was not found; its figures are ours.".strip()
    return said


def _rules(out: Console, d: CardDef) -> None:
    """The rules that a card's note cites, in full."""
    cited = list(dict.fromkeys(_RULE_ID.findall(f"{d.card.note or ''} {d.card.text or ''}")))
    pages = []
    for id in cited:
        try:
            pages.append(rule(id))
        except RuleError:
            continue
    if pages:
        out.print()
        out.print(Text("Rules", "bold"))
    for page in pages:
        out.print(Padding(Text.assemble((f"{page.id} ", "bold"), page.says), (0, 0, 0, 2), expand=False))
