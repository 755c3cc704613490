// Four windows as processes of their own, on one key, against a service that tells no counts; by the real clock, so it takes more than a minute.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { parseJson } from '../../../../src/base/json.ts';
import { densest } from '../../../support/densest.ts';
import { serve } from '../../../support/servers.ts';
import { type Task, taskVariable, Told } from './windowProcess.ts';

const windows = 4;
const lengthMs = 85_000;
/** Of each window; the four together ask for fewer than fifteen in any minute, which are theirs whatever happens. */
const betweenCallsMs = 20_000;
const key = 'svc_sk_four0123456789';

/** Resolves with what the window told; killed: with nothing. */
async function runWindow(task: Task, killAfterMs?: number) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'windowProcess.ts')], {
    env: { ...process.env, [taskVariable]: JSON.stringify(task) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const killing =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  await once(child, 'close');
  clearTimeout(killing);
  return killAfterMs === undefined ? v.parse(Told, parseJson(printed)) : undefined;
}

describe('four processes on one key', () => {
  it('never send more than sixty in a minute, and every call of a person is answered, one of them killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'four-'));
    const arrivals: number[] = [];
    const service = await serve((request, response) => {
      arrivals.push(performance.now());
      request.resume();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":[]}');
    });
    const task = (first: number) => ({
      path: join(folder, 'budget.db'),
      baseUrl: `http://127.0.0.1:${service.port}/v1`,
      key,
      lengthMs,
      askAt: [0, 1, 2, 3, 4].map((turn) => first + turn * betweenCallsMs),
    });
    try {
      const results = await Promise.all([
        ...Array.from({ length: windows }, (_window, index) => runWindow(task(1000 + index * 500))),
        // A fifth dies in the middle of what it does.
        runWindow({ ...task(0), askAt: [] }, 3000),
      ]);
      const told = results.filter((result) => result !== undefined);
      assert.deepEqual(
        told.flatMap(({ failures, warnings }) => [...failures, ...warnings]),
        [],
      );
      assert.deepEqual(
        told.map(({ persons }) => persons),
        [5, 5, 5, 5],
      );
      assert.ok(densest(arrivals) <= 60, `${densest(arrivals)} in a minute`);
      // The second minute has begun for all of them.
      assert.ok(arrivals.length > 60, `${arrivals.length}`);
    } finally {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
