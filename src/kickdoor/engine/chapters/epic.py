"""Epic play: two doors at a kick, pets, eaten monsters, what goes with Epic status (EPIC)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine.chapters import combat, curses, fight_cards, interfering
from kickdoor.engine.facts import fights, force, front, nature, strength
from kickdoor.engine.table import decks, items, portals, zones
from kickdoor.engine.table.prompts import ask
from kickdoor.engine.value import drawn, renewed
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value.flags import MONSTER_MET
from kickdoor.engine.value.frames import Surplus, Turn
from kickdoor.engine.value.game import DOOR, DOOR_CARD, Game
from kickdoor.engine.value.moves import CHOOSE, MONSTERS, MUNCHKINS, NONE, PLAY, Move
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import KILLED, Fight, Foe, Token

DOORS: Final = 2

# The four steps of an Epic door.
CURSES, OTHERS, ROOMS, MONSTERS_LAST = 1, 2, 3, 4


# -- two doors --------------------------------------------------------------------------------------------------


def kick(g: Game, f: Turn) -> None:
    """Two Doors are turned over, less those that came from the discards already (EPIC-9)."""
    while len(f.doors) < DOORS:
        card = decks.take_top(g, DOOR)
        if card < 0:
            g.emit("no_draw", g.turn, n=DOOR, rule="PILE-5")
            break
        turn_over(g, f, card)
    f.phase = DOOR_CARD


def _turn(g: Game) -> Turn:
    f = g.stack[0]
    assert isinstance(f, Turn)
    return f


def turn_over(g: Game, f: Turn, card: int) -> None:
    """One of the two lies open; with the second one they are dealt with."""
    g.emit("kick", g.turn, card, rule="EPIC-9")
    g.limbo.append(card)
    f.doors += (card,)
    g.drew = renewed.at(g.drew, g.turn, drawn.record([drawn.code(c, face_up=True) for c in f.doors], DOOR))
    if len(f.doors) == DOORS:
        f.phase = DOOR_CARD


def exposed(g: Game, f: Turn) -> bool:
    """Is there a monster among the cards of an Epic door? Then the fight has as good as begun (COMBAT-25)."""
    return bool(f.foes) or any(g.lib.defs[c].kind == "monster" for c in f.doors)


def bonus_mode(g: Game, d: CardDef) -> Mode | None:
    """How a monster bonus lies on a monster: an enhancer, or a second one of it (EPIC-16)."""
    for m in d.modes:
        program = g.lib.programs[m.prog] if m.prog >= 0 else ()
        if m.op == "enhance_monster" or any(i.verb == "clone_monster" for i in program):
            return m
    return None


def step_of(g: Game, card: int) -> int:
    """In which of the four steps a card is dealt with (EPIC-10, EPIC-11, EPIC-13, EPIC-15)."""
    d = g.lib.defs[card]
    if d.is_curse:
        return CURSES
    if d.kind == "room":
        return ROOMS
    if d.kind in ("monster", "enhancer_enhancer") or bonus_mode(g, d) is not None:
        return MONSTERS_LAST
    return OTHERS


def step_doors(g: Game, f: Turn) -> bool:
    """The next card of an Epic door: the first step that has one, and then the fight."""
    for step in (CURSES, OTHERS):
        cards = [c for c in f.doors if step_of(g, c) == step]
        if cards:
            _one(g, f, step, cards)
            return True
    _rooms(g, f)
    _last(g, f)
    return True


def _one(g: Game, f: Turn, step: int, cards: list[int]) -> None:
    """In the order the player likes, asked for where the cards act by themselves (EPIC-10, EPIC-11).

    A Portal lets nothing go before it but another one (PORTAL-3, AMB-51).
    """
    ways_out = [c for c in cards if g.lib.defs[c].kind == "portal"]
    cards = ways_out or cards
    at_once = step == CURSES or bool(ways_out) or any(g.lib.defs[c].immediate for c in cards)
    if at_once and f.ans is None:
        ask(g, g.turn, cards, about="door order", rule="EPIC-10" if step == CURSES else "EPIC-11", order=True)
        return
    card = f.ans[0] if f.ans else cards[0]
    f.ans = None
    _take(g, f, card)
    if step == CURSES:
        curses.start_curse(g, card, g.turn, NONE)
    elif g.lib.defs[card].immediate:
        decks.start_immediate(g, g.turn, card, True)
    elif ways_out:
        portals.start_portal(g, g.turn, card, portals.AT_EPIC_DOOR)
    else:
        g.door_card = card


def another_door(g: Game) -> None:
    """What is turned over for a Portal lies with the rest, and is dealt with in its own step (PORTAL-5, AMB-51)."""
    turn_over(g, _turn(g), decks.take_top(g, DOOR))


def _take(g: Game, f: Turn, card: int) -> None:
    f.doors = tuple(c for c in f.doors if c != card)
    g.limbo.remove(card)


def _rooms(g: Game, f: Turn) -> None:
    """The first room applies, a second one goes to hand, and nothing is drawn for it (EPIC-14, FQ-EPIC-3)."""
    for i, card in enumerate([c for c in f.doors if step_of(g, c) == ROOMS]):
        _take(g, f, card)
        if i == 0:
            open_room(g, card)
        else:
            _to_hand(g, card, "EPIC-14")


def open_room(g: Game, card: int) -> None:
    """A room is in force for everyone, for the fight of this turn (EPIC-13)."""
    g.dungeons = [*g.dungeons, card]
    g.touch()
    g.emit("room", g.turn, card, rule="EPIC-13")


def _last(g: Game, f: Turn) -> None:
    """Monsters together in one fight, with the bonus that came along; a bonus alone goes to hand (EPIC-15..EPIC-18)."""
    defs = g.lib.defs
    cards = f.doors
    for c in cards:
        _take(g, f, c)
    monsters = [*f.foes, *(c for c in cards if defs[c].kind == "monster")]
    for c in f.foes:
        g.limbo.remove(c)
    f.foes = ()
    if monsters:
        g.flags |= MONSTER_MET
        combat.start_fight(g, g.turn, monsters)
    for c in cards:
        if defs[c].kind != "monster" and not (monsters and _apply_bonus(g, c, monsters[0])):
            _to_hand(g, c, "EPIC-18" if defs[c].kind == "enhancer_enhancer" else "EPIC-17")


def _apply_bonus(g: Game, card: int, monster: int) -> bool:
    """The monster is met with its bonus; the bonus is nobody's (EPIC-16). False where it does not fit it."""
    d = g.lib.defs[card]
    mode = bonus_mode(g, d)
    if mode is None or (mode.what is not None and not mode.what(g, monster)):
        return False
    if mode.op == "enhance_monster" and not combat.twin(g, d):
        fight_cards.enhance(g, card, NONE, monster)
    else:
        combat.clone(g, card, monster, NONE)
    return True


def _to_hand(g: Game, card: int, rule: str) -> None:
    zones.to_hand(g, g.turn, card)
    g.emit("keep", g.turn, card, rule=rule)


def waiting(g: Game, f: Turn) -> list[int]:
    """Another card of the door that may be dealt with before the one in front (EPIC-11)."""
    return [c for c in f.doors if step_of(g, c) == OTHERS and not g.lib.defs[c].immediate]


def bring_forward(g: Game, card: int) -> None:
    """The player deals with the other card first (EPIC-11)."""
    f = _turn(g)
    f.doors = tuple(g.door_card if c == card else c for c in f.doors)
    g.limbo.remove(card)
    g.limbo.append(g.door_card)
    g.door_card = card


def fought_with_the_other(g: Game, card: int) -> bool:
    """What is to be fought from an Epic door waits for what else lies there (AMB-51)."""
    f = _turn(g)
    if not f.doors and not f.foes:
        return False
    f.foes += (card,)
    g.limbo.append(card)
    return True


def abandon(g: Game, f: Turn) -> None:
    """The turn is over before everything at the door was dealt with (AMB-49)."""
    for c in (*f.doors, *f.foes):
        g.limbo.remove(c)
        zones.to_discard(g, c, "PILE-14")
    if g.door_card >= 0:
        zones.to_discard(g, g.door_card, "PILE-14")
        g.door_card = -1


# -- pets -------------------------------------------------------------------------------------------------------


def pets(g: Game, seat: int) -> list[int]:
    """A monster that lies before a player as a monster is a pet (EPIC-28)."""
    return [c for c in front.cards_of_kind(g, seat, "monster") if c not in g.ridden]


def leave_fight(g: Game, foe: Foe) -> None:
    """A monster is out of the fight, what lay on it is discarded; with none left the fight is over (EPIC-47)."""
    fight = g.fight
    assert fight is not None
    fight.foes.remove(foe)
    _bare(g, fight, foe, foe.group)


def eat(g: Game, foe: Foe, seat: int) -> None:
    """A kill, bare of everything that lay on it; what it pays is paid when the fight is won (EPIC-47, CONF-6)."""
    fight = g.fight
    assert fight is not None
    foe.fate, foe.credit, foe.gone = KILLED, seat, True
    group, foe.group = foe.group, 1 + max(x.group for x in fight.foes)  # what its copies have is theirs
    _bare(g, fight, foe, group)
    zones.to_discard(g, foe.card, "EPIC-45")


def _bare(g: Game, fight: Fight, foe: Foe, group: int) -> None:
    """What lay on a monster that is out of the fight goes, unless a copy of it has that too."""
    if not any(x.group == group for x in fight.foes):
        for e in [e for e in fight.enhancers if e[1] == group]:
            fight.enhancers = renewed.less(fight.enhancers, e)
            zones.to_discard(g, e[0], "EPIC-47")
    fight.tokens = [t for t in fight.tokens if t.foe != foe.card]
    fight.deserted = not fights.active_foes(fight)
    g.touch()


def pet_moves(g: Game, seat: int, ctx: int, out: list[Move]) -> None:
    """A pet may be spent in any fight, on either side (EPIC-29)."""
    if not ctx & cx.FIGHT:
        return
    for c in pets(g, seat):
        for side in (MUNCHKINS, MONSTERS):
            if _why_kept_away(g, seat, c, side) is None:
                out.append(Move(seat, PLAY, c, side))


def why_not_pet(g: Game, ctx: int, move: Move) -> Reason | None:
    """Why a monster that lies before a player cannot be sent into a fight (EPIC-29)."""
    if move.card not in pets(g, move.seat):
        return r.IN_PLAY_STAYS
    if not ctx & cx.FIGHT or move.target not in (MUNCHKINS, MONSTERS) or move.extra != NONE:
        return r.PET_TIME
    return _why_kept_away(g, move.seat, move.card, move.target)


def _why_kept_away(g: Game, seat: int, card: int, side: int) -> Reason | None:
    """Does something keep this pet off that fight?"""
    if interfering.banned(g, seat, g.lib.defs[card], side):
        return r.BANNED
    if fights.in_fight(g, seat):
        return None
    if side == MUNCHKINS and strength.fight_rule(g, "sealed"):
        return r.SEALED
    return r.KEPT_OUT if any(test(g, card) for test in interfering.kept_out(g)) else None


def send_pet(g: Game, move: Move) -> None:
    """For the munchkins its Level counts; against them it wanders in (EPIC-30..EPIC-33, AMB-63)."""
    fight = g.fight
    assert fight is not None
    zones.lift(g, move.seat, move.card)
    g.emit("play", move.seat, move.card, move.target, rule="EPIC-29")
    if move.target == MONSTERS:
        combat.join(g, move.card, move.seat, "EPIC-31")
        return
    fight.tokens = [*fight.tokens, Token(g.lib.defs[move.card].level, -1, False, move.card, rule="EPIC-30")]
    fight_cards.commit(g, move.card, move.seat)
    g.touch()


def lose_pets(g: Game, seat: int) -> bool:
    """Who is no longer Epic, or no longer Human, has no pet any more (EPIC-34, AMB-43)."""
    have = pets(g, seat)
    if not have or (nature.epic_powers(g, seat) and not force.races_had(g, seat)):
        return False
    for c in have:
        zones.discard_in_play(g, seat, c, zones.LIMIT, "EPIC-34")
    return True


# -- Epic status lost -------------------------------------------------------------------------------------------


def step_surplus(g: Game, f: Surplus) -> bool:
    """One Big Item goes, of its owner's choice; a single one is not asked about (EPIC-58)."""
    if f.card >= 0 or not items.surplus_big(g, f.seat):
        g.stack.pop()
        if f.card >= 0:
            zones.discard_in_play(g, f.seat, f.card, zones.LIMIT, "EPIC-58")
        return True
    return False


def surplus_moves(g: Game, f: Surplus, out: list[Move]) -> None:
    out.extend(Move(f.seat, CHOOSE, c) for c in items.bigs(g, f.seat))
