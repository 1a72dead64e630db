/** What stands on a shelf for a set that has no lid of its own. */
import lids from "virtual:game-icons/sets";
import table from "./icons.json";
import { uiIcon } from "./icons";

const sets: Record<string, string> = table.sets;

export const setIcon = (pack: string): string => lids[sets[pack] ?? ""] ?? uiIcon("door");
