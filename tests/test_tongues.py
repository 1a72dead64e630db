"""Which language of the counter is asked for with its document."""

from __future__ import annotations

from pathlib import Path

import pytest

from kickdoor.server.tongues import hint


@pytest.mark.parametrize(
    ("reads", "file"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "tongue-de-1a.js"),
        ("tlh, PT-br;q=0.7", "tongue-pt-2b.js"),
        ("en-GB,de;q=0.9", ""),  # English is in the program
        ("fil,den", ""),  # neither is one of two letters
        ("*", ""),
        ("", ""),
        ("x" * 5000 + ",de", ""),
    ],
)
def test_the_first_that_is_here(tmp_path: Path, reads: str, file: str) -> None:
    for name in ("tongue-de-1a.js", "tongue-de-1a.js.br", "tongue-pt-2b.js", "counter-3c.js"):
        (tmp_path / name).touch()
    assert hint(tmp_path, reads) == (f'<link rel="modulepreload" href="/assets/{file}" />' if file else "")


def test_nothing_is_built(tmp_path: Path) -> None:
    assert hint(tmp_path / "assets", "de") == ""
