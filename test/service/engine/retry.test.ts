// A retry goes on from where an execution ended: what has finished is never called again.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { at, call, createDeployed, execute, follow, followUntil, textAt } from '../calls.ts';
import { edge, end, start, tenPaths } from './callingDefinitions.ts';
import { useCallingService } from './callingService.ts';

describe('A retry', () => {
  const { server, service, ask, line, loop, get, run, askRetry } = useCallingService();

  const output = async (executionId: string): Promise<JsonValue | undefined> =>
    (await call(service, 'GET', `/v1/executions/${executionId}/output`)).body['output'];

  async function retry(
    executionId: string,
    body?: JsonObject,
  ): Promise<{ executionId: string; rows: readonly JsonObject[]; status: JsonValue | undefined }> {
    const answer = await askRetry(executionId, body);
    assert.equal(answer.status, 202, answer.text);
    const retried = textAt(answer.body, 'executionIds', 0);
    const rows = await follow(service, retried);
    const record = await get(retried);
    assert.equal(record['retryOf'], executionId);
    return { executionId: retried, rows, status: record['status'] };
  }

  it('reuses what has finished from the record, and runs the rest', async () => {
    const { executionId } = await run(line());
    assert.equal((await get(executionId))['status'], 'completed');
    server.take();
    server.fail('/b');
    const failed = await run(line());
    assert.deepEqual(server.take(), { '/a': 1, '/b': 1 });
    const { rows, status, executionId: retried } = await retry(failed.executionId);
    assert.equal(status, 'completed');
    assert.deepEqual(server.take(), { '/b': 1, '/c': 1 });
    assert.equal(await output(retried), '/a/c');
    const reused = rows.filter((row) => row['reusedFrom'] === failed.executionId);
    assert.deepEqual(
      reused.map((row) => [row['nodeId'], row['status'], at(row['output'], 'body', 'path')]),
      [
        ['start', 'completed', undefined],
        ['a', 'completed', '/a'],
      ],
    );
  });

  it('continues inside the iteration of a loop that failed', async () => {
    server.fail('/b6');
    const { executionId } = await run(loop());
    const calls = server.take();
    assert.deepEqual([calls['/a6'], calls['/b6'], calls['/a7']], [1, 1, undefined]);
    const retried = await retry(executionId);
    assert.equal(retried.status, 'completed');
    assert.deepEqual(await output(retried.executionId), tenPaths);
    assert.deepEqual(server.take(), {
      '/a7': 1,
      '/a8': 1,
      '/a9': 1,
      '/after': 1,
      '/b6': 1,
      '/b7': 1,
      '/b8': 1,
      '/b9': 1,
    });
    // Finished turns aren't written again.
    const turns = retried.rows
      .filter(({ nodeId }) => nodeId === 'a')
      .map(({ iteration }) => at(iteration, 0));
    assert.deepEqual([...new Set(turns)], [6, 7, 8, 9]);
  });

  it('is retried itself until it completes', async () => {
    server.fail('/b2');
    server.fail('/a5');
    server.fail('/after', 2);
    let { executionId } = await run(loop());
    let status: JsonValue | undefined = 'failed';
    let tries = 0;
    while (status === 'failed') {
      ({ executionId, status } = await retry(executionId));
      tries += 1;
    }
    assert.equal(tries, 4);
    assert.deepEqual(await output(executionId), tenPaths);
    const calls = server.take();
    const wrong = Object.entries(calls).filter(
      ([path, count]) => count !== (path === '/after' ? 3 : path === '/b2' || path === '/a5' ? 2 : 1),
    );
    assert.deepEqual(wrong, []);
  });

  it('continues in a loop in a loop', async () => {
    const definition = {
      name: 'Loops',
      nodes: [
        start,
        { id: 'outer', type: 'forEach', config: { items: '[0..2]' } },
        { id: 'inner', type: 'forEach', config: { items: '[item * 10, item * 10 + 1, item * 10 + 2]' } },
        ask('a', '/x{{ item }}'),
        { id: 'path', type: 'transform', config: { expression: 'nodes.a.body.path' } },
        end('nodes.outer'),
      ],
      edges: [
        edge('start', 'outer'),
        edge('outer', 'inner', 'each'),
        edge('inner', 'a', 'each'),
        edge('a', 'path'),
        edge('outer', 'end', 'done'),
      ],
    };
    server.fail('/x11');
    const { executionId } = await run(definition);
    server.take();
    const retried = await retry(executionId);
    assert.equal(retried.status, 'completed', JSON.stringify(await get(retried.executionId)));
    assert.deepEqual(server.take(), { '/x11': 1, '/x12': 1, '/x20': 1, '/x21': 1, '/x22': 1 });
    assert.deepEqual(await output(retried.executionId), [
      ['/x0', '/x1', '/x2'],
      ['/x10', '/x11', '/x12'],
      ['/x20', '/x21', '/x22'],
    ]);
  });

  it('from a node runs it in all iterations, and the nodes after it', async () => {
    const { executionId } = await run(loop());
    server.take();
    const retried = await retry(executionId, { fromNodeId: 'b' });
    assert.equal(retried.status, 'completed');
    assert.deepEqual(Object.keys(server.take()), ['/after', ...tenPaths]);
    assert.deepEqual(await output(retried.executionId), tenPaths);
    assert.equal(retried.rows.filter((row) => row['nodeId'] === 'a' && 'reusedFrom' in row).length, 10);
    // And that one's retry takes each record from where it is.
    const again = await retry(retried.executionId, { fromNodeId: 'after' });
    assert.deepEqual([again.status, server.take()], ['completed', { '/after': 1 }]);
    assert.deepEqual(await output(again.executionId), tenPaths);
  });

  it('of a retry from a node that failed reuses nothing that was to run again', async () => {
    const { executionId } = await run(loop());
    server.fail('/b3');
    const failed = await retry(executionId, { fromNodeId: 'b' });
    assert.equal(failed.status, 'failed');
    server.take();
    const retried = await retry(failed.executionId);
    assert.equal(retried.status, 'completed');
    assert.deepEqual(Object.keys(server.take()), ['/after', ...tenPaths.slice(3)]);
  });

  it('with the deployed definition runs what it has changed, and what comes after', async () => {
    server.fail('/c');
    const { executionId, workflowId } = await run(line());
    const { nodes, ...rest } = line();
    const changed = {
      ...rest,
      nodes: (nodes as readonly JsonObject[]).map((node) =>
        node['id'] === 'b' ? ask('b', '/other') : { ...node, name: 'Renamed' },
      ),
    };
    assert.equal((await call(service, 'PATCH', `/v1/workflows/${workflowId}`, changed)).status, 200);
    assert.equal((await call(service, 'POST', `/v1/workflows/${workflowId}/deploy`)).status, 200);
    server.take();
    assert.equal((await retry(executionId, { definition: 'deployed' })).status, 'completed');
    assert.deepEqual(server.take(), { '/c': 1, '/other': 1 });
    server.take();
    assert.equal((await retry(executionId)).status, 'completed');
    assert.deepEqual(server.take(), { '/c': 1 });
  });

  it('does not run a node again whose failure was handled', async () => {
    const definition = {
      name: 'Handled',
      nodes: [start, ask('a', '/handled'), ask('b', '/b'), end('nodes.a.error.code')],
      edges: [edge('start', 'a'), edge('a', 'b', 'error'), edge('b', 'end')],
    };
    server.fail('/handled');
    server.fail('/b');
    const { executionId } = await run(definition);
    server.take();
    const retried = await retry(executionId);
    assert.deepEqual([retried.status, server.take()], ['completed', { '/b': 1 }]);
    assert.equal(await output(retried.executionId), 'http_status');
  });

  it('continues where an execution was cancelled', async () => {
    const waiting = {
      name: 'Slow',
      nodes: [start, ask('a', '/a'), { id: 'rest', type: 'delay', config: { milliseconds: 2000 } }, end('1')],
      edges: [edge('start', 'a'), edge('a', 'rest'), edge('rest', 'end')],
    };
    const workflowId = await createDeployed(service, waiting);
    const executionId = await execute(service, workflowId, {});
    await followUntil(service, executionId, ({ status }) => status === 'waiting');
    assert.equal((await call(service, 'POST', `/v1/executions/${executionId}/cancel`)).status, 200);
    server.take();
    const retried = await retry(executionId);
    assert.deepEqual([retried.status, server.take()], ['completed', {}]);
  });
});
