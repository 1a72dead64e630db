/** A finished game as a picture to show around: drawn here, in the colours of the table, with nothing fetched. */
import type { Played } from "./games";
import { betrayal } from "./ending";
import { many } from "./people";
import { initial, TOKENS } from "./seats";

const W = 1200;
const H = 630;

/** What stands on it besides names: English, unless a page that speaks other languages says otherwise. */
export interface Caption {
  told: string;
  won: string;
  level: (n: number) => string;
}
const captionOf = (p: Played): Caption => ({
  told: `${p.name} · ${new Date(p.at).toLocaleDateString()} · ${many(p.turns, "turn")}`,
  won: `${p.winners.map((s) => p.players[s]).join(" and ")} ${p.winners.length > 1 ? "win" : "wins"}!`,
  level: (n) => `Level ${n}`,
});

export async function picture(p: Played, colours: number[] = [], caption = captionOf(p)): Promise<Blob> {
  await document.fonts?.ready;
  const canvas = document.createElement("canvas");
  canvas.width = W;
  canvas.height = H;
  const c = canvas.getContext("2d");
  if (!c) throw new Error("This browser cannot draw pictures.");
  draw(c, p, caption, (s) => TOKENS[(colours[s] ?? s) % TOKENS.length]!);
  return new Promise((done, no) => canvas.toBlob((b) => (b ? done(b) : no(new Error("The picture could not be made."))), "image/png"));
}

function css(name: string, usual: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || usual;
}

function draw(c: CanvasRenderingContext2D, p: Played, caption: Caption, colour: (s: number) => string): void {
  const [bg, panel, text, muted, line, strong, gold] = [css("--bg", "#f4e7c8"), css("--panel", "#fff8e6"), css("--text", "#2b1d0e"), css("--muted", "#6b5a45"), css("--line", "#c9b48a"), css("--strong", "#8b1a1a"), css("--treasure", "#b8860b")];
  const gothic = css("--gothic", "Georgia, serif");
  const display = css("--display", "Georgia, serif");
  const body = css("--body", "sans-serif");
  c.fillStyle = bg;
  c.fillRect(0, 0, W, H);
  c.fillStyle = panel;
  c.strokeStyle = line;
  c.lineWidth = 4;
  box(c, 28, 28, W - 56, H - 56, 28);
  c.fillStyle = strong;
  c.font = `700 38px ${gothic}`;
  c.fillText("Kickdoor", 64, 88);
  c.fillStyle = muted;
  c.font = `400 24px ${body}`;
  fit(c, caption.told, 230, 88, W - 300);
  c.fillStyle = text;
  c.font = `800 84px ${display}`;
  fit(c, caption.won, 64, 180, W - 128);
  graph(c, p, colour, { x: 64, y: 222, w: 660, h: 290 }, { line, muted, body, panel });
  const order = p.players.map((_, s) => s).sort((a, b) => Number(p.winners.includes(b)) - Number(p.winners.includes(a)) || level(p, b) - level(p, a));
  const room = Math.min(58, 290 / order.length);
  order.forEach((s, i) => {
    const y = 222 + room * (i + 0.5);
    dot(c, 790, y, Math.min(20, room * 0.42), colour(s), p.players[s] ?? "", body);
    c.fillStyle = p.winners.includes(s) ? gold : text;
    c.font = `700 ${Math.min(32, room * 0.62)}px ${body}`;
    c.textBaseline = "middle";
    c.fillStyle = text;
    fit(c, p.players[s] ?? "", 824, y, 210);
    c.textAlign = "right";
    c.font = `800 ${Math.min(38, room * 0.7)}px ${display}`;
    c.fillStyle = p.winners.includes(s) ? strong : muted;
    c.fillText(caption.level(level(p, s)), W - 64, y);
    c.textAlign = "left";
    c.textBaseline = "alphabetic";
  });
  if (!p.worst) return;
  c.fillStyle = strong;
  c.font = `800 28px ${display}`;
  c.fillText("The biggest betrayal", 64, 552);
  c.fillStyle = text;
  c.font = `400 25px ${body}`;
  fit(c, betrayal(p.worst, (s) => p.players[s] ?? "somebody"), 64, 586, W - 128);
}

const level = (p: Played, s: number): number => p.levels.at(-1)?.[s] ?? 1;

function box(c: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, r: number): void {
  c.beginPath();
  c.roundRect(x, y, w, h, r);
  c.fill();
  c.stroke();
}

/** A line of text that is never wider than its room. */
function fit(c: CanvasRenderingContext2D, text: string, x: number, y: number, room: number): void {
  let shown = text;
  while (shown.length > 4 && c.measureText(shown).width > room) shown = `${shown.slice(0, -2).trimEnd()}…`;
  c.fillText(shown, x, y);
}

function dot(c: CanvasRenderingContext2D, x: number, y: number, r: number, colour: string, name: string, body: string): void {
  c.fillStyle = colour;
  c.beginPath();
  c.arc(x, y, r, 0, Math.PI * 2);
  c.fill();
  c.fillStyle = "#fff";
  c.font = `800 ${r * 1.2}px ${body}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(initial(name), x, y + 1);
  c.textAlign = "left";
  c.textBaseline = "alphabetic";
}

function graph(c: CanvasRenderingContext2D, p: Played, colour: (s: number) => string, at: { x: number; y: number; w: number; h: number }, look: { line: string; muted: string; body: string; panel: string }): void {
  const top = Math.max(10, ...p.levels.flat());
  const x = (i: number): number => at.x + 36 + ((at.w - 50) * i) / Math.max(1, p.levels.length - 1);
  const y = (l: number): number => at.y + at.h - ((at.h - 8) * (l - 1)) / (top - 1);
  c.lineWidth = 1.5;
  c.strokeStyle = look.line;
  c.fillStyle = look.muted;
  c.font = `700 20px ${look.body}`;
  for (const l of [1, Math.round((top + 1) / 2), top]) {
    c.beginPath();
    c.moveTo(at.x + 36, y(l));
    c.lineTo(at.x + at.w, y(l));
    c.stroke();
    c.fillText(String(l), at.x, y(l) + 7);
  }
  p.players.forEach((_, s) => {
    for (const [width, stroke] of [[10, look.panel], [p.winners.includes(s) ? 7 : 4.5, colour(s)]] as const) {
      c.lineWidth = width;
      c.strokeStyle = stroke;
      c.lineJoin = c.lineCap = "round";
      c.beginPath();
      p.levels.forEach((row, i) => {
        const to = y(row[s] ?? 1) + (s - (p.players.length - 1) / 2) * 3;
        if (i) {
          c.lineTo(x(i), y(p.levels[i - 1]![s] ?? 1) + (s - (p.players.length - 1) / 2) * 3);
          c.lineTo(x(i), to);
        } else c.moveTo(x(i), to);
      });
      c.stroke();
    }
  });
}

/** Hand a picture over: by the device's own ways of sharing if it has any, else as a file. True if it was shared. */
export async function hand(blob: Blob, file: string, text: string): Promise<boolean> {
  const out = new File([blob], file, { type: "image/png" });
  if (navigator.canShare?.({ files: [out] })) {
    try {
      await navigator.share({ files: [out], title: "Kickdoor", text });
      return true;
    } catch (e) {
      if ((e as Error).name === "AbortError") return true; // closed again, on purpose
    }
  }
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return false;
}
