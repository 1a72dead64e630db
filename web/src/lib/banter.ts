/** What is said across the table, and what of it this person wants to hear. */
import type { ChatLine, LogLine } from "./protocol";
import { settings } from "./settings.svelte";

/** A remark of a bot's about what happened, as the server marks it. */
export const isRemark = (l: ChatLine): boolean => l.phrase.startsWith("bot.");

export const hears = (l: ChatLine): boolean => !settings.muted.includes(l.name) && (settings.banter || !isRemark(l));

/** What somebody says to a move: bots do. */
export const saysTo = (l: LogLine): string => (settings.banter ? l.said : "");
