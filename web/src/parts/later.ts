/** What a table is drawn without at first, in one file: it comes when the cards are there (lib/later.svelte.ts). */
export { default as Stage } from "../stage/Stage.svelte";
export { default as Bubbles } from "./Bubbles.svelte";
export { default as ChatPanel } from "./ChatPanel.svelte";
export { default as EndScreen } from "./EndScreen.svelte";
export { default as Lesson } from "./Lesson.svelte";
export { default as Sheets } from "./Sheets.svelte";
