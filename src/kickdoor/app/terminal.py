"""Everything that the commands say goes through here, and nothing but text comes out.

Names of cards, packs, players and scenarios come from files of strangers. What would move a cursor, change a colour or
turn the writing round is left out where it is printed; the only escape sequences are those of our own colours.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from kickdoor.paper import plain

LONGEST: Final = 600  # letters of a complaint, before and after what is left out
_STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def prepare() -> None:
    """Streams that are there, and take every letter: a closed one is nowhere, and what a locale lacks becomes a `?`."""
    for name, mode in _STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


# -- saying -------------------------------------------------------------------------------------------------------


def say(text: object = "", *, err: bool = False, end: str = "\n", flush: bool = False) -> None:
    """Print it, for people."""
    print(plain.shown(str(text)), file=sys.stderr if err else sys.stdout, end=end, flush=flush)


def complain(message: object) -> int:
    """One line on stderr, and the exit code of a question that cannot be answered."""
    say(f"kickdoor: {_cut(plain.discreet(plain.one_line(str(message))))}", err=True)
    return 2


def _cut(said: str) -> str:
    return said if len(said) <= 2 * LONGEST else f"{said[:LONGEST]} ... {said[-LONGEST:]}"


def as_json(value: Any, indent: int | None = 2) -> None:
    """Print it, for programs: what does not show is escaped and not lost."""
    say(plain.as_json(value, indent), flush=indent is None)


class Screen(Console):
    """A console on which the text of others is only text: no markup, no escape sequences but the console's own."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(plain.shown(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Nobody reads on: the command ends as with any other output."""
        raise BrokenPipeError


def console() -> Console:
    """For people: colour and wrapping on a terminal; elsewhere plain lines, as long as they are."""
    seen = sys.stdout.isatty()
    return Screen(highlight=False, markup=False, width=None if seen else 10_000, color_system="auto" if seen else None)


def game_console(file: TextIO | None = None) -> Console:
    """For a game: colours only where somebody sees them; NO_COLOR is honoured."""
    out = file or sys.stdout
    bare = bool(os.environ.get("NO_COLOR")) or not out.isatty() or os.environ.get("TERM") == "dumb"
    system = None if bare else "auto"
    return Screen(file=out, highlight=False, markup=False, no_color=bare, color_system=system, emoji=False)  # type: ignore[arg-type]


def progress_console() -> Console:
    """For what is said while something takes long, beside the output."""
    return Screen(stderr=True, markup=False)


def columns(rows: Sequence[tuple[str, ...]], headers: tuple[str, ...], right: tuple[int, ...] = ()) -> None:
    """A table: ruled on a terminal, else aligned plain text without trailing blanks."""
    if sys.stdout.isatty():
        table = Table(box=None, pad_edge=False, header_style="bold")
        for i, head in enumerate(headers):
            table.add_column(head, justify="right" if i in right else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        console().print(table)
        return
    lines = [[plain.shown(cell) for cell in row] for row in [headers, *rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headers))]
    for line in lines:
        cells = (c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True)))
        say("  ".join(cells).rstrip())


def plural(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


# -- what others say for us ---------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """The command line's own words; they quote what was typed."""

    def error(self, message: str) -> NoReturn:
        super().error(_cut(plain.discreet(plain.one_line(message))))

    def _print_message(self, message: str, file: Any = None) -> None:
        if message:
            say(message, err=file is not sys.stdout, end="")


def port(word: str) -> int:
    """A port, as the command line has it."""
    if not (word.isascii() and word.isdigit() and int(word[:6]) <= 65535):
        raise argparse.ArgumentTypeError(f"{plain.short(word)} is no port; one is a number from 0 (any free) to 65535")
    return int(word)
