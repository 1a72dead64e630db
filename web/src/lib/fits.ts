/** Says on an element whether its words all fit: `cut` is there while some do not. One observer for all cards. */
const seen = typeof ResizeObserver === "undefined" ? null : new ResizeObserver((all) => all.forEach((e) => mark(e.target as HTMLElement)));

function mark(e: HTMLElement): void {
  e.toggleAttribute("data-cut", e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1);
}

export function fits(e: HTMLElement): { destroy: () => void } {
  seen?.observe(e);
  return { destroy: () => seen?.unobserve(e) };
}
