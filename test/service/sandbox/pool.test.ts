// A pool gives work to workers that live.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Pool } from '../../../src/service/sandbox/pool.ts';

describe('A pool of workers', () => {
  it('replaces a worker that ended while it was idle', async () => {
    const ends: Promise<unknown>[] = [];
    const onStart = (worker: Worker): void => void ends.push(once(worker, 'exit'));
    process.on('worker', onStart);
    const program = new URL('./mortal.ts', import.meta.url);
    const pool = new Pool({
      program,
      size: 1,
      maximumWaiting: 10,
      maximumChecks: 1,
      memoryMiB: 32,
      heldCharacters: 100,
    });
    const scope = { input: 0, nodes: [], loop: null };
    const task = { kind: 'list', expression: '', scope } as const;
    for (const turn of [1, 2]) {
      assert.deepEqual(await pool.run<'list'>('owner', { task, values: [], deadlineMs: 60_000 }), []);
      assert.equal(ends.length, turn);
      await ends.at(-1);
    }
    process.off('worker', onStart);
    await pool.dispose();
  });

  it('rejects what waits, and nothing else, when no worker can be started', async () => {
    const silent =
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {}); parentPort.postMessage({});';
    const programs = [new URL(`data:text/javascript,${encodeURIComponent(silent)}`)];
    const pool = new Pool({
      get program() {
        return programs.shift() ?? new URL('https://nowhere.example');
      },
      size: 1,
      maximumWaiting: 10,
      maximumChecks: 1,
      memoryMiB: 32,
      heldCharacters: 100,
    });
    const task = { kind: 'list', expression: '', scope: { input: 0, nodes: [], loop: null } } as const;
    const run = () => pool.run<'list'>('owner', { task, values: [], deadlineMs: 50 });
    await assert.rejects(run(), { kind: 'timedOut' });
    await assert.rejects(run(), { kind: 'crashed' });
    assert.equal(pool.use.expressions, 0);
    await pool.dispose();
  });
});
