import { equalJson, type JsonObject } from '../../base/json.ts';
import { isServiceError, type ServiceError } from '../../domain/serviceError.ts';
import type { WorkflowTarget } from '../../domain/targets.ts';
import { toDefinition, toUpdate } from './definitionText.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** The calls that definitions need. Both reject with a ServiceError or the signal's reason. */
export interface DefinitionCalls {
  read(target: WorkflowTarget, signal?: AbortSignal): Promise<Workflow>;
  update(target: WorkflowTarget, changes: JsonObject, signal?: AbortSignal): Promise<Workflow>;
}

export interface DefinitionSnapshot {
  readonly workflow: Workflow;
  readonly definition: JsonObject;
}

export type SaveResult =
  /** notKept: members that the service didn't store as they were sent. */
  | { readonly kind: 'saved'; readonly now: DefinitionSnapshot; readonly notKept: readonly string[] }
  /** The service holds something that the writer hasn't seen. Nothing was written. */
  | { readonly kind: 'conflict'; readonly theirs: DefinitionSnapshot };

/** How often a write is tried again when the service finds it stale although its content is what the writer has seen. */
const staleAttempts = 3;

/** Reads definitions, and writes one only over what its writer has seen. */
export class DefinitionStore {
  readonly #calls: DefinitionCalls;

  constructor(calls: DefinitionCalls) {
    this.#calls = calls;
  }

  async read(target: WorkflowTarget, signal?: AbortSignal): Promise<DefinitionSnapshot> {
    return snapshotOf(await this.#calls.read(target, signal));
  }

  /** Writes if the service still holds one of the definitions that the writer has seen. Sends nothing when it holds `mine` already. */
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
        const now = snapshotOf(await this.#calls.update(target, changes, signal));
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

/** What the service compares once more at the moment it writes. Empty where its records have no such time. */
function expectedVersion({ raw }: Workflow): JsonObject {
  const { updatedAt } = raw;
  return typeof updatedAt === 'string' ? { version: updatedAt } : {};
}

function findNotKept(mine: JsonObject, kept: JsonObject): readonly string[] {
  return Object.keys(mine).filter((name) => !equalJson(mine[name], kept[name]));
}
