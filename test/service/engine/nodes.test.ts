// Each node type does what its config says, and fails with a reason a person can read.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, call, chain, listAt, runToEnd, textAt } from '../calls.ts';

const start = ['start', 'trigger'] as const;

describe('Node types', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  /** The output of a chain that ends by answering the given node's output. */
  const outputOf = async (id: string, type: string, config: JsonObject, input: JsonObject = {}) => {
    const answer = ['answer', 'output', { expression: `nodes.${id}` }] as const;
    const { result } = await runToEnd(service, chain(start, [id, type, config], answer), input);
    return result;
  };
  const failureOf = async (type: string, config: JsonObject, input: JsonObject = {}) => {
    const { result } = await runToEnd(service, chain(start, ['broken', type, config]), input);
    assert.equal(result['status'], 'failed');
    assert.equal(at(result, 'error', 'nodeId'), 'broken');
    return textAt(result, 'error', 'message');
  };

  it('trigger: hands the input on, and fails on one that does not fit the schema', async () => {
    const inputSchema = { type: 'object', required: ['email'], properties: { email: { type: 'string' } } };
    const definition = chain(
      ['start', 'trigger', { inputSchema }],
      ['answer', 'output', { expression: 'input' }],
    );
    const good = await runToEnd(service, definition, { email: 'a@b.c' });
    assert.deepEqual(good.result['output'], { email: 'a@b.c' });
    const bad = await runToEnd(service, definition, {});
    assert.equal(at(bad.result, 'error', 'nodeId'), 'start');
    assert.match(
      textAt(bad.result, 'error', 'message'),
      /^The input doesn't match the trigger's schema: .*"email"/,
    );
  });

  it('trigger: a schema that cannot be used is refused when it is deployed', async () => {
    const inputSchema = { $ref: '#/nowhere' };
    const definition = chain(['start', 'trigger', { inputSchema }]);
    const { body } = await call(service, 'POST', '/v1/workflows', { name: 'Unusable', ...definition });
    const answer = await call(service, 'POST', `/v1/workflows/${textAt(body, 'id')}/deploy`);
    assertRefused(answer, 422, 'workflow_invalid');
    assert.match(textAt(answer.body, 'error', 'message'), /"#\/nowhere", which isn't in the schema/);
  });

  it('transform: computes over input and outputs, and names the expression that fails', async () => {
    const result = await outputOf(
      'sum',
      'transform',
      { expression: '$sum(input.list)' },
      { list: [1, 2, 3] },
    );
    assert.equal(result['output'], 6);
    assert.match(
      await failureOf('transform', { expression: '$sum("x")' }),
      /The expression "\$sum\("x"\)" failed/,
    );
  });

  it('condition: takes the edges of its branch; the others are skipped', async () => {
    const definition = {
      name: 'Branches',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'size', type: 'condition', config: { expression: 'input.n > 10 ? "big" : "small"' } },
        { id: 'big', type: 'log', config: { message: 'big' } },
        { id: 'small', type: 'log', config: { message: 'small' } },
        { id: 'answer', type: 'output', config: { expression: '$keys(nodes)' } },
      ],
      edges: [
        { source: 'start', target: 'size' },
        { source: 'size', target: 'big', branch: 'big' },
        { source: 'size', target: 'small', branch: 'small' },
        { source: 'big', target: 'answer' },
        { source: 'small', target: 'answer' },
      ],
    };
    const { result, rows } = await runToEnd(service, definition, { n: 20 });
    assert.deepEqual(result['output'], ['start', 'size', 'big']);
    const skipped = rows.filter((row) => row['status'] === 'skipped');
    assert.deepEqual(
      skipped.map((row) => [row['nodeId'], row['message']]),
      [['small', 'Skipped: branch not taken']],
    );
    assert.match(await failureOf('condition', { expression: '5' }), /must return true, false or the name/);
  });

  it('forEach: runs its body for each item, collects the results, also nested, and for an empty list', async () => {
    const definition = {
      name: 'Loops',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'rows', type: 'forEach', config: { items: 'input.rows' } },
        {
          id: 'cells',
          type: 'forEach',
          config: { items: 'item.cells', result: '{ "at": index, "is": nodes.twice }' },
        },
        { id: 'twice', type: 'transform', config: { expression: 'item * 2' } },
        { id: 'answer', type: 'output', config: { expression: 'nodes.rows' } },
      ],
      edges: [
        { source: 'start', target: 'rows' },
        { source: 'rows', target: 'cells', branch: 'each' },
        { source: 'cells', target: 'twice', branch: 'each' },
        { source: 'rows', target: 'answer', branch: 'done' },
      ],
    };
    const input = { rows: [{ cells: [1, 2] }, { cells: [] }, { cells: [3] }] };
    const { result, rows } = await runToEnd(service, definition, input);
    assert.deepEqual(result['output'], [
      [
        { at: 0, is: 2 },
        { at: 1, is: 4 },
      ],
      [],
      [{ at: 0, is: 6 }],
    ]);
    const turns = rows.filter((row) => row['nodeId'] === 'twice' && row['status'] === 'completed');
    assert.deepEqual(
      turns.map((row) => row['iteration']),
      [
        [0, 0],
        [0, 1],
        [2, 0],
      ],
    );
    const empty = await runToEnd(service, definition, { rows: [] });
    assert.deepEqual(empty.result['output'], []);
  });

  it('any id: a node named like a member of every object is a node like others', async () => {
    const ids = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const made = ids.map((id) => ({ id, type: 'transform', config: { expression: `{ "of": "${id}" }` } }));
    const asked = `[${ids.map((id) => `nodes.${id}.of`).join(', ')}, nodes."__proto__".of, $keys(nodes)]`;
    const definition = {
      name: 'Ids',
      nodes: [
        { id: 'start', type: 'trigger' },
        ...made,
        { id: 'answer', type: 'output', config: { expression: asked } },
      ],
      edges: ids.flatMap((id) => [
        { source: 'start', target: id },
        { source: id, target: 'answer' },
      ]),
    };
    const { result, rows } = await runToEnd(service, definition);
    assert.deepEqual(result['output'], [...ids, '__proto__', 'start', ...ids]);
    const answered = rows.find((row) => row['nodeId'] === 'answer');
    assert.deepEqual(
      Object.entries(answered?.['input'] ?? {}),
      ids.map((id) => [id, { of: id }]),
    );
    for (const id of ids) {
      const row = rows.find(({ nodeId, status }) => nodeId === id && status === 'completed');
      assert.deepEqual(row?.['output'], { of: id });
    }
  });

  it('delay: the execution waits, then goes on', async () => {
    const result = await outputOf('pause', 'delay', { milliseconds: '{{ input.ms }}' }, { ms: 20 });
    assert.deepEqual(result['output'], { waitedMs: 20 });
    const events = await call(service, 'GET', '/v1/portal/events?type=execution.waiting&limit=1');
    assert.equal(at(events.body, 'data', 0, 'data', 'executionId'), result['executionId']);
    assert.match(
      await failureOf('delay', { milliseconds: '{{ "long" }}' }),
      /config is wrong at "milliseconds"/,
    );
  });

  it('log: says its message at its level', async () => {
    const definition = chain(start, [
      'say',
      'log',
      { level: 'warn', message: 'Hello {{ input.name }}, {{ [1,2] }}' },
    ]);
    const { rows } = await runToEnd(service, definition, { name: 'Ada' });
    const said = rows.find((row) => row['level'] === 'warn');
    assert.deepEqual([said?.['message'], said?.['status']], ['Hello Ada, [1,2]', 'running']);
  });

  it('portalEvent: publishes its data', async () => {
    const config = { type: 'ticket.made', data: { who: '{{ input.who }}', count: '{{ 1 + 1 }}' } };
    const { executionId, workflowId } = await runToEnd(
      service,
      chain(start, ['tell', 'portalEvent', config]),
      {
        who: 'Ada',
      },
    );
    const events = await call(service, 'GET', '/v1/portal/events?type=portal.ticket.made');
    assert.deepEqual(
      listAt(events.body, 'data').map((event) => event['data']),
      [{ who: 'Ada', count: 2, workflowId, executionId }],
    );
  });

  it('fail: ends the execution with its message', async () => {
    assert.equal(await failureOf('fail', { message: 'Not {{ input.x }}.' }, { x: 'today' }), 'Not today.');
  });

  it('retry: runs a failing node again, each attempt a node run of its own', async () => {
    const definition = {
      name: 'Retries',
      nodes: [
        { id: 'start', type: 'trigger' },
        {
          id: 'broken',
          type: 'fail',
          config: { message: 'Again.' },
          retry: { maximumAttempts: 3, initialDelayMs: 1 },
        },
      ],
      edges: [{ source: 'start', target: 'broken' }],
    };
    const { result, rows } = await runToEnd(service, definition);
    assert.equal(result['status'], 'failed');
    const failed = rows.filter((row) => row['status'] === 'failed');
    assert.deepEqual(
      failed.map((row) => row['attempt']),
      [1, 2, 3],
    );
  });
});
