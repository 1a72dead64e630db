"""The fight: exposure, the open window in which everyone may act, and how it is decided (COMBAT, MULTI)."""

from __future__ import annotations

from typing import Final

from kickdoor.cards import contexts as cx
from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine.chapters import fight_cards, helping, rewards, running_away
from kickdoor.engine.facts import fights, force, nature, strength
from kickdoor.engine.table import zones
from kickdoor.engine.table.rows import Moment
from kickdoor.engine.value import reasons as r
from kickdoor.engine.value import renewed
from kickdoor.engine.value.flags import FOUGHT, REFUSED
from kickdoor.engine.value.frames import Combat, Effect, Flee, Victory
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.moves import USE, Move
from kickdoor.engine.value.reasons import Reason
from kickdoor.engine.value.records import ACTIVE, REMOVED, Deal, Displaced, Fight, Foe


def start_fight(g: Game, main: int, cards: list[int]) -> None:
    """The monsters are exposed: from now on equipment is frozen (COMBAT-25)."""
    fight = Fight(main, starter=cards[0])
    g.fight = fight
    g.fresh = []
    if main == g.turn:
        g.flags |= FOUGHT
    for i, c in enumerate(cards):
        fight.foes.append(Foe(c, c, i))
    g.touch_moment()
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
    known = [*fight.foes, *(x.foe for x in fight.displaced)]
    group = 1 + max((x.group for x in known), default=-1)
    if card in g.limbo:
        g.limbo.remove(card)
    fight.foes.append(Foe(card, card, group, owner=owner, joined=True))
    for e in enhancers:
        fight.enhancers = [*fight.enhancers, (e, group, owner)]
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
    foe = fights.find_foe(fight, target)
    if foe is None or foe.fate != ACTIVE:
        return
    if card in g.limbo:
        g.limbo.remove(card)
    fight.committed = [x for x in fight.committed if x[0] != card]
    fight.foes.append(Foe(card, foe.face, foe.group, owner=owner, joined=True))
    if owner >= 0:  # else it came with the door (EPIC-16)
        fight.hostile |= 1 << owner
    g.emit("join", owner, card, foe.face, rule="ENH-6")
    g.touch()


def twin(g: Game, d: CardDef) -> bool:
    """Is this what the table's books call their second-monster card (ENH-6, MM-41, SAMB-15)?

    A card that says itself what it does has no need of this.
    """
    return any(d.family == name.lower() for name in g.rules.combat.twin_cards)


def replace(g: Game, old: int, new: int, owner: int, by: int, switched: bool = False) -> None:
    """One monster and everything on it goes, another stands there instead.

    Where they are switched, enhancers from the door stay, and the players take theirs back (FQ-EPIC-1, FQ-EPIC-2).
    """
    fight = g.fight
    assert fight is not None
    foe = fights.find_foe(fight, old)
    if foe is None:
        return
    fight.foes.remove(foe)
    zones.to_discard(g, foe.card, "COMBAT-9")
    stay: list[int] = []
    lay = [] if any(x.group == foe.group for x in fight.foes) else [e for e in fight.enhancers if e[1] == foe.group]
    boosts = tuple(b for b in fight.boosts if b[1] in {e[0] for e in lay})
    for e in lay:
        fight.enhancers = renewed.less(fight.enhancers, e)
        if not switched:
            zones.to_discard(g, e[0], "ENH-9")
        elif e[2] < 0:
            stay.append(e[0])
        else:
            zones.to_hand(g, e[2], e[0])
            g.emit("back", e[2], e[0], rule="FQ-EPIC-2")
    fight.displaced = [*fight.displaced, Displaced(foe, by, tuple(lay), boosts)]
    join(g, new, owner, "COMBAT-9")
    fight.enhancers = [*fight.enhancers, *[(c, fight.foes[-1].group, -1) for c in stay]]
    g.touch()


def transfer(g: Game, seat: int) -> None:
    """The fight changes hands, not the turn (FQ-BASE-52); earlier kills stay credited (FQ-BASE-54)."""
    fight = g.fight
    assert fight is not None
    rewards.put_down(g, fight)
    fight.main = seat
    fight.helper = -1
    fight.deal = Deal()
    fight.compelled = False
    fight.loot_after = True
    g.emit("transfer", seat, rule="FQ-BASE-52")
    g.touch()


def mark(g: Game) -> tuple[int, ...]:
    """The standing of the fight: a move that changes it reopens the window for everyone (COMBAT-31)."""
    fight = g.fight
    assert fight is not None
    mine, theirs = strength.standing(g)
    active = tuple(x.card for x in fight.foes if x.fate == ACTIVE)
    return (mine, theirs, fight.main, fight.helper, *active)


def is_open(g: Game) -> bool:
    """Is the window of a fight open, under whatever is being resolved?"""
    return any(type(f) is Combat for f in g.stack)


def hold(g: Game, seat: int, card: int) -> None:
    """Who has searched the discards for a card that counts in the fight may still play it (FQ-BOOK-18).

    He is waited for, even if he had passed, until he plays it or passes; a server's clock passes for who dawdles, and
    the fight goes on without him (FQ-BOOK-19). Nothing else that leaves the standing alone holds it up (FQ-BOOK-17).
    """
    fight = g.fight
    if fight is None or not is_open(g):
        return
    if any(_counts(m) for m in g.lib.defs[card].modes):
        fight.passed &= ~(1 << seat)
        fight.hold = (seat, card)
        g.emit("hold", seat, card, rule="FQ-BOOK-18")


_AT_HOME: Final = ("item", "lay", "trait", "multi", "companion", "steed", "attach", "lasting")


def _counts(mode: Mode) -> bool:
    """Is this a way to play a card into a fight, and not only before oneself or for a level?"""
    return mode.op not in _AT_HOME and not mode.gain and any(any_of & cx.FIGHT for any_of, _ in mode.alts)


def _release(g: Game, fight: Fight) -> None:
    """What was searched for has been played, or is in that hand no longer."""
    seat, card = fight.hold
    if card not in g.players[seat].hand:
        fight.hold = ()


def step_combat(g: Game, f: Combat) -> bool:
    fight = g.fight
    assert fight is not None
    if fight.hold:
        _release(g, fight)
    if g.players[fight.main].dead:
        g.stack.pop()
        fight_cards.end_fight(g)
        return True
    if fight.deserted and not fights.active_foes(fight):
        _win(g)
        return True
    now: tuple[int, ...] | None = g.cache.get("calm")
    if now is None:  # something has changed since these were last asked
        if _meetings(g, fight) or _refusals(g, fight) or _alone(g, fight):
            return True
        if fight.helper >= 0 and _help_settled(g, fight):
            return True
        if strength.over_at_once(g):
            _lose(g, fight, running_away.at_once(fight))
            return True
        now = g.cache["calm"] = mark(g)
    if now != f.mark:
        f.mark = now
        fight.passed = 0
    passed: int = fight.passed
    for s, p in enumerate(g.players):
        if not p.dead and not passed >> s & 1:
            return False
    if _help_settled(g, fight):
        return True
    if strength.winning(g):
        _win(g)
    else:
        _lose(g, fight, Flee())
    return True


def _meetings(g: Game, fight: Fight) -> bool:
    """What a monster does to whoever faces it: as he comes to, or it does (at the start, on joining).

    Where the card names a condition, it is looked at again after every change, and acts whenever it comes true.
    """
    for foe in fight.foes:
        prog = g.lib.defs[foe.face].on.get("met", -1)
        if prog < 0 or foe.fate != ACTIVE:
            continue
        for s in fights.fighters(g):
            meeting = Effect(prog, foe.card, s, s, foe=foe.card, cause=zones.BAD_STUFF)
            meant = _meant(g, meeting)
            if meant != bool(foe.met >> s & 1):
                foe.met ^= 1 << s
                if meant:
                    g.stack.append(meeting)
                    return True
    return False


def _meant(g: Game, meeting: Effect) -> bool:
    """Is this what the fighter should be for it? A program that is one `if` and nothing else says so itself."""
    program = g.lib.programs[meeting.prog]
    a = program[0].a
    if len(program) > 1 or program[0].verb != "if" or a.else_ >= 0 or a.test is None:
        return True
    return a.test(g, meeting.who, meeting)


def _help_settled(g: Game, fight: Fight) -> bool:
    """Somebody helps, or everybody has passed without: some monsters wait for that."""
    for foe in fight.foes:
        prog = g.lib.defs[foe.face].on.get("help_settled", -1)
        if prog >= 0 and foe.fate == ACTIVE and not foe.settled:
            foe.settled = True
            g.stack.append(Effect(prog, foe.card, fight.main, fight.main, foe=foe.card, cause="help_settled"))
            return True
    return False


def _win(g: Game) -> None:
    g.stack.pop()
    g.offers = []
    g.stack.append(Victory())


def _lose(g: Game, fight: Fight, flee: Flee) -> None:
    """The fight is lost: there is nothing left but running (RUN-1)."""
    g.stack.pop()
    g.offers = []
    g.emit("losing", fight.main, rule="RUN-1")
    fight.fleeing = True
    g.touch_moment()
    g.stack.append(flee)
    for s in fights.fighters(g):
        zones.fire(g, s, "beaten", s)
    for s in g.living(fight.main):  # FQ-REL-1: whoever did something against them
        if fight.hostile >> s & 1:
            zones.fire(g, s, "hindered", s)


def _refusals(g: Game, fight: Fight) -> bool:
    """Monsters that will not fight such munchkins leave at once (FQ-CBT-6, FQ-CBT-14)."""
    if _repelled(g, fight):
        return True
    for foe in fight.foes:
        d = g.lib.defs[foe.face]
        if foe.fate != ACTIVE or not d.refuses:
            continue
        for s in fights.fighters(g):
            if d.refuses & nature.apparent(g, s, False, alone=True):
                fight_cards.leaves(g, foe, REMOVED)
                foe.pays, foe.credit = False, REFUSED
                g.emit("refuses", s, foe.card, rule="COMBAT-13")
                prog = d.on.get("refused", -1)
                if prog >= 0:
                    g.stack.append(Effect(prog, foe.card, s, s, foe=foe.card, cause="refused"))
                return True
    return False


def _repelled(g: Game, fight: Fight) -> bool:
    """Some Curses drive certain monsters away, who leave their Treasures behind."""
    for s in fights.fighters(g):
        for _, m in force.modifiers(g, s, "repels"):
            for foe in fights.active_foes(fight):
                if m.word(g, foe.card):
                    fight_cards.leaves(g, foe, REMOVED)
                    foe.pays, foe.credit = True, -1
                    g.emit("refuses", s, foe.card, rule="COMBAT-13")
                    return True
    return False


def _alone(g: Game, fight: Fight) -> bool:
    """A monster that must be faced alone sends the helper away (FQ-BASE-37)."""
    if fight.helper >= 0 and (
        strength.fight_rule(g, "no_help")
        or g.players[fight.helper].dead
        or force.any_modifier(g, fight.helper, "cannot_help")
    ):
        g.emit("helper_leaves", fight.helper, rule="FQ-BASE-37")
        fight.helper = -1
        g.touch()
        return True
    return False


def awaited_combat(g: Game, f: Combat) -> list[int]:
    """Whoever has not passed, the main player first, then clockwise (AMB-52)."""
    fight = g.fight
    assert fight is not None
    passed: int = fight.passed
    return [s for s in g.living(fight.main) if not passed >> s & 1]


def pass_combat(g: Game, f: Combat, move: Move) -> None:
    fight, seat = g.fight, move.seat
    assert fight is not None
    fight.passed |= 1 << seat
    if fight.hold and fight.hold[0] == seat:
        fight.hold = ()
        g.emit("hold_lapsed", seat, rule="FQ-BOOK-19")
    if fight.at_once:  # what was not played at once is kept
        fight.at_once = [c for c in fight.at_once if c not in g.players[seat].hand]
    if g.offers:
        g.offers = [o for o in g.offers if o.to != seat]


def begin(g: Game, f: Combat, move: Move) -> None:
    """Whatever is done but the use of a power ends the start of the fight (FQ-CLER-5), and is facing what is there.

    A monster is faced by each for himself: what others do takes no chance from the main player (EPIC-26).
    """
    if move.verb == USE:
        return
    assert g.fight is not None
    if f.stage != 1:
        f.stage = 1
    me = 1 << move.seat
    for foe in g.fight.foes:
        faced: int = foe.faced
        if not faced & me:
            foe.faced = faced | me
            if move.seat == g.fight.main:  # nobody else's chance is taken by it
                g.unlist()


def ability_bonus(g: Game, f: Effect) -> int:
    """What other cards add to a named power (Stab-A-Matic)."""
    name = ""
    d = g.lib.defs[f.card]
    for p in d.powers:
        if p.prog == f.prog:
            name = p.key
    return sum(m.word.get(name, 0) for _, m in force.modifiers(g, f.actor, "ability"))


def combat_stage(g: Game, f: Combat, seat: int) -> int:
    return cx.FIGHT | cx.FIGHT_START if f.stage == 0 and g.lib.stages() & cx.FIGHT_START else cx.FIGHT


def why_no_pass(g: Game, f: Combat, seat: int) -> Reason | None:
    """Once each, until something changes (COMBAT-31, COMBAT-32)."""
    assert g.fight is not None
    return r.PASSED if g.fight.passed >> seat & 1 else None


MOMENT: Final[Moment] = Moment(awaited_combat, combat_stage, why_no_pass, pass_combat)
