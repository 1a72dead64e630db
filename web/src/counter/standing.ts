/** How this phone stands with the others, in words that promise nothing it cannot know. */
import type { Standing } from "./wire.svelte";
import { tr } from "./words.ts";

export interface How {
  tone: "on" | "wait" | "off";
  short: string;
  long: string;
}

export function standing(at: Standing, waiting: number, phones: number, network: boolean, stuck = 0, says = ""): How {
  if (stuck && (at === "together" || at === "sending")) return { tone: "off", short: tr("tapsOnlyHere", { n: stuck }), long: tr("notTaken", { n: stuck, why: says || tr("noReason") }) };
  if (at === "together") return { tone: "on", short: phones > 1 ? tr("phonesTogether", { n: phones }) : tr("onlyThisPhone"), long: tr("allSafe") };
  if (at === "sending") return { tone: "wait", short: tr("sending"), long: tr("sendingLong", { n: waiting }) };
  if (at === "none") return { tone: "off", short: tr("alone"), long: tr("aloneLong") };
  if (at === "calling" && network) return { tone: "wait", short: tr("calling"), long: tr("callingLong") };
  return { tone: "off", short: waiting ? tr("offlineWaits", { n: waiting }) : tr("offline"), long: `${network ? tr("noAnswer") : tr("noNetwork")} ${tr("offlineLong")}` };
}
