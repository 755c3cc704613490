// Finds many texts at once: it skips parts of the text that none of them can reach into, so that their number costs next to nothing.

const slots = 4096;
const blockLength = 2;

export interface Needle {
  readonly text: string;
}

/** After Wu and Manber, with blocks of two UTF-16 units. */
export class ManySearch<N extends Needle> {
  /** The length in which the search compares: the shortest needle's. */
  readonly #window: number;
  /** How far the search may move on from a block, by its slot. */
  readonly #moves: Uint16Array;
  /** The needles whose window ends in a block of the slot. */
  readonly #bySlot = new Map<number, N[]>();

  /** Each needle has at least two units. */
  constructor(needles: readonly N[]) {
    const shortest = Math.min(...needles.map(({ text }) => text.length));
    this.#window = Math.min(shortest, 1000);
    this.#moves = new Uint16Array(slots).fill(this.#window - blockLength + 1);
    for (const needle of needles) this.#add(needle);
  }

  /** Calls `found` with the place of each needle in the text, also of those that overlap, until it returns true. Returns whether it did. */
  search(text: string, found: (needle: N, start: number) => boolean): boolean {
    let end = this.#window - 1;
    while (end < text.length) {
      const slot = slotAt(text, end);
      const move = this.#moves[slot] ?? 1;
      if (move > 0) {
        end += move;
        continue;
      }
      const start = end - this.#window + 1;
      for (const needle of this.#bySlot.get(slot) ?? [])
        if (text.startsWith(needle.text, start) && found(needle, start)) return true;
      end += 1;
    }
    return false;
  }

  #add(needle: N): void {
    for (let end = blockLength - 1; end < this.#window; end += 1) {
      const slot = slotAt(needle.text, end);
      this.#moves[slot] = Math.min(this.#moves[slot] ?? 0, this.#window - 1 - end);
    }
    const last = slotAt(needle.text, this.#window - 1);
    this.#bySlot.set(last, [...(this.#bySlot.get(last) ?? []), needle]);
  }
}

function slotAt(text: string, end: number): number {
  return (text.charCodeAt(end - 1) * 61 + text.charCodeAt(end)) % slots;
}
