import "./app.css";
import "./layout.css";
import "./shapes.css";
import "./looks.css";
import { begin, letters } from "./lib/ahead";

const ready = begin();

/** The document is read, and so are its styles: what is fitted goes by them. */
const read = new Promise<void>((done) => (document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", () => done()) : done()));
const styled = (): Promise<unknown> =>
  Promise.all([...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].filter((l) => !l.sheet).map((l) => new Promise((done) => (l.onload = l.onerror = done))));

// The program is on its way already: the document asks for it (scripts/early.ts).
void Promise.all([import("./app"), read.then(styled), ready]).then(([app]) => app.start(letters()));
