"""Scenarios: a table position, a list of moves, and what must be true on the way."""

from kickdoor.scenario.naming import ScenarioError
from kickdoor.scenario.runner import Outcome, run_file, run_text

__all__ = ["Outcome", "ScenarioError", "run_file", "run_text"]
