"""A view reveals nothing its seat may not know: swap what it cannot see, and it looks the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import helpers
import kickdoor
from kickdoor.engine import invariants
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import SHOW_HAND, Move
from kickdoor.engine.views import SPECTATOR

STEPS = 500
MIXES = ["classic", "three_packs_shakespeare"]


def hidden_from(g: Game, viewer: int) -> list[list[int]]:
    """The zones this viewer cannot look into: other hands that are not shown, and the decks."""
    hands = [p.hand for s, p in enumerate(g.players) if s != viewer and not p.shown]
    return [*hands, *g.own_piles()[0]]


def known_to(g: Game, viewer: int) -> set[int]:
    """Cards out of sight that the viewer has seen: drawn openly, drawn by himself, or what he is being asked about.

    A card that wanders lies openly on its deck.
    """
    known = {-1 - c for codes in g.drew for c in codes[:-1] if c < 0} | set(g.lib.wanderers)
    if viewer >= 0:
        known.update(g.drew[viewer][:-1])
    for f in g.stack:
        if isinstance(f, fr.Ask) and f.seat == viewer and f.domain == fr.CARDS:
            known.update(f.options)
    return known


def swap_hidden(g: Game, viewer: int, rng: random.Random) -> Game:
    """The same table as `viewer` knows it, with everything he cannot see dealt otherwise."""
    new = g.clone()
    zones = hidden_from(new, viewer)
    known = known_to(g, viewer)
    other: dict[int, int] = {}
    for deck in range(len(g.piles)):
        cards = [c for z in zones for c in z if g.lib.defs[c].deck == deck and c not in known]
        dealt = cards[:]
        rng.shuffle(dealt)
        other.update(zip(cards, dealt, strict=True))
    for zone in zones:
        zone[:] = [other.get(c, c) for c in zone]
    rename_references(new, other)
    new.rng ^= rng.getrandbits(64)
    new.touch()
    return new


def rename_references(g: Game, other: dict[int, int]) -> None:
    """Whatever else speaks of a hidden card speaks of the one that took its place."""

    def there(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(other.get(c, c) for c in cards)

    g.fresh = [(s, other.get(c, c)) for s, c in g.fresh]
    g.drew = [there(codes) for codes in g.drew]
    g.offers = [msgspec.structs.replace(o, deal=renamed_deal(o.deal, other)) for o in g.offers]
    if g.fight is not None:
        g.fight.deal = renamed_deal(g.fight.deal, other)
        g.fight.at_once = list(there(tuple(g.fight.at_once)))
    for f in g.stack:
        if isinstance(f, fr.Ask) and f.domain == fr.CARDS:
            f.options, f.chosen = there(f.options), there(f.chosen)
        elif isinstance(f, fr.Draft):
            f.give, f.plays, f.doubled = there(f.give), there(f.plays), there(f.doubled)
        elif isinstance(f, fr.Draw):
            f.got, f.more = there(f.got), there(f.more)
        elif isinstance(f, fr.Victory):
            f.pool = there(f.pool)
        elif isinstance(f, fr.Promise):
            f.cards = there(f.cards)


def renamed_deal(deal: Any, other: dict[int, int]) -> Any:
    return msgspec.structs.replace(deal, plays=tuple(other.get(c, c) for c in deal.plays))


def differences(a: Any, b: Any, at: str = "") -> Iterator[str]:
    """Where two views differ."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for k in a:
            yield from differences(a[k], b[k], f"{at}.{k}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from differences(x, y, f"{at}[{i}]")
    elif a != b:
        yield f"{at.lstrip('.')}: {a!r} or {b!r}"


def moments(mix: str, seats: int, seed: int, steps: int = STEPS) -> Iterator[Game]:
    """The decisions of a random game."""
    rng = random.Random(seed)
    g = helpers.start(mix, seats, seed)
    for _ in range(steps):
        if g.over:
            return
        yield g
        kickdoor.apply(g, helpers.choose(g, rng))


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_a_seat_cannot_see_makes_no_difference_to_it(mix: str, seed: int) -> None:
    rng = random.Random(seed)
    for i, g in enumerate(moments(mix, 4, seed)):
        viewer = rng.randrange(4)
        otherwise = swap_hidden(g, viewer, rng)
        invariants.check(otherwise)
        where = f"seat {viewer}, move {i} of {mix}, seed {seed}, at {g.stack[-1]!r}"
        assert list(differences(kickdoor.view(g, viewer), kickdoor.view(otherwise, viewer))) == [], where
        assert kickdoor.to_act(g) == kickdoor.to_act(otherwise), where
        assert kickdoor.legal(g, viewer) == kickdoor.legal(otherwise, viewer), where


@pytest.mark.parametrize("mix", MIXES)
def test_an_onlooker_sees_no_hand_and_no_deck(mix: str) -> None:
    rng = random.Random(5)
    for i, g in enumerate(moments(mix, 5, 5)):
        seen = kickdoor.view(g, SPECTATOR)
        for p, shown in zip(seen["players"], g.players, strict=True):
            assert shown.shown or p["hand"] is None
            assert p["hand_size"] == len(shown.hand)
        otherwise = swap_hidden(g, SPECTATOR, rng)
        found = list(differences(seen, kickdoor.view(otherwise, SPECTATOR)))
        assert found == [], f"move {i} of {mix}, seed 5, at {g.stack[-1]!r}"


CARD_KEYS = frozenset(
    {"hand", "table", "equipped", "attached", "borne", "cards", "fresh", "discards", "box", "dungeons", "door_card"}
    | {"card", "face", "enhancers", "played", "items", "give", "get", "options"}
)


def cards_in(value: Any, key: str = "") -> Iterator[int]:
    """Every card that a view names."""
    if isinstance(value, dict):
        if "options" in value and value.get("domain") != "cards":
            value = {k: v for k, v in value.items() if k != "options"}
        for k, v in value.items():
            if isinstance(k, int):
                yield k
            yield from cards_in(v, key if isinstance(k, int) else k)
    elif isinstance(value, list):
        for v in value:
            yield from cards_in(v, key)
    elif isinstance(value, int) and key in CARD_KEYS:
        yield value


@pytest.mark.parametrize("mix", MIXES)
def test_no_view_names_a_hidden_card(mix: str) -> None:
    for i, g in enumerate(moments(mix, 4, 9)):
        for viewer in range(SPECTATOR, 4):
            hidden = {c for zone in hidden_from(g, viewer) for c in zone} - known_to(g, viewer)
            named = hidden & set(cards_in(kickdoor.view(g, viewer)))
            names = [g.lib.defs[c].name for c in named]
            assert not named, f"seat {viewer} sees {names}, move {i} of {mix}, seed 9, at {g.stack[-1]!r}"


def test_one_sees_ones_own_hand_and_no_other() -> None:
    for g in moments("classic", 4, 14, 200):
        for viewer in range(4):
            hands = [p["hand"] for p in kickdoor.view(g, viewer)["players"]]
            assert hands[viewer] == g.players[viewer].hand
            assert all(h is None or g.players[s].shown for s, h in enumerate(hands) if s != viewer)


def test_a_hand_that_is_shown_is_seen_by_all() -> None:
    g = next(g for g in moments("classic", 3, 3) if Move(0, SHOW_HAND) in kickdoor.legal(g, 0))
    assert kickdoor.view(g, 1)["players"][0]["hand"] is None
    kickdoor.apply(g, Move(0, SHOW_HAND))
    for viewer in (0, 1, 2, SPECTATOR):
        assert kickdoor.view(g, viewer)["players"][0]["hand"] == g.players[0].hand


def test_looking_changes_nothing() -> None:
    for g in moments("three_packs_shakespeare", 4, 6, 300):
        before = g.key()
        for viewer in range(SPECTATOR, 4):
            kickdoor.view(g, viewer)
        assert g.key() == before


def test_a_view_is_ready_for_json_and_shares_nothing_with_the_game() -> None:
    for g in moments("classic", 4, 17, 200):
        before = g.key()
        seen = kickdoor.view(g, 0)
        msgspec.json.encode(seen)
        for p in seen["players"]:
            p["table"].append(0)
            p["equipped"].append(0)
        hand = seen["players"][0]["hand"]
        assert hand is not None
        for zone in (seen["discards"], seen["box"], seen["rolls"], hand):
            zone.clear()
        assert g.key() == before
