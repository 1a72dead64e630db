/** How this phone stands with the others, in words that promise nothing it cannot know. */
import type { Standing } from "./wire.svelte";

export interface How {
  tone: "on" | "wait" | "off";
  short: string;
  long: string;
}

const taps = (n: number): string => `${n} ${n === 1 ? "tap waits" : "taps wait"}`;

export function standing(at: Standing, waiting: number, phones: number, network: boolean, stuck = 0, says = ""): How {
  if (stuck && (at === "together" || at === "sending")) return { tone: "off", short: `${stuck} ${stuck === 1 ? "tap" : "taps"} only here`, long: `The server would not take ${stuck === 1 ? "it" : "them"}: ${says || "it did not say why."} Undo ${stuck === 1 ? "it" : "them"} in the log, or begin another counter.` };
  if (at === "together") return { tone: "on", short: phones > 1 ? `${phones} phones together` : "Only this phone", long: "Everything tapped here is safe on the server, and on every phone that is on the line." };
  if (at === "sending") return { tone: "wait", short: "Sending", long: `${taps(waiting)} for the server's word. They are kept on this phone meanwhile.` };
  if (at === "none") return { tone: "off", short: "This phone alone", long: "The server does not keep this counter, so other phones cannot see it. Everything is kept on this phone." };
  const why = network ? "The server does not answer" : "No network";
  if (at === "calling" && network) return { tone: "wait", short: "Calling", long: "Looking for the server. Everything is kept on this phone meanwhile." };
  return { tone: "off", short: waiting ? `Offline, ${taps(waiting)}` : "Offline", long: `${why}. Count on: it is kept here, and joined with what the others tap as soon as there is a line. What they have tapped meanwhile cannot be seen from here, and fights are added up from printed figures only.` };
}
