/** Everything that changes place flies there: where each card was before a change and is after it, a copy travels between. */
import { settings } from "./settings.svelte";

export const FLIGHT = 340;
export type Spot = { rect: DOMRect; node: HTMLElement };

function visible(r: DOMRect): boolean {
  return r.width > 4 && r.height > 4 && r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth;
}

/** Where each card lies now; a card shown twice counts where it is largest. */
export function spots(): Map<string, Spot> {
  const out = new Map<string, Spot>();
  if (typeof document === "undefined" || !settings.moving) return out;
  for (const node of document.querySelectorAll<HTMLElement>("[data-card]")) {
    const rect = node.getBoundingClientRect();
    if (!visible(rect)) continue;
    const key = node.dataset["card"]!;
    const old = out.get(key);
    if (!old || old.rect.width * old.rect.height < rect.width * rect.height) out.set(key, { rect, node });
  }
  return out;
}

function layer(): HTMLElement {
  let l = document.getElementById("flights");
  if (!l) {
    l = document.createElement("div");
    l.id = "flights";
    l.setAttribute("aria-hidden", "true");
    document.body.append(l);
  }
  return l;
}

function fly(copy: HTMLElement, from: DOMRect, to: DOMRect, hide: HTMLElement | null, fade: boolean): void {
  copy.removeAttribute("data-card");
  for (const n of copy.querySelectorAll("[data-card]")) n.removeAttribute("data-card");
  for (const n of copy.querySelectorAll("[id]")) n.removeAttribute("id");
  copy.inert = true;
  const base = fade ? from : to;
  Object.assign(copy.style, { position: "fixed", left: `${base.left}px`, top: `${base.top}px`, width: `${base.width}px`, height: `${base.height}px`, margin: "0", transform: "none", transformOrigin: "50% 50%", transition: "none", zIndex: "90" });
  layer().append(copy);
  if (hide) hide.style.visibility = "hidden";
  const other = fade ? to : from;
  // One scale both ways, about the middle: cards and chips have different shapes, and a squashed card looks wrong.
  const scale = Math.sqrt((other.width * other.height) / (base.width * base.height));
  const dx = other.left + other.width / 2 - (base.left + base.width / 2);
  const dy = other.top + other.height / 2 - (base.top + base.height / 2);
  const move = `translate(${dx}px, ${dy}px) scale(${scale})`;
  const frames = fade ? [{ transform: "none", opacity: 1 }, { transform: move, opacity: 0.3 }] : [{ transform: move }, { transform: "none" }];
  const a = copy.animate(frames, { duration: FLIGHT, easing: "cubic-bezier(.3,.75,.3,1)" });
  const end = (): void => {
    copy.remove();
    if (hide) hide.style.visibility = "";
  };
  a.onfinish = end;
  a.oncancel = end;
}

/** Where a deck, a discard pile or a seat is. */
export function place(name: string): DOMRect | null {
  const r = document.querySelector(`[data-place="${name}"]`)?.getBoundingClientRect();
  return r && r.width > 0 ? r : null;
}

/** Let what moved fly, but for cards that are on the stage. `gone(card)` and `from(card)` name the places where cards vanish to and come from. */
export function launch(before: Map<string, Spot>, after: Map<string, Spot>, gone: (card: number) => string | null, from: (card: number) => string | null, staged: ReadonlySet<number>): boolean {
  if (!settings.moving || document.hidden) return false;
  let n = 0;
  for (const [key, now] of after) {
    const was = before.get(key);
    if (n > 14) break;
    if (staged.has(Number(key))) continue;
    if (was) {
      const d = Math.hypot(was.rect.left - now.rect.left, was.rect.top - now.rect.top);
      const moved = was.node !== now.node && d > 24;
      if (!moved) continue;
      fly(now.node.cloneNode(true) as HTMLElement, was.rect, now.rect, now.node, false);
      n++;
    } else {
      const p = place(from(Number(key)) ?? "");
      if (!p) continue;
      fly(now.node.cloneNode(true) as HTMLElement, p, now.rect, now.node, false);
      n++;
    }
  }
  for (const [key, was] of before) {
    if (after.has(key) || n > 18 || staged.has(Number(key))) continue;
    const p = place(gone(Number(key)) ?? "");
    if (!p) continue;
    fly(was.node.cloneNode(true) as HTMLElement, was.rect, p, null, true);
    n++;
  }
  return n > 0;
}

/** A face-down card from one place to another: what others draw. */
export function back(deck: number, from: string, to: string, delay = 0): void {
  if (!settings.moving || document.hidden) return;
  const a = place(from);
  const b = place(to);
  if (!a || !b) return;
  const el = document.createElement("div");
  el.className = `flying-back deck-${deck}`;
  const w = 44;
  const h = 62;
  Object.assign(el.style, { left: `${a.left + a.width / 2 - w / 2}px`, top: `${a.top + a.height / 2 - h / 2}px`, width: `${w}px`, height: `${h}px` });
  layer().append(el);
  const dx = b.left + b.width / 2 - (a.left + a.width / 2);
  const dy = b.top + b.height / 2 - (a.top + a.height / 2);
  const anim = el.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${dx}px, ${dy}px) scale(.5)`, opacity: 0.6 }], { duration: FLIGHT, delay, easing: "cubic-bezier(.3,.75,.3,1)", fill: "backwards" });
  anim.onfinish = () => el.remove();
  anim.oncancel = () => el.remove();
}

/** End everything that flies, now. */
export function land(): void {
  const l = document.getElementById("flights");
  if (!l) return;
  for (const a of l.getAnimations({ subtree: true })) a.finish();
}
