/** Faces of players. The server knows only their names; how they are drawn is in avatars.txt. */
import { dice } from "./dice.ts";

/** All of them, as they are offered: people, monsters, animals. */
export const AVATARS = [
  "knight", "wizard", "witch", "elf", "dwarf", "bandit", "pirate", "viking", "king", "monk", "nun", "ninja", "plague_doctor", "clown", "pharaoh", "cave_man",
  "goblin", "orc", "troll", "vampire", "countess", "mummy", "creature", "imp", "medusa", "minotaur", "golem", "robot", "dragon", "skull", "pumpkin", "ghost",
  "fox", "wolf", "bear", "rabbit", "raccoon", "cat", "owl", "frog", "pig", "rat", "parrot", "chicken", "unicorn", "tiger",
] as const;
export type AvatarName = (typeof AVATARS)[number];

/** Those who play when nobody else does, by the names they go by. */
const CROWD: Record<string, AvatarName> = { Suzan: "witch", Bob: "bear", Mira: "cat", Otto: "owl", Pip: "fox", Grim: "skull", Zelda: "elf", Knut: "viking", Olga: "countess", Fritz: "robot", Runa: "unicorn", Tom: "rat" };

export const isAvatar = (name: string): name is AvatarName => (AVATARS as readonly string[]).includes(name);
/** "plague_doctor" for people: "Plague doctor" */
export const avatarTitle = (name: string): string => name.replace(/_/g, " ").replace(/^./, (c) => c.toUpperCase());

/** Faces for people who have chosen none: those of the bots are not among them. */
const PEOPLE = AVATARS.filter((x) => !Object.values(CROWD).includes(x));

/** The face of a seat: the one chosen, else the one that goes with the name, or the next after it that nobody has; the same in every browser. */
export function avatarOf(seat: { name: string; avatar?: string | undefined; who?: string | undefined }, taken: readonly string[] = []): AvatarName {
  const chosen = seat.avatar ?? "";
  if (isAvatar(chosen)) return chosen;
  const first = dice(seat.name.trim()) % PEOPLE.length;
  return (seat.who === "bot" && CROWD[seat.name]) || [...PEOPLE.slice(first), ...PEOPLE].find((x) => !taken.includes(x)) || PEOPLE[first]!;
}
