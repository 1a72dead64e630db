/** The same number for the same name, everywhere. */
export function dice(name: string): number {
  let n = 2166136261;
  for (let i = 0; i < name.length; i++) n = Math.imul(n ^ name.charCodeAt(i), 16777619);
  return n >>> 0;
}
