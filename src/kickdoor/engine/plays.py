"""Playing cards: what may be played now, on what, and what then happens (PILE-11, Appendix A of the catalogue)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine import (
    combat,
    curses,
    dungeons,
    enhancer_enhancers,
    epic,
    fight_cards,
    flags,
    hirelings,
    interfering,
    items,
    levels,
    powers,
    running_away,
    steeds,
    strength,
    taming,
    traits,
    zones,
)
from kickdoor.engine import queries as q
from kickdoor.engine.frames import Ask, Combat, Effect, Roll, Window
from kickdoor.engine.game import Game
from kickdoor.engine.moves import MONSTERS, MUNCHKINS, NONE, PLAY, Move, at_seat, seat_of
from kickdoor.engine.records import ACTIVE

MODE_BASE = -100


def mode_code(mode: Mode) -> int:
    return NONE if mode.index == 0 else MODE_BASE - mode.index


_RESOLVING: Final = cx.OPENING | cx.ROLL | cx.CURSE | cx.ESCAPED


def card_context(g: Game, seat: int, card: int, ctx: int) -> int:
    """The moment as this card sees it: a fresh one may be played on receipt (SAMB-5).

    Not between a roll or a Curse and what comes of it, though: that is one step (AMB-77, FQ-CURSE-9).
    """
    if g.fresh and (seat, card) in g.fresh and not ctx & _RESOLVING and (not q.in_fight(g, seat) or _at_once(g, card)):
        return ctx | cx.FRESH
    return ctx


def _at_once(g: Game, card: int) -> bool:
    """Was it received in this fight in a way that lets it be played in it (EPIC-36, AMB-44)?

    A new Race or Class may be, in the books that know no other time for it than the moment it comes (SAMB-57).
    """
    if g.fight is not None and card in g.fight.at_once:
        return True
    d = g.lib.defs[card]
    return g.rules.windows.fresh_trait_in_fight and bool(d.trait or d.multi)


def play_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    defs = g.lib.defs
    p = g.players[seat]
    fresh = g.fresh
    for c in p.hand:
        d = defs[c]
        if d.modes:
            card_moves(g, seat, c, d, card_context(g, seat, c, ctx) if fresh else ctx, out, in_hand=True)
    if g.accessories:
        for c in g.accessories[seat]:
            if defs[c].modes:
                card_moves(g, seat, c, defs[c], ctx, out, in_hand=True)
    if ctx & ~(cx.OWN_IDLE | cx.OTHER_IDLE) or p.table:
        for c in p.table:
            d = defs[c]
            if d.is_one_shot and c not in g.host:
                card_moves(g, seat, c, d, ctx, out, in_hand=False)


def card_moves(g: Game, seat: int, card: int, d: CardDef, ctx: int, out: list[Move], in_hand: bool) -> None:
    for mode in d.modes:
        if mode.by and not ctx & mode.by:
            continue
        for any_of, all_of in mode.alts:
            if ctx & any_of and ctx & all_of == all_of:
                break
        else:
            continue
        if not in_hand and mode.op in ("item", "lay"):
            continue
        if mode.default_time and not _default_time(g, d, ctx):
            continue
        if ctx & cx.CREATION and not for_creation(g, seat, card):
            continue
        shut = ctx & cx.BYSTANDER and interfering.restrained(g)
        bans = g.uses and interfering.bans(g, seat)
        for target, extra in targets(g, seat, card, d, mode):
            if shut and interfering.why_not(g, seat, card, d, mode, target) is not None:
                continue
            if bans and interfering.banned(g, seat, d, target, extra):
                continue
            out.append(Move(seat, PLAY, card, target, extra))


def _default_time(g: Game, d: CardDef, ctx: int) -> bool:
    """What says nothing of when: Powers like Races, or whenever they would be of use (BT-13, SAMB-11)."""
    if d.kind == "power":
        return powers.rules(g).window == "any_time" or cx.fits(ctx, cx.WHEN["trait"], 0)
    return special_time(g, ctx)


def special_time(g: Game, ctx: int) -> bool:
    """Non-Item Treasures: any time, or like any other Treasure, as the table plays it (SPECIAL-2, SAMB-4).

    Some books keep those who fight from playing any Treasure of their hand that does not say so itself (MM-36).
    """
    if ctx & cx.FRESH:
        return True
    if g.rules.combat.hand_ban == "treasures" and ctx & (cx.MAIN | cx.HELPER):
        return False
    return g.rules.windows.special_default == "any_time" or bool(ctx & cx.OWN_IDLE)


def for_creation(g: Game, seat: int, card: int) -> bool:
    """What may be put down before the first turn (CHAR-4..CHAR-6, BT-3)."""
    d = g.lib.defs[card]
    if d.kind == "power":
        return powers.may_open(g, seat, card)
    if d.multi:
        return not g.rules.setup.strict_creation  # AMB-6
    if d.kind in ("race", "class"):
        return _opens_with(g, d.kind)
    if d.kind in traits.GROUPS:
        return True
    if d.is_companion:
        return _opens_with(g, "companion")
    return d.is_item and _opens_with(g, "item")


def _opens_with(g: Game, kind: str) -> bool:
    """Does the table's book let such cards be put down before the first turn? How many fit is another matter."""
    return any(o.kind == kind and o.max != 0 for o in g.rules.setup.opening_play)


def targets(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> Iterator[tuple[int, int]]:
    """The legal (target, extra) pairs of a way to play a card."""
    op = mode.op
    code = NONE if mode.index == 0 else MODE_BASE - mode.index
    if op == "item":
        if items.room_for(g, seat, card) and not items.barred_carry(g, seat, card):
            yield NONE, code
        return
    if op == "lay":  # SAMB-41
        if not g.rules.one_shot.table_needs_item:
            yield NONE, code
        return
    if op == "trait":
        for over in traits.places(g, seat, card):
            yield over, code
        if g.lib.recasts:
            yield from traits.recast_places(g, seat, card)
        return
    if op == "attach" and d.recasts:
        for c in traits.recastable(g, seat):
            yield c, code
        return
    if op == "multi":
        for over in traits.multi_places(g, seat, card):
            yield over, code
        return
    if op == "join":
        yield from _joins(g, seat, card, d)
        return
    if op == "invited":
        top = g.stack[-1]
        if isinstance(top, Window) and not top.passed >> seat & 1 and q.below_first(g, card):
            yield NONE, code
        return
    if op == "ally":
        if q.any_modifier(g, seat, "monster_ally"):
            yield NONE, code
        return
    if op == "companion":
        if hirelings.has_room(g, seat):
            yield NONE, code
        return
    if op == "steed":
        for over in steeds.places(g, seat):
            yield over, code
        return
    if op == "ship":
        for over in steeds.harbours(g, seat):
            yield over, code
        return
    if op == "fight_it":
        yield NONE, code
        return
    if op == "portal":
        if dungeons.why_not_portal(g, seat, card) is None:
            yield NONE, code
        return
    for target in _places(g, seat, card, d, mode):
        if not allowed(g, seat, card, mode, target):
            continue
        if mode.needs_monster:
            for m in g.players[seat].hand:
                if m != card and g.lib.defs[m].kind == "monster" and (mode.along is None or mode.along(g, m)):
                    yield target, m
        else:
            yield target, code


def _places(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    on = mode.on
    fight = g.fight
    if on == "nothing":
        return [NONE]
    if on == "player":
        if d.curses_item and not g.rules.items.curse_enhancers:
            return [at_seat(seat)]  # IENH-1: only where the book says so is another's Item enhanced (MM-33)
        seats = [at_seat(s) for s in g.living(seat)]
        if mode.op == "curse":
            return seats + hirelings.cursable(g, d.prog_effect)
        return seats + hirelings.changeable(g, d, mode)
    if on == "side":
        return [MUNCHKINS, MONSTERS] if q.foe_count(g) else [MUNCHKINS]
    if on == "munchkins":
        return [MUNCHKINS]
    if on == "monster":
        top = g.stack[-1]
        if isinstance(top, Roll) and top.foe < 0:
            return []  # AMB-77: nobody runs from a monster in this roll, so it would not change anything
        mooks = mode.op == "enhance_monster" and not combat.twin(g, d)
        return _foes(g, card, d, mode) + (_mooks(g) if mooks else [])
    if on == "other_player":
        return [at_seat(s) for s in g.living(seat) if s != seat]
    if on == "fighter":
        return [at_seat(s) for s in q.fighters(g)]
    if on == "combatant":
        return _foes(g, card, d, mode) + [at_seat(s) for s in q.fighters(g)]
    if on == "first_monster":
        first = {x.card for x in fight.foes if not x.joined} if fight is not None else set()
        return [c for c in _foes(g, card, d, mode) if c in first]
    if on == "other_fighter":
        return [at_seat(s) for s in q.fighters(g) if s != seat]
    if on == "runner":
        top = g.stack[-1]
        if isinstance(top, Window):
            return [at_seat(top.seat)]
        flee = running_away.find(g)
        if flee is None or fight is None:
            return []
        return [at_seat(s) for s in q.fighters(g) if running_away.left(flee, fight, s)]
    if on == "own_item":
        return _own_items(g, seat, card, d, mode)
    if on == "own_card":
        mine = [c for c in g.players[seat].table if c not in g.host and not g.lib.defs[c].is_curse]
        return [c for c in mine if mode.what is None or mode.what(g, c)]
    if on == "any_item":
        whose = g.living(seat) if g.rules.items.curse_enhancers else [seat]
        found = [c for s in whose for c in items.own_items(g, s)]
        return [c for c in found if mode.what is None or mode.what(g, c)]
    if on in ("rival_item", "rival_small_item"):
        return _rival_items(g, seat, mode, small=on == "rival_small_item")
    if on == "curse":
        frame = curses.find_curse(g)
        if frame is not None:
            return [frame.card] if frame.stage == curses.OPEN else []
        return [c for s in range(len(g.players)) for c in curses.lasting_curses(g, s)]
    if on == "companion":
        return [c for s in g.living(seat) for c in q.companions(g, s)]
    if on == "new_companion":
        return [c for c in _arriving(g, seat) if g.lib.defs[c].is_companion] if hirelings.limit(g) else []
    if on == "rival_companion":
        return [c for s in g.living(seat) if s != seat for c in q.companions(g, s)]
    if on == "card_in_play":
        return _in_play(g, card)
    if on == "own_trait":
        mine = [c for c in g.players[seat].table if g.lib.defs[c].trait]
        return [c for c in mine if mode.what is None or mode.what(g, c)]
    if on == "stray":
        return taming.strays(g)
    if on == "enhancer":
        return enhancer_enhancers.places(g) if mode.op == "enhance_enhancer" else enhancer_enhancers.removable(g)
    return []


def _in_play(g: Game, card: int) -> list[int]:
    """Everything that lies on the table, Dungeons too, or in the fight, and a Curse that is being played."""
    out = [c for p in g.players for c in p.table]
    out += [c for c in dungeons.removable(g) if g.lib.defs[c].kind == "dungeon"]
    fight = g.fight
    if fight is not None and not fight.over:
        out += [x.card for x in fight.foes if x.fate == ACTIVE]
        out += [e for e, _, _ in fight.enhancers] + [c for c, _ in fight.committed]
    frame = curses.find_curse(g)
    if frame is not None and frame.stage == curses.OPEN:
        return [frame.card]
    return out


def _foes(g: Game, card: int, d: CardDef, mode: Mode) -> list[int]:
    fight = g.fight
    if fight is None:
        return []
    out = []
    flee = running_away.find(g)
    top = g.stack[-1]
    for foe in fight.foes:
        if isinstance(top, Roll) and foe.card != top.foe:
            continue
        if foe.fate != ACTIVE or (mode.what is not None and not mode.what(g, foe.face)):
            continue
        if mode.op == "enhance_monster" and clashes(g, d, foe.group):
            continue
        if flee is not None and foe.card not in flee.main_left and foe.card not in flee.helper_left:
            continue
        out.append(foe.card)
    return out


def _mooks(g: Game) -> list[int]:
    """The one kind of companion that monster enhancers may be played on (XOVER-6)."""
    defs = g.lib.defs
    return [c for p in g.players for c in p.table if defs[c].kind == "mook"]


def clashes(g: Game, d: CardDef, group: int) -> bool:
    """Enhancers that exclude each other on one monster."""
    assert g.fight is not None
    for e, grp, _ in g.fight.enhancers:
        other = g.lib.defs[e]
        if grp == group and (other.family in d.incompatible or d.family in other.incompatible):
            return True
    for c, _ in g.fight.committed:  # what enhances them all lies in the fight
        other = g.lib.defs[c]
        if other.incompatible and (other.family in d.incompatible or d.family in other.incompatible):
            return True
    return False


def _clashes_anywhere(g: Game, d: CardDef) -> bool:
    """A card that enhances all monsters at once clashes with what any of them has on it."""
    return g.fight is not None and any(clashes(g, d, x.group) for x in q.active_foes(g.fight))


def _own_items(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    out = [c for c in items.own_items(g, seat) if mode.what is None or mode.what(g, c)]
    if d.waives:  # COMBO-18: also an Item just being played from the hand
        out += [c for c in _arriving(g, seat) if c != card and _cheatable(g, c)]
    elif d.kind == "steed_enhancer":  # STEED-9, FQ-STEED-3
        mine = q.steeds(g, seat) + [c for c in g.players[seat].table if "rideable" in g.lib.defs[c].mods]
        out = [c for c in dict.fromkeys(mine) if mode.what is None or mode.what(g, c)]
    elif d.kind == "ship_enhancer":  # XOVER-14
        out = [c for c in q.ships(g, seat) if mode.what is None or mode.what(g, c)]
    return [c for c in out if d.waives or "no_enhancers" not in g.lib.defs[c].mods]  # FQ-HORSE-1


def _arriving(g: Game, seat: int) -> list[int]:
    """What a player could put down now: his hand, and the card that he has turned over (TURN-9)."""
    door = [g.door_card] if g.door_card >= 0 and seat == g.turn else []
    return [*g.players[seat].hand, *door]


def _cheatable(g: Game, card: int) -> bool:
    """Items, and the Steeds that a Cheat! allows one more of (STEED-2); for companions there is more time (HIRE-33)."""
    return items.can_be_equipped(g, card) or g.lib.defs[card].kind in ("steed", "ship")


def _rival_items(g: Game, seat: int, mode: Mode, small: bool) -> list[int]:
    out = []
    for s in g.living(seat):
        if s == seat or (small and q.in_fight(g, s)):
            continue
        for c in items.own_items(g, s):
            if (small and q.is_big(g, c)) or (g.afflictions and not q.may_receive(g, seat, c)):
                continue
            if g.host and q.shielded(g, c, "taken"):
                continue
            if mode.what is None or mode.what(g, c):
                out.append(c)
    return out


def trial(seat: int, card: int, target: int) -> Effect:
    """A frame for testing a condition before anything happens."""
    s = seat_of(target)
    return Effect(-1, card, seat, s if s >= 0 else seat, target)


def allowed(g: Game, seat: int, card: int, mode: Mode, target: int) -> bool:
    """The card's own condition, and levels that must be obtainable (FQ-CBT-39)."""
    if mode.test is not None and not mode.test(g, seat, trial(seat, card, target)):
        return False
    if g.lib.defs[card].incompatible and mode.on == "nothing" and _clashes_anywhere(g, g.lib.defs[card]):
        return False
    if mode.gain == "target":
        s = seat_of(target)
        if levels.gainable(g, s if s >= 0 else seat, 1, False) == 0:
            return False
    elif mode.gain == "actor" and not levels.stealable(g, seat, seat_of(target)):
        return False
    return not mode.wins_fight or _would_win(g, seat, card, target)


def _would_win(g: Game, seat: int, card: int, target: int) -> bool:
    """Look ahead: losing now, winning by strength with that Item (FQ-BASE-4..FQ-BASE-8)."""
    if strength.winning(g) or q.owner(g, target) < 0:
        return False
    then = g.clone()
    then.events = None
    take_up(then, seat, card)  # it pays for nothing any more
    return _wins_with(then, seat, target) or bool(to_make_room(then, seat, target))


def to_make_room(g: Game, seat: int, target: int, more: int = 1) -> list[int]:
    """Own Items of which one must go before that one can be used to win; a two-handed one may cost two."""
    out = []
    for c in items.in_the_way(g, seat, target):
        then = g.clone()
        then.events = None
        zones.lift(then, seat, c)
        then.touch()
        if _wins_with(then, seat, target) or (more and to_make_room(then, seat, target, more - 1)):
            out.append(c)
    return out


def _wins_with(g: Game, seat: int, target: int) -> bool:
    if items.in_the_way(g, seat, target):
        return False
    then = g.clone()
    then.events = None
    group = zones.lift(then, q.owner(then, target), target)
    then.players[seat].table += group
    then.host.update(dict.fromkeys(group[1:], target))
    then.touch()
    if items.can_be_equipped(g, target):  # a Steed or a companion needs no more than its place (STEED-4)
        if items.why_not_equip(then, seat, target) is not None:
            return False
        then.equipped.add(target)
        then.touch()
    if strength.winning(then):
        return True
    return _leads_to_winning(then, seat, target)


def _leads_to_winning(g: Game, seat: int, item: int) -> bool:
    """Is there a use of the taken Item, now, that turns the fight: help it compels, a one-shot's bonus (FQ-BASE-4)?"""
    from kickdoor.engine import abilities, kernel

    while g.stack and not isinstance(g.stack[-1], Combat):  # a copy: as soon as everything else is done
        g.stack.pop()
    if not g.stack:
        return False
    ctx = kernel.context(g, seat)
    found: list[Move] = []
    if g.lib.defs[item].is_one_shot:
        card_moves(g, seat, item, g.lib.defs[item], ctx, found, in_hand=False)
    abilities.ability_moves(g, seat, ctx, found)
    return any(m.card == item and _turns_it(g, m) for m in found)


def _turns_it(g: Game, move: Move) -> bool:
    """Tried out, with any cards for a price: by strength, against the same monsters (FQ-BASE-6)."""
    from kickdoor.engine import kernel

    then = g.clone()
    then.events = None
    kernel.apply(then, move, trusted=True)
    while isinstance(then.stack[-1], Ask) and then.stack[-1].about == "pay":
        kernel.apply(then, kernel.legal(then, move.seat)[0], trusted=True)
    return then.fight is not None and q.foe_count(then) == q.foe_count(g) and strength.winning(then)


def _joins(g: Game, seat: int, card: int, d: CardDef) -> Iterator[tuple[int, int]]:
    """Kin may join kin without a Wandering Monster, also made kin by a card played along (UNDEAD-2, UNDEAD-3)."""
    if d.joins and q.foe_named(g, d.joins):
        yield NONE, NONE  # its card says whom it may join (CONF-1)
        return
    if "intrudes" in d.mods and not q.in_fight(g, seat):  # CONF-1: its card says so
        yield NONE, NONE
        return
    tags = [t for t in g.rules.combat.join_tags if q.foe_tagged(g, t)]
    if not tags:
        return
    if any(t in d.tags for t in tags):
        yield NONE, NONE
        return
    for c in g.players[seat].hand:
        other = g.lib.defs[c]
        if other.kind == "monster_enhancer" and any(t in other.adds_tags for t in tags):
            yield NONE, c


# -- carrying it out --------------------------------------------------------------------------------------------


def do_play(g: Game, move: Move) -> None:
    """Play a card that `legal` offered."""
    seat, card = move.seat, move.card
    d = g.lib.defs[card]
    index = MODE_BASE - move.extra if move.extra <= MODE_BASE else 0
    if d.kind == "monster" and card in g.players[seat].table:
        epic.send_pet(g, move)
        return
    mode = d.modes[index]
    if move.extra >= 0 and mode.op not in ("join", "trait"):
        mode = next(m for m in d.modes if m.needs_monster)
    op = mode.op
    lent = sum(q.own_bonus(g, seat, a) for a in q.attachments(g, card)) if op == "side_bonus" else 0
    lying = take_up(g, seat, card)
    g.emit("play", seat, card, move.target, rule="PILE-11")
    for c in lying:
        if op == "side_bonus":  # in use with what it lies on, until the fight is over (IENH-3, ITEM-23)
            fight_cards.commit(g, c, seat)
        else:
            zones.to_discard(g, c, "IENH-4")
    if op in ("item", "lay"):
        zones.to_table(g, seat, card, equip=op == "item")
    elif op in ("trait", "multi", "steed", "ship"):
        traits.play(g, seat, card, move.target)
        if op == "trait" and move.extra >= 0:
            zones.from_hand(g, seat, move.extra)
            _attach(g, seat, move.extra, card)
    elif op == "fight_it":
        g.flags |= flags.MONSTER_MET  # AMB-74
        if not epic.fought_with_the_other(g, card):
            combat.start_fight(g, seat, [card])
    elif op == "portal":
        dungeons.start_portal(g, seat, card, dungeons.FACE_DOWN)
    elif op == "curse":
        _curse(g, seat, card, move.target)
    elif op == "side_bonus":
        fight_cards.side_bonus(g, card, seat, move.target, lent)
    elif op == "enhance_monster" and combat.twin(g, d):
        combat.clone(g, card, move.target, seat)
    elif op == "enhance_monster":
        fight_cards.enhance(g, card, seat, move.target)
    elif op == "enhance_enhancer":
        enhancer_enhancers.play(g, card, seat, move.target)
    elif op == "attach":
        _attach(g, seat, card, move.target)
        if mode.prog >= 0:
            g.stack.append(Effect(mode.prog, card, seat, seat, move.target, cause="part"))
    elif op == "join":
        extra = (move.extra,) if move.extra >= 0 else ()
        for e in extra:
            zones.from_hand(g, seat, e)
        combat.join(g, card, seat, "UNDEAD-2", extra)
    elif op == "ally":
        fight_cards.ally(g, card, seat)
    elif op == "invited":
        combat.join(g, card, seat, "FQ-ENH-2")
    elif op in ("companion", "lasting"):
        zones.to_table(g, seat, card)
        if mode.prog >= 0:  # what it does as it comes is done before limits are looked at
            g.dirty &= ~(1 << seat)
            g.stack.append(Effect(mode.prog, card, seat, seat, move.target, cause="laid"))
    else:
        _do_effect(g, move, mode)


def _curse(g: Game, seat: int, card: int, target: int) -> None:
    """On a player, or on a card before one: his companion (GB-20) or an Item (MM-33)."""
    victim = q.owner(g, target) if target >= 0 else seat_of(target)
    curses.start_curse(g, card, victim, seat, target if target >= 0 else NONE)
    if g.fight is not None and q.in_fight(g, victim):
        g.fight.hostile |= 1 << seat


def take_up(g: Game, seat: int, card: int) -> list[int]:
    """The card leaves the hand, the door, or (a one-shot) the table; then with what lies on it, which is returned."""
    p = g.players[seat]
    if g.door_card >= 0 and card in g.limbo:
        epic.bring_forward(g, card)
    if card == g.door_card:
        g.door_card = -1
    elif card in p.hand:
        zones.from_hand(g, seat, card)
    elif g.accessories and card in g.accessories[seat]:
        g.accessories[seat].remove(card)
        g.touch()
    else:
        return zones.lift(g, seat, card)[1:]
    return []


def _attach(g: Game, seat: int, card: int, item: int) -> None:
    """An enhancer or a Cheat! is welded to its Item (IENH-4, FQ-CHEAT-1)."""
    p = g.players[seat]
    if item not in p.table:
        take_up(g, seat, item)
        p.table.append(item)
    p.table.append(card)
    g.host[card] = item
    g.touch()
    g.dirty |= 1 << seat
    if g.lib.defs[card].waives and item not in g.ridden and items.why_not_equip(g, seat, item) is None:
        g.equipped.add(item)
        g.touch()
    g.emit("attach", seat, card, item, rule="IENH-1")


def _do_effect(g: Game, move: Move, mode: Mode) -> None:
    """A card that is played for what it does: it lies in the fight, or in limbo until it is done."""
    seat, card = move.seat, move.card
    s = seat_of(move.target)
    who = s if s >= 0 else seat
    foe = move.extra
    if foe >= 0:
        zones.from_hand(g, seat, foe)
        g.limbo.append(foe)
        if g.fight is not None:
            g.fight.links.append((card, foe, seat))
    if mode.stays == "fight" and g.fight is not None:
        fight_cards.commit(g, card, seat)
        cause = "part"
    else:
        g.limbo.append(card)
        cause = "played"
    if mode.prog >= 0:
        g.stack.append(Effect(mode.prog, card, seat, who, move.target, foe, cause=cause))
    else:
        from kickdoor.engine import effects

        effects.finish(g, Effect(-1, card, seat, who, cause=cause))


def keep_promises(g: Game, main: int, helper: int, cards: tuple[int, ...]) -> None:
    """Promised plays are carried out after the fight, where they can be made then (MM-43, SAMB-8)."""
    mine = main == g.turn
    ctx = cx.OUTSIDE | cx.AFTER_COMBAT | (cx.OWN_TURN | cx.OWN_IDLE if mine else cx.OTHER_IDLE)
    for card in cards:
        if card in g.players[main].hand and not g.players[helper].dead:
            found: list[Move] = []
            card_moves(g, main, card, g.lib.defs[card], ctx, found, in_hand=True)
            kept = next((m for m in found if m.target == at_seat(helper)), None)
            if kept is not None:
                do_play(g, kept)
