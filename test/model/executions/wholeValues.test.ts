// A node run whose values a page of rows cut is read whole, row by row; where the service cannot, what is known stays.
import assert from 'node:assert/strict';
import { truncatedValue } from '../../../src/protocol/truncatedValue.ts';
import { kindOf } from '../../support/reasons.ts';
import { foldNodeRuns, makeNodeLog, statusOf } from '../../support/memory/records.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import { connectBoth, createWorld } from '../../support/memory/world.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import type { NodeRun } from '../../../src/domain/nodeRun.ts';

const cut = (bytes: number) => ({ $cut: { bytes, preview: '{"a":"xx' } });
const startedAt = new Date('2026-01-05T10:00:00.000Z');

function cutRun(): NodeRun {
  const [run] = foldNodeRuns([
    makeNodeLog(1, { input: cut(300_000), startedAt, status: statusOf('running') }),
    makeNodeLog(2, { output: cut(400_000), startedAt, status: statusOf('completed') }),
  ]);
  return run ?? assert.fail('There is no run.');
}

describe('values that were cut', () => {
  async function read(run: NodeRun, answer: (path: string) => ScriptedAnswer) {
    const scripted = createScriptedClient(answer);
    const world = createWorld({ createClient: () => scripted.client, clock: scripted.clock });
    const [connectionId] = await connectBoth(world);
    const whole = world.executions.readWholeValues({ connectionId, executionId: 'x' }, run);
    return { whole, requests: scripted.requests };
  }

  it('are read from the rows that hold them', async () => {
    const { whole, requests } = await read(cutRun(), (path) => ({
      body: path.endsWith('log_1')
        ? { id: 'log_1', nodeId: 'n1', input: { a: 'whole' } }
        : { data: { id: 'log_2', nodeId: 'n1', output: ['whole'] } },
    }));
    const { input, output, logs } = await whole;
    assert.deepEqual([input, output, logs.length], [{ a: 'whole' }, ['whole'], 2]);
    assert.deepEqual(
      requests.map(({ url }) => url.replace(/^.*\/v1/, '')),
      ['/executions/x/logs/log_1', '/executions/x/logs/log_2'],
    );
  });

  it('are read where a body of an exchange was cut', async () => {
    const exchange = (body: JsonValue) => ({
      request: { method: 'PUT', url: 'http://a/', headers: {}, body },
    });
    const [run] = foldNodeRuns([makeNodeLog(1, { exchange: exchange(cut(300_000)) })]);
    const { whole, requests } = await read(run ?? assert.fail('There is no run.'), () => ({
      body: { id: 'log_1', nodeId: 'n1', ...exchange('whole') },
    }));
    assert.deepEqual([(await whole).exchange, requests.length], [exchange('whole'), 1]);
  });

  it('stay cut where the service has no such call or row', async () => {
    for (const code of ['route_not_found', 'log_not_found']) {
      const { whole } = await read(cutRun(), () => ({
        status: 404,
        body: { error: { code, message: 'M' } },
      }));
      assert.deepEqual((await whole).output, cut(400_000));
    }
  });

  it('fail with what else the service says', async () => {
    const { whole } = await read(cutRun(), () => ({ status: 403, body: {} }));
    assert.equal(await kindOf(whole), 'forbidden');
  });

  it('cost nothing where nothing was cut', async () => {
    const [run] = foldNodeRuns([makeNodeLog(1, { input: { $cut: 'my own' }, output: 7 })]);
    const { whole, requests } = await read(run ?? assert.fail('There is no run.'), () => ({}));
    assert.deepEqual([(await whole).input, requests.length], [{ $cut: 'my own' }, 0]);
  });

  it('are told from values that only look like them', () => {
    assert.deepEqual(truncatedValue(cut(5)), { bytes: 5, preview: '{"a":"xx' });
    for (const value of [
      ...[undefined, null, 'x', [], {}, { $cut: null }, { $cut: { bytes: -1, preview: '' } }],
      ...[{ $cut: { bytes: 1e300, preview: '' } }, { $cut: { bytes: 1 } }, { ...cut(5), other: 1 }],
    ])
      assert.equal(truncatedValue(value), undefined);
  });
});
