"""Is every card ever played or suffered? Games at random until each card of a mix has been, and how many that took."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from kickdoor.engine.setup import new_game
from kickdoor.lab import crew, farm
from kickdoor.lab.playing import cards_of
from kickdoor.lab.random_play import Players
from kickdoor.lab.recording import numbering

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
CHANCE: Final = 2_500  # moves at random in a game; then players who want to win end it
BOUND: Final = 60_000  # moves; no such game is half as long
# What happens to a card that is played from a hand, met behind a door, put to use or suffered.
DONE: Final = frozenset(
    {
        "play",
        "trouble",
        "fight",
        "join",
        "ally",
        "enhance",
        "one_shot",
        "curse",
        "immediate",
        "trait",
        "equip",
        "attach",
    }
    | {"use", "ride", "tamed", "pet", "keep_as_item", "portal", "dungeon"}
)


@dataclass
class Meeting:
    """In which game each card was first played or suffered; games are counted from 1."""

    games: int = 0
    first: dict[str, int] = field(default_factory=dict)  # by name; of namesakes the later
    missing: list[str] = field(default_factory=list)

    @property
    def latest(self) -> list[tuple[str, int]]:
        """The cards that took longest, the last first."""
        return sorted(self.first.items(), key=lambda x: (-x[1], x[0]))

    def plain(self) -> dict[str, Any]:
        return {"games": self.games, "first": self.first, "missing": self.missing}


def play(number: int, packs: Sequence[str], seed: int = 1) -> set[int]:
    """One game at random: the numbers of the cards that were played or suffered in it."""
    game_seed = seed * 1_000_003 + number
    g = new_game(NAMES, packs=packs, seed=game_seed)
    numbers = numbering(g.lib)
    for card, printed in g.lib.origin.items():  # under another face it is the same card
        numbers[card] = numbers[printed]
    players = Players(g, random.Random(game_seed), number, CHANCE)
    met: set[int] = set()
    for _ in range(BOUND):
        if g.winners:
            break
        for e in players.table.apply(players.move()):
            if e.card >= 0 and e.kind in DONE:
                met.add(numbers[e.card])
    return met


def run(packs: Sequence[str], most: int, workers: int = 0, progress: Callable[[int], None] = lambda _: None) -> Meeting:
    """Games until every card has been met, at most so many; the same whoever plays them."""
    cards = {c["card"]: c["name"] for c in cards_of(packs) if c["copies"]}
    first: dict[int, int] = {}
    games, workers = 0, workers or farm.cores()
    one = partial(play, packs=tuple(packs))
    with closing(crew.in_order(one, range(most), workers)) as played:
        for number, met in enumerate(played):
            first |= {card: number + 1 for card in met & cards.keys() if card not in first}
            progress(1)
            games = number + 1
            if len(first) == len(cards):
                break
    missing = sorted(name for card, name in cards.items() if card not in first)
    named: dict[str, int] = {}
    for card, number in first.items():
        named[cards[card]] = max(number, named.get(cards[card], 0))
    return Meeting(games if missing else max(first.values(), default=0), named, missing)
