import { mount } from "svelte";
import App from "./App.svelte";
import { hold } from "./lib/measuring";
import { install } from "./lib/offline.svelte";

/** Drawn at once, and laid out when what it is written with is there: not twice. */
export function start(written: Promise<unknown> | null): void {
  const app = document.getElementById("app")!;
  if (written) {
    app.hidden = true;
    hold(written.then(() => void (app.hidden = false)));
  }
  mount(App, { target: app });
  install();
}
