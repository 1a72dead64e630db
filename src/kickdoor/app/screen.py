"""The table drawn in a terminal: who is ahead, who is winning the fight and why, your hand, your moves."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from kickdoor.cards.library import CardDef
from kickdoor.engine.table.levels import common_goal
from kickdoor.engine.value.game import Game
from kickdoor.engine.value.seen import BoardState, DealState, FightState, PlayerState, TermState, View
from kickdoor.rulebook import Rule
from kickdoor.voice.naming import card_name, figures, kind_word
from kickdoor.voice.telling import Line
from kickdoor.voice.words import GROUPS, MORE, Entry

NARROW = 76
WIDE = 108
TONES = {"good": "green", "bad": "red", "door": "bold", "die": "cyan", "turn": "bold yellow"}
EVERYDAY = frozenset({"PILE-11", "TURN-3", "TURN-9", "TURN-15", "EQUIP-8", "SETUP-5"})
COLOURS = {
    "monster": "red",
    "curse": "magenta",
    "trap": "magenta",
    "race": "green",
    "class": "green",
    "power": "green",
    "item": "yellow",
    "one_shot": "cyan",
    "monster_enhancer": "red",
    "go_up_a_level": "bright_green",
}


def line(out: Console) -> RenderableType:
    """A line across the screen, out of what the terminal has."""
    return Text(("-" if out.options.ascii_only else "\u2500") * out.width, "dim")


# -- news ---------------------------------------------------------------------------------------------------------


def news(lines: Sequence[Line], rules: bool = False) -> RenderableType:
    """What happened, newest last; with `rules`, even the rules that everybody knows."""
    out: list[RenderableType] = []
    for line in lines:
        if line.tone == "turn":
            out.append(Text(line.text, "bold yellow"))
            continue
        text = Text(line.text, TONES.get(line.tone, ""))
        if line.rule and (rules or line.rule not in EVERYDAY):
            text.append(f" ({line.rule})", "dim not bold")
        if line.said:
            text.append(f'  "{line.said}"', "italic dim not bold")
        out.append(Padding(text, (0, 0, 0, 2)))
    return Group(*out)


# -- players ------------------------------------------------------------------------------------------------------


def board(g: Game, view: View, width: int) -> RenderableType:
    """Everybody: level, who they are, what they use and carry, cards in hand, Curses."""
    doors, treasures = view["decks"][:2]
    used = view["discard_counts"]
    goal = max(common_goal(g, s) for s in range(len(g.players)))
    head = Text(f"Round {1 + max(0, view['turns'] - 1) // len(g.players)}. First to level {goal} wins. ", "dim")
    head.append(f"Doors {doors} ({used[0]} used), Treasures {treasures} ({used[1]} used).", "dim")
    if view["board"] is not None:
        head.append(f"\nBoard: {_spaces(g, view['board'])}", "dim")
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    grid.add_column("  Player", no_wrap=True)
    grid.add_column("Level", justify="right", no_wrap=True)
    grid.add_column("Strength" if width >= WIDE else "Str", justify="right", no_wrap=True)
    grid.add_column("Hand", justify="right", no_wrap=True)
    if width >= NARROW:
        grid.add_column("Is", max_width=24)
        grid.add_column("In use; sideways; cursed")
    else:
        grid.add_column("Is, uses, carries")
    for s, p in enumerate(view["players"]):
        turn = s == view["turn"]
        style = "bold yellow" if turn else "bold" if s == view["seat"] else ""
        name = f"{'>' if turn else ' '} {p['name']}" + (" (you)" if s == view["seat"] else "")
        who = Text(identity(g, p) + (", dead" if p["dead"] else ""), "bold" if width < NARROW else "")
        row = [
            Text(name, style),
            Text(str(p["level"]), "bold"),
            Text(str(p["strength"])),
            Text(str(p["hand_size"])),
        ]
        gear = _gear(g, p)
        if width >= NARROW:
            grid.add_row(*row, who, gear)
        else:
            grid.add_row(*row, Text.assemble(who, Text(": ") if gear.plain else Text(""), gear))
    return Group(head, grid)


def _spaces(g: Game, board: BoardState) -> str:
    """The spaces that somebody stands on, each with the figures there."""
    there: dict[int, list[str]] = {}
    for x in board["standies"]:
        there.setdefault(x["space"], []).append(f"{g.players[x['seat']].name} ({x['figure'][0]})")
    return " | ".join(f"{space}: {', '.join(names)}" for space, names in sorted(there.items()))


def identity(g: Game, p: PlayerState) -> str:
    """Race, Class and sex, as one would introduce somebody; what he has forgotten he is not."""
    defs = g.lib.defs
    mine = set(p["traits"])
    are = [c for c in p["table"] if defs[c].trait and defs[c].traits <= mine]
    kinds = {defs[c].kind for c in are}
    traits = [defs[c].name for c in p["table"] if c in are or defs[c].multi in kinds]
    race = ["Human"] if "human" in mine else []
    return " ".join([*race, *traits, f"({p['sex'][0]})"])


def _gear(g: Game, p: PlayerState) -> Text:
    """Items in use, then those carried sideways, then Curses."""
    defs = g.lib.defs
    out = Text()
    shown = [c for c in p["table"] if not defs[c].trait and not defs[c].multi]
    used = [c for c in shown if c in p["equipped"] or (not defs[c].is_item and not defs[c].is_curse)]
    used = [c for c in used if c not in p["attached"]]
    sideways = [c for c in shown if defs[c].is_item and c not in used and c not in p["attached"]]
    curses = [c for c in shown if defs[c].is_curse]
    parts = [(", ".join(_item(g, p, c) for c in used), "")]
    if sideways:
        parts.append(("sideways: " + ", ".join(_item(g, p, c) for c in sideways), "dim"))
    if curses:
        parts.append(("cursed: " + ", ".join(defs[c].name for c in curses), "magenta"))
    if p["accessories"]:
        parts.append(("beside: " + ", ".join(defs[c].name for c in p["accessories"]), "dim"))
    for text, style in parts:
        if text:
            out.append("; " if out.plain else "")
            out.append(text, style)
    return out


def _item(g: Game, p: PlayerState, card: int) -> str:
    d = g.lib.defs[card]
    on = [g.lib.defs[a].name for a, host in p["attached"].items() if host == card]
    bonus = f" {d.bonus:+d}" if d.bonus else ""
    return d.name + bonus + (f" [{', '.join(on)}]" if on else "")


# -- the fight ----------------------------------------------------------------------------------------------------


def fight(g: Game, f: FightState, width: int) -> RenderableType:
    """Two sides, each with its sum and the terms of it; who has said that he is done."""
    main, helper = f["main"], f["helper"]
    names = g.players[main].name + (f" + {g.players[helper].name}" if helper >= 0 else "")
    ours = _side(g, f"{names}: {f['munchkins']}", f["munchkin_terms"], "Level", f["winning"])
    theirs = _side(g, f"Monsters: {f['monsters']}", f["monster_terms"], "", not f["winning"])
    n = f["treasures"]
    theirs.append(Text(f"worth {n} Treasure{'s' * (n != 1)}", "dim"))
    for face in dict.fromkeys(x["face"] for x in f["foes"] if x["active"]):
        theirs += [Text(t.plain, "dim") for t in card_lines(g.lib.defs[face])]
    if helper >= 0:
        ours.append(Text(f"{g.players[helper].name} gets {_deal(g, f['deal'])}", "dim"))
    done = [g.players[s].name for s in f["passed"]]
    sides: RenderableType
    if width >= 56:
        grid = Grid.grid(padding=(0, 2), expand=True)
        grid.add_column(ratio=1)
        grid.add_column(ratio=1)
        grid.add_row(Group(*ours), Group(*theirs))
        sides = grid
    else:
        sides = Group(*ours, Text(""), *theirs)
    subtitle = Text(f"done: {', '.join(done)}" if done else "nobody is done yet")
    title = "LOST: run!" if f["fleeing"] else "The fight"
    return Panel(sides, title=title, subtitle=subtitle, box=box.ROUNDED, border_style="yellow", title_align="left")


def _deal(g: Game, deal: DealState) -> str:
    n = deal["treasures"]
    parts = [f"{n} Treasure{'s' * (n != 1)}"] if n else []
    parts += [card_name(g, c) for c in deal["items"]]
    return " and ".join(parts) or "nothing"


def _side(g: Game, title: str, terms: list[TermState], level: str, ahead: bool) -> list[RenderableType]:
    out: list[RenderableType] = [Text(title, "bold green" if ahead else "bold red")]
    for t in terms:
        text = Text(f"{t['amount']:+4d} ")
        text.append(card_name(g, t["card"]) if t["card"] >= 0 else level)
        text.append(f" {t['rule']}" if t["rule"] not in ("COMBAT-1", "COMBAT-2") else "", "dim")
        out.append(text)
    return out


# -- cards --------------------------------------------------------------------------------------------------------


def card_lines(d: CardDef) -> list[Text]:
    """The words of a card: what it says, Bad Stuff, figures."""
    out = []
    if d.card.text:
        out.append(Text(d.card.text.strip()))
    if d.card.bad_stuff_text:
        bad = Text("Bad Stuff: ", "bold")
        bad.append(d.card.bad_stuff_text.strip(), "not bold")
        out.append(bad)
    return out


def card_panel(d: CardDef, label: str = "", width: int | None = None) -> Panel:
    facts = figures(d)
    title = f"{label} {d.name}".strip()
    name = [Text(d.name, "bold")] if width is not None and len(title) > width - 6 else []
    title = label if name else title
    body = Group(*name, Text(kind_word(d) + (f", {facts}" if facts else ""), "italic"), *card_lines(d))
    return Panel(body, title=escape(title), title_align="left", width=width, border_style=COLOURS.get(d.kind, ""))


def hand(g: Game, cards: Sequence[int], width: int, full: Sequence[int]) -> RenderableType:
    """The hand; `?n` is the handle that asks why a card cannot be used. `full` ones show their text."""
    defs = g.lib.defs
    title = Text("Your hand", "bold")
    if not cards:
        return Text("Your hand is empty.", "dim")
    if width >= WIDE and len(full) == len(cards):
        size = max(24, (width - 2) // min(len(cards), max(4, width // 30)) - 1)
        panels = [card_panel(defs[c], f"?{i}", size) for i, c in enumerate(cards, 1)]
        return Group(title, Columns(panels, padding=(0, 1)))
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, style="dim", min_width=4, justify="right")
    grid.add_column()
    for i, c in enumerate(cards, 1):
        d = defs[c]
        row = Text(d.name, f"bold {COLOURS.get(d.kind, '')}".strip())
        facts = figures(d)
        row.append(f"  {kind_word(d)}" + (f", {facts}" if facts else ""), "not bold default")
        grid.add_row(f"?{i}", Group(row, *(card_lines(d) if c in full else ())))
    return Group(title, grid)


# -- moves --------------------------------------------------------------------------------------------------------


def menu(entries: Sequence[Entry], chosen: int, more: bool) -> RenderableType:
    """The numbered moves in groups; seldom used ones in one line until asked for."""
    rows: list[RenderableType] = []
    for group in GROUPS:
        some = [(i, e) for i, e in enumerate(entries) if e.group == group]
        if not some:
            continue
        if group == MORE and not more and len(entries) > len(some):
            words = ", ".join(_small(e.text.removesuffix(" ...")) for _, e in some[:3])
            rows.append(Text(f"more: {words}{', ...' if len(some) > 3 else ''}", "dim"))
            continue
        rows.append(Text(group, "bold"))
        rows.append(numbered([(i + 1, e.text, i == chosen) for i, e in some]))
    return Group(*rows)


def _small(words: str) -> str:
    return words[:1].lower() + words[1:]


def numbered(lines: Sequence[tuple[int, str, bool]]) -> RenderableType:
    """Numbered lines; the one that Enter stands for is marked."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, style="bold cyan", min_width=4, justify="right")
    grid.add_column()
    for n, words, marked in lines:
        text = Text(words, "bold" if marked else "")
        if marked:
            text.append("  (Enter)", "dim not bold")
        grid.add_row(str(n), text)
    return grid


def rule_page(r: Rule) -> RenderableType:
    """One rule as the book has it."""
    body = [Text(r.says)]
    if r.detail:
        body.append(Text(r.detail, "dim"))
    if r.see:
        body.append(Text(f"See also {', '.join(r.see)}.", "dim"))
    return Panel(Group(*body), title=r.id, title_align="left", box=box.ROUNDED)
