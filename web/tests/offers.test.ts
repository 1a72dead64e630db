import { describe, expect, it } from "vitest";
import { outcome, picking } from "../src/lib/offers";

const at = (seat: number) => ({ seat, game: { players: ["Ann", "Suzan"].map((name) => ({ name })) }, table: null });
const wins = { munchkins: 6, monsters: 4, winning: true, treasures: 2 };

describe("what comes of an offer", () => {
  it("is told to whoever fights, helps or watches", () => {
    expect(outcome(at(0), wins, 0, 1, 1)).toBe("With Suzan 6 to 4: you win and keep 1 of 2, Suzan gets 1.");
    expect(outcome(at(1), wins, 0, 1, 1)).toBe("With you 6 to 4: Ann wins and keeps 1 of 2, you get 1.");
    expect(outcome(at(-1), wins, 0, 1, 0)).toBe("With Suzan 6 to 4: Ann wins and keeps both Treasures.");
    expect(outcome(at(0), wins, 0, 1, 2)).toBe("With Suzan 6 to 4: you win and keep no Treasure, Suzan gets 2.");
  });
  it("says when it does not help", () => {
    expect(outcome(at(0), { ...wins, winning: false, munchkins: 3 }, 0, 1, 1)).toBe("Even with Suzan it is 3 to 4: you lose.");
    expect(outcome(at(1), { ...wins, winning: false, munchkins: 3 }, 0, 1, 1)).toBe("Even with you it is 3 to 4: Ann loses.");
  });
  it("says who picks", () => {
    expect([0, 1, 2, -1].map((p) => picking(at(0), p, 0, 1))).toEqual(["you pick first", "Suzan picks first", "you choose which", ""]);
    expect(picking(at(1), 1, 0, 1)).toBe("you pick first");
  });
});
