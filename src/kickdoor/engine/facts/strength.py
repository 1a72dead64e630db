"""Combat strength, always worked out afresh, with every term and its source (COMBAT-1..COMBAT-4, MULTI-2)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kickdoor.cards.library import CardDef, Mod
from kickdoor.cards.steps import Clone
from kickdoor.engine.facts import enemies, fights, force, front, goods, nature
from kickdoor.engine.value.frames import Effect
from kickdoor.engine.value.game import Game, by_seat
from kickdoor.engine.value.records import DOUBLES, MULTIPLIES, REVERSES, Fight, Foe, Term, Token

# Under what is kept what was worked out (`by_seat`).
_SEAT_TERMS: Final = by_seat("terms")
_FOE_TERMS: Final[dict[int, str]] = {}
_RULES: Final[dict[str, str]] = {}


def seat_terms(g: Game, seat: int) -> list[Term]:
    """What one player brings to a fight (or would). To be read: it is kept until the next change."""
    key = _SEAT_TERMS[seat]
    got: list[Term] | None = g.cache.get(key)
    if got is None:
        got = g.cache[key] = _seat_terms(g, seat)
    return got


def _seat_terms(g: Game, seat: int) -> list[Term]:
    p = g.players[seat]
    f = g.fight
    fighting = f is not None and not f.over and (f.main == seat or f.helper == seat)
    level_only = bonuses_only = False
    if fighting:
        level_only = fight_rule(g, "level_only")
        bonuses_only = fight_rule(g, "bonuses_only")
    out: list[Term] = []
    if not bonuses_only:
        out.append(Term(p.level, -1, "COMBAT-2"))
    if level_only:
        return out  # FQ-BASE-42: nothing but the Level
    for c, d in force.cards(g, seat):
        if d.bonus or "strength" in d.mods:
            _card_terms(g, seat, c, d, out)
    if g.host:
        out = _inverted(g, out)
        higher = [c for c in g.host if enemies.levels_added(g, c) and c in p.table]  # a Mook's (ENH-11)
        out += [Term(enemies.levels_added(g, c), c, "ENH-11") for c in sorted(higher)]
    for c in g.ridden:
        if g.ridden[c] and c in p.table:  # EPIC-55: what a tamed monster is worth as a Steed
            out.append(Term(g.ridden[c], c, "EPIC-55"))
    bans = _bans(g, seat) if fighting else None
    if fighting:
        if bans is not None:
            out = _unbanned(g, out, bans)
        _double_tagged(g, out)
    for rule in g.rules.name_rules:  # XOVER-22: rules that go by name
        if nature.has(g, seat, rule.trait.lower()):
            for c, d in force.cards(g, seat):
                if d.is_item and rule.substring in d.name.lower():
                    out.append(Term(rule.bonus, c, "XOVER-22"))
    if fighting:
        assert f is not None
        _against_us(g, seat, out)
        if f.tokens:
            _own_tokens(g, seat, f, bans, out)
    return out


def _own_tokens(g: Game, seat: int, f: Fight, bans: Bans | None, out: list[Term]) -> None:
    """What lies in the fight for one fighter alone; what multiplies an Item of his comes last."""
    mine = [t for t in f.tokens if t.seat == seat and t.kind != DOUBLES and not _lost(g, t, bans)]
    own = [token_term(g, t) for t in mine if t.kind != MULTIPLIES]
    if own:
        _double_tagged(g, own)
    out += own
    out += [_multiplied(g, t, out) for t in mine if t.kind == MULTIPLIES]


class Bans(NamedTuple):
    """What keeps Items from giving one fighter a bonus: the slots that each ban spares, and the kinds it is about."""

    spared: list[Any]
    kinds: list[Any]


def _bans(g: Game, seat: int) -> Bans | None:
    """Those on the fighter himself, and those of the monsters, which hold for everyone (FQ-CBT-12)."""
    own, kinds = force.modifiers(g, seat, "no_item_bonuses"), fight_words(g, "ignore_items")
    return Bans([m.word for _, m in own], kinds) if own or kinds else None


def _barred(g: Game, card: int, bans: Bans) -> bool:
    """Is this an Item, or does it lie on one, that may give no bonus (FQ-CARD-17)? One-shots are Items too.

    What is ridden and no Item (EPIC-55) is a Steed all the same: bans of that kind hold for it.
    """
    if card < 0:
        return False
    item = goods.is_item(g, card)
    if (item or card in g.ridden) and any(test(g, card) for test in bans.kinds):
        return True
    slot = g.lib.defs[card].slot
    return item and any(slot not in spared for spared in bans.spared)


def _unbanned(g: Game, terms: list[Term], bans: Bans) -> list[Term]:
    """Without the Items that may give no bonus. One that is a penalty, all on it together, stays: that is no bonus."""
    net: dict[int, int] = {}
    for t in terms:
        root = g.host.get(t.card, t.card)
        if _barred(g, root, bans):
            net[root] = net.get(root, 0) + t.amount
    return [t for t in terms if net.get(g.host.get(t.card, t.card), -1) < 0]


def _lost(g: Game, t: Token, bans: Bans | None) -> bool:
    """A bonus that lies in the fight and comes from an Item falls under the same bans; a penalty never does."""
    return bans is not None and (t.amount > 0 or t.kind == DOUBLES) and _barred(g, t.card, bans)


def _inverted(g: Game, terms: list[Term]) -> list[Term]:
    """Some Curses make the bonus of the Item they lie on a penalty, whoever has it (FQ-BOOK-2)."""
    defs = g.lib.defs
    turned = {g.host[a] for a in g.host if "inverts" in defs[a].mods}
    if not turned:
        return terms
    return [Term(-t.amount, t.card, "FQ-BOOK-2") if t.card in turned and t.amount > 0 else t for t in terms]


def _read_backwards(g: Game, terms: list[Term], monsters: bool) -> None:
    """The last step of all: the digits of the total as it now is, in reverse (FQ-KILL-5).

    Two digits are reversed, 7 being 07; what is below 0 or above 99 has no two digits and stays as it is.
    """
    assert g.fight is not None
    for t in g.fight.tokens:
        if t.kind == REVERSES and t.monsters == monsters:
            total = sum(x.amount for x in terms)
            if 0 <= total <= 99:
                terms.append(Term(total % 10 * 10 + total // 10 - total, t.card, "FQ-KILL-5"))


def _multiplied(g: Game, t: Token, terms: list[Term]) -> Term:
    """One Item's bonus, with all that lies on it, again and again."""
    group = {t.item, *front.attachments(g, t.item)}
    return Term((t.amount - 1) * sum(x.amount for x in terms if x.card in group), t.card, "COMBAT-2")


def _card_terms(g: Game, seat: int, card: int, d: CardDef, out: list[Term]) -> None:
    if d.bonus and not d.is_one_shot:
        out.append(Term(d.bonus, card, "COMBAT-2"))
    if g.grown and card in g.grown:
        out.append(Term(g.grown[card], card, "FQ-CWBH-2"))
    for m in d.mods.get("strength", ()):
        if m.host is not None and not (card in g.host and m.host(g, g.host[card])):
            continue  # with a Cheat! on it, an enhancer may lie on nothing
        if m.test is None or m.test(g, seat, None):
            out.append(Term(m.amount * _count(g, seat, m.per), card, "COMBAT-2"))


def fight_words(g: Game, what: str) -> list[Any]:
    """The words of one kind of modifier on the monsters that are there, and on what lies on them.

    They hold for the whole fight (FQ-CBT-12).
    """
    found = said(g).get(what)
    if found is None:
        return []
    assert g.fight is not None
    main: int = g.fight.main
    return [m.word for _, m in found if m.test is None or m.test(g, main, None)]


def said(g: Game) -> dict[str, list[tuple[int, Mod]]]:
    """What the monsters that are there say, with what lies on them: (monster, modifier), by what it changes.

    Whether it holds is still to be asked. Asked so often that it is kept until the next change.
    """
    got: dict[str, list[tuple[int, Mod]]] | None = g.cache.get("said")
    if got is None:
        got = g.cache["said"] = _said(g, g.fight) if g.fight is not None else {}
    return got


def _said(g: Game, f: Fight) -> dict[str, list[tuple[int, Mod]]]:
    out: dict[str, list[tuple[int, Mod]]] = {}
    for foe in f.foes:
        if foe.fate == 0:
            card: int = foe.card
            for d in enemies.voices(g, foe):
                for what, mods in d.mods.items():
                    out.setdefault(what, []).extend([(card, m) for m in mods])
    return out


def _double_tagged(g: Game, terms: list[Term]) -> None:
    """What has a certain tag counts twice against some monsters (FQ-CBT-12)."""
    tags = fight_words(g, "double_tag")
    for tag in dict.fromkeys(tags) if tags else ():
        hit = [t for t in terms if t.card >= 0 and goods.tagged(g, g.host.get(t.card, t.card), (tag.lower(),))]
        terms += [Term(t.amount, t.card, "FQ-CBT-12") for t in hit]


def _against_us(g: Game, seat: int, out: list[Term]) -> None:
    """What a monster's card does to the fighters rather than to itself (Elves at -4), as it sees them (FQ-AXE-1)."""
    for foe, m in said(g).get("strength", ()):
        if m.to != "fighters":
            continue
        if m.against is not None and not m.against & nature.apparent(g, seat, m.amount < 0, alone=True):
            continue
        if m.test is None or m.test(g, seat, None):
            out.append(Term(m.amount, foe, "MULTI-3"))


def _count(g: Game, seat: int, per: str) -> int:
    """How often a modifier with `per:` counts."""
    if not per:
        return 1
    word, _, tag = per.partition(":")
    if word == "item":
        return sum(1 for c, d in force.cards(g, seat) if d.is_item and goods.tagged(g, c, (tag,)))
    if word == "slot":
        return sum(1 for _, d in force.cards(g, seat) if d.is_item and d.slot == tag)
    if word == "item_name":
        initials = tuple(tag.replace(" ", "").split(","))
        mine = [d for c, d in force.cards(g, seat) if goods.is_item(g, c) and c not in g.host]  # a Steed too (STEED-3)
        return sum(1 for d in mine if d.name.lower().startswith(initials))
    if word == "foe":
        return (
            sum(1 for x in fights.active_foes(g.fight) if goods.named(g, x.face, (tag,))) if g.fight is not None else 0
        )
    if word == "worn":  # by anybody in the fight, with what lies on it
        worn = [
            c
            for s in fights.fighters(g)
            for c, d in force.cards(g, s)
            if d.is_item and d.slot == tag and c not in g.host
        ]
        return sum(goods.item_bonus(g, c) for c in worn)
    if word == "hireling":
        return len(front.companions(g, seat))
    if word == "enhancer":
        return sum(1 for _, d in force.cards(g, seat) if d.kind == "item_enhancer")
    return sum(1 for s in fights.fighters(g) if nature.has(g, s, word))


def _count_for(g: Game, foe: Foe, per: str) -> int:
    """The same on a monster, where enhancers are those that lie on it, with what enhances them (EENH-3), and
    companions those of everybody whom it fights (HELP-10)."""
    assert g.fight is not None
    if per == "hireling":
        return sum(len(front.companions(g, s)) for s in fights.fighters(g))
    return len(enemies.enhancers_of(g, foe)) if per == "enhancer" else _count(g, g.fight.main, per)


def fight_rule(g: Game, what: str) -> bool:
    """A condition of any one monster holds for the whole fight (MULTI-3, FQ-CBT-12)."""
    if what not in _OWN_RULES and what not in said(g):
        return False
    key = _RULES.get(what)
    if key is None:
        key = _RULES[what] = f"rule/{what}"
    got: bool | None = g.cache.get(key)
    if got is None:
        got = g.cache[key] = _fight_rule(g, what)
    return got


def _fight_rule(g: Game, what: str) -> bool:
    f = g.fight
    if f is None:
        return False
    for _, m in said(g).get(what, ()):
        if m.test is None or m.test(g, f.main, None):
            return True
    if what in _OWN_RULES:  # what the main player brings along, and what lies in the fight
        if force.any_modifier(g, f.main, what):
            return True
        defs = g.lib.defs
        for c, _ in f.committed:
            for m in defs[c].mods.get(what, ()):
                if m.test is None or m.test(g, f.main, None):
                    return True
    return False


_OWN_RULES = ("no_help", "must_flee")


def over_at_once(g: Game) -> bool:
    """Does something end the fight before anybody can act (FQ-BASE-49)?"""
    f = g.fight
    assert f is not None
    for _, m in said(g).get("must_flee", ()):
        if m.word == "now" and (m.test is None or m.test(g, f.main, None)):
            return True
    return any(m.word == "now" for s in fights.fighters(g) for _, m in force.modifiers(g, s, "must_flee"))


def munchkin_terms(g: Game) -> list[Term]:
    """The munchkins' side of the fight: everyone in it, then what was played for the side."""
    f = g.fight
    assert f is not None
    out: list[Term] = []
    side: list[Term] = []
    level_only = fight_rule(g, "level_only")
    for s in fights.fighters(g):
        mine = seat_terms(g, s)
        out += mine
        if f.tokens and not level_only:  # FQ-BASE-42: neither a potion nor a second self is any use
            bans = _bans(g, s)
            given = [token_term(g, t) for t in f.tokens if _given(g, t, s) and not _lost(g, t, bans)]
            _double_tagged(g, given)
            side += given
            for t in f.tokens:
                if t.seat == s and t.kind == DOUBLES and not _lost(g, t, bans):  # FQ-BASE-34: the finished sum, twice
                    out.append(Term(sum(x.amount for x in (*mine, *given)), t.card, "FQ-BASE-34"))
    out += side
    _read_backwards(g, out, monsters=False)
    return out


def _given(g: Game, t: Token, seat: int) -> bool:
    """Is this a bonus for the munchkins' side that is a part of this fighter's strength (FQ-BASE-34)?

    What a helper plays is his own; everything else, from whomever it comes, is for the one whose fight it is.
    """
    f = g.fight
    assert f is not None
    if t.seat >= 0 or t.monsters or t.kind == REVERSES:
        return False
    return seat == f.main if f.helper < 0 else (_player_of(g, f, t.card) == f.helper) == (seat == f.helper)


def _player_of(g: Game, f: Fight, card: int) -> int:
    """Who has played a card into the fight, or whose card in play has given the bonus."""
    return next((owner for c, owner in f.committed if c == card), front.owner(g, card))


def token_term(g: Game, t: Token) -> Term:
    """What lies in the fight counts as it would now (per Elf: as many as are in it)."""
    assert g.fight is not None
    return Term(t.amount * _count(g, t.seat if t.seat >= 0 else g.fight.main, t.per), t.card, t.rule)


def foe_terms(g: Game, foe: Foe) -> list[Term]:
    """One monster: its Level, what it has against these munchkins, its enhancers. To be read, as `seat_terms`."""
    card: int = foe.card
    key = _FOE_TERMS.get(card)
    if key is None:
        key = _FOE_TERMS[card] = f"foe terms/{card}"
    got: list[Term] | None = g.cache.get(key)
    if got is None:
        got = g.cache[key] = _foe_terms(g, foe)
    return got


def _foe_terms(g: Game, foe: Foe) -> list[Term]:
    f = g.fight
    assert f is not None
    defs = g.lib.defs
    d = defs[foe.face]
    out = [Term(foe_level(g, foe), foe.card, "COMBAT-1")]
    for m in d.mods.get("strength", ()):
        if m.to == "owner" and _holds(g, m, foe):
            out.append(Term(m.amount * _count_for(g, foe, m.per), foe.card, "COMBAT-13"))
    usual = enhancer_factor(d)
    for c in enemies.enhancers_of(g, foe):
        times = usual * enemies.times_enhanced(g, c)
        out.append(Term(times * defs[c].bonus, c, "ENH-1"))
        for m in defs[c].mods.get("strength", ()):
            if m.to == "owner" and _holds(g, m, foe):
                out.append(Term(times * m.amount * _count_for(g, foe, m.per), c, "ENH-1"))
    for c in force.dungeons(g, f.main):
        for m in defs[c].mods.get("monsters", ()):
            if _holds(g, m, foe):
                out.append(Term(m.amount, c, "DUNG-2"))
    for t in f.tokens:
        if t.foe == foe.card:
            out.append(Term(t.amount, t.card, t.rule))
    return out


def enhancer_factor(d: CardDef) -> int:
    """How often an enhancer counts on this monster: once, unless its card says otherwise (CONF-1)."""
    said = d.mods.get("enhancers")
    return 1 if said is None else max(m.amount for m in said)


def foe_level(g: Game, foe: Foe) -> int:
    """A monster's Level never goes below 1 (CONF-9)."""
    f = g.fight
    assert f is not None
    defs = g.lib.defs
    level = foe.level or defs[foe.face].level
    usual = enhancer_factor(defs[foe.face])
    for c in enemies.enhancers_of(g, foe):
        added = defs[c].card.level
        if added:  # EENH-3: it counts as often as the enhancer does
            level += added * usual * enemies.times_enhanced(g, c)
    clone = copied(g, foe)
    return max(1, level + (clone.level if clone is not None else 0))


def copied(g: Game, foe: Foe) -> Clone | None:
    """How a second monster of a kind differs from the first, if it does."""
    return g.lib.defs[foe.card].clone if foe.card != foe.face else None


def _holds(g: Game, m: Mod, foe: Foe) -> bool:
    """Does a monster's clause apply to this side? Each clause counts once however many match (HELP-15)."""
    f = g.fight
    assert f is not None
    if m.against is not None and not any(m.against & nature.apparent(g, s, m.amount > 0) for s in fights.fighters(g)):
        return False
    return m.test is None or m.test(g, f.main, Effect(-1, foe.card, f.main, f.main, foe=foe.card))


def monster_terms(g: Game) -> list[Term]:
    f = g.fight
    assert f is not None
    out: list[Term] = []
    for foe in f.foes:
        if foe.fate == 0:
            out += foe_terms(g, foe)
    for t in f.tokens:
        if t.monsters and t.foe < 0 and t.kind != REVERSES:
            out.append(token_term(g, t))
    _read_backwards(g, out, monsters=True)
    return out


def item_bonus(g: Game, seat: int, card: int) -> int:
    """What one Item, with what lies on it, is worth to its owner now."""
    group = {card, *front.attachments(g, card)}
    return sum(t.amount for t in seat_terms(g, seat) if t.card in group)


UNSTEADY: Final = -10_000  # instead of a bonus: it has to be added up each time


def strength(g: Game, seat: int) -> int:
    """The sum of `seat_terms`: outside of a fight mostly the Level and what the cards in force always add."""
    if not fights.in_fight(g, seat) and not g.host and not g.ridden and not g.grown and not g.rules.name_rules:
        known = g.about(seat)
        bonus = known.bonus
        if bonus is None:
            bonus = known.bonus = _steady_bonus(force.cards(g, seat))
        if bonus != UNSTEADY:
            return g.players[seat].level + bonus
    n = 0
    for t in seat_terms(g, seat):
        n += t.amount
    return n


def _steady_bonus(force: list[tuple[int, CardDef]]) -> int:
    n = 0
    for _, d in force:
        if d.bonus and not d.is_one_shot:
            n += d.bonus
        for m in d.mods.get("strength", ()):
            if m.host is not None or m.test is not None or m.per:
                return UNSTEADY
            n += m.amount
    return n


def standing(g: Game) -> tuple[int, int]:
    """The two totals of the fight."""
    got: tuple[int, int] | None = g.cache.get("standing")
    if got is None:
        mine, theirs = terms(g)
        got = g.cache["standing"] = (sum(t.amount for t in mine), sum(t.amount for t in theirs))
    return got


def terms(g: Game) -> tuple[list[Term], list[Term]]:
    """Both sides of the fight, term by term."""
    got: tuple[list[Term], list[Term]] | None = g.cache.get("terms")
    if got is None:
        got = g.cache["terms"] = (munchkin_terms(g), monster_terms(g))
    return got


def wins_ties(g: Game) -> bool:
    """One Warrior on the side is enough (COMBAT-4, HELP-12)."""
    return any(force.any_modifier(g, s, "wins_ties") for s in fights.fighters(g))


def winning(g: Game) -> bool:
    """Would the munchkins win if the fight ended now?"""
    if g.fight is None:
        return False
    got: bool | None = g.cache.get("winning")
    if got is None:
        got = g.cache["winning"] = _winning(g, g.fight)
    return got


def _winning(g: Game, f: Fight) -> bool:
    if not any(x.fate == 0 for x in f.foes):
        return True
    if fight_rule(g, "must_flee"):
        return False  # FQ-BASE-48
    mine, theirs = standing(g)
    return mine > theirs or (mine == theirs and wins_ties(g))


def foe_treasures(g: Game, foe: Foe) -> int:
    """What a monster pays: printed, with enhancers, never below 1 where it prints any (CONF-10, AMB-11)."""
    f = g.fight
    assert f is not None
    defs = g.lib.defs
    d = defs[foe.face]
    n = d.treasures
    cards = enemies.voices(g, foe)
    if any("no_treasure" in card.mods for card in cards):
        return 0
    if len(cards) > 1:  # EENH-3: all that an enhancer adds counts as often as it does
        usual = enhancer_factor(d)
        n += sum(usual * enemies.times_enhanced(g, c) * defs[c].treasures for c in enemies.enhancers_of(g, foe))
    if d.treasures >= 1:
        n = max(1, n)
    if g.dungeons:
        cards += [defs[c] for c in force.dungeons(g, f.main)]
    for card in cards:
        for m in card.mods.get("treasures", ()):
            if _holds(g, m, foe):
                n += m.amount
    clone = copied(g, foe)
    return max(0, n + (clone.treasures if clone is not None else 0))


def levels(g: Game) -> int:
    """What killing all that are still there is worth, until the next change."""
    got: int | None = g.cache.get("levels")
    if got is None:
        n = 0
        for x in fights.active_foes(g.fight) if g.fight is not None else ():
            n += foe_levels(g, x)
        got = g.cache["levels"] = n
    return got


def foe_levels(g: Game, foe: Foe) -> int:
    """What killing it is worth (COMBAT-7)."""
    f = g.fight
    assert f is not None
    defs = g.lib.defs
    d = defs[foe.face]
    n = d.levels + _more_levels(g, foe, d)
    for c in enemies.enhancers_of(g, foe):
        e = defs[c]
        n += (e.card.levels_gained or 0) + _more_levels(g, foe, e)
    clone = copied(g, foe)
    return n + (clone.levels if clone is not None else 0)


def _more_levels(g: Game, foe: Foe, d: CardDef) -> int:
    """What a monster's card, or an enhancer's, adds to that."""
    found = d.mods.get("levels")
    n = 0
    if found is not None:
        for m in found:
            if _holds(g, m, foe):
                n += m.amount
    return n
