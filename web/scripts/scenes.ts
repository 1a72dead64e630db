/**
 * The notation of pictures: one line per card, `Name = backdrop; figure; figure`, read here and nowhere else.
 *
 *   Mr. Bones = crypt; skeleton bone; candle-light gold
 *   Orcs      = cave/moss; orc-head green x3; spears steel behind
 *
 * A backdrop may have a tint after a slash. A figure is an icon and, in any order: a colour (`green`), with that of its lines after a slash
 * (`green/blood`); a size (1 fills the height); a place (left, right, high, low, far: words add up; or `@x,y`); `tilt-20`, `flip`; `x2` to `x5` of
 * it; `behind`, in the haze. What is not said is arranged by how many there are.
 */
import { PALETTE } from "../src/lib/palette.ts";
import { BACKDROPS } from "../src/lib/backdrops.ts";
import type { Figure, Scene } from "../src/lib/scenes.ts";

const LAYOUT: Record<number, [number, number, number][]> = {
  1: [[50, 33, 0.98]],
  2: [[37, 32, 0.94], [77, 41, 0.6]],
  3: [[50, 31, 0.9], [18, 42, 0.52], [82, 42, 0.52]],
  4: [[50, 31, 0.84], [18, 44, 0.46], [82, 44, 0.46], [82, 16, 0.34]],
};
const CROWDS: Record<number, [number, number, number][]> = {
  2: [[-0.36, 0.02, 1], [0.36, -0.04, 0.9]],
  3: [[-0.6, 0.06, 0.82], [0.6, 0.06, 0.82], [0, -0.02, 1]],
  4: [[-0.75, -0.08, 0.68], [0.75, -0.08, 0.68], [-0.34, 0.1, 0.9], [0.38, 0.08, 0.9]],
  5: [[-0.95, -0.1, 0.6], [0.95, -0.1, 0.6], [-0.55, 0.06, 0.74], [0.55, 0.06, 0.74], [0, 0, 1]],
};
const PLACES: Record<string, [number, number]> = { left: [-26, 0], right: [26, 0], high: [0, -12], low: [0, 11], far: [0, 0] };

class Wrong extends Error {}

function figures(words: string[], slot: number, of: number): Figure[] {
  const [icon, ...rest] = words;
  let [x, y, size] = LAYOUT[Math.min(of, 4)]![Math.min(slot, 3)]!;
  let [colour, lines, tilt, flags, crowd] = ["", "", 0, 0, 1];
  let placed = false;
  for (const word of rest) {
    const at = /^@(-?\d+),(-?\d+)$/.exec(word);
    const hues = word.split("/");
    if (at) [x, y] = [Number(at[1]), Number(at[2])];
    else if (word in PLACES) {
      if (!placed) [x, y] = [50, 33];
      placed = true;
      const [dx, dy] = PLACES[word]!;
      [x, y] = word === "far" ? [x + Math.sign(x - 50) * 12, y] : [x + dx, y + dy];
    } else if (/^(\d|\.\d|\d\.\d+)$/.test(word)) size = Number(word);
    else if (/^tilt-?\d+$/.test(word)) tilt = Number(word.slice(4));
    else if (word === "flip") flags |= 1;
    else if (word === "behind") flags |= 2;
    else if (/^x[2-5]$/.test(word)) crowd = Number(word[1]);
    else if (hues.every((h) => h in PALETTE) && hues.length < 3) [colour, lines] = [hues[0]!, hues[1] ?? ""];
    else throw new Wrong(`does not know "${word}"`);
  }
  if (!colour) throw new Wrong(`${icon} has no colour`);
  const one = (dx: number, dy: number, k: number): Figure => [icon!, colour, lines, Math.round(x + dx * size * 50), Math.round(y + dy * size * 60), Math.round(size * k * 100) / 100, tilt, flags];
  return crowd === 1 ? [one(0, 0, 1)] : CROWDS[crowd]!.map(([dx, dy, k]) => one(dx, dy, k * 0.9));
}

/** One line's right side. */
export function scene(text: string): Scene {
  const [first, ...rest] = text.split(";").map((p) => p.trim().split(/\s+/));
  const [backdrop, tint = ""] = first![0]!.split("/");
  if (first!.length > 1 || !(backdrop! in BACKDROPS)) throw new Wrong(`has no backdrop "${first!.join(" ")}"`);
  if (tint && !(tint in PALETTE)) throw new Wrong(`has no colour "${tint}"`);
  if (!rest.length || rest.length > 4) throw new Wrong("a picture has one to four figures");
  const ahead = rest.filter((w) => !w.includes("behind"));
  const drawn = rest.flatMap((words) => (words.includes("behind") ? figures(words, 0, 1) : figures(words, ahead.indexOf(words), ahead.length)));
  return [backdrop!, tint, [...drawn.filter((f) => f[7] & 2), ...drawn.filter((f) => !(f[7] & 2))]];
}

/** A file of pictures: by name. Says the line where something is wrong. */
export function scenes(text: string, file: string): Record<string, Scene> {
  const out: Record<string, Scene> = {};
  for (const [i, line] of text.split("\n").entries()) {
    if (!line.trim() || line.startsWith("#")) continue;
    const cut = line.indexOf(" = ");
    const name = line.slice(0, cut).trim();
    try {
      if (cut < 0) throw new Wrong('is written "Name = backdrop; figure"');
      if (name in out) throw new Wrong("is there twice");
      out[name] = scene(line.slice(cut + 3));
    } catch (e) {
      throw e instanceof Wrong ? new Error(`${file}:${i + 1}: ${name} ${e.message}`) : e;
    }
  }
  return out;
}
