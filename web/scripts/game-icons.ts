/** A Vite plugin: `virtual:game-icons` holds the outlines of the icons that src/lib/icons.json names, and no others. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

const NAME = "virtual:game-icons";
const TABLE = new URL("../src/lib/icons.json", import.meta.url);

type Table = Record<string, Record<string, string>>;
type Icons = { icons: Record<string, { body: string }>; aliases?: Record<string, { parent: string }> };

function outlines(): Record<string, string> {
  const table = JSON.parse(readFileSync(TABLE, "utf8")) as Table;
  const set = createRequire(import.meta.url)("@iconify-json/game-icons/icons.json") as Icons;
  const out: Record<string, string> = {};
  const missing: string[] = [];
  for (const part of Object.values(table))
    for (const name of Object.values(part)) {
      const body = (set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ""])?.body;
      const d = body === undefined ? null : [...body.matchAll(/ d="([^"]+)"/g)].map((m) => m[1]).join("");
      if (d) out[name] = d;
      else missing.push(name);
    }
  if (missing.length) throw new Error(`no such game icons: ${[...new Set(missing)].join(", ")}`);
  return out;
}

export function gameIcons(): Plugin {
  return {
    name: "game-icons",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(TABLE.pathname);
      return `export default ${JSON.stringify(outlines())};`;
    },
  };
}
