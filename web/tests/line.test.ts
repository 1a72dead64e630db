import { beforeEach, describe, expect, it } from "vitest";
import { VERSION } from "../src/lib/protocol";
import { elsewhere, Line, type Socket, type Status } from "../src/lib/line";
import type { Answer, Heard } from "../src/lib/protocol";

class FakeSocket implements Socket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((e: { data: unknown }) => void) | null = null;
  onclose: ((e: { code?: number }) => void) | null = null;
  onerror: (() => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  hear(m: unknown): void {
    this.onmessage?.({ data: JSON.stringify(m) });
  }
}

const welcome = (seq: number) => ({ t: "welcome", v: VERSION, seat: 0, seq, state: { table: {}, game: null, moves: {}, prompt: {}, clock: {} }, log: [], chat: [] });

let sockets: FakeSocket[];
let timers: { at: number; fn: () => void; id: number }[];
let now: number;
let heard: Heard[];
let states: Status[];

function pass(ms: number): void {
  const end = now + ms;
  for (;;) {
    const next = timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
    if (!next) break;
    timers = timers.filter((t) => t !== next);
    now = next.at;
    next.fn();
  }
  now = end;
}

function make(token: string | null = "secret", dial: (url: string) => unknown = () => undefined): Line {
  let id = 0;
  return new Line({
    url: "ws://x/ws/tables/t",
    token: () => token,
    watcher: () => "0123456789abcdef",
    heard: (m) => heard.push(m),
    status: (s) => states.push(s),
    connect: (url) => {
      dial(url);
      const s = new FakeSocket();
      sockets.push(s);
      return s;
    },
    now: () => now,
    after: (ms, fn) => {
      timers.push({ at: now + ms, fn, id: ++id });
      return id;
    },
    stop: (t) => {
      timers = timers.filter((x) => x.id !== t);
    },
    jitter: () => 0.5,
  });
}

beforeEach(() => {
  sockets = [];
  timers = [];
  heard = [];
  states = [];
  now = 1000;
});

describe("the line", () => {
  it("says who it is where it only watches, the same over all its lines", () => {
    make(null).start();
    sockets[0]!.onopen!();
    sockets[0]!.onclose!({});
    pass(20_000);
    sockets[1]!.onopen!();
    for (const s of sockets) expect(s.sent).toEqual([{ t: "hello", v: VERSION, token: null, have: null, watcher: "0123456789abcdef" }]);
  });

  it("says hello with the token", () => {
    make().start();
    sockets[0]!.onopen!();
    expect(sockets[0]!.sent).toEqual([{ t: "hello", v: VERSION, token: "secret", have: null }]);
  });

  it("keeps a command until the welcome, then sends it, then resolves it", async () => {
    const line = make();
    line.start();
    const p = line.send({ t: "ready", ready: true });
    sockets[0]!.onopen!();
    expect(sockets[0]!.sent).toHaveLength(1);
    sockets[0]!.hear(welcome(3));
    const said = sockets[0]!.sent[1]!;
    expect(said).toMatchObject({ t: "ready", ready: true });
    sockets[0]!.hear({ t: "answer", id: said["id"], ok: true, seq: 4 });
    expect(((await p) as Answer).ok).toBe(true);
    expect(line.unanswered).toBe(0);
  });

  it("repeats what was not answered on the next line, with the same id, and tells what it has seen", async () => {
    const line = make();
    line.start();
    sockets[0]!.onopen!();
    sockets[0]!.hear(welcome(3));
    const p = line.send({ t: "act", window: 7, moves: ["0,-1,-1,-1"] });
    sockets[0]!.hear({ t: "update", seq: 9, clock: {} });
    const first = sockets[0]!.sent.at(-1)!;
    sockets[0]!.onclose!({});
    pass(2000);
    expect(sockets).toHaveLength(2);
    sockets[1]!.onopen!();
    expect(sockets[1]!.sent[0]).toMatchObject({ t: "hello", have: 9 });
    sockets[1]!.hear(welcome(10));
    expect(sockets[1]!.sent[1]).toEqual(first);
    sockets[1]!.hear({ t: "answer", id: first["id"], ok: true });
    expect(((await p) as Answer).ok).toBe(true);
    sockets[1]!.hear({ t: "answer", id: first["id"], ok: true }); // answered twice: no harm
  });

  it("waits longer each time, up to a limit, and starts over after a welcome", () => {
    const line = make();
    line.start();
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      const before = now;
      sockets.at(-1)!.onclose!({});
      const due = timers.find(Boolean)!.at;
      waits.push(due - before);
      pass(due - now);
    }
    expect(waits[0]).toBe(400);
    expect(waits[1]).toBe(800);
    expect(waits[7]).toBe(4_000);
    sockets.at(-1)!.onopen!();
    sockets.at(-1)!.hear(welcome(1));
    timers = [];
    sockets.at(-1)!.onclose!({});
    expect(timers[0]!.at - now).toBe(400);
    expect(states.at(-1)).toBe("waiting");
  });

  it("notices a dead line by its silence", () => {
    const line = make();
    line.start();
    sockets[0]!.onopen!();
    sockets[0]!.hear(welcome(1));
    pass(15_000);
    expect(sockets[0]!.sent.at(-1)).toEqual({ t: "ping" });
    pass(46_000);
    expect(sockets[0]!.closed).toBe(true);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it("does not come back after it was closed, and ignores what an old socket says", () => {
    const line = make();
    line.start();
    const old = sockets[0]!;
    old.onopen!();
    old.hear(welcome(1));
    const late = old.onmessage;
    line.close();
    pass(60_000);
    expect(sockets).toHaveLength(1);
    expect(late).not.toBeNull();
    expect(old.onmessage).toBeNull();
    expect(states.at(-1)).toBe("closed");
  });

  it("survives rubbish", () => {
    const line = make();
    line.start();
    sockets[0]!.onmessage!({ data: "{" });
    expect(heard).toEqual([]);
  });

  it("follows a table to another server, and comes home when that one is gone", () => {
    const dialled: string[] = [];
    const line = make("secret", (url) => dialled.push(url));
    line.start();
    sockets[0]!.onopen!();
    sockets[0]!.hear({ t: "moved", url: "https://other.example:444" });
    pass(400);
    expect(dialled).toEqual(["ws://x/ws/tables/t", "wss://other.example:444/ws/tables/t"]);
    sockets[1]!.onclose!({});
    pass(800);
    expect(dialled[2]).toBe("ws://x/ws/tables/t");
  });

  it("stays where it is when it is told to go there, or nowhere", () => {
    expect(elsewhere("ws://x/ws/tables/t", "http://x")).toBeNull();
    expect(elsewhere("ws://x/ws/tables/t", "javascript:alert(1)")).toBeNull();
    expect(elsewhere("ws://x/ws/tables/t", "")).toBeNull();
  });

  it("waits as long as the server asks for", () => {
    const line = make();
    line.start();
    sockets[0]!.onopen!();
    sockets[0]!.hear(welcome(3));
    sockets[0]!.hear({ t: "bye", code: "restart", says: "", back: 5 });
    sockets[0]!.onclose!({});
    pass(4_900);
    expect(sockets.length).toBe(1);
    pass(200);
    expect(sockets.length).toBe(2);
  });
});
