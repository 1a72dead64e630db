/** Which way a request goes in the service worker. Pure, so that it can be tried out without one. */

export type Way =
  /** a page: from the server; without it, the one that was kept */
  | "page"
  /** a file whose name is its content: kept for good */
  | "file"
  /** always the same under this address: kept for good, too */
  | "lasting"
  /** from the server; without it, as it was last seen */
  | "fresh"
  /** a part of a replay: the same, kept with the other parts of it */
  | "replay"
  /** none of our business: tables, seats, moves */
  | "pass";

export function way(method: string, url: URL, here: string, navigates: boolean): Way {
  if (method !== "GET" || url.origin !== here) return "pass";
  const path = url.pathname;
  if (navigates) return path.startsWith("/api") ? "pass" : "page";
  if (path.startsWith("/assets/")) return "file";
  if (/^\/api\/tables\/[^/]+\/cards\/[^/]+$/.test(path)) return "lasting";
  if (path === "/api/about" || path === "/api/rulebook" || path === "/api/counter/cards" || /^\/(icon|manifest)[^/]*$/.test(path)) return "fresh";
  if (/^\/api\/tables\/[^/]+\/replay\/(table|story|pages\/\d+|\d+)$/.test(path)) return "replay";
  return "pass";
}

/** The document that was kept for a page at this address. */
export const shellOf = (url: URL): string => (url.pathname === "/counter" || url.pathname.startsWith("/counter/") ? "/counter" : "/");

/** What lasts is the same at every table: under which address it is kept. */
export const lastingOf = (url: URL): string => `/api/cards/${url.pathname.split("/")[5] ?? ""}`;

/** The table that a part of a replay belongs to. */
export const tableOf = (url: URL): string => url.pathname.split("/")[3] ?? "";

/** Of what was kept, oldest first: what has to go so that so many are left. */
export const surplus = <T>(kept: readonly T[], most: number): T[] => kept.slice(0, Math.max(0, kept.length - most));
