/** The colour to which the backdrops of a box lean, so that its cards belong together. */
export const LEANINGS: Record<string, string> = { bites: "#5a2a8a", good_bad: "#d8a050", magical_mess: "#c05ad0", shakespeare: "#8a1a28" };
