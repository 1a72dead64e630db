/** What is open on the screen: a sheet, a rule, a card held close. And how much room there is. */
import { settings } from "./settings.svelte";

export type SheetName = "settings" | "help" | "log" | "chat" | "more" | "moves" | "seat" | "device" | "fix" | "share" | "piles" | "rules" | "seed" | "track" | "options" | "position";

class Ui {
  sheet = $state<SheetName | null>(null);
  /** a seat, for sheets that are about one */
  about = $state(-1);
  rule = $state<string | null>(null);
  zoom = $state(-1);
  /** a card under the pointer, and where */
  hover = $state.raw<{ card: number; rect: DOMRect } | null>(null);
  width = $state(typeof innerWidth === "undefined" ? 1280 : innerWidth);
  height = $state(typeof innerHeight === "undefined" ? 800 : innerHeight);

  /** a rem, in pixels, as the text size has it */
  get rem(): number {
    const wide = this.width >= 1600 && this.height >= 880;
    return { small: 14, normal: wide ? 18.5 : 16, large: 19, huge: 22 }[settings.text];
  }

  /** Is there room for the whole table, or is it laid out for a hand? It is letters that count, not pixels. */
  get phone(): boolean {
    return this.width < 60 * this.rem || this.height < 41 * this.rem;
  }

  open(sheet: SheetName, about = -1): void {
    this.hover = null;
    this.about = about;
    this.sheet = sheet;
  }

  close(): void {
    this.sheet = null;
  }

  showRule(id: string): void {
    this.hover = null;
    this.rule = id;
  }

  showCard(card: number): void {
    this.hover = null;
    this.zoom = card;
  }
}

export const ui = new Ui();
