/** The pictures of packs, fetched when a pack is first on the table; what is drawn follows when they have come. */
import load from "virtual:pictures";
import { compose, type Drawing, type Frame } from "./compose.ts";
import { LEANINGS } from "./leanings.ts";
import type { Sheet } from "./scenes.ts";

class Pictures {
  /** by pack; null while it is on its way, or if it could not be had */
  private sheets = $state.raw<Record<string, Sheet | null>>({});
  private drawn = new Map<string, Drawing>();

  /** Ask for a pack's pictures; asking again is free. */
  want(pack: string): void {
    const get = load[pack];
    if (pack in this.sheets || !get) return;
    this.put(pack, null);
    void get().then(
      (m) => this.put(pack, m.default),
      () => setTimeout(() => this.forget(pack), 5000), // a line that was down may be up again
    );
  }

  private put(pack: string, sheet: Sheet | null): void {
    this.sheets = { ...this.sheets, [pack]: sheet };
  }

  private forget(pack: string): void {
    const { [pack]: _, ...rest } = this.sheets;
    this.sheets = rest;
  }

  /** The picture of that name, or null as long as there is none. */
  of(pack: string, name: string, frame: Frame = 100): Drawing | null {
    const sheet = this.sheets[pack];
    const scene = sheet?.scenes[name];
    if (!sheet || !scene) return null;
    const key = `${frame}/${pack}/${name}`;
    let d = this.drawn.get(key);
    if (!d) this.drawn.set(key, (d = compose(scene, sheet.icons, LEANINGS[pack] ?? null, name, frame)));
    return d;
  }
}

export const pictures = new Pictures();
