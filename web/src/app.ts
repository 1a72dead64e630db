import { mount } from "svelte";
import App from "./App.svelte";
import { install } from "./lib/offline.svelte";

export function start(): void {
  mount(App, { target: document.getElementById("app")! });
  install();
}
