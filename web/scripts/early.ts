/**
 * A Vite plugin: the document asks for the program itself, which its small entry (src/main.ts) would ask for only when it has come; the entry waits for nothing;
 * and it is told which files the other pages are made of (`#parts`), so that it can ask for them in time.
 */
import type { HtmlTagDescriptor, Plugin, Rollup } from "vite";

const PROGRAM = "/src/app.ts";
const PAGES = ["Home", "Lobby"];

/** What the entry needs is a file, and so is everything else but what belongs to one page alone: each file costs a way to the server. */
const FIRST = /\/src\/lib\/(ahead|protocol|session)\.ts|vite\/preload-helper|\.woff2\?url/;
const APART = /\/src\/(main|pages|counter|worker)|\/lib\/(?:replaying|lids)\.|\/parts\/(ChaptersSheet|PlayOnSheet|Shelf|BoxArt|Evenings|Expansions|BookSays|SetSheet|TableForm|WhoAmI|FirstTime|FacePicker|AtThisDevice|MyThings|Obstacles|ShareLink)\./;
const OURS = /\/web\/(src\/.*\.(ts|svelte)|node_modules\/(svelte|esm-env|clsx)\/)|virtual:game-icons$/;
/** What a table is drawn without (src/parts/later.ts). */
const LATER = /\/parts\/(later|Bubbles|ChatPanel|EndScreen|LevelGraph|Lesson|Sheets?|(?:Deal|Device|Fix|Help|More|Moves|Position|Rule|Seat|Seed|Settings)Sheet|Zoom)\.|\/lib\/(ending|picture|games)\.ts|\/stage\/(Stage|Cube|Finish)\.svelte/;
/** How pictures are put together: it comes with the first of them. */
const DRAWING = /\/lib\/(compose|backdrops)\.ts/;
/** A group takes along what it needs, unless one before it has it. */
export const together = [
  { name: "first", test: FIRST, priority: 4 },
  { name: (id: string): string | null => (OURS.test(id) && ![APART, LATER, DRAWING].some((x) => x.test(id)) ? "program" : null), priority: 3 },
  { name: "later", test: LATER, priority: 2 },
  { name: "drawing", test: DRAWING, priority: 1 },
];

export function early(): Plugin {
  return {
    name: "early",
    apply: "build",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((f): f is Rollup.OutputChunk => f.type === "chunk");
        const files = (of: string): Set<string> => {
          const first = chunks.find((c) => c.moduleIds.some((id) => id.endsWith(of)));
          if (!first) throw new Error(`no file with ${of} was built`);
          const all = new Set<string>();
          const add = (c: Rollup.OutputChunk): void => {
            if (c.isEntry || all.has(c.fileName)) return;
            all.add(c.fileName);
            for (const x of c.imports) add(bundle![x] as Rollup.OutputChunk);
          };
          add(first);
          return all;
        };
        const program = files(PROGRAM);
        const parts = PAGES.map((p) => [p, [...files(`/pages/${p}.svelte`)].filter((f) => !program.has(f)).map((f) => `/${f}`)]);
        const asked = [...program].map((f): HtmlTagDescriptor => ({ tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `/${f}` }, injectTo: "head" }));
        const told = `<script type="application/json" id="parts">${JSON.stringify(Object.fromEntries(parts))}</script>`;
        return { html: html.replace('<script type="module"', `${told}\n    <script async type="module"`), tags: asked };
      },
    },
  };
}
