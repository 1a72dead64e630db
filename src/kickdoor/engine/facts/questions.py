"""What compiled conditions ask (`q.` in `cards.conditions`): all facts, and what needs the strength of both sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Final

from kickdoor.engine.facts import enemies, fights, force, front, goods, nature, strength
from kickdoor.engine.value.game import Game


def monster_level(g: Game, card: int) -> int:
    """The Level a monster has in the fight, with all that has changed it (CONF-9)."""
    foe = fights.find_foe(g.fight, card) if g.fight is not None else None
    return strength.foe_level(g, foe) if foe is not None else g.lib.defs[card].level


def below_first(g: Game, card: int) -> bool:
    """Is it of a lower Level than the monster the fight began with (FQ-ENH-1, FQ-ENH-2)?"""
    f = g.fight
    if f is None:
        return False
    first = fights.find_foe(f, f.starter)
    return g.lib.defs[card].level < (strength.foe_level(g, first) if first is not None else g.lib.defs[f.starter].level)


def help_open(g: Game) -> bool:
    """May the main player have help in this fight, whether or not he has some already (HELP-1)?"""
    f = g.fight
    return f is not None and not f.fleeing and not f.over and not strength.fight_rule(g, "no_help")


def winning(g: Game) -> bool:
    return strength.winning(g)


def margin(g: Game) -> int:
    mine, theirs = strength.standing(g)
    return mine - theirs


def any_bonus(g: Game) -> bool:
    """Does anything but Levels count for the munchkins? A penalty is no bonus."""
    return g.fight is not None and any(t.card >= 0 and t.amount > 0 for t in strength.terms(g)[0])


_FACTS: Final = (fights, front, goods, force, nature, enemies)

# One namespace, so that a condition is written without knowing where its question stands.
ASKED: Final = SimpleNamespace(
    **{name: f for facts in _FACTS for name, f in vars(facts).items() if callable(f)},
    **{f.__name__: f for f in (monster_level, below_first, help_open, winning, margin, any_bonus)},
)
