import { equalJson, type JsonObject } from '../../base/json.ts';
import { isServiceError, type ServiceError } from '../../domain/errors.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { toDefinition, toUpdate } from './workflowDefinition.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { WorkflowActions } from './workflowActions.ts';
import type { Workflows } from './workflows.ts';

/** Its calls reject with a ServiceError or the signal's reason. */
interface DefinitionCalls {
  readonly workflows: Pick<Workflows, 'read'>;
  readonly actions: Pick<WorkflowActions, 'update'>;
}

export interface DefinitionSnapshot {
  readonly workflow: Workflow;
  readonly definition: JsonObject;
}

export type SaveResult =
  /** `notKept`: members that the service didn't store as they were sent. */
  | { readonly kind: 'saved'; readonly now: DefinitionSnapshot; readonly notKept: readonly string[] }
  /** The service has a version that the writer hasn't seen. Nothing was written. */
  | { readonly kind: 'conflict'; readonly theirs: DefinitionSnapshot };

/** How often a write is attempted when the service rejects it as stale although the writer has seen its content. */
const staleAttempts = 3;

/** Reads definitions. Overwrites a definition only if the writer has seen it. */
export class DefinitionStore {
  readonly #calls: DefinitionCalls;

  constructor(calls: DefinitionCalls) {
    this.#calls = calls;
  }

  async read(target: WorkflowTarget, signal?: AbortSignal): Promise<DefinitionSnapshot> {
    return snapshotOf(await this.#calls.workflows.read(target, signal));
  }

  /** Writes if the service still has one of the definitions in `seen`. Sends no update when it already has `mine`. */
  async save(
    target: WorkflowTarget,
    mine: JsonObject,
    seen: readonly JsonObject[],
    signal?: AbortSignal,
  ): Promise<SaveResult> {
    let refusal: ServiceError | undefined;
    for (let attempt = 0; attempt < staleAttempts; attempt += 1) {
      const theirs = await this.read(target, signal);
      if (equalJson(theirs.definition, mine)) return { kind: 'saved', now: theirs, notKept: [] };
      if (!seen.some((definition) => equalJson(definition, theirs.definition)))
        return { kind: 'conflict', theirs };
      try {
        const changes = { ...toUpdate(theirs.definition, mine), ...expectedVersion(theirs.workflow) };
        const now = snapshotOf(await this.#calls.actions.update(target, changes, signal));
        return { kind: 'saved', now, notKept: findNotKept(mine, now.definition) };
      } catch (error) {
        if (!isServiceError(error, 'conflict')) throw error;
        refusal = error;
      }
    }
    throw refusal ?? new Error('The save was never tried.');
  }
}

function snapshotOf(workflow: Workflow): DefinitionSnapshot {
  return { workflow, definition: toDefinition(workflow) };
}

/** Changes with each edit; null if the service doesn't say. */
export function editVersion({ raw, version }: Workflow): string | null {
  const { updatedAt } = raw;
  return typeof updatedAt === 'string' ? updatedAt : version;
}

/** The version that the service compares again when it writes. Empty if its records have no update time. */
function expectedVersion({ raw }: Workflow): JsonObject {
  const { updatedAt } = raw;
  return typeof updatedAt === 'string' ? { version: updatedAt } : {};
}

function findNotKept(mine: JsonObject, kept: JsonObject): readonly string[] {
  return Object.keys(mine).filter((name) => !equalJson(mine[name], kept[name]));
}
