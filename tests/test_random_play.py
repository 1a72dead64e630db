"""Random games, thousands if asked (KICKDOOR_GAMES per mix), with the invariants on after every move."""

from __future__ import annotations

import os
import random
from functools import cache

import pytest
from msgspec.structs import replace

import helpers
import kickdoor
from drilling import daily
from kickdoor.engine import invariants
from kickdoor.engine.setup import library
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import VERB_NAMES, Move
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.records import Event

GAMES = int(os.environ.get("KICKDOOR_GAMES", daily("1", "4")))
CASES = [(mix, 3 + seed % 4, seed) for seed in range(GAMES) for mix in helpers.MIXES]


def mutated(g: Game, move: Move, rng: random.Random) -> Move:
    """Almost the same move: one field is something else, perhaps nonsense."""
    field = rng.choice(Move.__struct_fields__)
    cards = len(g.lib.defs)
    values = {
        "seat": rng.randrange(len(g.players)),
        "verb": rng.randrange(-1, len(VERB_NAMES) + 2),
        "card": rng.randrange(-6, cards + 2),
        "target": rng.choice([*range(-20, 0), rng.randrange(cards)]),
        "extra": rng.choice([*range(-210, -90, 7), -1, 0, 1, rng.randrange(cards)]),
    }
    return replace(move, **{field: values[field]})


def try_nonsense(g: Game, move: Move, rng: random.Random) -> None:
    """What `legal` does not list is refused, with a reason, and changes nothing."""
    wrong = mutated(g, move, rng)
    if rng.random() < 0.4 and wrong not in kickdoor.legal(g, wrong.seat):
        must_be_refused(g, wrong)


def must_be_refused(g: Game, wrong: Move) -> None:
    before = g.key()
    with pytest.raises(Refused) as refused:
        kickdoor.apply(g, wrong)
    assert refused.value.reason.rule, f"{wrong} was refused by no rule"
    assert refused.value.reason.says, f"{wrong} was refused without a word"
    assert g.key() == before, f"{wrong} was refused and changed the game"


@pytest.mark.parametrize("mix", helpers.MIXES)
def test_what_is_not_legal_is_refused(mix: str) -> None:
    helpers.play(mix, 5, 78, try_nonsense)


@pytest.mark.parametrize("seat", [-3, -1, 4, 99])
def test_nobody_sits_there(seat: int) -> None:
    """A seat that does not exist has no moves and is refused, at every kind of moment."""
    rng = random.Random(3)
    g = helpers.start("classic", 4, 3)
    for _ in range(400):
        move = helpers.choose(g, rng)
        must_be_refused(g, replace(move, seat=seat))
        kickdoor.apply(g, move)


def everyone_awaited_can_move(g: Game, move: Move, rng: random.Random) -> None:
    """Whoever is waited for has something to do, and may act before the others."""
    for seat in kickdoor.to_act(g):
        assert kickdoor.legal(g, seat), f"seat {seat} is awaited and stuck: {g.stack[-1]!r}"
    if rng.random() < 0.02:
        for seat in range(len(g.players)):
            moves = kickdoor.legal(g, seat)
            assert len(set(moves)) == len(moves), f"seat {seat} is offered the same move twice"


@pytest.mark.parametrize(("mix", "seats", "seed"), CASES)
def test_a_random_game_holds_the_invariants_and_ends(mix: str, seats: int, seed: int) -> None:
    g = helpers.play(mix, seats, seed, everyone_awaited_can_move)
    assert g.winners
    assert kickdoor.to_act(g) == []
    assert [kickdoor.legal(g, s) for s in range(seats)] == [[] for _ in range(seats)]


@pytest.mark.parametrize("mix", ["classic", "three_packs_shakespeare"])
def test_every_legal_move_of_everybody_is_accepted(mix: str) -> None:
    """Not only the one that is chosen: each is tried in a copy."""
    rng = random.Random(5)
    g = helpers.start(mix, 4, 5)
    for _ in range(600):
        if g.over:
            break
        if rng.random() < 0.25:
            for seat in range(4):
                for move in kickdoor.legal(g, seat):
                    then = g.clone()
                    kickdoor.apply(then, move)
                    invariants.check(then)
        kickdoor.apply(g, helpers.choose(g, rng))


def test_same_seed_and_moves_give_the_same_game() -> None:
    rng = random.Random(11)
    one, two = helpers.start("three_packs", 5, 11), helpers.start("three_packs", 5, 11)
    two.events = None
    for _ in range(1500):
        if one.over:
            break
        assert one.key() == two.key()
        move = helpers.choose(one, rng)
        kickdoor.apply(one, move)
        kickdoor.apply(two, move, trusted=True)
    assert one.key() == two.key()


def test_another_seed_gives_another_game() -> None:
    assert helpers.start("classic", 4, 1).key() != helpers.start("classic", 4, 2).key()


# -- all cards --------------------------------------------------------------------------------------------------

PLAYED = frozenset({"attach", "caught", "curse", "enhance", "fight", "immediate", "join", "one_shot", "play", "trait"})
SEEDS = range(43, 243)  # as many as it takes: it ends when every card has been seen


def seen_in(events: list[Event]) -> set[int]:
    """The cards that were played by somebody or befell somebody."""
    return {e.card for e in events if e.card >= 0 and e.kind in PLAYED}


@cache
def seen_in_game(mix: str, seed: int) -> frozenset[tuple[str, str]]:
    rng = random.Random(seed)
    g = helpers.start(mix, 3 + seed % 4, seed)
    count = 0
    names: set[tuple[str, str]] = set()
    while not g.over and count < helpers.BOUND:
        cards = seen_in(kickdoor.apply(g, helpers.choose(g, rng), trusted=True))
        names.update((g.lib.defs[c].pack, g.lib.defs[c].name) for c in cards)
        assert g.events is not None
        g.events.clear()
        count += 1
    return frozenset(names)


@pytest.mark.parametrize("mix", ["classic", "three_packs"])
def test_every_card_is_played_or_suffered(mix: str, capsys: pytest.CaptureFixture[str]) -> None:
    missing = {(d.pack, d.name) for d in library(helpers.MIXES[mix].packs).unique}
    games = 0
    for seed in SEEDS:
        missing -= seen_in_game(mix, seed)
        games += 1
        if not missing:
            break
    with capsys.disabled():
        print(f"\n{mix}: every card was played within {games} games" if not missing else f"\nnever: {missing}")
    assert not missing, f"never played in {games} games: {sorted(missing)}"
