/** What is open on the screen: a sheet, a rule, a card held close. And how much room there is. */
import { type Room, room } from "./room";
import { settings } from "./settings.svelte";

export type SheetName = "settings" | "help" | "log" | "chat" | "more" | "moves" | "seat" | "device" | "fix" | "share" | "piles" | "rules" | "seed" | "track" | "options" | "position";

class Ui {
  sheet = $state<SheetName | null>(null);
  /** a seat, for sheets that are about one */
  about = $state(-1);
  rule = $state<string | null>(null);
  zoom = $state(-1);
  /** a set that was taken from the shelf to be looked into */
  inside = $state<string | null>(null);
  /** a card under the pointer, and where */
  hover = $state.raw<{ card: number; rect: DOMRect } | null>(null);
  width = $state(typeof innerWidth === "undefined" ? 1280 : innerWidth);
  height = $state(typeof innerHeight === "undefined" ? 800 : innerHeight);

  /** how large the letters are, and which of the layouts there is room for */
  get room(): Room {
    return room(this.width, this.height, settings.text);
  }

  get rem(): number {
    return this.room.rem;
  }

  /** Is it laid out for a hand that holds it? Then the others are tokens, and log and chat are drawers. */
  get phone(): boolean {
    return this.room.shape === "phone" || this.room.shape === "flat";
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
