// A list that tells how many rows there are is read to its end, also where nothing names the next page.
import assert from 'node:assert/strict';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { SettingsClient } from '../../../src/api/settingsClient.ts';
import { createAppPort } from '../../support/appPort.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';

type Rows = readonly object[];

const count = 7;
const size = 2;

/** What a service does with the parameters of a request; null: it refuses them. */
type Paging = (query: URLSearchParams) => number | null;

const numberIn = (query: URLSearchParams, name: string, otherwise: number): number =>
  Number(query.get(name) ?? otherwise);
const refusing =
  (unknown: string, paging: Paging): Paging =>
  (query) =>
    query.has(unknown) ? null : paging(query);
const byOffset: Paging = (query) => numberIn(query, 'offset', 0);
const byPage: Paging = (query) => (numberIn(query, 'page', 1) - 1) * size;
const byPageFromZero: Paging = (query) => numberIn(query, 'page', 0) * size;
const pagings: Readonly<Record<string, Paging>> = {
  'an offset': byOffset,
  'numbered pages': byPage,
  'pages counted from 0': byPageFromZero,
  'an offset, refusing "page"': refusing('page', byOffset),
  'numbered pages, refusing "offset"': refusing('offset', byPage),
  'pages counted from 0, refusing "offset"': refusing('offset', byPageFromZero),
  'numbered pages, refusing those behind the last': (query) => {
    const from = byPage(query);
    return from !== null && from < count ? from : null;
  },
};

const totals = ['total', 'totalCount', 'total_count', 'totalEntries', 'total_entries', 'totalElements'];
const moreTotals = ['total_elements', 'totalItems', 'total_items', 'count'];
const around: Readonly<Record<string, (rows: Rows, numbers: object) => object>> = {
  'beside the rows': (rows, numbers) => ({ data: rows, ...numbers }),
  'in pagination': (rows, pagination) => ({ items: rows, pagination }),
  'in meta': (rows, meta) => ({ results: rows, meta }),
  'in page': (rows, page) => ({ records: rows, page }),
  'inside data': (rows, numbers) => ({ success: true, data: { items: rows, ...numbers } }),
  'in the pagination inside data': (rows, pagination) => ({ data: { list: rows, pagination } }),
};

const workflow = (id: number): object => ({ id: `${id}`, name: `W${id}` });
const range = (from: number, length: number): readonly number[] =>
  Array.from({ length }, (_item, at) => from + at);
const all = range(0, count).map(String);

function answer(path: string, paging: Paging, render: (rows: Rows, from: number) => unknown): ScriptedAnswer {
  const from = paging(new URL(path, 'https://x.example').searchParams);
  if (from === null) return { status: 400, body: { error: { code: 'invalid_request', message: 'No.' } } };
  const rows = range(from, Math.max(0, Math.min(size, count - from))).map(workflow);
  return { body: render(rows, from) };
}

async function idsOf({ workflows }: ServicePort): Promise<readonly string[]> {
  return (await workflows.listWhole({ limit: 1000, purpose: 'workflows' })).map(({ id }) => id).toSorted();
}

describe('a list with a total', () => {
  for (const [title, paging] of Object.entries(pagings))
    for (const [place, wrap] of Object.entries(around))
      it(`${place} is read by ${title}, whatever the total is called`, async () => {
        for (const name of [...totals, ...moreTotals, 'pages', 'totalPages']) {
          const value = name.endsWith('ages') ? Math.ceil(count / size) : count;
          for (const told of [value, String(value)]) {
            const { client } = createScriptedClient((path) =>
              answer(path, paging, (rows) => wrap(rows, { [name]: told })),
            );
            assert.deepEqual(await idsOf(client), all, `${name} ${typeof told}`);
          }
        }
      });

  for (const [title, paging] of Object.entries(pagings))
    it(`in a header is read by ${title}`, async () => {
      const { client } = createScriptedClient((path) => ({
        ...answer(path, paging, (rows) => rows),
        headers: { 'X-Total-Count': String(count) },
      }));
      assert.deepEqual(await idsOf(client), all);
    });

  /** Requests for the list after the first one, which may find out by which parameter. */
  async function requestsFor(answers: (path: string) => ScriptedAnswer): Promise<readonly [number, number]> {
    const { client, requests } = createScriptedClient(answers);
    await idsOf(client);
    const first = requests.length;
    await idsOf(client);
    return [first, requests.length - first];
  }

  it('is read by what the answer names, without a request that finds nothing new', async () => {
    const offsets = await requestsFor((path) =>
      answer(path, byOffset, (rows, offset) => ({ data: rows, offset, total: count })),
    );
    assert.deepEqual(offsets, [4, 4]);
    const pages = await requestsFor((path) =>
      answer(path, byPage, (rows, from) => ({ data: rows, page: 1 + from / size, total: count })),
    );
    assert.deepEqual(pages, [4, 4]);
    const fromZero = await requestsFor((path) =>
      answer(path, byPageFromZero, (rows, from) => ({
        data: rows,
        pagination: { page: from / size, count },
      })),
    );
    assert.deepEqual(fromZero, [4, 4]);
  });

  it('costs a wrong parameter only once', async () => {
    const body = (rows: Rows): object => ({ data: rows, total: count });
    assert.deepEqual(await requestsFor((path) => answer(path, byPage, body)), [5, 4]);
    assert.deepEqual(await requestsFor((path) => answer(path, byPageFromZero, body)), [6, 4]);
    assert.deepEqual(await requestsFor((path) => answer(path, () => 0, body)), [3, 1]);
  });

  it('finds out again after some minutes what a service knows', async () => {
    let paging: Paging = () => 0;
    const { client, clock } = createScriptedClient((path) =>
      answer(
        path,
        (query) => paging(query),
        (rows) => ({ data: rows, total: count }),
      ),
    );
    assert.deepEqual(await idsOf(client), all.slice(0, size));
    paging = byOffset;
    assert.deepEqual(await idsOf(client), all.slice(0, size));
    await clock.advance(5 * 60_000);
    assert.deepEqual(await idsOf(client), all);
  });

  it('ends where the total is too small, too high or no number', async () => {
    for (const [total, expected] of [
      [1, 2],
      [-1, 2],
      [1e308, 2],
      ['NaN', 2],
      [99, count],
      [{}, 2],
    ] as const) {
      const { client, requests } = createScriptedClient((path) =>
        answer(path, byOffset, (rows) => ({ data: rows, total })),
      );
      assert.deepEqual(await idsOf(client), all.slice(0, expected), JSON.stringify(total));
      assert.ok(requests.length <= 5, `${requests.length} requests`);
    }
  });

  it('grows while it is read, and nothing of it is lost', async () => {
    let added = 0;
    const { client } = createScriptedClient((path) => {
      const from = numberIn(new URL(path, 'https://x.example').searchParams, 'offset', 0);
      const ids = range(-added, count + added).slice(from, from + size);
      if (added < 1) added += 1;
      return { body: { data: ids.map(workflow), total: count + added } };
    });
    const ids = await idsOf(client);
    for (const id of all) assert.ok(ids.includes(id), id);
  });

  it('is asked for in pages of one size, however many rows a view still wants', async () => {
    const { client, requests } = createScriptedClient((path) => {
      const query = new URL(path, 'https://x.example').searchParams;
      const limit = Math.min(numberIn(query, 'limit', 50), 10);
      const rows = range((numberIn(query, 'page', 1) - 1) * limit, limit).map(workflow);
      return { body: { data: rows, page: numberIn(query, 'page', 1), totalPages: 3 } };
    });
    const first = await client.workflows.list({ limit: 25 });
    await client.workflows.list({ limit: 5, cursor: first.nextCursor ?? assert.fail() });
    assert.match(requests[1]?.url ?? '', /limit=25&page=2$/);
  });

  it('is read within the minute of the key, whatever the service ignores', async () => {
    const { client, clock, requests } = createScriptedClient((path) => {
      const query = new URL(path, 'https://x.example').searchParams;
      const rows = [workflow(numberIn(query, 'page', 1))];
      return { body: { data: rows, total: 130 } };
    });
    const listing = idsOf(client);
    await clock.advance(1000);
    assert.ok(requests.length <= 60, `${requests.length} requests`);
    await clock.advance(180_000);
    assert.equal((await listing).length, 130);
  });

  const record = (id: number): object => ({ id: `${id}`, type: 't', workflowId: 'w', message: `M${id}` });
  const lists: Readonly<Record<string, (client: ServicePort) => Promise<number>>> = {
    executions: async ({ executions }) =>
      (await executions.listWhole({}, { limit: 1000, purpose: 'executions' })).length,
    'portal events': async ({ portalEvents }) =>
      (await portalEvents.listWhole({ limit: 1000, purpose: 'portalEvents' })).length,
    'node logs': async ({ executions }) => (await executions.logs('e', {})).rows.length,
  };
  for (const [title, read] of Object.entries(lists))
    for (const paging of [byOffset, byPage, byPageFromZero])
      it(`is read to the end of ${title} by ${paging.name}`, async () => {
        const { client } = createScriptedClient((path) => {
          const from = paging(new URL(path, 'https://x.example').searchParams) ?? 0;
          const rows = range(from, Math.max(0, Math.min(size, count - from))).map(record);
          return { body: { data: rows, meta: { total: count } } };
        });
        assert.equal(await read(client), count);
      });

  it('is read of rows of a log that nothing identifies', async () => {
    for (const paging of [byOffset, byPage, () => 0]) {
      const { client } = createScriptedClient((path) => {
        const from = paging(new URL(path, 'https://x.example').searchParams) ?? 0;
        const rows = range(from, Math.max(0, Math.min(size, count - from)));
        return {
          body: { logs: rows.map((row) => ({ message: row % 2 ? 'odd' : `M${row}` })), total: count },
        };
      });
      const { rows } = await client.executions.logs('e', {});
      assert.equal(rows.length, paging.name === '' ? size : count);
    }
  });

  it('counts the rows of a log that came before those asked for', async () => {
    const { client, requests } = createScriptedClient(() => ({
      body: { logs: [{ sequence: 7, message: 'last' }], total: 7 },
    }));
    assert.equal((await client.executions.logs('e', { after: 6 })).rows.length, 1);
    assert.equal(requests.length, 1);
  });

  it('is read of API keys', async () => {
    const port = createAppPort({
      request: async (url) => {
        const from = byOffset(new URL(url).searchParams) ?? 0;
        const keys = range(from, Math.max(0, Math.min(size, count - from)));
        const body = { keys: keys.map((id) => ({ id: `${id}`, name: `K${id}` })), total: count };
        return Promise.resolve(Response.json(body));
      },
    });
    const http = (): Promise<typeof port> => Promise.resolve(port);
    const client = new SettingsClient({ http, origin: 'http://127.0.0.1:4000', sessionToken: 'x' });
    assert.equal((await client.listKeys()).length, count);
    client.dispose();
  });
});
