// Executions that wait for another service, or compute slowly, keep no other workflow from starting.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { chain, createDeployed, execute, followUntil } from '../calls.ts';
import { executeMany } from '../process/underWay.ts';
import { HearingServers } from './hearingServers.ts';

/** Alone, a quick one begins within 50 ms; behind the others it would wait for minutes. */
const longestMs = 15_000;
const start = ['start', 'trigger'] as const;
const quick = chain(start, ['answer', 'output', { expression: '1' }]);

const slow: JsonObject = {
  name: 'Slow',
  nodes: [
    { id: 'start', type: 'trigger', name: 'Start', config: {} },
    { id: 'each', type: 'forEach', name: 'Each', config: { items: '[1..1000]' } },
    {
      id: 'work',
      type: 'transform',
      name: 'Work',
      config: { expression: '$sum([1..20000].($ * $)) > 0 ? $sum([1..20000].($ * 2))' },
    },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'work', branch: 'each' },
  ],
};

describe('A quick workflow starts at once', () => {
  const servers = new HearingServers();
  let service: TestService;
  let hanging: JsonObject;

  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
    const { origin } = await servers.serve(() => undefined);
    hanging = chain(start, ['ask', 'httpRequest', { url: origin, timeoutMs: 120_000 }]);
  });
  afterEach(async () => {
    await service.dispose();
    servers.close();
  });

  const executeAll = async (definition: JsonObject, count: number): Promise<void> => {
    await executeMany(service, await createDeployed(service, definition), count);
  };
  const assertBegins = async (): Promise<void> => {
    const workflowId = await createDeployed(service, quick);
    for (let count = 0; count < 5; count += 1) {
      const began = performance.now();
      await followUntil(service, await execute(service, workflowId, {}), () => true);
      const tookMs = performance.now() - began;
      assert.ok(tookMs < longestMs, `${tookMs} ms`);
    }
  };

  for (const count of [70, 1000])
    it(`beside ${count} executions of a request to a server that never answers`, async () => {
      await executeAll(hanging, count);
      await assertBegins();
    });

  it('beside 20 workflows with 20 executions each whose server never answers', async () => {
    for (let count = 0; count < 20; count += 1) await executeAll(hanging, 20);
    await assertBegins();
  });

  it('beside 70 executions of a loop of slow expressions', async () => {
    await executeAll(slow, 70);
    await assertBegins();
  });

  it('beside 20 workflows with 5 executions each of such a loop', async () => {
    for (let count = 0; count < 20; count += 1) await executeAll(slow, 5);
    await assertBegins();
  });
});
