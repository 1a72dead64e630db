import { describe, expect, it } from "vitest";
import { type Company, listed, many, several, told } from "../src/lib/people";

const NAMES = ["Ann", "Ole", "James"];
const seen = (seat: number): Company => ({ seat, game: { players: NAMES.map((name) => ({ name })) }, table: null });

describe("sentences about people", () => {
  it("are right for whoever hears them", () => {
    const text = "{w} [helps] {o} for {n}: it is {w's} turn, and the Treasure is {o's own}.";
    expect(told(seen(0), text, { w: 0, o: 1, n: "1" })).toBe("You help Ole for 1: it is your turn, and the Treasure is Ole’s.");
    expect(told(seen(1), text, { w: 0, o: 1, n: "1" })).toBe("Ann helps you for 1: it is Ann’s turn, and the Treasure is yours.");
    expect(told(seen(-1), text, { w: 2, o: 1, n: "1" })).toBe("James helps Ole for 1: it is James’s turn, and the Treasure is Ole’s.");
  });
  it("are right of several, and of nobody", () => {
    expect(told(seen(0), "{w} [wins]!", { w: [0, 1] })).toBe("Ole and you win!");
    expect(told(seen(0), "{w} [wins]!", { w: [0] })).toBe("You win!");
    expect(told(seen(0), "{w} [wins]!", { w: [1] })).toBe("Ole wins!");
    expect(told(seen(0), "Waiting for {w}", { w: [] })).toBe("Waiting for nobody");
  });
  it("know their verbs and numbers", () => {
    expect(["takes", "is", "has", "goes", "misses", "loses", "carries", "dies", "catches"].map(several)).toEqual(["take", "are", "have", "go", "miss", "lose", "carry", "die", "catch"]);
    expect([many(1, "level"), many(0, "level"), listed([]), listed(NAMES)]).toEqual(["1 level", "0 levels", "nobody", "Ann, Ole and James"]);
  });
  it("do not read what they are filled with", () => {
    expect(told(seen(0), "{c} comes.", { c: "{w} [takes]" })).toBe("{w} [takes] comes.");
  });
});
