"""What a card or a power may be aimed at: one row for each word of the card language's `on`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine.chapters import combat, curses, dungeons, running_away
from kickdoor.engine.facts import fights, force, front, goods
from kickdoor.engine.table import enhancer_enhancers, hirelings, items, taming
from kickdoor.engine.value.frames import Effect, Roll, Window
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, NONE, at_seat, seat_of
from kickdoor.engine.value.records import ACTIVE


def places(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    """Everything that a way to play a card, or a power, could be aimed at now, as target codes."""
    return AT[mode.on](g, seat, card, d, mode)


def trial(seat: int, card: int, target: int) -> Effect:
    """A frame for testing a condition before anything happens."""
    return Effect(-1, card, seat, whom(seat, target), target)


def whom(seat: int, target: int) -> int:
    """Whom something is done to: a player's own affair, where it is aimed at no player."""
    s = seat_of(target)
    return s if s >= 0 else seat


def _nothing(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [NONE]


# -- players and sides ------------------------------------------------------------------------------------------


def _player(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    if d.curses_item and not g.rules.items.curse_enhancers:
        return [at_seat(seat)]  # IENH-1: only where the book says so is another's Item enhanced (MM-33)
    seats = [at_seat(s) for s in g.living(seat)]
    if mode.op == "curse":
        return seats + hirelings.cursable(g, d.prog_effect)
    return seats + hirelings.changeable(g, d, mode)


def _other_player(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [at_seat(s) for s in g.living(seat) if s != seat]


def _side(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [MUNCHKINS, MONSTERS] if fights.foe_count(g) else [MUNCHKINS]


def _munchkins(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [MUNCHKINS]


def _monsters(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [MONSTERS] if fights.foe_count(g) else []


def _fighter(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [at_seat(s) for s in fights.fighters(g)]


def _other_fighter(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [at_seat(s) for s in fights.fighters(g) if s != seat]


def _helper(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [at_seat(g.fight.helper)] if g.fight is not None and g.fight.helper >= 0 else []


def _runner(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    top = g.stack[-1]
    if type(top) is Window:
        return [at_seat(top.seat)]
    flee = running_away.find(g)
    if flee is None or g.fight is None:
        return []
    late = [s for s in fights.fighters(g) if mode.stages & cx.DICE_TO_COME and running_away.begun(flee, g.fight, s)]
    return [at_seat(s) for s in fights.fighters(g) if running_away.left(flee, g.fight, s) and s not in late]


# -- monsters and what lies on them -----------------------------------------------------------------------------


def _monster(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    top = g.stack[-1]
    if type(top) is Roll and top.foe < 0:
        return []  # AMB-77: nobody runs from a monster in this roll, so it would not change anything
    mooks = mode.op == "enhance_monster" and not combat.twin(g, d)
    return _foes(g, d, mode) + (_mooks(g) if mooks else [])


def _first_monster(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    first = {x.card for x in g.fight.foes if not x.joined} if g.fight is not None else set()
    return [c for c in _foes(g, d, mode) if c in first]


def _combatant(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return _foes(g, d, mode) + [at_seat(s) for s in fights.fighters(g)]


def _foes(g: Game, d: CardDef, mode: Mode) -> list[int]:
    fight = g.fight
    if fight is None:
        return []
    out = []
    flee = running_away.find(g)
    top = g.stack[-1]
    for foe in fight.foes:
        if type(top) is Roll and foe.card != top.foe:
            continue
        if foe.fate != ACTIVE or (mode.what is not None and not mode.what(g, foe.card)):
            continue
        if clashes(g, d, foe.group):
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


def clashes_anywhere(g: Game, d: CardDef) -> bool:
    """A card that enhances all monsters at once clashes with what any of them has on it."""
    return g.fight is not None and any(clashes(g, d, x.group) for x in fights.active_foes(g.fight))


def _enhancer(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return enhancer_enhancers.places(g) if mode.op == "enhance_enhancer" else enhancer_enhancers.removable(g)


def _stray(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return taming.strays(g)


# -- cards on the table -----------------------------------------------------------------------------------------


def _own_item(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    out = [c for c in items.own_items(g, seat) if mode.what is None or mode.what(g, c)]
    if d.waives:  # COMBO-18: also an Item just being played from the hand
        out += [c for c in _arriving(g, seat) if c != card and _cheatable(g, c)]
    elif d.kind == "steed_enhancer":  # STEED-9, FQ-STEED-3
        mine = front.steeds(g, seat) + [c for c in g.players[seat].table if "rideable" in g.lib.defs[c].mods]
        out = [c for c in dict.fromkeys(mine) if mode.what is None or mode.what(g, c)]
    elif d.kind == "ship_enhancer":  # XOVER-14
        out = [c for c in front.ships(g, seat) if mode.what is None or mode.what(g, c)]
    return [c for c in out if d.waives or "no_enhancers" not in g.lib.defs[c].mods]  # FQ-HORSE-1


def _arriving(g: Game, seat: int) -> list[int]:
    """What a player could put down now: his hand, and the card that he has turned over (TURN-9)."""
    door = [g.door_card] if g.door_card >= 0 and seat == g.turn else []
    return [*g.players[seat].hand, *door]


def _cheatable(g: Game, card: int) -> bool:
    """Items, and the Steeds that a Cheat! allows one more of (STEED-2); for companions there is more time (HIRE-33)."""
    return items.can_be_equipped(g, card) or g.lib.defs[card].kind in ("steed", "ship")


def _own_card(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    mine = [c for c in g.players[seat].table if c not in g.host and not g.lib.defs[c].is_curse]
    return [c for c in mine if mode.what is None or mode.what(g, c)]


def _own_trait(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    mine = [c for c in g.players[seat].table if g.lib.defs[c].trait]
    return [c for c in mine if mode.what is None or mode.what(g, c)]


def _any_item(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    whose = g.living(seat) if g.rules.items.curse_enhancers else [seat]
    found = [c for s in whose for c in items.own_items(g, s)]
    return [c for c in found if mode.what is None or mode.what(g, c)]


def _rival_item(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    small = mode.on == "rival_small_item"
    out = []
    for s in g.living(seat):
        if s == seat or (small and fights.in_fight(g, s)):
            continue
        for c in items.own_items(g, s):
            if (small and goods.is_big(g, c)) or (g.afflictions and not force.may_receive(g, seat, c)):
                continue
            if g.host and front.shielded(g, c, "taken"):
                continue
            if mode.what is None or mode.what(g, c):
                out.append(c)
    return out


def _curse(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    frame = curses.find_curse(g)
    if frame is not None:
        return [frame.card] if frame.stage == curses.OPEN else []
    return [c for s in range(len(g.players)) for c in curses.lasting_curses(g, s)]


def _companion(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [c for s in g.living(seat) for c in front.companions(g, s)]


def _new_companion(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [c for c in _arriving(g, seat) if g.lib.defs[c].is_companion] if hirelings.limit(g, seat) else []


def _rival_companion(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
    return [c for s in g.living(seat) if s != seat for c in front.companions(g, s)]


def _card_in_play(g: Game, seat: int, card: int, d: CardDef, mode: Mode) -> list[int]:
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


AT: Final[dict[str, Callable[[Game, int, int, CardDef, Mode], list[int]]]] = {
    "nothing": _nothing,
    "player": _player,
    "other_player": _other_player,
    "side": _side,
    "munchkins": _munchkins,
    "monsters": _monsters,
    "fighter": _fighter,
    "other_fighter": _other_fighter,
    "helper": _helper,
    "runner": _runner,
    "monster": _monster,
    "first_monster": _first_monster,
    "combatant": _combatant,
    "enhancer": _enhancer,
    "stray": _stray,
    "own_item": _own_item,
    "own_card": _own_card,
    "own_trait": _own_trait,
    "any_item": _any_item,
    "rival_item": _rival_item,
    "rival_small_item": _rival_item,
    "curse": _curse,
    "companion": _companion,
    "new_companion": _new_companion,
    "rival_companion": _rival_companion,
    "card_in_play": _card_in_play,
}
