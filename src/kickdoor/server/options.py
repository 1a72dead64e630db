"""What a table can be: its cards, its rules, its clocks; and what the lobby offers to choose from."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from kickdoor.bots import KINDS, known, lesson
from kickdoor.cards.library import Library
from kickdoor.cards.packs import PackError, find_pack, known_packs, members, read_pack
from kickdoor.engine.setup import library, rules_for
from kickdoor.engine.table import deck_building
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.ruleset import Response, Ruleset, RulesetError
from kickdoor.server import limits
from kickdoor.server.protocol import Advice, BotSpeed, OptionsState
from kickdoor.server.trouble import Trouble
from kickdoor.voice.choices import FLAGS

PACE: Final[dict[str, float]] = {"slow": 2.0, "normal": 1.0, "fast": 0.35, "instant": 0.0}
LONGEST_WINDOW: Final = 120.0
ABSENT: Final = (60.0, 3600.0)
MOST: Final = 10**9
DEEPEST: Final = 4


class Timer(NamedTuple):
    """Seconds: what people get on top of the book's own reasonable time in a window, and for a decision.

    Without seconds for a decision no clock runs; a window then ends only for those who want to be passed for.
    """

    extra: float
    decision: float


# How long one waits for others to speak up is the edition's (COMBAT-32, SH-34); who plays by mouse needs some more.
TIMERS: Final[dict[str, Timer]] = {
    "relaxed": Timer(12.4, 180.0),
    "normal": Timer(5.4, 60.0),
    "quick": Timer(2.4, 25.0),
    "blitz": Timer(0.0, 10.0),
    "none": Timer(5.4, 0.0),
}
PHRASES: Final[dict[str, str]] = {
    "hello": "Hello!",
    "hurry": "Some time today, please.",
    "thanks": "Thank you. I did not expect that.",
    "deal": "We can talk about this.",
    "no_way": "Not for all the gold in the dungeon.",
    "ouch": "That was uncalled for.",
    "sorry": "Nothing personal.",
    "laugh": "Ha!",
    "good_game": "Good game.",
    "brb": "Back in a minute.",
}


class TableOptions(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Everything that is settled in the lobby."""

    packs: list[str] = msgspec.field(default_factory=lambda: ["classic"])
    house: list[str] = []  # ids of FLAGS
    rules: dict[str, Any] = {}  # any other field of the ruleset, by its dotted name
    without: list[str] = []  # cards left in the box
    copies: dict[str, int] = {}  # another number of a card than the box has
    timer: str = "normal"
    window: float = 8.0  # what the normal timer is by the classic book
    decision: float = TIMERS["normal"].decision
    grace: float = 60.0
    bot_speed: BotSpeed = "normal"
    standin: str = "schemer"
    watchers: bool = True
    lesson: str = ""  # the guided first game: its deck is stacked (bots/lesson.yaml)
    listed: bool = False  # in the list of open tables, where the server has one
    hints: bool = False  # everybody may ask what the strongest bot would do
    absent: float = 0.0  # seconds of a bot's standing in after which nobody waits for a vote; 0: everybody is asked

    def __post_init__(self) -> None:
        """Whoever names a bundle, now or in an earlier version, has chosen the packs in it."""
        msgspec.structs.force_setattr(self, "packs", list(members(self.packs)))


def changed(old: TableOptions, changes: dict[str, Any]) -> TableOptions:
    """The options with some of them changed; refused with a sentence if they make no sense."""
    check_size(changes)
    data = msgspec.to_builtins(old) | changes
    try:
        new = msgspec.convert(data, TableOptions)
    except msgspec.ValidationError as e:
        raise Trouble("bad_option", f"These options make no sense: {e}.") from None
    check_numbers(new)
    check_words(new)
    new = _with_clocks(_with_lesson(new), changes)
    check(new)
    return new


def difference(old: TableOptions, new: TableOptions) -> dict[str, Any]:
    """What is new, by name: what is written down of a change is no more than what was changed."""
    before = msgspec.to_builtins(old)
    return {name: value for name, value in msgspec.to_builtins(new).items() if value != before[name]}


def _with_lesson(o: TableOptions) -> TableOptions:
    """A lesson is about certain cards, by certain rules."""
    if not o.lesson:
        return o
    told = lesson.first()
    return msgspec.structs.replace(o, packs=told.packs, house=[], rules=told.rules, without=[], copies={})


def _with_clocks(o: TableOptions, changes: dict[str, Any]) -> TableOptions:
    """A timer with a name is what it comes to by these rules; who says other seconds has one of his own."""
    timer = TIMERS.get(o.timer)
    if timer is None:
        return o
    clocks = {"window": window(o, timer), "decision": timer.decision}
    if any(k in changes and changes[k] != v for k, v in clocks.items()):
        return msgspec.structs.replace(o, timer="custom")
    return msgspec.structs.replace(o, **clocks)


def window(o: TableOptions, timer: Timer) -> float:
    """How long people have to react: the book's own time, and what the timer adds to it."""
    return round(response(o).seconds + timer.extra, 1)


def response(o: TableOptions) -> Response:
    """The time one has to wait for others to speak up, by the book that is played by (COMBAT-32, SH-34)."""
    return rules(o).combat.response


def check_size(said: object, depth: int = 0) -> None:
    """Is this small enough to be looked at: text that is text, numbers that are numbers, nothing deep or endless?"""
    if isinstance(said, str):
        if len(said) > limits.WORD_LETTERS:
            raise Trouble("bad_option", f"{said[:20]!a}... is too long: {limits.WORD_LETTERS} letters are enough.")
        if not said.isprintable():
            raise Trouble("bad_option", f"{said!a} has letters that nobody can see.")
    elif isinstance(said, (int, float)):
        if not -MOST < said < MOST:  # nor what is no number at all
            raise Trouble("bad_option", "Numbers here have at most nine digits.")
    elif isinstance(said, (list, tuple, dict)):
        if depth > DEEPEST or len(said) > limits.WITHOUT:
            raise Trouble("bad_option", f"A list here has at most {limits.WITHOUT} entries, and no lists of lists.")
        for part in said:
            check_size(part, depth + 1)
            if isinstance(said, dict):
                check_size(said[part], depth + 1)
    if depth == 0 and len(msgspec.json.encode(said)) > limits.OPTIONS_BYTES:
        raise Trouble("bad_option", f"The options of a table have at most {limits.OPTIONS_BYTES} bytes.")


def check_numbers(o: TableOptions) -> None:
    """How many cards are asked for? Said before any of them is made."""
    if len(o.rules) > limits.FIELDS or len(o.house) > limits.FIELDS:
        raise Trouble("bad_option", f"At most {limits.FIELDS} fields of the rules can be changed.")
    for name, n in o.copies.items():
        if not 1 <= n <= limits.COPIES_OF_A_CARD:
            says = f"{name[:40]!r}: a deck has 1 to {limits.COPIES_OF_A_CARD} copies of a card, not {n}."
            raise Trouble("bad_option", f"{says} To leave a card in the box, name it under `without`.")
    if sum(o.copies.values()) > limits.COPIES_OF_ALL:
        says = f"That is {sum(o.copies.values())} cards; {limits.COPIES_OF_ALL} copies are the most that can be set."
        raise Trouble("bad_option", says)


def known_bot(kind: str) -> bool:
    """Is this a bot that people may seat? Manners are theirs to choose, budgets are the server's business."""
    return re.fullmatch("[a-z]{1,20}(:[a-z]{1,20})?", kind) is not None and known(kind)


def check_words(o: TableOptions) -> None:
    """Are the packs, house rules, timers and bots that are named known?"""
    if not o.packs or len(set(o.packs)) != len(o.packs) or len(o.packs) > limits.PACKS:
        raise Trouble("bad_option", "Choose at least one pack, and none twice.")
    unknown = [p for p in o.packs if p not in known_packs()]
    if unknown:
        raise Trouble(
            "bad_option", f"There is no pack {unknown[0][:40]!r} here. There are: {', '.join(known_packs())}."
        )
    odd = [h for h in o.house if h not in FLAGS]
    if odd:
        raise Trouble("bad_option", f"No house rule is called {odd[0][:40]!r}. There are: {', '.join(FLAGS)}.")
    if o.timer not in (*TIMERS, "custom"):
        raise Trouble("bad_option", f"No timer is called {o.timer[:40]!r}. There are: {', '.join(TIMERS)}, custom.")
    if o.lesson and o.lesson not in lesson.LESSONS:
        raise Trouble("bad_option", f"No lesson is called {o.lesson[:40]!r}. There are: {', '.join(lesson.LESSONS)}.")
    if not known_bot(o.standin):
        raise Trouble("bad_option", f"There is no bot {o.standin[:40]!r}. There are: {', '.join(KINDS)}.")


def check(o: TableOptions) -> None:
    """Do cards, rules and clocks fit together?"""
    least = response(o)
    if not least.seconds <= o.window <= LONGEST_WINDOW:
        says = f"Reasonable time is between {least.seconds:g} ({least.label}) and {LONGEST_WINDOW:g} seconds."
        raise Trouble("bad_option", says, "COMBAT-32")
    if (o.decision and not 5 <= o.decision <= 3600) or not 5 <= o.grace <= 3600:
        says = (
            "A decision may take 5 seconds to an hour, or for ever (0); waiting for a lost line, 5 seconds to an hour."
        )
        raise Trouble("bad_option", says)
    if o.absent and not ABSENT[0] <= o.absent <= ABSENT[1]:
        says = "Votes wait for everybody (0), or for those a bot plays for between a minute and an hour (60 to 3600)."
        raise Trouble("bad_option", says)
    try:
        lib = cards(o)
    except (PackError, ValueError) as e:
        raise Trouble("bad_option", f"These packs do not go together like that: {e}") from None
    try:
        deck_building.check_choices(lib, rules(o))
    except Refused as e:
        raise Trouble("bad_option", e.reason.says, e.rule) from None


def rules(o: TableOptions) -> Ruleset:
    """The ruleset of a table. What is said of a single field counts more than a house rule of several."""
    return _rules(msgspec.msgpack.encode((o.packs, o.house, o.rules)))


@lru_cache(maxsize=256)
def _rules(said: bytes) -> Ruleset:
    """Kept, since a table is asked for its rules again and again, and they take milliseconds to put together."""
    packs, house, more_fields = msgspec.msgpack.decode(said, type=tuple[list[str], list[str], dict[str, Any]])
    fields = {k: v for h in house for k, v in FLAGS[h].fields.items()} | more_fields
    edition = fields.pop("edition", None)
    if not isinstance(edition, str | None):
        raise Trouble("bad_option", "The edition is a word, the name of a rulebook.")
    more = {m for h in house for m in FLAGS[h].modules}
    try:
        out = rules_for(tuple(packs), edition, **fields)
        return msgspec.structs.replace(out, modules=(*out.modules, *sorted(more - set(out.modules))))
    except (RulesetError, msgspec.ValidationError, TypeError, ValueError) as e:
        raise Trouble("bad_option", f"These rules make no sense: {e}") from None


def cards(o: TableOptions) -> Library:
    """The cards of a table. Raises Trouble if there would be too many, whoever wrote that down and when."""
    check_numbers(o)
    return library(tuple(o.packs), without=tuple(o.without), copies=o.copies)


def plain(o: TableOptions) -> dict[str, Any]:
    """The options as JSON has them."""
    out: dict[str, Any] = msgspec.to_builtins(o)
    return out


def shown(o: TableOptions) -> OptionsState:
    """The same, as they are sent: all of them."""
    out: OptionsState = msgspec.to_builtins(o)
    return out


def advice(o: TableOptions) -> list[Advice]:
    """What the books recommend for such a table, each with its rule."""
    now = rules(o)
    return [
        {"rule": a.rule, "says": a.says, "settled": bool(a.fields), "followed": a.followed(now)}
        for a in deck_building.advice(cards(o), now)
    ]


def by_the_book(o: TableOptions, keep: bool = False) -> TableOptions:
    """The same table with fractions, filters, Portals and piles as the books recommend for its sets, and nothing else.

    House rules that say otherwise are taken back; what is so anyway is not said again. `keep`: what the table has said
    about such a thing stays as it is.
    """
    said = {*o.rules, *(k for h in o.house for k in FLAGS[h].fields)} if keep else set()
    book = {k: v for k, v in deck_building.by_the_book(cards(o), rules(o)).items() if k not in said}
    house = [h for h in o.house if not any(k in book and v != book[k] for k, v in FLAGS[h].fields.items())]
    for h, flag in FLAGS.items():
        if flag.fields and h not in house and all(book.get(k) == v for k, v in flag.fields.items()):
            house.append(h)
    plainly = msgspec.structs.replace(o, house=house, rules={k: v for k, v in o.rules.items() if k not in book})
    usual = rules(plainly)
    unusual = {k: v for k, v in book.items() if deck_building.value_of(usual, k) != v}
    return msgspec.structs.replace(plainly, rules=plainly.rules | unusual)


def theme(packs: list[str]) -> dict[str, str]:
    """The first pack of a mix sets the table."""
    return dict(read_pack(find_pack(packs[0])).head.theme or {})
