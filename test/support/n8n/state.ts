// What an n8n holds, and what becomes of it: only by steps that a test takes, and by requests.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import type { Now } from '../../../src/base/time.ts';

export interface RecordedWorkflow {
  readonly id: string;
  name: string;
  nodes: readonly JsonObject[];
  connections: JsonObject;
  settings: JsonObject;
  /** Members that a request may leave out, and which stay then. */
  kept: JsonObject;
  readonly createdAt: string;
  updatedAt: string;
  versionId: string;
  activeVersionId: string | null;
  /** What is deployed, which n8n tells beside the document. */
  activeContent: JsonObject;
  isArchived: boolean;
  /** The contents by version. */
  readonly versions: Map<string, JsonObject>;
  /** How many more requests still meet what was before the last activation or deactivation. */
  lag: number;
}

export interface RecordedExecution {
  readonly id: number;
  readonly workflowId: string;
  readonly mode: string;
  readonly retryOf: string | null;
  /** Of the workflow, as it was deployed. */
  readonly workflowVersionId: string | null;
  /** The document that it runs. */
  readonly workflowData: JsonObject;
  readonly startedAt: string;
  status: string;
  stoppedAt: string | null;
  /** One row for each turn of a node, in the order of their ends. */
  readonly turns: { readonly node: string; readonly turn: JsonObject }[];
  error: JsonObject | null;
  /** What nodes gave instead of running. */
  readonly pinData: JsonObject;
}

/** How many requests meet the state before an activation or a deactivation, which n8n carries out later than it answers. */
const lag = 2;

/** Where a Webhook node listens; undefined for any other node. */
export function webhookPathOf({ type, parameters }: JsonObject): string | undefined {
  const path = isJsonObject(parameters) ? parameters['path'] : undefined;
  return type === 'n8n-nodes-base.webhook' && typeof path === 'string' ? path : undefined;
}

export class RecordedState {
  readonly workflows = new Map<string, RecordedWorkflow>();
  readonly executions = new Map<number, RecordedExecution>();
  readonly #ends = new Map<number, PromiseWithResolvers<undefined>>();
  readonly #now: Now;
  #count = 0;
  #lastExecution = 0;

  constructor(now: Now) {
    this.#now = now;
  }

  get time(): string {
    return new Date(this.#now()).toISOString();
  }

  addWorkflow(content: JsonObject): RecordedWorkflow {
    const { name, nodes, connections, settings, ...kept } = content;
    const number = (this.#count += 1);
    const workflow = {
      // n8n's ids don't tell their order.
      id: `WF${(number * 7919) % 10_000}`,
      name: typeof name === 'string' ? name : `Workflow ${number}`,
      nodes: nodesOf(nodes),
      connections: asObject(connections),
      settings: asObject(settings),
      kept,
      createdAt: this.time,
      updatedAt: this.time,
      versionId: `version-${number}`,
      activeVersionId: null,
      activeContent: {},
      isArchived: false,
      versions: new Map(),
      lag: 0,
    };
    note(workflow);
    this.workflows.set(workflow.id, workflow);
    return workflow;
  }

  activate(workflow: RecordedWorkflow, versionId = workflow.versionId): void {
    if (workflow.activeVersionId === null) workflow.lag = lag;
    deploy(workflow, versionId);
  }

  archive(workflow: RecordedWorkflow): void {
    this.deactivate(workflow);
    workflow.isArchived = true;
    workflow.updatedAt = this.time;
  }

  deactivate(workflow: RecordedWorkflow): void {
    if (workflow.activeVersionId !== null) workflow.lag = lag;
    workflow.activeVersionId = null;
  }

  /** `publishes`: puts it live if it's deployed. */
  replace(workflow: RecordedWorkflow, body: JsonObject, publishes = true): void {
    const { name, nodes, connections, settings, ...kept } = body;
    workflow.name = typeof name === 'string' ? name : '';
    workflow.nodes = nodesOf(nodes);
    workflow.connections = asObject(connections);
    workflow.settings = { ...workflow.settings, ...asObject(settings) };
    workflow.kept = { ...workflow.kept, ...kept };
    workflow.updatedAt = this.time;
    workflow.versionId = `version-${(this.#count += 1)}`;
    note(workflow);
    if (workflow.activeVersionId !== null && publishes) deploy(workflow, workflow.versionId);
  }

  /** A step: an execution starts. */
  start(
    workflowId: string,
    {
      mode = 'webhook',
      retryOf = null,
      pinData = {},
    }: { readonly mode?: string; readonly retryOf?: string | null; readonly pinData?: JsonObject } = {},
  ): RecordedExecution {
    const { nodes = [], connections = {}, settings = {} } = this.workflows.get(workflowId) ?? {};
    const execution = {
      id: (this.#lastExecution += 1),
      workflowId,
      mode,
      retryOf,
      workflowVersionId: this.workflows.get(workflowId)?.activeVersionId ?? null,
      workflowData: { nodes: nodes.map(withDefaults), connections, settings },
      startedAt: this.time,
      status: 'running',
      stoppedAt: null,
      turns: [],
      error: null,
      pinData,
    };
    this.executions.set(execution.id, execution);
    return execution;
  }

  /** A step: a node has run. */
  ran(id: number, node: string, turn: JsonObject): void {
    this.#need(id).turns.push({ node, turn });
  }

  /** A step: an execution ends. */
  end(id: number, status: string, error: JsonObject | null = null): void {
    const execution = this.#need(id);
    Object.assign(execution, { status, error, stoppedAt: this.time });
    const settings = this.workflows.get(execution.workflowId)?.settings ?? {};
    const saving = settings[status === 'success' ? 'saveDataSuccessExecution' : 'saveDataErrorExecution'];
    if (saving === 'none') this.executions.delete(id);
    this.#endOf(id).resolve(undefined);
  }

  /** Resolves when the execution has ended. */
  untilEnd(id: number): Promise<unknown> {
    return this.#endOf(id).promise;
  }

  recordOf(execution: RecordedExecution, withData: boolean): JsonObject {
    const { id, status, mode, workflowId, workflowVersionId, startedAt, stoppedAt, retryOf } = execution;
    const record = {
      id: String(id),
      finished: status === 'success',
      mode,
      status,
      workflowId,
      workflowVersionId,
      retryOf,
      startedAt,
      stoppedAt,
    };
    const workflow = this.workflows.get(workflowId);
    if (!withData || workflow === undefined) return record;
    const { workflowData } = execution;
    return {
      ...record,
      data: {
        resultData: this.#resultOf(execution, workflow.settings),
        // What the trigger got, while it runs.
        ...(stoppedAt === null && { executionData: { nodeExecutionStack: waitingOf(execution) } }),
        resumeToken: 'token-of-the-wait',
      },
      workflowData,
    };
  }

  #resultOf({ stoppedAt, turns, error, pinData }: RecordedExecution, settings: JsonObject): JsonObject {
    const isShown = stoppedAt !== null || settings['saveExecutionProgress'] === true;
    const runData: Record<string, JsonValue[]> = {};
    for (const { node, turn } of isShown ? turns : []) (runData[node] ??= []).push(turn);
    const last = turns.at(-1)?.node;
    return {
      runData,
      pinData,
      ...(last === undefined || !isShown ? {} : { lastNodeExecuted: last }),
      ...(error && { error }),
    };
  }

  #need(id: number): RecordedExecution {
    const execution = this.executions.get(id);
    if (execution === undefined) throw new Error(`There is no execution ${id}.`);
    return execution;
  }

  #endOf(id: number): PromiseWithResolvers<undefined> {
    const end = this.#ends.get(id) ?? Promise.withResolvers<undefined>();
    this.#ends.set(id, end);
    return end;
  }
}

function note({ versions, versionId, nodes, connections }: RecordedWorkflow): void {
  versions.set(versionId, { nodes, connections });
}

/** An execution notes all that the parameters of its nodes are. */
function withDefaults(node: JsonObject): JsonObject {
  if (webhookPathOf(node) === undefined) return node;
  const { parameters = {} } = node;
  return { ...node, parameters: { authentication: 'none', ...(isJsonObject(parameters) ? parameters : {}) } };
}

function deploy(workflow: RecordedWorkflow, versionId: string): void {
  workflow.activeVersionId = versionId;
  workflow.activeContent = workflow.versions.get(versionId) ?? {};
}

function waitingOf({ turns: [first] }: RecordedExecution): readonly JsonObject[] {
  const data = first?.turn['data'];
  return data === undefined ? [] : [{ data }];
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function nodesOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

/** As a request for a workflow is answered. */
export function documentOf(workflow: RecordedWorkflow): JsonObject {
  const { id, name, nodes, connections, settings, kept, createdAt, updatedAt } = workflow;
  const { versionId, activeVersionId, activeContent } = workflow;
  return {
    id,
    name,
    nodes,
    connections,
    settings,
    pinData: null,
    staticData: null,
    ...kept,
    active: activeVersionId !== null,
    isArchived: workflow.isArchived,
    createdAt,
    updatedAt,
    versionId,
    activeVersionId,
    activeVersion: activeVersionId && { versionId: activeVersionId, workflowId: id, ...activeContent },
  };
}
