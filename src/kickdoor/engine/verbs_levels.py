"""Verbs of the card language: levels, traits, dice, choices, draws and the structure of a program."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine import combat, curses, death, decks, dice, hirelings, levels, running_away, strength, zones
from kickdoor.engine import queries as q
from kickdoor.engine.effects import amount, cause_of, otherwise, rule_of, run, seat_for
from kickdoor.engine.frames import LABELS, NUMBERS, SEATS, YESNO, Curse, Effect
from kickdoor.engine.game import DOOR, FAIRY_DUST, SPELL, TREASURE, Game
from kickdoor.engine.moves import NONE
from kickdoor.engine.prompts import ask


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
    death.die(g, seat_for(g, f, a.who), f.cause, looted=a.word != "no_loot")
    return True


def change_sex(g: Game, f: Effect, a: Args) -> bool:
    if f.target >= 0 and g.lib.defs[f.target].is_companion:
        hirelings.change_sex(g, f.target)
        return True
    seat = seat_for(g, f, a.who)
    p = g.players[seat]
    p.sex = g.players[f.actor].sex if a.word == "same" else 1 - p.sex
    g.touch()
    g.dirty |= 1 << seat
    g.emit("sex", seat, n=p.sex, rule="CHAR-10")
    for s in g.living(seat):
        if s != seat:
            zones.fire(g, s, "sex_changed", s, actor=seat)
    zones.fire(g, seat, "own_sex_changed", seat)
    return True


def change_trait(g: Game, f: Effect, a: Args) -> bool:
    """Look through the Door discards first, then lose the old ones, so that none finds itself."""
    seat = seat_for(g, f, a.who)
    old = q.cards_of_kind(g, seat, a.word)
    if not old:
        return otherwise(g, f, a)
    fit = [c for c in g.discards[DOOR] if g.lib.defs[c].kind == a.word]
    found = next((c for c in reversed(fit) if not q.claimed(g, seat, g.lib.defs[c].trait)), -1)  # FQ-DUNG-7
    if found >= 0:
        g.discards[DOOR].remove(found)
        zones.to_table(g, seat, found)
        g.emit("trait", seat, found, rule="CURSE-3")
    for c in old:
        zones.discard_in_play(g, seat, c, cause_of(f), rule_of(f))
    return True


def roll(g: Game, f: Effect, a: Args) -> bool:
    """One throw. A normal Run Away roll is one to all that speaks of such rolls, with no monster behind (AMB-64)."""
    flight = a.word == "run_away"
    if f.ans is None:
        seat = seat_for(g, f, a.who)
        if flight:
            own = running_away.run_bonus(g, seat)  # EPIC-43
            dice.start_roll(g, seat, dice.RUN_ROLL, g.rules.run.success_min, bonus=own)
        else:
            dice.start_roll(g, seat, dice.CARD_ROLL)
        return False
    f.n = max(1, f.ans[1], g.rules.run.success_min if flight and f.ans[2] else 0)
    return True


def by_roll(g: Game, f: Effect, a: Args) -> bool:
    run(g, f, a.table[min(12, max(1, f.n))])
    return True


def choose(g: Game, f: Effect, a: Args) -> bool:
    if f.ans is None:
        seat = seat_for(g, f, a.who)
        ask(g, seat, range(len(a.labels)), domain=LABELS, card=f.card, about="choose", rule=rule_of(f))
        return False
    run(g, f, a.labels[f.ans[0]][1])
    return True


def if_(g: Game, f: Effect, a: Args) -> bool:
    assert a.test is not None
    run(g, f, a.do if a.test(g, seat_for(g, f, ""), f) else a.else_)
    return True


def each(g: Game, f: Effect, a: Args) -> bool:
    """Do something for several players, in an order: from the left, from the right, or as the victim says."""
    hit = [s for s in _each_of(g, f, a) if a.test is None or a.test(g, s, f)]
    if a.order == "choice":
        if f.ans is None:
            ask(g, f.who, hit, domain=SEATS, card=f.card, about="order", rule=rule_of(f), order=True)
            if f.ans is None:
                return False
        hit = list(f.ans)
    program = g.lib.programs[a.do] if a.do >= 0 else ()
    if program and all(i.verb == "gain_level" and i.a.who in ("", "this") for i in program):
        _all_at_once(g, f, [i.a for i in program], hit)
        return True
    for s in reversed(hit):
        run(g, f, a.do, s)
    return True


def _all_at_once(g: Game, f: Effect, gains: list[Args], hit: list[int]) -> None:
    """Levels that one card gives to several are gained together: nobody wins before the others have theirs."""
    risen = []
    for s in hit:
        for a in gains:
            if levels.gain(g, s, amount(f, a.amount), "LEVEL-2", may_win=a.may_win, check=False):
                risen.append(s)
    levels.check_win(g, risen)


def _each_of(g: Game, f: Effect, a: Args) -> list[int]:
    """The living players meant, less those whom somebody spared this Curse."""
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
    frame = curses.find_curse(g)
    if frame is not None and frame.spared and frame.card == f.card:
        living = [s for s in living if not frame.spared >> s & 1]
    return living


def lift(g: Game, f: Effect, a: Args) -> bool:
    """This card leaves play (the Chicken flies off with the hat), or what it left behind ends."""
    if any(x[:2] == (f.who, f.card) for x in g.afflictions):
        zones.relieve(g, f.who, lambda card, which, fights: card != f.card)
        return True
    owner = q.owner(g, f.card)
    if owner >= 0:
        zones.discard_in_play(g, owner, f.card, zones.WILL, "CURSE-4")
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
    return otherwise(g, f, a)


def draw(g: Game, f: Effect, a: Args) -> bool:
    face_up = a.face == "up" or (a.face == "same" and f.face == 1)
    seat = seat_for(g, f, a.who)
    deck = {"treasure": TREASURE, "spell": SPELL, "fairy_dust": FAIRY_DUST}.get(a.to, DOOR)
    if a.count != "all":
        return _draw_and_keep(g, f, a, seat, deck, face_up)
    if not g.players[seat].dead or deck == SPELL:  # FQ-BOOK-7
        decks.draw(g, seat, deck, amount(f, a.amount), face_up, decks.AT_ONCE if a.waived else "card", "CONF-1")
    return True


def _draw_and_keep(g: Game, f: Effect, a: Args, seat: int, deck: int, face_up: bool) -> bool:
    """Draw several, keep some of one's choice, discard the rest."""
    if f.ans is None:
        decks.draw(g, seat, deck, amount(f, a.amount), face_up, decks.LOOKED_AT, "CONF-1", pool=True)
        return False
    if not f.pool:
        f.pool, f.ans = f.ans, None
        if not f.pool:
            return True
        n = amount(f, a.count)
        ask(g, seat, f.pool, low=n, high=n, card=f.card, about="keep", rule="CONF-1", secret=not face_up)
        if f.ans is None:
            return False
    for c in f.pool:
        g.limbo.remove(c)
        if c in f.ans and g.lib.defs[c].immediate:
            decks.start_immediate(g, seat, c, face_up)  # FQ-MISC-10: now, since it is the one kept
        elif c in f.ans:
            zones.receive(g, seat, c, "arrives")
        else:
            zones.to_discard(g, c, "CONF-1")
    f.pool = ()
    return True


def owe_treasure(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        foe = q.find_foe(g.fight, f.foe) if a.word == "this" else None
        g.fight.owed += strength.foe_treasures(g, foe) if foe is not None else amount(f, a.amount)
    return True


def retrieve(g: Game, f: Effect, a: Args) -> bool:
    """A card from the discards, which only a card like this lets one look through (PILE-3)."""
    seat = seat_for(g, f, a.who)
    if f.ans is None:
        options = [
            c
            for deck, name in ((DOOR, "doors"), (TREASURE, "treasures"), (SPELL, "spells"))
            if a.frm == name or (a.frm == "discards" and deck != SPELL)
            for c in reversed(g.discards[deck])
            if (a.what is None or a.what(g, c)) and q.may_receive(g, seat, c)
        ]
        if a.amount != -1:
            options = [c for c in options if (g.lib.defs[c].gold or 0) <= amount(f, a.amount)]
        if a.pick == "total":
            return _retrieve_worth(g, f, a, seat, options)
        if a.pick == "top":
            tops = {g.lib.defs[c].deck: c for c in reversed(options)}
            options = list(tops.values())
        if not options:
            return otherwise(g, f, a)
        n = amount(f, a.count)
        low = 0 if combat.is_open(g) and len(options) > n else n  # FQ-BOOK-19: who searches too long finds nothing
        ask(g, seat, options, low=low, high=n, card=f.card, about="retrieve", rule="PILE-3")
        if f.ans is None:
            return False
    for c in f.ans:
        _retrieved(g, a, seat, c)
    if a.pick != "total" or not f.ans:
        return True
    f.acc += sum(g.lib.defs[c].gold or 0 for c in f.ans)
    f.ans = None  # and another one, if he likes
    return False


def _retrieve_worth(g: Game, f: Effect, a: Args, seat: int, options: list[int]) -> bool:
    """One after another, as long as they are together worth no more than was said; `f.acc` counts."""
    left = amount(f, a.amount) - f.acc
    options = [c for c in options if (g.lib.defs[c].gold or 0) <= left]
    if options:
        ask(g, seat, options, low=0, high=1, card=f.card, about="retrieve", rule="PILE-3")
    return not options


def _retrieved(g: Game, a: Args, seat: int, c: int) -> None:
    """One card out of the discards, to where it belongs now."""
    g.discards[g.lib.defs[c].deck].remove(c)
    g.emit("retrieve", seat, c, rule="PILE-3")
    if a.to == "in_play":
        g.exempt.append(c)
        zones.to_table(g, seat, c, equip=True)
    elif g.lib.defs[c].immediate:
        decks.start_immediate(g, seat, c, False)
    else:
        zones.to_hand(g, seat, c)
        g.fresh.append((seat, c))
        combat.hold(g, seat, c)


def resurrect(g: Game, f: Effect, a: Args) -> bool:
    """The next face-up draw is the top discard; a card from the hand pays for it, afterwards."""
    from kickdoor.engine import turn

    if not g.players[f.who].hand:
        return True
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
        if a.word == "clean":
            frame.bonus, frame.forced = frame.base, 0
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


def cancel_curse(g: Game, f: Effect, a: Args) -> bool:
    """The one being played, or a lasting one (FQ-CURSE-10, FQ-CURSE-14)."""
    frame = curses.find_curse(g)
    if frame is not None and frame.stage in (curses.OPEN, curses.ANSWERED) and f.target in (NONE, frame.card):
        if g.lib.defs[frame.card].spares and not _spare_all(g, f, frame):
            return f.ans is not None
        if _own_shield(f) and len(curses.at_risk(g, frame)) > 1:
            frame.spared |= 1 << f.actor  # FQ-AXE-2: it saves its owner from his share
            g.emit("spared", f.actor, frame.card, f.actor, rule="FQ-DUNG-3")
            return True
        frame.stage = curses.CANCELLED
        g.emit("cancelled", frame.victim, frame.card, rule="FQ-CURSE-10")
        return True
    owner = q.owner(g, f.target)
    if owner >= 0:
        zones.discard_in_play(g, owner, f.target, zones.WILL, "FQ-CURSE-14")
    return True


def _own_shield(f: Effect) -> bool:
    """Is it a power of the struck one, or something of his that acts by itself? A wish stops the whole Curse."""
    return f.cause in (curses.SHIELD, "cursed")


def _spare_all(g: Game, f: Effect, frame: Curse) -> bool:
    """A Curse on several: a power spares its user, a card whomever its player names. Is nobody left to strike?"""
    at_risk = [s for s in g.living(f.actor) if not frame.spared >> s & 1]
    if f.ans is None:
        if _own_shield(f):
            f.ans = (f.actor,)
        else:
            ask(g, f.actor, at_risk, domain=SEATS, low=1, high=len(at_risk), card=f.card, about="spare", rule="CURSE-3")
        if f.ans is None:
            return False
    for s in f.ans:
        frame.spared |= 1 << s
        g.emit("spared", s, frame.card, f.actor, rule="FQ-CURSE-10")
    frame.passed = 0
    return all(frame.spared >> s & 1 for s in at_risk)


def attach(g: Game, f: Effect, a: Args) -> bool:
    """A Curse is laid on one of the victim's Items, of his choice (CURSE-8), and stays with it.

    Unless it was aimed at one that he still has (MM-33).
    """
    seat = seat_for(g, f, a.who)
    if f.ans is None and f.target >= 0 and f.target in g.players[seat].table:
        f.ans = (f.target,)
    if f.ans is None:
        options = [
            c
            for c in g.players[seat].table
            if c not in g.host and q.is_item(g, c) and not q.suppressed(g, c) and (a.what is None or a.what(g, c))
        ]
        if not options:
            frame = curses.find_curse(g)
            if frame is not None and frame.card == f.card:
                frame.stage = curses.CANCELLED  # CURSE-9: nothing it could lie on, so it does not stay
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
