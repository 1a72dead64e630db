"""The fight: exposure, the open window, the claim, and what victory pays (COMBAT, MULTI, TREASURE, LEVEL)."""

from __future__ import annotations

from typing import Final

from kickdoor.engine import curses, decks, helping, levels, rewards, running_away, strength, zones
from kickdoor.engine import queries as q
from kickdoor.engine.frames import Combat, Effect, Flee, Victory, Window
from kickdoor.engine.game import ACTIVE, REMOVED, TREASURE, Deal, Fight, Foe, Game, Token
from kickdoor.engine.game import KILLED as SLAIN
from kickdoor.engine.moves import MONSTERS, PASS, PICKS_HANDED, PICKS_HELPER, Move
from kickdoor.engine.prompts import ask

MONSTER_MET: Final = 1
LOOKED: Final = 2
FOUGHT: Final = 4
LOOT_GRANTED: Final = 8
TURN_OVER: Final = 16
AFTER_FIGHT: Final = 32

REFUSED: Final = -2  # the credit of a monster that would not fight


# -- beginning --------------------------------------------------------------------------------------------------


def start_fight(g: Game, main: int, cards: list[int]) -> None:
    """The monsters are exposed: from now on equipment is frozen (COMBAT-25)."""
    fight = Fight(main, starter=cards[0])
    g.fight = fight
    g.fresh = []
    if main == g.turn:
        g.flags |= FOUGHT
    g.flags &= ~AFTER_FIGHT
    for i, c in enumerate(cards):
        fight.foes.append(Foe(c, c, i))
    g.touch()
    g.emit("fight", main, cards[0], rule="TURN-4")
    g.stack.append(Combat())
    for c in reversed(cards):
        prog = g.lib.defs[c].on.get("before_combat", -1)
        if prog >= 0:  # only for monsters present when the fight starts (FQ-CBT-30)
            g.stack.append(Effect(prog, c, main, main, foe=c, cause=zones.BAD_STUFF))
    helping.offer_what_must_be(g)


def join(g: Game, card: int, owner: int, rule: str, enhancers: tuple[int, ...] = ()) -> None:
    """A monster is added to the running fight (MULTI-1, COMBAT-35)."""
    fight = g.fight
    assert fight is not None
    group = 1 + max((x.group for x in fight.foes), default=-1)
    if card in g.limbo:
        g.limbo.remove(card)
    fight.foes.append(Foe(card, card, group, owner=owner, joined=True))
    for e in enhancers:
        fight.enhancers.append((e, group, owner))
    if owner >= 0:
        fight.hostile |= 1 << owner
    if fight.fleeing:
        running_away.one_more(g, fight)
    g.emit("join", owner, card, rule=rule)
    g.touch()


def clone(g: Game, card: int, target: int, owner: int) -> None:
    """A Mate: another monster with the first one's face, bound to the same enhancers (ENH-6)."""
    fight = g.fight
    assert fight is not None
    foe = q.find_foe(fight, target)
    if foe is None or foe.fate != ACTIVE:
        return
    if card in g.limbo:
        g.limbo.remove(card)
    fight.committed = [x for x in fight.committed if x[0] != card]
    fight.foes.append(Foe(card, foe.face, foe.group, owner=owner, joined=True))
    fight.hostile |= 1 << owner
    g.emit("join", owner, card, foe.face, rule="ENH-6")
    g.touch()


def replace(g: Game, old: int, new: int, owner: int) -> None:
    """One monster and everything on it goes, another stands there instead."""
    fight = g.fight
    assert fight is not None
    foe = q.find_foe(fight, old)
    if foe is None:
        return
    fight.foes.remove(foe)
    zones.to_discard(g, foe.card, "COMBAT-9")
    if not any(x.group == foe.group for x in fight.foes):
        for e in [e for e in fight.enhancers if e[1] == foe.group]:
            fight.enhancers.remove(e)
            zones.to_discard(g, e[0], "ENH-9")
    join(g, new, owner, "COMBAT-9")


def transfer(g: Game, seat: int) -> None:
    """The fight changes hands, not the turn (FQ-BASE-52); earlier kills stay credited (FQ-BASE-54)."""
    fight = g.fight
    assert fight is not None
    for foe in fight.foes:
        if foe.fate != ACTIVE and foe.credit < 0 and foe.pays:
            foe.credit = fight.main
    fight.main = seat
    fight.helper = -1
    fight.deal = Deal()
    fight.compelled = False
    fight.loot_after = True
    g.emit("transfer", seat, rule="FQ-BASE-52")
    g.touch()


# -- the open window --------------------------------------------------------------------------------------------


def mark(g: Game) -> tuple[int, ...]:
    """The standing of the fight: a move that changes it reopens the window for everyone (COMBAT-31)."""
    fight = g.fight
    assert fight is not None
    mine, theirs = strength.standing(g)
    active = tuple(x.card for x in fight.foes if x.fate == ACTIVE)
    return (mine, theirs, fight.main, fight.helper, *active)


def step_combat(g: Game, f: Combat) -> bool:
    fight = g.fight
    assert fight is not None
    if g.players[fight.main].dead:
        g.stack.pop()
        end_fight(g)
        return True
    if _meetings(g, fight) or _refusals(g, fight) or _alone(g, fight):
        return True
    if fight.helper >= 0 and _help_settled(g, fight):
        return True
    if strength.over_at_once(g):
        _lose(g, fight, Flee(stage=1, main_left=running_away.all_foes(fight), passed=-1))
        return True
    now = mark(g)
    if now != f.mark:
        f.mark = now
        fight.passed = 0
    for s, p in enumerate(g.players):
        if not p.dead and not fight.passed >> s & 1:
            return False
    if _help_settled(g, fight):
        return True
    if strength.winning(g):
        g.stack.pop()
        g.offers = []
        g.stack.append(Victory())
    else:
        _lose(g, fight, Flee())
    return True


def _meetings(g: Game, fight: Fight) -> bool:
    """What a monster does to whoever comes to face it: at the start, on joining, or when it joins him."""
    for foe in fight.foes:
        prog = g.lib.defs[foe.face].on.get("met", -1)
        if prog < 0 or foe.fate != ACTIVE:
            continue
        for s in q.fighters(g):
            if not foe.met >> s & 1:
                foe.met |= 1 << s
                g.stack.append(Effect(prog, foe.card, s, s, foe=foe.card, cause=zones.BAD_STUFF))
                return True
    return False


def _help_settled(g: Game, fight: Fight) -> bool:
    """Somebody helps, or everybody has passed without: some monsters wait for that."""
    for foe in fight.foes:
        prog = g.lib.defs[foe.face].on.get("help_settled", -1)
        if prog >= 0 and foe.fate == ACTIVE and not foe.settled:
            foe.settled = True
            g.stack.append(Effect(prog, foe.card, fight.main, fight.main, foe=foe.card, cause="help_settled"))
            return True
    return False


def _lose(g: Game, fight: Fight, flee: Flee) -> None:
    """The fight is lost: there is nothing left but running (RUN-1)."""
    g.stack.pop()
    g.offers = []
    g.emit("losing", fight.main, rule="RUN-1")
    fight.fleeing = True
    g.touch()
    g.stack.append(flee)
    for s in q.fighters(g):
        zones.fire(g, s, "beaten", s)


def _refusals(g: Game, fight: Fight) -> bool:
    """Monsters that will not fight such munchkins leave at once (FQ-CBT-6, FQ-CBT-14)."""
    if _repelled(g, fight):
        return True
    for foe in fight.foes:
        d = g.lib.defs[foe.face]
        if foe.fate != ACTIVE or not d.refuses:
            continue
        for s in q.fighters(g):
            if d.refuses & q.apparent(g, s, False):
                foe.fate, foe.pays, foe.credit = REMOVED, False, REFUSED
                g.emit("refuses", s, foe.card, rule="COMBAT-13")
                g.touch()
                prog = d.on.get("refused", -1)
                if prog >= 0:
                    g.stack.append(Effect(prog, foe.card, s, s, foe=foe.card, cause="refused"))
                return True
    return False


def _repelled(g: Game, fight: Fight) -> bool:
    """Some Curses drive certain monsters away, who leave their Treasures behind."""
    for s in q.fighters(g):
        for _, m in q.modifiers(g, s, "repels"):
            for foe in q.active_foes(fight):
                if m.word(g, foe.face):
                    foe.fate, foe.pays, foe.credit = REMOVED, True, -1
                    g.emit("refuses", s, foe.card, rule="COMBAT-13")
                    g.touch()
                    return True
    return False


def _alone(g: Game, fight: Fight) -> bool:
    """A monster that must be faced alone sends the helper away (FQ-BASE-37)."""
    if fight.helper >= 0 and (
        strength.fight_rule(g, "no_help")
        or g.players[fight.helper].dead
        or q.any_modifier(g, fight.helper, "cannot_help")
    ):
        g.emit("helper_leaves", fight.helper, rule="FQ-BASE-37")
        fight.helper = -1
        g.touch()
        return True
    return False


def awaited_combat(g: Game) -> list[int]:
    """Whoever has not passed, the main player first, then clockwise (AMB-52)."""
    fight = g.fight
    assert fight is not None
    return [s for s in g.living(fight.main) if not fight.passed >> s & 1]


def pass_combat(g: Game, f: Combat, move: Move) -> None:
    assert g.fight is not None
    g.fight.passed |= 1 << move.seat
    g.offers = [o for o in g.offers if o.to != move.seat]
    if f.stage == 0:
        f.stage = 1


def at_start(g: Game, f: Combat) -> bool:
    """Has nobody done anything yet? Some Items must be declared now (FQ-CLER-5)."""
    return f.stage == 0


# -- the end ----------------------------------------------------------------------------------------------------


def step_victory(g: Game, f: Victory) -> bool:
    """Levels, then the win, then special instructions, then Treasure, then the deal (CAP-56, SAMB-53)."""
    fight = g.fight
    assert fight is not None
    if f.stage == 0:
        for foe in fight.foes:
            if foe.fate == ACTIVE:
                foe.fate, foe.credit = SLAIN, fight.main
        g.emit("victory", fight.main, rule="COMBAT-33")
        f.treasures = sum(strength.foe_treasures(g, x) for x in fight.foes if x.pays) + fight.owed
        f.swaps = rewards.swaps(g, fight)
        _pay_levels(g, fight)
        f.stage = 1
        if g.over:
            end_fight(g)
        return not g.over
    if f.stage == 1:
        if f.ans is None and ask_order(g, fight):
            f.ans = None
            f.stage = 10
            return True
        f.stage = 10
        f.ans = ()
    if f.stage == 10:
        order, f.ans = f.ans or (), None
        f.stage = 2
        f.denied = _no_reward(g, fight.main)
        _discard_fight(g, fight, order)
        curses.end_of_combat(g, q.fighters(g))
        if any(x.fate == SLAIN for x in fight.foes):
            zones.fire(g, fight.main, "won", fight.main)
            if fight.helper >= 0:
                zones.fire(g, fight.helper, "helped", fight.helper)
        for foe in reversed(fight.foes):
            prog = g.lib.defs[foe.face].on.get("defeated", -1)
            if prog >= 0 and foe.fate == SLAIN:
                g.stack.append(Effect(prog, foe.card, fight.main, fight.main, foe=foe.card, cause="defeated"))
        return True
    if f.stage == 2:
        f.stage = 3
        g.stack.append(Window("victory", fight.main))
        return True
    if f.stage == 3:
        f.stage = 4
        _draw_treasure(g, f, fight)
        return True
    if f.luck or f.swaps or f.stage >= rewards.SIFTING:
        return rewards.sift(g, f, fight)
    if f.stage == 4:
        return _share(g, f, fight)
    g.stack.pop()
    _pay_items(g, fight)
    end_fight(g)
    if f.again >= 0:
        g.limbo.remove(f.again)
        start_fight(g, fight.main, [f.again])
    return True


def _no_reward(g: Game, seat: int) -> bool:
    """Does something keep the Treasure of this fight from him (Fool's Gold)?"""
    return any(m.word is True for _, m in q.modifiers(g, seat, "no_treasure"))


def _pay_levels(g: Game, fight: Fight) -> None:
    """Each killer his levels; a helping Elf one per monster slain (LEVEL-1, HELP-17..HELP-19)."""
    gains: dict[int, int] = {}
    slain = [x for x in fight.foes if x.fate == SLAIN]
    for foe in slain:
        who = foe.credit if foe.credit >= 0 else fight.main
        gains[who] = gains.get(who, 0) + strength.foe_levels(g, foe)
    for _, m in q.modifiers(g, fight.main, "levels"):
        if slain:
            gains[fight.main] = gains.get(fight.main, 0) + m.amount
    if fight.helper >= 0:
        per = max((m.amount for _, m in q.modifiers(g, fight.helper, "helper_level")), default=0)
        if per:
            gains[fight.helper] = gains.get(fight.helper, 0) + per * len(slain)
    for s, n in gains.items():
        helper = s == fight.helper
        if levels.kill_bar(g, s) or (helper and not g.rules.level.helper_may_win):
            got = levels.gain(g, s, n, "LEVEL-1")
        else:
            got = levels.gain(g, s, n, "HELP-19" if helper else "LEVEL-1", kill=True)
        if got:
            fight.gained |= 1 << s
    if slain or gains:
        _check_winners(g, fight)


def _check_winners(g: Game, fight: Fight) -> None:
    order = [fight.main] + ([fight.helper] if fight.helper >= 0 else [])
    order += [s for s in range(len(g.players)) if s not in order]
    levels.check_win(g, order)
    if fight.main in g.winners:
        if not g.rules.level.both_may_win:
            g.winners = [fight.main]
        if g.rules.options.shared_victory and fight.helper >= 0 and fight.helper not in g.winners:
            g.winners.append(fight.helper)
            g.emit("win", fight.helper, rule="FAST-1")


def fight_cards(fight: Fight) -> list[int]:
    """What lies in the fight and is discarded with it (COMBAT-29)."""
    foes = [x.card for x in fight.foes if not x.gone]
    return foes + [e for e, _, _ in fight.enhancers] + [c for c, _ in fight.committed]


def ask_order(g: Game, fight: Fight) -> bool:
    """Where the table wants it, the turn player orders the discards; the answer goes to the top frame (FQ-CARD-13)."""
    cards = fight_cards(fight)
    if g.rules.decks.discard_order != "ask" or len(cards) < 2:
        return False
    ask(g, g.turn, cards, low=len(cards) - 1, high=len(cards), about="discard order", rule="FQ-CARD-13")
    return True


def _discard_fight(g: Game, fight: Fight, order: tuple[int, ...] = ()) -> None:
    """Monsters, enhancers and one-shots go before any Treasure is drawn (COMBAT-29, COMBAT-30)."""
    cards = fight_cards(fight)
    for c in (*order, *(c for c in cards if c not in order)):
        zones.to_discard(g, c, "COMBAT-29")
    fight.enhancers = []
    fight.committed = []
    fight.over = True
    g.touch()


def _draw_treasure(g: Game, f: Victory, fight: Fight) -> None:
    """Face-down alone, face-up with help; earlier killers draw first (TREASURE-4, TREASURE-5, FQ-BASE-55)."""
    helped = fight.helper >= 0
    mine = f.treasures
    others: dict[int, int] = {}
    for foe in fight.foes:
        if foe.credit >= 0 and foe.credit != fight.main and foe.pays:
            n = g.lib.defs[foe.face].treasures
            others[foe.credit] = others.get(foe.credit, 0) + n
            mine -= n
    f.ans = ()
    if f.denied or _no_reward(g, fight.main):
        mine = 0
    elif helped and q.no_treasures(g, fight.main):  # only what the helper is to have
        mine = min(mine, len([s for s in _pick_order(g, fight, mine) if s == fight.helper]))
    f.luck = rewards.luck(g, fight.main) if mine > 0 else 0
    f.swaps = min(f.swaps, mine)
    if mine > 0 and not g.players[fight.main].dead:
        mine += f.luck
        rule = "TREASURE-5" if helped else "TREASURE-4"
        decks.draw(g, fight.main, TREASURE, mine, helped, "reward", rule, pool=helped)
    for s, n in others.items():
        decks.draw(g, s, TREASURE, n, False, "reward", "FQ-BASE-55")


def _share(g: Game, f: Victory, fight: Fight) -> bool:
    """Hand out the face-up Treasure: picked in the agreed order, one at a time (HELP-7, HELP-8)."""
    if fight.helper < 0:
        f.stage = 5
        return True
    if not f.asked:
        f.asked = 1
        f.pool = f.ans or ()
        f.ans = None
        f.order = _pick_order(g, fight, len(f.pool))
    if f.ans is not None:
        f.pool = tuple(c for c in f.pool if c not in (f.ans or ()))
        _to_player(g, f.order[0], f.ans[0])
        f.ans = None
        f.order = f.order[1:]
    if not f.order:
        for c in f.pool:
            _to_player(g, fight.main, c)
        f.pool = ()
        f.stage = 5
        return True
    if len(f.order) == len(f.pool) and len(set(f.order)) == 1:
        for c in f.pool:
            _to_player(g, f.order[0], c)
        f.pool = f.order = ()
        return True
    chooser = fight.main if fight.deal.picks == PICKS_HANDED else f.order[0]
    ask(g, chooser, f.pool, about="share", rule="HELP-8")
    return True


def _pick_order(g: Game, fight: Fight, total: int) -> tuple[int, ...]:
    """Turn about, the agreed one first, until the helper has his number; the rest is the main player's."""
    none = g.players[fight.helper].dead or q.no_treasures(g, fight.helper)
    none = none or q.any_modifier(g, fight.helper, "must_help")
    share = 0 if none else min(fight.deal.treasures, total)
    if fight.deal.picks == PICKS_HANDED:
        return (fight.helper,) * share
    mine = total - share
    out: list[int] = []
    helper_next = fight.deal.picks == PICKS_HELPER
    while share > 0:
        if helper_next:
            out.append(fight.helper)
            share -= 1
        elif mine > 0:
            out.append(fight.main)
            mine -= 1
        helper_next = not helper_next
    return tuple(out)


def _to_player(g: Game, seat: int, card: int) -> None:
    g.limbo.remove(card)
    zones.to_hand(g, seat, card)
    g.fresh.append((seat, card))
    g.emit("receive", seat, card, rule="HELP-8")


def _pay_items(g: Game, fight: Fight) -> None:
    """Promised Items change hands right after the fight is won; lost ones are not replaced (AMB-15)."""
    if fight.helper < 0 or g.players[fight.helper].dead:
        return
    for c in fight.deal.items:
        if c in g.players[fight.main].table:
            zones.transfer(g, fight.main, fight.helper, c, "give", "HELP-6")


def end_fight(g: Game, order: tuple[int, ...] = ()) -> None:
    """The fight is over for good; the turn player goes on with his turn."""
    fight = g.fight
    assert fight is not None
    if not fight.over:
        curses.end_of_combat(g, q.fighters(g))
        _discard_fight(g, fight, order)
    if fight.loot_after:
        g.flags |= LOOT_GRANTED
    g.flags |= AFTER_FIGHT
    owed = fight.owed if fight.fleeing else 0
    promised = fight.deal.plays if fight.helper >= 0 else ()
    helper, main = fight.helper, fight.main
    strained = [t for t in fight.tokens if t.rule == strength.MULTIPLY]
    g.fight = None
    g.offers = []
    g.touch()
    g.emit("fight_over", main, rule="COMBAT-33")
    if owed and not g.players[main].dead:  # given, not won: kept although the fight was lost
        decks.draw(g, main, TREASURE, owed, helper >= 0, "reward", "FQ-CBT-7")
    for t in strained:  # what becomes of an Item that was used beyond its strength
        prog = g.lib.defs[t.card].on.get("fight_over", -1)
        if prog >= 0 and not g.over:
            g.stack.append(Effect(prog, t.card, t.seat, t.seat, t.foe, cause="fight_over"))
    if promised:
        from kickdoor.engine import plays

        plays.keep_promises(g, main, helper, promised)


def commit(g: Game, card: int, owner: int) -> None:
    """A one-shot lies in the fight until it ends and belongs to nobody meanwhile (FQ-CARD-10, FQ-CARD-11)."""
    assert g.fight is not None
    g.fight.committed.append((card, owner))


def side_bonus(g: Game, card: int, owner: int, target: int) -> None:
    """The user decides which side a one-shot counts for (INTERFERE-3)."""
    assert g.fight is not None
    monsters = target == MONSTERS
    g.fight.tokens.append(Token(g.lib.defs[card].bonus, -1, monsters, card, rule="COMBAT-14"))
    if monsters:
        g.fight.hostile |= 1 << owner
    commit(g, card, owner)
    g.emit("one_shot", owner, card, target, rule="INTERFERE-3")
    g.touch()


def ally(g: Game, card: int, owner: int) -> None:
    """A monster from the hand fights on its player's side for once: its Level counts for him (RACE-2)."""
    assert g.fight is not None
    g.fight.tokens.append(Token(g.lib.defs[card].level, owner, False, card))
    commit(g, card, owner)
    g.emit("ally", owner, card, rule="COMBAT-2")
    g.touch()


def enhance(g: Game, card: int, owner: int, target: int) -> None:
    assert g.fight is not None
    foe = q.find_foe(g.fight, target)
    if foe is None:  # a Mook: the enhancer is his master's from now on (ENH-11)
        g.host[card] = target
        zones.to_table(g, q.owner(g, target), card)
        g.emit("enhance", owner, card, target, rule="ENH-11")
        return
    g.fight.enhancers.append((card, foe.group, owner))
    if g.lib.defs[card].bonus > 0:
        g.fight.hostile |= 1 << owner
    g.emit("enhance", owner, card, target, rule="ENH-3")
    g.touch()


def ability_bonus(g: Game, f: Effect) -> int:
    """What other cards add to a named power (Stab-A-Matic)."""
    name = ""
    d = g.lib.defs[f.card]
    for p in d.powers:
        if p.prog == f.prog:
            name = p.key
    return sum(m.amount for _, m in q.modifiers(g, f.actor, "ability") if m.word == name)


def combat_moves(g: Game, f: Combat, seat: int, out: list[Move]) -> None:
    assert g.fight is not None
    if not g.fight.passed >> seat & 1:
        out.append(Move(seat, PASS))


def reset(g: Game, by: int) -> None:
    """Back to the beginning: only the monsters it began with, no bonuses, no helper (CAP-42)."""
    fight = g.fight
    if fight is None:
        return
    for c, owner in [x for x in fight.committed if x[0] != by]:
        _back(g, fight, c, owner)
    for c, _, owner in [e for e in fight.enhancers if e[2] >= 0]:
        _back(g, fight, c, owner)
    for foe in [x for x in fight.foes if x.joined and x.owner >= 0]:
        _back(g, fight, foe.card, foe.owner)
    fight.tokens, fight.uses, fight.links, fight.optins = [], {}, [], []
    fight.helper, fight.deal, fight.compelled = -1, Deal(), False
    g.emit("reset", fight.main, by, rule="FQ-CARD-12")
    g.touch()


def take_back(g: Game, seat: int, one_shots_only: bool) -> None:
    """A player takes back what he played into the fight."""
    fight = g.fight
    assert fight is not None
    defs = g.lib.defs
    mine = [c for c, owner in fight.committed if owner == seat]
    mine += [c for c, _, owner in fight.enhancers if owner == seat]
    mine += [x.card for x in fight.foes if x.owner == seat and x.fate == ACTIVE]
    for c in mine:
        if defs[c].is_one_shot or not one_shots_only:
            _back(g, fight, c, seat)
    g.touch()


def take_back_hostile(g: Game, seat: int) -> None:
    """A player takes back what he played against the munchkins."""
    fight = g.fight
    assert fight is not None
    against = {t.card for t in fight.tokens if t.monsters or (t.seat >= 0 and t.amount < 0)}
    mine = [c for c, owner in fight.committed if owner == seat and c in against]
    mine += [c for c, _, owner in fight.enhancers if owner == seat and g.lib.defs[c].bonus >= 0]
    mine += [x.card for x in fight.foes if x.owner == seat and x.fate == ACTIVE]
    for c in mine:
        _back(g, fight, c, seat)
    g.touch()


def _back(g: Game, fight: Fight, card: int, owner: int) -> None:
    """A card leaves the fight for the hand of the one who played it."""
    if _leave_fight(fight, card):
        zones.to_hand(g, owner, card)
        g.emit("back", owner, card, rule="FQ-CARD-12")


def annihilate(g: Game, card: int) -> None:
    """A card in play, in the fight or just played leaves the game; its companions in play go back (FQ-AXE-11)."""
    fight = g.fight
    frame = curses.find_curse(g)
    if frame is not None and frame.card == card:
        frame.stage = curses.CANCELLED
        g.limbo.remove(card)
    elif fight is not None and _leave_fight(fight, card):
        _undo_links(g, fight, card)
    else:
        owner = q.owner(g, card)
        if owner < 0:
            return
        for extra in zones.lift(g, owner, card)[1:]:
            zones.to_discard(g, extra, "IENH-4")
    g.box.append(g.lib.origin.get(card, card))
    g.emit("annihilate", card=card, rule="FQ-AXE-8")
    g.touch()


def _leave_fight(fight: Fight, card: int) -> bool:
    """Take a monster, an enhancer or a played card out of the fight."""
    for foe in fight.foes:
        if foe.card == card:
            fight.foes.remove(foe)
            return True
    for e in fight.enhancers:
        if e[0] == card:
            fight.enhancers.remove(e)
            return True
    for c in fight.committed:
        if c[0] == card:
            fight.committed.remove(c)
            fight.tokens = [t for t in fight.tokens if t.card != card]
            return True
    return False


def take_out(g: Game, card: int) -> bool:
    """A monster leaves the fight for somewhere else than the discards."""
    assert g.fight is not None
    return _leave_fight(g.fight, card)


def _undo_links(g: Game, fight: Fight, card: int) -> None:
    for a, b, owner in fight.links:
        other = b if a == card else a if b == card else -1
        if other >= 0:
            _back(g, fight, other, owner)
