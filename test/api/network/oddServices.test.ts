// The whole client on real sockets against services that are not what they should be.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createShortener } from '../../support/following.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';
import { closedPort, serve } from '../../support/servers.ts';
import { createSocketClients, type SocketClients } from '../../support/socketClients.ts';

describe('odd services', () => {
  let clients: SocketClients;
  beforeEach(() => {
    clients = createSocketClients();
  });
  afterEach(() => clients.dispose());

  const connect = (port: number): ServicePort => clients.connect(port);
  const against = (listener: RequestListener): Promise<ServicePort> => clients.against(listener);

  it('a web server that knows none of it', async () => {
    const { workflows } = await against((_request, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html><h1>404</h1></html>'),
    );
    assert.equal(await kindOf(workflows.list({})), 'notOffered');
  });

  it('a page to sign in to', async () => {
    const { workflows } = await against((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
    );
    assert.equal(await kindOf(workflows.list({})), 'unreadable');
  });

  it('nobody there', async () => {
    assert.deepEqual(await reasonOf(connect(await closedPort()).workflows.list({})), {
      kind: 'unreachable',
      cause: 'refused',
    });
  });

  it('a redirect to another port loses the key', async () => {
    const keys: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      keys.push(request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('[{"id":"w"}]');
    });
    clients.own(other);
    const { workflows } = await against((request, response) => {
      keys.push(request.headers.authorization);
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/` }).end('moved');
    });
    assert.equal((await workflows.list({})).items[0]?.id, 'w');
    assert.deepEqual(keys, ['Bearer svc_sk_odd0123456789', undefined]);
  });

  it('a limit with a date, then an answer', async () => {
    let count = 0;
    const { workflows, budget } = await against((_request, response) => {
      count += 1;
      if (count === 1)
        response.writeHead(429, { 'retry-after': new Date(Date.now() + 3000).toUTCString() }).end();
      else response.setHeader('x-ratelimit-remaining', '7').end('[]');
    });
    await workflows.list({});
    assert.equal(count, 2);
    assert.equal(budget.current.remaining, 7);
  });

  it('a body that stops in the middle, each time', async () => {
    let count = 0;
    const { workflows } = await against((_request, response) => {
      count += 1;
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"data":[', () => response.destroy());
    });
    assert.deepEqual(await reasonOf(workflows.list({})), { kind: 'unreachable', cause: 'reset' });
    assert.equal(count, 4);
  });

  it('a change whose answer is lost is sent once', async () => {
    let count = 0;
    const { workflows } = await against((request) => {
      count += 1;
      request.socket.destroy();
    });
    assert.equal(await kindOf(workflows.execute('wf', {})), 'unreachable');
    assert.equal(count, 1);
  });

  it('logs without a stream are polled to the end', async () => {
    let polls = 0;
    const { executions } = await against((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url?.includes('/logs') === true) {
        const rows = Array.from({ length: polls }, (_row, index) => ({
          nodeId: `n${index}`,
          id: index,
          message: 'm',
        }));
        response.end(JSON.stringify({ logs: rows }));
        return;
      }
      polls += 1;
      response.end(JSON.stringify({ id: 'x', status: polls < 3 ? 'running' : 'succeeded' }));
    });
    const items: string[] = [];
    const shorten = createShortener();
    for await (const item of executions.follow('x', {}, new AbortController().signal))
      items.push(...shorten(item));
    assert.deepEqual(items, ['open by polling', '0', '1', '2', 'end succeeded']);
  });

  it('connections end when the settings change, and the next request makes new ones', async () => {
    const { workflows } = await against((_request, response) => response.end('[]'));
    await workflows.list({});
    const before = await clients.loader.load();
    clients.loader.reset();
    assert.notEqual(await clients.loader.load(), before);
    await workflows.list({});
  });
});
