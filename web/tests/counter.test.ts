import { describe, expect, it } from "vitest";
import { conditionKey, fightNow, fold, foesOf, said, seated, sheetOf, sorted } from "../src/counter/fold";
import { told } from "../src/counter/log";
import type { Taps, Wish } from "../src/counter/taps";
import { when } from "../src/counter/when";

/** A phone that knows some taps and makes more. */
class Phone {
  known: Taps[] = [];
  #n = 0;
  constructor(readonly who: string) {}
  tap(...wishes: Wish[]): Taps[] {
    const first = `${this.who}-tap-${this.#n + 1}`;
    const made = wishes.map((w) => ({ ...w, id: `${this.who}-tap-${++this.#n}`, clock: this.#next(), who: this.who, at: 1000 * this.#n, ...(wishes.length > 1 ? { with: first } : {}) }) as Taps);
    made.forEach((t, i) => ((t as { clock: number }).clock += i));
    this.known.push(...made);
    return made;
  }
  undo(taps: Taps[], kind: "undo" | "redo" = "undo"): Taps {
    const t = { kind, id: `${this.who}-tap-${++this.#n}`, clock: this.#next(), who: this.who, at: 1000 * this.#n, taps: taps.map((x) => x.id) } as Taps;
    this.known.push(t);
    return t;
  }
  hear(other: Phone): void {
    const mine = new Set(this.known.map((t) => t.id));
    this.known.push(...other.known.filter((t) => !mine.has(t.id)));
  }
  #next(): number {
    return 1 + Math.max(0, ...this.known.map((t) => t.clock));
  }
  get state(): ReturnType<typeof fold> {
    return fold(this.known);
  }
}

/** A random number that is the same every time. */
function rolling(seed: number): (n: number) => number {
  let x = seed;
  return (n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return Math.floor((x / 2 ** 32) * n);
  };
}

const person = (sheet: string, name: string): Wish => ({ kind: "person", sheet, name, sex: "male", colour: "#b3382c", avatar: "bear" });

describe("the fold", () => {
  it("counts in differences: two phones apart lose nobody's taps", () => {
    const [a, b] = [new Phone("aaaa"), new Phone("bbbb")];
    a.tap(person("ann", "Ann"));
    b.hear(a);
    a.tap({ kind: "level", sheet: "ann", by: 1 });
    a.tap({ kind: "gear", sheet: "ann", by: 5 });
    b.tap({ kind: "level", sheet: "ann", by: 2 });
    b.tap({ kind: "gear", sheet: "ann", by: -1 });
    a.hear(b);
    b.hear(a);
    expect(a.state).toEqual(b.state);
    expect(sheetOf(a.state, "ann")).toMatchObject({ level: 4, gear: 4 });
  });

  it("has a floor and a limit, and lowers nobody because the limit was", () => {
    const a = new Phone("aaaa");
    a.tap(person("ann", "Ann"));
    a.tap({ kind: "level", sheet: "ann", by: -3 });
    a.tap({ kind: "level", sheet: "ann", by: 1 });
    expect(sheetOf(a.state, "ann")?.level).toBe(2);
    a.tap({ kind: "table", limit: 20 });
    a.tap({ kind: "level", sheet: "ann", by: 30 });
    expect(sheetOf(a.state, "ann")?.level).toBe(20);
    a.tap({ kind: "table", limit: 10 });
    a.tap({ kind: "level", sheet: "ann", by: 1 });
    expect(sheetOf(a.state, "ann")?.level).toBe(20);
    a.tap({ kind: "table", limit: 0 });
    a.tap({ kind: "level", sheet: "ann", by: 1 });
    expect(sheetOf(a.state, "ann")?.level).toBe(21);
  });

  it("undoes and does again, in one go what was done in one go, and what others did", () => {
    const [a, b] = [new Phone("aaaa"), new Phone("bbbb")];
    a.tap(person("ann", "Ann"));
    const both = a.tap({ kind: "level", sheet: "ann", by: 1 }, { kind: "gear", sheet: "ann", by: 3 });
    b.hear(a);
    b.undo(both);
    a.hear(b);
    expect(sheetOf(a.state, "ann")).toMatchObject({ level: 1, gear: 0 });
    a.undo(both, "redo");
    expect(sheetOf(a.state, "ann")).toMatchObject({ level: 2, gear: 3 });
  });

  it("pays a fight once, though two phones said at once that it was won", () => {
    const [a, b] = [new Phone("aaaa"), new Phone("bbbb")];
    a.tap(person("ann", "Ann"));
    a.tap({ kind: "fight", fight: "f1", main: "ann" });
    a.tap({ kind: "put", thing: "m1", place: "foe", fight: "f1", name: "Goblin", level: 1 });
    b.hear(a);
    for (const p of [a, b]) p.tap({ kind: "fight", fight: "f1", end: "won" }, { kind: "level", sheet: "ann", by: 1, fight: "f1" });
    a.hear(b);
    b.hear(a);
    expect(a.state).toEqual(b.state);
    expect(sheetOf(a.state, "ann")).toMatchObject({ level: 2, kills: 1 });
    expect(fightNow(a.state)).toBeNull();
    // and when the one that counted is undone, the other one counts
    const first = sorted(a.known).filter((t) => t.kind === "fight" && t.end === "won")[0]!;
    a.undo(a.known.filter((t) => "with" in t && t.with === first.id));
    expect(sheetOf(a.state, "ann")).toMatchObject({ level: 2, kills: 1 });
  });

  it("comes to the same in whatever order taps arrive, with everything that can be tapped", () => {
    for (let seed = 1; seed <= 16; seed++) {
      const roll = rolling(seed);
      const phones = ["aaaa", "bbbb", "cccc", "dddd"].map((w) => new Phone(w));
      const sheets = ["p0", "p1", "p2"];
      const some = (): string => sheets[roll(3)]!;
      phones[0]!.tap(...sheets.map((s, i) => person(s, `P${i}`)));
      const wish = (n: number): Wish[] => [
        [{ kind: "level", sheet: some(), by: roll(7) - 3 }] as Wish[],
        [{ kind: "gear", sheet: some(), by: roll(21) - 10 }] as Wish[],
        [{ kind: "put", thing: `t${roll(6)}`, place: (["worn", "carried", "away", "table"] as const)[roll(4)]!, sheet: some(), name: `thing ${n}`, bonus: roll(4) }] as Wish[],
        [{ kind: "fight", fight: `f${roll(4)}`, main: some(), helper: roll(2) ? some() : null }] as Wish[],
        [{ kind: "put", thing: `m${roll(4)}`, place: "foe", fight: `f${roll(4)}`, level: 1 + roll(19) }] as Wish[],
        [{ kind: "swing", fight: `f${roll(4)}`, side: roll(2) ? "munchkins" : "monsters", by: roll(11) - 5 }] as Wish[],
        [{ kind: "fight", fight: `f${roll(4)}`, end: (["won", "lost", "over", "open"] as const)[roll(4)]! }, { kind: "level", sheet: some(), by: 1 }] as Wish[],
        [{ kind: "roll", roll: 1 + roll(6), sheet: some(), fight: `f${roll(4)}`, foe: `m${roll(4)}`, escaped: roll(2) === 1 }] as Wish[],
        [{ kind: "order", sheets: [some(), some()] }, { kind: "turn", sheet: some() }] as Wish[],
        [{ kind: "person", sheet: some(), gone: roll(2) === 1 }, { kind: "device", sheet: some() }, { kind: "mark", about: some(), key: "x", value: roll(3) || null }, { kind: "died", sheet: some() }] as Wish[],
        [{ kind: "over", winners: roll(2) ? [some()] : [] }, { kind: "table", limit: ([0, 10, 20] as const)[roll(3)]! }] as Wish[],
      ][roll(11)]!;
      for (let n = 0; n < 120; n++) {
        const p = phones[roll(4)]!;
        const any = p.known[roll(p.known.length || 1)];
        if (any && roll(6) === 0 && any.kind !== "undo" && any.kind !== "redo") p.undo([any], roll(3) ? "undo" : "redo");
        else p.tap(...wish(n));
        if (roll(5) === 0) phones[roll(4)]!.hear(phones[roll(4)]!);
      }
      for (const p of phones) for (const q of phones) p.hear(q);
      for (const p of phones) phones[0]!.hear(p);
      for (const p of phones) p.hear(phones[0]!);
      const whole = phones[0]!.state;
      for (const p of phones) {
        const mixed = [...p.known, ...p.known.slice(0, 30)].sort(() => roll(3) - 1); // twice heard is heard
        expect(fold(mixed)).toEqual(whole);
        expect(told(mixed)).toEqual(told(phones[0]!.known));
      }
    }
  });

  it("keeps seats in the order that was said, with those behind who sat down meanwhile", () => {
    const [a, b] = [new Phone("aaaa"), new Phone("bbbb")];
    a.tap(person("ann", "Ann"));
    a.tap(person("bob", "Bob"));
    b.hear(a);
    b.tap(person("cid", "Cid"));
    a.tap({ kind: "turn", sheet: "bob" });
    a.tap({ kind: "order", sheets: ["bob", "ann"], lot: true });
    a.hear(b);
    expect(seated(a.state).map((p) => p.name)).toEqual(["Bob", "Ann", "Cid"]);
  });

  it("takes a monster out with what lay on it only when both are put away", () => {
    const a = new Phone("aaaa");
    a.tap(person("ann", "Ann"));
    a.tap({ kind: "fight", fight: "f1", main: "ann" });
    a.tap({ kind: "put", thing: "m1", place: "foe", fight: "f1", name: "Goblin", level: 1 });
    a.tap({ kind: "put", thing: "m1", place: "away" });
    expect(foesOf(a.state, "f1")).toEqual([]);
  });
});

describe("conditions", () => {
  it("are said by whoever tapped last, and not at all when that is undone", () => {
    const a = new Phone("ann");
    const b = new Phone("bob");
    a.tap({ kind: "put", thing: "troll", place: "foe", name: "Net Troll", fight: "f" });
    a.tap({ kind: "mark", about: "troll", key: conditionKey(0), value: 1 });
    b.hear(a);
    const no = b.tap({ kind: "mark", about: "troll", key: conditionKey(0), value: 0 });
    a.hear(b);
    expect([said(a.state, "troll", 0), said(a.state, "troll", 1)]).toEqual([0, undefined]);
    expect(told(a.known).map((l) => l.text).slice(1)).toEqual(["Net Troll: what it says counts", "Net Troll: what it says does not count"]);
    a.undo(no);
    expect(said(a.state, "troll", 0)).toBe(1);
  });
  it("are told in words", () => {
    const none = { any: [], none: [], level_at_least: 0, level_at_most: 0, helper: null };
    expect(when({ ...none, any: ["elf", "dwarf"] })).toBe("Counts with Elf or Dwarf.");
    expect(when({ ...none, none: ["female"], level_at_most: 4, helper: false })).toBe("Counts without Female, up to Level 4, without a helper.");
    expect(when(none)).toBe("");
  });
});

describe("the log", () => {
  it("says whose fight it has become", () => {
    const a = new Phone("ann");
    for (const [sheet, name] of [["a", "Ann"], ["b", "Bob"]] as const) a.tap({ kind: "person", sheet, name, sex: "male", colour: "#000", avatar: "" });
    a.tap({ kind: "fight", fight: "f", main: "a", helper: "b" });
    a.tap({ kind: "fight", fight: "f", main: "b", helper: "a" });
    expect(told(a.known).at(-1)!.text).toBe("Bob fights, and Ann helps");
    expect(fightNow(a.state)).toMatchObject({ main: "b", helper: "a" });
  });
  it("says quick taps of one thumb together, and what was done in one go in one line", () => {
    const a = new Phone("aaaa");
    a.tap(person("ann", "Ann"));
    a.tap({ kind: "level", sheet: "ann", by: 1 });
    const last = a.tap({ kind: "level", sheet: "ann", by: 1 });
    a.tap({ kind: "fight", fight: "f1", main: "ann" });
    a.tap({ kind: "fight", fight: "f1", end: "won" }, { kind: "level", sheet: "ann", by: 2 });
    expect(told(a.known).map((l) => l.text)).toEqual(["Ann sits down", "Ann: Level +2, now 3", "Ann fights", "The fight is won; Ann: Level +2, now 5"]);
    a.undo(last);
    expect(told(a.known).map((l) => [l.text, l.off])).toContainEqual(["Ann: Level +1", true]);
  });
});
