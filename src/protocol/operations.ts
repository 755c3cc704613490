// The operations that the client calls and the service implements (contract section 3).

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A method and a path below the base URL. `{name}` stands for one percent-encoded path segment. */
export interface Operation {
  readonly method: HttpMethod;
  readonly path: string;
}

export const operations = {
  listWorkflows: { method: 'GET', path: '/workflows' },
  getWorkflow: { method: 'GET', path: '/workflows/{workflowId}' },
  createWorkflow: { method: 'POST', path: '/workflows' },
  updateWorkflow: { method: 'PATCH', path: '/workflows/{workflowId}' },
  deleteWorkflow: { method: 'DELETE', path: '/workflows/{workflowId}' },
  importWorkflow: { method: 'POST', path: '/workflows/import' },
  duplicateWorkflow: { method: 'POST', path: '/workflows/{workflowId}/duplicate' },
  deployWorkflow: { method: 'POST', path: '/workflows/{workflowId}/deploy' },
  undeployWorkflow: { method: 'POST', path: '/workflows/{workflowId}/undeploy' },
  executeWorkflow: { method: 'POST', path: '/workflows/{workflowId}/execute' },
  executeDraft: { method: 'POST', path: '/workflows/{workflowId}/draft-executions' },
  listExecutions: { method: 'GET', path: '/executions' },
  getExecution: { method: 'GET', path: '/executions/{executionId}' },
  cancelExecution: { method: 'POST', path: '/executions/{executionId}/cancel' },
  retryExecution: { method: 'POST', path: '/executions/{executionId}/retry' },
  getOutput: { method: 'GET', path: '/executions/{executionId}/output' },
  getExecutionDefinition: { method: 'GET', path: '/executions/{executionId}/definition' },
  listNodeLogs: { method: 'GET', path: '/executions/{executionId}/logs' },
  getNodeLog: { method: 'GET', path: '/executions/{executionId}/logs/{logId}' },
  listPortalEvents: { method: 'GET', path: '/portal/events' },
  sendPortalEvent: { method: 'POST', path: '/portal/events' },
} as const satisfies Record<string, Operation>;
export type OperationName = keyof typeof operations;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** Alternative endpoints that clients of other services expect (contract section 1, methods). */
export const aliases = {
  replaceWorkflow: { method: 'PUT', path: '/workflows/{workflowId}' },
  undeployByDelete: { method: 'DELETE', path: '/workflows/{workflowId}/deploy' },
  listExecutionsOfWorkflow: { method: 'GET', path: '/workflows/{workflowId}/executions' },
  streamPortalEvents: { method: 'GET', path: '/portal/events/stream' },
} as const satisfies Record<string, Operation>;

/** Reports the service's health. The path is relative to the origin instead of the base URL, and needs no key (contract section 1). */
export const healthOperation = { method: 'GET', path: '/health' } as const satisfies Operation;

/** Returns the metrics of a process that was started with them; like health, at the origin and without a key. */
export const metricsOperation = { method: 'GET', path: '/metrics' } as const satisfies Operation;

/** The local service's settings endpoints, relative to the origin instead of the base URL. They require the session token, never an API key. */
export const settingsOperations = {
  /** Takes `?nonce=`. Needs no token, because the response proves that the service knows it. */
  identity: { method: 'GET', path: '/settings/identity' },
  listApiKeys: { method: 'GET', path: '/settings/api-keys' },
  createApiKey: { method: 'POST', path: '/settings/api-keys' },
  revokeApiKey: { method: 'DELETE', path: '/settings/api-keys/{keyId}' },
  listSecrets: { method: 'GET', path: '/settings/secrets' },
  setSecret: { method: 'PUT', path: '/settings/secrets/{name}' },
  deleteSecret: { method: 'DELETE', path: '/settings/secrets/{name}' },
  /** Hands over the key that secrets are encrypted with. */
  giveSecretsKey: { method: 'PUT', path: '/settings/secrets-key' },
  /** A stream that each window keeps open. The service exits when the last one closes. */
  lease: { method: 'GET', path: '/settings/lease' },
  stop: { method: 'POST', path: '/settings/stop' },
} as const satisfies Record<string, Operation>;

/** The header in which a service names what it offers beyond its own document: words of `capabilities`, separated by commas (contract section 9). */
export const capabilitiesHeader = 'Workflow-Capabilities';
export const capabilities = ['cancel', 'retry', 'draft', 'definition', 'answers', 'search'] as const;
/** What every service of this contract offers, and another kind of service may lack. */
export const contractCapabilities = [
  'apiKeys',
  'portalEvents',
  'liveLogs',
  'requestLimit',
  /** One request with the key executes any workflow, so that it can be copied. */
  'executeById',
  /** A retry can begin at any node, not only where the execution failed. */
  'retryFromNode',
  /** Where there are drafts, a draft can also be a single node with the data of an execution. */
  'executeNodeAlone',
  /** Saving doesn't deploy. */
  'saveAlone',
] as const;
/** What only another kind of service offers. mcp: a server with a token of its own, which starts executions too. */
type OtherCapability = 'archive' | 'mcp';
export type Capability = (typeof capabilities | typeof contractCapabilities)[number] | OtherCapability;

/** The header with the session token for the local service's settings endpoints. */
export const sessionHeader = 'X-Session-Token';

/** Sizes in bytes, times in milliseconds, and counts that both sides observe (contract sections 1, 3 and 6). */
export const limits = {
  bodyBytes: 1024 * 1024,
  importBytes: 5 * 1024 * 1024,
  pageSize: 50,
  maximumPageSize: 100,
  /** The longest name of a workflow or a key, in UTF-16 units. */
  nameLength: 200,
  requestsPerMinute: 60,
  windowMs: 60_000,
  heartbeatMs: 15_000,
  bodyTimeoutMs: 30_000,
  /** A response of which the client reads nothing for this long is abandoned. */
  stallMs: 30_000,
  /** What a key may have open at once in one process: unread responses, and streams. */
  responsesPerKey: 20,
  streamsPerKey: 50,
} as const;

/** The code of the 429 that refuses a stream where the same can be read without one (contract section 5). */
export const tooManyStreams = 'too_many_streams';

/** Inserts percent-encoded values into an operation's path. Throws a RangeError when a value is missing. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined || value === '' || value === '.' || value === '..')
      throw new RangeError(`The path value "${name}" is missing.`);
    return encodeURIComponent(value);
  });
}
