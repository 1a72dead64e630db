"""What is true of every game after every move, whatever was played. For tests and for the cautious.

`check` looks only at the value: it derives nothing that a chapter has not derived already, and is cheap enough to be
called after every move of every test game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kickdoor.engine.facts import fights, front
from kickdoor.engine.kernel import legal, objection, to_act
from kickdoor.engine.table import hirelings, items, levels, powers, steeds, traits
from kickdoor.engine.table.zones import lies_open
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import DOOR_CARD, SPELL, Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.records import Fight


def check(g: Game) -> None:
    """Raise AssertionError, saying what is wrong, when the table is not as a table must be."""
    _cards(g)
    _players(g)
    _tables(g)
    _fight(g)
    _offers(g)
    _stack(g)


def zones(g: Game) -> Iterator[tuple[str, Sequence[int]]]:
    """Every place where a card can lie, by name."""
    for deck, pile in enumerate(g.piles):
        yield f"deck {deck}", pile
    for deck, aside in enumerate(g.aside):
        for i, pile in enumerate(aside):
            yield f"pile {i} of deck {deck}", pile
    for deck, pile in enumerate(g.discards):
        yield f"discards {deck}", pile
    for p in g.players:
        yield f"{p.name}'s hand", p.hand
        yield f"{p.name}'s table", p.table
    for p, mine in zip(g.players, g.accessories, strict=False):
        yield f"{p.name}'s accessories", mine
    yield "limbo", g.limbo
    yield "box", g.box
    yield "dungeons", g.dungeons
    if g.door_card >= 0:
        yield "the open door", [g.door_card]
    if g.fight is not None and not g.fight.over:
        yield from _fight_zones(g.fight)


def _fight_zones(fight: Fight) -> Iterator[tuple[str, list[int]]]:
    yield "monsters in the fight", [x.card for x in fight.foes if not x.gone]
    yield "enhancers in the fight", [e for e, _, _ in fight.enhancers]
    yield "played into the fight", [c for c, _ in fight.committed]


def _cards(g: Game) -> None:
    """Every physical card is in exactly one zone; a fixture may never have been placed."""
    defs = g.lib.defs
    place: list[str] = [""] * len(defs)
    for name, cards in zones(g):
        for c in cards:
            assert 0 <= c < len(defs), f"{name} holds card {c}, which does not exist"
            c = g.lib.origin.get(c, c)  # under whatever face it lies there
            assert not place[c], f"{defs[c].name} ({c}) is in two zones: {place[c]} and {name}"
            place[c] = name
    for c, name in enumerate(place):
        absent = defs[c].pack == "fixtures" or defs[c].outside or defs[c].wanders  # not part of every game
        assert name or absent or c in g.lib.origin, f"{defs[c].name} ({c}) is in no zone"
    for deck, piles in enumerate(zip(g.piles, g.discards, strict=True)):
        for c in (*piles[0], *piles[1], *(c for p in g.aside[deck] for c in p)):
            assert defs[c].deck == deck, f"{defs[c].name} ({c}) lies in deck {deck}, not {defs[c].deck}"


def _players(g: Game) -> None:
    low = g.rules.level.min
    dying = [f.seat for f in g.stack if isinstance(f, fr.Death)]
    for s, p in enumerate(g.players):
        top = levels.top_level(g, s)
        assert low <= p.level <= top, f"{p.name} has Level {p.level}, outside {low} to {top}"
        held = [c for c in p.hand if g.lib.defs[c].deck != SPELL]  # FQ-BOOK-7
        assert not (p.dead and held) or s in dying, f"{p.name} is dead and holds {p.hand}"
    for s, c in g.fresh:
        assert c in g.players[s].hand, f"card {c} counts as just received by seat {s} but is not in that hand"
    assert len(set(g.winners)) == len(g.winners), f"somebody wins twice: {g.winners}"


def _tables(g: Game) -> None:
    """What lies on or is carried by something lies before the same player; only cards in play are in use."""
    defs = g.lib.defs
    owner = {c: s for s, p in enumerate(g.players) for c in p.table}
    for c in g.equipped:
        assert c in owner, f"{defs[c].name} ({c}) is in use but on no table"
        assert c not in g.host, f"{defs[c].name} ({c}) is in use itself and lies on {g.host[c]}"
    for what, links in (("lies on", g.host), ("is carried by", g.bearer)):
        for a, b in links.items():
            assert a != b, f"{defs[a].name} ({a}) {what} itself"
            assert a in owner, f"{defs[a].name} ({a}) {what} {b} but is on no table"
            assert owner.get(b) == owner[a], f"{defs[a].name} ({a}) {what} {b}, which is not on the same table"
    for c in g.ridden:
        assert c in owner, f"{defs[c].name} ({c}) is ridden but on no table"
        assert c not in g.equipped, f"{defs[c].name} ({c}) is ridden and worn"
    for item, companion in g.bearer.items():
        bears = defs[companion].is_companion or defs[companion].kind == "steed"
        assert bears, f"{defs[item].name} ({item}) is carried by no companion"


def _fight(g: Game) -> None:
    fight = g.fight
    framed = any(isinstance(f, (fr.Combat, fr.Victory, fr.Flee)) for f in g.stack)
    if not g.over:
        assert (fight is not None) == framed, f"fight {fight is not None}, but a frame of one {framed}"
    if fight is None:
        return
    n = len(g.players)
    assert 0 <= fight.main < n, f"seat {fight.main} fights"
    assert -1 <= fight.helper < n, f"seat {fight.helper} helps"
    assert fight.helper != fight.main, f"seat {fight.main} helps himself"
    fighters = fights.fighters(g)
    assert len(fighters) <= 2, f"more than one helper: {fighters}"
    assert len({x.card for x in fight.foes}) == len(fight.foes), "one monster card stands in the fight twice"


def _offers(g: Game) -> None:
    for o in g.offers:
        assert o.by != o.to, f"seat {o.by} makes himself an offer"
        for s in (o.by, o.to):
            assert not g.players[s].dead, f"an offer between {o.by} and {o.to}, but {s} is dead"


def _stack(g: Game) -> None:
    """Somebody living is asked, or who died answers what a card asks him; at a quiet table nothing is half done."""
    if g.over:
        return
    assert g.stack, "the stack is empty but nobody has won"
    assert isinstance(g.stack[0], fr.Turn), f"at the bottom of the stack lies {g.stack[0]!r}"
    waited = to_act(g)
    dying = [f.seat for f in g.stack if isinstance(f, fr.Window) and f.what == "dying"]
    assert waited, f"nobody is waited for: {g.stack[-1]!r}"
    for s in waited:
        dead = g.players[s].dead and s not in dying and not isinstance(g.stack[-1], fr.Ask)
        assert not dead, f"{g.players[s].name} is dead but waited for: {g.stack[-1]!r}"
    assert not g.dirty, f"limits were not checked again for seats {g.dirty:b}"
    open_door = g.stack[0].phase == DOOR_CARD
    assert g.door_card < 0 or open_door, f"card {g.door_card} lies at the door in phase {g.stack[0].phase}"
    if len(g.stack) == 1:
        _quiet(g)


def _quiet(g: Game) -> None:
    bottom = g.stack[0]
    at_door = (*bottom.doors, *bottom.foes) if isinstance(bottom, fr.Turn) else ()
    pending = {c for c in g.limbo if not lies_open(g, c)}
    assert pending <= set(at_door), f"nothing is being resolved, but {g.limbo} lie in limbo"
    for s, p in enumerate(g.players):
        if p.dead:  # what is too much is settled when he is back
            continue
        assert not items.surplus_big(g, s), f"{p.name} carries too many Big Items"
        assert not items.over_slots(g, s), f"{p.name} uses too many Items: {items.over_slots(g, s)}"
        assert not hirelings.surplus(g, s), f"{p.name} has too many companions"
        assert not steeds.surplus(g, s), f"{p.name} has too many Steeds"
        assert not steeds.surplus_ships(g, s), f"{p.name} has too many Ships"
        assert not powers.surplus(g, s), f"{p.name} has Powers of too many Ranks"
        for kind in traits.GROUPS:
            have = len(front.cards_of_kind(g, s, kind))
            assert have <= front.trait_limit(g, s, kind), f"{p.name} has {have} cards of kind {kind}"


def check_agreement(g: Game, move: Move) -> None:
    """The list of legal moves and the judge of single ones agree, about this move and about all that are listed."""
    listed = legal(g, move.seat)
    why = objection(g, move)
    assert (why is None) == (move in listed), f"{move} is {'listed' if why else 'not listed'}, and the judge says {why}"
    for m in listed:
        assert objection(g, m) is None, f"{m} is listed, and the judge objects: {objection(g, m)}"
