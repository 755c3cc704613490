// What can't be retried is refused in words before anything runs, and what a retry needs is kept.
import assert from 'node:assert/strict';
import {
  assertRefused,
  call,
  createDeployed,
  execute,
  follow,
  followUntil,
  keepDrafts,
  textAt,
} from '../calls.ts';
import { useCallingService } from './callingService.ts';
import { edge, start } from './callingDefinitions.ts';

describe('Retrying', () => {
  const { server, service, ask, line, get, run, askRetry } = useCallingService();

  /** Calls a node, and then waits. */
  const slow = () => ({
    name: 'Slow',
    nodes: [start, ask('a', '/slow'), { id: 'rest', type: 'delay', config: { milliseconds: 3_600_000 } }],
    edges: [edge('start', 'a'), edge('a', 'rest')],
  });

  async function pruneAll(): Promise<void> {
    const pruning = { before: null, draftsBefore: null, keep: 0, keepDrafts, limit: 20 };
    while ((await service.store.executions.prune(pruning)) > 0);
  }

  it('is refused if there is nothing to continue from', async () => {
    const { executionId, workflowId } = await run(line());
    assertRefused(await askRetry(executionId), 409, 'execution_completed');
    assertRefused(await askRetry(executionId, { fromNodeId: 'nowhere' }), 422, 'node_not_run');
    assertRefused(await askRetry(executionId, { definition: 'other' }), 422, 'validation_failed');
    assertRefused(await askRetry('exec_none'), 404, 'execution_not_found');
    assert.equal((await call(service, 'POST', `/v1/workflows/${workflowId}/undeploy`)).status, 200);
    assertRefused(
      await askRetry(executionId, { fromNodeId: 'a', definition: 'deployed' }),
      409,
      'workflow_not_deployed',
    );
    const slow = await createDeployed(service, {
      name: 'Slow',
      nodes: [start, { id: 'rest', type: 'delay', config: { milliseconds: 3_600_000 } }],
      edges: [edge('start', 'rest')],
    });
    assertRefused(await askRetry(await execute(service, slow, {})), 409, 'execution_not_ended');
  });

  it('makes one execution for one idempotency key', async () => {
    server.fail('/b');
    const { executionId } = await run(line());
    const path = `/v1/executions/${executionId}/retry`;
    const header = { 'Idempotency-Key': 'once' };
    const first = await call(service, 'POST', path, {}, header);
    const second = await call(service, 'POST', path, {}, header);
    assert.deepEqual(second.body, first.body);
    assertRefused(
      await call(service, 'POST', path, { fromNodeId: 'a' }, header),
      409,
      'idempotency_conflict',
    );
  });

  it('protects the records that it uses from retention, and is refused once they are gone', async () => {
    server.fail('/b');
    const { executionId } = await run(line());
    server.fail('/slow');
    const base = await execute(service, await createDeployed(service, slow()), {});
    await follow(service, base);
    const answer = await askRetry(base);
    const under = textAt(answer.body, 'executionIds', 0);
    await followUntil(service, under, ({ status }) => status === 'waiting');
    await pruneAll();
    assert.equal((await get(base))['status'], 'failed');
    assertRefused(await askRetry(executionId), 404, 'execution_not_found');
    assert.equal((await call(service, 'POST', `/v1/executions/${under}/cancel`)).status, 200);
    await pruneAll();
    assertRefused(await askRetry(base), 404, 'execution_not_found');
  });

  it('protects no other records from retention, however many it uses', async () => {
    server.fail('/slow', 20);
    let under = await execute(service, await createDeployed(service, slow()), {});
    const bases: string[] = [];
    while (bases.length < 20) {
      await follow(service, under);
      bases.push(under);
      under = textAt((await askRetry(under)).body, 'executionIds', 0);
    }
    await followUntil(service, under, ({ status }) => status === 'waiting');
    const { executionId } = await run(line());
    await pruneAll();
    const statuses = () => Promise.all([...bases, executionId].map(async (id) => (await get(id))['status']));
    assert.deepEqual(await statuses(), [...bases.map(() => 'failed'), undefined]);
    assert.equal((await call(service, 'POST', `/v1/executions/${under}/cancel`)).status, 200);
    await pruneAll();
    assert.deepEqual(new Set(await statuses()), new Set([undefined]));
  });
});
