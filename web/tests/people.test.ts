import { describe, expect, it } from "vitest";
import { avatarOf } from "../src/lib/avatars";
import { type Company, listed, many, several, told } from "../src/lib/people";
import { breakable } from "../src/lib/texts";

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

describe("how people look", () => {
  const CROWD = ["Suzan", "Bob", "Mira", "Otto", "Pip", "Grim", "Zelda", "Knut", "Olga", "Fritz", "Runa", "Tom"];
  const bots = CROWD.map((name) => avatarOf({ name, who: "bot" }));

  it("nobody gets the face of a bot without choosing it, not even by its name", () => {
    const people = [...CROWD, ...Array.from({ length: 200 }, (_, i) => `P${i}`)].map((name) => avatarOf({ name, who: "person" }));
    expect(people.filter((x) => bots.includes(x))).toEqual([]);
    expect(avatarOf({ name: "Ann", who: "person", avatar: bots[0]! })).toBe(bots[0]);
  });

  it("long names may be broken between syllables, short ones nowhere", () => {
    const shown = (name: string): string => breakable(name).replaceAll("\u00ad", "|");
    expect(shown("Bartholomew Bigglesworth")).toBe("Bar|tho|lo|mew Big|gles|worth");
    expect(shown("Suzan of Wannabe")).toBe("Suzan of Wannabe");
    expect(breakable("Bartholomew Bigglesworth", 12).replaceAll("\u00ad", "|")).toBe("Bartholomew Big|gles|worth");
  });
});
