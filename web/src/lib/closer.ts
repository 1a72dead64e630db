/** Looking closer at a card: the pointer rests on it, a long press, or Z while it has the focus. */
import { ui } from "./ui.svelte";

const REST = 420;
const PRESS = 450;

export function closer(node: HTMLElement, card: number) {
  let shown = card;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pressed = false;
  const stop = (): void => {
    clearTimeout(timer);
    if (ui.hover?.card === shown) ui.hover = null;
  };
  const enter = (e: PointerEvent): void => {
    if (e.pointerType !== "mouse" || shown < 0 || e.buttons || ui.hover?.card === shown) return;
    clearTimeout(timer);
    timer = setTimeout(() => (ui.hover = { card: shown, rect: node.getBoundingClientRect() }), REST);
  };
  const down = (e: PointerEvent): void => {
    stop();
    pressed = false;
    if (e.pointerType === "mouse" || shown < 0) return;
    timer = setTimeout(() => {
      pressed = true;
      ui.showCard(shown);
    }, PRESS);
  };
  const click = (e: MouseEvent): void => {
    if (!pressed) return;
    pressed = false;
    e.preventDefault();
    e.stopImmediatePropagation();
  };
  const menu = (e: Event): void => {
    if (matchMedia("(pointer: coarse)").matches) e.preventDefault();
  };
  const key = (e: KeyboardEvent): void => {
    if ((e.key === "z" || e.key === "Z") && shown >= 0 && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.stopPropagation();
      ui.showCard(shown);
    }
  };
  node.addEventListener("pointermove", enter);
  node.addEventListener("pointerleave", stop);
  node.addEventListener("pointerdown", down);
  node.addEventListener("pointerup", stop);
  node.addEventListener("pointercancel", stop);
  node.addEventListener("click", click, true);
  node.addEventListener("contextmenu", menu);
  node.addEventListener("keydown", key);
  return {
    update(next: number) {
      if (next !== shown) stop();
      shown = next;
    },
    destroy: stop,
  };
}
