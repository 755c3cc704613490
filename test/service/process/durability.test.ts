// The promise that matters most: killed in the middle of a node, an execution goes on, and nothing finished is repeated.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Running, serve } from '../../support/servers.ts';
import {
  at,
  call,
  createDeployed,
  execute,
  follow,
  listAt,
  openStream,
  readEvents,
  textAt,
} from '../calls.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';

describe('Durability', () => {
  let dataFolder = '';
  let program: Program;
  /** Requests by path; `/second` is held until it is let go. */
  const seen: string[] = [];
  let onHeld: (() => void) | undefined;
  let isHolding = true;
  let server: Running;
  let base = '';

  before(async () => {
    dataFolder = await createDataFolder();
    server = await serve(({ url = '' }, response) => {
      seen.push(url);
      if (url === '/second' && isHolding) onHeld?.();
      else response.end('ok');
    });
    base = `http://127.0.0.1:${server.port}`;
    program = await startProgram(dataFolder);
  });
  after(async () => {
    await program.kill();
    await server.close();
    await removeDataFolder(dataFolder);
  });

  const ways = [
    ['killed', () => program.kill()],
    ['stopped by a signal', () => program.terminate()],
  ] as const;
  for (const [how, end] of ways)
    it(`${how} in the middle of the second of three nodes, it completes after a restart`, async () => {
      seen.length = 0;
      isHolding = true;
      const key = await createKey(dataFolder);
      const service = serviceOf(program, key);
      const workflowId = await createDeployed(service, threeRequests(base));
      const held = new Promise<void>((resolve) => (onHeld = resolve));
      const executionId = await execute(service, workflowId, {});
      await held;
      // An edit of the draft while it runs must not touch it.
      await call(service, 'PATCH', `/v1/workflows/${workflowId}`, { nodes: [], edges: [] });
      await end();
      isHolding = false;

      program = await startProgram(dataFolder);
      const restarted = serviceOf(program, key);
      const rows = await follow(restarted, executionId);
      const { body } = await call(restarted, 'GET', `/v1/executions/${executionId}/output`);
      assert.deepEqual([body['status'], body['output']], ['completed', 'ok ok ok']);
      assert.deepEqual(seen, ['/first', '/second', '/second', '/third']);
      assertRows(rows);
      await assertEvents(restarted, executionId);
    });

  it('a stream resumed after the restart has every row once', async () => {
    const key = await createKey(dataFolder);
    const service = serviceOf(program, key);
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, type: 'delay', config: { milliseconds: 300 } }));
    const definition = {
      name: 'Waits',
      nodes: [{ id: 'start', type: 'trigger' }, ...nodes],
      edges: [
        { source: 'start', target: 'a' },
        { source: 'a', target: 'b' },
        { source: 'b', target: 'c' },
      ],
    };
    const executionId = await execute(service, await createDeployed(service, definition), {});
    const sequences: number[] = [];
    const path = `/v1/executions/${executionId}/logs`;
    const collect = async (from: typeof service, headers: Record<string, string>, until: number) => {
      for await (const { event, data } of readEvents(await openStream(from, path, headers))) {
        if (event === 'log') sequences.push(Number(data['sequence']));
        if (sequences.length === until) return;
      }
    };
    await collect(service, {}, 5);
    await program.kill();
    program = await startProgram(dataFolder);
    await collect(serviceOf(program, key), { 'Last-Event-ID': String(sequences.at(-1)) }, -1);
    assert.deepEqual(
      sequences,
      sequences.map((_sequence, index) => index + 1),
    );
    const rows = listAt((await call(serviceOf(program, key), 'GET', `${path}?limit=100`)).body, 'data');
    assert.equal(rows.length, sequences.length);
    const attempts = rows.map((row) => row['attempt']);
    assert.deepEqual(new Set(attempts), new Set([1]), 'a delay is taken up again, not repeated');
  });
});

function threeRequests(base: string): JsonObject {
  const ids = ['first', 'second', 'third'];
  return {
    name: 'Three requests',
    nodes: [
      { id: 'start', type: 'trigger' },
      ...ids.map((id) => ({ id, type: 'httpRequest', config: { url: `${base}/${id}` } })),
      {
        id: 'answer',
        type: 'output',
        config: { expression: '$join([nodes.first.body, nodes.second.body, nodes.third.body], " ")' },
      },
    ],
    edges: [
      { source: 'start', target: 'first' },
      { source: 'first', target: 'second' },
      { source: 'second', target: 'third' },
      { source: 'third', target: 'answer' },
    ],
  };
}

/** No gap, and the interrupted attempt is closed and distinguished from the one that followed. */
function assertRows(rows: readonly JsonObject[]): void {
  assert.deepEqual(
    rows.map((row) => row['sequence']),
    rows.map((_row, index) => index + 1),
  );
  const endings = rows.filter((row) => row['nodeId'] === 'second' && row['completedAt'] !== null);
  assert.deepEqual(
    endings.map((row) => [row['attempt'], row['status'], at(row, 'error', 'code') ?? null]),
    [
      [1, 'failed', 'interrupted'],
      [2, 'completed', null],
    ],
  );
  assert.match(textAt(endings[0], 'message'), /^Interrupted by a restart of the service/);
}

/** Each change of the execution and of its first node was published once. */
async function assertEvents(service: Parameters<typeof call>[0], executionId: string): Promise<void> {
  const { body } = await call(service, 'GET', '/v1/portal/events?limit=100');
  const own = listAt(body, 'data').filter((event) => at(event, 'data', 'executionId') === executionId);
  const kinds = own.map(
    (event) => `${textAt(event, 'type')} ${JSON.stringify(at(event, 'data', 'nodeId') ?? '')}`,
  );
  const once = [
    'execution.triggered ""',
    'execution.started ""',
    'execution.completed ""',
    'node.completed "first"',
  ];
  for (const kind of once) assert.equal(kinds.filter((one) => one === kind).length, 1, kind);
}
