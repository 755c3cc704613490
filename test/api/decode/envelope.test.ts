// The same record arrives bare or in any of a dozen envelopes.
import assert from 'node:assert/strict';
import { anyOf } from '../../../src/api/decode/fields.ts';
import { reportsFailure, unwrapList, unwrapRecord } from '../../../src/api/decode/envelope.ts';
import type { JsonValue } from '../../../src/base/json.ts';

describe('unwrapping', () => {
  const record = { id: 'wf_1', name: 'A' };
  const records: readonly (readonly [string, JsonValue | undefined, JsonValue | undefined])[] = [
    ['a bare record', record, record],
    ...['data', 'result', 'workflow', 'execution', 'item', 'payload'].map(
      (name) => [`a record in ${name}`, { [name]: record, meta: {} }, record] as const,
    ),
    ['three layers', { data: { result: { workflow: record } } }, record],
    [
      'a record whose own data is an object',
      { id: 'wf_1', data: { id: 'x' } },
      { id: 'wf_1', data: { id: 'x' } },
    ],
    ['a status beside the envelope', { status: 'success', data: record }, record],
    ['an object without a known field, as it is', { foo: 1 }, { foo: 1 }],
    ['text', 'wf_1', undefined],
    ['a list', [record], undefined],
    ['nothing', undefined, undefined],
  ];
  for (const [title, body, expected] of records)
    it(`takes out ${title}`, () => assert.deepEqual(unwrapRecord(body, anyOf('id')), expected));

  it('stops after three layers', () => {
    const deep = { data: { data: { data: { data: record } } } };
    assert.deepEqual(unwrapRecord(deep, anyOf('id')), { data: record });
  });

  const rows = [record];
  const lists: readonly (readonly [string, JsonValue | undefined, JsonValue | undefined])[] = [
    ['a bare array', rows, rows],
    ...['data', 'items', 'results', 'records', 'list', 'runs', 'workflow_runs', 'dag_runs'].map(
      (name) => [name, { total: 1, [name]: rows }, rows] as const,
    ),
    ['one level down in data', { success: true, data: { items: rows, total: 1 } }, rows],
    ['the only array there is', { things: rows, count: 1 }, rows],
    ['nothing of two unknown arrays', { things: rows, others: [] }, undefined],
    ['an empty list', { data: [] }, []],
    ['nothing in text', 'x', undefined],
  ];
  for (const [title, body, expected] of lists)
    it(`finds the list: ${title}`, () =>
      assert.deepEqual(unwrapList(body, anyOf('runs', 'workflowRuns', 'dagRuns')), expected));

  const failures: readonly (readonly [JsonValue, boolean])[] = [
    [{ success: false, message: 'x' }, true],
    [{ ok: false }, true],
    [{ success: true }, false],
    [{ id: 'exec_1', success: false }, false],
    [[], false],
  ];
  for (const [body, expected] of failures)
    it(`${JSON.stringify(body)} ${expected ? 'is' : 'is not'} a failed call`, () =>
      assert.equal(reportsFailure(body), expected));
});
