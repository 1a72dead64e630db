"""How a fight at a table with real cards stands, by the engine: both sums term by term, and what would come of it."""

from __future__ import annotations

from typing import Final

from kickdoor.companion import shapes as sh
from kickdoor.companion.happening import bad_stuff, victory
from kickdoor.companion.laying import FREE, Impossible, Laid, lay
from kickdoor.engine.chapters import helping, running_away
from kickdoor.engine.facts import fights, front
from kickdoor.engine.facts import strength as st
from kickdoor.engine.kernel import apply, legal
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import ACTIVE, Foe, Term
from kickdoor.paper.grammar import listed
from kickdoor.voice.words import say

HELPS: Final = 12  # ways to turn a fight that are told at most
HANDS: Final = "Nobody's hand is known here: what they could still play is not counted."


def stands(question: sh.FightQuestion) -> sh.FightTold:
    """The answer to POST /api/counter/fight. Raises Impossible."""
    asked = question.position.fight
    if asked is None or not asked.foes:
        raise Impossible("There is no fight: nobody has said which monster it is.")
    hand = [(f"hand.{i}", card) for i, card in enumerate(question.hand)]
    laid = lay(question.position, {asked.main: [x for x in hand if x[1]]})
    return told(laid, asked)


def told(laid: Laid, asked: sh.FightAsked) -> sh.FightTold:
    g = laid.g
    if g.fight is None:
        raise Impossible("This fight is over as soon as it begins: a card in it says so.")
    mine, theirs = st.standing(g)
    ours, foes = st.terms(g)
    winning, must_flee = st.winning(g), st.fight_rule(g, "must_flee")
    monsters = [_foe(laid, asked, x, _foe_of(g, laid, x)) for x in asked.foes]
    return {
        "munchkins": mine,
        "monsters": theirs,
        "munchkin_terms": [_term(laid, t) for t in _owned(g, ours)],
        "monster_terms": [_term(laid, (t, -1)) for t in foes],
        "winning": winning,
        "ties": st.wins_ties(g),
        "must_flee": must_flee,
        "says": _says(laid, mine, theirs, winning, must_flee),
        "levels": victory(laid),
        "treasures": helping.expected_treasures(g),
        "foes": monsters,
        "flights": _flights(laid, asked),
        "helps": [] if winning else _helps(laid),
        "refusals": laid.refusals,
        "assumed": [*laid.assumed, *_unsettled(g), HANDS],
    }


def _foe_of(g: Game, laid: Laid, x: sh.FoeAsked) -> Foe | None:
    """A monster as it is in the fight, unless it has left: some do at once (FQ-BASE-49)."""
    assert g.fight is not None
    found = next((f for f in g.fight.foes if f.card == laid.cards[x.thing]), None)
    return found if found is not None and found.fate == ACTIVE else None


# -- terms --------------------------------------------------------------------------------------------------------


def _owned(g: Game, terms: list[Term]) -> list[tuple[Term, int]]:
    """Each term of the munchkins' side, and whose Level it is where it is one: the main fighter's comes first."""
    seats = iter(fights.fighters(g))
    return [(t, next(seats, -1) if t.card < 0 and not t.rule.startswith(FREE) else -1) for t in terms]


def _term(laid: Laid, owned: tuple[Term, int]) -> sh.TermTold:
    t, seat = owned
    g = laid.g
    if t.rule.startswith(FREE):
        e = laid.entered[int(t.rule[len(FREE) :])]
        return {"amount": t.amount, "name": e.name, "thing": e.thing, "sheet": e.sheet, "rule": e.rule}
    if t.card < 0:
        sheet = laid.sheets[seat] if seat >= 0 else ""
        return {"amount": t.amount, "name": "Level", "thing": "", "sheet": sheet, "rule": t.rule}
    owner = front.owner(g, t.card)
    return {
        "amount": t.amount,
        "name": _name(laid, t.card),
        "thing": laid.things.get(t.card, ""),
        "sheet": laid.sheets[owner] if owner >= 0 else "",
        "rule": t.rule,
    }


def _name(laid: Laid, card: int) -> str:
    """What a card is called: a monster without one as it was entered."""
    thing = laid.things.get(card, "")
    asked = laid.asked.fight
    if card in laid.unlisted and asked is not None:
        x = next(x for x in asked.foes if x.thing == thing)
        return x.name or x.card or f"A monster of Level {x.level or 1}"
    return laid.g.lib.defs[card].name


def _says(laid: Laid, mine: int, theirs: int, winning: bool, must_flee: bool) -> str:
    g = laid.g
    names = listed([g.players[s].name for s in fights.fighters(g)], "and", "")
    verb = ("win" if winning else "lose") + ("s" if len(fights.fighters(g)) == 1 else "")
    if must_flee:
        return f"{names} cannot win this: there is nothing but running away."
    tie = " A tie is enough here." if winning and mine == theirs else " A tie is not enough." if mine == theirs else ""
    return f"{names} {verb}, {mine} to {theirs}.{tie}"


def _unsettled(g: Game) -> list[str]:
    """What would have to be decided before anybody could go on."""
    f = g.stack[-1]
    if isinstance(f, fr.Surplus):
        return [f"{g.players[f.seat].name} has more in play than the rules allow; it counts here all the same."]
    return [] if isinstance(f, fr.Combat) else ["Something would have to be chosen first; it is left open here."]


# -- monsters -----------------------------------------------------------------------------------------------------


def _foe(laid: Laid, asked: sh.FightAsked, x: sh.FoeAsked, foe: Foe | None) -> sh.FoeTold:
    g = laid.g
    if foe is None:
        laid.assumed.append(f"{_name(laid, laid.cards[x.thing])} has left the fight already, by what its card says.")
        return _gone(laid, x)
    d = g.lib.defs[foe.face]
    known = foe.card not in laid.unlisted
    fighters = [f for f in (asked.main, asked.helper) if f]
    return {
        "thing": x.thing,
        "name": _name(laid, foe.card),
        "known": known,
        "strength": sum(t.amount for t in st.foe_terms(g, foe)),
        "treasures": st.foe_treasures(g, foe),
        "levels": st.foe_levels(g, foe),
        "bad_stuff": d.card.bad_stuff_text or "",
        "hits": [bad_stuff(laid, s, foe) for s in dict.fromkeys(fighters)] if known else [],
    }


def _gone(laid: Laid, x: sh.FoeAsked) -> sh.FoeTold:
    return {
        "thing": x.thing,
        "name": _name(laid, laid.cards[x.thing]),
        "known": True,
        "strength": 0,
        "treasures": 0,
        "levels": 0,
        "bad_stuff": "",
        "hits": [],
    }


def _flights(laid: Laid, asked: sh.FightAsked) -> list[sh.Flight]:
    g = laid.g
    assert g.fight is not None
    return [_flight(laid, s, card, x) for s, card, x in running_away.ahead(g, g.fight)]


def _flight(laid: Laid, seat: int, card: int, odds: running_away.Odds) -> sh.Flight:
    g = laid.g
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    assert foe is not None
    name = g.players[seat].name
    if odds.need == 0:
        says = f"{name} gets away from {_name(laid, card)} without a roll."
    elif odds.need > running_away.FACES:
        says = f"Nobody gets away from {_name(laid, card)} by rolling."
    else:
        says = f"{name} needs {odds.need} or more against {_name(laid, card)} ({odds.percent}%)."
    own = [_run_term(laid, c, n, laid.sheets[seat], "RUN-7") for c, n in running_away.run_terms(g, seat)]
    theirs = [_run_term(laid, c, n, "", "RUN-8") for c, n in running_away.foe_run_terms(g, foe)]
    return {
        "sheet": laid.sheets[seat],
        "foe": laid.things.get(card, ""),
        "needs": odds.need,
        "chance": odds.percent,
        "modifiers": [m for m in (*own, *theirs) if m["amount"]],
        "says": says,
    }


def _run_term(laid: Laid, card: int, amount: int, sheet: str, rule: str) -> sh.TermTold:
    """A summand of a throw, called after the card that gives it."""
    thing = laid.things.get(card, "")
    return {"amount": amount, "name": _name(laid, card), "thing": thing, "sheet": sheet, "rule": rule}


# -- what would help ----------------------------------------------------------------------------------------------


def _helps(laid: Laid) -> list[sh.Help]:
    """The smallest bonus that turns the fight, whoever could help, and cards and powers that do it."""
    g = laid.g
    out: list[sh.Help] = []
    mine, theirs = st.standing(g)
    if not st.fight_rule(g, "must_flee"):
        by = theirs - mine + (0 if st.wins_ties(g) else 1)
        tie = ", since ties are won" if st.wins_ties(g) else ""
        out.append(_help(by, "", "", mine + by, theirs, f"A bonus of {by} turns it{tie}."))
    out += _helpers(laid)
    out += _turning(laid)
    return out[:HELPS]


def _help(by: int, card: str, sheet: str, munchkins: int, monsters: int, says: str) -> sh.Help:
    return {"by": by, "card": card, "sheet": sheet, "munchkins": munchkins, "monsters": monsters, "says": says}


def _helpers(laid: Laid) -> list[sh.Help]:
    g = laid.g
    assert g.fight is not None
    out: list[sh.Help] = []
    for s, sheet in enumerate(laid.sheets):
        if helping.why_not(g, s) is not None:
            continue
        p = helping.prospect(g, s)
        if p.winning:
            tie = ", and a tie is enough" if p.munchkins == p.monsters else ""
            says = f"With {g.players[s].name} it is {p.munchkins} to {p.monsters}{tie}."
            out.append(_help(0, "", sheet, p.munchkins, p.monsters, says))
    return out


def _turning(laid: Laid) -> list[sh.Help]:
    """Cards and powers of the fighters after which the fight is won: tried out on copies."""
    g = laid.g
    out: list[sh.Help] = []
    done: set[tuple[int, int]] = set()
    for seat in fights.fighters(g):
        for m in legal(g, seat):
            if m.verb not in (mv.PLAY, mv.USE) or (m.card, m.verb) in done:
                continue
            tried = g.clone()
            tried.events = None
            apply(tried, m, trusted=True)
            if not isinstance(tried.stack[-1], fr.Combat) or tried.fight is None or not st.winning(tried):
                continue
            done.add((m.card, m.verb))
            mine, theirs = st.standing(tried)
            name = g.lib.defs[m.card].name
            says = f"{g.players[seat].name}: {say(g, m, seat)}. Then it is {mine} to {theirs}."
            out.append(_help(0, name, laid.sheets[seat], mine, theirs, says))
    return out
