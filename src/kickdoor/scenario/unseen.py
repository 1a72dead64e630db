"""Cards that nobody has named: `unseen:` in a table, for a position of which only a part is known.

    unseen: {hands: {Bob: 4}, doors: 61, treasures: 44, door_discards: 12}

says how many cards lie in each place beside those that are written there. Which ones they are follows from the cards
that are left over and from nothing else: they are mixed with the seed of the table, and what acts when it is drawn
lies at the bottom of its deck. A table with `unseen:` has every card of its packs; what no number speaks of lies at
the bottom of its deck. A deck gives way where more is named than the numbers knew of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kickdoor.engine.invariants import zones
from kickdoor.engine.table import accessories, several_piles
from kickdoor.engine.value.game import DECKS, DOOR, DUNGEON, FAIRY_DUST, SPELL, TREASURE, Game
from kickdoor.scenario.naming import ScenarioError, seat_named

DECK_WORDS: Final = {
    DOOR: "doors",
    TREASURE: "treasures",
    DUNGEON: "dungeon_deck",
    SPELL: "spells",
    FAIRY_DUST: "fairy_dust",
}
DISCARD_WORDS: Final = {
    DOOR: "door_discards",
    TREASURE: "treasure_discards",
    DUNGEON: "dungeon_discards",
    SPELL: "spell_discards",
    FAIRY_DUST: "fairy_dust_discards",
}
KEYS: Final = ("hands", *DECK_WORDS.values(), *DISCARD_WORDS.values())


def deal(g: Game, words: Any) -> None:
    """Lay the cards that are in no place yet where the words say that unseen ones lie."""
    if not isinstance(words, Mapping):
        raise ScenarioError(f"unseen: must be a mapping, not {words!r}")
    for k in words:
        if k not in KEYS:
            raise ScenarioError(f"unseen: unknown key {k!r}; known: {', '.join(KEYS)}")
    pools = _left_over(g)
    decks, left = g.own_piles()
    piles: list[tuple[list[int], list[int]]] = []  # a pile, and what comes under it
    for deck, pool in enumerate(pools):
        under = [_take(pool, n) for n in _heights(g, deck, words.get(DECK_WORDS[deck]))]
        piles += zip(_places(g, deck, decks[deck]), under, strict=True)
        discards = _number(words.get(DISCARD_WORDS[deck], 0), DISCARD_WORDS[deck])
        if discards > len(pool) + sum(map(len, under)):
            raise ScenarioError(f"unseen: {DISCARD_WORDS[deck]}: {discards} cards are more than are left over")
        taken = _take(pool, discards)
        left[deck][:0] = taken + _from_tallest(under, discards - len(taken))
    _deal_hands(g, words.get("hands") or {}, pools, [cards for _, cards in piles])
    for pile, cards in piles:
        pile[:0] = cards
    for deck, pool in enumerate(pools):
        decks[deck][:0] = pool
    g.touch()


def _left_over(g: Game) -> list[list[int]]:
    """The cards that lie nowhere, by deck, mixed; those that act when they are drawn come first, for the bottom."""
    placed = {g.lib.origin.get(c, c) for _, cards in zones(g) for c in cards}
    pools: list[list[int]] = [[] for _ in range(DECKS)]
    for card, d in enumerate(g.lib.defs):
        absent = d.pack == "fixtures" or d.wanders or (d.outside and not accessories.in_the_deck(g, card))
        if not absent and card not in placed and card not in g.lib.origin:
            pools[d.deck].append(card)
    for pool in pools:
        g.shuffle(pool)
        pool.sort(key=lambda c: not g.lib.defs[c].immediate)
    return pools


def _places(g: Game, deck: int, in_use: list[int]) -> list[list[int]]:
    """The piles of a deck in the order of their names; a single one where it is not divided (DECK-12)."""
    if not g.aside[deck]:
        return [in_use]
    return [in_use if i == g.heap[deck] else pile for i, pile in enumerate(g.aside[deck])]


def _heights(g: Game, deck: int, words: Any) -> list[int]:
    """How many unseen cards each pile of a deck has."""
    names = list(several_piles.heights(g, deck))
    if not isinstance(words, Mapping):
        return [_number(words or 0, DECK_WORDS[deck]), *[0] * (len(names) - 1)]
    for name in words:
        if name not in names:
            raise ScenarioError(f"unseen: {DECK_WORDS[deck]}: no pile {name!r}; known: {', '.join(names) or 'one'}")
    return [_number(words.get(name, 0), f"{DECK_WORDS[deck]}: {name}") for name in names]


def _number(n: Any, where: str) -> int:
    if not isinstance(n, int) or isinstance(n, bool) or n < 0:
        raise ScenarioError(f"unseen: {where}: so many cards; {n!r} is no number of cards")
    return n


def _take(pool: list[int], n: int) -> list[int]:
    taken = pool[:n]
    del pool[:n]
    return taken


def _from_tallest(piles: list[list[int]], n: int) -> list[int]:
    """So many cards off whatever pile is tallest at the time."""
    out: list[int] = []
    for _ in range(n):
        tallest = max(piles, key=len, default=[])
        if not tallest:
            break
        out.append(tallest.pop())
    return out


def _deal_hands(g: Game, hands: Any, pools: list[list[int]], piles: list[list[int]]) -> None:
    """Hands get what no deck needs, from all decks together: who holds a card of which is not seen."""
    if not isinstance(hands, Mapping):
        raise ScenarioError(f"unseen: hands: must say how many cards each player holds, not {hands!r}")
    wanted = {seat_named(g, str(name)): _number(n, f"hands: {name}") for name, n in hands.items()}
    free = [c for pool in pools for c in pool]
    g.shuffle(free)
    free += _from_tallest(piles, sum(wanted.values()) - len(free))
    if len(free) < sum(wanted.values()):
        raise ScenarioError(f"unseen: hands: {sum(wanted.values())} cards are more than are left over")
    dealt: set[int] = set()
    for seat in sorted(wanted):
        cards = _take(free, wanted[seat])
        dealt.update(cards)
        g.players[seat].hand += cards
    for pool in pools:
        pool[:] = [c for c in pool if c not in dealt]
