/** Changes as the server sends them: [path, value] sets, [path] takes away. What is not on a path stays the same object. */

export type Key = string | number;

export class PatchError extends Error {}

/** The state with the changes made; the old one is left as it was. */
export function patched<T>(state: T, patch: readonly unknown[][]): T {
  let out: unknown = state;
  const fresh = new Set<object>();
  for (const change of patch) {
    const path = change[0] as Key[];
    if (!Array.isArray(path)) throw new PatchError("a change without a path");
    if (path.length === 0) {
      out = change[1];
      continue;
    }
    out = own(out, fresh);
    let at = out as Record<Key, unknown>;
    for (const key of path.slice(0, -1)) {
      if (typeof at[key] !== "object" || at[key] === null) throw new PatchError(`no such place: ${path.join(".")}`);
      at[key] = own(at[key], fresh);
      at = at[key] as Record<Key, unknown>;
    }
    const last = path[path.length - 1]!;
    if (change.length > 1) at[last] = change[1];
    else if (Array.isArray(at)) at.splice(Number(last), 1);
    else delete at[last];
  }
  return out as T;
}

/** A copy that may be written to; one per patch. */
function own(x: unknown, fresh: Set<object>): object {
  if (typeof x !== "object" || x === null) throw new PatchError("a path through something that is no object");
  if (fresh.has(x)) return x;
  const copy = Array.isArray(x) ? [...x] : { ...x };
  fresh.add(copy);
  return copy;
}
