// A log stream that drops at any byte resumes with no row lost and none doubled, against the real service over real sockets.
import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { createHttpPort } from '../../../src/api/http/http.ts';
import { listen, type Listener } from '../../../src/service/process/listen.ts';
import { chain } from '../../service/calls.ts';
import { createCuttingProxy } from '../../support/cuttingProxy.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { createRandom } from '../../support/randomNumbers.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const nodes = 12;
/** Each node says something of several bytes a character. */
const talking = chain(
  ['start', 'trigger'],
  ...Array.from({ length: nodes }, (_node, index) => [
    [`tick${index}`, 'delay', { milliseconds: 2 }] as const,
    [`say${index}`, 'log', { message: '"Grüße ✓ 🚀 " & $string(input.n)' }] as const,
  ]).flat(),
);

describe('a log stream that is cut', () => {
  let service: TestService;
  let listener: Listener;
  /** Ends what a failed run leaves behind. */
  const over = new AbortController();

  before(async () => {
    service = await createTestService({ requestsPerMinute: 100_000, heartbeatMs: 5 });
    listener = await listen(service.app, 0);
  });
  after(async () => {
    over.abort();
    await listener.close();
    await service.dispose();
  });

  function connect(port: number): { readonly client: ServicePort; readonly dispose: () => void } {
    const http = createHttpPort({ environment: {} });
    const clock = createHastyClock();
    const client = createClient({
      http: () => Promise.resolve(http),
      baseUrl: `http://127.0.0.1:${port}/v1`,
      key: () => Promise.resolve(service.key),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock, requestsPerMinute: 100_000 }),
      logger: silentLogger,
      clock,
    });
    return {
      client,
      dispose: () => {
        client.dispose();
        http.dispose();
      },
    };
  }

  /** Follows one execution through a line that is cut at random, and compares with what the service keeps. */
  async function run(seed: number, workflowId: string): Promise<number> {
    const random = createRandom(seed);
    let cutsLeft = 10;
    const proxy = await createCuttingProxy(listener.port, () => {
      cutsLeft -= 1;
      return cutsLeft < 0 ? Infinity : Math.floor(random() * 5000);
    });
    const straight = connect(listener.port);
    const cut = connect(proxy.port);
    try {
      const { executionIds } = await straight.client.workflows.execute(workflowId, { n: seed });
      const executionId = executionIds[0] ?? assert.fail('No execution was named.');
      const sequences: (number | null)[] = [];
      let end = '';
      for await (const item of cut.client.executions.follow(executionId, {}, over.signal)) {
        if (item.kind === 'logs') sequences.push(...item.logs.map(({ sequence }) => sequence));
        if (item.kind === 'end') end = item.status.state;
      }
      const kept = (await straight.client.executions.logs(executionId, {})).rows;
      assert.ok(kept.length >= 2 * nodes);
      assert.deepEqual(
        sequences,
        kept.map(({ sequence }) => sequence),
        `seed ${seed}`,
      );
      assert.equal(end, 'completed', `seed ${seed}`);
      return proxy.cuts;
    } finally {
      cut.dispose();
      straight.dispose();
      await proxy.close();
    }
  }

  it('resumes with no row lost or doubled, wherever it is cut', async () => {
    const { client, dispose } = connect(listener.port);
    const { id } = await client.workflows.create(talking);
    await client.workflows.deploy(id);
    dispose();
    const runs = Array.from({ length: 6 }, (_run, index) => run(index + 1, id));
    const cuts = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
    assert.ok(cuts > 30, `only ${cuts} cuts`);
  });
});
