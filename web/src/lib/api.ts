/** What is done once, over HTTP. */
import { aboutAhead, cardsAhead, cardsOf } from "./ahead";
import type { About, CardInfo, ChapterInfo, Chronicle, MixAnswer, OpenTable, OpenTables, PositionText, ReplayFrame, ReplayPage, RuleInfo as Rule, ShelfInfo, TableInfo } from "./protocol";

export type { About, BotInfo as BotLevel, EveningInfo as Evening, OptionInfo as Option, PackInfo as Pack, PhraseInfo as Phrase, RuleInfo as Rule, TimerInfo as Timer } from "./protocol";

export interface Seat {
  table: string;
  seat: number;
  token: string;
  link?: string;
}

/** A refusal in words a person understands. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    says: string,
    readonly rule = "",
  ) {
    super(says);
  }
}

/** A question that got no answer at all is asked again: lines stumble, and browsers do when their service worker is just being changed. So is what comes to the same if it is done twice (`again`); all else that changes something is asked once. */
const PAUSES = [0, 300, 1500];

async function sent(url: string, body: unknown, again: boolean): Promise<Response> {
  for (const pause of PAUSES) {
    if (pause) await new Promise((done) => setTimeout(done, pause));
    try {
      return await fetch(url, body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    } catch {
      if (!again || !navigator.onLine) break;
    }
  }
  throw new Refused(0, "offline", "The server does not answer. Is it running, and is there a network?");
}

async function call<T>(path: string, body?: unknown, again = body === undefined, server = ""): Promise<T> {
  const r = await sent(server + path, body, again);
  let data: unknown = null;
  try {
    data = await r.json();
  } catch {
    /* no JSON: the status says it */
  }
  if (r.ok) return data as T;
  const e = (data ?? {}) as { code?: string; says?: string; rule?: string; url?: string };
  if (e.code === "elsewhere" && e.url && !server) return call<T>(path, body, again, e.url.replace(/\/$/, "")); // asked once
  throw new Refused(r.status, e.code ?? String(r.status), e.says ?? `The server said no (${r.status}).`, e.rule);
}

const enc = encodeURIComponent;
let about: Promise<About> | null = null;
const cards = new Map<string, Promise<CardInfo[]>>();
const rules = new Map<string, Promise<Rule>>();
const books = new Map<string, Promise<ChapterInfo[]>>();
const sets = new Map<string, Promise<ShelfInfo>>();
const stories = new Map<string, Promise<Chronicle>>();

function kept<K, V>(store: Map<K, Promise<V>>, key: K, get: () => Promise<V>): Promise<V> {
  let p = store.get(key);
  if (!p) {
    p = get();
    store.set(key, p);
    p.catch(() => store.delete(key));
  }
  return p;
}

export const api = {
  about(): Promise<About> {
    const sent = aboutAhead();
    if (sent) return Promise.resolve(sent);
    about ??= call<About>("/api/about").catch((e: unknown) => {
      about = null;
      throw e;
    });
    return about;
  },
  /** `game`: of one that is over, 0 for the latest; otherwise of what is played now */
  cards: (table: string, hash: string, game: number | null): Promise<CardInfo[]> =>
    kept(cards, hash, () => {
      const get = (): Promise<CardInfo[]> => call(cardsOf(table, hash) + (game === null ? "" : `?game=${game}`));
      return cardsAhead(hash)?.catch(get) ?? get();
    }),
  rule: (id: string): Promise<Rule> => kept(rules, id, () => call<Rule>(`/api/rules/${enc(id)}`)),
  search: (words: string): Promise<Rule[]> => call<Rule[] | { rules: Rule[] }>(`/api/rules?search=${enc(words)}`).then((x) => (Array.isArray(x) ? x : x.rules)),
  rulebook: (): Promise<ChapterInfo[]> => kept(books, "", () => call<ChapterInfo[]>("/api/rulebook")),
  make: (table: unknown): Promise<Seat> => call("/api/tables", table),
  /** the tables here that strangers may come to */
  tables: (): Promise<OpenTable[]> => call<OpenTables>("/api/tables").then((x) => x.tables),
  /** what is in the way of a game with such options and so many people, and what the books say of it */
  mix: (options: unknown, players: number): Promise<MixAnswer> => call("/api/mix", { options, players }),
  /** a set, looked into */
  shelf: (pack: string): Promise<ShelfInfo> => kept(sets, pack, () => call<ShelfInfo>(`/api/shelf/${enc(pack)}`)),
  /** `token`: of our own making, for who sits down (`newToken`) */
  sit: (table: string, who: { name: string; sex: string; avatar?: string; seat?: number; token: string }): Promise<Seat> => call(`/api/tables/${enc(table)}/seats`, who, true),
  move: (table: string, token: string): Promise<{ code: string; link: string; qr: string }> => call(`/api/tables/${enc(table)}/move`, { token }),
  claim: (table: string, code: string): Promise<{ seat: number; token: string }> => call(`/api/tables/${enc(table)}/claim`, { code }, true),
  replay: (table: string, game?: number): Promise<Record<string, unknown>> => call(`/api/tables/${enc(table)}/replay${game ? `?game=${game}` : ""}`),
  /** the table as it was for a game that is over */
  recorded: (table: string, game?: number): Promise<TableInfo> => call(`/api/tables/${enc(table)}/replay/table${game ? `?game=${game}` : ""}`),
  story: (table: string, game: number): Promise<Chronicle> => kept(stories, `${table}/${game}`, () => call<Chronicle>(`/api/tables/${enc(table)}/replay/story?game=${game}`)),
  page: (table: string, step: number, game?: number): Promise<ReplayPage> => call(`/api/tables/${enc(table)}/replay/pages/${step}${game ? `?game=${game}` : ""}`),
  playOn: (table: string, step: number, game: number | null, who: { name: string; seat: number; bot?: string; avatar?: string }): Promise<Seat> => call(`/api/tables/${enc(table)}/replay/${step}/play${game ? `?game=${game}` : ""}`, who),
  step: (table: string, step: number, game?: number): Promise<ReplayFrame> => call(`/api/tables/${enc(table)}/replay/${step}${game ? `?game=${game}` : ""}`),
  position: (table: string, token: string | null): Promise<PositionText> => call(`/api/tables/${enc(table)}/scenario`, { token }),
  positionAt: (table: string, step: number, game: number | null): Promise<PositionText> => call(`/api/tables/${enc(table)}/replay/${step}/scenario${game ? `?game=${game}` : ""}`),
};
