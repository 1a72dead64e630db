/** A picture's line of data becomes shapes: backdrop, light, shadows, figures. Pure, so that the build can draw sheets of all of them, too. */
import type { Figure, Outline, Scene } from "./scenes.ts";
import { BACKDROPS } from "./backdrops.ts";
import { dice } from "./dice.ts";
import { deep, PALETTE, plain, tones } from "./palette.ts";

/** One path. `edge` is the width of its dark outline. */
export interface Shape {
  d: string;
  fill: string;
  at?: string;
  opacity?: number;
  edge?: number;
}

export interface Drawing {
  back: Shape[];
  figures: Shape[];
}

/** How wide a picture is; all are 64 high. Avatars are square. */
export type Frame = 100 | 64;

const ICON = 512;
const HEIGHT = 62;

function layer(text: string, ramp: string[], mirror: boolean): Shape {
  const cut = text.indexOf("|");
  const [hue, thin] = text.slice(0, cut).split("*");
  return { d: text.slice(cut + 1), fill: /^\d$/.test(hue!) ? ramp[Number(hue)]! : plain(hue!), ...(thin ? { opacity: Number(thin) } : {}), ...(mirror ? { at: "translate(100 0) scale(-1 1)" } : {}) };
}

function standing([, , , x, y, size, tilt, flags]: Figure, shift: number): string {
  const k = (HEIGHT * size) / ICON;
  return `translate(${x - shift} ${y})${tilt ? ` rotate(${tilt})` : ""} scale(${(flags & 1 ? -k : k).toFixed(4)} ${k.toFixed(4)}) translate(-256 -256)`;
}

function figure(f: Figure, [outer, inner]: Outline, floor: number, shift: number, haze: string): Shape[] {
  const [, colour, lines, x, y, size, tilt, flags] = f;
  const at = standing(f, shift);
  if (flags & 2) return [{ d: outer + inner, fill: haze, at, opacity: 0.5 }];
  const foot = Math.min(floor + 3, y + HEIGHT * size * 0.5);
  const wide = 19 * size;
  const shadow: Shape[] = y + HEIGHT * size * 0.5 > floor - 8 ? [{ d: `M${x - shift - wide} ${foot}a${wide} ${wide * 0.2} 0 1 0 ${2 * wide} 0a${wide} ${wide * 0.2} 0 1 0 ${-2 * wide} 0z`, fill: "#0a0608", opacity: 0.38 }] : [];
  const cast = standing([f[0], colour, lines, x + 1.6, y + 1.4, size, tilt, flags], shift);
  return [
    ...shadow,
    { d: outer, fill: "#0a0608", at: cast, opacity: 0.35 },
    { d: outer, fill: lines ? plain(lines) : deep(colour), at, edge: 15 / Math.sqrt(size) },
    { d: outer + inner, fill: `url(#paint-${colour})`, at },
  ];
}

/** `lean` is the colour of the box, to which its backdrops lean; `name` decides which way round the backdrop is. */
export function compose(scene: Scene, icons: Record<string, Outline>, lean: string | null, name: string, frame: Frame = 100): Drawing {
  const [place, tint, figures] = scene;
  const b = BACKDROPS[place]!;
  const ramp = tones(tint || b.tint, lean);
  const shift = (100 - frame) / 2;
  const mirror = dice(name) % 2 === 1;
  return {
    back: b.layers.map((text) => {
      const s = layer(text, ramp, mirror);
      return shift ? { ...s, at: `translate(${-shift} 0) ${s.at ?? ""}` } : s;
    }),
    figures: figures.flatMap((f) => (icons[f[0]] ? figure(f, icons[f[0]]!, b.floor, shift, ramp[0]!) : [])),
  };
}

export const paints = Object.keys(PALETTE);
