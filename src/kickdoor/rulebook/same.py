"""Rules that say the same from another chapter, or in another book.

What one book says as another does, and how a reading settles a rule, is followed from book to book; within one book,
and in the classic chapters, a page names its equals itself, so that one likeness does not become a chain of them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from kickdoor.rulebook.pages import all_rules

FOLLOWED: Final = ("MM", "SH", "GB", "BT", "AMB", "SAMB")  # the other books, and readings of what books leave open


@cache
def same_as() -> dict[str, tuple[str, ...]]:
    """For each rule, and each reading of the rules, what says the same."""
    return {found.id: found.same_as for found in all_rules() if found.same_as}


def equivalent(wanted: str, cited: str) -> bool:
    """Does the rule that is cited say what the wanted one says? (Not the other way round: a summary says less.)"""
    return cited in _equals(wanted)


@cache
def _equals(wanted: str) -> frozenset[str]:
    """The rule itself, those its page names, and what those of another book name (two books may name each other)."""
    found = {wanted}
    read: set[str] = set()
    pages = [wanted]
    while pages:
        page = pages.pop()
        if page in read:
            continue
        read.add(page)
        named = same_as().get(page, ())
        found.update(named)
        if _book(page) in FOLLOWED:
            pages += [id for id in named if _book(id) != _book(page)]
    return frozenset(found)


def _book(id: str) -> str:
    return id.rpartition("-")[0]
