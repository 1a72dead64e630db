/**
 * The icons of game-icons.net, made light: every outline on a grid of whole numbers, and taken apart into what lies outside and what lies
 * inside of it. The outside alone is the figure's silhouette, both together are the icon as it was drawn; so a figure has two colours
 * and no byte is sent twice.
 */
import { createRequire } from "node:module";
import type { Outline } from "../src/lib/scenes.ts";

type Icons = { icons: Record<string, { body: string }>; aliases?: Record<string, { parent: string }> };
type Point = [number, number];

interface Loop {
  d: string;
  points: Point[];
  area: number;
}

const set = createRequire(import.meta.url)("@iconify-json/game-icons/icons.json") as Icons;
const SIZES: Record<string, number> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** The path of an icon as it comes, or nothing if there is none of that name. */
export function raw(name: string): string | null {
  const body = (set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ""])?.body;
  return body === undefined ? null : [...body.matchAll(/ d="([^"]+)"/g)].map((m) => m[1]).join("");
}

/** Commands and their numbers; the two flags of an arc may be written without a gap. */
function* commands(d: string): Generator<[string, number[]]> {
  for (const [, letter, rest] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const size = SIZES[letter!.toUpperCase()]!;
    const numbers: number[] = [];
    for (let left = rest!; ; ) {
      const flag = size === 7 && [3, 4].includes(numbers.length % 7);
      const m = (flag ? /^[\s,]*([01])/ : /^[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i).exec(left);
      if (!m) break;
      numbers.push(Number(m[1]));
      left = left.slice(m[0].length);
    }
    if (size === 0) yield [letter!, []];
    for (let i = 0; size && i + size <= numbers.length; i += size) yield [i && letter === "M" ? "L" : i && letter === "m" ? "l" : letter!, numbers.slice(i, i + size)];
  }
}

const written = (numbers: number[]): string => numbers.map((n, i) => (i && n >= 0 ? ` ${n}` : `${n}`)).join("");

/** Loops of a path, rounded where they are and not step by step, so that nothing drifts. */
export function loops(d: string): Loop[] {
  const out: Loop[] = [];
  let at: Point = [0, 0]; // as drawn
  let pen: Point = [0, 0]; // as rounded
  let start: Point = [0, 0];
  let parts: string[] = [];
  let points: Point[] = [];
  const close = (): void => {
    if (parts.length > 1) out.push({ d: parts.join(""), points, area: box(points) });
    parts = [];
    points = [];
  };
  for (const [letter, n] of commands(d)) {
    const big = letter.toUpperCase();
    const from = letter === big ? [0, 0] : at;
    if (big === "Z") {
      parts.push("z");
      at = start;
      close();
      continue;
    }
    if (big === "M" || !parts.length) {
      close();
      if (big === "M") at = start = [from[0]! + n[0]!, from[1]! + n[1]!];
      pen = [Math.round(at[0]), Math.round(at[1])];
      parts.push(`M${written(pen)}`);
      points.push(pen);
      if (big === "M") continue;
    }
    const ends: Point[] = [];
    if (big === "H") ends.push([from[0]! + n[0]!, at[1]]);
    else if (big === "V") ends.push([at[0], from[1]! + n[0]!]);
    else for (let i = big === "A" ? 5 : 0; i < n.length; i += 2) ends.push([from[0]! + n[i]!, from[1]! + n[i + 1]!]);
    const whole = ends.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
    const steps = whole.flatMap(([x, y]) => [x - pen[0], y - pen[1]]);
    if (big === "A") parts.push(`a${written([...n.slice(0, 3).map((v) => Math.round(v * 10) / 10), n[3]!, n[4]!, ...steps])}`);
    else if (["L", "H", "V"].includes(big)) {
      const [x, y] = steps as Point;
      if (x || y) parts.push(y === 0 ? `h${x}` : x === 0 ? `v${y}` : `l${written(steps)}`);
    } else parts.push(`${big.toLowerCase()}${written(steps)}`);
    points.push(...whole);
    at = ends.at(-1)!;
    pen = whole.at(-1)!;
  }
  close();
  return out;
}

function box(points: Point[]): number {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys));
}

function within([x, y]: Point, loop: Point[]): boolean {
  let inside = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const [a, b] = [loop[i]!, loop[j]!];
    if (a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

/** An icon as outside and inside; throws if there is no such icon. */
export function outline(name: string): Outline {
  const d = raw(name);
  if (!d) throw new Error(`there is no icon ${name}`);
  const all = loops(d);
  const inner = all.map((a) => all.some((b) => b !== a && b.area > a.area && within(a.points[0]!, b.points)));
  return [all.filter((_, i) => !inner[i]).map((l) => l.d).join(""), all.filter((_, i) => inner[i]).map((l) => l.d).join("")];
}
