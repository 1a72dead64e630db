"""Small changes to the rules, found in the syntax tree: a comparison turned, a condition dropped, a step skipped.

A change is a piece of a source file and what stands there instead, so that it can be shown as a line and tried out by
compiling the text again. What cannot matter to a game is left alone: documentation, annotations, assertions, events,
refusals' sentences, and what is kept to be faster.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from kickdoor import engine

HOME: Final = Path(engine.__path__[0])

# The shapes of the value, its reading and writing, tables, the sentences of refusals, and what watches over it: no
# chapters of the rules.
NO_CHAPTER: Final = frozenset(
    {
        "chance",
        "correcting",
        "flags",
        "frames",
        "happenings",
        "invariants",
        "move",
        "moves",
        "notation",
        "reasons",
        "records",
        "ruleset",
        "saving",
        "saying",
        "seen",
        "stored",
        "verbs",
    }
)
VALUE: Final = frozenset(
    {
        "__init__",
        "clone",
        "plain",
        "key",
        "touch",
        "touch_lightly",
        "touch_seat",
        "unlist",
        "emit",
        "bare_table",
        "new_player",
        "random",
        "shuffle",
    }
)
KEPT: Final = frozenset({"cache", "events", "turns"})  # what is worked out once and kept; what is told, or only counted
AGAIN: Final = "dirty"  # whose limits are looked at: once more does no harm

# Nothing that a position set by a scenario can go through: dealing a new game, and advice to people.
ELSEWHERE: Final = frozenset(
    {
        "accessories.bring_all",
        "deck_building.advice",
        "deck_building._about_mixers",
        "deck_building._about_filters",
        "deck_building._about_parents",
        "deck_building.what_to_add",
        "deck_building.mending",
        "deck_building._enough",
        "kernel.why_not_card",
        "kernel._uses",
        "kernel._unsettled",
        "setup.new_game",
        "setup.prepared",
        "setup._sex",
        "views.breakdown",
        "views.own_cards",
    }
)

WORD: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
BOUNDARY: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "in": "not in", "is": "is not"}
OPPOSITE.update({"!=": "==", "not in": "in", "is not": "is"})
SEATS: Final = frozenset(
    {
        "actor",
        "giver",
        "helper",
        "looter",
        "main",
        "other",
        "owner",
        "partner",
        "rival",
        "runner",
        "seat",
        "taker",
        "target",
        "victim",
        "who",
    }
)
TWINS: Final = {"main": "helper", "helper": "main", "actor": "who", "who": "actor", "giver": "taker", "taker": "giver"}
# Powers of a card that are about whoever uses them: there the actor is the one it happens to, by either name.
OWN_POWERS: Final = frozenset(
    {
        "verbs_table.give_away",
        "verbs_steeds.ride",
        "verbs_steeds.tame",
        "verbs_epic.eat_monster",
        "verbs_epic.make_pet",
        "verbs_draws.resurrect",
    }
)
NUMBERED: Final = frozenset(
    {
        "c",
        "card",
        "do",
        "door_card",
        "else_",
        "extra",
        "foe",
        "item",
        "mount",
        "no_race",
        "own",
        "prog",
        "prog_bad",
        "prog_effect",
        "target",
        "x",
    }
)
ANY: Final = frozenset({"afflictions", "bearer", "dungeons", "fresh", "grown", "host", "returning", "ridden", "strays"})
CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
LOOSE: Final = (ast.NamedExpr, ast.Lambda, ast.IfExp, ast.BoolOp, ast.Compare)  # need brackets where they move to


@dataclass(frozen=True)
class Change:
    """A piece of a module's text, and what stands there instead."""

    module: str  # the chapter: a module of the engine
    function: str  # as Python spells it: `Game.around`
    line: int
    statement: int  # the line on which the statement begins: what a scenario has to reach
    kind: str
    start: int  # where in the text, in bytes
    end: int
    old: str
    new: str

    @property
    def place(self) -> str:
        return f"{home_of(self.module).relative_to(HOME.parent)}:{self.line}"


@cache
def homes() -> dict[str, Path]:
    """Where each module of the engine lies; no two have the same name."""
    return {p.stem: p for p in sorted(HOME.rglob("*.py")) if p.stem != "__init__"}


def home_of(module: str) -> Path:
    return homes()[module]


def dotted(module: str) -> str:
    """As Python imports it."""
    return ".".join(("kickdoor", *home_of(module).relative_to(HOME.parent).with_suffix("").parts))


def source_of(module: str) -> str:
    return home_of(module).read_text(encoding="utf-8")


def chapters() -> list[str]:
    """The modules that decide something."""
    return sorted(m for m in homes() if m not in NO_CHAPTER)


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods by their names; those that keep their answers cannot be exchanged under way."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for x in node.body:
                if isinstance(x, ast.FunctionDef) and not x.decorator_list:
                    yield f"{node.name}.{x.name}", x


def changes(module: str) -> list[Change]:
    """Every small change to a chapter."""
    text = source_of(module)
    out: list[Change] = []
    for name, node in functions(ast.parse(text)):
        if name.rpartition(".")[2] not in VALUE and f"{module}.{name}" not in ELSEWHERE:
            out += Finder(module, name, node, text).changes()
    return out


def piece(module: str, function: str, old: str, new: str, kind: str) -> Change:
    """A change that somebody wrote down: `old` must stand in the function, once."""
    text = source_of(module)
    node = dict(functions(ast.parse(text))).get(function)
    if node is None:
        raise LookupError(f"{module}.{function}: no such function any more")
    raw = text.encode()
    lines = raw.splitlines(keepends=True)
    first, last = (sum(map(len, lines[:n])) for n in (node.lineno - 1, node.end_lineno))
    found = raw.count(old.encode(), first, last)
    if found != 1:
        raise LookupError(f"{module}.{function}: {old!r} stands there {found} times, not once")
    start = raw.index(old.encode(), first, last)
    line = raw.count(b"\n", 0, start) + 1
    return Change(module, function, line, line, kind, start, start + len(old.encode()), old, new)


class Finder:
    """Looks for what could be changed in one function."""

    def __init__(self, module: str, name: str, node: ast.FunctionDef, text: str) -> None:
        self.module, self.name, self.node = module, name, node
        self.raw = text.encode()
        self.starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        numbers = {a.arg for a in args if isinstance(a.annotation, ast.Name) and a.annotation.id == "int"}
        self.seats = sorted(numbers & SEATS)
        self.found: list[Change] = []

    def changes(self) -> list[Change]:
        self._block(self.node.body)
        unique = {(c.start, c.end, c.new): c for c in self.found}
        return list(unique.values())

    # -- places -----------------------------------------------------------------------------------------------

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self.raw[start:end].decode()

    def _add(self, kind: str, stmt: ast.stmt, node: ast.expr | ast.stmt, new: str) -> None:
        start, end = self._span(node)
        self._put(kind, stmt, start, end, new)

    def _put(self, kind: str, stmt: ast.stmt, start: int, end: int, new: str) -> None:
        line = self.raw.count(b"\n", 0, start) + 1
        old = self.raw[start:end].decode()
        self.found.append(Change(self.module, self.name, line, stmt.lineno, kind, start, end, old, new))

    # -- statements -------------------------------------------------------------------------------------------

    def _block(self, body: list[ast.stmt]) -> None:
        for stmt in body:
            if not _plain(stmt):
                self._statement(stmt)

    def _statement(self, stmt: ast.stmt) -> None:
        if isinstance(stmt, ast.FunctionDef):
            self._block(stmt.body)
            return
        if _skippable(stmt):
            self._add("a step skipped", stmt, stmt, "pass")
        if isinstance(stmt, ast.AugAssign) and isinstance(stmt.target, ast.Attribute) and stmt.target.attr == AGAIN:
            return
        for expr, tested in _expressions(stmt):
            if tested:
                self._test(stmt, expr)
            self._expression(stmt, expr)
        if isinstance(stmt, ast.AugAssign) and isinstance(stmt.op, (ast.Add, ast.Sub)):
            sign = {ast.Add: ("+=", "-="), ast.Sub: ("-=", "+=")}[type(stmt.op)]
            if not isinstance(stmt.value, (ast.List, ast.ListComp, ast.Tuple)):
                self._between("sign", stmt, stmt.target, stmt.value, *sign)
        for block in ("body", "orelse", "finalbody"):
            self._block(getattr(stmt, block, []))

    def _test(self, stmt: ast.stmt, expr: ast.expr) -> None:
        """A condition that is no comparison and no list of conditions is turned around."""
        if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.Not):
            self._add("a condition turned around", stmt, expr, f"({self._text(expr.operand)})")
        elif not isinstance(expr, (ast.Compare, ast.BoolOp, ast.Constant)):
            self._add("a condition turned around", stmt, expr, f"(not ({self._text(expr)}))")

    # -- expressions ------------------------------------------------------------------------------------------

    def _expression(self, stmt: ast.stmt, expr: ast.expr) -> None:
        if _idle(expr) or (isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub)):
            return  # below zero there is only "none"
        if isinstance(expr, ast.Compare):
            self._compare(stmt, expr)
        elif isinstance(expr, ast.BoolOp):
            self._conditions(stmt, expr)
        elif isinstance(expr, ast.IfExp):
            self._test(stmt, expr.test)
        elif isinstance(expr, ast.Constant):
            self._constant(stmt, expr)
        elif isinstance(expr, ast.BinOp):
            self._sum(stmt, expr)
        elif isinstance(expr, ast.Name):
            self._name(stmt, expr)
        elif isinstance(expr, ast.Attribute) and expr.attr in TWINS and isinstance(expr.ctx, ast.Load):
            if expr.attr not in ("actor", "who") or f"{self.module}.{self.name}" not in OWN_POWERS:
                end = self._span(expr)[1]
                self._put("a seat swapped", stmt, end - len(expr.attr), end, TWINS[expr.attr])
        elif isinstance(expr, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            self._filters(stmt, expr)
        for child in ast.iter_child_nodes(expr):
            if isinstance(expr, ast.Compare) and _is_there(expr) and isinstance(child, ast.Constant):
                continue
            if isinstance(child, ast.expr):
                self._expression(stmt, child)
            elif isinstance(child, ast.keyword) and child.arg != "strict":  # only a check of the program itself
                self._expression(stmt, child.value)

    def _compare(self, stmt: ast.stmt, expr: ast.Compare) -> None:
        if len(expr.ops) != 1:
            return
        op, sides = WORD[type(expr.ops[0])], (expr.left, expr.comparators[0])
        if op in BOUNDARY and not _is_there(expr):
            self._between("off by one", stmt, *sides, op, BOUNDARY[op])
        self._between("a comparison turned around", stmt, *sides, op, OPPOSITE[op])

    def _conditions(self, stmt: ast.stmt, expr: ast.BoolOp) -> None:
        """Each condition of several is dropped in turn."""
        word = " and " if isinstance(expr.op, ast.And) else " or "
        bound = {x.target.id for x in ast.walk(expr) if isinstance(x, ast.NamedExpr)}
        for i, gone in enumerate(expr.values):
            others = [x for j, x in enumerate(expr.values) if j != i]
            if bound & {x.id for x in ast.walk(gone) if isinstance(x, ast.Name)} or _idle(gone) or _guard(gone):
                continue
            if isinstance(expr.op, ast.And) and (_anything(gone) or self._asked_again(gone, others)):
                continue
            if isinstance(expr.op, ast.Or) and _empty(gone):
                continue
            rest = [self._bracketed(x) for x in others]
            self._add("a condition dropped", stmt, expr, word.join(rest))

    def _asked_again(self, gone: ast.expr, others: list[ast.expr]) -> bool:
        """`these and x in these`: whether there are any at all is only a short cut."""
        text = self._text(gone)
        asked = [x for o in others for x in ast.walk(o) if isinstance(x, ast.Compare) and isinstance(x.ops[0], ast.In)]
        return any(self._text(x.comparators[0]) == text for x in asked)

    def _bracketed(self, expr: ast.expr) -> str:
        return f"({self._text(expr)})" if isinstance(expr, LOOSE) else self._text(expr)

    def _constant(self, stmt: ast.stmt, expr: ast.Constant) -> None:
        if isinstance(expr.value, bool):
            self._add("yes for no", stmt, expr, str(not expr.value))
        elif isinstance(expr.value, int):
            self._add("off by one", stmt, expr, str(expr.value + 1))

    def _sum(self, stmt: ast.stmt, expr: ast.BinOp) -> None:
        lists = (ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr)
        if isinstance(expr.left, lists) or isinstance(expr.right, lists):
            return
        if isinstance(expr.op, (ast.Add, ast.Sub)):
            sign = ("+", "-") if isinstance(expr.op, ast.Add) else ("-", "+")
            self._between("sign", stmt, expr.left, expr.right, *sign)

    def _between(self, kind: str, stmt: ast.stmt, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Exchange the sign between two expressions; brackets may stand around it."""
        start, end = self._span(left)[1], self._span(right)[0]
        gap = self.raw[start:end].decode()
        if gap.count(old) == 1:
            self._put(kind, stmt, start, end, gap.replace(old, new))

    def _name(self, stmt: ast.stmt, expr: ast.Name) -> None:
        if expr.id in CALLS:
            self._add("the other end", stmt, expr, CALLS[expr.id])
        elif expr.id in self.seats and isinstance(expr.ctx, ast.Load):
            for other in self.seats:
                if other != expr.id:
                    self._add("a seat swapped", stmt, expr, other)

    def _filters(self, stmt: ast.stmt, expr: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """The condition on what is taken from a list is dropped; each of several conditions is looked at as well."""
        for loop in expr.generators:
            self._expression(stmt, loop.iter)
            for test in loop.ifs:
                if not any(isinstance(x, ast.NamedExpr) for x in ast.walk(test)):
                    self._add("a condition dropped", stmt, test, "True")
                self._test(stmt, test)
                self._expression(stmt, test)


def _plain(stmt: ast.stmt) -> bool:
    """Nothing that a game could notice: documentation, assertions, events, what is kept to be faster."""
    if isinstance(stmt, (ast.Assert, ast.Import, ast.ImportFrom, ast.Pass, ast.Raise, ast.Global)):
        return True
    if isinstance(stmt, ast.Expr) and (isinstance(stmt.value, ast.Constant) or _idle(stmt.value)):
        return True
    simple = not hasattr(stmt, "body")
    return simple and any(isinstance(x, ast.Attribute) and x.attr in KEPT for x in ast.walk(stmt))


def _idle(expr: ast.expr) -> bool:
    """An event, or a word that something kept is out of date; a test of what is kept."""
    if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute):
        return expr.func.attr in ("emit", "touch", "touch_lightly", "touch_seat", "unlist")
    return isinstance(expr, ast.Compare) and any(
        isinstance(x, ast.Attribute) and x.attr in KEPT for x in ast.walk(expr)
    )


def _is_there(expr: ast.Compare) -> bool:
    """Is there a card, or a program, of that number? Only the very first of all would be told apart by one more."""
    zero = isinstance(expr.comparators[0], ast.Constant) and expr.comparators[0].value == 0
    name = expr.left.attr if isinstance(expr.left, ast.Attribute) else getattr(expr.left, "id", "")
    return zero and isinstance(expr.ops[0], (ast.Lt, ast.GtE)) and name in NUMBERED


def _anything(expr: ast.expr) -> bool:
    """Has the game, or its library, anything of that sort at all? A short cut past what would find nothing."""
    holder = expr.value if isinstance(expr, ast.Attribute) else expr
    if isinstance(holder, ast.Attribute) and holder.attr == "lib":
        return True
    return isinstance(expr, ast.Attribute) and expr.attr in ANY and isinstance(holder, ast.Name)


def _guard(expr: ast.expr) -> bool:
    """A question only whether something is there at all: without it a program breaks, or nothing changes."""
    return isinstance(expr, ast.Compare) and isinstance(expr.ops[0], (ast.Is, ast.IsNot))


def _empty(expr: ast.expr) -> bool:
    """`answer or ()`: what stands for none. Without it a program breaks on None, or nothing changes."""
    if isinstance(expr, (ast.Tuple, ast.List)):
        return not expr.elts
    return isinstance(expr, ast.Constant) and expr.value in ("", 0) and not isinstance(expr.value, bool)


def _skippable(stmt: ast.stmt) -> bool:
    """A step whose lack leaves a program that runs: a call, or a change to what is there already."""
    if isinstance(stmt, ast.Expr):
        return isinstance(stmt.value, ast.Call)
    if isinstance(stmt, ast.Assign):
        return all(isinstance(t, (ast.Attribute, ast.Subscript)) for t in stmt.targets)
    return isinstance(stmt, (ast.AugAssign, ast.Continue))


def _expressions(stmt: ast.stmt) -> Iterator[tuple[ast.expr, bool]]:
    """The expressions of a statement itself, not of the statements in it; is it a condition?"""
    if isinstance(stmt, (ast.If, ast.While)):
        yield stmt.test, True
    elif isinstance(stmt, ast.For):
        yield stmt.iter, False
    elif isinstance(stmt, (ast.Return, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)) and stmt.value is not None:
        yield stmt.value, False
        for target in stmt.targets if isinstance(stmt, ast.Assign) else []:
            if isinstance(target, ast.Subscript):
                yield target.slice, False
