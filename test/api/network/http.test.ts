// The real port on real sockets: streams, aborts, header sizes, TLS, proxies, and nothing of it in the process's own fetch.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { isAbortError } from '../../../src/base/async.ts';
import { explainFailure } from '../../../src/api/errors/classify.ts';
import { bodyLimits, readBodyText } from '../../../src/api/http/completeResponse.ts';
import { createHttpPort } from '../../../src/api/http/http.ts';
import type {
  DisposableHttpPort,
  HttpRequest,
  HttpResponse,
  HttpSettings,
} from '../../../src/api/http/httpPort.ts';
import { testCertificate } from '../../support/certificate.ts';
import { closedPort, type Running, serve, serveProxy, serveTls } from '../../support/servers.ts';

const get: HttpRequest = {
  method: 'GET',
  headers: {},
  signal: new AbortController().signal,
  isStream: false,
};
const hello: RequestListener = (request, response) => {
  response
    .setHeader('X-Two', ['a', 'b'])
    .end(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.host ?? ''}`);
};

describe('the HTTP port', () => {
  const open: { close(): Promise<void> }[] = [];
  const own = <T extends Running>(running: T): T => {
    open.push(running);
    return running;
  };
  function portWith(settings: HttpSettings = {}): DisposableHttpPort {
    const port = createHttpPort({ environment: {}, systemCertificates: false, ...settings });
    open.push({
      close: () => {
        port.dispose();
        return Promise.resolve();
      },
    });
    return port;
  }
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const causeOf = async (response: Promise<HttpResponse>): Promise<string> => {
    const error: unknown = await response.then(
      ({ status }) => assert.fail(`It answered ${status}.`),
      (thrown: unknown) => thrown,
    );
    return explainFailure(error).cause;
  };

  it('sends and receives', async () => {
    const { port } = own(
      await serve((request, response) => {
        request.setEncoding('utf8').on('data', (text: string) => {
          response.writeHead(201, 'Made', { 'X-Two': ['a', 'b'] }).end(`${request.method ?? ''} ${text}`);
        });
      }),
    );
    const response = await portWith()(`http://127.0.0.1:${port}/v1/x?y=1`, {
      ...get,
      method: 'POST',
      body: '{"ä":1}',
    });
    assert.deepEqual([response.status, response.statusText], [201, 'Made']);
    assert.equal(response.headers.get('x-TWO'), 'a, b');
    assert.equal(response.headers.get('none'), null);
    assert.equal(await readBodyText(response, bodyLimits.other, true), 'POST {"ä":1}');
  });

  it('follows no redirect by itself', async () => {
    const { port } = own(
      await serve((_request, response) => response.writeHead(302, { location: '/x' }).end()),
    );
    assert.equal((await portWith()(`http://127.0.0.1:${port}/`, get)).status, 302);
  });

  it('hands a stream on piece by piece, and ends it when aborted', async () => {
    const closed = Promise.withResolvers<undefined>();
    const { port } = own(
      await serve((request, response) => {
        response.write('first');
        request.on('close', () => closed.resolve(undefined));
      }),
    );
    const cancel = new AbortController();
    const { body } = await portWith()(`http://127.0.0.1:${port}/`, {
      ...get,
      signal: cancel.signal,
      isStream: true,
    });
    const pieces = body?.[Symbol.asyncIterator]() ?? assert.fail('There is no body.');
    const first = await pieces.next();
    assert.equal(Buffer.from(first.value ?? []).toString(), 'first');
    const second = pieces.next();
    cancel.abort();
    await assert.rejects(second, isAbortError);
    await closed.promise;
  });

  it('closes the connection of a body that is left early', async () => {
    const closed = Promise.withResolvers<undefined>();
    const { port } = own(
      await serve((request, response) => {
        response.write('first');
        request.on('close', () => closed.resolve(undefined));
      }),
    );
    const { body } = await portWith()(`http://127.0.0.1:${port}/`, get);
    for await (const piece of body ?? []) {
      assert.ok(piece.byteLength > 0);
      break;
    }
    await closed.promise;
  });

  it('refuses headers without measure', async () => {
    const { port } = own(
      await serve((_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(40_000) }).end()),
    );
    await assert.rejects(portWith()(`http://127.0.0.1:${port}/`, get), { code: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  it('names the cause of a failure', async () => {
    const http = portWith();
    assert.equal(await causeOf(http(`http://127.0.0.1:${await closedPort()}/`, get)), 'refused');
    const rude = own(await serve((request) => request.socket.destroy()));
    assert.equal(await causeOf(http(`http://127.0.0.1:${rude.port}/`, get)), 'reset');
    const secure = own(await serveTls(hello));
    assert.equal(await causeOf(http(`https://127.0.0.1:${secure.port}/`, get)), 'tls');
    assert.equal(await causeOf(http(`https://127.0.0.1:${rude.port}/`, get)), 'tls');
  });

  it('trusts the certificates it is given, or any when told so', async () => {
    const { port } = own(await serveTls(hello));
    const url = `https://127.0.0.1:${port}/`;
    assert.equal((await portWith({ certificates: [testCertificate] })(url, get)).status, 200);
    assert.equal((await portWith({ strictTls: false })(url, get)).status, 200);
    assert.equal((await portWith({ strictTls: false, systemCertificates: true })(url, get)).status, 200);
  });

  describe('through a proxy', () => {
    const url = 'https://service.test/v1/x';
    const trust = { certificates: [testCertificate] };

    it('connects, with the setting, the credentials in it, or the environment', async () => {
      const target = own(await serveTls(hello)).port;
      const proxy = own(await serveProxy({ target }));
      const address = `127.0.0.1:${proxy.port}`;
      const ways: readonly HttpSettings[] = [
        { proxy: `http://${address}` },
        { proxy: address },
        { proxy: `http://me:p%40ss@${address}` },
        { environment: { HTTPS_PROXY: `http://${address}` } },
        { environment: { http_proxy: address } },
      ];
      for (const way of ways) {
        const response = await portWith({ ...trust, ...way })(url, get);
        assert.equal(await readBodyText(response, bodyLimits.other, true), 'GET /v1/x service.test');
      }
      const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
      assert.deepEqual(proxy.asked, [
        'CONNECT service.test:443',
        'CONNECT service.test:443',
        `CONNECT service.test:443 ${basic}`,
        'CONNECT service.test:443',
        'CONNECT service.test:443',
      ]);
    });

    it('goes around it for hosts that are excepted, and always for this machine', async () => {
      const plain = own(await serve(hello)).port;
      const proxy = own(await serveProxy({ target: plain }));
      const through = `http://127.0.0.1:${proxy.port}`;
      const http = portWith({ proxy: through });
      assert.equal((await http(`http://127.0.0.1:${plain}/`, get)).status, 200);
      assert.equal((await http(`http://localhost:${plain}/`, get)).status, 200);
      for (const settings of [
        { proxy: through, noProxy: ['.invalid'] },
        { environment: { https_proxy: through, NO_PROXY: 'other.example,service.invalid' } },
      ])
        assert.equal(await causeOf(portWith(settings)('https://service.invalid/', get)), 'dns');
      assert.deepEqual(proxy.asked, []);
    });

    it('names the proxy when the proxy is what fails, and never its password', async () => {
      const target = own(await serveTls(hello)).port;
      const refusing = own(await serveProxy({ target, refusal: '407 Proxy Authentication Required' }));
      const broken = own(await serveProxy({ target, refusal: '502 Bad Gateway' }));
      const proxies = [
        `http://me:secret@127.0.0.1:${refusing.port}`,
        `http://me:secret@127.0.0.1:${broken.port}`,
        `http://me:secret@127.0.0.1:${await closedPort()}`,
        'http://me:secret@proxy.invalid:3128',
        'ftp://me:secret@127.0.0.1:1',
        'http://me:secret@[::',
      ];
      for (const proxy of proxies) {
        const error: unknown = await portWith({ proxy })(url, get).catch((thrown: unknown) => thrown);
        assert.equal(explainFailure(error).cause, 'proxy', proxy);
        assert.ok(
          error instanceof Error && !`${error.stack ?? ''}${JSON.stringify(error)}`.includes('secret'),
        );
      }
    });

    it('still checks the service behind it', async () => {
      const target = own(await serveTls(hello)).port;
      const proxy = own(await serveProxy({ target }));
      const http = portWith({ proxy: `http://127.0.0.1:${proxy.port}` });
      assert.equal(await causeOf(http(url, get)), 'tls');
    });

    it('stops waiting for a proxy that says nothing', async () => {
      const silent = own(await serveProxy({ target: 0, isSilent: true }));
      const cancel = new AbortController();
      const http = portWith({ proxy: `http://127.0.0.1:${silent.port}` });
      const call = http(url, { ...get, signal: cancel.signal });
      cancel.abort();
      await assert.rejects(call, isAbortError);
    });
  });

  it('leaves the dispatcher of the process alone', () => {
    const source = new URL('../../../src/api/http/http.ts', import.meta.url).href;
    const program = `await import(${JSON.stringify(source)});
      const names = Object.getOwnPropertySymbols(globalThis).map((symbol) => symbol.description ?? '');
      console.log(names.filter((name) => name.startsWith('undici.')).length);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    assert.equal(stdout.trim(), '0', stderr);
  });
});
