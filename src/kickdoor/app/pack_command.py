"""`kickdoor pack`: check a pack of one's own, start a new one, print the schema for editors."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.text import Text

from kickdoor.app import pack_trial_command
from kickdoor.app.terminal import as_json, complain, console, plural, say
from kickdoor.cards import reprints
from kickdoor.cards.checking import NAME_LETTERS
from kickdoor.cards.language import CardFile
from kickdoor.cards.linting import Check, Engine, Level
from kickdoor.cards.packs import build, known_packs
from kickdoor.engine import kernel
from kickdoor.engine.effects import verbs
from kickdoor.engine.facts.questions import ASKED
from kickdoor.engine.value.ruleset import RulesetError, ruleset
from kickdoor.paper.files import why, write_folder
from kickdoor.paper.plain import one_line

STARTER: Final = Path(__file__).resolve().parent / "starter"
SCHEMA_FILE: Final = "cards.schema.json"


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "pack",
        help="make and check card packs of your own",
        description="Make and check card packs of your own. The language of the cards is in docs/card-language.md.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="say what is wrong with a pack",
        description="Check a pack folder: its schema, what its names refer to, what it lacks.",
        epilog="Exit code: 0 if the pack can be played, whatever the warnings; 2 if it has errors.",
    )
    check.add_argument("folder", type=Path, metavar="DIR")
    check.add_argument("--json", action="store_true", help="for programs")
    pack_trial_command.add(check)
    check.set_defaults(run=_run_check)
    new = actions.add_parser(
        "new", help="write a small pack to start from", description="Write a small, commented pack to start from."
    )
    new.add_argument("folder", type=Path, metavar="DIR")
    new.add_argument("--id", metavar="ID", help="default: the folder's name")
    new.add_argument("--title", metavar="T", help="default: from the id")
    new.set_defaults(run=_run_new)
    schema = actions.add_parser(
        "schema",
        help="print the JSON Schema of a file of cards",
        description="Print the JSON Schema of a file of cards.",
    )
    schema.set_defaults(run=_run_schema)


# -- schema and starter -------------------------------------------------------------------------------------------


def schema_text() -> str:
    """The JSON Schema by which editors complete and check a file of cards."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(CardFile)}
    schema["$defs"]["Card"] |= {"if": {"required": ["as_in"]}, "then": {"propertyNames": {"enum": list(reprints.OWN)}}}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _run_schema(args: argparse.Namespace) -> int:
    say(schema_text(), end="")
    return 0


def _run_new(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    id = args.id or re.sub(r"[^a-z0-9]+", "_", Path(os.path.abspath(folder)).name.lower()).strip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", id):
        return complain(
            f"an id is small letters, digits and _, and begins with a letter, not {id!r}; give one with --id"
        )
    if id in known_packs():
        return complain(f"there is a pack {id!r} already; give another id with --id")
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(STARTER.glob("*.yaml"))}
    files[SCHEMA_FILE] = schema_text()
    title = one_line(args.title or "") or id.replace("_", " ").title()
    if max(len(id), len(title)) > NAME_LETTERS:
        return complain(f"an id and a title have at most {NAME_LETTERS} letters; give shorter ones (--id, --title)")
    there = [name for name in files if (folder / name).exists()]
    if there or (folder.exists() and not folder.is_dir()):
        return complain(f"{folder / there[0] if there else folder} exists already; nothing was written")
    words = {"__ID__": id, "__TITLE__": json.dumps(title, ensure_ascii=False)}
    for mark, word in words.items():
        files = {name: text.replace(mark, word) for name, text in files.items()}
    try:
        write_folder(folder, files)
    except OSError as e:
        return complain(f"{folder}: cannot be written: {why(e)}; nothing was")
    say(f"Wrote {folder}: {', '.join(files)}.")
    say(f"  kickdoor pack check {folder}              what is wrong with it, after every change")
    say(f"  kickdoor play --packs classic,{folder}    play with it; alone it is too small for a game")
    return 0


# -- telling ------------------------------------------------------------------------------------------------------


def _wrong_edition(name: str) -> str:
    try:
        ruleset(name)
    except RulesetError as e:
        return str(e)
    return ""


def _run_check(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    if not folder.is_dir():
        return complain(f"{folder}: no such folder; a pack is a folder with a pack.yaml")
    check = Check(folder, Engine(ASKED, _wrong_edition, lambda names: build(names, ASKED).bind(verbs.VERBS, kernel)))
    check.run()
    tally = check.levels
    if not args.json:
        _tell(check, tally)
    trial = None
    if args.simulate is not None and not tally["error"]:
        trial = pack_trial_command.measure(folder, args.simulate, args.workers)
    if args.json:
        more = {"simulation": pack_trial_command.plain(trial)} if trial is not None else {}
        as_json({**_report(check, tally), **more})
    elif trial is not None:
        pack_trial_command.tell(trial)
    return 2 if tally["error"] else 0


def _report(check: Check, tally: Counter[Level]) -> dict[str, Any]:
    doors, treasures = check.counts()
    return {
        "pack": check.head.id if check.head else None,
        "ok": not tally["error"],
        "doors": doors,
        "treasures": treasures,
        "different": check.different(),
        "errors": tally["error"],
        "warnings": tally["warning"],
        "problems": [asdict(p) for p in check.problems],
    }


def _tell(check: Check, tally: Counter[Level]) -> None:
    out = console()
    colours = {"error": "bold red", "warning": "yellow", "note": "cyan"}
    for p in check.problems:
        place = f"{p.file}:{p.line}: " if Path(p.file).is_file() else f"{p.file}: "
        card = f"card {p.card!r}: " if p.card else ""
        where = f"{p.field}: " if p.field and p.field.split(".")[-1] not in p.says else ""
        line = Text.assemble((place, "dim"), (f"{p.level}: ", colours[p.level]), card, where, p.says)
        out.print(line, soft_wrap=True)
    doors, treasures = check.counts()
    title = check.head.title if check.head else str(check.folder)
    count = f"{title}: {plural(doors, 'Door')}, {plural(treasures, 'Treasure')}, {check.different()} different cards"
    told = [plural(n, word) for word, n in tally.items() if word != "note"]
    out.print(Text(f"{count}; {', '.join(told) or 'nothing wrong'}.", "bold" if tally["error"] else "green"))
