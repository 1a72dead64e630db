"""Every scenario holds at the same table with somebody else in the first seat: no rule goes by the number of a seat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kickdoor.lab.mutants import ROOT, homes, stories
from kickdoor.scenario.runner import find_files


@pytest.mark.parametrize("path", list(find_files(homes())), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_scenario_holds_from_another_seat(path: Path) -> None:
    told = [replace(s, turned=True) for s in stories([path])]
    assert [str(s) for s in told if not s.passes()] == []
