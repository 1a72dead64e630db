"""Everything derived is derived: who is what, what is in force, what counts.

These are the questions that the chapters and the compiled conditions of the cards ask. Nothing here changes a game.
Answers that are asked often are kept in the game's cache until the next change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kickdoor.cards.kinds import TRAITS as TRAIT_KINDS
from kickdoor.cards.library import CardDef, Mod
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import SEXES, TREASURE, Game, by_seat
from kickdoor.engine.value.moves import seat_of
from kickdoor.engine.value.records import ACTIVE, Fight, Foe

UNBOUNDED = 10_000
RIDER = "rider"  # whoever has a Steed is one, for Items and monsters that ask
ONE: Final = tuple(frozenset((s,)) for s in SEXES)
BOTH: Final = frozenset(SEXES)


# -- cards in front of a player ---------------------------------------------------------------------------------


def cards_of_kind(g: Game, seat: int, kind: str) -> list[int]:
    if g.lib.recasts and g.host and kind in RECAST:
        return [c for c in g.players[seat].table if kind_of(g, c) == kind]
    defs = g.lib.defs
    return [c for c in g.players[seat].table if defs[c].kind == kind]


RECAST = {"race": "class", "class": "race"}
NOTHING: Final[frozenset[str]] = frozenset()


def kind_of(g: Game, card: int) -> str:
    """The kind of a card in play: what lies on it may make a Class of a Race, and the other way round (FQ-CWBH-3)."""
    defs = g.lib.defs
    kind = defs[card].kind
    if g.lib.recasts and g.host and kind in RECAST and any(defs[a].recasts for a in attachments(g, card)):
        return RECAST[kind]
    return kind


def shielded(g: Game, card: int, how: str) -> bool:
    """Does something that lies on a card keep it from being lost in this way (CAP-19)?"""
    if not g.host:
        return False
    defs = g.lib.defs
    return any(how in m.word for a in attachments(g, card) for m in defs[a].mods.get("shields", ()))


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
    if d.lasting == "next_combat" and not in_fight(g, seat):
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


def sexes(g: Game, seat: int) -> frozenset[str]:
    """The sexes a player counts as: the one he has, both, or neither (CHAR-10)."""
    if g.afflictions and any(s == seat and "sex" in g.lib.afflictions[i].mods for s, _, i, _ in g.afflictions):
        return frozenset()
    defs = g.lib.defs
    for c in g.players[seat].table:
        if "sex" in defs[c].mods and c in g.equipped and not suppressed(g, c):
            return BOTH
    return ONE[g.players[seat].sex]


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
    if f is not None and (find_foe(f, card) or any(card == e[0] for e in (*f.enhancers, *f.committed))):
        return True
    top = g.stack[-1]
    pile = g.discards[g.lib.defs[card].deck]
    return bool(pile and pile[-1] == card) or (isinstance(top, fr.Ask) and top.seat == seat and card in top.options)


# -- traits -----------------------------------------------------------------------------------------------------


def traits(g: Game, seat: int) -> frozenset[str]:
    """What a player is: Races, Classes, Powers, sex, and what cards grant besides."""
    got = g.about(seat).traits
    if got is None:
        got = _traits(g, seat)
        g.about(seat).traits = got
    return got


def _traits(g: Game, seat: int) -> frozenset[str]:
    out = _own_traits(g, seat)
    defs = g.lib.defs
    for c in g.players[seat].table:
        if "grants" in defs[c].mods and in_force(g, seat, c):
            for m in defs[c].mods["grants"]:
                out |= m.word
    if g.dungeons:
        _made_traits(g, seat, out)
    return frozenset(out)


def _own_traits(g: Game, seat: int) -> set[str]:
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


def drawbacks(g: Game, seat: int) -> frozenset[str]:
    """Traits whose disadvantages count: a lone Race under Half-Breed has none (FQ-RC-1)."""
    return _drawbacks(g, seat, traits(g, seat))


def _drawbacks(g: Game, seat: int, out: frozenset[str]) -> frozenset[str]:
    if len(sexes(g, seat)) > 1:
        out -= set(SEXES)
    if g.rules.traits.single_benefit:
        for group in ("race", "class"):
            if multi_card(g, seat, group) >= 0:
                cards = races(g, seat) if group == "race" else classes(g, seat)
                if len(cards) == 1:
                    out -= g.lib.defs[cards[0]].traits
    return out


_APPARENT: Final = tuple(by_seat(f"apparent/{how}") for how in range(4))


def apparent(g: Game, seat: int, bonus: bool, alone: bool = False) -> frozenset[str]:
    """What monsters take a player for (FQ-AXE-1, HIRE-22): disguises hide the Race, companions add theirs.

    They do so for bonuses and penalties only; for whatever else a monster does he stands `alone` (HIRE-27).
    """
    key = _APPARENT[2 * bonus + alone][seat]
    got: frozenset[str] | None = g.cache.get(key)
    if got is not None:
        return got
    out = drawbacks(g, seat) if bonus else traits(g, seat)
    if _seems_other(g, seat, alone):
        out = _apparent(g, seat, bonus, alone, set(out))
    g.cache[key] = out
    return out


def _seems_other(g: Game, seat: int, alone: bool) -> bool:
    """Could a monster take a player for something else than he is? Hardly ever."""
    defs = g.lib.defs
    company = not alone and g.rules.companion is not None
    for c in g.players[seat].table:
        d = defs[c]
        if "apparent" in d.mods or (company and d.is_companion):
            return True
    return False


def _apparent(g: Game, seat: int, bonus: bool, alone: bool, seen: set[str]) -> frozenset[str]:
    disguise: set[str] = set()
    looks: set[str] = set()
    defs = g.lib.defs
    for c in g.players[seat].table:
        d = defs[c]
        if "apparent" in d.mods and in_force(g, seat, c):
            for m in d.mods["apparent"]:
                if d.kind != "race":
                    disguise |= m.word
                elif d.traits <= seen:  # a Race that looks like another hides only itself
                    looks |= m.word
                    seen -= d.traits
    if disguise:
        for c in races(g, seat):
            seen -= defs[c].traits
        seen.discard("human")
    seen |= disguise or looks
    rules = g.rules.companion
    if not alone and rules is not None and ("bonus" if bonus else "penalty") in rules.reactions:
        for c in companions(g, seat):
            seen |= companion_traits(g, c, rules.reaction_kinds)
    return frozenset(seen)


def has(g: Game, seat: int, trait: str) -> bool:
    return trait in traits(g, seat)


def has_kind(g: Game, seat: int, kinds: tuple[str, ...], unridden: bool = False) -> bool:
    """Can a player be said to have a card of these kinds? Not one that serves as a Steed, where that counts
    (FQ-DER-5, FQ-DER-6)."""
    defs = g.lib.defs
    return any(defs[c].kind in kinds and not (unridden and c in g.ridden) for c in counted(g, seat))


def anyone_has_kind(g: Game, kinds: tuple[str, ...], unridden: bool = False) -> bool:
    """Can any of the living be said to have one?"""
    return any(not p.dead and has_kind(g, s, kinds, unridden) for s, p in enumerate(g.players))


def has_any(g: Game, seat: int, names: tuple[str, ...]) -> bool:
    if seat < 0:
        return False
    mine = traits(g, seat)
    return any(n in mine for n in names)


def seen_as(g: Game, seat: int, names: tuple[str, ...], bad: bool, alone: bool) -> bool:
    """Does a monster take a player for one of these? Where that is `bad` for him, only what has drawbacks counts."""
    if seat < 0:
        return False
    mine = apparent(g, seat, bad, alone)
    return any(n in mine for n in names)


def harmed_as(g: Game, seat: int, names: tuple[str, ...]) -> bool:
    """Is somebody one of these, where that is bad for him? Not what has no drawbacks for him (FQ-RC-1)."""
    if seat < 0:
        return False
    mine = drawbacks(g, seat)
    return any(n in mine for n in names)


def suffers_as(g: Game, seat: int, names: tuple[str, ...], f: Effect | None) -> bool:
    """Is the victim of a Curse or Bad Stuff one of these? Nobody suffers as what has no drawbacks for him (FQ-RC-1).

    Bad Stuff is what a monster does, which knows only what it sees (FQ-AXE-1).
    """
    if f is not None and f.cause in ("curse", "bad_stuff"):
        seen = f.cause == "bad_stuff"
        return seen_as(g, seat, names, bad=True, alone=True) if seen else harmed_as(g, seat, names)
    return has_any(g, seat, names)


def price(g: Game, card: int) -> int:
    """The Gold Pieces of an Item and of what lies on it, which is lost or sold with it (IENH-4)."""
    defs = g.lib.defs
    gold = defs[card].gold or 0
    return gold + sum(defs[a].gold or 0 for a in attachments(g, card)) if g.host else gold


def items_value(g: Game, seat: int) -> int:
    """What all Items in front of a player are worth together."""
    return sum(price(g, c) for c in g.players[seat].table if is_item(g, c) and c not in g.host)


def month(g: Game) -> int:
    """The month in which the table plays, or 0 where it has not said (FQ-PROMO-1, FQ-PROMO-2)."""
    date = g.rules.accessories.date
    return int(date[5:7]) if date else 0


def epic(g: Game, seat: int) -> bool:
    """A computed thing, not a number: Epic from Level 10 on, in an Epic game (EPIC-5, EPIC-8)."""
    return g.rules.options.epic and g.players[seat].level >= 10


def epic_powers(g: Game, seat: int) -> bool:
    """Epic, or in a Dungeon that gives the Epic powers of Race and Class to everyone (DUNG-10)."""
    return epic(g, seat) or any_modifier(g, seat, "epic_powers")


def highest(g: Game, seat: int) -> bool:
    """Is nobody of higher Level?"""
    return g.players[seat].level >= max(p.level for p in g.players if not p.dead)


def lowest(g: Game, seat: int) -> bool:
    return g.players[seat].level <= min(p.level for p in g.players if not p.dead)


# -- Items ------------------------------------------------------------------------------------------------------


def is_item(g: Game, card: int) -> bool:
    """A card with a Gold Piece value, or No Value, whatever its deck (FQ-CARD-5)."""
    d = g.lib.defs[card]
    return d.is_item and not (d.is_companion and no_item_companions(g))


def is_special(d: CardDef) -> bool:
    """A Treasure that is no Item, such as Go Up a Level (SPECIAL-1)."""
    return d.deck == TREASURE and not d.is_item and not d.is_one_shot


def no_item_companions(g: Game) -> bool:
    """In some sets no companion is an Item, whatever it costs (BT-25)."""
    return g.rules.companion is None or g.rules.companion.tradable == "never"


def is_big(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    if not d.big:
        return False
    if g.host:
        defs = g.lib.defs
        return not any("small" in defs[a].mods for a in attachments(g, card))
    return True


def suppressed(g: Game, card: int) -> bool:
    """Is this Item under a Curse that takes all its good away (CAP-18)?"""
    if not g.host:
        return False
    defs = g.lib.defs
    return any(host == card and "suppress" in defs[a].mods for a, host in g.host.items())


def tagged(g: Game, card: int, tags: tuple[str, ...]) -> bool:
    """Has a card one of these tags, its own or from what lies on it?"""
    mine = g.lib.defs[card].tags
    if g.host and suppressed(g, card):
        return False  # FQ-AXE-17
    if any(t in mine for t in tags):
        return True
    if g.host:
        defs = g.lib.defs
        return any(t in defs[a].adds_tags for a in attachments(g, card) for t in tags)
    return False


def named(g: Game, card: int, names: tuple[str, ...]) -> bool:
    d = g.lib.defs[card]
    return d.name.lower() in names or d.family in names


def in_force(g: Game, seat: int, card: int) -> bool:
    """Does a card in front of a player do anything? Items must be in use and usable (ITEM-7, ITEM-9)."""
    d = g.lib.defs[card]
    if d.kind == "monster":
        return False  # EPIC-28: a pet does nothing until it is spent; what a tamed one gives is its bonus as a Steed
    if card in g.host:
        return _lying_in_force(g, seat, d, g.host[card])
    if d.lasting == "next_turn" and g.turn != seat:
        return False  # MM-60: it waits for its victim's turn
    if d.opt_in and (g.fight is None or card not in g.fight.optins):
        return False  # FQ-AXE-7: only in fights it was declared for
    if g.host and suppressed(g, card):
        return False
    if d.kind in TRAIT_KINDS and kind_of(g, card) in forgotten(g, seat):
        return False
    if d.kind == "power" and _repeats(g, seat, card):
        return False
    if g.afflictions and d.is_item and _useless(g, seat, card):
        return False
    if d.kind in ("item", "one_shot"):
        return (card in g.equipped or card in g.ridden) and may_use(g, seat, card)
    return d.kind not in ("steed", "ship") or may_use(g, seat, card)  # STEED-3: an Item like others


def _repeats(g: Game, seat: int, card: int) -> bool:
    """A second copy of a Power adds nothing to the first (BT-19)."""
    defs = g.lib.defs
    first = next(c for c in g.players[seat].table if defs[c].kind == "power" and defs[c].trait == defs[card].trait)
    return first != card


def _lying_in_force(g: Game, seat: int, d: CardDef, host: int) -> bool:
    """What lies on a card counts with it; a Steed enhancer only where there is a Steed (FQ-DER-10)."""
    if d.is_curse and not d.curses_item:
        return True
    if d.kind == "steed_enhancer" and not bears_steed_enhancers(g, host):
        return False
    if host in g.ridden:
        return not suppressed(g, host)
    return in_force(g, seat, host)


def _useless(g: Game, seat: int, card: int) -> bool:
    """Is its owner under something that makes such Items do nothing in his fight?"""
    if not in_fight(g, seat):
        return False
    for s, _, i, _ in g.afflictions:
        if s == seat and any(m.word(g, card) for m in g.lib.afflictions[i].mods.get("ignore_items", ())):
            return True
    return False


def item_bonus(g: Game, card: int) -> int:
    """What an Item with all that lies on it gives in combat, whether in use or not."""
    if g.host and suppressed(g, card):
        return 0
    seat = owner(g, card)
    return sum(own_bonus(g, seat, c) for c in (card, *attachments(g, card)))


def own_bonus(g: Game, seat: int, card: int) -> int:
    """What one card gives its owner in combat, without what lies on it."""
    n = g.lib.defs[card].bonus + g.grown.get(card, 0)
    for m in g.lib.defs[card].mods.get("strength", ()):
        if m.test is None or (seat >= 0 and m.test(g, seat, None)):
            n += m.amount
    return n


def favours(g: Game, card: int, kind: str) -> bool:
    """Is an Item only for a Race (or Class) that its owner has now, or better for it?"""
    seat = owner(g, card)
    d = g.lib.defs[card]
    if seat < 0:
        return False
    mine: set[str] = set()
    for c in races(g, seat) if kind == "race" else classes(g, seat):
        mine |= g.lib.defs[c].traits
    if not mine and kind == "race":
        mine.add("human")
    return bool(mine & (d.usable_by | d.better_for))


def in_use(g: Game, card: int) -> bool:
    """Is an Item in use: taken up, and still something its owner may use (ITEM-8)? A Steed, a Ship or a companion is so
    wherever it lies (STEED-4, HIRE-6)."""
    d = g.lib.defs[card]
    taken_up = card in g.equipped or d.kind in ("steed", "ship") or d.is_companion or card in g.ridden
    return taken_up and owner(g, card) >= 0 and may_use(g, owner(g, card), card)


def may_use(g: Game, seat: int, card: int) -> bool:
    """Does its user meet an Item's restriction now (ITEM-6, ITEM-7)?"""
    d = g.lib.defs[card]
    if not d.usable_by and not d.not_usable_by:
        return True
    if waived(g, card):
        return True
    if card in g.bearer:
        return borne_use(g, g.bearer[card], card)
    mine = _base_traits(g, seat)
    if d.usable_by and not (d.usable_by & mine or d.usable_by & _passes_for(g, seat)):
        return False
    # What Items grant is asked as above: whether they may be used would ask for traits again, and so without an end.
    return not (d.not_usable_by and d.not_usable_by & _drawbacks(g, seat, mine))


def _passes_for(g: Game, seat: int) -> frozenset[str]:
    """What a disguise lets its wearer count as where Items ask (never asking whether the disguise may be worn)."""
    out: set[str] = set()
    defs = g.lib.defs
    for c in g.players[seat].table:
        if "usable_as" in defs[c].mods and c in g.equipped and not suppressed(g, c):
            for m in defs[c].mods["usable_as"]:
                out |= m.word
    return frozenset(out)


def _base_traits(g: Game, seat: int) -> frozenset[str]:
    """Traits without those granted by Items, so that an Item cannot be the reason for its own use."""
    got = g.about(seat).base
    if got is None:
        got = _find_base_traits(g, seat)
        g.about(seat).base = got
    return got


def _find_base_traits(g: Game, seat: int) -> frozenset[str]:
    out = _own_traits(g, seat)
    defs = g.lib.defs
    for c in g.players[seat].table:
        d = defs[c]
        if "grants" not in d.mods or kind_of(g, c) in forgotten(g, seat):
            continue
        if (not d.is_item or c in g.equipped) and not _dormant(g, c):
            for m in d.mods["grants"]:
                out |= m.word
    if g.dungeons:
        _made_traits(g, seat, out)
    return frozenset(out)


def _dormant(g: Game, card: int) -> bool:
    d = g.lib.defs[card]
    return (d.opt_in and (g.fight is None or card not in g.fight.optins)) or suppressed(g, card)


# -- Dungeons ---------------------------------------------------------------------------------------------------

ALL_SEATS = -1


def in_dungeon(g: Game, seat: int, card: int) -> bool:
    """Is a Dungeon for this player too? For everyone, unless its Portal says otherwise (DUNG-2)."""
    return bool(g.reach.get(card, ALL_SEATS) >> seat & 1)


def dungeons(g: Game, seat: int) -> Sequence[int]:
    """The Dungeons in force for a player, the oldest first (DUNG-5, DUNG-6)."""
    return [c for c in g.dungeons if in_dungeon(g, seat, c)] if g.reach else g.dungeons


def claimed(g: Game, seat: int, trait: str) -> bool:
    """Does another player keep everyone else from becoming this (FQ-DUNG-7)?"""
    for s in g.around(seat)[1:]:
        for c, m in modifiers(g, s, "claims"):
            if trait in m.word or ("host" in m.word and c in g.host and trait in g.lib.defs[g.host[c]].traits):
                return True
    return False


def _made(g: Game, seat: int, dungeon: int) -> list[tuple[int, CardDef]]:
    """What a Dungeon makes of everyone besides (FQ-DUNG-6): the card of that name is in force, unless one has it."""
    out: list[tuple[int, CardDef]] = []
    if "grants" not in g.lib.defs[dungeon].mods:
        return out
    for m in g.lib.defs[dungeon].mods["grants"]:
        for name in m.word:
            mine = any(name in g.lib.defs[c].traits for c in counted(g, seat) if g.lib.defs[c].kind in TRAIT_KINDS)
            card = g.lib.by_name.get(name)
            if card and not mine:
                out.append((card[0], g.lib.defs[card[0]]))
    return out


def races_had(g: Game, seat: int) -> int:
    """How many Races a player is of: his cards that count, and what a Dungeon makes of him (RACE-2, FQ-DUNG-6)."""
    had = len(races(g, seat))
    for c in dungeons(g, seat):
        for _, d in _made(g, seat, c):
            had += d.kind == "race"
    return had


def _made_traits(g: Game, seat: int, out: set[str]) -> None:
    """Traits that Dungeons give, beyond every limit; a Race from there makes no Human (FQ-DUNG-6)."""
    for c in dungeons(g, seat):
        for m in g.lib.defs[c].mods.get("grants", ()):
            out |= m.word
            out.discard("human")


# -- modifiers --------------------------------------------------------------------------------------------------


def force(g: Game, seat: int) -> list[tuple[int, CardDef]]:
    """The cards in force for a player: (card, definition)."""
    got = g.about(seat).force
    if got is None:
        defs = g.lib.defs
        got = [(c, defs[c]) for c in g.players[seat].table if in_force(g, seat, c)]
        for s, c, i, _ in g.afflictions:
            d = g.lib.afflictions[i]
            if s == seat and (d.lasting != "next_turn" or g.turn == seat):
                got.append((c, d))
        for c in dungeons(g, seat):
            got.append((c, defs[c]))
            got += _made(g, seat, c)
        if g.lib.no_race >= 0 and not races_had(g, seat) and g.rules.traits.race.enabled:  # RACE-3: Humans
            got.append((g.lib.no_race, defs[g.lib.no_race]))
        g.about(seat).force = got
    return got


def modifiers(g: Game, seat: int, what: str) -> list[tuple[int, Mod]]:
    """Modifiers of one kind that hold for a player now."""
    found = _by_kind(g, seat).get(what)
    if found is None:
        return []
    return [x for x in found if x[1].test is None or x[1].test(g, seat, None)]


def _by_kind(g: Game, seat: int) -> dict[str, list[tuple[int, Mod]]]:
    """All modifiers of the cards in force, by what they change; asked so often that it is kept."""
    known = g.known
    got = known[seat].kinds if known else None
    if got is not None:
        return got
    got = {}
    for c, d in force(g, seat):
        if not d.mods:
            continue
        for what, mods in d.mods.items():
            had = got.get(what)
            if had is None:
                had = got[what] = []
            for m in mods:
                had.append((c, m))
    g.about(seat).kinds = got
    return got


def total(g: Game, seat: int, what: str) -> int:
    found = _by_kind(g, seat).get(what)
    n = 0
    if found is not None:
        for _, m in found:
            if m.test is None or m.test(g, seat, None):
                n += m.amount
    return n


def any_modifier(g: Game, seat: int, what: str) -> bool:
    found = _by_kind(g, seat).get(what)
    if found is not None:
        for _, m in found:
            if m.test is None or m.test(g, seat, None):
                return True
    return False


def steady(g: Game, seat: int, whats: Sequence[str]) -> bool:
    """Do these hold whatever else changes: has no card in force a condition on them?"""
    found = _by_kind(g, seat)
    return all(m.test is None for what in whats for _, m in found.get(what, ()))


def may_receive(g: Game, seat: int, card: int) -> bool:
    """May this player be given that card? Some Bad Stuff keeps every Treasure from its victim."""
    return g.lib.defs[card].deck != TREASURE or not no_treasures(g, seat)


def no_treasures(g: Game, seat: int) -> bool:
    return any(m.word == "any_source" for _, m in modifiers(g, seat, "no_treasure"))


def hand_limit(g: Game, seat: int) -> int:
    """PILE-10, and the Dwarf's larger hand."""
    base, own = g.rules.turn.hand_limit, 0
    for c, m in modifiers(g, seat, "hand_limit"):
        if c in g.dungeons:
            base = m.amount  # of several the one played last, which comes last (DUNG-8)
        else:
            own = max(own, UNBOUNDED if m.word == "unlimited" else m.amount)
    return max(base, own) + total(g, seat, "extra_cards")


# -- the fight --------------------------------------------------------------------------------------------------


def fighters(g: Game) -> list[int]:
    f = g.fight
    if f is None:
        return []
    return [f.main, f.helper] if f.helper >= 0 else [f.main]


def in_fight(g: Game, seat: int) -> bool:
    """Main or helper, from exposure until running away is over (COMBAT-25, SAMB-9)."""
    f = g.fight
    return f is not None and not f.over and (f.main == seat or f.helper == seat)


def active_foes(f: Fight) -> list[Foe]:
    return [x for x in f.foes if x.fate == ACTIVE]


def foe_count(g: Game) -> int:
    return len(active_foes(g.fight)) if g.fight is not None else 0


def find_foe(f: Fight, card: int) -> Foe | None:
    for x in f.foes:
        if x.card == card:
            return x
    return None


def opts_in(g: Game, prog: int) -> bool:
    """Is this the program that declares an Item for the fight?"""
    return prog >= 0 and any(i.verb == "opt_in" for i in g.lib.programs[prog])


def target_seat(f: Effect | None) -> int:
    return seat_of(f.target) if f is not None else -1
