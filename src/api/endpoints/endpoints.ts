import { type Operation, type OperationName, operations } from '../../protocol/operations.ts';
import type { OperationOverride } from '../../protocol/operationOverrides.ts';
import type { BodyForm } from '../request/request.ts';

/** One way to ask for an operation. Without a form the body goes as the call made it; GET and DELETE send none. */
export interface Endpoint extends Operation {
  readonly form?: BodyForm;
  /** Statuses that refuse the body's form: nothing was done, and another form may fit. */
  readonly alsoNextOn?: readonly number[];
}

export interface OperationEndpoints {
  /** In the order they are tried. */
  readonly endpoints: readonly Endpoint[];
  /** The operation that gives the same where all endpoints are missing; the call itself knows how. */
  readonly otherwise?: OperationName;
}

const workflow = '/workflows/{workflowId}';
const execution = '/executions/{executionId}';

/** Where services put an operation. One that is not listed has one endpoint: execute and the list of workflows are never tried elsewhere. */
const table: Readonly<Partial<Record<OperationName, OperationEndpoints>>> = {
  getWorkflow: { endpoints: [operations.getWorkflow], otherwise: 'listWorkflows' },
  updateWorkflow: {
    endpoints: [operations.updateWorkflow, { method: 'PUT', path: workflow, form: 'whole' }],
  },
  importWorkflow: {
    endpoints: [
      { ...operations.importWorkflow, alsoNextOn: [400, 415, 422] },
      { ...operations.importWorkflow, form: 'bare' },
    ],
  },
  duplicateWorkflow: {
    endpoints: [operations.duplicateWorkflow, { method: 'POST', path: `${workflow}/clone` }],
    otherwise: 'createWorkflow',
  },
  deployWorkflow: {
    endpoints: [
      operations.deployWorkflow,
      { method: 'POST', path: `${workflow}/publish` },
      { method: 'POST', path: `${workflow}/activate` },
    ],
  },
  undeployWorkflow: {
    endpoints: [
      operations.undeployWorkflow,
      { method: 'DELETE', path: `${workflow}/deploy` },
      { method: 'POST', path: `${workflow}/unpublish` },
      { method: 'POST', path: `${workflow}/deactivate` },
    ],
  },
  listExecutions: {
    endpoints: [
      operations.listExecutions,
      { method: 'GET', path: `${workflow}/executions` },
      { method: 'GET', path: `${workflow}/runs` },
    ],
  },
  getExecution: {
    endpoints: [operations.getExecution, { method: 'GET', path: `${workflow}${execution}` }],
  },
  getOutput: { endpoints: [operations.getOutput], otherwise: 'getExecution' },
  listNodeLogs: {
    endpoints: [
      operations.listNodeLogs,
      { method: 'GET', path: `${execution}/node-logs` },
      { method: 'GET', path: `${execution}/nodes` },
    ],
    otherwise: 'getExecution',
  },
  listPortalEvents: {
    endpoints: [
      operations.listPortalEvents,
      { method: 'GET', path: '/portal-events' },
      { method: 'GET', path: '/events' },
    ],
  },
};

/** The ways to ask for an operation, by default or where the user says. */
export function endpointsOf(
  name: OperationName,
  override: OperationOverride | undefined,
): OperationEndpoints {
  const listed = table[name] ?? { endpoints: [operations[name]] };
  if (override === undefined) return listed;
  return { ...listed, endpoints: overridden(listed.endpoints, operations[name], override) };
}

/** The user's word replaces all endpoints; where the default knows several forms of the body, they stay. */
function overridden(
  endpoints: readonly Endpoint[],
  primary: Operation,
  override: OperationOverride,
): readonly Endpoint[] {
  const method = override.method ?? primary.method;
  const path = override.path ?? primary.path;
  const forms = endpoints.filter((each) => each.path === primary.path && each.method === method);
  return (forms.length > 0 ? forms : [primary]).map((form) => ({ ...form, method, path }));
}
