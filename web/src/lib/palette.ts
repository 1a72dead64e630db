/** The paints of all pictures: each word is one colour, from which light and shade are mixed. */
import { hex, mix, rgb, type Rgb } from "./colours.ts";

export const PALETTE: Record<string, string> = {
  bone: "#f0e4c4", paper: "#e9d6a8", straw: "#ecd07c", gold: "#e6ac2c", amber: "#d98222", fire: "#f26a22", blood: "#b4221d", red: "#d23c33", rust: "#a84f26", rose: "#d0487a", pink: "#f0a0b8",
  skin: "#eab992", tan: "#cfa56c", wood: "#9c6a38", brown: "#74452a", green: "#4fa045", moss: "#74893a", slime: "#a8d830", mint: "#8fdcb4", jade: "#1f9a78", teal: "#1b8a98", cyan: "#5fd0e0",
  sky: "#86c2ea", blue: "#3a6fc4", night: "#2a3468", violet: "#8450c0", plum: "#5c2b72", lilac: "#c3a4e6", steel: "#bcc8d4", grey: "#94949a", stone: "#77716c", snow: "#f6f8fc", coal: "#33302f", ink: "#1c1418",
};

const DARK: Rgb = [22, 14, 20];
const LIGHT: Rgb = [255, 250, 232];
const at = (name: string): Rgb => rgb(PALETTE[name] ?? PALETTE["stone"]!)!;

export const lit = (name: string): string => hex(mix(at(name), LIGHT, 0.3));
export const plain = (name: string): string => hex(at(name));
export const shaded = (name: string): string => hex(mix(at(name), DARK, 0.3));
/** What fills the lines inside of a figure: its own colour, deep in shadow. */
export const deep = (name: string): string => hex(mix(at(name), DARK, 0.68));
/** Five tones of a backdrop, from the darkest to the light, leaning a little to the colour of its box. */
export function tones(name: string, lean: string | null, how = 0.22): string[] {
  const to = lean ? rgb(lean) : null;
  const c = to ? mix(at(name), to, how) : at(name);
  return [mix(c, DARK, 0.72), mix(c, DARK, 0.5), mix(c, DARK, 0.24), mix(c, LIGHT, 0.1), mix(c, LIGHT, 0.5)].map(hex);
}
