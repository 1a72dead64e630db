"""Every scenario holds at the same table with somebody else in the first seat: no rule goes by the number of a seat."""

from __future__ import annotations

from pathlib import Path

import pytest

from kickdoor.lab.mutants import ROOT, from_another_seat, homes, stories
from kickdoor.scenario.runner import find_files


@pytest.mark.parametrize("path", list(find_files(homes())), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_scenario_holds_from_another_seat(path: Path) -> None:
    told = [from_another_seat(s) for s in stories([path])]
    assert [str(s) for s in told if not s.passes()] == []
