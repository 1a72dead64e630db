/** The guided first game: what the learner has to press, and that nothing else goes wrong meanwhile. Where he is in it, the server says (`prompt.lesson`). */
import type { LessonState } from "./protocol";
import { keep, recall } from "./session";
import type { Table } from "./table.svelte";

const LEFT = "kickdoor.lesson.left";
const LEARNT = "kickdoor.lesson";

class Lessons {
  /** the table whose lesson was left: it is a game like any other from then on */
  left = $state(recall(LEFT) ?? "");
  learnt = $state(recall(LEARNT) === "done");

  leave(table: string): void {
    this.left = table;
    keep(LEFT, table);
  }

  finish(): void {
    this.learnt = true;
    keep(LEARNT, "done");
  }
}

export const lessons = new Lessons();

/** Where this table is in its lesson, unless that was left. */
export const lessonOf = (t: Table): LessonState | null => (lessons.left === t.id ? null : (t.prompt.lesson ?? null));

/** While the lesson is on, only the move it is about is made. True: not this one. */
export function forbids(t: Table, moves: string[]): boolean {
  const now = lessonOf(t);
  if (!now || (now.move && moves.length === 1 && moves[0] === now.move)) return false;
  t.note(now.move ? "All in good time. The lesson points at what comes next; you can leave it there, too." : "A moment: the others are at it.");
  return true;
}

/** What to press for the next step: the card, then what to do with it; an answer; a button. */
export function pointed(t: Table, now: LessonState, find: (css: string) => Element | null): Element | null {
  const m = t.moves.find((x) => x.key === now.move);
  if (!m) return null;
  if (m.action === "accept") return find("[aria-label='Offers'] .btn.go");
  if (m.action === "choose") return find(`[aria-label='You are asked'] [data-card='${m.card}']`);
  if (m.card !== undefined && (m.action === "play" || m.action === "equip")) {
    if (t.picked !== m.card) return find(`[data-card='${m.card}'][aria-pressed]`);
    const choices = t.narrowed ?? (t.current && t.current.moves.length > 1 ? t.current.moves : null);
    const at = choices ? choices.findIndex((x) => x.key === m.key) : t.actions.findIndex((a) => a.moves.some((x) => x.key === m.key));
    return find(`.menu [data-option='${at + 1}']`);
  }
  return find("[aria-keyshortcuts='Space']");
}
