// Following on real sockets where rows are large, broken or many: nothing is kept of them, and none ends it.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createShortener, logEvent } from '../../support/following.ts';
import { createSocketClients, type SocketClients } from '../../support/socketClients.ts';
import type { FollowItem } from '../../../src/api/servicePort.ts';

const forever = new AbortController().signal;
const end = 'event: end\ndata: {"status":"completed"}\n\n';
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** Bytes in use once what nobody holds is gone. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

function opened(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

describe('hostile streams', () => {
  let clients: SocketClients;
  beforeEach(() => {
    clients = createSocketClients();
  });
  afterEach(() => clients.dispose());

  async function read(follow: AsyncIterable<FollowItem>): Promise<readonly string[]> {
    const items: string[] = [];
    const shorten = createShortener();
    for await (const item of follow) items.push(...shorten(item));
    return items;
  }

  it('keep nothing of rows that have been handed on', async () => {
    const count = 150;
    const row = (sequence: number): string =>
      `data: ${JSON.stringify({ id: `l${sequence}`, sequence, nodeId: 'n', message: 'm', output: `${sequence}`.padEnd(700_000) })}\n\n`;
    async function send(response: ServerResponse): Promise<void> {
      opened(response);
      for (let sequence = 1; sequence <= count; sequence += 1)
        if (!response.write(row(sequence)))
          await new Promise((resolve) => response.once('drain', () => resolve(undefined)));
      response.end(end);
    }
    const { executions } = await clients.against((_request, response) => void send(response));
    let rows = 0;
    let before = 0;
    let held = 0;
    for await (const item of executions.follow('x', {}, forever)) {
      if (item.kind !== 'logs') continue;
      rows += item.logs.length;
      if (before === 0 && rows >= 10) before = heldBytes();
      if (rows === count) held = heldBytes() - before;
    }
    assert.equal(rows, count);
    assert.ok(held < 30_000_000, `${Math.round(held / 1e6)} MB are held of ${rows} rows.`);
  });

  for (const depth of [201, 100_000])
    it(`lose only the row that is nested ${depth} deep`, async () => {
      const deep = `data: {"id":"l2","sequence":2,"nodeId":"n","output":${nested(depth)}}\n\n`;
      const { executions } = await clients.against((_request, response) =>
        opened(response).end(logEvent(1) + deep + logEvent(3) + end),
      );
      const items = await read(executions.follow('x', {}, forever));
      assert.deepEqual(items, ['open by stream', 'l1', 'l3', 'end completed']);
    });

  it('are resumed after the sequence where no header can carry the id', async () => {
    const asked: IncomingMessage[] = [];
    const { executions } = await clients.against((request, response) => {
      if (!(request.url ?? '').includes('/logs')) response.end('{"id":"x","status":"running"}');
      else if (asked.push(request) === 1) opened(response).end(logEvent(1).replace('id: 1', 'id: ✓'));
      else opened(response).end(logEvent(2) + end);
    });
    const items = await read(executions.follow('x', {}, forever));
    assert.deepEqual(
      items.filter((item) => !item.startsWith('lost')),
      [...['open by stream', 'l1', 'open by stream', 'l2', 'end completed']],
    );
    assert.match(asked[1]?.url ?? '', /after=1$/);
    assert.equal(asked[1]?.headers['last-event-id'], undefined);
  });

  it('end only with their last row, however few rows a page has and however many pages there are', async () => {
    const count = 130;
    const { executions } = await clients.against((request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      response.setHeader('content-type', 'application/json');
      if (!url.pathname.endsWith('/logs')) response.end('{"id":"x","status":"completed"}');
      else if (request.headers.accept === 'text/event-stream') response.writeHead(405).end();
      else {
        const after = Number(url.searchParams.get('cursor') ?? url.searchParams.get('after') ?? '0');
        const sequence = after + 1;
        const data = after < count ? [{ id: `l${sequence}`, sequence, nodeId: 'n', message: 'm' }] : [];
        response.end(JSON.stringify({ data, nextCursor: sequence < count ? String(sequence) : null }));
      }
    });
    const items = await read(executions.follow('x', {}, forever));
    const rows = items.filter((item) => item.startsWith('l'));
    assert.deepEqual(
      rows,
      Array.from({ length: count }, (_none, index) => `l${index + 1}`),
    );
    assert.equal(items.at(-1), 'end completed');
  });
});
