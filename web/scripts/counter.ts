/**
 * A Vite plugin: the counter for real cards (counter.html) is built by itself, into one program and a document with its styles in it. Whoever scans its code
 * fetches those two, and nothing of the table on the screen; faces come when they are there.
 */
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, type Plugin, type ResolvedConfig, type Rollup } from "vite";
import { gameIcons } from "./game-icons.ts";

const PAGE = "counter.html";
/** Faces, and tongues other than English, come when they are wanted. */
const APART = /virtual:pictures\/|\/counter\/tongues\/(?!en\.ts)/;

export function counter(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "counter",
    configResolved: (c) => void (config = c),
    /** While one develops: the addresses of the counter are its document. */
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        if (/^\/counter(?:[/?#]|$)/.test(request.url ?? "")) request.url = `/${PAGE}`;
        next();
      });
    },
    async generateBundle(_, bundle) {
      const built = (await build({
        root: config.root,
        configFile: false,
        logLevel: "warn",
        plugins: [gameIcons(["avatars"]), svelte(), inside()],
        css: config.css as never,
        build: {
          write: false,
          target: config.build.target,
          assetsInlineLimit: 0,
          cssCodeSplit: false,
          modulePreload: { polyfill: false },
          rollupOptions: { input: PAGE, output: { entryFileNames: "assets/counter-[hash].js", chunkFileNames: (c) => (c.facadeModuleId?.includes("/tongues/") ? "assets/tongue-[name]-[hash].js" : "assets/[name]-[hash].js"), advancedChunks: { groups: [{ name: (id: string): string | null => (APART.test(id) ? null : "counter") }] } } },
        },
      })) as Rollup.RollupOutput;
      for (const file of built.output) {
        if (file.fileName in bundle) continue; // letters and patterns: the same content under the same name
        this.emitFile({ type: "asset", fileName: file.fileName, source: file.type === "chunk" ? file.code : file.source });
      }
    },
  };
}

/** The styles stand in the document: one way to the server less before something can be seen. */
function inside(): Plugin {
  return {
    name: "inside",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/, (_, name: string) => {
          const css = bundle?.[name] as Rollup.OutputAsset;
          delete bundle![name];
          return `<style>${String(css.source)}</style>`;
        });
      },
    },
  };
}
