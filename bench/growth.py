"""Draws how the cost of a server grows with its tables: `python -m bench.growth grow.json docs/growth.svg`.

The figures come from `python -m bench.server --servers 2 --every 5 --grow 100,300,1000,3000 --json grow.json`. Four
small plots (processor time a move, memory a table, p50 and p99), each from zero, so that what should be level looks
level.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

WIDTH: Final = 300
HEIGHT: Final = 190
LEFT, RIGHT, TOP, BOTTOM = 48, 14, 34, 32
FOOT: Final = 24


class Plot(NamedTuple):
    """One of the small plots: what it shows, and the bar that it should stay under at 1,000 tables."""

    title: str
    key: str
    bar: float | None


PLOTS: Final = (
    Plot("server, ms of processor a move", "ms/move", 1.2),
    Plot("memory, KB a table", "KB/table", 200.0),
    Plot("p50, ms until all four seats have it", "p50 ms", None),
    Plot("p99, ms until all four seats have it", "p99 ms", 20.0),
)
STYLE: Final = (
    "text{font:11px sans-serif;fill:#444}.t{font-size:12px;fill:#111}.g{stroke:#ddd}.l{fill:none;stroke:#7a3b10;"
    "stroke-width:2}.d{fill:#7a3b10}.b{stroke:#2a7;stroke-dasharray:4 3}"
)


def nice(top: float) -> float:
    """A round number that is not below."""
    step: float = 10 ** max(-2, len(str(int(top))) - 1) if top >= 1 else 0.1
    return next(n * step for n in (1, 2, 3, 4, 5, 6, 8, 10, 15, 20) if n * step >= top)


def panel(plot: Plot, runs: list[dict[str, Any]], x0: float, y0: float) -> list[str]:
    """One plot, as pieces of SVG."""
    most = max(r["tables"] for r in runs)
    top = nice(max([*(r[plot.key] for r in runs), plot.bar or 0.0]))
    across: Callable[[float], float] = lambda n: x0 + LEFT + (WIDTH - LEFT - RIGHT) * n / most  # noqa: E731
    up: Callable[[float], float] = lambda v: y0 + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * v / top  # noqa: E731
    out = [f'<text class="t" x="{x0 + LEFT}" y="{y0 + 18}">{plot.title}</text>']
    for part in (0, 0.5, 1):
        y = up(top * part)
        out.append(f'<line class="g" x1="{across(0):.1f}" x2="{across(most):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text x="{x0 + LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{top * part:g}</text>')
    if plot.bar is not None:
        y = up(plot.bar)
        out.append(f'<line class="b" x1="{across(0):.1f}" x2="{across(most):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
    points = [(across(r["tables"]), up(r[plot.key])) for r in runs]
    out.append(f'<polyline class="l" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    for (x, y), r in zip(points, runs, strict=True):
        out.append(f'<circle class="d" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
        out.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT - 12}" text-anchor="middle">{r["tables"]:,}</text>')
    return out


def foot(run: dict[str, Any]) -> str:
    """How it was measured."""
    n = run.get("servers", 1)
    servers = "one server" if n == 1 else f"{n} servers on one database, behind a proxy"
    return f"Tables of four, a move every {run.get('every', 1):g} s at each; {servers}"


def drawn(runs: list[dict[str, Any]]) -> str:
    """The whole picture."""
    parts = []
    for i, plot in enumerate(PLOTS):
        parts += panel(plot, runs, WIDTH * (i % 2), HEIGHT * (i // 2))
    height = HEIGHT * 2 + FOOT
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * 2}" height="{height}" role="img" '
    head += 'aria-label="Cost against number of tables">'
    ground = f'<rect width="{WIDTH * 2}" height="{height}" fill="#fff"/>'
    parts.append(f'<text x="{LEFT}" y="{height - 8}">{foot(runs[0])}</text>')
    return "\n".join([head, f"<style>{STYLE}</style>", ground, *parts, "</svg>", ""])


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    runs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["runs"]
    Path(sys.argv[2]).write_text(drawn(sorted(runs, key=lambda r: int(r["tables"]))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
