import type { JsonObject, JsonValue } from '../base/json.ts';

export interface PortalEvent {
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
