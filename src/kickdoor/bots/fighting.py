"""In and around a fight: turn it, make more of it, bargain, spoil it, or get away."""

from __future__ import annotations

from typing import Final

from kickdoor.bots import bargaining, plans
from kickdoor.bots.enhancing import glory, swells
from kickdoor.bots.findings import Findings
from kickdoor.bots.greedy import face_of
from kickdoor.bots.seat import Choice, Fray, Seat
from kickdoor.bots.standing import chief, danger
from kickdoor.bots.values import LEVEL, blow, caught, foe_strength, harm, mounting, quarry, worth
from kickdoor.cards.library import CardDef
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.moves import Move, at_seat, seat_of

TREASURE: Final = 2.5  # what an unseen Treasure is worth
CHEAP: Final = 3.3  # what help usually costs
EVERYTHING: Final = 1000.0  # what winning the game is worth
ENHANCERS: Final = ("monster_enhancer", "enhancer_enhancer")
ADDS: Final = ("add_monster", "clone_monster")  # steps by which there is more to win


def let_be(seat: Seat, why: str = "") -> Choice:
    """Pass, or the first thing that is allowed where nobody may pass."""
    passing = seat.of(mv.PASS)
    return Choice(passing[0] if passing else seat.moves[0], why)


def in_fight(seat: Seat) -> Choice:
    """By role: mine, the one I help in, or somebody else's."""
    fray = seat.fray
    assert fray is not None
    if fray.fleeing:
        return flee(seat, fray)
    if seat.seat == fray.main:
        return my_fight(seat, fray)
    if seat.seat == fray.helper:
        return helping(seat, fray)
    return others_fight(seat, fray)


# -- my own -------------------------------------------------------------------------------------------------------


def my_fight(seat: Seat, fray: Fray) -> Choice:
    """What victory brings against what it costs: cards, or a share for somebody."""
    if fray.winning:
        return bar(seat, fray) or more_of_it(seat, fray) or let_be(seat, "I have got this.")
    short = plans.need(seat, fray)
    stake = at_stake(seat, fray)
    plan = plans.cheapest(plans.ours(seat, fray), short) if short > 0 else None
    dear = plan.cost * seat.style.thrift if plan is not None else 0.0
    if plan is not None and (stake >= EVERYTHING or dear <= min(stake, CHEAP)):
        return Choice(plan.moves[0], "That turns the fight.")
    if seat.waiting:
        return let_be(seat, "Waiting for an answer.")
    if short > 0:
        asked = bargaining.seek_help(seat, fray)
        if asked is not None:
            return asked
    if plan is not None and dear <= stake:
        return Choice(plan.moves[0], "It is worth the cards.")
    return rid(seat, fray) or let_be(seat, "I am not winning this one.")


def content(seat: Seat, fray: Fray) -> bool:
    """Is my side winning, with nothing for me to add (`my_fight`, `helping`)? Asked before anything is listed."""
    if not fray.winning or fray.fleeing:
        return False
    if seat.seat == fray.helper:
        return True
    if plans.wins_game(seat, fray):
        return not holds(seat, "ban")
    return fray.helper >= 0 or not _adds(seat) or _to_spare(seat, fray) <= 0


_additions: Final = Findings[bool]()


def _adds(seat: Seat) -> bool:
    """Have I a card that could make more of a fight (`_addition`)?"""
    return any(_is_addition(seat, seat.defs[c]) for c in seat.at_hand)


def _is_addition(seat: Seat, d: CardDef) -> bool:
    got = _additions.about(d)
    if got is None:
        monsters = any(s.verb in ADDS for mode in d.modes for s in seat.steps(mode.prog))
        got = _additions.keep(d, d.kind in ENHANCERS or monsters)
    return got


def at_stake(seat: Seat, fray: Fray) -> float:
    """What winning this fight, rather than running, means to me."""
    if plans.wins_game(seat, fray):
        return EVERYTHING
    return LEVEL * fray.levels + TREASURE * fray.treasures + _risk(seat, fray)


def _risk(seat: Seat, fray: Fray) -> float:
    """What running away from all this would cost on average."""
    return seat.style.fear * sum((caught(seat, x.face) * harm(seat, x.face) for x in fray.foes), 0.0)


def bar(seat: Seat, fray: Fray) -> Choice | None:
    """With the game at stake: whoever holds most cards plays none of them against me."""
    if not plans.wins_game(seat, fray):
        return None
    bans = [m for m in seat.of(mv.PLAY) if any(s.verb == "ban" for s in seat.does(m))]
    if not bans:
        return None
    return Choice(max(bans, key=lambda m: (seat.hand_size(seat_of(m.target)), m)), "Keep out of this one.")


def more_of_it(seat: Seat, fray: Fray) -> Choice | None:
    """Winning easily: another monster for another level, more Treasure on the one that is there."""
    if plans.wins_game(seat, fray) or fray.helper >= 0:
        return None
    room = _to_spare(seat, fray)
    best: tuple[float, Move] | None = None
    for m in seat.of(mv.PLAY):
        mode = seat.mode(m)
        if mode is None or (mode.op != "effect" and mode.op not in plans.ENHANCES):
            continue
        size, gain = _addition(seat, fray, m)
        if 0 < size <= room and gain + seat.style.daring > worth(seat, m.card) + 0.5:
            best = max(best, (gain, m)) if best is not None else (gain, m)
    return Choice(best[1], "There is more where that came from.") if best is not None else None


def _to_spare(seat: Seat, fray: Fray) -> int:
    """By how much the monsters may grow, and I still win."""
    return fray.ours - fray.theirs - (0 if seat.has(seat.seat, "wins_ties") else 1)


def _addition(seat: Seat, fray: Fray, m: Move) -> tuple[int, float]:
    """How much stronger the monsters get, and what I would get for that."""
    d = seat.defs[m.card]
    if d.kind in ENHANCERS:
        return swells(seat, m, fray), LEVEL * glory(d) + TREASURE * d.treasures
    verbs = {s.verb for s in seat.does(m)}
    if "add_monster" in verbs and mv.names_card(m.extra):
        new = seat.defs[m.extra]
        return foe_strength(seat, new), LEVEL * new.levels + TREASURE * new.treasures
    if "clone_monster" in verbs:
        foe = next((x for x in fray.foes if x.card == m.target), None)
        if foe is not None:
            face = seat.defs[foe.face]
            return seat.foe_strength_now(foe), LEVEL * face.levels + TREASURE * face.treasures
    return 0, 0.0


def rid(seat: Seat, fray: Fray) -> Choice | None:
    """Send the monsters away, or the fight to somebody else."""
    risk = _risk(seat, fray)
    best: tuple[float, Move] | None = None
    for m in seat.moves:
        if m.verb not in (mv.PLAY, mv.USE):
            continue
        gain = _riddance(seat, fray, m, risk) - (worth(seat, m.card) if m.verb == mv.PLAY else plans.fee(seat, m))
        if gain > 0 and (best is None or (gain, m) > best):
            best = (gain, m)
    return Choice(best[1], "Gone is as good as dead.") if best is not None else None


def _riddance(seat: Seat, fray: Fray, m: Move, risk: float) -> float:
    """What it is worth to be rid of the fight in this way."""
    gain = 0.0
    for s in seat.does(m):
        if s.verb == "remove_monster" and (len(fray.foes) == 1 or s.a.which == "all"):
            paid = s.a.treasure or s.a.killed
            gain += risk + (TREASURE * fray.treasures if paid else 0.0) + (LEVEL * fray.levels if s.a.killed else 0.0)
        elif s.verb == "tame" and len(fray.foes) == 1:
            gain += risk + mounting(seat, fray.foes[0].face)
        elif s.verb == "transfer_fight" and seat_of(m.target) == chief(seat):
            gain += risk + 1.5
        elif s.verb == "draw":
            gain += 2 * TREASURE
        elif s.verb == "loot_room":
            gain += 1.0
    return gain


# -- somebody else's ----------------------------------------------------------------------------------------------


def helping(seat: Seat, fray: Fray) -> Choice:
    """I am in for a share: a small card to save it, but never one that hands over the game."""
    won = plans.winner(seat, fray)
    if fray.winning or won == fray.main:
        return let_be(seat)
    short = plans.need(seat, fray)
    mine = won == seat.seat
    plan = plans.cheapest(plans.ours(seat, fray), short, 4 if mine else 2) if short > 0 else None
    share = EVERYTHING if mine else TREASURE * fray.share + _risk(seat, fray)
    if plan is not None and plan.cost * seat.style.thrift <= share:
        return Choice(plan.moves[0], "We are in this together, for now.")
    return let_be(seat)


def watched(seat: Seat, fray: Fray) -> bool:
    """Could there be a reason to meddle in somebody's fight? Asked before anything is listed."""
    if fray.winning:
        return plans.winner(seat, fray) >= 0 or danger(seat, fray.main) or _steals(seat, fray)
    return bargaining.would_volunteer(seat, fray) or _thrusts(seat, fray)


def _steals(seat: Seat, fray: Fray) -> bool:
    """Could I take the fight over and win it?"""
    return seat.strength(seat.seat) > fray.theirs and holds(seat, "transfer_fight")


def others_fight(seat: Seat, fray: Fray) -> Choice:
    """Stop a winner with all I have; trip whoever is dangerous with one card; earn a share; or watch."""
    if plans.winner(seat, fray) >= 0:
        if fray.winning:
            return spoil(seat, fray, EVERYTHING) or let_be(seat, "I cannot stop this.")
        return let_be(seat, "Let the monsters do it.")
    if fray.winning:
        taken = take_over(seat, fray)
        if taken is not None:
            return taken
        if danger(seat, fray.main):
            return spoil(seat, fray, _blow_to(seat, fray)) or let_be(seat)
        return let_be(seat)
    return join_in(seat, fray) or bargaining.volunteer(seat, fray) or let_be(seat)


def _thrusts(seat: Seat, fray: Fray) -> bool:
    """Would I rise by this fight, if they had to let me help?"""
    if fray.winning or not seat.has(seat.seat, "helper_level") or not holds(seat, "become_helper"):
        return False
    alone = fray if fray.helper < 0 else fray.less(seat.strength(fray.helper))
    return bargaining.turns_it(seat, alone, seat.seat)


def join_in(seat: Seat, fray: Fray) -> Choice | None:
    """Help that nobody can refuse, where helping is worth a level to me, or the game."""
    if not _thrusts(seat, fray):
        return None
    gain = bargaining.helpers_gain(seat, fray, seat.seat, 0) - bargaining.rivals_gain(seat, fray, 0)
    if plans.lifted(seat, fray, seat.seat):
        gain = EVERYTHING
    for m in seat.moves:
        if m.verb == mv.PLAY and gain > worth(seat, m.card) and any(s.verb == "become_helper" for s in seat.does(m)):
            return Choice(m, "You will thank me later.")
    return None


def take_over(seat: Seat, fray: Fray) -> Choice | None:
    """A fight that I would win is better in my hands."""
    if seat.strength(seat.seat) <= fray.theirs:
        return None
    for m in seat.of(mv.PLAY):
        mine = seat_of(m.target) == seat.seat
        if mine and any(s.verb == "transfer_fight" for s in seat.does(m)):
            return Choice(m, "That one is mine.")
    return None


def _blow_to(seat: Seat, fray: Fray) -> float:
    """What it is worth to me that this one loses the fight: his gain, and his pain, shared among three."""
    gain = LEVEL * fray.levels + TREASURE * fray.treasures
    pain = sum((0.6 * harm(seat, x.face, fray.main) for x in fray.foes), 0.0)
    return 0.6 * (gain + pain) + max(0.0, seat.feud(fray.main))


def spoil(seat: Seat, fray: Fray, most: float) -> Choice | None:
    """Make the munchkins lose if it costs no more than that; against a winner, do at least what I can."""
    pushes = plans.theirs(seat, fray)
    if not pushes:
        return None
    short = 1 - plans.need(seat, fray)
    won = plans.winner(seat, fray)
    who = seat.name(won if won >= 0 else fray.main)
    plan = plans.cheapest(pushes, max(1, short))
    if plan is not None and plan.cost * (seat.style.thrift if most < EVERYTHING else 1.0) <= most:
        return Choice(plan.moves[0], f"Not today, {who}.")
    if most < EVERYTHING:
        return None
    best = max(pushes, key=lambda p: (p.gain, -p.cost, p.move))
    return Choice(best.move, f"Somebody has to stop {who}.")


def deny(seat: Seat) -> Choice | None:
    """A card that keeps a winner from his Treasure: for who is to be stopped, with a monster that he does not beat."""
    who = seat.moment.seat
    if who == seat.seat or not danger(seat, who):
        return None
    best: tuple[float, Move] | None = None
    for m in seat.moves:
        if m.verb != mv.PLAY or not any(s.verb == "reward_from" and s.a.word == "nothing" for s in seat.does(m)):
            continue
        more = _set_upon(seat, m.extra, who) if mv.names_card(m.extra) else 0.0
        if best is None or (more, m) > best:
            best = (more, m)
    return Choice(best[1], f"Look closer, {seat.name(who)}.") if best is not None else None


def _set_upon(seat: Seat, monster: int, who: int) -> float:
    """What it is worth to me that this player has to fight a monster of mine as well."""
    d = seat.defs[monster]
    if foe_strength(seat, d, who) <= seat.strength(who):
        return -LEVEL
    return 0.6 * harm(seat, monster, who) - quarry(seat, d)


# -- running, dice, Curses ----------------------------------------------------------------------------------------


def flee(seat: Seat, fray: Fray) -> Choice:
    """Get away without a roll if the roll is too dear; else roll, the worst monster first."""
    runs = seat.of(mv.RUN)
    if seat.seat in (fray.main, fray.helper):
        risk = _risk(seat, fray)
        for m in seat.moves:
            if m.verb in (mv.PLAY, mv.USE):
                verbs = {s.verb for s in seat.does(m)}
                price = worth(seat, m.card) if m.verb == mv.PLAY else plans.fee(seat, m)
                if verbs & {"escape", "remove_monster"} and seat_of(m.target) in (-1, seat.seat) and price < risk:
                    return Choice(m, "Not worth the risk.")
            elif m.verb == mv.SACRIFICE and risk >= worth(seat, m.card):
                return Choice(m, "It is what he is paid for.")
    if runs:
        return Choice(max(runs, key=lambda m: (_urgency(seat, face_of(seat, m.card)), -m.card)), "Run!")
    return let_be(seat)


def _urgency(seat: Seat, face: int) -> tuple[bool, bool, float]:
    """The dead roll no more and keep their Level: death first. What sets the Level comes after what lowers it."""
    b = blow(seat, seat.defs[face])
    return b.death > 0, not b.bottom, harm(seat, face)


def at_roll(seat: Seat) -> Choice:
    """Change my own failed roll if what follows is worth more than what it costs, or a lucky one of who leads."""
    roll = seat.moment
    if roll.seat != seat.seat:
        return at_escape(seat) if roll.need and roll.result >= roll.need else let_be(seat)
    if not roll.need or roll.result >= roll.need:
        return let_be(seat)
    pain = harm(seat, face_of(seat, roll.card)) if roll.card >= 0 else 3.0
    best: tuple[float, Move] | None = None
    for m in seat.moves:
        if m.verb in (mv.PLAY, mv.USE):
            gain = _saved(seat, m, pain) - (worth(seat, m.card) if m.verb == mv.PLAY else plans.spare(seat))
            if gain > 0 and (best is None or (gain, m) > best):
                best = (gain, m)
    return Choice(best[1], "Let us say that did not happen.") if best is not None else let_be(seat)


def _saved(seat: Seat, m: Move, pain: float) -> float:
    """How much of the pain this would spare me."""
    roll = seat.moment
    verbs = {s.verb for s in seat.does(m)}
    if verbs & {"set_die", "escape", "remove_monster"}:
        return pain
    if "reroll" in verbs:
        return pain * min(1.0, max(0.0, (7 - roll.need + seat.run_bonus(seat.seat)) / 6))
    if "roll_bonus" in verbs:
        short = roll.need - roll.result
        return pain / short if short <= min(3, len(seat.hand)) else 0.0
    return 0.0


def at_curse(seat: Seat) -> Choice:
    """Cancel what strikes me if it hurts more than the card that cancels it is worth."""
    if seat.moment.seat == seat.seat:
        pain = harm(seat, seat.moment.card) + _lost_fight(seat)
        for m in seat.moves:
            if m.verb in (mv.PLAY, mv.USE) and any(s.verb == "cancel_curse" for s in seat.does(m)):
                price = worth(seat, m.card) + 0.5 if m.verb == mv.PLAY else max(plans.spare(seat), plans.fee(seat, m))
                if pain > price:
                    return Choice(m, "Oh no you don't.")
    return let_be(seat)


def _lost_fight(seat: Seat) -> float:
    """What is at stake if a Curse turns the fight that I am winning."""
    fray = seat.fray
    if fray is None or fray.main != seat.seat or not fray.winning:
        return 0.0
    lost = plans.curse_damage(seat, Move(seat.seat, mv.PLAY, seat.moment.card, at_seat(seat.seat)), fray)
    return at_stake(seat, fray) if lost >= 1 - plans.need(seat, fray) else 0.0


def at_escape(seat: Seat) -> Choice:
    """Somebody got away: the one to stop should roll again, if what he fled from would hurt him enough."""
    who = seat.moment.seat
    if who != seat.seat and danger(seat, who):
        caught_again = min(1.0, max(0.0, (4 - seat.run_bonus(who)) / 6))
        pain = 0.6 * caught_again * harm(seat, face_of(seat, seat.moment.card), who)
        for m in seat.moves:
            if m.verb == mv.PLAY and pain > worth(seat, m.card) and any(s.verb == "reroll" for s in seat.does(m)):
                return Choice(m, f"Where to, {seat.name(who)}?")
    return let_be(seat)


def holds(seat: Seat, *verbs: str) -> bool:
    """Have I a card to play that does one of these?"""
    for c in seat.at_hand:
        for mode in seat.defs[c].modes:
            for s in seat.steps(mode.prog):
                if s.verb in verbs:
                    return True
    return False
