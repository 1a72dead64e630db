import { describe, expect, it } from "vitest";
import type { FightState as Fight } from "../src/lib/protocol";
import { lines } from "../src/lib/terms";
import { buttons } from "../src/lib/buttons";
import { actionsOf, aimed, atSeat, common, draftKind, group, parse, parseAll, promised, rest, saidAnew, seatOf, targetsOf, V } from "../src/lib/moves";

const moves = parseAll({
  "0,-1,-1,-1": "I'm done",
  "4,17,-2,-1": "Play Magic Missile (+5) on your side",
  "4,17,-3,-1": "Play Magic Missile (+5) on the monsters",
  "4,30,-1,-1": "Put on Helm of Courage (+1, Headgear)",
  "9,55,-11,-100": "Backstab (Thief): Suzan, costs a card",
  "9,55,-12,-100": "Backstab (Thief): Bob, costs a card",
  "9,55,-1,-101": "Theft (Thief), costs a card",
  "7,40,-1,-1": "Take off Boots",
  "2,60,-1,-1": "Look for trouble: fight Crabs (Level 1, 1 Treasure)",
  "2,61,-1,-1": "Look for trouble: fight Harpies (Level 4, 2 Treasures)",
  "17,-1,-11,-1": "Ask Suzan for help",
  "17,-1,-12,-1": "Ask Bob for help",
  "19,-1,-11,-1": "Trade with Suzan",
  "27,-1,-1,-1": "Show everybody your hand",
  "14,-1,-1,-1": "Sell Items for a level",
  "23,-1,-11,-1": "Accept Suzan's offer",
  "10,3,-1,-1": "Yes",
});

describe("reading moves", () => {
  it("reads keys", () => {
    expect(parse("4,17,-3,-1", "x")).toMatchObject({ verb: V.play, card: 17, target: -3, extra: -1, parts: [4, 17, -3, -1] });
  });
  it("knows seats", () => {
    expect(seatOf(atSeat(3))).toBe(3);
    expect(seatOf(-3)).toBe(-1);
    expect(seatOf(12)).toBe(-1);
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
    expect(some.map((m) => rest(m, some))).toEqual(["Your side", "The monsters"]);
    expect(rest(some[0]!, [some[0]!])).toBe(some[0]!.text);
  });
  it("finds targets and narrows to them", () => {
    const some = g.byCard.get(55)!.filter((m) => m.extra === -100);
    expect(targetsOf(some)).toEqual(new Set([-11, -12]));
    expect(aimed(some, -12).map((m) => m.key)).toEqual(["9,55,-12,-100"]);
  });
  it("has one button per verb, and none for what Space does", () => {
    const primary = moves[0]!;
    const row = buttons(g, primary);
    expect(row.map((b) => b.label)).toEqual(["Look for trouble", "Ask for help", "Sell Items"]);
    expect(buttons(g, null)[0]!.moves[0]!.verb).toBe(V.pass);
    expect(buttons(g, null, true).map((b) => b.label)).toEqual(["Trade", "Show your hand"]);
  });
  it("knows what is drafted", () => {
    expect(moves.filter((m) => draftKind(m)).map((m) => draftKind(m))).toEqual(["help", "help", "trade", "sell"]);
  });
  it("finds a common beginning even if there is none", () => {
    expect(common([parse("10,1,-1,-1", "Yes"), parse("10,0,-1,-1", "No")])).toBe("Yes");
  });
});

describe("the lines of a sum", () => {
  const fight = { main: 2, helper: 0 } as Fight;
  const owner = (c: number): number => (c === 7 ? 0 : c === 5 ? 2 : -1);
  it("know whose they are, without being told", () => {
    const got = lines([[3, -1, "COMBAT-2"], [2, 5, "COMBAT-2"], [6, -1, "COMBAT-2"], [4, 7, "COMBAT-2"], [5, 9, "ONE-1"]], fight, owner);
    expect(got.map((l) => l.seat)).toEqual([2, 2, 0, 0, -1]);
    expect(got[0]).toEqual({ n: 3, card: -1, seat: 2, rule: "COMBAT-2" });
  });
  it("believe what they are told", () => {
    expect(lines([[3, -1, 1, "X-1"]], fight, owner)).toEqual([{ n: 3, card: -1, seat: 1, rule: "X-1" }]);
  });
  it("monsters belong to nobody", () => {
    expect(lines([[10, 7, "COMBAT-2"]], fight, owner, true)[0]!.seat).toBe(-1);
  });
});

describe("a deal put together", () => {
  const n = (k: number) => parse(`21,-1,-1,${-100 - k}`, `Offer ${k}`);
  const order = (k: number) => parse(`21,-1,-1,${-200 - k}`, `Order ${k}`);
  const card = parse("21,7,-1,-1", "Promise Horny Helmet");
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
