"""What a schemer does with the cards that lie in a hand for long: by what they do, not by their names."""

from __future__ import annotations

from kickdoor.bots import Table, make
from kickdoor.bots.driver import ask
from kickdoor.bots.turning import hold_back
from kickdoor.bots.values import worth
from kickdoor.engine.facts import strength
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import AFTER_DOOR, BEFORE_DOOR, DOOR, TREASURE, Game
from test_bots import decide, hold, meet, quiet_table, take, wear


def until_the_door(g: Game) -> list[int]:
    """Ann gets on with her turn up to the door; the cards that she played."""
    table, bot, played = Table(g), make("schemer", 1), []
    for _ in range(30):
        move = bot.choose(table.seat(0)).move
        if move.verb == mv.KICK:
            break
        if move.verb == mv.PLAY:
            played.append(move.card)
        table.apply(move)
    return played


def carry(g: Game, seat: int, name: str) -> int:
    (card,) = wear(g, seat, name)
    g.equipped.discard(card)
    g.touch()
    return card


# -- a Cheat! -------------------------------------------------------------------------------------------------------


def test_a_cheat_lets_one_wear_two_of_a_kind() -> None:
    g = quiet_table()
    wear(g, 0, "Mithril Armor")
    carry(g, 0, "Flaming Armor")
    (cheat,) = hold(g, 0, "Cheat!")
    before = strength.strength(g, 0)
    assert cheat in until_the_door(g)
    assert strength.strength(g, 0) == before + 2


def test_a_cheat_makes_room_for_a_second_big_item_out_of_the_hand() -> None:
    g = quiet_table()
    wear(g, 0, "Chainsaw of Bloody Dismemberment")
    cheat, rock = hold(g, 0, "Cheat!", "Huge Rock")
    assert cheat in until_the_door(g)
    assert rock in g.equipped


def test_a_cheat_waits_while_there_is_nothing_to_gain_by_it() -> None:
    g = quiet_table()
    wear(g, 0, "Mithril Armor")
    (cheat,) = hold(g, 0, "Cheat!")
    assert cheat not in until_the_door(g)


def test_a_cheat_goes_where_one_gains_most() -> None:
    g = quiet_table()
    wear(g, 0, "Slimy Armor", "Bad-Ass Bandana")
    helm = carry(g, 0, "Pointy Hat of Power")  # a Wizard's, +3
    carry(g, 0, "Flaming Armor")  # a better one than what she wears: that takes no Cheat!
    (cheat,) = hold(g, 0, "Cheat!")
    assert cheat in until_the_door(g)
    assert g.host[cheat] == helm


# -- a monster of one's own in a fight ------------------------------------------------------------------------------


def test_a_wandering_monster_makes_an_easy_fight_two() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[0].level = 5
    wear(g, 0, "Chainsaw of Bloody Dismemberment")
    wandering, goblin = hold(g, 0, "Wandering Monster", "Lame Goblin")
    meet(g, 0, "Potted Plant")
    move = decide(g, 0).move
    assert (move.card, move.extra) == (wandering, goblin)


def test_a_wandering_monster_trips_who_is_about_to_win() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[0].level = 8
    wandering, dragon = hold(g, 1, "Wandering Monster", "Plutonium Dragon")
    meet(g, 0, "Flying Frogs")
    move = decide(g, 1).move
    assert (move.card, move.extra) == (wandering, dragon)


def test_a_wandering_monster_is_kept_for_somebody_who_matters() -> None:
    g = quiet_table(AFTER_DOOR)
    g.players[0].level = 7
    hold(g, 1, "Wandering Monster", "Plutonium Dragon")
    meet(g, 0, "Flying Frogs")
    assert decide(g, 1).move.verb == mv.PASS


def test_the_monster_goes_before_the_card_that_brings_one() -> None:
    g = quiet_table()
    wandering, dragon = hold(g, 0, "Wandering Monster", "Plutonium Dragon")
    seat = Table(g).seat(0)
    assert worth(seat, wandering) > worth(seat, dragon)


# -- Spells ---------------------------------------------------------------------------------------------------------


def test_a_book_that_nobody_keeps_is_called() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "munchkinomicon")
    (spell,) = hold(g, 0, "Summon the Book")
    (book,) = wear(g, 1, "Munchkinomicon")
    assert until_the_door(g)[:1] == [spell]
    assert book in g.players[0].table + g.players[0].hand


def test_one_does_not_call_what_one_has() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "munchkinomicon")
    (spell,) = hold(g, 0, "Summon the Book")
    wear(g, 0, "Munchkinomicon")
    assert spell not in until_the_door(g)


def test_two_cards_of_no_use_lure_the_book() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "munchkinomicon")
    hold(g, 0, "Plutonium Dragon", "Bullrog")
    (book,) = wear(g, 1, "Munchkinomicon")
    move = decide(g, 0).move
    assert (move.verb, move.card) == (mv.USE, book)


def test_two_good_ones_do_not() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "munchkinomicon")
    hold(g, 0, "Magic Missile", "Pretty Balloons")
    wear(g, 1, "Munchkinomicon")
    assert decide(g, 0).move.verb == mv.KICK


def test_a_card_out_of_the_leaders_hand() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "munchkinomicon")
    g.players[2].level = 5
    hold(g, 1, "Magic Missile")
    hold(g, 2, "Pretty Balloons")
    (spell,) = hold(g, 0, "Spell of Slurping")
    move = decide(g, 0).move
    assert (move.card, mv.seat_of(move.target)) == (spell, 2)


def test_help_that_cannot_be_refused_is_for_who_rises_by_it() -> None:
    g = quiet_table(AFTER_DOOR, 0, "munchkinomicon")
    (spell,) = hold(g, 1, "Throwing Yourself Into It")
    g.players[1].level = 6
    meet(g, 0, "Lame Goblin")
    assert decide(g, 1).move.card != spell
    wear(g, 1, "Elf")
    assert decide(g, 1).move.card == spell


# -- doors ----------------------------------------------------------------------------------------------------------


def test_a_portal_is_gone_through_since_a_door_comes_for_it() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "dungeons")
    (portal,) = hold(g, 0, "Secret Door")
    assert decide(g, 0).move.card == portal


def test_who_looks_ahead_meets_what_he_likes_and_leaves_the_rest() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "unnatural_axe")
    g.players[0].level = 3
    (look,) = hold(g, 0, "Find A Map")
    plant, dragon, curse = (take(g, n) for n in ("Potted Plant", "Plutonium Dragon", "Curse! Lose a Level"))
    g.piles[DOOR] = [*g.piles[DOOR], plant, curse, dragon]  # the dragon on top
    g.touch()
    assert until_the_door(g) == [look]
    assert g.piles[DOOR][-3:] == [dragon, curse, plant]


# -- others ---------------------------------------------------------------------------------------------------------


def test_a_winner_who_leads_gets_another_monster_for_his_treasure() -> None:
    g = quiet_table(AFTER_DOOR, 0, "unnatural_axe")
    g.players[0].level = 6
    wear(g, 0, "Mithril Armor", "Chainsaw of Bloody Dismemberment")
    horse, dragon = hold(g, 1, "Trojan Horse", "Plutonium Dragon")
    meet(g, 0, "Potted Plant")
    table, bots = Table(g), [make("schemer", i) for i in range(4)]
    while horse in g.players[1].hand and g.turn == 0:
        turn = table.next()
        assert turn is not None
        seat, must = turn
        choice = bots[seat].choose(table.seat(seat)) if must else bots[seat].interject(table.seat(seat))
        if choice is not None:
            table.apply(choice.move)
    assert horse not in g.players[1].hand
    assert dragon not in g.players[1].hand


def test_what_spoils_an_item_is_for_who_leads() -> None:
    g = quiet_table(BEFORE_DOOR, 0, "magical_mess")
    g.players[1].level = 6
    (snail,) = hold(g, 0, "Curse! Mixed Up With a Snail")
    (armor,) = wear(g, 1, "Mithril Armor")
    got = hold_back(Table(g).seat(0), spend=True)
    assert got is not None
    assert (got.move.card, got.move.target) == (snail, armor)


def test_what_comes_back_at_once_is_not_played_for_ever() -> None:
    """The Treasures are all out, so that each of two cards that draw brings back the other."""
    g = quiet_table(BEFORE_DOOR, 0, "shakespeare")
    both = hold(g, 0, "Outrageous Fortune", "Three Caskets")
    g.piles[TREASURE] = []
    g.touch()
    bots = [make("schemer", s) for s in range(4)]
    table, played = Table(g, bots), []
    for _ in range(100):
        turn = table.next()
        assert turn is not None
        choice = ask(table, bots, *turn)
        if choice is not None and choice.move.verb == mv.KICK:
            break
        if choice is not None:
            played += [choice.move.card] if choice.move.verb == mv.PLAY else []
            table.apply(choice.move)
    else:
        raise AssertionError("the door is never opened")
    assert sorted(played) == sorted(both)
