// Whatever is named to the model carries its connection, so that a switch never retargets what is under way.
import type { ExecutionFilter } from './executionFilter.ts';

export interface WorkflowTarget {
  readonly connectionId: string;
  readonly workflowId: string;
}

export interface ExecutionTarget {
  readonly connectionId: string;
  readonly executionId: string;
}

/** A list of executions: of one workflow, or of all (workflowId null). With a filter it is a list of its own, read in larger pages. */
export interface ExecutionScope {
  readonly connectionId: string;
  readonly workflowId: string | null;
  readonly filter?: ExecutionFilter;
}

/** One text for a workflow of a connection, as the key of a map. */
export function targetName({ connectionId, workflowId }: WorkflowTarget): string {
  return JSON.stringify([connectionId, workflowId]);
}
