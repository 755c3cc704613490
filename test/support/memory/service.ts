// A whole service in memory behind the api's own face, so that the model is tested with no HTTP at all.
import { unlimitedBudget } from '../../../src/api/budget/budget.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { ObservableValue } from '../../../src/base/event.ts';
import type { Purpose } from '../../../src/domain/budget.ts';
import { isServiceError, ServiceError } from '../../../src/domain/errors.ts';
import { capabilities, type Capability, type OperationName } from '../../../src/protocol/operations.ts';
import type { ClientFactory, KeyReader } from '../../../src/model/ports.ts';
import { Channel } from './channel.ts';
import { isListed, need, pageOf } from './pages.ts';
import { makeWorkflow, statusOf } from './records.ts';
import type { CallOptions } from '../../../src/domain/queries.ts';
import type { Execution, Triggered } from '../../../src/domain/execution.ts';
import type { NodeLog } from '../../../src/domain/nodeLog.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';
import type { ClientDeps, ServiceClient } from '../../../src/api/client.ts';

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
  readonly capabilities = new ObservableValue<ReadonlySet<Capability>>(new Set(capabilities));
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
      basedOn: null,
      isCancelRequested: false,
      raw: { id },
      ...change,
    };
    if (this.listsAtOnce) this.executions = [execution, ...this.executions];
    return {
      workflowId,
      eventIds: [`evt_${number}`],
      status: 'triggered',
      answeredAt: this.linksEvents ? null : createdAt,
      executionIds: this.namesExecutions ? [id] : [],
    };
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

function clientOf(service: MemoryService, readKey: KeyReader, owner: ClientDeps['owner']): ServiceClient {
  const ended = new AbortController();
  const ask = async <T>(call: string, options: CallOptions | undefined, make: () => T): Promise<T> => {
    try {
      const value = await service.answer(call, readKey, options, make);
      owner?.onAnswer?.();
      return value;
    } catch (error) {
      if (owner === undefined || !isServiceError(error)) throw error;
      const owned = error.ofConnection(owner.connectionId);
      owner.onFailure(owned);
      throw owned;
    }
  };
  return {
    workflows: {
      list: (query, options) =>
        ask('workflows.list', options, () => pageOf(service.workflows, query.cursor, query.limit)),
      listWhole: ({ limit, signal }) =>
        ask('workflows.listWhole', { signal }, () => service.workflows.slice(0, limit)),
      get: (id, options) => ask(`workflows.get ${id}`, options, () => need(service.workflows, id)),
      getOne: (id, options) => ask(`workflows.getOne ${id}`, options, () => service.getOne(id)),
      create: (raw, options) => ask('workflows.create', options, () => service.create({ raw })),
      update: (id, raw, options) =>
        ask(`workflows.update ${id}`, options, () =>
          service.change(id, typeof raw['name'] === 'string' ? { raw, name: raw['name'] } : { raw }),
        ),
      delete: (id, options) => ask(`workflows.delete ${id}`, options, () => service.remove(id)),
      import: (raw, options) => ask('workflows.import', options, () => service.create({ raw })),
      duplicate: (id, name, options) =>
        ask(`workflows.duplicate ${id}`, options, () =>
          service.create({ name: name ?? `${need(service.workflows, id).name} (copy)` }),
        ),
      deploy: (id, options) => ask(`deploy ${id}`, options, () => service.change(id, { isDeployed: true })),
      undeploy: (id, options) =>
        ask(`undeploy ${id}`, options, () => service.change(id, { isDeployed: false })),
      execute: (id, input, options) => ask(`execute ${id}`, options, () => service.execute(id, input)),
      executeDraft: (id, { input = {} }, options) =>
        ask(`executeDraft ${id}`, options, () => service.execute(id, input, { kind: 'draft' })),
      describeExecution: (id, input) => ({
        method: 'POST',
        url: `https://memory.test/v1/workflows/${id}/execute`,
        headers: {},
        body: JSON.stringify({ input }),
      }),
    },
    executions: {
      list: (query, options) =>
        ask('executions.list', options, () => {
          if (query.workflowId === undefined && !service.listsAcross)
            throw new ServiceError({ kind: 'notOffered' }, 'by workflow only', { status: 404 });
          return pageOf(
            service.executions.filter((each) => isListed(each, query, service.linksEvents)),
            query.cursor,
            Math.min(query.limit ?? 50, service.pageSize),
          );
        }),
      listWhole: ({ workflowId, status }, { limit, signal }) =>
        ask('executions.listWhole', { signal }, () =>
          service.executions
            .filter((each) => workflowId === undefined || each.workflowId === workflowId)
            .filter((each) => status === undefined || each.status.state === status)
            .slice(0, limit),
        ),
      get: (id, options) => ask(`executions.get ${id}`, options, () => need(service.executions, id)),
      getWithInput: (id, options) => ask(`executions.get ${id}`, options, () => need(service.executions, id)),
      cancel: (id, options) =>
        ask(`cancel ${id}`, options, () => service.changeExecution(id, { isCancelRequested: true })),
      retry: (id, request, options) =>
        ask(`retry ${id} ${JSON.stringify(request)}`, options, () =>
          service.execute(need(service.executions, id).workflowId ?? '', {}, { retryOf: id }),
        ),
      output: (id, options) =>
        ask(`executions.output ${id}`, options, () => {
          const { status, output } = need(service.executions, id);
          return output === undefined ? { kind: 'notReady', status } : { kind: 'ready', output, error: null };
        }),
      logs: (id, { after = -Infinity }, options) =>
        ask(`executions.logs ${id}`, options, () => {
          const rows = (service.logs.get(id) ?? []).filter(({ sequence }) => (sequence ?? 0) > after);
          const isWhole = rows.length <= service.readAtOnce;
          return { rows: rows.slice(0, service.readAtOnce), isWhole };
        }),
      getNodeLog: (id, logId, options) =>
        ask(`executions.getNodeLog ${id} ${logId}`, options, () => {
          const row = (service.wholeLogs.get(id) ?? []).find(({ key }) => key === logId);
          if (row === undefined)
            throw new ServiceError({ kind: 'notOffered' }, 'not offered', { status: 404 });
          return row;
        }),
      follow: (id, { after }, signal) => {
        const channel = new Channel(id, after, AbortSignal.any([signal, ended.signal]));
        service.channels.push(channel);
        return channel.items();
      },
    },
    portalEvents: {
      list: (_query, options) => ask('portalEvents.list', options, () => ({ items: [], nextCursor: null })),
      listWhole: ({ signal }) => ask('portalEvents.listWhole', { signal }, () => []),
      // This service has no event stream.
      stream: () => ({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
      }),
      send: (_event, options) => ask('portalEvents.send', options, () => []),
    },
    budget: unlimitedBudget,
    notOffered: new ObservableValue<ReadonlySet<OperationName>>(new Set()),
    capabilities: service.capabilities,
    dispose: () => ended.abort(),
  };
}
