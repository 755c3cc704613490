import { createHash } from 'node:crypto';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { orderNodeLogs } from '../decode/nodeLog.ts';

/** Rows that are known again, at most; of older ones a repetition comes through. */
const maximumKnown = 20_000;

/** 48 bits that stand for a text, so that nothing of a row is kept. */
function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6);
}

/** What changes when a service writes a later state under the same key. */
function fingerprint(row: NodeLog): number {
  const { sequence, status, message, level, completedAt, output } = row;
  return hashOf(JSON.stringify([sequence, status?.word, message, level, completedAt, output]));
}

/** How far the rows of an execution were followed; where a service cannot resume, by hashes of what was handed over. */
export class LogPosition {
  /** Fingerprints by hashed key, the oldest first. */
  readonly #seen = new Map<number, number>();
  #after: number | undefined;
  #count = 0;
  /** The id of the stream's last event. */
  lastEventId: string | undefined;

  constructor(after: number | undefined) {
    this.#after = after;
  }

  /** The highest sequence so far. */
  get after(): number | undefined {
    return this.#after;
  }

  /** How many rows came, new or not: the place of the next one. */
  get count(): number {
    return this.#count;
  }

  /** Moves behind rows, and returns those that are new or have changed. */
  take(rows: readonly NodeLog[]): readonly NodeLog[] {
    this.#count += rows.length;
    return orderNodeLogs(rows).filter((row) => {
      const key = hashOf(row.key);
      const print = fingerprint(row);
      if (this.#seen.get(key) === print) return false;
      this.#seen.set(key, print);
      const [oldest] = this.#seen.keys();
      if (this.#seen.size > maximumKnown && oldest !== undefined) this.#seen.delete(oldest);
      const { sequence } = row;
      if (sequence !== null) this.#after = Math.max(this.#after ?? sequence, sequence);
      return true;
    });
  }

  /** Goes back to the start; what was handed over stays known. False when it is there. */
  restart(): boolean {
    if (this.#after === undefined) return false;
    this.#after = undefined;
    this.lastEventId = undefined;
    return true;
  }
}
