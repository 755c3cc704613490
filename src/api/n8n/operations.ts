// The calls of n8n's API, below its `/api/v1`.
import type { KeyRight } from '../../domain/apiKey.ts';
import type { Operation } from '../../protocol/operations.ts';

export const n8nOperations = {
  /** What the key may do. Older versions don't have it. */
  discover: { method: 'GET', path: '/discover' },
  listWorkflows: { method: 'GET', path: '/workflows' },
  getWorkflow: { method: 'GET', path: '/workflows/{workflowId}' },
  /** A document as it was saved. */
  getWorkflowVersion: { method: 'GET', path: '/workflows/{workflowId}/{versionId}' },
  createWorkflow: { method: 'POST', path: '/workflows' },
  replaceWorkflow: { method: 'PUT', path: '/workflows/{workflowId}' },
  deleteWorkflow: { method: 'DELETE', path: '/workflows/{workflowId}' },
  archiveWorkflow: { method: 'POST', path: '/workflows/{workflowId}/archive' },
  unarchiveWorkflow: { method: 'POST', path: '/workflows/{workflowId}/unarchive' },
  activateWorkflow: { method: 'POST', path: '/workflows/{workflowId}/activate' },
  deactivateWorkflow: { method: 'POST', path: '/workflows/{workflowId}/deactivate' },
  listExecutions: { method: 'GET', path: '/executions' },
  getExecution: { method: 'GET', path: '/executions/{executionId}' },
  stopExecution: { method: 'POST', path: '/executions/{executionId}/stop' },
  retryExecution: { method: 'POST', path: '/executions/{executionId}/retry' },
} as const satisfies Record<string, Operation>;

/** The right of the key that each needs. */
export const rightsNeeded: ReadonlyMap<Operation, KeyRight> = new Map<Operation, KeyRight>([
  [n8nOperations.listWorkflows, 'workflow:list'],
  [n8nOperations.getWorkflow, 'workflow:read'],
  [n8nOperations.getWorkflowVersion, 'workflow:read'],
  [n8nOperations.createWorkflow, 'workflow:create'],
  [n8nOperations.replaceWorkflow, 'workflow:update'],
  [n8nOperations.deleteWorkflow, 'workflow:delete'],
  [n8nOperations.archiveWorkflow, 'workflow:delete'],
  [n8nOperations.unarchiveWorkflow, 'workflow:delete'],
  [n8nOperations.activateWorkflow, 'workflow:activate'],
  [n8nOperations.deactivateWorkflow, 'workflow:deactivate'],
  [n8nOperations.listExecutions, 'execution:list'],
  [n8nOperations.getExecution, 'execution:read'],
  [n8nOperations.stopExecution, 'execution:stop'],
  [n8nOperations.retryExecution, 'execution:retry'],
]);

/** Of a replacement: what is deployed stays, which else is replaced too. */
export const savedAlone = { publishIfActive: false } as const;

/** n8n silently caps higher limits at this value. */
export const maximumPageSize = 250;

export const apiPath = '/api/v1';

/** Returns where the API is of an n8n whose editor, or whose API, has this address. */
export function n8nApiAddress(address: string): string {
  const trimmed = address.trim().replace(/\/+$/, '');
  return trimmed.endsWith(apiPath) ? trimmed : `${trimmed}${apiPath}`;
}
