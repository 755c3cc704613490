// Where services put an operation that our default does not reach, as one table (contract section 7.4).
import { type Operation, type OperationName, operations } from '../../protocol/operations.ts';
import type { OperationOverride } from '../../protocol/operationOverrides.ts';
import type { BodyForm } from '../request/request.ts';

/** One way to ask. Without a form the body goes as the call made it; GET and DELETE send none. */
export interface Attempt extends Operation {
  readonly form?: BodyForm;
  /** Refusals of the body's form, after which nothing was done and another form may fit. */
  readonly alsoNextOn?: readonly number[];
}

export interface Row {
  readonly attempts: readonly Attempt[];
  /** The operation that gives the same where all attempts are missing; the call itself knows how. */
  readonly otherwise?: OperationName;
}

const workflow = '/workflows/{workflowId}';
const execution = '/executions/{executionId}';

/** What is not listed has one attempt. Execute and the list of workflows are stated by the service and never tried elsewhere. */
const rows: Readonly<Partial<Record<OperationName, Row>>> = {
  getWorkflow: { attempts: [operations.getWorkflow], otherwise: 'listWorkflows' },
  updateWorkflow: {
    attempts: [operations.updateWorkflow, { method: 'PUT', path: workflow, form: 'whole' }],
  },
  importWorkflow: {
    attempts: [
      { ...operations.importWorkflow, alsoNextOn: [400, 415, 422] },
      { ...operations.importWorkflow, form: 'bare' },
    ],
  },
  duplicateWorkflow: {
    attempts: [operations.duplicateWorkflow, { method: 'POST', path: `${workflow}/clone` }],
    otherwise: 'createWorkflow',
  },
  deployWorkflow: {
    attempts: [
      operations.deployWorkflow,
      { method: 'POST', path: `${workflow}/publish` },
      { method: 'POST', path: `${workflow}/activate` },
    ],
  },
  undeployWorkflow: {
    attempts: [
      operations.undeployWorkflow,
      { method: 'DELETE', path: `${workflow}/deploy` },
      { method: 'POST', path: `${workflow}/unpublish` },
      { method: 'POST', path: `${workflow}/deactivate` },
    ],
  },
  listExecutions: {
    attempts: [
      operations.listExecutions,
      { method: 'GET', path: `${workflow}/executions` },
      { method: 'GET', path: `${workflow}/runs` },
    ],
  },
  getExecution: {
    attempts: [operations.getExecution, { method: 'GET', path: `${workflow}${execution}` }],
  },
  getOutput: { attempts: [operations.getOutput], otherwise: 'getExecution' },
  listNodeLogs: {
    attempts: [
      operations.listNodeLogs,
      { method: 'GET', path: `${execution}/node-logs` },
      { method: 'GET', path: `${execution}/nodes` },
    ],
    otherwise: 'getExecution',
  },
  listPortalEvents: {
    attempts: [
      operations.listPortalEvents,
      { method: 'GET', path: '/portal-events' },
      { method: 'GET', path: '/events' },
    ],
  },
};

/** The ways to ask for an operation, in order. */
export function rowOf(name: OperationName, override: OperationOverride | undefined): Row {
  const row = rows[name] ?? { attempts: [operations[name]] };
  return override === undefined
    ? row
    : { ...row, attempts: overridden(row.attempts, operations[name], override) };
}

/** The user's word replaces all places; where the default knows several forms of the body, they stay. */
function overridden(
  attempts: readonly Attempt[],
  primary: Operation,
  override: OperationOverride,
): readonly Attempt[] {
  const method = override.method ?? primary.method;
  const path = override.path ?? primary.path;
  const forms = attempts.filter((each) => each.path === primary.path && each.method === method);
  return (forms.length > 0 ? forms : [primary]).map((form) => ({ ...form, method, path }));
}
