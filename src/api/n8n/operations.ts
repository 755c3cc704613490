// The calls of n8n's API, below its `/api/v1`.
import type { Operation } from '../../protocol/operations.ts';

export const n8nOperations = {
  listWorkflows: { method: 'GET', path: '/workflows' },
  getWorkflow: { method: 'GET', path: '/workflows/{workflowId}' },
  listExecutions: { method: 'GET', path: '/executions' },
  getExecution: { method: 'GET', path: '/executions/{executionId}' },
} as const satisfies Record<string, Operation>;

/** More are cut to it without a word. */
export const maximumPageSize = 250;
