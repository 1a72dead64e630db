"""Every sentence in every person: said to you, of one, of many; of names that begin with a vowel or end in s."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

import helpers
from kickdoor.engine.kernel import apply, legal, to_act, why_not
from kickdoor.engine.playing import saying, windows
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import reasons
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import Move, at_seat
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import OFFER_OF_HELP, OFFER_TRADE, Deal, Event, Fight, Foe, Offer
from kickdoor.paper.grammar import (
    NOBODY,
    Person,
    article,
    listed,
    many,
    possessive,
    render,
    several,
    together,
)
from kickdoor.voice import asking, naming, telling, words

NAMES = ("Ann", "Ole", "James", "Xerxes")
PEOPLE = (Person("Ann", you=True), *map(Person, NAMES), Person("Ann and Bob", many=True), NOBODY)

# What nobody says: you's, you is, you takes; a gap that was left open.
VERBS = {v for text, _ in telling._SAYS.values() for v in re.findall(r"\[(?:\w+:)?([\w ]+)\]", text)}
YOU = re.compile(
    rf"(?<!of )\b[Yy]ou('s| (never |already )?({'|'.join(sorted(VERBS | {'is', 'has', 'was', 'does', 'needs'}))})\b)"
)
ONE = re.compile(rf"\b({'|'.join(NAMES)}) (are|have|do|were|{'|'.join(sorted(map(several, VERBS)))})\b")
OPEN = re.compile(r"[{}\[\]|]")
A_OR_AN = re.compile(r"\b([Aa]n?) (\w+)")


def wrong(text: str) -> str:
    """What is wrong with a sentence, or nothing."""
    for pattern in (YOU, ONE, OPEN):
        found = pattern.search(text)
        if found:
            return f"{found[0]!r} in {text!r}"
    for a, word in A_OR_AN.findall(text):
        if article(word).split()[0] != a.lower():
            return f"{a} {word} in {text!r}"
    return "" if not re.search(r"  |\.\.(?!\.)| [.,]|''", text) else f"punctuation of {text!r}"


@pytest.mark.parametrize(
    ("one", "more"),
    [
        ("takes", "take"),
        ("is", "are"),
        ("has", "have"),
        ("goes", "go"),
        ("misses", "miss"),
        ("loses", "lose"),
        ("uses", "use"),
        ("dies", "die"),
        ("carries", "carry"),
        ("catches", "catch"),
        ("exchanges", "exchange"),
        ("may", "may"),
    ],
)
def test_verbs_of_one_and_of_many(one: str, more: str) -> None:
    assert several(one) == more
    assert naming.said(f"{{w}} [{one}]", w=Person("Ann")) == f"Ann {one}"
    assert naming.said(f"{{w}} [{one}]", w=Person("Ann", you=True)) == f"You {more}"


@pytest.mark.parametrize(
    "said",
    [
        *("an Elf", "a Dwarf", "an Orc", "a Unicorn", "an Uncle", "a one-shot", "an hour", "an 8", "a 5", "an 18"),
        *("the Great Cthulhu", "a European", "an Umbrella", "a Useful thing", "an Usher"),
    ],
)
def test_a_or_an(said: str) -> None:
    name = said if said.startswith("the") else said.partition(" ")[2]
    assert article(name) == said


def test_whose_and_how_many() -> None:
    assert [possessive(n) for n in ("Ann", "James")] == ["Ann's", "James's"]
    assert possessive("the munchkins", many=True) == "the munchkins'"
    assert [many(n, "level") for n in (0, 1, 2, -1)] == ["0 levels", "1 level", "2 levels", "-1 level"]
    assert [listed(NAMES[:n]) for n in range(4)] == ["nobody", "Ann", "Ann and Ole", "Ann, Ole and James"]
    assert together([Person("Ann", True), Person("Ole")]) == Person("Ole and you", many=True)
    assert together([]) == NOBODY


def test_verbs_go_with_the_first_or_with_whom_they_name() -> None:
    both = {"w": Person("Ann"), "o": Person("Bob", you=True)}.__getitem__
    assert render("{w} [asks] {o} for help and [offers] 1.", both) == "Ann asks you for help and offers 1."
    assert render("{o} [o:plays] it on {w}.", both) == "You play it on Ann."
    assert render("{w} [sees] that {o} [o:has] it: {o's own}, {o's} things.", both) == (
        "Ann sees that you have it: yours, your things."
    )


@pytest.mark.parametrize(
    ("who", "said"),
    [
        (Person("Ann", you=True), "You play it on yourself."),
        (Person("Ann", sex="female"), "Ann plays it on herself."),
        (Person("Ole", sex="male"), "Ole plays it on himself."),
        (Person("Kim"), "Kim plays it on themself."),
        (Person("Ann and Ole", many=True), "Ann and Ole play it on themselves."),
        (NOBODY, "Nobody plays it on nobody."),
    ],
)
def test_who_does_it_to_himself_is_named_once(who: Person, said: str) -> None:
    assert naming.said("{o} [o:plays] it on {w}.", o=who, w=who) == said


def test_who_does_something_more_is_named_again() -> None:
    ann = Person("Ann", sex="female")
    assert naming.said("With {w} it is won, and {w} [gets] 1. {w} [is] happy.", w=ann) == (
        "With Ann it is won, and Ann gets 1. Ann is happy."
    )


def test_what_is_filled_in_is_not_read() -> None:
    assert naming.said("{w} [takes] {c}.", w=Person("{w} [takes]"), c="Boo!") == "{w} [takes] takes Boo!"


# -- every sentence there is --------------------------------------------------------------------------------------


def templates() -> Iterator[tuple[str, str]]:
    for kind, (text, _) in telling._SAYS.items():
        yield f"event {kind}", text
    for name, value in vars(reasons).items():
        for reason in value.values() if isinstance(value, dict) else [value]:
            if isinstance(reason, Reason):
                yield f"reason {name}", reason.says


@pytest.mark.parametrize("who", PEOPLE, ids=lambda p: f"{p.name}{' (you)' * p.you}")
def test_every_sentence_is_right_in_every_person(who: Person) -> None:
    people = {"w", "o", *("asked", "target", "owner", "fighter", "helper", "protected", "turn", "winners", "lowest")}
    odd = []
    for where, text in templates():
        said = render(text, lambda gap: who if gap in people else "Old Boots")
        odd += [f"{where}: {w}" for w in [wrong(said)] if w]
        if who.many:
            odd += [f"{where}: {said}" for _ in re.findall(r"Ann and Bob (is|has|was|does)\b", said)]
    assert odd == []


def test_every_gap_of_a_refusal_is_filled_and_every_verb_has_its_person() -> None:
    for where, text in templates():
        if where.startswith("reason"):
            gaps = re.findall(r"\{(\w+)(?:'s(?: own)?)?\}", text)
            assert set(gaps) <= saying.FILL.keys(), where
            assert "[" not in text or re.search(r"\{(asked|target|owner|fighter|helper)", text), where


@pytest.mark.parametrize("mix", ["classic", "three_packs_shakespeare"])
def test_what_is_said_in_a_game_is_right_for_every_listener(mix: str) -> None:
    rng = random.Random(5)
    g = helpers.start(mix, 4, 3)
    for p, name in zip(g.players, NAMES, strict=True):
        p.name = name
    names = re.compile("|".join(re.escape(d.name) for d in sorted(g.lib.unique, key=lambda d: -len(d.name))))
    heard: set[str] = set()
    for _ in range(450):
        if g.over:
            break
        events = apply(g, helpers.choose(g, rng))
        for me in range(-1, 4):
            lines = [line.text for line in telling.tell(g, events, me)]
            lines.append(words.sentence(g, me, me in to_act(g)))
            if me >= 0:
                lines += [words.say(g, m, me) for m in legal(g, me)]
                tried = [Move(me, mv.KICK), Move(me, mv.SELL), Move(me, mv.ASK_HELP, target=at_seat(0))]
                lines += [why.says for m in tried if (why := why_not(g, m)) is not None]
            heard.update(lines)
    assert len(heard) > 300
    plain = {names.sub(lambda m: f"{m[0][:3]}oots", said) for said in heard}  # cards have sentences of their own
    assert [found for said in sorted(plain) if (found := wrong(said))] == []


def test_who_picks_first_is_said_to_each_as_it_concerns_him() -> None:
    g = helpers.start("classic", 3, 1)
    for p, name in zip(g.players, NAMES, strict=False):
        p.name = name
    o = Offer(OFFER_OF_HELP, 1, 0, helper=1, deal=Deal(treasures=1, picks=mv.PICKS_MAIN))
    assert [asking.offer_words(g, o, me) for me in (0, 1, 2)] == [
        "Ole would help you for 1 Treasure (you pick first).",
        "You would help Ann for 1 Treasure (Ann picks first).",
        "Ole would help Ann for 1 Treasure (Ann picks first).",
    ]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (fr.HELP_DRAFT, "Ann is working out a deal for help."),
        (fr.TRADE_DRAFT, "Ann is working out a trade."),
        (fr.SELL_DRAFT, "Ann is choosing what to sell."),
        (fr.CHARITY_DRAFT, "Ann has too many cards and is choosing what goes to Charity."),
    ],
)
def test_others_are_told_what_is_being_put_together_and_not_what_is_in_it(kind: int, said: str) -> None:
    g = helpers.start("classic", 3, 1)
    g.players[0].name = "Ann"
    g.stack.append(fr.Draft(kind, 0, give=tuple(g.players[0].hand)))
    assert {words.sentence(g, me, False) for me in (1, 2, -1)} == {said}


def test_charity_says_once_who_gets_the_cards_and_why() -> None:
    g = helpers.start("classic", 3, 1)
    for p, name in zip(g.players, NAMES, strict=False):
        p.name = name
    g.stack.append(fr.Draft(fr.CHARITY_DRAFT, 0, need=2))
    told = []
    for levels in ((1, 1, 3), (4, 2, 3), (4, 2, 2)):
        for p, level in zip(g.players, levels, strict=True):
            p.level = level
        told.append((words.sentence(g, 0, True), asking.rule(g, 0)))
    assert told == [
        ("Charity: 2 cards too many. You are the lowest yourself, so they are discarded.", "TURN-23"),
        ("Charity: 2 cards too many. They go to the lowest, Ole.", "TURN-17"),
        ("Charity: 2 cards too many. They go to the lowest, as evenly as can be: Ole and James.", "TURN-17"),
    ]


def test_only_who_is_asked_is_asked() -> None:
    g = helpers.start("classic", 3, 1)
    g.players[0].name = "Ann"
    g.stack[-1] = fr.Window("turn", 0)
    assert words.sentence(g, 1, True) == "It is Ann's turn. Do you want to do something?"
    assert {words.sentence(g, me, False) for me in (1, 2, -1)} == {"It is Ann's turn."}


def named_table() -> Game:
    g = helpers.start("classic", 3, 1)
    for p, name in zip(g.players, NAMES, strict=False):
        p.name = name
    return g


def held(g: Game, name: str) -> int:
    return next(c for c, d in enumerate(g.lib.defs) if d.name == name)


def test_the_die_shows_its_face_and_the_sum_is_what_counts() -> None:
    g = named_table()
    g.stack.append(fr.Roll(0, 0, face=2, bonus=1, need=5))
    assert words.sentence(g, 0, True) == "You have 3 (2 on the die, +1) and need 5."
    assert words.sentence(g, 1, True) == "Ann has 3 (2 on the die, +1) and needs 5."
    g.stack[-1] = fr.Roll(0, 0, face=4, bonus=-1)
    assert words.sentence(g, 1, True) == "Ann has 3 (4 on the die, −1)."
    g.stack[-1] = fr.Roll(0, 0, face=4, need=5)
    assert words.sentence(g, 0, True) == "You have a 4 on the die and need 5."


def test_every_moment_at_which_all_may_act_says_what_it_is() -> None:
    """Before the first turn it is nobody's turn, and afterwards that alone is no reason to ask."""
    assert words._WINDOWS.keys() == windows._STAGE.keys()
    g = named_table()
    divine = held(g, "Elf")
    for what in words._WINDOWS:
        g.stack[-1] = fr.Window(what, 0, divine)
        for must in (True, False):
            assert "turn." not in words.sentence(g, 1, must).replace("the first turn.", ""), what
    g.stack = [fr.Creation(0, 3), fr.Window("opening", 0, divine)]
    shown = "Elf was dealt and takes effect before the first turn."
    assert words.sentence(g, 1, False) == shown
    assert words.sentence(g, 1, True) == f"{shown} Whoever would rather be something else by then becomes it now."
    g.stack = [fr.Creation(0, 3), fr.RollOff((0, 1), "SETUP-8")]
    assert words.sentence(g, 1, True) == "The cards are dealt. Do you want to do something?"


def test_who_waits_at_a_body_knows_whose_it_is_and_the_dead_that_they_are() -> None:
    g = named_table()
    g.players[2].dead = True
    g.stack += [fr.Death(2, order=(1, 0)), fr.Ask(1, fr.CARDS, (0, 1), low=0, about="loot", rule="DEATH-8")]
    assert [words.sentence(g, me, me == 1) for me in range(3)] == [
        "Ole is looting James's body.",
        "James is dead. Take one card from the body, or none.",
        "You are dead until the next turn. Ole is looting your body.",
    ]
    g.fight = Fight(2, helper=1, fleeing=True)
    g.stack = [fr.Turn(0), fr.Flee()]
    assert words.sentence(g, 2, False) == "You are dead until the next turn. The fight is lost. Ole has to run."
    g.fight = None
    g.stack = [fr.Turn(0)]
    assert words.sentence(g, 2, False) == "You are dead until the next turn. It is Ann's turn."


def test_who_picks_a_treasure_knows_how_many_are_his_and_who_is_next() -> None:
    g = named_table()
    g.fight = Fight(0, helper=1)
    won = fr.Victory(order=(1, 0, 1), pool=(1, 2, 3, 4))
    g.stack += [won, fr.Ask(1, fr.CARDS, won.pool, about="share", rule="HELP-8")]
    assert [words.sentence(g, me, me == 1) for me in range(3)] == [
        "Ole is picking a Treasure. Then you pick.",
        "Pick a Treasure: 2 of these 4 are yours. Then Ann picks.",
        "Ole is picking a Treasure. Then Ann picks.",
    ]
    won.order, won.pool = (1,), (1, 2)
    assert words.sentence(g, 1, True) == "Pick a Treasure: 1 of these 2 is yours. The rest is Ann's."
    g.stack[-1] = fr.Ask(0, fr.CARDS, won.pool, about="share", rule="HELP-8")  # it is Ann who chooses
    won.order, won.pool = (1, 1), (1, 2, 3)
    assert words.sentence(g, 0, True) == "Which Treasure goes to Ole? 2 are still due."
    assert words.sentence(g, 2, False) == "Ann is choosing a Treasure for Ole."


def test_a_tie_that_is_won_says_why() -> None:
    g = named_table()
    card, foe = held(g, "Warrior"), held(g, "Crabs")
    g.players[0].table = [card]
    g.touch()
    g.fight = Fight(0)
    g.fight.foes = [Foe(foe, foe, 1)]
    g.stack = [fr.Turn(0), fr.Combat()]
    g.touch()
    assert words.sentence(g, 1, False) == "Ann is winning, 1 to 1: a Warrior wins ties."
    g.players[0].table = []
    g.touch()
    assert words.sentence(g, 1, False) == "Ann is losing (a tie is a loss), 1 to 1."


def test_figures_are_said_as_on_the_page() -> None:
    g = named_table()
    assert [naming.figures(g.lib.defs[held(g, name)]) for name in ("Pollymorph Potion", "Baby")] == ["1,300 gp", "−5"]


def test_an_offer_is_said_to_each_as_it_concerns_him() -> None:
    g = helpers.start("classic", 3, 1)
    for p, name in zip(g.players, NAMES, strict=False):
        p.name = name
    boots = next(c for p in g.players for c in p.hand)
    g.offers = [Offer(OFFER_TRADE, 0, 1, give=(boots,))]
    card = g.lib.defs[boots].name
    told = [telling.tell(g, [Event("offer", 0, other=1)], me)[0].text for me in (0, 1, 2)]
    assert told == [
        f"You offer Ole {card}, for nothing.",
        f"Ann offers you {card}, for nothing.",
        f"Ann offers Ole {card}, for nothing.",
    ]
