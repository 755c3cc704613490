// The same record arrives bare or in any of a dozen envelopes.
import assert from 'node:assert/strict';
import { readNextCursor, saysFailed, unwrapList, unwrapRecord } from '../../../src/api/decode/envelope.ts';
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
    it(`takes out ${title}`, () => assert.deepEqual(unwrapRecord(body, ['id']), expected));

  it('stops after three layers', () => {
    const deep = { data: { data: { data: { data: record } } } };
    assert.deepEqual(unwrapRecord(deep, ['id']), { data: record });
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
      assert.deepEqual(unwrapList(body, ['runs', 'workflowRuns', 'dagRuns']), expected));

  const failures: readonly (readonly [JsonValue, boolean])[] = [
    [{ success: false, message: 'x' }, true],
    [{ ok: false }, true],
    [{ success: true }, false],
    [{ id: 'exec_1', success: false }, false],
    [[], false],
  ];
  for (const [body, expected] of failures)
    it(`${JSON.stringify(body)} ${expected ? 'is' : 'is not'} a failed call`, () =>
      assert.equal(saysFailed(body), expected));
});

const url = 'https://service.example/v1/workflows';
const other = 'https://evil.example/v1/workflows?page=2';

// A list that is cut short, or never ends, or leads the key to another origin.
describe('next page', () => {
  const rows: readonly (readonly [string, JsonValue, string | null])[] = [
    ['nextCursor', { nextCursor: 'c' }, 'c'],
    ['next_cursor', { next_cursor: 'c' }, 'c'],
    ['a number as token', { nextCursor: 7 }, '7'],
    ['pagination.nextCursor', { pagination: { nextCursor: 'c' } }, 'c'],
    ['pagination.next_cursor', { pagination: { next_cursor: 'c' } }, 'c'],
    ['pagination.next', { pagination: { next: 'c' } }, 'c'],
    ['page.cursor', { page: { cursor: 'c', hasMore: true } }, 'c'],
    ['page.cursor at the end', { page: { cursor: 'c', hasMore: false } }, null],
    ['page_info.end_cursor', { page_info: { end_cursor: 'c', has_next_page: true } }, 'c'],
    ['page_info.end_cursor at the end', { page_info: { end_cursor: 'c', has_next_page: false } }, null],
    ['meta.nextCursor', { meta: { nextCursor: 'c' } }, 'c'],
    ['nextPageToken', { nextPageToken: 'c' }, '?pageToken=c'],
    ['next_page_token', { next_page_token: 'c' }, '?pageToken=c'],
    ['next as token', { next: 'c' }, 'c'],
    ['next as address', { next: `${url}?page=2` }, `${url}?page=2`],
    ['next as path', { next: '/v1/workflows?page=2' }, `${url}?page=2`],
    ['next on another origin', { next: other }, null],
    ['a token that looks like an address', { nextCursor: other }, `?cursor=${encodeURIComponent(other)}`],
    ['a token in data', { data: { items: [1], nextCursor: 'c' } }, 'c'],
    ['page below totalPages', { page: 1, totalPages: 2 }, '?page=2'],
    ['the last page', { page: 2, total_pages: 2 }, null],
    ['page and has_more', { page: 3, has_more: true }, '?page=4'],
    ['offset below total', { offset: 10, total: 30 }, '?offset=12'],
    ['offset at the end', { offset: 28, total: 30 }, null],
    ['has_more alone', { has_more: true }, '?offset=2'],
    ['has_more false', { has_more: false }, null],
    ['null', { nextCursor: null }, null],
    ['a bare array', [1, 2], null],
  ];
  for (const [title, body, expected] of rows)
    it(`reads ${title}`, () =>
      assert.equal(readNextCursor(body, 2, { url, cursor: undefined, linkHeader: null }), expected));

  const links: readonly (readonly [string, string, string | null])[] = [
    ['next', `<${url}?page=2>; rel="next"`, `${url}?page=2`],
    [
      'one of several',
      `<${url}?page=1>; rel="prev", <${url}?a=1,2&page=3>; rel="next"`,
      `${url}?a=1,2&page=3`,
    ],
    ['relative', '</v1/workflows?page=2>; rel=next', `${url}?page=2`],
    ['several relations', `<${url}?page=2>; rel="last next"`, `${url}?page=2`],
    ['no next', `<${url}?page=1>; rel="prev"`, null],
    ['another origin', `<${other}>; rel="next"`, null],
  ];
  for (const [title, linkHeader, expected] of links)
    it(`reads a Link header: ${title}`, () =>
      assert.equal(readNextCursor([1], 1, { url, cursor: undefined, linkHeader }), expected));

  it('goes on from the offset asked for', () => {
    const origin = { url: `${url}?offset=10`, cursor: '?offset=10', linkHeader: null };
    assert.equal(readNextCursor({ has_more: true }, 5, origin), '?offset=15');
  });

  it('stops on an empty page', () =>
    assert.equal(readNextCursor({ nextCursor: 'c' }, 0, { url, cursor: undefined, linkHeader: null }), null));

  it('stops on a cursor that repeats', () => {
    assert.equal(readNextCursor({ nextCursor: 'c' }, 5, { url, cursor: 'c', linkHeader: null }), null);
    assert.equal(readNextCursor({ next: url }, 5, { url, cursor: undefined, linkHeader: null }), null);
  });
});
