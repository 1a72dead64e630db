import { describe, expect, it } from "vitest";
import { patched, PatchError } from "../src/lib/patch";

const state = { table: { name: "Friday", seats: [{ name: "Ann" }, { name: "Bob" }] }, moves: { "0,-1,-1,-1": "I'm done", "1,-1,-1,-1": "Kick" }, game: { players: [{ hand: [1, 2], level: 1 }] } };

describe("patched", () => {
  it("sets, deep down and in lists", () => {
    const out = patched(state, [[["table", "seats", 1, "name"], "Cid"], [["game", "players", 0, "hand"], [1, 2, 3]], [["new"], { a: 1 }]]);
    expect(out.table.seats[1]!.name).toBe("Cid");
    expect(out.game.players[0]!.hand).toEqual([1, 2, 3]);
    expect((out as unknown as { new: unknown }).new).toEqual({ a: 1 });
  });

  it("takes away", () => {
    const out = patched(state, [[["moves", "1,-1,-1,-1"]]]);
    expect(out.moves).toEqual({ "0,-1,-1,-1": "I'm done" });
  });

  it("can replace everything", () => {
    expect(patched(state, [[[], { game: null }]])).toEqual({ game: null });
  });

  it("leaves the old state alone and shares what did not change", () => {
    const before = structuredClone(state);
    const out = patched(state, [[["table", "name"], "Saturday"], [["table", "seats", 0, "name"], "Eve"]]);
    expect(state).toEqual(before);
    expect(out.game).toBe(state.game);
    expect(out.table.seats[1]).toBe(state.table.seats[1]);
    expect(out.table.seats[0]).not.toBe(state.table.seats[0]);
  });

  it("sets a value to null, undefined is not a value", () => {
    expect(patched({ game: { a: 1 } } as { game: unknown }, [[["game"], null]])).toEqual({ game: null });
  });

  it("refuses a path that leads nowhere", () => {
    expect(() => patched(state, [[["game", "fight", "main"], 1]])).toThrow(PatchError);
    expect(() => patched(state, [["nonsense"]] as unknown[][])).toThrow(PatchError);
  });

  it("does nothing for no changes", () => {
    expect(patched(state, [])).toBe(state);
  });
});
