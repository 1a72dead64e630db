import { describe, expect, it } from "vitest";
import { avatarOf } from "../src/lib/avatars";
import type { Table } from "../src/lib/table.svelte";
import { doing, framed, marks } from "../src/lib/seats";
import { type Company, escaping, listed, many, several, thrown, told } from "../src/lib/people";
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
  it("name once who does something to himself", () => {
    const players = [{ name: "Ann", sex: "female" }, { name: "Ole", sex: "male" }, { name: "Kim" }];
    const heard = (me: number, who: number): string => told({ seat: me, game: { players }, table: null }, "{o} [o:plays] it on {w}.", { o: who, w: who });
    expect([heard(0, 0), heard(1, 0), heard(0, 1), heard(0, 2)]).toEqual(["You play it on yourself.", "Ann plays it on herself.", "Ole plays it on himself.", "Kim plays it on themself."]);
    expect(told(seen(0), "With {h} it is won: {m} [m:wins], {h} [h:gets] 1.", { h: 1, m: 0 })).toBe("With Ole it is won: you win, Ole gets 1.");
  });
  it("say what it takes to get away", () => {
    const away = (seat: number, need: number): string => escaping(seen(0), { seat, need, chance: 33 }, "Undead Horse");
    expect([away(0, 5), away(1, 5), away(0, 0), away(1, 7)]).toEqual([
      "You need 5 or more on the die to get away from Undead Horse: 33%",
      "Ole needs 5 or more on the die to get away from Undead Horse: 33%",
      "You get away from Undead Horse without a throw",
      "Ole cannot get away from Undead Horse",
    ]);
  });
  it("call the sum a sum: only the face is on the die", () => {
    expect([thrown({ die: 2, bonus: 1, need: 5 }), thrown({ die: 2, bonus: -1 }), thrown({ die: 2, bonus: 0, need: 5 })]).toEqual(["2 + 1 = 3, needs 5", "2 − 1 = 1", "2 on the die, needs 5"]);
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
    const face = avatarOf({ name: "Ann" });
    expect(avatarOf({ name: " Ann " })).toBe(face);
    expect(avatarOf({ name: "Ann" }, [face])).not.toBe(face);
    expect(avatarOf({ name: "Ann", avatar: face }, [face])).toBe(face);
  });

  it("long names may be broken between syllables, short ones nowhere", () => {
    const shown = (name: string): string => breakable(name).replaceAll("\u00ad", "|");
    expect(shown("Bartholomew Bigglesworth")).toBe("Bar|tho|lo|mew Big|gles|worth");
    expect(shown("Suzan of Wannabe")).toBe("Suzan of Wannabe");
    expect(breakable("Bartholomew Bigglesworth", 12).replaceAll("\u00ad", "|")).toBe("Bartholomew Big|gles|worth");
  });
});

describe("the frame", () => {
  const who = (game: object): number[] => [0, 1, 2].filter((s) => framed({ game: { winners: [], phase: "", turn: 0, awaited: [], asked: null, offers: [], ...game } } as unknown as Table, s));
  it("is on whose turn it is, also where everybody may act", () => {
    expect(who({ phase: "before_door", awaited: [0] })).toEqual([0]);
    expect(who({ awaited: [1, 2] })).toEqual([0]);
    expect(who({ awaited: [0], asked: { about: "trade", seat: 1 }, offers: [{ to: 1 }] })).toEqual([0]);
  });
  it("has nobody play while the starting cards are put down", () => {
    const doings = (phase: string): string[] => [0, 1].map((s) => doing({ game: { winners: [], phase, turn: 0, awaited: [1], players: [{}, {}] }, clock: null } as unknown as Table, s));
    expect([doings("creation"), doings("before_door")]).toEqual([["idle", "thinking"], ["turn", "thinking"]]);
  });
  it("is on who must act: with the starting cards, at a body, and where a card asks", () => {
    expect(who({ phase: "creation", awaited: [1, 2] })).toEqual([1, 2]);
    expect(who({ awaited: [1], asked: { about: "loot", seat: 1 } })).toEqual([1]);
    expect(who({ awaited: [1, 2], asked: { about: "bid", seat: -1 } })).toEqual([0]);
  });
});

describe("the marks of a chart", () => {
  it("are first letters, and two where names begin alike", () => {
    expect(marks(["Ann", "bob", ""])).toEqual(["A", "B", "?"]);
    expect(marks(["Blitz", "Penny", "Percy", "Perry"])).toEqual(["B", "Pn", "Pc", "Pr"]);
    expect(marks(["Guest 1", "Guest 2"])).toEqual(["G1", "G2"]);
    expect(marks(["Ann", "Annabel"])).toEqual(["A", "Aa"]);
    expect(marks(["Bob", "Bob"])).toEqual(["B", "B2"]);
    for (const same of [["Bob", "Bob"], ["An", "Ann"], ["Ann", "An"]]) expect(new Set(marks(same)).size).toBe(2);
  });
});
