// A definition is written only over what its writer has seen: re-read, compare, and else say what is there now.
import { equalJson, type JsonObject } from '../../base/json.ts';
import { isServiceError, type ServiceError } from '../../domain/serviceError.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { toDefinition, toUpdate } from './definitionText.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** The two calls that definitions need; both reject with a ServiceError or the signal's reason. */
export interface DefinitionCalls {
  read(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow>;
  update(target: WorkflowTarget, changes: JsonObject, signal?: AbortSignal): Promise<Workflow>;
}

export interface DefinitionSnapshot {
  readonly workflow: Workflow;
  readonly definition: JsonObject;
}

export type SaveResult =
  /** The service has it. notKept: members that the service did not take over as they were sent. */
  | { readonly kind: 'saved'; readonly now: DefinitionSnapshot; readonly notKept: readonly string[] }
  /** It is not what the writer has seen; nothing was written. */
  | { readonly kind: 'conflict'; readonly theirs: DefinitionSnapshot };

export interface DefinitionStore {
  read(target: WorkflowTarget, signal?: AbortSignal): Promise<DefinitionSnapshot>;
  /** Writes if the service still holds one of the definitions that the writer has seen; nothing is sent when it holds mine already. */
  save(
    target: WorkflowTarget,
    mine: JsonObject,
    seen: readonly JsonObject[],
    signal?: AbortSignal,
  ): Promise<SaveResult>;
}

/** How often a write is tried again after the service found it stale although its content is what the writer has seen. */
const staleAttempts = 3;

export function createDefinitionStore(calls: DefinitionCalls): DefinitionStore {
  const read: DefinitionStore['read'] = async (target, signal) =>
    snapshotOf(await calls.read(target, signal));

  const save: DefinitionStore['save'] = async (target, mine, seen, signal) => {
    let refusal: ServiceError | undefined;
    for (let attempt = 0; attempt < staleAttempts; attempt += 1) {
      const theirs = await read(target, signal);
      if (equalJson(theirs.definition, mine)) return { kind: 'saved', now: theirs, notKept: [] };
      if (!seen.some((definition) => equalJson(definition, theirs.definition)))
        return { kind: 'conflict', theirs };
      try {
        const changes = { ...toUpdate(theirs.definition, mine), ...expectedVersion(theirs.workflow) };
        const now = snapshotOf(await calls.update(target, changes, signal));
        return { kind: 'saved', now, notKept: findNotKept(mine, now.definition) };
      } catch (error) {
        if (!isServiceError(error, 'conflict')) throw error;
        refusal = error;
      }
    }
    throw refusal ?? new Error('The save was never tried.');
  };

  return Object.freeze({ read, save });
}

function snapshotOf(workflow: Workflow): DefinitionSnapshot {
  return { workflow, definition: toDefinition(workflow) };
}

/** What the service is to compare once more at the moment it writes (contract section 3, operation 4); nothing where its records have no such time. */
function expectedVersion({ raw }: Workflow): JsonObject {
  const { updatedAt } = raw;
  return typeof updatedAt === 'string' ? { version: updatedAt } : {};
}

function findNotKept(mine: JsonObject, kept: JsonObject): readonly string[] {
  return Object.keys(mine).filter((name) => !equalJson(mine[name], kept[name]));
}
