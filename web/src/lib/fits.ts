/** Says on an element whether its words all fit: `cut` is there while some do not. One observer for all cards. */
const seen = typeof ResizeObserver === "undefined" ? null : new ResizeObserver((all) => all.forEach((e) => mark(e.target as HTMLElement)));

const cut = (e: HTMLElement): boolean => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1;

function mark(e: HTMLElement): void {
  const card = e.closest<HTMLElement>(".card");
  if (cut(e) && card && !card.hasAttribute("data-tight")) card.setAttribute("data-tight", ""); // as much as it can, once: it stays so
  e.toggleAttribute("data-cut", cut(e));
}

export function fits(e: HTMLElement): { destroy: () => void } {
  seen?.observe(e);
  return { destroy: () => seen?.unobserve(e) };
}
