"""What the log may say to whom: every kind of event has its row, and no listener hears of a card he may not know."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import helpers
import kickdoor
from kickdoor.engine import kernel
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.happenings import Kind
from kickdoor.engine.value.moves import Move, at_seat
from kickdoor.engine.value.records import Event
from kickdoor.scenario.runner import run_file
from kickdoor.voice import telling
from kickdoor.voice.telling import tell, tell_all

SOURCES = Path(kickdoor.__file__).parent / "engine"
PACKS = Path(kickdoor.__file__).parent / "packs"
KINDS = get_args(Kind)
# Where a card is turned up for all to see, even if it then goes where nobody sees it.
TURNED_UP = ("kick", "draw", "shows")


def emitted() -> Iterator[tuple[str, ast.expr]]:
    """What the sources of the engine emit: the place, and the expression for the kind."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit":
                yield f"{path.name}:{node.lineno}", node.args[0]


def words_in(e: ast.expr) -> list[str]:
    return [n.value for n in ast.walk(e) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def test_all_that_is_emitted_is_a_kind_there_is() -> None:
    """The type checker holds every call to `Kind`; here the calls are read, in case one was silenced."""
    found = list(emitted())
    assert len(found) > 100
    odd = [(where, w) for where, e in found if not isinstance(e, ast.IfExp) for w in words_in(e) if w not in KINDS]
    assert odd == []


def test_the_voice_has_a_row_for_every_kind_and_no_other() -> None:
    assert sorted(KINDS) == sorted(telling.KINDS)


def test_no_kind_is_a_word_that_nothing_uses() -> None:
    steps = SOURCES.parent / "cards" / "steps.py"  # what `take: {how: ...}` may say
    text = "".join(p.read_text("utf-8") for p in (*SOURCES.rglob("*.py"), steps) if p.name != "happenings.py")
    assert [k for k in KINDS if f'"{k}"' not in text] == []


@pytest.mark.parametrize("kind", [*KINDS, "something_new"])
def test_a_secret_card_is_told_to_the_two_alone(kind: str) -> None:
    g = helpers.start("classic", 4, 1)
    card = next(c for c in g.players[1].hand if len(g.lib.defs[c].name) > 6)
    name = g.lib.defs[card].name
    e = Event(kind, 1, card, 2, 1, "PILE-9", secret=True)
    for stranger in (0, 3, -1):
        for line in tell(g, [e], stranger):
            assert name not in line.text
            assert line.event is not None
            assert line.event.card == -1
            assert card not in (line.event.other, line.event.n)
    for told in (1, 2):
        assert all(line.event is not None and line.event.card == card for line in tell(g, [e], told))


def test_what_there_is_no_word_for_is_not_told() -> None:
    g = helpers.start("classic", 3, 1)
    assert tell(g, [Event("something_new", 0, 5, rule="CONF-1")], 1) == []


def test_a_spectator_is_not_the_other_one_of_whoever_has_none() -> None:
    e = Event("draw", 0, 5, n=0, secret=True)
    assert e.other == -1
    assert telling.known(e, -1).card == -1


# -- what came of it ---------------------------------------------------------------------------------------------


def named(g: Game, name: str) -> list[int]:
    return [c for c, d in enumerate(g.lib.defs) if d.name == name]


def lines(g: Game, events: list[Event], me: int) -> list[str]:
    return [line.text for line in tell(g, events, me)]


def table() -> Game:
    g = helpers.start("classic", 3, 1)
    for p, name, sex in zip(g.players, ("Ann", "Ole", "Cid"), (1, 0, 0), strict=True):
        p.name, p.sex = name, sex
    return g


def test_a_curse_on_oneself() -> None:
    g = table()
    struck = [Event("curse", 0, named(g, "Curse! Lose a Level")[0], 0, rule="CURSE-2")]
    assert lines(g, struck, 0) == ["You play Curse! Lose a Level on yourself."]
    assert lines(g, struck, 1) == ["Ann plays Curse! Lose a Level on herself."]


def test_a_power_is_used_on_somebody_and_not_on_the_listener_himself() -> None:
    g = table()
    used = [Event("use", 0, named(g, "Thief")[0], at_seat(1))]
    assert [lines(g, used, me) for me in (0, 1, 2)] == [
        ["You use Thief on Ole."],
        ["Ann uses Thief on you."],
        ["Ann uses Thief on Ole."],
    ]


def test_what_is_put_on_what_is_only_carried_and_what_waits_on_the_table() -> None:
    g = table()
    rock, hat, glue = (named(g, name)[0] for name in ("Huge Rock", "Helm of Courage", "Flask of Glue"))
    g.players[0].table += [rock, hat, glue]
    g.equipped.add(hat)
    assert [lines(g, [Event("play", 0, c, rule="PILE-11")], 1) for c in (rock, hat, glue)] == [
        ["Ann carries Huge Rock, not in use."],
        ["Ann puts on Helm of Courage (+1)."],
        ["Ann lays down Flask of Glue, ready to use."],
    ]
    assert lines(g, [Event("play", 0, rock, rule="PILE-11")], 0) == ["You carry Huge Rock, not in use."]
    g.players[0].table.remove(glue)  # it is used up
    assert lines(g, [Event("play", 0, glue, rule="PILE-11")], 1) == ["Ann plays Flask of Glue."]


def test_a_minus_is_a_minus() -> None:
    g = table()
    baby, harpies = named(g, "Baby")[0], named(g, "Harpies")[0]
    assert lines(g, [Event("play", 0, baby, harpies)], 1) == ["Ann plays Baby (−5) on Harpies."]
    assert lines(g, [Event("penalty", 0, baby, 1, -2)], 2) == ["Ann is stabbed in the back: −2."]


def test_a_curse_that_ends_is_no_loss() -> None:
    g = table()
    curse, hat = named(g, "Curse! Change Sex")[0], named(g, "Helm of Courage")[0]
    (over,), (lost,) = (tell(g, [Event("lost", 0, c)], 1) for c in (curse, hat))
    assert (over.text, over.tone) == ("Ann is rid of Curse! Change Sex.", "good")
    assert (lost.text, lost.tone) == ("Ann loses Helm of Courage.", "bad")


def test_a_hand_is_shown_as_ones_own() -> None:
    g = table()
    shown = [Event("show_hand", 0, rule="PILE-15")]
    assert [lines(g, shown, me)[0] for me in (0, 1)] == [
        "You lay your hand open for everybody.",
        "Ann lays her hand open for everybody.",
    ]


def test_one_class_for_another_and_for_the_same() -> None:
    g = table()
    one, other, cleric = *named(g, "Warrior")[:2], named(g, "Cleric")[0]

    def swap(old: int) -> list[Event]:
        return [Event("play", 0, one, rule="PILE-11"), Event("lost", 0, old, rule="FQ-RC-6")]

    assert lines(g, swap(other), 0) == ["You swap one Warrior for another."]
    assert lines(g, swap(cleric), 1) == ["Ann becomes a Warrior and is no longer a Cleric."]


def test_bad_stuff_says_what_it_costs_or_that_it_costs_nothing() -> None:
    g = table()
    harpies, elf, orcs = named(g, "Harpies")[0], named(g, "Elf")[0], named(g, "3,872 Orcs")[0]
    caught, over = Event("caught", 0, harpies, rule="RUN-11"), Event("discard", card=harpies, rule="COMBAT-29")
    assert lines(g, [caught, over, Event("fight_over")], 0) == [
        "You are caught by Harpies, and the Bad Stuff does nothing."
    ]
    hand = [Event("discard", card=c, rule="RUN-11") for c in (elf, orcs)]
    assert lines(g, [caught, *hand, over], 1) == [
        "Ann is caught by Harpies.",
        "The Bad Stuff takes Elf and 3,872 Orcs.",
    ]
    g.skips = [1, 0, 0]
    assert lines(g, [caught, over], 1) == ["Ann is caught by Harpies, and will miss a turn."]
    g.skips = [0, 0, 0]
    g.stack.append(Effect(0, harpies, 0, 0, foe=harpies))
    assert lines(g, [caught], 1) == ["Ann is caught by Harpies."]  # it is still to come


def test_a_curse_that_finds_nothing_comes_to_nothing() -> None:
    g = table()
    curse, elf = named(g, "Curse! Lose a Level")[0], named(g, "Elf")[0]
    gone = Event("discard", card=curse, rule="CURSE-3")
    assert lines(g, [gone], 1) == ["Curse! Lose a Level comes to nothing."]
    assert lines(g, [Event("lost", 0, elf), gone], 1) == ["Ann loses Elf."]
    assert lines(g, [Event("discard", card=elf, rule="CURSE-3"), gone], 1) == ["The Curse takes Elf."]


def test_a_fight_that_nobody_is_left_for_is_not_won() -> None:
    g = table()
    won = Event("victory", 0, rule="COMBAT-33")
    assert lines(g, [won, Event("fight_over")], 1) == ["Nobody is left to fight Ann."]
    assert lines(g, [won, Event("level", 0, n=1)], 1)[0] == "Ann wins the fight!"


# -- games and scenarios, watched --------------------------------------------------------------------------------


def out_of_sight(g: Game, viewer: int) -> set[int]:
    """The cards that this viewer cannot see where they are now."""
    hands = {c for s, p in enumerate(g.players) if s != viewer and not p.shown for c in p.hand}
    return hands.union(*g.piles, *(pile for deck in g.aside for pile in deck))


class Watch:
    """Makes moves, and lets everybody at the table listen to what is told of them."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.told: list[str] = []
        self.apply = kernel.apply

    def __call__(self, g: Game, move: Move, **how: Any) -> list[Event]:
        before = {v: out_of_sight(g, v) for v in range(-1, len(g.players))}
        events = self.apply(g, move, **how)
        if g.events is not None:
            assert tell_all(g, events, before) == {v: tell(g, events, v) for v in before}
            up = {e.card for e in events if e.kind in TURNED_UP and not e.secret}
            for viewer, hidden in before.items():
                self.listen(g, events, viewer, (hidden & out_of_sight(g, viewer)) - up)
        return events

    def listen(self, g: Game, events: list[Event], viewer: int, hidden: set[int]) -> None:
        """Was a card told of that was out of sight before, is so now, and was not turned up in between?"""
        self.kinds.update(e.kind for e in events)
        for line in tell(g, events, viewer):
            e = line.event
            assert e is not None
            if e.card in hidden:
                self.told.append(f"{e.kind} ({e.rule}) to {viewer}: {line.text}")


def test_no_line_of_a_random_game_tells_of_a_card_out_of_sight() -> None:
    rng = random.Random(2)
    watch = Watch()
    for mix in ("classic", "three_packs_shakespeare"):
        g = helpers.start(mix, 4, 2)
        for _ in range(700):
            if g.over:
                break
            watch(g, helpers.choose(g, rng))
    assert watch.told == []
    assert len(watch.kinds) > 25


SECRETIVE = ["clerical_errors/scenarios/treasure_specials.yaml", "good_bad/scenarios/treasures.yaml"]


def test_a_card_handed_over_from_hand_to_hand_is_told_to_the_two_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Duck of Many Things and Deputy's Badge hand over a card unseen (PILE-9)."""
    watch = Watch()
    for module in list(sys.modules.values()):
        ours = getattr(module, "__name__", "").startswith("kickdoor.scenario")
        if ours and getattr(module, "apply", None) is kernel.apply:
            monkeypatch.setattr(module, "apply", watch)
    for name in SECRETIVE:
        watch.kinds.clear()
        assert all(o.passed for o in run_file(PACKS / name))
        assert "given" in watch.kinds, name
    assert watch.told == []
