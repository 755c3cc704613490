// Loops of any length, with waits in them, taken up where they were; and values that are kept once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { queryStorage } from '../../support/storage.ts';
import {
  at,
  call,
  chain,
  createDeployed,
  execute,
  follow,
  followUntil,
  listAt,
  runToEnd,
  textAt,
} from '../calls.ts';
import { createDataFolder, removeDataFolder } from '../process/program.ts';

/** A loop over `input.items` whose body is the given nodes, one after the other. */
function loopOver(body: readonly JsonObject[], result = 'item'): JsonObject {
  const ids = body.map((node) => textAt(node, 'id'));
  return {
    name: 'A loop',
    nodes: [
      { id: 'start', type: 'trigger' },
      { id: 'all', type: 'forEach', config: { items: 'input.items', result } },
      ...body,
      { id: 'answer', type: 'output', config: { expression: 'nodes.all' } },
    ],
    edges: [
      { source: 'start', target: 'all' },
      ...ids.map((id, index) =>
        index === 0
          ? { source: 'all', target: id, branch: 'each' }
          : { source: ids[index - 1] ?? '', target: id },
      ),
      { source: 'all', target: 'answer', branch: 'done' },
    ],
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_item, index) => index);

describe('Loops', () => {
  let dataFolder = '';
  let path = '';
  let service: TestService;
  beforeEach(async () => {
    dataFolder = await createDataFolder();
    path = join(dataFolder, 'service.db');
  });
  afterEach(async () => {
    await service.dispose();
    await removeDataFolder(dataFolder);
  });

  it('whose waits are handed over from run to run continue, and no iteration runs twice', async () => {
    service = await createTestService({ path, requestsPerMinute: 10_000, longestWaitMs: 0 });
    const body = [
      { id: 'wait', type: 'delay', config: { milliseconds: 20 } },
      { id: 'say', type: 'log', config: { message: 'Turn {{ index }}' } },
    ];
    const { result, rows } = await runToEnd(service, loopOver(body), { items: numbers(20) });
    assert.deepEqual(result['output'], numbers(20));
    const said = rows.filter(({ message }) => typeof message === 'string' && message.startsWith('Turn '));
    assert.deepEqual(
      said.map((row) => row['message']),
      numbers(20).map((index) => `Turn ${index}`),
    );
    assert.deepEqual(new Set(rows.map((row) => row['attempt'])), new Set([1]));
    const [runs] = await queryStorage(path, 'SELECT claims AS count FROM executions');
    const [left] = await queryStorage(path, 'SELECT count(*) AS count FROM loop_turns');
    // A wait that is over before it begins takes no run of its own.
    const count = Number(runs?.['count']);
    assert.ok(count > 1 && count <= 21, `${count} runs`);
    assert.equal(left?.['count'], 0, 'nothing is left of the loop');
  });

  it('give their item also to a node that comes after another one of the body', async () => {
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    const definition = loopOver([
      { id: 'twice', type: 'transform', config: { expression: 'item * 2' } },
      { id: 'both', type: 'log', config: { message: 'Both' } },
    ]);
    const edges = [...listAt(definition, 'edges'), { source: 'all', target: 'both', branch: 'each' }];
    const { rows } = await runToEnd(service, { ...definition, edges }, { items: [3] });
    const started = rows.find((row) => row['nodeId'] === 'both');
    assert.deepEqual(started?.['input'], { twice: 6, all: 3 });
  });

  it('continue in the middle after a restart', async () => {
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    const body = [{ id: 'wait', type: 'delay', config: { milliseconds: '{{ item = 3 ? 60000 : 0 }}' } }];
    const workflowId = await createDeployed(service, loopOver(body));
    const executionId = await execute(service, workflowId, { items: numbers(6) });
    await followUntil(service, executionId, (row) => row['message'] === 'Waiting 60000 ms.');
    await service.dispose();
    await queryStorage(path, 'UPDATE node_runs SET wake_at = 1 WHERE wake_at > 1');
    await queryStorage(path, `UPDATE executions SET available_at = 0 WHERE completed_at IS NULL`);
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    const rows = await follow(service, executionId);
    const { body: output } = await call(service, 'GET', `/v1/executions/${executionId}/output`);
    assert.deepEqual([output['status'], output['output']], ['completed', numbers(6)]);
    const ended = rows.filter((row) => row['nodeId'] === 'wait' && row['status'] === 'completed');
    assert.deepEqual(
      ended.map((row) => at(row, 'iteration', 0)),
      numbers(6),
    );
  });

  it('fail with a clear error when their results are too large together', async () => {
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    const definition = loopOver(
      [{ id: 'big', type: 'transform', config: { expression: '$pad("", 1000000, "x")' } }],
      'nodes.big',
    );
    const { result } = await runToEnd(service, definition, { items: numbers(10) });
    assert.equal(at(result, 'error', 'nodeId'), 'all');
    assert.match(textAt(result, 'error', 'message'), /^Failed in iteration 9 of 10: The results .* 8 MiB/);
  });

  it('and all nodes store a large value once, however many rows show it', async () => {
    service = await createTestService({ path, requestsPerMinute: 10_000 });
    const definition = chain(
      ['start', 'trigger'],
      ['big', 'transform', { expression: '"marked " & $pad("", 100000, input.letter)' }],
      ['wait', 'delay', { milliseconds: 1 }],
      ['copy', 'transform', { expression: 'nodes.big' }],
      ['answer', 'output', { expression: 'nodes.copy' }],
    );
    const { result } = await runToEnd(service, definition, { letter: 'x' });
    assert.equal(textAt(result, 'output').length, 'marked '.length + 100_000);
    const tables = ['executions', 'node_runs', 'node_logs', 'payloads', 'loop_turns', 'portal_events'];
    let size = 0;
    for (const table of tables)
      for (const row of await queryStorage(path, `SELECT * FROM ${table}`))
        for (const value of Object.values(row)) if (typeof value === 'string') size += value.length;
    assert.ok(size < 150_000, `${size} characters`);
  });
});

describe('Large values in a log', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  it('are truncated in lists and streams, and complete when a row is read alone', async () => {
    const definition = chain(
      ['start', 'trigger'],
      ['big', 'transform', { expression: '$pad("", 300000, "y")' }],
    );
    const { executionId, rows } = await runToEnd(service, definition);
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/logs`);
    const listed = listAt(body, 'data').at(-1);
    for (const row of [listed, rows.at(-1)]) {
      assert.equal(at(row, 'output', '$cut', 'bytes'), 300_002);
      assert.match(textAt(row, 'output', '$cut', 'preview'), /^"y{999}$/);
    }
    const whole = await call(service, 'GET', `/v1/executions/${executionId}/logs/${textAt(listed, 'id')}`);
    assert.equal(textAt(whole.body, 'output'), 'y'.repeat(300_000));
    const none = await call(service, 'GET', `/v1/executions/${executionId}/logs/log_none`);
    assert.deepEqual([none.status, at(none.body, 'error', 'code')], [404, 'node_log_not_found']);
  });

  it('begin with whole characters', async () => {
    const definition = chain(
      ['start', 'trigger'],
      ['big', 'transform', { expression: '$pad("", 100000, "💡")' }],
    );
    const { rows } = await runToEnd(service, definition);
    assert.equal(textAt(rows.at(-1), 'output', '$cut', 'preview'), `"${'💡'.repeat(499)}`);
  });

  it('end a page at about 1 MiB, and the next page continues', async () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const nodes = letters.map(
      (id) => [id, 'transform', { expression: `$pad("", 250000, "${id}")` }] as const,
    );
    const { executionId, rows } = await runToEnd(service, chain(['start', 'trigger'], ...nodes));
    const sequences: unknown[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const query = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body, text } = await call(service, 'GET', `/v1/executions/${executionId}/logs?${query}`);
      assert.ok(text.length < 1.3 * 1024 * 1024, `${text.length} characters`);
      sequences.push(...listAt(body, 'data').map((row) => row['sequence']));
      cursor = typeof body['nextCursor'] === 'string' ? body['nextCursor'] : null;
    }
    assert.ok(pages > 2);
    assert.deepEqual(
      sequences,
      rows.map((row) => row['sequence']),
    );
  });

  it('end a page of portal events as well', async () => {
    const data = { text: 'z'.repeat(400_000) };
    for (const id of ['1', '2', '3', '4', '5'])
      await call(service, 'POST', '/v1/portal/events', { type: 'big', id, data });
    const { body, text } = await call(service, 'GET', '/v1/portal/events?type=portal.big');
    assert.ok(text.length < 1.3 * 1024 * 1024, `${text.length} characters`);
    assert.equal(typeof body['nextCursor'], 'string');
  });
});
