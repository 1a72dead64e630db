"""A scenario holds at the same table with somebody else in the first seat: no rule goes by the number of a seat.

One in twelve, chosen by its text, so that it is the same ones every time; `make drills` looks at all of them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from drilling import daily
from kickdoor.lab.mutants import ROOT, homes, stories
from kickdoor.scenario.runner import find_files

ONE_IN = daily(12, 1)


@pytest.mark.parametrize("path", list(find_files(homes())), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_scenario_holds_from_another_seat(path: Path) -> None:
    told = [replace(s, turned=True) for s in stories([path]) if int(s.key, 16) % ONE_IN == 0]
    assert [str(s) for s in told if not s.passes()] == []
