// What an odd service holds: workflows and executions that run as they are looked at.
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';

/** How the service writes ids, times and states. */
export interface OddRecords {
  readonly id: (kind: 'wf' | 'exec' | 'evt' | 'log', number: number) => string | number;
  /** time: epoch milliseconds. */
  readonly time: (time: number) => JsonValue;
  readonly word: (status: 'running' | 'completed') => string;
}

const contractRecords: OddRecords = {
  id: (kind, number) => `${kind}_${number}`,
  time: (time) => new Date(time).toISOString(),
  word: (status) => status,
};

export interface OddExecution {
  readonly id: string | number;
  readonly workflowId: string | number;
  readonly eventId: string | number;
  readonly input: JsonValue;
  readonly startedAt: number;
  /** How often it was looked at; it ends with the second look. */
  looks: number;
}

/** A row of the logs. */
export interface OddRow extends JsonObject {
  readonly message: string;
  readonly timestamp: JsonValue;
}

/** Records in memory, newest first; a clock that moves a second with each record. */
export class OddWorld {
  readonly write: OddRecords;
  workflows: readonly JsonObject[] = [];
  executions: readonly OddExecution[] = [];
  /** What is deployed, by the workflow's id. */
  readonly deployed = new Map<JsonValue | undefined, JsonObject>();
  now = Date.UTC(2026, 0, 6, 10);
  readonly #looks: number;
  #count = 0;

  /** looks: how often an execution was looked at when it begins. */
  constructor(records: Partial<OddRecords> = {}, looks = 0) {
    this.#looks = looks;
    this.write = { ...contractRecords, ...records };
    for (const name of ['First', 'Second']) this.addWorkflow({ name, ...definition, extra: { kept: true } });
  }

  addWorkflow(content: JsonObject): JsonObject {
    const times = { createdAt: this.#tick(), updatedAt: this.#tick() };
    const workflow = { ...content, id: this.write.id('wf', ++this.#count), isDeployed: false, ...times };
    this.workflows = [workflow, ...this.workflows];
    return workflow;
  }

  findWorkflow(id: string | undefined): JsonObject | undefined {
    return this.workflows.find(({ id: own }) => (typeof own === 'number' ? String(own) : own) === id);
  }

  changeWorkflow(workflow: JsonObject, change: JsonObject): JsonObject {
    const changed = { ...workflow, ...change, updatedAt: this.#tick() };
    this.workflows = this.workflows.map((each) => (each === workflow ? changed : each));
    return changed;
  }

  addExecution(workflowId: string | number, input: JsonValue): OddExecution {
    const number = ++this.#count;
    this.#tick();
    const [id, eventId] = [this.write.id('exec', number), this.write.id('evt', number)];
    const execution = { id, eventId, workflowId, input, startedAt: this.now, looks: this.#looks };
    this.executions = [execution, ...this.executions];
    return execution;
  }

  findExecution(id: string | undefined): OddExecution | undefined {
    return this.executions.find((each) => String(each.id) === id);
  }

  #tick(): JsonValue {
    this.now += 1000;
    return this.write.time(this.now);
  }
}

export const definition = {
  nodes: [{ id: 'a', type: 'trigger' }],
  edges: [],
} as const satisfies JsonObject;

export function isOver({ looks }: OddExecution): boolean {
  return looks >= 2;
}

/** As a list shows it. */
export function summaryOf({ write }: OddWorld, execution: OddExecution): JsonObject {
  const { id, workflowId, eventId, startedAt } = execution;
  const ended = isOver(execution);
  return {
    id,
    workflowId,
    eventId,
    trigger: 'api',
    error: null,
    status: write.word(ended ? 'completed' : 'running'),
    startedAt: write.time(startedAt),
    completedAt: ended ? write.time(startedAt + 2000) : null,
  };
}

export function outputOf(execution: OddExecution): JsonValue {
  return isOver(execution) ? { echo: execution.input } : null;
}

/** One row when it has begun, two when it is over. */
export function logsOf({ write }: OddWorld, execution: OddExecution): readonly OddRow[] {
  const rows = ['began', 'ended'].slice(0, isOver(execution) ? 2 : 1);
  return rows.map((message, index) => ({
    id: write.id('log', index + 1),
    sequence: index + 1,
    nodeId: 'a',
    nodeName: 'Start',
    level: 'info',
    message,
    timestamp: write.time(execution.startedAt + index * 1000),
  }));
}
