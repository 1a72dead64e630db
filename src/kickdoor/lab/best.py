"""Positions where a person would see the right move: `best:` in a scenario, and which bot finds it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from kickdoor.bots import Bot, Table, make
from kickdoor.cards.reading import read_documents
from kickdoor.engine.kernel import to_act
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import notation
from kickdoor.engine.value.game import Game
from kickdoor.lab import command
from kickdoor.scenario.naming import seat_named
from kickdoor.scenario.runner import Play, best_moves, find_files
from kickdoor.scenario.translating import after

PARTS = 16  # small moves that one move may take


class Verdict(NamedTuple):
    """What a bot did in a position."""

    file: str
    scenario: str
    right: bool
    did: str


class Position(NamedTuple):
    """A table, who is to move, and what is right: one of these, or anything but those."""

    file: str
    scenario: str
    play: Play
    seat: int
    right: tuple[bytes, ...]
    wrong: tuple[bytes, ...]
    passing: bool  # is it right to do nothing?


def positions(paths: Sequence[Path]) -> Iterator[Position]:
    """Every `best:` of these files, the table set and its steps made."""
    for path in find_files(list(paths)):
        for data, _ in read_documents(path):
            if isinstance(data, dict) and "best" in data:
                play = Play(data, path.parent)
                play.run()
                for name, right, wrong in best_moves(data["best"]):
                    yield _position(path, str(data["scenario"]), play, name, right, wrong)


def _position(path: Path, title: str, play: Play, name: str, right: list[Any], wrong: list[Any]) -> Position:
    seat = seat_named(play.g, name)
    return Position(
        path.name,
        title,
        play,
        seat,
        tuple(_after(play, seat, m) for m in right if m != "pass"),
        tuple(_after(play, seat, m) for m in wrong if m != "pass"),
        "pass" in right or (bool(wrong) and "pass" not in wrong),
    )


def _after(play: Play, seat: int, move: Any) -> bytes:
    """The position that a move in the words of the scenario leads to."""
    return _key(after(play.g, play.names, seat, move))


def _key(g: Game) -> bytes:
    """A position, whatever the order in which cards came to a pile."""
    plain = g.plain()
    plain["discards"] = [sorted(x) for x in plain["discards"]]
    plain["rolls"] = []
    return msgspec.msgpack.encode(plain)


def judge(p: Position, bot: Bot) -> Verdict:
    """Let the bot move, part by part, until it is right or has finished."""
    table = Table(p.play.g.clone())
    must = p.seat in to_act(table.game)
    seat = table.seat(p.seat)
    choice = bot.choose(seat) if must else bot.interject(seat)
    if choice is None or choice.move.verb == mv.PASS:
        return Verdict(p.file, p.scenario, p.passing, "pass")
    did = []
    for _ in range(PARTS):
        did.append(_words(table.game, choice.move))
        table.apply(choice.move)
        key = _key(table.game)
        if key in p.right or key in p.wrong:
            return Verdict(p.file, p.scenario, key in p.right, ", ".join(did))
        if not _unfinished(table.game, p.seat):
            break
        choice = bot.choose(table.seat(p.seat))
    return Verdict(p.file, p.scenario, bool(p.wrong), ", ".join(did))


def _unfinished(g: Game, seat: int) -> bool:
    """Is the seat still putting its move together, or answering what it asks?"""
    kind = type(g.stack[-1]).__name__
    return not g.winners and kind in ("Draft", "Ask", "Pay", "Surplus") and to_act(g) == [seat]


def _words(g: Game, m: mv.Move) -> str:
    return notation.text(g, m).partition(": ")[2]


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kickdoor.lab.best scenarios/best`: how many each bot gets right, and which it does not."""
    parser = argparse.ArgumentParser(prog="python -m kickdoor.lab.best", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--bots", default="random,greedy,schemer")
    args = parser.parse_args(argv)
    all_of_them = list(positions(args.paths))
    for kind in args.bots.split(","):
        verdicts = [judge(p, make(kind, 1)) for p in all_of_them]
        right = sum(v.right for v in verdicts)
        print(f"{kind}: {right} of {len(verdicts)} ({right / max(1, len(verdicts)):.0%})")
        for v in verdicts:
            if not v.right:
                print(f"  {v.file}: {v.scenario}: {v.did}")
    return 0


if __name__ == "__main__":
    sys.exit(command.run(main))
