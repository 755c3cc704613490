// An output arrives bare or in any record and envelope, and stays whole.
import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { decodeOutput } from '../../../src/api/decode/execution.ts';

describe('output', () => {
  const ready = (output: JsonValue, error: string | null = null): unknown => ({
    kind: 'ready',
    output,
    error: error === null ? null : { code: null, message: error, nodeId: null },
  });
  const rows: readonly (readonly [JsonValue, unknown])[] = [
    [{ executionId: 'x', status: 'completed', output: { a: 1 }, error: null }, ready({ a: 1 })],
    [{ executionId: 'x', status: 'completed', output: null, error: null }, ready(null)],
    [{ executionId: 'x', status: 'failed', output: null, error: 'Boom' }, ready(null, 'Boom')],
    [{ data: { executionId: 'x', status: 'completed', output: 1 } }, ready(1)],
    [{ id: 'x', result: '{"a":1}', outputType: 'application/json' }, ready({ a: 1 })],
    [{ output: 1 }, ready({ output: 1 })],
    [{ id: 'x', a: 1 }, ready({ id: 'x', a: 1 })],
    [{ data: { a: 1 } }, ready({ data: { a: 1 } })],
    [[1], ready([1])],
    ['text', ready('text')],
  ];
  for (const [body, expected] of rows)
    it(`reads ${JSON.stringify(body)}`, () => assert.deepEqual(decodeOutput(body), expected));

  const outputs: readonly JsonValue[] = [
    ...[null, 0, false, '', [], {}, 1, 'text', [1]],
    { data: { id: 'a', status: 'completed', output: 1 } },
    { result: { executionId: 'other', output: 2 } },
    { payload: { success: true } },
    { success: true, data: { status: 'completed', result: 'mine' } },
    { execution: { id: 'x', status: 'completed', output: 3 } },
    { output: 4, status: 'done' },
  ];
  const record = (output: JsonValue): JsonObject => ({ executionId: 'x', status: 'completed', output });
  const wrappers: Readonly<Record<string, (inner: JsonObject) => JsonObject>> = {
    'no envelope': (inner) => inner,
    ...Object.fromEntries(
      ['data', 'result', 'workflow', 'execution', 'item', 'payload'].map((name) => [
        name,
        (inner: JsonObject) => ({ success: true, [name]: inner }),
      ]),
    ),
    'a status and a result': (inner) => ({ status: 'success', result: inner, request_id: 'r' }),
    'an envelope that says more': (inner) => ({ data: inner, tookMs: 12 }),
    'two envelopes': (inner) => ({ ok: true, data: { execution: inner }, meta: {} }),
    'three envelopes': (inner) => ({ code: 0, data: { result: { item: inner } } }),
  };
  for (const [title, wrap] of Object.entries(wrappers))
    it(`is found in ${title}, whatever it is, and stays whole`, () => {
      for (const output of outputs)
        assert.deepEqual(decodeOutput(wrap(record(output)), 'x'), ready(output), JSON.stringify(output));
    });

  it('is the whole body where nothing says that it is wrapped', () => {
    for (const output of [
      { data: { invoice: 1, result: 'paid' } },
      { invoice: 12, data: { id: 'other', status: 'completed', result: 'x' } },
      { data: { id: 3, status: 'open', result: 'x' } },
      { result: { total: 3 } },
      { success: true, data: { items: [] } },
    ])
      assert.deepEqual(decodeOutput(output, 'x'), ready(output), JSON.stringify(output));
  });

  it('is not ready where the record, also a wrapped one, has none yet', () => {
    for (const body of [
      { executionId: 'x', status: 'running' },
      { success: true, data: { executionId: 'x', status: 'queued', output: null } },
      { success: true, data: { id: 'x', status: 'InProgress' } },
    ])
      assert.equal(decodeOutput(body, 'x').kind, 'notReady', JSON.stringify(body));
  });

  it('is not ready while the execution runs', () => {
    const reading = decodeOutput({ executionId: 'x', status: 'running', output: null, error: null });
    assert.equal(reading.kind, 'notReady');
    assert.equal(reading.status?.state, 'running');
  });
});
