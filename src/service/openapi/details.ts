// Texts, parameters, bodies and responses of the operations (contract sections 3 to 5).
import type { aliases, OperationName } from '../../protocol/operations.ts';
import {
  cursor,
  executionQuery,
  idempotencyKey,
  ifMatch,
  lastEventId,
  limit,
  type Parameter,
  portalAfter,
  portalQuery,
  text,
} from './parameters.ts';

export interface OperationDetails {
  readonly tag: 'Workflows' | 'Executions' | 'Portal events';
  readonly summary: string;
  readonly description?: string;
  readonly query?: readonly Parameter[];
  readonly headers?: readonly Parameter[];
  /** The schema of the body, and whether the body is optional. */
  readonly request?: { readonly schema: string; readonly isOptional?: true };
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly schema?: string };
  /** The response as an event stream, in addition to the other or as the only one. */
  readonly stream?: { readonly description: string; readonly isAlone?: true };
  /** The error codes specific to the operation, by status. */
  readonly refusals?: Readonly<Record<number, readonly string[]>>;
}

const noWorkflow = { 404: ['workflow_not_found'] };
const noExecution = { 404: ['execution_not_found'] };
const emptyBody = { schema: 'EmptyRequest', isOptional: true } as const;
const badList = { 400: ['invalid_request', 'invalid_cursor'] };
const badSearch = { ...badList, 422: ['validation_failed'] };
const badBody = {
  400: ['invalid_json'],
  408: ['request_timeout'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['too_deep'],
};
const isWorkflow = { status: 200, schema: 'Workflow' } as const;
const isNewWorkflow = { status: 201, schema: 'Workflow' } as const;
const updating = {
  tag: 'Workflows',
  headers: [ifMatch],
  success: isWorkflow,
  refusals: { ...noWorkflow, ...badBody, 409: ['version_conflict'], 422: ['validation_failed', 'too_deep'] },
} as const;
const undeploy = { tag: 'Workflows', success: isWorkflow, refusals: { ...noWorkflow, ...badBody } } as const;
const portalStream =
  'Each event carries its id, its type as the name, and a PortalEvent as the data. A comment comes every 15 seconds.';

export const operationDetails: Readonly<Record<OperationName | keyof typeof aliases, OperationDetails>> = {
  listWorkflows: {
    tag: 'Workflows',
    summary: 'List workflows, newest first',
    refusals: badList,
    query: [
      { name: 'search', description: 'Part of the name.', schema: text },
      { name: 'deployed', description: "Whether they're deployed.", schema: { type: 'boolean' } },
      ...[limit, cursor],
    ],
    success: { status: 200, schema: 'WorkflowList' },
  },
  getWorkflow: { tag: 'Workflows', summary: 'Read a workflow', success: isWorkflow, refusals: noWorkflow },
  createWorkflow: {
    tag: 'Workflows',
    summary: 'Create a workflow',
    success: isNewWorkflow,
    request: { schema: 'CreateWorkflowRequest' },
    refusals: { ...badBody, 422: ['validation_failed', 'too_deep'] },
  },
  updateWorkflow: {
    ...updating,
    summary: 'Change the draft of a workflow',
    request: { schema: 'UpdateWorkflowRequest' },
    description:
      'Omitted members stay as they are. The deployed version stays as it is until the next deployment.',
  },
  replaceWorkflow: {
    ...updating,
    summary: 'Change the draft of a workflow',
    request: { schema: 'ReplaceWorkflowRequest' },
    description: 'Like PATCH, but the name is required.',
  },
  deleteWorkflow: {
    tag: 'Workflows',
    summary: 'Delete a workflow',
    success: { status: 204 },
    refusals: noWorkflow,
    description: 'It is undeployed first; its executions stay readable.',
  },
  importWorkflow: {
    tag: 'Workflows',
    summary: 'Import a workflow',
    success: isNewWorkflow,
    request: { schema: 'ImportWorkflowRequest' },
    refusals: { ...badBody, 422: ['import_invalid', 'too_deep'] },
  },
  duplicateWorkflow: {
    tag: 'Workflows',
    summary: 'Duplicate a workflow',
    success: isNewWorkflow,
    request: { schema: 'DuplicateWorkflowRequest', isOptional: true },
    refusals: { ...noWorkflow, ...badBody, 422: ['validation_failed', 'too_deep'] },
  },
  deployWorkflow: {
    tag: 'Workflows',
    summary: 'Deploy the draft of a workflow',
    request: emptyBody,
    headers: [ifMatch],
    success: isWorkflow,
    refusals: { ...noWorkflow, ...badBody, 409: ['version_conflict'], 422: ['workflow_invalid', 'too_deep'] },
  },
  undeployWorkflow: { ...undeploy, summary: 'Undeploy a workflow', request: emptyBody },
  undeployByDelete: { ...undeploy, summary: 'Undeploy a workflow', description: 'Same as POST …/undeploy.' },
  executeWorkflow: {
    tag: 'Workflows',
    summary: 'Execute a deployed workflow',
    request: { schema: 'ExecuteRequest' },
    headers: [idempotencyKey],
    success: { status: 202, schema: 'Triggered' },
    refusals: {
      ...noWorkflow,
      ...badBody,
      400: ['invalid_json', 'invalid_request'],
      409: ['workflow_not_deployed', 'idempotency_conflict'],
      422: ['validation_failed', 'too_deep'],
    },
  },
  executeDraft: {
    tag: 'Workflows',
    summary: 'Execute a definition without saving or deploying it',
    description:
      'Runs the whole definition, the nodes up to one, or one node alone on the data of an earlier execution. Pinned nodes return their value and do not run. HTTP request nodes named in `answers` send nothing and get what its list has for each attempt, {"status", "headers"?, "body"?} or {"error": "timeout" or "unreachable"}. Kept for a day at most.',
    request: { schema: 'ExecuteDraftRequest', isOptional: true },
    headers: [idempotencyKey],
    success: { status: 202, schema: 'Triggered' },
    refusals: {
      ...badBody,
      400: ['invalid_json', 'invalid_request'],
      404: ['workflow_not_found', 'execution_not_found'],
      409: ['idempotency_conflict'],
      422: ['workflow_invalid', 'validation_failed', 'too_deep'],
    },
  },
  listExecutions: {
    tag: 'Executions',
    summary: 'List and search executions, newest first',
    refusals: badSearch,
    query: [
      { name: 'workflowId', description: 'Only those of this workflow.', schema: text },
      ...executionQuery,
    ],
    success: { status: 200, schema: 'ExecutionList' },
  },
  listExecutionsOfWorkflow: {
    tag: 'Executions',
    summary: 'List the executions of a workflow',
    query: executionQuery,
    success: { status: 200, schema: 'ExecutionList' },
    refusals: { ...badSearch, ...noWorkflow },
  },
  getExecution: {
    tag: 'Executions',
    summary: 'Read an execution',
    refusals: noExecution,
    success: { status: 200, schema: 'Execution' },
  },
  cancelExecution: {
    tag: 'Executions',
    summary: 'Cancel an execution',
    description: 'No node starts afterwards, and the node that is running is stopped.',
    request: emptyBody,
    success: { status: 200, schema: 'Execution' },
    refusals: { ...noExecution, ...badBody, 409: ['execution_ended'] },
  },
  retryExecution: {
    tag: 'Executions',
    summary: 'Retry an execution from the node that failed or was cancelled',
    description:
      'Creates a new execution that reuses the finished node runs. With fromNodeId, that node and the nodes after it run again; with "deployed", so do the nodes that the deployed definition has changed.',
    request: { schema: 'RetryRequest', isOptional: true },
    headers: [idempotencyKey],
    success: { status: 202, schema: 'Triggered' },
    refusals: {
      ...noExecution,
      ...badBody,
      400: ['invalid_json', 'invalid_request'],
      409: [
        'execution_not_ended',
        'execution_completed',
        'chain_too_long',
        'workflow_not_deployed',
        'idempotency_conflict',
      ],
      422: ['node_not_run', 'validation_failed', 'too_deep'],
    },
  },
  getOutput: {
    tag: 'Executions',
    summary: 'Read the output of an execution',
    refusals: noExecution,
    description: 'Until the execution ends, the output is null and the status is the current one.',
    success: { status: 200, schema: 'Output' },
  },
  getExecutionDefinition: {
    tag: 'Executions',
    summary: 'Read the definition that an execution ran',
    refusals: { 404: ['execution_not_found', 'definition_not_kept'] },
    success: { status: 200, schema: 'ExecutionDefinition' },
  },
  listNodeLogs: {
    tag: 'Executions',
    summary: 'Read or follow the node logs of an execution',
    query: [
      {
        name: 'after',
        description: 'Only rows with a higher sequence.',
        schema: { type: 'integer', minimum: 0 },
      },
      { name: 'nodeId', description: 'Only rows of this node.', schema: text },
      ...[limit, cursor],
    ],
    headers: [lastEventId],
    success: { status: 200, schema: 'NodeLogList' },
    stream: {
      description:
        'With Accept: text/event-stream. Events "log" carry a NodeLog and its sequence as the id; a last event "end" carries {executionId, status}.',
    },
    refusals: { ...badList, ...noExecution, 410: ['event_gap'] },
  },
  getNodeLog: {
    tag: 'Executions',
    summary: 'Read a row of the node logs with its whole values',
    description:
      'In a list, a value over 256 KiB is cut: {"$cut": {"bytes", "preview"}} stands in its place.',
    success: { status: 200, schema: 'NodeLog' },
    refusals: { 404: ['execution_not_found', 'node_log_not_found'] },
  },
  listPortalEvents: {
    tag: 'Portal events',
    summary: 'Read or follow portal events',
    query: [portalAfter, ...portalQuery, limit, cursor],
    headers: [lastEventId],
    success: { status: 200, schema: 'PortalEventList' },
    stream: { description: `With Accept: text/event-stream. ${portalStream}` },
    refusals: { ...badList, 410: ['event_gap'] },
  },
  streamPortalEvents: {
    tag: 'Portal events',
    summary: 'Follow portal events',
    query: [portalAfter, ...portalQuery],
    headers: [lastEventId],
    success: { status: 200 },
    stream: { description: portalStream, isAlone: true },
    refusals: { 410: ['event_gap'] },
  },
  sendPortalEvent: {
    tag: 'Portal events',
    summary: 'Send a portal event',
    description: 'The type gets the prefix "portal." unless it has it already. Each id is accepted once.',
    request: { schema: 'InboundPortalEventRequest' },
    success: { status: 202, schema: 'ReceivedPortalEvent' },
    refusals: { ...badBody, 422: ['validation_failed', 'too_deep'] },
  },
};
