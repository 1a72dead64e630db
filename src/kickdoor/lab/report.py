"""A run as one page: plots, the numbers behind them, and what they were measured by. It asks nothing of the network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

from kickdoor.lab import mix_report, plots
from kickdoor.lab.analysis import findings
from kickdoor.lab.extras import LabError
from kickdoor.lab.figures import wilson
from kickdoor.lab.plots import Dot, Line
from kickdoor.lab.simulate import Run
from kickdoor.paper.files import why, write_text

SHOWN: Final = 12  # cards at each end of a plot
HEAVIEST: Final = 8  # cards that are named as dead weight
END_NAMES: Final = {
    "won_alone": "won alone",
    "won_with_help": "won with help",
    "escaped": "ran away",
    "caught": "caught",
    "died": "somebody died",
    "broken_off": "broken off",
}
STYLE: Final = """
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #23201b; --soft: #6a645a; --line: #e4dfd4; --a: #8a3b12;
  --b: #2d6073; --c: #7b7463; --tint: #f4f0e6; --on: #fff;
  --s0: #3f6b3a; --s1: #7d9c54; --s2: #b08a3c; --s3: #a8552d; --s4: #6d2231; --s5: #8b8577; }
@media (prefers-color-scheme: dark) { :root { --paper: #191714; --ink: #e9e4d9; --soft: #a69f90; --line: #37332c;
  --a: #eb9a63; --b: #7fbdd4; --c: #a39b88; --tint: #221f1a; --s0: #7fb277; --s1: #aecb84; --s2: #d8b364; --s3: #dd8d62;
  --s4: #d0788a; --s5: #8f897c; --on: #17150f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif; }
main { max-width: 920px; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2.3rem; line-height: 1.15; margin: 0 0 .4rem; letter-spacing: -.01em; font-weight: 600; }
h2 { font-size: 1.4rem; margin: 3.2rem 0 .3rem; font-weight: 600; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .2rem; font-weight: 600; }
p { margin: .4rem 0 .9rem; max-width: 68ch; } .soft, figcaption { color: var(--soft); }
dl.key { display: grid; grid-template-columns: repeat(auto-fit, minmax(125px, 1fr)); gap: .6rem; margin: 1.8rem 0 0; }
dl.key div { background: var(--tint); border-radius: 6px; padding: .7rem .9rem; }
dl.key dt { color: var(--soft); font-size: .88rem; } dl.key dd { margin: 0; font-size: 1.55rem; line-height: 1.25; }
figure { margin: 1rem 0 .4rem; } figcaption { font-size: .92rem; margin-top: .3rem; }
.scroll { overflow-x: auto; } .scroll > svg { min-width: 620px; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--ink); font: 14px system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
svg .axis { fill: var(--soft); font-size: 13px; } svg .value { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); } svg .even { stroke: var(--ink); stroke-dasharray: 4 4; }
svg .whisker { stroke-width: 2.5; stroke-linecap: round; opacity: .65; }
svg .a { fill: var(--a); } svg line.a, svg polyline.a { stroke: var(--a); }
svg .b { fill: var(--b); } svg line.b, svg polyline.b { stroke: var(--b); }
svg .c { fill: var(--c); } svg line.c, svg polyline.c { stroke: var(--c); }
svg polyline.curve { fill: none; stroke-width: 3; stroke-linejoin: round; stroke-linecap: round; }
svg polyline.c { stroke-dasharray: 2 6; }
svg .s0 { fill: var(--s0); } svg .s1 { fill: var(--s1); } svg .s2 { fill: var(--s2); } svg .s3 { fill: var(--s3); }
svg .s4 { fill: var(--s4); } svg .s5 { fill: var(--s5); }
svg .on0, svg .on1, svg .on2, svg .on3, svg .on4, svg .on5 { fill: var(--on); font-weight: 600; }
details { margin: .5rem 0 0; } summary { cursor: pointer; color: var(--b); font-size: .95rem; }
table { border-collapse: collapse; margin: .6rem 0; font: 14px/1.4 system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
th, td { text-align: left; padding: .28rem .9rem .28rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .9em; background: var(--tint); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
footer { margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .92rem;
  color: var(--soft); }
@media print { details { display: none; } main { max-width: none; } }
"""


def page(run: Run) -> str:
    """The whole page."""
    f = findings(run)
    return render(f, advice(run))


def write(run: Run, path: Path) -> None:
    text = page(run)
    try:
        write_text(path, text)
    except OSError as e:
        raise LabError(f"{path}: cannot be written: {why(e)}; name another file with -o") from None


def advice(run: Run) -> dict[str, Any]:
    """What the books say about this mix."""
    s = run.setting
    mix = mix_report.describe(s.packs, s.edition, len(s.bots), s.seed, **dict(s.rules))
    out: dict[str, Any] = {"recommended": mix["recommended"], **mix["decks"], "edition": mix["edition"]}
    return out


def render(f: dict[str, Any], mix: dict[str, Any]) -> str:
    packs = ", ".join(f["settings"]["packs"])
    title = f"What {f['games']:,} games of {packs} say"
    sections = [_head(f, mix, title)]
    if len(f["bots"]) > 1:
        sections.append(_bots(f))
    sections += [_seats(f), _length(f), _levels(f), _comebacks(f), _fights(f), _lift(f), _stall(f), _swing(f)]
    sections += [_drop(f, mix), _method(f)]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


# -- pieces -------------------------------------------------------------------------------------------------------


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1, summary: str = "The numbers") -> str:
    """A table behind a plot; the first `words` columns are words, the others numbers."""

    def cells(row: Sequence[str], tag: str) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        return "".join(
            f"<{tag}{scope}{'' if i < words else ' class=n'}>{escape(str(c))}</{tag}>" for i, c in enumerate(row)
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return (
        f'<details><summary>{escape(summary)}</summary><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{escape(summary)}"><table><thead><tr>{cells(heads, "th")}</tr></thead><tbody>{body}</tbody>'
        "</table></div></details>"
    )


def _figure(svg: str, caption: str = "") -> str:
    words = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f'<figure><div class="scroll" tabindex="0" role="group" aria-label="plot">{svg}</div>{words}</figure>'


def _section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n" + "\n".join(parts) + "\n</section>"


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _interval(x: dict[str, float]) -> list[str]:
    return [f"{x['share']:.1%}", f"{x['low']:.1%} to {x['high']:.1%}", f"{x['n']:,}"]


def _head(f: dict[str, Any], mix: dict[str, Any], title: str) -> str:
    s = f["settings"]
    kinds = ", ".join(s["bots"]) if len(set(s["bots"])) > 1 else f"{len(s['bots'])} {s['bots'][0]} bots"
    rules = "".join(f", {k}={v}" for k, v in s["rules"].items())
    tiles = [
        ("games", f"{f['games']:,}"),
        ("rounds, median", f"{f['length']['median']:.1f}"),
        ("moves a game", f"{f['moves']:,.0f}"),
        ("fights a game", f"{f['fights']['count'] / f['games']:.1f}"),
        ("deaths a game", f"{f['deaths']:.2f}"),
        ("shared victories", f"{f['shared'] / f['games']:.1%}"),
    ]
    keys = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in tiles)
    failed = f" {f['failed']:,} games failed and are left out." if f["failed"] else ""
    return (
        f"<header><h1>{escape(title)}</h1>"
        f'<p class="soft">{escape(kinds)}; {escape(mix["edition"])} rules{escape(rules)}; seed {s["seed"]}; '
        f'kickdoor {escape(f["engine"])}.{failed}</p><dl class="key">{keys}</dl></header>'
    )


# -- the game -----------------------------------------------------------------------------------------------------


def _bots(f: dict[str, Any]) -> str:
    even = 1 / len(f["settings"]["bots"])
    rows = [Dot(kind, x["share"], x["low"], x["high"]) for kind, x in f["bots"].items()]
    svg = plots.dots("Share of games won per chair, by bot, with 95% intervals", rows, even=even)
    table = _table(("bot", "won", "95% interval", "chairs"), [[k, *_interval(x)] for k, x in f["bots"].items()])
    return _section(
        "Who wins", _p(f"Share of games won per chair. The dashed line is even: {even:.1%}."), _figure(svg), table
    )


def _seats(f: dict[str, Any]) -> str:
    even = 1 / len(f["seat_wins"])
    names = ["goes first", *[f"{i} after" for i in range(1, len(f["seat_wins"]))]]
    rows = [Dot(name, x["share"], x["low"], x["high"]) for name, x in zip(names, f["seat_wins"], strict=True)]
    off = [n for n, x in zip(names, f["seat_wins"], strict=True) if _beyond(x, even, len(names))]
    says = (
        f"No seat is further from the even {even:.1%} than chance would put one of {len(names)}."
        if not off
        else f"Not quite even ({even:.1%}): {' and '.join(off)} {'is' if len(off) == 1 else 'are'} beyond chance."
    )
    svg = plots.dots("Share of games won by seat, with 95% intervals", rows, even=even)
    cells = [[n, *_interval(x)] for n, x in zip(names, f["seat_wins"], strict=True)]
    return _section(
        "Does the seat matter?", _p(says), _figure(svg), _table(("seat", "won", "95% interval", "games"), cells)
    )


def _beyond(x: dict[str, float], even: float, many: int) -> bool:
    """Is a share further from even than luck allows, given that the worst of several is looked at?"""
    low, high = wilson(x["wins"], int(x["n"]), NormalDist().inv_cdf(1 - 0.025 / many))
    return not low <= even <= high


def _length(f: dict[str, Any]) -> str:
    x = f["length"]
    labels = [str(i + 1) for i in range(len(x["counts"]))]
    labels[-1] += "+"
    shares = [c / f["games"] for c in x["counts"]]
    says = (
        f"Half of all games are over within {x['median']:.1f} rounds, nine of ten within {x['p90']:.1f}; "
        f"the longest took {x['longest']:.0f}."
    )
    svg = plots.columns(f"Share of games by rounds. {says}", shares, labels, x["median"] - 1, "rounds", plots.percent)
    cells = [[a, f"{c:,}", f"{c / f['games']:.1%}"] for a, c in zip(labels, x["counts"], strict=True)]
    return _section("How long it takes", _p(says), _figure(svg), _table(("rounds", "games", "share"), cells))


def _levels(f: dict[str, Any]) -> str:
    x = f["levels"]
    lines = [Line("who wins", x["winners"]), Line("the leader", x["best"], "c"), Line("the others", x["others"], "b")]
    top = max([*x["winners"], *x["best"], 2.0])
    says = (
        "Mean Level at the beginning of each round, in the games that are still going on. Short games leave the"
        " picture, so the curves flatten: whoever still plays late has been stopped at least once."
    )
    svg = plots.curves("Mean Level by round: winners, leaders, others", lines, "round", 0, top * 1.04)
    cells = [
        [str(r), f"{w:.2f}", f"{b:.2f}", f"{o:.2f}", f"{s:.0%}"]
        for r, w, b, o, s in zip(x["rounds"], x["winners"], x["best"], x["others"], x["still_playing"], strict=True)
    ]
    heads = ("round", "who wins", "the leader", "the others", "games going on")
    return _section("How Levels grow", _p(says), _figure(svg), _table(heads, cells))


def _comebacks(f: dict[str, Any]) -> str:
    x = f["levels"]
    n = max(1, x["games"])
    shares = [c / n for c in x["behind"]]
    far = sum(x["behind"][4:]) / n
    says = (
        f"{far:.0%} of all winners were at some time four Levels or more behind the leader; "
        f"{x['behind'][0] / n:.0%} never were behind at all at the beginning of a turn."
    )
    labels = [str(i) for i in range(len(shares) - 1)] + [f"{len(shares) - 1}+"]
    first = plots.columns(
        "How far behind the later winner has been at worst",
        shares,
        labels,
        None,
        "Levels behind the leader, at worst",
        plots.percent,
    )
    names = ["in the lead", *[f"{i} ahead" for i in range(1, len(x["halftime"]))]]
    rows = [Dot(name, h["share"], h["low"], h["high"]) for name, h in zip(names, x["halftime"], strict=True)]
    second = plots.dots("Where the later winner stood at half-time", rows)
    cells = [[a, f"{c:,}", f"{c / n:.1%}"] for a, c in zip(labels, x["behind"], strict=True)]
    half = [[a, *_interval(h)] for a, h in zip(names, x["halftime"], strict=True)]
    return _section(
        "Comebacks",
        _p(says),
        _figure(first),
        _table(("Levels behind", "winners", "share"), cells),
        "<h3>Where winners stand at half-time</h3>",
        _p("Share of games by how many players were ahead of the later winner in the middle of the game."),
        _figure(second),
        _table(("at half-time", "share", "95% interval", "games"), half),
    )


def _fights(f: dict[str, Any]) -> str:
    x = f["fights"]
    n = max(1, x["count"])
    shares = [(END_NAMES[k], v / n) for k, v in x["ends"].items()]
    says = (
        f"{x['count']:,} fights, {x['several'] / n:.1%} of them against more than one monster. "
        f"{(x['ends']['won_alone'] + x['ends']['won_with_help']) / n:.0%} are won."
    )
    svg = plots.stacked("How fights end: " + ", ".join(f"{k} {v:.0%}" for k, v in shares), shares)
    hard = [Dot(m["card"], m["won"], m["low"], m["high"]) for m in x["monsters"][:SHOWN]]
    parts = [
        _p(says),
        _figure(svg),
        _table(("end", "fights"), [[END_NAMES[k], f"{v:,}"] for k, v in x["ends"].items()]),
    ]
    if hard:
        parts += [
            "<h3>The hardest monsters</h3>",
            _p("Share of fights that are won, where this monster was the first one in the fight."),
            _figure(plots.dots("Share of fights won, the hardest monsters", hard)),
            _table(
                ("monster", "set", "fights", "won", "95% interval", "somebody died"),
                [
                    [
                        m["card"],
                        m["pack"],
                        f"{m['fights']:,}",
                        f"{m['won']:.1%}",
                        f"{m['low']:.1%} to {m['high']:.1%}",
                        f"{m['died']:.1%}",
                    ]
                    for m in x["monsters"]
                ],
                2,
                "All monsters",
            ),
        ]
    return _section("How fights end", *parts)


# -- the cards ----------------------------------------------------------------------------------------------------


def _lift(f: dict[str, Any]) -> str:
    cards = sorted(f["cards"], key=lambda c: -c["lift"])
    if not cards:
        return _section("Cards that win games", _p("No card has come up often enough yet. Simulate more games."))
    ends = cards if len(cards) <= 2 * SHOWN else [*cards[:SHOWN], *cards[-SHOWN:]]
    rows = [Dot(c["card"], c["lift"], c["low"], c["high"], "a" if c["lift"] >= 0 else "b") for c in ends]
    sure = sum(1 for c in cards if c["low"] > 0 or c["high"] < 0)
    says = (
        "What getting this card, rather than another of its deck, does to one's chance of winning, in percentage"
        f" points. For {sure} of {len(cards)} cards the 95% interval leaves out zero; one in twenty would by luck."
    )
    svg = plots.dots("Lift on winning, best and worst cards, with 95% intervals", rows, plots.points, even=0.0)
    cells = [
        [
            c["card"],
            c["kind"].replace("_", " "),
            c["pack"],
            f"{100 * c['lift']:+.2f}",
            f"{100 * c['low']:+.2f} to {100 * c['high']:+.2f}",
            f"{c['seen']:,}",
        ]
        for c in cards
    ]
    table = _table(("card", "kind", "set", "lift", "95% interval", "times"), cells, 3, "All cards")
    return _section("Cards that win games, and cards that lose them", _p(says), _figure(svg), table)


def _stall(f: dict[str, Any]) -> str:
    cards = sorted((c for c in f["cards"] if c["in_hand"] >= 30), key=lambda c: -c["held"])
    if not cards:
        return _section("Cards that stall in hands", _p("No card was in enough hands yet."))
    usual = sum(c["held"] * c["in_hand"] for c in cards) / sum(c["in_hand"] for c in cards)
    rows = [Dot(c["card"], c["held"], 0.0, c["held"]) for c in cards[:SHOWN]]
    says = (
        f"Mean number of rounds a card stays in the hand it came to; the dashed line is the mean of all, {usual:.1f}."
        " What lies about is either kept for a better moment or good for nothing: the lift tells which."
    )
    svg = plots.dots("Rounds in hand, the cards that stay longest", rows, lambda v: f"{v:.1f}", even=usual)
    cells = [[c["card"], c["pack"], f"{c['held']:.2f}", f"{c['stuck']:.1%}", f"{c['in_hand']:,}"] for c in cards]
    table = _table(("card", "set", "rounds in hand", "still there at the end", "times"), cells, 2, "All cards")
    return _section("Cards that stall in hands", _p(says), _figure(svg), table)


def _swing(f: dict[str, Any]) -> str:
    cards = sorted((c for c in f["cards"] if c["plays"] >= 30), key=lambda c: -c["swing"])
    if not cards:
        return _section("The most swingy cards", _p("No card was played often enough yet."))
    rows = [
        Dot(c["card"], c["swing"], c["swing"] - 1.96 * c["swing_error"], c["swing"] + 1.96 * c["swing_error"])
        for c in cards[:SHOWN]
    ]
    says = (
        "How much of the chance to win changes owners in the turn in which the card is played or met. "
        f"In a turn as such it is {100 * f['typical_swing']:.1f} points (the dashed line)."
        " A card that decides games stands far right."
    )
    svg = plots.dots(
        "Points of winning chance that change owners, most swingy cards", rows, plots.moved, even=f["typical_swing"]
    )
    cells = [
        [c["card"], c["pack"], f"{100 * c['swing']:.2f}", f"{196 * c['swing_error']:.2f}", f"{c['plays']:,}"]
        for c in cards
    ]
    table = _table(("card", "set", "points", "give or take", "times"), cells, 2, "All cards")
    return _section("The most swingy cards", _p(says), _figure(svg), table)


def dead_weight(cards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cards that stay in hands half as long again as usual and do not help who has them; not those one meets."""
    held = [c for c in cards if c["in_hand"] >= 30 and c["kind"] not in ("curse", "trap", "monster")]
    usual = sum(c["held"] * c["in_hand"] for c in held) / max(1, sum(c["in_hand"] for c in held))
    return sorted((c for c in held if c["held"] > 1.5 * usual and c["high"] < 0), key=lambda c: float(c["lift"]))


def _drop(f: dict[str, Any], mix: dict[str, Any]) -> str:
    parts = []
    if mix["recommended"]:
        items = "".join(
            f"<li>{escape(a['says'])} <span class=soft>({escape(a['rule'])})</span></li>" for a in mix["recommended"]
        )
        parts.append(f"<p>What the books recommend for this mix:</p><ul>{items}</ul>")
    else:
        parts.append(_p("The books have nothing to say about this mix: use all cards."))
    if mix["left_out"]:
        parts.append(_p(f"Of no use beside these sets, and left in the box: {', '.join(mix['left_out'])}."))
    heavy = dead_weight(f["cards"])[:HEAVIEST]
    if heavy:
        names = ", ".join(f"{c['card']} ({c['held']:.1f} rounds, {100 * c['lift']:+.1f} points)" for c in heavy)
        parts.append(_p(f"Measured here, these stay in hands for long and cost whoever has them: {names}."))
    else:
        parts.append(_p("Measured here, no card both stays in hands for long and hurts whoever has it."))
    return _section("What to leave in the box", *parts)


def _method(f: dict[str, Any]) -> str:
    s = f["spread"]
    text = (
        "Intervals of shares are Wilson's, 95%. Lift: which card comes off a shuffled deck is chance, so each draw is a"
        " fair experiment. Of the players who were dealt, drew or kicked open a card, so many more won than of those"
        " who, at the same Level with the same best rival, got any card of that deck in the same way. Cards that"
        " players hand on do not count."
        f" Apart from noise, the cards of this run differ by a standard deviation of {100 * s['sd']:.2f} points."
        " Bots are not people: what bots cannot use well looks weak here."
    )
    words = " ".join(f["settings"]["bots"])
    made = f"Played by: {escape(words)}. Made by <code>kickdoor report</code>."
    return f"<footer><p>{escape(text)}</p><p>{made}</p></footer>"
