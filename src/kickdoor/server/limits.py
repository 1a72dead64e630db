"""How much anybody may ask of this server: sizes, rates, connections. docs/protocol.md has the same as a table."""

from __future__ import annotations

import ipaddress
from collections import OrderedDict, defaultdict
from collections.abc import Hashable
from functools import lru_cache
from time import monotonic
from typing import Final, Generic, NamedTuple, TypeVar

# -- sizes ------------------------------------------------------------------------------------------------------------

MESSAGE_BYTES: Final = 8 * 1024  # one message on a socket
BODY_BYTES: Final = 32 * 1024  # the body of a request
HEADER_BYTES: Final = 64 * 1024  # everything before it
PATH_LETTERS: Final = 300  # no address here is longer
ADDRESS_LETTERS: Final = 45  # of a computer, as IPv6 writes them
OPTIONS_BYTES: Final = 8 * 1024  # the options of a table, as JSON
WORD_LETTERS: Final = 80  # a card's name, the name of a rule
COPIES_OF_A_CARD: Final = 20
COPIES_OF_ALL: Final = 500  # of the cards whose number was changed, together
PACKS: Final = 40  # sets at one table
WITHOUT: Final = 500  # cards left in the box
FIELDS: Final = 100  # of the ruleset, changed by name
LISTED: Final = 50  # open tables that strangers are shown
LISTED_PER_ADDRESS: Final = 10  # of them, made by one address
OUTBOX: Final = 256  # frames waiting for a slow reader
INBOX: Final = 1000  # messages waiting for a table
BOOK_BYTES: Final = 32 * 1024 * 1024  # what is written down of a table before it takes nothing but moves
TAP_BYTES: Final = 4000  # one tap on a counter; most have 150
AHEAD_BYTES: Final = 40_000  # taps that are sent along with a counter's page

# -- what is kept -----------------------------------------------------------------------------------------------------

TAPS_PER_COUNTER: Final = 10_000  # an evening is about a thousand
COUNTER_BYTES: Final = 512 * 1024  # all of them; an evening has 150 KiB, and more may wait for a slow phone
ANSWERS: Final = 200  # what the engine was asked for counters: everybody around a table asks the same
PACKS_ASKED: Final = 40  # sets whose cards a phone looks up
CARD_LISTS: Final = 24  # of such lists
MIX_BYTES: Final = 16 * 1024 * 1024  # card lists, packed
MIXES: Final = 2000  # mixes that are known by their hash
REPLAYS: Final = 8  # replays that are laid out
MARKS: Final = 48  # positions that each of them keeps to go back to

# -- at the same time -------------------------------------------------------------------------------------------------

CONNECTIONS_PER_ADDRESS: Final = 128  # that ask for something; sockets are counted on their own
CALLS_IN_FLIGHT: Final = 400
CALLS_IN_FLIGHT_PER_ADDRESS: Final = 40
HEAVY_PER_ADDRESS: Final = 3  # calls that make the server think; more wait for their turn
HINTS_WAITING: Final = 4  # people who have asked what a bot would do, from everybody; each seat one at a time
WORK_WAITING: Final = 64  # of these, from everybody
SOCKETS_PER_ADDRESS: Final = 300
SOCKETS_PER_SEAT: Final = 8  # a phone, a laptop, some forgotten tabs
WATCHERS: Final = 100  # spectators at one table
WATCHERS_PER_ADDRESS: Final = 20  # of them
COUNTERS: Final = 5000  # in memory
COUNTERS_BYTES: Final = 256 * 1024 * 1024  # all their taps
PHONES: Final = 60  # at one counter
PHONES_PER_ADDRESS: Final = 40  # of them: a full house, and still nobody has the counter for himself
MIXES_PLAYED: Final = 200  # different mixes of cards on all tables; each takes a megabyte or four
TABLES_PER_ADDRESS: Final = 50  # in memory, in all loops (`makers`); one that nobody visits leaves it after a while

# -- patience, in seconds ---------------------------------------------------------------------------------------------

HEADER_SECONDS: Final = 10.0  # from the first byte of a request to the end of its headers, and between requests
BODY_SECONDS: Final = 15.0  # from there to the end of its body
REQUEST_SECONDS: Final = 60.0  # the whole call, the answer included
ASIDE: Final = 100  # frames a second on a socket that are no message (pings, pongs, pieces); then it is cut
GOODBYE_SECONDS: Final = 5.0  # for whoever does not read what was said last
HELLO_SECONDS: Final = 10.0  # from the opening of a socket to its first message
WORK_SECONDS: Final = 10.0  # for one piece of heavy work, waiting included
UNVISITED_SECONDS: Final = 600.0  # a table or counter stays in memory at which nobody is
CROWDED_SECONDS: Final = 30.0  # the same when the house is full, or its maker has too many


class Rate(NamedTuple):
    """So many at once, so many a second."""

    burst: float
    per_second: float


# -- rates ------------------------------------------------------------------------------------------------------------

CALLS: Final = Rate(60, 10)  # per address
PAGES: Final = Rate(300, 50)  # files and pages, per address
WRITES: Final = Rate(40, 2)  # calls that change something, per address
NEW_TABLES: Final = Rate(20, 0.2)  # per address
OPENINGS: Final = Rate(300, 20)  # sockets opened, per address
ARRIVALS: Final = Rate(200, 20)  # of people without a seat at one table, from everywhere: each is told to all others
RETURNS: Final = Rate(60, 3)  # to one seat; from one address to a counter, where everybody has a place
COMMANDS: Final = Rate(120, 40)  # moves said by one seat; a sequence counts once for each of its moves
COMMANDS_PER_ADDRESS: Final = Rate(1200, 400)
SETTINGS: Final = Rate(40, 2)  # all that is neither a move nor a question nor talk, per seat
NEW_MIXES: Final = Rate(30, 0.5)  # other cards or rules for a table, per address
HINTS: Final = Rate(10, 0.2)  # per address: all tables share who thinks about them
INSTANT: Final = Rate(300, 150)  # moves of bots that play at once, on all tables of a loop
TAPS: Final = Rate(3000, 40)  # on one counter from one address: an evening without a line comes at once
TAPS_PER_ADDRESS: Final = Rate(9000, 200)  # on all counters
TAPPED_BYTES: Final = Rate(2 * 1024 * 1024, 2 * 1024)  # of all these taps, per address
QUESTIONS: Final = Rate(120, 20)  # to the engine, from a counter, per address
CHAT: Final = Rate(6, 1)  # per seat
CHAT_PER_ADDRESS: Final = Rate(20, 3)
CHAT_OF_WATCHERS: Final = Rate(12, 1)  # at one table, together


K = TypeVar("K", bound=Hashable)
Voice = tuple[str, int, str]


class Buckets(Generic[K]):
    """A bucket for everybody: it holds a burst, and fills again by so many a second.

    Those not used for longest go first when there are too many: by then they are full, and a new one is, too.
    """

    def __init__(self, rate: Rate, times: float = 1, kept: int = 20_000) -> None:
        self.burst, self.per_second = rate.burst * times, rate.per_second * times
        self.kept = kept
        self._left: OrderedDict[K, tuple[float, float]] = OrderedDict()

    def take(self, key: K, cost: float = 1) -> bool:
        """May this be done now? If not, nothing is taken."""
        moment = monotonic()
        left = self._at(key, moment)
        fine = left >= min(cost, self.burst)
        self._left[key] = (left - cost if fine else left, moment)
        self._left.move_to_end(key)
        if len(self._left) > self.kept:
            self._left.popitem(last=False)
        return fine

    def wait(self, key: K, cost: float = 1) -> float:
        """In how many seconds it may."""
        return max(0.0, (min(cost, self.burst) - self._at(key, monotonic())) / self.per_second)

    def _at(self, key: K, moment: float) -> float:
        """How much there is then."""
        known = self._left.get(key)
        return self.burst if known is None else min(self.burst, known[0] + (moment - known[1]) * self.per_second)

    def __len__(self) -> int:
        return len(self._left)


class Counts(Generic[K]):
    """How many of something each has at the moment."""

    def __init__(self, most: int, times: float = 1) -> None:
        self.most = int(most * times)
        self._now: defaultdict[K, int] = defaultdict(int)

    def enter(self, key: K) -> bool:
        if self._now.get(key, 0) >= self.most:
            return False
        self._now[key] += 1
        return True

    def leave(self, key: K) -> None:
        self._now[key] -= 1
        if self._now[key] <= 0:
            del self._now[key]

    def of(self, key: K) -> int:
        return self._now.get(key, 0)

    def __len__(self) -> int:
        return len(self._now)


def household(host: str) -> str:
    """Whom an address stands for: with IPv6 everybody has a whole network of them (/64)."""
    return _household(host) if len(host) <= ADDRESS_LETTERS else _household.__wrapped__(host)


@lru_cache(maxsize=4096)
def _household(host: str) -> str:
    """Kept, since people come with more than one line; by whoever has a proxy before him they are made up at will."""
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "?"
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((int(ip), 64), strict=False))


class Who:
    """Who speaks at a table. A seat has the same `voice` from everywhere; those who watch are told apart by their
    address."""

    __slots__ = ("address", "seat", "table", "voice")

    def __init__(self, table: str, seat: int, address: str) -> None:
        self.table, self.seat, self.address = table, seat, address
        self.voice: Voice = (table, seat, "" if seat >= 0 else address)


class Gate:
    """What each address, seat and table has asked for. `times`: so many times as much as usual."""

    def __init__(self, times: float = 1) -> None:
        self.times = times
        self.calls: Buckets[str] = Buckets(CALLS, times)
        self.pages: Buckets[str] = Buckets(PAGES, times)
        self.writes: Buckets[str] = Buckets(WRITES, times)
        self.new_tables: Buckets[str] = Buckets(NEW_TABLES, times)
        self.openings: Buckets[str] = Buckets(OPENINGS, times)
        self.arrivals: Buckets[str] = Buckets(ARRIVALS, times)
        self.returns: Buckets[tuple[str, str]] = Buckets(RETURNS, times)
        self.commands: Buckets[Voice] = Buckets(COMMANDS, times)
        self.commands_from: Buckets[str] = Buckets(COMMANDS_PER_ADDRESS, times)
        self.settings: Buckets[Voice] = Buckets(SETTINGS, times)
        self.new_mixes: Buckets[str] = Buckets(NEW_MIXES, times)
        self.hints: Buckets[str] = Buckets(HINTS, times)
        self.instant: Buckets[None] = Buckets(INSTANT, times)
        self.taps: Buckets[tuple[str, str]] = Buckets(TAPS, times)
        self.taps_from: Buckets[str] = Buckets(TAPS_PER_ADDRESS, times)
        self.tapped_bytes: Buckets[str] = Buckets(TAPPED_BYTES, times)
        self.questions: Buckets[str] = Buckets(QUESTIONS, times)
        self.chat: Buckets[Voice] = Buckets(CHAT, times)
        self.chat_from: Buckets[str] = Buckets(CHAT_PER_ADDRESS, times)
        self.chat_watching: Buckets[str] = Buckets(CHAT_OF_WATCHERS, times)
        self.connections: Counts[str] = Counts(CONNECTIONS_PER_ADDRESS, times)
        self.flights: Counts[str] = Counts(CALLS_IN_FLIGHT_PER_ADDRESS, times)
        self.all_flights: Counts[None] = Counts(CALLS_IN_FLIGHT, times)
        self.sockets: Counts[str] = Counts(SOCKETS_PER_ADDRESS, times)
        self.seats: Counts[tuple[str, str]] = Counts(SOCKETS_PER_SEAT, times)
        self.watching: Counts[tuple[str, str]] = Counts(WATCHERS_PER_ADDRESS, times)
        self.phones: Counts[tuple[str, str]] = Counts(PHONES_PER_ADDRESS, times)

    def may_talk(self, who: Who) -> bool:
        """One more line of chat: from this seat or watcher, from this address, and (watching) at this table."""
        if not self.chat.take(who.voice) or not self.chat_from.take(who.address):
            return False
        return who.seat >= 0 or self.chat_watching.take(who.table)

    def may_tap(self, counter: str, address: str, taps: int, size: int = 0) -> bool:
        """So many more taps, of so many bytes together."""
        if not self.taps.take((counter, address), taps) or not self.taps_from.take(address, taps):
            return False
        return self.tapped_bytes.take(address, size)

    def tap_again(self, counter: str, address: str, taps: int, size: int) -> float:
        """In how many seconds they may come."""
        place = (counter, address)
        one, all_ = self.taps.wait(place, taps), self.taps_from.wait(address, taps)
        return max(one, all_, self.tapped_bytes.wait(address, size))

    def may_say(self, who: Who, cost: float) -> bool:
        """One more command; `cost`: the moves in it."""
        return self.commands.take(who.voice, cost) and self.commands_from.take(who.address, cost)


def told() -> list[tuple[str, str]]:
    """The limits in words, as docs/protocol.md has them."""

    def rate(r: Rate) -> str:
        slow = f"{r.per_second:g} a second" if r.per_second >= 1 else f"one every {1 / r.per_second:g} seconds"
        return f"{r.burst:g} at once, then {slow}"

    return [
        ("a request: headers; body", f"{kilo(HEADER_BYTES)}; {kilo(BODY_BYTES)}"),
        ("a request: seconds for its headers; for its body; for all of it", _seconds()),
        ("a message on a socket", kilo(MESSAGE_BYTES)),
        ("pings, pongs and pieces of messages on a socket, in a second", f"{ASIDE}"),
        ("the first message on a socket", f"within {HELLO_SECONDS:g} seconds"),
        ("connections per address, without sockets", f"{CONNECTIONS_PER_ADDRESS}"),
        ("calls that are being answered: per address; in all", f"{CALLS_IN_FLIGHT_PER_ADDRESS}; {CALLS_IN_FLIGHT}"),
        ("calls that need much work, at the same time, per address", f"{HEAVY_PER_ADDRESS}"),
        ("calls per address", rate(CALLS)),
        ("calls that change something, per address", rate(WRITES)),
        ("pages and files per address", rate(PAGES)),
        ("new tables per address", rate(NEW_TABLES)),
        ("tables in memory per address that made them, in all loops of a server", f"{TABLES_PER_ADDRESS}"),
        ("open tables in the list of a server that has one; of one address", f"{LISTED}; {LISTED_PER_ADDRESS}"),
        ("sockets per address", f"{SOCKETS_PER_ADDRESS}"),
        ("sockets opened per address", rate(OPENINGS)),
        ("arrivals at a table without a seat, from everywhere", rate(ARRIVALS)),
        ("arrivals at a seat; at a counter from one address", f"{rate(RETURNS)}; the same"),
        ("sockets per seat", f"{SOCKETS_PER_SEAT}"),
        ("spectators per table; of one address", f"{WATCHERS}; {WATCHERS_PER_ADDRESS}"),
        ("moves per seat; per address", f"{rate(COMMANDS)}; {rate(COMMANDS_PER_ADDRESS)}"),
        ("other commands per seat", rate(SETTINGS)),
        ("changes of a table's cards or rules, and questions about a mix, per address", rate(NEW_MIXES)),
        ("hints per address", rate(HINTS)),
        ("moves of bots that play at once, on all tables", rate(INSTANT)),
        ("different mixes of cards on all tables", f"{MIXES_PLAYED}"),
        ("chat per seat or spectator", rate(CHAT)),
        ("chat per address; of all spectators of a table", f"{rate(CHAT_PER_ADDRESS)}; {rate(CHAT_OF_WATCHERS)}"),
        ("taps on a counter; bytes of one; of all", f"{TAPS_PER_COUNTER}; {TAP_BYTES}; {kilo(COUNTER_BYTES)}"),
        ("taps from one address on a counter; on all", f"{rate(TAPS)}; {rate(TAPS_PER_ADDRESS)}"),
        ("bytes of such taps, per address", _bytes(TAPPED_BYTES)),
        ("lines of phones to a counter; from one address; of one phone there", _phones()),
        ("counters in memory; bytes of their taps", f"{COUNTERS}; {kilo(COUNTERS_BYTES)}"),
        ("questions about real cards, per address", rate(QUESTIONS)),
        ("the options of a table", kilo(OPTIONS_BYTES)),
        ("what is written down of a table; then only its game goes on", kilo(BOOK_BYTES)),
        ("copies of a card; of all cards whose number was changed", f"{COPIES_OF_A_CARD}; {COPIES_OF_ALL}"),
        ("cards left in the box; fields of the rules", f"{WITHOUT}; {FIELDS}"),
        ("replays laid out; positions that each keeps", f"{REPLAYS}; {MARKS}"),
        ("lists of cards that are kept", f"{MIXES}, {kilo(MIX_BYTES)}"),
        ("hints that are being thought about: per seat; in all", f"1; {HINTS_WAITING}"),
        ("heavy work: waiting; seconds for one", f"{WORK_WAITING}; {WORK_SECONDS:g}"),
    ]


def kilo(n: float) -> str:
    """So many bytes, as people say it."""
    return f"{n // 1024:g} KiB" if n < 1024 * 1024 else f"{n // 1024 // 1024:g} MiB"


def _bytes(r: Rate) -> str:
    return f"{kilo(r.burst)} at once, then {kilo(r.per_second)} a second"


def _phones() -> str:
    return f"{PHONES}; {PHONES_PER_ADDRESS}; {SOCKETS_PER_SEAT}"


def _seconds() -> str:
    return f"{HEADER_SECONDS:g}; {BODY_SECONDS:g}; {REQUEST_SECONDS:g}"
