/** Bots as the server calls them: a rung of the ladder, and somebody who plays on it (`schemer:miser`), or nobody. */

/** the character that is none: the server draws one who does not sit there yet */
export const LOT = "lot";
export const rung = (bot: string): string => bot.split(":")[0]!;
export const character = (bot: string): string => bot.split(":")[1] ?? "";
/** A rung with a character on it. */
export const as = (kind: string, who: string): string => (who ? `${kind}:${who}` : kind);
/** Somebody by lot. */
export const someone = (kind: string): string => as(kind, LOT);
