/** Writes src/lib/protocol.ts from the JSON Schema of the socket's messages (kickdoor.server.protocol.schema()). */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const own = `${root}.venv/bin/python`;
const python = process.env.PYTHON ?? (existsSync(own) ? own : "python3");
const schema = JSON.parse(
  execFileSync(python, ["-c", "import json; from kickdoor.server.protocol import schema; print(json.dumps(schema()))"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 24,
  }),
);

const name = (ref) => ref.split("/").pop();
const key = (k) => (/^[a-zA-Z_]\w*$/.test(k) ? k : JSON.stringify(k));
const wrap = (t) => (/[|&]/.test(t) && !/^[{[(]/.test(t) ? `(${t})` : t);

function type(s, pad) {
  if (s === true || Object.keys(s).length === 0) return "unknown";
  if (s.$ref) return name(s.$ref);
  if (s.const !== undefined) return JSON.stringify(s.const);
  if (s.enum) return s.enum.map((v) => JSON.stringify(v)).join(" | ");
  if (s.anyOf) return [...new Set(s.anyOf.map((x) => type(x, pad)))].join(" | ");
  if (Array.isArray(s.type)) return s.type.map((t) => type({ ...s, type: t }, pad)).join(" | ");
  switch (s.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      if (s.prefixItems) return `[${s.prefixItems.map((x) => type(x, pad)).join(", ")}]`;
      return `${wrap(type(s.items ?? {}, pad))}[]`;
    case "object":
      if (s.properties) return object(s, pad);
      return `Record<string, ${type(s.additionalProperties ?? {}, pad)}>`;
    default:
      return "unknown";
  }
}

function object(s, pad) {
  const needed = new Set(s.required ?? []);
  const rows = Object.entries(s.properties).map(([k, v]) => {
    const said = v.description ? `${pad}  /** ${v.description} */\n` : "";
    return `${said}${pad}  ${key(k)}${needed.has(k) ? "" : "?"}: ${type(v, `${pad}  `)};`;
  });
  return rows.length ? `{\n${rows.join("\n")}\n${pad}}` : "Record<string, never>";
}

const parts = Object.entries(schema.$defs).map(([k, s]) => {
  const said = s.description ? `/** ${s.description} */\n` : "";
  return s.properties ? `${said}export interface ${k} ${object(s, "")}` : `${said}export type ${k} = ${type(s, "")};`;
});
const head = `// ${schema.title}. Written by \`npm run types\` from kickdoor.server.protocol; do not edit.\n`;
const file = fileURLToPath(new URL("../src/lib/protocol.ts", import.meta.url));
writeFileSync(file, `${head}\n${parts.join("\n\n")}\n`);
console.log(`${file}: ${parts.length} types`);
