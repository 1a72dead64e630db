"""A card that is printed again in another pack is written once: `{name: Elf, as_in: classic, copies: 2}`.

Everything is taken from the card as that pack writes it. It must be a pack that comes with the game: those are there
wherever a pack is read, and so nothing that a stranger wrote ever names a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from kickdoor.cards.checking import Fault
from kickdoor.cards.compiler import merge_like
from kickdoor.cards.language import Card
from kickdoor.cards.reading import nearest
from kickdoor.cards.words import given

OWN: Final = ("name", "as_in", "copies")  # what such an entry says itself
AS_IN: Final = ("as_in",)

CardsOf = Callable[[str], Sequence[Card]]  # of a pack that comes with the game, as they are written there


def printed_again(card: Card, pack: str, known: Sequence[str], cards_of: CardsOf) -> Card | Fault:
    """The card that an entry with `as_in` in this pack stands for, or what is wrong with that entry."""
    home = card.as_in or ""
    for key, _ in given(card):
        if key not in OWN:
            says = f"is as in {home!r} as well: an entry with as_in says nothing but name and copies"
            return Fault((key,), f"{says}; if this printing differs, leave out as_in and write the card")
    if home == pack:
        return Fault(AS_IN, f"{home!r} is this very pack; use copies:")
    if home not in known:
        return Fault(AS_IN, f"no pack {home!r} comes with the game, and no other can be meant; {nearest(home, known)}")
    cards = cards_of(home)
    found = [c for c in cards if c.name == card.name]
    if not found:
        return Fault(AS_IN, f"{home} has no card {card.name!r}; {nearest(card.name, [c.name for c in cards])}")
    if len(found) > 1:
        return Fault(AS_IN, f"{home} has {len(found)} cards called {card.name!r}; write the one that is meant")
    model = found[0]
    if model.as_in is not None:
        return Fault(AS_IN, _chain(card.name, home, model.as_in, pack))
    if model.like is not None:
        other = next((c for c in cards if c.name.lower() == (model.like or "").lower() and c.like is None), None)
        if other is None:
            return Fault(AS_IN, f"{card.name!r} in {home} is like a card of elsewhere; write it out here")
        model = merge_like(model, other)
    return msgspec.structs.replace(model, copies=card.copies, as_in=home)


def _chain(name: str, home: str, further: str, pack: str) -> str:
    if further == pack:
        return f"in {home} {name!r} is as in {pack}, and so nowhere: write it out in one of the two"
    return f"in {home} {name!r} is printed again itself; say as_in: {further}"
