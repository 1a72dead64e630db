/** Putting together an offer, a trade, a sale or charity from small moves, without the table waiting for it. */
import { listed, type Move, saidAnew } from "./moves";
import type { MoveState, ProspectState } from "./protocol";
import type { Table } from "./table.svelte";

const ALL_OF_IT = "That is enough. Nothing goes before you say so.";

export class Drafting {
  readonly first: Move;
  readonly kind: NonNullable<MoveState["draft"]>;
  steps = $state.raw<Move[]>([]);
  moves = $state.raw<Move[]>([]);
  headline = $state("");
  rule = $state("");
  /** of an offer of help: what would come of it, and who picks first as it stands */
  prospect = $state.raw<ProspectState | null>(null);
  picks = $state<MoveState["picks"]>();
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

  adds = $derived.by(() => this.moves.filter((m) => m.action === "add"));
  /** what ends it: propose or done; charity is over when nothing is left to give */
  end = $derived.by(() => this.moves.find((m) => m.action === "propose" || m.action === "done") ?? null);
  complete = $derived.by(() => (this.kind === "charity" ? this.steps.length > 0 && this.adds.length === 0 && !this.busy && !this.problem : this.end !== null));

  get keys(): string[] {
    return [this.first.key, ...this.steps.map((m) => m.key)];
  }

  async refresh(): Promise<void> {
    const turn = ++this.#turn;
    this.busy = true;
    const a = await this.#table.send({ t: "draft", moves: this.keys }, true);
    if (turn !== this.#turn) return;
    this.busy = false;
    if (!a.ok) {
      this.problem = a.says || "That is not possible any more.";
      this.moves = [];
      return;
    }
    this.problem = "";
    this.moves = listed(a.data?.moves ?? {});
    if (!this.steps.length) this.#first = this.adds;
    this.#say(a.data?.headline ?? "", a.data?.rule ?? "");
    this.prospect = a.data?.prospect ?? null;
    this.picks = a.data?.picks;
  }

  /** With the last card of Charity the game is past it, and would speak of what comes next: but it is not sent yet. */
  #say(headline: string, rule: string): void {
    const all = this.kind === "charity" && this.steps.length > 0 && !this.adds.length;
    this.headline = all ? ALL_OF_IT : headline;
    if (!all) this.rule = rule;
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
    const end = this.kind === "charity" ? [] : this.end ? [this.end.key] : null;
    if (!end) return false;
    return this.#table.act([...this.keys, ...end]);
  }
}
