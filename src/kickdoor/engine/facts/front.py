"""What lies in front of a player, and what he is by it: Races, Classes, sex, companions, Steeds; what lies on a card.

Nothing here asks what is in force (`force`), which asks this.
"""

from __future__ import annotations

from typing import Final

from kickdoor.cards.kinds import TRAITS as TRAIT_KINDS
from kickdoor.cards.library import CardDef
from kickdoor.engine.facts import fights
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.game import SEXES, Game

RIDER = "rider"  # whoever has a Steed is one, for Items and monsters that ask
ONE: Final = tuple(frozenset((s,)) for s in SEXES)
BOTH: Final = frozenset(SEXES)
RECAST = {"race": "class", "class": "race"}
NOTHING: Final[frozenset[str]] = frozenset()


def cards_of_kind(g: Game, seat: int, kind: str) -> list[int]:
    if g.lib.recasts and g.host and kind in RECAST:
        return [c for c in g.players[seat].table if kind_of(g, c) == kind]
    defs = g.lib.defs
    return [c for c in g.players[seat].table if defs[c].kind == kind]


def kind_of(g: Game, card: int) -> str:
    """The kind of a card in play: what lies on it may make a Class of a Race, and the other way round (FQ-CWBH-3)."""
    defs = g.lib.defs
    kind = defs[card].kind
    if g.lib.recasts and g.host and kind in RECAST and any(defs[a].recasts for a in attachments(g, card)):
        return RECAST[kind]
    return kind


def attachments(g: Game, card: int) -> list[int]:
    """Cards that lie on this one, in an order that does not depend on when they came (a saved game forgets that)."""
    out = [a for a, host in g.host.items() if host == card] if g.host else []
    if len(out) > 1:
        out.sort()
    return out


def waived(g: Game, card: int) -> bool:
    """Has this Item a Cheat! on it (FQ-CHEAT-4), or been made to fit for good?"""
    if card in g.exempt:
        return True
    if not g.host:
        return False
    defs = g.lib.defs
    return any(host == card and defs[a].waives for a, host in g.host.items())


def suppressed(g: Game, card: int) -> bool:
    """Is this Item under a Curse that takes all its good away (CAP-18)?"""
    if not g.host:
        return False
    defs = g.lib.defs
    return any(host == card and "suppress" in defs[a].mods for a, host in g.host.items())


def shielded(g: Game, card: int, how: str) -> bool:
    """Does something that lies on a card keep it from being lost in this way (CAP-19)?"""
    if not g.host:
        return False
    defs = g.lib.defs
    return any(how in m.word for a in attachments(g, card) for m in defs[a].mods.get("shields", ()))


def owner(g: Game, card: int) -> int:
    """In front of whom a card lies, or -1."""
    for s, p in enumerate(g.players):
        if card in p.table:
            return s
    return -1


def sees(g: Game, seat: int, card: int) -> bool:
    """Does this player see that card: his own, what lies before anybody, in the fight, or open at the door?"""
    if card in g.players[seat].hand or card == g.door_card or owner(g, card) >= 0 or card in g.dungeons:
        return True
    if card == g.lib.no_race:  # being Human is no card, and no secret
        return True
    if any(card in mine for mine in g.accessories):
        return True
    f = g.fight
    if f is not None and (fights.find_foe(f, card) or any(card == e[0] for e in (*f.enhancers, *f.committed))):
        return True
    top = g.stack[-1]
    pile = g.discards[g.lib.defs[card].deck]
    return bool(pile and pile[-1] == card) or (isinstance(top, fr.Ask) and top.seat == seat and card in top.options)


def has_races(g: Game) -> bool:
    """Is anybody a Human here? Only where there are Races to have instead (GB-2, SAMB-47)."""
    return "race" in g.lib.kinds and g.rules.traits.race.enabled and g.rules.traits.race.default is not None


def races(g: Game, seat: int) -> list[int]:
    """The Race cards that count before a player (RACE-2: none means Human)."""
    return [] if "race" in forgotten(g, seat) else cards_of_kind(g, seat, "race")


def classes(g: Game, seat: int) -> list[int]:
    return [] if "class" in forgotten(g, seat) else cards_of_kind(g, seat, "class")


def forgotten(g: Game, seat: int) -> frozenset[str]:
    """The kinds of trait (race, class) that a lasting Curse keeps from a player."""
    if not g.lib.forgetful:
        return NOTHING
    lost = g.about(seat).lost
    if lost is None:
        lost = g.about(seat).lost = _find_forgotten(g, seat)
    return lost


def _find_forgotten(g: Game, seat: int) -> frozenset[str]:
    out = NOTHING
    defs = g.lib.defs
    for c in g.players[seat].table:
        d = defs[c]
        if d.mods and "suppress_traits" in d.mods:
            out |= _kept_by(g, seat, d)
    for s, _, i, _ in g.afflictions:
        if s == seat:
            out |= _kept_by(g, seat, g.lib.afflictions[i])
    return out


def _kept_by(g: Game, seat: int, d: CardDef) -> frozenset[str]:
    if d.lasting == "next_combat" and not fights.in_fight(g, seat):
        return NOTHING
    return NOTHING.union(*(m.word for m in d.mods.get("suppress_traits", ())))


def counted(g: Game, seat: int) -> list[int]:
    """What a player can be said to have: not the traits he has forgotten, nor the cards for two of them."""
    table = g.players[seat].table
    lost = forgotten(g, seat)
    if not lost:
        return table
    defs = g.lib.defs
    return [c for c in table if kind_of(g, c) not in lost and defs[c].multi not in lost]


def has_kind(g: Game, seat: int, kinds: tuple[str, ...], unridden: bool = False) -> bool:
    """Can a player be said to have a card of these kinds? Not one that serves as a Steed, where that counts
    (FQ-DER-5, FQ-DER-6)."""
    defs = g.lib.defs
    return any(defs[c].kind in kinds and not (unridden and c in g.ridden) for c in counted(g, seat))


def anyone_has_kind(g: Game, kinds: tuple[str, ...], unridden: bool = False) -> bool:
    """Can any of the living be said to have one?"""
    return any(not p.dead and has_kind(g, s, kinds, unridden) for s, p in enumerate(g.players))


def sexes(g: Game, seat: int) -> frozenset[str]:
    """The sexes a player counts as: the one he has, both, or neither (CHAR-10)."""
    if g.afflictions and any(s == seat and "sex" in g.lib.afflictions[i].mods for s, _, i, _ in g.afflictions):
        return frozenset()
    defs = g.lib.defs
    for c in g.players[seat].table:
        if "sex" in defs[c].mods and c in g.equipped and not suppressed(g, c):
            return BOTH
    return ONE[g.players[seat].sex]


def own_traits(g: Game, seat: int) -> set[str]:
    """Without what cards grant: sex, Races, Classes, Powers; Human without a Race (RACE-2); a rider with a Steed."""
    out: set[str] = set(sexes(g, seat))
    defs = g.lib.defs
    has_race = False
    lost = forgotten(g, seat)
    for c in g.players[seat].table:
        d = defs[c]
        if d.kind in TRAIT_KINDS and kind_of(g, c) not in lost:
            out |= d.traits
            has_race = has_race or kind_of(g, c) == "race"
    if not has_race and has_races(g):
        out.add("human")
    if steeds(g, seat):
        out.add(RIDER)
    return out


def with_drawbacks(g: Game, seat: int, out: frozenset[str]) -> frozenset[str]:
    """Of these traits those whose disadvantages count: not both sexes, nor a lone Race under Half-Breed (FQ-RC-1)."""
    if len(sexes(g, seat)) > 1:
        out -= set(SEXES)
    if g.rules.traits.single_benefit:
        for group in ("race", "class"):
            if multi_card(g, seat, group) >= 0:
                cards = races(g, seat) if group == "race" else classes(g, seat)
                if len(cards) == 1:
                    out -= g.lib.defs[cards[0]].traits
    return out


def multi_card(g: Game, seat: int, group: str) -> int:
    """The Half-Breed or Super Munchkin (or relative) before a player, or -1."""
    defs = g.lib.defs
    for c in g.players[seat].table:
        if defs[c].multi == group:
            return c
    return -1


def trait_limit(g: Game, seat: int, group: str) -> int:
    """How many Races, Classes, Styles... a player may have (RACE-8, CLASS-8, XOVER-9, XOVER-10)."""
    c = multi_card(g, seat, group)
    base: int = getattr(g.rules.traits, "class_" if group == "class" else group).max
    return g.lib.defs[c].max_traits if c >= 0 else base


def companions(g: Game, seat: int) -> list[int]:
    """Hirelings, Minions, Sidekicks and their kind (XOVER-4), less those who serve as a Steed instead."""
    defs = g.lib.defs
    return [c for c in g.players[seat].table if defs[c].is_companion and c not in g.ridden]


def companion_sex(g: Game, card: int) -> str:
    """The sex on a companion's card, or the other one if a potion has changed it; "" for none (HIRE-29, HIRE-32)."""
    sex = g.lib.defs[card].sex
    if sex not in SEXES:
        return ""
    return SEXES[1 - SEXES.index(sex)] if card in g.turned else sex


def companion_traits(g: Game, card: int, kinds: tuple[str, ...] = ("race", "class", "sex")) -> frozenset[str]:
    """What a companion is, as far as anybody asks: Race, Class and sex (HIRE-22, HIRE-23, HIRE-28)."""
    printed = g.lib.defs[card].card
    words = {"race": printed.race, "class": printed.class_, "sex": companion_sex(g, card)}
    return frozenset(w.lower() for k, w in words.items() if w and k in kinds)


def borne_use(g: Game, bearer: int, card: int) -> bool:
    """Could the one who carries it use an Item? Its restriction is tested against him alone (HIRE-15, STEED-10)."""
    d, by = g.lib.defs[card], g.lib.defs[bearer]
    if by.kind == "steed":
        return "steed" in d.usable_by
    mine = companion_traits(g, bearer)
    if by.uses_any:
        return True
    return (not d.usable_by or bool(d.usable_by & mine)) and not d.not_usable_by & mine


def unwaived(g: Game, cards: list[int]) -> list[int]:
    """Those that count against a limit: not those with a Cheat! on them (HIRE-33, STEED-2)."""
    return [c for c in cards if not waived(g, c)]


def steeds(g: Game, seat: int) -> list[int]:
    """Steeds and Vehicles, which are the same kind of card (XOVER-12)."""
    if "steed" not in g.lib.kinds and not g.ridden:
        return []
    mine = cards_of_kind(g, seat, "steed")
    return mine + [c for c in g.ridden if c in g.players[seat].table] if g.ridden else mine


def bears_steed_enhancers(g: Game, card: int) -> bool:
    """Is it a Steed, or does it serve as one? What only may serve as one keeps its enhancers asleep (FQ-DER-10)."""
    d = g.lib.defs[card]
    return d.kind == "steed" or card in g.ridden or ("rideable" in d.mods and not d.is_item and not d.is_companion)


def ships(g: Game, seat: int) -> list[int]:
    """Ships are no Steeds: another place, and other enhancers (XOVER-14)."""
    return cards_of_kind(g, seat, "ship") if "ship" in g.lib.kinds else []
