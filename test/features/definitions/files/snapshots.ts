import type { JsonObject } from '../../../../src/base/json.ts';
import type { DefinitionSnapshot } from '../../../../src/model/workflows/definitionStore.ts';

/** What the service gives of a workflow with this definition. `updatedAt`: epoch milliseconds. */
export function snapshotOf(definition: JsonObject, updatedAt: number | null = null): DefinitionSnapshot {
  const workflow = {
    id: 'wf_1',
    name: 'A',
    description: null,
    isDeployed: null,
    deployedAt: null,
    version: null,
    draftVersion: null,
    deployedVersion: null,
    hasUndeployedChanges: null,
    deployedDefinition: null,
    createdAt: null,
    updatedAt: updatedAt === null ? null : new Date(updatedAt),
    hasDefinition: true,
    raw: definition,
  };
  return { workflow, definition };
}
