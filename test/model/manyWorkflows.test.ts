// Among ten thousand workflows anyone is found by typing, for a request or two of the sixty a minute.
import assert from 'node:assert/strict';
import { Budgets } from '../../src/api/budget/budgets.ts';
import { createClient } from '../../src/api/client.ts';
import { Connections } from '../../src/model/connections/connections.ts';
import { systemClock } from '../../src/base/time.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Clients } from '../../src/model/connections/clients.ts';
import { SearchableList, type SearchableListState } from '../../src/model/list/searchableList.ts';
import type { ClientFactory } from '../../src/model/ports.ts';
import { passesFilter } from '../../src/model/workflows/workflowFilter.ts';
import { Workflows } from '../../src/model/workflows/workflows.ts';
import { createAppPort } from '../support/appPort.ts';
import { MemoryRecords, MemorySecrets, MemoryState } from '../support/memory/ports.ts';
import { createTestService, type TestService } from '../support/service.ts';
import type { Workflow } from '../../src/domain/workflow.ts';

const connectionId = 'local';

describe('ten thousand workflows', () => {
  let service: TestService;
  let clients: Clients;
  let workflows: Workflows;
  let disposeAll: () => void;
  /** What was asked of the service: path and query. */
  const asked: string[] = [];

  before(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
    for (let number = 0; number < 10_000; number += 1)
      await service.store.workflows.create({
        name: `Job ${number}`,
        description: null,
        nodes: [],
        edges: [],
        settings: {},
      });
    const port = createAppPort(service.app);
    const factory: ClientFactory = ({ baseUrl }, key, owner) =>
      createClient({
        owner,
        http: () =>
          Promise.resolve((url, request) => {
            asked.push(new URL(url).search);
            return port(url, request);
          }),
        baseUrl,
        key,
        keyPrefix: () => 'svc_sk_',
        logger: silentLogger,
        budgets: new Budgets({ clock: systemClock }),
      });
    const connections = new Connections({
      records: new MemoryRecords(),
      workspaceState: new MemoryState(),
      secrets: new MemorySecrets(),
      createClient: factory,
      clock: systemClock,
      keyPrefix: () => 'svc_sk_',
      createId: () => connectionId,
    });
    clients = new Clients(connections, factory);
    workflows = new Workflows(connections, clients, systemClock);
    await connections.add(
      { name: 'Local', baseUrl: 'http://127.0.0.1:4100/v1', apiKey: service.key },
      { verify: 'never' },
    );
    disposeAll = () => {
      for (const part of [workflows, clients, connections]) part.dispose();
    };
  });
  beforeEach(() => {
    asked.length = 0;
  });
  after(async () => {
    disposeAll();
    await service.dispose();
  });

  function whenQuiet(list: SearchableList<Workflow>): Promise<SearchableListState<Workflow>> {
    return new Promise((resolve) => {
      const subscription = list.state.onDidChange((state) => {
        if (state.isBusy) return;
        subscription.dispose();
        resolve(state);
      });
    });
  }

  it('are chosen from by typing: one request for the newest, one for the text', async () => {
    const calls = clients.get(connectionId).workflows;
    const list = new SearchableList<Workflow>({
      clock: systemClock,
      readPage: (query, signal) => calls.list({ ...query, limit: 100 }, { signal }),
      matches: (workflow, text) => passesFilter(workflow, { text, state: 'all' }),
      canSearch: true,
    });
    assert.equal((await whenQuiet(list)).items[0]?.name, 'Job 9999');
    list.search('job 4');
    list.search('job 42');
    list.search('job 4217');
    const { items, hasMore } = await whenQuiet(list);
    assert.ok(items.some(({ name }) => name === 'Job 4217'));
    assert.equal(hasMore, false);
    assert.deepEqual(asked, ['?limit=100', '?search=job+4217&limit=100']);
    list.dispose();
  });

  it('are filtered by the service in the Workflows view', async () => {
    await workflows.refresh();
    await workflows.setFilter({ text: 'job 4217', state: 'all' });
    assert.deepEqual(
      workflows.state.current.items.map(({ name }) => name),
      ['Job 4217'],
    );
    assert.equal(asked.length, 2);
    assert.match(asked[1] ?? '', /search=job/);
  });

  it('give their names to rows that no page was read for: each is asked for once, ten a minute', async () => {
    await workflows.refresh();
    const { items } = await service.store.workflows.list({ limit: 40, search: 'Job 12' });
    const [first = assert.fail(), ...others] = items.map(({ id }) => id);
    await service.store.workflows.delete(first);
    asked.length = 0;
    const told = new Promise((resolve) => workflows.onDidChangeItems(resolve));
    workflows.prefetchNames(connectionId, [first, ...others, first]);
    workflows.prefetchNames(connectionId, [first, ...others]);
    await told;
    assert.equal(asked.length, 10);
    assert.ok(workflows.isDeleted({ connectionId, workflowId: first }));
    const named = others.filter((workflowId) => workflows.find({ connectionId, workflowId }) !== undefined);
    assert.deepEqual(named, others.slice(0, 9));
    workflows.prefetchNames(connectionId, [first, ...others]);
    assert.equal(asked.length, 10);
  });
});
