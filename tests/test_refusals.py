"""Legality and reason are one thing: what is not legal has an objection, and the objection is the obstacle.

Over random play every seat tries everything that comes to mind. What is refused must cite a rule of the rulebook in a
whole sentence; and where the obstacle is one of the common ones (the wrong moment, not yours, cannot pay, nothing to
aim at, not enough or too much of something), taking it away in a copy must take the objection away, until the move is
legal or another kind of obstacle is left.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import helpers
import kickdoor
from kickdoor.engine.chapters import combat, running_away
from kickdoor.engine.facts import force, goods
from kickdoor.engine.kernel import objection
from kickdoor.engine.table import decks, items, zones
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.game import AFTER_DOOR, BEFORE_DOOR, CHARITY_PHASE, DOOR, TREASURE, Game
from kickdoor.engine.value.moves import NONE, Move, at_seat
from kickdoor.engine.value.reasons import Reason
from kickdoor.rulebook import rule

# -- what somebody might try ------------------------------------------------------------------------------------

BARE = (mv.PASS, mv.KICK, mv.LOOT, mv.KEEP, mv.END_TURN, mv.CHARITY, mv.SELL, mv.SHOW_HAND, mv.WITHDRAW, mv.DONE)


def attempts(g: Game, seat: int, rng: random.Random) -> Iterator[Move]:
    """A few of all the things this player could think of."""
    p = g.players[seat]
    for verb in BARE:
        yield Move(seat, verb)
    for s in range(len(g.players)):
        for verb in (mv.TRADE, mv.ASK_HELP, mv.OFFER_HELP, mv.ACCEPT):
            yield Move(seat, verb, target=at_seat(s))
    targets = [NONE, mv.MUNCHKINS, mv.MONSTERS, *(at_seat(s) for s in range(len(g.players)))]
    everything = [c for x in g.players for c in (*x.hand, *x.table)]
    for c in p.hand:
        yield Move(seat, mv.PLAY, c, rng.choice(targets))
        yield Move(seat, mv.PLAY, c, rng.choice(everything))
        yield Move(seat, mv.TROUBLE, c)
    for c in p.table:
        for verb in (mv.EQUIP, mv.UNEQUIP, mv.DISCARD, mv.PLAY, mv.SACRIFICE):
            yield Move(seat, verb, c)
        for power in g.lib.defs[c].powers:
            for target in {NONE, rng.choice(targets), rng.choice(targets), rng.choice(everything)}:
                yield Move(seat, mv.USE, c, target, mv.power_code(power.index))
    stranger = rng.randrange(len(g.lib.defs))
    for verb in (mv.PLAY, mv.EQUIP, mv.DISCARD, mv.RUN, mv.CHOOSE, mv.ADD):
        yield Move(seat, verb, stranger)


# -- taking obstacles away --------------------------------------------------------------------------------------

Remover = Callable[[Game, Move], None]


def _own_turn(g: Game, m: Move) -> None:
    _peace(g, m)
    g.turn = m.seat


def _peace(g: Game, m: Move) -> None:
    g.fight = None
    g.door_card = -1
    g.stack = [fr.Turn(BEFORE_DOOR)]


def _phase(phase: int) -> Remover:
    def enter(g: Game, m: Move) -> None:
        _own_turn(g, m)
        g.flags = 0
        g.stack = [fr.Turn(phase)]

    return enter


def _fight(g: Game, m: Move) -> None:
    _peace(g, m)
    g.stack = [fr.Turn(CHARITY_PHASE)]
    monster = next(c for c in range(len(g.lib.defs)) if _plain_monster(g, c))
    combat.start_fight(g, g.turn, [monster])
    g.stack = [x for x in g.stack if isinstance(x, (fr.Turn, fr.Combat))]


def _plain_monster(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    return d.kind == "monster" and not d.on and not d.refuses and all(card not in p.hand for p in g.players)


def _monster_in_hand(g: Game, m: Move) -> None:
    foes = [x.card for x in g.fight.foes] if g.fight is not None else []
    g.players[m.seat].hand.append(next(c for c in range(len(g.lib.defs)) if _plain_monster(g, c) and c not in foes))


def _lost_fight(g: Game, m: Move) -> None:
    g.turn = m.seat
    _fight(g, m)
    assert g.fight is not None
    g.fight.fleeing = True
    foes = running_away.all_foes(g.fight)
    g.stack[-1] = fr.Flee(stage=running_away.RUNNING, main_left=foes)


def _settled(g: Game, m: Move) -> None:
    """Nothing is being resolved any more: back to the fight, or to the turn."""
    while not isinstance(g.stack[-1], (fr.Turn, fr.Combat)):
        g.stack.pop()
    if not isinstance(g.stack[-1], fr.Combat):
        _peace(g, m)


def _mine(g: Game, m: Move) -> None:
    for p in g.players:
        for zone in (p.hand, p.table):
            if m.card in zone:
                zone.remove(m.card)
    g.players[m.seat].hand.append(m.card)


def _mine_in_play(g: Game, m: Move) -> None:
    _mine(g, m)
    g.players[m.seat].hand.remove(m.card)
    g.players[m.seat].table.append(m.card)


def _rich(g: Game, m: Move) -> None:
    """Cards enough to pay with, Levels enough to lose."""
    g.players[m.seat].level = max(g.players[m.seat].level, 5)
    for deck in (DOOR, TREASURE):
        for _ in range(4):
            zones.to_hand(g, m.seat, decks.take_top(g, deck))


def _wealthy(g: Game, m: Move) -> None:
    for c, d in enumerate(g.lib.defs):
        if d.kind == "item" and d.card.gold and all(c not in (*p.hand, *p.table) for p in g.players):
            g.players[m.seat].hand.append(c)
            if sum(items_worth(g, x) for x in g.players[m.seat].hand) >= g.rules.sell.threshold:
                return


def items_worth(g: Game, card: int) -> int:
    return goods.price(g, card) if goods.is_item(g, card) else 0


def _short_hand(g: Game, m: Move) -> None:
    del g.players[m.seat].hand[force.hand_limit(g, m.seat) :]


def _humble(g: Game, m: Move) -> None:
    for p in g.players:
        p.level = 1


def _alive(g: Game, m: Move) -> None:
    for p in g.players:
        p.dead = False


def _bare(g: Game, m: Move) -> None:
    """Nothing lies before the player but the card in question."""
    p = g.players[m.seat]
    p.table = [c for c in p.table if c == m.card]
    g.equipped &= set(p.table)
    g.host = {a: b for a, b in g.host.items() if a not in p.table}


def _alone(g: Game, m: Move) -> None:
    assert g.fight is not None
    g.fight.helper = -1


def _unpassed(g: Game, m: Move) -> None:
    f = g.stack[-1]
    if isinstance(f, fr.Combat):
        assert g.fight is not None
        g.fight.passed = 0
    else:
        f.passed = 0  # type: ignore[attr-defined]


def _item_in_play(g: Game, m: Move) -> None:
    for s in (m.seat, mv.seat_of(m.target)):
        c = next(c for c, d in enumerate(g.lib.defs) if _plain_item(g, c))
        if 0 <= s < len(g.players):
            g.players[s].table.append(c)


def _items_in_play(g: Game, m: Move) -> None:
    """One of everything, since some enhancers say on what they go."""
    held = {c for p in g.players for c in (*p.hand, *p.table)}
    g.players[m.seat].table += [
        c for c, d in enumerate(g.lib.defs) if d.is_item and not d.is_one_shot and c not in held
    ]


def _plain_item(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    free = all(card not in (*p.hand, *p.table) for p in g.players)
    return free and d.kind == "item" and not d.big and items.can_be_equipped(g, card)


def _in_use(g: Game, m: Move) -> None:
    g.equipped.add(m.card)


def _out_of_use(g: Game, m: Move) -> None:
    g.equipped.discard(m.card)


MOMENT = "the wrong moment"
OWNER = "not yours"
PRICE = "cannot pay"
AIM = "nothing to aim at"
AMOUNT = "too much or too little"

OBSTACLES: dict[Reason, tuple[str, Remover]] = {
    **dict.fromkeys((r.NOT_YOUR_TURN, r.SELL_OFF_TURN, r.ITEM_OFF_TURN, r.OWN_TURN_ONLY), (MOMENT, _own_turn)),
    r.OWN_TURN_ANYWAY: (MOMENT, _own_turn),
    **dict.fromkeys((r.TREASURE_OFF_TURN, r.MULTI_OFF_TURN, r.SELL_LATER, r.STEED_OFF_TURN), (MOMENT, _own_turn)),
    **dict.fromkeys((*r.TRAIT_OFF_TURN.values(), r.ATTACH_OFF_TURN, r.ITEM_ENHANCER_TIME), (MOMENT, _own_turn)),
    **dict.fromkeys((r.KICK_FIGHT, r.SELL_IN_FIGHT, r.EQUIP_IN_FIGHT, r.EQUIP_RUNNING), (MOMENT, _peace)),
    **dict.fromkeys((r.TRADE_IN_FIGHT, r.TRADE_PARTNER_FIGHTS, r.ITEM_IN_FIGHT, r.STEED_IN_FIGHT), (MOMENT, _peace)),
    **dict.fromkeys((r.ATTACH_IN_FIGHT, r.ITEM_ENHANCER_IN_FIGHT, r.STEAL_FIGHTING), (MOMENT, _peace)),
    **dict.fromkeys((r.ITEM_IN_ANOTHERS_FIGHT, r.DOOR_CARD_FIRST, r.DOOR_FROZEN), (MOMENT, _own_turn)),
    **dict.fromkeys((r.ONE_SHOT_NO_FIGHT, r.FIGHT_CARD, r.ENHANCER_NO_FIGHT, r.HELP_NO_FIGHT), (MOMENT, _fight)),
    **dict.fromkeys((r.ENHANCER_TOO_LATE, r.JOIN_TOO_LATE), (MOMENT, _fight)),
    **dict.fromkeys((r.FIGHT_OVER, r.HELP_OVER, r.WANDER_NO_FIGHT, r.MONSTER_FROM_HAND), (MOMENT, _fight)),
    **dict.fromkeys((r.BETWEEN_ROLL, r.CURSE_PENDING, r.MOMENT_FIRST, r.DRAWING), (MOMENT, _settled)),
    **dict.fromkeys((r.ANSWER_FIRST, r.DRAFT_FIRST, r.SURPLUS_FIRST), (MOMENT, _settled)),
    r.MOUNT_SHARED: (AMOUNT, _bare),
    r.KICK_ONCE: (MOMENT, _phase(BEFORE_DOOR)),
    **dict.fromkeys(
        (r.DOOR_FIRST, r.LOOT_MET, r.LOOT_ONCE, r.TROUBLE_DOOR, r.TROUBLE_ONCE), (MOMENT, _phase(AFTER_DOOR))
    ),
    **dict.fromkeys((r.END_DOOR, r.END_EARLY, r.CHARITY_TIME), (MOMENT, _phase(CHARITY_PHASE))),
    **dict.fromkeys((r.RUN_WINNING, r.SACRIFICE_TIME), (MOMENT, _lost_fight)),
    r.PASSED: (MOMENT, _unpassed),
    **dict.fromkeys((r.NOT_IN_HAND, r.TROUBLE_HAND), (OWNER, _mine)),
    **dict.fromkeys((r.NOT_YOURS, r.GONE, r.EQUIP_IN_HAND, r.HAND_STAYS), (OWNER, _mine_in_play)),
    **dict.fromkeys((r.ABILITY_COST, r.WHOLE_HAND, r.ABILITY_LEVEL), (PRICE, _rich)),
    **dict.fromkeys((r.COST_ONLY_CURSE, r.COST_ONLY_STUCK), (PRICE, _rich)),
    **dict.fromkeys((r.TRADE_BARE, r.TRADE_HELD), (AIM, _item_in_play)),
    r.ITEM_ENHANCER_NONE: (AIM, _items_in_play),
    r.WANDER_NO_MONSTER: (AIM, _monster_in_hand),
    **dict.fromkeys((r.SELL_TOO_LITTLE,), (AMOUNT, _wealthy)),
    r.END_HAND: (AMOUNT, _short_hand),
    r.CHARITY_NONE: (AMOUNT, _rich),
    **dict.fromkeys((r.WINNING_LEVEL, r.SELL_LAST_LEVEL), (AMOUNT, _humble)),
    **dict.fromkeys((r.DEAD, r.DEAD_TARGET, r.DEAD_LEVEL, r.HELP_DEAD), (MOMENT, _alive)),
    **dict.fromkeys((r.BIG_LIMIT, r.EQUIP_HANDS, r.EQUIP_HEAD, r.EQUIP_ARMOR, r.EQUIP_FOOT), (AMOUNT, _bare)),
    **dict.fromkeys((*r.TRAIT_LIMIT.values(), *r.TRAIT_TWICE.values(), *r.MULTI_ONE.values()), (AMOUNT, _bare)),
    **dict.fromkeys((r.STEED_LIMIT, r.COMPANION_LIMIT, r.COMPANION_ANY_NAME), (AMOUNT, _bare)),
    r.HELP_TAKEN: (AMOUNT, _alone),
    r.UNEQUIP_NOT: (MOMENT, _in_use),
    r.EQUIP_ALREADY: (MOMENT, _out_of_use),
}
BY_SENTENCE = {reason.says: row for reason, row in OBSTACLES.items()}


def without(g: Game, m: Move, why: Reason) -> tuple[str, Game] | None:
    """The same table without this obstacle, and what sort it is; None where it is none of the common ones."""
    row = BY_SENTENCE.get(why.says)
    if row is None:
        return None
    then = g.clone()
    row[1](then, m)
    then.moves = {}
    then.touch()
    return row[0], then


# -- the properties ---------------------------------------------------------------------------------------------


def in_words(g: Game, m: Move) -> None:
    told = kickdoor.why_not(g, m)
    assert told is not None
    assert rule(told.rule) is not None, f"{m}: {told.rule} is not in the rulebook"
    assert re.fullmatch(r"[A-Z0-9\"'.¡!].*[.!]", told.says), f"{m}: not a sentence: {told.says!r}"
    assert not re.search(r"[{}]", told.says), f"{m}: a gap was left: {told.says!r}"
    named = "{card}" in (objection(g, m) or r.DEAD).says
    if named and m.card in (*g.players[m.seat].hand, *(c for p in g.players for c in p.table)):
        assert g.lib.defs[m.card].name in told.says


def freed(g: Game, m: Move, why: Reason) -> Counter[str]:
    """Take one obstacle after the other away; which sorts of them led to a legal move in the end?"""
    gone: Counter[str] = Counter()
    for _ in range(6):
        found = without(g, m, why)
        if found is None:
            return Counter()
        sort, g = found
        still = objection(g, m)
        assert still is None or still.says != why.says, f"{m}: {why} is still there without {sort}"
        gone[sort] += 1
        if still is None:
            assert m in kickdoor.legal(g, m.seat)
            return gone
        why = still
    return Counter()


CASES = [("classic", 4, 21), ("three_packs", 5, 22), ("classic", 3, 23), ("west", 4, 24), ("bites", 4, 25)]


def test_every_refusal_names_its_rule_and_its_obstacle() -> None:
    freed_by: Counter[str] = Counter()
    for mix, seats, seed in CASES:
        _try_everything(mix, seats, seed, freed_by)
    missing = {MOMENT, OWNER, PRICE, AIM, AMOUNT} - set(freed_by)
    assert not missing, f"no obstacle of these sorts was met and taken away: {missing}"


def _try_everything(mix: str, seats: int, seed: int, freed_by: Counter[str]) -> None:
    rng = random.Random(seed)

    def look(g: Game, move: Move, _: random.Random) -> None:
        if rng.random() > 0.015 or g.winners:
            return
        for seat in range(seats):
            legal = set(kickdoor.legal(g, seat))
            for m in attempts(g, seat, rng):
                why = objection(g, m)
                assert (why is None) == (m in legal), f"{m}: legal and reason disagree: {why}"
                if why is not None:
                    in_words(g, m)
                    freed_by.update(freed(g, m, why))

    helpers.play(mix, seats, seed, look)


def test_the_thief_without_cards_is_told_what_he_needs() -> None:
    """The same words for the player, for `why_not` of the move and of the card."""
    g = helpers.start("classic", 3, 5)
    _fight(g, Move(g.turn, mv.PASS))
    assert g.fight is not None
    thief = next(c for c, d in enumerate(g.lib.defs) if d.name == "Thief")
    seat = (g.turn + 1) % 3
    for p in g.players:
        p.hand = [c for c in p.hand if c != thief]
    g.players[seat].hand, g.players[seat].table = [], [thief]
    g.touch()
    g.moves = {}
    stab = Move(seat, mv.USE, thief, at_seat(g.turn), mv.power_code(0))
    told = kickdoor.why_not(g, stab)
    assert told is not None
    assert told.rule == "CLASS-6"
    assert told.says == "Backstab costs one card of yours, and you have not got that."
    assert kickdoor.why_not_card(g, seat, thief) == told
    with pytest.raises(kickdoor.Refused) as refused:
        kickdoor.apply(g, stab)
    assert refused.value.reason == told


def test_a_refusal_tells_nothing_of_hidden_cards() -> None:
    """Whatever card of a deck or of another hand is tried, the words are the same: nobody learns what it is."""
    g = helpers.start("classic", 3, 8)
    seat = g.turn
    hidden = [*g.piles[DOOR][:20], *g.piles[TREASURE][:20], *g.players[(seat + 1) % 3].hand]
    for verb in (mv.PLAY, mv.EQUIP, mv.UNEQUIP, mv.DISCARD, mv.TROUBLE, mv.SACRIFICE, mv.CHOOSE, mv.ADD):
        told = {kickdoor.why_not(g, Move(seat, verb, c)) for c in hidden}
        assert len(told) == 1, f"{mv.VERB_NAMES[verb]}: {told}"
    told = {kickdoor.why_not(g, Move(seat, mv.USE, c, extra=mv.power_code(0))) for c in hidden}
    assert len(told) == 1, told
