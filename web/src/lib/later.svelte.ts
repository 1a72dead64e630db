/**
 * Sheets, scenes, the end of a game: nobody needs them to see the cards, and they would be a third of the program. So they are fetched when the table
 * has been painted; what is opened before they are here opens when they come.
 */
type Parts = typeof import("../parts/later");

const AGAIN = 3000;

const PATIENCE = 500;

/** When what is drawn now is on the screen and there is nothing else to do, or soon in any case. */
function idle(then: () => void): void {
  requestAnimationFrame(() => void ("requestIdleCallback" in window ? requestIdleCallback(then, { timeout: PATIENCE }) : setTimeout(then, PATIENCE / 5)));
}

class Later {
  parts = $state.raw<Parts | null>(null);
  /** Has a table been seen? What nobody looks at first is drawn then. */
  seen = $state(false);
  #asked = false;

  /** Begin when what is drawn now has been seen. */
  soon(): void {
    if (this.#asked) return;
    this.#asked = true;
    idle(() => {
      this.seen = true;
      this.#fetch();
    });
  }

  #fetch(): void {
    import("../parts/later").then(
      (parts) => (this.parts = parts),
      () => setTimeout(() => this.#fetch(), AGAIN), // a line that was down may be up again
    );
  }
}

export const later = new Later();
