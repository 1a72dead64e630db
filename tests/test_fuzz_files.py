"""Bundled packs, scenarios, saves and replays with something broken in them: told, never a crash or a hang."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kickdoor.app import saves
from kickdoor.app.sitting import Session
from kickdoor.cards import packs
from kickdoor.cards.linting import Check, Engine
from kickdoor.cards.reading import ReadingError, documents
from kickdoor.engine.facts.questions import ASKED
from kickdoor.engine.saving import SaveError
from kickdoor.engine.setup import new_game
from kickdoor.scenario import coverage
from kickdoor.server import replays
from kickdoor.server.trouble import Trouble

PACKS = sorted(packs.HOME.glob("*/*.yaml"))
SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").rglob("*.yaml"))
REPLAY = Path(__file__).parent / "replays" / "classic.json"
CLOCK = 20.0  # seconds for one scenario; they take milliseconds
# What goes wrong in files: half a line, a value of another sort, marks of YAML where none belong, what cannot be seen.
PIECES = (
    *("[", "]", "{", "}", ": ", "- ", "&a ", "*a", "<<: *a", "!!int ", "!x ", "? ", "|\n", "'", '"', "\t", "#", "%"),
    *("---\n", ".inf", ".nan", "-1", "0", "99999999999", "1e400", "null", "true", "~", "[]", "{}", "x" * 300),
    *("\x00", "\x1b[31m", "\x9b", "\u202e", "\ufeff", "\u2028", "\ud800", "\u00e9", "\U0001f408"),
)
FUZZ = settings(
    max_examples=40, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def told(read: Callable[[], object]) -> str:
    """What is said about a file, if anything; whatever else is raised is a crash."""
    try:
        read()
    except (ReadingError, SaveError, Trouble) as e:
        return str(e)
    return ""


def mutated(text: str, seed: int) -> str:
    """The text with one to four changes."""
    dice = random.Random(seed)
    for _ in range(dice.randint(1, 4)):
        a = dice.randrange(len(text) + 1)
        b = min(len(text), a + dice.choice((0, 0, 1, 1, 5, 40, 400)))
        put = dice.choice((*PIECES, "", text[b : b + 80], text[:80]))
        text = text[:a] + put + text[b:]
    return text


def changed(data: Any, dice: random.Random) -> Any:
    """JSON with one value of another sort, somewhere."""
    value: Any = dice.choice((None, True, -1, 10**20, 1.5, "", "\x1b[31m", [], {}, [[]], "x" * 300))
    if isinstance(data, dict) and data and dice.random() < 0.9:
        key = dice.choice(sorted(data))
        return {**data, key: changed(data[key], dice)}
    if isinstance(data, list) and data and dice.random() < 0.9:
        i = dice.randrange(len(data))
        return [*data[:i], changed(data[i], dice), *data[i + 1 :]]
    return value


@FUZZ
@given(st.integers(0, 2**32))
def test_broken_yaml_is_told_with_its_line(seed: int) -> None:
    path = random.Random(seed).choice(PACKS + SCENARIOS)
    text = mutated(path.read_text(encoding="utf-8"), seed)
    said = told(lambda: list(documents(text, "f")))
    assert not said or re.match(r"f:\d+: .", said)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pack")


@settings(FUZZ, max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_a_broken_pack_is_told(folder: Path, seed: int) -> None:
    path = random.Random(seed).choice([p for p in PACKS if p.stat().st_size < 12_000])
    for old in folder.iterdir():
        old.unlink()
    (folder / "pack.yaml").write_text("id: mine\ntitle: Mine\nneeds: [classic]\n")
    text = mutated(path.read_text(encoding="utf-8"), seed)
    (folder / path.name).write_bytes(text.encode("utf-8", "surrogatepass"))
    check = Check(folder, Engine(ASKED, lambda _: "", lambda names: None))
    check.run()
    packs.forget_packs()
    said = told(lambda: packs.read_pack(folder))
    assert not said or str(folder) in said


@settings(FUZZ, max_examples=25)
@given(st.integers(0, 2**32))
def test_a_broken_scenario_is_an_outcome(seed: int) -> None:
    path = random.Random(seed).choice(SCENARIOS)
    parts = list(coverage.split(path.read_text(encoding="utf-8")))
    part = random.Random(seed).choice(parts)
    for outcome in coverage.run_part(part._replace(text=mutated(part.text, seed)), "f", CLOCK):
        assert "did not come to an end" not in outcome.because
        assert "the engine broke" not in outcome.because


@lru_cache(maxsize=1)
def saved(path: Path) -> bytes:
    session = Session(new_game(["Ann", "Bob", "Cid"], seed=3), 0, [("you", 0), ("random", 1), ("random", 2)], 3, path)
    session.save()
    return path.read_bytes()


@FUZZ
@given(seed=st.integers(0, 2**32))
def test_a_broken_save_is_told(folder: Path, seed: int) -> None:
    path = folder.parent / "table.json"
    whole = json.loads(saved(path))
    dice = random.Random(seed)
    if dice.random() < 0.3:
        path.write_text(mutated(json.dumps(whole), seed), encoding="utf-8", errors="surrogatepass")
    else:  # with the right check sum, as whoever means it would write it
        body = json.dumps(changed(whole["table"], dice), separators=(",", ":"))
        text = f'{{"kickdoor_table":1,"check":"{saves._check(body.encode())}","table":{body}}}'
        path.write_text(text, encoding="utf-8")
    told(lambda: saves.read(path))


@settings(FUZZ, max_examples=25)
@given(st.integers(0, 2**32))
def test_a_broken_replay_is_told(seed: int) -> None:
    dice = random.Random(seed)
    whole = json.loads(REPLAY.read_bytes())
    whole["steps"] = whole["steps"][: dice.choice((0, 5, 40))]
    if dice.random() < 0.2:
        raw = mutated(json.dumps(whole), seed).encode("utf-8", "surrogatepass")
    else:
        raw = json.dumps(changed(whole, dice)).encode()
    told(lambda: replays.verify(raw))
