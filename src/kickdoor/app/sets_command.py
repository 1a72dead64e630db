"""`kickdoor sets`: which sets there are, and what becomes of a game that mixes some of them."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import Any, Final

from rich.text import Text

from kickdoor.app.cards_command import figures, kind_name
from kickdoor.app.terminal import as_json, columns, complain, console, plural
from kickdoor.cards.evenings import Evening, evening, evenings
from kickdoor.cards.evenings import names as evening_names
from kickdoor.cards.library import CardDef
from kickdoor.cards.packs import PackError, find_pack, members, read_pack
from kickdoor.cards.reading import ReadingError
from kickdoor.engine.setup import library, rules_for
from kickdoor.engine.table import deck_building
from kickdoor.engine.table.deck_building import PORTAL_BLOCK
from kickdoor.engine.value.ruleset import RulesetError
from kickdoor.lab import mix_report
from kickdoor.rulebook import RuleError, rule
from kickdoor.voice import boxes
from kickdoor.voice.choices import CHOICES, FLAGS

EPILOG: Final = """\
  kickdoor sets                                the shelf: boxes, expansions, and evenings to recommend
  kickdoor sets bites                          what that box is like, and what it switches on and off
  kickdoor sets classic cwbh                   what is in that mix, and what the books say about it
  kickdoor sets --evening saddle               the same of an evening that is recommended
  kickdoor sets --build classic cwbh bites     the decks as they would be played, and how to play them
  kickdoor sets --build --all-cards classic cwbh     the same with every card, whatever the books recommend
"""
PILES: Final = tuple(word for word, _ in CHOICES["piles"].words)
PORTALS: Final = tuple(word for word, _ in CHOICES["portals"].words)


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "sets",
        help="what a mix of sets contains, and what the books recommend for it",
        description="The sets there are, and what becomes of a game that mixes some of them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "sets", nargs="*", metavar="SET", help="the sets of the mix, with spaces or commas between them"
    )
    parser.add_argument("--build", action="store_true", help="show the decks that would be dealt from")
    parser.add_argument("--players", type=int, default=4, metavar="N", help="for so many players (default 4)")
    parser.add_argument("--edition", metavar="NAME", help="whose rules (default: those of the first set)")
    parser.add_argument("--seed", type=int, default=1, help="which cards are left out, where chance decides")
    parser.add_argument("--json", action="store_true", help="for programs")
    options(parser)
    parser.set_defaults(run=run)


def options(parser: argparse.ArgumentParser) -> None:
    """What a table can decide about its decks and its game; `kickdoor play` has the same words."""
    parser.add_argument(
        "--evening",
        metavar="NAME",
        help=f"a mix that is recommended: {', '.join(evening_names())}; `kickdoor sets` tells what they are",
    )
    parser.add_argument(
        "--by-the-book",
        action="store_true",
        help="fractions, filters, Portals and piles as the books recommend; what you say besides counts more",
    )
    parser.add_argument("--all-cards", action="store_true", help="every card of every set, whatever is recommended")
    parser.add_argument(
        "--piles", choices=PILES, default="one", help="tall decks: two halves, a reserve half, or a pile per set"
    )
    parser.add_argument(
        "--first-dungeon", default="random", metavar="WHICH", help="random, or the Dungeon you agree on (DUNG-12)"
    )
    parser.add_argument("--lock-dungeon", action="store_true", help="the first Dungeon is never left (DUNG-15)")
    parser.add_argument(
        "--portals", choices=PORTALS, default="suggested", help="which Portals; none: one Dungeon only (DUNG-14)"
    )
    parser.add_argument(
        "--portal-block",
        type=int,
        nargs="?",
        const=PORTAL_BLOCK,
        default=0,
        metavar="N",
        help=f"mix the Portals into the top N Doors only (PORTAL-16; {PORTAL_BLOCK} if you give no number)",
    )
    parser.add_argument("--faster", action="store_true", help="the faster game: listen at the door, loot Treasure")
    parser.add_argument("--shared-victory", action="store_true", help="a helper wins along with the winner")
    parser.add_argument("--epic", action="store_true", help="play to level 20")


def fields(args: argparse.Namespace, packs: Sequence[str]) -> dict[str, Any]:
    """The rules fields that these options set for a game with these sets; what is said of a single one counts most."""
    if args.by_the_book and args.all_cards:
        raise PackError("--by-the-book leaves cards in the box and --all-cards does not; say one of them")
    said = _said(args)
    tonight = evening(args.evening) if args.evening else None
    if tonight is not None:
        said = {name: value for h in tonight.house for name, value in FLAGS[h].fields.items()} | said
    if args.by_the_book or (tonight is not None and not args.all_cards):
        said = deck_building.by_the_book(library(packs), rules_for(packs, args.edition, **said)) | said
    return said


def _said(args: argparse.Namespace) -> dict[str, Any]:
    """What each option says for itself."""
    words = {"faster": args.faster, "shared": args.shared_victory, "epic": args.epic, "all_cards": args.all_cards}
    words["locked_dungeon"] = args.lock_dungeon
    out: dict[str, Any] = {k: v for flag, on in words.items() if on for k, v in FLAGS[flag].fields.items()}
    for name, c in CHOICES.items():
        if getattr(args, name) != c.words[0][0]:
            out[c.field] = getattr(args, name)
    return out


def chosen(args: argparse.Namespace, said: Sequence[str]) -> list[str]:
    """The sets of a game: those that were named, or those of an evening."""
    packs = named(said)
    if not args.evening:
        return packs
    if packs:
        raise PackError(f"--evening {args.evening} names the sets itself; leave out {', '.join(packs)}, or the evening")
    return list(evening(args.evening).packs)


def named(words: Sequence[str]) -> list[str]:
    """`classic,cwbh` and `classic cwbh` are the same mix; a set twice is a slip, a bundle is the sets in it."""
    out = [w.strip() for word in words for w in word.split(",") if w.strip()]
    twice = [w for w in out if out.count(w) > 1]
    if twice:
        raise PackError(f"{twice[0]!r} is named twice; a set is in the mix once, name it once")
    return list(members(out))


def run(args: argparse.Namespace) -> int:
    try:
        packs = chosen(args, args.sets)
        if not packs:
            if args.build:
                raise PackError("--build needs the sets to build from, such as: kickdoor sets --build classic cwbh")
            return _all(args.json)
        if not 1 <= args.players <= 12:
            raise PackError(f"--players {args.players}: say how many will play, 3 to 6 as a rule")
        mix = mix_report.describe(packs, args.edition, args.players, args.seed, **fields(args, packs))
    except (ReadingError, RulesetError) as e:
        return complain(e)
    if args.json:
        as_json({**mix, "sets": [{**s, **on_the_shelf(p)} for s, p in zip(mix["sets"], packs, strict=True)]})
    elif args.build:
        _build(mix, packs, args)
    else:
        _mix(mix, packs)
    return 0 if mix["decks"]["playable"] or not args.build else 1


# -- the shelf ----------------------------------------------------------------------------------------------------


def on_the_shelf(pack: str) -> dict[str, Any]:
    """A set as it stands there: what it brings, what it is like, and what the books say of it in a mix."""
    head = read_pack(find_pack(pack)).head
    lib = library(tuple(dict.fromkeys((*head.needs, pack))))
    return {
        "line": boxes.line(head),
        "about": head.about,
        "sources": head.sources,
        "special": boxes.special(library((pack,)), rules_for((pack,))),
        "samples": [_sample(d) for d in boxes.samples(lib, head)],
        "mixing": [_rule(ident) for ident in head.mixing],
    }


def _sample(d: CardDef) -> dict[str, str]:
    return {"name": d.name, "kind": kind_name(d.kind), "figures": figures(d), "text": d.card.text or ""}


def _rule(ident: str) -> dict[str, str]:
    try:
        return {"rule": ident, "says": rule(ident).says}
    except RuleError as e:  # somebody's own pack may cite what is nowhere
        return {"rule": ident, "says": str(e)}


def _all(for_programs: bool) -> int:
    sets = [{**s, **on_the_shelf(s["id"])} for s in mix_report.known_sets()]
    if for_programs:
        as_json({"sets": sets, "evenings": [_tonight(e) for e in evenings()]})
        return 0
    out = console()
    alone = [s for s in sets if s["is"] == mix_report.BASE]
    out.print(Text("Boxes: each is a game of its own (kickdoor play --packs bites), and they mix", "bold"))
    for s in alone:
        _stands(s, "; ".join(s["special"]))
    out.print()
    out.print(Text("Sets to shuffle into them", "bold"))
    for s in sets:
        if s not in alone:
            _stands(s, _to_be(s["traits"]))
    out.print()
    out.print(Text("Evenings to recommend (kickdoor play --evening first)", "bold"))
    for e in evenings():
        out.print()
        out.print(Text.assemble((e.id, "bold"), f"  {e.title}, for {e.seats[0]} to {e.seats[1]}"))
        out.print(Text(f"  {e.why}"), soft_wrap=True)
        out.print(Text(f"  {_contents(e)}", "dim"), soft_wrap=True)
    out.print()
    out.print(
        Text("In a mix the first set gives the rules: kickdoor play --packs bites,classic plays by those of Bites!.")
    )
    out.print(Text("More about one, with sample cards: kickdoor sets bites. About a mix: kickdoor sets classic cwbh."))
    return 0


_DECKS: Final = (
    ("doors", "Door"),
    ("treasures", "Treasure"),
    ("dungeons", "Dungeon"),
    ("spells", "Spell"),
    ("fairy_dust", ""),
)


def _stands(s: dict[str, Any], special: str) -> None:
    """A set on the shelf, in a few lines."""
    out = console()
    size = [plural(s[deck], word) if word else f"{s[deck]} Fairy Dust" for deck, word in _DECKS if s[deck]]
    how = "" if s["is"] == mix_report.BASE else f" ({s['is']})"
    out.print()
    out.print(Text.assemble((s["id"], "bold"), f"  {s['title']}{how}, {' and '.join(size) or 'in no deck'}"))
    out.print(Text(f"  {s['about']}"), soft_wrap=True)
    if special:
        out.print(Text(f"  {special}", "dim"), soft_wrap=True)
    out.print(Text(f"  Such as: {'; '.join(x['name'] for x in s['samples'])}", "dim"), soft_wrap=True)


def _to_be(traits: dict[str, list[str]]) -> str:
    """What one can be with it."""
    return "; ".join(
        f"{kind_name(kind, 2).capitalize()}: {', '.join(names)}" for kind, names in traits.items() if names
    )


def _tonight(e: Evening) -> dict[str, Any]:
    return {"id": e.id, "title": e.title, "why": e.why, "packs": e.packs, "seats": e.seats, "house": e.house}


def _contents(e: Evening) -> str:
    titles = [read_pack(find_pack(p)).head.title for p in e.packs]
    return " + ".join([*titles, *(FLAGS[h].title.split(":")[0] for h in e.house)])


def _look_inside(pack: str) -> None:
    """One set at length: what it brings, three of its cards, and what the books say of it in a mix."""
    s, out = on_the_shelf(pack), console()
    for text in (s["about"], s["sources"]):
        if text:
            out.print(Text(f"  {text}", "" if text == s["about"] else "dim"), soft_wrap=True)
    out.print()
    out.print(Text("Such as", "bold"))
    for x in s["samples"]:
        what = ", ".join(w for w in (x["kind"], x["figures"]) if w)
        out.print(Text.assemble("  ", (x["name"], "bold"), f" ({what})  {x['text']}"), soft_wrap=True)
    if s["mixing"]:
        out.print()
        out.print(Text("In a mix", "bold"))
        columns([(m["rule"], m["says"]) for m in s["mixing"]], ("rule", ""))


def _head(mix: dict[str, Any]) -> None:
    out = console()
    out.print(Text(" + ".join(s["title"] for s in mix["sets"]), "bold"))
    for s in mix["sets"]:
        out.print(Text(f"  {s['id']}: {s['is']}", "dim"))
    out.print(Text(f"By the rules of: {mix['edition']}"))


def _mix(mix: dict[str, Any], packs: Sequence[str]) -> None:
    out = console()
    _head(mix)
    if len(packs) == 1:
        _look_inside(packs[0])
    out.print()
    more = (("dungeons", "Dungeons"), ("spells", "Spells"), ("fairy_dust", "Fairy Dust"))
    extra = "".join(f", {mix[deck]} {title}" for deck, title in more if mix[deck])
    out.print(Text(f"{mix['doors']} Doors and {mix['treasures']} Treasures{extra}"))
    kinds = sorted(mix["kinds"].items(), key=lambda kn: -kn[1])
    out.print(Text("  " + ", ".join(f"{n} {kind_name(k, n)}" for k, n in kinds)))
    for kind, names in mix["traits"].items():
        if names:
            out.print(Text(f"  {kind_name(kind, 2).capitalize()}: {', '.join(names)}"))
    out.print()
    out.print(Text("In this game", "bold"))
    rows = [("on" if s["on"] else "off", s["what"], s["why"], s["rule"]) for s in mix["switches"]]
    columns(rows, ("", "what", "why", "rule"))
    _advice(mix)
    _verdict(mix)
    out.print(Text(f"\nThe decks themselves: kickdoor sets --build {' '.join(packs)}", "dim"))


_DONE: Final = {True: "done", False: "not so", None: "up to you"}


def _advice(mix: dict[str, Any]) -> None:
    out = console()
    out.print()
    if not mix["recommended"]:
        out.print(Text("The books have nothing to say about this mix: use all cards."))
        return
    out.print(Text("The books recommend", "bold"))
    rows = [(_DONE[a["followed"] if a["fields"] else None], a["rule"], a["says"]) for a in mix["recommended"]]
    columns(rows, ("", "rule", ""))
    if any(a["fields"] and not a["followed"] for a in mix["recommended"]):
        out.print(Text("All of it at once: add --by-the-book.", "dim"))


def _verdict(mix: dict[str, Any]) -> None:
    decks = mix["decks"]
    if not decks["playable"]:
        console().print(
            Text(f"\nNot enough for a game: {decks['refused']['says']} ({decks['refused']['rule']})", "bold red")
        )


def _build(mix: dict[str, Any], packs: Sequence[str], args: argparse.Namespace) -> None:
    out = console()
    decks = mix["decks"]
    _head(mix)
    _advice(mix)
    out.print()
    out.print(
        Text(f"For {decks['players']} players: {decks['doors']} Doors and {decks['treasures']} Treasures", "bold")
    )
    if decks["in_the_box"]:
        out.print(Text(f"In the box: {decks['in_the_box']} cards."))
    if decks["left_out"]:
        out.print(Text(f"Of no use here: {', '.join(decks['left_out'])}"))
    _verdict(mix)
    if decks["playable"]:
        out.print(Text(f"\nPlay it: {play_line(packs, args)}", "dim"))


def play_line(packs: Sequence[str], args: argparse.Namespace) -> str:
    """The command that plays this very mix."""
    words = ["kickdoor play", *(["--evening", args.evening] if args.evening else ["--packs", ",".join(packs)])]
    if args.players != 4:
        words += ["--players", str(args.players)]
    if args.edition:
        words += ["--edition", args.edition]
    for flag in ("all_cards", "epic", "faster", "shared_victory", "lock_dungeon", "by_the_book"):
        if getattr(args, flag):
            words.append("--" + flag.replace("_", "-"))
    for name, c in CHOICES.items():
        if getattr(args, name) != c.words[0][0]:
            words += ["--" + name.replace("_", "-"), shlex.quote(str(getattr(args, name)))]
    return " ".join(words)
