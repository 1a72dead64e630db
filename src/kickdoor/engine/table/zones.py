"""Moving cards: every physical card is in exactly one place, and leaves it for a reason (CAP-09, CAP-10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef
from kickdoor.engine.facts import fights, force, front
from kickdoor.engine.table import hirelings, items, several_piles, wandering
from kickdoor.engine.value import renewed
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import SPELL, Game
from kickdoor.engine.value.happenings import Kind

# Why a card in play is lost.
CURSE = "curse"
BAD_STUFF = "bad_stuff"
COST = "cost"
SALE = "sale"
LIMIT = "limit"
DEATH = "death"
REPLACED = "replaced"
WILL = "will"
TAKEN = "taken"
COMBAT = "combat"
SACRIFICE = "sacrifice"
KILLED = "killed"


def to_discard(g: Game, card: int, rule: str = "PILE-14") -> None:
    """Onto the discard pile of the deck it came from (PILE-14). The card must already be in no other zone."""
    card = g.lib.origin.get(card, card)
    if g.lib.defs[card].wanders:
        wandering.go_home(g, card)
        return
    _lay_down(g, card)
    g.emit("discard", card=card, rule=rule)


def _lay_down(g: Game, card: int) -> None:
    """On top of its discards; a monster there may be a stray that somebody waits for (EPIC-53)."""
    d = g.lib.defs[card]
    g.discards[d.deck] = [*g.discards[d.deck], card]
    if d.kind == "monster" and g.lib.stages() & cx.STRAY:
        g.strays = [*g.strays, (card, d.treasures)]


def to_box(g: Game, card: int) -> None:
    """From the discards out of the game (CAP-07)."""
    if several_piles.take_back(g, g.lib.defs[card].deck, card):
        g.box = [*g.box, card]
        g.emit("box", card=card, rule="FQ-AXE-8")


def lies_open(g: Game, card: int) -> bool:
    """Does a Spell that was cast lie there until the turn is over, where the table has it so (FQ-BOOK-15)?"""
    return g.lib.defs[card].deck == SPELL and g.rules.decks.spells == "turn_end"


def put_spells_away(g: Game) -> None:
    """The Spells of the turn, at its end."""
    for c in [c for c in g.limbo if lies_open(g, c)]:
        g.limbo.remove(c)
        to_discard(g, c, "FQ-BOOK-15")


def put_away(g: Game, f: Effect) -> None:
    """A played card is put away when its program is done."""
    if f.cause == "laid":
        g.dirty |= 1 << f.actor
    elif f.cause in ("played", "immediate") and f.card in g.limbo and not lies_open(g, f.card):
        g.limbo.remove(f.card)
        to_discard(g, f.card, "SPECIAL-3")


def close_rooms(g: Game) -> None:
    """A room is for one fight, or for the turn in which none came (EPIC-13)."""
    for c in [c for c in g.dungeons if g.lib.defs[c].kind == "room"]:
        g.dungeons = renewed.less(g.dungeons, c)
        g.touch()
        to_discard(g, c, "EPIC-13")


def from_hand(g: Game, seat: int, card: int) -> None:
    g.players[seat].hand.remove(card)
    g.touch_lightly()
    if g.fresh:
        g.fresh = [x for x in g.fresh if x[1] != card]


def discard_hand_card(g: Game, seat: int, card: int, rule: str) -> None:
    from_hand(g, seat, card)
    to_discard(g, card, rule)


def to_hand(g: Game, seat: int, card: int) -> None:
    g.players[seat].hand.append(card)
    g.touch_lightly()


def receive(g: Game, seat: int, card: int, how: Kind) -> None:
    """A card comes to a player: into the hand, as just received; what wanders lies before him (CAP-50)."""
    if g.lib.defs[card].wanders:
        arrive(g, seat, card, how)
        return
    to_hand(g, seat, card)
    g.fresh = [*g.fresh, (seat, card)]


def arrive(g: Game, seat: int, card: int, how: Kind) -> None:
    """It comes to a player from no other player: before him, in use, never into the hand."""
    g.emit(how, seat, card, rule="FQ-BOOK-9")
    to_table(g, seat, card, equip=True)
    wandering.received(g, seat, card, how)


def to_table(g: Game, seat: int, card: int, equip: bool = False) -> None:
    """Into play in front of a player."""
    g.players[seat].table.append(card)
    g.dirty |= 1 << seat
    g.touch_seat(seat)
    if equip and items.why_not_equip(g, seat, card) is None:
        items.make_way(g, seat, card)
        g.equipped.add(card)
        g.touch_seat(seat)


def lift(g: Game, seat: int, card: int) -> list[int]:
    """Take a card off the table with everything that lies on it; returns the card and its attachments."""
    p = g.players[seat]
    p.table.remove(card)
    group = [card]
    for a in front.attachments(g, card):
        if a in p.table:
            p.table.remove(a)
        group.append(a)
        g.host.pop(a, None)
    g.host.pop(card, None)
    g.equipped.discard(card)
    g.bearer = renewed.without(g.bearer, card)
    if card in g.exempt:
        g.exempt = renewed.less(g.exempt, card)
    if card in g.turned:
        g.turned = renewed.less(g.turned, card)
    g.grown = renewed.without(g.grown, card)
    g.ridden = renewed.without(g.ridden, card)
    if g.bearer:
        for i in sorted(i for i, b in g.bearer.items() if b == card):  # laid down by the one who carried it
            g.bearer = renewed.without(g.bearer, i)
            g.equipped.discard(i)
    g.dirty |= 1 << seat
    if len(group) > 1:  # what lay on it may lie before somebody else
        g.touch()
    else:
        g.touch_seat(seat)
    return group


def discard_in_play(g: Game, seat: int, card: int, cause: str, rule: str) -> None:
    """A card in front of a player is lost; what lies on it goes along (FQ-CURSE-8)."""
    if card not in g.players[seat].table:
        return  # it has gone already, with what it was worn over or lay on
    d = g.lib.defs[card]
    worn = card in g.equipped
    along = _worn_with(g, seat, card) if worn else []
    if "returns" in d.mods:
        loyal(g, seat, card, cause)
    own = d.on.get("lost", -1)
    if own >= 0 and force.in_force(g, seat, card):
        g.stack.append(Effect(own, card, seat, seat, cause="lost"))
    carried = hirelings.carried(g, card)
    home = any(cause in m.word for m in d.mods.get("returns_to_hand", ())) and not front.suppressed(g, card)
    group = lift(g, seat, card)
    g.emit("lost", seat, card, rule=rule)
    for c in group:
        if home and c == card:  # FQ-STEED-2: only from some kinds of loss
            to_hand(g, seat, g.lib.origin.get(c, c))
            continue
        c = g.lib.origin.get(c, c)
        if g.lib.defs[c].wanders:
            wandering.go_home(g, c)
            wandering.parted(g, seat, c)
            continue
        _lay_down(g, c)
    leave_behind(g, seat, d, carried, cause)
    if worn and cause in (CURSE, BAD_STUFF, DEATH):
        fire(g, seat, f"{d.slot}_lost", seat)
        for c in along:
            if c in g.equipped and not (cause == BAD_STUFF and front.suppressed(g, c)):
                discard_in_play(g, seat, c, cause, rule)


def lost_together(g: Game, seat: int, cards: Sequence[int], cause: str) -> bool:
    """Are all of these lost with any one of them, so that there is nothing to choose?"""
    if cause not in (CURSE, BAD_STUFF, DEATH) or not all(c in g.equipped for c in cards):
        return False
    return all({c, *_worn_with(g, seat, c)}.issuperset(cards) for c in cards)


def _worn_with(g: Game, seat: int, card: int) -> list[int]:
    """What goes with an Item that is worn, if that is lost: what says that it does, or takes all of its slot along."""
    defs = g.lib.defs
    slot = defs[card].slot
    worn = [c for c in g.players[seat].table if c in g.equipped and slot and defs[c].slot == slot]
    said = {c: m.word for c, m in force.modifiers(g, seat, "lost_with") if c in worn}
    if "all" in said.values():
        return [c for c in worn if c != card]
    return [c for c in said if c != card]


def loyal(g: Game, seat: int, card: int, how: str) -> None:
    """An Item that comes back from some losses remembers its owner; other losses and new owners make it forget."""
    ways = g.lib.defs[card].mods.get("returns", ())
    known = any(c == card for c, _ in g.returning)
    if any(how in m.word for m in ways) and not front.suppressed(g, card):
        if not known:
            g.returning = [*g.returning, (card, seat)]
    elif known:
        g.returning = [x for x in g.returning if x[0] != card]


def come_back(g: Game, seat: int) -> None:
    """What is on its way back to this player arrives, wherever it has been."""
    for card, owner in [x for x in g.returning if x[1] == seat]:
        g.returning = renewed.less(g.returning, (card, owner))
        holder = front.owner(g, card)
        if holder >= 0:
            transfer(g, holder, seat, card, "force", "CONF-1")
        else:
            _fetch(g, seat, card)


def _fetch(g: Game, seat: int, card: int) -> None:
    """A card that lies before nobody comes to this player, unless it has left the game."""
    deck = g.lib.defs[card].deck
    if several_piles.find(g, deck, card) or _out_of_a_hand(g, card):
        to_table(g, seat, card, equip=True)
        g.emit("back", seat, card, rule="CONF-1")


def _out_of_a_hand(g: Game, card: int) -> bool:
    for p in g.players:
        if card in p.hand:
            p.hand.remove(card)
            return True
    return False


def leave_behind(g: Game, seat: int, companion: CardDef, carried: Sequence[int], cause: str) -> None:
    """What a companion carried is lost with it, or stays where it was laid down (HIRE-18..HIRE-20, AMB-34)."""
    if cause == KILLED and companion.takes_along:
        cause = TAKEN  # HIRE-19, unless the card says otherwise
    if cause in (SACRIFICE, CURSE, BAD_STUFF, TAKEN):
        for item in carried:
            discard_in_play(g, seat, item, cause, "HIRE-18")


def discard_any(g: Game, seat: int, card: int, cause: str, rule: str) -> None:
    """A card of this player's, wherever he has it."""
    if card in g.players[seat].hand:
        discard_hand_card(g, seat, card, rule)
    else:
        discard_in_play(g, seat, card, cause, rule)


def transfer(
    g: Game, giver: int, taker: int, card: int, how: Kind, rule: str, hand: bool = False, cause: str = ""
) -> None:
    """A card in play changes owner with what lies on it: into play, or into the hand (looting). `cause`: what takes
    it, where that is a Curse or Bad Stuff. What is lost with it is lost."""
    if card in g.equipped and (cause in (CURSE, BAD_STUFF) or how in ("steal", "force")):
        along = _worn_with(g, giver, card)
        fire(g, giver, f"{g.lib.defs[card].slot}_lost", giver)
        for c in along:
            discard_in_play(g, giver, c, TAKEN, rule)
    if "returns" in g.lib.defs[card].mods:
        loyal(g, giver, card, how)
    own = g.lib.defs[card].on.get("lost", -1)
    if own >= 0 and force.in_force(g, giver, card):
        g.stack.append(Effect(own, card, giver, giver, cause="lost"))
    load = hirelings.carried(g, card)
    turned = card in g.turned
    tamed = g.ridden.get(card, -1) if g.lib.defs[card].kind == "monster" else -1
    group = lift(g, giver, card)
    g.emit("looted" if how == "loot" else how, taker, card, giver, rule=rule)
    if hand and not g.lib.defs[card].wanders:
        for c in group:
            to_hand(g, taker, c)
        return
    for c in group[1:]:
        g.players[taker].table.append(c)
        g.host[c] = card
    put_on = how in ("force", "summon") or not fights.in_fight(g, taker)
    to_table(g, taker, card, equip=put_on and not items.sends_away(g, taker, card))
    if turned:
        g.turned = [*g.turned, card]
    if tamed >= 0:
        g.ridden = {**g.ridden, card: tamed}
        g.touch()
    if load:
        bring(g, giver, taker, card, load)
    if "received" in g.lib.defs[card].on:
        wandering.received(g, taker, card, how)


def bring(g: Game, giver: int, taker: int, companion: int, load: list[int]) -> None:
    """A companion that changes sides takes along what it carries (HIRE-20)."""
    for i in load:
        group = lift(g, giver, i)
        g.players[taker].table += group
        g.host.update(dict.fromkeys(group[1:], i))
        g.bearer = {**g.bearer, i: companion}
        g.equipped.add(i)
        g.emit("brought", taker, i, giver, rule="HIRE-20")
    g.touch()


def fire(g: Game, seat: int, event: str, who: int, actor: int = -1) -> None:
    """Run what cards in front of a player say about an event; `actor` is whoever caused it, if another."""
    by = actor if actor >= 0 else seat
    listeners = g.lib.listeners(event)
    top = g.stack[-1]
    doing = top.card if type(top) is Effect else -1  # a Dungeon does not answer what it does itself
    for c in [c for c in g.players[seat].table if c in listeners]:
        if force.in_force(g, seat, c):
            g.stack.append(Effect(g.lib.defs[c].on[event], c, by, who, cause=event))
    for c in force.dungeons(g, seat):
        if c in listeners and c != doing:
            g.stack.append(Effect(g.lib.defs[c].on[event], c, by, who, cause=event))
    for s, c, i, _ in g.afflictions:
        prog = g.lib.afflictions[i].on.get(event, -1) if s == seat else -1
        if prog >= 0:
            g.stack.append(Effect(prog, c, by, who, cause=event))


def awaits(g: Game, seat: int, event: str) -> bool:
    """Is there anything before a player that will have its say at this event?"""
    listeners = g.lib.listeners(event)
    if any(c in listeners and force.in_force(g, seat, c) for c in g.players[seat].table):
        return True
    lasting = any(s == seat and event in g.lib.afflictions[i].on for s, _, i, _ in g.afflictions)
    return lasting or any(c in listeners for c in force.dungeons(g, seat))


# -- what stays with a victim after its card has gone -----------------------------------------------------------


def afflict(g: Game, seat: int, card: int, which: int) -> None:
    """Lasting Bad Stuff (CAP-24); the fight it came from does not count as the next one."""
    if any(x[:3] == (seat, card, which) for x in g.afflictions):
        return
    g.afflictions = [*g.afflictions, (seat, card, which, 0 if g.fight is not None else 1)]
    g.touch()
    g.dirty |= 1 << seat
    g.emit("afflicted", seat, card, rule="RUN-11")


def relieve(g: Game, seat: int, keep: Callable[[int, int, int], bool]) -> None:
    """End those afflictions of a player that `keep` (card, which, fights since) does not keep."""
    for x in [x for x in g.afflictions if x[0] == seat and not keep(*x[1:])]:
        g.afflictions = renewed.less(g.afflictions, x)
        g.emit("relieved", seat, x[1], rule="RUN-11")
        g.touch()
        g.dirty |= 1 << seat


def relieve_upkeep(g: Game, seat: int) -> None:
    """Afflictions that hold only as long as something is so."""
    all_ = g.lib.afflictions

    def keep(card: int, which: int, fights: int) -> bool:
        holds = all_[which].holds
        return holds is None or holds(g, seat, None)

    relieve(g, seat, keep)


def relieve_after_fight(g: Game, seat: int) -> None:
    """ "Next combat" has been; what came out of this very fight waits for the next one."""
    all_ = g.lib.afflictions
    relieve(g, seat, lambda card, which, fights: all_[which].lasting != "next_combat" or fights == 0)
    g.afflictions = [(s, c, i, 1 if s == seat else n) for s, c, i, n in g.afflictions]


def relieve_dead(g: Game, seat: int) -> None:
    """The next character starts clean, apart from what is for the whole game."""
    all_ = g.lib.afflictions
    relieve(g, seat, lambda card, which, fights: all_[which].lasting == "game")
    g.returning = [x for x in g.returning if x[1] != seat]
