// The way to a service, step by step, on real sockets.
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { checkRoute } from '../../../src/api/checkRoute.ts';
import { createHttpPort } from '../../../src/api/http/http.ts';
import type { HttpSettings } from '../../../src/api/http/httpPort.ts';
import { proxyFor } from '../../../src/api/http/proxy.ts';
import type { RouteCheck, StepResult } from '../../../src/domain/routeCheck.ts';
import { testCertificate } from '../../support/certificate.ts';
import { closedPort, type Running, serve, serveProxy, serveTls } from '../../support/servers.ts';

/** A server that says this on each connection, or nothing. */
async function serveRaw(greeting?: string): Promise<Running> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    if (greeting !== undefined) socket.on('data', () => socket.end(greeting));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return {
    port: address.port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A step without its time. */
function wordOf(step: StepResult): string {
  if (step.kind === 'ok') return 'ok';
  return step.kind === 'failed' ? `failed ${step.cause}` : `skipped ${step.why}`;
}

const wordsOf = ({ dns, tcp, tls, request, status }: RouteCheck) =>
  [...[dns, tcp, tls, request].map(wordOf), status] as const;

describe('the check of the way to a service', () => {
  const open: { close(): Promise<void> }[] = [];
  const own = <T extends Running>(running: T): T => {
    open.push(running);
    return running;
  };
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  async function check(
    baseUrl: string,
    settings: HttpSettings = {},
    { signal = new AbortController().signal, stepMs = 20_000 } = {},
  ): Promise<RouteCheck> {
    const used: HttpSettings = { environment: {}, systemCertificates: false, ...settings };
    const http = createHttpPort(used);
    const limits = { dns: stepMs, tcp: stepMs, tls: stepMs, request: stepMs };
    try {
      return await checkRoute(baseUrl, { http: () => Promise.resolve(http), settings: used, limits }, signal);
    } finally {
      http.dispose();
    }
  }

  it('is good up to an answer, and sends no key', async () => {
    const headers: string[] = [];
    const { port } = own(
      await serve((request, response) => {
        headers.push(...Object.keys(request.headers));
        response.writeHead(401).end();
      }),
    );
    const route = await check(`http://localhost:${port}/v1`);
    assert.deepEqual(wordsOf(route), ['ok', 'ok', 'skipped plain', 'ok', 401]);
    assert.ok(route.addresses.includes('127.0.0.1'));
    assert.ok(!headers.includes('authorization'));
  });

  it('is good with TLS and a trusted certificate', async () => {
    const { port } = own(await serveTls((_request, response) => response.end()));
    const route = await check(`https://localhost:${port}/v1`, { certificates: [testCertificate] });
    assert.deepEqual(wordsOf(route), ['ok', 'ok', 'ok', 'ok', 200]);
  });

  it('ends at a certificate that nobody trusts, unless the settings accept any', async () => {
    const { port } = own(await serveTls((_request, response) => response.end()));
    const address = `https://127.0.0.1:${port}`;
    const route = await check(address);
    assert.deepEqual(wordsOf(route), ['skipped address', 'ok', 'failed tls', 'skipped earlier', null]);
    const lenient = await check(address, { strictTls: false });
    assert.deepEqual(wordsOf(lenient), ['skipped address', 'ok', 'ok', 'ok', 200]);
  });

  it('ends at a port without TLS', async () => {
    const { port } = own(await serveRaw('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const route = await check(`https://localhost:${port}`);
    assert.deepEqual(wordsOf(route), ['ok', 'ok', 'failed tls', 'skipped earlier', null]);
    assert.ok(route.tls.kind === 'failed' && /^(EPROTO$|ERR_SSL_)/.test(route.tls.code ?? ''));
  });

  it('ends at a closed port', async () => {
    const route = await check(`https://localhost:${await closedPort()}`);
    assert.deepEqual(wordsOf(route), ['ok', 'failed refused', 'skipped earlier', 'skipped earlier', null]);
  });

  it('ends at a name that does not resolve', async () => {
    const route = await check('https://nowhere.invalid/v1');
    const after = ['skipped earlier', 'skipped earlier', 'skipped earlier'];
    assert.deepEqual(wordsOf(route), ['failed dns', ...after, null]);
  });

  it('ends within its time limit at a server that says nothing', async () => {
    const { port } = own(await serveRaw());
    const secured = await check(`https://127.0.0.1:${port}`, {}, { stepMs: 300 });
    assert.deepEqual(wordsOf(secured).slice(2), ['failed timeout', 'skipped earlier', null]);
    const plain = await check(`http://127.0.0.1:${port}`, {}, { stepMs: 300 });
    assert.deepEqual(wordsOf(plain).slice(2), ['skipped plain', 'failed timeout', null]);
  });

  it('rejects with the reason when it is cancelled', async () => {
    const controller = new AbortController();
    const reason = new Error('Enough.');
    const server = own(
      await serve(() => {
        controller.abort(reason);
      }),
    );
    const address = `http://127.0.0.1:${server.port}`;
    await assert.rejects(check(address, {}, { signal: controller.signal }), reason);
    await assert.rejects(check(address, {}, { signal: controller.signal }), reason);
  });

  it('leads to the proxy, and through it with the request', async () => {
    const service = own(await serveTls((_request, response) => response.writeHead(401).end()));
    const proxy = own(await serveProxy({ target: service.port }));
    const settings = { proxy: `http://me:secret@localhost:${proxy.port}`, certificates: [testCertificate] };
    const route = await check('https://service.test/v1', settings);
    assert.deepEqual(wordsOf(route), ['ok', 'ok', 'skipped proxy', 'ok', 401]);
    assert.deepEqual([route.isProxy, route.host, route.port], [true, 'localhost', proxy.port]);
    assert.ok(!JSON.stringify(route).includes('secret'));
  });

  it('tells a proxy that refuses, is away, or has no usable address', async () => {
    const refusing = own(await serveProxy({ target: 0, refusal: '407 Proxy Authentication Required' }));
    const refused = await check('https://service.test', { proxy: `localhost:${refusing.port}` });
    assert.deepEqual(wordsOf(refused), ['ok', 'ok', 'skipped proxy', 'failed proxy', null]);
    const away = await check('https://service.test', { proxy: `localhost:${await closedPort()}` });
    assert.equal(wordOf(away.tcp), 'failed refused');
    const odd = await check('https://service.test', { proxy: 'ftp://localhost' });
    assert.deepEqual(wordsOf(odd).slice(0, 2), ['failed proxy', 'skipped earlier']);
  });

  it('takes the proxy where the requests take it', async () => {
    const proxy = own(await serveProxy({ target: 0, refusal: '403 Forbidden' }));
    // Nothing of this leaves the machine: the address is 127.0.0.1 written as IPv6.
    const lists = ['*', '*:443', 'a.localhost', '.a.localhost', '*.a.localhost', 'x, A.localhost.'];
    const withPorts = ['a.localhost:8443', '[::ffff:7f00:1]:1', '::ffff:7f00:1', '[::ffff:7f00:1]:2'];
    const addresses = [
      'a.localhost',
      'b.a.localhost',
      'a.localhost:8443',
      'ba.localhost',
      '[::ffff:7f00:1]:1',
    ];
    for (const list of ['', ...lists, ...withPorts])
      for (const address of addresses) {
        const url = `https://${address}/`;
        const settings = { proxy: `http://localhost:${proxy.port}`, noProxy: [list], environment: {} };
        const asked = proxy.asked.length;
        const { signal } = new AbortController();
        const http = createHttpPort({ ...settings, systemCertificates: false });
        await assert.rejects(http(url, { method: 'GET', headers: {}, signal, isStream: false }));
        http.dispose();
        const isTaken = proxy.asked.length > asked;
        assert.equal(proxyFor(new URL(url), settings) !== undefined, isTaken, `${list} ${address}`);
      }
  });
});
