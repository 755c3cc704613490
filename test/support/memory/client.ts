// The api's own face of a service in memory.
import { unlimitedBudget } from '../../../src/api/budget/budget.ts';
import type { ClientOwner, KeyReader, ServicePort } from '../../../src/api/servicePort.ts';
import { isServiceError, ServiceError } from '../../../src/domain/errors.ts';
import type { CallOptions } from '../../../src/domain/queries.ts';
import { Channel } from './channel.ts';
import { need, pageOf } from './pages.ts';
import type { MemoryService } from './service.ts';

export function clientOf(
  service: MemoryService,
  readKey: KeyReader,
  owner: ClientOwner | undefined,
): ServicePort {
  const ended = new AbortController();
  const ask = async <T>(call: string, options: CallOptions | undefined, make: () => T): Promise<T> => {
    try {
      const value = await service.answer(call, readKey, options, make);
      owner?.onResponse?.();
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
      saveProgress: (id, options) =>
        ask(`saveProgress ${id}`, options, () => {
          const { reportsNodesAtEnd: _, ...rest } = need(service.workflows, id);
          return service.replace(rest);
        }),
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
            service.executions.filter(
              ({ workflowId, kind, eventIds }) =>
                (query.workflowId === undefined || workflowId === query.workflowId) &&
                (query.kind === undefined || kind === query.kind) &&
                (query.eventId === undefined || !service.linksEvents || eventIds.includes(query.eventId)),
            ),
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
        ask(`retry ${id} ${JSON.stringify(request)}`, options, () => service.retry(id)),
      output: (id, options) =>
        ask(`executions.output ${id}`, options, () => {
          const { status, output } = need(service.executions, id);
          return output === undefined ? { kind: 'notReady', status } : { kind: 'ready', output, error: null };
        }),
      definition: (id, options) =>
        ask(`executions.definition ${id}`, options, () => {
          const definition = service.ran.get(id);
          if (definition === undefined)
            throw new ServiceError({ kind: 'notFound' }, 'not kept', { status: 404 });
          return definition;
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
    get clockAheadMs() {
      return service.clockAheadMs;
    },
    notOffered: service.notOffered,
    capabilities: service.capabilities,
    get traits() {
      return service.traits;
    },
    dispose: () => ended.abort(),
  };
}
