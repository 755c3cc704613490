// Ten thousand executions must cost what ten cost: the first page is one request, and nothing ever asks for all.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import { Connections } from '../../../src/model/connections/connections.ts';
import { systemClock } from '../../../src/base/time.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Clients } from '../../../src/model/connections/clients.ts';
import { noExecutionFilter } from '../../../src/domain/queries.ts';
import { Executions } from '../../../src/model/executions/executions.ts';
import type { ClientFactory } from '../../../src/model/ports.ts';
import type { ExecutionScope } from '../../../src/domain/targets.ts';
import { createRowStore } from '../../support/memory/logs.ts';
import { createAppPort } from '../../support/appPort.ts';
import { MemoryRecords, MemorySecrets, MemoryState } from '../../support/memory/ports.ts';
import { knownLevel, queueOf } from '../../../src/service/store/needs.ts';
import { createTestService, type TestService } from '../../support/service.ts';

interface Filled {
  readonly executions: Executions;
  readonly scope: ExecutionScope;
  /** What was asked of the service: path and query. */
  readonly asked: string[];
  readonly dispose: () => void;
}

/** A real service whose store was filled directly, with the model in front of it. */
async function fill(service: TestService, count: number): Promise<Filled> {
  const { id: workflowId } = await service.store.workflows.create({
    name: 'Many',
    description: null,
    nodes: [],
    edges: [],
    settings: {},
  });
  for (let number = 0; number < count; number += 1) {
    const { execution } = await trigger(workflowId);
    const hasFailed = number % 1000 === 0;
    await service.store.executions.write({ executionId: execution.id, claim: null }, (writer) =>
      writer.finish(
        hasFailed
          ? { status: 'failed', error: { code: 'x', message: 'x', nodeId: null } }
          : { status: 'completed', output: 'null' },
      ),
    );
  }
  const asked: string[] = [];
  const port = createAppPort(service.app);
  const createServiceClient: ClientFactory = ({ baseUrl }, key, owner) =>
    createClient({
      owner,
      http: () =>
        Promise.resolve((url, request) => {
          asked.push(new URL(url).pathname + new URL(url).search);
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
    createClient: createServiceClient,
    clock: systemClock,
    keyPrefix: () => 'svc_sk_',
    createId: () => 'local',
  });
  const clients = new Clients(connections, createServiceClient);
  const executions = new Executions(connections, clients, systemClock, createRowStore());
  const { id: connectionId } = await connections.add(
    { name: 'Local', baseUrl: 'http://127.0.0.1:4100/v1', apiKey: service.key },
    { verify: 'never' },
  );
  return {
    executions,
    asked,
    scope: { connectionId, workflowId: null, filter: noExecutionFilter },
    dispose: () => {
      for (const part of [executions, clients, connections]) part.dispose();
    },
  };

  async function trigger(id: string) {
    const result = await service.store.executions.trigger({
      workflowId: id,
      input: '{}',
      definition: { nodes: [], edges: [], settings: {} },
      // Nobody runs it.
      queue: queueOf(id, { level: knownLevel + 1, readsSecrets: false }),
    });
    return result.kind === 'conflict' ? assert.fail('No execution was created.') : result;
  }
}

describe('many executions', () => {
  const services: TestService[] = [];
  let few: Filled;
  let many: Filled;
  before(async () => {
    for (let count = 0; count < 2; count += 1)
      services.push(await createTestService({ requestsPerMinute: 100_000 }));
    const [first = assert.fail(), second = assert.fail()] = services;
    few = await fill(first, 10);
    many = await fill(second, 10_000);
  });
  after(async () => {
    for (const service of services) await service.dispose();
    for (const part of [few, many]) part.dispose();
  });
  beforeEach(() => {
    few.asked.length = 0;
    many.asked.length = 0;
  });

  it('show their first page after one request, ten as well as ten thousand', async () => {
    for (const { executions, scope, asked } of [few, many]) {
      await executions.refresh(scope);
      assert.deepEqual(asked, ['/v1/executions?limit=100']);
    }
    assert.equal(few.executions.list(few.scope).items.length, 10);
    assert.equal(many.executions.list(many.scope).items.length, 100);
  });

  it('ask for a hundred with each "Load More…", and for one page to stay fresh', async () => {
    const { executions, scope, asked } = many;
    for (let pages = 0; pages < 9; pages += 1) await executions.loadMore(scope);
    assert.equal(executions.list(scope).items.length, 1000);
    assert.equal(asked.length, 9);
    await executions.refreshNewest(scope);
    assert.equal(asked.length, 10);
    assert.equal(executions.list(scope).items.length, 1000);
  });

  it('let the service filter, instead of looking through all of them here', async () => {
    const { executions, scope, asked } = many;
    const failed: ExecutionScope = { ...scope, filter: { states: ['failed'], period: null } };
    await executions.refresh(failed);
    assert.deepEqual(asked, ['/v1/executions?limit=100&status=failed']);
    assert.equal(executions.list(failed).items.length, 10);
  });
});
