// Which definition a retry continues with, where nobody says it.
import { ifOffered } from '../../domain/errors.ts';
import type { Execution } from '../../domain/execution.ts';
import type { ExecutionTarget } from '../../domain/targets.ts';
import type { Workflow } from '../../domain/workflow.ts';
import type { RetryRequest } from '../../protocol/requests.ts';
import type { Executions } from '../executions/executions.ts';
import type { Workflows } from './workflows.ts';

export const retryDefinitions = ['same', 'deployed'] as const satisfies readonly RetryRequest['definition'][];
/** same: the one that the execution ran. */
export type RetryDefinition = (typeof retryDefinitions)[number];

interface RetryReads {
  readonly executions: Pick<Executions, 'read'>;
  readonly workflows: Pick<Workflows, 'read'>;
}

function hasChanged(
  { deployedAt, deployedVersion }: Workflow,
  { createdAt, definitionVersion }: Execution,
): boolean {
  if (deployedVersion !== null && definitionVersion !== null) return deployedVersion !== definitionVersion;
  return deployedAt !== null && createdAt !== null && deployedAt > createdAt;
}

/**
 * Chooses what is deployed where that has changed since the execution, so that a retry tries the correction; else, and for a draft, what it
 * ran. Rejects with a ServiceError, or with the signal's reason.
 */
export async function chooseRetryDefinition(
  { executions, workflows }: RetryReads,
  target: ExecutionTarget,
  signal: AbortSignal,
): Promise<RetryDefinition> {
  const execution = await executions.read(target, signal);
  const { workflowId, kind } = execution;
  if (workflowId === null || kind === 'draft') return 'same';
  const { connectionId } = target;
  const workflow = await ifOffered(workflows.read({ connectionId, workflowId }, signal));
  return workflow !== undefined && hasChanged(workflow, execution) ? 'deployed' : 'same';
}
