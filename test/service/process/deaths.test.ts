// An execution that crashes the service is ended; one that progresses continues, however often the process crashes.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { systemClock, wait } from '../../../src/base/time.ts';
import { type Running, serve } from '../../support/servers.ts';
import { at, call, createDeployed, execute, follow, followUntil, listAt, type Service } from '../calls.ts';
import {
  createDataFolder,
  createKey,
  type Program,
  removeDataFolder,
  serviceOf,
  startProgram,
} from './program.ts';

describe('Crashes of the process', () => {
  let dataFolder = '';
  let key = '';
  let program: Program;
  const seen: string[] = [];
  /** Requests without a response: reported when they arrive. */
  let isHeld: (path: string) => boolean = () => false;
  let onHeld: (() => void) | undefined;
  let server: Running;
  let base = '';

  before(async () => {
    server = await serve(({ url: path = '' }, response) => {
      seen.push(path);
      if (isHeld(path)) onHeld?.();
      else response.end('ok');
    });
    base = `http://127.0.0.1:${server.port}`;
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
  after(() => server.close());

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

  it('end an execution at the third crash with an error code of its own, and it never runs again', async () => {
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

  it('do not end an execution that progresses between them', async () => {
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

  /** Each with the code of its error, in the order of their ids. */
  const statuses = async (ids: readonly string[]): Promise<readonly string[]> => {
    const { body } = await call(service(), 'GET', '/v1/executions?limit=100');
    const byId = new Map(
      listAt(body, 'data').map((row) => [
        row['id'],
        [row['status'], at(row, 'error', 'code')].filter((word) => typeof word === 'string').join(' '),
      ]),
    );
    return ids.map((id) => byId.get(id) ?? 'missing');
  };
  /** Executes one after the other, while none of their requests gets a response, and waits until as many are under way as possible. */
  const executeAll = async (paths: readonly string[]): Promise<readonly string[]> => {
    isHeld = () => true;
    const workflowId = await createDeployed(service(), calling('{{ input.url }}'));
    const ids: string[] = [];
    for (const path of paths) ids.push(await execute(service(), workflowId, { url: `${base}${path}` }));
    await untilTrue(() => Promise.resolve(seen.length >= 64));
    return ids;
  };

  it('end the execution that causes them after a few, and none of a hundred that ran beside it', async () => {
    const ids = await executeAll(
      Array.from({ length: 100 }, (_path, index) => (index === 40 ? '/poison' : `/ok/${index}`)),
    );
    let deaths = 0;
    let isEnded = false;
    isHeld = (path) => path === '/poison';
    while (!isEnded) {
      const poisoned = new Promise<'dead'>((resolve) => (onHeld = () => resolve('dead')));
      await program.kill();
      deaths += 1;
      await restart();
      const ended = untilTrue(async () =>
        (await statuses(ids)).every((status) => /^(completed|failed)/.test(status)),
      );
      isEnded = (await Promise.race([poisoned, ended.catch(() => undefined)])) !== 'dead';
    }
    assert.ok(deaths <= 6, `${deaths} deaths`);
    assert.deepEqual(
      (await statuses(ids)).filter(
        (status, index) => status !== (index === 40 ? 'failed interrupted_repeatedly' : 'completed'),
      ),
      [],
    );
  });

  it('caused from outside, again and again, end none of a hundred executions', async () => {
    const ids = await executeAll(Array.from({ length: 100 }, (_path, index) => `/slow/${index}`));
    for (const afterMs of [5, 355, 120, 30, 250]) {
      await program.kill();
      await restart();
      await wait(systemClock, afterMs);
    }
    await program.kill();
    isHeld = () => false;
    await restart();
    await untilTrue(async () => (await statuses(ids)).every((status) => /^(completed|failed)/.test(status)));
    assert.deepEqual(
      (await statuses(ids)).filter((status) => status !== 'completed'),
      [],
    );
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

/** Looks again and again. Fails after a time that only a fault takes. */
async function untilTrue(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, 'It took more than a minute.');
    await wait(systemClock, 100);
  }
}

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
