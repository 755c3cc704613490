import type { JsonObject, JsonValue } from '../base/json.ts';

export interface PortalEvent {
  /** Identifies the event: the service's id, else a hash of type, time and data. */
  readonly key: string;
  readonly id: string | null;
  readonly type: string;
  readonly timestamp: Date | null;
  /** The workflow that the event is about; null when the event doesn't say. */
  readonly workflowId: string | null;
  readonly executionId: string | null;
  /** The node that the event is about, by its name, or else by its id. */
  readonly nodeName: string | null;
  /** The iteration of each loop around the node, outermost first. */
  readonly iteration: readonly number[];
  readonly data: JsonValue;
  /** The record as received. */
  readonly raw: JsonObject;
}
