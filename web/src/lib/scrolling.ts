/** A place that may hold more than it shows: it scrolls, and says so with a shade and an arrow at the edge where more is ([data-scroll] in layout.css). */
/** letters reach a little beyond their lines: that is nothing to scroll for */
const SLACK = 4;

export function scrolls(node: HTMLElement): { destroy: () => void } {
  function look(): void {
    const across = node.scrollWidth - node.clientWidth;
    const down = node.scrollHeight - node.clientHeight;
    const more = [
      across > 1 && node.scrollLeft > 1 ? "left" : "",
      across > 1 && node.scrollLeft < across - 1 ? "right" : "",
      down > SLACK && node.scrollTop > 2 ? "up" : "",
      down > SLACK && node.scrollTop < down - 2 ? "down" : "",
    ];
    const said = more.filter(Boolean).join(" ");
    if (node.dataset["more"] !== said) node.dataset["more"] = said;
  }
  node.dataset["scroll"] = "";
  const sized = new ResizeObserver(look);
  const changed = new MutationObserver(() => {
    for (const c of node.children) sized.observe(c);
    look();
  });
  sized.observe(node);
  for (const c of node.children) sized.observe(c);
  changed.observe(node, { childList: true, subtree: true, characterData: true });
  node.addEventListener("scroll", look, { passive: true });
  look();
  return {
    destroy() {
      sized.disconnect();
      changed.disconnect();
      node.removeEventListener("scroll", look);
    },
  };
}
