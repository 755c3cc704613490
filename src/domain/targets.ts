// References that include the connection, so that switching connections doesn't redirect work in progress.
import { stringifyJson } from '../base/json.ts';
import type { ExecutionFilter } from './queries.ts';

export interface WorkflowTarget {
  readonly connectionId: string;
  readonly workflowId: string;
}

export interface ExecutionTarget {
  readonly connectionId: string;
  readonly executionId: string;
}

/** A list of executions, of one workflow or of all (workflowId null). A filtered list is separate and is read in larger pages. */
export interface ExecutionScope {
  readonly connectionId: string;
  readonly workflowId: string | null;
  readonly filter?: ExecutionFilter;
}

/** Returns a string that identifies a connection's execution, for use as a map key. */
export function executionName({ connectionId, executionId }: ExecutionTarget): string {
  return stringifyJson([connectionId, executionId]);
}

/** Returns a string that identifies a list of executions, for use as a map key. */
export function scopeName({ connectionId, workflowId, filter }: ExecutionScope): string {
  return stringifyJson([connectionId, workflowId, filter ?? null]);
}

/** Returns a string that identifies a connection's workflow, for use as a map key. */
export function targetName({ connectionId, workflowId }: WorkflowTarget): string {
  return stringifyJson([connectionId, workflowId]);
}
