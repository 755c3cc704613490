import type { JsonValue } from '../base/json.ts';
import type { RunError } from './execution.ts';
import type { Status } from './status.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The values of a row, each of any size. */
export const valueNames = ['input', 'output', 'exchange'] as const;
export type ValueName = (typeof valueNames)[number];

/** One node log: a message or a state change of a node run. */
export interface NodeLog {
  /** Stable within the execution: the service's id, else nodeId + startedAt + attempt, else the sequence, else the position among all rows. */
  readonly key: string;
  readonly sequence: number | null;
  /** Empty for a row of the execution itself. */
  readonly nodeId: string;
  /** The id if the service gives no name. */
  readonly nodeName: string;
  readonly nodeType: string | null;
  readonly iteration: readonly number[];
  readonly attempt: number;
  readonly level: LogLevel;
  readonly message: string;
  /** The node run's state when the row was written; null for a plain line of text. */
  readonly status: Status | null;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  /** `{request, response}`: what an HTTP request node sent, and the response if there was one. */
  readonly exchange: JsonValue | undefined;
  readonly error: RunError | null;
  readonly timestamp: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  /** The execution that ran the node, if this one reused the result from its record. */
  readonly reusedFrom: string | null;
  /** The node gave its pin instead of running. */
  readonly isPinned: boolean;
  /** The draft answered its HTTP request, which wasn't sent. */
  readonly isAnswered: boolean;
  /** The executions that the node started. */
  readonly children: readonly string[];
}
