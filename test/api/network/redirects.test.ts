// Redirects on real sockets: each hop takes a place of the key's sixty a minute, and what has moved for good is asked for there.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../../src/base/time.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { createSocketClients, type SocketClients, socketKey } from '../../support/socketClients.ts';

describe('redirects', () => {
  let clients: SocketClients;
  let paths: string[];
  beforeEach(() => {
    clients = createSocketClients(systemClock);
    paths = [];
  });
  afterEach(() => clients.dispose());

  /** Notes what carries the key; leads through so many hops, by this status, to the answer. */
  function leading(hops: number, status: number) {
    return (request: IncomingMessage, response: ServerResponse): void => {
      const url = new URL(request.url ?? '', 'http://localhost');
      if (request.headers.authorization === `Bearer ${socketKey}`) paths.push(request.url ?? '');
      const hop = Number(url.searchParams.get('hop') ?? '0');
      url.searchParams.set('hop', String(hop + 1));
      if (hop < hops) response.writeHead(status, { location: url.pathname + url.search }).end();
      else response.setHeader('content-type', 'application/json').end('{"id":"w","data":[]}');
    };
  }

  it('cost a place each: sixty calls of five requests send sixty in the minute', async () => {
    const { workflows, budget } = await clients.against(leading(4, 302));
    const calls = Array.from({ length: 60 }, (_none, index) => workflows.get(`w${index}`));
    const ends = await Promise.allSettled(calls);
    assert.equal(paths.length, 60);
    assert.equal(budget.current.remaining, 0);
    const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    assert.ok(refusals.length > 0 && refusals.every((error) => isServiceError(error, 'rateLimited')));
  });

  for (const status of [301, 308])
    it(`go straight the next time after ${status}`, async () => {
      const { workflows } = await clients.against(leading(3, status));
      await workflows.list({});
      assert.equal(paths.length, 4);
      await workflows.list({});
      await workflows.list({});
      assert.deepEqual(paths.slice(4), ['/v1/workflows?hop=3', '/v1/workflows?hop=3']);
      await workflows.get('other');
      assert.equal(paths.length, 10);
    });

  it('start anew after one that is not for good', async () => {
    const { workflows } = await clients.against(leading(1, 307));
    await workflows.list({});
    await workflows.list({});
    assert.equal(paths.length, 4);
  });

  it('start anew where nothing is found any more', async () => {
    let target = '/v1/moved';
    const { workflows } = await clients.against((request, response) => {
      paths.push(request.url ?? '');
      if (request.url === '/v1/workflows') response.writeHead(308, { location: target }).end();
      else response.writeHead(request.url === target ? 200 : 404).end('[]');
    });
    await workflows.list({});
    target = '/v1/again';
    await assert.rejects(workflows.list({}), (error) => isServiceError(error, 'notFound'));
    await workflows.list({});
    assert.deepEqual(paths, ['/v1/workflows', '/v1/moved', '/v1/moved', '/v1/workflows', '/v1/again']);
  });

  it('to another origin are not remembered and take no place', async () => {
    const { workflows, budget } = await clients.against((request, response) => {
      paths.push(request.url ?? '');
      const port = String(request.socket.localPort);
      if (request.headers.host?.startsWith('127.') === true)
        response.writeHead(301, { location: `http://localhost:${port}/elsewhere` }).end();
      else {
        assert.equal(request.headers.authorization, undefined);
        response.end('[]');
      }
    });
    await workflows.list({});
    await workflows.list({});
    assert.deepEqual(paths, ['/v1/workflows', '/elsewhere', '/v1/workflows', '/elsewhere']);
    assert.equal(budget.current.remaining, 58);
  });
});
