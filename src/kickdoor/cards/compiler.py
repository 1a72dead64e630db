"""From the card language to what the engine runs: modes of play, powers, modifiers, programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from kickdoor.cards import contexts as cx
from kickdoor.cards.arguments import MODIFIER_KEYS, VERBS
from kickdoor.cards.clauses import Condition, Filter, Modifier, Predicate
from kickdoor.cards.conditions import (
    DECK_NUMBERS,
    HARMED,
    TRULY,
    Asked,
    LanguageError,
    asks_of_aim,
    compile_condition,
    compile_filter,
    in_monsters_eyes,
    standing_condition,
)
from kickdoor.cards.kinds import COMPANIONS, CURSES, TRAITS, grudges, kind_of, tags_by_name
from kickdoor.cards.language import Ability, Card, Play
from kickdoor.cards.library import Args, CardDef, Instr, Library, Mod, Mode, Power
from kickdoor.cards.steps import (
    Afflict,
    Choose,
    Clone,
    Discard,
    DrawCards,
    Each,
    MoveDungeon,
    Peek,
    RemoveMonster,
    Retrieve,
    Step,
    Take,
)
from kickdoor.cards.vocabulary import FilterWord, Names, Who

DOOR_KINDS: Final = frozenset(
    {
        "monster",
        "curse",
        "trap",
        "madness",
        "monster_enhancer",
        "enhancer_enhancer",
        "steed",
        "vehicle",
        "ship",
        "portal",
        "room",
        *TRAITS,
        *COMPANIONS,
    }
)
SET_MODIFIERS: Final = frozenset(
    {"apparent", "grants", "tag", "no_item_bonuses", "usable_as", "no_slot", "no_carry", "immune_to", "returns"}
    | {"returns_to_hand", "extra_tagged"}
    | {"safe_from", "suppress_traits", "claims", "shields"}
)
FOE_TARGETS: Final = frozenset({"monster", "first_monster", "combatant"})  # `what` is asked about monsters in the fight
FILTER_MODIFIERS: Final = frozenset({"ignore_items", "keeps_out", "repels", "sells_half"})


def deck_of(card: Card) -> str:
    """The deck that a card is shuffled into: the one it names, or the usual one of its kind."""
    kind = kind_of(card)
    if card.deck is not None:
        return card.deck
    if kind in ("dungeon", "spell"):
        return kind
    door = kind in DOOR_KINDS and card.kind != "item"  # an Item that its name makes a Steed stays a Treasure
    return "door" if door else "treasure"


def _set(names: str | Sequence[str] | None) -> frozenset[str]:
    if names is None:
        return frozenset()
    return frozenset([names.lower()] if isinstance(names, str) else [n.lower() for n in names])


def _asks_curses(what: Filter | FilterWord | None) -> bool:
    """Is it Curses that are to go? Nothing else takes those that lie before a player for his belongings."""
    kinds = what.kind if isinstance(what, Filter) else what
    return bool(_set(kinds)) and _set(kinds) <= CURSES


def _asks_epic(p: Ability) -> bool:
    """Is this one of the powers that the rulebook gives to Epic characters (EPIC-6)?"""
    you = p.if_.you if isinstance(p.if_, Condition) else None
    return isinstance(you, Predicate) and you.epic is True


MONSTROUS: Final = frozenset({"monster", "monster_enhancer", "enhancer_enhancer"})  # they look at you


def _eyes(m: Modifier, key: str) -> Asked:
    """How a modifier on a monster asks what somebody is. What it does goes by what it sees (FQ-AXE-1), companions
    included where its own strength is concerned (HIRE-22); what is won by it goes by what is true."""
    if key == "strength":
        at_fighters = m.to == "fighters"
        return in_monsters_eyes(((m.strength or 0) > 0) is not at_fighters, alone=at_fighters)
    return in_monsters_eyes(bad=True, alone=True) if key in ("no_help", "must_flee") else TRULY


class Compiler:
    """Compiles the cards of one library."""

    def __init__(self, lib: Library, queries: Any) -> None:
        self.lib = lib
        self.q = queries
        self.name = ""
        self.faces: list[CardDef] = []  # what the card being compiled may turn into
        self.clone: Clone | None = None

    # -- programs -----------------------------------------------------------------------------------------------

    def program(self, steps: list[Step] | None) -> int:
        """Register a list of steps; its number, or -1 for nothing."""
        if not steps:
            return -1
        instrs = tuple(self.step(s) for s in steps)
        self.lib.programs.append(instrs)
        return len(self.lib.programs) - 1

    def step(self, s: Step) -> Instr:
        verbs = [v for v in VERBS if getattr(s, v) is not None]
        verb = verbs[0]
        a = Args()
        a.who = s.who or ""
        a.may_win = bool(s.may_win)
        a.per = (s.per or "").lower()
        a.side = s.side or ""
        a.else_ = self.program(s.else_)
        value = getattr(s, verb)
        name = verb.rstrip("_")
        getattr(self, f"_{name}", self._plain)(a, value, s)
        return Instr(name, a)

    def _plain(self, a: Args, value: Any, s: Step) -> None:
        if isinstance(value, (int, str)) and not isinstance(value, bool):
            a.amount = value
            if isinstance(value, str):
                a.word = value

    def _if(self, a: Args, value: Any, s: Step) -> None:
        a.test = compile_condition(value, self.q)
        a.do = self.program(s.then)

    def _attach(self, a: Args, value: Any, s: Step) -> None:
        a.what = compile_filter("item" if value is True else value, self.q)

    def _kill_companion(self, a: Args, value: Filter | FilterWord, s: Step) -> None:
        a.what = compile_filter(value, self.q)

    def _afflict(self, a: Args, value: Afflict, s: Step) -> None:
        """What stays with the victim is a card of its own to the engine, without a place in any deck."""
        d = self.card(Card(name=self.name, kind="blank", modifiers=value.modifiers, on=value.on), "")
        d.lasting = value.until or "always"
        d.holds = compile_condition(value.while_, self.q)
        self.lib.afflictions.append(d)
        a.amount = len(self.lib.afflictions) - 1

    def _keep_as_item(self, a: Args, value: int, s: Step) -> None:
        card = Card(name=self.name, kind="item", deck="door", bonus=value, gold="no value", slot="none")
        a.amount = len(self.faces)
        self.faces.append(self.card(card, "faces"))

    def _dungeon(self, a: Args, value: MoveDungeon, s: Step) -> None:
        a.amount = value.enter
        a.which = value.leave or "none"
        a.frm = value.from_
        a.who = value.affects
        a.do = self.program(s.then)

    def _clone_monster(self, a: Args, value: Clone | bool, s: Step) -> None:
        if isinstance(value, Clone):
            self.clone = value

    def _peek(self, a: Args, value: Peek, s: Step) -> None:
        a.amount = value.doors if value.doors is not None else value.treasures or 0
        a.to = "door" if value.doors is not None else "treasure"

    def _summon(self, a: Args, value: Filter | str, s: Step) -> None:
        if isinstance(value, Filter):
            a.what = compile_filter(value, self.q)
            a.tags = tuple(sorted(_set(value.name)))  # where to look

    def _share_out(self, a: Args, value: list[Step], s: Step) -> None:
        a.do = self.program(value)

    def _consent(self, a: Args, value: list[Step], s: Step) -> None:
        a.do = self.program(value)

    def _contest(self, a: Args, value: list[Step], s: Step) -> None:
        a.do = self.program(value)

    def _name_player(self, a: Args, value: list[Step], s: Step) -> None:
        a.do = self.program(value)

    def _give(self, a: Args, value: Who, s: Step) -> None:
        a.to = value

    def _raise_monster(self, a: Args, value: Names | bool, s: Step) -> None:
        if not isinstance(value, bool):
            a.tags = tuple(sorted(_set(value)))

    def _discard(self, a: Args, value: Discard | FilterWord, s: Step) -> None:
        d = Discard(what=value) if isinstance(value, str) else value
        a.what = compile_filter(d.what, self.q)
        a.frm = "curses" if _asks_curses(d.what) else d.from_ or "in_play"
        a.count = d.count if d.count is not None else 1
        a.chooser = d.chooser or "victim"
        a.pick = d.pick or ""
        a.to = d.to or "discard"

    def _take(self, a: Args, value: Take | FilterWord, s: Step) -> None:
        t = Take(what=value) if isinstance(value, str) else value
        a.what = compile_filter(t.what, self.q)
        a.frm = t.from_
        a.chooser = t.chooser or "taker"
        a.how = t.how
        a.face = "up" if t.shown else "down"
        a.victim = t.victim or ""
        a.pick = t.pick or ""
        a.to = t.to or ""

    def _draw(self, a: Args, value: DrawCards, s: Step) -> None:
        decks = {"treasure": value.treasures, "spell": value.spells, "fairy_dust": value.fairy_dust}
        decks["door"] = value.doors
        a.to = next((k for k, n in decks.items() if n is not None), "door")
        a.amount = decks[a.to] or 0
        a.face = value.face
        a.count = value.keep if value.keep is not None else "all"
        a.at_once = value.at_once

    def _by_roll(self, a: Args, value: dict[str, list[Step]], s: Step) -> None:
        table = [-1] * 13
        for span, steps in value.items():
            low, _, high = str(span).partition("-")
            if not low.isdigit() or not (high or low).isdigit() or not 1 <= int(low) <= int(high or low) <= 12:
                raise LanguageError(f"by_roll: {span!r} is no span of results such as 3 or 1-2 (1 to 12)")
            prog = self.program(steps)
            for face in range(int(low), int(high or low) + 1):
                table[face] = prog
        if max(table[7:]) < 0:  # a die that modifiers push above 6 still shows a 6 to a card that knows no more
            table[7:] = [table[6]] * 6
        a.table = tuple(table)

    def _choose(self, a: Args, value: Choose, s: Step) -> None:
        a.labels = tuple((o.label, self.program(o.do)) for o in value.options)

    def _each(self, a: Args, value: Each, s: Step) -> None:
        a.who = value.who
        a.order = value.from_ or "left"
        a.test = compile_condition(value.if_, self.q)
        a.do = self.program(value.do)

    def _remove_monster(self, a: Args, value: RemoveMonster | Literal["this", "target", "all"], s: Step) -> None:
        if isinstance(value, str):
            value = RemoveMonster(which=value)
        a.which = value.which
        a.treasure = value.treasure
        a.killed = value.killed

    def _retrieve(self, a: Args, value: Retrieve, s: Step) -> None:
        a.what = compile_filter(value.what, self.q)
        a.frm = value.from_
        a.pick = value.search
        a.to = value.to
        a.count = value.count
        a.amount = value.up_to if value.up_to is not None else -1
        if value.total is not None:
            a.amount, a.pick = value.total, "total"

    # -- modifiers, powers, modes -------------------------------------------------------------------------------

    def modifiers(
        self, modifiers: list[Modifier], monstrous: bool = False, cursed: bool = False
    ) -> dict[str, tuple[Mod, ...]]:
        out: dict[str, list[Mod]] = {}
        for m in modifiers:
            keys = [k for k in MODIFIER_KEYS if getattr(m, k) is not None]
            key = keys[0]
            value = getattr(m, key)
            self.lib.forgetful = self.lib.forgetful or key == "suppress_traits"
            mod = Mod()
            if isinstance(value, int) and not isinstance(value, bool):
                mod.amount = value
            elif isinstance(value, dict):
                mod.word = {name.lower(): n for name, n in value.items()}
            elif key in SET_MODIFIERS:
                mod.word = _set(value)
            elif key in FILTER_MODIFIERS:
                mod.word = compile_filter(value, self.q, foe=key == "repels")
            else:
                mod.word = value
            asked = _eyes(m, key) if monstrous else HARMED if cursed and mod.amount < 0 else TRULY
            mod.test = standing_condition(m.if_, self.q, key == "strength", asked)
            mod.against = _set(m.against) if m.against is not None else None
            mod.per = (m.per or "").lower()
            mod.to = m.to or "owner"
            mod.host = compile_filter(m.host, self.q)
            out.setdefault(key, []).append(mod)
        return {k: tuple(v) for k, v in out.items()}

    def power(self, p: Ability, index: int, monstrous: bool) -> Power:
        out = Power(p.name, cx.WHEN[p.when], cx.BY[p.by], p.on)
        out.index = index
        out.aka = tuple(a.lower() for a in p.aka)
        if p.rules is not None:
            parts = {"is": p.rules.is_, "when": p.rules.when, "if": p.rules.if_, "self": p.rules.self_}
            parts |= {"limit": p.rules.limit, "cost": p.rules.cost}
            out.rules = {part: rule for part, rule in parts.items() if rule}
        out.carried = bool(p.carried)
        out.unstoppable = bool(p.unstoppable)
        out.rival = p.by == "rival"
        out.test = compile_condition(p.if_, self.q, in_monsters_eyes(bad=False, alone=True) if monstrous else TRULY)
        out.epic = _asks_epic(p)
        out.what = compile_filter(p.what, self.q, foe=p.on in FOE_TARGETS)
        out.prog = self.program(p.do)
        out.gain = self._steals(out.prog)
        if p.cost is not None:
            by = p.cost.discard
            out.cost = by if isinstance(by, int) else 0
            out.cost_by = by if isinstance(by, str) else ""
            out.cost_what = compile_filter(p.cost.what, self.q)
            out.cost_from = p.cost.from_ or "any"
            out.cost_hand = p.cost.hand or 0
            out.cost_self = bool(p.cost.self_)
            out.cost_level = p.cost.level or 0
        if p.limit is not None:
            out.times, out.per = p.limit.times, p.limit.per
        return out

    def mode(self, p: Play, d: CardDef) -> Mode:
        m = Mode("effect", cx.WHEN[p.when or "any_time"], cx.BY[p.by], p.on)
        m.default_time = p.when is None and self._has_default_time(d)
        if p.on in ("curse", "card_in_play"):
            m.alts = (*m.alts, (cx.CURSE, 0))
            m.stages |= cx.CURSE
        m.test = compile_condition(p.if_, self.q)
        m.once = p.if_ is not None and not asks_of_aim(p.if_)
        m.what = compile_filter(p.what, self.q, foe=p.on in FOE_TARGETS)
        m.needs_monster = p.with_ is not None
        m.along = compile_filter(p.with_, self.q) if isinstance(p.with_, Filter) else None
        m.weaker = isinstance(p.with_, Filter) and p.with_.level == "below_first"
        m.word = (p.as_ or "").lower()
        m.wins_fight = bool(p.wins_fight)
        m.prog = self.program(p.do)
        stays = p.stays
        if stays is None:
            in_fight = p.when in ("fight", "own_turn_fight", "fight_start")
            stays = "fight" if d.is_one_shot and in_fight else "discard"
        m.stays = stays
        if p.on == "any_item" and d.is_curse:
            m.op = "curse"
        elif stays == "attached":
            m.op = "attach"
        elif stays == "table":
            m.op = "lasting"
        return m

    def _has_default_time(self, d: CardDef) -> bool:
        """A Treasure that is no Item and names no moment (SAMB-4). Levels are for any time (SPECIAL-4, MM-32)."""
        return d.deck == DECK_NUMBERS["treasure"] and not d.is_item and d.kind != "go_up_a_level"

    def modes(self, card: Card, d: CardDef) -> tuple[Mode, ...]:
        if card.play is not None:
            out = self._kind_modes(card, d) if d.kind == "monster" or d.is_companion else []  # a second use
            out += [self.mode(p, d) for p in card.play]
            if d.is_item and d.kind in ("item", "one_shot"):
                out.append(Mode("item", cx.WHEN["own_turn_idle"], 0, "nothing"))
        else:
            out = self._kind_modes(card, d)
        if card.waives:  # HIRE-33: with a companion, whenever one may be played (HIRE-3)
            out.append(Mode("attach", cx.WHEN["companion"], 0, "new_companion"))
        # SAMB-41: a one-shot may wait on the table, where the book lets it. ITEM-2: an Item is not in use unless its
        # owner likes, which matters before it comes down if it sends away whoever is with him.
        if (d.is_one_shot and not d.is_item) or d.sends_away:
            out.append(Mode("lay", cx.WHEN["own_turn_idle"], 0, "nothing"))
        for i, m in enumerate(out):
            m.index = i
            m.gain = "target" if d.kind == "go_up_a_level" else self._gainer(m.prog if card.play is not None else -1)
        return tuple(out)

    def _gainer(self, prog: int) -> str:
        """Whose level a play is about, if about nothing else: refused, not wasted (FQ-GEN-2, FQ-CBT-39)."""
        if self._steals(prog):
            return "thief"
        steps = self.lib.programs[prog] if prog >= 0 else ()
        if not steps or not all(s.verb == "gain_level" and not s.a.may_win for s in steps):
            return ""
        return "actor" if all(s.a.who == "actor" for s in steps) else "target"

    def _steals(self, prog: int) -> bool:
        return prog >= 0 and any(s.verb == "steal_level" for s in self.lib.programs[prog])

    def _kind_modes(self, card: Card, d: CardDef) -> list[Mode]:
        kind = d.kind
        if kind == "monster":
            ally = Mode("ally", cx.WHEN["fight"], cx.BY["fighter"], "nothing")
            ally.word = "ally"
            invited = Mode("invited", cx.WHEN["invited"], 0, "nothing")
            return [Mode("join", cx.WHEN["fight"], 0, "nothing"), ally, invited]
        if d.is_curse:
            return [Mode("curse", cx.WHEN["any_time"], 0, "player")]
        if kind == "power":
            m = Mode("trait", cx.WHEN["power"], 0, "nothing")
            m.default_time = True
            return [m]
        if kind in TRAITS:
            return [Mode("trait", cx.WHEN["trait"], 0, "nothing")]
        if d.multi:
            return [Mode("multi", cx.WHEN["trait"], 0, "nothing")]
        if kind == "monster_enhancer":
            return [Mode("enhance_monster", cx.WHEN["fight"], 0, "monster")]
        if kind == "enhancer_enhancer":
            return [Mode("enhance_enhancer", cx.WHEN["fight"], 0, "enhancer")]
        if kind in ("item_enhancer", "steed_enhancer", "ship_enhancer"):
            return [Mode("attach", cx.WHEN["own_turn_idle"], 0, "own_item")]
        if kind == "steed":
            fought = Mode("fight_it", cx.WHEN["face_up_door"], 0, "nothing")
            fought.word = "monster"
            return [Mode("steed", cx.WHEN["own_turn_idle"], 0, "nothing"), fought]
        if kind == "ship":
            return [Mode("ship", cx.WHEN["own_turn_idle"], 0, "nothing")]
        if d.is_companion:
            return [Mode("companion", cx.WHEN["companion"], 0, "nothing")]
        if kind == "portal":
            return [Mode("portal", cx.WHEN["portal"], 0, "nothing")]
        if kind == "go_up_a_level":
            m = Mode("effect", cx.WHEN["any_time"], 0, "player")
            m.prog = self.program([Step(gain_level=d.levels)])
            m.rule = "TREASURE-9"
            return [m]
        out: list[Mode] = []
        if d.is_one_shot and card.bonus is not None:
            out.append(Mode("side_bonus", cx.WHEN["fight"], 0, "side"))
        if d.is_item:
            out.append(Mode("item", cx.WHEN["own_turn_idle"], 0, "nothing"))
        elif kind == "special" and card.bonus is not None:
            m = Mode("lasting", cx.WHEN["any_time"], 0, "nothing")
            m.default_time = self._has_default_time(d)
            m.stays = "table"
            out.append(m)
        elif d.prog_effect >= 0 and not d.immediate:
            m = Mode("effect", cx.WHEN["any_time"], 0, "nothing")
            m.default_time = self._has_default_time(d)
            m.prog = d.prog_effect
            out.append(m)
        return out

    # -- the card -----------------------------------------------------------------------------------------------

    def card(self, card: Card, pack: str) -> CardDef:
        d = CardDef()
        outer = self.name, self.faces, self.clone  # a part of a card may be compiled like a card
        self.name, self.faces, self.clone = card.name, [], None
        d.card, d.pack, d.name = card, pack, card.name
        d.kind = kind_of(card)
        d.deck = DECK_NUMBERS[deck_of(card)]
        self._figures(card, d)
        if d.curses_item and card.deck is None:
            d.deck = DECK_NUMBERS["door"]
        self._traits(card, d)
        self._monster(card, d)
        if d.kind == "steed":  # STEED-15, STEED-16, STEED-19: what it is when fought as a monster
            d.level, d.treasures, d.big = max(1, 2 * d.bonus), 1, True
            d.prog_bad = self.program([Step(lose_level=1)])
        d.prog_effect = self.program(card.effect or _bare_effect(d))
        d.lasting = "" if not card.lasting else "always" if card.lasting is True else card.lasting
        if d.is_curse:
            self._plain_curse(card, d)
        monstrous = d.kind in MONSTROUS
        d.mods = self.modifiers([*card.modifiers, *grudges(card, pack)], monstrous, d.is_curse)
        if card.run_away is not None and d.kind not in ("monster", "steed", "ship"):
            extra = Mod()
            extra.amount = card.run_away
            d.mods["run_away"] = (*d.mods.get("run_away", ()), extra)
        d.adds_tags = frozenset().union(*(m.word for m in d.mods.get("tag", ())))
        if d.kind == "monster_enhancer":
            d.adds_tags |= d.tags
        d.powers = tuple(self.power(p, i, monstrous) for i, p in enumerate(card.abilities))
        d.on = {event: self.program(steps) for event, steps in card.on.items()}
        d.family = (card.family or card.name).lower()
        d.joins = tuple(sorted(_set(card.joins)))
        d.multi = card.multi or ""
        d.given_up = bool(d.trait or d.multi) or d.is_companion or d.kind == "race_or_class_enhancer"
        d.max_traits = card.max_traits or 2
        d.mix_needs = _set(card.mix_needs) | _set(card.multi)
        d.waives = bool(card.waives)
        d.recasts = bool(card.recasts)
        d.incompatible = frozenset(n.lower() for n in card.incompatible)
        d.carries = -1 if card.carries == "never" else card.carries or 0
        d.carries_what = compile_filter(card.carries_what, self.q)
        d.uses_any = bool(card.uses_any)
        d.takes_along = bool(card.takes_along)
        d.immediate = bool(card.immediate)
        d.wanders = bool(card.wanders)
        d.outside = bool(card.outside) or d.kind == "accessory"
        d.modes = self.modes(card, d)
        d.stages = 0
        for mode in d.modes:
            d.stages |= mode.stages
        d.spares = bool(card.spares)
        d.faces = tuple(self.faces)
        d.clone = self.clone
        d.holds = None
        d.better_for = frozenset(self._better_for(card))
        d.opt_in = any(p.prog >= 0 and self._opts_in(p.prog) for p in d.powers)
        if d.is_curse and d.lasting:
            self.lib.afflictions.append(d)  # as it is for those who suffer it without its card (FQ-DUNG-3)
        self.name, self.faces, self.clone = outer
        return d

    def _plain_curse(self, card: Card, d: CardDef) -> None:
        """The bare figures of a Curse are what its victim loses: levels at once, strength and speed for good."""
        lost = -(card.level or 0) - (card.levels_gained or 0)
        if not card.effect and lost > 0:
            d.prog_effect = self.program([Step(lose_level=lost)])
        if card.lasting is None and (card.bonus or card.run_away) and not d.curses_item:
            d.lasting = "always"

    def _better_for(self, card: Card) -> Iterator[str]:
        """The traits for which an Item has a bonus on top (Horny Helmet)."""
        for m in card.modifiers:
            if isinstance(m.strength, int) and m.strength > 0 and m.if_ is not None:
                you = m.if_ if isinstance(m.if_, str) else m.if_.you
                you = you.is_ if isinstance(you, Predicate) else you
                yield from _set(you)

    def _opts_in(self, prog: int) -> bool:
        return any(i.verb == "opt_in" for i in self.lib.programs[prog])

    def _figures(self, card: Card, d: CardDef) -> None:
        d.level = card.level if card.level is not None else 1
        d.levels = card.levels_gained if card.levels_gained is not None else 1
        d.treasures = card.treasures if card.treasures is not None else (1 if d.kind == "monster" else 0)
        d.bonus = card.bonus or 0
        d.gold = _gold(card, d.kind)
        d.slot = card.slot if card.slot not in (None, "none") else ""
        d.hands = {"1hand": 1, "2hands": 2}.get(d.slot, 0)
        d.big = bool(card.big) or d.kind == "ship"  # XOVER-14: but they carry themselves
        d.run_away = card.run_away or 0
        d.rank = card.rank or (1 if d.kind == "power" else 0)
        d.tags = frozenset(t.lower() for t in card.tags) | tags_by_name(card.name, d.kind)
        d.is_one_shot = d.kind == "one_shot"
        d.curses_item = d.kind == "item_enhancer" and "curse" in d.tags  # MM-33
        d.is_curse = d.kind in CURSES or d.curses_item
        d.is_companion = d.kind in COMPANIONS
        d.is_item = d.gold is not None and not d.is_curse and d.kind not in ("monster", *TRAITS)
        d.weapon = card.weapon if card.weapon is not None else d.hands > 0 and "shield" not in d.tags

    def _traits(self, card: Card, d: CardDef) -> None:
        d.usable_by = _set(card.usable_by)
        d.not_usable_by = _set(card.not_usable_by)
        d.trait = card.name.lower() if d.kind in TRAITS else ""
        d.sex = "none" if d.is_companion and "robot" in d.tags else card.sex or ""  # HIRE-30
        traits = {t.lower() for t in (card.race, card.class_) if t}
        if d.trait:
            traits = {t.lower() for t in (card.race, card.class_) if t} or {d.trait}
            d.trait = next(iter(traits)) if len(traits) == 1 else d.trait
        if d.sex and d.sex != "none":
            traits.add(d.sex)
        d.traits = frozenset(traits)

    def _monster(self, card: Card, d: CardDef) -> None:
        d.pursuit_limit = card.pursuit_limit or 0
        d.pursues = _set(card.pursues)
        d.escape = card.escape or ""
        d.refuses = _set(card.refuses)
        d.prog_bad = self.program(card.bad_stuff)


def _bare_effect(d: CardDef) -> list[Step] | None:
    """What a card does that says nothing else.

    A Portal leads to the next Dungeon instead of the present one (PORTAL-4); a Curse that is an Item Enhancer lies
    down on an Item (MM-33, SAMB-20).
    """
    if d.kind == "portal":
        return [Step(dungeon=MoveDungeon(enter=1, leave="choice"))]
    return [Step(attach=Filter(item=True))] if d.curses_item else None


def _gold(card: Card, kind: str) -> int | None:
    if card.gold == "none":
        return None
    if isinstance(card.gold, int):
        return card.gold
    if card.gold == "no value" or kind in ("item", "one_shot", "steed", "ship"):
        return 0
    return None


def merge_like(card: Card, model: Card) -> Card:
    """A card that is `like` another: the model's figures with the given ones over them."""
    over = msgspec.to_builtins(card)
    base = msgspec.to_builtins(model)
    for own in ("copies", "aka", "as_in"):
        base.pop(own, None)
    base.pop("deck", None) if "deck" in over else None
    family = base.get("family", model.name)
    base.update({k: v for k, v in over.items() if k != "like"})
    base.setdefault("family", family)
    return msgspec.convert(base, Card)
