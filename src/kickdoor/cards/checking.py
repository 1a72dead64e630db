"""What is wrong with a card beyond its form: keys of another kind, arguments that nothing reads, unknown words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

from kickdoor.cards import arguments as rows
from kickdoor.cards.clauses import Modifier, Range
from kickdoor.cards.language import Card, Pack, Play
from kickdoor.cards.reading import Path_, nearest
from kickdoor.cards.steps import Step
from kickdoor.cards.words import Words, given, references, walk
from kickdoor.paper.plain import one_line

COPIES: Final = 500  # of one card; ours have 6 at most
NEEDS: Final = 50  # other packs
NAME_LETTERS: Final = 100  # the longest of ours has 67

_MISSING: Final = {
    "card": "no card is called",
    "card or family": "no card is called",
    "tag": "nothing is tagged",
    "carried": "nothing asks for cards tagged",
    "power": "no power is called",
    "slot": "there is no slot",
    "letters": "single letters are meant, with commas, not",
    "part of a name": "no card has in its name",
    "grant": "no card is or asks for",
}


class Fault(NamedTuple):
    """One thing that is wrong with a card: where in it, and what would be right."""

    path: Path_
    says: str


class Known:
    """The words that have a meaning here: in the packs of the game first, then in any pack that is known."""

    def __init__(
        self, *words: Words, rest: Callable[[str], Iterable[Words]] = lambda word: (), made_up: bool = False
    ) -> None:
        self.words = words
        self.rest = rest  # of the packs that are not in the game: as many as must be looked into for a word
        self.made_up = made_up  # a card of a scenario: plain keys are taken on every kind

    def has(self, word: str, what: str) -> bool:
        return any(w.has(word, what) for w in chain(self.words, self.rest(word)))

    def hint(self, word: str, what: str) -> str:
        return nearest(word, [v for w in (*self.words, *self.rest(word)) for v in w.known(what)])


def name_faults(card: Card) -> Iterator[Fault]:
    """What is wrong with what a card is called: names are told to people in the middle of a line."""
    if card.kind is None and card.like is None:
        yield Fault((), "needs a kind (or like: another card)")
    for path, name in (("name",), card.name), *((("aka", i), other) for i, other in enumerate(card.aka)):
        yield from _name(path, name)
    if card.copies > COPIES:
        yield Fault(("copies",), f"is at most {COPIES}, not {card.copies:,}")


def head_faults(head: Pack) -> Iterator[Fault]:
    """The same of the head of a pack."""
    yield from _name(("id",), head.id)
    yield from _name(("title",), head.title)
    if len(head.needs) > NEEDS:
        yield Fault(("needs",), f"a pack needs at most {NEEDS} others, not {len(head.needs):,}")


def _name(path: Path_, name: str) -> Iterator[Fault]:
    if not name or one_line(name) != name:
        yield Fault(path, "a name is one line of letters that can be seen, with single blanks between its words")
    elif len(name) > NAME_LETTERS:
        yield Fault(path, f"a name has at most {NAME_LETTERS} letters, not {len(name)}")


def faults(card: Card, whole: Card, known: Known) -> Iterator[Fault]:
    """Everything wrong with what is written on a card; `whole` is the card with what it has from another one."""
    yield from _keys(card, whole, rows.PLAIN if known.made_up else frozenset())
    yield from _figures(card, whole)
    for path, node in walk(card):
        if isinstance(node, Step):
            yield from _step(path, node)
        elif isinstance(node, Modifier):
            yield from _modifier(path, node, "" if "afflict" in path else whole.kind or "")
        elif isinstance(node, Range):
            yield from _range(path, node)
        elif isinstance(node, Play) and node.stays == "attached" and node.on not in rows.HOSTS:
            yield Fault((*path, "stays"), f"attached is on {_few(rows.HOSTS)}, not on {node.on}")
        yield from _needs(path, whole if node is card else node, node)
        yield from _words(path, node, known)


def head_words(head: Pack, known: Known) -> Iterator[Fault]:
    """What the head of a pack refers to and nobody has."""
    yield from _words((), head, known)


def _keys(card: Card, whole: Card, anywhere: frozenset[str]) -> Iterator[Fault]:
    for key, _ in given(card):
        kinds = rows.KINDS.get(key, rows.ALL)
        if whole.kind is not None and whole.kind not in kinds and key not in anywhere:
            yield Fault((key,), f"means nothing on a card of kind {whole.kind}; it is for {_few(kinds)}")


def _figures(card: Card, whole: Card) -> Iterator[Fault]:
    for key, by_kind in rows.RANGES.items():
        low, high = by_kind.get(whole.kind or "", (None, None))
        n = getattr(card, key)
        if n is not None and low is not None and n < low:
            yield Fault((key,), f"is at least {low} on a card of kind {whole.kind}, not {n}")
        if n is not None and high is not None and n > high:
            yield Fault((key,), f"is at most {high} on a card of kind {whole.kind}, not {n}")


def _range(path: Path_, node: Range) -> Iterator[Fault]:
    if node.at_least is None and node.at_most is None:
        yield Fault(path, "needs at_least, at_most or both")
    elif node.at_least is not None and node.at_most is not None and node.at_least > node.at_most:
        yield Fault(path, f"nothing is at least {node.at_least} and at most {node.at_most}")


def _verb_of(step: Step) -> list[str]:
    return [v.rstrip("_") for v in rows.VERBS if getattr(step, v) is not None]


def _step(path: Path_, step: Step) -> Iterator[Fault]:
    verbs = _verb_of(step)
    if len(verbs) != 1:
        yield Fault(path, f"a step needs exactly one verb, this one has {', '.join(verbs) or 'none'}")
        return
    for key, readers in rows.BESIDE_VERB.items():
        if getattr(step, key if key != "else" else "else_") is not None and verbs[0] not in readers:
            yield Fault((*path, key), f"nothing reads it beside {verbs[0]}; it is for {_few(readers)}")


def _few(words: Iterable[str]) -> str:
    listed = sorted(words)
    return ", ".join(listed[:12]) + ("..." if len(listed) > 12 else "")


def _modifier(path: Path_, m: Modifier, kind: str) -> Iterator[Fault]:
    keys = [k for k in rows.MODIFIER_KEYS if getattr(m, k) is not None]
    if len(keys) != 1:
        yield Fault(path, f"a modifier changes exactly one thing, this one has {', '.join(keys) or 'none'}")
        return
    for key, readers in rows.BESIDE_MODIFIER.items():
        if getattr(m, key if key != "if" else "if_") is None:
            continue
        if keys[0] not in readers:
            yield Fault((*path, key), f"nothing reads it beside {keys[0]}; it is for {_few(readers)}")
        elif key in rows.ABOUT_MUNCHKINS and kind not in rows.FOES:
            yield Fault((*path, key), f"is for monsters, not for a card of kind {kind}; say `if` of munchkins")
        elif key in rows.ABOUT_MONSTERS and kind in rows.FOES:
            yield Fault((*path, key), f"is for what munchkins have, not for a card of kind {kind}")


def _needs(path: Path_, whole: Any, node: Any) -> Iterator[Fault]:
    needed = rows.NEEDS.get(type(node).__name__)
    if needed:
        written, there = {k for k, _ in given(node)}, {k for k, _ in given(whole)}
        for key, other in needed.items():
            if key in written and other not in there:
                yield Fault((*path, key), f"says more about `{other}`, and there is none")


def _words(path: Path_, node: Any, known: Known) -> Iterator[Fault]:
    for key, word, what in references(node):
        if not known.has(word, what):
            says = _MISSING.get(what, "nobody can be")
            more = "; if it is for cards to come, list it under `tags` in pack.yaml" if what == "carried" else ""
            yield Fault((*path, key), f"{says} {word!r}; {known.hint(word, what)}{more}")
