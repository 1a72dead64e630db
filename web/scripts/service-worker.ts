/** A Vite plugin: tells the service worker which files the built page consists of, and a version made of their content. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Plugin, Rollup } from "vite";

type OutputBundle = Rollup.OutputBundle;

const PUBLIC = new URL("../public/", import.meta.url);
const SOURCES = new URL("../src/", import.meta.url).pathname;
const WORKER = "sw.js";

/** What is fetched in advance: the program, its looks and the counter's tongues. Letters and pictures are kept when they have been used. */
const BESIDE = ["/icon.svg", "/icon-192.png", "/manifest.webmanifest"];
const ours = (file: OutputBundle[string]): boolean => (file.type === "chunk" ? file.fileName !== WORKER && file.moduleIds.some((id) => id.startsWith(SOURCES)) : /^assets\/(.*\.css|(counter|tongue)-.*\.js)$/.test(file.fileName));

export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const worker = bundle[WORKER];
        if (worker?.type !== "chunk") throw new Error(`no ${WORKER} was built`);
        if (worker.imports.length || worker.exports.length) throw new Error("the service worker must be one file: it shares code with the page");
        const digest = createHash("sha256").update(worker.code);
        for (const name of Object.keys(bundle).sort()) {
          const file = bundle[name]!;
          if (file !== worker) digest.update(name).update(file.type === "chunk" ? file.code : file.source);
        }
        const beside = readdirSync(PUBLIC, { withFileTypes: true }).filter((f) => f.isFile()).map((f) => f.name).sort();
        for (const name of beside) digest.update(name).update(readFileSync(new URL(name, PUBLIC)));
        const files = ["/", "/counter", ...BESIDE, ...Object.values(bundle).filter(ours).map((f) => `/${f.fileName}`)];
        worker.code = `const FILES=${JSON.stringify(files)},VERSION=${JSON.stringify(digest.digest("hex").slice(0, 12))};\n${worker.code}`;
      },
    },
  };
}
