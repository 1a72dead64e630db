"""Which cards these are: what is played of a pack, apart from what is only read.

Kinds, figures, effects, names and copies decide what can happen; a game goes on with cards that have the same. The
words on them, remarks, where they are from and which rule is cited are for whoever reads them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from kickdoor.cards.language import Card, Pack

SIZE: Final = 12  # bytes of a digest


def played(head: Pack, cards: Iterable[Card]) -> str:
    """A digest of all that a pack's cards and head do; the same as long as only their words change."""
    digest = hashlib.blake2b(msgspec.json.encode(_head(head)), digest_size=SIZE)
    for card in cards:
        digest.update(bare(card))
    return digest.hexdigest()


def bare(card: Card) -> bytes:
    """What a card does, without what is only read of it. What a card does not say is left out: a new key of the
    language changes no card that has no use for it."""
    powers = [replace(a, rules=None) for a in card.abilities]
    return msgspec.json.encode(
        replace(card, text=None, note=None, origin=None, bad_stuff_text=None, as_in=None, abilities=powers)
    )


def _head(head: Pack) -> Pack:
    silent = None if head.no_race is None else msgspec.json.decode(bare(head.no_race), type=Card)
    return replace(head, title="", about="", sources="", samples=[], mixing=[], theme={}, no_race=silent)
