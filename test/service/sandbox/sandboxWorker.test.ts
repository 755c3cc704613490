// A worker is handed each value once, however often expressions see it, and keeps no more than it may.
import assert from 'node:assert/strict';
import { SandboxWorker, WorkerEnd } from '../../../src/service/sandbox/sandboxWorker.ts';
import { ScopeValue } from '../../../src/definition/expressionScope.ts';

const options = { memoryMiB: 32, heldCharacters: 100 };

describe('A worker of the sandbox', () => {
  it('gets the values that it lacks, and releases those used longest ago', async () => {
    const worker = new SandboxWorker({ ...options, program: new URL('./echo.ts', import.meta.url) });
    await worker.ready;
    const [first, second, third, large] = [40, 40, 40, 300].map(
      (length) => new ScopeValue('1'.repeat(length)),
    );
    assert.ok(first && second && third && large);
    const give = async (...values: ScopeValue[]): Promise<readonly string[]> => {
      const scope = { input: 0, nodes: [], loop: null };
      const task = { kind: 'list', expression: '', scope } as const;
      return worker.run<'list'>({ task, values, deadlineMs: 60_000 });
    };
    assert.deepEqual(await give(first), [`load ${first.id}`]);
    for (let turn = 0; turn < 100; turn += 1) assert.deepEqual(await give(first), []);
    assert.deepEqual(await give(first, second), [`load ${second.id}`]);
    assert.deepEqual(await give(first), []);
    assert.deepEqual(await give(third), [`load ${third.id}`, `drop ${second.id}`]);
    assert.deepEqual(await give(first), []);
    // What is needed now is held, whatever its size.
    assert.deepEqual(await give(large), [`load ${large.id}`, `drop ${third.id}`, `drop ${first.id}`]);
    assert.deepEqual(await give(large), []);
    assert.deepEqual(await give(first), [`load ${first.id}`, `drop ${large.id}`]);
    await worker.end(new WorkerEnd('stopped', 'the test is over.'));
    assert.ok(worker.isEnded);
  });

  it('reports why it cannot start', async () => {
    const worker = new SandboxWorker({ ...options, program: new URL('./missing.ts', import.meta.url) });
    await assert.rejects(worker.ready, {
      name: 'WorkerEnd',
      kind: 'crashed',
      message: /its worker ended: .*missing/,
    });
  });
});
