"""What an operator can count: Prometheus metrics. Nothing here names a table, a person, or anything that is secret.

They are counted always and shown at `/metrics` only if the server was asked to. What every move counts is counted by
the loop alone, without the library's locks (`Took`, `Moves`), and put into its words when somebody asks.
"""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from kickdoor.server import entries as en

REGISTRY: Final = CollectorRegistry()
for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=REGISTRY)

_FAST: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_SLOW: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Took(Collector):
    """How long something took: so many times up to each of these bounds, and longer."""

    def __init__(self, name: str, about: str, bounds: Sequence[float]) -> None:
        self._name, self._about = name, about
        self._bounds = (*bounds, float("inf"))
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0
        REGISTRY.register(self)

    def observe(self, seconds: float) -> None:
        """Once more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        buckets, upto = [], 0
        for bound, n in zip(self._bounds, self._counts, strict=True):
            upto += n
            buckets.append(("+Inf" if bound == float("inf") else str(bound), upto))
        yield HistogramMetricFamily(self._name, self._about, buckets=buckets, sum_value=self._sum)


class Moves(Collector):
    """Entries of journals, and the moves among them, by whom."""

    def __init__(self) -> None:
        self.entries = 0
        self.by = dict.fromkeys(("person", "bot", "clock", "auto"), 0)
        REGISTRY.register(self)

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily("kickdoor_journal_entries", "Entries written to the journal", value=self.entries)
        moves = CounterMetricFamily("kickdoor_moves", "Moves made, by whom", labels=["by"])
        for by, n in self.by.items():
            moves.add_metric([by], n)
        yield moves


TABLES: Final = Gauge("kickdoor_tables", "Tables in memory", registry=REGISTRY)
DRAINING: Final = Gauge("kickdoor_draining", "1 while the server hands its tables over", registry=REGISTRY)
SOCKETS: Final = Gauge("kickdoor_sockets", "Open sockets", registry=REGISTRY)
TAPS: Final = Counter("kickdoor_taps", "Taps on counters for real cards", registry=REGISTRY)
WRITTEN: Final = Moves()
REFUSALS: Final = Counter("kickdoor_refusals", "Commands and calls refused, by code", ["code"], registry=REGISTRY)
TAKEOVERS: Final = Counter("kickdoor_tables_taken", "Tables loaded from the journal", registry=REGISTRY)
LATENCY: Final = Took("kickdoor_command_seconds", "From a command's arrival until it is answered", _FAST)
APPEND: Final = Took("kickdoor_journal_append_seconds", "Until entries are safe in the journal", _FAST)
THINKING: Final = Histogram("kickdoor_thinking_seconds", "How long slow bots think", buckets=_SLOW, registry=REGISTRY)
THOUGHTLESS: Final = Counter("kickdoor_thinking_failures", "Times a slow bot gave no answer", registry=REGISTRY)
ERRORS: Final = Counter("kickdoor_errors", "Errors in the log, by logger", ["logger"], registry=REGISTRY)


def written(whats: Sequence[en.Entries], seconds: float) -> None:
    """After an append to the journal: how long it took, and what was written."""
    APPEND.observe(seconds)
    WRITTEN.entries += len(whats)
    for w in whats:
        if type(w) is en.Made:
            WRITTEN.by[w.by] += 1


class CountErrors(logging.Handler):
    """What is logged as an error is counted."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)

    def emit(self, record: logging.LogRecord) -> None:
        ERRORS.labels(record.name).inc()


KIND: Final = CONTENT_TYPE_LATEST  # the media type of what follows
_ADDED: Final = (b"kickdoor_", b"process_cpu_", b"process_resident_", b"process_virtual_", b"process_open_")


def page() -> bytes:
    """All of it, as Prometheus reads it."""
    return generate_latest(REGISTRY)


def together(pages: Sequence[bytes]) -> bytes:
    """The pages of all loops of a server as one: what each has counted is added up, the rest is the first one's."""
    if len(pages) == 1:
        return pages[0]
    lines: dict[bytes, float] = {}  # in the order of the first page
    for page in pages:
        for line in page.splitlines():
            name, _, value = line.rpartition(b" ") if not line.startswith(b"#") else (line, b"", b"0")
            if name not in lines:
                lines[name] = float(value)
            elif name.startswith(_ADDED) and not name.startswith(b"kickdoor_draining"):
                lines[name] += float(value)
    return b"".join(name + (b"" if name[:1] == b"#" else b" %r" % value) + b"\n" for name, value in lines.items())
