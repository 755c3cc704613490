import { type Operation, type OperationName, operations } from '../../protocol/operations.ts';
import type { OperationOverride } from '../../protocol/operationOverrides.ts';
import type { BodyForm } from '../request/request.ts';

/** One endpoint of an operation. Without a form, the body is sent as the call made it. GET and DELETE send none. */
export interface Endpoint extends Operation {
  readonly form?: BodyForm;
  /** Statuses that refuse the body's form: nothing was done, and another form may work. */
  readonly alsoNextOn?: readonly number[];
}

export interface OperationEndpoints {
  /** In the order in which they're tried. */
  readonly endpoints: readonly Endpoint[];
  /** The operation that gives the same result when all endpoints are missing. The call itself implements the fallback. */
  readonly otherwise?: OperationName;
}

const workflow = '/workflows/{workflowId}';
const execution = '/executions/{executionId}';

/** Where services put an operation. Operations that aren't listed have one endpoint: execute and the workflow list are never tried elsewhere. */
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
    otherwise: 'listExecutions',
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

/** Returns an operation's endpoints: the defaults, or the user's override. */
export function endpointsOf(
  name: OperationName,
  override: OperationOverride | undefined,
): OperationEndpoints {
  const listed = table[name] ?? { endpoints: [operations[name]] };
  if (override === undefined) return listed;
  return { ...listed, endpoints: overridden(listed.endpoints, operations[name], override) };
}

/** The user's override replaces all endpoints. If the default has several forms of the body, they stay. */
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
