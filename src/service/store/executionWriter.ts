// What an engine run writes about its execution: the status, node runs and their node logs.
import type { LogLevel } from '../../domain/nodeLog.ts';
import type { ExecutionErrorJson } from '../../protocol/records.ts';
import type { NodeFailure, NodeOutcome, NodeTurn } from './nodeRuns.ts';

/** Who writes about an execution. */
export interface Claim {
  readonly executionId: string;
  /** The number of the take; null for a caller that works for no run. */
  readonly claim: number | null;
}

/** Another run has taken the execution: nothing was written, and nothing more may be done for it. */
export class LostClaimError extends Error {
  override readonly name = 'LostClaimError';

  constructor() {
    super('Another run has taken the execution.');
  }
}

export type ExecutionOutcome =
  | { readonly status: 'completed'; /** JSON. */ readonly output: string }
  | { readonly status: 'failed'; readonly error: ExecutionErrorJson };

/** An open attempt of a node run. */
export interface OpenNodeRun extends NodeTurn {
  readonly attempt: number;
  /** An ISO timestamp. */
  readonly startedAt: string;
  readonly status: 'running' | 'waiting';
}

/** What an execution has used of its limits. */
export interface ExecutionUse {
  /** Of all its loops, from when their lists were created. */
  readonly iterations: number;
  /** The UTF-8 bytes of its log rows, and of its large values, each of which is stored once. */
  readonly bytes: number;
}

/** The state of a node run at its start. */
export type NodeRunStart =
  | {
      readonly kind: 'started' | 'resumed';
      readonly run: OpenNodeRun;
      /** The number of failed attempts, without interrupted ones. */
      readonly failures: number;
      /** When the attempt's wait ends, in epoch milliseconds; null when it doesn't wait. */
      readonly wakeAt: number | null;
      /** A loop's list as JSON; null before it's created, and for other nodes. */
      readonly items: string | null;
      readonly use: ExecutionUse;
    }
  /** The next attempt must not start before `wakeAt`, in epoch milliseconds. */
  | { readonly kind: 'early'; readonly wakeAt: number }
  | { readonly kind: 'ended'; readonly outcome: NodeOutcome };

export interface BeginOptions {
  /** JSON. */
  readonly input: string;
  /** Whether an open attempt is resumed; if not, a row that records the interruption closes it. */
  readonly canResume: boolean;
  /** Whether the node run can't have begun before. */
  readonly isNew: boolean;
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

/** Writes about one execution, which nobody else writes about meanwhile. All of it is stored, or nothing. */
export interface ExecutionWriter {
  /** Publishes an event only when the status changes; does nothing when the execution has ended. Deaths aren't counted while it waits. */
  setStatus(status: 'running' | 'waiting'): void;
  /** Does nothing when the execution has ended. */
  finish(outcome: ExecutionOutcome): void;
  /** Opens the next attempt, unless the node run has ended: completed, or failed with no attempt left. */
  begin(turn: NodeTurn, options: BeginOptions): Promise<NodeRunStart>;
  /** Adds a node log row. */
  say(run: OpenNodeRun, line: NodeLine): Promise<void>;
  /** Marks a running attempt as waiting until `wakeAt`, in epoch milliseconds. */
  wait(run: OpenNodeRun, message: string, wakeAt: number): Promise<void>;
  end(run: OpenNodeRun, outcome: NodeOutcome, options?: EndOptions): Promise<void>;
  /** Ends all open attempts as failed; returns the node of the one that ran, if any. */
  failOpen(error: NodeFailure): Promise<string | undefined>;
  /** Marks the node as skipped in this turn, unless it is. `isNew` as for `begin`. */
  skip(turn: NodeTurn, reason: string, isNew: boolean): Promise<void>;
  /** Stores a loop's list, counts its iterations and adds a node log row about it. */
  keepItems(run: OpenNodeRun, items: readonly string[], message: string): Promise<void>;
  /** Stores the result of a loop's turn. */
  keepResult(loop: NodeTurn, index: number, result: string): Promise<void>;
}
