// A whole service in memory behind the api's own face, so that the model is tested with no HTTP at all.
import type { JsonObject } from '../../../src/base/json.ts';
import { ObservableValue } from '../../../src/base/event.ts';
import { type ServiceTraits, serviceTraits } from '../../../src/domain/serviceTraits.ts';
import type { Purpose } from '../../../src/domain/budget.ts';
import { ServiceError } from '../../../src/domain/errors.ts';
import {
  type Capability,
  contractCapabilities,
  type OperationName,
} from '../../../src/protocol/operations.ts';
import type { KeyReader } from '../../../src/api/servicePort.ts';
import type { ClientFactory } from '../../../src/model/ports.ts';
import type { Channel } from './channel.ts';
import { clientOf } from './client.ts';
import { need } from './pages.ts';
import { makeWorkflow, statusOf } from './records.ts';
import type { CallOptions } from '../../../src/domain/queries.ts';
import type { Execution, Triggered } from '../../../src/domain/execution.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';

/** Records newest first, keys that are accepted, and what was asked. */
export class MemoryService {
  readonly keys = new Set(['svc_sk_good']);
  readonly calls: string[] = [];
  /** What each of these calls was for. */
  readonly purposes: (Purpose | undefined)[] = [];
  readonly keysSeen: string[] = [];
  readonly channels: Channel[] = [];
  readonly logs = new Map<string, readonly NodeLog[]>();
  /** The rows that can be asked for one by one. */
  readonly wholeLogs = new Map<string, readonly NodeLog[]>();
  /** The definitions that executions ran, as far as they're kept. */
  readonly ran = new Map<string, JsonObject>();
  workflows: readonly Workflow[] = [];
  executions: readonly Execution[] = [];
  /** Whether the execute call names the execution. */
  namesExecutions = true;
  /** Whether an execution names the event that triggered it; where not, the answer tells the time. */
  linksEvents = true;
  /** Whether a triggered execution is in the list at once. */
  listsAtOnce = true;
  /** Whether one workflow can be asked for. */
  hasGetOne = true;
  /** Whether executions are listed across workflows. */
  listsAcross = true;
  /** The most executions on a page of their list. */
  pageSize = Infinity;
  /** The most rows of a log that are read in one go. */
  readAtOnce = Infinity;
  traits: ServiceTraits = serviceTraits.remote;
  clockAheadMs = 0;
  readonly capabilities = new ObservableValue<ReadonlySet<Capability>>(
    new Set([...contractCapabilities, 'cancel', 'retry', 'draft']),
  );
  readonly notOffered = new ObservableValue<ReadonlySet<OperationName>>(new Set());
  /** While set, a retry starts it, and its answer is lost. */
  lostRetry: Execution | null = null;
  /** While set, every call fails with it. */
  failure: Error | null = null;
  #gate: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** From now on answers are made at once but arrive only after the returned function was called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#gate = promise;
    return () => resolve(undefined);
  }

  /** Ends the holding for later calls; what is held stays held. */
  letThrough(): void {
    this.#gate = Promise.resolve();
  }

  replace(workflow: Workflow): Workflow {
    this.workflows = this.workflows.map((each) => (each.id === workflow.id ? workflow : each));
    return workflow;
  }

  change(workflowId: string, change: Partial<Workflow>): Workflow {
    this.workflows = this.workflows.map((each) => (each.id === workflowId ? { ...each, ...change } : each));
    return need(this.workflows, workflowId);
  }

  changeExecution(executionId: string, change: Partial<Execution>): Execution {
    this.executions = this.executions.map((each) =>
      each.id === executionId ? { ...each, ...change } : each,
    );
    return need(this.executions, executionId);
  }

  execute(workflowId: string, input: JsonObject, change: Partial<Execution> = {}): Triggered {
    if (need(this.workflows, workflowId).isDeployed !== true)
      throw new ServiceError({ kind: 'notDeployed' }, 'not deployed', { status: 409 });
    const number = (this.#count += 1);
    const id = `exec_${number}`;
    const createdAt = new Date(Date.UTC(2026, 0, 6, 10, 0, number));
    const eventIds = this.linksEvents ? [`evt_${number}`] : [];
    const execution: Execution = {
      id,
      workflowId,
      eventIds,
      status: statusOf('queued'),
      trigger: 'api',
      input,
      createdAt,
      output: undefined,
      error: null,
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
    if (this.listsAtOnce) this.executions = [execution, ...this.executions];
    return {
      workflowId,
      eventIds: [`evt_${number}`],
      status: 'triggered',
      respondedAt: this.linksEvents ? null : createdAt,
      executionIds: this.namesExecutions ? [id] : [],
    };
  }

  retry(id: string): Triggered {
    if (this.lostRetry === null)
      return this.execute(need(this.executions, id).workflowId ?? '', {}, { retryOf: id });
    this.executions = [this.lostRetry, ...this.executions];
    throw new ServiceError({ kind: 'unreachable', cause: 'timeout' }, 'no answer');
  }

  create(change: Partial<Workflow>): Workflow {
    const added = makeWorkflow(`new_${(this.#count += 1)}`, change);
    this.workflows = [added, ...this.workflows];
    return added;
  }

  getOne(workflowId: string): Workflow {
    if (!this.hasGetOne) throw new ServiceError({ kind: 'notOffered' }, 'no such endpoint', { status: 404 });
    return need(this.workflows, workflowId);
  }

  remove(workflowId: string): void {
    this.workflows = this.workflows.filter(({ id }) => id !== workflowId);
  }

  async answer<T>(
    call: string,
    readKey: KeyReader,
    options: CallOptions | undefined,
    make: () => T,
  ): Promise<T> {
    this.calls.push(call);
    this.purposes.push(options?.purpose);
    const gate = this.#gate;
    const key = await readKey();
    if (key === undefined) throw new ServiceError({ kind: 'keyMissing' }, 'no key');
    this.keysSeen.push(key);
    if (this.failure) throw this.failure;
    if (!this.keys.has(key))
      throw new ServiceError({ kind: 'keyRejected', code: 'invalid_api_key' }, 'no such key', {
        status: 401,
      });
    const value = make();
    await gate;
    options?.signal?.throwIfAborted();
    return value;
  }
}

/** Services by origin; whatever is not there cannot be reached. */
export function createMemoryNetwork(services: Readonly<Record<string, MemoryService>>): ClientFactory {
  return ({ baseUrl }, readKey, owner) => {
    const service = services[new URL(baseUrl).origin] ?? unreachable();
    return clientOf(service, readKey, owner);
  };
}

function unreachable(): MemoryService {
  const service = new MemoryService();
  service.failure = new ServiceError({ kind: 'unreachable', cause: 'refused' }, 'connection refused');
  return service;
}
