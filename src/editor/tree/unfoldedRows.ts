import type { Clock } from '../../base/time.ts';

/** The longest time that the editor takes to draw a row anew. */
const redrawingMs = 10_000;

/**
 * Knows by their keys which rows are unfolded. The editor reports it by events, which are lost while all rows are drawn anew, so a request
 * for the rows below one counts too.
 */
export class UnfoldedRows {
  readonly #clock: Clock;
  readonly #keys = new Set<string>();
  /** When each row was last redrawn by itself, in epoch milliseconds. The editor then asks for the rows below it, folded or not. */
  readonly #redrawnAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.add(key);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }

  /** Call when a row is gone. The editor draws it folded if it returns. */
  forget(key: string): void {
    this.#keys.delete(key);
    this.#redrawnAt.delete(key);
  }

  /** Call when a row is to be redrawn, and not only a row above it. */
  noteRedrawn(key: string): void {
    this.#redrawnAt.set(key, this.#clock.now());
  }

  /**
   * Call when the editor asks for the rows below a row, or for the top rows. For those it has thrown all others away, and asks below
   * unfolded rows only, until a row is redrawn by itself again.
   */
  noteAsked(parentKey: string | undefined): void {
    if (parentKey === undefined) {
      this.#redrawnAt.clear();
      return;
    }
    const redrawnAt = this.#redrawnAt.get(parentKey) ?? -Infinity;
    if (this.#clock.now() - redrawnAt >= redrawingMs) this.#keys.add(parentKey);
  }
}
