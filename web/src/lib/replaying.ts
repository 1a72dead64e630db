/** A replay on this device: pages of fifty steps, each step worked out from the one before it; and its chapters. */
import { api } from "./api";
import { patched } from "./patch";
import type { Chronicle, GameState, LogLine, ReplayPage } from "./protocol";

export const PAGE = 50;
const LOG = 60;

export interface Frame {
  game: GameState;
  log: LogLine[];
}

/** The frames of a page, the first and those that its changes make. */
export function frames(page: ReplayPage): Frame[] {
  const out: Frame[] = [{ game: page.first.game, log: page.first.log }];
  for (const c of page.then) {
    const last = out.at(-1)!;
    out.push({ game: patched(last.game, c.patch as unknown[][]), log: [...last.log, ...c.log].slice(-LOG) });
  }
  return out;
}

export class Reel {
  steps = 0;
  #pages = new Map<number, Promise<Frame[]>>();

  constructor(
    readonly table: string,
    readonly game: number | null,
    readonly fetch: typeof api.page = api.page,
  ) {}

  #page(n: number): Promise<Frame[]> {
    const first = Math.floor(n / PAGE) * PAGE;
    let p = this.#pages.get(first);
    if (!p) {
      p = this.fetch(this.table, first, this.game ?? undefined).then((page) => {
        this.steps = page.first.steps;
        return frames(page);
      });
      this.#pages.set(first, p);
      p.catch(() => this.#pages.delete(first));
    }
    return p;
  }

  /** The table after a step; a step that is not there is the last one. */
  async at(n: number): Promise<{ frame: Frame; step: number }> {
    const page = await this.#page(n);
    const i = Math.min(n % PAGE, page.length - 1);
    if (n > this.steps) return this.at(this.steps);
    return { frame: page[i]!, step: Math.min(n, this.steps) };
  }

  /** So that it goes on without a pause; a whole game is a few pages. */
  ahead(n: number): void {
    const next = Math.floor(n / PAGE) * PAGE + PAGE;
    if (next <= this.steps) void this.#page(next).catch(() => undefined);
  }
}

export interface Chapter {
  turn: number;
  seat: number;
  step: number;
  end: number;
  fights: Chronicle["fights"];
}

/** Turns with their fights; what comes before the first turn belongs to it. */
export function chapters(told: Chronicle): Chapter[] {
  return told.turns.map((t, i) => ({
    turn: t.turn,
    seat: t.seat,
    step: t.step,
    end: (told.turns[i + 1]?.step ?? told.steps + 1) - 1,
    fights: told.fights.filter((f) => f.step >= t.step && f.step < (told.turns[i + 1]?.step ?? Infinity)),
  }));
}

/** Which chapter a step lies in. */
export const chapterAt = (all: readonly Chapter[], step: number): number => Math.max(0, all.findLastIndex((c) => c.step <= step));
