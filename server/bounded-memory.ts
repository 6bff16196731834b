/** Something that is kept in memory for as long as there is room. */
export interface Remembered {
  /** In bytes. */
  readonly size: number;
  /** Set by whoever uses it: what was asked for since it was last looked at stays a round longer. */
  asked: boolean;
  /** Called when it must go. */
  forget(): void;
}

/**
 * Keeps what was asked for lately, up to a size: the "clock" with its second chance. Unlike a list in the order of use
 * it costs nothing to ask, and asking is what a server does all day.
 */
export class BoundedMemory<Item extends Remembered> {
  #items = new Set<Item>();
  #size = 0;
  readonly #max: number;

  /** @param max bytes */
  constructor(max: number) {
    this.#max = max;
  }

  add(item: Item): void {
    this.#items.add(item);
    this.#size += item.size;
    for (const oldest of this.#items) {
      if (this.#size <= this.#max) break;
      this.#items.delete(oldest);
      if (oldest.asked) {
        oldest.asked = false;
        this.#items.add(oldest);
      } else {
        this.#size -= oldest.size;
        oldest.forget();
      }
    }
  }
}
