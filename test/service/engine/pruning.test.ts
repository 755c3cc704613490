// Retention gets past executions that it has to leave, however many there are, and reads no more for it.
import assert from 'node:assert/strict';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  at,
  call,
  chain,
  createDeployed,
  execute,
  follow,
  followUntil,
  keepDrafts,
  textAt,
} from '../calls.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** More than a step of retention looks at. */
const many = 25;
const limit = 20;

describe('Retention', () => {
  let service: TestService;
  let now = 0;
  beforeEach(async () => {
    now = Date.now();
    service = await createTestService({ now: () => now, requestsPerMinute: 10_000 });
  });
  afterEach(() => service.dispose());

  const rest = chain(['start', 'trigger'], ['rest', 'delay', { milliseconds: 80_000_000 }]);
  const quick = chain(['start', 'trigger']);
  const repeat = async <T>(work: () => Promise<T>): Promise<readonly T[]> => {
    const all: T[] = [];
    for (let count = 0; count < many; count += 1) all.push(await work());
    return all;
  };
  const isWaiting = (id: string) => followUntil(service, id, ({ status }) => status === 'waiting');
  const runQuick = async (workflowId: string): Promise<string> => {
    const id = await execute(service, workflowId, {});
    await follow(service, id);
    return id;
  };
  const draft = async (workflowId: string, body: object): Promise<string> =>
    textAt(
      (await call(service, 'POST', `/v1/workflows/${workflowId}/draft-executions`, body)).body,
      'executionIds',
      0,
    );
  const statusOf = async (id: string) => (await call(service, 'GET', `/v1/executions/${id}`)).status;
  const prune = (bounds: { readonly before?: string; readonly keep?: number }) =>
    service.store.executions.prune({
      before: null,
      draftsBefore: null,
      keep: null,
      keepDrafts,
      limit,
      ...bounds,
    });

  it('of an execution that is just being read leaves all of it to the reader, or nothing', async () => {
    const { executions, nodeRuns, records } = service.store;
    const definition = chain(['start', 'trigger'], ['end', 'output', { expression: 'input' }]);
    const workflowId = await createDeployed(service, definition);
    const reads: readonly ((id: string, logId: string) => Promise<unknown>)[] = [
      (id) => executions.get(id),
      (id) => executions.getOutput(id),
      (id) => records.getSource(id),
      (id, logId) => nodeRuns.getLog(id, logId),
      async (id) => (await nodeRuns.listLogs({ executionId: id, after: 0, limit })).rows[0],
    ];
    for (const read of reads) {
      const id = await execute(service, workflowId, { text: 'x'.repeat(2000) });
      await follow(service, id);
      await runQuick(workflowId);
      const { body } = await call(service, 'GET', `/v1/executions/${id}/logs`);
      const logId = textAt(body, 'data', 0, 'id');
      const whole = await read(id, logId);
      assert.ok(whole);
      // SQLite deletes after the first statement of the reader.
      const [found] = await Promise.all([read(id, logId), prune({ keep: 1 })]);
      if (found !== undefined) assert.deepEqual(found, whole);
    }
  });

  it('by age deletes an execution that ended long ago behind many that started earlier and ended later', async () => {
    const waiting = await repeat(async () => {
      const id = await execute(service, await createDeployed(service, rest), {});
      await isWaiting(id);
      return id;
    });
    const old = await runQuick(await createDeployed(service, quick));
    now += 31 * dayMs;
    for (const id of waiting) await call(service, 'POST', `/v1/executions/${id}/cancel`);
    await prune({ before: new Date(now - 30 * dayMs).toISOString() });
    assert.equal(await statusOf(old), 404);
    for (const id of waiting) assert.equal(await statusOf(id), 200);
  });

  it('by number deletes surplus executions behind many that unfinished executions use', async () => {
    const workflowId = await createDeployed(service, quick);
    const used = await repeat(() => runQuick(workflowId));
    for (const basedOn of used)
      await isWaiting(await draft(workflowId, { definition: rest, only: 'rest', basedOn }));
    const surplus = await runQuick(workflowId);
    const newest = await runQuick(workflowId);
    await prune({ keep: 1 });
    assert.deepEqual([await statusOf(surplus), await statusOf(newest)], [404, 200]);
    for (const id of used) assert.equal(await statusOf(id), 200);
    const { body } = await call(service, 'GET', '/v1/executions?limit=1&status=waiting');
    assert.equal(at(body, 'data', 0, 'status'), 'waiting');
  });
});
