// While the worst of all expressions runs, the service serves everyone else, and other executions end.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  assertRefused,
  call,
  chain,
  createDeployed,
  execute,
  follow,
  followUntil,
  runToEnd,
  textAt,
} from '../calls.ts';

const start = ['start', 'trigger'] as const;
const shared = '( $f := function($v, $n) { $n = 0 ? $v : $f({ "a": $v, "b": $v }, $n - 1) }; $f(1, 24) )';

describe('A service with a hostile author', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 100_000 });
  });
  after(() => service.dispose());

  for (const [what, expression] of [
    ['a sort of 100,000', '$count($sort([1..100000]))'],
    ['a regular expression', '$count($match(input.text, /(a+)+b/))'],
    ['a padding of 100 million', '$pad("x", 100000000)'],
    ['shared parts', shared],
    ['an endless loop', '( $f := function($n) { $f($n + 1) }; $f(1) )'],
  ] as const)
    it(`${what}: fails its node once, and others are served before`, async () => {
      const hostile = await createDeployed(service, chain(start, ['bad', 'transform', { expression }]));
      const order: string[] = [];
      const executionId = await execute(service, hostile, { text: `${'a'.repeat(30)}! `.repeat(60) });
      const ended = follow(service, executionId).then((rows) => {
        order.push('hostile');
        return rows;
      });
      const friendly = chain(start, ['answer', 'output', { expression: 'input.n + 1' }]);
      for (let round = 0; round < 3; round += 1) {
        assert.equal((await call(service, 'GET', '/v1/workflows?limit=1')).status, 200);
        order.push('list');
      }
      const { result } = await runToEnd(service, friendly, { n: 1 });
      assert.equal(result['output'], 2);
      const rows = await ended;
      assert.equal(order.indexOf('list'), 0, order.join(', '));
      const failed = rows.filter((row) => row['nodeId'] === 'bad' && row['status'] === 'failed');
      assert.equal(failed.length, 1);
      assert.match(
        textAt(failed[0], 'message'),
        /^The expression "[^]*" (failed: it |failed: a list |gave more)/,
      );
    });
});

describe('A service that checks as many definitions as it may', () => {
  it('refuses a deployment, and suggests to try again', async () => {
    const service = await createTestService({ sandbox: { maximumChecks: 0 } });
    const { body } = await call(service, 'POST', '/v1/workflows', chain(start));
    const answer = await call(service, 'POST', `/v1/workflows/${textAt(body, 'id')}/deploy`);
    assertRefused(answer, 503, 'unavailable');
    assert.equal(answer.headers.get('Retry-After'), '5');
    assert.match(
      textAt(answer.body, 'error', 'message'),
      /^Too many workflows are already waiting to be checked\. Try/,
    );
    await service.dispose();
  });
});

describe('A quick workflow beside many slow expressions', () => {
  it('ends after a few of them, not after one of each execution for each of its own expressions', async () => {
    const service = await createTestService({ requestsPerMinute: 100_000, sandbox: { deadlineMs: 60_000 } });
    const slow = await createDeployed(service, {
      name: 'A slow loop',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'all', type: 'forEach', config: { items: '[1..1000]' } },
        { id: 'slow', type: 'transform', config: { expression: '$count($distinct([1..10000]))' } },
      ],
      edges: [
        { source: 'start', target: 'all' },
        { source: 'all', target: 'slow', branch: 'each' },
      ],
    });
    const ids = await Promise.all(Array.from({ length: 12 }, () => execute(service, slow, {})));
    const hasEnded = (row: JsonObject): boolean => row['nodeId'] === 'slow' && row['status'] === 'completed';
    // Each has had the workers before the quick one comes.
    await Promise.all(ids.map((id) => followUntil(service, id, hasEnded)));
    const rowsOf = async (): Promise<number> => {
      const rows = await Promise.all(ids.map((id) => service.store.nodeRuns.lastSequence(id)));
      return rows.reduce((sum, count) => sum + count, 0);
    };
    const before = await rowsOf();
    const steps = ['a', 'b', 'c', 'd'].map((id) => [id, 'transform', { expression: 'input.n + 1' }] as const);
    const { result } = await runToEnd(service, chain(start, ...steps), { n: 1 });
    assert.equal(result['status'], 'completed');
    // Two rows for each turn. Its five pieces wait for one slow one each, while the other worker ends one too; 60 if each waited for all.
    const turns = ((await rowsOf()) - before) / 2;
    assert.ok(turns <= 30, `${turns} slow expressions ended meanwhile`);
    await service.dispose();
  });
});
