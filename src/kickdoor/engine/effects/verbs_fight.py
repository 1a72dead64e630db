"""Verbs of the card language: what happens to a fight and those in it."""

from __future__ import annotations

from kickdoor.cards.library import Args
from kickdoor.engine.chapters import combat, dungeons, fight_cards, helping, running_away, taken_back
from kickdoor.engine.effects.programs import amount, seat_for
from kickdoor.engine.facts import fights, strength
from kickdoor.engine.table import decks, dice, enhancer_enhancers, items, zones
from kickdoor.engine.value.frames import Creation, Effect, Victory
from kickdoor.engine.value.game import DOOR, TREASURE, Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, seat_of
from kickdoor.engine.value.records import ACTIVE, DOUBLES, MULTIPLIES, REMOVED, REVERSES, Token
from kickdoor.engine.value.records import KILLED as FOE_KILLED


def _foe_for(g: Game, f: Effect, which: str) -> list[int]:
    fight = g.fight
    if fight is None:
        return []
    if which == "all":
        return [x.card for x in fight.foes if x.fate == ACTIVE]
    card = f.foe if which == "this" else f.target
    foe = fights.find_foe(fight, card)
    if foe is None or foe.fate != ACTIVE:
        return []
    if which == "group":  # whatever enhances one of them does the other (ENH-6, AMB-30)
        return [x.card for x in fight.foes if x.group == foe.group and x.fate == ACTIVE]
    return [card]


def remove_monster(g: Game, f: Effect, a: Args) -> bool:
    """Typed removals, each with its own reward (CAP-34); paid only when the whole fight is won (CONF-6)."""
    fight = g.fight
    if fight is None:
        return True
    cards = _foe_for(g, f, a.which)
    for card in cards:
        foe = fights.find_foe(fight, card)
        assert foe is not None
        fight_cards.leaves(g, foe, FOE_KILLED if a.killed else REMOVED, f.card)
        foe.credit = fight.main if a.killed else -1
        if not a.killed:
            foe.pays = g.rules.combat.nonlethal_treasure if a.treasure is None else a.treasure
        g.emit("killed" if a.killed else "removed", f.actor, card, rule="COMBAT-9")
        if fight.fleeing:
            if foe.pays:
                fight.salvaged += strength.foe_treasures(g, foe)
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
    combat.replace(g, f.target, f.foe, f.actor, f.card, switched=a.word == "switch")
    return True


def escape(g: Game, f: Effect, a: Args) -> bool:
    seat = seat_for(g, f, a.who or ("target" if seat_of(f.target) >= 0 else ""))
    running_away.escape(g, seat, _run_from(g, f) if a.word == "this" else -1, a.word == "anything")
    return True


def _run_from(g: Game, f: Effect) -> int:
    """The monster that is spoken of; after a roll that is the one it was made against, not the others (RUN-14)."""
    roll = dice.find_roll(g)
    if f.foe < 0 and f.target < 0 and roll is not None:
        return roll.foe
    return f.foe if f.foe >= 0 else f.target


def bonus(g: Game, f: Effect, a: Args) -> bool:
    """A bonus that lies in the fight until it ends: for a side, or for the one who paid for it (FQ-CBT-22)."""
    fight = g.fight
    if fight is None:
        return True
    n = amount(f, a.amount)
    side = a.side
    on_foe = side == "target" and fights.find_foe(fight, f.target) is not None
    if side == "target" or (not side and f.target in (MUNCHKINS, MONSTERS)):
        side = "monsters" if f.target == MONSTERS else "munchkins"
    if on_foe:  # SH-44: it counts for that monster alone
        fight.tokens = [*fight.tokens, Token(n, -1, True, f.card, foe=f.target)]
        fight.hostile |= 1 << f.actor
    elif side == "each_monster":
        fight.tokens = [*fight.tokens, *[Token(n, -1, True, f.card, foe=x.card) for x in fights.active_foes(fight)]]
    elif side:
        fight.tokens = [*fight.tokens, Token(n, -1, side == "monsters", f.card, per=a.per)]
    elif fights.in_fight(g, f.who):
        fight.tokens = [*fight.tokens, Token(n, f.who, False, f.card, rule="COMBAT-28", per=a.per)]
    g.emit("bonus", f.actor, f.card, n=n, rule="COMBAT-2")
    g.touch_moment()
    return True


def penalty(g: Game, f: Effect, a: Args) -> bool:
    """Against one fighter (the backstab, CLASS-14), or one monster (the arrow, EPIC-21)."""
    seat = seat_for(g, f, a.who or "target")
    n = amount(f, a.amount) + combat.ability_bonus(g, f)
    if g.fight is not None and fights.find_foe(g.fight, f.target) is not None:
        g.fight.tokens = [*g.fight.tokens, Token(-n, -1, True, f.card, foe=f.target, rule="EPIC-21")]
        g.touch()
    elif g.fight is not None:
        g.fight.tokens = [*g.fight.tokens, Token(-n, seat, False, f.card, rule="INTERFERE-6")]
        g.fight.hostile |= 1 << f.actor
        g.emit("penalty", seat, f.card, f.actor, n=-n, rule="INTERFERE-6")
        g.touch()
    return True


def double(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        g.fight.tokens = [*g.fight.tokens, Token(0, g.fight.main, False, f.card, kind=DOUBLES)]
        g.touch()
    return True


def reverse(g: Game, f: Effect, a: Args) -> bool:
    """The digits of one side's total stand the other way round until the fight is over (FQ-KILL-5)."""
    if g.fight is not None:
        g.fight.tokens = [*g.fight.tokens, Token(0, -1, f.target == MONSTERS, f.card, kind=REVERSES)]
        g.touch()
    return True


def multiply_item(g: Game, f: Effect, a: Args) -> bool:
    """One Item in use counts several times in this fight; its card says what becomes of it then (`fight_over`)."""
    if g.fight is not None:
        g.fight.tokens = [
            *g.fight.tokens,
            Token(amount(f, a.amount), f.actor, False, f.card, kind=MULTIPLIES, item=f.target),
        ]
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
    helping.compel(g, seat_for(g, f, "target"), f.card)
    return True


def opt_in(g: Game, f: Effect, a: Args) -> bool:
    if g.fight is not None:
        g.fight.optins = [*g.fight.optins, f.card]
        g.touch()
        for c in g.players[f.who].table:  # what can be used only thanks to it counts from now on (FQ-CLER-2)
            if g.lib.defs[c].usable_by and items.why_not_equip(g, f.who, c) is None:
                g.equipped.add(c)
                g.touch()
    return True


def annihilate(g: Game, f: Effect, a: Args) -> bool:
    """Back into the box; what was played along with it goes back to its player (FQ-AXE-8..FQ-AXE-12)."""
    if f.target in g.dungeons:
        dungeons.vanish(g, f.target)
    else:
        taken_back.annihilate(g, f.target, f.actor)
    return True


def reset_fight(g: Game, f: Effect, a: Args) -> bool:
    """The fight starts again, and every card played into it goes back to whoever played it (FQ-CARD-12)."""
    taken_back.reset(g, f.card)
    return True


def reward_from(g: Game, f: Effect, a: Args) -> bool:
    """The winner draws as many cards as he has Treasures coming, but from the deck he likes; or none at all."""
    frame = _victory(g)
    if frame is not None and a.word == "nothing":
        frame.denied = True
    elif frame is not None:
        frame.deck = DOOR if a.word == "doors" else TREASURE
        g.emit("reward_from", f.actor, f.card, n=frame.deck, rule="CONF-1")
    return True


def start_fight(g: Game, f: Effect, a: Args) -> bool:
    """The winner has another one to fight, as soon as this one is over (FQ-AXE-10)."""
    if a.word == "this":
        _fight_this(g, f)
        return True
    frame = _victory(g)
    if frame is not None and f.foe >= 0:
        frame.again += (f.foe,)
    return True


def _fight_this(g: Game, f: Effect) -> None:
    """A monster that is drawn where no monster should be is fought at once by whoever drew it (FQ-BOOST-4).

    After a victory it is the next fight; in the middle of one it joins. In an opening hand it is exchanged.
    """
    g.limbo.remove(f.card)
    f.cause = "part"  # it is not put away as a card that has done its work
    frame = _victory(g)
    if any(type(x) is Creation for x in g.stack):
        zones.to_discard(g, f.card, "FQ-BOOST-4")
        decks.draw(g, f.who, g.lib.defs[f.card].deck, 1, False, "deal", "FQ-BOOST-4")
    elif frame is not None:
        g.limbo.append(f.card)
        frame.again += (f.card,)
    elif g.fight is not None:
        combat.join(g, f.card, -1, "FQ-BOOST-4")
    else:
        combat.start_fight(g, f.who, [f.card])


def _victory(g: Game) -> Victory | None:
    return next((f for f in reversed(g.stack) if type(f) is Victory), None)


def remove_enhancer(g: Game, f: Effect, a: Args) -> bool:
    """The enhancer aimed at comes off, unless it has been enhanced itself (EENH-4, EENH-5)."""
    enhancer_enhancers.remove(g, f.target)
    return True
