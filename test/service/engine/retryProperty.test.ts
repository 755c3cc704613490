// A property: whatever fails, is cancelled or interrupted, an execution that is retried until it completes gives the output of one that
// never failed, and no node runs again that has finished.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonValue } from '../../../src/base/json.ts';
import { tries } from '../../support/properties.ts';
import { type Running, serve } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { call, createDeployed, execute, follow, textAt } from '../calls.ts';
import { definitionOf, steps } from './randomDefinitions.ts';

/** What befalls each call in turn; those after the last one succeed. */
const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('ok' as const) },
    { weight: 3, arbitrary: fc.constant('fail' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  ),
  { maxLength: 25 },
);
type Fate = 'ok' | 'fail' | 'cancel' | 'restart';

describe('An execution that is retried until it completes', () => {
  let service: TestService;
  let server: Running;
  let left: Fate[] = [];
  let executionId = '';
  let restarting: Promise<void> | undefined;
  const path = join(tmpdir(), `${randomUUID()}.db`);
  const open = () => createTestService({ requestsPerMinute: 1_000_000, path });

  before(async () => {
    service = await open();
    server = await serve(({ url = '' }, response) => {
      void befall(left.shift() ?? 'ok').then((isFailing) => {
        response.sendDate = false;
        response.writeHead(isFailing ? 500 : 200).end(url);
      });
    });
  });
  after(async () => {
    await service.dispose();
    await server.close();
    for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
  });

  async function befall(fate: Fate): Promise<boolean> {
    if (fate === 'cancel') await call(service, 'POST', `/v1/executions/${executionId}/cancel`);
    if (fate === 'restart') {
      restarting ??= restart();
      await restarting;
    }
    return fate === 'fail';
  }

  async function restart(): Promise<void> {
    await service.dispose();
    const reopened = await createTestService({ requestsPerMinute: 1_000_000, path });
    service = reopened;
    restarting = undefined;
  }

  async function settle(): Promise<JsonValue | undefined> {
    for (;;) {
      await restarting;
      await follow(service, executionId);
      await restarting;
      const { body } = await call(service, 'GET', `/v1/executions/${executionId}`);
      if (body['completedAt'] !== null) return body['status'];
    }
  }

  const outputOf = async (id: string) =>
    (await call(service, 'GET', `/v1/executions/${id}/output`)).body['output'];

  it('gives the output of one that never failed, and runs no finished node again', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fates, async (all, fate) => {
        const workflowId = await createDeployed(
          service,
          definitionOf(all, `http://127.0.0.1:${server.port}`),
        );
        left = [];
        executionId = await execute(service, workflowId, {});
        assert.equal(await settle(), 'completed');
        const expected = await outputOf(executionId);
        left = [...fate];
        executionId = await execute(service, workflowId, {});
        const chain = [executionId];
        while ((await settle()) !== 'completed') {
          const { body } = await call(service, 'POST', `/v1/executions/${executionId}/retry`);
          executionId = textAt(body, 'executionIds', 0);
          chain.push(executionId);
        }
        assert.deepEqual(await outputOf(executionId), expected);
        const finished = new Map<string, number>();
        for (const id of chain)
          for (const row of await follow(service, id)) {
            if (row['status'] !== 'completed' || 'reusedFrom' in row) continue;
            const key = JSON.stringify([row['nodeId'], row['iteration']]);
            finished.set(key, (finished.get(key) ?? 0) + 1);
          }
        assert.deepEqual(
          [...finished].filter(([, count]) => count !== 1),
          [],
        );
      }),
      tries(8),
    );
  });
});
