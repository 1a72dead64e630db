/** Short, dry, few: made on the spot with WebAudio, so nothing is fetched. */
import { settings } from "./settings.svelte";

type Sound = "card" | "kick" | "die" | "good" | "bad" | "turn" | "chat" | "win";

let ctx: AudioContext | null = null;

function tone(at: number, freq: number, to: number, length: number, volume: number, type: OscillatorType): void {
  const c = ctx!;
  const o = c.createOscillator();
  const g = c.createGain();
  o.type = type;
  o.frequency.setValueAtTime(freq, at);
  o.frequency.exponentialRampToValueAtTime(Math.max(20, to), at + length);
  g.gain.setValueAtTime(volume, at);
  g.gain.exponentialRampToValueAtTime(0.0001, at + length);
  o.connect(g).connect(c.destination);
  o.start(at);
  o.stop(at + length);
}

function noise(at: number, length: number, volume: number, freq: number): void {
  const c = ctx!;
  const n = Math.floor(c.sampleRate * length);
  const b = c.createBuffer(1, n, c.sampleRate);
  const d = b.getChannelData(0);
  for (let i = 0; i < n; i++) d[i] = (Math.random() * 2 - 1) * (1 - i / n) ** 2;
  const s = c.createBufferSource();
  s.buffer = b;
  const f = c.createBiquadFilter();
  f.type = "bandpass";
  f.frequency.value = freq;
  const g = c.createGain();
  g.gain.value = volume;
  s.connect(f).connect(g).connect(c.destination);
  s.start(at);
}

const SOUNDS: Record<Sound, (t: number) => void> = {
  card: (t) => noise(t, 0.07, 0.25, 2400),
  kick: (t) => {
    noise(t, 0.16, 0.8, 220);
    tone(t, 110, 45, 0.18, 0.5, "sine");
  },
  die: (t) => [0, 0.07, 0.15, 0.26].forEach((d) => noise(t + d, 0.04, 0.4, 1500)),
  good: (t) => {
    tone(t, 520, 520, 0.09, 0.12, "triangle");
    tone(t + 0.09, 780, 780, 0.14, 0.12, "triangle");
  },
  bad: (t) => tone(t, 220, 90, 0.28, 0.16, "sawtooth"),
  turn: (t) => {
    tone(t, 660, 660, 0.08, 0.12, "triangle");
    tone(t + 0.1, 880, 880, 0.16, 0.1, "triangle");
  },
  chat: (t) => tone(t, 900, 700, 0.06, 0.06, "sine"),
  win: (t) => [523, 659, 784, 1047].forEach((f, i) => tone(t + i * 0.12, f, f, 0.3, 0.13, "triangle")),
};

export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === "undefined" || document.hidden || !(navigator.userActivation?.hasBeenActive ?? true)) return;
  try {
    ctx ??= new AudioContext();
    if (ctx.state === "suspended") void ctx.resume();
    if (ctx.state === "running") SOUNDS[sound](ctx.currentTime + 0.005);
  } catch {
    /* no sound, no harm */
  }
}

export function buzz(ms: number | number[]): void {
  if (settings.vibrate) navigator.vibrate?.(ms);
}
