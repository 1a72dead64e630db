/** Pictures as they are sent: read from the packs' lines at build time (scripts/scenes.ts), drawn by compose.ts. */

/** Path data of an icon: what lies outside, what lies inside of it. */
export type Outline = [string, string];
/** [icon, colour, colour of lines, x, y, size, tilt, 1 if mirrored + 2 if behind] */
export type Figure = [string, string, string, number, number, number, number, number];
/** [backdrop, tint, figures] */
export type Scene = [string, string, Figure[]];

/** All pictures of a pack, and the icons that are in them. */
export interface Sheet {
  icons: Record<string, Outline>;
  scenes: Record<string, Scene>;
}
