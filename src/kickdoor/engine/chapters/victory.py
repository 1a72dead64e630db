"""Victory: levels first, then the win, then Treasure and the deal with the helper (TREASURE, LEVEL, HELP-16 on)."""

from __future__ import annotations

import msgspec

from kickdoor.engine.chapters import combat, curses, fight_cards, rewards, trading
from kickdoor.engine.facts import enemies, fights, force, strength
from kickdoor.engine.table import decks, levels, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value.flags import REFUSED
from kickdoor.engine.value.frames import Effect, Victory, Window
from kickdoor.engine.value.game import TREASURE, Game
from kickdoor.engine.value.moves import PICKS_HANDED, PICKS_HELPER
from kickdoor.engine.value.records import ACTIVE, Fight, Foe
from kickdoor.engine.value.records import KILLED as SLAIN


def step_victory(g: Game, f: Victory) -> bool:
    """Levels, then the win, then special instructions, then Treasure, then the deal (CAP-56, SAMB-53)."""
    fight = g.fight
    assert fight is not None
    if f.stage == 0:
        for foe in fight.foes:
            if foe.fate == ACTIVE:
                foe.fate, foe.credit = SLAIN, fight.main
        g.emit("victory", fight.main, rule="COMBAT-33")
        f.treasures = sum(strength.foe_treasures(g, x) for x in rewards.paying(fight)) + fight.owed
        f.swaps = rewards.swaps(g, fight)
        _pay_levels(g, fight)
        f.stage = 1
        if g.over:
            fight_cards.end_fight(g, won=True)
        return not g.over
    if f.stage == 1:
        f.stage = 10
        if fight_cards.ask_order(g, fight):
            return True
    if f.stage == 10:
        order, f.ans = f.ans or (), None
        f.stage = 2
        f.denied = _no_reward(g, fight.main)
        if fight.helper >= 0 and _no_reward(g, fight.helper):
            fight.deal = msgspec.structs.replace(fight.deal, treasures=0)
        said = _last_words(g, fight)
        fight_cards.discard_all(g, fight, order)
        curses.end_of_combat(g, fights.fighters(g))
        if any(x.credit != REFUSED for x in fight.foes):  # also without a kill (COMBAT-10)
            zones.fire(g, fight.main, "won", fight.main)
            if fight.helper >= 0:
                zones.fire(g, fight.helper, "helped", fight.helper)
        for foe, card, on in reversed(said):
            whose = foe.credit if foe.credit >= 0 else fight.main
            if "defeated" in on and foe.fate == SLAIN:
                g.stack.append(Effect(on["defeated"], card, whose, whose, foe=foe.card, cause="defeated"))
            denied = f.denied and whose == fight.main
            if "paid" in on and foe.pays and not denied:  # FQ-FAIRY-1: killed, or sent away for its Treasure
                g.stack.append(Effect(on["paid"], card, whose, whose, foe=foe.card, cause="paid"))
        return True
    if f.stage == 2:
        f.stage = 3
        g.stack.append(Window("victory", fight.main))
        return True
    if f.stage == 3 and rewards.exchange(g, f, fight):
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
    fight_cards.end_fight(g, won=True)
    if f.again:
        for c in f.again:
            g.limbo.remove(c)
        combat.start_fight(g, fight.main, list(f.again))
        for card, along, owner in fight.links:
            if along in f.again:
                fight_cards.link(g, card, along, owner)
    return True


def _last_words(g: Game, fight: Fight) -> list[tuple[Foe, int, dict[str, int]]]:
    """What the monsters, and the enhancers that still lie on them, have to say about their end."""
    defs = g.lib.defs
    out = []
    for foe in fight.foes:
        out.append((foe, foe.card, defs[foe.face].on))
        out += [(foe, c, defs[c].on) for c in enemies.enhancers_of(g, foe)]
    return out


def _no_reward(g: Game, seat: int) -> bool:
    """Does something keep the Treasure of this fight from him (Fool's Gold)?"""
    return any(m.word is True for _, m in force.modifiers(g, seat, "no_treasure"))


def _pay_levels(g: Game, fight: Fight) -> None:
    """Each killer his levels; a helping Elf one per monster slain (LEVEL-1, HELP-17..HELP-19)."""
    gains: dict[int, int] = {}
    slain = [x for x in fight.foes if x.fate == SLAIN and not x.paid]
    for due in fight.earlier:
        gains[due.seat] = gains.get(due.seat, 0) + due.levels
    for foe in slain:
        gains[foe.credit] = gains.get(foe.credit, 0) + strength.foe_levels(g, foe)
    fight.earlier = [msgspec.structs.replace(due, levels=0) for due in fight.earlier]
    for _, m in force.modifiers(g, fight.main, "levels"):
        if slain and not fight.deserted:  # EPIC-46: where all were eaten nobody was beaten by more than 10
            gains[fight.main] = gains.get(fight.main, 0) + m.amount
    if fight.helper >= 0:
        per = max((m.amount for _, m in force.modifiers(g, fight.helper, "helper_level")), default=0)
        helping = sum(max(per, _for_helping(g, x)) for x in slain)
        if helping:
            gains[fight.helper] = gains.get(fight.helper, 0) + helping
    for s, n in ((s, n) for s, n in gains.items() if n):
        helper = s == fight.helper
        if levels.kill_bar(g, s) or (helper and not g.rules.level.helper_may_win):
            got = levels.gain(g, s, n, "LEVEL-1")
        else:
            got = levels.gain(g, s, n, "HELP-19" if helper else "LEVEL-1", kill=True)
        if got:
            fight.gained |= 1 << s
    if gains:
        _check_winners(g, fight)


def _for_helping(g: Game, foe: Foe) -> int:
    """Levels that a monster, or what lies on it, has for a helper; an Elf gets them instead of his (FQ-CWBH-5)."""
    return max((m.amount for d in enemies.voices(g, foe) for m in d.mods.get("helper_level", ())), default=0)


def _check_winners(g: Game, fight: Fight) -> None:
    levels.check_win(g, [s for s in g.around(fight.main) if fight.gained >> s & 1])
    if fight.main in g.winners:
        if not g.rules.level.both_may_win:
            g.winners = [fight.main]
        if g.rules.options.shared_victory and fight.helper >= 0 and fight.helper not in g.winners:
            g.winners = [*g.winners, fight.helper]
            g.emit("win", fight.helper, rule="FAST-6")


def _draw_treasure(g: Game, f: Victory, fight: Fight) -> None:
    """Face-down alone, face-up with help; earlier killers draw first (TREASURE-4, TREASURE-5, FQ-BASE-55)."""
    helped = fight.helper >= 0
    mine = f.treasures
    others = [(due.seat, due.treasures) for due in fight.earlier if due.treasures]
    for foe in rewards.paying(fight):
        if foe.credit >= 0 and foe.credit != fight.main:
            others.append((foe.credit, strength.foe_treasures(g, foe)))
            mine -= others[-1][1]
    if f.denied or (f.exchanged and not helped) or _no_reward(g, fight.main):
        mine = 0
    elif helped and (f.exchanged or force.no_treasures(g, fight.main)):  # only what the helper is to have
        mine = min(mine, len([s for s in _pick_order(g, fight, mine) if s == fight.helper]))
    f.luck = rewards.luck(g, fight.main) if mine > 0 else 0
    f.swaps = min(f.swaps, mine)
    if mine > 0 and not g.players[fight.main].dead:
        mine += f.luck
        rule = "TREASURE-5" if helped else "TREASURE-4"
        decks.draw(g, fight.main, f.deck, mine, helped, rewards.reason(f), rule, pool=helped)
    for s, n in reversed(others):  # what is begun last is done first
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
        if g.stack[-1] is not f:  # what was picked does something for who picked it
            return True
    if not f.order:
        for c in f.pool:
            _to_player(g, fight.main, c)
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
    none = g.players[fight.helper].dead or force.no_treasures(g, fight.helper)
    none = none or force.any_modifier(g, fight.helper, "must_help")
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
    zones.receive(g, seat, card, "arrives")
    g.emit("receive", seat, card, rule="HELP-8")


def _pay_items(g: Game, fight: Fight) -> None:
    """Promised Items change hands right after the fight is won; lost ones are not replaced (AMB-15).

    Any may be offered (HELP-6), but what the helper cannot carry stays where it is, as in any gift (TRADE-5, BIG-3).
    """
    if fight.helper < 0 or g.players[fight.helper].dead:
        return
    for c in fight.deal.items:
        if c not in g.players[fight.main].table:
            continue
        if trading.could_carry(g, fight.helper, (c,), ()):
            zones.transfer(g, fight.main, fight.helper, c, "give", "HELP-6")
        else:
            g.emit("not_given", fight.helper, c, fight.main, rule="TRADE-5")
