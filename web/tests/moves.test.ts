import { describe, expect, it } from "vitest";
import type { FightState as Fight } from "../src/lib/protocol";
import { lines } from "../src/lib/terms";
import { buttons } from "../src/lib/buttons";
import { actionsOf, aimed, among, atSeat, group, listed, type Move, promised, saidAnew, seatOf, targetsOf } from "../src/lib/moves";

const seat = (id: number) => ({ kind: "seat" as const, id });
const side = (kind: "munchkins" | "monsters") => ({ kind, id: -1 });

const moves = listed({
  a: { action: "pass", text: "I'm done" },
  b: { action: "play", card: 17, target: side("munchkins"), text: "Play Magic Missile (+5) on your side", title: "Play Magic Missile (+5) on …", label: "Your side" },
  c: { action: "play", card: 17, target: side("monsters"), text: "Play Magic Missile (+5) on the monsters", title: "Play Magic Missile (+5) on …", label: "The monsters" },
  d: { action: "play", card: 30, text: "Put on Helm of Courage (+1, Headgear)" },
  e: { action: "use", card: 55, way: 0, target: seat(1), text: "Backstab (Thief): Suzan, costs a card", title: "Backstab (Thief) …", label: "Suzan, costs a card" },
  f: { action: "use", card: 55, way: 0, target: seat(2), text: "Backstab (Thief): Bob, costs a card", title: "Backstab (Thief) …", label: "Bob, costs a card" },
  g: { action: "use", card: 55, way: 1, text: "Theft (Thief), costs a card" },
  h: { action: "unequip", card: 40, text: "Take off Boots" },
  i: { action: "look_for_trouble", card: 60, text: "Look for trouble: fight Crabs (Level 1, 1 Treasure)", label: "Crabs (Level 1, 1 Treasure)" },
  j: { action: "look_for_trouble", card: 61, text: "Look for trouble: fight Harpies (Level 4, 2 Treasures)", label: "Harpies (Level 4, 2 Treasures)" },
  k: { action: "ask_help", target: seat(1), draft: "help", text: "Ask Suzan for help", label: "Suzan" },
  l: { action: "ask_help", target: seat(2), draft: "help", text: "Ask Bob for help", label: "Bob" },
  m: { action: "trade", target: seat(1), draft: "trade", text: "Trade with Suzan", label: "Suzan" },
  n: { action: "show_hand", text: "Show everybody your hand" },
  o: { action: "sell", draft: "sell", text: "Sell Items for a level" },
  p: { action: "accept", target: seat(1), text: "Accept Suzan's offer" },
  q: { action: "choose", answer: 1, text: "Yes" },
});
const move = (key: string): Move => moves.find((m) => m.key === key)!;

describe("reading moves", () => {
  it("keeps the key to answer with", () => {
    expect(move("c")).toMatchObject({ key: "c", action: "play", card: 17 });
  });
  it("knows seats", () => {
    expect(seatOf(move("f"))).toBe(2);
    expect(seatOf(move("c"))).toBe(-1);
    expect(seatOf(move("a"))).toBe(-1);
  });
});

describe("grouping moves", () => {
  const g = group(moves);
  it("ties moves to the card one taps", () => {
    expect(g.byCard.get(17)).toHaveLength(2);
    expect(g.byCard.get(55)).toHaveLength(3);
    expect([...g.byCard.keys()].sort((a, b) => a - b)).toEqual([17, 30, 40, 55, 60, 61]);
  });
  it("loses none: every move is on a card, a button, an answer or in a list", () => {
    const reachable = new Set([...[...g.byCard.values()].flat(), ...g.answers, ...g.deals, ...g.buttons, ...g.help, ...g.more].map((m) => m.key));
    expect(reachable.size).toBe(moves.length);
  });
  it("makes one action of what differs only in its target", () => {
    const missile = actionsOf(g.byCard.get(17)!);
    expect(missile).toHaveLength(1);
    expect(missile[0]!.text).toBe("Play Magic Missile (+5) on …");
    const thief = actionsOf(g.byCard.get(55)!);
    expect(thief.map((a) => a.moves.length).sort()).toEqual([1, 2]);
  });
  it("names targets by what differs", () => {
    const some = g.byCard.get(17)!;
    expect(some.map((m) => among(m, some))).toEqual(["Your side", "The monsters"]);
    expect(among(some[0]!, [some[0]!])).toBe(some[0]!.text);
  });
  it("finds targets and narrows to them", () => {
    const some = g.byCard.get(55)!.filter((m) => m.way === 0);
    expect(targetsOf(some)).toEqual(new Set([atSeat(1), atSeat(2)]));
    expect(aimed(some, atSeat(2)).map((m) => m.key)).toEqual(["f"]);
  });
  it("has one button per verb, and none for what Space does", () => {
    const primary = moves[0]!;
    const row = buttons(g, primary);
    expect(row.map((b) => b.label)).toEqual(["Look for trouble", "Ask for help", "Sell Items"]);
    expect(buttons(g, null)[0]!.moves[0]!.action).toBe("pass");
    expect(buttons(g, null, true).map((b) => b.label)).toEqual(["Trade", "Show your hand"]);
  });
  it("aims at a second card where there is no other target", () => {
    const some = listed({ x: { action: "play", card: 22, second: 89, text: "" }, y: { action: "play", card: 22, second: 90, text: "" } });
    expect(targetsOf(some)).toEqual(new Set([89, 90]));
    expect(aimed(some, 90).map((m) => m.key)).toEqual(["y"]);
  });
});

describe("the lines of a sum", () => {
  const fight = { main: 2, helper: 0 } as Fight;
  const term = (amount: number, card: number) => ({ amount, card, rule: "COMBAT-2" });
  const owner = (c: number): number => (c === 7 ? 0 : c === 5 ? 2 : -1);
  it("know whose they are, without being told", () => {
    const got = lines([term(3, -1), term(2, 5), term(6, -1), term(4, 7), term(5, 9)], fight, owner);
    expect(got.map((l) => l.seat)).toEqual([2, 2, 0, 0, -1]);
    expect(got[0]).toEqual({ amount: 3, card: -1, seat: 2, rule: "COMBAT-2", why: "" });
  });
  it("say why a card counts once more", () => {
    const own = { ...term(3, 7), rule: "COMBAT-13" };
    const says = (text: string): string => lines([term(12, 7), own], fight, owner, true, () => text)[1]!.why;
    expect(says("Mind where he treads. +3 against Dwarves and Halflings.")).toBe("against Dwarves and Halflings");
    expect(says("Mind where he treads. +1 for each Dwarf.")).toBe("its own text");
    expect(lines([term(12, 7), own], fight, owner, true)[0]!.why).toBe("");
  });
  it("monsters belong to nobody", () => {
    expect(lines([term(10, 7)], fight, owner, true)[0]!.seat).toBe(-1);
  });
});

describe("a deal put together", () => {
  const add = (key: string, what: Partial<Move>): Move => ({ key, action: "add", text: key, ...what });
  const n = (k: number) => add(`offer ${k}`, { treasures: k });
  const order = (k: number) => add(`order ${k}`, { picks: (["main", "helper", "handed"] as const)[k]! });
  const card = add("card", { card: 7 });
  const keys = (moves: { key: string }[]) => moves.map((m) => m.key);

  it("says the number before the order, whatever was changed last", () => {
    const first = [n(1), n(2), card];
    expect(promised(first)).toBe(0);
    expect(keys(saidAnew([n(1), order(0), card, n(2)], first))).toEqual(keys([n(2), order(0), card]));
  });
  it("has nothing to pick where nothing is promised any more", () => {
    expect(keys(saidAnew([n(1), order(0), n(0)], [n(1), n(2)]))).toEqual([]);
  });
  it("does not repeat what stood at the beginning of a counter-offer", () => {
    const first = [n(0), n(2), order(1), order(2)];
    expect(promised(first)).toBe(1);
    expect(keys(saidAnew([n(2), order(1), n(1), order(0)], first))).toEqual([]);
    expect(keys(saidAnew([n(2), order(1), n(1)], first))).toEqual(keys([order(1)]));
  });
});
