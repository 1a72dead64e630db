"""The same seeds give the same games: in another process, with another order of sets, compiled or plain."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import kickdoor
from kickdoor.bots import make
from kickdoor.bots.driver import play_out
from kickdoor.lab.playing import Setting, play

ROOT = Path(__file__).resolve().parent.parent
NAMES = ["Ann", "Bob", "Cid", "Dee"]
MIX = ["classic", "unnatural_axe", "clerical_errors", "need_for_steed", "dungeons"]
GAMES = [("greedy", 8, None), ("schemer", 6, None), ("schemer", 4, MIX), ("lookahead#2", 1, None)]


def played(kind: str, seed: int, packs: list[str] | None) -> str:
    """One game to its end, as a number: every event, and the whole table at the end."""
    g = kickdoor.new_game(NAMES, seed=seed, packs=packs) if packs else kickdoor.new_game(NAMES, seed=seed)
    play_out(g, [make(kind, seed * 10 + s) for s in range(4)])
    return hashlib.sha256(repr(g.events).encode() + g.key()).hexdigest()


def rounded() -> str:
    """A game in which two sales are as good as each other but for the last bit: a product that is added to something
    must be rounded first, as Python does it. Where the compiler made one step of both, another game came out."""
    r = play(Setting(("easy", "greedy", "schemer:avenger", "schemer:miser"), ("shakespeare",)), 4)
    assert not r.error
    return hashlib.sha256(repr((r.moves, r.winners, r.levels, r.cards, r.fights)).encode()).hexdigest()


def all_games(*, few: bool) -> list[str]:
    """Few where plain Python is only compared with itself: what could differ there is the order of sets."""
    games = [played(kind, seed, packs) for kind, n, packs in GAMES for seed in range(1, (n // 4 if few else n) + 1)]
    return games if few else [*games, rounded()]


def test_plain_python_in_another_process_plays_the_same_games() -> None:
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'tests'}", "PYTHONHASHSEED": "7"}
    few = not kickdoor.COMPILED
    code = f"import kickdoor, test_same_games as t; assert not kickdoor.COMPILED; print(*t.all_games(few={few}))"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == all_games(few=few)


def test_the_compiled_engine_is_there_when_it_is_asked_for() -> None:
    """`make test-compiled` must not fall back to plain Python without anybody noticing."""
    wanted = os.environ.get("KICKDOOR_COMPILED") == "required"
    assert kickdoor.COMPILED is wanted
