import { describe, expect, it } from "vitest";
import { iconOf } from "../src/lib/icons";
import table from "../src/lib/icons.json";
import { placeOf } from "../src/lib/router.svelte";
import { pieces, split } from "../src/lib/texts";
import { contrast, rgb } from "../src/lib/colours";
import { look } from "../src/lib/themes";

const THEMES = {
  classic: { door: "#6b3f1d", treasure: "#b8860b", paper: "#f4e7c8", ink: "#2b1d0e", accent: "#8b1a1a" },
  errors: { door: "#4a2f5e", treasure: "#b08d2e", paper: "#f1e9d6", ink: "#241a2e", accent: "#7a2348" },
  axe: { door: "#3f4a1d", treasure: "#a8741a", paper: "#eee8c9", ink: "#23240f", accent: "#6b2f14" },
  bites: { door: "#2a1240", treasure: "#6a1fae", paper: "#e9dff5", ink: "#150a20", accent: "#a0104a" },
  odd: { door: "#ffffff", treasure: "#ffff00", paper: "#ffffff", ink: "#ffffff", accent: "#ffff66" },
  broken: { door: "red", paper: "" },
};

describe("themes", () => {
  for (const [name, theme] of Object.entries(THEMES))
    for (const dark of [false, true])
      it(`${name} is readable, ${dark ? "dark" : "light"}`, () => {
        const c = look(theme, dark);
        const at = (k: string) => rgb(c[k]!)!;
        for (const ground of ["bg", "panel", "raised", "card", "felt", "glow"]) for (const ink of ["text", "muted", "strong", "good", "bad"]) expect(contrast(at(ink), at(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("on-button"), at("button"))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("on-door"), at("door"))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("on-treasure"), at("treasure"))).toBeGreaterThanOrEqual(4.5);
        for (const k of Object.keys(c).filter((k) => k.startsWith("k-"))) expect(contrast(at("on-field"), at(k)), k).toBeGreaterThanOrEqual(4.5);
      });
});

describe("icons", () => {
  it("finds one for a name, else for the kind", () => {
    expect(iconOf({ name: "Plutonium Dragon", kind: "monster" })).toBe("dragon-head");
    expect(iconOf({ name: "Zzz", kind: "curse" })).toBe(table.kinds.curse);
    expect(iconOf({ name: "Card Trick", kind: "special" })).toBe(table.kinds.special); // no car in it
    expect(iconOf({ name: "Orcs", kind: "monster" })).toBe("orc-head");
  });
});

describe("texts", () => {
  it("are cut into pieces without losing a letter", () => {
    const text = "+3 against Clerics. Lose 1 level, or 1,000 gp; then run away.";
    expect(pieces(text).map((p) => p.text).join("")).toBe(text);
    expect(pieces(text).filter((p) => p.as === "number").map((p) => p.text)).toEqual(["+3", "1", "1,000"]);
    expect(pieces("<b>x</b>")).toEqual([{ text: "<b>x</b>", as: "plain" }]);
  });
  it("split a button into what and why", () => {
    expect(split("I'm done (you are losing: you would have to run)")).toEqual(["I'm done", "you are losing: you would have to run"]);
    expect(split("I'm done: let it happen")).toEqual(["I'm done", "let it happen"]);
    expect(split("Kick open the door")).toEqual(["Kick open the door", ""]);
  });
});

describe("places", () => {
  it("are known by their path", () => {
    expect(placeOf("/")).toEqual({ page: "home" });
    expect(placeOf("/t/abc")).toEqual({ page: "table", table: "abc", move: null });
    expect(placeOf("/t/abc", "", "#move=xyz")).toEqual({ page: "table", table: "abc", move: "xyz" });
    expect(placeOf("/t/abc/replay", "?game=2")).toEqual({ page: "replay", table: "abc", game: 2 });
    expect(placeOf("/about")).toEqual({ page: "about" });
    expect(placeOf("/nowhere/else")).toEqual({ page: "lost" });
  });
});
