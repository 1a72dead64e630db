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

/** The seats at a table that belong to this device: several, where people share it. */
export const held = {
  of(table: string): string[] {
    try {
      const all = JSON.parse(recall(`kickdoor.seats.${table}`) ?? "[]") as unknown;
      const known = Array.isArray(all) ? all.filter((x) => typeof x === "string") : [];
      const mine = recall(`kickdoor.seat.${table}`);
      return mine === null || known.includes(mine) ? known : [mine, ...known];
    } catch {
      return [];
    }
  },
  add: (table: string, value: string): void => keep(`kickdoor.seats.${table}`, JSON.stringify([...new Set([...held.of(table), value])])),
  drop(table: string, value: string): void {
    const left = held.of(table).filter((x) => x !== value);
    keep(`kickdoor.seats.${table}`, left.length ? JSON.stringify(left) : null);
    if (recall(`kickdoor.seat.${table}`) === value) keep(`kickdoor.seat.${table}`, left[0] ?? null);
  },
};

/** The seat that has the screen. */
export const token = {
  of: (table: string): string | null => recall(`kickdoor.seat.${table}`),
  keep(table: string, value: string | null): void {
    if (value !== null && held.of(table).length) held.add(table, value); // those who share the device stay
    keep(`kickdoor.seat.${table}`, value);
    if (value === null) keep(`kickdoor.seats.${table}`, null);
  },
};

const unguessable = (bytes: number): string => Array.from(globalThis.crypto.getRandomValues(new Uint8Array(bytes)), (x) => x.toString(16).padStart(2, "0")).join("");

/** A token of our own making for a seat that is asked for: where the answer is lost one asks again with the same, and has the seat once. */
export const newToken = (): string => unguessable(24);

/** What this page calls itself where it only watches, so that what it says over two lines is said once. */
let watching = "";
export function watcher(): string {
  watching ||= unguessable(16);
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
  /** a game is going on there, as far as I know */
  on?: boolean;
}

const DAYS = 3 * 24 * 3600 * 1000;

/** The game that I left in the middle of, if it is not long ago. */
export const left = (): Visited | null => visited().find((v) => v.on && Date.now() - v.at < DAYS && token.of(v.table) !== null) ?? null;

/** The tables I sat at, latest first. */
export function visited(): Visited[] {
  try {
    const all = JSON.parse(recall("kickdoor.tables") ?? "[]") as Visited[];
    return Array.isArray(all) ? all : [];
  } catch {
    return [];
  }
}

export function visit(table: string, name: string, on: boolean): void {
  const rest = visited().filter((v) => v.table !== table);
  keep("kickdoor.tables", JSON.stringify([{ table, name, at: Date.now(), on }, ...rest].slice(0, 8)));
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
export function save(text: string, file: string, type = "application/yaml"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
