/** Colours as numbers: mixing, and the contrast of one on another. */

export type Rgb = [number, number, number];

export function rgb(hex: string): Rgb | null {
  const m = /^#?([0-9a-f]{6})$/i.exec(hex.trim());
  if (!m) return null;
  const n = parseInt(m[1]!, 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

export const hex = (c: Rgb): string => `#${c.map((v) => Math.round(Math.max(0, Math.min(255, v))).toString(16).padStart(2, "0")).join("")}`;
export const mix = (a: Rgb, b: Rgb, part: number): Rgb => a.map((v, i) => v + (b[i]! - v) * part) as Rgb;

function luminance(c: Rgb): number {
  const [r, g, b] = c.map((v) => {
    const s = v / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

export const WHITE: Rgb = [255, 255, 255];
export const BLACK: Rgb = [0, 0, 0];

/** The colour, moved towards black or white until it stands out from all of these backgrounds. */
export function readable(c: Rgb, on: Rgb[], least: number): Rgb {
  const worst = (x: Rgb): number => Math.min(...on.map((b) => contrast(x, b)));
  const to = worst(WHITE) > worst(BLACK) ? WHITE : BLACK;
  for (let k = 0; k <= 20; k++) {
    const x = mix(c, to, k / 20);
    if (worst(x) >= least) return x;
  }
  return to;
}
