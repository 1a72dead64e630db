"""Moves, questions and cards in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from kickdoor.cards.library import CardDef
from kickdoor.cards.words import SLOTS
from kickdoor.engine.chapters import charity, helping, selling
from kickdoor.engine.facts import queries as q
from kickdoor.engine.facts import strength
from kickdoor.engine.playing.abilities import power_of, price
from kickdoor.engine.table import several_piles
from kickdoor.engine.table.items import why_not_equip
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import BEFORE_DOOR, CHARITY_PHASE, DOOR_CARD, SEXES, Game
from kickdoor.engine.value.moves import MONSTERS, MUNCHKINS, Move, seat_of
from kickdoor.engine.value.records import OFFER_TRADE, Offer
from kickdoor.paper.grammar import (
    SOMEBODY,
    Person,
    Word,
    article,
    capital,
    listed,
    many,
    possessive,
    reflexive,
    render,
    together,
    whose,
)

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
DECK_NAMES: Final = ("Door", "Treasure", "Dungeon", "Spell", "Fairy Dust card")


class Entry(NamedTuple):
    """One line of the menu: a move, or several that differ in what they are done to."""

    group: str
    text: str
    moves: tuple[Move, ...]


# -- cards --------------------------------------------------------------------------------------------------------


def card_name(g: Game, card: int) -> str:
    """A card's name; a Mate bears the name of what it copies."""
    if card < 0:
        return "a card"
    fight = g.fight
    if fight is not None:
        foe = q.find_foe(fight, card)
        if foe is not None and foe.face != card:
            return f"{g.lib.defs[foe.face].name} (its {g.lib.defs[card].name})"
    return g.lib.defs[card].name


def kind_word(d: CardDef) -> str:
    """What kind of card it is, as a player says it."""
    if d.kind == "item":
        parts = ["Big" if d.big else "", SLOTS.get(d.slot, "Item")]
        return " ".join(p for p in parts if p)
    return {
        "one_shot": "One-shot",
        "monster_enhancer": "Enhancer",
        "item_enhancer": "Item enhancer",
        "go_up_a_level": "Level",
    }.get(d.kind, d.kind.replace("_", " ").capitalize())


def figures(d: CardDef) -> str:
    """The numbers of a card, in the order people look for them."""
    out = []
    if d.kind == "monster":
        out.append(f"Level {d.level}")
        out.append(many(d.treasures, "Treasure"))
        if d.levels > 1:
            out.append(many(d.levels, "level"))
    elif d.bonus:
        out.append(f"{d.bonus:+d}")
    if d.kind == "power":
        out.append(f"Rank {d.rank}")
    if d.is_item:
        out.append(f"{d.gold} gp" if d.gold else "no value")
    return ", ".join(out)


# -- people and targets -------------------------------------------------------------------------------------------


def person(g: Game, seat: int, me: int) -> Person:
    """A player in a sentence for this listener."""
    if not 0 <= seat < len(g.players):
        return SOMEBODY
    p = g.players[seat]
    return _person(p.name, seat == me, p.sex)


@lru_cache(maxsize=4000)
def _person(name: str, you: bool, sex: int) -> Person:
    """Kept: the same few people are in every sentence of a table."""
    return Person(name, you, sex=SEXES[sex] if 0 <= sex < len(SEXES) else "")


def said(text: str, **words: Word) -> str:
    """A sentence with these words in its gaps (`grammar.render`). Everybody around a table is told much the same."""
    return _said(text, tuple(words.items()))


@lru_cache(maxsize=4000)
def _said(text: str, words: tuple[tuple[str, Word], ...]) -> str:
    return render(text, dict(words).__getitem__)


def target_words(g: Game, target: int, me: int, by: int = -1) -> str:
    """What a move is aimed at, as the end of a sentence: of one's own, or of what somebody (`by`) did."""
    if target == MUNCHKINS:
        mine = g.fight is not None and me in q.fighters(g)
        return "your side" if mine else "the munchkins"
    if target == MONSTERS:
        return "the monsters"
    s = seat_of(target)
    if s >= 0:
        if s == by or (by < 0 and s == me):
            return reflexive(person(g, s, me))
        return "you" if s == me else g.players[s].name
    if target < 0:
        return ""
    owner = q.owner(g, target)
    name = card_name(g, target)
    if owner == me >= 0:
        return f"your {name}" if by >= 0 else name
    if owner == by >= 0:
        return f"{whose(person(g, by, me))} {name}"
    return f"{possessive(g.players[owner].name)} {name}" if owner >= 0 else name


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
    bonus = f" ({d.bonus:+d})" if d.bonus else ""
    if op == "item":
        what = ", ".join(x for x in (f"{d.bonus:+d}" if d.bonus else "", SLOTS.get(d.slot, "")) if x)
        return f"Put on {d.name}" + (f" ({what})" if what else "") if worn(g, m, me) else f"Carry {d.name}{bonus}"
    if op == "lay":
        return f"Keep {d.name}{bonus} ready on the table"
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
    return _power_name(g, m) + (f": {on}" if on else "") + _price(cost, p.cost_hand, p.cost_self, p.cost_level)


def _power_name(g: Game, m: Move) -> str:
    """A power, and the card that gives it where that has another name."""
    p = power_of(g, m.seat, m.card, mv.power_index(m.extra))
    name = g.lib.defs[m.card].name
    return p.name + ("" if p.name == name else f" ({name})")


def _price(cost: int, hand: int, self_: bool, level: int) -> str:
    if cost:
        return f", costs {many(cost, 'card')}"
    if hand:
        return ", costs your whole hand"
    if self_:
        return ", uses it up"
    return f", costs {many(level, 'level')}" if level else ""


def _say_choose(g: Game, m: Move, me: int) -> str:
    f = g.stack[-1]
    if not isinstance(f, fr.Ask) or f.domain in (fr.CARDS, fr.FOES):
        return _owned(g, m.card, me)
    if f.domain == fr.SEATS:
        return said("{w}", w=person(g, m.card, me))
    if f.domain == fr.YESNO:
        return "Yes" if m.card else "No"
    if f.domain == fr.LABELS:
        return _label(g, m.card)
    if f.domain == fr.FIGURES:
        return SEXES[m.card].capitalize()
    if f.domain == fr.PILES:
        return _pile(g, m.card, f.about)
    return str(m.card)


def _owned(g: Game, card: int, me: int) -> str:
    """A card among others, with what makes the choice easier."""
    if card < 0:
        return "A card from the hand, unseen"
    facts = figures(g.lib.defs[card])
    where = ", in use" if card in g.equipped else ""
    return card_name(g, card) + (f" ({facts}{where})" if facts or where else "")


def _pile(g: Game, place: int, deck: str) -> str:
    """A pile to draw from, by its place on the table or the set it holds."""
    name = several_piles.name(g, place)
    left = several_piles.heights(g, ("doors", "treasures").index(deck))[name]
    where = f"the {name}" if name in several_piles.SIDES else name.replace("_", " ").title()
    return f"{deck.capitalize()} {'on' if name in several_piles.SIDES else 'of'} {where} ({many(left, 'card')})"


def _label(g: Game, i: int) -> str:
    below = g.stack[-2]
    if isinstance(below, fr.Effect):
        labels = g.lib.programs[below.prog][below.pc].a.labels
        if i < len(labels):
            return labels[i][0]
    return f"Option {i + 1}"


def _say_add(g: Game, m: Move, me: int) -> str:
    f = g.stack[-1]
    assert isinstance(f, fr.Draft)
    if m.card < 0:
        return _terms(g, f, m)
    name = _owned(g, m.card, me)
    if f.kind == fr.SELL_DRAFT:
        return f"Sell {name}" + (" at twice its price" if m.extra == mv.DOUBLE_PRICE else "")
    if f.kind == fr.CHARITY_DRAFT:
        s = seat_of(m.target)
        return f"Give {name} to {g.players[s].name}" if s >= 0 else f"Discard {name}"
    if f.kind == fr.TRADE_DRAFT:
        return f"Give {name}" if m.card in g.players[me].table else f"Get {name}"
    return f"Promise {name}" if g.fight is not None and g.fight.main == me else f"Ask for {name}"


def _terms(g: Game, f: fr.Draft, m: Move) -> str:
    if mv.names_picks(m.extra):
        return f"Order: {_order(g, f, m)}"
    n = treasures(m)
    verb = "Offer" if g.fight is not None and g.fight.main == f.seat else "Ask for"
    return f"{verb} {many(n, 'Treasure', 'no Treasures')}{_portion(n, helping.expected_treasures(g))}"


def _order(g: Game, f: fr.Draft, m: Move) -> str:
    """Who picks first, or whether the fighter chooses what to hand over (HELP-8)."""
    main, helper = _sides(g, f)
    text = ("{w} [picks] first", "{h} [picks] first", "{w} [chooses] what to hand over")[mv.picks_in(m.extra)]
    return said(f", {text}", w=person(g, main, f.seat), h=person(g, helper, f.seat))[2:]


def _sides(g: Game, f: fr.Draft) -> tuple[int, int]:
    """Who fights and who helps in what is being put together."""
    mine = g.fight is not None and g.fight.main == f.seat
    return (f.seat, f.to) if mine else (f.to, f.seat)


def _portion(n: int, total: int) -> str:
    """A number of Treasures as people say it."""
    if not n:
        return ""
    if n == total:
        return ", all there is"
    if n * 2 == total:
        return ", half of them"
    return ", the smaller half" if n * 2 + 1 == total else ", the larger half" if n * 2 - 1 == total else ""


def treasures(m: Move) -> int:
    """How many Treasures a part of an offer names, or -1 if it is about something else."""
    return mv.treasures_in(m.extra) if m.card < 0 and mv.names_treasures(m.extra) else -1


def _say_done(g: Game, m: Move, me: int) -> str:
    f = g.stack[-1]
    if isinstance(f, fr.Draft) and f.kind == fr.SELL_DRAFT:
        n = selling.worth(g, f) // g.rules.sell.threshold
        return f"Sold! Go up {many(n, 'level')}"
    return "Enough" if isinstance(f, fr.Ask) and f.chosen else "None of these"


def _say_run(g: Game, m: Move, me: int) -> str:
    return f"Run away from {card_name(g, m.card)}"


def _say_offer(g: Game, m: Move, me: int) -> str:
    return said(_ANSWERS[m.verb], w=person(g, seat_of(m.target), me))


_ANSWERS: Final = {
    mv.ACCEPT: "Accept {w's} offer",
    mv.DECLINE: "Decline {w's} offer",
    mv.COUNTER: "Make a counter-offer to {w}",
}
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
    return f"Put on {card_name(g, m.card)}" + (f" ({bonus:+d})" if bonus else "") + by


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
    mv.CHOOSE: _say_choose,
    mv.DONE: _say_done,
    mv.CANCEL: _plain("Never mind"),
    mv.RUN: _say_run,
    mv.SELL: _plain("Sell Items for a level"),
    mv.CHARITY: _plain("Charity: too many cards"),
    mv.END_TURN: _plain("End your turn"),
    mv.ASK_HELP: _on_seat("Ask {name} for help"),
    mv.OFFER_HELP: _on_seat("Offer {name} your help"),
    mv.TRADE: _on_seat("Trade with {name}"),
    mv.ADD: _say_add,
    mv.PROPOSE: _plain("Say it: that is the offer"),
    mv.ACCEPT: _say_offer,
    mv.DECLINE: _say_offer,
    mv.COUNTER: _say_offer,
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
        return f"Play {d.name}" + (f" ({d.bonus:+d})" if d.bonus else "") + " on ..."
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
        return f"{_power_name(g, m)} …"
    bonus = f" ({d.bonus:+d})" if d.bonus else ""
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
        return capital(_order(g, f, m)) if isinstance(f, fr.Draft) and mv.names_picks(m.extra) else ""
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


_ONES_OWN: Final = (fr.Ask, fr.Draft, fr.Surplus, fr.Pay, fr.Creation)  # what others need not know in detail
_OF_ONE: Final = frozenset(_ONES_OWN)
_BUSY: Final[dict[type, str]] = {fr.Creation: "{w} [puts] down starting cards."}
_DRAFTING: Final = {  # what is in it is nobody's business yet; what it is going to be everybody sees coming
    fr.HELP_DRAFT: "{w} [is] working out a deal for help.",
    fr.TRADE_DRAFT: "{w} [is] working out a trade.",
    fr.SELL_DRAFT: "{w} [is] choosing what to sell.",
    fr.CHARITY_DRAFT: "{w} [has] too many cards and [is] choosing what goes to Charity.",
}


def headline(g: Game, me: int, must: bool) -> str:
    """What is waited for, with the rule that asks it."""
    rule = asking_rule(g, me)
    return sentence(g, me, must) + (f" ({rule})" if rule else "")


def asking_rule(g: Game, me: int) -> str:
    """The rule behind what this player is asked, or nothing."""
    f = g.stack[-1]
    if type(f) is fr.Ask:
        return f.rule if f.seat == me else ""
    if type(f) is fr.Draft:
        if f.seat != me or f.kind != fr.CHARITY_DRAFT:
            return ""
        return "TURN-17" if charity.receivers(g, me) else "TURN-23"
    return _TOO_MUCH.get(f.kind, _ONE_GOES)[1] if type(f) is fr.Surplus and f.seat == me else ""


def sentence(g: Game, me: int, must: bool) -> str:
    """In one sentence: what is waited for."""
    f = g.stack[-1]
    if type(f) in _OF_ONE and isinstance(f, _ONES_OWN):  # the first of the two is quickly answered
        if f.seat != me:
            busy = _DRAFTING[f.kind] if type(f) is fr.Draft else _BUSY.get(type(f), "{w} [has] to decide something.")
            return said(busy, w=person(g, f.seat, me))
        if type(f) is fr.Ask:
            return _question(g, f)
        if type(f) is fr.Draft:
            return _draft(g, f, me)
        if type(f) is fr.Surplus:
            return _TOO_MUCH.get(f.kind, _ONE_GOES)[0]
    mine = [o for o in g.offers if o.to == me] if g.offers else []
    if mine:
        return offer_words(g, mine[-1], me)
    if type(f) is fr.Creation:
        return f"Before the first turn: put down {_opening(g)} and Items, if you have them."
    if type(f) is fr.Curse:
        aim = f", on {card_name(g, f.item)}" if f.item >= 0 else ""
        return said("{c} is about to strike {w}{aim}.", c=card_name(g, f.card), w=person(g, f.victim, me), aim=aim)
    if type(f) is fr.Roll:
        text = "{w} [has] {n} on the die and [needs] {need}." if f.need else "{w} [has] {n} on the die."
        return said(text, w=person(g, f.seat, me), n=article(str(f.face + f.bonus)), need=str(f.need))
    if type(f) is fr.Window and f.what == "escaped":
        return said("{w} got away from {c}.", w=person(g, f.seat, me), c=card_name(g, f.card))
    if g.fight is not None and not g.fight.over:
        return _fight_line(g, me)
    if type(f) is fr.Turn and g.turn == me:
        return _turn_line(g, f.phase)
    turn = said("It is {w's} turn.", w=person(g, g.turn, me))
    return f"{turn} Do you want to do something?" if must else turn


def _turn_line(g: Game, phase: int) -> str:
    return {
        BEFORE_DOOR: "Your turn. Get ready, then kick open the door.",
        DOOR_CARD: "No monster. The card is yours.",
        CHARITY_PHASE: _last_words(g),
    }.get(phase, "Nobody home. Look for trouble, or loot the room.")


def _last_words(g: Game) -> str:
    """At the end of one's own turn: why there is Charity, if there is (TURN-17)."""
    held, limit = len(g.players[g.turn].hand), q.hand_limit(g, g.turn)
    return f"You hold {many(held, 'card')} and may keep {limit}." if held > limit else "The end of your turn."


def _fight_line(g: Game, me: int) -> str:
    fight = g.fight
    assert fight is not None
    mine, theirs = strength.standing(g)
    main = person(g, fight.main, me)
    if fight.fleeing:
        return said("The fight is lost. {w} [has] to run.", w=main)
    sums = f"{mine} to {theirs}"
    if strength.winning(g):
        by = f" by {mine - theirs}" if mine > theirs else ""
        return said("{w} [is] winning{by}, {sums}.", w=main, by=by, sums=sums)
    by = f" by {theirs - mine}" if theirs > mine else " (a tie is a loss)"
    if theirs < mine:
        by = " (this one cannot be beaten)"
    return said("{w} [is] losing{by}, {sums}.", w=main, by=by, sums=sums)


def _opening(g: Game) -> str:
    """What there is to put down in these sets, besides Items (CHAR-4, CHAR-5, BT-3)."""
    words = {"race": "a Race", "class": "a Class", "power": "a Power", "companion": "a companion"}
    return listed([words[o.kind] for o in g.rules.setup.opening_play if o.kind in words], "or", "what you are")


_TOO_MUCH: Final = {
    fr.BIG_SURPLUS: ("You have more in play than you may. Which goes?", "BIG-5"),
    fr.POWER_SURPLUS: ("Your Powers have more Ranks than you have levels. Which goes?", "BT-17"),
}
_ONE_GOES: Final = ("Which one goes?", "")
_ASKED: Final = {
    "loot": "The body is laid out. Take one card, or none.",
    "pay": "Pay with which card?",
    "big": "Who gets {card}?",
    "discard": "Which one do you lose?",
    "take": "Which one do you take?",
    "helper_too": "Does your helper get away as well?",
    "share": "Pick a Treasure.",
    "exchange": "A level more, instead of all your Treasure ({n}), unseen?",
    "pass_on": "Who gets {card}?",
    "steed": "Which Steed gives way to {card}?",
    "mount": "Which of your Steeds do you ride in this roll?",
    "retrieve": "Which card do you take from the discards?",
    "choose": "{card}: choose.",
    "die": "Which face shall the die show?",
    "companion": "Who dies?",
    "first_dungeon": "In which Dungeon does it begin? You pick, after the last game.",
    "figure": "Which figure goes on the board? It is your character's sex.",
}


def _question(g: Game, f: fr.Ask) -> str:
    below = g.stack[-2] if len(g.stack) > 1 else None
    n = below.treasures if isinstance(below, fr.Victory) else 0
    text = _ASKED.get(f.about, "Choose.").format(card=card_name(g, f.card), n=n)
    why = f" {card_name(g, f.card)}." if f.card >= 0 and "{card}" not in _ASKED.get(f.about, "") else ""
    many = f" ({len(f.chosen)} of {f.high})" if f.high > 1 else ""
    return f"{text}{many}{why}".replace("..", ".")


def _names(g: Game, cards: tuple[int, ...]) -> str:
    return listed([card_name(g, c) for c in cards], nothing="nothing")


def _draft(g: Game, f: fr.Draft, me: int) -> str:
    if f.kind == fr.SELL_DRAFT:
        return f"For sale: {_names(g, f.give)}. {selling.worth(g, f):,} of {g.rules.sell.threshold:,} Gold Pieces."
    if f.kind == fr.CHARITY_DRAFT:
        return f"Charity: {many(f.need, 'card')} too many. {_charity(g, f, me)}"
    if f.kind == fr.TRADE_DRAFT:
        return f"You give {g.players[f.to].name} {_names(g, f.give)} and get {_names(g, f.get)}."
    extra = f", and {_names(g, f.give)}" if f.give else ""
    n = f"{many(f.treasures, 'Treasure', 'no Treasures')}{_picked(g, f.picks, *_sides(g, f), me)}"
    if g.fight is not None and g.fight.main == me:
        return f"You ask {g.players[f.to].name} for help and offer {n}{extra}."
    return f"You offer {g.players[f.to].name} your help for {n}{extra}."


def _charity(g: Game, f: fr.Draft, me: int) -> str:
    """Who gets what is too much, and why; or why nobody does (TURN-19, TURN-23)."""
    it, go, are = ("it", "goes", "is") if f.need == 1 else ("they", "go", "are")
    to = [person(g, s, me) for s in charity.receivers(g, f.seat)]
    if to:
        shared = "the lowest, as evenly as can be: " if len(to) > 1 else "the lowest, "
        return capital(f"{it} {go} to {shared}{together(to).name}.")
    level = g.players[f.seat].level
    if all(level <= g.players[s].level for s in g.living(f.seat)):
        return f"You are the lowest yourself, so {it} {are} discarded."
    return f"A card of yours says that {it} {are} discarded."


_PICKED: Final = {
    mv.PICKS_UNSAID: "",
    mv.PICKS_MAIN: " ({w} [picks] first)",
    mv.PICKS_HELPER: " ({h} [picks] first)",
    mv.PICKS_HANDED: " ({w} [chooses] which)",
}


def _picked(g: Game, picks: int, main: int, helper: int, me: int) -> str:
    """Who picks, as part of a sentence for this listener (HELP-8)."""
    return said(_PICKED[picks], w=person(g, main, me), h=person(g, helper, me))


def offer_words(g: Game, o: Offer, me: int) -> str:
    """An offer as it is said across the table."""
    by, to = person(g, o.by, me), person(g, o.to, me)
    give, get = _names(g, o.give), _names(g, o.get)
    if o.kind == OFFER_TRADE:
        if not o.give:
            return said("{by} [wants] {get} from {to}.", by=by, to=to, get=get)
        text = "{by} [offers] {to} {give} for {get}." if o.get else "{by} [offers] {to} {give}, for nothing."
        return said(text, by=by, to=to, give=give, get=get)
    n = o.deal.treasures
    main = o.to if o.helper == o.by else o.by
    price = f"{many(n, 'Treasure')}{_picked(g, o.deal.picks, main, o.helper, me)}" if n else "nothing"
    if o.deal.items:
        price = f"{price} and {_names(g, o.deal.items)}" if n else _names(g, o.deal.items)
    if o.helper == o.by:
        return said("{by} would help {to} for {price}.", by=by, to=to, price=price)
    return said("{by} [asks] {to} for help and [offers] {price}.", by=by, to=to, price=price)
