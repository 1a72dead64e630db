"""Bots: they see only their seat, always finish, and do what a sensible player does."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

import kickdoor
import kickdoor.bots
from kickdoor.bots import (
    BotError,
    Choice,
    Seat,
    Stuck,
    Table,
    make,
    play_out,
)
from kickdoor.engine import moves as mv
from kickdoor.engine.frames import Turn
from kickdoor.engine.game import AFTER_DOOR, BEFORE_DOOR, DOOR, TREASURE, Game
from kickdoor.engine.kernel import settle

NAMES = ["Ann", "Bob", "Cid", "Dot"]


def quiet_table(phase: int = BEFORE_DOOR, turn: int = 0) -> Game:
    """Four level-1 Humans with empty hands, in Ann's turn."""
    g = kickdoor.new_game(NAMES, seed=3)
    for p in g.players:
        for c in (*p.hand, *p.table):
            g.piles[g.lib.defs[c].deck].append(c)
        p.hand, p.table = [], []
    g.equipped = set()
    g.fresh = []
    g.turn, g.turns = turn, 1
    g.stack = [Turn(phase)]
    g.touch()
    return g


def take(g: Game, name: str) -> int:
    """A copy of a card, out of its deck."""
    for c in g.lib.by_name[name.lower()]:
        for deck in (DOOR, TREASURE):
            if c in g.piles[deck]:
                g.piles[deck].remove(c)
                return c
    raise AssertionError(name)


def hold(g: Game, seat: int, *names: str) -> list[int]:
    cards = [take(g, n) for n in names]
    g.players[seat].hand += cards
    g.touch()
    return cards


def wear(g: Game, seat: int, *names: str) -> list[int]:
    cards = [take(g, n) for n in names]
    g.players[seat].table += cards
    g.equipped |= {c for c in cards if g.lib.defs[c].is_item}
    g.touch()
    return cards


def decide(g: Game, seat: int) -> Choice:
    return make("sensible", 1).choose(Table(g).seat(seat))


def meet(g: Game, seat: int, monster: str) -> int:
    """The seat whose turn it is looks for trouble with a monster."""
    (card,) = hold(g, seat, monster)
    kickdoor.apply(g, kickdoor.Move(seat, mv.TROUBLE, card))
    return card


# -- whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_sensible_bots_finish(seed: int) -> None:
    g = kickdoor.new_game(NAMES, seed=seed)
    moves = play_out(g, [make("sensible", seed + i) for i in range(4)], 10_000)
    assert g.winners
    assert moves > 50


def test_a_game_has_a_human_length() -> None:
    turns = []
    for seed in range(12):
        g = kickdoor.new_game(NAMES, seed=100 + seed)
        play_out(g, [make("sensible", i) for i in range(4)])
        turns.append(g.turns)
    assert 20 <= statistics.median(turns) <= 90


@pytest.mark.parametrize("seed", range(3))
def test_random_bots_finish(seed: int) -> None:
    g = kickdoor.new_game(NAMES, seed=seed)
    g.events = None
    play_out(g, [make("random", seed + i) for i in range(4)], 60_000)
    assert g.winners


def test_mixed_table_with_other_packs() -> None:
    for seed in range(4):
        packs = ("classic", "unnatural_axe", "clerical_errors")
        g = kickdoor.new_game(NAMES, packs=packs, seed=seed)
        g.events = None
        play_out(g, [make(k, seed) for k in ("sensible", "random", "sensible", "random")], 60_000)
        assert g.winners


def test_sense_beats_chance() -> None:
    wins = 0
    for seed in range(10):
        g = kickdoor.new_game(NAMES, seed=seed)
        g.events = None
        play_out(g, [make(k, seed) for k in ("sensible", "random", "random", "random")], 60_000)
        wins += 0 in g.winners
    assert wins >= 7


def test_same_seed_same_game() -> None:
    keys = []
    for _ in range(2):
        g = kickdoor.new_game(NAMES, seed=9)
        play_out(g, [make(k, 5) for k in ("sensible", "random", "sensible", "random")], 60_000)
        keys.append(g.key())
    assert keys[0] == keys[1]


def test_a_game_that_does_not_end_is_said_to_be_stuck() -> None:
    g = kickdoor.new_game(NAMES, seed=1)
    with pytest.raises(Stuck, match="no winner after 30 moves"):
        play_out(g, [make("sensible") for _ in range(4)], 30)


def test_unknown_kind_is_named() -> None:
    with pytest.raises(BotError, match="no bot 'clever'; known: random, greedy, schemer, lookahead"):
        make("clever")


# -- nothing hidden -----------------------------------------------------------------------------------------------


def test_bots_never_touch_the_game_itself() -> None:
    """No bot module reaches past the seat it is given."""
    for path in Path(kickdoor.bots.__file__).parent.glob("*.py"):
        if path.name not in ("seat.py", "driver.py"):
            assert "._game" not in path.read_text(encoding="utf-8"), path.name


def test_hidden_cards_change_nothing() -> None:
    """Two games that differ only in what a seat cannot see give the same choice."""
    for seed in range(15):
        g = kickdoor.new_game(NAMES, seed=seed)
        other = g.clone()
        me = kickdoor.to_act(g)[0]
        a, b = [s for s in range(4) if s != me][:2]
        other.players[a].hand, other.players[b].hand = other.players[b].hand, other.players[a].hand
        for pile in other.piles:
            pile.reverse()
        for kind in ("sensible", "random"):
            assert make(kind, 4).choose(Seat(g, me)) == make(kind, 4).choose(Seat(other, me))


# -- sense --------------------------------------------------------------------------------------------------------


def test_puts_down_a_race_and_items() -> None:
    g = quiet_table()
    elf, boots = hold(g, 0, "Elf", "Boots of Butt-Kicking")
    first = decide(g, 0).move
    kickdoor.apply(g, first)
    second = decide(g, 0).move
    assert {first.card, second.card} == {elf, boots}


def test_takes_up_the_better_armor() -> None:
    g = quiet_table()
    wear(g, 0, "Leather Armor")
    (mithril,) = wear(g, 0, "Mithril Armor")
    g.equipped.discard(mithril)
    g.touch()
    for _ in range(2):
        kickdoor.apply(g, decide(g, 0).move)
    assert mithril in g.equipped


def test_sells_junk_but_not_what_it_uses() -> None:
    g = quiet_table()
    (junk,) = hold(g, 0, "Wand of Dowsing")
    (sword,) = wear(g, 0, "Sneaky Bastard Sword")
    for _ in range(4):
        if g.players[0].level > 1:
            break
        kickdoor.apply(g, decide(g, 0).move)
    assert g.players[0].level == 2
    assert sword in g.players[0].table
    assert junk not in g.players[0].hand


def test_looks_for_trouble_it_beats_and_no_other() -> None:
    g = quiet_table(AFTER_DOOR)
    (dragon,) = hold(g, 0, "Plutonium Dragon")
    assert decide(g, 0).move.verb == mv.LOOT
    g.players[0].level = 5
    (rat,) = hold(g, 0, "Maul Rat")
    got = decide(g, 0).move
    assert (got.verb, got.card) == (mv.TROUBLE, rat)
    assert dragon != rat


def test_turns_its_own_fight_with_one_card() -> None:
    g = quiet_table(AFTER_DOOR)
    (missile,) = hold(g, 0, "Magic Missile")
    meet(g, 0, "Pit Bull")
    got = decide(g, 0)
    assert (got.move.card, got.move.target) == (missile, mv.MUNCHKINS)


def test_does_not_waste_a_card_that_does_not_turn_it() -> None:
    g = quiet_table(AFTER_DOOR)
    hold(g, 0, "Sleep Potion")
    meet(g, 0, "Plutonium Dragon")
    assert decide(g, 0).move.verb == mv.PASS


def test_asks_for_help_with_a_fair_share() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[2].level = 8
    meet(g, 0, "Pit Bull")
    asked = decide(g, 0).move
    assert (asked.verb, mv.seat_of(asked.target)) == (mv.ASK_HELP, 2)
    table = Table(g)
    bot = make("sensible")
    for _ in range(3):
        table.apply(bot.choose(table.seat(0)).move)
    assert g.offers
    assert g.offers[0].deal.treasures == 1
    answer = bot.choose(table.seat(2))
    assert answer.move.verb == mv.ACCEPT


def test_never_helps_somebody_to_win() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[0].level = 9
    g.players[2].level = 8
    meet(g, 0, "Plutonium Dragon")
    kickdoor.apply(g, kickdoor.Move(0, mv.ASK_HELP, target=mv.at_seat(2)))
    kickdoor.apply(g, kickdoor.Move(0, mv.ADD, extra=mv.ADD_TREASURES - 5))
    kickdoor.apply(g, kickdoor.Move(0, mv.PROPOSE))
    assert decide(g, 2).move.verb == mv.DECLINE


def test_stops_whoever_is_about_to_win() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[0].level = 9
    (ancient,) = hold(g, 1, "Ancient")
    meet(g, 0, "Pit Bull")
    got = decide(g, 1)
    assert got.move.card == ancient
    assert "Ann" in got.reason


def test_curses_the_leader_before_the_door() -> None:
    g = quiet_table()
    g.players[0].level = 9
    (duck,) = hold(g, 2, "Curse! Duck of Doom")
    got = make("sensible").interject(Table(g).seat(2))
    assert got is not None
    assert (got.move.card, mv.seat_of(got.move.target)) == (duck, 0)
    g.players[0].level = 3
    g.touch()
    assert make("sensible").interject(Table(g).seat(2)) is None


def test_charity_keeps_the_best_cards() -> None:
    g = quiet_table(4)
    g.players[0].level = 2
    keep = hold(g, 0, "Help Me Out Here!", "Ancient", "Humongous", "Wandering Monster", "Mate")
    (dragon,) = hold(g, 0, "Plutonium Dragon")
    settle(g)
    table = Table(g)
    bot = make("sensible")
    while not (g.turn != 0 or len(g.players[0].hand) <= 5):
        table.apply(bot.choose(table.seat(0)).move)
    assert dragon not in g.players[0].hand
    assert set(keep) <= set(g.players[0].hand)


def test_every_choice_has_a_legal_move() -> None:
    def watch(table: Table, choice: Choice) -> None:
        assert isinstance(choice.reason, str)
        assert "\n" not in choice.reason

    g = kickdoor.new_game(NAMES, seed=21)
    play_out(g, [make("sensible", i) for i in range(4)], 10_000, watch)
