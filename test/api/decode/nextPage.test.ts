// Where the next page of a list is.
import assert from 'node:assert/strict';
import { readNextCursor } from '../../../src/api/decode/nextPage.ts';
import type { JsonValue } from '../../../src/base/json.ts';

const url = 'https://service.example/v1/workflows';
const plain = 'http://service.example:8080/v1/workflows?page=2';
const other = 'https://evil.example/v1/workflows?page=2';

/** What a cursor asks for, without what is remembered in it. */
const asked = (cursor: string | null): string | null => cursor?.replace(/#.*/, '') ?? null;

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
    ['next as path without a query', { next: '/v1/workflows/page/2' }, `${url}/page/2`],
    ['next as token in base64', { pagination: { next: '/9j/4AAQSkZJRg==' } }, '/9j/4AAQSkZJRg=='],
    ['next on another origin', { next: other }, null],
    ['next of a service that does not know that it is reached by https', { next: plain }, `${url}?page=2`],
    ['a total beside a next on another origin', { next: other, count: 9 }, '?offset=2'],
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
    ['the number of all rows', { total: 3 }, '?offset=2'],
    ['the number of all rows as text', { total: '3' }, '?offset=2'],
    ['a total in data', { data: { items: [1, 2], total: 3 } }, '?offset=2'],
    ['the number of the rows on this page', { count: 2 }, null],
    ['the larger of two numbers', { count: 2, total: 9 }, '?offset=2'],
    ['one page', { pages: 1 }, null],
    ['several pages', { pages: 3 }, '?page=2'],
    ['several pages of a service that counts them from 0', { page: 0, totalPages: 2 }, '?page=1'],
    ['the only page of a service that counts them from 0', { page: 0, totalPages: 1 }, null],
    ['a total beside page', { page: 1, total: 9 }, '?page=2'],
    ['a total beside page as Spring says it', { page: { number: 0, totalElements: 9 } }, '?page=1'],
    ['a total that is smaller than what came', { total: 1 }, null],
    ...[-5, 2.5, 1e308, 'NaN', 'many', null, [9], {}].map(
      (total) => [`nothing in a total of ${JSON.stringify(total)}`, { total }, null] as const,
    ),
  ];
  for (const [title, body, expected] of rows)
    it(`reads ${title}`, () =>
      assert.equal(asked(readNextCursor(body, 2, { url, cursor: undefined, linkHeader: null })), expected));

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
    const first = readNextCursor({ has_more: true }, 10, { url, cursor: undefined, linkHeader: null });
    const origin = { url: `${url}?offset=10`, cursor: first ?? undefined, linkHeader: null };
    assert.equal(asked(readNextCursor({ has_more: true }, 5, origin)), '?offset=15');
  });

  it('asks each numbered page in the size of the first', () => {
    const origin = { url: `${url}?limit=25`, cursor: undefined, linkHeader: null };
    assert.equal(asked(readNextCursor({ page: 1, totalPages: 3 }, 10, origin)), '?page=2&limit=25');
  });

  it('takes what a header says of the number of all rows', () => {
    const origin = { url, cursor: undefined, linkHeader: null, totalHeader: '3' };
    assert.equal(asked(readNextCursor([1, 2], 2, origin)), '?offset=2');
  });

  it('ends behind a token where no other follows, whatever the total', () => {
    for (const cursor of ['c', '?pageToken=c', `${url}?page=2`])
      assert.equal(readNextCursor({ total: 99 }, 2, { url, cursor, linkHeader: null }), null);
  });

  it('stops on an empty page', () =>
    assert.equal(readNextCursor({ nextCursor: 'c' }, 0, { url, cursor: undefined, linkHeader: null }), null));

  it('stops on a cursor that repeats', () => {
    assert.equal(readNextCursor({ nextCursor: 'c' }, 5, { url, cursor: 'c', linkHeader: null }), null);
    assert.equal(readNextCursor({ next: url }, 5, { url, cursor: undefined, linkHeader: null }), null);
  });
});
