/** Contact sheets: `node scripts/sheets.ts FOLDER [PACK...]` writes one HTML page per pack, with every picture and its name, to be looked at. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compose, paints, type Shape } from "../src/lib/compose.ts";
import { lit, plain, shaded } from "../src/lib/palette.ts";
import { packs, sheet } from "./game-icons.ts";
import { LEANINGS } from "../src/lib/leanings.ts";

const escaped = (s: string): string => s.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const path = (s: Shape): string => `<path d="${s.d}" fill="${s.fill}"${s.at ? ` transform="${s.at}"` : ""}${s.opacity ? ` opacity="${s.opacity}"` : ""}${s.edge ? ` stroke="#140c10" stroke-width="${s.edge.toFixed(1)}" stroke-linejoin="round"` : ""}/>`;
const defs = `<svg width="0" height="0" style="position:absolute"><defs>${paints.map((p) => `<linearGradient id="paint-${p}" x1="0" y1="0" x2="0.35" y2="1"><stop stop-color="${lit(p)}"/><stop offset=".55" stop-color="${plain(p)}"/><stop offset="1" stop-color="${shaded(p)}"/></linearGradient>`).join("")}<radialGradient id="light" cx=".5" cy=".42" r=".6"><stop stop-color="#fff6d8" stop-opacity=".5"/><stop offset="1" stop-color="#fff6d8" stop-opacity="0"/></radialGradient><radialGradient id="dusk" cx=".5" cy=".45" r=".75"><stop offset=".55" stop-color="#0c0608" stop-opacity="0"/><stop offset="1" stop-color="#0c0608" stop-opacity=".55"/></radialGradient></defs></svg>`;

const [folder = "/tmp", ...asked] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const pack of asked.length ? asked : [...packs(), "avatars"]) {
  const { icons, scenes } = sheet(pack);
  const frame = pack === "avatars" ? 64 : 100;
  const cells = Object.entries(scenes).map(([name, s]) => {
    const d = compose(s, icons, LEANINGS[pack] ?? null, name, frame);
    const box = `viewBox="0 0 ${frame} 64"`;
    return `<figure><svg ${box}>${d.back.map(path).join("")}<rect width="100" height="64" fill="url(#light)"/>${d.figures.map(path).join("")}<rect width="100" height="64" fill="url(#dusk)"/></svg><figcaption>${escaped(name)}</figcaption></figure>`;
  });
  writeFileSync(join(folder, `${pack}.html`), `<!doctype html><meta charset=utf-8><title>${pack}</title><style>body{margin:8px;background:#ddd;font:11px sans-serif;display:grid;grid-template-columns:repeat(8,1fr);gap:6px}figure{margin:0}svg{display:block;width:100%;border-radius:4px}</style>${defs}${cells.join("\n")}`);
}
