"""Hirelings, Sidekicks, Mooks, Minions and Allies: one type of card, whatever its set calls it (HIRE-1)."""

from __future__ import annotations

from kickdoor.cards.library import CardDef, Mode
from kickdoor.engine.facts import force, front
from kickdoor.engine.value import renewed
from kickdoor.engine.value.game import Game


def limit(g: Game, seat: int) -> int:
    """One, and those that other cards allow besides; none where the set has none at all (HIRE-4, XOVER-5, CONF-1)."""
    return g.rules.companion.limit + force.total(g, seat, "hirelings") if g.rules.companion is not None else 0


def has_room(g: Game, seat: int) -> bool:
    """May this player have one more? Those with a Cheat! on them do not count (HIRE-4, HIRE-33)."""
    return len(front.unwaived(g, front.companions(g, seat))) < limit(g, seat)


# -- what they carry --------------------------------------------------------------------------------------------


def carried(g: Game, companion: int) -> list[int]:
    return sorted(i for i, b in g.bearer.items() if b == companion)


def may_carry(g: Game, companion: int, item: int) -> bool:
    """May this companion carry and use that Item (HIRE-14, HIRE-15)? A Cheat! on the Item lifts its rule (HIRE-34)."""
    rules = g.rules.companion
    d = g.lib.defs[companion]
    if rules is None or not rules.carry or d.carries < 0:
        return False  # HIRE-35: some never carry anything
    if front.waived(g, item):
        return True
    if d.carries_what is not None and not d.carries_what(g, item):
        return False
    return carries_left(g, companion) > 0 and front.borne_use(g, companion, item)


def carries_left(g: Game, companion: int) -> int:
    """How many more Items fit; what a Cheat! lies on does not count (HIRE-34)."""
    return g.lib.defs[companion].carries - sum(1 for i in carried(g, companion) if not front.waived(g, i))


# -- sex --------------------------------------------------------------------------------------------------------


def change_sex(g: Game, companion: int) -> None:
    """Only what says so changes a companion's sex, and only where it has one (HIRE-29, HIRE-32)."""
    rules = g.rules.companion
    if rules is None or rules.sex_change == "none" or not front.companion_sex(g, companion):
        return
    if companion in g.turned:
        g.turned = renewed.less(g.turned, companion)
    else:
        g.turned = [*g.turned, companion]
    g.touch()
    g.dirty |= 1 << front.owner(g, companion)
    g.emit("companion_sex", front.owner(g, companion), companion, rule="HIRE-32")


def cursable(g: Game, effect: int) -> list[int]:
    """In some sets whatever changes a player's sex may be used on a companion instead (GB-20)."""
    rules = g.rules.companion
    if rules is None or rules.sex_change != "any" or effect < 0:
        return []
    if not any(i.verb == "change_sex" for i in g.lib.programs[effect]):
        return []
    return [c for s in g.living(0) for c in front.companions(g, s) if front.companion_sex(g, c)]


def changeable(g: Game, d: CardDef, mode: Mode) -> list[int]:
    """Companions that another card than a Curse may be used on, if all it does is to change a sex (GB-20)."""
    if any(m.on == "companion" for m in d.modes):
        return []  # the card itself says how
    found = cursable(g, mode.prog)
    return found if all(i.verb == "change_sex" for i in g.lib.programs[mode.prog]) else []


# -- too many ---------------------------------------------------------------------------------------------------


def surplus(g: Game, seat: int) -> list[int]:
    """Those of which one must go, where somebody has too many (HIRE-4, AMB-56)."""
    have = [c for c in front.companions(g, seat) if not front.waived(g, c)]
    return have if have and g.rules.companion is not None and len(have) > limit(g, seat) else []
