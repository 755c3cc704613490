import { beginningOf } from '../base/format.ts';
import type { JsonObject } from '../base/json.ts';
import { ServiceError } from './errors.ts';
import type { TriggerInput } from './triggers.ts';

/** A workflow, independent of the names that the service uses. */
export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** null when the service doesn't say. */
  readonly isDeployed: boolean | null;
  /** This window has asked for a deployment that isn't in effect yet. */
  readonly isDeploying?: true;
  readonly deployedAt: Date | null;
  /** True when deployed and the draft differs from the deployed definition; null when the service doesn't say. */
  readonly hasUndeployedChanges: boolean | null;
  /** The record's definition members with the deployed content; null when not deployed or when the service doesn't say. */
  readonly deployedDefinition: JsonObject | null;
  readonly version: string | null;
  /** null when the service doesn't give each edit a version. */
  readonly draftVersion: string | null;
  /** null when not deployed, or when the service doesn't give each edit a version. */
  readonly deployedVersion: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** The service's tags, in its order. */
  readonly tags?: readonly string[];
  /** What its triggers reveal about the inputs of executions, if its definition has no schema for them. */
  readonly triggerInputs?: readonly TriggerInput[];
  /** It's archived: the service keeps it, but no longer executes it. */
  readonly isArchived?: true;
  /** The service reports the nodes of its executions only at the end, because the workflow doesn't save its progress. */
  readonly reportsNodesAtEnd?: true;
  /** False for a list item without nodes. */
  readonly hasDefinition: boolean;
  /** The record as received, including unknown members. */
  readonly raw: JsonObject;
}

/** Throws "archived" for an archived workflow. */
export function refuseArchived(
  { id: workflowId, isArchived }: Pick<Workflow, 'id' | 'isArchived'>,
  connectionId: string | null,
): void {
  if (isArchived === true)
    throw new ServiceError({ kind: 'archived', workflowId }, 'The workflow is archived.', { connectionId });
}

/** Returns the name of a copy that nobody has named. `maximum`: of the service, in UTF-16 units; a long name loses its end. */
export function nameOfCopy(name: string, maximum: number): string {
  const addition = ' (copy)';
  return beginningOf(name, maximum - addition.length) + addition;
}
