/** The companion's own document (counter.html): whoever scans its code does not fetch a table for the game on the screen. */
import "../app.css";
import "../layout.css";
import "../looks.css";
import "./letters.css";
import { mount } from "svelte";
import { begin } from "../lib/ahead";
import { install } from "../lib/offline.svelte";
import CounterPage from "./CounterPage.svelte";
import { tongue } from "./tongue.svelte";

// The tongue before the letters: the page waits for it, and for no letter.
void Promise.all([tongue.begin(), begin()]).then(() => {
  mount(CounterPage, { target: document.getElementById("app")! });
  install();
});
