"""How much anybody may ask of this server: sizes, rates, connections."""

from __future__ import annotations

import time
from collections import defaultdict
from typing import Final

MESSAGE_BYTES: Final = 8 * 1024
BODY_BYTES: Final = 32 * 1024
WATCHERS: Final = 100  # spectators at one table
OUTBOX: Final = 256  # frames waiting for a slow reader
SOCKETS_PER_ADDRESS: Final = 2000  # a household behind one address, or a load test
HELLO_SECONDS: Final = 10.0


class Bucket:
    """So many at once, so many a second."""

    __slots__ = ("at", "left", "rate", "size")

    def __init__(self, size: float, rate: float) -> None:
        self.size, self.rate = size, rate
        self.left = size
        self.at = time.monotonic()

    def take(self) -> bool:
        moment = time.monotonic()
        self.left = min(self.size, self.left + (moment - self.at) * self.rate)
        self.at = moment
        if self.left < 1:
            return False
        self.left -= 1
        return True


def socket_bucket() -> Bucket:
    """Commands on one socket: a burst of clicking is fine, a flood is not."""
    return Bucket(120, 40)


def chat_bucket() -> Bucket:
    return Bucket(6, 1)


class Gate:
    """Calls and sockets per address."""

    def __init__(self, burst: float = 60, rate: float = 10) -> None:
        self.burst, self.rate = burst, rate
        self.sockets: dict[str, int] = defaultdict(int)
        self._buckets: dict[str, Bucket] = {}

    def call(self, address: str) -> bool:
        if len(self._buckets) > 10_000:
            self._buckets.clear()
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self.burst, self.rate)
        return bucket.take()

    def enter(self, address: str) -> bool:
        if self.sockets[address] >= SOCKETS_PER_ADDRESS:
            return False
        self.sockets[address] += 1
        return True

    def leave(self, address: str) -> None:
        self.sockets[address] -= 1
        if self.sockets[address] <= 0:
            del self.sockets[address]
