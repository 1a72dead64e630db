"""Running away: mandatory when losing, one roll per monster, Bad Stuff at once (RUN)."""

from __future__ import annotations

from typing import Final, NamedTuple

from kickdoor.cards import contexts as cx
from kickdoor.engine.chapters import fight_cards
from kickdoor.engine.facts import enemies, fights, force, front, nature
from kickdoor.engine.table import dice, steeds, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.table.rows import Action, Moment, marks_pass
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import SEATS, YESNO, Effect, Flee, Frame, Roll, Window
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import NONE, RUN, SACRIFICE, Move
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import ACTIVE, Fight, Foe

FACES: Final = 6  # of the die (AMB-1)
BEGIN, WINDOW, RUNNING, ROLLED, SPARE, OVER, PASSED_ON, MOUNTING = 0, 1, 2, 3, 4, 5, 7, 8


def find(g: Game) -> Flee | None:
    for f in reversed(g.stack):
        if type(f) is Flee:
            return f
    return None


def all_foes(fight: Fight) -> tuple[int, ...]:
    """Every monster still there, by its card."""
    return tuple(x.card for x in fight.foes if x.fate == ACTIVE)


def at_once(fight: Fight) -> Flee:
    """Nobody can do anything before the first roll (FQ-BASE-49)."""
    every = all_foes(fight)
    return Flee(stage=WINDOW, main_left=every, helper_left=every if fight.helper >= 0 else (), passed=-1)


def left(f: Flee, fight: Fight, seat: int) -> tuple[int, ...]:
    """The monsters that a fighter still has to get away from, by their cards."""
    return f.main_left if seat == fight.main else f.helper_left if seat == fight.helper else ()


def _set_left(f: Flee, fight: Fight, seat: int, cards: tuple[int, ...]) -> None:
    if seat == fight.main:
        f.main_left = cards
    elif seat == fight.helper:
        f.helper_left = cards


def _done_with(f: Flee, fight: Fight, seat: int, card: int) -> None:
    """This fighter need not run from that monster any more."""
    _set_left(f, fight, seat, tuple(c for c in left(f, fight, seat) if c != card))


def pursues(g: Game, foe: Foe, seat: int) -> bool:
    """Judged per monster and munchkin, at the moment of the roll, by what it sees (FQ-CBT-11, FQ-CBT-40, FQ-AXE-1)."""
    d = g.lib.defs[foe.face]
    if g.players[seat].level > d.pursuit_limit:
        return True
    return bool(d.pursues & nature.apparent(g, seat, True, alone=True))


def run_bonus(g: Game, seat: int, mount: int = NONE) -> int:
    """The runner's own modifiers, or those of his Steed instead (RUN-7, STEED-11)."""
    return steeds.run_bonus(g, seat, mount)


def run_terms(g: Game, seat: int) -> list[tuple[int, int]]:
    """What the runner adds to his throw, card by card: to running away, and to any throw (RUN-7)."""
    return [*steeds.run_terms(g, seat), *((c, m.amount) for c, m in force.modifiers(g, seat, "die"))]


class Odds(NamedTuple):
    """What it takes to get away: the least throw that does (0: none is needed, 7: none will do), and the chance."""

    need: int
    percent: int


def odds(g: Game, seat: int, foe: Foe) -> Odds:
    """The same questions that are asked when it comes to it (RUN-6..RUN-11), the best Steed ridden (AMB-58)."""
    if _free(g, foe, seat):
        return Odds(0, 100)
    if g.lib.defs[foe.face].escape == "impossible":
        return Odds(FACES + 1, 0)
    bonus = run_bonus(g, seat) + foe_run_bonus(g, foe) + force.total(g, seat, "die")
    need = min(FACES + 1, max(1, g.rules.run.success_min - bonus))
    return Odds(need, round(100 * (FACES + 1 - need) / FACES))


def ahead(g: Game, fight: Fight) -> list[tuple[int, int, Odds]]:
    """Who has still to run from what (by its card), or would have to if the fight ended now, and what it takes."""
    f = find(g)
    every = all_foes(fight)
    return [
        (s, x.card, odds(g, s, x))
        for s in fights.fighters(g)
        if not g.players[s].dead
        for x in _foes(fight, every if f is None or f.stage == BEGIN else left(f, fight, s))
    ]


def step_flee(g: Game, f: Flee) -> bool:
    fight = g.fight
    assert fight is not None
    if f.hurt:
        _told(g, f, fight)
        return True
    if f.stage == BEGIN:
        f.main_left = all_foes(fight)
        f.helper_left = all_foes(fight) if fight.helper >= 0 else ()
        f.stage = WINDOW
    if f.stage == WINDOW:
        alive = sum(1 << s for s, p in enumerate(g.players) if not p.dead)
        if f.passed & alive != alive and (f.main_left or f.helper_left):
            return False
        f.stage = RUNNING
    if f.stage == RUNNING:
        return _next(g, f, fight)
    if f.stage == ROLLED:
        return _result(g, f, fight)
    if f.stage == MOUNTING:
        return _mounted(g, f, fight)
    if f.stage == SPARE:
        return _spared(g, f, fight)
    if f.stage == PASSED_ON:
        return _passed_on(g, f, fight)

    if f.ans is None and fight_cards.ask_order(g, fight):
        return True
    g.stack.pop()
    away = [s for s in fights.fighters(g) if f.escaped >> s & 1 and not f.caught >> s & 1 and not g.players[s].dead]
    fight_cards.end_fight(g, f.ans or ())
    for s in away:  # from every monster of the fight (EPIC-51, AMB-47)
        zones.fire(g, s, "got_away", s)
    return True


def _next(g: Game, f: Flee, fight: Fight) -> bool:
    """Carry out what needs no die, of the main player first (AMB-22), by how things are then (FQ-CBT-40); then wait
    for the next roll."""
    if f.result:  # glued: he rolls whether he likes it or not
        f.result = 0
        stuck = fights.find_foe(fight, f.foe)
        if stuck is not None and stuck.fate == ACTIVE and not g.players[f.runner].dead:
            roll_for(g, f, f.runner, stuck)
            return True
    for seat in fights.fighters(g):
        if left(f, fight, seat):
            if _without_a_roll(g, f, fight, seat):
                return True
            break
    _leave_behind(g, f, fight)
    if f.main_left or f.helper_left:
        return False
    f.stage = OVER
    return True


def _without_a_roll(g: Game, f: Flee, fight: Fight, seat: int) -> bool:
    """The dead do not run (FQ-CBT-43); idle monsters need no roll, inescapable ones allow none."""
    cards = left(f, fight, seat)
    foes = _foes(fight, cards)
    if g.players[seat].dead or not foes:
        _set_left(f, fight, seat, ())
        return True
    for foe in foes:
        if _free(g, foe, seat):
            _done_with(f, fight, seat, foe.card)
            _escaped(g, f, seat, foe, pursued=pursues(g, foe, seat))
            return True
    if all(g.lib.defs[x.face].escape == "impossible" for x in foes):
        _done_with(f, fight, seat, foes[0].card)
        g.emit("no_escape", seat, foes[0].card, rule="RUN-11")
        _caught(g, f, seat, foes[0])
        return True
    return False


def _leave_behind(g: Game, f: Flee, fight: Fight) -> None:
    """Where monsters are discarded as soon as nobody has to run from them any more (row 63, SAMB-48)."""
    if g.rules.run.discard != "on_escape":
        return
    for foe in fight.foes:
        if foe.card not in f.main_left and foe.card not in f.helper_left and not foe.gone:
            foe.gone = True
            zones.to_discard(g, foe.card, "RUN-9")
            if all(x.gone for x in fight.foes if x.group == foe.group):
                for e in [e for e in fight.enhancers if e[1] == foe.group]:
                    fight.enhancers = renewed.less(fight.enhancers, e)
                    zones.to_discard(g, e[0], "ENH-9")


def _foes(fight: Fight, cards: tuple[int, ...]) -> list[Foe]:
    return [x for x in fight.foes if x.card in cards]


def _to_roll(g: Game, f: Flee, fight: Fight, seat: int) -> list[Foe]:
    """Monsters he may run from now, in the order he likes. Where no roll is needed, or none is left that could help,
    it is settled when it is his turn."""
    if g.players[seat].dead:
        return []
    foes = [x for x in _foes(fight, left(f, fight, seat)) if not _free(g, x, seat)]
    return [] if all(g.lib.defs[x.face].escape == "impossible" for x in foes) else foes


def _free(g: Game, foe: Foe, seat: int) -> bool:
    """Is no roll needed? Not pursued, a monster nobody fails to escape, or one that spares such a munchkin."""
    escape = g.lib.defs[foe.face].escape
    if _always_away(g, seat):
        return True
    if not pursues(g, foe, seat) or escape == "automatic" or _spared_by(g, foe, seat):
        return True
    return escape != "impossible" and force.any_modifier(g, seat, "escapes")  # FQ-DER-9: no attempt, no success


def _always_away(g: Game, seat: int) -> bool:
    """Gets away from whatever it is, even from what nobody escapes (FQ-HORSE-3)."""
    return any(m.word == "anything" for _, m in force.modifiers(g, seat, "escapes"))


def _spared_by(g: Game, foe: Foe, seat: int) -> bool:
    words = frozenset(g.lib.defs[foe.face].name.lower().split())
    return any(m.word & words for _, m in force.modifiers(g, seat, "safe_from"))


def one_more(g: Game, fight: Fight) -> None:
    """A monster joins while the munchkins are running already: they have to get away from it too (COMBAT-35)."""
    f = find(g)
    if f is None:
        return
    card = fight.foes[-1].card
    for seat in fights.fighters(g):
        if not g.players[seat].dead:
            _set_left(f, fight, seat, (*left(f, fight, seat), card))


def flee_stage(g: Game, f: Flee, seat: int) -> int:
    fight = g.fight
    assert fight is not None
    runners = [s for s in fights.fighters(g) if left(f, fight, s)]
    stage = cx.FLEE | cx.RUNNER if seat in runners else cx.FLEE
    to_come = [seat] if seat in runners else runners
    return stage | cx.DICE_TO_COME if any(not begun(f, fight, s) for s in to_come) else stage


def begun(f: Flee, fight: Fight, seat: int) -> bool:
    """Has he rolled already, or been caught: too late for what is done instead (FQ-BASE-39, SAMB-17)?"""
    return bool((fight.rolled | f.caught) >> seat & 1)


def why_no_pass(g: Game, f: Flee, seat: int) -> Reason | None:
    """Before the first roll everyone may act or pass; after that there is nothing but running (FQ-CBT-47)."""
    if f.stage == WINDOW:
        return r.PASSED if f.passed >> seat & 1 else None
    return r.RUN_MUST if fights.in_fight(g, seat) else r.NOTHING_TO_ANSWER


def flee_moves(g: Game, f: Flee, seat: int, out: list[Move]) -> None:
    fight = g.fight
    assert fight is not None
    if f.stage == RUNNING:
        for foe in _to_roll(g, f, fight, seat):
            out.append(Move(seat, RUN, foe.card))
    if may_sacrifice(g, f, seat):
        for c in (*front.companions(g, seat), *_expendable(g, seat)):
            out.append(Move(seat, SACRIFICE, c))


def why_not_run(g: Game, ctx: int, move: Move) -> Reason | None:
    """Who has lost runs from every monster that pursues him, and nobody else runs (RUN-1, RUN-14)."""
    f, fight = g.stack[-1], g.fight
    if fight is None or type(f) is not Flee:
        return r.RUN_WINNING
    if not left(f, fight, move.seat):
        return r.RUN_NOT_YOU
    if f.stage != RUNNING:
        return r.RUN_WAIT
    return None if any(x.card == move.card for x in _to_roll(g, f, fight, move.seat)) else r.RUN_FOE


def why_no_sacrifice(g: Game, ctx: int, move: Move) -> Reason | None:
    """Whom one may leave behind instead of rolling, and when (HIRE-8, FQ-STEED-6)."""
    f = g.stack[-1]
    rules = g.rules.companion
    if move.card in _expendable(g, move.seat) or move.card in front.companions(g, move.seat):
        if rules is None or not rules.sacrifice:
            return r.SACRIFICE_NEVER
        now = type(f) is Flee and may_sacrifice(g, f, move.seat)
        return None if now else r.SACRIFICE_TIME
    if move.card in g.players[move.seat].table:
        return r.STEED_NOT_SACRIFICED if g.lib.defs[move.card].kind == "steed" else r.SACRIFICE_WHOM
    return r.SACRIFICE_YOURS


def _expendable(g: Game, seat: int) -> list[int]:
    """Steeds that say so may be left behind like a companion (FQ-STEED-6, FQ-HORSE-2)."""
    return [c for c in front.steeds(g, seat) if "sacrifice" in g.lib.defs[c].mods and not front.suppressed(g, c)]


def may_sacrifice(g: Game, f: Flee, seat: int) -> bool:
    """Instead of rolling: before that player's first roll (HIRE-8, SAMB-17), where it would save somebody."""
    rules = g.rules.companion
    fight = g.fight
    if rules is None or not rules.sacrifice or fight is None or begun(f, fight, seat):
        return False
    helped = seat == fight.main and bool(f.helper_left)
    return bool(left(f, fight, seat)) and (helped or not _always_away(g, seat))


def run(g: Game, move: Move) -> None:
    """Roll for one monster; from some there is no escape, and no roll (RUN-11)."""
    f, fight = g.stack[-1], g.fight
    assert isinstance(f, Flee)
    assert fight is not None
    foe = fights.find_foe(fight, move.card)
    assert foe is not None
    if g.lib.defs[foe.face].escape == "impossible":
        _done_with(f, fight, move.seat, foe.card)
        _caught(g, f, move.seat, foe)
        return
    roll_for(g, f, move.seat, foe)


def sacrifice(g: Game, move: Move) -> None:
    f = g.stack[-1]
    assert isinstance(f, Flee)
    _sacrifice(g, f, move)


def roll_for(g: Game, f: Flee, seat: int, foe: Foe) -> None:
    f.runner, f.foe, f.stage = seat, foe.card, MOUNTING
    ridden = steeds.mounts(g, seat)
    if len({steeds.pace(g, c) for c in ridden}) > 1:  # for each roll the owner says whose legs it is (AMB-58)
        ask(g, seat, ridden, about="mount", rule="STEED-11")


def _mounted(g: Game, f: Flee, fight: Fight) -> bool:
    foe = fights.find_foe(fight, f.foe)
    assert foe is not None
    _roll(g, f, foe, f.ans[0] if f.ans else NONE)
    return True


def _roll(g: Game, f: Flee, foe: Foe, mount: int) -> None:
    f.stage = ROLLED
    fight = g.fight
    assert fight is not None
    fight.rolled |= 1 << f.runner
    bonus = run_bonus(g, f.runner, mount) + foe_run_bonus(g, foe)
    dice.start_roll(g, f.runner, dice.RUN_ROLL, g.rules.run.success_min, foe.card, bonus, mount=mount)


def changed(g: Game, roll: Roll) -> None:
    """Somebody has changed a roll: it counts with what its roller has in use now (RUN-7, RACE-6, FQ-BASE-31)."""
    bonus = 0
    if roll.purpose == dice.RUN_ROLL:
        foe = fights.find_foe(g.fight, roll.foe) if g.fight is not None else None
        bonus = run_bonus(g, roll.seat, roll.mount) + (foe_run_bonus(g, foe) if foe is not None else 0)
    dice.reopen(g, roll, bonus)


def foe_run_bonus(g: Game, foe: Foe) -> int:
    """Fast and slow monsters change the roll against them alone (RUN-8); a Steed's figure is its rider's (STEED-20)."""
    return sum(amount for _, amount in foe_run_terms(g, foe))


def foe_run_terms(g: Game, foe: Foe) -> list[tuple[int, int]]:
    """The same card by card: the monster, and what lies on it."""
    d = g.lib.defs[foe.face]
    own = 0 if d.kind == "steed" else d.run_away
    return [(foe.card, own), *((c, g.lib.defs[c].run_away) for c in enemies.enhancers_of(g, foe))]


def _result(g: Game, f: Flee, fight: Fight) -> bool:
    """A modified 5 or more escapes (RUN-6); the consequence is carried out at once (RUN-16)."""
    seat = f.runner
    foe = fights.find_foe(fight, f.foe)
    ans = f.ans
    f.ans = None
    f.stage = RUNNING
    if foe is None or ans is None:
        return True
    _done_with(f, fight, seat, foe.card)
    if foe.fate != ACTIVE:
        return True
    _, total, forced = ans
    if total >= g.rules.run.success_min or forced:
        _escaped(g, f, seat, foe, pursued=True)
    else:
        _caught(g, f, seat, foe)
    return True


def _escaped(g: Game, f: Flee, seat: int, foe: Foe, pursued: bool) -> None:
    """Away, but some monsters hurt even so (RUN-9, RUN-10)."""
    f.escaped |= 1 << seat
    g.emit("escaped", seat, foe.card, rule="RUN-9" if pursued else "FQ-CBT-18")
    zones.fire(g, seat, "escaped", seat)
    if pursued:
        _toll(g, seat, foe, "escaped")
        _toll(g, seat, foe, "fled")
    g.stack.append(Window("escaped", seat, foe.card))


def _caught(g: Game, f: Flee, seat: int, foe: Foe) -> None:
    f.caught |= 1 << seat
    g.emit("caught", seat, foe.card, rule="RUN-11")
    stuff = enemies.bad_stuff(g, foe)
    if stuff and g.lib.listeners("rival_hurt"):
        f.hurt = (seat, *_standing(g, seat))
    for prog, card in reversed(stuff):
        g.stack.append(Effect(prog, card, seat, seat, foe=foe.card, cause=zones.BAD_STUFF))
    _toll(g, seat, foe, "fled")


def _toll(g: Game, seat: int, foe: Foe, event: str) -> None:
    """What a monster does to whoever ran from it, whether he got away or not (FQ-BASE-44, FQ-BASE-45)."""
    prog = g.lib.defs[foe.face].on.get(event, -1)
    if prog >= 0:
        g.stack.append(Effect(prog, foe.card, seat, seat, foe=foe.card, cause=zones.BAD_STUFF))


def _standing(g: Game, seat: int) -> tuple[int, ...]:
    """All that Bad Stuff could take from a player."""
    p = g.players[seat]
    afflictions = sum(1 for x in g.afflictions if x[0] == seat)
    return (p.level, p.sex, int(p.dead), g.skips[seat], afflictions, *p.hand, -1, *p.table)


def _told(g: Game, f: Flee, fight: Fight) -> None:
    """Bad Stuff that has really taken effect is news to those who worked for it (CONF-1: their cards say so)."""
    victim, before = f.hurt[0], f.hurt[1:]
    f.hurt = ()
    if before == _standing(g, victim):
        return
    for s in reversed(g.living(victim)):
        if fight.hostile >> s & 1 and not fights.in_fight(g, s):
            zones.fire(g, s, "rival_hurt", victim, actor=s)


def escape(g: Game, seat: int, foe: int, even: bool = False) -> None:
    """An automatic escape from one monster (its card) or from all (-1), `even` from what nobody escapes."""
    f, fight, roll = find(g), g.fight, dice.find_roll(g)
    if roll is not None and roll.seat != seat:
        roll = None  # somebody else's
    if roll is not None and foe in (NONE, roll.foe):
        roll.forced, roll.passed = 1, -1
        if foe == roll.foe:  # which may be no monster at all (AMB-64)
            return
    if f is None or fight is None:
        return
    for x in _foes(fight, left(f, fight, seat)):
        if not even and g.lib.defs[x.face].escape == "impossible":
            continue
        if foe in (NONE, x.card) and (roll is None or roll.foe != x.card):
            _done_with(f, fight, seat, x.card)
            _escaped(g, f, seat, x, pursued=pursues(g, x, seat))


def vanish(g: Game, foe: int) -> None:
    """A monster is removed while it is being run from (Magic Lamp): nobody has to run from it any more."""
    f, fight = find(g), g.fight
    if f is None or fight is None:
        return
    for seat in fights.fighters(g):
        _done_with(f, fight, seat, foe)
    roll = dice.find_roll(g)
    if roll is not None and roll.foe == foe:
        roll.passed = -1


def roll_again(g: Game, seat: int) -> None:
    """Somebody who got away has to roll after all (Flask of Glue)."""
    f = find(g)
    fight = g.fight
    if f is None or fight is None:
        return
    for at in range(len(g.stack) - 1, -1, -1):
        frame = g.stack[at]
        if type(frame) is Window:  # the one in which he was seen getting away
            foe = fights.find_foe(fight, frame.card)
            if foe is not None:
                _undo_escape(g, at)
                _set_left(f, fight, frame.seat, (*left(f, fight, frame.seat), foe.card))
                frame.passed = -1
                f.foe, f.runner, f.result = foe.card, frame.seat, 1
            return


def _undo_escape(g: Game, window: int) -> None:
    """He has not got away: nothing comes of it, neither what it costs nor what it brings (FQ-BASE-45)."""
    below = window
    while _waits_for_it(g.stack[below - 1]):
        below -= 1
    del g.stack[below:window]


def _waits_for_it(f: Frame) -> bool:
    """Is it what an escape does, as `_escaped` has put it there? What let him escape goes on all the same."""
    return type(f) is Effect and f.pc == 0 and f.cause in ("escaped", zones.BAD_STUFF)


def _sacrifice(g: Game, f: Flee, move: Move) -> None:
    """The companion stays behind, its master is away from everything, with a helper perhaps (HIRE-8..HIRE-11)."""
    fight = g.fight
    assert fight is not None
    f.runner, f.foe, f.ans = move.seat, NONE, None
    if "sacrifice" in g.lib.defs[move.card].mods:
        f.foe = move.card
    else:
        zones.discard_in_play(g, move.seat, move.card, zones.SACRIFICE, "HIRE-8")
    if move.seat == fight.main and f.helper_left:
        f.stage = SPARE
    else:
        _left_behind(g, f, fight, move.seat)


def _passed_on(g: Game, f: Flee, fight: Fight) -> bool:
    """What was left behind goes to another player, as its owner says; he may have too many then (FQ-HORSE-2)."""
    others = [s for s in g.living(f.runner) if s != f.runner and force.may_receive(g, s, f.foe)]
    if f.ans is None:  # where nobody may have it, that is the answer
        ask(g, f.runner, others, domain=SEATS, card=f.foe, about="pass_on", rule="FQ-HORSE-2")
        return True
    seat, card = f.runner, f.foe
    to, f.ans, f.foe, f.stage = f.ans, None, -1, WINDOW  # which is over already where it was over
    if to:
        zones.transfer(g, seat, to[0], card, "give", "FQ-HORSE-2")
    else:
        zones.discard_in_play(g, seat, card, zones.SACRIFICE, "HIRE-8")
    _away(g, f, fight, seat)
    return True


def _left_behind(g: Game, f: Flee, fight: Fight, seat: int) -> None:
    """Away, once it is said who has next what is passed on instead of discarded."""
    if f.foe >= 0:
        f.stage = PASSED_ON
    else:
        _away(g, f, fight, seat)


def _away(g: Game, f: Flee, fight: Fight, seat: int) -> None:
    """This fighter gets away from everything that is left."""
    cards = left(f, fight, seat)
    _set_left(f, fight, seat, ())
    for x in reversed(_foes(fight, cards)):
        _escaped(g, f, seat, x, pursued=pursues(g, x, seat))


def _spared(g: Game, f: Flee, fight: Fight) -> bool:
    """The one who sacrificed says whether the helper gets away too (HIRE-11)."""
    if f.ans is None:
        ask(g, fight.main, (1, 0), domain=YESNO, about="helper_too", rule="HIRE-11")
        return True
    yes = f.ans[0] == 1
    f.ans, f.stage = None, WINDOW  # which is over already where it was over
    if yes:
        _away(g, f, fight, fight.helper)
    _left_behind(g, f, fight, fight.main)
    return True


def awaited_flee(g: Game, f: Flee) -> list[int]:
    fight = g.fight
    assert fight is not None
    if f.stage == WINDOW:
        return [s for s in g.living(fight.main) if not f.passed >> s & 1]
    return [s for s in fights.fighters(g) if _to_roll(g, f, fight, s)]


MOMENT: Final[Moment] = Moment(awaited_flee, flee_stage, why_no_pass, marks_pass)
RUNNING_AWAY: Final[Action] = Action(why_not_run, run)
LEAVING_BEHIND: Final[Action] = Action(why_no_sacrifice, sacrifice)
