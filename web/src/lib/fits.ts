/** Says on an element whether its words all fit: `cut` is there while some do not. One observer for all cards. */
const seen = typeof ResizeObserver === "undefined" ? null : new ResizeObserver((all) => mark(all.map((e) => e.target as HTMLElement)));

const cut = (e: HTMLElement): boolean => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1;

/** All that have changed at once: measured first and said then, or each would have the page laid out anew. */
function mark(all: HTMLElement[]): void {
  // A card whose words do not fit makes what room it can for them, once: it stays so.
  const tight = all.filter(cut).flatMap((e) => e.closest<HTMLElement>(".card:not([data-tight])") ?? []);
  for (const card of tight) card.setAttribute("data-tight", "");
  // What a card is good for comes before what it does to losers, where a hand has no room for both.
  const words = all.filter((e) => e.matches(".hand > .text") && cut(e)).flatMap((e) => e.parentElement ?? []);
  for (const card of words) card.setAttribute("data-tight", "words");
  for (const [e, short] of all.map((e) => [e, cut(e)] as const)) e.toggleAttribute("data-cut", short);
}

export function fits(e: HTMLElement): { destroy: () => void } {
  seen?.observe(e);
  return { destroy: () => seen?.unobserve(e) };
}
