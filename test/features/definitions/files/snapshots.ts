import type { JsonObject } from '../../../../src/base/json.ts';
import type { DefinitionSnapshot } from '../../../../src/model/workflows/definitionStore.ts';
import { makeWorkflow } from '../../../support/memory/records.ts';

/** What the service gives of a workflow with this definition. `updatedAt`: epoch milliseconds. */
export function snapshotOf(definition: JsonObject, updatedAt: number | null = null): DefinitionSnapshot {
  const workflow = makeWorkflow('wf_1', {
    name: 'A',
    isDeployed: null,
    hasUndeployedChanges: null,
    updatedAt: updatedAt === null ? null : new Date(updatedAt),
    hasDefinition: true,
    raw: definition,
  });
  return { workflow, definition };
}
