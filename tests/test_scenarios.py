"""Every scenario passes: what it expects holds, and no scripted die is left over at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from kickdoor.cards.packs import known_packs
from kickdoor.scenario.runner import find_files, run_file

ROOT = Path(__file__).resolve().parent.parent
HOMES = [ROOT / "scenarios", *sorted((ROOT / "src" / "kickdoor" / "packs").glob("*/scenarios"))]
FILES = list(find_files(HOMES))


def test_there_are_scenarios() -> None:
    assert len(FILES) > 50


def test_scenarios_of_a_pack_belong_to_a_pack_that_exists() -> None:
    strays = [home.parent.name for home in HOMES[1:] if home.parent.name not in known_packs()]
    assert strays == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_scenarios(path: Path) -> None:
    outcomes = run_file(path)
    assert outcomes, "the file holds no scenario"
    failed = [
        f"{path.relative_to(ROOT)}:{o.line}: {o.scenario}: "
        + ("makes no sense: " if o.broken else f"step {o.step}: ")
        + o.because
        for o in outcomes
        if not o.passed
    ]
    loose = [f"{o.scenario}: step {c.step}" for o in outcomes for c in o.citations if c.named != "exactly"]
    waiting = [f"{o.scenario}: {o.unrolled}" for o in outcomes if o.unrolled]
    assert not waiting, f"{path.relative_to(ROOT)}: scripted dice that nobody rolled: {waiting}"
    assert not loose, f"{path.relative_to(ROOT)}: a refusal names the very rule that decides: {loose}"
    assert not failed, f"{len(failed)} of {len(outcomes)} scenarios failed\n" + "\n".join(failed)
