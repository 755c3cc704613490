// Node runs and what they say, kept so that a replay after a restart neither repeats a node nor a line.
import type { NodeLogJson } from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';
import type { LogLevel } from '../../domain/nodeLog.ts';

/** One node in one turn of its loops; several attempts share it. */
export interface NodeTurn {
  readonly executionId: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string;
  /** The turn of each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
}

export interface NodeFailure {
  readonly code: string;
  readonly message: string;
}

export type NodeOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: NodeFailure };

/** What beginning a node run found. */
export type NodeRunStart =
  | {
      readonly kind: 'started' | 'resumed';
      /** Earlier attempts that failed on their own, interruptions not counted. */
      readonly failures: number;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      /** When the attempt's wait ends, in epoch milliseconds; null when it does not wait. */
      readonly wakeAt: number | null;
      /** A loop's list, as JSON; null before it was made, and for other nodes. */
      readonly items: string | null;
    }
  /** The next attempt may not begin before the time, in epoch milliseconds. */
  | { readonly kind: 'early'; readonly wakeAt: number }
  | { readonly kind: 'ended'; readonly outcome: NodeOutcome };

export interface BeginOptions {
  /** JSON. */
  readonly input: string;
  /** An attempt found open is taken up again; otherwise it is closed by a row that tells of the interruption. */
  readonly canResume: boolean;
  readonly maximumAttempts: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A row whose values are JSON texts. */
export type StoredNodeLog = Omit<NodeLogJson, 'input' | 'output'> & {
  readonly input: JsonText;
  readonly output: JsonText;
};

export interface NodeLogQuery {
  readonly executionId: string;
  /** Rows with a greater sequence. */
  readonly after: number;
  readonly nodeId?: string | undefined;
  readonly limit: number;
}

export interface NodeLogPage {
  readonly rows: readonly StoredNodeLog[];
  /** More rows follow; a page ends at the limit, or at about 1 MiB. */
  readonly hasMore: boolean;
}

/** The turns of a loop that are done. */
export interface LoopProgress {
  readonly turns: number;
  /** The characters of their results. */
  readonly size: number;
}

export interface NodeRunStore {
  /** Opens the next attempt, unless the turn has ended for good: completed, or failed with no attempt left. */
  begin(turn: NodeTurn, options: BeginOptions): Promise<NodeRunStart>;
  /** Adds a line to the open attempt. */
  say(turn: NodeTurn, level: LogLevel, message: string): Promise<void>;
  /** Shows the open attempt as waiting until the time, in epoch milliseconds. */
  wait(turn: NodeTurn, message: string, wakeAt: number): Promise<void>;
  /** Closes the open attempt; does nothing when there is none. `retryAt`: when the next may begin, in epoch milliseconds; without it none follows. */
  end(turn: NodeTurn, outcome: NodeOutcome, retryAt?: number): Promise<void>;
  /** Closes every open attempt of an execution as failed; answers the node of the one that ran, if there is one. */
  failOpen(executionId: string, error: NodeFailure): Promise<string | undefined>;
  /** Shows that the turn will not run; does nothing when that was shown before. */
  skip(turn: NodeTurn, reason: string): Promise<void>;
  /** Keeps the list of a loop's open attempt, with a line that tells of it. */
  keepItems(turn: NodeTurn, items: string, message: string): Promise<void>;
  /** Keeps what a turn of the loop gave. */
  keepResult(turn: NodeTurn, index: number, result: string): Promise<void>;
  /** Costs the same however many turns are done, but for their number. */
  loopProgress(turn: NodeTurn): Promise<LoopProgress>;
  /** The results of a loop's turns, in order, as one JSON list. */
  loopResults(turn: NodeTurn): Promise<string>;
  /** Ascending by sequence; values over 256 KiB are cut. */
  listLogs(query: NodeLogQuery): Promise<NodeLogPage>;
  /** One row with its whole values. */
  getLog(executionId: string, logId: string): Promise<StoredNodeLog | undefined>;
  /** 0 without rows. */
  lastSequence(executionId: string): Promise<number>;
}
