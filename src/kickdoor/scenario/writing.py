"""Any position of a game as a scenario: the table, and where that cannot be said, the moves that led to it.

At a quiet moment (nobody is in the middle of something) the whole value is written down: the table in its usual words,
and under `memory:` what they leave out. Any other position is the last quiet one before it and the moves since then;
where nobody knows them, as of a saved game, `memory:` has what is being resolved as well, frame by frame. What is
written is read back here and compared, so that a file which comes out of this module is the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from kickdoor.engine import setup
from kickdoor.engine.kernel import apply
from kickdoor.engine.table import items
from kickdoor.engine.value import frames as fr
from kickdoor.engine.value import moves as mv
from kickdoor.engine.value.game import DOOR, SEXES, SPELL, TREASURE, Game
from kickdoor.engine.value.moves import Move
from kickdoor.engine.value.notation import card_text, text
from kickdoor.engine.value.reasons import Refused
from kickdoor.engine.value.records import Fight
from kickdoor.engine.value.ruleset import Ruleset
from kickdoor.scenario import memory, unseen, windows
from kickdoor.scenario.knowing import Known
from kickdoor.scenario.naming import Names, ScenarioError
from kickdoor.scenario.runner import NOT_PLAYERS
from kickdoor.scenario.setting import set_table
from kickdoor.scenario.table import PHASES
from kickdoor.scenario.translating import after

History = Sequence[tuple[Game, Move]]  # each position, and the move that was made in it


class Unsayable(ValueError):
    """A position that no scenario can say, with the reason."""


def write(g: Game, history: History = (), title: str = "A position") -> str:
    """The scenario whose last step leads to this very game: `history` is what came before it, the latest last."""
    return as_yaml(document(g, history, title))


def as_yaml(doc: dict[str, Any]) -> str:
    return yaml.dump(doc, Dumper=_Lines, sort_keys=False, allow_unicode=True, default_flow_style=None, width=120)


class _Lines(yaml.SafeDumper):
    """Lines break between names, not in them; nothing is written as a reference to something above."""

    def write_plain(self, text: str, split: bool = True) -> None:
        super().write_plain(text, False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def document(g: Game, history: History = (), title: str = "A position") -> dict[str, Any]:
    """The same as data."""
    _check_names(g)
    start, since = _last_quiet(g, history)
    doc = _head(start, title)
    doc["table"] = table = _table(start)
    built, _ = _set(doc)
    more = memory.beside(start, built)
    if more:
        table["memory"] = more
    built, called = _set(doc)
    if built.key() != start.key():
        raise Unsayable("read back, the table is not the position it was written from")
    steps = _steps(built, called, since, g)
    if steps:
        doc["steps"] = steps
    return doc


def document_known(k: Known, title: str = "A position") -> dict[str, Any]:
    """A position as one seat knows it: what it sees by name, and how many cards lie where it cannot look."""
    _check_names(k.game)
    doc = _head(k.game, title)
    table = _table(k.game)
    del table["seed"]
    doc["table"] = table
    built, _ = _set(doc)
    more = memory.beside(k.game, built)
    del table["decks"]
    table["unseen"] = k.unseen
    if more:
        table["memory"] = more
    expected = k.game.clone()
    unseen.deal(expected, k.unseen)
    if _set(doc)[0].key() != expected.key():
        raise Unsayable("read back, the table is not the position it was written from")
    return doc


def _check_names(g: Game) -> None:
    names = [p.name.lower() for p in g.players]
    if len(set(names)) < len(names):
        raise Unsayable("two players at this table have the same name; a scenario calls them by their names")


def is_quiet(g: Game) -> bool:
    """Is nothing being resolved, so that the table itself is the whole position?"""
    return all(type(f).__name__ in memory.QUIET for f in g.stack)


def _last_quiet(g: Game, history: History) -> tuple[Game, History]:
    """The last quiet position and the moves since; the position itself where there was none."""
    since: list[tuple[Game, Move]] = []
    start = g
    for before, move in reversed(history):
        if is_quiet(start):
            break
        since.insert(0, (before, move))
        start = before
    return (start, since) if is_quiet(start) else (g, [])


def _set(doc: dict[str, Any]) -> tuple[Game, Names]:
    try:
        return set_table(doc, Path())
    except (ScenarioError, Refused) as e:
        raise Unsayable(f"a scenario cannot have this table: {e}") from None


# -- the head ---------------------------------------------------------------------------------------------------


def _head(g: Game, title: str) -> dict[str, Any]:
    lib = g.lib
    doc: dict[str, Any] = {"scenario": title, "packs": list(lib.packs)}
    if lib.without:
        doc["without"] = list(lib.without)
    if lib.copies:
        doc["copies"] = dict(lib.copies)
    doc["rules"] = _rules(g.rules, lib.packs)
    return doc


def _rules(rules: Ruleset, packs: Sequence[str]) -> dict[str, Any]:
    """The edition, and the single fields in which these rules are not its."""
    edition = rules.meta.id
    usual = msgspec.to_builtins(setup.rules_for(packs, edition))
    fields = _differing(usual, msgspec.to_builtins(rules), "")
    if rules.options.epic and "level.goal" not in fields:
        fields["level.goal"] = rules.level.goal
    return {"edition": edition, **fields}


def _differing(usual: dict[str, Any], own: dict[str, Any], path: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for k, v in own.items():
        if isinstance(v, dict) and isinstance(usual.get(k), dict):
            out.update(_differing(usual[k], v, f"{path}{k}."))
        elif usual.get(k) != v:
            out[f"{path}{k}"] = v
    return out


# -- the table --------------------------------------------------------------------------------------------------

_WORD: Final = {phase: word for word, phase in PHASES.items()}
_DISCARDS: Final = {DOOR: "door_discards", TREASURE: "treasure_discards", SPELL: "spell_discards"}


def _table(g: Game) -> dict[str, Any]:
    bottom = g.stack[0]
    phase = bottom.phase if isinstance(bottom, fr.Turn) else -1
    out: dict[str, Any] = {
        "seed": g.rng,
        "turn": g.players[g.turn].name,
        "phase": _WORD.get(phase, "after_door"),
        "players": {p.name: _player(g, s) for s, p in enumerate(g.players)},
        "decks": "exact",
    }
    for deck, word in (*unseen.DECK_WORDS.items(), *_DISCARDS.items()):
        pile = g.discards[deck] if word.endswith("_discards") else g.piles[deck]
        if pile:
            out[word] = _cards(g, pile[::-1])
    for word, cards in (("dungeons", g.dungeons), ("box", g.box)):
        if cards:
            out[word] = _cards(g, cards)
    if g.dice:
        out["dice"] = g.dice
    fight = _fight(g, g.fight) if g.fight is not None and is_quiet(g) else {}
    if fight:
        out["fight"] = fight
    return out


def _cards(g: Game, cards: Sequence[int]) -> list[str]:
    return [card_text(g.lib, c) for c in cards]


def _player(g: Game, seat: int) -> dict[str, Any]:
    p = g.players[seat]
    out: dict[str, Any] = {"level": p.level, "sex": SEXES[p.sex]}
    if p.dead:
        out["dead"] = True
    if p.hand:
        out["hand"] = _cards(g, p.hand)
    placed = [c for c in p.table if g.host.get(c) not in p.table and g.bearer.get(c) not in p.table]
    if placed:
        out["in_play"] = [_laid(g, c) for c in placed]
    return out


def _laid(g: Game, card: int) -> Any:
    """A card before a player, with what lies on it and what it carries."""
    name = card_text(g.lib, card)
    lying = [c for c, on in g.host.items() if on == card]
    carried = [c for c, by in g.bearer.items() if by == card]
    if lying or carried:
        entry: dict[str, Any] = {"card": name}
        if lying:
            entry["with"] = _cards(g, lying)
        if carried:
            entry["carries"] = _cards(g, carried)
        return entry
    return {"carried": name} if card not in g.equipped and items.can_be_equipped(g, card) else name


def _fight(g: Game, fight: Fight) -> dict[str, Any]:
    """The fighters, and the monsters that still lie in the fight as themselves; nothing where there are none."""
    elsewhere = {c for pile in (*g.piles, *g.discards, *(p.hand for p in g.players)) for c in pile}
    out: dict[str, Any] = {"main": g.players[fight.main].name}
    if fight.helper >= 0:
        out["helper"] = g.players[fight.helper].name
    monsters: list[Any] = []
    for foe in fight.foes:
        if foe.face != foe.card or foe.card in elsewhere or any(foe.card in p.table for p in g.players):
            continue
        lying = [c for c, group, _ in fight.enhancers if group == foe.group and c not in elsewhere]
        name = card_text(g.lib, foe.card)
        monsters.append({"card": name, "with": _cards(g, lying)} if lying else name)
    return {**out, "monsters": monsters} if monsters else {}


# -- the steps --------------------------------------------------------------------------------------------------


def _steps(start: Game, names: Names, since: History, end: Game) -> list[dict[str, Any]]:
    """The moves as steps; where the words of a step would not lead to the very same position, as they were made."""
    keys = [g.key() for g, _ in since[1:]] + [end.key()] if since else []
    out: list[dict[str, Any]] = []
    g, i = start, 0
    while i < len(since):
        move = since[i][1]
        then, step = _in_words(g, names, move)
        found = [j for j in range(i, len(since)) if then is not None and keys[j] == then.key()]
        if then is not None and found:
            out.append({g.players[move.seat].name: step})
            g, i = then, found[-1] + 1
            continue
        said = text(g, move)
        g = g.clone()
        apply(g, move)
        if g.key() != keys[i]:
            raise Unsayable(f"played again, {said!r} does not lead to the same position")
        if out and "moves" in out[-1]:
            out[-1]["moves"].append(said)
        else:
            out.append({"moves": [said]})
        i += 1
    return out


_BARE: Final = {
    mv.PASS: "pass",
    mv.KICK: "kick",
    mv.LOOT: "loot",
    mv.END_TURN: "end_turn",
    mv.SHOW_HAND: "show_hand",
    mv.WITHDRAW: "withdraw",
}
_WITH_CARD: Final = {
    mv.TROUBLE: "look_for_trouble",
    mv.PLAY: "play",
    mv.EQUIP: "equip",
    mv.UNEQUIP: "unequip",
    mv.DISCARD: "discard",
    mv.SACRIFICE: "sacrifice",
}


def _in_words(g: Game, names: Names, move: Move) -> tuple[Game | None, Any]:
    """A move as a step that a person would write, and where that leads by what the runner does with it."""
    step = _step(g, move)
    if step is None or g.players[move.seat].name in NOT_PLAYERS:
        return None, None
    try:
        then = after(g, names, move.seat, step)
        windows.close_idle(then)
    except (Refused, ScenarioError):
        return None, None
    return then, step


def _step(g: Game, move: Move) -> Any:
    if move.verb in _BARE:
        return _BARE[move.verb]
    if move.verb == mv.KEEP:
        return "keep" if move.card < 0 else None
    said = text(g, move).partition(": ")[2]
    if move.verb == mv.CHOOSE:
        return {"choose": said.removeprefix("choose ")}
    if move.verb == mv.DONE and isinstance(g.stack[-1], fr.Ask):
        return {"choose": "none"}
    if move.verb in (mv.ACCEPT, mv.DECLINE):
        return {mv.VERB_NAMES[move.verb]: g.players[mv.seat_of(move.target)].name}
    if move.verb == mv.RUN:
        return {"run": None, "from": card_text(g.lib, move.card)} if move.card >= 0 else "run"
    if move.verb not in _WITH_CARD or mv.names_mode(move.extra) or move.extra >= 0:
        return None
    step: dict[str, Any] = {_WITH_CARD[move.verb]: card_text(g.lib, move.card)}
    if move.target != mv.NONE:
        step["by" if move.verb == mv.EQUIP else "on"] = said.rpartition(" on ")[2]
    return step
