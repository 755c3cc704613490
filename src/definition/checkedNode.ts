import type { JsonObject } from '../base/json.ts';

/** A node as far as the checks need it. Its type may be unknown. */
export interface CheckedNode {
  readonly id: string;
  readonly type: string;
  readonly config: JsonObject;
}
