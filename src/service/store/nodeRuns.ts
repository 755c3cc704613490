// Why: node runs and what they say, kept so that a replay after a restart neither repeats a node nor a line.
import type { JsonValue } from '../../base/json.ts';
import type { LogLevel, NodeLog } from '../../protocol/records.ts';

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
  | { readonly status: 'completed'; readonly output: JsonValue }
  | { readonly status: 'failed'; readonly error: NodeFailure };

/** What beginning a node run found. */
export type NodeRunStart =
  | {
      readonly kind: 'started' | 'resumed';
      readonly attempt: number;
      /** Earlier attempts that failed on their own, interruptions not counted. */
      readonly failures: number;
    }
  | { readonly kind: 'ended'; readonly outcome: NodeOutcome };

export interface NodeLogQuery {
  readonly executionId: string;
  /** Rows with a greater sequence. */
  readonly after: number;
  readonly nodeId?: string | undefined;
  readonly limit: number;
}

export interface NodeRunStore {
  /**
   * Opens the next attempt, unless the turn has ended for good (completed, or failed with no attempt left).
   * An attempt found open was interrupted by a restart: it is closed by a row that says so, or taken up again when
   * `canResume` is true.
   */
  begin(
    turn: NodeTurn,
    options: { readonly input: JsonValue; readonly canResume: boolean; readonly maximumAttempts: number },
  ): Promise<NodeRunStart>;
  /** Adds a line to the open attempt. */
  say(turn: NodeTurn, level: LogLevel, message: string): Promise<void>;
  /** Shows the open attempt as waiting. */
  wait(turn: NodeTurn, message: string): Promise<void>;
  /** Closes the open attempt; does nothing when there is none. */
  end(turn: NodeTurn, outcome: NodeOutcome): Promise<void>;
  /** Shows that the turn will not run; does nothing when that was shown before. */
  skip(turn: NodeTurn, reason: string): Promise<void>;
  /** Ascending by sequence. */
  listLogs(query: NodeLogQuery): Promise<readonly NodeLog[]>;
  /** 0 without rows. */
  lastSequence(executionId: string): Promise<number>;
}
