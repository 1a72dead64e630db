/** What this browser remembers: who I am, my seats, my settings. Nothing breaks where storage is forbidden. */

const memory = new Map<string, string>();

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

export function keep(key: string, value: string | null): void {
  if (value === null) memory.delete(key);
  else memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    /* a private window: the memory has it */
  }
}

export const token = {
  of: (table: string): string | null => recall(`kickdoor.seat.${table}`),
  keep: (table: string, value: string | null): void => keep(`kickdoor.seat.${table}`, value),
};

/** What this page calls itself where it only watches, so that what it says over two lines is said once. */
let watching = "";
export function watcher(): string {
  watching ||= Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (x) => x.toString(16).padStart(2, "0")).join("");
  return watching;
}

export const me = {
  get name(): string {
    return recall("kickdoor.name") ?? "";
  },
  set name(v: string) {
    keep("kickdoor.name", v);
  },
  get sex(): string {
    return recall("kickdoor.sex") ?? "female";
  },
  set sex(v: string) {
    keep("kickdoor.sex", v);
  },
  /** the face last chosen; nothing: the one that goes with the name */
  get avatar(): string {
    return recall("kickdoor.avatar") ?? "";
  },
  set avatar(v: string) {
    keep("kickdoor.avatar", v || null);
  },
};

export interface Visited {
  table: string;
  name: string;
  at: number;
}

/** The tables I sat at, latest first. */
export function visited(): Visited[] {
  try {
    const all = JSON.parse(recall("kickdoor.tables") ?? "[]") as Visited[];
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

export function visit(table: string, name: string): void {
  const rest = visited().filter((v) => v.table !== table);
  keep("kickdoor.tables", JSON.stringify([{ table, name, at: Date.now() }, ...rest].slice(0, 8)));
}

export function forget(table: string): void {
  keep("kickdoor.tables", JSON.stringify(visited().filter((v) => v.table !== table)));
  token.keep(table, null);
}

/** Copy a text; over plain http there is no clipboard, so the old way is tried as well. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("readonly", "");
    area.style.position = "fixed";
    area.style.opacity = "0";
    const back = document.activeElement as HTMLElement | null;
    ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body).append(area); // outside an open dialog nothing can be selected
    area.select();
    let ok = false;
    try {
      ok = document.execCommand("copy");
    } catch {
      ok = false;
    }
    area.remove();
    back?.focus?.();
    return ok;
  }
}

/** Hand a text over as a file. */
export function save(text: string, file: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
