/** Putting together an offer, a trade, a sale or charity from small moves, without the table waiting for it. */
import { type Move, type Parts, parseAll, saidAnew, V } from "./moves";
import type { Table } from "./table.svelte";

export class Drafting {
  readonly first: Move;
  readonly kind: "help" | "trade" | "sell" | "charity";
  steps = $state.raw<Move[]>([]);
  moves = $state.raw<Move[]>([]);
  headline = $state("");
  problem = $state("");
  busy = $state(false);
  #table: Table;
  #turn = 0;
  /** what could be said before anything was */
  #first: Move[] = [];

  constructor(table: Table, first: Move, kind: Drafting["kind"]) {
    this.#table = table;
    this.first = first;
    this.kind = kind;
    void this.refresh();
  }

  adds = $derived.by(() => this.moves.filter((m) => m.verb === V.add));
  /** what ends it: propose or done; charity is over when nothing is left to give */
  end = $derived.by(() => this.moves.find((m) => m.verb === V.propose || m.verb === V.done) ?? null);
  complete = $derived.by(() => (this.kind === "charity" ? this.steps.length > 0 && this.adds.length === 0 && !this.busy && !this.problem : this.end !== null));

  get parts(): Parts[] {
    return [this.first.parts, ...this.steps.map((m) => m.parts)];
  }

  async refresh(): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    const a = await this.#table.send({ t: "draft", moves: this.parts }, true);
    if (turn !== this.#turn) return;
    this.busy = false;
    if (!a.ok) {
      this.problem = a.says || "That is not possible any more.";
      this.moves = [];
      return;
    }
    const data = a.data as { moves?: Record<string, string>; headline?: string } | null | undefined;
    this.problem = "";
    this.moves = parseAll(data?.moves ?? {});
    if (!this.steps.length) this.#first = this.adds;
    this.headline = data?.headline ?? "";
  }

  add(m: Move): void {
    this.steps = saidAnew([...this.steps, m], this.#first);
    void this.refresh();
  }

  remove(m: Move): void {
    this.steps = this.steps.filter((s) => s.key !== m.key);
    void this.refresh();
  }

  async send(): Promise<boolean> {
    const end = this.kind === "charity" ? [] : this.end ? [this.end.parts] : null;
    if (!end) return false;
    return this.#table.act([...this.parts, ...end]);
  }
}
