// Lists are read whole: page after page, until there are as many as wanted or no more.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { kindOf } from '../../support/reasons.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

const row = (id: number): object => ({ id: `${id}`, name: `W${id}` });
const rows = (from: number, count: number): readonly object[] =>
  Array.from({ length: count }, (_row, at) => row(from + at));
const numberIn = (path: string, name: string): number => Number(new RegExp(`${name}=(\\d+)`).exec(path)?.[1]);

async function idsOf({ workflows }: ServicePort, limit = 1000): Promise<readonly string[]> {
  return (await workflows.listWhole({ limit, purpose: 'workflows' })).map(({ id }) => id);
}
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_id, at) => `${at}`);

/** Ways to page through seven rows, two a page. */
const ways: readonly (readonly [title: string, body: (path: string) => object, requests: number])[] = [
  [
    'cursors',
    (path) => {
      const from = numberIn(path, 'cursor') || 0;
      return { data: rows(from, Math.min(2, 7 - from)), nextCursor: from + 2 < 7 ? `${from + 2}` : null };
    },
    4,
  ],
  [
    'numbers of pages',
    (path) => {
      const page = numberIn(path, 'page') || 1;
      return { items: rows(page * 2 - 2, Math.min(2, 9 - page * 2)), page, totalPages: 4 };
    },
    4,
  ],
  [
    'offsets, and a total that is too high',
    (path) => {
      const offset = numberIn(path, 'offset') || 0;
      return { items: rows(offset, Math.max(0, Math.min(2, 7 - offset))), offset, total: 1000 };
    },
    5,
  ],
  [
    'an empty page with more',
    (path) => {
      const offset = numberIn(path, 'offset') || 0;
      return { items: rows(offset, Math.max(0, Math.min(2, 7 - offset))), hasMore: true };
    },
    5,
  ],
  [
    'pages that overlap, since rows were added meanwhile',
    (path) => {
      const from = numberIn(path, 'cursor') || 0;
      return { data: rows(Math.max(0, from - 2), 2), nextCursor: from < 7 ? `${from + 1}` : null };
    },
    8,
  ],
];

describe('a whole list', () => {
  for (const [title, body, requests] of ways)
    it(`is read by ${title}`, async () => {
      const scripted = createScriptedClient((path) => ({ body: body(path) }));
      assert.deepEqual(await idsOf(scripted.client), ids(7));
      assert.equal(scripted.requests.length, requests);
    });

  it('is read no further than wanted, with the same size of every page', async () => {
    const { client, requests } = createScriptedClient((path) => {
      const page = numberIn(path, 'page') || 1;
      const limit = numberIn(path, 'limit');
      return { body: { items: rows((page - 1) * limit, limit), page, totalPages: 99 } };
    });
    assert.deepEqual(await idsOf(client, 150), ids(150));
    assert.deepEqual(
      requests.map(({ url }) => url.replace(/.*\?/, '')),
      ['limit=100', 'limit=100&page=2'],
    );
    assert.deepEqual(await idsOf(client, 3), ids(3));
  });

  it('ends where the service gives the same page again and again, or goes in circles', async () => {
    const same = createScriptedClient((_path, _request, count) => ({
      body: { data: rows(0, 2), nextCursor: `c${count}` },
    }));
    assert.deepEqual(await idsOf(same.client), ids(2));
    assert.equal(same.requests.length, 4);
    const circle = createScriptedClient((path) => ({
      body: path.includes('cursor=b')
        ? { data: rows(2, 2), nextCursor: 'a' }
        : { data: rows(0, 2), nextCursor: 'b' },
    }));
    assert.deepEqual(await idsOf(circle.client), ids(4));
    assert.equal(circle.requests.length, 3);
  });

  it('holds only what was asked for, from every page of a service that ignores filters', async () => {
    const { client, requests } = createScriptedClient((path) => {
      const from = numberIn(path, 'cursor') || 0;
      const items = Array.from({ length: 2 }, (_row, at) => ({
        id: `${from + at}`,
        workflowId: from + at > 5 ? 'a' : 'b',
        status: (from + at) % 2 === 0 ? 'failed' : 'success',
      }));
      return { body: { data: items, nextCursor: from < 8 ? `${from + 2}` : null } };
    });
    const listed = async (query: object) =>
      (await client.executions.listWhole(query, { limit: 200, purpose: 'executions' })).map(({ id }) => id);
    assert.deepEqual(await listed({ workflowId: 'a', status: 'completed' }), ['7', '9']);
    assert.equal(requests.length, 5);
    assert.deepEqual(await listed({ status: 'success' }), ['1', '3', '5', '7', '9']);
  });

  it('is an error where no page of very many holds what was asked for', async () => {
    const { client, clock } = createScriptedClient((_path, _request, count) => ({
      headers: { 'x-ratelimit-limit': '10000', 'x-ratelimit-remaining': '9999' },
      body: { data: [{ id: `${count}`, workflowId: 'b' }], nextCursor: `c${count}` },
    }));
    const listing = kindOf(
      client.executions.listWhole({ workflowId: 'a' }, { limit: 1, purpose: 'executions' }),
    );
    for (let minute = 0; minute < 3; minute += 1) await clock.advance(60_000);
    assert.equal(await listing, 'unreadable');
  });

  it('keeps to the limit of a minute, leaves room for others, and goes on after it', async () => {
    const { client, clock, requests } = createScriptedClient((path) => {
      const from = numberIn(path, 'cursor') || 0;
      return { body: { data: rows(from, 2), nextCursor: from < 138 ? `${from + 2}` : null } };
    });
    const listing = idsOf(client);
    await clock.advance(1000);
    assert.equal(requests.length, 45);
    await client.workflows.list({ search: 'x' });
    assert.equal(requests.length, 46);
    await clock.advance(120_000);
    assert.deepEqual(await listing, ids(140));
  });

  it('is no longer read once it was cancelled', async () => {
    const cancel = new AbortController();
    const { client, requests } = createScriptedClient((path) => {
      const from = numberIn(path, 'cursor') || 0;
      if (from === 6) cancel.abort();
      return { body: { data: rows(from, 2), nextCursor: `${from + 2}` } };
    });
    const { signal } = cancel;
    await assert.rejects(client.workflows.listWhole({ limit: 1000, purpose: 'workflows', signal }), {
      name: 'AbortError',
    });
    assert.equal(requests.length, 4);
  });

  it('is read of portal events too', async () => {
    const { client } = createScriptedClient((path) => ({
      body: path.includes('cursor')
        ? { data: [{ id: 'e1', type: 't' }] }
        : { data: [{ id: 'e2', type: 't' }], nextCursor: '1' },
    }));
    const events = await client.portalEvents.listWhole({ limit: 200, purpose: 'portalEvents' });
    assert.deepEqual(
      events.map(({ id }) => id),
      ['e2', 'e1'],
    );
  });
});
