"""What a card is to the engine: a compiled definition, and the library of all cards in a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

from kickdoor.cards.contexts import Alternatives
from kickdoor.cards.language import Card, Pack
from kickdoor.cards.steps import Clone
from kickdoor.cards.words import Words

Test = Callable[[Any, int, Any], bool]  # (game, seat, frame or None)
CardTest = Callable[[Any, int], bool]  # (game, card)


class Args:
    """The compiled arguments of one step; a verb reads what it needs."""

    __slots__ = (
        "amount",
        "at_once",
        "chooser",
        "count",
        "do",
        "else_",
        "face",
        "frm",
        "how",
        "killed",
        "labels",
        "may_win",
        "order",
        "per",
        "pick",
        "side",
        "table",
        "tags",
        "test",
        "to",
        "treasure",
        "victim",
        "waived",
        "what",
        "which",
        "who",
        "word",
    )

    def __init__(self) -> None:
        self.amount: int | str = 0
        self.chooser: str = "victim"
        self.count: int | str = 1
        self.do: int = -1
        self.else_: int = -1
        self.face: str = "down"
        self.frm: str = "in_play"
        self.how: Literal["steal", "loot", "force", "give"] = "force"
        self.killed: bool = False
        self.labels: tuple[tuple[str, int], ...] = ()
        self.may_win: bool = False
        self.order: str = "left"
        self.per: str = ""
        self.pick: str = ""
        self.side: str = ""
        self.table: tuple[int, ...] = ()
        self.tags: tuple[str, ...] = ()
        self.test: Test | None = None
        self.to: str = ""
        self.treasure: bool | None = None
        self.victim: str = ""
        self.waived: bool = False
        self.at_once: bool = False
        self.what: CardTest | None = None
        self.which: str = "target"
        self.who: str = ""
        self.word: str = ""


class Instr:
    """One step of a program."""

    __slots__ = ("a", "fn", "verb")

    def __init__(self, verb: str, a: Args) -> None:
        self.verb = verb
        self.a = a
        self.fn: Callable[[Any, Any, Args], bool] = _unbound


def _unbound(g: Any, f: Any, a: Args) -> bool:
    raise RuntimeError("the library has not been bound to an engine")


class Mode:
    """A way to play a card."""

    __slots__ = (
        "along",
        "alts",
        "by",
        "default_time",
        "gain",
        "index",
        "needs_monster",
        "on",
        "once",
        "op",
        "prog",
        "rule",
        "stages",
        "stays",
        "test",
        "weaker",
        "what",
        "wins_fight",
        "word",
    )

    def __init__(self, op: str, alts: Alternatives, by: int, on: str) -> None:
        self.op = op
        self.alts = alts
        self.stages = 0  # every moment that could be its own, to be asked first
        for any_of, _ in alts:
            self.stages |= any_of
        self.by = by
        self.on = on
        self.index = 0
        self.prog = -1
        self.test: Test | None = None
        self.once = False  # that condition is the same wherever it is aimed
        self.what: CardTest | None = None
        self.needs_monster = False
        self.along: CardTest | None = None  # which monsters
        self.weaker = False  # those of a lower Level than the first
        self.stays = "discard"
        self.word = ""
        self.wins_fight = False
        self.rule = ""
        self.default_time = False  # a Treasure that says nothing of when: the ruleset decides (SAMB-4)
        self.gain = ""  # who must be able to gain a level for it to be legal: target, actor, thief


class Power:
    """An ability of a card in play."""

    __slots__ = (
        "aim",
        "aka",
        "alts",
        "by",
        "carried",
        "cost",
        "cost_by",
        "cost_from",
        "cost_hand",
        "cost_level",
        "cost_self",
        "cost_what",
        "epic",
        "gain",
        "index",
        "key",
        "name",
        "on",
        "per",
        "prog",
        "rival",
        "rules",
        "test",
        "times",
        "unstoppable",
        "what",
    )

    def __init__(self, name: str, alts: Alternatives, by: int, on: str) -> None:
        self.name = name
        self.unstoppable = False
        self.key = name.lower()
        self.aka: tuple[str, ...] = ()
        self.rules: dict[str, str] = {}  # what a refusal cites: the rule it `is` written in, and those of its parts
        self.alts = alts
        self.by = by
        self.on = on
        self.index = 0
        self.prog = -1
        self.test: Test | None = None
        self.epic = False  # does it ask for an Epic character (EPIC-6)?
        self.what: CardTest | None = None
        self.cost = 0
        self.cost_by = ""  # counted by something of the target's (treasures)
        self.cost_what: CardTest | None = None
        self.cost_from = "any"
        self.cost_hand = 0
        self.cost_self = False
        self.cost_level = 0
        self.times = 0
        self.per = ""
        self.carried = False
        self.rival = False  # for the other players, not for the one before whom the card lies
        self.aim: Mode | None = None  # what it is aimed at, as of a card that is played; made when first asked for
        self.gain = False  # steals a level, which its user must be able to use (BT-23)


class Mod:
    """A compiled modifier: an amount (or word), a condition, and who it concerns."""

    __slots__ = ("against", "amount", "host", "per", "test", "to", "word")

    def __init__(self) -> None:
        self.amount: int = 0
        self.word: Any = None
        self.test: Test | None = None
        self.against: frozenset[str] | None = None
        self.host: CardTest | None = None
        self.per: str = ""
        self.to: str = "owner"


COMPANY: Final = ("steeds", "hirelings")  # modifiers that say how many one may have


class CardDef:
    """A card, compiled. The engine knows nothing else of it."""

    __slots__ = (
        "adds_tags",
        "better_for",
        "big",
        "bonus",
        "card",
        "carries",
        "carries_what",
        "clone",
        "curses_item",
        "deck",
        "escape",
        "faces",
        "family",
        "given_up",
        "gold",
        "hands",
        "holds",
        "immediate",
        "incompatible",
        "is_companion",
        "is_curse",
        "is_item",
        "is_one_shot",
        "joins",
        "kind",
        "lasting",
        "level",
        "levels",
        "max_traits",
        "mix_needs",
        "modes",
        "mods",
        "multi",
        "name",
        "not_usable_by",
        "on",
        "opt_in",
        "outside",
        "pack",
        "powers",
        "prog_bad",
        "prog_effect",
        "pursues",
        "pursuit_limit",
        "rank",
        "recasts",
        "refuses",
        "run_away",
        "sex",
        "slot",
        "spares",
        "stages",
        "tags",
        "takes_along",
        "trait",
        "traits",
        "treasures",
        "usable_by",
        "uses_any",
        "waives",
        "wanders",
        "weapon",
    )

    card: Card
    pack: str
    name: str
    kind: str
    deck: int
    level: int
    levels: int
    treasures: int
    bonus: int
    gold: int | None
    slot: str
    hands: int
    big: bool
    run_away: int
    rank: int
    tags: frozenset[str]
    adds_tags: frozenset[str]
    is_item: bool
    is_one_shot: bool
    is_curse: bool
    curses_item: bool  # a Curse that is an Item Enhancer
    is_companion: bool
    given_up: bool  # at will: Races, Classes, what goes with them, companions (FQ-CARD-22, HIRE-21, FQ-REL-5)
    weapon: bool
    usable_by: frozenset[str]
    not_usable_by: frozenset[str]
    trait: str
    traits: frozenset[str]
    sex: str
    pursuit_limit: int
    pursues: frozenset[str]
    escape: str
    refuses: frozenset[str]
    prog_bad: int
    prog_effect: int
    lasting: str
    mods: dict[str, tuple[Mod, ...]]
    powers: tuple[Power, ...]
    modes: tuple[Mode, ...]
    stages: int  # every moment at which one of them could be played
    on: dict[str, int]
    family: str
    joins: tuple[str, ...]  # monsters that it may join from the hand
    multi: str
    max_traits: int
    mix_needs: frozenset[str]
    recasts: bool
    waives: bool
    incompatible: frozenset[str]
    carries: int  # -1: never anything, not even with a Cheat!
    carries_what: CardTest | None
    uses_any: bool
    takes_along: bool  # killed, it is not looted by its master (HIRE-19)
    immediate: bool
    wanders: bool  # lives on top of its deck and before players, nowhere else (CAP-50)
    outside: bool  # in the game only if somebody brings it (CAP-52)
    opt_in: bool
    spares: bool
    better_for: frozenset[str]
    faces: tuple[CardDef, ...]  # what this card may lie on the table as (a monster kept as an Item)
    clone: Clone | None
    holds: Test | None  # an affliction ends when this does not hold any more

    @property
    def sends_away(self) -> bool:
        """Is it an Item in whose company there is less room for Steeds or companions?"""
        return self.is_item and any(m.amount < 0 for key in COMPANY for m in self.mods.get(key, ()))

    @property
    def timely(self) -> bool:
        """Is it in force, before a player, in some fights or turns only (FQ-AXE-7, MM-60)?"""
        return self.opt_in or self.lasting == "next_turn" or (self.lasting != "" and "suppress_traits" in self.mods)


NO_STEPS: Final[list[Instr]] = []  # to be read


class Judge(Protocol):
    """Who says which moves there are, and makes them."""

    def legal(self, g: Any, seat: int) -> list[Any]: ...

    def apply(self, g: Any, move: Any, *, trusted: bool = False) -> Any: ...


class Library:
    """All cards of a game: `defs[i]` is what physical card i is."""

    __slots__ = (
        "afflictions",
        "by_name",
        "callings",
        "compelling",
        "copies",
        "defs",
        "faces",
        "flat",
        "forgetful",
        "hash",
        "heads",
        "judge",
        "kinds",
        "listening",
        "models",
        "multis",
        "no_race",
        "origin",
        "packs",
        "printed",
        "programs",
        "recasts",
        "stage_bits",
        "timely",
        "unique",
        "unstoppable",
        "wanderers",
        "without",
        "words",
    )

    def __init__(self) -> None:
        self.defs: list[CardDef] = []
        self.unique: list[CardDef] = []
        self.programs: list[tuple[Instr, ...]] = []
        self.flat: list[list[Instr] | None] = []  # each with its parts, once somebody has asked
        self.afflictions: list[CardDef] = []  # what stays with a victim when its card has gone
        self.faces: dict[tuple[int, int], int] = {}  # (card, face) -> the number it goes by under that face
        self.origin: dict[int, int] = {}  # and back
        self.by_name: dict[str, list[int]] = {}
        self.heads: list[Pack] = []  # what each pack says of itself, in the order of the mix
        self.packs: tuple[str, ...] = ()
        self.without: tuple[str, ...] = ()
        self.copies: tuple[tuple[str, int], ...] = ()
        self.stage_bits = 0
        self.listening: dict[str, frozenset[int]] = {}
        self.callings: dict[str, list[int]] = {}
        self.compelling: dict[int, bool] = {}  # does a program make somebody help? Found out when first asked
        self.models: dict[str, Card] = {}  # cards by name, for `like:`
        self.words: tuple[Words, ...] = ()  # what the cards of each of these packs may be referred to by
        self.hash = ""  # of what is played: kinds, figures, effects, names, copies
        self.printed = ""  # of that and of every word that is read, for whoever keeps texts
        self.judge: Judge  # once it is bound
        self.wanderers: list[int] = []  # cards that live on top of their deck
        self.no_race = -1  # what who has no Race is; the number of a card that does not exist
        self.kinds: set[str] = set()  # of which there is a card
        self.recasts = False  # can a Race be played as a Class here?
        self.forgetful = False  # is there a card that keeps a Race or Class from its owner?
        self.unstoppable = False  # is there a power that no card of a rival's may prevent?
        self.timely = False  # is there a card before a player that is in force in some fights or turns only?
        self.multis = False  # is there a card for two of something that is neither Race nor Class (FQ-RC-9)?

    def bind(self, verbs: Mapping[str, Callable[[Any, Any, Args], bool]], judge: Judge) -> None:
        """Give every step the engine's function for its verb, and those that look ahead the judge of moves."""
        self.judge = judge
        for program in self.programs:
            for instr in program:
                if instr.fn is _unbound:
                    instr.fn = verbs[instr.verb]

    def same(self, cards: str) -> bool:
        """Are these the cards that somebody noted the hash of? Until 0.1.0 it was noted of every word as well."""
        return cards in (self.hash, self.printed)

    def stages(self) -> int:
        """All moments (as in `contexts`) at which some card of this library can be played or used."""
        if not self.stage_bits:
            for d in self.unique:
                for side in (d, *d.faces):
                    self.stage_bits |= side.stages
                    for p in side.powers:
                        for any_of, _ in p.alts:
                            self.stage_bits |= any_of
        return self.stage_bits

    def steps(self, prog: int) -> list[Instr]:
        """A program with its parts, in the order they are written."""
        if prog < 0:
            return NO_STEPS
        if len(self.flat) < len(self.programs):
            self.flat += [None] * (len(self.programs) - len(self.flat))
        got = self.flat[prog]
        if got is None:
            got = self.flat[prog] = self._in_order(prog)
        return got

    def _in_order(self, prog: int) -> list[Instr]:
        out: list[Instr] = []
        for instr in self.programs[prog]:
            out.append(instr)
            for part in dict.fromkeys((instr.a.do, instr.a.else_, *(p for _, p in instr.a.labels), *instr.a.table)):
                out += self.steps(part)
        return out

    def listeners(self, event: str) -> frozenset[int]:
        """The index of triggers: the cards that say something about an event."""
        got = self.listening.get(event)
        if got is None:
            got = frozenset(c for c, d in enumerate(self.defs) if event in d.on)
            self.listening[event] = got
        return got

    def called(self, names: Sequence[str]) -> list[int]:
        """The cards of these names, or of the families of that name."""
        if not self.callings:
            for c, d in enumerate(self.defs):
                for name in {d.name.lower(), d.family}:
                    self.callings.setdefault(name, []).append(c)
        return sorted({c for name in names for c in self.callings.get(name, ())})

    def copy(self) -> Library:
        """A library that can be added to without changing this one."""
        new = Library()
        new.defs = self.defs[:]
        new.unique = self.unique[:]
        new.programs = self.programs[:]
        new.flat = self.flat[:]
        new.afflictions = self.afflictions[:]
        new.faces, new.origin = self.faces.copy(), self.origin.copy()
        new.by_name = {k: v[:] for k, v in self.by_name.items()}
        new.models = self.models.copy()
        new.words = self.words
        new.heads = self.heads[:]
        new.packs, new.without, new.copies, new.hash = self.packs, self.without, self.copies, self.hash
        new.printed = self.printed
        new.kinds = self.kinds.copy()
        new.multis = self.multis
        new.no_race = self.no_race
        new.recasts = self.recasts
        new.forgetful = self.forgetful
        new.unstoppable = self.unstoppable
        new.timely = self.timely
        new.wanderers = self.wanderers[:]
        return new

    def add(self, d: CardDef, copies: int) -> None:
        self.unique.append(d)
        for _ in range(copies):
            for name in (d.name, *d.card.aka):
                self.by_name.setdefault(name.lower(), []).append(len(self.defs))
            if d.wanders:
                self.wanderers.append(len(self.defs))
            self.defs.append(d)
            self._add_faces(d)
        self.recasts = self.recasts or d.recasts
        self.unstoppable = self.unstoppable or any(p.unstoppable for p in d.powers)
        self.timely = self.timely or any(x.timely for x in (d, *d.faces))
        self.multis = self.multis or d.multi not in ("", "race", "class")
        self.kinds.add(d.kind)

    def add_no_race(self, d: CardDef) -> None:
        """A definition without a card: in no deck, under a number of its own (RACE-2)."""
        self.no_race = len(self.defs)
        self.origin[self.no_race] = self.no_race
        self.defs.append(d)

    def _add_faces(self, d: CardDef) -> None:
        """A card that may lie as something else has a second number, which is in no deck."""
        card = len(self.defs) - 1
        for i, face in enumerate(d.faces):
            self.faces[card, i] = len(self.defs)
            self.origin[len(self.defs)] = card
            self.defs.append(face)
