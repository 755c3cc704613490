// Tells a workflow that changed from one that was merely read again.
import { equalJson } from '../../base/json.ts';
import type { Workflow } from '../../domain/workflow.ts';

/** True when a row of the two looks alike; what the later one does not tell does not count, since a list may tell less than a single record. */
export function workflowsLookSame(earlier: Workflow, later: Workflow): boolean {
  return (
    earlier.name === later.name &&
    earlier.description === later.description &&
    earlier.isDeployed === later.isDeployed &&
    (later.hasUndeployedChanges === null || earlier.hasUndeployedChanges === later.hasUndeployedChanges) &&
    earlier.version === later.version &&
    earlier.deployedAt?.getTime() === later.deployedAt?.getTime() &&
    earlier.updatedAt?.getTime() === later.updatedAt?.getTime()
  );
}

/** The earlier reading when the later one adds nothing; a list's item does not take a definition away from an unchanged one. */
export function mergeWorkflow(earlier: Workflow, later: Workflow): Workflow {
  if (!workflowsLookSame(earlier, later)) return later;
  if (!later.hasDefinition) return earlier;
  return earlier.hasDefinition && equalJson(earlier.raw, later.raw) ? earlier : later;
}
