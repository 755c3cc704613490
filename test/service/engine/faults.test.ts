// However much is wrong, it's reported in few words, and finding it costs as much as there is to read.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { checkDefinition } from '../../../src/definition/checkDefinition.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, call, chain, listAt, runToEnd, textAt } from '../calls.ts';

const few = 4000;

/** A definition with as many headers that are no text. */
function withHeaders(count: number): JsonObject {
  const headers = Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}`, []]));
  return chain(['start', 'trigger'], ['ask', 'httpRequest', { url: 'http://a', headers }]);
}

describe('A great many faults', () => {
  let service: TestService;
  before(async () => {
    // The machine may be slow; what is looked for here is not how long it takes.
    service = await createTestService({ sandbox: { deadlineMs: 30_000, checkDeadlineMs: 60_000 } });
  });
  after(() => service.dispose());

  it('of a definition: the first 20 and how many more, in a small answer', async () => {
    const created = await call(service, 'POST', '/v1/workflows', withHeaders(20_000));
    const answer = await call(service, 'POST', `/v1/workflows/${textAt(created.body, 'id')}/deploy`);
    assertRefused(answer, 422, 'workflow_invalid');
    assert.equal(listAt(answer.body, 'error', 'details').length, 20);
    assert.equal(
      textAt(answer.body, 'error', 'message'),
      'Node "ask": "h0" must be of type string or number or boolean, not array. There are 19999 more.',
    );
    assert.ok(answer.text.length < 5000, answer.text);
  });

  it('of an input: the first 20 and how many more, in a short message', async () => {
    const inputSchema = { properties: { list: { items: { type: 'object' } } } };
    const input = { list: Array.from({ length: 20_000 }, () => 1) };
    const { result, rows } = await runToEnd(service, chain(['start', 'trigger', { inputSchema }]), input);
    const message = textAt(result, 'error', 'message');
    assert.match(
      message,
      /^The input doesn't match the trigger's schema: list\.0 must be of type object, not number\. list\.1 /,
    );
    assert.match(message, / list\.19 must be of type object, not number\. There are 19980 more\.$/);
    assert.ok(rows.every((row) => textAt(row, 'message').length < 3000));
  });

  it('of a request: the first 20 and how many more', async () => {
    const nodes = Array.from({ length: 900 }, () => 1);
    const answer = await call(service, 'POST', '/v1/workflows', { name: 'Many', nodes });
    assertRefused(answer, 422, 'validation_failed');
    assert.equal(listAt(answer.body, 'error', 'details').length, 20);
    assert.equal(textAt(answer.body, 'error', 'message'), 'nodes.0 must be an object. There are 899 more.');
  });

  it('of a request whose list is too long: only that', async () => {
    const nodes = Array.from({ length: 200_000 }, () => 1);
    const answer = await call(service, 'POST', '/v1/workflows', { name: 'Many', nodes });
    assertRefused(answer, 422, 'validation_failed');
    assert.equal(textAt(answer.body, 'error', 'message'), 'nodes must have at most 1,000 items.');
  });

  it('of a name or a place that is long: cut', async () => {
    const long = 'n'.repeat(500_000);
    const definition = chain(
      ['start', 'trigger'],
      ['ask', 'httpRequest', { url: 'a', headers: { [long]: [] } }],
    );
    const created = await call(service, 'POST', '/v1/workflows', definition);
    const answer = await call(service, 'POST', `/v1/workflows/${textAt(created.body, 'id')}/deploy`);
    assertRefused(answer, 422, 'workflow_invalid');
    assert.ok(answer.text.length < 3000, String(answer.text.length));
  });

  it('cost linear time', () => {
    const { nodes, edges } = withHeaders(few);
    const more = withHeaders(few * 8);
    assert.ok(Array.isArray(nodes) && Array.isArray(edges) && Array.isArray(more['nodes']));
    const costOf = (list: readonly JsonObject[]): number => {
      const started = process.cpuUsage();
      const { faults } = checkDefinition({ nodes: list, edges, settings: {} });
      assert.equal(faults.length, 20);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    costOf(more['nodes']);
    const eightTimes = Array.from({ length: 8 }, () => costOf(nodes)).reduce((sum, cost) => sum + cost);
    const ratio = costOf(more['nodes']) / eightTimes;
    // If it cost their square, it would be 8.
    assert.ok(ratio < 5, `${ratio.toFixed(1)} times the work`);
  });

  it('a text of only open braces is read once', () => {
    const message = '{{'.repeat(500_000);
    const nodes = [
      { id: 'start', type: 'trigger' },
      { id: 'say', type: 'log', config: { message } },
    ];
    const edges = [{ source: 'start', target: 'say' }];
    const { faults } = checkDefinition({ nodes, edges, settings: {} });
    assert.deepEqual(
      faults.map(({ message: words, isWarning }) => [words, isWarning]),
      [['"message" of node "say" has "{{" without "}}", so it stays text', true]],
    );
  });

  it('a definition that cannot be checked in time is refused with a clear error', async () => {
    const slow = await createTestService({ sandbox: { checkDeadlineMs: 20 } });
    const message = '{{ 1 }}'.repeat(100_000);
    const created = await call(
      slow,
      'POST',
      '/v1/workflows',
      chain(['start', 'trigger'], ['say', 'log', { message }]),
    );
    const answer = await call(slow, 'POST', `/v1/workflows/${textAt(created.body, 'id')}/deploy`);
    assertRefused(answer, 422, 'workflow_invalid');
    assert.equal(
      textAt(answer.body, 'error', 'message'),
      'The definition could not be checked: it took longer than 20 ms.',
    );
    await slow.dispose();
  });
});
