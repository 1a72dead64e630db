import { describe, expect, it } from "vitest";
import type { About, Option } from "../src/lib/api";
import { fitting, namesFor, told, wanted } from "../src/lib/choices";

const option = (o: Partial<Option>): Option => ({ id: "", title: "", about: "", kind: "flag", default: false, choices: [], group: "book", rule: "", needs: "", ...o });
const first = option({ id: "first_dungeon", title: "The first Dungeon", kind: "choice", default: "random", field: "dungeons.first", needs: "dungeon", names: "dungeon", choices: [["random", "At random"], ["winner", "The winner picks"]] });
const piles = option({ id: "piles", title: "Tall decks", kind: "choice", default: "one", field: "decks.piles", choices: [["one", "One"], ["halves", "Two halves"]] });
const locked = option({ id: "locked_dungeon", needs: "dungeon", group: "house" });
const about = {
  packs: [
    { id: "classic", kinds: [], dungeons: [] },
    { id: "dungeons", kinds: ["dungeon", "portal"], dungeons: ["Cellar", "Attic"] },
  ],
  options: [first, piles, locked],
} as unknown as About;

describe("what can be chosen", () => {
  it("asks only about cards that are there", () => {
    expect(fitting(about, ["classic"], first)).toBe(false);
    expect(fitting(about, ["classic", "dungeons"], first)).toBe(true);
    expect(fitting(about, ["classic"], piles)).toBe(true);
  });
  it("knows the Dungeons of the sets", () => {
    expect(namesFor(about, ["dungeons"], first)).toEqual(["Attic", "Cellar"]);
    expect(namesFor(about, ["dungeons"], piles)).toEqual([]);
  });
  it("drops what a set took along, and nothing else", () => {
    const options = { packs: ["classic"], house: ["locked_dungeon", "epic"], rules: { "dungeons.first": "Cellar", "decks.piles": "halves", "level.goal": 12 } };
    expect(wanted(about, options)).toEqual({ packs: ["classic"], house: ["epic"], rules: { "decks.piles": "halves", "level.goal": 12 } });
    const kept = { ...options, packs: ["classic", "dungeons"] };
    expect(wanted(about, kept)).toEqual(kept);
    expect(wanted(about, { ...kept, rules: { "dungeons.first": "Pantry" } })["rules"]).toEqual({});
  });
  it("says it in words", () => {
    expect(told(about, { rules: { "dungeons.first": "winner", "level.goal": 12 } })).toEqual(["The first Dungeon: The winner picks"]);
    expect(told(about, { rules: { "dungeons.first": "Attic" } })).toEqual(["The first Dungeon: Attic"]);
  });
});
