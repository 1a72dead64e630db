"""The patterns of the looks as small bitmaps, made of the drawings beside them: `python web/scripts/tiles.py CHROMIUM`.

A bitmap is painted at no cost to speak of; a drawing that is a mask or has a filter costs a machine without a graphics
card whole frames.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ASSETS = Path(__file__).parent.parent / "src" / "assets"
# drawing: size on the table, how thin in white (by day) and in black (by night)
WEAVES = {
    "stone": (160, 96, 0.34, 0.40),
    "lace": (64, 64, 0.34, 0.40),
    "planks": (240, 132, 0.46, 0.40),
    "bubbles": (180, 150, 0.50, 0.42),
    "damask": (72, 96, 0.26, 0.34),
}
# bitmap: drawing, size, colour, how thin
EDGES = {
    "scallop-light": ("scallop", 24, 18, "#1d1024", 0.17),
    "scallop-dark": ("scallop", 24, 18, "#000", 0.50),
    "scallop-felt": ("scallop", 34, 26, "#1d1024", 0.32),
    "swag": ("swag", 40, 14, "#7a1020", 0.22),
    "grain": ("grain", 64, 64, "#000", 0.16),
}


def shoot(page: Page, name: str, drawing: str, width: int, height: int, colour: str, thin: float) -> None:
    """One drawing as a bitmap, in one colour."""
    svg = (ASSETS / f"{drawing}.svg").read_text(encoding="utf-8").replace("#000", colour)
    whole = re.search(r'width="(\d+)" height="(\d+)"', svg)
    assert whole is not None
    box = "" if "viewBox" in svg or drawing == "grain" else f' viewBox="0 0 {whole[1]} {whole[2]}"'
    size = f'width="{width}" height="{height}" fill="{colour}" preserveAspectRatio="none"{box}'
    svg = svg.replace(whole[0], size, 1)
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(f'<body style="margin:0"><div style="line-height:0;opacity:{thin}">{svg}</div>')
    page.screenshot(path=ASSETS / f"{name}.png", omit_background=True)


def main(chromium: str) -> None:
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for name, (width, height, light, dark) in WEAVES.items():
            shoot(page, f"{name}-light", name, width, height, "#fff", light)
            shoot(page, f"{name}-dark", name, width, height, "#000", dark)
        for name, edge in EDGES.items():
            shoot(page, name, *edge)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
