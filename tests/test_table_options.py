"""What a table can choose besides its sets: one list for lobby and command line, and a clear no where it cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from kickdoor import rulebook
from kickdoor.app import sets_command
from kickdoor.app.cli import main
from kickdoor.engine import invariants, saving
from kickdoor.engine.kernel import to_act
from kickdoor.engine.setup import library, new_game, rules_for
from kickdoor.engine.table.deck_building import advice
from kickdoor.engine.value.game import Game
from kickdoor.server import catalog, chairs, deciding, replays, snapshots
from kickdoor.server import entries as en
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.games import loser
from kickdoor.server.table import Table
from kickdoor.server.trouble import Trouble
from kickdoor.voice.choices import CHOICES, FLAGS
from staging import BOT, Stage

DUNGEONS = ["classic", "dungeons"]
MESS = ["magical_mess", "classic"]
COUPLET = ["shakespeare", "classic"]


def options(**changes: Any) -> op.TableOptions:
    return op.changed(op.TableOptions(), changes)


def refused(**changes: Any) -> Trouble:
    with pytest.raises(Trouble) as e:
        options(**changes)
    return e.value


# -- the list ---------------------------------------------------------------------------------------------------------


def test_everything_on_the_list_is_a_field_with_these_words_and_cites_a_rule() -> None:
    for flag in FLAGS.values():
        assert rulebook.rule(flag.rule)
        rules_for(("classic",), **flag.fields)
    for choice in CHOICES.values():
        assert rulebook.rule(choice.rule)
        for word, _ in choice.words:
            rules_for(("classic",), **{choice.field: word})


def test_the_lobby_is_told_the_same_list() -> None:
    told = {o["id"]: o for o in catalog.about()["options"]}
    assert set(FLAGS) | set(CHOICES) <= set(told)
    assert told["first_dungeon"]["field"] == "dungeons.first"
    assert told["locked_dungeon"]["needs"] == "dungeon"
    packs = {p["id"]: p for p in catalog.about()["packs"]}
    assert "Dungeon of Lavish Loot" in packs["dungeons"]["dungeons"]
    assert {"dungeon", "portal"} <= set(packs["dungeons"]["kinds"])
    assert packs["classic"]["dungeons"] == []
    assert packs["magical_mess"]["board"]
    assert not packs["classic"]["board"]


def test_house_rules_and_fields_come_together_and_the_single_field_counts_more() -> None:
    o = options(packs=DUNGEONS, house=["all_cards", "locked_dungeon"], rules={"dungeons.portals": "none"})
    rules = op.rules(o)
    assert rules.decks.doors == "all"
    assert rules.dungeons.locked
    assert rules.dungeons.portals == "none"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"rules": {"dungeons.first": "winner"}}, "DUNG-12"),
        ({"house": ["locked_dungeon"]}, "DUNG-15"),
        ({"packs": DUNGEONS, "rules": {"dungeons.first": "Dungeon of Nowhere"}}, "DUNG-12"),
        ({"packs": DUNGEONS, "rules": {"dungeons.portals": "none", "dungeons.portal_block": 150}}, "PORTAL-16"),
        ({"packs": DUNGEONS, "rules": {"decks.piles": "per_set", "dungeons.portal_block": 150}}, "PORTAL-16"),
    ],
)
def test_what_contradicts_itself_is_refused_with_its_rule(changes: dict[str, Any], rule: str) -> None:
    no = refused(**changes)
    assert (no.code, no.rule) == ("bad_option", rule)


def test_a_named_dungeon_is_where_the_game_begins() -> None:
    s = Stage(["Ann"], [BOT] * 2, packs=DUNGEONS, rules={"dungeons.first": "joe's discount dungeon"})
    assert [s.game.lib.defs[c].name for c in s.game.dungeons] == ["Joe's Discount Dungeon"]


def test_epic_play_comes_with_the_suggestion_of_the_faster_rules() -> None:
    lib = library(("classic",))
    slow, fast = (rules_for(("classic",), epic=True, faster_play=f) for f in (False, True))
    assert [(a.rule, a.followed(slow), a.followed(fast)) for a in advice(lib, slow)] == [("EPIC-2", False, True)]
    assert not advice(lib, rules_for(("classic",)))
    assert "EPIC-2" in [a["rule"] for a in op.advice(options(house=["epic"]))]


# -- the reaction clock -----------------------------------------------------------------------------------------------


def test_timers_add_to_the_time_that_the_book_asks_for() -> None:
    assert [options(timer=t).window for t in op.TIMERS] == [15.0, 8.0, 5.0, 2.6, 8.0]
    assert [options(timer=t, packs=COUPLET).window for t in op.TIMERS] == [18.4, 11.4, 8.4, 6.0, 11.4]


def test_another_book_on_the_table_changes_the_clock() -> None:
    o = op.changed(options(timer="blitz"), {"packs": COUPLET})
    assert (o.timer, o.window) == ("blitz", 6.0)
    assert op.changed(o, {"packs": ["classic"]}).window == 2.6


def test_no_clock_is_shorter_than_the_book() -> None:
    assert options(timer="custom", window=3).window == 3
    no = refused(timer="custom", window=3, packs=COUPLET)
    assert no.rule == "COMBAT-32"
    assert "6 (a rhyming couplet)" in no.says


def test_other_seconds_than_a_timers_own_make_it_custom() -> None:
    o = options(timer="normal", window=20)
    assert (o.timer, o.window) == ("custom", 20)
    assert options(timer="quick", window=5.0, decision=25.0).timer == "quick"


# -- who picks the first Dungeon --------------------------------------------------------------------------------------


def finished(packs: list[str], **more: Any) -> Stage:
    """A game that is over, and the same people in the lobby again."""
    for seed in range(1, 30):
        s = Stage(["Ann"], [BOT] * 2, seed=seed, packs=packs, **more)
        if s.lively(lambda g: bool(g.winners)):
            return s
    raise AssertionError("no game comes to its end")


@pytest.mark.parametrize("who", ["winner", "loser"])
def test_after_a_game_its_winner_or_loser_picks(who: str) -> None:
    s = finished(DUNGEONS, rules={"dungeons.first": who})
    first = next(e.what for e in s.entries if isinstance(e.what, en.Dealt))
    assert first.rules["dungeons"]["first"] == "random", "before a first game there is no winner"
    g = s.game
    seat = g.winners[0] if who == "winner" else loser(g)
    kept = snapshots.load(s.id, snapshots.dump(s.table))
    assert kept.last == s.table.last
    s.take(*deciding.decide(s.table, 0, pr.Rematch("again")))
    s.take(*deciding.decide(s.table, 0, pr.Start("start")))
    assert to_act(s.game) == [seat]
    assert s.view(seat)["asked"]["about"] == "first_dungeon"
    assert s.game.dungeons == []


def test_a_game_in_which_somebody_is_picking_can_be_copied_and_written() -> None:
    rules = rules_for(DUNGEONS, **{"dungeons.first": "loser", "dungeons.chosen_by": "Bob"})
    g = new_game(("Ann", "Bob", "Cid"), DUNGEONS, rules=rules)
    assert saving.from_json(saving.to_json(g)).key() == g.clone().key() == g.key()
    invariants.check(g)


def test_the_loser_is_the_one_who_came_least_far() -> None:
    g = Stage(["Ann"], [BOT] * 3, packs=["classic"]).game
    g.winners = [1]
    for p, level in zip(g.players, (3, 10, 2, 5), strict=True):
        p.level = level
    g.touch()
    assert loser(g) == 2


def test_if_the_winner_has_left_chance_decides() -> None:
    t = Table("abcdefghjk")
    t.options = options(packs=DUNGEONS, rules={"dungeons.first": "winner"})
    t.chairs = [chairs.Chair(chairs.BOT, "Bob", bot=BOT)]
    t.last = {"winner": "Zoe", "loser": "Bob"}
    assert t.rules().dungeons.first == "random"
    t.last["winner"] = "Bob"
    assert (t.rules().dungeons.first, t.rules().dungeons.chosen_by) == ("winner", "Bob")


# -- standies ---------------------------------------------------------------------------------------------------------


def lobby(people: int = 2, **changes: Any) -> Table:
    t = Table("abcdefghjk")
    t.take(en.Entry(en.Opened(t.id, "Friday", op.plain(options(**changes)), people + 1)))
    for name in ("Ann", "Bob", "Cid")[:people]:
        for w in deciding.sit(t, name, "male", None, name):
            t.take(en.Entry(w))
    t.take(en.Entry(deciding.bot_for(t, people, BOT)))
    return t


def say(t: Table, seat: int, m: Any) -> None:
    for w in deciding.decide(t, seat, m):
        t.take(en.Entry(w))


def test_everybody_has_a_colour_and_may_choose_another() -> None:
    t = lobby(packs=MESS)
    assert chairs.colours(t.chairs) == [0, 1, 2]
    say(t, 0, pr.Colour("c", 1))
    assert chairs.colours(t.chairs) == [1, 0, 2], "nobody has the same"
    with pytest.raises(Trouble, match="Ann has the blue standies"):
        say(t, 1, pr.Colour("c", 1))
    with pytest.raises(Trouble, match="red, blue"):
        say(t, 1, pr.Colour("c", 11))
    say(t, 1, pr.Colour("c", 5))
    say(t, 0, pr.Colour("c", 0))
    assert chairs.colours(t.chairs) == [0, 5, 2]


def test_without_a_board_there_are_no_standies() -> None:
    with pytest.raises(Trouble, match="no board") as e:
        say(lobby(), 0, pr.Colour("c", 1))
    assert e.value.rule == "MM-3"


# -- accessories ------------------------------------------------------------------------------------------------------

THINGS = ["classic", "accessories"]


def test_what_people_bring_is_in_the_game_and_in_its_replay() -> None:
    t = lobby(packs=THINGS, house=["accessories"])
    say(t, 0, pr.Bring("b", ["kill-o-meter", "Munchkin Dice"]))
    say(t, 1, pr.Ready("r"))
    t.take(en.Entry(deciding.new_seal(1)))
    say(t, 0, pr.Start("s"))
    assert t.game is not None
    assert beside(t.game, 0) == ["Kill-O-Meter", "Reversal of Fortune", "Munchkin Dice"]
    assert beside(t.game, 1) == []
    assert t.game.rules.accessories.date, "the day of the game"
    assert t.dealt is not None
    d = t.dealt
    shown = (
        d.version,
        op.plain(t.options),
        d.cards,
        d.rules,
        d.players,
        d.sexes,
        d.bots,
        str(d.seed),
        d.salt,
        t.seal(),
    )
    stage = replays.Stage(replays.Replay(1, t.id, 1, t.name, *shown, [], [], "", d.things))
    assert stage.table.game is not None
    assert stage.table.game.key() == t.game.key()


def beside(g: Game, seat: int) -> list[str]:
    return [g.lib.defs[c].name for c in g.accessories[seat]] if g.accessories else []


def test_nobody_brings_what_there_is_not_or_what_the_table_does_not_play_with() -> None:
    with pytest.raises(Trouble) as e:
        say(lobby(packs=THINGS), 0, pr.Bring("b", ["Kill-O-Meter"]))
    assert e.value.code == "refused"
    t = lobby(packs=THINGS, house=["accessories"])
    with pytest.raises(Trouble, match="Nobody can bring 'Elf'"):
        say(t, 0, pr.Bring("b", ["Elf"]))
    with pytest.raises(Trouble, match="only 6"):
        say(t, 0, pr.Bring("b", ["Munchkin Dice"] * 7))


def test_what_was_given_away_is_the_others_in_the_next_game() -> None:
    t = lobby(packs=THINGS, house=["accessories"])
    say(t, 0, pr.Bring("b", ["Give-Away Button"]))
    say(t, 1, pr.Ready("r"))
    t.take(en.Entry(deciding.new_seal(1)))
    say(t, 0, pr.Start("s"))
    g = t.game
    assert g is not None
    button = g.accessories[0].pop()
    g.accessories[1].append(button)
    g.ledger = [*g.ledger, (button, 0, 1)]
    t.take(en.Entry(en.Again()))
    assert [c.things for c in t.chairs] == [[], ["Give-Away Button"], []]


# -- the command line -------------------------------------------------------------------------------------------------


def test_the_command_line_sets_the_same_fields(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--first-dungeon", "Joe's Discount Dungeon", "--lock-dungeon", "--portals", "all", "--portal-block"]
    assert main(["sets", "--build", *DUNGEONS, *words]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "--lock-dungeon --first-dungeon" in out
    assert "--portals all --portal-block 150" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--first-dungeon", "winner", "--packs", "classic,dungeons"], "it must be said who"),
        (["--first-dungeon", "loser", "--chosen-by", "Zoe", "--packs", "classic,dungeons"], "it must be said who"),
        (["--first-dungeon", "Cellar", "--packs", "classic,dungeons"], "no Dungeon 'Cellar'"),
        (["--lock-dungeon"], "No set at this table has Dungeons"),
        (["--portal-block"], "Without Portals"),
        (["--bring", "Kill-O-Meter"], "add the set accessories"),
        (["--bring", "Elf", "--packs", "classic,accessories"], "nobody can bring that"),
    ],
)
def test_play_refuses_in_one_line(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    assert main(["play", "--terminal", *words]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1


def test_every_choice_has_a_word_on_the_command_line() -> None:
    import argparse

    parser = argparse.ArgumentParser()
    sets_command.options(parser)
    args = parser.parse_args([])
    assert sets_command.fields(args, ["classic"]) == {}
    assert all(hasattr(args, name) for name in CHOICES)
