// Typed versions of the ids in package.json, but for those of commands; a test keeps the two equal.

/** Of commands, settings, views and context keys. */
export const prefix = 'workflowAutomation';

export const viewIds = {
  workflows: `${prefix}.workflows`,
  executions: `${prefix}.executions`,
  portalEvents: `${prefix}.portalEvents`,
  connections: `${prefix}.connections`,
} as const;

/** What the tests of workflows belong to in the editor's view of tests. */
export const testControllerId = `${prefix}.tests`;

/** The provider of the workflows that are files, in the editor's view of source control. */
export const sourceControlId = 'workflowFiles';

/** The view with the page of the graph. */
export const graphViewId = `${prefix}.graph`;

export const contextKeys = {
  /** The state of the Workflows view: see ConnectionState. */
  state: `${prefix}.state`,
  /** Why the service is unreachable. */
  cause: `${prefix}.cause`,
  isLocal: `${prefix}.isLocal`,
  /** True when this window runs the local service, whichever connection is active. */
  isLocalServiceRunning: `${prefix}.isLocalServiceRunning`,
  /** True when there is a connection to a service, active or not. */
  hasConnection: `${prefix}.hasConnection`,
  /** True when there is a connection to a service other than the local one. */
  hasRemoteConnection: `${prefix}.hasRemoteConnection`,
  /** True once a node run was opened in this window. */
  hasOpenedNodeRun: `${prefix}.hasOpenedNodeRun`,
  /** True while an execution is followed in this window. */
  isFollowing: `${prefix}.isFollowing`,
  /** True once a log was searched in this window. */
  hasSearchedLog: `${prefix}.hasSearchedLog`,
  hasFilter: `${prefix}.hasFilter`,
  /** The state of the Executions view: see WelcomeState there. */
  executionsState: `${prefix}.executionsState`,
  hasExecutionFilter: `${prefix}.hasExecutionFilter`,
  /** The status of the search that the Executions view shows; empty without one. */
  executionSearch: `${prefix}.executionSearch`,
  /** The state of the Portal Events view: see WelcomeState there. */
  portalEventsState: `${prefix}.portalEventsState`,
  hasPortalEventFilter: `${prefix}.hasPortalEventFilter`,
  hasUnreadPortalEvents: `${prefix}.hasUnreadPortalEvents`,
  /** True when the active service says that it can. */
  'can.draft': `${prefix}.can.draft`,
  'can.definition': `${prefix}.can.definition`,
  'can.answers': `${prefix}.can.answers`,
  'can.cancel': `${prefix}.can.cancel`,
  'can.retry': `${prefix}.can.retry`,
  /** True when the active service is of a kind that doesn't have it. */
  'lacks.apiKeys': `${prefix}.lacks.apiKeys`,
  'lacks.portalEvents': `${prefix}.lacks.portalEvents`,
  'lacks.executeById': `${prefix}.lacks.executeById`,
  'lacks.retryFromNode': `${prefix}.lacks.retryFromNode`,
  'lacks.executeNodeAlone': `${prefix}.lacks.executeNodeAlone`,
  /** True when the active connection takes a token for an MCP server. */
  takesMcpToken: `${prefix}.takesMcpToken`,
  /** What can be done with the execution of the document in front, with commas: "cancellable", "retryable", "retry", "retried". */
  executionInFront: `${prefix}.executionInFront`,
  /** The paths of the files that are linked to workflows. */
  linkedFiles: `${prefix}.linkedFiles`,
  /** True when the workflow of the document in front is archived. */
  isArchivedInFront: `${prefix}.isArchivedInFront`,
  /** True while a folder of this window is linked to a service. */
  hasLinkedFolder: `${prefix}.hasLinkedFolder`,
  /** True while the document in front is a file of such a folder. */
  isLinkedFileInFront: `${prefix}.isLinkedFileInFront`,
  'cannot.updateWorkflow': `${prefix}.cannot.updateWorkflow`,
  'cannot.deleteWorkflow': `${prefix}.cannot.deleteWorkflow`,
  'cannot.importWorkflow': `${prefix}.cannot.importWorkflow`,
  'cannot.duplicateWorkflow': `${prefix}.cannot.duplicateWorkflow`,
  'cannot.deployWorkflow': `${prefix}.cannot.deployWorkflow`,
  'cannot.undeployWorkflow': `${prefix}.cannot.undeployWorkflow`,
} as const;

/** Operations that menus check with `cannot.<name>`, which is true when the active service doesn't offer the operation. */
export const operationContextKeys = [
  'updateWorkflow',
  'deleteWorkflow',
  'importWorkflow',
  'duplicateWorkflow',
  'deployWorkflow',
  'undeployWorkflow',
] as const;

/** Capabilities that menus check with `can.<name>`. */
export const capabilityContextKeys = ['cancel', 'retry', 'draft', 'definition', 'answers'] as const;

/** Capabilities that most services have: menus check them with `lacks.<name>`, which isn't set yet before the app is loaded. */
export const lackContextKeys = [
  'apiKeys',
  'portalEvents',
  'executeById',
  'retryFromNode',
  'executeNodeAlone',
] as const;

/** The type of our tasks. */
export const taskType = 'workflow';

/** The type of our debug sessions. */
export const debugType = 'workflow';

/** Schemes of our own documents. */
export const schemes = {
  input: 'workflow-input',
  execution: 'workflow-execution',
  pin: 'workflow-pin',
  code: 'workflow-code',
  definition: 'workflow-definition',
  deployed: 'workflow-deployed',
  service: 'workflow-service',
  event: 'workflow-event',
  diagnosis: 'workflow-diagnosis',
  statistics: 'workflow-statistics',
} as const;

/** Definitions: those of services, and files. */
export const definitionSelector = { pattern: '**/*.workflow.json' } as const;

/** At the root of a folder whose files are linked to workflows. */
export const workflowsFileName = 'workflows.json';

/** Files with tests of workflows. */
export const testSelector = { pattern: '**/*.workflow-test.json' } as const;

export const extensionId = 'workflow-automation.workflow-automation';

export const channelNames = { logs: 'Workflow Logs', extension: 'Workflow Automation' } as const;
