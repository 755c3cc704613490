import type { JsonObject, JsonValue } from '../base/json.ts';
import type { FoundPlace } from './search.ts';
import { type ExecutionKind, type Status, unreportedStatus } from './status.ts';

export interface RunError {
  readonly code: string | null;
  readonly message: string;
  readonly nodeId: string | null;
}

/** An execution, independent of the names that the service uses. */
export interface Execution {
  readonly id: string;
  readonly workflowId: string | null;
  readonly eventIds: readonly string[];
  readonly status: Status;
  readonly trigger: string | null;
  /** The node that it started at, if the service reports one of several. */
  readonly triggerNode?: string;
  /** undefined when the record doesn't contain it. */
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: RunError | null;
  readonly createdAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly kind: ExecutionKind;
  /** Of the definition that it ran; null when the service doesn't say. */
  readonly definitionVersion: string | null;
  /** The execution that this one retries. */
  readonly retryOf: string | null;
  /** The execution whose data a draft execution uses. */
  readonly basedOn: string | null;
  /** The execution that started this one. undefined: another one did, and the record doesn't say which. */
  readonly parent: string | null | undefined;
  /** It was cancelled, although a node may not have ended yet. */
  readonly isCancelRequested: boolean;
  /** Where the text of a search stands in it, at most `maximumPlaces`. */
  readonly found?: readonly FoundPlace[];
  readonly raw: JsonObject;
}

/** The output of an execution, or why there's none yet. */
export type Output =
  | { readonly kind: 'ready'; readonly output: JsonValue; readonly error: RunError | null }
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string }
  | { readonly kind: 'notReady'; readonly status: Status | null };

/** The output to be compared: a text has an item for each of its lines. Undefined while there's none. */
export function outputValue(output: Output): JsonValue | undefined {
  switch (output.kind) {
    case 'ready':
      return output.output;
    case 'text':
      return output.text.split(/\r\n|\r|\n/);
    case 'notReady':
      return undefined;
  }
}

/** The service's response when an execution is started. */
export interface Triggered {
  readonly workflowId: string;
  readonly eventIds: readonly string[];
  readonly executionIds: readonly string[];
  readonly status: string;
  /** The service's time when it responded, from the Date header. */
  readonly respondedAt: Date | null;
}

/** An execution of which nothing else is known. */
export function emptyExecution(id: string, status = unreportedStatus): Execution {
  return {
    id,
    workflowId: null,
    eventIds: [],
    status,
    trigger: null,
    input: undefined,
    output: undefined,
    error: null,
    createdAt: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    kind: 'deployed',
    definitionVersion: null,
    retryOf: null,
    basedOn: null,
    parent: null,
    isCancelRequested: false,
    raw: { id },
  };
}
