/** What has happened, as scenes: what a step changed and what the log says of it, turned into pictures with a few words. Pure: nothing here knows a screen or a clock. */
import { kindOf, signed, titled, versus } from "../lib/cards";
import { many, onDie, thrown, told } from "../lib/people";
import type { CardInfo as Card, FightState as Fight, GameState as Game, LogLine, PlayerState as Player } from "../lib/protocol";

export type Kind = "win" | "death" | "curse" | "struck" | "spared" | "caught" | "theft" | "betrayal" | "support" | "victory" | "loss" | "level" | "fall" | "deal" | "die" | "run" | "escape" | "monster" | "door" | "reborn" | "friend" | "gone" | "skipped" | "turn" | "meanwhile";

export interface Scene {
  kind: Kind;
  /** whom it is about */
  seat: number;
  /** who did it to him, or with him; -1: nobody */
  by: number;
  /** the card that everybody looks at, or -1 */
  card: number;
  /** cards that fall off the table */
  lost: number[];
  title: string;
  /** what it does, in a few words each */
  words: string[];
  mine: boolean;
  /** milliseconds */
  length: number;
  /** a door is kicked open first */
  door: boolean;
  /** the throw, or the Level that was reached */
  n: number;
  /** what the throw has to be: 0 if nothing in particular */
  need: number;
}

/** One update: the table before and after it, and what was said. */
export interface Step {
  before: Game | null;
  after: Game;
  lines: readonly LogLine[];
}

/** Whose eyes they are. */
export interface Eye {
  me: number;
  card: (n: number) => Card | undefined;
}

/** How long each takes: one's own, others'; 0: is not shown. */
const LENGTHS: Record<Kind, readonly [number, number]> = {
  win: [3600, 3200], death: [2500, 1500], caught: [2000, 1100], struck: [1900, 1000], curse: [1600, 1000], theft: [1700, 900], betrayal: [1700, 900], victory: [1900, 1000], loss: [1500, 700],
  fall: [1500, 700], level: [1300, 700], deal: [1500, 800], die: [1600, 1100], escape: [1400, 800], run: [1500, 700], monster: [1600, 1100], spared: [1200, 700], support: [1300, 700], reborn: [1300, 600], friend: [1500, 800], gone: [1300, 800],
  door: [1000, 800], skipped: [1200, 0], turn: [900, 0], meanwhile: [900, 900],
};

const names = (eye: Eye, c: number): string => eye.card(c)?.name.replace(/^Curse! /, "") ?? "a card";
const mineOf = (eye: Eye, ...seats: number[]): boolean => eye.me >= 0 && seats.includes(eye.me);
const fighters = (f: Fight): number[] => [f.main, f.helper].filter((s) => s >= 0);
/** What it takes to get away, as it is said: what the die itself has to show, before the throw and in it. The figures are the engine's. */
export const oddsWords = (x: { need: number; chance: number }): string => (x.need === 0 ? "away without a throw" : x.need > 6 ? "no escape" : `${onDie(x.need)}: ${x.chance}%`);

function scene(eye: Eye, kind: Kind, seat: number, title: string, more: Partial<Scene> = {}): Scene {
  const s: Scene = { kind, seat, by: -1, card: -1, lost: [], title, words: [], mine: mineOf(eye, seat), length: 0, door: false, n: 0, need: 0, ...more };
  return { ...s, length: LENGTHS[kind][s.mine ? 0 : 1] };
}

/** What a step did to a player: in words, and which cards went. */
function changes(eye: Eye, was: Player | undefined, is: Player | undefined): { words: string[]; lost: number[] } {
  if (!was || !is) return { words: [], lost: [] };
  const words: string[] = [];
  if (is.level !== was.level) words.push(`${signed(is.level - was.level)} ${Math.abs(is.level - was.level) === 1 ? "level" : "levels"}`);
  const lost = was.table.filter((c) => !is.table.includes(c));
  const come = is.table.filter((c) => !was.table.includes(c) && isTrait(eye.card(c)));
  if (is.dead && !was.dead) return { words, lost };
  const same = (a: number) => (b: number): boolean => names(eye, a) === names(eye, b);
  for (const c of lost.slice(0, 3)) words.push(come.some(same(c)) ? `still ${article(names(eye, c))}` : isTrait(eye.card(c)) ? `no longer ${article(names(eye, c))}` : `no more ${names(eye, c)}`);
  if (lost.length > 3) words.push(`and ${lost.length - 3} more`);
  for (const c of come.filter((c) => !lost.some(same(c)))) words.push(`now ${article(names(eye, c))}`);
  if (is.sex !== was.sex) words.push(is.sex === "male" || is.sex === "female" ? `now ${is.sex}` : titled(is.sex));
  if (is.hand_size < was.hand_size && !lost.length) words.push(`${many(was.hand_size - is.hand_size, "card")} of the hand gone`);
  if (is.afflictions.length > was.afflictions.length) words.push("and it stays");
  return { words, lost };
}

const isTrait = (c: Card | undefined): boolean => c?.kind === "race" || c?.kind === "class";
const article = (w: string): string => `${/^[aeiou]/i.test(w) ? "an" : "a"} ${w}`;

/** A step on its way to scenes: what was told already is not told twice. */
class Directing {
  readonly out: Scene[] = [];
  readonly told = new Set<number>();
  readonly #ids: Set<string>;

  constructor(
    readonly step: Step,
    readonly eye: Eye,
  ) {
    this.#ids = new Set(step.lines.map((l) => l.id));
  }

  /** A scene about `seat`, who is {w} in its title, as {o} is who did it, {c} the card and {n} the number. Nobody does a thing to himself in the words for two: that has its own, or is not shown. */
  add(kind: Kind, seat: number, title: string, more: Partial<Scene> = {}): void {
    if (more.by === seat && title.includes("{o}")) return;
    const s = scene(this.eye, kind, seat, this.say(title, { w: seat, o: more.by ?? -1, c: this.card(more.card ?? -1), n: String(more.n ?? "") }), more);
    if (s.length) this.out.push(s);
  }

  say(text: string, gaps: Record<string, string | number | number[]>): string {
    return told({ seat: this.eye.me, game: this.step.after, table: null }, text, gaps);
  }

  /** A card, by its name. */
  card(c: number): string {
    return names(this.eye, c);
  }

  has(id: string, seat = -1): boolean {
    return this.#ids.has(id) && (seat < 0 || this.step.lines.some((l) => l.id === id && l.seat === seat));
  }

  /** What befell this seat, unless another scene has told it. */
  befell(seat: number): { words: string[]; lost: number[] } {
    if (this.told.has(seat)) return { words: [], lost: [] };
    this.told.add(seat);
    return changes(this.eye, this.step.before?.players[seat], this.step.after.players[seat]);
  }

  /** The card behind what has no card of its own: the Curse that was pending, the one that asked, the monster run from. */
  get cause(): number {
    const b = this.step.before;
    const c = b?.pending?.card ?? b?.pending?.foe ?? -1;
    return c >= 0 ? c : (b?.asked?.card ?? -1);
  }

  /** Both sums, where both are there. */
  sums(): string {
    const f = this.step.after.fight;
    return f ? versus(f) : "";
  }
}

type Handler = (d: Directing, l: LogLine) => void;

function kick(d: Directing, l: LogLine): void {
  if (d.step.lines.some((x) => x.id === "curse" && x.card === l.card)) return; // the Curse comes through the door
  enters(d, l, l.id === "kick");
}

/** A card is turned over; a monster comes in. */
function enters(d: Directing, l: LogLine, door: boolean): void {
  const f = d.step.after.fight;
  const foe = f?.foes.find((x) => x.card === l.card || x.face === l.card);
  if (f && foe) d.add("monster", l.seat, "{c}", { card: l.card, door, words: [`Level ${foe.strength}`, many(foe.treasures, "Treasure"), d.sums()] });
  else d.add("door", l.seat, "{c}", { card: l.card, door, words: [kindOf(d.eye.card(l.card)).word] });
}

/** A card that everybody has to do with now. */
const door: Handler = (d, l) => d.add("door", l.seat, "{c}", { card: l.card, words: [kindOf(d.eye.card(l.card)).word] });

/** How a card changed a fight, seen from the fighters' side; of another fight it says nothing. */
function swing(d: Directing): number {
  const [a, b] = [d.step.before?.fight, d.step.after.fight];
  return a && a.main === b?.main ? b.munchkins - a.munchkins - (b.monsters - a.monsters) : 0;
}

function join(d: Directing, l: LogLine): void {
  const f = d.step.after.fight;
  if (!f || !d.step.before?.fight) return enters(d, l, false);
  if (fighters(f).includes(l.seat)) return enters(d, l, false);
  against(d, l, [`${d.card(l.card)} joins the fight`, d.sums()]);
}

/** Somebody works against those who fight. */
function against(d: Directing, l: LogLine, words: string[]): void {
  const f = d.step.after.fight ?? d.step.before?.fight;
  const victim = f && mineOf(d.eye, f.helper) ? f.helper : (f?.main ?? -1);
  const mine = mineOf(d.eye, victim);
  d.add("betrayal", victim, "{o} [turns] on {w}", { by: l.seat, card: l.card, words: words.filter(Boolean), mine });
}

function play(d: Directing, l: LogLine): void {
  const { me } = d.eye;
  const has = (g: Game | null): boolean => g?.players[l.seat]?.table.includes(l.card) ?? false;
  // What somebody puts on is for himself, whatever else the same step did to others.
  const puts = !has(d.step.before) && has(d.step.after);
  const by = puts ? 0 : swing(d);
  const f = d.step.before?.fight;
  if (f && by && !fighters(f).includes(l.seat)) {
    if (by < 0) against(d, l, [d.say(`${signed(-by)} against {w}`, { w: mineOf(d.eye, f.helper) ? f.helper : f.main }), d.sums()]);
    else d.add("support", f.main, "{o} [steps] in", { by: l.seat, card: l.card, words: [d.say(`${signed(by)} for {w}`, { w: f.main }), d.sums()], mine: mineOf(d.eye, ...fighters(f)) });
  } else if (l.seat !== me && me >= 0 && !d.has("curse") && !puts) {
    const { words, lost } = changes(d.eye, d.step.before?.players[me], d.step.after.players[me]);
    if (!lost.length && !words.some((w) => w.startsWith("−"))) return;
    d.befell(me);
    d.add("betrayal", me, "{o} [turns] on {w}", { by: l.seat, card: l.card, words, lost });
  } else if (d.has("level", l.seat) && !d.has("victory")) rise(d, l.seat, l.card);
}

function curse(d: Directing, l: LogLine): void {
  const door = d.step.lines.some((x) => x.id === "kick" && x.card === l.card);
  const { words, lost } = d.befell(l.seat);
  const own = l.other === l.seat;
  const whose = own ? [d.say("{w's} own doing", { w: l.seat })] : [];
  d.add("curse", l.seat, l.other >= 0 && !own ? "{o} [curses] {w}" : "A Curse on {w}", { by: own ? -1 : l.other, card: l.card, words: [d.card(l.card), ...whose, ...words], lost, door });
}

/** What is said of a Curse that comes to nothing, or to somebody else; each has a scene of its own. */
const AVERTED: readonly string[] = ["cancelled", "ignored", "spared", "reflected"];

/** A Curse that was pending has struck. */
function struck(d: Directing): void {
  const [was, is] = [d.step.before?.pending, d.step.after.pending];
  if (was?.what !== "curse" || was.seat === undefined || (is?.what === "curse" && is.card === was.card)) return;
  if (d.has("death", was.seat) || d.step.lines.some((l) => AVERTED.includes(l.id) && l.card === was.card)) return;
  const { words, lost } = d.befell(was.seat);
  if (words.length) d.add("struck", was.seat, "{c} strikes {w}", { card: was.card ?? -1, by: was.by ?? -1, words, lost });
}

function caught(d: Directing, l: LogLine): void {
  if (d.has("death", l.seat)) return; // which has the monster in it
  const { words, lost } = d.befell(l.seat);
  d.add("caught", l.seat, "{w} [is] caught", { card: l.card, words: words.length ? words : ["Bad Stuff!"], lost });
}

function death(d: Directing, l: LogLine): void {
  const by = d.step.lines.findLast((x) => (x.id === "caught" || x.id === "curse") && x.seat === l.seat)?.card ?? d.cause;
  const { lost } = d.befell(l.seat);
  d.add("death", l.seat, "{w} [dies]", { card: by, lost: lost.slice(0, 8), words: [by >= 0 ? `by ${d.card(by)}` : "", l.seat === d.eye.me ? "The others help themselves." : ""].filter(Boolean) });
}

/** Was anybody beaten? Where all were sent away, or would not fight, that is what is shown (`gone`). */
const beaten = (l: LogLine): boolean => l.id === "victory" && l.tone === "good";

/** Who is one level from winning: nobody is to miss that. */
function near(d: Directing, seat: number): string[] {
  const g = d.step.after;
  return g.players[seat]?.level === g.goal - 1 && g.players[seat]!.level > (d.step.before?.players[seat]?.level ?? g.goal) ? ["one level from winning!"] : [];
}

function victory(d: Directing, l: LogLine): void {
  if (!beaten(l)) return;
  const f = d.step.before?.fight;
  const levels = d.step.lines.filter((x) => x.id === "level" && x.seat === l.seat).reduce((n, x) => n + x.n, 0);
  const drawn = (d.step.before?.decks[1] ?? 0) - (d.step.after.decks[1] ?? 0);
  d.told.add(l.seat);
  const helped = f && f.helper >= 0 ? d.say("with {h}", { h: f.helper }) : "";
  d.add("victory", l.seat, "{w} [wins] the fight", { card: f?.foes.find((x) => x.active)?.face ?? -1, words: [helped, levels ? `${signed(levels)} ${Math.abs(levels) === 1 ? "level" : "levels"}` : "", drawn > 0 ? many(drawn, "Treasure") : "", ...near(d, l.seat)].filter(Boolean), n: d.step.after.players[l.seat]?.level ?? 0, mine: mineOf(d.eye, l.seat, f?.helper ?? -1) });
}

function rise(d: Directing, seat: number, card = -1): void {
  if (d.told.has(seat)) return;
  const { words, lost } = d.befell(seat);
  const n = (d.step.after.players[seat]?.level ?? 0) - (d.step.before?.players[seat]?.level ?? 0);
  if (n) d.add(n > 0 ? "level" : "fall", seat, "{w's} Level: {n}", { card: n < 0 && card < 0 ? d.cause : card, words: n > 0 ? [...words.slice(0, 1), ...near(d, seat)] : words, lost: n < 0 ? lost : [], n: d.step.after.players[seat]?.level ?? 0 });
}

function throws(d: Directing, l: LogLine): void {
  const p = d.step.after.pending?.what === "roll" ? d.step.after.pending : null;
  const foe = p?.foe ?? d.step.lines.find((x) => (x.id === "escaped" || x.id === "caught") && x.seat === l.seat)?.card ?? d.step.before?.pending?.foe ?? -1;
  const odds = (d.step.before?.fight?.escapes ?? []).find((x) => x.seat === l.seat && x.foe === foe);
  const need = p?.need ? p.need - (p.bonus ?? 0) : (odds?.need ?? 0);
  // Where there is a sum, it has its own measure beside it: who needs 5 and throws 3 + 1 must not read that 4 would do.
  const bonus = p?.bonus ? [thrown(p)] : [];
  const n = p?.die ?? l.n;
  const chance = odds && odds.need === need && need <= 6 ? `: ${odds.chance}%` : "";
  const wanted = need > 6 ? ["needs more than a die has"] : need > 0 ? [`needs ${onDie(need)}${chance}`] : [];
  const seat = p?.seat ?? l.seat;
  const other = l.id !== "roll" && l.seat !== seat;
  d.add("die", seat, other ? "{o} [turns] the die" : l.id === "roll" ? "{w} [throws]" : "{w} [turns] the die", { by: other ? l.seat : -1, card: foe, n, need: Math.max(0, need), words: [...wanted, ...bonus] });
}

function losing(d: Directing, l: LogLine): void {
  const odds = (d.step.after.fight?.escapes ?? []).filter((x) => x.seat === (mineOf(d.eye, d.step.after.fight?.helper ?? -1) ? d.eye.me : l.seat));
  const words = odds.slice(0, 3).map((x) => (odds.length > 1 ? `${d.card(x.foe)}: ${oddsWords(x)}` : oddsWords(x)));
  d.add("run", l.seat, l.seat === d.eye.me ? "Run, you fool!" : "Run, {w}!", { card: odds[0]?.foe ?? -1, words, mine: mineOf(d.eye, ...fighters(d.step.after.fight ?? ({ main: l.seat, helper: -1 } as Fight))) });
}

function deal(d: Directing, l: LogLine): void {
  const f = d.step.after.fight;
  const price = f ? [f.deal.treasures ? many(f.deal.treasures, "Treasure") : "", ...f.deal.items.map((c) => d.card(c)), f.deal.plays ? many(f.deal.plays, "promised play") : ""].filter(Boolean) : [];
  d.add("deal", l.other, "{o} [helps] {w}", { by: l.seat, words: [price.length ? `for ${price.join(", ")}` : "for nothing", d.sums()].filter(Boolean), mine: mineOf(d.eye, l.seat, l.other) });
}

function trade(d: Directing, l: LogLine): void {
  if (d.out.some((s) => s.kind === "deal")) return;
  const got = d.step.lines.filter((x) => x.id === "trade" && x.card >= 0).map((x) => d.say("{c} for {w}", { c: d.card(x.card), w: x.seat }));
  d.told.add(l.seat).add(l.other);
  d.add("deal", l.seat, "A deal!", { by: l.other, card: l.card, words: got.slice(0, 3), mine: mineOf(d.eye, l.seat, l.other) });
}

function theft(d: Directing, l: LogLine): void {
  d.told.add(l.seat);
  const { lost } = d.befell(l.other);
  d.add("theft", l.other, "{o} [takes] {c}", { by: l.seat, card: l.card, lost: l.card >= 0 ? [] : lost, words: [d.say("from {w}", { w: l.other })], mine: mineOf(d.eye, l.seat, l.other) });
}

/** Something comes to me from somebody. */
function gift(d: Directing, l: LogLine): void {
  if (!mineOf(d.eye, l.seat) || l.other < 0 || d.out.some((s) => s.kind === "deal")) return;
  const got = d.step.lines.filter((x) => x.id === l.id && x.seat === l.seat && x.other === l.other);
  d.add("deal", l.seat, "{o} [gives] {w} {c}", { by: l.other, card: l.card, words: got.slice(1, 4).map((x) => `and ${d.card(x.card)}`) });
}

function loss(d: Directing, l: LogLine): void {
  if (d.told.has(l.seat) || d.has("death", l.seat)) return;
  const own = d.step.lines.some((x) => (x.id === "play" || x.id === "use" || x.id === "attach") && x.seat === l.seat);
  if (own || (l.seat !== d.eye.me && d.cause < 0)) return; // a price that was paid
  const { words, lost } = d.befell(l.seat);
  d.add("loss", l.seat, "{w} [loses]", { card: d.cause >= 0 ? d.cause : l.card, lost, words: words.length ? words : [d.card(l.card)] });
}

const spared = (words: string): Handler => (d, l) => d.add("spared", l.seat, "{c}", { card: l.card, words: [d.say(words, { w: l.seat })] });

/** A monster is out of the fight before it was won. */
function gone(d: Directing, l: LogLine): void {
  if (l.card < 0 || d.step.lines.some(beaten) || d.eye.card(l.card)?.kind !== "monster") return;
  const f = d.step.before?.fight;
  d.add("gone", l.seat >= 0 ? l.seat : (f?.main ?? d.step.after.turn), "{c} is gone", { card: l.card, words: [d.sums()].filter(Boolean), mine: f ? mineOf(d.eye, ...fighters(f)) : mineOf(d.eye, l.seat) });
}

const HANDLERS: Record<string, Handler> = {
  kick, trouble: kick, join, play, use: play, curse, caught, death, victory, losing, help: deal, trade, steal: theft, force: theft, lost: loss, give: gift, charity: gift, given: gift, dungeon: door, portal: door, room: door,
  loot_body: (d, l) => (mineOf(d.eye, l.other) ? theft(d, l) : undefined),
  transfer: (d, l) => (mineOf(d.eye, l.seat) ? d.add("betrayal", l.seat, "The fight is {w's} now", { words: [d.sums()].filter(Boolean) }) : undefined),
  roll: throws, die_set: throws, roll_bonus: throws,
  penalty: (d, l) => {
    d.add("betrayal", l.seat, "{o} [stabs] {w} in the back", { by: l.other, card: l.card, words: [signed(l.n), d.sums()].filter(Boolean) });
  },
  level: (d, l) => {
    if (!d.has("win")) rise(d, l.seat);
  },
  escaped: (d, l) => d.add("escape", l.seat, "{w} [gets] away", { card: l.card, words: [`from ${d.card(l.card)}`] }),
  pet: (d, l) => d.add("friend", l.seat, "{w} [has] a pet", { card: l.card, words: [d.card(l.card)] }),
  tamed: (d, l) => d.add("friend", l.seat, "{w} [rides] {c}", { card: l.card, words: l.n ? [`${signed(l.n)} in every fight`] : [] }),
  removed: gone, killed: gone, refuses: gone, eaten: gone,
  reborn: (d, l) => d.add("reborn", l.seat, "{w} [is] back", { words: ["same face, empty pockets"] }),
  skipped: (d, l) => d.add("skipped", l.seat, "{w} [misses] a turn"),
  turn: (d, l) => d.add("turn", l.seat, "{w's} turn"),
  cancelled: spared("is cancelled"), ignored: spared("does not touch {w}"), spared: spared("spares {w}"),
  reflected: (d, l) => d.add("curse", l.seat, "It bounces back on {w}", { by: l.other, card: l.card }),
};

/** The scenes of one step, in the order in which things happened. */
export function direct(step: Step, eye: Eye): Scene[] {
  const d = new Directing(step, eye);
  const won = step.lines.find((l) => l.id === "win");
  if (won && step.after.winners.length) {
    const last = step.lines.find((l) => l.id === "victory");
    d.add("win", step.after.winners[0]!, d.say("{all} [wins]!", { all: step.after.winners }), { card: last ? (step.before?.fight?.foes.find((x) => x.active)?.face ?? -1) : -1, n: step.after.players[step.after.winners[0]!]?.level ?? 0, mine: mineOf(eye, ...step.after.winners) });
    return d.out;
  }
  struck(d);
  for (const l of step.lines) HANDLERS[l.id]?.(d, l);
  return d.out;
}
