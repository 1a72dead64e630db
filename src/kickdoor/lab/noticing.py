"""Would the scenarios of a pack notice if a card did something else?

Each scenario that `shows` a card is played with the card changed (`card_changes`). One of them must fail: a card whose
scenarios all pass without it is not shown by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from kickdoor.cards.compiler import merge_like
from kickdoor.cards.language import Card
from kickdoor.cards.packs import PackSource, find_pack, read_pack, spellings
from kickdoor.cards.reading import Lines, documents
from kickdoor.lab.card_changes import Change, Changed, bare, hollow, parts
from kickdoor.paper.files import read_text
from kickdoor.scenario.coverage import NeverEnds, home, limited, pack_scenarios, split
from kickdoor.scenario.runner import find_files, run_document

SECONDS: Final = 10.0  # a scenario takes milliseconds; a card that says something else may loop


@dataclass(frozen=True)
class Story:
    """A scenario as it was read."""

    data: dict[str, Any] = field(hash=False)
    lines: Lines = field(hash=False)
    file: str = ""

    @property
    def size(self) -> int:
        return len(self.data.get("steps") or ())


@dataclass(frozen=True)
class Unnoticed:
    """A change to a card that no scenario of its own minds."""

    pack: str
    card: str
    what: str


@lru_cache(maxsize=8)
def stories(pack: str) -> dict[str, list[Story]]:
    """The scenarios that show cards of this pack, by the card's name in small letters, short ones first."""
    id = read_pack(find_pack(pack)).head.id
    found: dict[str, list[Story]] = {}
    for path in find_files(_homes(pack)):
        text = read_text(path)
        for part in split(text) if f"{id}:" in text else ():
            if f"{id}:" in part.text:
                for data, lines in documents(part.text, str(path), part.first):
                    for card in _shown(data, id):
                        found.setdefault(card, []).append(Story(data, lines, str(path)))
    return {card: sorted(told, key=lambda s: s.size) for card, told in found.items()}


def _homes(pack: str) -> list[Path]:
    """Where scenarios lie that may show a card of this pack: in packs, and among those of the rules."""
    rules = home()
    found = [find_pack(pack) / "scenarios", *pack_scenarios(), *([rules] if rules is not None else [])]
    return list(dict.fromkeys(p.resolve() for p in found if p.is_dir()))


def _shown(data: Any, id: str) -> Iterator[str]:
    for shown in data.get("shows") or () if isinstance(data, dict) else ():
        pack, colon, card = str(shown).partition(":")
        if colon and pack == id:
            yield card.strip().lower()


def shown_by(card: Card, found: dict[str, list[Story]]) -> list[Story]:
    """The scenarios that say they show this card."""
    return [story for name in spellings(card) for story in found.get(name, ())]


def whole(source: PackSource, card: Card) -> Card:
    """The card with what it has from the one it is like."""
    if card.like is None:
        return card
    models = {c.name.lower(): c for c in source.cards}
    return merge_like(card, models[card.like.lower()])


def notices(pack: str, change: Change, told: Sequence[Story]) -> bool:
    """Does one of these scenarios fail with the card changed?"""
    printed = Changed(pack, change)
    for story in told:
        try:
            with limited(SECONDS):
                if not run_document(story.data, story.lines, story.file, printed).clean:
                    return True
        except (NeverEnds, Exception):  # a card that breaks the game has been noticed
            return True
    return False


def unshown(pack: str) -> list[str]:
    """The cards of a pack that have no scenario of their own; what is printed again is shown where it is from."""
    source = read_pack(find_pack(pack))
    found = stories(pack)
    own = [c for c in source.cards if c.kind != "blank" and c.as_in is None]
    return [c.name for c in own if not shown_by(c, found)]


def trials(
    pack: str, each_part: bool = False, chosen: Callable[[Card], bool] = lambda _: True
) -> Iterator[tuple[Unnoticed, bool]]:
    """Every change to the cards of a pack that have scenarios, and whether one of these notices it."""
    source = read_pack(find_pack(pack))
    found = stories(pack)
    for card in source.cards:
        mine = shown_by(card, found)
        if card.kind == "blank" or not mine or not chosen(card):
            continue
        printed = whole(source, card)
        for change in parts(printed) if each_part else [] if bare(printed) else [hollow(printed)]:
            yield Unnoticed(source.head.id, card.name, change.what), notices(source.head.id, change, mine)


def unnoticed(pack: str, each_part: bool = False) -> list[Unnoticed]:
    """What could be left out of the cards of a pack, and no scenario would fail."""
    return [change for change, noticed in trials(pack, each_part) if not noticed]
