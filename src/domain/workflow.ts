import type { JsonObject } from '../base/json.ts';

/** A workflow as the client understands it, whatever names the service uses. */
export interface Workflow {
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
