"""What cards do: programs of steps, run one at a time as frames, so that a choice may interrupt them anywhere.

Each verb of the card language is one function here. It returns True when it is done, and False when it has asked
something and wants to be called again with the answer in `f.ans`.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Final

from kickdoor.cards.library import Args
from kickdoor.engine import combat, curses, death, decks, dice, helping, items, levels, running_away, strength, zones
from kickdoor.engine import queries as q
from kickdoor.engine.frames import CARDS, LABELS, NUMBERS, YESNO, Effect, Flee, Victory
from kickdoor.engine.game import ACTIVE, DOOR, REMOVED, TREASURE, Game, Token
from kickdoor.engine.game import KILLED as FOE_KILLED
from kickdoor.engine.moves import MONSTERS, MUNCHKINS, NONE, seat_of
from kickdoor.engine.prompts import ask

Verb = Callable[[Game, Effect, Args], bool]
UNSEEN: Final = -5  # "a card from the hand, unseen" among the things to take


def step_effect(g: Game, f: Effect) -> bool:
    """Run the next step of the program on top."""
    program = g.lib.programs[f.prog]
    if f.pc >= len(program):
        g.stack.pop()
        finish(g, f)
        return True
    instr = program[f.pc]
    if instr.fn(g, f, instr.a):
        f.pc += 1
        f.ans = None
    return True


def finish(g: Game, f: Effect) -> None:
    """A played card is put away when its program is done."""
    if f.cause in ("played", "immediate") and f.card in g.limbo:
        g.limbo.remove(f.card)
        zones.to_discard(g, f.card, "SPECIAL-3")


def run(g: Game, f: Effect, prog: int, seat: int = -2) -> None:
    """Run a part of a program on top of this one, with the same persons; `seat` makes it about that player."""
    if prog < 0:
        return
    new = copy(f)
    new.prog, new.pc, new.ans = prog, 0, None
    if new.cause in ("played", "immediate"):
        new.cause = "part"
    if seat != -2:
        new.mem = (seat,)
    g.stack.append(new)


def otherwise(g: Game, f: Effect, a: Args) -> bool:
    """It could not happen: do what `else` says (AMB-69)."""
    if a.else_ >= 0:
        f.pc += 1
        f.ans = None
        run(g, f, a.else_)
        f.pc -= 1
    return True


def seat_for(g: Game, f: Effect, word: str) -> int:
    """Whom a step is about; inside `each` that is the player whose go it is."""
    if not word:
        return f.mem[0] if f.mem else f.who
    n = len(g.players)
    fight = g.fight
    if word == "this":
        return f.mem[0] if f.mem else f.who
    if word == "victim":
        return f.who
    if word == "actor":
        return f.actor
    if word == "target":
        s = seat_of(f.target)
        return s if s >= 0 else q.owner(g, f.target)
    if word == "left":
        return (f.who + 1) % n
    if word == "right":
        return (f.who - 1) % n
    if word == "main":
        return fight.main if fight is not None else -1
    if word == "helper":
        return fight.helper if fight is not None else -1
    return f.who


def amount(f: Effect, value: int | str) -> int:
    """A number, the die's result, or what was remembered."""
    if isinstance(value, int):
        return value
    if value in ("roll", "remembered"):
        return f.n
    return int(value)


def _rule(f: Effect) -> str:
    return {"curse": "CURSE-3", "bad_stuff": "RUN-11"}.get(f.cause, "CONF-1")


def _cause(f: Effect) -> str:
    return f.cause if f.cause in (zones.CURSE, zones.BAD_STUFF) else zones.COST


# -- levels -----------------------------------------------------------------------------------------------------


def lose_level(g: Game, f: Effect, a: Args) -> bool:
    levels.lose(g, seat_for(g, f, a.who), amount(f, a.amount), "LEVEL-4")
    return True


def gain_level(g: Game, f: Effect, a: Args) -> bool:
    levels.gain(g, seat_for(g, f, a.who), amount(f, a.amount), "LEVEL-2", may_win=a.may_win)
    return True


def set_level(g: Game, f: Effect, a: Args) -> bool:
    s = seat_for(g, f, a.who)
    to = min(p.level for p in g.players if not p.dead) if a.word == "lowest" else amount(f, a.amount)
    levels.set_to(g, s, to, "LEVEL-4")
    return True


def steal_level(g: Game, f: Effect, a: Args) -> bool:
    n = levels.gainable(g, f.actor, amount(f, a.amount), False)
    got = levels.lose(g, seat_for(g, f, a.who), n, "LEVEL-4")
    levels.gain(g, f.actor, got, "LEVEL-2")
    return True


def death_(g: Game, f: Effect, a: Args) -> bool:
    death.die(g, seat_for(g, f, a.who), f.cause)
    return True


def change_sex(g: Game, f: Effect, a: Args) -> bool:
    p = g.players[seat_for(g, f, a.who)]
    p.sex = 1 - p.sex
    g.touch()
    g.dirty |= 1 << seat_for(g, f, a.who)
    g.emit("sex", seat_for(g, f, a.who), n=p.sex, rule="CHAR-10")
    return True


# -- losing and taking cards ------------------------------------------------------------------------------------


def _candidates(g: Game, f: Effect, seat: int, a: Args) -> list[int]:
    p = g.players[seat]
    defs = g.lib.defs
    out: list[int] = []
    if a.frm in ("hand", "any", "items_or_hand"):
        out += [c for c in p.hand if a.what is None or a.what(g, c) or a.frm == "items_or_hand"]
    if a.frm in ("in_play", "equipped", "any", "items_or_hand"):
        for c in p.table:
            d = defs[c]
            if c in g.host or d.is_curse or c == f.card:
                continue
            if f.cause == zones.BAD_STUFF and q.suppressed(g, c):
                continue  # FQ-AXE-18
            if a.frm == "items_or_hand" and not d.is_item:
                continue
            if a.frm == "equipped" and c not in g.equipped:
                continue
            if a.what is None or a.what(g, c):
                out.append(c)
    return out


def _biggest(g: Game, options: list[int], pick: str) -> list[int]:
    defs = g.lib.defs
    if pick == "biggest_bonus":

        def size(c: int) -> int:
            return strength.item_bonus(g, q.owner(g, c), c)
    else:

        def size(c: int) -> int:
            return defs[c].gold or 0

    top = max(size(c) for c in options)
    return [c for c in options if size(c) == top]


def discard(g: Game, f: Effect, a: Args) -> bool:
    seat = seat_for(g, f, a.who)
    if g.players[seat].dead:
        return True
    if f.ans is None:
        options = _candidates(g, f, seat, a)
        if not options:
            return otherwise(g, f, a)
        if a.pick:
            options = _biggest(g, options, a.pick)
        n = len(options) if a.count == "all" else amount(f, a.count)
        if n <= 0:
            return True
        if a.chooser == "random":
            f.ans = tuple(_random_pick(g, options, n))
        elif len(options) <= n:
            f.ans = tuple(options)
        else:
            chooser = seat if a.chooser == "victim" else seat_for(g, f, a.chooser)
            if g.players[chooser].dead:
                chooser = seat
            ask(g, chooser, options, low=n, high=n, card=f.card, about="discard", rule="CURSE-8")
            return False
    value = 0
    for c in f.ans:
        value += g.lib.defs[c].gold or 0
        zones.discard_any(g, seat, c, _cause(f), _rule(f))
    f.n = value if a.count == 1 else f.n
    return True


def _random_pick(g: Game, options: list[int], n: int) -> list[int]:
    pool = options[:]
    out = []
    for _ in range(min(n, len(pool))):
        out.append(pool.pop(g.random(len(pool))))
    return out


def take(g: Game, f: Effect, a: Args) -> bool:
    """A player takes a card from the victim: a chosen one in play, or an unseen one from the hand."""
    taker = f.mem[0] if f.mem else f.actor
    if f.target >= 0 and not f.mem:  # a theft names its card
        giver = q.owner(g, f.target)
        if giver >= 0:
            zones.transfer(g, giver, taker, f.target, a.how, "CLASS-11")
        return True
    victim = g.players[f.who]
    if g.players[taker].dead:
        return True
    if f.ans is None:
        return _ask_take(g, f, a, taker)
    for c in f.ans:
        if c == UNSEEN:
            pool = [x for x in victim.hand if a.frm != "treasure_anywhere" or g.lib.defs[x].deck == TREASURE]
            _take_from_hand(g, f.who, taker, pool[g.random(len(pool))])
        else:
            zones.transfer(g, f.who, taker, c, a.how, _rule(f))
    return True


def _ask_take(g: Game, f: Effect, a: Args, taker: int) -> bool:
    victim = g.players[f.who]
    if a.frm == "hand":
        if not victim.hand:
            return otherwise(g, f, a)
        _take_from_hand(g, f.who, taker, victim.hand[g.random(len(victim.hand))])
        return True
    options = [
        c
        for c in victim.table
        if c not in g.host and not g.lib.defs[c].is_curse and (a.what(g, c) if a.what else q.is_item(g, c))
    ]
    if a.frm == "treasure_anywhere":
        options = [c for c in options if g.lib.defs[c].deck == TREASURE]
        if any(g.lib.defs[c].deck == TREASURE for c in victim.hand):
            options.append(UNSEEN)
    if not options:
        return otherwise(g, f, a)
    chooser = taker if a.chooser == "taker" else seat_for(g, f, a.chooser)
    ask(g, chooser, options, card=f.card, about="take", rule=_rule(f))
    return False


def _take_from_hand(g: Game, giver: int, taker: int, card: int) -> None:
    """A random card from a hand, seen by the two alone (FQ-CARD-1)."""
    zones.from_hand(g, giver, card)
    zones.to_hand(g, taker, card)
    g.fresh.append((taker, card))
    g.emit("taken", taker, card, giver, rule="PILE-9", audience=taker)


def pay(g: Game, f: Effect, a: Args) -> bool:
    """Give up Items of a certain value, one by one; who cannot loses them all."""
    seat = seat_for(g, f, a.who)
    p = g.players[seat]
    need = amount(f, a.amount)
    if f.ans:
        for c in f.ans:
            f.acc += g.lib.defs[c].gold or 0
            zones.discard_in_play(g, seat, c, _cause(f), _rule(f))
        f.ans = None
    if f.acc >= need or p.dead:
        return True
    options = [c for c in p.table if q.is_item(g, c) and c not in g.host]
    if f.acc + sum(g.lib.defs[c].gold or 0 for c in options) < need:
        for c in options:
            zones.discard_in_play(g, seat, c, _cause(f), _rule(f))
        run(g, f, a.do)
        return True
    ask(g, seat, options, card=f.card, about="pay", rule=_rule(f))
    return False


def draw(g: Game, f: Effect, a: Args) -> bool:
    face_up = a.face == "up" or (a.face == "same" and f.face == 1)
    seat = seat_for(g, f, a.who)
    if not g.players[seat].dead:
        deck = TREASURE if a.to == "treasure" else DOOR
        f.pc += 1  # the draw comes on top of a program that has gone on already
        decks.draw(g, seat, deck, amount(f, a.amount), face_up, "card", "CONF-1")
        f.pc -= 1
    return True


def owe_treasure(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        g.fight.owed += amount(f, a.amount)
    return True


def retrieve(g: Game, f: Effect, a: Args) -> bool:
    """A card from the discards, which only a card like this lets one look through (PILE-3)."""
    seat = seat_for(g, f, a.who)
    if f.ans is None:
        options = [
            c
            for deck in (DOOR, TREASURE)
            if a.frm in ("discards", "doors" if deck == DOOR else "treasures")
            for c in reversed(g.discards[deck])
            if a.what is None or a.what(g, c)
        ]
        if not options:
            return otherwise(g, f, a)
        ask(g, seat, options, card=f.card, about="retrieve", rule="PILE-3")
        return False
    for c in f.ans:
        g.discards[g.lib.defs[c].deck].remove(c)
        g.emit("retrieve", seat, c, rule="PILE-3")
        if g.lib.defs[c].immediate:
            decks.start_immediate(g, seat, c, False)
        else:
            zones.to_hand(g, seat, c)
            g.fresh.append((seat, c))
    return True


def change_trait(g: Game, f: Effect, a: Args) -> bool:
    """Look through the Door discards first, then lose the old ones, so that none finds itself."""
    seat = seat_for(g, f, a.who)
    old = q.cards_of_kind(g, seat, a.word)
    if not old:
        return otherwise(g, f, a)
    found = next((c for c in reversed(g.discards[DOOR]) if g.lib.defs[c].kind == a.word), -1)
    if found >= 0:
        g.discards[DOOR].remove(found)
        zones.to_table(g, seat, found)
        g.emit("trait", seat, found, rule="CURSE-3")
    for c in old:
        zones.discard_in_play(g, seat, c, _cause(f), _rule(f))
    return True


# -- choices, dice and structure --------------------------------------------------------------------------------


def roll(g: Game, f: Effect, a: Args) -> bool:
    if f.ans is None:
        dice.start_roll(g, seat_for(g, f, a.who), dice.CARD_ROLL)
        return False
    f.n = max(1, f.ans[1])
    return True


def by_roll(g: Game, f: Effect, a: Args) -> bool:
    run(g, f, a.table[min(12, max(1, f.n))])
    return True


def choose(g: Game, f: Effect, a: Args) -> bool:
    if f.ans is None:
        seat = seat_for(g, f, a.chooser if a.chooser != "victim" else a.who)
        ask(g, seat, range(len(a.labels)), domain=LABELS, card=f.card, about="choose", rule=_rule(f))
        return False
    run(g, f, a.labels[f.ans[0]][1])
    return True


def if_(g: Game, f: Effect, a: Args) -> bool:
    assert a.test is not None
    run(g, f, a.do if a.test(g, seat_for(g, f, ""), f) else a.else_)
    return True


def each(g: Game, f: Effect, a: Args) -> bool:
    n = len(g.players)
    around = [(f.who + i) % n for i in range(1, n)]
    if a.order == "right":
        around = [(f.who - i) % n for i in range(1, n)]
    if a.who == "everyone":
        around = [f.who, *around]
    elif a.who == "neighbours":
        around = [(f.who + 1) % n, (f.who - 1) % n] if n > 2 else [(f.who + 1) % n]
    elif a.who == "fighters":
        around = q.fighters(g)
    living = [s for s in around if not g.players[s].dead]
    if a.who == "highest_level":
        top = max((g.players[s].level for s in living), default=0)
        living = [s for s in living if g.players[s].level == top]
    for s in reversed(living):
        if a.test is None or a.test(g, s, f):
            f.pc += 1
            run(g, f, a.do, s)
            f.pc -= 1
    return True


def remember(g: Game, f: Effect, a: Args) -> bool:
    return True  # `discard` has kept the value of the Item given up


def lift(g: Game, f: Effect, a: Args) -> bool:
    """This card leaves play (the Chicken flies off with the hat)."""
    owner = q.owner(g, f.card)
    if owner >= 0:
        zones.discard_in_play(g, owner, f.card, zones.WILL, "CURSE-4")
    return True


# -- the fight --------------------------------------------------------------------------------------------------


def _foe_for(g: Game, f: Effect, which: str) -> list[int]:
    fight = g.fight
    if fight is None:
        return []
    if which == "all":
        return [x.card for x in fight.foes if x.fate == ACTIVE]
    card = f.foe if which == "this" else f.target
    foe = q.find_foe(fight, card)
    return [card] if foe is not None and foe.fate == ACTIVE else []


def remove_monster(g: Game, f: Effect, a: Args) -> bool:
    """Typed removals, each with its own reward (CAP-34); paid only when the whole fight is won (CONF-6)."""
    fight = g.fight
    if fight is None:
        return True
    only = len(q.active_foes(fight)) == 1
    cards = _foe_for(g, f, a.which)
    for card in cards:
        foe = q.find_foe(fight, card)
        assert foe is not None
        foe.fate = FOE_KILLED if a.killed else REMOVED
        foe.credit = fight.main if a.killed else -1
        if a.killed:
            foe.pays = True
        elif a.treasure == "if_only":
            foe.pays = only
        else:
            foe.pays = g.rules.combat.nonlethal_treasure if a.treasure is None else bool(a.treasure)
        g.emit("killed" if a.killed else "removed", f.actor, card, rule="COMBAT-9")
        if fight.fleeing:
            if foe.pays:
                fight.owed += strength.foe_treasures(g, foe)
                foe.pays = False
            running_away.vanish(g, card)
    g.touch()
    return True


def add_monster(g: Game, f: Effect, a: Args) -> bool:
    combat.join(g, f.foe, f.actor, "INTERFERE-5")
    return True


def clone_monster(g: Game, f: Effect, a: Args) -> bool:
    """A second monster, with all enhancers of the first, whenever played (ENH-6, ENH-7)."""
    combat.clone(g, f.card, f.target, f.actor)
    return True


def replace_monster(g: Game, f: Effect, a: Args) -> bool:
    combat.replace(g, f.target, f.foe, f.actor)
    return True


def escape(g: Game, f: Effect, a: Args) -> bool:
    seat = seat_for(g, f, a.who or ("target" if seat_of(f.target) >= 0 else ""))
    foe = f.foe if f.foe >= 0 else f.target
    running_away.escape(g, seat, -1 if a.word == "all" else foe)
    return True


def cancel_curse(g: Game, f: Effect, a: Args) -> bool:
    """The one being played, or a lasting one (FQ-CURSE-10, FQ-CURSE-14)."""
    frame = curses.find_curse(g)
    if frame is not None and frame.stage == curses.OPEN and f.target in (NONE, frame.card):
        frame.stage = curses.CANCELLED
        g.emit("cancelled", frame.victim, frame.card, rule="FQ-CURSE-10")
        return True
    owner = q.owner(g, f.target)
    if owner >= 0:
        zones.discard_in_play(g, owner, f.target, zones.WILL, "FQ-CURSE-14")
    return True


def resurrect(g: Game, f: Effect, a: Args) -> bool:
    """The next face-up draw is the top discard; a card from the hand pays for it, afterwards."""
    from kickdoor.engine import turn

    if f.ans is None:
        ask(g, f.who, g.players[f.who].hand, card=f.card, about="pay", rule="CLASS-6")
        if f.ans is None:
            return False
    turn.resurrect(g, f.who, f.ans[0])
    return True


def set_die(g: Game, f: Effect, a: Args) -> bool:
    """Turn the die to a face of one's choice; modifiers come after (FQ-BASE-30, FQ-BASE-31)."""
    if f.ans is None:
        ask(g, f.actor, range(1, 7), domain=NUMBERS, card=f.card, about="die", rule="FQ-BASE-30")
        return False
    frame = dice.find_roll(g)
    if frame is not None:
        frame.face = f.ans[0]
        g.rolls[-1] = frame.face
        g.emit("die_set", f.actor, f.card, n=frame.face, rule="FQ-BASE-30")
        dice.reopen(frame)
    return True


def reroll(g: Game, f: Effect, a: Args) -> bool:
    frame = dice.find_roll(g)
    if frame is not None:
        frame.face = dice.throw(g, frame.seat, "RUN-6")
        dice.reopen(frame)
    else:
        running_away.roll_again(g, seat_for(g, f, "target"))
    return True


def roll_bonus(g: Game, f: Effect, a: Args) -> bool:
    frame = dice.find_roll(g)
    if frame is not None:
        frame.bonus += amount(f, a.amount)
        g.emit("roll_bonus", f.actor, n=amount(f, a.amount), rule="RUN-6")
        dice.reopen(frame)
    return True


def bonus(g: Game, f: Effect, a: Args) -> bool:
    """A bonus that lies in the fight until it ends: for a side, or for the one who paid for it (FQ-CBT-22)."""
    fight = g.fight
    if fight is None:
        return True
    n = amount(f, a.amount)
    side = a.side
    per = 0 if a.per else -1
    if side == "target" or (not side and f.target in (MUNCHKINS, MONSTERS)):
        side = "monsters" if f.target == MONSTERS else "munchkins"
    if side:
        fight.tokens.append(Token(n, -1, side == "monsters", f.card, per=per))
    elif q.in_fight(g, f.who):
        fight.tokens.append(Token(n, f.who, False, f.card, rule="COMBAT-28"))
    g.emit("bonus", f.actor, f.card, n=n, rule="COMBAT-2")
    g.touch()
    return True


def penalty(g: Game, f: Effect, a: Args) -> bool:
    """Against one fighter (the backstab, CLASS-14)."""
    seat = seat_for(g, f, a.who or "target")
    if g.fight is not None:
        n = amount(f, a.amount) + combat.ability_bonus(g, f)
        g.fight.tokens.append(Token(-n, seat, False, f.card, rule="INTERFERE-6"))
        g.fight.hostile |= 1 << f.actor
        g.emit("penalty", seat, f.card, f.actor, n=-n, rule="INTERFERE-6")
        g.touch()
    return True


def double(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        g.fight.tokens.append(Token(0, g.fight.main, False, f.card, rule="double"))
        g.touch()
    return True


def transfer_fight(g: Game, f: Effect, a: Args) -> bool:
    combat.transfer(g, seat_for(g, f, "target"))
    return True


def loot_room(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        g.fight.loot_after = True
    return True


def compel_help(g: Game, f: Effect, a: Args) -> bool:
    helping.compel(g, seat_for(g, f, "target"))
    return True


def kill_companion(g: Game, f: Effect, a: Args) -> bool:
    if f.ans is None:
        options = [c for s in g.living(0) for c in q.companions(g, s)]
        if not options:
            return otherwise(g, f, a)
        ask(g, f.actor, options, domain=CARDS, card=f.card, about="companion", rule="HIRE-19")
        return False
    for c in f.ans:
        zones.discard_in_play(g, q.owner(g, c), c, zones.KILLED, "HIRE-19")
    return True


def consent(g: Game, f: Effect, a: Args) -> bool:
    """Ask a player whether he wants it; who did it himself has said so (FQ-BASE-38)."""
    seat = seat_for(g, f, a.who or "target")
    if seat == f.actor:
        run(g, f, a.do)
        return True
    if f.ans is None:
        ask(g, seat, (1, 0), domain=YESNO, card=f.card, about="consent", rule="FQ-BASE-38")
        return False
    if f.ans[0] == 1:
        run(g, f, a.do)
    return True


def opt_in(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        g.fight.optins.append(f.card)
        g.touch()
        for c in g.players[f.who].table:  # what can be used only thanks to it counts from now on (FQ-CLER-2)
            if c not in g.equipped and g.lib.defs[c].usable_by and items.why_not_equip(g, f.who, c) is None:
                g.equipped.add(c)
                g.touch()
    return True


def attach(g: Game, f: Effect, a: Args) -> bool:
    """A Curse is laid on one of the victim's Items, of his choice (CURSE-8), and stays with it."""
    seat = seat_for(g, f, a.who)
    if f.ans is None:
        options = [
            c
            for c in g.players[seat].table
            if c not in g.host and q.is_item(g, c) and not q.suppressed(g, c) and (a.what is None or a.what(g, c))
        ]
        if not options:
            return otherwise(g, f, a)
        ask(g, seat, options, card=f.card, about="attach", rule="CURSE-8")
        if f.ans is None:
            return False
    if f.card in g.limbo:
        g.limbo.remove(f.card)
    g.host[f.card] = f.ans[0]
    zones.to_table(g, seat, f.card)
    g.emit("attach", seat, f.card, f.ans[0], rule="CURSE-4")
    return True


def annihilate(g: Game, f: Effect, a: Args) -> bool:
    """Back into the box; what was played along with it goes back to its player (FQ-AXE-8..FQ-AXE-12)."""
    combat.annihilate(g, f.target)
    return True


def deny_treasure(g: Game, f: Effect, a: Args) -> bool:
    frame = _victory(g)
    if frame is not None:
        frame.denied = True
    return True


def start_fight(g: Game, f: Effect, a: Args) -> bool:
    """The winner has another one to fight, as soon as this one is over (FQ-AXE-10)."""
    frame = _victory(g)
    if frame is not None and f.foe >= 0:
        frame.again = f.foe
    return True


def _victory(g: Game) -> Victory | None:
    return next((f for f in reversed(g.stack) if isinstance(f, Victory)), None)


def no_verb(g: Game, f: Effect, a: Args) -> bool:
    return True


def is_fleeing(g: Game) -> Flee | None:
    for f in reversed(g.stack):
        if isinstance(f, Flee):
            return f
    return None


VERBS: Final[dict[str, Verb]] = {
    "lose_level": lose_level,
    "gain_level": gain_level,
    "set_level": set_level,
    "steal_level": steal_level,
    "death": death_,
    "discard": discard,
    "take": take,
    "draw": draw,
    "owe_treasure": owe_treasure,
    "roll": roll,
    "by_roll": by_roll,
    "choose": choose,
    "if": if_,
    "each": each,
    "change_sex": change_sex,
    "change_trait": change_trait,
    "pay": pay,
    "remove_monster": remove_monster,
    "add_monster": add_monster,
    "clone_monster": clone_monster,
    "replace_monster": replace_monster,
    "escape": escape,
    "cancel_curse": cancel_curse,
    "resurrect": resurrect,
    "set_die": set_die,
    "reroll": reroll,
    "roll_bonus": roll_bonus,
    "bonus": bonus,
    "penalty": penalty,
    "double": double,
    "transfer_fight": transfer_fight,
    "retrieve": retrieve,
    "loot_room": loot_room,
    "compel_help": compel_help,
    "kill_companion": kill_companion,
    "attach": attach,
    "annihilate": annihilate,
    "deny_treasure": deny_treasure,
    "start_fight": start_fight,
    "lift": lift,
    "remember": remember,
    "consent": consent,
    "opt_in": opt_in,
    "hook": no_verb,
}
