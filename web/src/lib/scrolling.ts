/** A place that may hold more than it shows: it scrolls, and says so with a shade and an arrow at the edge where more is ([data-scroll] in layout.css). */
/** letters reach a little beyond their lines: that is nothing to scroll for */
const SLACK = 4;

/** Where there is more than is shown. */
function more(node: HTMLElement): string {
  const across = node.scrollWidth - node.clientWidth;
  const down = node.scrollHeight - node.clientHeight;
  const edges = [
    across > 1 && node.scrollLeft > 1 ? "left" : "",
    across > 1 && node.scrollLeft < across - 1 ? "right" : "",
    down > SLACK && node.scrollTop > 2 ? "up" : "",
    down > SLACK && node.scrollTop < down - 2 ? "down" : "",
  ];
  return edges.filter(Boolean).join(" ");
}

/** All of them at once: first everything is measured, then it is said, or each would have the page laid out anew. */
function look(nodes: Iterable<HTMLElement>): void {
  for (const [node, said] of [...nodes].map((n) => [n, more(n)] as const)) if (node.dataset["more"] !== said) node.dataset["more"] = said;
}

/** The place that this is, and the one that it lies in. */
const places = (e: Element): HTMLElement[] => [e, e.parentElement].filter((x): x is HTMLElement => x instanceof HTMLElement && "scroll" in x.dataset);
const sized = typeof ResizeObserver === "undefined" ? null : new ResizeObserver((all) => look(new Set(all.flatMap((x) => places(x.target)))));
const due = new Set<HTMLElement>();
function later(node: HTMLElement): void {
  if (!due.size)
    requestAnimationFrame(() => {
      const nodes = [...due];
      due.clear();
      look(nodes);
    });
  due.add(node);
}

export function scrolls(node: HTMLElement): { destroy: () => void } {
  const seen = (): void => later(node);
  const children = (): void => {
    for (const c of node.children) sized?.observe(c);
  };
  const changed = new MutationObserver(() => {
    children();
    seen();
  });
  node.dataset["scroll"] = "";
  sized?.observe(node); // which looks at it at once
  children();
  changed.observe(node, { childList: true, subtree: true, characterData: true });
  node.addEventListener("scroll", seen, { passive: true });
  return {
    destroy() {
      for (const e of [node, ...node.children]) sized?.unobserve(e);
      changed.disconnect();
      due.delete(node);
      node.removeEventListener("scroll", seen);
    },
  };
}
