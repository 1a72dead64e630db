import { describe, expect, it } from "vitest";
import { packs, reprints, sheet } from "../scripts/game-icons";
import { loops, outline } from "../scripts/outlines";
import { scene, scenes } from "../scripts/scenes";
import { AVATARS, avatarOf } from "../src/lib/avatars";
import { BACKDROPS } from "../src/lib/backdrops";
import { compose } from "../src/lib/compose";
import { PALETTE } from "../src/lib/palette";
import { alone, invented, wordFor } from "../src/lib/pictures.svelte";

describe("outlines", () => {
  it("are rounded where they are, not step by step", () => {
    expect(loops("M0 0h.4.4.4.4.4v2z")[0]!.d).toBe("M0 0h1h1v2z"); // 2 in all
    expect(loops("m1 1l2 0 0 2z m10 0h1v1z").map((l) => l.d)).toEqual(["M1 1h2v2z", "M11 1h1v1z"]);
    expect(loops("M0 0a5 5 0 019 1z")[0]!.d).toBe("M0 0a5 5 0 0 1 9 1z"); // flags without a gap
  });
  it("know inside from outside", () => {
    const [outer, inner] = outline("skull-mask");
    expect(outer.length).toBeGreaterThan(100);
    expect(inner.length).toBeGreaterThan(50);
  });
  it("of no icon do not exist", () => expect(() => outline("no-such-thing")).toThrow("no-such-thing"));
});

describe("the notation", () => {
  it("places, sizes, turns and colours", () => {
    expect(scene("crypt/moss; skeleton bone/blood 0.5 left low tilt-20 flip")).toEqual(["crypt", "moss", [["skeleton", "bone", "blood", 24, 44, 0.5, -20, 1]]]);
    expect(scene("crypt; skeleton bone @10,20")[2][0]!.slice(3, 5)).toEqual([10, 20]);
    expect(scene("cave; rat grey x3; moon bone behind")[2]).toHaveLength(4);
  });
  it("draws what is behind first, and leaves it out of the arrangement", () => {
    const [far, near] = scene("cave; rat grey; moon bone behind")[2];
    expect([far![0], near![0]]).toEqual(["moon", "rat"]);
    expect(near!.slice(3, 5)).toEqual(scene("cave; rat grey")[2][0]!.slice(3, 5));
  });
  for (const [bad, says] of [["nowhere; rat grey", "backdrop"], ["cave", "one to four"], ["cave; rat", "no colour"], ["cave; rat grey sideways", "sideways"], ["cave/nohue; rat grey", "nohue"]] as const)
    it(`refuses "${bad}"`, () => expect(() => scenes(`X = ${bad}`, "f")).toThrow(new RegExp(`f:1: X .*${says}`)));
  it("refuses a name that is there twice", () => expect(() => scenes("X = cave; rat grey\nX = cave; rat grey", "f")).toThrow("twice"));
});

describe("backdrops", () => {
  for (const [name, b] of Object.entries(BACKDROPS))
    it(`${name} has a ground, tones and paints that exist`, () => {
      expect(b.tint in PALETTE).toBe(true);
      expect(b.layers[0]).toMatch(/^\d\|M0 0h100v64H0z$/);
      for (const l of b.layers) expect(l).toMatch(/^([0-4]|[a-z]+)(\*\.?\d+(\.\d+)?)?\|M[-\d.]/);
      for (const l of b.layers) expect(l).not.toMatch(/NaN|undefined/);
      for (const l of b.layers.map((x) => x.split(/[*|]/)[0]!)) expect(/^\d$/.test(l) || l in PALETTE, l).toBe(true);
    });
});

describe("avatars", () => {
  const { icons, scenes: faces } = sheet("avatars");
  it("are those that are offered, each with a face of its own", () => {
    expect(Object.keys(faces)).toEqual([...AVATARS]);
    expect(new Set(Object.values(faces).map((s) => s[2][0]![0])).size).toBe(AVATARS.length);
  });
  it("go with a name, and with a choice before that", () => {
    expect(avatarOf({ name: "Suzan", who: "bot" })).toBe("witch");
    expect(avatarOf({ name: "Suzan", avatar: "fox" })).toBe("fox");
    expect(avatarOf({ name: "Anybody", avatar: "<script>" })).toBe(avatarOf({ name: "Anybody" }));
  });
  it("are drawn within a square", () => expect(compose(faces["fox"]!, icons, null, "fox", 64).figures.at(-1)!.at).toContain("translate(32 "));
});

describe("the pictures of the packs", () => {
  it("are those of the first printing where a card is printed again", () => {
    expect(reprints("clerical_errors")).toContainEqual(["Orc", "unnatural_axe"]);
    const [first, again] = [sheet("unnatural_axe"), sheet("clerical_errors")];
    expect(again.scenes["Orc"]).toEqual(first.scenes["Orc"]);
    for (const [icon] of first.scenes["Orc"]![2]) expect(again.icons[icon]).toEqual(first.icons[icon]);
    expect(again.scenes["Elf"]).toBeUndefined(); // the base set's are fetched with it
  });
  for (const pack of packs()) {
    const whole = sheet(pack);
    const all = whole.scenes;
    it(`${pack}: is light enough to be fetched with the table`, () => expect(JSON.stringify(whole).length).toBeLessThan(400_000));
    it(`${pack}: no two look alike`, () => {
      const seen = new Map<string, string>();
      for (const [name, [place, tint, figures]] of Object.entries(all)) {
        const key = JSON.stringify([place, tint, figures.map((f) => f[0])]);
        expect(seen.get(key), `${name} looks like`).toBeUndefined();
        seen.set(key, name);
      }
    });
  }
});

describe("a card without a picture", () => {
  const stock = sheet("stock");
  const card = (name: string, kind: string, tags: string[] = [], slot = "") => ({ name, kind, tags, slot, pack: "elsewhere" });
  it("is drawn by the longest word of its name, by a tag, by its slot, by its kind", () => {
    const words = Object.keys(stock.scenes);
    expect(wordFor(card("Sword Dragons", "monster"), words)).toBe("dragon");
    expect(wordFor(card("Zzz", "monster", ["undead"]), words)).toBe("undead");
    expect(wordFor(card("Zzz", "item", [], "headgear"), words)).toBe("headgear");
    expect(wordFor(card("Zzz", "curse"), words)).toBe("kind curse");
    expect(wordFor(card("Card Trick", "special"), words)).toBe("kind special"); // no cat in it
    expect(wordFor(card("Zzz", "nobody knows"), words)).toBe("kind special");
  });
  it("looks the same every time, and not like the next one", () => {
    expect(invented(card("Zzz", "curse"), stock)).toEqual(invented(card("Zzz", "curse"), stock));
    expect(invented(card("Zzz", "curse"), stock)).not.toEqual(invented(card("Yyy", "curse"), stock));
  });
  it("has its main figure alone where there is little room", () => expect(alone(scene("cave; rat grey x3; moon bone behind"))[2]).toEqual([["rat", "grey", "", 50, 33, 0.94, 0, 0]]));
});
