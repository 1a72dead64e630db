"""Exchanging the code of a function in the running program, and seeing which statements a run goes through.

A function object stays what it is and gets another `__code__`. So everybody who imported it, and every table that
holds it, uses the new code at once, and it is put back as quickly.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any, Final

from kickdoor.engine import invariants
from kickdoor.lab.mutations import Change, chapters, dotted, functions, home_of, source_of

HIT: Final = "__hit__"  # what a probed module calls; no name of ours looks like that


def function_of(module: str, name: str) -> FunctionType:
    """The function of that name, in the program as it runs."""
    found: Any = importlib.import_module(dotted(module))
    for part in name.split("."):
        found = vars(found)[part]
    assert isinstance(found, FunctionType), f"{module}.{name} is no plain function (is the engine compiled?)"
    return found


def codes_in(code: CodeType) -> dict[str, CodeType]:
    """The functions and methods of a compiled module, by name."""
    out: dict[str, CodeType] = {}
    for x in code.co_consts:
        if isinstance(x, CodeType):
            out.setdefault(x.co_qualname, x)
            out |= {k: v for k, v in codes_in(x).items() if k not in out}
    return out


def changed_text(change: Change) -> bytes:
    raw = source_of(change.module).encode()
    assert raw[change.start : change.end].decode() == change.old, f"{change.place}: the file has changed meanwhile"
    return raw[: change.start] + change.new.encode() + raw[change.end :]


def graft(change: Change) -> None:
    """Make the change, in this process."""
    code = compile(changed_text(change), str(home_of(change.module)), "exec", dont_inherit=True)
    function_of(change.module, change.function).__code__ = codes_in(code)[change.function]


# -- watching ---------------------------------------------------------------------------------------------------

WATCHED: Final = """
def apply(g, move, *, trusted=False):
    if not trusted:
        __agree__(g, move)
    out = __apply__(g, move, trusted=trusted)
    __check__(g)
    return out
"""


_WATCHING: Final = codes_in(compile(WATCHED, "watched", "exec", dont_inherit=True))["apply"]


@contextmanager
def watched() -> Iterator[None]:
    """While this lasts, every move is followed by a look at the table: what must always be true is true.

    And whoever tries one is told the same by the list of legal moves as by the judge of single ones.
    """
    f = function_of("kernel", "apply")
    code = f.__code__
    plain = FunctionType(code, f.__globals__)
    plain.__kwdefaults__ = f.__kwdefaults__
    f.__globals__.update(__apply__=plain, __check__=invariants.check, __agree__=invariants.check_agreement)
    f.__code__ = _WATCHING
    try:
        yield
    finally:
        f.__code__ = code


# -- probes -----------------------------------------------------------------------------------------------------


def _probed(body: list[ast.stmt], number: int) -> list[ast.stmt]:
    """A call before every statement, with the module's number and the line."""
    out: list[ast.stmt] = []
    for stmt in body:
        call = ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(number), ast.Constant(stmt.lineno)], [])
        out += [ast.copy_location(ast.Expr(call), stmt), stmt]
        for block in ("body", "orelse", "finalbody"):
            if inner := getattr(stmt, block, None):
                setattr(stmt, block, _probed(inner, number))
    return out


@contextmanager
def probes() -> Iterator[set[tuple[int, int]]]:
    """While this lasts, each statement of the rules that is reached leaves chapter (its number) and line in the set."""
    hits: set[tuple[int, int]] = set()
    kept: list[tuple[FunctionType, CodeType]] = []

    def hit(number: int, line: int) -> None:
        hits.add((number, line))

    for number, module in enumerate(chapters()):
        tree = ast.parse(source_of(module))
        names = []
        for name, node in functions(tree):
            node.body = _probed(node.body, number)
            names.append(name)
        made = codes_in(compile(ast.fix_missing_locations(tree), module, "exec", dont_inherit=True))
        vars(importlib.import_module(dotted(module)))[HIT] = hit
        for name in names:
            f = function_of(module, name)
            kept.append((f, f.__code__))
            f.__code__ = made[name]
    try:
        yield hits
    finally:
        for f, code in kept:
            f.__code__ = code
