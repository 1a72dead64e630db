"""`kickdoor report`: a run as one page."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from kickdoor.app.terminal import as_json, say
from kickdoor.lab import analysis, report, simulate
from kickdoor.lab.extras import need


def register(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "report",
        help="what a simulated run says, as one page with plots",
        description="Turn a run of kickdoor simulate into one self-contained HTML page.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN_DIR", help="what kickdoor simulate --out wrote")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the page (default: RUN_DIR/report.html)")
    parser.add_argument("--json", action="store_true", help="print the numbers for programs instead")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    need("pyarrow", "lab")
    need("numpy", "lab")
    found = simulate.opened(args.folder)
    if args.json:
        as_json(analysis.findings(found))
        return 0
    path = args.output or args.folder / "report.html"
    report.write(found, path)
    say(f"Wrote {path}. Open it in a browser.")
    return 0
