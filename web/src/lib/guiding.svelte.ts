/** What is said to a newcomer about the moment, once each. */
import { lessonOf } from "./lesson.svelte";
import { escaping } from "./people";
import { keep, recall } from "./session";
import { settings } from "./settings.svelte";
import type { Table } from "./table.svelte";
import { ui } from "./ui.svelte";

/** In letters: a screen that is lower has no room for a hint of its own accord. */
const TALL = 58;

export class Guiding {
  #seen = $state.raw<string[]>((recall("kickdoor.guide") ?? "").split(",").filter(Boolean));
  #opened = $state("");

  constructor(readonly table: Table) {}

  /** what it takes to get away, as it stands: the engine's figures, with everything I have */
  #mine = $derived.by(() => this.table.game?.fight?.escapes.filter((x) => x.seat === this.table.seat) ?? []);
  #sure = $derived.by(() => this.#mine.length > 0 && this.#mine.every((x) => x.need === 0));
  #odds = $derived.by(() => this.#mine.map((x) => `${escaping(this.table, x, this.table.name(x.foe))}.`).join(" "));
  #limit = $derived.by(() => this.table.mine?.hand_limit ?? 5);

  hints: Record<string, [title: string, text: string]> = $derived.by(() => ({
    creation: ["Who are you?", "Tap a Race, a Class or an Item in your hand and put it down. Cards with a green edge can be played now. When you are happy, press the big button."],
    before_door: ["Your turn", "First get ready: put on Items, sell some for a level, trade. Then kick open the door. Whatever is behind it happens at once."],
    winning: ["You are winning", "Your sum is higher, so you would win. The others may still spoil it: they have a few seconds. Press “I’m done” when you have nothing to add."],
    losing: ["You are losing", `Play a one-shot on your side, or ask somebody for help and pay in Treasures. If nothing helps, be done with it and run. ${this.#odds}`],
    other_fight: ["Somebody fights", "You may help, for a price, or make it worse: throw a bonus at the monsters, or a Curse at the fighter. Or press “I’m done” and let it happen."],
    after_door: ["Nobody home", "Look for trouble with a monster from your hand, if you can beat it. Otherwise loot the room: a Door card, face-down, just for you."],
    door_card: ["The door", "It was no monster, so the card is yours. The buttons on it say what you can do with it now; you may also keep it for later."],
    charity: ["The end of your turn", `More than ${this.#limit} cards in hand? The rest goes to the lowest player; if that is you, it is discarded. Up to ${this.#limit} you may keep.`],
    flight: ["Run!", this.#sure ? "Nobody holds you: you get away without a throw." : `For each monster a roll. ${this.#odds} Otherwise read its Bad Stuff and weep.`],
    curse: ["A Curse", "It is about to strike. A card that cancels it would help; otherwise let it happen."],
    asked: ["A question", "The card wants to know something from you. Pick an answer; the number keys work as well."],
    offer: ["An offer", "It says what would come of it. Accept it, say no, or make a counter-offer. Promises made here are kept by the table."],
    others: ["While you wait", "Tap anybody to see what they have. Tap a card of yours that cannot be played: it says why. You can trade at almost any time."],
  }));

  now = $derived.by((): string => {
    const t = this.table;
    const g = t.game;
    if (!g || t.seat < 0 || g.winners.length || lessonOf(t)) return "";
    const me = t.seat;
    if (g.offers.some((o) => o.to === me)) return "offer";
    if (g.pending?.what === "curse") return "curse";
    if (g.asked?.seat === me && t.grouped.answers.length) return "asked";
    if (g.fight) {
      if (g.fight.fleeing) return g.fight.main === me || g.fight.helper === me ? "flight" : "";
      if (g.fight.main === me) return g.fight.winning ? "winning" : "losing";
      return t.prompt.must ? "other_fight" : "";
    }
    if (g.phase === "creation" && !g.pending) return t.prompt.must ? "creation" : "";
    if (g.turn === me) return g.phase in this.hints ? g.phase : "";
    return t.log.length > 8 ? "others" : "";
  });

  hint = $derived.by(() => (settings.guide && this.now && !this.#seen.includes(this.now) ? this.hints[this.now] : undefined));
  /** On a phone that is short of height only its title, among the buttons, until it is tapped: on the felt it would lie on what everybody reads. */
  brief = $derived.by(() => ui.phone && !this.asked && (ui.height < TALL * ui.rem || !!this.table.game?.fight || !!this.table.game?.offers.length));
  left = $derived.by(() => Object.keys(this.hints).length - this.#seen.length);

  /** Was it opened by hand? */
  get asked(): boolean {
    return this.now !== "" && this.#opened === this.now;
  }

  open(): void {
    this.#opened = this.now;
  }

  got(): void {
    this.#seen = [...this.#seen, this.now];
    keep("kickdoor.guide", this.#seen.join(","));
  }

  off(): void {
    settings.guide = false;
    settings.save();
  }
}
