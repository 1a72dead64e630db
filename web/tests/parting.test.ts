import { describe, expect, it } from "vitest";
import { whereabouts } from "../src/lib/belongings";
import { Drafting } from "../src/lib/drafting.svelte";
import { grave, group, listed, type Move } from "../src/lib/moves";
import { parting, selling, sold, way, ways } from "../src/lib/parting";
import type { CardInfo, PlayerState } from "../src/lib/protocol";
import type { Table } from "../src/lib/table.svelte";

const give = (card: number, seat = -1): Move => ({ key: `${card}/${seat}`, action: "add", text: `Give ${card}`, card, ...(seat >= 0 ? { target: { kind: "seat", id: seat } } : {}) });
const who = (seat: number): string => ["Ann", "Bob", "Otto"][seat]!;

describe("what is parted with", () => {
  it("says where it goes before anything is chosen", () => {
    expect([parting([], [give(4, 1), give(4, 2)]), parting([], [give(4)]), parting([give(4, 1)], []), parting([give(4), give(5)], [])]).toEqual(["Give them away", "Discard them", "Give it away", "Discard them"]);
    expect([way(give(4, 2), who), way(give(4), who)]).toEqual(["to Otto", "discard"]);
  });
  it("is one card each, with its ways", () => {
    expect(ways([give(4, 1), give(4, 2), give(5, 1), give(5, 2)]).map((some) => some.map((m) => m.key))).toEqual([["4/1", "4/2"], ["5/1", "5/2"]]);
  });
  it("is not sold before it is sold, and has prices like all others", () => {
    const end = { key: "done", action: "done", text: "Sold! Go up 2 levels" } as Move;
    expect([selling(end), selling(null)]).toEqual(["Sell for 2 levels", "Not enough yet"]);
    expect([sold("Potion", 1300, false), sold("Potion", 600, true)]).toEqual(["Potion, 1,300 gp", "Potion, 1,200 gp, twice its price"]);
  });
  it("is Charity until it is sent, whatever the turn would say then", async () => {
    const answers = [
      { headline: "Charity: 1 card too many. It goes to the lowest, Bob.", rule: "TURN-17", moves: { "4/1": give(4, 1) } },
      { headline: "The end of your turn.", rule: "TURN-26", moves: { end: { action: "end_turn", text: "End" } } },
    ];
    const table = { send: async (x: { moves: string[] }) => ({ ok: true, says: "", data: answers[x.moves.length - 1] }) } as unknown as Table;
    const draft = new Drafting(table, { key: "charity", action: "charity", text: "Charity" }, "charity");
    await draft.refresh();
    expect(draft.headline).toMatch(/^Charity: 1 card/);
    draft.add(draft.adds[0]!);
    await draft.refresh();
    expect([draft.complete, draft.rule]).toEqual([true, "TURN-17"]);
    expect(draft.headline).toBe("That is enough. Nothing goes before you say so.");
  });
});

describe("where a card is", () => {
  const cards: Record<number, CardInfo> = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, { name: ["", "Boots", "Sword", "Potion", "Polish", "Mule"][n], gold: n === 5 ? null : 100 } as CardInfo]));
  const p = { hand: [3], table: [1, 2, 4, 5], equipped: [1], attached: { 4: 2 }, borne: { 2: 5 }, afflictions: [] as number[] } as unknown as PlayerState;
  it("is said of what is sold or traded", () => {
    expect([1, 2, 3, 4, 5].map((c) => whereabouts(p, c, (n) => cards[n]))).toEqual(["in use", "carried, borne by Mule", "in the hand", "on Sword", ""]);
  });
});

describe("moves that cannot be taken back", () => {
  it("are asked about: to show one's hand, but not to trade", () => {
    const more = group(listed({ a: { action: "show_hand", text: "" }, b: { action: "trade", text: "" } })).more;
    expect(more.map(grave)).toEqual([true, false]);
  });
});
