"""Conditions and filters, compiled to Python functions.

Each becomes the source of one lambda over the engine's queries (`q`), so that testing a printed condition costs what
hand-written Python would.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from kickdoor.cards.clauses import Condition, FightCondition, Filter, Predicate, Range
from kickdoor.cards.kinds import COMPANIONS, alike
from kickdoor.cards.library import CardTest, Test
from kickdoor.cards.vocabulary import FilterWord, Names

FILTER_WORDS: Final[dict[FilterWord, Filter]] = {
    "card": Filter(),
    "item": Filter(item=True),
    "small_item": Filter(item=True, big=False),
    "big_item": Filter(item=True, big=True),
    "armor": Filter(item=True, slot="armor"),
    "headgear": Filter(item=True, slot="headgear"),
    "footgear": Filter(item=True, slot="footgear"),
    "weapon": Filter(item=True, weapon=True),
    "one_shot": Filter(one_shot=True),
    "race": Filter(kind="race"),
    "class": Filter(kind="class"),
    "race_or_class": Filter(kind=["race", "class"]),
    "treasure": Filter(deck="treasure"),
    "monster": Filter(kind="monster"),
    "curse": Filter(kind="curse"),
    "hireling": Filter(kind="hireling"),
    "steed": Filter(kind="steed"),
}
DECK_NUMBERS: Final = {"door": 0, "treasure": 1, "dungeon": 2, "spell": 3, "fairy_dust": 4}


class LanguageError(ValueError):
    """A card says something that has no meaning; the loader adds file, line and card."""


class Asked(NamedTuple):
    """How it is asked whether somebody is an Elf: where that makes a condition true, and behind a `not`."""

    plain: str
    behind_not: str

    def turned(self) -> Asked:
        return Asked(self.behind_not, self.plain)


TRULY: Final = Asked("q.has_any(g, {0}, {1!r})", "q.has_any(g, {0}, {1!r})")
HARMED: Final = Asked("q.harmed_as(g, {0}, {1!r})", "q.has_any(g, {0}, {1!r})")  # it is bad for him if it is so
SUFFERING: Final = Asked("q.suffers_as(g, {0}, {1!r}, f)", "q.suffers_as(g, {0}, {1!r}, f)")


def in_monsters_eyes(bad: bool, alone: bool) -> Asked:
    """As a monster sees him (FQ-AXE-1). `bad`: it is bad for him if the condition is true, so that a Race without
    drawbacks does not make it so (FQ-RC-1); what is behind a `not` is the other way round."""
    told = [f"q.seen_as(g, {{0}}, {{1!r}}, {x}, {alone})" for x in (bad, not bad)]
    return Asked(told[0], told[1])


def _names(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names.lower(),) if isinstance(names, str) else tuple(n.lower() for n in names)


def _range(value: int | Range, expression: str) -> str:
    if isinstance(value, int):
        return f"({expression}) == {value}"
    parts = []
    if value.at_least is not None:
        parts.append(f"({expression}) >= {value.at_least}")
    if value.at_most is not None:
        parts.append(f"({expression}) <= {value.at_most}")
    return "(" + (" and ".join(parts) or "True") + ")"


def _kinds(kinds: tuple[str, ...], c: str) -> str:
    """What serves as a Steed is one, and is neither monster nor companion meanwhile (FQ-DER-5, FQ-DER-6)."""
    if ("race" in kinds) != ("class" in kinds):  # one may have become the other (FQ-CWBH-3)
        return f"q.kind_of(g, {c}) in {kinds!r}"
    source = _printed(kinds, c)
    if "steed" in kinds:
        return f"({source} or {c} in g.ridden)"
    otherwise = "monster" in kinds or not COMPANIONS.isdisjoint(kinds)
    return _unridden(kinds, c) if otherwise else source


def _unridden(kinds: tuple[str, ...], c: str) -> str:
    return f"({_printed(kinds, c)} and {c} not in g.ridden)"


def _level(level: int | Range | str, foe: bool) -> str:
    """The Level of a monster in the fight is the one it has there; that of any other card is printed on it."""
    if isinstance(level, str):
        return "q.below_first(g, c)"
    return _range(level, "q.monster_level(g, c)" if foe else "g.lib.defs[c].level")


def filter_source(f: Filter | FilterWord, foe: bool = False) -> str:
    """Source of a boolean over `g` and `c`: a card, or a monster in the fight (`foe`), which may be a copy of another.

    A monster has its face's name and kind, but its own Level, tags and enhancers.
    """
    if isinstance(f, str):
        f = FILTER_WORDS[f]
    parts: list[str] = []
    c = "q.face(g, c)" if foe else "c"
    d = f"g.lib.defs[{c}]"
    if f.kind is not None:
        parts.append(_kinds(alike(_names(f.kind)), c))
    if f.item is not None:
        parts.append(f"q.is_item(g, {c}) is {f.item}")
    if f.slot is not None:
        parts.append(f"{d}.slot in {_names(f.slot)!r} and c not in g.ridden")  # FQ-DER-10: it serves as one of both
    if f.big is not None:
        parts.append(f"q.is_big(g, {c}) is {f.big}")
    if f.tag is not None:
        parts.append(f"q.{'monster_tagged' if foe else 'tagged'}(g, c, {_names(f.tag)!r})")
    if f.deck is not None:
        parts.append(f"{d}.deck == {DECK_NUMBERS[f.deck]}")
    if f.name is not None:
        parts.append(f"q.named(g, {c}, {_names(f.name)!r})")
    if f.value is not None:
        parts.append(_range(f.value, f"{d}.gold or 0"))
    if f.level is not None:
        parts.append(_level(f.level, foe))
    if f.printed_level is not None:
        parts.append(_range(f.printed_level, f"{d}.level"))
    if f.equipped is not None:
        parts.append(f"q.in_use(g, c) is {f.equipped}")
    if f.one_shot is not None:
        parts.append(f"{d}.is_one_shot is {f.one_shot}")
    if f.weapon is not None:
        parts.append(f"{d}.weapon is {f.weapon}")
    if f.bonus is not None:
        parts.append(_range(f.bonus, "q.item_bonus(g, c)"))
    if f.enhanced is not None:
        parts.append(f"q.enhanced(g, c, {_names(f.enhanced)!r})")
    if f.faced is not None:
        parts.append(f"q.faced(g, c) is {f.faced}")
    if f.favours is not None:
        parts.append(f"q.favours(g, c, {f.favours!r})")
    if f.restricted is not None:
        parts.append(f"bool({d}.usable_by or {d}.not_usable_by) is {f.restricted}")
    if f.any_ is not None:
        parts.append("(" + " or ".join(filter_source(x, foe) for x in f.any_) + ")")
    return "(" + (" and ".join(parts) or "True") + ")"


_LEVEL_WORDS: Final = {
    "highest": "q.highest(g, {0})",
    "lowest": "q.lowest(g, {0})",
    "below_victim": "(f is not None and g.players[{0}].level < g.players[f.who].level)",
    "above_actor": "({0} >= 0 and f is not None and g.players[{0}].level > g.players[f.actor].level)",
}


def _has(p: Predicate, who: str) -> str:
    """Has he such a card in play, or so many of them?"""
    assert p.has is not None
    kinds = _kinds_alone(p.has)
    if p.count is None and kinds:
        return f"q.has_kind(g, {who}, {kinds})"
    if p.count is None:
        return f"any({filter_source(p.has)} for c in q.counted(g, {who}))"
    return _range(p.count, f"sum(1 for c in q.counted(g, {who}) if {filter_source(p.has)})")


def _kinds_alone(f: Filter | FilterWord) -> str:
    """The kinds that a filter asks for, as arguments of a question, if that is all it asks and the engine has one
    question for it: a card's kind is what is printed on it, or is so unless it is ridden. Empty: it has not."""
    if isinstance(f, str):
        f = FILTER_WORDS[f]
    kinds = alike(_names(f.kind)) if f.kind is not None else ()
    if not kinds or f != Filter(kind=f.kind):
        return ""
    source = _kinds(kinds, "c")
    if source == _printed(kinds, "c"):
        return f"{kinds!r}"
    return f"{kinds!r}, True" if source == _unridden(kinds, "c") else ""


def _printed(kinds: tuple[str, ...], c: str) -> str:
    return f"g.lib.defs[{c}].kind in {kinds!r}"


def _predicate(p: Predicate | Names, who: str, asked: Asked = TRULY) -> str:
    """Source of a boolean about the seat that the expression `who` gives (-1: nobody)."""
    if isinstance(p, (str, list)):
        p = Predicate(is_=p)
    parts: list[str] = []
    if p.is_ is not None:
        parts.append(asked.plain.format(who, _names(p.is_)))
    if p.level is not None:
        if isinstance(p.level, str):
            parts.append(_LEVEL_WORDS[p.level].format(who))
        else:
            parts.append(_range(p.level, f"g.players[{who}].level"))
    if p.has is not None:
        parts.append(_has(p, who))
    if p.items_value is not None:
        parts.append(_range(p.items_value, f"q.items_value(g, {who})"))
    if p.hand is not None:
        parts.append(_range(p.hand, f"len(g.players[{who}].hand)"))
    if p.in_fight is not None:
        parts.append(f"q.in_fight(g, {who}) is {p.in_fight}")
    if p.races is not None:
        parts.append(_range(p.races, f"q.races_had(g, {who})"))
    if p.classes is not None:
        parts.append(_range(p.classes, f"len(q.classes(g, {who}))"))
    if p.own_turn is not None:
        parts.append(f"(g.turn == {who}) is {p.own_turn}")
    if p.epic is not None:
        parts.append(f"q.epic_powers(g, {who}) is {p.epic}")
    if p.not_ is not None:
        parts.append(f"not {_predicate(p.not_, who, asked.turned())}")
    return "(" + (" and ".join(parts) or "True") + ")"


def _anyone(p: Predicate | Names, asked: Asked) -> str:
    """Is there anybody of whom that is true? Who has a card of some kind is one question of the engine's."""
    kinds = _kinds_alone(p.has) if isinstance(p, Predicate) and p == Predicate(has=p.has) and p.has is not None else ""
    return f"q.anyone_has_kind(g, {kinds})" if kinds else f"any({_predicate(p, 's', asked)} for s in g.living(0))"


def _fight(f: FightCondition) -> str:
    parts = ["g.fight is not None"]
    if f.monsters is not None:
        parts.append(_range(f.monsters, "q.foe_count(g)"))
    if f.tag is not None:
        parts.append("(" + " or ".join(f"q.foe_tagged(g, {t!r})" for t in _names(f.tag)) + ")")
    if f.used is not None:
        parts.append(f"q.used_tag(g, {f.used.lower()!r})")
    if f.bonuses is not None:
        parts.append(f"q.any_bonus(g) is {f.bonuses}")
    if f.margin is not None:
        parts.append(_range(f.margin, "q.margin(g)"))
    if f.name is not None:
        parts.append(f"q.foe_named(g, {_names(f.name)!r})")
    if f.initial is not None:
        parts.append(f"q.foe_initial(g, {_names(f.initial)!r})")
    if f.help is not None:
        parts.append(f"q.help_open(g) is {f.help}")
    if f.gained is not None:
        parts.append(f"bool(g.fight.gained & ~(1 << w)) is {f.gained}")
    if f.killed is not None:
        parts.append(f"q.any_killed(g) is {f.killed}")
    if f.pays is not None:
        parts.append(f"q.pays(g) is {f.pays}")
    return "(" + " and ".join(parts) + ")"


def condition_source(c: Condition | str, asked: Asked = TRULY) -> str:
    """Source of a boolean over `g`, `w` (the seat spoken of as "you") and `f` (the frame, or None)."""
    if isinstance(c, str):
        return _predicate(c, "w", asked)
    parts: list[str] = []
    seats = {
        "you": "w",
        "victim": "(f.who if f is not None else w)",
        "actor": "(f.actor if f is not None else w)",
        "target": "q.target_seat(f)",
        "main": "g.fight.main",
    }
    for word, seat in seats.items():
        p = getattr(c, word)
        if p is not None:
            guard = {"main": "g.fight is not None and ", "target": "q.target_seat(f) >= 0 and "}.get(word, "")
            parts.append(f"({guard}{_predicate(p, seat, SUFFERING if word == 'victim' else asked)})")
    if c.helper is not None:
        if isinstance(c.helper, bool):
            parts.append(f"(g.fight is not None and (g.fight.helper >= 0) is {c.helper})")
        else:
            helper = _predicate(c.helper, "g.fight.helper", asked)
            parts.append(f"(g.fight is not None and g.fight.helper >= 0 and {helper})")
    if c.fighters is not None:
        parts.append(f"any({_predicate(c.fighters, 's', asked)} for s in q.fighters(g))")
    if c.anyone is not None:
        parts.append(_anyone(c.anyone, asked))
    if c.fight is not None:
        parts.append(_fight(c.fight))
    if c.foe is not None:
        parts.append(f"(f is not None and f.foe >= 0 and any({filter_source(c.foe, foe=True)} for c in (f.foe,)))")
    if c.month is not None:
        months = c.month if isinstance(c.month, list) else [c.month]
        parts.append(f"q.month(g) in {tuple(months)!r}")
    if c.any_ is not None:
        parts.append("(" + " or ".join(condition_source(x, asked) for x in c.any_) + ")")
    if c.all_ is not None:
        parts.append("(" + " and ".join(condition_source(x, asked) for x in c.all_) + ")")
    if c.not_ is not None:
        parts.append(f"not {condition_source(c.not_, asked.turned())}")
    return "(" + (" and ".join(parts) or "True") + ")"


_FRAME: Final = re.compile(r"\bf\b")


def asks_of_aim(c: Condition | str) -> bool:
    """Could a condition of playing a card come out differently for what it is aimed at? It is in the frame alone."""
    return _FRAME.search(condition_source(c)) is not None


_NOT_IN_FORCE: Final = ("q.margin(", "q.any_bonus(")


def standing_condition(c: Condition | str | None, q: Any, strength: bool, asked: Asked = TRULY) -> Test | None:
    """The condition of a modifier: a strength cannot depend on who is winning."""
    if c is not None and strength and any(w in condition_source(c) for w in _NOT_IN_FORCE):
        raise LanguageError("the `if` of a strength cannot ask for who is winning")
    return compile_condition(c, q, asked)


def compile_condition(c: Condition | str | None, q: Any, asked: Asked = TRULY) -> Test | None:
    if c is None:
        return None
    return eval(f"lambda g, w, f: {condition_source(c, asked)}", {"q": q})  # type: ignore[no-any-return]


def compile_filter(f: Filter | FilterWord | None, q: Any, foe: bool = False) -> CardTest | None:
    """`foe`: the filter is asked about monsters in the fight, by the cards they are there as."""
    if f is None or f == "card":
        return None
    return eval(f"lambda g, c: {filter_source(f, foe)}", {"q": q})  # type: ignore[no-any-return]
