"""`kickdoor play` and `kickdoor resume`: one person at a table of bots, in a terminal."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
from collections.abc import Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.text import Text

from kickdoor.app import saves, sets_command
from kickdoor.app.sitting import Session
from kickdoor.app.terminal import port, say
from kickdoor.bots import ALIASES, CHARACTERS, KINDS, BotError, known
from kickdoor.bots.ledger import Ledger
from kickdoor.cards.packs import PackError
from kickdoor.engine.chapters import dungeons
from kickdoor.engine.setup import check_seats, library, new_game, prepared, rules_for
from kickdoor.engine.table import accessories
from kickdoor.engine.table.deck_building import about_pace, check_choices, check_size
from kickdoor.engine.value.game import SEXES
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.paper.plain import one_line, short
from kickdoor.voice import boxes
from kickdoor.voice.telling import Line, tell

CROWD: Final = (
    ("Suzan", "female"),
    ("Bob", "male"),
    ("Mira", "female"),
    ("Otto", "male"),
    ("Pip", "female"),
    ("Grim", "male"),
)
PACKS_HELP: Final = (
    "a box (classic, bites, good_bad, magical_mess, shakespeare), or several and more sets with commas between; "
    "the first gives the rules. `kickdoor sets` tells what they are (default classic)"
)
MOST: Final = 12  # seats; the rules say how many of them a game takes


def copy_counts(words: Sequence[str]) -> dict[str, int]:
    """`Hoard!=1` and the like: how many of a card this game has."""
    out: dict[str, int] = {}
    for word in words:
        name, mark, n = word.rpartition("=")
        if not mark or not n.isdigit() or int(n) < 1:
            raise PackError(f"--copies {word!r} is not of the form CARD=NUMBER, such as 'Wandering Monster=2'")
        out[name.strip()] = int(n)
    return out


def seats(args: argparse.Namespace) -> list[str]:
    """The kinds of bots, from --bots and --players."""
    kinds = [k.strip() for k in args.bots.split(",") if k.strip()] if args.bots else []
    for k in kinds:
        if not known(k):
            near = get_close_matches(k, (*KINDS, *ALIASES), 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(KINDS)}"
            raise BotError(f"no bot {k!r}; {hint}")
    if args.players is not None and not 1 <= args.players <= MOST:
        raise BotError(f"--players {short(args.players)}: say how many will play, 3 to 6 as a rule")
    if args.players and kinds and args.players != len(kinds) + 1:
        raise BotError(f"--players {args.players} and {len(kinds)} bots do not fit: you are one of the players")
    if kinds:
        return kinds
    n = args.players - 1 if args.players else 3
    return ["greedy" if i % 3 == 2 else "schemer" for i in range(max(0, n))]


def packs_of(args: argparse.Namespace) -> list[str]:
    """The sets of the game: as named, those of an evening, or the best known box."""
    return sets_command.chosen(args, [args.packs]) or ["classic"]


def fields(args: argparse.Namespace, packs: Sequence[str]) -> dict[str, Any]:
    """The rules fields that the options set; who picks the first Dungeon is a question of this table only."""
    out = sets_command.fields(args, packs)
    if args.chosen_by:
        out["dungeons.chosen_by"] = args.chosen_by
    if args.bring:
        out["accessories.date"] = date.today().isoformat()
    return out


def chosen_rules(args: argparse.Namespace, packs: Sequence[str]) -> Ruleset:
    rules = rules_for(packs, args.edition, **fields(args, packs))
    return msgspec.structs.replace(rules, modules=(*rules.modules, accessories.MODULE)) if args.bring else rules


def things(args: argparse.Namespace, packs: Sequence[str], you: str) -> dict[str, list[str]]:
    """What you bring to the table (CAP-52)."""
    known = {d.name.lower(): d.name for d in library(packs).unique if d.kind == "accessory"}
    for thing in args.bring:
        if thing.lower() not in known:
            hint = f"there are: {', '.join(known.values())}" if known else "add the set accessories to --packs"
            raise PackError(f"--bring {thing!r}: nobody can bring that; {hint}")
    return {you: [known[thing.lower()] for thing in args.bring]} if args.bring else {}


def crowd(args: argparse.Namespace, kinds: Sequence[str]) -> list[tuple[str, str]]:
    """Everybody at the table, you first: name and sex."""
    name = one_line(args.name)[:16].strip() or "Guest"
    out = [(name, args.sex)]
    for i, kind in enumerate(kinds, 1):
        who = CHARACTERS.get(kind.partition(":")[2])
        names = [(who.name, who.sex)] if who is not None else []
        taken = {n.lower() for n, _ in out}
        out.append(next((c for c in (*names, *CROWD) if c[0].lower() not in taken), (f"Bot {i}", "male")))
    return out


def check_mix(args: argparse.Namespace, packs: Sequence[str], kinds: Sequence[str]) -> None:
    """Refuse here, in one line, what could not be dealt or won (SETUP-1, SETUP-5)."""
    rules = chosen_rules(args, packs)
    people = [name for name, _ in crowd(args, kinds)]
    check_seats(rules, len(people))
    mine = things(args, packs, people[0])
    g = prepared(people, packs, 1, rules, without=args.without, copies=copy_counts(args.copies), things=mine)
    check_choices(g.lib, rules)
    if rules.dungeons.chosen_by:
        dungeons.picker(g)
    check_size(g)


def advise(args: argparse.Namespace, packs: Sequence[str]) -> None:
    """What the books suggest for such a game, where it is not how the game will be (EPIC-2)."""
    rules = chosen_rules(args, packs)
    for a in about_pace(rules):
        if not a.followed(rules):
            say(f"{a.says} Add --faster for it. ({a.rule})")


def start(args: argparse.Namespace) -> int:
    """A table in the browser, or here."""
    if args.terminal or args.save:
        return play(args)
    from kickdoor.app import play_browser  # the server's packages take a moment to load

    if not play_browser.built():
        say("The browser table has not been built (make web does it), so the table is set in this terminal.")
        return play(args)
    packs = packs_of(args)
    rules = fields(args, packs) | ({"edition": args.edition} if args.edition else {})
    options: dict[str, Any] = {"packs": packs, "rules": rules, "without": list(args.without)}
    options |= {"copies": copy_counts(args.copies), "timer": "relaxed"}
    options["house"] = ["accessories"] if args.bring else []
    kinds = seats(args)
    check_mix(args, packs, kinds)
    advise(args, packs)
    return play_browser.play(args, crowd(args, kinds)[0][0], kinds, options)


def play(args: argparse.Namespace) -> int:
    """Begin a new game in the terminal."""
    packs = packs_of(args)
    kinds = seats(args)
    rules = chosen_rules(args, packs)
    seed = args.seed if args.seed is not None else secrets.randbelow(1_000_000_000)
    people, sexes = zip(*crowd(args, kinds), strict=True)
    mine = things(args, packs, people[0])
    copies = copy_counts(args.copies)
    game = new_game(people, packs, seed, rules, sexes, tuple(args.without), copies=copies, things=mine)
    path = Path(args.save) if args.save else saves.default_path()
    bots = [("you", 0), *((k, seed + i) for i, k in enumerate(kinds, 1))]
    session = Session(game, 0, bots, seed, path)
    _welcome(session, kinds)
    advise(args, packs)
    return _run(session)


def _welcome(session: Session, kinds: Sequence[str]) -> None:
    g, out = session.game, session.out
    others = ", ".join(f"{g.players[i].name} ({k})" for i, k in enumerate(kinds, 1))
    first = g.lib.heads[0]
    out.print(Text(f"Kickdoor: {' + '.join(h.title for h in g.lib.heads)}", "bold yellow"))
    out.print(Text(boxes.line(first) or "A dungeon, a door, and friends who would stab you for it.", "italic dim"))
    if len(g.lib.heads) > 1:
        out.print(Text(f"By the rules of {g.rules.meta.label}.", "dim"))
    out.print(Text(f"You are {g.players[0].name}, {SEXES[g.players[0].sex]}. At the table: {others}."))
    out.print(Text(f"{g.players[g.turn].name} begins. Seed {session.seed}. Type help at any time."))
    session.log += tell(g, g.events or [], 0)
    if g.events is not None:
        g.events.clear()


def resume(args: argparse.Namespace) -> int:
    """Go on where a game was left."""
    path = Path(args.file) if args.file else saves.default_path()
    saved, game = saves.read(path)
    session = Session(game, saved.you, list(saved.bots), saved.seed, path)
    session.table.count = saved.count
    session.table.turn = saved.turn
    session.table.recent = [Move(*m) for m in saved.recent]
    session.table.heard = saved.heard
    session.table.ledger = Ledger.of(saved.ledger)
    session.log = [Line(*line) for line in saved.log]
    session.untold = session.log[-8:]
    return _run(session)


def _run(session: Session) -> int:
    """Play; whatever happens, the game is on disk."""
    if hasattr(signal, "SIGTERM"):
        signal.signal(signal.SIGTERM, _stop)
    try:
        return session.run()
    except KeyboardInterrupt:
        session.save()
        session.out.print(f"\nSaved. Go on with: kickdoor resume{session._where()}")
        return 130


def _stop(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `play` and `resume`."""
    p = subparsers.add_parser("play", help="play against bots, in the browser or in this terminal")
    p.add_argument("--terminal", action="store_true", help="in this terminal, not in the browser")
    p.add_argument("--port", type=port, help="where the browser finds the table (default: 8765 or any free one)")
    p.add_argument("--no-open", action="store_true", help="only print the address, do not open a browser")
    p.add_argument(
        "--data",
        type=Path,
        help="folder for the journal of the browser table (default: $KICKDOOR_DATA, or ~/.local/share/kickdoor)",
    )
    p.add_argument(
        "--bots",
        metavar="KINDS",
        default="",
        help=f"who sits at the table, such as schemer:miser,schemer,easy; characters: {', '.join(CHARACTERS)}",
    )
    p.add_argument("--players", type=int, metavar="N", help="how many players, you included (default 4)")
    p.add_argument("--name", default=os.environ.get("USER", "").capitalize() or "Guest", help="your name")
    p.add_argument("--sex", choices=SEXES, default="male", help="your munchkin's sex, at first")
    p.add_argument("--seed", type=int, help="play this very deal again")
    p.add_argument("--packs", default="", metavar="PACKS", help=PACKS_HELP)
    p.add_argument(
        "--copies", action="append", default=[], metavar="CARD=N", help="another number of a card; may be repeated"
    )
    p.add_argument("--without", action="append", default=[], metavar="CARD", help="leave a card out; may be repeated")
    p.add_argument("--edition", metavar="NAME", help="whose rules (default: those of the first pack)")
    sets_command.options(p)
    p.add_argument(
        "--chosen-by", default="", metavar="NAME", help="who that is, where --first-dungeon is winner or loser"
    )
    p.add_argument(
        "--bring",
        action="append",
        default=[],
        metavar="THING",
        help="an accessory of yours (with the set accessories in the mix); may be repeated",
    )
    p.add_argument("--save", metavar="FILE", help="where to keep the game")
    p.set_defaults(run=start)
    r = subparsers.add_parser("resume", help="go on with a saved game")
    r.add_argument("file", nargs="?", help="the saved game (default: the last one)")
    r.set_defaults(run=resume)
