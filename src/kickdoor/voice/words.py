"""Moves and moments in plain words: what can be done, and what is waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from kickdoor.cards.words import SLOTS
from kickdoor.engine.facts import fights, force, strength
from kickdoor.engine.playing.abilities import power_of, price
from kickdoor.engine.table.items import why_not_equip
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import BEFORE_DOOR, CHARITY_PHASE, DOOR_CARD, Game
from kickdoor.engine.value.moves import Move, seat_of
from kickdoor.engine.value.records import Fight
from kickdoor.paper.grammar import article, capital, listed, many, signed
from kickdoor.voice import asking
from kickdoor.voice.naming import card_name, figures, person, power_name, said, target_words

ANSWER, TURN, FIGHT, CARDS, GEAR, TALK, MORE = (
    "Your answer",
    "Your turn",
    "The fight",
    "Your cards",
    "Equipment",
    "Table talk",
    "More",
)
GROUPS: Final = (ANSWER, FIGHT, TURN, CARDS, GEAR, TALK, MORE)
_GROUP_OF: Final = {
    mv.CHOOSE: ANSWER,
    mv.DONE: ANSWER,
    mv.CANCEL: ANSWER,
    mv.ADD: ANSWER,
    mv.PROPOSE: ANSWER,
    mv.ACCEPT: ANSWER,
    mv.DECLINE: ANSWER,
    mv.COUNTER: ANSWER,
    mv.RUN: FIGHT,
    mv.SACRIFICE: FIGHT,
    mv.ASK_HELP: FIGHT,
    mv.OFFER_HELP: FIGHT,
    mv.PLAY: CARDS,
    mv.USE: CARDS,
    mv.EQUIP: GEAR,
    mv.SELL: GEAR,
    mv.WITHDRAW: TALK,
    mv.TRADE: MORE,
    mv.UNEQUIP: MORE,
    mv.DISCARD: MORE,
    mv.SHOW_HAND: MORE,
}


class Entry(NamedTuple):
    """One line of the menu: a move, or several that differ in what they are done to."""

    group: str
    text: str
    moves: tuple[Move, ...]


# -- moves --------------------------------------------------------------------------------------------------------


def say(g: Game, m: Move, me: int) -> str:
    """A move as a player would announce it."""
    fn = _SAY.get(m.verb)
    return fn(g, m, me) if fn is not None else mv.VERB_NAMES[m.verb].replace("_", " ").capitalize()


def _say_pass(g: Game, m: Move, me: int) -> str:
    f = g.stack[-1]
    if type(f) is fr.Creation:
        return "I'm done: that is who I am"
    if type(f) is fr.Combat and g.fight is not None:
        if me == g.fight.main:
            return "I'm done" if strength.winning(g) else "I'm done (you are losing: you would have to run)"
        return "I'm done: let it happen"
    if type(f) is fr.Flee:
        return "I'm done: on to the running"
    if type(f) is fr.Draw:
        return "Draw from the deck"
    return "Let it happen"


def worn(g: Game, m: Move, me: int) -> bool:
    """Will an Item that is played be in use at once?"""
    d = g.lib.defs[m.card]
    return d.modes[mv.mode_index(m.extra)].op == "item" and not d.is_one_shot and why_not_equip(g, me, m.card) is None


def _say_play(g: Game, m: Move, me: int) -> str:
    d = g.lib.defs[m.card]
    mode = d.modes[mv.mode_index(m.extra)]
    op = mode.op
    bonus = f" ({signed(d.bonus)})" if d.bonus else ""
    if op == "item":
        what = ", ".join(x for x in (signed(d.bonus) if d.bonus else "", SLOTS.get(d.slot, "")) if x)
        return f"Put on {d.name}" + (f" ({what})" if what else "") if worn(g, m, me) else f"Carry {d.name}{bonus}"
    if op == "lay":
        return f"Carry {d.name}{bonus}" if d.is_item else f"Keep {d.name}{bonus} ready on the table"
    if op == "trait":
        if m.target >= 0 and g.lib.defs[m.target].name == d.name:
            return f"Swap your {d.name} for this one"
        over = f" instead of {article(card_name(g, m.target))}" if m.target >= 0 else ""
        return f"Become {article(d.name)}{over}"
    if op == "curse":
        return f"Play {d.name} on {target_words(g, m.target, me)}"
    if d.kind == "go_up_a_level" and seat_of(m.target) >= 0:
        return said("Play {c}: {w} [goes] up a level", c=d.name, w=person(g, seat_of(m.target), me))
    with_ = f" with {card_name(g, m.extra)}" if mv.names_card(m.extra) else ""
    on = target_words(g, m.target, me)
    word = f" ({mode.word})" if mode.word and not mv.names_card(m.extra) else ""
    return f"Play {d.name}{bonus}{with_}" + (f" on {on}" if on else "") + word


def _say_use(g: Game, m: Move, me: int) -> str:
    p = power_of(g, m.seat, m.card, mv.power_index(m.extra))
    on = target_words(g, m.target, me)
    cost = price(g, p, m.target)
    return power_name(g, m) + (f": {on}" if on else "") + _price(cost, p.cost_hand, p.cost_self, p.cost_level)


def _price(cost: int, hand: int, self_: bool, level: int) -> str:
    if cost:
        return f", costs {many(cost, 'card')}"
    if hand:
        return ", costs your whole hand"
    if self_:
        return ", uses it up"
    return f", costs {many(level, 'level')}" if level else ""


def _say_run(g: Game, m: Move, me: int) -> str:
    return f"Run away from {card_name(g, m.card)}"


Sayer = Callable[[Game, Move, int], str]


def _on_card(fmt: str) -> Sayer:
    return lambda g, m, me: fmt.format(card=card_name(g, m.card), facts=figures(g.lib.defs[m.card]))


def _on_seat(fmt: str) -> Sayer:
    return lambda g, m, me: fmt.format(name=g.players[seat_of(m.target)].name)


def _plain(text: str) -> Sayer:
    return lambda g, m, me: text


def _say_equip(g: Game, m: Move, me: int) -> str:
    by = f" on {card_name(g, m.target)}" if m.target >= 0 else ""
    bonus = g.lib.defs[m.card].bonus
    return f"Put on {card_name(g, m.card)}" + (f" ({signed(bonus)})" if bonus else "") + by


_SAY: Final[dict[int, Sayer]] = {
    mv.PASS: _say_pass,
    mv.KICK: _plain("Kick open the door"),
    mv.TROUBLE: _on_card("Look for trouble: fight {card} ({facts})"),
    mv.LOOT: _plain("Loot the room"),
    mv.PLAY: _say_play,
    mv.KEEP: lambda g, m, me: f"Keep {card_name(g, g.door_card)}",
    mv.EQUIP: _say_equip,
    mv.UNEQUIP: _on_card("Take off {card}"),
    mv.DISCARD: _on_card("Give up {card}"),
    mv.USE: _say_use,
    mv.CHOOSE: asking.answer_words,
    mv.DONE: asking.done_words,
    mv.CANCEL: _plain("Never mind"),
    mv.RUN: _say_run,
    mv.SELL: _plain("Sell Items for a level"),
    mv.CHARITY: _plain("Charity: too many cards"),
    mv.END_TURN: _plain("End your turn"),
    mv.ASK_HELP: _on_seat("Ask {name} for help"),
    mv.OFFER_HELP: _on_seat("Offer {name} your help"),
    mv.TRADE: _on_seat("Trade with {name}"),
    mv.ADD: asking.part_words,
    mv.PROPOSE: _plain("Say it: that is the offer"),
    mv.ACCEPT: asking.reply_words,
    mv.DECLINE: asking.reply_words,
    mv.COUNTER: asking.reply_words,
    mv.SACRIFICE: _on_card("Leave {card} behind and get away"),
    mv.SHOW_HAND: _plain("Show everybody your hand"),
    mv.WITHDRAW: _plain("Take your offer back"),
}


# -- the menu -----------------------------------------------------------------------------------------------------


def menu(g: Game, moves: list[Move], me: int) -> list[Entry]:
    """The moves as lines, in groups; what only differs in its target is one line."""
    bundles: dict[tuple[int, ...], list[Move]] = {}
    for m in moves:
        bundles.setdefault(_bundle(m), []).append(m)
    out: list[Entry] = []
    for some in bundles.values():
        group = _group(g, some[0])
        if some[0].card >= 0 and g.lib.defs[some[0].card].kind == "go_up_a_level":
            own = [m for m in some if seat_of(m.target) == me]
            out += [Entry(group, say(g, m, me), (m,)) for m in own]
            some = [m for m in some if m not in own]
        if len(some) > 2:
            out.append(Entry(group, _title(g, some[0], me), tuple(some)))
        else:
            out += [Entry(group, say(g, m, me), (m,)) for m in some]
    return sorted(out, key=lambda e: GROUPS.index(e.group))


def _bundle(m: Move) -> tuple[int, ...]:
    """What is said in one breath."""
    if m.verb in (mv.PLAY, mv.USE, mv.ADD) and m.card >= 0:
        return (m.verb, m.card, m.extra if mv.names_mode(m.extra) else 0)
    if m.verb == mv.ADD:
        return (m.verb, -1, int(mv.names_picks(m.extra)))
    if m.verb in (mv.UNEQUIP, mv.TRADE, mv.DISCARD):
        return (m.verb,)
    return tuple(m)


def _group(g: Game, m: Move) -> str:
    if m.verb == mv.PASS:
        return FIGHT if g.fight is not None else ANSWER
    return _GROUP_OF.get(m.verb, TURN)


def _title(g: Game, m: Move, me: int) -> str:
    """The line for a bundle; what it is done to is asked next."""
    if m.verb == mv.USE:
        p = power_of(g, m.seat, m.card, mv.power_index(m.extra))
        return f"{p.name}{_price(p.cost, p.cost_hand, p.cost_self, p.cost_level)}, on ..."
    if m.verb == mv.ADD and m.card < 0:
        return "Change the order of picking ..." if mv.names_picks(m.extra) else "Change the number of Treasures ..."
    if m.verb == mv.PLAY:
        d = g.lib.defs[m.card]
        if d.kind == "go_up_a_level":
            return f"Play {d.name} for somebody else ..."
        return f"Play {d.name}" + (f" ({signed(d.bonus)})" if d.bonus else "") + " on ..."
    return {
        mv.UNEQUIP: "Take something off ...",
        mv.TRADE: "Trade with ...",
        mv.DISCARD: "Give up a Race, Class or companion ...",
    }.get(m.verb, f"{say(g, m, me)} ...")


# -- moves that are chosen in two steps: what, then on what ------------------------------------------------------


def title(g: Game, m: Move, me: int) -> str:
    """What is said of a move before it is said what it is aimed at; empty for one that is aimed at nothing."""
    if m.verb not in (mv.PLAY, mv.USE, mv.EQUIP) or (m.target == mv.NONE and not mv.names_card(m.extra)):
        return ""
    d = g.lib.defs[m.card]
    if m.verb == mv.USE:
        return f"{power_name(g, m)} …"
    bonus = f" ({signed(d.bonus)})" if d.bonus else ""
    if m.verb == mv.EQUIP:
        return f"Put on {card_name(g, m.card)}{bonus} …"
    mode = d.modes[mv.mode_index(m.extra)]
    if mode.op == "trait":
        return f"Become {article(d.name)} instead of …"
    if d.kind == "go_up_a_level" and seat_of(m.target) >= 0:
        return f"Play {d.name}: who goes up a level?"
    word = f" ({mode.word})" if mode.word and not mv.names_card(m.extra) else ""
    return f"Play {d.name}{bonus}{word}" + (" …" if mv.names_card(m.extra) else " on …")


def label(g: Game, m: Move, me: int) -> str:
    """What makes a move different from others like it: what it is aimed at; empty where there are none like it."""
    if m.verb in (mv.RUN, mv.SACRIFICE):
        return card_name(g, m.card)
    if m.verb == mv.TROUBLE:
        return f"{card_name(g, m.card)} ({figures(g.lib.defs[m.card])})"
    if m.verb == mv.ADD:
        f = g.stack[-1]
        return capital(asking.order_words(g, f, m)) if isinstance(f, fr.Draft) and mv.names_picks(m.extra) else ""
    if m.target == mv.NONE and not mv.names_card(m.extra):
        return ""
    on = target_words(g, m.target, me)
    if m.verb == mv.PLAY and mv.names_card(m.extra):
        on = f"with {card_name(g, m.extra)}" + (f", on {on}" if on else "")
    elif m.verb == mv.USE and on:
        p = power_of(g, m.seat, m.card, mv.power_index(m.extra))
        on += _price(price(g, p, m.target), p.cost_hand, p.cost_self, p.cost_level)
    return capital(on)


PRIMARY: Final = (mv.PASS, mv.KICK, mv.KEEP, mv.LOOT, mv.END_TURN, mv.RUN)
_PRIMARY: Final = {verb: at for at, verb in enumerate(PRIMARY)}


def first_move(moves: Sequence[Move]) -> Move | None:
    """The move that one key stands for, or None. Never one that gives something away."""
    found: list[Move | None] = [None] * len(PRIMARY)
    several = 0  # bit set of verbs of which there is more than one
    for m in moves:
        at = _PRIMARY.get(m.verb, -1)
        if at >= 0:
            if found[at] is not None:
                several |= 1 << at
            found[at] = m
    for at, first in enumerate(found):
        if first is not None and not several >> at & 1:
            return first
    return None


def primary(g: Game, entries: list[Entry]) -> int:
    """The line that Enter stands for, or -1. Never one that gives something away."""
    for verb in PRIMARY:
        for i, e in enumerate(entries):
            if e.moves and e.moves[0].verb == verb and len(e.moves) == 1:
                return i
    return -1


# -- what is going on ---------------------------------------------------------------------------------------------


def headline(g: Game, me: int, must: bool) -> str:
    """What is waited for, with the rule that asks it."""
    rule = asking.rule(g, me)
    return sentence(g, me, must) + (f" ({rule})" if rule else "")


def sentence(g: Game, me: int, must: bool) -> str:
    """In one sentence: what is waited for. The dead are told that they are, or they would wait for a move."""
    now = _going_on(g, me, must)
    dead = me >= 0 and g.players[me].dead and not must
    return f"You are dead until the next turn. {now}" if dead else now


def _going_on(g: Game, me: int, must: bool) -> str:
    asked = asking.asked(g, me)
    if asked:
        return asked
    f = g.stack[-1]
    if type(f) is fr.Creation:
        return f"Before the first turn: put down {_opening(g)} and Items, if you have them."
    if type(f) is fr.Curse:
        aim = f", on {card_name(g, f.item)}" if f.item >= 0 else ""
        return said("{c} is about to strike {w}{aim}.", c=card_name(g, f.card), w=person(g, f.victim, me), aim=aim)
    if type(f) is fr.Roll:
        return _roll_line(g, f, me)
    if type(f) is fr.Window and f.what in _WINDOWS:
        return _window_line(g, f, me, must)
    if g.fight is not None and not g.fight.over:
        return _fight_line(g, me)
    if type(f) is fr.Turn and g.turn == me:
        return _turn_line(g, f.phase)
    dealing = any(type(x) is fr.Creation for x in g.stack)
    now = "The cards are dealt." if dealing else said("It is {w's} turn.", w=person(g, g.turn, me))
    return f"{now} {_ACT}" if must else now


_ACT: Final = "Do you want to do something?"
# What goes on at a moment at which everybody may act (`frames.Window`), and what is added for who may: no such moment
# is just somebody's turn.
_WINDOWS: Final[dict[str, tuple[str, str]]] = {
    "escaped": ("{w} got away from {c}.", ""),
    "victory": ("{w} [has] won the fight, and what it pays comes next.", _ACT),
    "opening": (
        "{c} was dealt and takes effect before the first turn.",
        "Whoever would rather be something else by then becomes it now.",
    ),
    "invited": ("{c}: the others may send weaker monsters of their own.", ""),
    "stray": ("A monster was discarded, and {w} may tame it.", ""),
    "dying": ("{w} [is] dying, and may do one last thing.", ""),
}


def _window_line(g: Game, f: fr.Window, me: int, must: bool) -> str:
    text, more = _WINDOWS[f.what]
    now = said(text, w=person(g, f.seat, me), c=card_name(g, f.card))
    return f"{now} {more}" if must and more else now


def _roll_line(g: Game, f: fr.Roll, me: int) -> str:
    """The sum counts, and is not what the die shows."""
    n = f"{article(str(f.face))} on the die"
    if f.bonus:
        n = f"{f.face + f.bonus} ({f.face} on the die, {signed(f.bonus)})"
    text = "{w} [has] {n} and [needs] {need}." if f.need else "{w} [has] {n}."
    return said(text, w=person(g, f.seat, me), n=n, need=str(f.need))


def _turn_line(g: Game, phase: int) -> str:
    return {
        BEFORE_DOOR: "Your turn. Get ready, then kick open the door.",
        DOOR_CARD: "No monster. The card is yours.",
        CHARITY_PHASE: _last_words(g),
    }.get(phase, "Nobody home. Look for trouble, or loot the room.")


def _last_words(g: Game) -> str:
    """At the end of one's own turn: why there is Charity, if there is (TURN-17)."""
    held, limit = len(g.players[g.turn].hand), force.hand_limit(g, g.turn)
    return f"You hold {many(held, 'card')} and may keep {limit}." if held > limit else "The end of your turn."


def _fight_line(g: Game, me: int) -> str:
    fight = g.fight
    assert fight is not None
    mine, theirs = strength.standing(g)
    main = person(g, fight.main, me)
    if fight.fleeing:
        return said("The fight is lost. {w} [has] to run.", w=person(g, _runner(g, fight), me))
    sums = f"{mine} to {theirs}"
    if strength.winning(g):
        by = f" by {mine - theirs}" if mine > theirs else ""
        return said("{w} [is] winning{by}, {sums}{tie}.", w=main, by=by, sums=sums, tie=_tie(g, mine, theirs))
    by = f" by {theirs - mine}" if theirs > mine else " (a tie is a loss)"
    if theirs < mine:
        by = " (this one cannot be beaten)"
    return said("{w} [is] losing{by}, {sums}.", w=main, by=by, sums=sums)


def _runner(g: Game, fight: Fight) -> int:
    """Who runs now; where nobody does as yet, the main player, or the helper whom he has left behind by dying."""
    runner = next((f.runner for f in reversed(g.stack) if isinstance(f, fr.Flee)), -1)
    if runner >= 0 and not g.players[runner].dead:
        return runner
    return fight.helper if g.players[fight.main].dead and fight.helper >= 0 else fight.main


def _tie(g: Game, mine: int, theirs: int) -> str:
    """Why a tie is won (COMBAT-4), where that decides it."""
    wins = [c for s in fights.fighters(g) for c, _ in force.modifiers(g, s, "wins_ties")] if mine == theirs else []
    if not wins:
        return ""
    d = g.lib.defs[wins[0]]
    return f": {article(d.name) if d.kind in ('race', 'class') else d.name} wins ties"


def _opening(g: Game) -> str:
    """What there is to put down in these sets, besides Items (CHAR-4, CHAR-5, BT-3)."""
    words = {"race": "a Race", "class": "a Class", "power": "a Power", "companion": "a companion"}
    return listed([words[o.kind] for o in g.rules.setup.opening_play if o.kind in words], "or", "what you are")
