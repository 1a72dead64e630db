"""What somebody is asked, offered or putting together, and what he can answer."""

from __future__ import annotations

from typing import Final

from kickdoor.engine.chapters import charity, helping, selling
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import SEXES, Game
from kickdoor.engine.value.moves import Move, seat_of
from kickdoor.engine.value.records import OFFER_TRADE, Offer
from kickdoor.paper.grammar import capital, many, together
from kickdoor.voice.naming import card_name, card_names, choice_name, person, pile_name, said

# -- what is asked ------------------------------------------------------------------------------------------------


_ONES_OWN: Final = (fr.Ask, fr.Draft, fr.Surplus, fr.Pay, fr.Creation)  # what others need not know in detail
_OF_ONE: Final = frozenset(_ONES_OWN)
_BUSY: Final[dict[type, str]] = {fr.Creation: "{w} [puts] down starting cards."}
_DRAFTING: Final = {  # what is in it is nobody's business yet; what it is going to be everybody sees coming
    fr.HELP_DRAFT: "{w} [is] working out a deal for help.",
    fr.TRADE_DRAFT: "{w} [is] working out a trade.",
    fr.SELL_DRAFT: "{w} [is] choosing what to sell.",
    fr.CHARITY_DRAFT: "{w} [has] too many cards and [is] choosing what goes to Charity.",
}
_TOO_MUCH: Final = {
    fr.BIG_SURPLUS: ("You have more in play than you may. Which goes?", "BIG-5"),
    fr.POWER_SURPLUS: ("Your Powers have more Ranks than you have levels. Which goes?", "BT-17"),
}
_ONE_GOES: Final = ("Which one goes?", "")
_ASKED: Final = {
    "pay": "Pay with which card?",
    "big": "Who gets {card}?",
    "discard": "Which one do you lose?",
    "take": "Which one do you take?",
    "helper_too": "Does your helper get away as well?",
    "share": "Which Item do you hand over?",
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


def asked(g: Game, me: int) -> str:
    """What this player is asked or offered, or what another one is busy with; nothing where nobody in particular is."""
    f = g.stack[-1]
    if type(f) in _OF_ONE and isinstance(f, _ONES_OWN):  # the first of the two is quickly answered
        if f.seat != me:
            return _busy(g, f, me)
        if type(f) is fr.Ask:
            return _question(g, f, me)
        if type(f) is fr.Draft:
            return _draft(g, f, me)
        if type(f) is fr.Surplus:
            return _TOO_MUCH.get(f.kind, _ONE_GOES)[0]
    mine = [o for o in g.offers if o.to == me] if g.offers else []
    return offer_words(g, mine[-1], me) if mine else ""


def rule(g: Game, me: int) -> str:
    """The rule behind what this player is asked, or nothing."""
    f = g.stack[-1]
    if type(f) is fr.Ask:
        return f.rule if f.seat == me else ""
    if type(f) is fr.Draft:
        if f.seat != me or f.kind != fr.CHARITY_DRAFT:
            return ""
        return "TURN-17" if charity.receivers(g, me) else "TURN-23"
    return _TOO_MUCH.get(f.kind, _ONE_GOES)[1] if type(f) is fr.Surplus and f.seat == me else ""


def _busy(g: Game, f: fr.Frame, me: int) -> str:
    """What another one is asked or doing, for those who wait: no more than everybody sees."""
    assert isinstance(f, _ONES_OWN)
    w = person(g, f.seat, me)
    if type(f) is fr.Draft:
        return said(_DRAFTING[f.kind], w=w)
    below = g.stack[-2] if len(g.stack) > 1 else None
    if type(f) is fr.Ask and type(below) is fr.Death:
        return said("{w} [is] looting {body's} body.", w=w, body=person(g, below.seat, me))
    if type(f) is fr.Ask and type(below) is fr.Victory and f.about == "share":
        return _picking(g, f, below, me)
    return said(_BUSY.get(type(f), "{w} [has] to decide something."), w=w)


def _question(g: Game, f: fr.Ask, me: int) -> str:
    below = g.stack[-2] if len(g.stack) > 1 else None
    if type(below) is fr.Death and f.about == "loot":
        return said("{body} [is] dead. Take one card from the body, or none.", body=person(g, below.seat, me))
    if type(below) is fr.Victory and f.about == "share":
        return _pick(g, f, below, me)
    if f.domain == fr.SEATS and f.about == "share":
        return f"Who gets {card_name(g, f.card)}?"
    n = below.treasures if isinstance(below, fr.Victory) else 0
    text = _ASKED.get(f.about, "Choose.").format(card=card_name(g, f.card), n=n)
    why = f" {card_name(g, f.card)}." if f.card >= 0 and "{card}" not in _ASKED.get(f.about, "") else ""
    many = f" ({len(f.chosen)} of {f.high})" if f.high > 1 else ""
    return f"{text}{many}{why}".replace("..", ".")


def _pick(g: Game, f: fr.Ask, below: fr.Victory, me: int) -> str:
    """One of the Treasures is to be picked: how many are one's own by the agreement, and who is next (HELP-8)."""
    to, left = below.order[0], len(below.order)
    if f.seat != to:
        more = f" {left} are still due." if left > 1 else ""
        return said("Which Treasure goes to {to}?{more}", to=person(g, to, me), more=more)
    mine = sum(s == me for s in below.order)
    if g.fight is not None and g.fight.main == me:
        mine += len(below.pool) - left
    yours = f"{mine} of these {len(below.pool)} {'is' if mine == 1 else 'are'} yours"
    return f"Pick a Treasure: {yours}.{_next_pick(g, below, me)}"


def _picking(g: Game, f: fr.Ask, below: fr.Victory, me: int) -> str:
    """The same, for those who wait."""
    w, to = person(g, f.seat, me), person(g, below.order[0], me)
    if f.seat != below.order[0]:
        return said("{w} [is] choosing a Treasure for {to}.", w=w, to=to)
    return said("{w} [is] picking a Treasure.", w=w) + _next_pick(g, below, me)


def _next_pick(g: Game, below: fr.Victory, me: int) -> str:
    """Who picks after this one; what nobody picks is for the one who was helped."""
    if len(below.order) > 1:
        again = " once more" if below.order[1] == below.order[0] else ""
        return said(" Then {x} [picks]{again}.", x=person(g, below.order[1], me), again=again)
    if g.fight is None or len(below.pool) < 2:
        return ""
    return said(" The rest is {x's own}.", x=person(g, g.fight.main, me))


# -- what is put together, and offered ----------------------------------------------------------------------------


def _draft(g: Game, f: fr.Draft, me: int) -> str:
    if f.kind == fr.SELL_DRAFT:
        return f"For sale: {card_names(g, f.give)}. {selling.worth(g, f):,} of {g.rules.sell.threshold:,} Gold Pieces."
    if f.kind == fr.CHARITY_DRAFT:
        return f"Charity: {many(f.need, 'card')} too many. {_charity(g, f, me)}"
    if f.kind == fr.TRADE_DRAFT:
        return f"You give {g.players[f.to].name} {card_names(g, f.give)} and get {card_names(g, f.get)}."
    extra = f", and {card_names(g, f.give)}" if f.give else ""
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


def _sides(g: Game, f: fr.Draft) -> tuple[int, int]:
    """Who fights and who helps in what is being put together."""
    mine = g.fight is not None and g.fight.main == f.seat
    return (f.seat, f.to) if mine else (f.to, f.seat)


def offer_words(g: Game, o: Offer, me: int) -> str:
    """An offer as it is said across the table."""
    by, to = person(g, o.by, me), person(g, o.to, me)
    give, get = card_names(g, o.give), card_names(g, o.get)
    if o.kind == OFFER_TRADE:
        if not o.give:
            return said("{by} [wants] {get} from {to}.", by=by, to=to, get=get)
        text = "{by} [offers] {to} {give} for {get}." if o.get else "{by} [offers] {to} {give}, for nothing."
        return said(text, by=by, to=to, give=give, get=get)
    n = o.deal.treasures
    main = o.to if o.helper == o.by else o.by
    price = f"{many(n, 'Treasure')}{_picked(g, o.deal.picks, main, o.helper, me)}" if n else "nothing"
    if o.deal.items:
        price = f"{price} and {card_names(g, o.deal.items)}" if n else card_names(g, o.deal.items)
    if o.helper == o.by:
        return said("{by} would help {to} for {price}.", by=by, to=to, price=price)
    return said("{by} [asks] {to} for help and [offers] {price}.", by=by, to=to, price=price)


# -- what can be answered -----------------------------------------------------------------------------------------


def answer_words(g: Game, m: Move, me: int) -> str:
    """One of the answers to a question (`mv.CHOOSE`)."""
    f = g.stack[-1]
    if not isinstance(f, fr.Ask) or f.domain in (fr.CARDS, fr.FOES):
        return choice_name(g, m.card)
    if f.domain == fr.SEATS:
        return said("{w}", w=person(g, m.card, me))
    if f.domain == fr.YESNO:
        return "Yes" if m.card else "No"
    if f.domain == fr.LABELS:
        return _label(g, m.card)
    if f.domain == fr.FIGURES:
        return SEXES[m.card].capitalize()
    if f.domain == fr.PILES:
        return pile_name(g, m.card, f.about)
    return str(m.card)


def _label(g: Game, i: int) -> str:
    below = g.stack[-2]
    if isinstance(below, fr.Effect):
        labels = g.lib.programs[below.prog][below.pc].a.labels
        if i < len(labels):
            return labels[i][0]
    return f"Option {i + 1}"


def part_words(g: Game, m: Move, me: int) -> str:
    """A part of what is being put together (`mv.ADD`)."""
    f = g.stack[-1]
    assert isinstance(f, fr.Draft)
    if m.card < 0:
        return _terms(g, f, m)
    name = choice_name(g, m.card)
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
        return f"Order: {order_words(g, f, m)}"
    n = treasures(m)
    verb = "Offer" if g.fight is not None and g.fight.main == f.seat else "Ask for"
    return f"{verb} {many(n, 'Treasure', 'no Treasures')}{_portion(n, helping.expected_treasures(g))}"


def order_words(g: Game, f: fr.Draft, m: Move) -> str:
    """Who picks first, or whether the fighter chooses what to hand over (HELP-8)."""
    main, helper = _sides(g, f)
    text = ("{w} [picks] first", "{h} [picks] first", "{w} [chooses] what to hand over")[mv.picks_in(m.extra)]
    return said(f", {text}", w=person(g, main, f.seat), h=person(g, helper, f.seat))[2:]


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


def done_words(g: Game, m: Move, me: int) -> str:
    """That this is all: of a sale, or of an answer (`mv.DONE`)."""
    f = g.stack[-1]
    if isinstance(f, fr.Draft) and f.kind == fr.SELL_DRAFT:
        n = selling.worth(g, f) // g.rules.sell.threshold
        return f"Sold! Go up {many(n, 'level')}"
    return "Enough" if isinstance(f, fr.Ask) and f.chosen else "None of these"


_REPLIES: Final = {
    mv.ACCEPT: "Accept {w's} offer",
    mv.DECLINE: "Decline {w's} offer",
    mv.COUNTER: "Make a counter-offer to {w}",
}


def reply_words(g: Game, m: Move, me: int) -> str:
    """What an offer is answered with (`mv.ACCEPT`, `mv.DECLINE`, `mv.COUNTER`)."""
    return said(_REPLIES[m.verb], w=person(g, seat_of(m.target), me))
