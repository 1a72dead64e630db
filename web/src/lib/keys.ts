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

export function hotkeys(table: Table) {
  return (e: KeyboardEvent): void => {
    if (busyElsewhere(e)) return;
    if (table.director.busy) {
      table.skip(); // a key ends what is staged, and does its own work at once; Escape has no other then
      if (e.key === "Escape") return e.preventDefault();
    }
    if (e.key === "Escape" && table.picked >= 0) {
      const back = table.picked;
      table.drop();
      document.querySelector<HTMLElement>(`button[data-card="${back}"]`)?.focus();
    } else if (e.key === " " && table.primary && !(e.target as HTMLElement).closest("button, a, summary")) {
      e.preventDefault();
      void table.make(table.primary);
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
