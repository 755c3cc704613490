// How an execution differs from running all nodes of its definition, and the executions whose records it uses.
import * as v from 'valibot';
import type { WorkflowDefinition } from '../../definition/definition.ts';
import type { ExecutionKind, ExecutionStatus } from '../../domain/status.ts';
import { ExecuteDraftRequest } from '../../protocol/requests.ts';

const { entries: draft } = ExecuteDraftRequest;

export const PlanSchema = v.object({
  /** Of a retry: the nodes that run again though they have finished. */
  again: v.optional(v.array(v.string()), []),
  /** The outputs of the nodes that don't run, by node id. */
  pinned: v.optional(draft.pinned.wrapped, {}),
  /** What HTTP request nodes get instead of sending, by node id; empty if it's in `pinnedIn`. */
  answers: draft.answers,
  /** Of a retry: the execution that it retries, or one before that, which has the pinned outputs and the answers. */
  pinnedIn: v.optional(v.string()),
  until: draft.until,
  only: draft.only,
  /** The iteration of `only`: of each loop around it, outermost first. */
  iteration: v.optional(draft.iteration.wrapped, []),
});
export type Plan = v.InferOutput<typeof PlanSchema>;

/** An execution whose record another one uses. */
export interface SourceExecution {
  readonly id: string;
  readonly workflowId: string;
  readonly status: ExecutionStatus;
  readonly kind: ExecutionKind;
  readonly definition: WorkflowDefinition;
  /** See `NewExecution`. */
  readonly version: number | null;
  /** JSON. */
  readonly input: string;
  readonly retryOf: string | null;
  readonly basedOn: string | null;
  readonly plan: Plan | null;
}

/** What an execution recorded, and which of its nodes no longer count. */
export interface RecordLink {
  readonly executionId: string;
  /** The nodes that ran again in the execution that retried this one. */
  readonly again: readonly string[];
}

/** The execution whose record a new one would use has been deleted. */
export class SourceGoneError extends Error {
  override readonly name = 'SourceGoneError';

  constructor() {
    super('The execution whose record is used has been deleted.');
  }
}
