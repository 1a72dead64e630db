/** What a finished game is remembered for: the worst betrayal, and who did most of what. Words without persons, so that they fit everybody. */
import type { Worst } from "./games";
import type { Chronicle, SeatNumbers } from "./protocol";

export interface Award {
  title: string;
  seat: number;
  n: number;
}

const TITLES: [keyof SeatNumbers, string][] = [
  ["killed", "Most monsters slain"],
  ["best", "Strongest in a fight"],
  ["stabs", "Most stabs in the back"],
  ["helped", "Most often a helper"],
  ["escapes", "Fastest feet"],
  ["treasures", "Most Treasures drawn"],
  ["curses", "Most often cursed"],
  ["deaths", "Most deaths"],
];

/** One for each title that somebody has earned alone. */
export function awards(numbers: readonly SeatNumbers[], most = 4): Award[] {
  const out: Award[] = [];
  for (const [key, title] of TITLES) {
    const best = Math.max(0, ...numbers.map((n) => n[key]));
    const seats = numbers.flatMap((n, s) => (n[key] === best ? [s] : []));
    if (best > 0 && seats.length === 1) out.push({ title, seat: seats[0]!, n: best });
  }
  return out.slice(0, most);
}

export function worstOf(told: Chronicle, name: (card: number) => string): Worst | null {
  const b = told.betrayals[0];
  return b ? { by: b.by, against: b.against, before: b.before, after: b.after, turned: b.turned, died: b.died, step: b.step, card: b.card >= 0 ? name(b.card) : "" } : null;
}

const side = (n: number): string => (n === 0 ? "level" : n > 0 ? `${n} ahead` : `${-n} behind`);

/** "Bob against Ann: Enraged, from 3 ahead to 2 behind. It was deadly." */
export function betrayal(w: Worst, who: (seat: number) => string): string {
  const card = w.card ? ` ${w.card}` : "";
  const how = w.before === w.after ? "" : `${card ? "," : ""} from ${side(w.before)} to ${side(w.after)}`;
  return `${who(w.by)} against ${who(w.against) === "You" ? "you" : who(w.against)}:${card}${how}.${w.died ? " It was deadly." : w.turned ? " That fight had been won." : ""}`;
}
