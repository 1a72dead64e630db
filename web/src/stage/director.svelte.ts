/** Plays scenes one after another. It never says no: what comes while something is shown is made to fit, and a key or a tap ends all of it. */
import { play as sound, type Sound } from "../lib/sounds";
import type { Kind, Scene } from "./scenes";
import { BUDGET, fit } from "./timeline";

const SOUNDS: Record<Kind, Sound | null> = {
  win: "win", death: "death", curse: "curse", struck: "struck", spared: "good", caught: "struck", theft: "theft", betrayal: "betrayal", support: "good", victory: "victory", loss: "loss", level: "level", fall: "loss", deal: "deal",
  die: "die", run: "run", escape: "escape", monster: "monster", door: "kick", reborn: "good", friend: "good", gone: "escape", skipped: "loss", turn: null, meanwhile: "card",
};
/** What hits one hard enough to shake the table. */
const SHAKES: ReadonlySet<Kind> = new Set(["death", "struck", "caught", "betrayal", "theft"]);

/** Where a scene's card comes from and goes to, on the screen. */
export interface Way {
  from: DOMRect | null;
  to: DOMRect | null;
}

export interface Shown extends Scene {
  id: number;
  way: Way;
}

export class Director {
  /** what is on the stage now */
  now = $state.raw<Shown | null>(null);
  /** how it is played: with all movement, or standing still */
  calm = $state(false);
  #next: { scene: Scene; way: Way }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #until = 0;
  #id = 0;

  /** `ended` is called whenever the stage is empty again. */
  constructor(readonly ended: () => void = () => undefined) {}

  get busy(): boolean {
    return this.now !== null;
  }

  /** Milliseconds until the stage is empty. */
  get left(): number {
    return this.now ? Math.max(0, this.#until - Date.now()) + this.#next.reduce((n, x) => n + x.scene.length, 0) : 0;
  }

  /** Show these, after what is on; what waits already is made to fit with them. */
  play(scenes: readonly Scene[], ways: (card: number) => Way = () => ({ from: null, to: null })): void {
    const known = new Map(this.#next.map((x) => [x.scene.card, x.way]));
    const rest = Math.max(0, this.#until - Date.now());
    const all = fit([...this.#next.map((x) => x.scene), ...scenes], this.now ? Math.max(BUDGET / 2, BUDGET - rest) : BUDGET);
    this.#next = all.map((s) => ({ scene: s, way: known.get(s.card) ?? ways(s.card) }));
    if (!this.now) this.#step();
  }

  /** Enough: the table as it is. */
  skip(): void {
    if (!this.now) return;
    this.#next = [];
    this.#step();
  }

  #step(): void {
    clearTimeout(this.#timer);
    const next = this.#next.shift();
    if (!next) {
      this.now = null;
      this.ended();
      return;
    }
    const { scene, way } = next;
    this.now = { ...scene, way, id: ++this.#id };
    this.#until = Date.now() + scene.length;
    const s = scene.door ? "kick" : SOUNDS[scene.kind];
    if (s) sound(s);
    if (scene.mine && !this.calm && SHAKES.has(scene.kind)) shake();
    this.#timer = setTimeout(() => this.#step(), scene.length);
  }
}

/** The table takes the blow. */
function shake(): void {
  if (typeof document === "undefined") return;
  const to = (x: number, y: number, r: number): Keyframe => ({ transform: `translate(${x}px, ${y}px) rotate(${r}deg)` });
  document.querySelector("main")?.animate([to(0, 0, 0), to(-9, 4, -0.4), to(8, -5, 0.4), to(-6, 3, -0.2), to(4, -2, 0.1), to(0, 0, 0)], { duration: 380, delay: 260, easing: "ease-out" });
}
