// What the client understood of a record, whatever the service called things (contract section 7.2 and 7.3).
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { LogLevel } from '../protocol/records.ts';
import type { Status } from '../protocol/status.ts';

export type { RunState, Status } from '../protocol/status.ts';

export interface WorkflowReading {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** null: the service does not tell. */
  readonly isDeployed: boolean | null;
  readonly deployedAt: Date | null;
  /** Deployed, and the draft differs from what is; null: the service does not tell. */
  readonly hasUndeployedChanges: boolean | null;
  /** The members of the record that hold its definition, with what is deployed in them; null: not deployed, or the service does not tell. */
  readonly deployedDefinition: JsonObject | null;
  readonly version: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** False for an item of a list that carries no nodes. */
  readonly hasDefinition: boolean;
  /** The record as it came, unknown members included. */
  readonly raw: JsonObject;
}

export interface RunError {
  readonly code: string | null;
  readonly message: string;
  readonly nodeId: string | null;
}

export interface ExecutionReading {
  readonly id: string;
  readonly workflowId: string | null;
  readonly eventIds: readonly string[];
  readonly status: Status;
  readonly trigger: string | null;
  /** undefined: the record does not carry it. */
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: RunError | null;
  readonly createdAt: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
  readonly raw: JsonObject;
}

export interface NodeLogReading {
  /** Stable within the execution: the service's id, else nodeId + startedAt + attempt. */
  readonly key: string;
  readonly sequence: number | null;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly nodeType: string | null;
  readonly iteration: readonly number[];
  readonly attempt: number;
  readonly level: LogLevel;
  readonly message: string;
  /** The node run's state when the row was written; null for a plain line. */
  readonly status: Status | null;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: RunError | null;
  readonly timestamp: Date | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly durationMs: number | null;
}

/** The output of an execution, or why there is none yet. */
export type OutputReading =
  | { readonly kind: 'ready'; readonly output: JsonValue; readonly error: RunError | null }
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string }
  | { readonly kind: 'notReady'; readonly status: Status | null };

export interface TriggerReading {
  readonly workflowId: string;
  readonly eventIds: readonly string[];
  readonly executionIds: readonly string[];
  readonly status: string;
  /** The service's clock when it answered, from the Date header. */
  readonly answeredAt: Date | null;
}

export interface PortalEventReading {
  /** Tells it from others: the service's id, else what type, time and data come to. */
  readonly key: string;
  readonly id: string | null;
  readonly type: string;
  readonly timestamp: Date | null;
  /** The workflow it is about; null: it does not tell. */
  readonly workflowId: string | null;
  readonly data: JsonValue;
  /** The record as it came. */
  readonly raw: JsonObject;
}

export interface ApiKeyReading {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly expiration: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly requestCount: number | null;
  readonly revokedAt: Date | null;
}
