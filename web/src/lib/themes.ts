/** Themes are data: a pack brings five colours, everything else is mixed from them, with the contrast made sure of. */
import { BLACK, hex, mix, readable, rgb, WHITE, type Rgb } from "./colours.ts";

export type PackTheme = Partial<Record<"door" | "treasure" | "paper" | "ink" | "accent", string>>;

const CLASSIC: Required<PackTheme> = { door: "#6b3f1d", treasure: "#b8860b", paper: "#f4e7c8", ink: "#2b1d0e", accent: "#8b1a1a" };

const FIELDS: Record<string, string> = {
  monster: "#8a3320", curse: "#5f2c77", race: "#1d5f4c", class: "#1f4f86", item: "#6e5218", shot: "#0e6070", friend: "#56591a", dungeon: "#3f3a5c", level: "#8a5800", special: "#832757",
};

/** What the table of a box is made of, where its cards' colours do not say it. looks.css has the rest of a look, by the same names. */
const TABLES: Record<string, string> = { classic: "#8f8478", bites: "#6a45a0", good_bad: "#e0a94e", magical_mess: "#9a5ad8", shakespeare: "#a8283a" };

/** All custom properties of a look. */
export function look(theme: PackTheme, dark: boolean, box = ""): Record<string, string> {
  const t = { ...CLASSIC, ...theme };
  const [door, treasure, paper, ink, accent] = (["door", "treasure", "paper", "ink", "accent"] as const).map((k) => rgb(t[k]) ?? rgb(CLASSIC[k])!) as [Rgb, Rgb, Rgb, Rgb, Rgb];
  const night = mix(ink, BLACK, 0.45);
  const bg = dark ? mix(night, door, 0.06) : mix(paper, door, 0.2);
  const made = rgb(TABLES[box] ?? "") ?? door;
  const felt = dark ? mix(night, made, 0.3) : mix(paper, made, 0.34);
  const glow = dark ? mix(night, mix(door, treasure, 0.28), 0.62) : mix(paper, WHITE, 0.35);
  const panel = dark ? mix(night, paper, 0.075) : mix(paper, WHITE, 0.45);
  const raised = dark ? mix(night, paper, 0.14) : mix(paper, WHITE, 0.75);
  const card = dark ? mix(night, paper, 0.17) : mix(paper, WHITE, 0.55);
  const ground = [bg, panel, raised, card, felt, glow];
  const text = readable(dark ? mix(paper, WHITE, 0.25) : ink, ground, 7);
  const muted = readable(dark ? mix(paper, ink, 0.3) : mix(ink, paper, 0.25), ground, 4.6);
  const strong = readable(dark ? mix(treasure, [255, 214, 120], 0.45) : accent, ground, 4.6);
  const good = readable(dark ? [110, 200, 120] : [30, 100, 50], ground, 4.6);
  const bad = readable(dark ? [245, 130, 110] : [160, 30, 20], ground, 4.6);
  const button = dark ? mix(accent, WHITE, 0.06) : accent;
  const onButton = readable(mix(paper, WHITE, 0.5), [button], 4.6);
  const out: Record<string, string> = {
    bg: hex(bg), felt: hex(felt), glow: hex(glow), panel: hex(panel), raised: hex(raised), card: hex(card), text: hex(text), muted: hex(muted), strong: hex(strong),
    good: hex(good), bad: hex(bad), button: hex(button), "on-button": hex(onButton), door: hex(door), treasure: hex(treasure), paper: hex(paper), ink: hex(ink),
    "on-door": hex(readable(paper, [door], 4.6)), "on-treasure": hex(readable(ink, [treasure], 4.6)),
    line: hex(dark ? mix(night, paper, 0.28) : mix(paper, ink, 0.28)), edge: hex(readable(dark ? mix(night, paper, 0.45) : mix(paper, ink, 0.5), [panel, raised, card, bg], 3)),
    focus: hex(readable(dark ? [120, 190, 255] : [10, 80, 190], ground, 4.6)),
    shade: dark ? "rgba(0,0,0,.55)" : "rgba(43,29,14,.28)",
    "on-field": hex(mix(paper, WHITE, 0.5)),
  };
  for (const [k, v] of Object.entries(FIELDS)) out[`k-${k}`] = hex(readable(rgb(v)!, [mix(paper, WHITE, 0.5)], 5));
  for (const [k, v] of Object.entries(FIELDS)) out[`t-${k}`] = hex(readable(rgb(v)!, [card, panel, raised], 4.6));
  return out;
}

/** The page puts a look on: the colours of its pack, and what its box is made of. */
export function wear(theme: PackTheme, dark: boolean, box = ""): void {
  const root = document.documentElement;
  root.dataset["box"] = box in TABLES ? box : "classic";
  const colours = look(theme, dark, box);
  for (const [k, v] of Object.entries(colours)) root.style.setProperty(`--${k}`, v);
  root.style.colorScheme = dark ? "dark" : "light";
  root.dataset["look"] = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colours["bg"]!);
}
