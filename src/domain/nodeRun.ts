import type { JsonValue } from '../base/json.ts';
import type { RunError } from './execution.ts';
import type { NodeLog, ValueName } from './nodeLog.ts';
import type { Status } from './status.ts';

/** One run of a node. Each loop iteration and each attempt is a node run of its own. */
export interface NodeRun {
  /** Stable within the execution. */
  readonly key: string;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string | null;
  /** The iteration of each enclosing loop, outermost first. */
  readonly iteration: readonly number[];
  readonly attempt: number;
  /** null when there are only plain lines so far. */
  readonly status: Status | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly error: RunError | null;
  /** The execution that ran the node, if this one reused the result from its record. */
  readonly reusedFrom: string | null;
  /** The node gave its pin instead of running. */
  readonly isPinned: boolean;
  /** The draft answered its HTTP request, which wasn't sent. */
  readonly isAnswered: boolean;
  /** The executions that the node started. */
  readonly children: readonly string[];
  /** It failed, and its execution continued: another node of the same iteration started afterwards. */
  readonly isHandled: boolean;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly exchange: JsonValue | undefined;
  /** Always current, even on a superseded run. If rows have left memory, only the first and the last ones. */
  readonly logs: readonly NodeLog[];
  /** The keys of the rows with the whole values, if rows have left memory: those that left have no values in `logs`. null: none has left. */
  readonly valueKeys: Readonly<Record<ValueName, string | null>> | null;
}

/** True for a failure that isn't handled. Until another node starts, no failure is handled. */
export function hasFailed({ status, isHandled }: Pick<NodeRun, 'status' | 'isHandled'>): boolean {
  return status?.state === 'failed' && !isHandled;
}
