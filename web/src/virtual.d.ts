declare module "virtual:game-icons" {
  const outlines: Record<string, string>;
  export default outlines;
}

declare module "virtual:game-icons/sets" {
  const outlines: Record<string, string>;
  export default outlines;
}

declare module "virtual:pictures" {
  const load: Record<string, (() => Promise<{ default: import("./lib/scenes").Sheet }>) | undefined>;
  export default load;
}
