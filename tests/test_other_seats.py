"""A scenario holds at the same table with somebody else in the first seat: no rule goes by the number of a seat.

One in three, chosen by its text, so that it is the same ones every time; KICKDOOR_SEATS=1 looks at all of them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from kickdoor.lab.mutants import ROOT, homes, stories
from kickdoor.scenario.runner import find_files

ONE_IN = int(os.environ.get("KICKDOOR_SEATS", "3"))


@pytest.mark.parametrize("path", list(find_files(homes())), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_scenario_holds_from_another_seat(path: Path) -> None:
    told = [replace(s, turned=True) for s in stories([path]) if int(s.key, 16) % ONE_IN == 0]
    assert [str(s) for s in told if not s.passes()] == []
