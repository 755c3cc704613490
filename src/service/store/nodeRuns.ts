// The store of node runs and node logs, so that a resumed execution repeats neither node runs nor log rows.
import type { NodeLogJson } from '../../protocol/records.ts';
import type { JsonText } from '../jsonText.ts';

/** A node in one turn of its loops; all attempts share it. */
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
  /** The sequence up to which all rows that fit are in this page or before it. */
  readonly reached: number;
}

/** The completed turns of a loop. */
export interface LoopProgress {
  readonly turns: number;
  /** The total length of their results, in UTF-16 units. */
  readonly size: number;
}

/** Reads node runs and their logs; an ExecutionWriter writes them. */
export interface NodeRunStore {
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
