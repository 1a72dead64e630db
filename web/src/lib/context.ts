import { getContext, setContext } from "svelte";
import type { Table } from "./table.svelte";

const KEY = Symbol("table");
export const giveTable = (t: Table): Table => setContext(KEY, t);
export const useTable = (): Table => getContext<Table>(KEY);
