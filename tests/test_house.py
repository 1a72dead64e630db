"""The house: each room uses only the rooms below it, the engine knows no card, and every cited rule exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kickdoor import rulebook
from kickdoor.cards.packs import find_pack, known_packs, read_pack
from kickdoor.engine.playing import saying
from kickdoor.engine.value import reasons
from kickdoor.rulebook import pages

HOME = Path(__file__).resolve().parent.parent / "src" / "kickdoor"

# What a room may use besides itself; a room that is not named here must not be there.
ROOMS: dict[str, set[str]] = {
    "packs": set(),
    "rulebook": set(),
    "paper": set(),
    "cards": {"packs", "paper"},
    "engine": {"cards", "packs", "paper"},  # the editions are data too
    "voice": {"engine", "cards", "paper"},
    "scenario": {"engine", "cards", "rulebook", "paper"},
    "bots": {"engine", "cards", "paper"},
    "lab": {"bots", "engine", "cards", "scenario", "rulebook", "paper"},
    "companion": {"voice", "scenario", "engine", "cards", "paper"},
    "server": {"companion", "voice", "lab", "bots", "engine", "cards", "scenario", "rulebook", "paper"},
    "app": {"server", "companion", "voice", "lab", "bots", "engine", "cards", "scenario", "rulebook", "packs", "paper"},
}
LOWER = {"cards", "engine", "voice", "scenario", "rulebook", "packs", "paper"}
FILES = sorted(HOME.rglob("*.py"))
ENGINE = sorted((HOME / "engine").rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(HOME))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module of ours that a file uses, with the line; also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            if node.module == "kickdoor":
                yield from ((node.lineno, f"kickdoor.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module or ""


def test_every_room_is_known() -> None:
    rooms = {p.name for p in HOME.iterdir() if p.is_dir() and any(p.rglob("*.py"))}
    assert rooms - set(ROOMS) == set()


@pytest.mark.parametrize("path", [p for p in FILES if p.parent != HOME], ids=name_of)
def test_a_room_uses_only_what_it_is_given(path: Path) -> None:
    """`make lint` holds that no room uses one above it; here is which of those below it may."""
    room = path.relative_to(HOME).parts[0]
    wrong = []
    for line, module in imports(path):
        parts = module.split(".")
        if parts[0] != "kickdoor":
            continue
        used = parts[1] if len(parts) > 1 else ""
        if used not in ROOMS:  # `kickdoor` itself, the door to the engine: for the rooms above it
            used = "engine" if room not in LOWER else "the front door"
        if used != room and used not in ROOMS[room]:
            wrong.append(f"{name_of(path)}:{line}: {room} must not use {module}")
    assert wrong == []


def test_nothing_in_the_engine_is_imported_inside_a_function() -> None:
    """What is needed only there would be a circle in disguise."""
    inside = [
        f"{name_of(path)}:{node.lineno}"
        for path in ENGINE
        for f in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(f, ast.FunctionDef)
        for node in ast.walk(f)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    assert inside == []


def test_no_two_modules_of_the_engine_have_the_same_name() -> None:
    """Mutants and people call a module by its last name."""
    stems = [p.stem for p in ENGINE if p.stem != "__init__"]
    assert len(stems) == len(set(stems))


WORLDLY = {"asyncio", "datetime", "http", "io", "os", "pathlib", "random", "secrets", "shutil", "socket", "sys"}
WORLDLY |= {"subprocess", "tempfile", "threading", "time", "urllib", "uuid"}


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_knows_no_clock_socket_file_screen_or_dice(path: Path) -> None:
    used = [f"line {line}: {m}" for line, m in imports(path) if m.split(".")[0] in WORLDLY]
    calls = [
        f"line {node.lineno}: {node.func.id}()"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "print", "input")
    ]
    assert used + calls == []


# -- no card by name --------------------------------------------------------------------------------------------


def docstrings(tree: ast.AST) -> set[int]:
    """The ids of the nodes that are documentation, not data."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    }


def literals(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def card_names() -> dict[str, str]:
    return {c.name: pack for pack in known_packs() for c in read_pack(find_pack(pack)).cards}


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_the_engine_knows_no_card_by_name(path: Path) -> None:
    names = card_names()
    found = [f"{path.name}:{line}: {text!r} of {names[text]}" for line, text in literals(path) if text in names]
    assert found == []


# -- only two modules know what the numbers of a move mean --------------------------------------------------------

KNOW_MOVES = {HOME / "engine" / "value" / "moves.py", HOME / "engine" / "value" / "notation.py"}
SIZES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def reckons(node: ast.AST) -> bool:
    """Is this a sum, or a comparison of sizes, with the `extra` of a move in it?"""
    if isinstance(node, ast.Compare) and any(isinstance(op, SIZES) for op in node.ops):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    else:
        return False
    return any(isinstance(p, ast.Attribute) and p.attr == "extra" and not _is_timer(p) for p in parts)


def _is_timer(p: ast.Attribute) -> bool:
    return isinstance(p.value, ast.Name) and p.value.id == "timer"  # seconds on top, of a table's clock


@pytest.mark.parametrize("path", [p for p in FILES if p not in KNOW_MOVES], ids=name_of)
def test_nobody_else_reckons_with_the_extra_of_a_move(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [f"{path.name}:{n.lineno}: {ast.unparse(n)}" for n in nodes if reckons(n)]  # type: ignore[attr-defined]
    assert found == [], "value/moves.py has a function for each thing that `extra` may say"


# -- every cited rule exists ------------------------------------------------------------------------------------

ID = re.compile(r"(?<![\w-])((?:FQ-)?[A-Z]{2,10})-(\d{1,3})(?![\w-])(?:\.\.(?:(?:FQ-)?[A-Z]+-)?(\d{1,3}))?")
ABILITIES = {"CAP"}  # numbered abilities of the program, listed in docs/architecture.md; they are no rules


def cited(text: str) -> Iterator[str]:
    """Rule ids in a text; a range such as TURN-17..TURN-24 cites both its ends."""
    for m in ID.finditer(text):
        chapter, first, last = m.groups()
        if chapter not in ABILITIES:
            yield f"{chapter}-{first}"
            if last:
                yield f"{chapter}-{last}"


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_every_rule_the_engine_cites_exists(path: Path) -> None:
    known = {r.id for r in rulebook.all_rules()}
    lines = path.read_text(encoding="utf-8").splitlines()
    missing = [
        f"{path.name}:{n}: {rule}" for n, line in enumerate(lines, 1) for rule in cited(line) if rule not in known
    ]
    assert missing == []


def test_every_rule_the_pages_and_the_cards_cite_exists() -> None:
    """The same for all that is data: pages, packs with their scenarios; AMB and SAMB are pages like any other."""
    known = {r.id for r in rulebook.all_rules()}
    home = HOME
    missing = [
        f"{path.relative_to(home)}:{n}: {rule}"
        for path in sorted(home.rglob("*.yaml"))
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for rule in cited(line)
        if rule.rpartition("-")[0] in pages.ORDER and rule not in known
    ]
    assert missing == []


def test_refusals_and_events_cite_a_page_that_can_be_read() -> None:
    """What a player is shown must lead somewhere: a literal that is nothing but an id has to be a rule with a page."""
    known = {r.id for r in rulebook.all_rules()}
    missing = [
        f"{path.name}:{line}: {text}"
        for path in ENGINE
        for line, text in literals(path)
        if ID.fullmatch(text) and text not in known
    ]
    assert missing == []


def test_every_gap_in_a_refusal_can_be_filled() -> None:
    """`{card}` and its like are filled in by `saying.FILL`; what stands in no sentence any more leaves it."""
    said = [x.says for x in vars(reasons).values() if isinstance(x, reasons.Reason)]
    gaps = {gap for says in said for gap in re.findall(r"\{(\w+)(?:'s(?: own)?)?\}", says)}
    assert gaps - set(saying.FILL) == set(), "no line in saying.FILL"
    assert set(saying.FILL) - gaps == set(), "no refusal says this"


def test_a_pattern_ends_where_the_text_ends() -> None:
    """In Python `$` also stands before a last line end, and a name that ends in one would be taken."""
    loose = [
        f"{path}: {found}"
        for path in FILES
        for found in re.findall(r'Meta\(\s*pattern=r?"([^"]*\$)"', path.read_text())
    ]
    assert not loose
