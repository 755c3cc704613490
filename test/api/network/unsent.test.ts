// What never left this machine costs nothing of the key's minute; what may have arrived does.
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import { createHttpPort } from '../../../src/api/http/http.ts';
import type { HttpSettings } from '../../../src/api/http/httpPort.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { createHastyClock } from '../../support/hastyClock.ts';
import { kindOf } from '../../support/reasons.ts';
import { closedPort, type Running, serve, serveProxy, serveTls } from '../../support/servers.ts';

describe('a request that fails', () => {
  const open: Running[] = [];
  const own = <T extends Running>(running: T): T => {
    open.push(running);
    return running;
  };
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  /** Places of the minute that remain after one call, and the kind of its failure. */
  async function costOf(baseUrl: string, settings: HttpSettings = {}): Promise<readonly [string, number]> {
    const clock = createHastyClock();
    const port = createHttpPort({ environment: {}, systemCertificates: false, ...settings });
    const client = createClient({
      http: () => Promise.resolve(port),
      baseUrl,
      key: () => Promise.resolve('svc_sk_unsent0123456789'),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock }),
      logger: silentLogger,
      clock,
    });
    const kind = await kindOf(client.workflows.create({ name: 'W' }));
    const { remaining } = client.budget.current;
    client.dispose();
    port.dispose();
    return [kind, 60 - remaining];
  }

  const hello: RequestListener = (_request, response) => response.end('{}');

  it('costs nothing where nothing listens', async () => {
    assert.deepEqual(await costOf(`http://127.0.0.1:${await closedPort()}/v1`), ['unreachable', 0]);
  });

  it('costs nothing where there is no such host', async () => {
    assert.deepEqual(await costOf('https://no-such-host.invalid/v1'), ['unreachable', 0]);
  });

  it('costs nothing where the certificate is not trusted', async () => {
    const { port } = own(await serveTls(hello));
    assert.deepEqual(await costOf(`https://localhost:${port}/v1`), ['unreachable', 0]);
  });

  it('costs nothing where the proxy refuses it', async () => {
    const target = own(await serveTls(hello)).port;
    const proxy = own(await serveProxy({ target, refusal: '403 Forbidden' }));
    const settings = { proxy: `http://127.0.0.1:${proxy.port}` };
    assert.deepEqual(await costOf('https://service.example/v1', settings), ['unreachable', 0]);
  });

  it('costs a place where the connection ends before the answer', async () => {
    const { port } = own(await serve((request) => request.socket.destroy()));
    assert.deepEqual(await costOf(`http://127.0.0.1:${port}/v1`), ['unreachable', 1]);
  });

  it('costs a place where the service breaks off the answer', async () => {
    const { port } = own(
      await serve((_request, response) => {
        response.writeHead(200, { 'Content-Length': '100', 'Content-Type': 'application/json' });
        response.write('{', () => response.destroy());
      }),
    );
    assert.deepEqual(await costOf(`http://127.0.0.1:${port}/v1`), ['unreachable', 1]);
  });
});
