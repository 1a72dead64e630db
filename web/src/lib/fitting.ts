/** Cards in a box: as large as the room allows. */

/** how high a card is, in widths */
export const TALL = 7.1 / 5;

export interface Box {
  width: number;
  height: number;
}
export interface Fitting {
  /** between neighbours and, where rows are whole, between rows: pixels */
  gap?: number;
  /** a card is never smaller or larger than this */
  least?: number;
  most?: number;
  /** what goes below each card: pixels */
  foot?: number;
  /** below this width a second row that covers the first is worth it however little it gains */
  small?: number;
  /** rows may cover one another; so much of a covered card is seen, in widths (its head, with the name) */
  peek?: number;
}
export interface Fit {
  /** the width of a card: pixels */
  w: number;
  rows: number;
  /** cards in a row, at most */
  per: number;
  /** they do not fit even at the least width: the box is to scroll */
  over: boolean;
}

/** The largest width at which n cards fit, and in how many rows. */
export function fit(n: number, box: Box, o: Fitting = {}): Fit {
  const { gap = 0, least = 0, most = Infinity, foot = 0, small = 0, peek } = o;
  let best: Fit = { w: 0, rows: 1, per: Math.max(1, n), over: false };
  for (let rows = 1; rows <= Math.min(Math.max(1, n), 6); rows++) {
    const per = Math.ceil(Math.max(1, n) / rows);
    const across = (box.width - gap * (per - 1)) / per;
    const down = peek === undefined ? (box.height - gap * (rows - 1) - foot * rows) / (rows * TALL) : (box.height - foot) / (TALL + peek * (rows - 1));
    const w = Math.min(most, across, down);
    const worth = peek === undefined || best.w < small ? 1.01 : 1.3; // a row that covers another must be worth it
    if (w > best.w * worth) best = { w, rows, per, over: false };
  }
  if (best.w >= least) return best;
  const per = Math.max(1, Math.min(n, Math.floor((box.width + gap) / (least + gap))));
  return { w: Math.min(least, box.width), rows: Math.ceil(n / per), per, over: true };
}

export interface Place {
  x: number;
  y: number;
  row: number;
}

/** Where each card of a held hand lies, in the middle of its box: pixels from its left and its bottom. Those behind stand higher. */
export function held(n: number, box: Box, f: Fit, gap: number, peek: number): Place[] {
  const rows = Math.ceil(n / f.per);
  return Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / f.per);
    const inRow = row === rows - 1 ? n - row * f.per : f.per;
    const wide = inRow * f.w + (inRow - 1) * gap;
    return { x: (box.width - wide) / 2 + (i % f.per) * (f.w + gap), y: (rows - 1 - row) * peek * f.w, row };
  });
}

/** Tokens on one step of a track: inside it however many they are, in two rows if they are larger so; each shows enough of itself to be told apart. */
export function stand(crowd: number, step: number, height: number): { d: number; cols: number; spread: number } {
  const SHOWN = 0.8;
  const room = step - 4;
  const [one, two] = [1, 2].map((rows) => {
    const cols = Math.ceil(crowd / rows);
    const d = Math.min(height / rows, room / (1 + (cols - 1) * SHOWN));
    return { d, cols, spread: cols > 1 ? Math.min(d, (room - d) / (cols - 1)) : 0 };
  }) as [Stand, Stand];
  return two.d > one.d ? two : one;
}
type Stand = ReturnType<typeof stand>;

/** A fight's monsters beside the two sums, or below them: wherever the cards come out larger. Where they would be too small to read, they are told in words. */
export interface Arrangement {
  beside: boolean;
  told: boolean;
  w: number;
}
export function arrange(n: number, box: Box, sides: number, below: number, o: Fitting & { readable: number; strip: Box }): Arrangement {
  const gap = o.gap ?? 0;
  const right = { width: box.width - sides - gap, height: box.height };
  const under = { width: box.width, height: box.height - below - gap };
  const a = right.width > 0 ? fit(n, right, o).w : 0;
  const b = under.height > 0 ? fit(n, under, o).w : 0;
  if (Math.max(a, b) >= o.readable) return { beside: a >= b, told: false, w: Math.max(a, b) };
  /** how much of them can be seen without scrolling */
  const seen = (at: Box): number => at.height / (Math.ceil(n / Math.max(1, Math.floor(at.width / (o.strip.width + gap)))) * o.strip.height);
  const beside = right.width >= o.strip.width && seen(right) >= Math.min(1, seen(under) * 1.2); // the sums read better in lines
  return { beside, told: true, w: o.readable };
}
