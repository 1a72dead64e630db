"""What can be looked up without a table: packs, bots, options, cards and rules."""

from __future__ import annotations

import gzip
import threading
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, Literal

import kickdoor
from kickdoor import rulebook
from kickdoor.bots import CHARACTERS, KINDS
from kickdoor.cards.evenings import Evening, evenings
from kickdoor.cards.library import CardDef
from kickdoor.cards.packs import find_pack, known_packs, read_pack
from kickdoor.engine.setup import library, rules_for
from kickdoor.paper.plain import short
from kickdoor.rulebook import pages
from kickdoor.server import limits
from kickdoor.server import options as op
from kickdoor.server import protocol as pr
from kickdoor.server.chairs import COLOURS, CROWD
from kickdoor.server.trouble import Trouble
from kickdoor.voice import boxes
from kickdoor.voice.choices import CHOICES, FLAGS

Value = bool | int | str

BOTS: Final[dict[str, tuple[str, str]]] = {
    "greedy": ("Greedy", "Takes what helps now, and helps anybody for a Treasure. It never looks up."),
    "schemer": ("Schemer", "Bargains, trades, keeps its Curses, and remembers who is about to win."),
    "lookahead": ("Lookahead", "Thinks for a moment about what everybody might hold, and what would come of it."),
    "master": ("Master", "Thinks longer than Lookahead, and of more. It is not in a hurry."),
    "easy": ("Easy", "Plays along, helps gladly, misses a thing or two. Company for a first evening."),
    "random": ("Random", "Does whatever comes to mind. Nobody can say what that will be."),
}
TIMER_TITLES: Final = {
    "relaxed": "Relaxed: snacks are on the table",
    "normal": "Normal",
    "quick": "Quick",
    "blitz": "Blitz: no longer than the book asks for",
    "none": "No clock: everybody takes the time it takes",
}
_ASKED_FOR: Final = {f.needs for f in FLAGS.values()} | {c.needs for c in CHOICES.values()}


class Mixes:
    """The mixes of cards that tables play with, by their hash. What is kept of one is how it is made, and its list,
    packed, as long as there is room for it."""

    def __init__(self, most: int = limits.MIXES, most_bytes: int = limits.MIX_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._known: OrderedDict[str, op.TableOptions] = OrderedDict()
        self._lists: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()  # lists are made in the workshop
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, hash_: str) -> bool:
        return hash_ in self._known

    def remember(self, hash_: str, o: op.TableOptions) -> None:
        with self._lock:
            self._known[hash_] = o
            self._known.move_to_end(hash_)
            if len(self._known) > self._most:
                self._known.popitem(last=False)

    def packed(self, hash_: str) -> bytes:
        """The list of a mix's cards as JSON, packed (gzip). It is made if need be: that takes a moment."""
        with self._lock:
            o, kept = self._known.get(hash_), self._lists.get(hash_)
            if kept is not None:
                self._lists.move_to_end(hash_)
                return kept
        if o is None:
            raise Trouble("no_cards", "No table on this server plays with such a mix of cards.")
        made = gzip.compress(pr.encode([_card(i, d) for i, d in enumerate(op.cards(o).defs)]), 6)
        with self._lock:
            if hash_ not in self._lists:
                self._lists[hash_] = made
                self.bytes += len(made)
            while self.bytes > self._most_bytes:
                self.bytes -= len(self._lists.popitem(last=False)[1])
        return made


_mixes: Final = Mixes()


def remember(hash_: str, o: op.TableOptions) -> None:
    """A table plays with this mix: from now on its cards can be asked for by their hash."""
    _mixes.remember(hash_, o)


def known(hash_: str) -> bool:
    """Can the cards of this mix be asked for?"""
    return hash_ in _mixes


def cards(hash_: str) -> bytes:
    """All cards of a mix, by number, as packed JSON (each a `CardInfo`)."""
    return _mixes.packed(hash_)


def _card(number: int, d: CardDef) -> pr.CardInfo:
    return {
        "id": number,
        "name": d.name,
        "kind": d.kind,
        "deck": d.deck,
        "level": d.level,
        "treasures": d.treasures,
        "levels": d.levels,
        "bonus": d.bonus,
        "gold": d.gold if d.is_item else None,
        "slot": d.slot or "",
        "big": bool(d.big),
        "run_away": d.run_away,
        "rank": d.rank,
        "tags": sorted(d.tags),
        "text": d.card.text or "",
        "bad_stuff": d.card.bad_stuff_text or "",
        "usable": _usable(d),
        "pack": d.pack,
    }


def _usable(d: CardDef) -> str:
    """Who may use it, in a word or two."""
    if d.usable_by:
        return "only " + ", ".join(sorted(x.capitalize() for x in d.usable_by))
    if d.not_usable_by:
        return "not " + ", ".join(sorted(x.capitalize() for x in d.not_usable_by))
    return ""


ABSENT: Final = (
    (0, "Everybody has to agree, also who is away"),
    (120, "Who has been away for two minutes is not asked"),
    (600, "Who has been away for ten minutes is not asked"),
)


@lru_cache(maxsize=2)
def about(lists: bool = False) -> pr.About:
    """What a lobby needs to know. `lists`: this server shows open tables to everybody."""
    return {
        "name": "Kickdoor",
        "version": kickdoor.__version__,
        "protocol": pr.VERSION,
        "packs": [_pack(p) for p in known_packs()],
        "evenings": [_evening(e) for e in evenings()],
        "bots": [_bot(k) for k in KINDS],
        "characters": [
            {"id": c.id, "name": c.name, "sex": c.sex, "face": c.face, "line": c.line} for c in CHARACTERS.values()
        ],
        "timers": [_timer(k, t) for k, t in op.TIMERS.items()],
        "options": _options(lists),
        "phrases": [{"id": k, "text": v} for k, v in op.PHRASES.items()],
        "colours": list(COLOURS),
        "crowd": list(CROWD),
        "lists": lists,
    }


def _timer(ident: str, t: op.Timer) -> pr.TimerInfo:
    """`window` is what it comes to by the classic book; elsewhere it is `extra` and the pack's own `response`."""
    usual = op.TableOptions()
    return {
        "id": ident,
        "title": TIMER_TITLES[ident],
        "window": op.window(usual, t),
        "extra": t.extra,
        "decision": t.decision,
    }


def _bot(kind: str) -> pr.BotInfo:
    title, says = BOTS.get(kind, (kind.replace("_", " ").capitalize(), ""))
    return {"id": kind, "title": title, "about": says}


def _pack(ident: str) -> pr.PackInfo:
    head = read_pack(find_pack(ident)).head
    lib = library((ident,))
    printed = [d for c, d in enumerate(lib.defs) if c not in lib.origin and not d.outside]
    doors, treasures = (sum(d.deck == deck for d in printed) for deck in (0, 1))
    more = sum(d.deck > 1 for d in printed)
    rules = rules_for((ident,))
    return {
        "id": ident,
        "title": head.title,
        "about": head.about,
        "line": boxes.line(head),
        "special": boxes.special(lib, rules),
        "edition": head.edition,
        "theme": dict(head.theme),
        "doors": doors,
        "treasures": treasures,
        "more": more,
        "core": not head.expands and not head.for_mixes and doors > 0,
        "needs": [head.expands] if head.expands else [],
        "kinds": sorted({d.kind for d in lib.unique if d.kind in _ASKED_FOR}),
        "dungeons": sorted({d.name for d in lib.unique if d.kind == "dungeon"}),
        "response": {"seconds": rules.combat.response.seconds, "label": rules.combat.response.label},
        "board": rules.components.board,
    }


def _evening(e: Evening) -> pr.EveningInfo:
    return {
        "id": e.id,
        "title": e.title,
        "why": e.why,
        "packs": list(e.packs),
        "seats": e.seats,
        "house": list(e.house),
    }


@lru_cache(maxsize=64)
def shelf(ident: str) -> pr.ShelfInfo:
    """A set, taken from the shelf and looked into."""
    if ident not in known_packs():
        raise Trouble("no_set", f"No set on this shelf is called {short(ident)}.")
    head = read_pack(find_pack(ident)).head
    lib = library(tuple(dict.fromkeys((*head.needs, ident))))
    return {
        "id": ident,
        "sources": head.sources,
        "samples": [_card(i, d) for i, d in enumerate(boxes.samples(lib, head))],
        "mixing": [rule(r) for r in head.mixing],
    }


def _options(lists: bool) -> list[pr.OptionInfo]:
    house: list[pr.OptionInfo] = [
        _option(k, f.title, f.about, "flag", False, group="house", rule=f.rule, needs=f.needs) for k, f in FLAGS.items()
    ]
    book: list[pr.OptionInfo] = [
        {
            **_option(k, c.title, c.about, "choice", c.words[0][0], c.words, "book", c.rule, c.needs),
            "field": c.field,
            "names": c.names,
        }
        for k, c in CHOICES.items()
    ]
    speeds = [(s, s.capitalize()) for s in op.PACE]
    table = [
        _option("bot_speed", "How fast bots play", "", "choice", "normal", speeds),
        _option("watchers", "Spectators may watch", "", "flag", True),
        _option("hints", "Hints: ask what the strongest bot would do", "", "flag", False),
        *(
            [_option("listed", "Open to strangers: in this server's list, with your names", "", "flag", False)]
            if lists
            else []
        ),
        _option("absent", "Votes", "Taking back, correcting: who has to agree?", "choice", 0, ABSENT),
    ]
    return house + book + table


def _option(
    ident: str,
    title: str,
    about: str,
    kind: Literal["flag", "choice"],
    default: Value,
    choices: Iterable[tuple[Value, str]] = (),
    group: Literal["house", "book", "table"] = "table",
    rule: str = "",
    needs: str = "",
) -> pr.OptionInfo:
    """Something to be chosen in the lobby. `needs`: the kind of card that a set at the table must have."""
    return {
        "id": ident,
        "title": title,
        "about": about,
        "kind": kind,
        "default": default,
        "choices": list(choices),
        "group": group,
        "rule": rule,
        "needs": needs,
    }


def rule(ident: str) -> pr.RuleInfo:
    """One rule, in our words."""
    try:
        r = rulebook.rule(ident)
    except rulebook.RuleError as e:
        raise Trouble("no_rule", str(e)) from None
    return _rule(r)


def _rule(r: rulebook.Rule) -> pr.RuleInfo:
    return {"id": r.id, "chapter": r.chapter, "says": r.says, "detail": r.detail, "see": list(r.see)}


_PARTS: Final = (
    ("The game", pages.CLASSIC),
    ("Questions and answers", pages.QUESTIONS),
    ("The other boxes", pages.SETS),
    ("How open points are read", pages.READINGS),
)


@lru_cache(maxsize=1)
def rulebook_packed() -> bytes:
    """The rulebook from cover to cover, as packed JSON (each chapter a `ChapterInfo`)."""
    part = {chapter: title for title, chapters in _PARTS for chapter in chapters}
    book: list[pr.ChapterInfo] = [
        {"id": c.id, "title": c.title, "about": c.about, "part": part[c.id], "rules": [_rule(r) for r in c.rules]}
        for c in rulebook.chapters()
    ]
    return gzip.compress(pr.encode(book), 9)


def find_rules(text: str) -> list[pr.RuleInfo]:
    return [_rule(r) for _, r in rulebook.search(text[:200], limit=12)]
