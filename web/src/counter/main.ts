/** The companion's own document (counter.html): whoever scans its code does not fetch a table for the game on the screen. */
import "../app.css";
import "../layout.css";
import "../looks.css";
import { mount } from "svelte";
import { begin } from "../lib/ahead";
import { install } from "../lib/offline.svelte";
import CounterPage from "./CounterPage.svelte";

void begin().then(() => {
  mount(CounterPage, { target: document.getElementById("app")! });
  install();
});
