import { beforeEach, describe, expect, it } from "vitest";
import { awards, betrayal, worstOf } from "../src/lib/ending";
import { bring, exported, forgetAll, lines, played, type Played, remember, sums } from "../src/lib/games";
import type { ChapterInfo, Chronicle, ReplayPage, SeatNumbers } from "../src/lib/protocol";
import { chapterAt, chapters, frames, Reel } from "../src/lib/replaying";
import { documentOf, placeOf } from "../src/lib/router.svelte";
import { contents, findHere, ruleHref } from "../src/lib/rules";
import { forget, held, left, token, visit } from "../src/lib/session";
import { volumeOf } from "../src/lib/settings.svelte";
import { lastingOf, shellOf, surplus, tableOf, way } from "../src/worker/routes";

const numbers = (some: Partial<SeatNumbers> = {}): SeatNumbers => ({ won: 0, lost: 0, helped: 0, killed: 0, treasures: 0, deaths: 0, curses: 0, stabs: 0, escapes: 0, caught: 0, best: 0, ...some });

const told: Chronicle = {
  steps: 60,
  players: ["Ann", "Bob"],
  winners: [0],
  turns: [{ step: 3, turn: 1, seat: 0, levels: [1, 1] }, { step: 20, turn: 2, seat: 1, levels: [2, 1] }, { step: 41, turn: 3, seat: 0, levels: [9, 2] }],
  fights: [{ step: 5, turn: 1, seat: 0, helper: -1, foes: [7], outcome: "won" }, { step: 44, turn: 3, seat: 0, helper: 1, foes: [8, 9], outcome: "won" }],
  betrayals: [{ step: 22, by: 0, against: 1, card: 4, before: 3, after: -2, turned: true, died: false, weight: 15 }],
  final: [10, 2],
  numbers: [numbers({ killed: 3, stabs: 1, best: 12 }), numbers({ killed: 1, deaths: 2, best: 9 })],
};

describe("the service worker's ways", () => {
  const here = "https://k.example";
  const go = (path: string, method = "GET", navigates = false) => way(method, new URL(path, here), here, navigates);
  it("lets tables, seats and moves pass", () => {
    for (const path of ["/api/tables/abc", "/api/tables/abc/seats", "/api/tables/abc/replay", "/api/rules?search=x", "/ws/tables/abc", "/api/counter/abcdefghjk", "/healthz"]) expect(go(path)).toBe("pass");
    expect(go("/api/tables/abc/replay/5/play", "POST")).toBe("pass");
    expect(way("GET", new URL("https://other.example/assets/x.js"), here, false)).toBe("pass");
    expect(go("/api/tables/abc/replay", "GET", true)).toBe("pass"); // a file that is saved
  });
  it("keeps what is hashed, asks anew for what is not", () => {
    expect(go("/assets/index-abc.js")).toBe("file");
    expect(go("/api/tables/abc/cards/123?game=1")).toBe("lasting");
    expect(lastingOf(new URL("/api/tables/abc/cards/123?game=1", here))).toBe(lastingOf(new URL("/api/tables/xyz/cards/123", here)));
    expect(go("/api/about")).toBe("fresh");
    expect(go("/api/rulebook")).toBe("fresh");
    expect(go("/api/counter/cards?packs=classic")).toBe("fresh");
    expect(go("/counter/abcdefghjk", "GET", true)).toBe("page");
    expect(go("/t/abc", "GET", true)).toBe("page");
    for (const path of ["/api/tables/abc/replay/table", "/api/tables/abc/replay/story?game=1", "/api/tables/abc/replay/pages/50", "/api/tables/abc/replay/7"]) expect(go(path)).toBe("replay");
    expect(tableOf(new URL("/api/tables/abc/replay/7", here))).toBe("abc");
  });
  it("keeps a document for the table, and one for the counter", () => {
    for (const path of ["/", "/t/abc", "/rules", "/counterfeit"]) expect([shellOf(new URL(path, here)), documentOf(path)]).toEqual(["/", "/"]);
    for (const path of ["/counter", "/counter/abcdefghjk"]) expect([shellOf(new URL(path, here)), documentOf(path)]).toEqual(["/counter", "/counter"]);
    expect(documentOf("/counter#x")).toBe("/counter");
  });
  it("throws away the oldest", () => {
    expect(surplus([1, 2, 3, 4], 3)).toEqual([1]);
    expect(surplus([1, 2], 3)).toEqual([]);
  });
});

describe("places", () => {
  it("knows the rulebook and my games", () => {
    expect(placeOf("/rules")).toEqual({ page: "rules", chapter: null, rule: null });
    expect(placeOf("/rules/COMBAT", "", "#COMBAT-19")).toEqual({ page: "rules", chapter: "COMBAT", rule: "COMBAT-19" });
    expect(placeOf("/games")).toEqual({ page: "games" });
    expect(placeOf("/rules/a/b").page).toBe("lost");
  });
});

describe("volumes", () => {
  it("are between nothing and all, whatever was kept", () => {
    expect(volumeOf({ effects: 7, voices: -1, alerts: "loud" })).toEqual({ effects: 1, voices: 0, alerts: 1 });
    expect(volumeOf(undefined).effects).toBeGreaterThan(0);
  });
});

describe("the rulebook", () => {
  const rule = (id: string, says: string) => ({ id, chapter: id.replace(/-\d+$/, ""), says, detail: "", see: [] });
  const book: ChapterInfo[] = [
    { id: "RUN", title: "Running away", about: "", part: "The game", rules: [rule("RUN-1", "You flee."), rule("RUN-2", "Roll the die to escape the monster.")] },
    { id: "FQ-CBT", title: "Fights", about: "", part: "Questions", rules: [rule("FQ-CBT-1", "A die is a die.")] },
  ];
  it("has contents, and an address for each rule", () => {
    expect(contents(book).map(([part, all]) => [part, all.length])).toEqual([["The game", 1], ["Questions", 1]]);
    expect(ruleHref("FQ-CBT-12")).toBe("/rules/FQ-CBT#FQ-CBT-12");
  });
  it("is searched here when nobody can be asked: most words first", () => {
    expect(findHere(book, "escape die").map((r) => r.id)).toEqual(["RUN-2", "FQ-CBT-1"]);
    expect(findHere(book, "?")).toEqual([]);
  });
});

describe("replays", () => {
  const page = (first: number, steps: number): ReplayPage => ({
    first: { step: first, steps, moves: [], game: { turn: first } as never, log: [{ seq: first } as never], seq: first },
    then: Array.from({ length: Math.min(49, steps - first) }, (_, i) => ({ moves: [], patch: [[["turn"], first + i + 1]] as never, log: [{ seq: first + i + 1 } as never] })),
  });
  it("are worked out step by step", () => {
    const all = frames(page(0, 3));
    expect(all.map((f) => f.game.turn)).toEqual([0, 1, 2, 3]);
    expect(all[3]!.log.map((l) => l.seq)).toEqual([0, 1, 2, 3]);
  });
  it("are asked for page by page, each once", async () => {
    const asked: number[] = [];
    const reel = new Reel("abc", null, (_, step) => {
      asked.push(step);
      return Promise.resolve(page(step, 120));
    });
    expect((await reel.at(57)).frame.game.turn).toBe(57);
    expect((await reel.at(99)).frame.game.turn).toBe(99);
    reel.ahead(57);
    expect((await reel.at(500)).step).toBe(120);
    expect(asked).toEqual([50, 100, 500]);
  });
  it("have chapters by turn and fight", () => {
    const all = chapters(told);
    expect(all.map((c) => [c.turn, c.step, c.end, c.fights.length])).toEqual([[1, 3, 19, 1], [2, 20, 40, 0], [3, 41, 60, 1]]);
    expect([0, 3, 25, 60].map((s) => chapterAt(all, s))).toEqual([0, 0, 1, 2]);
  });
});

describe("my games", () => {
  const game = (n: number, won: boolean): Played => ({ table: "abc", game: n, at: n, name: "Friday", seat: 0, bots: [false, true], players: ["Ann", "Bob"], winners: [won ? 0 : 1], packs: ["classic"], turns: 3, levels: lines(told), numbers: told.numbers, worst: null });
  beforeEach(() => forgetAll());
  it("are kept once each, latest first, and add up", () => {
    for (const g of [game(1, true), game(2, true), game(2, true), game(3, false)]) remember(g);
    expect(played().map((p) => p.game)).toEqual([3, 2, 1]);
    const s = sums(played());
    expect([s.games, s.won, s.streak, s.level, s.numbers.killed, s.best]).toEqual([3, 2, 2, 10, 9, 12]);
    expect(s.boxes).toEqual([["classic", 3, 2]]);
  });
  it("go into a file and come back, also beside others", () => {
    remember(game(1, true));
    const file = exported();
    forgetAll();
    remember(game(2, false));
    expect(bring(file)).toBe(1);
    expect(bring(file)).toBe(0);
    expect(played().map((p) => p.game)).toEqual([2, 1]);
    expect(() => bring("{}")).toThrow("holds no games");
  });
  it("thin out a long game", () => {
    const long = { turns: Array.from({ length: 500 }, (_, i) => ({ step: i, turn: i, seat: 0, levels: [1] })), final: [10] };
    expect(lines(long).length).toBeLessThanOrEqual(82);
    expect(lines(long).at(-1)).toEqual([10]);
  });
});

describe("what a game is remembered for", () => {
  it("names the worst betrayal in words that fit everybody", () => {
    const worst = worstOf(told, () => "Enraged")!;
    expect(betrayal(worst, (s) => ["You", "Bob"][s]!)).toBe("You against Bob: Enraged, from 3 ahead to 2 behind. That fight had been won.");
    expect(betrayal({ ...worst, by: 1, against: 0, before: 0, after: 0, turned: false, died: false }, (s) => ["You", "Bob"][s]!)).toBe("Bob against you: Enraged.");
    expect(worstOf({ ...told, betrayals: [] }, () => "")).toBeNull();
  });
  it("gives titles only to who has earned them alone", () => {
    expect(awards(told.numbers).map((a) => [a.title, a.seat])).toEqual([["Most monsters slain", 0], ["Strongest in a fight", 0], ["Most stabs in the back", 0], ["Most deaths", 1]]);
    expect(awards([numbers({ won: 1, killed: 2 }), numbers({ killed: 2 })])).toEqual([]);
  });
});

describe("the seats of this device", () => {
  it("are one, or several who share it", () => {
    token.keep("t1", "a");
    expect(held.of("t1")).toEqual(["a"]);
    held.add("t1", "b");
    expect([held.of("t1"), token.of("t1")]).toEqual([["a", "b"], "a"]);
    token.keep("t1", "b");
    expect([held.of("t1"), token.of("t1")]).toEqual([["a", "b"], "b"]);
    held.drop("t1", "b");
    expect([held.of("t1"), token.of("t1")]).toEqual([["a"], "a"]);
    token.keep("t1", null);
    expect(held.of("t1")).toEqual([]);
  });
});

describe("a game that I left", () => {
  it("is the latest one that goes on and has a seat of mine", () => {
    token.keep("t1", "a");
    visit("t1", "Friday", true);
    expect(left()?.name).toBe("Friday");
    visit("t2", "Saturday", true); // as somebody who only watches has no seat
    expect(left()?.table).toBe("t1");
    visit("t1", "Friday", false);
    expect(left()).toBeNull();
    visit("t1", "Friday", true);
    forget("t1");
    expect(left()).toBeNull();
  });
});
