"""The quiet part of a turn: arm, level up, sell, trade, look for trouble, loot; and a Curse for whoever leads."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import bargaining, dressing, plans
from kickdoor.bots.findings import Findings
from kickdoor.bots.routine import routine
from kickdoor.bots.seat import Choice, Seat
from kickdoor.bots.standing import chief, near, rousing
from kickdoor.bots.style import PLAIN
from kickdoor.bots.values import LEVEL, POINT, caught, foe_strength, harm, worth
from kickdoor.cards.library import Args, CardDef, Instr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, at_seat, seat_of

TREASURE: Final = 2.5
THEIRS: Final = 0.3  # what a level that the leader loses is worth, beside one that I gain
MANY: Final = 12  # discards among which there is something good
BEST: Final = 4.5  # and what the best of so many is worth
BORROWED: Final = 0.4  # of its worth, what a card is worth that does not stay
STOLEN: Final = 0.5  # how often a theft succeeds
DARING: Final = 1.5  # what a theft must bring on average before it is tried
FORESIGHT: Final = 2.0  # what it is worth to choose the door that one kicks open
LONGER: Final = 2  # by how many cards a hand must be longer for which I give mine
WILLING: Final = 0.7  # how often somebody who is asked helps for a fair share
WILLING_TWO: Final = 0.85
HOPE: Final = 0.4  # how often a gambler thinks that something turns up
WILLING_LAST: Final = 0.2  # when it is for the game


def own_turn(seat: Seat) -> Choice:
    """The first thing on the list that can be done."""
    got = dressing.fresh_cards(seat) or dressing.gear(seat) or rise(seat) or drain(seat) or gather(seat)
    got = got or bargaining.offer_trade(seat) or dressing.selling(seat, sale_limit(seat))
    got = got or pilfer(seat) or meddle(seat)
    if got is not None:
        return got
    if seat.of(mv.TROUBLE):
        fight = trouble(seat)
        if fight is not None:
            return fight
    if seat.of(mv.CHARITY):
        spite = dressing.lay_down(seat) or hold_back(seat, spend=True)
        if spite is not None:
            return spite
    return routine(seat)


def sale_limit(seat: Seat) -> float:
    """How much strength I give for a level: more, the nearer the end."""
    return (3.0 if seat.level(seat.seat) < seat.goal - 3 else 4.5) + seat.style.daring


# -- levels -------------------------------------------------------------------------------------------------------


def rise(seat: Seat) -> Choice | None:
    """Go up a level where a card says so, or take one."""
    for m in seat.of(mv.PLAY):
        d = seat.defs[m.card]
        if d.kind == "go_up_a_level" and seat_of(m.target) == seat.seat:
            if not (_have_companion(seat) and any(s.verb == "kill_companion" for s in seat.does(m))):
                return Choice(m, "A level is a level.")
            continue
        for s in seat.does(m):
            if s.verb == "steal_level" and 0 <= seat_of(m.target) == chief(seat):
                return Choice(m, "It looks better on me.")
            if s.verb == "gain_level" and s.a.who == "actor" and worth(seat, m.card) < LEVEL + 1:
                return Choice(m, "Up I go.")
    return None


def drain(seat: Seat) -> Choice | None:
    """A power that takes a level from whoever leads, if the cards it costs are worth less than what it shifts."""
    powers = seat.of(mv.USE)
    if not powers:
        return None
    top = chief(seat)
    if top < 0 or seat.level(top) <= 1:
        return None
    for m in powers:
        aimed = seat_of(m.target) == top and any(s.verb == "steal_level" for s in seat.does(m))
        if aimed and plans.fee(seat, m) < (1 + THEIRS) * LEVEL:
            return Choice(m, "It looks better on me.")
    return None


def gather(seat: Seat) -> Choice | None:
    """Cards for my hand: out of the discards, out of somebody else's, or from before my neighbour."""
    best: tuple[float, Move] | None = None
    alone = [m for m in seat.of(mv.PLAY) if len(seat.defs[m.card].modes) == 1]
    for m in (*alone, *seat.of(mv.USE)):
        gain = _brought(seat, m)
        if gain > 0:
            gain -= worth(seat, m.card) if m.verb == mv.PLAY else plans.fee(seat, m)
        if gain > 0 and (best is None or (gain, m) > best):
            best = (gain, m)
    return Choice(best[1], "Better with me.") if best is not None else None


def _brought(seat: Seat, m: Move) -> float:
    """What the cards are worth that somebody loses to me, or that I find."""
    them = seat_of(m.target)
    gain, left = 0.0, -1
    for s in seat.does(m):
        if left < 0 and s.verb == "take" and s.a.frm == "hand":
            left = seat.hand_size(them) if 0 <= them == chief(seat) else 0
        if s.verb == "retrieve":
            gain += _dug_up(seat, s.a)
        elif s.verb == "summon":
            gain += sum((_borrowed(seat, c) for c in seat.called(s.a, m.card)[:1]), 0.0)
        elif s.verb == "take" and s.a.frm == "hand" and left:
            gain += TREASURE
            left -= 1
        elif s.verb == "take" and s.a.victim == "this_left":
            gain += max((worth(seat, c) for c in seat.struck(seat.rivals()[0], s.a)), default=0.0)
            gain -= max((worth(seat, c) for c in seat.struck(seat.seat, s.a)), default=0.0)
    return gain


def _borrowed(seat: Seat, card: int) -> float:
    """What it is worth to have a card for a while that others will call away; and what comes with it."""
    comes = seat.steps(seat.defs[card].on.get("received", -1))
    return BORROWED * worth(seat, card) + (TREASURE if any(s.verb == "draw" for s in comes) else 0.0)


def _dug_up(seat: Seat, a: Args) -> float:
    """What a search of the discards brings: the one on top, which everybody sees, or the best of many."""
    heap = seat.heap(a)
    if a.pick == "top":
        return worth(seat, heap[-1]) if heap and seat.fits(heap[-1], a) else 0.0
    return BEST if len(heap) >= MANY else 0.0


def _have_companion(seat: Seat) -> bool:
    return any(seat.defs[c].is_companion for c in seat.table(seat.seat))


def pilfer(seat: Seat) -> Choice | None:
    """Steal what I could use, if half of it is worth more than half a level and the card that it takes."""
    if not seat.hand:
        return None
    best: tuple[float, Move] | None = None
    price = -1.0  # of the card that it takes, and of being caught; found out where there is something to steal
    for m in seat.of(mv.USE):
        if m.target < 0 or not any(s.verb == "take" and s.a.how == "steal" for s in seat.does(m)):
            continue
        if price < 0:
            price = plans.spare(seat) + (STOLEN * LEVEL if seat.level(seat.seat) > 1 else 0.0)
        gain = STOLEN * worth(seat, m.target) - price
        enough = gain > DARING - seat.style.daring and (best is None or (gain, m) > best)
        if enough and bargaining.better(seat, m.target):
            best = (gain, m)
    return Choice(best[1], "Nobody is looking.") if best is not None else exchange(seat)


def exchange(seat: Seat) -> Choice | None:
    """My whole hand for a longer one, if that is worth the card: what is in it, nobody knows."""
    best: tuple[int, Move] | None = None
    for m in seat.of(mv.PLAY):
        if not any(s.verb == "swap_hands" for s in seat.does(m)):
            continue
        more = seat.hand_size(seat_of(m.target)) - (len(seat.hand) - 1)
        if more >= LONGER and (best is None or (more, m) > best):
            best = (more, m)
    return Choice(best[1], "Shall we?") if best is not None else None


def meddle(seat: Seat) -> Choice | None:
    """A card that takes from another, unsettles who leads, or pays me: whichever brings most."""
    best: tuple[float, Move] | None = None
    for m in seat.of(mv.PLAY):
        mode = seat.mode(m) if seat.defs[m.card].kind in ("special", "spell") else None
        if mode is None or mode.op != "effect" or seat.played(m.card):
            continue
        gain = sum((_brings(seat, m, s) for s in seat.does(m)), 0.0)
        if gain > DARING and (best is None or (gain, m) > best):
            best = (gain, m)
    return Choice(best[1], "Somebody has to keep things moving.") if best is not None else None


def _brings(seat: Seat, m: Move, s: Instr) -> float:
    """What a step of a card does for me, aimed there."""
    if s.verb == "take" and m.target >= 0:  # the card itself that is aimed at
        return worth(seat, m.target)
    other = seat_of(m.target)
    ahead = 0.5 if other == chief(seat) else 0.0
    if s.verb == "take" and s.a.victim == "target" and other >= 0:
        if s.a.frm == "hand":
            return TREASURE + ahead if seat.hand_size(other) else 0.0
        return max((worth(seat, c) for c in seat.struck(other, s.a)), default=-ahead) + ahead
    if s.verb == "change_trait":
        return 2.0 if ahead else -LEVEL
    if s.verb == "peek":  # while there is a door to be kicked open
        return FORESIGHT if any(x.verb == mv.KICK for x in seat.moves) else 0.0
    if s.verb == "draw" and s.a.who == "actor" and s.a.to == "treasure":
        return TREASURE * (s.a.amount if isinstance(s.a.amount, int) else 1)
    if s.verb == "discard" and s.a.who == "actor":
        return -min((worth(seat, c) for c in seat.struck(seat.seat, s.a)), default=0.0)
    return 0.0


# -- trouble ------------------------------------------------------------------------------------------------------


def trouble(seat: Seat) -> Choice | None:
    """A monster of my own that pays: the cards it takes to beat it counted, and what looting would bring."""
    mine = [c for c in (*seat.hand, *seat.table(seat.seat)) if _boost(seat, c)]
    boosts = sorted(((seat.defs[c].bonus, worth(seat, c)) for c in mine), reverse=True)
    best: tuple[float, Move] | None = None
    for m in seat.of(mv.TROUBLE):
        gain = _worth_it(seat, m, boosts)
        alone = gain
        if alone <= 1.0:
            gain = _together(seat, m)
        if gain > 1.0 - seat.style.daring and (best is None or (gain, m) > best):
            best = (gain, m)
    if best is None:
        return None
    return Choice(best[1], f"{seat.defs[best[1].card].name} will do.")


def _together(seat: Seat, m: Move) -> float:
    """What a monster from my hand brings if somebody helps: less a share, and not everybody does."""
    d = seat.defs[m.card]
    if d.mods.keys() & {"level_only", "bonuses_only", "no_help"}:
        return -1.0
    mine = seat.strength(seat.seat)
    last = seat.level(seat.seat) + d.levels >= seat.goal
    able = 0
    for s in seat.rivals():
        both = mine + seat.strength(s)
        if both > max(foe_strength(seat, d), foe_strength(seat, d, s)) and not near(seat, s):
            able += 1
    if not able:
        return -1.0
    chance = (WILLING_LAST if last else WILLING) if able == 1 else (2 * WILLING_LAST if last else WILLING_TWO)
    prize = 30.0 if last else LEVEL * d.levels + TREASURE * (d.treasures - 1 - d.treasures // 3)
    risk = seat.style.fear * harm(seat, m.card) * caught(seat, m.card)
    return chance * prize - (1 - chance) * risk


def _boost(seat: Seat, card: int) -> bool:
    d = seat.defs[card]
    return d.kind == "one_shot" and d.bonus > 0


def _worth_it(seat: Seat, m: Move, boosts: list[tuple[int, float]]) -> float:
    """What a monster from my hand brings, less the one-shots it takes."""
    d = seat.defs[m.card]
    tie = seat.has(seat.seat, "wins_ties")
    need = foe_strength(seat, d) - seat.strength(seat.seat) + (0 if tie else 1)
    last = seat.level(seat.seat) + d.levels >= seat.goal
    gain = LEVEL * d.levels + TREASURE * d.treasures + (100.0 if last else 0.0)
    if "level_only" in d.mods or "bonuses_only" in d.mods:
        return gain - 1.0 if "level_only" in d.mods and seat.level(seat.seat) > d.level else -1.0
    for bonus, price in boosts:
        if need <= 0:
            break
        need -= bonus
        gain -= price
    if 0 < need <= 4 * seat.style.daring:  # something will turn up
        return HOPE * gain - (1 - HOPE) * seat.style.fear * caught(seat, m.card) * harm(seat, m.card)
    return gain if need <= 0 else -harm(seat, m.card)


# -- others -------------------------------------------------------------------------------------------------------


def hostile(seat: Seat, m: Move) -> bool:
    """A Curse, or a level stolen."""
    return seat.defs[m.card].is_curse or any(s.verb == "steal_level" for s in seat.does(m))


def last_words(seat: Seat) -> Choice | None:
    """Dying, there is nothing to save a card for: what is said of somebody else is said of whoever leads."""
    top = chief(seat)
    said = [m for m in seat.moves if m.verb in (mv.PLAY, mv.USE) and seat_of(m.target) in (-1, top)]
    return Choice(min(said), "And another thing.") if said else None


def _pain(seat: Seat, card: int, steps: list[Instr], who: int) -> float:
    """What a card costs the player it is played on: a Curse, one that spoils an Item, or one that takes his levels."""
    d = seat.defs[card]
    if d.curses_item:
        return -POINT * d.bonus - sum(x.amount for x in d.mods.get("run_away", ()))
    if d.is_curse:
        return harm(seat, card, who)
    taken = (s.a.amount for s in steps if _hits(s))
    return LEVEL * min(sum(n for n in taken if isinstance(n, int)), seat.level(who) - 1)


def armed(seat: Seat) -> bool:
    """Have I anything to play that hurts (`_pain`)?"""
    return any(_hurts(seat, seat.defs[c]) for c in seat.at_hand)


_hurtful: Final = Findings[bool]()


def _hurts(seat: Seat, d: CardDef) -> bool:
    got = _hurtful.about(d)
    if got is None:
        got = _hurtful.keep(d, d.is_curse or any(_hits(s) for mode in d.modes for s in seat.steps(mode.prog)))
    return got


def poised(seat: Seat) -> bool:
    """Is somebody to be stopped now (`hold_back`) whom a card of mine would hurt enough? Asked before anything is
    listed, and mostly nobody is far enough, whoever is ahead."""
    if seat.style is PLAIN and not any(near(seat, s) for s in range(seat.count) if s != seat.seat):
        return False
    if not armed(seat):
        return False
    top = chief(seat)
    if top < 0 or not rousing(seat, top):
        return False
    for c in seat.at_hand:
        d = seat.defs[c]
        if _hurts(seat, d) and any(_pain(seat, c, seat.steps(mode.prog), top) >= LEVEL for mode in d.modes):
            return True
    return False


def _hits(s: Instr) -> bool:
    return s.verb == "lose_level" and s.a.who == "target"


def hold_back(seat: Seat, spend: bool = False) -> Choice | None:
    """With too many cards, a Curse on whoever leads; else Curses are kept for the one who is about to win."""
    top = chief(seat)
    if top < 0 or (not spend and not rousing(seat, top)):
        return None
    best: tuple[float, Move] | None = None
    worn = [c for c in seat.table(top) if seat.in_use(c)]
    for m in seat.of(mv.PLAY):
        if not (m.target == at_seat(top) or m.target in worn):
            continue
        pain = _pain(seat, m.card, seat.does(m), top)
        if pain <= 0.5 or (not spend and pain < LEVEL):
            continue
        if best is None or (pain, m) > best:
            best = (pain, m)
    if best is None:
        return None
    name = seat.name(top)
    return Choice(best[1], f"Better on {name} than given away." if spend else f"{name} is far enough ahead.")
