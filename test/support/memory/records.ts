// Records for tests, complete and typed; a test names only the members that matter to it.
import type { JsonObject } from '../../../src/base/json.ts';
import type { Execution } from '../../../src/domain/execution.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';
import type { ShownExecution } from '../../../src/model/selection/shownExecution.ts';
import type { RunState, Status } from '../../../src/domain/status.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';
import { NodeRuns, type OwnedRow } from '../../../src/model/runs/nodeRuns.ts';
import { RunTree } from '../../../src/model/runs/runTree.ts';

const terminal: readonly RunState[] = ['completed', 'failed', 'cancelled', 'skipped'];

/** A status in the client's own words. */
export function statusOf(state: RunState): Status {
  return { state, word: state, isTerminal: terminal.includes(state), hasWarning: false };
}

/** A workflow as a list shows it. */
export function makeWorkflow(id: string, change: Partial<Workflow> = {}): Workflow {
  return {
    id,
    name: `Workflow ${id}`,
    description: null,
    isDeployed: false,
    deployedAt: null,
    hasUndeployedChanges: false,
    deployedDefinition: null,
    version: '0',
    draftVersion: null,
    deployedVersion: null,
    createdAt: new Date('2026-01-05T10:00:00.000Z'),
    updatedAt: new Date('2026-01-05T10:00:00.000Z'),
    hasDefinition: false,
    raw: { id },
    ...change,
  };
}

/** A queued execution of the workflow "w1". */
export function makeExecution(id: string, change: Partial<Execution> = {}): Execution {
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
    kind: 'deployed',
    retryOf: null,
    definitionVersion: null,
    basedOn: null,
    parent: null,
    isCancelRequested: false,
    raw: { id },
    ...change,
  };
}

/** A request without a body, and its response. */
export const makeExchange = (status: number): JsonObject => ({
  request: { method: 'GET', url: 'https://example.com/', headers: {}, body: null },
  response: { status, headers: {}, body: 'Try again later.' },
});

/** A row of the node "n1" in its first attempt. */
export function makeNodeLog(sequence: number, change: Partial<NodeLog> = {}): NodeLog {
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
    exchange: undefined,
    error: null,
    timestamp: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    reusedFrom: null,
    isPinned: false,
    isAnswered: false,
    children: [],
    ...change,
  };
}

/** The fold of node runs over rows that stay in a list. */
export class MemoryRuns {
  readonly runs: NodeRuns;
  readonly #rows: OwnedRow[] = [];
  #lastRun = 0;

  constructor() {
    this.runs = new NodeRuns({
      nextRunId: () => (this.#lastRun += 1),
      ofRuns: (ids) => this.#rows.filter(({ runId }) => runId !== null && ids.includes(runId)),
      logsOf: (id) => this.#rows.filter(({ runId }) => runId === id).map(({ row }) => row),
      valuesOf: (key) => this.#rows.find(({ row }) => row.key === key)?.row,
    });
  }

  /** Adds rows at the end. */
  add(rows: readonly NodeLog[]): void {
    for (const row of rows) {
      const id = this.#rows.length;
      const at = this.#rows.push({ id, place: id, row, runId: null }) - 1;
      this.#rows[at] = { id, place: id, row, runId: this.runs.add({ id, place: id, row }) };
    }
    this.runs.settle();
  }
}

/** Folds all rows of an execution, oldest first, into node runs in the order of their first row. */
export function foldNodeRuns(rows: readonly NodeLog[]): readonly NodeRun[] {
  const folded = new MemoryRuns();
  folded.add(rows);
  return folded.runs.current;
}

/** `nodeRuns`: in the order of their first rows. */
export function treeOf(nodeRuns: readonly NodeRun[]): RunTree {
  const tree = new RunTree();
  tree.update([...nodeRuns.entries()], nodeRuns.length);
  return tree;
}

/** A log that has been read. */
export function logOf(rows: readonly NodeLog[]) {
  return { rows, runTree: treeOf(foldNodeRuns(rows)) };
}

/** What a definition shows of an execution that has ended, the latest one. */
export function makeShown(
  change: Partial<Extract<ShownExecution, { readonly kind: 'execution' }>> = {},
): Extract<ShownExecution, { readonly kind: 'execution' }> {
  return {
    kind: 'execution',
    isLatest: true,
    iterations: new Map(),
    isWhole: true,
    target: { connectionId: 'c', executionId: 'e' },
    execution: makeExecution('e', { status: statusOf('completed') }),
    nodeRuns: [],
    runTree: change.runTree ?? treeOf(change.nodeRuns ?? []),
    goneRuns: 0,
    ...change,
  };
}
