/** Packs the built files, once and for all: beside each one lies what `server/files.py` sends to browsers that take it so. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const WORTH = /\.(js|css|svg|json|txt|html)$/; // woff2 is packed already
const LEAST = 700; // bytes: below that it fits one parcel of the network anyhow

export function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir);
    },
    writeBundle() {
      for (const name of readdirSync(folder)) {
        if (!WORTH.test(name)) continue;
        const file = join(folder, name);
        const data = readFileSync(file);
        if (data.length < LEAST) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }));
        writeFileSync(`${file}.gz`, gzipSync(data, { level: 9 }));
      }
    },
  };
}
