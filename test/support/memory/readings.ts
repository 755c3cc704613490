// Readings for tests, complete and typed, of which a test names only what it is about.
import type {
  ExecutionReading,
  NodeLogReading,
  RunState,
  Status,
  WorkflowReading,
} from '../../../src/api/readings.ts';

const terminal: readonly RunState[] = ['completed', 'failed', 'cancelled', 'skipped'];

/** A status in the client's own words. */
export function statusOf(state: RunState): Status {
  return { state, word: state, isTerminal: terminal.includes(state), hasWarning: false };
}

/** A workflow as a list shows it. */
export function workflowReading(id: string, change: Partial<WorkflowReading> = {}): WorkflowReading {
  return {
    id,
    name: `Workflow ${id}`,
    description: null,
    isDeployed: false,
    deployedAt: null,
    hasUndeployedChanges: false,
    deployedDefinition: null,
    version: '0',
    createdAt: new Date('2026-01-05T10:00:00.000Z'),
    updatedAt: new Date('2026-01-05T10:00:00.000Z'),
    hasDefinition: false,
    raw: { id },
    ...change,
  };
}

/** A queued execution of the workflow "w1". */
export function executionReading(id: string, change: Partial<ExecutionReading> = {}): ExecutionReading {
  return {
    id,
    workflowId: 'w1',
    eventIds: [],
    status: statusOf('queued'),
    trigger: 'api',
    input: undefined,
    output: undefined,
    error: null,
    createdAt: new Date('2026-01-05T10:00:00.000Z'),
    startedAt: null,
    completedAt: null,
    durationMs: null,
    raw: { id },
    ...change,
  };
}

/** A row of the node "n1" in its first attempt. */
export function logReading(sequence: number, change: Partial<NodeLogReading> = {}): NodeLogReading {
  return {
    key: `log_${sequence}`,
    sequence,
    nodeId: 'n1',
    nodeName: 'Node 1',
    nodeType: 'log',
    iteration: [],
    attempt: 1,
    level: 'info',
    message: `row ${sequence}`,
    status: null,
    input: undefined,
    output: undefined,
    error: null,
    timestamp: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    ...change,
  };
}
