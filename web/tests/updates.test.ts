import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Socket } from "../src/lib/line";
import { VERSION } from "../src/lib/protocol";
import { settings } from "../src/lib/settings.svelte";
import { Table } from "../src/lib/table.svelte";

/** The other end of a table's line. */
class Server implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((e: { data: unknown }) => void) | null = null;
  onclose: ((e: { code?: number }) => void) | null = null;
  onerror: (() => void) | null = null;
  sent: Record<string, unknown>[] = [];
  #seq = 1;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {}
  async say(m: Record<string, unknown>): Promise<void> {
    this.onmessage?.({ data: JSON.stringify(m) });
    await vi.advanceTimersByTimeAsync(0);
  }
  /** Somebody's turn begins: a step with a scene, for whoever it is. */
  async update(patch: unknown[], id: string, seat: number, left = 0): Promise<void> {
    const log = [{ seq: ++this.#seq, id, text: `${id} ${this.#seq}.`, rule: "", tone: "", seat, card: -1, other: -1, n: 0, said: "" }];
    await this.say({ t: "update", seq: this.#seq, clock: { kind: left ? "window" : "none", seats: [], left, total: left, window: this.#seq }, patch, log });
  }
}

const player = (name: string) => ({ name, level: 1, table: [], afflictions: [], hand: null, hand_size: 0, sex: "male", dead: false });
const state = () => ({
  table: { name: "Friday", seats: [], cards: "", game: 1 },
  game: { players: ["Ann", "Bob", "Cid"].map(player), fight: null, pending: null, asked: null, winners: [], decks: [9, 9], turn: 0, turns: 1, offers: [] },
  moves: {},
  prompt: { headline: "", rule: "", must: false, primary: "" },
  clock: { kind: "none", seats: [], left: 0, total: 0, window: 1 },
});
const turns = (n: number): unknown[] => [["game", "turns"], n];
const asked: unknown[][] = [[["moves"], { "0": { action: "pass", text: "Pass" } }], [["prompt", "must"], true]];

let server: Server;
let table: Table;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false, querySelectorAll: () => [], querySelector: () => null, getElementById: () => null });
  settings.scenes = "full";
  settings.motion = "on";
  settings.sound = false;
  server = new Server();
  table = new Table("t", () => server);
  table.open();
  server.onopen?.();
  await server.say({ t: "welcome", v: VERSION, seat: 0, seq: 1, state: state(), log: [], chat: [] });
});
afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a wait for the table", () => {
  it("is not spoken of any more when it is over", async () => {
    await server.say({ t: "problem", code: "waiting", says: "A moment, please ..." });
    await server.say({ t: "problem", code: "too_fast", says: "Not so fast." });
    expect(table.notes.map((n) => n.text)).toEqual(["A moment, please ...", "Not so fast."]);
    await server.say({ t: "welcome", v: VERSION, seat: 0, seq: 1, state: state(), log: [], chat: [] });
    expect(table.notes.map((n) => n.text)).toEqual(["Not so fast."]);
  });
});

describe("updates", () => {
  it("wait for what is staged, and go on by themselves", async () => {
    await server.update([turns(2)], "death", 0);
    expect(table.director.now?.kind).toBe("death");
    expect(table.game?.turns).toBe(2); // the table under the scene is the one it tells of
    await server.update([turns(3)], "reborn", 0);
    expect(table.game?.turns).toBe(2);
    await vi.advanceTimersByTimeAsync(2500);
    expect(table.game?.turns).toBe(3);
    expect(table.director.now?.kind).toBe("reborn");
  });

  it("do not wait when I am asked something: the scenes play over the table", async () => {
    await server.update([turns(2)], "death", 1);
    await server.update([turns(3), ...asked], "death", 0);
    expect(table.game?.turns).toBe(3);
    expect(table.myMove).toBe(true);
    expect(table.director.busy).toBe(true);
  });

  it("never wait longer than three seconds, whatever is staged", async () => {
    let shown = 0;
    for (let i = 2; i < 60; i++) {
      await server.update([turns(i)], i % 3 ? "reborn" : "death", i % 2);
      await vi.advanceTimersByTimeAsync(130);
      expect(i - (table.game?.turns ?? 0), `after ${i}`).toBeLessThanOrEqual(3000 / 130 + 1);
      shown = table.game?.turns ?? 0;
    }
    expect(shown).toBeGreaterThan(30);
    await vi.advanceTimersByTimeAsync(6000);
    expect(table.game?.turns).toBe(59);
    expect(table.director.busy).toBe(false);
  });

  it("are all there at a tap; what befell me is still shown", async () => {
    await server.update([turns(2)], "reborn", 1);
    await server.update([turns(3)], "reborn", 2);
    await server.update([turns(4)], "death", 0);
    table.skip();
    expect(table.game?.turns).toBe(4);
    expect(table.director.now?.kind).toBe("death");
    table.skip();
    expect(table.director.busy).toBe(false);
  });

  it("are told when they have been seen: the log and what is asked of others wait for the scene, ears do not", async () => {
    await server.update([turns(2), [["prompt", "headline"], "Bob is dead."]], "death", 1);
    expect(table.director.busy).toBe(true);
    expect(table.seen).toEqual([]);
    expect(table.headline).toBe("");
    expect(table.told).toBe("death 2.");
    await server.say({ t: "update", seq: 9, clock: state().clock, patch: [[["game", "turns"], 3]], log: [] });
    expect(table.seen).toEqual([]); // something else has come meanwhile
    await vi.advanceTimersByTimeAsync(1500);
    expect(table.seen.map((l) => l.id)).toEqual(["death"]);
    expect(table.headline).toBe("Bob is dead.");
  });

  it("are told at once to whoever is asked something, and at a tap", async () => {
    await server.update([turns(2), [["prompt", "headline"], "Your move."], ...asked], "death", 0);
    expect(table.director.busy).toBe(true);
    expect(table.seen.map((l) => l.id)).toEqual(["death"]);
    expect(table.headline).toBe("Your move.");
    await vi.advanceTimersByTimeAsync(3000);
    await server.update([[["prompt", "must"], false], turns(3)], "reborn", 1);
    expect(table.seen.length).toBe(1);
    table.skip();
    expect(table.seen.length).toBe(2);
  });

  it("leave nothing out for ears, however many come at once", async () => {
    await server.update([turns(2)], "death", 1);
    await server.update([turns(3)], "reborn", 1);
    await server.update([turns(4)], "death", 2);
    table.skip();
    expect(table.told).toBe("reborn 3. death 4.");
    expect(table.log.map((l) => l.id)).toEqual(["death", "reborn", "death"]);
  });

  it("count the clock from when they came, not from when they are shown", async () => {
    await server.update([turns(2)], "death", 0);
    const came = Date.now();
    await server.update([turns(3)], "reborn", 1, 8000);
    await vi.advanceTimersByTimeAsync(2500);
    expect(table.game?.turns).toBe(3);
    expect(table.deadline).toBe(came + 8000);
  });

  it("are looked at before they are passed on: the first click shows what has changed, the second is meant", async () => {
    await server.update([turns(2), ...asked], "death", 0); // window 2
    await server.update([turns(3), [["prompt", "must"], false]], "reborn", 1); // window 3, not shown yet
    expect(table.game?.turns).toBe(2);
    void table.act(["0"]);
    expect(table.game?.turns).toBe(3);
    expect(server.sent.filter((m) => m["t"] === "act")).toEqual([]);
    void table.act(["0"]);
    expect(server.sent.at(-1)).toMatchObject({ t: "act", window: 3 });
  });

  for (const how of ["calm", "off"] as const)
    it(`never wait when scenes are ${how}`, async () => {
      settings.scenes = how;
      await server.update([turns(2)], "death", 0);
      await server.update([turns(3)], "death", 1);
      expect(table.game?.turns).toBe(3);
      expect(table.director.busy).toBe(how === "calm");
    });
});
