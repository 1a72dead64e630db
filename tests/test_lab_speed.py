"""Has the code become slower? Counted in calls; `python -m bench.guard` is the same by hand.

In a process of its own: counting slows everything down, and Python 3.11 can go round in circles where it is told to
count while a thread waits for its turn, as threads of other tests do.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAID = (
    "more work than bench/guard.json allows; find out why (python -m bench --profile), or, if it is worth it, "
    "write down the new figures with python -m bench.guard --renew"
)


def guard(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.guard", *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)


def test_nothing_costs_a_tenth_more_than_it_did() -> None:
    done = guard()
    assert done.returncode == 0, f"{SAID}:\n{done.stdout}{done.stderr}"


def test_what_costs_more_is_noticed_and_told(tmp_path: Path) -> None:
    stored = json.loads((ROOT / "bench" / "guard.json").read_text(encoding="utf-8"))
    stored["calls"]["greedy games"] /= 2  # of what there was
    less = tmp_path / "less.json"
    less.write_text(json.dumps(stored), encoding="utf-8")
    done = guard("--file", str(less))
    assert done.returncode == 1
    assert "DEARER  greedy games" in done.stdout
    assert "ok      random play" in done.stdout
