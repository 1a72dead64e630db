"""Which engine is played with: the compiled one where it is there, and nobody waits until it is."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """native_build with a small package, a directory of its own, a compiler, and a list of what was begun."""
    found = module("native_build")
    package = tmp_path / "src" / "kickdoor"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    found.begun = []
    for name, value in (
        ("ROOT", tmp_path),
        ("PACKAGE", package),
        ("PLAYED", tmp_path / "play"),
        ("__file__", str(tmp_path / "native_build.py")),
        ("why_not", lambda: ""),
    ):
        monkeypatch.setattr(found, name, value)
    (tmp_path / "native_build.py").write_text("")
    monkeypatch.delenv("KICKDOOR_COMPILE", raising=False)

    class Worker:
        pid = os.getpid()  # somebody who is alive

        def __init__(self, args: list[str], **more: Any) -> None:
            found.begun.append(args)

    monkeypatch.setattr(found.subprocess, "Popen", Worker)
    return found


def test_the_first_start_begins_a_build_and_does_not_wait_for_it(build: Any) -> None:
    where, says = build.to_play()
    assert where is None
    assert "plain Python" in says
    assert len(build.begun) == 1
    assert build.begun[0][-2] == "--behind"
    where, says = build.to_play()
    assert where is None
    assert "still being made" in says
    assert len(build.begun) == 1


def test_what_was_made_is_played_with_until_the_sources_change(build: Any) -> None:
    build.to_play()
    made = Path(build.begun[0][-1])
    made.mkdir(parents=True)
    (made / "made.txt").write_text(build.fingerprint())
    (build.PLAYED / "worker.txt").unlink()
    assert build.to_play() == (made, "The engine is compiled.")
    (build.PACKAGE / "__init__.py").write_text("changed = True")
    where, _ = build.to_play()
    assert where is None
    assert len(build.begun) == 2
    assert Path(build.begun[1][-1]) != made


def test_a_build_that_failed_is_not_begun_again_for_the_same_sources(build: Any) -> None:
    build.to_play()
    (build.PLAYED / "worker.txt").unlink()
    (build.PLAYED / "tried.txt").write_text(build.fingerprint())  # as the worker leaves it
    where, says = build.to_play()
    assert where is None
    assert str(build.PLAYED / "log.txt") in says
    assert len(build.begun) == 1


def test_a_build_that_was_cut_short_is_begun_again(build: Any) -> None:
    """The machine was switched off: no compiler has said no."""
    build.to_play()
    (build.PLAYED / "worker.txt").unlink()
    _, says = build.to_play()
    assert "being made behind this game" in says
    assert len(build.begun) == 2


def test_without_a_compiler_nothing_is_begun(build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "why_not", lambda: "no C compiler was found")
    where, says = build.to_play()
    assert where is None
    assert "no C compiler was found" in says
    assert build.begun == []


def test_nobody_has_to_compile(build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_COMPILE", "0")
    assert build.to_play()[0] is None
    assert build.begun == []


def test_the_worker_leaves_only_the_last_copy_and_takes_its_number_away(
    build: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build.PLAYED.mkdir()
    (build.PLAYED / "worker.txt").write_text("1")
    for i, name in enumerate(("oldest", "older", "last")):
        (build.PLAYED / name).mkdir()
        os.utime(build.PLAYED / name, (i, i))
    monkeypatch.setattr(build.os, "nice", lambda n: n)
    monkeypatch.setenv("KICKDOOR_JOBS", "2")  # to be put back
    monkeypatch.setattr(build, "_fetch_tools", lambda: None)

    def fails(into: Path, work: Path) -> bool:
        raise RuntimeError("mypyc failed")

    monkeypatch.setattr(build, "copy_of_the_package", fails)
    with pytest.raises(RuntimeError, match="mypyc failed"):
        build.behind(build.PLAYED / "new")
    assert sorted(p.name for p in build.PLAYED.iterdir()) == ["last", "tried.txt"]
    assert (build.PLAYED / "tried.txt").read_text() == build.fingerprint()


@pytest.mark.parametrize(
    ("wanted", "why_not", "compiles"),
    [("", "", True), ("", "no C compiler", False), ("0", "", False), ("1", "no C compiler", True)],
)
def test_a_wheel_is_compiled_where_it_can_be(
    monkeypatch: pytest.MonkeyPatch, wanted: str, why_not: str, compiles: bool
) -> None:
    hook = module("hatch_build")
    monkeypatch.setenv("KICKDOOR_COMPILE", wanted)

    class Native:
        @staticmethod
        def why_not() -> str:
            return why_not

    monkeypatch.setattr(hook, "native", lambda: Native)
    assert hook.compiles() is compiles


@pytest.mark.parametrize("wanted", ["", "1"])
def test_a_wheel_that_cannot_be_compiled_is_plain_unless_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    hook = module("hatch_build")
    monkeypatch.setenv("KICKDOOR_COMPILE", wanted)

    def fails(build_data: dict[str, Any]) -> None:
        raise RuntimeError("mypyc failed")

    monkeypatch.setattr(hook, "add_compiled", fails)
    build_data: dict[str, Any] = {}
    if wanted == "1":
        with pytest.raises(RuntimeError, match="mypyc failed"):
            hook.CustomBuildHook.add_engine(None, build_data)
        return
    hook.CustomBuildHook.add_engine(None, build_data)
    assert build_data == {}
    assert "the engine stays plain Python: mypyc failed" in capsys.readouterr().err


def test_an_option_is_no_directory(
    build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["native_build.py", "--help"])
    assert build.main() == 2
    assert "usage" in capsys.readouterr().err
    assert not (tmp_path / "--help").exists()
