/* What a person with good eyes would complain about, by geometry: runs inside the page and gives back a list of findings.
 *
 * Nothing may be cut off, covered, outside the window or drawn over something else. Where that is meant, the page says so:
 *   data-scroll  there is more, by scrolling: it scrolls, leaves room for three lines at least, and hints at it
 *                (a scrollbar, or a mask where there is none)
 *   data-clamp   a text that is cut after some lines, with the whole of it one tap away: it lies in a button, link or the like
 *   data-fan     its children overlap like a hand of cards: what lies under a fellow is no fault, but names (.name) must be seen
 *   data-over    opened by the player on top of the table, closed by Esc: may cover what it lies on
 * Plain JavaScript: Chromium, Firefox and WebKit run it as it is.
 */
() => {
  const W = document.documentElement.clientWidth, H = innerHeight, found = new Map();
  const REACH = "button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=slider]";
  const rootScrolls = () => document.documentElement.scrollHeight > H + 1;
  const style = new Map();
  const css = (e) => style.get(e) ?? (style.set(e, getComputedStyle(e)), style.get(e));
  /** Worked out once for each element: what scrolling does not change. */
  const once = (f, known = new Map()) => (e) => { let v = known.get(e); if (v === undefined) known.set(e, (v = f(e))); return v; };
  /** And where things are: to `forget` when something has scrolled. */
  const places = new Map();
  const forget = () => places.clear();

  // -- saying which one it is ---------------------------------------------------------------------------------------
  const step = (e) => e.tagName.toLowerCase() + (e.id ? `#${e.id}` : "") + [...e.classList].filter((c) => !/^(s-|svelte-)/.test(c)).map((c) => `.${c}`).join("");
  const path = (e) => {
    const out = [];
    for (let x = e; x && x !== document.body && out.length < 4; x = x.parentElement) out.unshift(step(x));
    return out.join(" > ");
  };
  const words = (s) => s.replace(/\s+/g, " ").trim();
  const called = (e) => words(e.getAttribute("aria-label") || e.innerText || e.getAttribute("placeholder") || e.value || "").slice(0, 60);
  const tell = (kind, e, text, how) => {
    const key = `${kind}|${path(e)}|${how.replace(/[\d.]+/g, "#")}`;
    const old = found.get(key);
    if (old) old.times++;
    else found.set(key, { kind, where: path(e), text: words(text).slice(0, 60), how, times: 1 });
  };

  // -- boxes --------------------------------------------------------------------------------------------------------
  const cut = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const wide = (r) => r.right - r.left, high = (r) => r.bottom - r.top;
  const some = (r) => wide(r) > 0.5 && high(r) > 0.5;
  const rect = (e) => e.getBoundingClientRect();
  const inner = once((e) => {
    const r = rect(e), s = css(e);
    // what is turned or scaled has no plain inner box: the outer one is near enough
    if (Math.abs(e.offsetWidth - r.width) > 1 || Math.abs(e.offsetHeight - r.height) > 1) return r;
    const left = r.left + parseFloat(s.borderLeftWidth), top = r.top + parseFloat(s.borderTopWidth);
    // a scrollbar takes room of its own in some browsers: what is under it is no part of the inside
    return { left, top, right: Math.min(r.right - parseFloat(s.borderRightWidth), left + (e.clientWidth || r.width)), bottom: Math.min(r.bottom - parseFloat(s.borderBottomWidth), top + (e.clientHeight || r.height)) };
  }, places);
  const holds = (s) => s.transform !== "none" || s.filter !== "none" || s.willChange === "transform" || /layout|paint|strict|content/.test(s.contain) || (s.containerType && s.containerType !== "normal");
  /** The ancestors that may clip this: those that its position is counted from, and what is inside them. */
  const around = once((e) => {
    const out = [];
    let place = css(e).position;
    for (let p = e.parentElement; p && p !== document.documentElement; p = p.parentElement) {
      const s = css(p);
      if (place === "fixed" && !holds(s)) continue;
      if (place === "absolute" && s.position === "static" && !holds(s)) continue;
      out.push(p);
      if (p.tagName === "DIALOG" && p.open) break;
      place = s.position;
    }
    return out;
  });
  const scrollsOn = (e, axis) => {
    const s = css(e), o = axis === "x" ? s.overflowX : s.overflowY;
    return (o === "auto" || o === "scroll") && (axis === "x" ? e.scrollWidth > e.clientWidth + 1 : e.scrollHeight > e.clientHeight + 1);
  };
  const clips = (e, axis) => e !== document.body && !/^(inline|contents)$/.test(css(e).display) && (axis === "x" ? css(e).overflowX : css(e).overflowY) !== "visible";
  /** For ears only? */
  const spoken = once((e) => {
    if (!e || e === document.body) return false;
    const s = css(e);
    return s.clipPath === "inset(50%)" || (s.position === "absolute" && e.offsetWidth <= 1 && e.offsetHeight <= 1) || spoken(e.parentElement);
  });
  const seen = once((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !spoken(e));
  /** What is left of a box inside everything around it; where it scrolls, what is cut is no loss (`soft`). */
  const left = (box, chain) => {
    let now = box, lostX = 0, lostY = 0, who = null, softX = false, softY = false;
    for (const p of chain) {
      const b = inner(p);
      const cx = clips(p, "x"), cy = clips(p, "y");
      if (!cx && !cy) continue;
      const frame = { left: cx ? b.left : -1e6, right: cx ? b.right : 1e6, top: cy ? b.top : -1e6, bottom: cy ? b.bottom : 1e6 };
      if (cx && !softX) {
        if (scrollsOn(p, "x")) softX = true;
        else { const l = Math.max(frame.left - box.left, box.right - frame.right); if (l > lostX) { lostX = l; who = p; } }
      }
      if (cy && !softY) {
        if (scrollsOn(p, "y")) softY = true;
        else { const l = Math.max(frame.top - box.top, box.bottom - frame.bottom); if (l > lostY) { lostY = l; who = p; } }
      }
      now = cut(now, frame);
    }
    return { now, lostX, lostY, who, softX, softY };
  };

  // -- what is looked at --------------------------------------------------------------------------------------------
  const dialogs = [...document.querySelectorAll("dialog[open]")].filter((d) => d.matches(":modal"));
  const root = dialogs.length ? dialogs[dialogs.length - 1] : document.body;
  const board = !!document.querySelector(".board");

  const lines = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || !e || /^(SCRIPT|STYLE|NOSCRIPT|OPTION|TEXTAREA|TITLE)$/.test(e.tagName) || !seen(e)) continue;
    range.selectNodeContents(n);
    const rects = [...range.getClientRects()].filter(some);
    if (!rects.length) continue;
    const chain = [e, ...around(e)], size = parseFloat(css(e).fontSize); // its own box may clip it, too
    lines.push(...rects.map((r) => ({ n, e, r, chain, size })));
    shape(n, e, rects, size);
  }

  /** A text that is a column of single words, a word that is torn, letters too small to read. */
  function shape(n, e, rects, size) {
    const text = words(n.data), parts = text.split(" ").filter((w) => /[\p{L}\p{N}]/u.test(w)); // a full stop is no word
    if (size < (text.length > 2 ? 9 : 8)) tell("tiny", e, text, `its letters are ${size.toFixed(1)} px high`);
    const tops = new Set(rects.map((r) => Math.round(r.top / 4)));
    if (parts.length >= 5 && tops.size >= parts.length * 0.8) tell("column", e, text, `${parts.length} words on ${tops.size} lines`);
    if (tops.size < 2 || e.closest("code, pre, input, textarea, [data-breaks]")) return;
    for (const m of n.data.matchAll(/[\p{L}\p{N}’']{2,}/gu)) {
      const hyphen = n.data[m.index - 1] === "\u00ad" ? 1 : 0; // a hyphen on the line before counts with the letter after it
      if (m[0].length < 2 + hyphen) continue;
      range.setStart(n, m.index + hyphen);
      range.setEnd(n, m.index + m[0].length);
      const at = [...range.getClientRects()].filter(some);
      if (at.length > 1 && Math.abs(at[0].top - at[at.length - 1].top) > size * 0.5) { tell("torn", e, text, `the word ${m[0].slice(0, 24)} is broken in two`); return; }
    }
  }

  const clamped = (e) => e.closest("[data-clamp]");
  const reachable = (e) => e.closest(`${REACH}, [tabindex], label`);

  // -- 1. no text is clipped, none is outside -------------------------------------------------------------------------
  for (const l of lines) {
    const got = left(l.r, l.chain);
    l.vis = got.now;
    const slackY = l.size * 0.32; // the box of a line is taller than its letters
    if (got.lostX > 2 || got.lostY > slackY) {
      const c = clamped(l.e);
      if (!c) tell("clipped", l.e, l.n.data, `${Math.max(got.lostX, got.lostY).toFixed(0)} px are cut off by ${step(got.who)}`);
      else if (!reachable(c)) tell("clipped", l.e, l.n.data, "cut short, and no tap shows the rest");
    }
    if (!got.softX && (l.r.left < -1 || l.r.right > W + 1) && some(l.vis)) tell("outside", l.e, l.n.data, `it runs from ${l.r.left.toFixed(0)} to ${l.r.right.toFixed(0)} on a screen of ${W}`);
    const down = board || dialogs.length ? H : Math.max(H, document.documentElement.scrollHeight - scrollY);
    if (!got.softY && some(l.vis) && (l.r.bottom > down + slackY || l.r.top + scrollY < -slackY)) tell("outside", l.e, l.n.data, `it lies at ${l.r.top.toFixed(0)} to ${l.r.bottom.toFixed(0)} in a window ${H} high`);
  }
  // an ellipsis cuts without any box being too small
  for (const e of root.querySelectorAll("*")) {
    const s = css(e);
    if (s.textOverflow === "ellipsis" && s.overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1 && seen(e) && e.innerText.trim()) {
      const c = clamped(e);
      if (!c || !reachable(c)) tell("clipped", e, e.innerText, `cut to ... (${e.scrollWidth} px on ${e.clientWidth})`);
    }
    if (s.webkitLineClamp && s.webkitLineClamp !== "none" && e.scrollHeight > e.clientHeight + parseFloat(s.fontSize) * 0.5 && seen(e)) {
      const c = clamped(e);
      if (!c || !reachable(c)) tell("clipped", e, e.innerText, `cut after ${s.webkitLineClamp} lines (${e.scrollHeight} px on ${e.clientHeight})`);
    }
    if (/^(INPUT|TEXTAREA)$/.test(e.tagName) && /^(text|search|)$/.test(e.getAttribute("type") ?? "") && seen(e) && e.tagName === "INPUT" && e.scrollWidth > e.clientWidth + 2 && !e.matches(":focus")) tell("clipped", e, e.value || e.placeholder, `${e.scrollWidth} px of text in a field of ${e.clientWidth}`);
  }

  // what is chosen in a list has no text of its own in the page: it is measured in its letters (the arrow takes one and a half)
  const ruler = document.createElement("canvas").getContext("2d");
  for (const e of root.querySelectorAll("select")) {
    const text = e.selectedOptions[0]?.text.trim() ?? "", s = css(e), size = parseFloat(s.fontSize);
    if (!text || !seen(e) || e.size > 1) continue;
    ruler.font = `${s.fontStyle} ${s.fontWeight} ${s.fontSize} ${s.fontFamily}`;
    const need = ruler.measureText(text).width, there = e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight) - size;
    if (need > there + 2) tell("clipped", e, text, `${need.toFixed(0)} px of text in a list of ${there.toFixed(0)}`);
  }

  // -- 2. what scrolls is meant to ------------------------------------------------------------------------------------
  for (const e of root.querySelectorAll("*")) {
    if (e === document.body || e.tagName === "TEXTAREA" || e.tagName === "SELECT" || !seen(e)) continue;
    for (const axis of ["x", "y"]) {
      if (!scrollsOn(e, axis)) continue;
      const s = css(e), more = axis === "x" ? e.scrollWidth - e.clientWidth : e.scrollHeight - e.clientHeight;
      const there = axis === "x" ? e.clientWidth : e.clientHeight;
      if (!e.matches("[data-scroll]")) tell("scrolls", e, e.innerText ?? "", `${more} px more than there is room for, and it is not said to be a scroll area`);
      else if (there < 3 * 16) tell("scrolls", e, e.innerText ?? "", `a scroll area of ${there} px is too small to read in`);
      else if (s.scrollbarWidth === "none" && (s.maskImage ?? s.webkitMaskImage ?? "none") === "none") tell("scrolls", e, e.innerText ?? "", "nothing hints that there is more");
      const at = rect(e);
      if (at.right > W + 1 || at.left < -1 || (board && (at.bottom > H + 1 || at.top < -1))) {
        const by = left(at, around(e));
        if (!by.softX && !by.softY) tell("outside", e, e.innerText ?? "", "a scroll area that is partly outside the window");
      }
    }
  }

  // -- 3. no text is covered, none lies on another ---------------------------------------------------------------------
  const show = document.createElement("style");
  // What lies where is asked many times: a picture counts as its box, since to ask each of its outlines takes long.
  const whole = "svg * { pointer-events: none !important; }";
  // A layer over the whole window that paints nothing hides nothing: without it the first thing that is asked for is mostly the right one.
  const air = ".looked-through.looked-through { pointer-events: none !important; }";
  show.textContent = `*, *::before, *::after { pointer-events: auto !important; } ${air} ${whole}`;
  const paints = (e) => {
    if (e instanceof SVGElement) return wide(rect(e)) * high(rect(e)) < (W * H) / 4;
    const s = css(e), alpha = /rgba?\([^)]*[,/]\s*([\d.]+)\)$/.exec(s.backgroundColor);
    const solid = s.backgroundColor !== "transparent" && (!s.backgroundColor.startsWith("rgba") && !s.backgroundColor.includes("/") ? true : parseFloat(alpha?.[1] ?? "1") > 0.35);
    return (solid && parseFloat(s.opacity) > 0.3) || /^(IMG|CANVAS|VIDEO)$/.test(e.tagName);
  };
  const kin = (a, b) => a === b || a.contains(b) || b.contains(a);
  const fellow = (a, b) => {
    const fan = a.closest("[data-fan]"), of = (e) => [...fan.children].find((c) => c.contains(e));
    // the one that the player has taken up may lie over anything
    return fan && fan.contains(b) && of(a) !== of(b) && (!a.closest(".name") || of(b).querySelector("[aria-pressed=true]"));
  };
  const inView = (x, y) => x >= 0 && y >= 0 && x < W && y < H;
  /** Does this stick to an edge of a scroll area while the rest goes by under it? Then nothing stays under it. */
  const passing = (e, by) => {
    const sticks = (() => { for (let p = by; p && p !== document.body; p = p.parentElement) if (css(p).position === "sticky") return p; return null; })();
    return sticks && !sticks.contains(e) && (around(e).some((p) => p.contains(sticks) && (scrollsOn(p, "y") || scrollsOn(p, "x"))) || (!board && rootScrolls()));
  };
  /** What hides this element at this point, if anything does. */
  const hider = (e, x, y) => {
    const top = document.elementFromPoint(x, y); // mostly the thing itself; to ask for all that lies there takes ten times as long
    if (!top || kin(top, e)) return null;
    if (paints(top)) return top;
    for (const t of document.elementsFromPoint(x, y)) {
      if (kin(t, e)) return null;
      if (paints(t)) return t;
    }
    return null;
  };
  const layers = [...root.querySelectorAll("*")].filter((e) => !(e instanceof SVGElement) && css(e).position === "fixed" && !paints(e));
  for (const e of layers) e.classList.add("looked-through");
  document.head.append(show);
  for (const l of lines) {
    if (!some(l.vis)) continue;
    const y = (l.r.top + l.r.bottom) / 2, xs = [l.r.left + Math.min(4, wide(l.r) / 3), (l.r.left + l.r.right) / 2, l.r.right - Math.min(4, wide(l.r) / 3)];
    for (const x of xs) {
      if (!inView(x, y) || x < l.vis.left || x > l.vis.right || y < l.vis.top + 1 || y > l.vis.bottom - 1) continue; // a pixel to spare: half of it may be scrolled out
      const by = hider(l.e, x, y);
      if (!by || by.closest("[data-over]") && !l.e.closest("[data-over]") || fellow(l.e, by) || passing(l.e, by)) continue;
      l.covered = true;
      tell("covered", l.e, l.n.data, `under ${path(by)}`);
      break;
    }
  }
  const spans = lines.filter((l) => some(l.vis) && !l.covered).map((l) => ({ ...l, c: { left: l.vis.left + 1, right: l.vis.right - 1, top: Math.max(l.vis.top, l.r.top + high(l.r) * 0.28), bottom: Math.min(l.vis.bottom, l.r.bottom - high(l.r) * 0.28) } })).filter((l) => some(l.c));
  spans.sort((a, b) => a.c.top - b.c.top);
  for (let i = 0; i < spans.length; i++) {
    for (let j = i + 1; j < spans.length && spans[j].c.top < spans[i].c.bottom; j++) {
      const a = spans[i], b = spans[j];
      if (a.n === b.n) continue;
      const x = cut(a.c, b.c);
      if (wide(x) < 2 || high(x) < 2) continue;
      const px = (x.left + x.right) / 2, py = (x.top + x.bottom) / 2;
      if (inView(px, py)) {
        const stack = document.elementsFromPoint(px, py);
        const ia = stack.findIndex((t) => t === a.e || a.e.contains(t)), ib = stack.findIndex((t) => t === b.e || b.e.contains(t));
        if (ia < 0 || ib < 0) continue; // one of them is not there: clipped, or under something, which is told elsewhere
        if (a.e !== b.e && !a.e.contains(b.e) && !b.e.contains(a.e)) {
          const top = stack.slice(0, Math.max(ia, ib)), low = ia > ib ? a.e : b.e;
          if (top.some((t) => !kin(t, low) && paints(t))) continue; // under something solid
        }
      }
      tell("overlap", a.e, a.n.data, `lies on "${words(b.n.data).slice(0, 40)}" (${path(b.e)})`);
    }
  }
  show.textContent = whole;
  for (const e of layers) e.classList.remove("looked-through");

  // -- 4. whatever can be tapped is there to be tapped ------------------------------------------------------------------
  /** Is this the bar of a scroll area that takes no room of its own? WebKit lays one of 21 px over what is there; it comes and goes. */
  const BAR = 21;
  const onBar = (e, x, y) => {
    const b = rect(e), s = css(e);
    const over = (axis) => scrollsOn(e, axis) && (axis === "y" ? e.offsetWidth - e.clientWidth - parseFloat(s.borderLeftWidth) - parseFloat(s.borderRightWidth) : e.offsetHeight - e.clientHeight - parseFloat(s.borderTopWidth) - parseFloat(s.borderBottomWidth)) < 1;
    return (over("y") && x >= b.right - BAR - 1) || (over("x") && y >= b.bottom - BAR - 1);
  };
  const spots = (r) => {
    const d = Math.min(wide(r), high(r)) * 0.2;
    return [[(r.left + r.right) / 2, (r.top + r.bottom) / 2], [r.left + d, r.top + d], [r.right - d, r.top + d], [r.left + d, r.bottom - d], [r.right - d, r.bottom - d]];
  };
  const mine = (e, hit) => e === hit || e.contains(hit) || (hit.closest("label") && hit.closest("label") === e.closest("label")) || (e.labels && [...e.labels].some((l) => l.contains(hit)));
  for (const e of root.querySelectorAll(REACH)) {
    if (!seen(e) || e.closest("[inert]")) continue;
    let r = rect(e);
    if (r.width < 1 || r.height < 1) continue;
    const chain = around(e);
    const before = [scrollX, scrollY];
    const moved = [];
    // what can be scrolled to is scrolled to, by what scrolls, and by nothing else
    for (const p of chain) {
      for (const axis of ["x", "y"]) {
        if (!scrollsOn(p, axis)) continue;
        forget();
        const b = inner(p), q = rect(e);
        moved.unshift([p, p.scrollLeft, p.scrollTop]);
        if (axis === "y") p.scrollTo({ top: p.scrollTop + q.top - (b.top + b.bottom) / 2 + q.height / 2, behavior: "instant" });
        if (axis === "x") p.scrollTo({ left: p.scrollLeft + q.left - (b.left + b.right) / 2 + q.width / 2, behavior: "instant" });
      }
    }
    if (moved.length) forget();
    r = rect(e);
    if (rootScrolls() && !board && !dialogs.length && (r.top < 60 || r.bottom > H - 60)) { scrollTo({ top: scrollY + r.top - H / 2, behavior: "instant" }); forget(); r = rect(e); }
    const got = left(r, chain);
    if ((got.lostX > 3 || got.lostY > 3) && !e.closest("[data-fan]")) tell("clipped", e, called(e), `a control, ${Math.max(got.lostX, got.lostY).toFixed(0)} px of it cut off by ${step(got.who)}`);
    if (r.left < -1 || r.right > W + 1 || r.top < -1 || r.bottom > H + 1) {
      if (high(r) <= H && wide(r) <= W) tell("outside", e, called(e), `a control at ${r.left.toFixed(0)},${r.top.toFixed(0)} to ${r.right.toFixed(0)},${r.bottom.toFixed(0)} of ${W}x${H}`);
    }
    const vis = cut(r, got.now);
    if (some(vis)) {
      const fan = e.closest("[data-fan]");
      let free = 0, by = null, tried = 0;
      // a link that runs over two lines is two boxes
      const boxes = css(e).display === "inline" ? [...e.getClientRects()].filter(some) : [r];
      // what a scroll area shows of it is tried, with a pixel to spare: half of it may be scrolled out, and that is meant
      const part = { left: vis.left + 1, top: vis.top + 1, right: vis.right - 1, bottom: vis.bottom - 1 };
      for (const [x, y] of boxes.map((b) => (got.softX || got.softY ? cut(b, part) : b)).filter(some).flatMap(spots)) {
        if (!inView(x, y) || x < vis.left || x > vis.right || y < vis.top || y > vis.bottom) continue;
        tried++;
        const hit = document.elementFromPoint(x, y);
        if (!hit || mine(e, hit)) { free++; continue; }
        if (fan && hit !== fan && fan.contains(hit)) { free += 0.5; continue; }
        if (css(e).pointerEvents === "none") { free++; continue; }
        if (hit.contains(e) && css(e).transform !== "none") { free++; continue; } // beside the corner of something turned
        if (turned(e) && hit.contains(e)) { free++; continue; }
        if (hit.contains(e) && onBar(hit, x, y)) { free++; continue; }
        if (hit.closest("[data-over]") && !e.closest("[data-over]")) { free++; continue; }
        by = hit;
      }
      if (by && free < tried) tell("covered", e, called(e), `a control under ${path(by)}`);
      else if (fan && tried && free < 1) tell("covered", e, called(e), "nothing of this card of a fan can be tapped");
    }
    for (const [p, x, y] of moved) p.scrollTo({ left: x, top: y, behavior: "instant" });
    if (moved.length) forget();
    if (scrollX !== before[0] || scrollY !== before[1]) { scrollTo({ left: before[0], top: before[1], behavior: "instant" }); forget(); }
  }
  function turned(e) {
    for (let p = e; p && p !== document.body; p = p.parentElement) if (css(p).transform !== "none" || css(p).rotate && css(p).rotate !== "none") return true;
    return false;
  }

  show.remove();

  // -- 5. nothing is wider than the screen, and a table is never taller ---------------------------------------------------
  const doc = document.documentElement;
  if (doc.scrollWidth > W + 1) {
    const far = [...document.body.querySelectorAll("*")].filter((e) => rect(e).right > W + 1 && seen(e)).sort((a, b) => rect(b).right - rect(a).right)[0];
    tell("wide", far ?? doc, "", `the page is ${doc.scrollWidth} px wide on a screen of ${W}`);
  }
  if (board && doc.scrollHeight > H + 1) tell("tall", doc, "", `the table is ${doc.scrollHeight} px high in a window of ${H}`);
  return [...found.values()];
}
