// While the worst of all expressions runs, the service answers everybody else, and other executions come to their end.
import assert from 'node:assert/strict';
import { createTestService, type TestService } from '../../support/service.ts';
import { call, chain, createDeployed, execute, follow, runToEnd, textAt } from '../calls.ts';

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
    it(`${what}: fails its node once, others are answered before`, async () => {
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
