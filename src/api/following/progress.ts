// Why: what a follower has seen, so that a stream that repeats itself after a drop doubles nothing.
import { orderNodeLogs } from '../reading/nodeLog.ts';
import type { NodeLogReading } from '../readings.ts';

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
  take(rows: readonly NodeLogReading[]): readonly NodeLogReading[];
  /** Reads from the start again; what was seen stays known. */
  restart(): void;
}

/** What changes when a service writes a later state under the same key. */
function fingerprint(row: NodeLogReading): string {
  const { sequence, status, message, level, completedAt, output } = row;
  return JSON.stringify([sequence, status?.word, message, level, completedAt, output]);
}

export function createProgress(start: number | undefined): Progress {
  const seen = new Map<string, string>();
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
        const print = fingerprint(row);
        if (seen.get(row.key) === print) return false;
        seen.set(row.key, print);
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
