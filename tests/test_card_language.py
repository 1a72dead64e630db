"""The page about the card language: complete, and every example in it works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import fields

from kickdoor.cards import clauses, language, steps, vocabulary
from kickdoor.cards.arguments import MODIFIER_KEYS, VERBS
from kickdoor.cards.conditions import FILTER_WORDS
from kickdoor.cards.reading import convert, documents
from kickdoor.engine.setup import library
from kickdoor.scenario.coverage import Part, run_part, split

PAGE = Path(__file__).resolve().parent.parent / "docs" / "card-language.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCK = re.compile(r"^```yaml (scenario|cards|pack)\n(.*?)^```$", re.S | re.M)
VERB_NAMES = [verb.rstrip("_") for verb in VERBS]


def blocks(kind: str) -> list[str]:
    """The examples of one kind, each on the lines where the page has it."""
    found = [m for m in BLOCK.finditer(TEXT) if m[1] == kind]
    return ["\n" * (TEXT[: m.start()].count("\n") + 1) + m[2] for m in found]


def scenarios() -> list[Any]:
    parts = [part for block in blocks("scenario") for part in split(block)]
    return [pytest.param(part, id=re.search(r"^scenario: (.*)$", part.text, re.M)[1]) for part in parts]  # type: ignore[index]


@pytest.mark.parametrize("part", scenarios())
def test_every_example_on_the_page_is_true(part: Part) -> None:
    [outcome] = run_part(part, PAGE.name)
    assert outcome.passed, f"{PAGE.name}:{outcome.line}: step {outcome.step}: {outcome.because}"


def test_every_card_on_the_page_compiles() -> None:
    for block in blocks("cards"):
        for data, lines in documents(block, PAGE.name):
            cards = convert(data, language.CardFile, PAGE.name, lines).cards
            library(("classic",), fixtures=cards)


def named(word: str) -> bool:
    """Is this word of the language on the page, as code?"""
    return re.search(rf"`{re.escape(word)}[`:]", TEXT) is not None


def keys(kind: type[msgspec.Struct]) -> list[str]:
    return [f.encode_name for f in fields(kind)]


WORDS: dict[str, list[str]] = {
    "verbs": VERB_NAMES,
    "modifiers": list(MODIFIER_KEYS),
    "when": list(get_args(vocabulary.When)),
    "by": list(get_args(vocabulary.By)),
    "on": list(get_args(vocabulary.On)),
    "events": list(get_args(vocabulary.Event)),
    "kinds": list(get_args(vocabulary.Kind)),
    "filter words": list(FILTER_WORDS),
    "keys of a filter": keys(clauses.Filter),
    "keys of a condition": keys(clauses.Condition),
    "keys about a player": keys(clauses.Predicate),
    "keys about a fight": keys(clauses.FightCondition),
    "keys of a modifier": keys(clauses.Modifier),
    "keys of a card": keys(language.Card),
    "keys of play": keys(language.Play),
    "keys of an ability": keys(language.Ability),
    "keys of a cost": keys(language.Cost),
    "keys of a step": keys(steps.Step),
    "keys of discard": keys(steps.Discard),
    "keys of take": keys(steps.Take),
    "keys of each": keys(steps.Each),
}


@pytest.mark.parametrize("group", WORDS)
def test_every_word_of_the_language_is_on_the_page(group: str) -> None:
    assert [word for word in WORDS[group] if not named(word)] == []


# -- an example for every word ------------------------------------------------------------------------------------


def examples() -> list[msgspec.Struct]:
    """Every card in an example, and the head of a pack."""
    found: list[msgspec.Struct] = []
    for data, lines in (d for block in blocks("cards") for d in documents(block, PAGE.name)):
        found += convert(data, language.CardFile, PAGE.name, lines).cards
    for data, lines in (d for block in blocks("pack") for d in documents(block, PAGE.name)):
        found.append(convert(data, language.Pack, PAGE.name, lines))
    for data, _ in (d for block in blocks("scenario") for d in documents(block, PAGE.name)):
        found += [msgspec.convert(c, language.Card) for c in (data.get("table") or {}).get("fixtures") or []]
    return found


def written(node: Any, used: set[tuple[str, str]], said: set[str]) -> None:
    """The keys that are written in a structure, and the words that stand there."""
    if isinstance(node, msgspec.Struct):
        bare = DEFAULTS[type(node)]
        for name, key in zip(node.__struct_fields__, node.__struct_encode_fields__, strict=True):
            value = getattr(node, name)
            if value != bare.get(name, msgspec.NODEFAULT):
                used.add((type(node).__name__, key))
                written(value, used, said)
    elif isinstance(node, str):
        said.add(node)
    elif isinstance(node, (list, dict)):
        said.update(k for k in node if isinstance(k, str))
        for item in node.values() if isinstance(node, dict) else node:
            written(item, used, said)


DEFAULTS = {
    t: {
        f.name: f.default if f.default is not msgspec.NODEFAULT else f.default_factory()
        for f in fields(t)
        if not f.required
    }
    for module in (clauses, steps, language)
    for t in vars(module).values()
    if isinstance(t, type) and issubclass(t, msgspec.Struct) and t.__module__ == module.__name__
}
FIXED = (
    "When",
    "By",
    "On",
    "Event",
    "Kind",
    "Who",
    "EachWho",
    "Chooser",
    "Pick",
    "Loss",
    "Shield",
    "FilterWord",
    "Slot",
)
DEFAULT_WORDS = {"anyone", "nothing"}  # what `by` and `on` are where nothing is written


def test_every_word_has_an_example_that_is_read() -> None:
    used: set[tuple[str, str]] = set()
    said: set[str] = set()
    for card in examples():
        written(card, used, said)
    keys_of_all = {(t.__name__, f.encode_name) for t in DEFAULTS for f in fields(t)} - {("CardFile", "cards")}
    assert sorted(keys_of_all - used) == []
    words = {w for name in FIXED for w in get_args(getattr(vocabulary, name))} - DEFAULT_WORDS
    assert sorted(words - said) == []


def test_every_verb_has_an_example_that_runs() -> None:
    assert lacking(VERB_NAMES) == []


def test_every_modifier_has_an_example_that_runs() -> None:
    assert lacking(list(MODIFIER_KEYS)) == []


def lacking(words: list[str]) -> list[str]:
    """The words that no scenario on the page uses."""
    code = "\n".join(blocks("scenario"))
    return [w for w in words if not re.search(rf"\b{w}:", code)]
