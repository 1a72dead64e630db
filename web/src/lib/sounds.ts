/** Short, dry, few: made on the spot with WebAudio, so nothing is fetched. Each belongs to a group, and each group has its volume (settings). */
import { settings, type SoundGroup } from "./settings.svelte";

export type Sound = keyof typeof SOUNDS;

let ctx: AudioContext | null = null;
let out: GainNode | null = null;

function tone(at: number, freq: number, to: number, length: number, volume: number, type: OscillatorType): void {
  const c = ctx!;
  const o = c.createOscillator();
  const g = c.createGain();
  o.type = type;
  o.frequency.setValueAtTime(freq, at);
  o.frequency.exponentialRampToValueAtTime(Math.max(20, to), at + length);
  g.gain.setValueAtTime(volume, at);
  g.gain.exponentialRampToValueAtTime(0.0001, at + length);
  o.connect(g).connect(out!);
  o.start(at);
  o.stop(at + length);
}

function noise(at: number, length: number, volume: number, freq: number, to = freq): void {
  const c = ctx!;
  const n = Math.floor(c.sampleRate * length);
  const b = c.createBuffer(1, n, c.sampleRate);
  const d = b.getChannelData(0);
  for (let i = 0; i < n; i++) d[i] = (Math.random() * 2 - 1) * (1 - i / n) ** 2;
  const s = c.createBufferSource();
  s.buffer = b;
  const f = c.createBiquadFilter();
  f.type = "bandpass";
  f.frequency.setValueAtTime(freq, at);
  f.frequency.exponentialRampToValueAtTime(to, at + length);
  const g = c.createGain();
  g.gain.value = volume;
  s.connect(f).connect(g).connect(out!);
  s.start(at);
}

const run = (t: number, notes: number[], each: number, volume: number, type: OscillatorType = "triangle"): void => notes.forEach((f, i) => tone(t + i * each, f, f, each * 1.6, volume, type));

const SOUNDS = {
  // what happens on the table
  card: ["effects", (t: number) => noise(t, 0.07, 0.25, 2400)],
  kick: ["effects", (t: number) => {
    noise(t, 0.16, 0.8, 220);
    tone(t, 110, 45, 0.18, 0.5, "sine");
    noise(t + 0.2, 0.35, 0.12, 700, 240); // the hinges
  }],
  monster: ["effects", (t: number) => {
    tone(t, 95, 60, 0.5, 0.22, "sawtooth");
    tone(t + 0.05, 142, 71, 0.45, 0.12, "sawtooth");
  }],
  die: ["effects", (t: number) => [0, 0.09, 0.2, 0.34, 0.52].forEach((d, i) => noise(t + d, 0.04, 0.42 - i * 0.05, 1500))],
  good: ["effects", (t: number) => run(t, [520, 780], 0.09, 0.12)],
  bad: ["effects", (t: number) => tone(t, 220, 90, 0.28, 0.16, "sawtooth")],
  level: ["effects", (t: number) => run(t, [523, 659, 784], 0.09, 0.13)],
  victory: ["effects", (t: number) => run(t, [392, 523, 659, 784], 0.1, 0.14)],
  loss: ["effects", (t: number) => run(t, [392, 330, 262], 0.13, 0.13)],
  curse: ["effects", (t: number) => {
    tone(t, 740, 180, 0.55, 0.12, "sine");
    tone(t, 784, 170, 0.55, 0.1, "sine");
    noise(t, 0.5, 0.12, 3000, 400);
  }],
  struck: ["effects", (t: number) => {
    noise(t, 0.22, 0.7, 400, 120);
    tone(t, 160, 50, 0.35, 0.3, "square");
  }],
  betrayal: ["effects", (t: number) => {
    noise(t, 0.18, 0.35, 5200, 2600); // a blade
    tone(t + 0.16, 233, 110, 0.4, 0.16, "sawtooth");
  }],
  theft: ["effects", (t: number) => noise(t, 0.2, 0.4, 900, 3600)],
  deal: ["effects", (t: number) => {
    noise(t, 0.06, 0.5, 500);
    run(t + 0.08, [587, 740], 0.1, 0.1);
  }],
  run: ["effects", (t: number) => [0, 0.11, 0.22, 0.33].forEach((d) => noise(t + d, 0.06, 0.4, 260))],
  escape: ["effects", (t: number) => tone(t, 300, 1200, 0.28, 0.1, "triangle")],
  death: ["effects", (t: number) => {
    [0, 0.55, 1.1].forEach((d) => tone(t + d, 82, 80, 0.9, 0.3, "sine")); // a bell, far off
    run(t, [262, 247, 220, 175], 0.28, 0.1, "sawtooth");
  }],
  win: ["effects", (t: number) => {
    run(t, [523, 523, 523, 698, 880], 0.13, 0.14);
    run(t + 0.7, [784, 880, 1047], 0.2, 0.14);
    run(t + 0.7, [392, 440, 523], 0.2, 0.1);
  }],
  // what is said at it
  chat: ["voices", (t: number) => tone(t, 900, 700, 0.06, 0.06, "sine")],
  // what calls for me
  turn: ["alerts", (t: number) => run(t, [660, 880], 0.1, 0.12)],
  asked: ["alerts", (t: number) => run(t, [880, 880], 0.12, 0.1)],
} as const satisfies Record<string, readonly [SoundGroup, (at: number) => void]>;

/** How loud a sound is: nothing but alerts is heard from a hidden tab. */
export function loudness(sound: Sound, hidden: boolean): number {
  const group = SOUNDS[sound][0];
  return settings.sound && (!hidden || group === "alerts") ? settings.volume[group] : 0;
}

export function play(sound: Sound): void {
  if (typeof AudioContext === "undefined" || !(navigator.userActivation?.hasBeenActive ?? true)) return;
  const volume = loudness(sound, document.hidden);
  if (volume <= 0) return;
  try {
    ctx ??= new AudioContext();
    if (ctx.state === "suspended") void ctx.resume();
    if (ctx.state !== "running") return;
    out = ctx.createGain();
    out.gain.value = volume;
    out.connect(ctx.destination);
    SOUNDS[sound][1](ctx.currentTime + 0.005);
  } catch {
    /* no sound, no harm */
  }
}

export function buzz(ms: number | number[]): void {
  if (settings.vibrate) navigator.vibrate?.(ms);
}
