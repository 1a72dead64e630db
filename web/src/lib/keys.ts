/** Hotkeys of the table. Never Tab or Alt, never while something is being typed. */
import type { Table } from "./table.svelte";
import { ui } from "./ui.svelte";

function busyElsewhere(e: KeyboardEvent): boolean {
  const t = e.target as HTMLElement | null;
  return e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || !!t?.closest("input, textarea, select, dialog, [contenteditable]");
}

function focusCard(i: number): void {
  document.querySelectorAll<HTMLElement>("button.held")[i]?.focus();
}

const PRESSED = "button, a, summary";

/** What has the focus only because a finger was there, or because something was closed there: Space is for the big button then. Whatever else gets it was led to, by Tab or by what reads the page aloud, to be pressed. */
let left: Element | null = null;
export const tapped = (e: PointerEvent): void => void (left = (e.target as Element).closest(PRESSED));

/** Escape closes something: where it leaves the focus is known a moment later, or at the next key, if that is sooner. */
let closing = 0;
function closed(): void {
  if (closing) left = document.activeElement;
  clearTimeout(closing);
  closing = 0;
}

export function hotkeys(table: Table) {
  return (e: KeyboardEvent): void => {
    closed();
    if (e.key === "Tab" || e.key.startsWith("Arrow")) left = null;
    else if (e.key === "Escape") closing = window.setTimeout(closed);
    if (busyElsewhere(e)) return;
    if (table.director.busy) {
      table.skip(); // a key ends what is staged, and does its own work at once; Escape has no other then
      if (e.key === "Escape") return e.preventDefault();
    }
    const on = (e.target as HTMLElement).closest<HTMLElement>(PRESSED);
    const held = table.picked;
    const onHeld = on?.dataset.card === String(held);
    if (e.key === "Escape" && held >= 0) {
      table.drop();
      document.querySelector<HTMLElement>(`button[data-card="${held}"]`)?.focus();
    } else if (e.key === "Tab" && !e.shiftKey && onHeld) {
      // what one can do with a card comes after the card, wherever on the page it stands
      const first = document.querySelector<HTMLElement>(".menu .acts button") ?? document.querySelector<HTMLElement>(".menu button");
      if (!first) return;
      e.preventDefault();
      first.focus();
    } else if (e.key === " " && !(on && (on !== left || onHeld))) {
      const big = document.querySelector<HTMLButtonElement>("[aria-keyshortcuts=Space]");
      if (!big && !table.primary) return;
      e.preventDefault();
      on?.blur(); // or letting go of the key would press it after all
      if (table.primary) void table.make(table.primary);
      else big!.click();
    } else if (/^[1-9]$/.test(e.key)) {
      const n = Number(e.key);
      const option = document.querySelector<HTMLButtonElement>(`button[data-option="${n}"]`);
      const c = table.mine?.hand?.[n - 1];
      if (option) option.click();
      else if (c !== undefined) {
        table.pick(c);
        focusCard(n - 1);
      } else return;
      e.preventDefault();
    } else if (e.key === "?") ui.open("help");
    else if (e.key === "l" || e.key === "L") ui.open("log");
    else if (e.key === "c" || e.key === "C") ui.open("chat");
    else if (e.key === "m" || e.key === "M") ui.open("moves");
    else if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && document.activeElement === document.body) focusCard(0);
  };
}
