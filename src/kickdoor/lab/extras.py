"""Packages that only the lab needs. A plain installation plays without them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class LabError(ValueError):
    """Something the lab cannot do, and what would help."""


def need(package: str, extra: str) -> Any:
    """An optional package, or one line that says how to get it."""
    try:
        return import_module(package)
    except ImportError as e:
        missing = (e.name or package).split(".")[0]
        raise LabError(
            f"this needs the package {missing!r}, which is not installed; get it with: pip install 'kickdoor[{extra}]'"
        ) from None
