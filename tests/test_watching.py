"""What is counted for an operator, against the library that reads it."""

from __future__ import annotations

import re

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from kickdoor.server import entries as en
from kickdoor.server import watching

BOUNDS = (0.001, 0.5, 2.0)


def test_how_long_things_took_reads_as_the_librarys_own_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = CollectorRegistry()
    monkeypatch.setattr(watching, "REGISTRY", ours)
    theirs = CollectorRegistry()
    took = watching.Took("kd_seconds", "How long", BOUNDS)
    histogram = Histogram("kd_seconds", "How long", buckets=BOUNDS, registry=theirs)
    for seconds in (0.0, 0.001, 0.0011, 0.5, 1.0, 2.0, 2.5, 100.0):
        took.observe(seconds)
        histogram.observe(seconds)
    made_at = re.compile(r".*kd_seconds_created.*\n")
    assert generate_latest(ours).decode() == made_at.sub("", generate_latest(theirs).decode())


def test_moves_are_counted_by_whom() -> None:
    def figures() -> dict[str, float]:
        rows = (line.rsplit(" ", 1) for line in watching.page().decode().splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in rows}

    before = figures()
    watching.written([en.Made(0, [(0, -1, -1, -1)], "bot"), en.Chatted(0, "Ann", "Hello!")], 0.003)
    after = figures()
    grown = {name: after[name] - before[name] for name in after if name.startswith("kickdoor_") and name in before}
    assert grown['kickdoor_moves_total{by="bot"}'] == 1
    assert grown['kickdoor_moves_total{by="person"}'] == 0
    assert grown["kickdoor_journal_entries_total"] == 2
    assert grown['kickdoor_journal_append_seconds_bucket{le="0.002"}'] == 0
    assert grown['kickdoor_journal_append_seconds_bucket{le="0.005"}'] == 1
    assert grown["kickdoor_journal_append_seconds_count"] == 1
