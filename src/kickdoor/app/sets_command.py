"""`kickdoor sets`: which sets there are, and what becomes of a game that mixes some of them."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from typing import Any, Final

from rich.text import Text

from kickdoor.app.cards_command import kind_name
from kickdoor.app.terminal import as_json, columns, complain, console
from kickdoor.cards.packs import PackError, find_pack, members, read_pack
from kickdoor.cards.reading import ReadingError
from kickdoor.engine.setup import library, rules_for
from kickdoor.engine.value.ruleset import RulesetError
from kickdoor.lab import mix_report
from kickdoor.voice import boxes
from kickdoor.voice.choices import CHOICES, FLAGS, PORTAL_BLOCK

EPILOG: Final = """\
  kickdoor sets                                the sets there are
  kickdoor sets bites                          what is in that box, and what it switches on and off
  kickdoor sets classic cwbh                   what is in that mix, and what the books say about it
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


def fields(args: argparse.Namespace) -> dict[str, Any]:
    """The rules fields that these options set."""
    words = {"faster_play": args.faster, "shared_victory": args.shared_victory, "epic": args.epic}
    out: dict[str, Any] = {k: True for k, v in words.items() if v}
    if args.all_cards:
        out |= FLAGS["all_cards"].fields
    if args.lock_dungeon:
        out |= FLAGS["locked_dungeon"].fields
    for name, c in CHOICES.items():
        if getattr(args, name) != c.words[0][0]:
            out[c.field] = getattr(args, name)
    return out


def named(words: Sequence[str]) -> list[str]:
    """`classic,cwbh` and `classic cwbh` are the same mix; a set twice is a slip, a bundle is the sets in it."""
    out = [w.strip() for word in words for w in word.split(",") if w.strip()]
    twice = [w for w in out if out.count(w) > 1]
    if twice:
        raise PackError(f"{twice[0]!r} is named twice; a set is in the mix once, name it once")
    return list(members(out))


def run(args: argparse.Namespace) -> int:
    try:
        packs = named(args.sets)
        if not packs:
            if args.build:
                raise PackError("--build needs the sets to build from, such as: kickdoor sets --build classic cwbh")
            return _all(args.json)
        if not 1 <= args.players <= 12:
            raise PackError(f"--players {args.players}: say how many will play, 3 to 6 as a rule")
        mix = mix_report.describe(packs, args.edition, args.players, args.seed, **fields(args))
    except (ReadingError, RulesetError) as e:
        return complain(e)
    if args.json:
        as_json(mix)
    elif args.build:
        _build(mix, packs, args)
    else:
        _mix(mix, packs)
    return 0 if mix["decks"]["playable"] or not args.build else 1


def _all(for_programs: bool) -> int:
    sets = [{**s, **_on_the_shelf(s["id"])} for s in mix_report.known_sets()]
    if for_programs:
        as_json({"sets": sets})
        return 0
    out = console()
    alone = [s for s in sets if s["is"] == mix_report.BASE]
    out.print(Text("Boxes: each is a game of its own (kickdoor play --packs bites), and they mix", "bold"))
    for s in alone:
        out.print()
        out.print(
            Text.assemble((s["id"], "bold"), f"  {s['title']}, {s['doors']} Doors and {s['treasures']} Treasures")
        )
        out.print(Text(f"  {s['line']}"), soft_wrap=True)
        out.print(Text(f"  {'; '.join(s['special'])}", "dim"), soft_wrap=True)
    out.print()
    out.print(Text("Sets to shuffle into them", "bold"))
    rows = []
    for s in sets:
        if s not in alone:
            traits = [f"{len(names)} {kind_name(kind, len(names))}" for kind, names in s["traits"].items() if names]
            rows.append((s["id"], s["title"], s["is"], str(s["doors"]), str(s["treasures"]), ", ".join(traits)))
    columns(rows, ("set", "title", "", "doors", "treasures", "what you can be"), right=(3, 4))
    out.print()
    out.print(
        Text("In a mix the first set gives the rules: kickdoor play --packs bites,classic plays by those of Bites!.")
    )
    return 0


def _on_the_shelf(pack: str) -> dict[str, Any]:
    return {
        "line": boxes.line(read_pack(find_pack(pack)).head),
        "special": boxes.special(library((pack,)), rules_for((pack,))),
    }


def _head(mix: dict[str, Any]) -> None:
    out = console()
    out.print(Text(" + ".join(s["title"] for s in mix["sets"]), "bold"))
    for s in mix["sets"]:
        out.print(Text(f"  {s['id']}: {s['is']}", "dim"))
    out.print(Text(f"By the rules of: {mix['edition']}"))


def _mix(mix: dict[str, Any], packs: Sequence[str]) -> None:
    out = console()
    _head(mix)
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


def _advice(mix: dict[str, Any]) -> None:
    out = console()
    out.print()
    if not mix["recommended"]:
        out.print(Text("The books have nothing to say about this mix: use all cards."))
        return
    out.print(Text("The books recommend", "bold"))
    columns([(a["rule"], a["says"]) for a in mix["recommended"]], ("rule", ""))


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
    words = ["kickdoor play", "--packs", ",".join(packs)]
    if args.players != 4:
        words += ["--players", str(args.players)]
    if args.edition:
        words += ["--edition", args.edition]
    for flag in ("all_cards", "epic", "faster", "shared_victory", "lock_dungeon"):
        if getattr(args, flag):
            words.append("--" + flag.replace("_", "-"))
    for name, c in CHOICES.items():
        if getattr(args, name) != c.words[0][0]:
            words += ["--" + name.replace("_", "-"), shlex.quote(str(getattr(args, name)))]
    return " ".join(words)
