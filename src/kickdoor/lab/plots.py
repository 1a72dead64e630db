"""Plots as plain SVG: no script, no library, colours from the page's style so that dark stays dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

WIDTH: Final = 860
ROW: Final = 26
CHAR: Final = 7.9  # the width of a letter at 14 px, near enough


class Dot(NamedTuple):
    """A value with its interval."""

    label: str
    value: float
    low: float
    high: float
    tone: str = "a"  # which colour


class Line(NamedTuple):
    """A curve and its name."""

    label: str
    values: Sequence[float]
    tone: str = "a"


Show = Callable[[float], str]


def percent(x: float) -> str:
    return f"{_short(100 * x)}%"


def _short(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


def points(x: float) -> str:
    """A difference of shares, in percentage points."""
    return f"{100 * x:+.1f}".removesuffix(".0") if abs(x) > 5e-4 else "0"


def moved(x: float) -> str:
    """A part of the whole chance, in percentage points."""
    return _short(100 * x)


def whole(x: float) -> str:
    return f"{x:,.0f}" if abs(x - round(x)) < 1e-9 or abs(x) >= 10 else f"{x:.1f}"


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers from low to high."""
    span = high - low
    if span <= 0:
        return [low]
    step = 10.0 ** _floor_log(span / about)
    for m in (1, 2, 2.5, 5, 10):
        if span / (step * m) <= about:
            step *= m
            break
    first = int(low / step - (1 if low < 0 else 0))
    out = [i * step for i in range(first, first + 4 * about)]
    return [round(x, 10) for x in out if low - 1e-9 <= x <= high + 1e-9]


def _floor_log(x: float) -> int:
    n = 0
    while x >= 10:
        x, n = x / 10, n + 1
    while x < 1:
        x, n = x * 10, n - 1
    return n


def frame(height: float, title: str, body: Sequence[str], text: str = "") -> str:
    """An image that says what it shows to those who do not see it."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title, quote=True)}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>'
        + (f"<desc>{escape(text)}</desc>" if text else "")
        + "".join(body)
        + "</svg>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start", cls: str = "") -> str:
    kind = f' class="{cls}"' if cls else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(text)}</text>'


def _rule(x1: float, y1: float, x2: float, y2: float, cls: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{cls}"/>'


# -- dots with whiskers -------------------------------------------------------------------------------------------


def dots(title: str, rows: Sequence[Dot], show: Show = percent, even: float | None = None, note: str = "") -> str:
    """One row per thing: a dot, its interval, and a line where `even` is."""
    left = min(350.0, 18 + CHAR * max((len(r.label) for r in rows), default=10))
    low = min([r.low for r in rows] + ([even] if even is not None else []))
    high = max([r.high for r in rows] + ([even] if even is not None else []))
    pad = (high - low) * 0.06 or 0.01
    low, high = low - pad, high + pad
    right = WIDTH - 90

    def x(v: float) -> float:
        return left + (v - low) / (high - low) * (right - left)

    height = 34 + ROW * len(rows) + (18 if note else 0)
    foot = 10 + ROW * len(rows)
    body = []
    for t in ticks(low, high, 8):
        body += [_rule(x(t), 4, x(t), foot, "grid"), _text(x(t), foot + 17, show(t), "middle", "axis")]
    if even is not None:
        body.append(_rule(x(even), 4, x(even), foot, "even"))
    for i, r in enumerate(rows):
        y = 10 + ROW * i + ROW / 2
        body.append(_text(left - 12, y + 4.5, r.label, "end"))
        body.append(_rule(x(r.low), y, x(r.high), y, f"whisker {r.tone}"))
        body.append(f'<circle cx="{x(r.value):.1f}" cy="{y:.1f}" r="5" class="{r.tone}"/>')
        body.append(_text(WIDTH - 4, y + 4.5, show(r.value), "end", "value"))
    if note:
        body.append(_text(left, foot + 36, note, cls="axis"))
    return frame(height, title, body)


# -- bars ---------------------------------------------------------------------------------------------------------


def columns(
    title: str,
    values: Sequence[float],
    labels: Sequence[str],
    mark: float | None = None,
    below: str = "",
    show: Show = whole,
) -> str:
    """Upright bars, one per label; `mark` is a place along them (0 is the middle of the first)."""
    height, left, base, top = 270.0, 58.0, 218.0, 14.0
    high = max([*values, 1e-9]) * 1.04
    step = (WIDTH - left - 10) / max(1, len(values))

    def y(v: float) -> float:
        return base - v / high * (base - top)

    body = []
    for t in ticks(0, high, 5):
        body += [_rule(left, y(t), WIDTH - 6, y(t), "grid"), _text(left - 8, y(t) + 4.5, show(t), "end", "axis")]
    every = max(1, round(len(labels) * 30 / (WIDTH - left)))
    for i, v in enumerate(values):
        x = left + step * i
        body.append(
            f'<rect x="{x + step * 0.1:.1f}" y="{y(v):.1f}" width="{step * 0.8:.1f}" height="{base - y(v):.1f}" '
            f'class="a" rx="1.5"/>'
        )
        if i % every == 0 or i == len(values) - 1:
            body.append(_text(x + step / 2, base + 19, labels[i], "middle", "axis"))
    if mark is not None:
        at = left + step * (mark + 0.5)
        body += [_rule(at, top, at, base, "even"), _text(at + 6, top + 12, "median", cls="axis")]
    body.append(_text((left + WIDTH) / 2, height - 8, below, "middle", "axis"))
    return frame(height, title, body)


def stacked(title: str, shares: Sequence[tuple[str, float]]) -> str:
    """One bar that is everything, in parts; names below it, so that no colour has to be known."""
    body, x = [], 0.0
    names: list[str] = []
    spot, line = 0.0, 78.0
    for i, (label, share) in enumerate(shares):
        w = share * WIDTH
        tone = f"s{i}"
        body.append(f'<rect x="{x:.1f}" y="6" width="{max(0.0, w - 2):.1f}" height="42" class="{tone}" rx="3"/>')
        if w > 46:
            body.append(_text(x + w / 2, 32, percent(share), "middle", f"on{i}"))
        words = f"{label} {100 * share:.1f}%"
        room = 26 + CHAR * len(words) + 16
        if spot + room > WIDTH:
            spot, line = 0.0, line + 26
        names.append(f'<rect x="{spot:.1f}" y="{line - 11:.1f}" width="13" height="13" class="{tone}" rx="2"/>')
        names.append(_text(spot + 19, line, words))
        spot += room
        x += w
    return frame(line + 12, title, [*body, *names])


# -- curves -------------------------------------------------------------------------------------------------------


def curves(title: str, lines: Sequence[Line], below: str, low: float, high: float) -> str:
    """Lines over 1, 2, 3, ...; each has its name at its end."""
    height, left, base, top = 320.0, 40.0, 268.0, 12.0
    right = WIDTH - 150
    n = max((len(x.values) for x in lines), default=1)

    def px(i: float) -> float:
        return left + (right - left) * (i / max(1, n - 1))

    def py(v: float) -> float:
        return base - (v - low) / (high - low) * (base - top)

    body = []
    for t in ticks(low, high, 6):
        body += [_rule(left, py(t), right, py(t), "grid"), _text(left - 8, py(t) + 4.5, whole(t), "end", "axis")]
    for t in ticks(1, n, 10):
        if t == int(t):
            body.append(_text(px(t - 1), base + 19, f"{t:.0f}", "middle", "axis"))
    ends = _apart([py(x.values[-1]) if x.values else base for x in lines], 19)
    for x, end in zip(lines, ends, strict=True):
        path = " ".join(f"{px(i):.1f},{py(v):.1f}" for i, v in enumerate(x.values))
        body.append(f'<polyline points="{path}" class="curve {x.tone}"/>')
        body.append(_text(px(len(x.values) - 1) + 10, end + 4.5, x.label, cls=f"name {x.tone}"))
    body.append(_text((left + right) / 2, height - 8, below, "middle", "axis"))
    return frame(height, title, body)


def _apart(ys: Sequence[float], gap: float) -> list[float]:
    """Names that would lie on each other are moved apart."""
    order = sorted(range(len(ys)), key=lambda i: ys[i])
    out = list(ys)
    for a, b in pairwise(order):
        out[b] = max(out[b], out[a] + gap)
    return out
