"""The command line: `kickdoor`, and what comes after it."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from kickdoor import COMPILED, __version__
from kickdoor.app import (
    arena_command,
    cards_command,
    journal_command,
    pack_command,
    play,
    report_command,
    rules_command,
    scenario_command,
    serve_command,
    sets_command,
    simulate_command,
    verify_command,
)
from kickdoor.app.terminal import Parser, complain, prepare, say
from kickdoor.engine.value.reasons import Refused
from kickdoor.paper.files import why

OVERVIEW: Final = """\
Kickdoor: kick open doors, fight what is behind them, stab your friends, take the Treasure.

  kickdoor play                a game in the browser, you against three bots (--terminal: right here)
  kickdoor play --players 5    a bigger table;  --packs, --faster, --epic and more: kickdoor play --help
  kickdoor resume              go on with the game you left in the terminal
  kickdoor serve               tables for friends, by link
{more}
  kickdoor --help              every command

An unofficial fan engine. Nobody here is responsible for lost friends."""

COMMANDS: Final = (
    play,
    serve_command,
    journal_command,
    verify_command,
    scenario_command,
    rules_command,
    cards_command,
    sets_command,
    pack_command,
    arena_command,
    simulate_command,
    report_command,
)


def parser() -> tuple[argparse.ArgumentParser, argparse._SubParsersAction[argparse.ArgumentParser]]:
    p: argparse.ArgumentParser = Parser(prog="kickdoor", description="The Munchkin family of card games, unofficially.")
    p.add_argument(
        "--version", action="version", version=f"kickdoor {__version__}, {'compiled' if COMPILED else 'plain'} engine"
    )
    sub = p.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.register(sub)
    return p, sub


def overview(sub: argparse._SubParsersAction[argparse.ArgumentParser]) -> str:
    """The friendly page; commands that others brought are listed with their own words."""
    lines = []
    for action in sub._choices_actions:
        if action.dest not in ("play", "resume", "serve"):
            lines.append(f"  kickdoor {action.dest:<19} {action.help or ''}".rstrip())
    return OVERVIEW.format(more="\n".join(lines))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Whatever a file, a disk, a port or a person can do wrong is one line and status 2."""
    prepare()
    try:
        p, sub = parser()
        args = p.parse_args(argv)
        run = getattr(args, "run", None)
        if run is None:
            say(overview(sub))
            return 0
        status = int(run(args))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _mute()
        return 0
    except KeyboardInterrupt:
        return 130
    except (ValueError, Refused) as e:
        return complain(e)
    except OSError as e:
        return _not_ours(e)
    except MemoryError:
        return complain("there is not enough memory for this; use fewer packs, games or workers")
    except RecursionError:
        return complain("something in this is nested too deeply to be read")
    except Exception as e:
        if os.environ.get("KICKDOOR_DEBUG"):
            raise
        complain(f"a bug, sorry: {type(e).__name__}: {e}")
        complain("a game you were playing is saved; KICKDOOR_DEBUG=1 shows the details")
        return 1


def _not_ours(e: OSError) -> int:
    """What the system refused: which file, why, and what may help."""
    if e.filename is None:  # most likely what is being printed: a disk that is full behind a `>`
        _mute()
    where = f"{os.fsdecode(e.filename)}: " if isinstance(e.filename, (str, bytes)) else ""
    return complain(f"{where}{why(e)}")


def _mute() -> None:
    """Nobody reads on: keep the interpreter from complaining at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


if __name__ == "__main__":
    raise SystemExit(main())
