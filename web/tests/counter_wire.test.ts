import { beforeEach, describe, expect, it, vi } from "vitest";
import { Book, lot } from "../src/counter/book.svelte";
import { sheetOf } from "../src/counter/fold";
import { standing } from "../src/counter/standing";
import type { Taps } from "../src/counter/taps";
import { handfuls, Wire } from "../src/counter/wire.svelte";
import type { Socket } from "../src/lib/line";

/** A server that keeps taps as the real one does: safe first, then told to everybody. */
class House {
  taps: Taps[] = [];
  line = 7;
  up = true;
  open = new Set<Fake>();
  refuse: { again: number } | null = null;
  take(from: Fake, taps: Taps[]): void {
    if (this.refuse) return from.hear({ t: "refused", ids: taps.map((t) => t.id), code: "too_fast", says: "Slowly.", again: this.refuse.again });
    const fresh = taps.filter((t) => !this.taps.some((x) => x.id === t.id));
    const first = this.taps.length;
    this.taps.push(...fresh);
    from.hear({ t: "took", ids: taps.map((t) => t.id) });
    for (const f of this.open) f.hear({ t: "news", first, taps: fresh });
  }
  cut(): void {
    for (const f of [...this.open]) f.end();
  }
}

class Fake implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((e: { data: unknown }) => void) | null = null;
  onclose: ((e: { code?: number; reason?: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly house: House) {
    queueMicrotask(() => (house.up ? this.onopen?.() : this.end()));
  }
  send(text: string): void {
    const m = JSON.parse(text) as { t: string; line?: number; have?: number; taps?: Taps[] };
    if (m.t === "hello") {
      const known = m.line === this.house.line ? (m.have ?? 0) : 0;
      this.house.open.add(this);
      this.hear({ t: "welcome", v: 1, counter: "x", line: this.house.line, seq: this.house.taps.length, first: known });
      if (known < this.house.taps.length) this.hear({ t: "news", first: known, taps: this.house.taps.slice(known) });
    } else if (m.t === "taps") this.house.take(this, m.taps ?? []);
  }
  hear(m: object): void {
    this.onmessage?.({ data: JSON.stringify(m) });
  }
  end(): void {
    this.house.open.delete(this);
    this.onclose?.({});
  }
  close(): void {
    this.house.open.delete(this);
  }
}

function phone(house: House, id = "counter"): { book: Book; wire: Wire } {
  const book = new Book(`${id}-${lot(6)}`, lot(10));
  const wire = new Wire(book, { url: "ws://house/ws/counter/x", bring: () => Promise.resolve(true), connect: () => new Fake(house) });
  wire.start();
  return { book, wire };
}
const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const level = (b: Book, sheet = "ann"): number | undefined => sheetOf(b.state, sheet)?.level;

beforeEach(() => {
  vi.useFakeTimers();
});

describe("the line of a counter", () => {
  it("has every tap on every phone", async () => {
    const house = new House();
    const [a, b] = [phone(house), phone(house)];
    await settle();
    a.book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    b.book.tap({ kind: "level", sheet: "ann", by: 2 });
    expect([level(a.book), level(b.book)]).toEqual([3, 3]);
    expect([a.wire.standing, a.book.waiting]).toEqual(["together", 0]);
  });

  it("brings phones that were apart together without losing a tap, and says nothing twice", async () => {
    const house = new House();
    const [a, b] = [phone(house), phone(house)];
    await settle();
    a.book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    house.up = false;
    house.cut();
    for (let i = 0; i < 60; i++) a.book.tap({ kind: "level", sheet: "ann", by: i % 2 ? -1 : 2 });
    b.book.tap({ kind: "gear", sheet: "ann", by: 5 });
    expect([a.wire.standing, a.book.waiting, b.book.waiting]).toEqual(["apart", 60, 1]);
    expect(level(b.book)).toBe(1);
    house.up = true;
    await settle(10_000);
    expect([a.book.waiting, b.book.waiting, house.taps.length]).toEqual([0, 0, 62]);
    expect(a.book.state).toEqual(b.book.state);
    expect(sheetOf(b.book.state, "ann")).toMatchObject({ gear: 5, level: level(a.book) });
  });

  it("says everything again to a server that has forgotten", async () => {
    const house = new House();
    const a = phone(house);
    await settle();
    a.book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    a.book.tap({ kind: "level", sheet: "ann", by: 1 });
    house.taps = [];
    house.line = 8;
    house.cut();
    await settle(10_000);
    expect(house.taps.length).toBe(2);
  });

  it("says nothing that no server takes: what was pasted along with a name stays here", () => {
    const book = new Book(`counter-${lot(6)}`, lot(10));
    book.tap({ kind: "person", sheet: "s1", name: "Zo\u00eb\u202e\u0007 \u{1f469}\u200d\u{1f680}\n", sex: "female", avatar: "", colour: "red" });
    expect(book.state.sheets[0]!.name).toBe("Zo\u00eb \u{1f469}\u200d\u{1f680}");
  });

  it("waits when it is told to, and gives up what will never do", async () => {
    const house = new House();
    const a = phone(house);
    await settle();
    house.refuse = { again: 2 };
    a.book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    expect(a.wire.standing).toBe("sending");
    house.refuse = null;
    await settle(2_100);
    expect([a.wire.standing, house.taps.length]).toEqual(["together", 1]);
    house.refuse = { again: 0 };
    a.book.tap({ kind: "level", sheet: "ann", by: 1 });
    expect([a.wire.standing, a.book.waiting, level(a.book)]).toEqual(["together", 0, 2]);
  });

  it.each(["no_counter", "archived"])("brings a counter that the server does not have (%s)", async (code) => {
    const house = new House();
    const bring = vi.fn(() => Promise.resolve(true));
    const book = new Book(`counter-${lot(6)}`, lot(10));
    book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    let first = true;
    const wire = new Wire(book, {
      url: "ws://house/ws/counter/x", bring, connect: () => {
        const f = new Fake(house);
        if (first) f.send = () => f.hear({ t: "bye", code, says: "There is no such counter here." });
        first = false;
        return f;
      },
    });
    wire.start();
    await settle(10_000);
    expect(bring).toHaveBeenCalledTimes(1);
    expect([wire.standing, house.taps.length]).toEqual(["together", 1]);
  });

  it("waits for a server whose journal is away, and brings nothing", async () => {
    const house = new House();
    const bring = vi.fn(() => Promise.resolve(true));
    const book = new Book(`counter-${lot(6)}`, lot(10));
    book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    let away = true;
    const wire = new Wire(book, {
      url: "ws://house/ws/counter/x", bring, connect: () => {
        const f = new Fake(house);
        if (away) f.send = () => f.hear({ t: "bye", code: "no_journal", says: "The journal does not answer." });
        return f;
      },
    });
    wire.start();
    await settle(200);
    expect([wire.standing, bring.mock.calls.length]).toEqual(["apart", 0]);
    away = false;
    await settle(20_000);
    expect([wire.standing, bring.mock.calls.length, house.taps.length]).toEqual(["together", 0, 1]);
  });

  it("hears only what the document did not bring along", async () => {
    const house = new House();
    const a = phone(house);
    await settle();
    a.book.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "", avatar: "" }, { kind: "level", sheet: "ann", by: 1 });
    await settle();
    const book = new Book(`counter-${lot(6)}`, lot(10));
    book.take(house.taps.slice(0, 1));
    const said: string[] = [];
    const wire = new Wire(book, { url: "ws://house/ws/counter/x", bring: () => Promise.resolve(true), line: house.line, have: 1, connect: () => {
      const f = new Fake(house);
      const send = f.send.bind(f);
      f.send = (text) => (said.push(text), send(text));
      return f;
    } });
    wire.start();
    await settle();
    expect(JSON.parse(said[0]!)).toMatchObject({ t: "hello", line: house.line, have: 1 });
    expect([level(book), wire.standing, said.length]).toEqual([2, "together", 1]);
  });

  it("sends in handfuls that one message takes", () => {
    const tap = (text: string): Taps => ({ kind: "note", id: lot(12), clock: 1, who: "me", at: 1, text });
    const all = [...Array(120)].map((_, i) => tap("x".repeat(i % 3 ? 10 : 280)));
    const hands = handfuls(all);
    expect(hands.flat()).toEqual(all);
    for (const h of hands) expect(h.length <= 50 && JSON.stringify({ t: "taps", taps: h }).length <= 8192).toBe(true);
  });
});

describe("undo and redo by the buttons", () => {
  it("take back what was done on this phone, one finger's work at a time", () => {
    const b = new Book(`counter-${lot(6)}`, lot(10));
    b.tap({ kind: "person", sheet: "ann", name: "Ann", sex: "female", colour: "#000", avatar: "" });
    b.tap({ kind: "level", sheet: "ann", by: 1 }, { kind: "gear", sheet: "ann", by: 3 });
    b.tap({ kind: "level", sheet: "ann", by: 5 });
    b.take([{ kind: "level", id: "others-tap", clock: 99, who: "other", at: 1, sheet: "ann", by: 1 }]);
    b.undo();
    b.undo();
    expect(sheetOf(b.state, "ann")).toMatchObject({ level: 2, gear: 0 });
    b.redo();
    expect(sheetOf(b.state, "ann")).toMatchObject({ level: 3, gear: 3 });
    b.tap({ kind: "gear", sheet: "ann", by: 1 });
    expect(b.canRedo).toBe(false);
    b.undo();
    b.undo();
    b.undo();
    expect([b.canUndo, b.state.sheets.length]).toEqual([false, 0]);
  });
});

describe("how it stands with the others", () => {
  it("promises nothing that this phone cannot know", () => {
    expect(standing("together", 0, 3, true)).toMatchObject({ tone: "on", short: "3 phones together" });
    expect(standing("apart", 2, 0, false).short).toBe("Offline, 2 taps wait");
    expect(standing("apart", 0, 0, false).long).toMatch(/cannot be seen from here/);
  });
});
