"""What an operator can count: Prometheus metrics. Nothing here names a table, a person, or anything that is secret.

They are counted always (that costs a few microseconds a move) and shown at `/metrics` only if the server was asked to.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from kickdoor.server import entries as en

REGISTRY: Final = CollectorRegistry()
for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=REGISTRY)

_FAST: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_SLOW: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

TABLES: Final = Gauge("kickdoor_tables", "Tables in memory", registry=REGISTRY)
DRAINING: Final = Gauge("kickdoor_draining", "1 while the server hands its tables over", registry=REGISTRY)
SOCKETS: Final = Gauge("kickdoor_sockets", "Open sockets", registry=REGISTRY)
MOVES: Final = Counter("kickdoor_moves", "Moves made, by whom", ["by"], registry=REGISTRY)
TAPS: Final = Counter("kickdoor_taps", "Taps on counters for real cards", registry=REGISTRY)
ENTRIES: Final = Counter("kickdoor_journal_entries", "Entries written to the journal", registry=REGISTRY)
REFUSALS: Final = Counter("kickdoor_refusals", "Commands and calls refused, by code", ["code"], registry=REGISTRY)
TAKEOVERS: Final = Counter("kickdoor_tables_taken", "Tables loaded from the journal", registry=REGISTRY)
LATENCY: Final = Histogram(
    "kickdoor_command_seconds",
    "From a command's arrival until it is answered",
    buckets=_FAST,
    registry=REGISTRY,
)
APPEND: Final = Histogram(
    "kickdoor_journal_append_seconds",
    "Until entries are safe in the journal",
    buckets=_FAST,
    registry=REGISTRY,
)
THINKING: Final = Histogram("kickdoor_thinking_seconds", "How long slow bots think", buckets=_SLOW, registry=REGISTRY)
THOUGHTLESS: Final = Counter("kickdoor_thinking_failures", "Times a slow bot gave no answer", registry=REGISTRY)
ERRORS: Final = Counter("kickdoor_errors", "Errors in the log, by logger", ["logger"], registry=REGISTRY)

_MOVES_BY: Final = {by: MOVES.labels(by) for by in ("person", "bot", "clock", "auto")}


def written(whats: Sequence[en.Entries], seconds: float) -> None:
    """After an append to the journal: how long it took, and what was written."""
    APPEND.observe(seconds)
    ENTRIES.inc(len(whats))
    for w in whats:
        if isinstance(w, en.Made):
            _MOVES_BY[w.by].inc()


class CountErrors(logging.Handler):
    """What is logged as an error is counted."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)

    def emit(self, record: logging.LogRecord) -> None:
        ERRORS.labels(record.name).inc()


def page() -> tuple[bytes, str]:
    """All of it, as Prometheus reads it, and its media type."""
    return generate_latest(REGISTRY), CONTENT_TYPE_LATEST
