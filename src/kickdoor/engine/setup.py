"""Setting up a game: decks, deal, first player, starting cards (SETUP, CHAR, WIN-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from kickdoor.cards.language import Card
from kickdoor.cards.library import Library
from kickdoor.cards.packs import PackError, build, extend, find_pack, members, read_pack
from kickdoor.engine import kernel
from kickdoor.engine.chapters import dungeons
from kickdoor.engine.effects.verbs import VERBS
from kickdoor.engine.facts.questions import ASKED
from kickdoor.engine.table import accessories, deck_building, dice, several_piles, standies, wandering
from kickdoor.engine.value.frames import Creation, FirstDungeon, Standies, Turn
from kickdoor.engine.value.game import CREATION, DUNGEON, FEMALE, MALE, Game, bare_table, new_player
from kickdoor.engine.value.moves import NONE
from kickdoor.engine.value.reasons import Reason, Refused
from kickdoor.engine.value.ruleset import Ruleset, ruleset


def library(
    packs: Sequence[str] = ("classic",),
    fixtures: Sequence[Card] = (),
    without: Sequence[str] = (),
    copies: dict[str, int] | None = None,
) -> Library:
    """The compiled cards of these packs; what was compiled once is kept, since it takes a moment."""
    extra = tuple(sorted((copies or {}).items()))
    base = _library(tuple(packs), tuple(without), extra)
    if not fixtures:
        return base
    lib = extend(base, tuple(fixtures), ASKED)
    lib.bind(VERBS, kernel)
    return lib


@lru_cache(maxsize=32)
def _library(packs: tuple[str, ...], without: tuple[str, ...], copies: tuple[tuple[str, int], ...]) -> Library:
    lib = build(packs, ASKED, without, dict(copies))
    lib.bind(VERBS, kernel)
    return lib


def copies_are_ours(pack: str) -> bool:
    """Is it our own guess how many of each card the box of a set holds? Its list, or the rest of it, was not found."""
    source = read_pack(find_pack(pack))
    return source.head.id == source.head.edition and any(c.origin == "ours" for c in source.cards)


def rules_for(packs: Sequence[str], edition: str | None = None, /, **fields: Any) -> Ruleset:
    """A preset (that of the first pack, unless named) with what the other sets at the table bring into it (BT-2)."""
    heads = [read_pack(find_pack(p)).head for p in members(packs)]
    if not heads:
        raise PackError("no set of cards is named, and a game needs one")
    editions = [h.edition for h in heads]
    mixed = editions if len(set(editions)) > 1 else []
    return ruleset(edition or editions[0], mixed, [tag for h in heads for tag in h.kin], **fields)


def default_rules(packs: Sequence[str]) -> Ruleset:
    """The preset that the first pack names, and what the other packs add to it."""
    return _default_rules(tuple(packs))


@lru_cache(maxsize=64)
def _default_rules(packs: tuple[str, ...]) -> Ruleset:
    return rules_for(packs)


def check_seats(rules: Ruleset, n: int) -> None:
    if not rules.players.min <= n <= rules.players.max:
        raise Refused(
            Reason("SETUP-1", f"This game is for {rules.players.min} to {rules.players.max} players, not {n}.")
        )


def new_game(
    players: Sequence[str] = ("Ann", "Bob", "Cid"),
    packs: Sequence[str] = ("classic",),
    seed: int = 1,
    rules: Ruleset | None = None,
    sexes: Sequence[str] = (),
    without: Sequence[str] = (),
    lib: Library | None = None,
    first: int = -1,
    copies: dict[str, int] | None = None,
    things: Mapping[str, Sequence[str]] | None = None,
) -> Game:
    """A shuffled, dealt table at the moment when the first player puts down starting cards.

    Where the book lets everybody choose a sex, those for whom `sexes` names none are asked first (MM-3). `things` are
    the accessories that each player brings, by name, if the table plays with them (CAP-52).
    """
    rules = rules or default_rules(packs)
    check_seats(rules, len(players))
    g = prepared(players, packs, seed, rules, sexes, without, lib, copies, things)
    deck_building.check_size(g)
    if first < 0 and rules.setup.first_player == "host_choice":
        first = 0
    asked = range(len(sexes), len(players)) if rules.setup.sex == "choose" else ()
    open_game(g, first, asked)
    return g


def prepared(
    players: Sequence[str],
    packs: Sequence[str],
    seed: int,
    rules: Ruleset,
    sexes: Sequence[str] = (),
    without: Sequence[str] = (),
    lib: Library | None = None,
    copies: dict[str, int] | None = None,
    things: Mapping[str, Sequence[str]] | None = None,
) -> Game:
    """Seats and shuffled decks, before anything is dealt (SETUP-3, SETUP-4, DECK)."""
    lib = lib or library(packs, without=without, copies=copies)
    people = [new_player(name, _sex(sexes, i), rules.level.start) for i, name in enumerate(players)]
    g = bare_table(lib, rules, people, seed)
    accessories.bring_all(g, things or {})
    fill_decks(g, set())
    return g


def _sex(sexes: Sequence[str], i: int) -> int:
    return FEMALE if i < len(sexes) and sexes[i] == "female" else MALE


def fill_decks(g: Game, elsewhere: set[int], by_the_book: bool = True) -> None:
    """Every card into the deck it belongs to, shuffled (SETUP-3, SETUP-4).

    `by_the_book`: only what the rules of mixing put there (DECK); otherwise all of them, for a table laid by hand.
    """
    piles, _ = g.own_piles()
    for card, d in enumerate(g.lib.defs):
        if card in elsewhere or d.pack == "fixtures" or card in g.lib.origin:
            continue
        if d.outside and not accessories.in_the_deck(g, card):
            continue
        if by_the_book or not d.wanders:
            piles[d.deck].append(card)
    if by_the_book:
        deck_building.build(g)
    portals = dungeons.set_aside(g)
    piles, _ = g.own_piles()
    for pile in piles:
        g.shuffle(pile)
    dungeons.mix_in(g, portals)


def open_game(g: Game, first: int = -1, choosing: Sequence[int] = ()) -> None:
    """Roll for the first player, deal, and let everyone put down starting cards (WIN-1, SETUP-5, CHAR-4).

    Those who are `choosing` say before the deal what sex their characters are (MM-3, SAMB-29).
    """
    deck_building.check_choices(g.lib, g.rules)
    picker = dungeons.picker(g) if g.piles[DUNGEON] else NONE
    if g.piles[DUNGEON] and picker < 0:
        dungeons.lay_first(g, dungeons.first_dungeon(g))
    several_piles.split(g)
    wandering.to_the_top(g)
    g.turn = roll_first(g) if first < 0 else first
    g.stack = [Turn(CREATION), Creation(g.turn, len(g.players))]
    accessories.dealt(g)
    if choosing:
        g.stack.append(Standies(tuple(s for s in g.around(g.turn) if s in choosing)))
    else:
        standies.deal_all(g)
    if picker >= 0:
        g.stack.append(FirstDungeon(picker))
    kernel.settle(g)


def roll_first(g: Game) -> int:
    """Everyone rolls, highest starts, tied ones roll again (WIN-1, AMB-10)."""
    seats = list(range(len(g.players)))
    while len(seats) > 1:
        rolls = {s: dice.throw(g, s, "WIN-1") for s in seats}
        top = max(rolls.values())
        seats = [s for s in seats if rolls[s] == top]
    return seats[0]
