import type { JsonObject, JsonValue } from '../base/json.ts';

export interface PortalEvent {
  /** Identifies the event: the service's id, else a hash of type, time and data. */
  readonly key: string;
  readonly id: string | null;
  readonly type: string;
  readonly timestamp: Date | null;
  /** The workflow that the event is about; null when the event doesn't say. */
  readonly workflowId: string | null;
  readonly data: JsonValue;
  /** The record as received. */
  readonly raw: JsonObject;
}
