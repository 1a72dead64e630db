import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { placeOf } from "../src/lib/router.svelte";
import { pieces, split } from "../src/lib/texts";
import { contrast, rgb } from "../src/lib/colours";
import { look } from "../src/lib/themes";

/** The colours of every pack, as its head has them, and two that nobody should choose. */
const packs = fileURLToPath(new URL("../../src/kickdoor/packs", import.meta.url));
const themeOf = (id: string): Record<string, string> => Object.fromEntries([...readFileSync(join(packs, id, "pack.yaml"), "utf8").matchAll(/^  (door|treasure|paper|ink|accent): "(#\w+)"/gm)].map((m) => [m[1]!, m[2]!]));
const THEMES: Record<string, Record<string, string>> = {
  ...Object.fromEntries(readdirSync(packs).filter((id) => existsSync(join(packs, id, "pack.yaml"))).map((id) => [id, themeOf(id)])),
  odd: { door: "#ffffff", treasure: "#ffff00", paper: "#ffffff", ink: "#ffffff", accent: "#ffff66" },
  broken: { door: "red", paper: "" },
};

describe("themes", () => {
  it("are those of the packs", () => expect(Object.keys(THEMES["bites"]!).sort()).toEqual(["accent", "door", "ink", "paper", "treasure"]));
  for (const [name, theme] of Object.entries(THEMES))
    for (const dark of [false, true])
      it(`${name} is readable, ${dark ? "dark" : "light"}`, () => {
        const c = look(theme, dark, name);
        const at = (k: string) => rgb(c[k]!)!;
        for (const ground of ["bg", "panel", "raised", "card", "felt", "glow"]) for (const ink of ["text", "muted", "strong", "good", "bad"]) expect(contrast(at(ink), at(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("on-button"), at("button"))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("on-door"), at("door"))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(at("on-treasure"), at("treasure"))).toBeGreaterThanOrEqual(4.5);
        for (const k of Object.keys(c).filter((k) => k.startsWith("k-"))) expect(contrast(at("on-field"), at(k)), k).toBeGreaterThanOrEqual(4.5);
      });
  it("make five tables of five boxes", () => {
    for (const dark of [false, true]) {
      const felts = ["classic", "bites", "good_bad", "magical_mess", "shakespeare"].map((id) => look(THEMES[id]!, dark, id)["felt"]);
      expect(new Set(felts).size).toBe(5);
    }
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
