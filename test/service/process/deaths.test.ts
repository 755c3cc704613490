// An execution that takes the service down with it is ended; one that gets on is carried on, however often the process dies.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json.ts';
import { at, call, createDeployed, execute, follow, followUntil, type Service } from '../calls.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';

describe('Deaths of the process', () => {
  let dataFolder = '';
  let key = '';
  let program: Program;
  const seen: string[] = [];
  /** Requests that are not answered: told when they come. */
  let isHeld: (path: string) => boolean = () => false;
  let onHeld: (() => void) | undefined;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    if (isHeld(path)) onHeld?.();
    else response.end('ok');
  });
  let base = '';

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    seen.length = 0;
    dataFolder = await createDataFolder();
    key = await createKey(dataFolder);
    program = await startProgram(dataFolder);
  });
  afterEach(async () => {
    await program.kill();
    await removeDataFolder(dataFolder);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const service = (): Service => serviceOf(program, key);
  const dieWhileHeld = async (begin: () => Promise<unknown>): Promise<void> => {
    const held = new Promise<void>((resolve) => (onHeld = resolve));
    await begin();
    await held;
    await program.kill();
  };
  const restart = async (): Promise<void> => {
    program = await startProgram(dataFolder);
  };

  it('end an execution at the third with a code of its own, and it is never taken up again', async () => {
    isHeld = () => true;
    const workflowId = await createDeployed(service(), calling(`${base}/poison`));
    let executionId = '';
    await dieWhileHeld(async () => {
      executionId = await execute(service(), workflowId, {});
    });
    await dieWhileHeld(restart);
    await dieWhileHeld(restart);
    await restart();
    const rows = await follow(service(), executionId);
    const { body } = await call(service(), 'GET', `/v1/executions/${executionId}`);
    assert.deepEqual(
      [body['status'], at(body, 'error', 'code'), at(body, 'error', 'nodeId')],
      ['failed', 'interrupted_repeatedly', 'call'],
    );
    assert.equal(rows.at(-1)?.['status'], 'failed');
    await program.kill();
    await restart();
    // Another execution runs, so the engine has looked for work.
    isHeld = () => false;
    await follow(service(), await execute(service(), workflowId, {}));
    assert.deepEqual(seen, ['/poison', '/poison', '/poison', '/poison']);
  });

  it('leave one alone that gets on between them', async () => {
    const held = new Set(['/0', '/1', '/2', '/3']);
    isHeld = (path) => held.delete(path);
    const workflowId = await createDeployed(service(), callingEach(base));
    let executionId = '';
    await dieWhileHeld(async () => {
      executionId = await execute(service(), workflowId, { items: [0, 1, 2, 3, 4] });
    });
    for (let died = 1; died < 4; died += 1) await dieWhileHeld(restart);
    await restart();
    await follow(service(), executionId);
    const { body } = await call(service(), 'GET', `/v1/executions/${executionId}/output`);
    assert.deepEqual([body['status'], body['output']], ['completed', ['ok', 'ok', 'ok', 'ok', 'ok']]);
    assert.deepEqual(seen, ['/0', '/0', '/1', '/1', '/2', '/2', '/3', '/3', '/4']);
  });

  it('do not count while an execution waits', async () => {
    const definition = {
      name: 'Waits',
      nodes: [
        { id: 'start', type: 'trigger' },
        { id: 'wait', type: 'delay', config: { milliseconds: 60_000 } },
      ],
      edges: [{ source: 'start', target: 'wait' }],
    };
    const executionId = await execute(service(), await createDeployed(service(), definition), {});
    for (let died = 0; died < 4; died += 1) {
      await followUntil(service(), executionId, (row) => row['status'] === 'waiting');
      await program.kill();
      await restart();
    }
    const { body } = await call(service(), 'GET', `/v1/executions/${executionId}`);
    assert.equal(body['status'], 'waiting');
  });
});

function calling(url: string): JsonObject {
  return {
    name: 'One call',
    nodes: [
      { id: 'start', type: 'trigger' },
      { id: 'call', type: 'httpRequest', config: { url } },
    ],
    edges: [{ source: 'start', target: 'call' }],
  };
}

function callingEach(base: string): JsonObject {
  return {
    name: 'A call for each',
    nodes: [
      { id: 'start', type: 'trigger' },
      { id: 'all', type: 'forEach', config: { items: 'input.items', result: 'nodes.call.body' } },
      { id: 'call', type: 'httpRequest', config: { url: `${base}/{{ item }}` } },
      { id: 'answer', type: 'output', config: { expression: 'nodes.all' } },
    ],
    edges: [
      { source: 'start', target: 'all' },
      { source: 'all', target: 'call', branch: 'each' },
      { source: 'all', target: 'answer', branch: 'done' },
    ],
  };
}
