declare module "virtual:game-icons" {
  const outlines: Record<string, string>;
  export default outlines;
}
