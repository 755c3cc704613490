// The calls of n8n's API, below its `/api/v1`.
import type { Operation } from '../../protocol/operations.ts';

export const n8nOperations = {
  listWorkflows: { method: 'GET', path: '/workflows' },
  getWorkflow: { method: 'GET', path: '/workflows/{workflowId}' },
  getWorkflowVersion: { method: 'GET', path: '/workflows/{workflowId}/{versionId}' },
  createWorkflow: { method: 'POST', path: '/workflows' },
  replaceWorkflow: { method: 'PUT', path: '/workflows/{workflowId}' },
  deleteWorkflow: { method: 'DELETE', path: '/workflows/{workflowId}' },
  archiveWorkflow: { method: 'POST', path: '/workflows/{workflowId}/archive' },
  activateWorkflow: { method: 'POST', path: '/workflows/{workflowId}/activate' },
  deactivateWorkflow: { method: 'POST', path: '/workflows/{workflowId}/deactivate' },
  listExecutions: { method: 'GET', path: '/executions' },
  getExecution: { method: 'GET', path: '/executions/{executionId}' },
  stopExecution: { method: 'POST', path: '/executions/{executionId}/stop' },
  retryExecution: { method: 'POST', path: '/executions/{executionId}/retry' },
} as const satisfies Record<string, Operation>;

/** Of a replacement: what is deployed stays, which else is replaced too. */
export const savedAlone = { publishIfActive: false } as const;

/** More are cut to it without a word. */
export const maximumPageSize = 250;
