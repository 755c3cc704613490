import { hashText } from '../../base/hashText.ts';
import { RecentHashes } from '../../base/recentHashes.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';
import { orderNodeLogs } from '../decode/nodeLog.ts';

/** How many of the last rows are remembered at least. Older rows that the service repeats aren't recognized. */
const leastKnown = 20_000;

/** Hashes the members that change when a service writes a later state under the same key. */
function fingerprint(row: NodeLog): number {
  const { sequence, status, message, level, completedAt, output } = row;
  return hashText(JSON.stringify([sequence, status?.word, message, level, completedAt, output]));
}

/** How far the rows of an execution were followed. Keeps hashes of the returned rows, for services that can't resume. */
export class LogPosition {
  /** Fingerprints by hashed key. */
  readonly #seen = new RecentHashes(leastKnown);
  #after: number | undefined;
  #count = 0;
  /** Id of the stream's last event. */
  lastEventId: string | undefined;

  constructor(after: number | undefined) {
    this.#after = after;
  }

  /** The highest sequence so far. */
  get after(): number | undefined {
    return this.#after;
  }

  /** Number of received rows, including repeated ones: the position of the next one. */
  get count(): number {
    return this.#count;
  }

  /** Moves past the rows, and returns those that are new or have changed. */
  take(rows: readonly NodeLog[]): readonly NodeLog[] {
    this.#count += rows.length;
    return orderNodeLogs(rows).filter((row) => {
      const key = hashText(row.key);
      const print = fingerprint(row);
      if (this.#seen.get(key) === print) return false;
      this.#seen.set(key, print);
      const { sequence } = row;
      if (sequence !== null) this.#after = Math.max(this.#after ?? sequence, sequence);
      return true;
    });
  }

  /** Goes back to the start; returned rows stay known. Returns false when it's already there. */
  restart(): boolean {
    if (this.#after === undefined) return false;
    this.#after = undefined;
    this.lastEventId = undefined;
    return true;
  }
}
