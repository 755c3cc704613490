import type { JsonObject } from '../base/json.ts';

/** What a draft execution runs, and with which data (contract section 9). */
export interface DraftRequest {
  /** Default: the saved definition. */
  readonly definition?: JsonObject | undefined;
  readonly input?: JsonObject | undefined;
  /** The outputs of nodes that give them instead of running, by node id. */
  readonly pinned?: JsonObject | undefined;
  /** Runs this node and what leads to it. */
  readonly until?: string | undefined;
  /** Runs this node alone. */
  readonly only?: string | undefined;
  /** The execution whose data is used. */
  readonly basedOn?: string | undefined;
  /** The iteration of each loop around the node `only`, outermost first, from 0. */
  readonly iteration?: readonly number[] | undefined;
}
