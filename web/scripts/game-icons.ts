/**
 * A Vite plugin. `virtual:game-icons` holds the outlines of the icons that src/lib/icons.json names, and no others; those of sets, which only a shelf shows, are in `virtual:game-icons/sets`.
 * `virtual:pictures` knows the pictures of every pack, each a module of its own, which is fetched when the pack is on the table.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { Sheet } from "../src/lib/scenes.ts";
import { outline, raw } from "./outlines.ts";
import { scenes } from "./scenes.ts";

const ICONS = "virtual:game-icons";
const SETS = `${ICONS}/sets`;
const PICTURES = "virtual:pictures";
const here = (path: string): string => new URL(path, import.meta.url).pathname;
const TABLE = here("../src/lib/icons.json");
const PACKS = here("../../src/kickdoor/packs");
/** Pictures that belong to no pack. */
const OWN: Record<string, string> = { avatars: here("../src/lib/avatars.txt"), stock: here("../src/lib/stock.txt") };

const fileOf = (id: string): string => OWN[id] ?? join(PACKS, id, "pictures.txt");

/** Every pack that has pictures, in order. */
export const packs = (): string[] => readdirSync(PACKS).filter((id) => existsSync(fileOf(id))).sort();

const pictured = (id: string): Sheet["scenes"] => scenes(readFileSync(fileOf(id), "utf8"), fileOf(id));

/** The set whose pictures are fetched for whatever lacks one: what is printed again from there is not repeated. */
const BASE = "classic";
const AGAIN = /^ *- \{name: (?:"([^"]+)"|([^,]+)), as_in: (\w+)/gm;

/** The cards of a pack that are printed again from others (docs/card-language.md), each with the pack it is from. */
export function reprints(id: string): [string, string][] {
  if (id in OWN) return [];
  const texts = readdirSync(join(PACKS, id)).filter((f) => f.endsWith(".yaml")).map((f) => readFileSync(join(PACKS, id, f), "utf8"));
  return texts.flatMap((text) => [...text.matchAll(AGAIN)].map((m): [string, string] => [m[1] ?? m[2]!, m[3]!]));
}

/** The pictures of one pack, those of what it prints again, and the icons that they need; throws with file and line where something is wrong. */
export function sheet(id: string): Sheet {
  const file = fileOf(id);
  const again = reprints(id).filter(([, home]) => home !== BASE);
  const from = Object.fromEntries(again.map(([name, home]) => [name, pictured(home)[name]!]));
  const out: Sheet = { icons: {}, scenes: { ...from, ...pictured(id) } };
  for (const [name, [, , figures]] of Object.entries(out.scenes))
    for (const [icon] of figures)
      try {
        out.icons[icon] ??= outline(icon);
      } catch (e) {
        throw new Error(`${file}: ${name}: ${(e as Error).message}`);
      }
  return out;
}

function outlines(sets: boolean): Record<string, string> {
  const table = JSON.parse(readFileSync(TABLE, "utf8")) as Record<string, Record<string, string>>;
  const names = [...new Set(Object.entries(table).flatMap(([part, icons]) => ((part === "sets") === sets ? Object.values(icons) : [])))];
  const missing = names.filter((name) => !raw(name));
  if (missing.length) throw new Error(`no such game icons: ${missing.join(", ")}`);
  return Object.fromEntries(names.map((name) => [name, outline(name).join("")]));
}

const parsed = (data: unknown): string => `export default JSON.parse(${JSON.stringify(JSON.stringify(data))});`;

/** `only`: the pictures that this page can show, where it does not show all. */
export function gameIcons(only: string[] = [...packs(), ...Object.keys(OWN)]): Plugin {
  return {
    name: "game-icons",
    resolveId: (id) => (id === ICONS || id === SETS || id === PICTURES || id.startsWith(`${PICTURES}/`) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${ICONS}` || id === `\0${SETS}`) {
        this.addWatchFile(TABLE);
        return parsed(outlines(id === `\0${SETS}`));
      }
      if (id === `\0${PICTURES}`) return `export default {${only.map((p) => `${JSON.stringify(p)}: () => import("${PICTURES}/${p}")`).join(", ")}};`;
      if (!id.startsWith(`\0${PICTURES}/`)) return undefined;
      const pack = id.slice(PICTURES.length + 2);
      this.addWatchFile(fileOf(pack));
      return parsed(sheet(pack));
    },
  };
}
