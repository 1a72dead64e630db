"""The cards for a phone: to look up, and to count by without a line.

What a card does to the sum of a fight is exported as figures and clauses that can be read off the sheets: Race, Class,
sex, Level, a helper. Where a condition is about something else, the people at the table say whether it holds
(`by_hand`). A card that does more to a sum is not `whole`, and a phone says so. Nothing is decided here that the engine
decides otherwise: tests/test_counter_sums.py gives the same fights to both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kickdoor.cards.clauses import Condition, Modifier, Predicate, Range
from kickdoor.cards.library import CardDef, Library
from kickdoor.companion import shapes as sh
from kickdoor.companion.laying import find_library
from kickdoor.engine.setup import default_rules

DECKS: Final = ("door", "treasure", "dungeon", "spell", "fairy_dust")
SEXES: Final = ("male", "female")

# What a card may say besides its figures without changing a sum, who wins, or what a victory pays.
_HARMLESS: Final = frozenset(
    (
        *("run_away", "die", "escapes", "safe_from", "sacrifice"),
        *("hand_limit", "extra_cards", "big", "extra_big", "hands", "two_handed", "slot", "extra_tagged", "usable_as"),
        *("no_slot", "no_carry", "only_over", "big_exempt", "small", "rideable", "no_enhancers", "tag"),
        *("steeds", "hirelings"),
        *("returns", "returns_to_hand", "shields", "claims", "sell_double", "sells_half", "immune_to", "ability"),
        *("helper_level", "no_help", "cannot_help", "must_help", "keeps_out", "sealed", "intrudes", "monster_ally"),
        *("curse_immunity", "reflect_curse", "shares_curses", "no_trouble", "charity", "luck", "redraw", "exchange"),
        *("goal", "only_kills", "cannot_win"),
    )
)
_UNTOLD: Final = ("before_combat", "met", "help_settled", "hindered")  # events that may change a fight by themselves
_PLAIN_KINDS: Final = frozenset(
    (
        *("monster", "monster_enhancer", "one_shot", "item", "item_enhancer", "go_up_a_level"),
        *("race", "class", "power", "steed", "steed_enhancer", "ship"),
        *("hireling", "minion", "sidekick", "ally", "mook"),
    )
)


class Unsayable(ValueError):
    """A condition that cannot be read off the sheets."""


def told(packs: Sequence[str]) -> sh.CardsTold:
    """Every card of these packs once. Raises Impossible."""
    lib = find_library(tuple(dict.fromkeys(packs)))
    return {"packs": list(lib.packs), "hash": lib.printed, "cards": list(_cards(lib))}


def _cards(lib: Library) -> Iterator[sh.CardFacts]:
    names: dict[str, int] = {}
    for d in lib.unique:
        names[d.name.lower()] = names.get(d.name.lower(), 0) + 1
    said = _Said(lib)
    for d in lib.unique:
        if d.pack != "fixtures":
            yield said.facts(d, d.name if names[d.name.lower()] == 1 else f"{d.name}@{d.card.set_ or d.pack}")


class _Said:
    """What the cards of a library say, in a phone's words."""

    def __init__(self, lib: Library) -> None:
        self.traits = {t for d in lib.unique if d.trait for t in d.traits} - {"human"} | set(SEXES)
        self.by_name = [r.substring for r in default_rules(lib.packs).name_rules]

    def facts(self, d: CardDef, label: str) -> sh.CardFacts:
        try:
            clauses = self._clauses(d)
            whole = self._whole(d)
        except Unsayable:
            clauses, whole = [], False
        return {
            "label": label,
            "name": d.name,
            "pack": d.pack,
            "kind": d.kind,
            "deck": DECKS[d.deck],
            "level": d.level if d.kind in ("monster", "steed") else 0,
            "bonus": d.bonus,
            "treasures": d.treasures,
            "levels": d.levels if d.kind in ("monster", "steed", "go_up_a_level") else 0,
            "gold": d.gold if d.is_item else None,
            "slot": d.slot or "",
            "hands": d.hands,
            "big": bool(d.big),
            "run_away": d.run_away,
            "traits": sorted(d.traits) if d.trait else [],
            "wins_ties": any(m.test is None for m in d.mods.get("wins_ties", ())),
            "usable": _usable(d),
            "text": d.card.text or "",
            "bad_stuff": d.card.bad_stuff_text or "",
            "clauses": clauses,
            "whole": whole,
        }

    def _whole(self, d: CardDef) -> bool:
        """Do figures and clauses say all that it does to a sum?"""
        odd = set(d.mods) - _HARMLESS - {"strength", "wins_ties"}
        if odd or d.kind not in _PLAIN_KINDS or any(m.test is not None for m in d.mods.get("wins_ties", ())):
            return False
        if d.multi or d.clone is not None or d.opt_in or d.refuses or d.recasts or any(e in d.on for e in _UNTOLD):
            return False
        if d.kind == "one_shot" and [m.op for m in d.modes if m.op not in ("item", "lay")] != ["side_bonus"]:
            return False
        if d.kind == "monster_enhancer" and (d.treasures < 0 or d.card.levels_gained or (d.card.level or 0) < 0):
            return False
        if (d.is_companion and d.traits) or any(x in d.name.lower() for x in self.by_name):
            return False
        return d.kind != "monster_enhancer" or d.card.play is None

    def _clauses(self, d: CardDef) -> list[sh.Clause]:
        printed = [m for m in d.card.modifiers if m.strength is not None]
        if len(printed) != len(d.mods.get("strength", ())) or (printed and d.is_one_shot):
            raise Unsayable  # a pack adds something of its own
        monstrous = d.kind in ("monster", "monster_enhancer")
        out = [self._clause(m, monstrous) for m in printed]
        if d.kind == "monster_enhancer" and d.card.level:
            out.append(_clause(d.card.level))
        return out

    def _clause(self, m: Modifier, monstrous: bool) -> sh.Clause:
        if m.host is not None or (m.to == "fighters" and not monstrous):
            raise Unsayable
        try:
            return self._read_off(m, monstrous)
        except Unsayable:
            out = _clause(m.strength or 0)
            out["to"] = m.to or "owner"
            out["by_hand"], out["each"] = True, m.per is not None or m.to == "fighters"
            return out

    def _read_off(self, m: Modifier, monstrous: bool) -> sh.Clause:
        """A clause whose conditions the sheets answer."""
        if m.per is not None:
            raise Unsayable
        out = _clause(m.strength or 0)
        if m.to == "fighters":
            out["to"] = "fighters"
        if m.against is not None and monstrous:
            out["any"] = self._names(m.against)
        if m.if_ is not None:
            self._condition(out, m.if_, monstrous)
        return out

    def _condition(self, out: sh.Clause, c: Condition | str, monstrous: bool) -> None:
        """A condition as a clause has it; the owner of an Item stands alone, a monster faces a side."""
        if isinstance(c, str):
            c = Condition(you=c)
        alone = not monstrous or out["to"] == "fighters"
        given = {k for k in c.__struct_fields__ if getattr(c, k) is not None}
        if not given <= {"you", "main", "fighters", "helper", "not_"}:
            raise Unsayable
        if c.helper is not None:
            if not isinstance(c.helper, bool):
                raise Unsayable
            out["helper"] = c.helper
        if c.you is not None:
            self._predicate(out, c.you, traits=alone, levels=out["to"] != "fighters")
        if c.main is not None:
            self._predicate(out, c.main, traits=False, levels=monstrous and out["to"] == "owner")
        if c.fighters is not None:
            self._predicate(out, c.fighters, traits=monstrous and out["to"] == "owner", levels=False)
        if c.not_ is not None:
            self._negated(out, c.not_, alone)

    def _negated(self, out: sh.Clause, c: Condition | str, alone: bool) -> None:
        inner = _clause(0)
        inner["to"] = out["to"]
        self._condition(inner, c, not alone)
        if not inner["any"] or inner != {**_clause(0), "to": out["to"], "any": inner["any"]} or out["none"]:
            raise Unsayable
        out["none"] = inner["any"]

    def _predicate(self, out: sh.Clause, p: Predicate | str | list[str], traits: bool, levels: bool) -> None:
        if not isinstance(p, Predicate):
            p = Predicate(is_=p)
        given = {k for k in p.__struct_fields__ if getattr(p, k) is not None}
        if not given <= {"is_", "level", "not_"}:
            raise Unsayable
        if p.is_ is not None:
            if not traits or out["any"]:
                raise Unsayable
            out["any"] = self._names(p.is_)
        if p.level is not None:
            if not levels or isinstance(p.level, str):
                raise Unsayable
            bounds = Range(p.level, p.level) if isinstance(p.level, int) else p.level
            out["level_at_least"] = max(out["level_at_least"], bounds.at_least or 0)
            out["level_at_most"] = bounds.at_most or out["level_at_most"]
        if p.not_ is not None:
            inner = p.not_ if isinstance(p.not_, Predicate) else Predicate(is_=p.not_)
            if not traits or inner != Predicate(is_=inner.is_) or inner.is_ is None or out["none"]:
                raise Unsayable
            out["none"] = self._names(inner.is_)

    def _names(self, names: str | Sequence[str]) -> list[str]:
        """Words that sheets have: Races, Classes, sexes. (Who has no Race is Human, which no card says.)"""
        out = [names.lower()] if isinstance(names, str) else [n.lower() for n in names]
        if not set(out) <= self.traits:
            raise Unsayable
        return out


def _clause(amount: int) -> sh.Clause:
    return {
        "amount": amount,
        "to": "owner",
        "any": [],
        "none": [],
        "level_at_least": 0,
        "level_at_most": 0,
        "helper": None,
        "by_hand": False,
        "each": False,
    }


def _usable(d: CardDef) -> str:
    """Who may use it, in a word or two."""
    if d.usable_by:
        return "only " + ", ".join(sorted(x.capitalize() for x in d.usable_by))
    if d.not_usable_by:
        return "not " + ", ".join(sorted(x.capitalize() for x in d.not_usable_by))
    return ""
