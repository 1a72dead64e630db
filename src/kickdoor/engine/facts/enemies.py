"""The other side of a fight: monsters and what enhances them, as conditions and chapters ask for it."""

from __future__ import annotations

from kickdoor.cards.library import CardDef
from kickdoor.engine.facts import fights, force, front, goods
from kickdoor.engine.value.frames import Victory
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.records import KILLED, Foe


def foe_tags(g: Game, foe: Foe) -> frozenset[str]:
    """A monster's tags, with those its enhancers add (UNDEAD-3)."""
    f = g.fight
    tags = g.lib.defs[foe.face].tags
    if foe.tags:
        tags |= frozenset(foe.tags)
    if f is not None and (f.enhancers or g.dungeons):
        for c in (*enhancers_of(g, foe), *force.dungeons(g, f.main)):
            tags |= g.lib.defs[c].adds_tags
    return tags


def enhancers_of(g: Game, foe: Foe) -> list[int]:
    """The enhancers on a monster: those of its group, less what a copy of it does not share (ENH-6).

    It and its copies are bound until one leaves the fight; what is played after that is not on that one (AMB-30).
    """
    f = g.fight
    assert f is not None
    if not f.enhancers:
        return []
    defs = g.lib.defs
    mine: int = foe.group
    out = [c for c, group, _ in f.enhancers if group == mine]
    if foe.wore is not None:
        return [c for c in out if c in foe.wore]
    if foe.card == foe.face or not out:
        return out
    clone = defs[foe.card].clone
    if clone is not None:
        without = {n.lower() for n in clone.without}
        gone = {c for c in out if defs[c].family in without}
        gone |= {c for c, on in f.boosts if on in gone}
        out = [c for c in out if c not in gone]
    return out


def any_killed(g: Game) -> bool:
    """Has a monster of this fight been killed? One may win without (COMBAT-10)."""
    return g.fight is not None and any(x.fate == KILLED for x in g.fight.foes)


def pays(g: Game) -> bool:
    """Is a fight won, with Treasures about to be drawn for it? Not where a monster merely went (COMBAT-12)."""
    won = next((f for f in reversed(g.stack) if type(f) is Victory), None)
    return won is not None and won.treasures > 0 and not won.denied


def voices(g: Game, foe: Foe) -> list[CardDef]:
    """The cards that speak for a monster: its own, and what lies on it (ENH-1)."""
    defs = g.lib.defs
    out = [defs[foe.face]]
    if g.fight is not None and g.fight.enhancers:
        out += [defs[c] for c in enhancers_of(g, foe)]
    return out


def bad_stuff(g: Game, foe: Foe) -> list[tuple[int, int]]:
    """What it does to those whom it catches: programs and their cards, the monster's own first (RUN-11, ENH-1)."""
    defs = g.lib.defs
    out = [(defs[foe.face].prog_bad, foe.card), *((defs[c].prog_bad, c) for c in enhancers_of(g, foe))]
    return [(prog, card) for prog, card in out if prog >= 0]


def factor(g: Game, card: int) -> int:
    """By how much an enhancer enhancer multiplies its enhancer: once means not at all (EENH-3)."""
    said = g.lib.defs[card].mods.get("enhancers")
    return said[0].amount if said else 1


def times_enhanced(g: Game, enhancer: int) -> int:
    """How often an enhancer counts, with all that has been played on it (EENH-3)."""
    n = 1
    if g.fight is not None:
        for card, on in g.fight.boosts:
            if on == enhancer:
                n *= factor(g, card)
    return n


def boosted(g: Game, enhancer: int) -> bool:
    """Has an enhancer been enhanced itself (EENH-4)?"""
    return g.fight is not None and any(on == enhancer for _, on in g.fight.boosts)


def levels_added(g: Game, enhancer: int) -> int:
    """What a monster enhancer gives, in Levels, to somebody who has none: a Mook (ENH-11), a Monk (EENH-6)."""
    d = g.lib.defs[enhancer]
    return max(0, d.card.level or 0) if d.kind == "monster_enhancer" else 0


def enhanced(g: Game, card: int, names: tuple[str, ...]) -> bool:
    """Has a monster in the fight such an enhancer on it, or does such a card lie on one in play?"""
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    lying = enhancers_of(g, foe) if foe is not None else front.attachments(g, card)
    return any(goods.named(g, c, names) for c in lying)


def face(g: Game, card: int) -> int:
    """The monster that a card is in the fight: itself, unless it is a copy of another (ENH-6)."""
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    return foe.face if foe is not None else card


def monster_tagged(g: Game, card: int, tags: tuple[str, ...]) -> bool:
    """Has a monster in the fight one of these tags, its own or an enhancer's (UNDEAD-3)?"""
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    return any(t in foe_tags(g, foe) for t in tags) if foe is not None else goods.tagged(g, card, tags)


def faced(g: Game, card: int) -> bool:
    """Has the main player begun to fight this monster: played, asked, passed, anything but used a power (EPIC-26)?"""
    f = g.fight
    foe = fights.find_foe(f, card) if f is not None else None
    return f is not None and foe is not None and bool(foe.faced >> f.main & 1)


def foe_tagged(g: Game, tag: str) -> bool:
    return g.fight is not None and any(tag in foe_tags(g, x) for x in fights.active_foes(g.fight))


def foe_named(g: Game, names: tuple[str, ...]) -> bool:
    return g.fight is not None and any(goods.named(g, x.face, names) for x in fights.active_foes(g.fight))


def foe_initial(g: Game, letters: tuple[str, ...]) -> bool:
    """Does the name of a monster in the fight begin with one of these letters?"""
    return g.fight is not None and any(
        g.lib.defs[x.face].name.lower().startswith(letters) for x in fights.active_foes(g.fight)
    )


def used_tag(g: Game, tag: str) -> bool:
    """Is an Item or companion of a fighter, what lies on it, or a card played for him, of that family (FQ-STEED-4)?"""
    f = g.fight
    assert f is not None  # it is said of fights
    for s in fights.fighters(g):
        for c, d in force.cards(g, s):
            if (d.is_item or d.is_companion or c in g.host) and goods.tagged(g, c, (tag,)):
                return True
    return any(not t.monsters and t.card >= 0 and goods.tagged(g, t.card, (tag,)) for t in f.tokens)
