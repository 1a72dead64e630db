/** One table: the line, the state it brings, what I have in my fingers, and what I say. */
import { tick } from "svelte";
import { socketOf, takeLine } from "./ahead";
import { api } from "./api";
import { Director, type Way } from "../stage/director.svelte";
import { direct, type Scene } from "../stage/scenes";
import { weighty } from "../stage/timeline";
import { back, FLIGHT, land, launch, place, type Spot, spots } from "./flights";
import { hears, isRemark } from "./banter";
import { forbids } from "./lesson.svelte";
import { Line, type Socket, type Status, type Words } from "./line";
import { type Action, actionsOf, type Aim, aimed, group, holder, listed, type Move, targetsOf } from "./moves";
import { patched } from "./patch";
import type { Answer, CardInfo as Card, ChatLine, Clock, GameState as Game, Heard, LogLine, Prompt, State, TableState, Update, Welcome } from "./protocol";
import { token, visit, watcher } from "./session";
import { settings } from "./settings.svelte";
import { buzz, play } from "./sounds";

const KEPT = 600;
/** How many updates may wait, and for how long (milliseconds), while something is shown. */
const AHEAD = 8;
const LAG = 3000;
const TOLD = 8;
const NOTHING: ReadonlySet<number> = new Set();
const FINAL = new Set(["bad_token", "no_watching", "no_table", "archived", "crowded", "damaged", "newer", "old", "flood"]);

export interface Note {
  id: number;
  text: string;
  rule: string;
  tone: "bad" | "good" | "";
}

/** An update that has come, and what the table is after it. */
interface Arrived {
  state: State;
  log: LogLine[];
  chat: ChatLine[];
  moved: boolean;
  at: number;
}

export class Table {
  readonly id: string;
  readonly line: Line;
  state = $state.raw<State | null>(null);
  log = $state.raw<LogLine[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  cards = $state.raw<Card[]>([]);
  seat = $state(-1);
  status = $state<Status>("connecting");
  retryAt = $state(0);
  /** the server hung up for good, and why */
  ended = $state.raw<{ code: string; says: string } | null>(null);
  /** Why the server hung up, while the line comes back by itself. */
  excuse = $state("");
  notes = $state.raw<Note[]>([]);
  /** what was said of the last thing that happened, for ears: nothing is left out, however much came at once */
  told = $state("");
  /** when the clock runs out, on this device's clock */
  deadline = $state(0);
  /** a command of mine is on its way */
  busy = $state(false);
  /** the card in my fingers, and which of its actions */
  picked = $state(-1);
  action = $state<string | null>(null);
  /** what is left to choose from after tapping a target */
  narrowed = $state.raw<Move[] | null>(null);
  unread = $state(0);
  chatOpen = $state(false);
  /** nobody is here: a recording */
  replay = $state(false);
  /** and which moment of it is shown */
  moment = $state.raw<{ step: number; game: number | null } | null>(null);

  game = $derived.by<Game | null>(() => this.state?.game ?? null);
  table = $derived.by<TableState | null>(() => this.state?.table ?? null);
  prompt = $derived.by<Prompt>(() => this.state?.prompt ?? { headline: "", rule: "", must: false, primary: "" });
  clock = $derived.by<Clock | null>(() => this.state?.clock ?? null);
  moves = $derived.by(() => listed(this.state?.moves ?? {}));
  grouped = $derived.by(() => group(this.moves));
  primary = $derived.by<Move | null>(() => this.moves.find((m) => m.key === this.prompt.primary) ?? null);
  mine = $derived.by(() => (this.game && this.seat >= 0 ? (this.game.players[this.seat] ?? null) : null));
  host = $derived.by(() => this.table !== null && this.seat >= 0 && this.table.host === this.seat);
  myMove = $derived.by(() => this.seat >= 0 && this.prompt.must && this.moves.length > 0);
  actions = $derived.by<Action[]>(() => (this.picked >= 0 ? actionsOf(this.grouped.byCard.get(this.picked) ?? []) : []));
  /** the action in hand: chosen, or the only one */
  current = $derived.by<Action | null>(() => this.actions.find((a) => a.id === this.action) ?? (this.actions.length === 1 ? this.actions[0]! : null));
  targets = $derived.by(() => (this.current && this.current.moves.length > 1 ? targetsOf(this.current.moves) : new Set<Aim>()));
  goal = $derived.by(() => this.game?.goal ?? 10);
  /** what is staged */
  readonly director = new Director(() => this.#seen());
  /** what is on the stage is not told before it has been seen: from which line on, and what was asked before it */
  staged = $state.raw<{ from: number; headline: string } | null>(null);
  /** the log, as far as it may be read */
  seen = $derived.by(() => (this.staged ? this.log.filter((l) => l.seq < this.staged!.from) : this.log));
  headline = $derived.by(() => this.staged?.headline ?? this.prompt.headline);
  /** the card that is on the stage, and lies nowhere else until it has been seen */
  onStage = $derived.by(() => (this.staged ? (this.director.now?.card ?? -1) : -1));

  /** the table after everything that has come, shown or not */
  #head: State | null = null;
  #queue: Arrived[] = [];
  #quietAt = 0;
  #pumping = false;
  #later: ReturnType<typeof setTimeout> | undefined;
  #noteId = 0;
  #cardsOf = "";
  #gone = false;
  /** what was said of having to wait for this table */
  #awaited = "";

  constructor(id: string, connect?: (url: string) => Socket) {
    this.id = id;
    this.line = new Line({
      url: typeof location === "undefined" ? `ws://localhost/ws/tables/${encodeURIComponent(id)}` : socketOf(id),
      token: () => token.of(id),
      watcher,
      heard: (m) => this.#heard(m),
      status: (s, at) => {
        this.status = s;
        this.retryAt = at;
      },
      connect: connect ?? ((url) => takeLine(url) ?? (new WebSocket(url) as unknown as Socket)),
    });
  }

  open(): void {
    this.line.start();
  }

  close(): void {
    this.#gone = true;
    this.#queue = [];
    this.director.skip();
    this.line.close();
  }

  /** Sat down meanwhile, or the seat moved here: say hello again, with the new token. */
  again(): void {
    this.ended = null;
    this.line.close();
    this.line.start();
  }

  card(n: number): Card | undefined {
    return this.cards[n];
  }

  name(n: number): string {
    return n < 0 ? "a card" : (this.cards[n]?.name ?? "a card");
  }

  who(seat: number): string {
    if (seat === this.seat && seat >= 0) return "You";
    return this.game?.players[seat]?.name ?? this.table?.seats[seat]?.name ?? "somebody";
  }

  // -- saying -------------------------------------------------------------------------------------------------

  /** Send a command; a refusal is shown unless it is asked for quietly. */
  async send(words: Words, quiet = false): Promise<Answer> {
    const a = await this.line.send(words);
    if (!a.ok && !quiet) this.note(a.says || "That did not work.", "bad", a.rule);
    return a;
  }

  /** Make moves (their keys), in the window as I see it. */
  async act(moves: string[]): Promise<boolean> {
    if (this.busy || !this.clock || forbids(this, moves)) return false;
    const seen = this.clock.window;
    this.busy = true;
    this.skip();
    // What is shown only now may have changed what the button stood for: then it is looked at first, not refused by a rule.
    const now = this.state?.moves[moves[0]!];
    if (this.clock.window !== seen && (!now || now.action === "pass")) {
      this.busy = false;
      return false;
    }
    const a = await this.send({ t: "act", window: this.clock.window, moves });
    this.busy = false;
    if (a.ok) this.drop();
    return a.ok;
  }

  async make(m: Move): Promise<boolean> {
    return this.act([m.key]);
  }

  why(card: number): Promise<Answer> {
    return this.send({ t: "why", card }, true);
  }

  note(text: string, tone: Note["tone"] = "", rule = ""): void {
    const n = { id: ++this.#noteId, text, tone, rule };
    this.notes = [...this.notes.filter((x) => x.text !== text), n].slice(-3);
    if (typeof window !== "undefined") setTimeout(() => this.unnote(n.id), 3500 + text.length * 45);
  }

  unnote(id: number): void {
    this.notes = this.notes.filter((n) => n.id !== id);
  }

  /** A moment of a replay, so many steps from the one before: the next as if it had just happened, the last taken back, and after a jump only the table as it stands, since what was jumped over is no one thing that happened. */
  async show(game: Game, log: LogLine[], table: TableState, by: number): Promise<void> {
    const before = spots();
    const last = this.log.at(-1)?.seq ?? Infinity;
    const old = this.game;
    const fresh = by === 1 ? log.filter((l) => l.seq > last) : [];
    this.director.skip();
    land();
    this.log = log;
    this.status = "open";
    this.replay = true;
    this.#take({ table, game, moves: {}, prompt: { headline: "", rule: "", must: false, primary: "" }, clock: { kind: "none", seats: [], left: 0, total: 0, window: 0 } });
    const scenes = this.#scenes(old, game, fresh);
    this.#stage(scenes, fresh, "");
    await tick();
    if (Math.abs(by) === 1) this.#perform(before, old, fresh, scenes);
    if (!this.director.busy) this.staged = null;
  }

  /** Nothing is on the stage any more. */
  #seen(): void {
    this.staged = null;
    void this.#pump();
  }

  /** Scenes are about to tell of these lines; whoever is asked something reads at once what it is about. */
  #stage(scenes: readonly Scene[], lines: readonly LogLine[], headline: string): void {
    if (this.myMove) this.staged = null;
    else if (scenes.length && lines.length) this.staged ??= { from: lines[0]!.seq, headline };
  }

  // -- what I hold in my fingers --------------------------------------------------------------------------------

  pick(card: number): void {
    this.picked = this.picked === card ? -1 : card;
    this.action = null;
    this.narrowed = null;
  }

  drop(): void {
    this.picked = -1;
    this.action = null;
    this.narrowed = null;
  }

  isTarget(at: Aim): boolean {
    return this.targets.has(at);
  }

  /** Something on the table was tapped while an action looks for a target. True if it was one. */
  aim(at: Aim): boolean {
    if (!this.current || !this.targets.has(at)) return false;
    const left = aimed(this.current.moves, at);
    if (left.length === 1) void this.make(left[0]!);
    else this.narrowed = left;
    return true;
  }

  // -- hearing ------------------------------------------------------------------------------------------------

  #heard(m: Heard): void {
    if (m.t === "welcome") this.#welcome(m);
    else if (m.t === "update") this.#receive(m);
    else if (m.t === "problem") {
      if (m.code === "waiting") this.#awaited = m.says;
      this.note(m.says, m.code === "writable" ? "good" : m.code === "waiting" ? "" : "bad");
    }
    else if (m.t === "bye") this.#bye(m.code, m.says);
  }

  #bye(code: string, says: string): void {
    if (!FINAL.has(code)) {
      this.excuse = says; // the line comes back by itself
      return;
    }
    this.ended = { code, says };
    this.line.close();
  }

  #welcome(m: Welcome): void {
    const first = this.state === null;
    this.#queue = [];
    this.#head = m.state;
    this.director.skip();
    this.ended = null;
    this.excuse = "";
    this.notes = this.notes.filter((n) => n.text !== this.#awaited); // the wait is over
    this.seat = m.seat;
    this.log = m.log.slice(-KEPT);
    this.chat = m.chat;
    this.#take(m.state);
    this.#visit();
    if (first) this.unread = 0;
  }

  /** The front page knows where I sit, and whether a game is on there. */
  #visit(): void {
    const t = this.table;
    if (t && this.seat >= 0 && !this.replay) visit(this.id, t.name, t.status === "playing");
  }

  #take(state: State, at = Date.now()): void {
    const wasMine = this.myMove;
    const turn = this.game?.turn;
    const was = this.state?.table.status;
    this.state = state;
    if (was && was !== state.table.status) this.#visit();
    this.deadline = state.clock.kind === "none" ? 0 : at + state.clock.left;
    this.#fetchCards();
    this.#check();
    if (this.myMove && (!wasMine || turn !== this.game?.turn)) {
      play("turn");
      buzz(60);
    }
  }

  #fetchCards(): void {
    const hash = this.state?.table.cards ?? "";
    if (!hash || hash === this.#cardsOf) return;
    this.#cardsOf = hash;
    const get = (tries: number): void => {
      api.cards(this.id, hash, this.replay ? (this.moment?.game ?? 0) : null).then(
        (c) => (this.cards = c),
        () => {
          if (!this.#gone && tries < 20) setTimeout(() => get(tries + 1), 1000 + tries * 500);
        },
      );
    };
    get(0);
  }

  /** What I hold is still mine, and still says what it said. */
  #check(): void {
    const g = this.game;
    if (this.picked < 0 || !g) return;
    const me = g.players[this.seat];
    const here = me && (me.hand?.includes(this.picked) || me.table.includes(this.picked) || me.afflictions.includes(this.picked) || me.accessories?.includes(this.picked));
    if (!here && !this.moves.some((m) => holder(m) === this.picked)) this.drop();
    else {
      if (this.action !== null && !this.actions.some((a) => a.id === this.action)) this.action = null;
      if (this.narrowed) {
        const keys = new Set(this.moves.map((m) => m.key));
        const left = this.narrowed.filter((m) => keys.has(m.key));
        this.narrowed = left.length ? left : null;
      }
    }
  }

  // Updates are shown one after another, so that fast bots stay readable and what is staged is seen. The table does not wait for a scene when
  // I am asked something, when too much or too old a thing waits, or when nothing is to move: then everything is laid down at once, and scenes play over it.

  #receive(u: Update): void {
    if (!this.#head) return;
    try {
      this.#head = { ...patched(this.#head, u.patch ?? []), clock: u.clock };
    } catch {
      this.line.close();
      this.line.start(); // out of step: ask for everything again
      return;
    }
    this.#queue.push({ state: this.#head, log: u.log ?? [], chat: u.chat ?? [], moved: !!u.patch?.length, at: Date.now() });
    void this.#pump();
  }

  /** Must what waits be shown now? */
  get #pressed(): boolean {
    const { state } = this.#queue.at(-1)!;
    const asked = this.seat >= 0 && state.prompt.must && Object.keys(state.moves).length > 0;
    return asked || settings.staging !== "full" || document.hidden || this.#queue.length > AHEAD || Date.now() - this.#queue[0]!.at >= LAG;
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    clearTimeout(this.#later);
    while (this.#queue.length) {
      const pressed = this.#pressed;
      const wait = Math.max(this.director.busy ? LAG : 0, this.#quietAt - Date.now());
      if (!pressed && wait > 0) {
        this.#later = setTimeout(() => void this.#pump(), Math.min(wait, this.#queue[0]!.at + LAG - Date.now()));
        break;
      }
      await this.#lay(this.#queue.splice(0, pressed ? Infinity : 1));
    }
    this.#pumping = false;
  }

  /** Show what has come, and stage it. */
  async #lay(steps: Arrived[]): Promise<void> {
    const before = spots();
    const old = this.game;
    const lines = steps.flatMap((s) => s.log);
    const asked = this.headline;
    const scenes = this.#apply(steps);
    this.#stage(scenes, lines, asked);
    await tick();
    if (steps.some((s) => s.moved || s.log.length) && this.#perform(before, old, lines, scenes)) this.#quietAt = Date.now() + FLIGHT;
    if (!this.director.busy) this.staged = null;
  }

  /** Enough of it: the table as it is now. What concerned me badly is still shown, over it. */
  skip(): void {
    const rest = this.#queue.splice(0);
    this.director.skip();
    land();
    this.#quietAt = 0;
    if (rest.length) this.director.play(this.#apply(rest).filter(weighty));
  }

  #apply(steps: Arrived[]): Scene[] {
    const scenes: Scene[] = [];
    const told: string[] = [];
    for (const s of steps) {
      const old = this.game;
      const same = this.state?.table.game === s.state.table.game;
      this.log = [...this.log, ...s.log].slice(-KEPT);
      told.push(...s.log.map((l) => l.text));
      if (s.chat.length) this.#hear(s.chat);
      this.#take(s.state, s.at);
      const shown = s.state.game ? this.#scenes(same ? old : null, s.state.game, s.log) : [];
      scenes.push(...shown);
      if (!shown.length) this.#sound(s.log);
    }
    if (told.length) this.told = told.slice(-TOLD).join(" ");
    return scenes;
  }

  #scenes(before: Game | null, after: Game, lines: LogLine[]): Scene[] {
    if (!lines.length || settings.staging === "off" || document.hidden) return [];
    return direct({ before, after, lines }, { me: this.seat, card: (c) => this.cards[c] });
  }

  /** What is not staged is at least heard. */
  #sound(lines: LogLine[]): void {
    const l = lines.findLast((x) => x.id === "win" || x.id === "kick" || x.tone || x.card >= 0);
    if (!l) return;
    if (l.id === "win" || l.id === "kick") play(l.id);
    else if (l.tone === "die" || l.tone === "good" || l.tone === "bad") play(l.tone);
    else if (l.card >= 0) play("card");
  }

  /** Let cards fly, and the scenes begin. True if anything flies. */
  #perform(before: Map<string, Spot>, old: Game | null, lines: LogLine[], scenes: Scene[]): boolean {
    const g = this.game;
    if (!g || !old) return false;
    const after = spots();
    const deck = (c: number): number => this.cards[c]?.deck ?? 0;
    const owner = (x: Game, c: number): number => x.players.findIndex((p) => p.hand?.includes(c) || p.table.includes(c));
    const gone = (c: number): string => (owner(g, c) < 0 ? `discard-${deck(c)}` : `seat-${owner(g, c)}`);
    const from = (c: number): string => {
      const was = owner(old, c);
      if (was >= 0) return `seat-${was}`;
      const by = lines.find((l) => l.card === c && l.seat >= 0 && l.seat !== this.seat && (l.id === "play" || l.id === "curse" || l.id === "join"));
      if (by) return `seat-${by.id === "curse" && by.other >= 0 ? by.other : by.seat}`;
      const now = owner(g, c);
      return now >= 0 && now !== this.seat ? `seat-${now}` : `deck-${deck(c)}`;
    };
    const way = (c: number): Way => ({ from: before.get(String(c))?.rect ?? place(from(c)), to: after.get(String(c))?.rect ?? place(gone(c)) });
    this.director.calm = settings.staging !== "full";
    this.director.play(scenes, way);
    const staged = this.director.calm ? NOTHING : new Set(scenes.map((s) => s.card));
    const flew = launch(before, after, gone, from, staged);
    g.players.forEach((p, s) => {
      if (s === this.seat) return;
      const more = p.hand_size - (old.players[s]?.hand_size ?? p.hand_size);
      const doors = (old.decks[0] ?? 0) - (g.decks[0] ?? 0);
      if (more > 0 && more < 6) for (let i = 0; i < more; i++) back(i < doors ? 0 : 1, i < doors ? "deck-0" : "deck-1", `seat-${s}`, i * 60);
    });
    return flew;
  }

  #hear(lines: ChatLine[]): void {
    this.chat = [...this.chat, ...lines].slice(-KEPT);
    const others = lines.filter((l) => l.seat !== this.seat && hears(l));
    if (!others.length) return;
    play("chat");
    if (!this.chatOpen) this.unread += others.filter((l) => !isRemark(l)).length; // bots are heard where they sit, and need no answer
  }
}
