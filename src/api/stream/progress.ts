// What a follower has seen, so that a stream that repeats itself after a drop doubles nothing; kept as hashes, in bounded number.
import { createHash } from 'node:crypto';
import { orderNodeLogs } from '../decode/nodeLog.ts';
import type { NodeLog } from '../../domain/nodeLog.ts';

export interface Progress {
  /** The highest sequence so far. */
  readonly after: number | undefined;
  /** The id of the stream's last event. */
  lastEventId: string | undefined;
  /** Tries that failed since the last row. */
  failures: number;
  /** What the service asked to wait before reconnecting, in milliseconds. */
  retryFloorMs: number;
  /** How many rows came, new or not: the place of the next one. */
  readonly count: number;
  /** Takes rows and gives back those that are new or have changed. */
  take(rows: readonly NodeLog[]): readonly NodeLog[];
  /** Reads from the start again; what was seen stays known. */
  restart(): void;
}

/** Rows that are known again, at most; of older ones a repetition comes through, which its key tells. */
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

export function createProgress(start: number | undefined): Progress {
  /** Fingerprints by hashed key, the oldest first. */
  const seen = new Map<number, number>();
  let after = start;
  let count = 0;
  return {
    get after() {
      return after;
    },
    get count() {
      return count;
    },
    lastEventId: undefined,
    failures: 0,
    retryFloorMs: 0,
    take(rows) {
      count += rows.length;
      return orderNodeLogs(rows).filter((row) => {
        const key = hashOf(row.key);
        const print = fingerprint(row);
        if (seen.get(key) === print) return false;
        seen.set(key, print);
        const [oldest] = seen.keys();
        if (seen.size > maximumKnown && oldest !== undefined) seen.delete(oldest);
        if (row.sequence !== null) after = Math.max(after ?? row.sequence, row.sequence);
        return true;
      });
    },
    restart() {
      after = undefined;
      this.lastEventId = undefined;
    },
  };
}
