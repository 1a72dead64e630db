/**
 * Sheets, scenes, the end of a game: nobody needs them to see the cards, and they would be a third of the program. So they are fetched when the table
 * has been painted; what is opened before they are here opens when they come.
 */
type Parts = typeof import("../parts/later");

const AGAIN = 3000;

class Later {
  parts = $state.raw<Parts | null>(null);
  #asked = false;

  /** When what is drawn now has been seen. */
  soon(): void {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => setTimeout(() => this.#fetch()));
  }

  #fetch(): void {
    import("../parts/later").then(
      (parts) => (this.parts = parts),
      () => setTimeout(() => this.#fetch(), AGAIN), // a line that was down may be up again
    );
  }
}

export const later = new Later();
