"""Measuring the game: simulation and balance reports."""

import sys

from kickdoor.paper import loading

if sys.argv[:1] == ["-m"]:  # a command (`python -m kickdoor.lab.NAME`) that Python is still looking for
    loading.begun()
