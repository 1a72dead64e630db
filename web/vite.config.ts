import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { counter } from "./scripts/counter.ts";
import { early, together } from "./scripts/early.ts";
import { gameIcons } from "./scripts/game-icons.ts";
import { packed } from "./scripts/packed.ts";
import { serviceWorker } from "./scripts/service-worker.ts";

// The built table lands in the Python package and is served from the root of its server.
const server = process.env["KICKDOOR_SERVER"] ?? "http://127.0.0.1:8321";

/** Every browser that can run the table takes woff2: the older form of each font stays out of the package. */
const woff2 = { postcssPlugin: "woff2", Declaration: { src: (d: { value: string }) => { d.value = d.value.replace(/,\s*url\([^)]*\.woff\)\s*format\(["']woff["']\)/g, ""); } } };

export default defineConfig({
  plugins: [gameIcons(), svelte(), early(), counter(), serviceWorker(), packed()],
  css: { postcss: { plugins: [woff2] } },
  build: {
    outDir: "../src/kickdoor/server/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: false, // one file of styles, read before anything is drawn
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      input: { index: "index.html", sw: "src/worker/sw.ts" },
      output: { entryFileNames: (chunk) => (chunk.name === "sw" ? "sw.js" : "assets/[name]-[hash].js"), advancedChunks: { groups: together } },
    },
  },
  server: {
    proxy: {
      "/api": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    testTimeout: 60_000, // a busy machine is slow, and nothing here waits for time to pass
    environment: "node",
  },
});
