// The rules every request lives by: keys, limits, sizes, hosts, envelopes (contract sections 1, 4 and 6).
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { silentLogger } from '../../../src/base/logger.ts';
import { limits } from '../../../src/protocol/operations.ts';
import { listen, type Listener } from '../../../src/service/process/listen.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, call, toCompleteResponse } from '../calls.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('Requests', () => {
  let service: TestService;
  let now = 0;
  beforeEach(async () => {
    now = Date.parse('2026-01-05T10:00:00.000Z');
    service = await createTestService({ now: () => now });
  });
  afterEach(() => service.dispose());

  const ask = async (key: string | undefined) =>
    toCompleteResponse(
      await service.app.request(
        '/v1/workflows',
        key === undefined ? {} : { headers: { Authorization: key } },
      ),
    );

  describe('keys', () => {
    it('are required, with the reason of a refusal', async () => {
      for (const [header, code] of [
        [undefined, 'missing_api_key'],
        ['Basic abc', 'missing_api_key'],
        ['Bearer svc_sk_unknown', 'invalid_api_key'],
      ] as const) {
        const answer = await ask(header);
        assertRefused(answer, 401, code);
        assert.equal(answer.headers.get('WWW-Authenticate'), 'Bearer');
        assert.equal(answer.headers.get('X-RateLimit-Limit'), null);
      }
    });

    it('end when they are revoked, at once', async () => {
      const { id, key } = await service.store.keys.create('CI', 'never');
      assert.equal((await ask(`Bearer ${key}`)).status, 200);
      await service.store.keys.revoke(id);
      assertRefused(await ask(`Bearer ${key}`), 401, 'api_key_revoked');
    });

    for (const [expiration, days] of [
      ['30d', 30],
      ['90d', 90],
      ['1y', 365],
    ] as const)
      it(`of ${expiration} end after ${days} days`, async () => {
        const { key } = await service.store.keys.create('CI', expiration);
        now += days * dayMs - 1;
        assert.equal((await ask(`Bearer ${key}`)).status, 200);
        now += 1;
        assertRefused(await ask(`Bearer ${key}`), 401, 'api_key_expired');
      });

    it('that never expire never do, and each use is counted', async () => {
      now += 3650 * dayMs;
      await ask(`Bearer ${service.key}`);
      await ask(`bearer ${service.key}`);
      const [record] = await service.store.keys.list();
      assert.equal(record?.requestCount, 2);
      assert.equal(record.lastUsedAt, new Date(now).toISOString());
    });
  });

  describe('the limit', () => {
    const headersOf = (answer: { headers: Headers }) =>
      [
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'RateLimit-Policy',
        'RateLimit',
      ].map((name) => answer.headers.get(name));

    it('is reported in every response, also in refusals by the route', async () => {
      const reset = String((now + 60_000) / 1000);
      const first = await call(service, 'GET', '/v1/workflows');
      assert.deepEqual(headersOf(first), ['60', '59', reset, '"default";q=60;w=60', '"default";r=59;t=60']);
      now += 10_500;
      const second = await call(service, 'GET', '/v1/nowhere');
      assert.deepEqual(headersOf(second), ['60', '58', reset, '"default";q=60;w=60', '"default";r=58;t=50']);
    });

    it('slides: a request is free again 60 s after it was made; a refused one costs nothing', async () => {
      await call(service, 'GET', '/v1/workflows');
      now += 30_000;
      for (let count = 0; count < 59; count += 1) await call(service, 'GET', '/v1/workflows');
      for (let count = 0; count < 3; count += 1) {
        const refused = await call(service, 'GET', '/v1/workflows');
        assertRefused(refused, 429, 'rate_limited');
        assert.equal(refused.headers.get('Retry-After'), '30');
        assert.equal(at(refused.body, 'error', 'details', 'retryAfterSeconds'), 30);
        assert.equal(refused.headers.get('X-RateLimit-Remaining'), '0');
      }
      now += 30_000;
      assert.equal((await call(service, 'GET', '/v1/workflows')).status, 200);
      assertRefused(await call(service, 'GET', '/v1/workflows'), 429, 'rate_limited');
      const [record] = await service.store.keys.list();
      assert.equal(record?.requestCount, 61);
    });

    it('uses a clock that cannot be set back', async () => {
      let steady = 0;
      const other = await createTestService({ now: () => now, steadyNow: () => steady });
      for (let count = 0; count < 60; count += 1) await call(other, 'GET', '/v1/workflows');
      now -= 3_600_000;
      const refused = await call(other, 'GET', '/v1/workflows');
      assert.equal(refused.headers.get('Retry-After'), '60');
      assert.equal(refused.headers.get('X-RateLimit-Reset'), String((now + 60_000) / 1000));
      steady += 60_000;
      assert.equal((await call(other, 'GET', '/v1/workflows')).status, 200);
      await other.dispose();
    });

    it('is each key’s own; unknown keys and the settings cost nothing', async () => {
      const { key } = await service.store.keys.create('other', 'never');
      for (let count = 0; count < 60; count += 1) await ask('Bearer svc_sk_unknown');
      for (let count = 0; count < 60; count += 1) await call(service, 'GET', '/v1/workflows');
      assertRefused(await call(service, 'GET', '/v1/workflows'), 429, 'rate_limited');
      assert.equal((await ask(`Bearer ${key}`)).status, 200);
    });
  });

  describe('routes and bodies', () => {
    it('unknown route, unknown method, and a key before either', async () => {
      assertRefused(await call(service, 'GET', '/v1/nowhere'), 404, 'route_not_found');
      assertRefused(await toCompleteResponse(await service.app.request('/nowhere')), 404, 'route_not_found');
      assertRefused(
        await toCompleteResponse(await service.app.request('/v1/nowhere')),
        401,
        'missing_api_key',
      );
      for (const [method, path, allowed] of [
        ['DELETE', '/v1/workflows', 'GET, POST'],
        ['POST', '/v1/workflows/wf_1', 'GET, PATCH, DELETE, PUT'],
        ['GET', '/v1/workflows/wf_1/deploy', 'POST, DELETE'],
        ['OPTIONS', '/v1/executions', 'GET'],
      ] as const) {
        const answer = await call(service, method, path);
        assertRefused(answer, 405, 'method_not_allowed');
        assert.deepEqual(answer.headers.get('Allow'), allowed);
      }
    });

    it('every response is JSON in UTF-8 that is not cached, and names its request', async () => {
      const { headers } = await call(service, 'GET', '/v1/workflows');
      assert.equal(headers.get('Content-Type'), 'application/json; charset=utf-8');
      assert.equal(headers.get('Cache-Control'), 'no-store');
      assert.match(headers.get('X-Request-Id') ?? '', /^req_/);
      assert.equal(headers.get('Access-Control-Allow-Origin'), null);
    });

    it('a body must be JSON, said to be JSON, and no larger than 1 MiB, or 5 MiB for an import', async () => {
      const post = (path: string, body: string, type = 'application/json') =>
        call(service, 'POST', path, body, { 'Content-Type': type });
      assertRefused(await post('/v1/workflows', '{'), 400, 'invalid_json');
      assertRefused(await post('/v1/workflows', ''), 400, 'invalid_json');
      assertRefused(await post('/v1/workflows', '{}', 'text/plain'), 415, 'unsupported_media_type');
      assert.equal(
        (await post('/v1/workflows', '{"name":"a"}', 'application/json; charset=utf-8')).status,
        201,
      );
      const large = JSON.stringify({ name: 'a', settings: { text: 'x'.repeat(limits.bodyBytes) } });
      assertRefused(await post('/v1/workflows', large), 413, 'payload_too_large');
      assert.equal((await post('/v1/workflows/import', large)).status, 201);
      const tooLarge = JSON.stringify({ name: 'a', settings: { text: 'x'.repeat(limits.importBytes) } });
      assertRefused(await post('/v1/workflows/import', tooLarge), 413, 'payload_too_large');
    });

    it('a body that does not arrive is cut off', async () => {
      const hasty = await createTestService({ bodyTimeoutMs: 40 });
      const listener = await listen(hasty.app, 0);
      for (const begun of ['', '{"name":']) {
        const socket = connect(listener.port, '127.0.0.1');
        socket.write(
          `POST /v1/workflows HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${hasty.key}\r\n` +
            `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n${begun}`,
        );
        let answer = '';
        // Ends when the service closes the connection.
        for await (const chunk of socket) answer += String(chunk);
        assert.match(answer, /^HTTP\/1\.1 408 /);
        assert.match(
          answer,
          /"code":"request_timeout","message":"The request body didn't arrive within 0\.04 s\."/,
        );
      }
      await listener.close();
      await hasty.dispose();
    });

    const postStream = async (
      body: ReadableStream<Uint8Array>,
      { app, key } = service,
    ): Promise<Response> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half' };
      return app.request('/v1/workflows', init);
    };

    it('a body without a length is read no further than the limit', async () => {
      let sent = 0;
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
        },
      });
      const response = await postStream(endless);
      assertRefused(await toCompleteResponse(response), 413, 'payload_too_large');
      assert.ok(sent < 64, `${sent} pieces were taken`);
      // What else it sends would be taken for the next request.
      assert.equal(response.headers.get('Connection'), 'close');
    });

    it('a body whose client has gone is no failure of the service', async () => {
      const failures: string[] = [];
      const logger = { ...silentLogger, error: (message: string) => void failures.push(message) };
      const logging = await createTestService({ logger });
      const gone = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(new Error('aborted')),
      });
      const response = await postStream(gone, logging);
      assertRefused(await toCompleteResponse(response), 400, 'invalid_request');
      assert.deepEqual(failures, []);
      await logging.dispose();
    });

    it('lists refuse a limit or a cursor that makes no sense', async () => {
      for (const limit of ['0', '101', '-1', 'ten', '1.5'])
        assertRefused(await call(service, 'GET', `/v1/workflows?limit=${limit}`), 400, 'invalid_request');
      assertRefused(await call(service, 'GET', '/v1/workflows?deployed=yes'), 400, 'invalid_request');
      assertRefused(await call(service, 'GET', '/v1/executions?status=lost'), 400, 'invalid_request');
      assertRefused(await call(service, 'GET', '/v1/executions?startedAfter=soon'), 400, 'invalid_request');
      for (const path of ['/v1/workflows', '/v1/executions', '/v1/portal/events'])
        assertRefused(await call(service, 'GET', `${path}?cursor=abc`), 400, 'invalid_cursor');
    });
  });

  describe('over a socket', () => {
    let listener: Listener;
    beforeEach(async () => {
      listener = await listen(service.app, 0);
    });
    afterEach(() => listener.close());

    const statusFor = (headers: Record<string, string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { port: listener.port, path: '/v1/workflows', host: '127.0.0.1' };
        const outgoing = httpRequest(
          { ...options, headers: { Authorization: `Bearer ${service.key}`, ...headers } },
          (response) => {
            response.resume();
            resolve(response.statusCode ?? 0);
          },
        );
        outgoing.once('error', reject);
        outgoing.end();
      });

    it('only loopback names are accepted, and no page of another origin', async () => {
      for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST:99'])
        assert.equal(await statusFor({ Host: host }), 200, host);
      for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '10.0.0.1'])
        assert.equal(await statusFor({ Host: host }), 403, host);
      assert.equal(await statusFor({ Host: 'localhost', Origin: 'http://localhost' }), 200);
      for (const origin of ['https://evil.example', 'null', 'http://localhost:81', 'vscode-webview://abc'])
        assert.equal(await statusFor({ Host: 'localhost', Origin: origin }), 403, origin);
    });
  });
});
