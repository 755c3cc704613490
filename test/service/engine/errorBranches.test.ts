// A node that fails can lead on over its error branch (contract section 10).
import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, call, listAt, runToEnd, textAt } from '../calls.ts';

type Node = readonly [id: string, type: string, config?: JsonObject, retry?: JsonObject];
type Edge = readonly [source: string, target: string, branch?: string];

const define = (nodes: readonly Node[], edges: readonly Edge[]): JsonObject => ({
  name: 'Error branches',
  nodes: nodes.map(([id, type, config = {}, retry]) => ({ id, type, config, ...(retry && { retry }) })),
  edges: edges.map(([source, target, branch]) => ({
    source,
    target,
    ...(branch !== undefined && { branch }),
  })),
});

/** How the runs of a node ended. */
const endsOf = (rows: readonly JsonObject[], nodeId: string) =>
  rows.filter((row) => row['nodeId'] === nodeId && row['completedAt'] !== null).map((row) => row['status']);

describe('An error branch', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  /** A node with an error branch and one or two others. */
  const around = (node: Node, others: readonly Edge[] = [['tried', 'good']]): JsonObject =>
    define(
      [
        ['start', 'trigger'],
        node,
        ['good', 'log', { message: 'Good' }],
        ['bad', 'output', { expression: '{ "received": nodes.tried, "isSame": nodes.tried = nodes.tried }' }],
      ],
      [['start', 'tried'], ...others, ['tried', 'bad', 'error']],
    );

  const failing: readonly (readonly [
    type: string,
    config: JsonObject,
    code: string,
    others?: readonly Edge[],
  ])[] = [
    ['transform', { expression: '$error("No.")' }, 'expression_failed'],
    ['condition', { expression: '1' }, 'branch_invalid', [['tried', 'good', 'true']]],
    ['httpRequest', { url: 'ftp://example.com' }, 'url_invalid'],
    ['delay', { milliseconds: '{{ "soon" }}' }, 'config_invalid'],
    ['log', { message: '{{ $error("No.") }}' }, 'expression_failed'],
    ['portalEvent', { type: 'made', data: { at: '{{ $error("No.") }}' } }, 'expression_failed'],
  ];
  for (const [type, config, code, others] of failing) {
    it(`is taken from a ${type} that fails, and no other`, async () => {
      const { result, rows } = await runToEnd(service, around(['tried', type, config], others));
      assert.deepEqual([result['status'], result['error']], ['completed', null]);
      const failed = rows.findLast((row) => row['nodeId'] === 'tried');
      assert.equal(failed?.['status'], 'failed');
      assert.deepEqual(at(result, 'output', 'received'), { error: failed['error'] });
      assert.equal(at(failed, 'error', 'code'), code);
      assert.deepEqual(endsOf(rows, 'good'), ['skipped']);
      const bad = rows.find((row) => row['nodeId'] === 'bad' && isJsonObject(row['input'] ?? null));
      assert.deepEqual(bad?.['input'], { error: failed['error'] });
    });
  }

  it('is not taken from a node that completes', async () => {
    const { result, rows } = await runToEnd(service, around(['tried', 'transform', { expression: '1' }]));
    assert.equal(result['status'], 'completed');
    assert.deepEqual([endsOf(rows, 'good'), endsOf(rows, 'bad')], [['completed'], ['skipped']]);
  });

  it('is taken from a condition that gives its name, too', async () => {
    const node: Node = ['tried', 'condition', { expression: '"error"' }];
    const { result, rows } = await runToEnd(service, around(node, [['tried', 'good', 'true']]));
    assert.equal(at(result, 'output', 'received'), 'error');
    assert.deepEqual(endsOf(rows, 'good'), ['skipped']);
  });

  it('is taken after the last attempt only', async () => {
    const retry = { maximumAttempts: 3, initialDelayMs: 1 };
    const { result, rows } = await runToEnd(
      service,
      around(['tried', 'transform', { expression: '$error("No.")' }, retry]),
    );
    assert.equal(result['status'], 'completed');
    assert.deepEqual(endsOf(rows, 'tried'), ['failed', 'failed', 'failed']);
    assert.deepEqual(endsOf(rows, 'bad'), ['completed']);
  });

  it('of a node in a loop leads on in that iteration', async () => {
    const { result, rows } = await runToEnd(
      service,
      define(
        [
          ['start', 'trigger'],
          ['all', 'forEach', { items: '[1, 2, 3]' }],
          ['tried', 'transform', { expression: 'item = 2 ? $error("No 2.") : item' }],
          ['good', 'transform', { expression: 'nodes.tried * 10' }],
          ['bad', 'transform', { expression: 'nodes.tried.error.code' }],
          ['answer', 'output', { expression: 'nodes.all' }],
        ],
        [
          ['start', 'all'],
          ['all', 'tried', 'each'],
          ['tried', 'bad', 'error'],
          ['tried', 'good'],
          ['all', 'answer', 'done'],
        ],
      ),
    );
    assert.equal(result['status'], 'completed');
    assert.deepEqual(endsOf(rows, 'good'), ['completed', 'skipped', 'completed']);
    assert.deepEqual(endsOf(rows, 'bad'), ['skipped', 'completed', 'skipped']);
    assert.deepEqual(endsOf(rows, 'all'), ['completed']);
  });

  it('of a loop is taken when an iteration fails, or its list', async () => {
    const loop = (items: string): JsonObject =>
      define(
        [
          ['start', 'trigger'],
          ['tried', 'forEach', { items }],
          ['stop', 'fail', { message: 'No {{ item }}.' }],
          ['good', 'log', { message: 'Good' }],
          ['bad', 'output', { expression: 'nodes.tried' }],
        ],
        [
          ['start', 'tried'],
          ['tried', 'stop', 'each'],
          ['tried', 'good', 'done'],
          ['tried', 'bad', 'error'],
        ],
      );
    const { result, rows } = await runToEnd(service, loop('[7, 8]'));
    assert.deepEqual(
      [result['status'], result['output']],
      ['completed', { error: { code: 'turn_failed', message: 'Failed in iteration 1 of 2: No 7.' } }],
    );
    assert.deepEqual([endsOf(rows, 'stop'), endsOf(rows, 'tried')], [['failed'], ['failed']]);
    assert.deepEqual(endsOf(rows, 'good'), ['skipped']);
    const { result: unlisted } = await runToEnd(service, loop('$error("No list.")'));
    assert.equal(at(unlisted, 'output', 'error', 'code'), 'expression_failed');
  });

  it('leaves the execution to what comes after it', async () => {
    const definition = define(
      [
        ['start', 'trigger'],
        ['tried', 'transform', { expression: '$error("First.")' }],
        ['stop', 'fail', { message: 'Then {{ nodes.tried.error.code }}.' }],
      ],
      [
        ['start', 'tried'],
        ['tried', 'stop', 'error'],
      ],
    );
    const { result } = await runToEnd(service, definition);
    assert.deepEqual(result['error'], {
      code: 'node_failed',
      message: 'Then expression_failed.',
      nodeId: 'stop',
    });
  });

  it('continues unchanged after a wait', async () => {
    const definition = define(
      [
        ['start', 'trigger'],
        ['tried', 'transform', { expression: '$error("No.")' }],
        ['wait', 'delay', { milliseconds: 50 }],
        ['answer', 'output', { expression: 'nodes.tried.error.message' }],
      ],
      [
        ['start', 'tried'],
        ['tried', 'wait', 'error'],
        ['wait', 'answer'],
      ],
    );
    const handingOver = await createTestService({ longestWaitMs: 0 });
    const { result, rows } = await runToEnd(handingOver, definition);
    await handingOver.dispose();
    assert.match(textAt(result, 'output'), /No\./);
    assert.deepEqual(endsOf(rows, 'tried'), ['failed']);
  });

  it('cannot leave a node that ends the execution', async () => {
    for (const [type, config] of [
      ['fail', { message: 'No.' }],
      ['output', { expression: '1' }],
    ] as const) {
      const definition = around(['tried', type, config], []);
      const { body } = await call(service, 'POST', '/v1/workflows', definition);
      const refused = await call(service, 'POST', `/v1/workflows/${textAt(body, 'id')}/deploy`);
      assertRefused(refused, 422, 'workflow_invalid');
      assert.deepEqual(
        listAt(refused.body, 'error', 'details').map(({ path }) => path),
        ['edges.1.branch'],
      );
    }
  });
});
