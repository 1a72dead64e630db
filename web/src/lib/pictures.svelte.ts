/**
 * The pictures of cards, fetched with the pack when it is first on the table; what is drawn follows when they have come.
 * A card that has none, of a pack from elsewhere, gets one made of its kind, its name and its tags: always the same.
 */
import load from "virtual:pictures";
import type * as Composing from "./compose.ts";
import type { Drawing, Frame } from "./compose.ts";
import { dice } from "./dice.ts";
import { LEANINGS } from "./leanings.ts";
import type { CardInfo } from "./protocol.ts";
import type { Scene, Sheet } from "./scenes.ts";

type Card = Pick<CardInfo, "name" | "kind" | "pack" | "tags" | "slot">;

/** The set whose cards expansions print again. */
const BASE = "classic";
const STOCK = "stock";
/** Kinds that share another's picture. */
const LIKE: Record<string, string> = { room: "dungeon", ship: "steed", ally: "hireling", mook: "minion", madness: "curse", ship_enhancer: "steed_enhancer", enhancer_enhancer: "monster_enhancer", race_or_class_enhancer: "race", style: "power", training: "power", loyalty: "class", accent: "class" };
const TINTS = ["", "moss", "rust", "teal", "violet", "amber", "blue", "rose", "stone", "jade", "plum"];

/** The word of the stock that says most about a card: the longest in its name, else a tag or slot, else its kind. */
export function wordFor(card: Card, words: Iterable<string>): string {
  const name = ` ${card.name.toLowerCase().replace(/[^a-z0-9]+/g, " ")} `;
  const known = [...words];
  const said = known.filter((w) => name.includes(` ${w} `) || name.includes(` ${w}s `)).sort((a, b) => b.length - a.length)[0];
  const kind = `kind ${LIKE[card.kind] ?? card.kind}`;
  return said ?? [...card.tags, card.slot].find((t) => known.includes(t)) ?? (known.includes(kind) ? kind : "kind special");
}

/** A picture for a card that has none: the figure by its word, the place's colour by its name. */
export function invented(card: Card, stock: Sheet): Scene {
  const [place, tint, figures] = stock.scenes[wordFor(card, Object.keys(stock.scenes))]!;
  const n = dice(card.name);
  return [place, TINTS[n % TINTS.length] || tint, figures.map(([icon, a, b, x, y, size, , flags]) => [icon, a, b, x, y, size * (0.86 + ((n >> 8) % 3) * 0.06), ((n >> 4) % 5) * 6 - 12, flags ^ ((n >> 12) & 1)])];
}

/** The main figure alone, in the middle: for places too small for a scene. */
export function alone([place, tint, figures]: Scene): Scene {
  const main = figures.filter((f) => !(f[7] & 2)).reduce((a, b) => (b[5] > a[5] ? b : a));
  return [place, tint, [[main[0], main[1], main[2], 50, 33, 0.94, main[6], main[7]]]];
}

class Pictures {
  /** by pack; null while it is on its way */
  private sheets = $state.raw<Record<string, Sheet | null>>({});
  private drawn = new Map<string, Drawing>();
  /** Who puts pictures together comes with the first of them: a table is played without any for a moment. */
  private composing: typeof Composing | null = null;

  /** Is there anything to paint? */
  get any(): boolean {
    return Object.values(this.sheets).some(Boolean);
  }

  /** Ask for a pack's pictures; asking again is free. */
  want(pack: string): void {
    const get = load[pack];
    if (pack in this.sheets || !get) return;
    this.sheets = { ...this.sheets, [pack]: null };
    void Promise.all([get(), import("./compose.ts")]).then(
      ([m, composing]) => {
        this.composing = composing;
        this.sheets = { ...this.sheets, [pack]: m.default };
      },
      () => setTimeout(() => this.forget(pack), 5000), // a line that was down may be up again
    );
  }

  private forget(pack: string): void {
    const { [pack]: _, ...rest } = this.sheets;
    this.sheets = rest;
  }

  /** Ask for what this card is drawn with: its own pack's, then the base set's, then the stock of all. */
  need(card: Card): void {
    if (load[card.pack]) this.want(card.pack);
    if (this.sheets[card.pack] === null || this.found(card)) return;
    this.want(BASE);
    if (this.sheets[BASE] && !this.found(card)) this.want(STOCK);
  }

  private found(card: Card): [string, Sheet, Scene] | null {
    const ids = [card.pack, ...Object.keys(this.sheets).filter((id) => id !== card.pack && id !== STOCK && id !== "avatars")];
    for (const id of ids) {
      const sheet = this.sheets[id];
      if (sheet && Object.hasOwn(sheet.scenes, card.name)) return [id, sheet, sheet.scenes[card.name]!];
    }
    return null;
  }

  /** The picture of a card, or null as long as it is on its way; `small`: its main figure on a square. */
  of(card: Card, small = false): Drawing | null {
    const stock = this.sheets[STOCK];
    const found = this.found(card) ?? (stock ? ([STOCK, stock, invented(card, stock)] as const) : null);
    return found && this.draw(found[0], found[1], small ? alone(found[2]) : found[2], card.name, small ? 64 : 100);
  }

  /** A picture that belongs to no card: an avatar. */
  named(pack: string, name: string, frame: Frame): Drawing | null {
    const sheet = this.sheets[pack];
    return sheet && Object.hasOwn(sheet.scenes, name) ? this.draw(pack, sheet, sheet.scenes[name]!, name, frame) : null;
  }

  private draw(pack: string, sheet: Sheet, scene: Scene, name: string, frame: Frame): Drawing {
    const key = `${frame}/${pack}/${name}`;
    let d = this.drawn.get(key);
    if (!d) this.drawn.set(key, (d = this.composing!.compose(scene, sheet.icons, LEANINGS[pack] ?? null, name, frame)));
    return d;
  }
}

export const pictures = new Pictures();
