// The store of node runs and node logs, so that a resumed execution repeats neither node runs nor log rows.
import type { NodeLogJson } from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';
import type { LogLevel } from '../../domain/nodeLog.ts';
import type { Claim } from './store.ts';

/** A node in one turn of its loops; all attempts share it. */
export interface NodeTurn extends Claim {
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

/** The state of a node run at its start. */
export type NodeRunStart =
  | {
      readonly kind: 'started' | 'resumed';
      /** The number of failed attempts, without interrupted ones. */
      readonly failures: number;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      /** When the attempt's wait ends, in epoch milliseconds; null when it doesn't wait. */
      readonly wakeAt: number | null;
      /** A loop's list as JSON; null before it's created, and for other nodes. */
      readonly items: string | null;
    }
  /** The next attempt must not start before `wakeAt`, in epoch milliseconds. */
  | { readonly kind: 'early'; readonly wakeAt: number }
  | { readonly kind: 'ended'; readonly outcome: NodeOutcome };

export interface BeginOptions {
  /** JSON. */
  readonly input: string;
  /** Whether an open attempt is resumed; if not, a row that records the interruption closes it. */
  readonly canResume: boolean;
  readonly maximumAttempts: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface EndOptions {
  /** When the next attempt can start, in epoch milliseconds; without it none follows. */
  readonly retryAt?: number | undefined;
  /** A node log row before the one about the end. */
  readonly line?: NodeLine | undefined;
}

export interface NodeLine {
  readonly level: LogLevel;
  readonly message: string;
}

/** A node log row whose values are JSON texts. */
export type StoredNodeLog = Omit<NodeLogJson, 'input' | 'output'> & {
  readonly input: JsonText;
  readonly output: JsonText;
};

export interface NodeLogQuery {
  readonly executionId: string;
  /** Returns rows with a greater sequence. */
  readonly after: number;
  readonly nodeId?: string | undefined;
  readonly limit: number;
}

export interface NodeLogPage {
  readonly rows: readonly StoredNodeLog[];
  /** Whether more rows follow; a page ends at the limit, or at about 1 MiB. */
  readonly hasMore: boolean;
}

/** The completed turns of a loop. */
export interface LoopProgress {
  readonly turns: number;
  /** The total length of their results, in UTF-16 units. */
  readonly size: number;
}

/** What writes rejects with a LostClaimError when another run has taken the execution. */
export interface NodeRunStore {
  /** Opens the next attempt, unless the node run has ended: completed, or failed with no attempt left. */
  begin(turn: NodeTurn, options: BeginOptions): Promise<NodeRunStart>;
  /** Adds a node log row to the open attempt. */
  say(turn: NodeTurn, level: LogLevel, message: string): Promise<void>;
  /** Marks the open attempt as waiting until `wakeAt`, in epoch milliseconds. */
  wait(turn: NodeTurn, message: string, wakeAt: number): Promise<void>;
  /** Closes the open attempt, if there is one. */
  end(turn: NodeTurn, outcome: NodeOutcome, options?: EndOptions): Promise<void>;
  /** Closes all open attempts of an execution as failed; returns the node of the one that ran, if any. */
  failOpen(claim: Claim, error: NodeFailure): Promise<string | undefined>;
  /** Marks the node as skipped in this turn; repeated calls do nothing. */
  skip(turn: NodeTurn, reason: string): Promise<void>;
  /** Stores the list of a loop's open attempt and adds a node log row about it. */
  keepItems(turn: NodeTurn, items: string, message: string): Promise<void>;
  /** Stores the result of a loop's turn. */
  keepResult(turn: NodeTurn, index: number, result: string): Promise<void>;
  /** Returns the completed turns; takes the same time for any number of them. */
  loopProgress(turn: NodeTurn): Promise<LoopProgress>;
  /** Returns the results of a loop's turns, in order, as a JSON list. */
  loopResults(turn: NodeTurn): Promise<string>;
  /** Ascending by sequence; values over 256 KiB are truncated. */
  listLogs(query: NodeLogQuery): Promise<NodeLogPage>;
  /** Returns one row with its full values. */
  getLog(executionId: string, logId: string): Promise<StoredNodeLog | undefined>;
  /** Returns 0 when there are no rows. */
  lastSequence(executionId: string): Promise<number>;
}
