/** Four places, by path. */

export type Place =
  | { page: "home" }
  | { page: "about" }
  | { page: "table"; table: string; move: string | null }
  | { page: "replay"; table: string; game: number | null }
  | { page: "lost" };

export function placeOf(path: string, search = "", hash = ""): Place {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(search);
  const behind = new URLSearchParams(hash.replace(/^#/, ""));
  if (parts.length === 0) return { page: "home" };
  if (parts[0] === "about" && parts.length === 1) return { page: "about" };
  if (parts[0] === "t" && parts[1]) {
    if (parts.length === 2) return { page: "table", table: parts[1], move: behind.get("move") };
    if (parts[2] === "replay" && parts.length === 3) return { page: "replay", table: parts[1], game: Number(query.get("game")) || null };
  }
  return { page: "lost" };
}

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
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.#read();
    window.scrollTo(0, 0);
  }
}

export const router = new Router();
