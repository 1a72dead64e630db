/** The places, by path. */

export type Place =
  | { page: "home" }
  | { page: "about" }
  | { page: "games" }
  | { page: "counter"; counter: string | null }
  | { page: "rules"; chapter: string | null; rule: string | null }
  | { page: "table"; table: string; move: string | null }
  | { page: "replay"; table: string; game: number | null }
  | { page: "lost" };

export function placeOf(path: string, search = "", hash = ""): Place {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(search);
  const behind = new URLSearchParams(hash.replace(/^#/, ""));
  if (parts.length === 0) return { page: "home" };
  if (parts[0] === "about" && parts.length === 1) return { page: "about" };
  if (parts[0] === "games" && parts.length === 1) return { page: "games" };
  if (parts[0] === "counter" && parts.length <= 2) return { page: "counter", counter: parts[1] ?? null };
  if (parts[0] === "rules" && parts.length <= 2) return { page: "rules", chapter: parts[1] ?? null, rule: hash.replace(/^#/, "") || null };
  if (parts[0] === "t" && parts[1]) {
    if (parts.length === 2) return { page: "table", table: parts[1], move: behind.get("move") };
    if (parts[2] === "replay" && parts.length === 3) return { page: "replay", table: parts[1], game: Number(query.get("game")) || null };
  }
  return { page: "lost" };
}

/** The counter for real cards is a document of its own: from one to the other the browser goes, not the page. */
export const documentOf = (path: string): "/" | "/counter" => (/^\/counter(?:[/?#]|$)/.test(path) ? "/counter" : "/");

/** Is a newer version of the page there than the one that runs? (`offline.svelte.ts` finds out.) */
export const fresh = { waiting: false };

class Router {
  place = $state.raw<Place>({ page: "home" });

  constructor() {
    if (typeof window === "undefined") return;
    this.#read();
    window.addEventListener("popstate", () => this.#read());
    document.addEventListener("click", (e) => {
      const a = (e.target as Element | null)?.closest?.("a[href^='/']");
      if (!a || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
      if (a.hasAttribute("download") || a.getAttribute("target") || a.getAttribute("href")!.startsWith("/api")) return;
      e.preventDefault();
      this.go(a.getAttribute("href")!);
    });
  }

  #read(): void {
    try {
      this.place = placeOf(location.pathname, location.search, location.hash);
    } catch {
      this.place = { page: "lost" };
    }
  }

  go(path: string, replace = false): void {
    const another = documentOf(path) !== documentOf(location.pathname);
    if (another || (fresh.waiting && !replace)) {
      location.assign(path); // also where a newer version is there: this is the moment to become it
      return;
    }
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#read();
    window.scrollTo(0, 0);
  }
}

export const router = new Router();
