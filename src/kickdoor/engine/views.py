"""Views: what one seat, or a spectator, may know. A whitelist: only what was put there on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from kickdoor.engine.chapters import helping, running_away
from kickdoor.engine.facts import force, front, nature, strength
from kickdoor.engine.kernel import to_act
from kickdoor.engine.table import accessories, items, several_piles, standies, wandering
from kickdoor.engine.value import drawn
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import DECKS, DUNGEON, PHASES, SEXES, Game, Player, by_seat
from kickdoor.engine.value.records import ACTIVE, OFFER_TRADE, Fight, Offer, Term
from kickdoor.engine.value.seen import (
    DOMAINS,
    AskedState,
    Drafted,
    DrewState,
    EscapeState,
    FightState,
    OfferState,
    OwnState,
    PendingState,
    Phase,
    PlayerState,
    ProspectState,
    Seen,
    Sex,
    TermState,
    View,
)

SPECTATOR: Final = -1
EVERYTHING: Final = -2  # for scenarios and the log of a finished game


def phase_name(g: Game) -> Phase:
    """The phase as a player would call it."""
    f = g.stack[0]
    if type(f) is fr.Turn:
        return PHASES[f.phase]
    return ""


def view(g: Game, seat: int) -> View:
    """The table as `seat` sees it (SPECTATOR for an onlooker)."""
    out = cast(View, seen(g, seat))
    out["dice_left"] = len(g.dice) if seat == EVERYTHING else 0
    return out


def seen(g: Game, seat: int) -> Seen:
    """The same, as it is sent to people. To be read: what everybody sees is a part of every viewer's."""
    front = g.sight
    if front is None:
        front = g.sight = _sight(g)
    own = range(len(g.players)) if seat == EVERYTHING else (seat,) if seat >= 0 else ()
    out = front.copy()
    out["seat"] = seat
    if type(g.stack[-1]) is fr.Ask:  # whatever else is asked looks the same to everybody
        out["asked"] = asked(g, seat)
    if own:
        players = out["players"] = front["players"][:]
        for s in own:
            mine = players[s] = players[s].copy()
            mine["hand"] = list(g.players[s].hand)
            if mine["drew"]["cards"] is None:
                drew = mine["drew"] = mine["drew"].copy()
                drew["cards"] = _cards_drawn(g, s)
            mine["fresh"] = _fresh(g, s)
    if _looks_through(g, seat):
        out["discards"] = [_discards(g, d, seat) for d in range(DECKS)]
    return out


def _sight(g: Game) -> Seen:
    """What an onlooker sees, and so does everybody else."""
    return {
        "seat": SPECTATOR,
        "turn": g.turn,
        "turns": g.turns,
        "phase": phase_name(g),
        "players": [_player(g, s) for s in range(len(g.players))],
        "decks": [several_piles.size(g, d) for d in range(DECKS)],
        "piles": [several_piles.heights(g, d) for d in range(DECKS)],
        "discards": [_discards(g, d, SPECTATOR) for d in range(DECKS)],
        "discard_counts": [len(g.discards[d]) for d in range(DECKS)],
        "board": standies.board(g),
        "tops": [wandering.on_top(g, d) for d in range(DECKS)],
        "changed_hands": [{"thing": c, "giver": by, "taker": to} for c, by, to in g.ledger],
        "next_time": accessories.after(g) if g.brought else {},
        "box": list(g.box),
        "dungeons": list(g.dungeons),
        "door_card": g.door_card,
        "doors": _doors(g),
        "fight": _fight(g, g.fight) if g.fight is not None and not g.fight.over else None,
        "offers": [_offer(g, o) for o in g.offers],
        "asked": asked(g, SPECTATOR),
        "pending": pending(g),
        "awaited": to_act(g),
        "rolls": list(g.rolls),
        "winners": list(g.winners),
    }


def _discards(g: Game, deck: int, seat: int) -> list[int]:
    """Face-up piles: the top card is public, the rest is looked through only where a card says so (PILE-2, PILE-3)."""
    pile = g.discards[deck]
    if seat == EVERYTHING or _searches(g, pile, seat):
        return list(reversed(pile))
    return list(pile[-1:]) if deck != DUNGEON else []  # DUNG-7: face-down beside their deck


def _looks_through(g: Game, seat: int) -> bool:
    """Could this viewer see more of the discards than their tops?"""
    f = g.stack[-1]
    return seat == EVERYTHING or (type(f) is fr.Ask and f.seat == seat)


def _searches(g: Game, pile: Sequence[int], seat: int) -> bool:
    """Is this player choosing among the cards of a discard pile? Then he is looking through it (PILE-3)."""
    f = g.stack[-1]
    return type(f) is fr.Ask and f.seat == seat and f.domain == fr.CARDS and any(c in pile[:-1] for c in f.options)


_SEEN: Final = by_seat("seen")
_FIGURES: Final = by_seat("figures")


def _player(g: Game, s: int) -> PlayerState:
    """A player's part of the table, as others see it; kept until something in it may have changed."""
    p = g.players[s]
    key = _SEEN[s]
    got: tuple[tuple[int, ...], bool, PlayerState] | None = g.cache.get(key)
    drew = g.drew[s]
    if got is not None and got[0] is drew and got[1] == p.dead and not p.shown:
        return got[2]
    out = _looked_at(g, s, p)
    if not p.shown:
        g.cache[key] = (drew, p.dead, out)
    return out


def _looked_at(g: Game, s: int, p: Player) -> PlayerState:
    sex, force, run, hands, limit, traits = _figures(g, s)
    return {
        "name": p.name,
        "level": p.level,
        "sex": sex,
        "dead": p.dead,
        "hand": list(p.hand) if p.shown else None,
        "hand_size": len(p.hand),
        "accessories": list(g.accessories[s]) if g.accessories else [],
        "table": list(p.table),
        "equipped": [c for c in p.table if c in g.equipped],
        "attached": {c: g.host[c] for c in p.table if c in g.host} if g.host else {},
        "steeds": front.steeds(g, s),
        "tamed": {c: n for c, n in g.ridden.items() if c in p.table and g.lib.defs[c].kind == "monster"},
        "borne": {c: g.bearer[c] for c in p.table if c in g.bearer} if g.bearer else {},
        "strength": force,
        "run_bonus": run,
        "hands_free": hands,
        "hand_limit": limit,
        "traits": list(traits),
        "afflictions": [c for x, c, _, _ in g.afflictions if x == s] if g.afflictions else [],
        "drew": _drew(g, s, SPECTATOR),
        "fresh": [],
    }


def own_cards(g: Game, seat: int) -> OwnState:
    """What only the player knows of his part of the table: the same fields as in `players`."""
    return {
        "hand": list(g.players[seat].hand),
        "drew": _drew(g, seat, seat),
        "fresh": _fresh(g, seat),
    }


def _fresh(g: Game, seat: int) -> list[int]:
    return [c for x, c in g.fresh if x == seat] if g.fresh else []


def _figures(g: Game, s: int) -> tuple[Sex, int, int, int, int, tuple[str, ...]]:
    """What everybody can work out about a player; kept, since every viewer wants it."""
    key = _FIGURES[s]
    got: tuple[Sex, int, int, int, int, tuple[str, ...]] | None = g.cache.get(key)
    if got is None:
        got = g.cache[key] = (
            _sex(g, s),
            strength.strength(g, s),
            running_away.run_bonus(g, s) + force.total(g, s, "die"),
            items.hand_capacity(g, s) - items.hands_used(g, s),
            force.hand_limit(g, s),
            tuple(sorted(nature.traits(g, s))),
        )
    return got


def _sex(g: Game, s: int) -> Sex:
    """The sex a player counts as: one, both or none."""
    sexes = front.sexes(g, s)
    return SEXES[g.players[s].sex] if len(sexes) == 1 else "both" if sexes else "none"


def _drew(g: Game, s: int, viewer: int) -> DrewState:
    """What the last reward or draw gave: how many of which deck, and the cards where they are known."""
    codes = g.drew[s]
    if not codes:
        return {"cards": [], "counts": [0] * DECKS, "face": "down"}
    up = drawn.is_face_up(codes[0])
    cards = _cards_drawn(g, s)
    known = up or viewer in (s, EVERYTHING)
    counts = [0] * DECKS
    defs = g.lib.defs
    for c in cards:
        counts[defs[c].deck] += 1
    return {
        "cards": cards if known else None,
        "counts": counts,
        "face": "up" if up else "down",
    }


def _cards_drawn(g: Game, s: int) -> list[int]:
    return [drawn.card_of(c) for c in drawn.cards(g.drew[s])]


def _doors(g: Game) -> list[int]:
    """What else lies open at an Epic door (EPIC-9)."""
    f = g.stack[0]
    return [*f.doors, *f.foes] if type(f) is fr.Turn else []


def _terms(terms: list[Term]) -> list[TermState]:
    return [{"amount": t.amount, "card": t.card, "rule": t.rule} for t in terms]


def _both_terms(g: Game) -> tuple[list[TermState], list[TermState]]:
    """Both sides of the fight, term by term; kept as long as the terms are."""
    got: tuple[list[TermState], list[TermState]] | None = g.cache.get("seen terms")
    if got is None:
        ours, foes = strength.terms(g)
        got = g.cache["seen terms"] = (_terms(ours), _terms(foes))
    return got


def _escapes(g: Game, f: Fight, winning: bool) -> list[EscapeState]:
    """Nobody runs from a fight that is being won."""
    if winning and not f.fleeing:
        return []
    ahead = running_away.ahead(g, f)
    return [{"seat": s, "foe": c, "need": x.need, "chance": x.percent} for s, c, x in ahead]


def _fight(g: Game, f: Fight) -> FightState:
    mine, theirs = strength.standing(g)
    ours, foes = _both_terms(g)
    winning = strength.winning(g)
    return {
        "main": f.main,
        "helper": f.helper,
        "munchkins": mine,
        "monsters": theirs,
        "winning": winning,
        "fleeing": f.fleeing,
        "foes": [
            {
                "card": x.card,
                "face": x.face,
                "active": x.fate == ACTIVE and not x.gone,
                "strength": sum(t.amount for t in strength.foe_terms(g, x)),
                "treasures": strength.foe_treasures(g, x),
                "enhancers": [e for e, group, _ in f.enhancers if group == x.group],
            }
            for x in f.foes
        ],
        "escapes": _escapes(g, f, winning),
        "treasures": helping.expected_treasures(g),
        "munchkin_terms": ours,
        "monster_terms": foes,
        "played": [c for c, _ in f.committed],
        "hold": {"seat": f.hold[0], "card": f.hold[1]} if f.hold else None,
        "passed": [s for s in range(len(g.players)) if f.passed >> s & 1],
        "deal": {
            "treasures": f.deal.treasures,
            "picks": f.deal.picks,
            "items": list(f.deal.items),
            "plays": len(f.deal.plays),
        },
    }


def prospect(g: Game, helper: int) -> ProspectState:
    """What the fight would come to with a helper."""
    p = helping.prospect(g, helper)
    return {"munchkins": p.munchkins, "monsters": p.monsters, "winning": p.winning, "treasures": p.treasures}


def _offer(g: Game, o: Offer) -> OfferState:
    """Offers are said aloud; promised hand cards are named by their number only."""
    return {
        "kind": "trade" if o.kind == OFFER_TRADE else "help",
        "by": o.by,
        "to": o.to,
        "treasures": o.deal.treasures,
        "picks": o.deal.picks,
        "items": list(o.deal.items),
        "plays": len(o.deal.plays),
        "give": list(o.give),
        "get": list(o.get),
        "helper": o.helper,
        "prospect": prospect(g, o.helper) if o.helper >= 0 and g.fight is not None else None,
    }


_DRAFTS: Final[dict[int, Drafted]] = {
    fr.HELP_DRAFT: "help",
    fr.TRADE_DRAFT: "trade",
    fr.SELL_DRAFT: "sell",
    fr.CHARITY_DRAFT: "charity",
}
_SURPLUS: Final = (
    *("big", "race", "class", "slots", "steed", "power", "epic", "companion", "ship"),
    *("style", "training", "loyalty", "accent"),
)
_SURPLUS_RULES: Final = (  # what there is too much of, and which rule says so
    *("BIG-5", "RACE-8", "CLASS-8", "EQUIP-4", "STEED-2", "BT-17", "EPIC-7", "HIRE-4", "XOVER-14"),
    *("XOVER-8", "XOVER-8", "XOVER-8", "XOVER-8"),
)


def asked(g: Game, viewer: int) -> AskedState | None:
    """The decision that is waited for, if it is one player's."""
    if g.winners:
        return None
    f = g.stack[-1]
    if type(f) is fr.Ask:
        mine = viewer in (f.seat, EVERYTHING)
        return {
            "seat": f.seat,
            "about": f.about,
            "card": f.card,
            "rule": f.rule,
            "options": list(f.options) if mine or f.domain not in (fr.CARDS, fr.LABELS) else None,
            "treasures": _at_stake(g),
            "domain": DOMAINS[f.domain],
        }
    if type(f) is fr.Draft:
        return _task(f.seat, _DRAFTS[f.kind])
    if type(f) is fr.Surplus:
        return _task(f.seat, _SURPLUS[f.kind], f.card, _SURPLUS_RULES[f.kind])
    if g.offers:
        o = g.offers[-1]
        return _task(o.to, "trade" if o.kind == OFFER_TRADE else "help", rule="HELP-2")
    return None


def _task(seat: int, about: str, card: int = -1, rule: str = "") -> AskedState:
    """Something to be decided that has no list of options."""
    return {
        "seat": seat,
        "about": about,
        "card": card,
        "rule": rule,
        "options": None,
        "treasures": 0,
        "domain": "cards",
    }


def _at_stake(g: Game) -> int:
    """How many Treasures a question is about, where they may be given up unseen (FQ-REL-6)."""
    below = g.stack[-2]  # the answer goes there
    return below.treasures if type(below) is fr.Victory else 0


def pending(g: Game) -> PendingState | None:
    """What is happening in front of everybody: a Curse about to strike, a roll, a flight."""
    if g.winners:
        return None
    f = g.stack[-1]
    if type(f) is fr.Curse:
        return {"what": "curse", "seat": f.victim, "card": f.card, "by": f.caster, "item": f.item}
    if type(f) is fr.Roll:
        return {"what": "roll", "seat": f.seat, "die": f.face, "bonus": f.bonus, "need": f.need, "foe": f.foe}
    if type(f) is fr.Flee:
        return {"what": "flight", "main": list(f.main_left), "helper": list(f.helper_left)}
    if type(f) is fr.Window:
        return {"what": f.what, "seat": f.seat, "card": f.card}
    return None


def breakdown(g: Game, seat: int) -> list[TermState]:
    """A player's strength, term by term."""
    return _terms(strength.seat_terms(g, seat))
