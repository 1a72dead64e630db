"""Compiles the engine, the bots and what a table does for every move to machine code with mypyc. The Python sources
stay what is written and tested.

    python native_build.py build/fast       a compiled copy of the package, for PYTHONPATH
    python native_build.py --to-play        prints the PYTHONPATH to play with, and says on stderr which engine that is

A wheel gets the same modules where C can be compiled (KICKDOOR_COMPILE=0: never, KICKDOOR_COMPILE=1: or it fails).
They are never put beside the sources: a compiled module that is older than its source would be imported instead of it.

`make play` does not wait for a compiler: what is to play with is compiled behind the first game, into a directory that
is named after its sources, and used from the next start on.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PACKAGE = ROOT / "src" / "kickdoor"
WORK = ROOT / "build" / "native"  # C files and objects, so that a second build compiles what has changed
BEHIND = ROOT / "build" / "behind"  # the same for what is compiled behind a game, which must be in nobody's way
PLAYED = ROOT / "build" / "play"  # compiled copies by their sources, what is being made, and what went wrong
LOCK = ROOT / "requirements.lock"
SHORT_WAYS = "native_build.h"  # what every module is compiled with, and why
WANTED = "KICKDOOR_COMPILE"

# Rooms that are compiled, and what in them is not: msgspec's structs take class arguments that mypyc drops, the types
# of a view are read when the wire's schema is made, and what runs only when somebody is told why is not worth the time.
ROOMS = ("engine", "bots", "voice")
AT_A_TABLE = (
    *("absence", "audience", "bot_turns", "botplay", "clocks", "consent", "deciding", "folding", "games"),
    *("learning", "letterbox", "limits", "menu", "pace", "patching", "room", "showing", "snapshots", "sockets"),
    *("table", "timing"),
)
BESIDES = (
    *(
        "cards/library.py",
        "cards/contexts.py",
        "paper/grammar.py",
        "lab/encoding.py",
        "lab/recording.py",
        "lab/stepping.py",
        "lab/stopwatch.py",
    ),
    *(f"server/{m}.py" for m in AT_A_TABLE),
)
PLAIN = set("__init__ move records frames ruleset saving seen stored lesson".split())  # noqa: SIM905

REQUIRES = ["mypy>=1.13", "setuptools>=65", "msgspec>=0.19", "types-PyYAML>=6.0"]

CONFIG = """[mypy]
strict = True
ignore_missing_imports = True
"""


class NoCompiler(RuntimeError):
    """There is nothing here that could compile C."""


def why_not() -> str:
    """Why nothing can be compiled here; empty where it can."""
    if not any(shutil.which(cc) for cc in (os.environ.get("CC", "cc").split()[0], "gcc", "clang", "cl")):
        return "no C compiler was found (on Debian and Ubuntu: apt install gcc python3-dev)"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python.h was not found (on Debian and Ubuntu: apt install python3-dev)"
    return ""


def modules() -> list[str]:
    """The compiled modules, as paths within the package."""
    found = [p for room in ROOMS for p in sorted((PACKAGE / room).rglob("*.py")) if p.stem not in PLAIN]
    return [*(p.relative_to(PACKAGE).as_posix() for p in found), *BESIDES]


def fingerprint() -> str:
    """Everything that the result depends on, as one number."""
    digest = hashlib.sha256(sys.version.encode())
    files = [*PACKAGE.rglob("*"), Path(__file__), ROOT / SHORT_WAYS]
    for path in sorted(p for p in files if p.is_file() and p.suffix != ".pyc"):
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def compiled(work: Path = WORK) -> list[Path]:
    """Compile; the finished modules, as paths under `work`/made."""
    if why_not():
        raise NoCompiler(why_not())
    source, made = work / "source", work / "made"
    for old in (source, made):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(PACKAGE, source / "kickdoor", ignore=shutil.ignore_patterns("__pycache__", "static", "packs"))
    (source / "kickdoor" / "packs").mkdir()
    shutil.copy(PACKAGE / "packs" / "__init__.py", source / "kickdoor" / "packs")
    (source / "mypy.ini").write_text(CONFIG)
    done = subprocess.run(
        [sys.executable, __file__, "--in", str(source), str(made)], capture_output=True, text=True, cwd=source
    )
    if done.returncode:
        raise RuntimeError(f"mypyc failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return sorted(p.relative_to(made) for p in made.rglob("*") if p.suffix in (".so", ".pyd"))


def run_mypyc(made: str) -> None:
    """In a process of its own, in the directory with the copied sources."""
    from mypyc.build import mypycify
    from setuptools import setup

    _compile_in_parallel()
    objects = Path("..").resolve()
    sys.argv = ["setup.py", "build_ext", "--build-lib", made, "--build-temp", str(objects / "objects")]
    extensions = mypycify(
        ["--config-file", "mypy.ini", *(f"kickdoor/{m}" for m in modules())],
        opt_level="2",
        debug_level="0",
        multi_file=True,
        target_dir=str(objects / "c"),
    )
    if (
        sys.platform != "win32"
    ):  # a product and a sum are rounded one by one, as Python does it: the same games come out
        for extension in extensions:
            extension.extra_compile_args = [*extension.extra_compile_args, "-ffp-contract=off"]
    if sys.platform == "linux":  # calls between our own modules go straight there, and not by a table of jumps
        for extension in extensions:
            extension.extra_link_args = [*extension.extra_link_args, "-Wl,-Bsymbolic"]
            extension.extra_compile_args = [*extension.extra_compile_args, "-fno-semantic-interposition"]
    setup(name="kickdoor-native", packages=[], ext_modules=extensions)


def _compile_in_parallel() -> None:
    """Setuptools compiles the files of one extension one after the other, and all of them every time."""
    from concurrent.futures import ThreadPoolExecutor
    from distutils.ccompiler import CCompiler

    import setuptools  # noqa: F401  (brings its own distutils)

    def compile(self, sources, output_dir=None, macros=None, include_dirs=None, debug=0, *args, **more):  # type: ignore[no-untyped-def]
        pre, post, depends = ([*args, None, None, None])[:3]
        pre, post = more.get("extra_preargs", pre), more.get("extra_postargs", post)
        macros, objects, post, pp, build = self._setup_compile(output_dir, macros, include_dirs, sources, depends, post)
        flags = self._get_cc_args(pp, debug, pre)
        headers = max(p.stat().st_mtime for p in (Path(__file__), ROOT / SHORT_WAYS, *Path("../c").rglob("*.h")))

        def one(obj: str) -> None:
            src, ext = build[obj]
            if not Path(obj).exists() or Path(obj).stat().st_mtime < max(Path(src).stat().st_mtime, headers):
                ours = Path(src).name.startswith("__native")  # and not what mypyc brings along
                short = ["-include", str(ROOT / SHORT_WAYS)] if ours and sys.platform != "win32" else []
                self._compile(obj, src, ext, flags, [*(post or []), *short], pp)

        with ThreadPoolExecutor(int(os.environ.get("KICKDOOR_JOBS", 0)) or os.cpu_count()) as pool:
            list(pool.map(one, (o for o in objects if o in build)))
        return objects

    CCompiler.compile = compile


def copy_of_the_package(into: Path, work: Path = WORK) -> bool:
    """A copy of the package with its compiled modules; True if it had to be built."""
    stamp, mark = into / "made.txt", fingerprint()
    if stamp.is_file() and stamp.read_text() == mark:
        return False
    shutil.rmtree(into, ignore_errors=True)  # nobody shall take an old one for the new one
    print("compiling the engine, the bots and the tables (a few minutes) ...", file=sys.stderr, flush=True)
    found = compiled(work)
    shutil.copytree(PACKAGE, into / "kickdoor", ignore=shutil.ignore_patterns("__pycache__"))
    for path in found:
        shutil.copy(work / "made" / path, into / path)
    stamp.write_text(mark)
    return True


# -- behind a game ----------------------------------------------------------------------------------------------


def to_play() -> tuple[Path | None, str]:
    """Where the compiled package is, if it is there, and a sentence about it; if it is not, it is begun."""
    if os.environ.get(WANTED) == "0":
        return None, "The engine is plain Python, as asked for by KICKDOOR_COMPILE=0."
    mark = fingerprint()
    into = PLAYED / mark[:16]
    if (into / "made.txt").is_file():
        return into, "The engine is compiled."
    if why_not():
        return None, f"The engine is plain Python; compiled it is about three times as fast, but {why_not()}."
    if _at_work():
        return None, "The engine is plain Python; the compiled one is still being made, for the next time."
    tried = PLAYED / "tried.txt"
    if tried.is_file() and tried.read_text() == mark:
        return None, f"The engine is plain Python; it could not be compiled, and {PLAYED / 'log.txt'} says why."
    _begin(into)
    return None, "The engine is plain Python today; a compiled one is being made behind this game, for the next time."


def _at_work() -> bool:
    """Is one being made? Its process writes its number down, and takes it away in the end."""
    try:
        os.kill(int((PLAYED / "worker.txt").read_text()), 0)
    except (OSError, ValueError):
        return False
    return True


def _begin(into: Path) -> None:
    """In a process of its own that outlives the game, with what processor time nobody else wants."""
    PLAYED.mkdir(parents=True, exist_ok=True)
    with (PLAYED / "log.txt").open("w") as log:
        worker = subprocess.Popen(
            [sys.executable, __file__, "--behind", str(into)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    (PLAYED / "worker.txt").write_text(str(worker.pid))


def behind(into: Path) -> None:
    """Compile for `to_play`, without haste; of older copies the last one stays, since somebody may play with it."""
    os.nice(19)
    os.environ["KICKDOOR_JOBS"] = "1"
    try:
        _fetch_tools()
        older = sorted((p for p in PLAYED.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
        for old in older[:-1]:
            shutil.rmtree(old, ignore_errors=True)
        copy_of_the_package(into, BEHIND)
    except BaseException:  # who is stopped by a signal does not come here, and it is begun again
        (PLAYED / "tried.txt").write_text(fingerprint())
        raise
    finally:
        (PLAYED / "worker.txt").unlink(missing_ok=True)


def _fetch_tools() -> None:
    """mypy and setuptools are no part of what players have; they come beside it."""
    tools = BEHIND / "tools"
    try:
        import mypyc  # noqa: F401
        import setuptools  # noqa: F401
    except ImportError:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--upgrade"]
        subprocess.run([*pip, "-c", str(LOCK), "--target", str(tools), *REQUIRES], check=True)
        os.environ["PYTHONPATH"] = str(tools)


def main() -> int:
    if len(sys.argv) == 4 and sys.argv[1] == "--in":
        run_mypyc(sys.argv[3])
        return 0
    if len(sys.argv) == 3 and sys.argv[1] == "--behind":
        behind(Path(sys.argv[2]))
        return 0
    if len(sys.argv) != 2 or (sys.argv[1].startswith("-") and sys.argv[1] != "--to-play"):
        print("usage: python native_build.py DIRECTORY", file=sys.stderr)
        return 2
    if sys.argv[1] == "--to-play":
        found, says = to_play()
        print(says, file=sys.stderr)
        print(os.pathsep.join(x for x in (str(found or ""), os.environ.get("PYTHONPATH", "")) if x))
        return 0
    into = Path(sys.argv[1]).resolve()
    try:
        print(f"{into}: {'compiled' if copy_of_the_package(into) else 'up to date'}")
    except (NoCompiler, RuntimeError) as e:
        print(f"The engine was not compiled: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
