"""Setting up a game: decks, deal, first player, starting cards (SETUP, CHAR, WIN-1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kickdoor.cards.language import Card
from kickdoor.cards.library import Library
from kickdoor.cards.packs import build, extend, find_pack, read_pack
from kickdoor.engine import decks, dice, dungeons, queries
from kickdoor.engine.frames import Creation, Turn
from kickdoor.engine.game import CREATION, DUNGEON, FEMALE, MALE, Game, Player
from kickdoor.engine.kernel import settle
from kickdoor.engine.reasons import Reason, Refused
from kickdoor.engine.ruleset import Ruleset, ruleset
from kickdoor.engine.verbs import VERBS


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
    lib = extend(base, tuple(fixtures), queries)
    lib.bind(VERBS)
    return lib


@lru_cache(maxsize=32)
def _library(packs: tuple[str, ...], without: tuple[str, ...], copies: tuple[tuple[str, int], ...]) -> Library:
    lib = build(packs, queries, without, dict(copies))
    lib.bind(VERBS)
    return lib


def default_rules(packs: Sequence[str]) -> Ruleset:
    """The preset that the first pack names."""
    return ruleset(read_pack(find_pack(packs[0])).head.edition)


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
) -> Game:
    """A shuffled, dealt table at the moment when the first player puts down starting cards."""
    rules = rules or default_rules(packs)
    check_seats(rules, len(players))
    lib = lib or library(packs, without=without, copies=copies)
    people = [Player(name, _sex(sexes, i), rules.level.start) for i, name in enumerate(players)]
    g = Game(lib, rules, people, seed)
    fill_decks(g, set())
    if first < 0 and rules.setup.first_player == "host_choice":
        first = 0
    open_game(g, first)
    return g


def _sex(sexes: Sequence[str], i: int) -> int:
    return FEMALE if i < len(sexes) and sexes[i] == "female" else MALE


def fill_decks(g: Game, elsewhere: set[int], shuffle: bool = True) -> None:
    """Every card into the deck it belongs to (SETUP-3, SETUP-4)."""
    for card, d in enumerate(g.lib.defs):
        if card not in elsewhere and d.pack != "fixtures" and card not in g.lib.origin:
            g.piles[d.deck].append(card)
    if shuffle:
        portals = dungeons.set_aside(g)
        for pile in g.piles:
            g.shuffle(pile)
        dungeons.mix_in(g, portals)


def open_game(g: Game, first: int = -1) -> None:
    """Roll for the first player, deal, and let everyone put down starting cards (WIN-1, SETUP-5, CHAR-4)."""
    if g.piles[DUNGEON] and not g.dungeons:  # SETUP-9: one lies open from the start
        g.dungeons.append(dungeons.first_dungeon(g))
        g.emit("dungeon", card=g.dungeons[0], rule="SETUP-9")
    g.turn = roll_first(g) if first < 0 else first
    g.stack = [Turn(CREATION), Creation(g.turn, len(g.players))]
    for seat in reversed(g.around(g.turn)):
        decks.deal(g, seat, "SETUP-5")
    settle(g)


def roll_first(g: Game) -> int:
    """Everyone rolls, highest starts, tied ones roll again (WIN-1, AMB-10)."""
    seats = list(range(len(g.players)))
    while len(seats) > 1:
        rolls = {s: dice.throw(g, s, "WIN-1") for s in seats}
        top = max(rolls.values())
        seats = [s for s in seats if rolls[s] == top]
    return seats[0]
