"""Sentences that are right in every person and number: who does it, to whom, whose it is, a or an, one or many.

A sentence is written once, in the third person, with gaps and with its verbs in brackets:

    "{w} [asks] {o} for help and [offers] {n}."    "It is {w's} turn."    "{c} is {w's own} now."

`render` fills it in for whoever listens. A gap that is a person comes out as "you" or as a name; verbs agree with the
first person of the sentence, or with the one they name: `[o:has]`. Who does something to himself is named once:
"You play it on yourself." What is filled in is never read as a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple


class Person(NamedTuple):
    """Somebody in a sentence: you, one with a name, or several (or nobody in particular) under one name."""

    name: str
    you: bool = False
    many: bool = False
    sex: str = ""  # male, female; otherwise not known, or not to be said


Word = str | Person
SOMEBODY: Final = Person("somebody")
NOBODY: Final = Person("nobody")

_PART: Final = re.compile(r"\{(\w+)('s(?: own)?)?\}|\[(?:(\w+):)?([\w' ]+)\]")
_BEGINS: Final = (". ", "! ", "? ")  # what stands before the first word of a sentence
_DOUBLE_STOP: Final = re.compile(r"(?<!\.)([.!?…])\.(?!\.)")
_TWO_STOPS: Final = ("..", "!.", "?.", "….")  # seldom, and quicker seen than looked for
_VERBS: Final = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't"}
_HISSES: Final = ("sses", "shes", "ches", "xes", "zzes", "oes")


def render(text: str, word: Callable[[str], Word]) -> str:
    """A sentence with its gaps filled; `word` says what stands in a gap of that name."""
    out = ""
    subject: Person | None = None
    parts = _parts(text)
    for i, (plain, gap, case, of, verb) in enumerate(parts):
        out += plain
        if verb:
            agrees = word(of) if of else subject
            out += agree(verb, agrees if isinstance(agrees, Person) else None)
        elif gap:
            said = word(gap)
            if isinstance(said, Person):
                begins = out in ("", "-- ") or out.endswith(_BEGINS)
                does = parts[i + 1][0] == " " and parts[i + 1][4]  # who does something more is named again
                again = subject == said and not begins and not does
                subject = subject or said
                said = _again(said, case) if again else _cases(said, case)
                if begins:
                    said = capital(said)
            elif case:
                said = possessive(said)
            out += said
    if any(two in out for two in _TWO_STOPS):
        out = _DOUBLE_STOP.sub(r"\1", out)  # a name that shouts ends the sentence
    return out


@lru_cache(maxsize=1000)
def _parts(text: str) -> list[tuple[str, str, str, str, str]]:
    """A sentence in pieces: what stands before a gap or verb, and that; at the end what is left."""
    out = []
    at = 0
    for m in _PART.finditer(text):
        out.append((text[at : m.start()], m[1] or "", m[2] or "", m[3] or "", m[4] or ""))
        at = m.end()
    return [*out, (text[at:], "", "", "", "")]


def _cases(p: Person, case: str) -> str:
    if not p.you:
        return possessive(p.name, p.many) if case else p.name
    return {"'s": "your", "'s own": "yours"}.get(case, "you")


def _again(p: Person, case: str) -> str:
    """The one whom the sentence is about already, as it goes on about him."""
    if case or p in (SOMEBODY, NOBODY):
        return _cases(p, case)
    return reflexive(p)


def reflexive(p: Person) -> str:
    """Yourself, himself, herself, themselves; of one whose sex is not said: themself."""
    if p.you:
        return "yourself"
    return "themselves" if p.many else {"male": "himself", "female": "herself"}.get(p.sex, "themself")


def whose(p: Person) -> str:
    """What belongs to the one whom the sentence is about: your, his, her, their."""
    if p.you:
        return "your"
    return "their" if p.many else {"male": "his", "female": "her"}.get(p.sex, "their")


def agree(verb: str, with_: Person | None) -> str:
    """A verb, written as for one other ("takes", "is"), as it goes with this person."""
    return several(verb) if with_ is not None and (with_.you or with_.many) else verb


def several(verb: str) -> str:
    """The form for you and for many: "take", "are"."""
    if verb in _VERBS:
        return _VERBS[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith(_HISSES):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") else verb


def possessive(name: str, many: bool = False) -> str:
    """Ann's, James's; of many whose name ends in s: the munchkins'."""
    return f"{name}'" if many and name.endswith("s") else f"{name}'s"


# A letter is not a sound: a unicorn, a one-shot, an hour, an 8-sided die.
_AN: Final = re.compile(r"(?i)[aeiou]|hour|honest|hono|heir|8|11\b|18\b")
_A: Final = re.compile(r"(?i)uni(?![mn])|us[aeu]|ut[io]|eu|ew|one(?![a-z])|once")
_HAS_ONE: Final = re.compile(r"(?i)(a|an|the|your|my|his|her|some) ")


@lru_cache(maxsize=2000)
def article(name: str) -> str:
    """An Elf, a Dwarf; a name that has an article already keeps it."""
    if _HAS_ONE.match(name):
        return name
    return f"an {name}" if _AN.match(name) and not _A.match(name) else f"a {name}"


def many(n: int, what: str, none: str = "") -> str:
    """1 level, 2 levels; `none`: what is said instead of 0."""
    if not n and none:
        return none
    return f"{n} {what}" if abs(n) == 1 else f"{n} {what}s"


def number(n: int) -> str:
    """With a real minus sign, as on the page: 3, −2."""
    return f"{n}".replace("-", "\N{MINUS SIGN}")


def signed(n: int) -> str:
    """A bonus as it is printed: +3, −2."""
    return f"+{n}" if n > 0 else number(n)


def listed(names: Sequence[str], last: str = "and", nothing: str = "nobody") -> str:
    """Ann; Ann and Bob; Ann, Bob and Cid."""
    if len(names) < 2:
        return names[0] if names else nothing
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def together(people: Sequence[Person]) -> Person:
    """Several people as one subject: "Ann and you", who are many; nobody is one."""
    if len(people) == 1:
        return people[0]
    names = [p.name for p in people if not p.you] + ["you"] * any(p.you for p in people)
    return Person(listed(names), many=len(people) > 1) if people else NOBODY


def capital(text: str) -> str:
    """As a sentence begins."""
    return text[:1].upper() + text[1:]
