"""A Race or Class that is printed again in an expansion does what the first printing does."""

from __future__ import annotations

import pytest

from kickdoor.cards.packs import find_pack, known_packs, read_pack

CLASSIC = {c.name: c for c in read_pack(find_pack("classic")).cards if c.kind in ("race", "class") or c.multi}
REPRINTS = [
    (pack, card.name) for pack in known_packs() for card in read_pack(find_pack(pack)).cards if card.name in CLASSIC
]


@pytest.mark.parametrize(("pack", "name"), REPRINTS)
def test_a_reprint_is_the_same_card(pack: str, name: str) -> None:
    again = next(c for c in read_pack(find_pack(pack)).cards if c.name == name)
    first = CLASSIC[name]
    assert (again.modifiers, again.abilities, again.text) == (first.modifiers, first.abilities, first.text)
