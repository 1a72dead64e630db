"""The examples in the documentation are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kickdoor.app import saves
from kickdoor.engine import saving
from kickdoor.scenario import run_text
from kickdoor.scenario.checks import PATHS, PLAYER_PATHS
from kickdoor.scenario.table import TABLE_KEYS
from kickdoor.scenario.wording import KEYS
from kickdoor.server import portable, replays, shortcut
from kickdoor.server.journal import SCHEMA

PAGE = Path(__file__).parent.parent / "docs" / "scenarios.md"
BLOCKS = re.findall(r"```yaml scenario\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda b: b.split("\n", 1)[0])
def test_examples_pass(block: str) -> None:
    for outcome in run_text(block):
        assert outcome.passed, outcome.because


@pytest.mark.parametrize("word", sorted({*KEYS, *TABLE_KEYS, *PLAYER_PATHS, *(p.split(".")[-1] for p in PATHS)}))
def test_every_word_is_explained(word: str) -> None:
    assert re.search(rf"\b{word}\b", PAGE.read_text(encoding="utf-8")), f"docs/scenarios.md does not name {word!r}"


def test_the_numbers_of_formats_are_those_that_are_written() -> None:
    page = (PAGE.parent / "hosting.md").read_text(encoding="utf-8")
    numbers = dict(re.findall(r"^\| ([a-z][^|]*?) (?:\(.*\) )?\| (\d[^|]*?) \|", page, re.MULTILINE))
    assert numbers == {
        "journal": str(SCHEMA),
        "shortcut in it": str(shortcut.FORMAT),
        "save": f"{saving.FORMAT}, around it {saves.FORMAT}",
        "replay": str(replays.FORMAT),
        "export, archive": str(portable.FORMAT),
    }
