/** What the engine is asked over HTTP. Nothing here knows a rule. */
import { Refused } from "../lib/api";
import type { CouldQuestion, CouldTold, FightQuestion, FightTold, ItemQuestion, ItemTold } from "../lib/counting";
import { tr } from "./words";

async function post<T>(path: string, body: unknown): Promise<T> {
  let r: Response;
  try {
    r = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Refused(0, "offline", tr("cannotAsk"));
  }
  const data = (await r.json().catch(() => null)) as (T & { says?: string; code?: string; rule?: string }) | null;
  if (r.ok && data) return data;
  throw new Refused(r.status, data?.code ?? String(r.status), data?.says ?? tr("saidNo", { code: r.status }), data?.rule);
}

export const ask = {
  fight: (q: FightQuestion): Promise<FightTold> => post("/api/counter/fight", q),
  item: (q: ItemQuestion): Promise<ItemTold> => post("/api/counter/item", q),
  could: (q: CouldQuestion): Promise<CouldTold> => post("/api/counter/could", q),
};
