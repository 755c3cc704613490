// A call to another service is bounded, and its failures are distinguished.
import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '../../../src/base/json.ts';
import { isPrivateAddress } from '../../../src/service/engine/nodes/privateAddresses.ts';
import { type Running, serve as serveOne } from '../../support/servers.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, chain, runToEnd, textAt } from '../calls.ts';
import { HearingServers, type Served } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;

describe('HTTP request nodes', () => {
  let service: TestService;
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  after(() => service.dispose());

  const ask = async (config: JsonObject, input: JsonObject = {}): Promise<JsonObject> => {
    const answer = ['answer', 'output', { expression: 'nodes.ask' }] as const;
    return (await runToEnd(service, chain(start, ['ask', 'httpRequest', config], answer), input)).result;
  };
  const failureOf = async (config: JsonObject): Promise<string> => {
    const result = await ask(config);
    assert.equal(result['status'], 'failed');
    return textAt(result, 'error', 'message');
  };

  let calls = 0;
  const answer: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/silent') return;
    if (url.pathname === '/deep') {
      calls += 1;
      const depth = Number(url.searchParams.get('depth'));
      response.setHeader('Content-Type', 'application/json');
      response.end('['.repeat(depth) + ']'.repeat(depth));
      return;
    }
    if (url.pathname === '/large') {
      response.end('x'.repeat(5000));
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(Number(url.searchParams.get('status') ?? 200), {
        'Content-Type': 'application/json',
      });
      response.end(JSON.stringify({ method: request.method, type: request.headers['content-type'], body }));
    });
  };
  let server: Running;
  let base = '';
  before(async () => {
    server = await serveOne(answer);
    base = `http://127.0.0.1:${server.port}`;
  });
  after(() => server.close());

  it('fail once with a clear error on a response that is too deep', async () => {
    const { result, rows } = await runToEnd(
      service,
      chain(start, ['ask', 'httpRequest', { url: `${base}/deep?depth=50000` }]),
    );
    assert.deepEqual(result['error'], {
      code: 'too_deep',
      message: 'The response is JSON nested more than 200 levels deep.',
      nodeId: 'ask',
    });
    assert.equal(calls, 1);
    assert.equal(rows.filter((row) => row['nodeId'] === 'ask' && row['status'] === 'failed').length, 1);
    // What stands around the body counts too.
    assert.equal(await failureOf({ url: `${base}/deep?depth=200` }), textAt(result, 'error', 'message'));
    assert.equal((await ask({ url: `${base}/deep?depth=199` }))['status'], 'completed');
  });

  it('send a header with any valid name', async () => {
    let heard: readonly string[] = [];
    const echo = await serveOne(({ rawHeaders }, response) => {
      heard = rawHeaders;
      response.end();
    });
    const url = `http://127.0.0.1:${echo.port}`;
    await ask({ url, headers: { ['__proto__']: 'a', constructor: 'b', prototype: '{{ 1 + 1 }}' } });
    await echo.close();
    for (const [name, value] of [
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['prototype', '2'],
    ] as const)
      assert.equal(heard[heard.indexOf(name) + 1], value);
  });

  it('keep several cookies separate, and join other repeated headers', async () => {
    const two = ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT'];
    for (const cookies of [two, two.slice(0, 1)]) {
      const { origin } = await serve((response) => {
        response.setHeader('Set-Cookie', cookies);
        response.setHeader('X-Other', ['1', '2']);
        response.end();
      });
      const { output } = await ask({ url: origin });
      const [only] = cookies;
      assert.deepEqual(at(output, 'headers', 'set-cookie'), cookies.length > 1 ? cookies : only);
      assert.equal(at(output, 'headers', 'x-other'), '1, 2');
    }
  });

  it('decode each coding of a response, and refuse an unknown one with a clear error', async () => {
    const served = async (coding: string, body: Buffer) => {
      const { origin } = await serve((response) => {
        response.writeHead(200, { 'Content-Encoding': coding, 'Content-Type': 'text/plain' }).end(body);
      });
      return ask({ url: origin });
    };
    const text = Buffer.from('an answer');
    for (const [coding, body] of [
      ['deflate', deflateSync(text)],
      ['gzip, BR', brotliCompressSync(gzipSync(text))],
      ['identity', text],
    ] as const)
      assert.equal(at(await served(coding, body), 'output', 'body'), 'an answer', coding);
    assert.deepEqual(at(await served('zstd', text), 'error'), {
      code: 'encoding_unknown',
      message: 'The response is encoded as "zstd", which the service can\'t decode.',
      nodeId: 'ask',
    });
  });

  it('send JSON and read JSON', async () => {
    const config = { method: 'POST', url: '{{ input.base }}/', body: { n: '{{ 1 + 1 }}' } };
    const result = await ask(config, { base });
    assert.equal(at(result, 'output', 'status'), 200);
    assert.deepEqual(at(result, 'output', 'body'), {
      method: 'POST',
      type: 'application/json',
      body: '{"n":2}',
    });
  });

  const servers = new HearingServers();
  afterEach(() => servers.close());
  const serve = servers.serve.bind(servers);
  const redirecting = (status: number, location: () => string) => (response: ServerResponse) => {
    response.writeHead(status, { Location: location() }).end();
  };
  const secrets = { 'X-Api-Key': 'secret', Authorization: 'Bearer secret', Cookie: 'a=secret' };

  it('send no body to another origin, name both, and record each redirect', async () => {
    for (const status of [307, 308]) {
      const other = await serve((response) => response.end('"done"'));
      const first = await serve((response) => {
        const isSecond = first.heard.length > 1;
        response.writeHead(status, { Location: isSecond ? `${other.origin}/there` : '/again' }).end();
      });
      const config = { method: 'POST', url: `${first.origin}/`, body: { client_secret: 'value-12345' } };
      const { result, rows } = await runToEnd(service, chain(start, ['ask', 'httpRequest', config]));
      assert.equal(at(result, 'error', 'code'), 'redirect_refused', `${status}`);
      const message = textAt(result, 'error', 'message');
      assert.ok(message.includes(first.origin) && message.includes(other.origin), message);
      assert.equal(other.heard.length, 0);
      assert.deepEqual(
        at(
          rows.find(({ request }) => request !== undefined),
          'request',
          'redirects',
        ),
        [
          { status, url: `${first.origin}/again` },
          { status, url: `${other.origin}/there` },
        ],
      );
    }
  });

  it("send none of the author's headers to another origin, nor back from it", async () => {
    const back = await serve((response) => response.end('"done"'));
    const other = await serve(redirecting(302, () => `${back.origin}/`));
    const first = await serve(redirecting(307, () => `${other.origin}/`));
    const headers = { ...secrets, 'User-Agent': 'Ours', Accept: 'text/plain' };
    const result = await ask({ method: 'PUT', url: first.origin, headers });
    assert.equal(at(result, 'output', 'status'), 200, JSON.stringify(result));
    assert.equal(first.heard[0]?.headers['x-api-key'], 'secret');
    for (const { heard } of [other, back]) {
      assert.equal(heard.length, 1);
      assert.ok(!JSON.stringify(heard).includes('secret'), JSON.stringify(heard));
      assert.deepEqual([heard[0]?.headers['user-agent'], heard[0]?.headers.accept], ['Ours', 'text/plain']);
      assert.deepEqual([heard[0]?.method, heard[0]?.body], ['PUT', '']);
    }
  });

  it('follow redirects on the same origin with the headers, and by the rules for methods', async () => {
    for (const [status, method, expected] of [
      [301, 'POST', 'GET'],
      [302, 'POST', 'GET'],
      [303, 'PUT', 'GET'],
      [307, 'POST', 'POST'],
      [308, 'POST', 'POST'],
      [301, 'PUT', 'PUT'],
      [303, 'HEAD', 'HEAD'],
    ] as const) {
      let isFirst = true;
      const own = await serve((response) => {
        if (isFirst) response.writeHead(status, { Location: '/next' });
        isFirst = false;
        response.end();
      });
      await ask({
        method,
        url: own.origin,
        headers: secrets,
        ...(method === 'HEAD' ? {} : { body: 'text' }),
      });
      const [, next] = own.heard;
      assert.deepEqual(
        [next?.method, next?.body],
        [expected, expected === method && method !== 'HEAD' ? 'text' : ''],
      );
      assert.equal(next?.headers['x-api-key'], 'secret');
    }
  });

  it('end redirect loops, redirects to invalid URLs, and all of them at the timeout', async () => {
    const circle: Served = await serve(redirecting(302, () => circle.origin));
    assert.match(await failureOf({ url: circle.origin }), /redirects more than 20 times/);
    assert.equal(circle.heard.length, 21);
    const file = await serve(redirecting(302, () => 'file:///etc/passwd'));
    assert.match(await failureOf({ url: file.origin }), /Only http and https/);
    const slow = await serve(redirecting(302, () => `${base}/silent`));
    assert.match(await failureOf({ url: slow.origin, timeoutMs: 60 }), /within 60 ms/);
    assert.match(await failureOf({ url: 'http://ada:secret@127.0.0.1/' }), /user name or password/);
  });

  it('read compressed responses, and stop one that grows too large', async () => {
    const packed = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(gzipSync('{"n":1}'));
    });
    assert.deepEqual(at(await ask({ url: packed.origin }), 'output', 'body'), { n: 1 });
    const bomb = await serve((response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end(gzipSync(Buffer.alloc(50_000_000)));
    });
    assert.match(await failureOf({ url: bomb.origin }), /exceeds 1048576 bytes/);
    const broken = await serve((response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end('no gzip');
    });
    assert.match(await failureOf({ url: broken.origin }), /could not be reached/);
  });

  it('read responses without a body that name a coding', async () => {
    for (const [status, headers] of [
      [200, { 'Content-Encoding': 'gzip', 'Content-Length': '0' }],
      [200, { 'Content-Encoding': 'gzip', 'Transfer-Encoding': 'chunked' }],
      [200, { 'Content-Encoding': 'zstd', Connection: 'close' }],
      [204, { 'Content-Encoding': 'br' }],
    ] as const) {
      const { origin } = await serve((response) => {
        response.useChunkedEncodingByDefault = !('Connection' in headers);
        response.writeHead(status, headers).flushHeaders();
        setImmediate(() => response.end());
      });
      const { output } = await ask({ url: origin });
      assert.deepEqual([at(output, 'status'), at(output, 'body')], [status, '']);
    }
  });

  it('refuse private addresses if the service is configured so, however they are written', async () => {
    const inside = await serve((response) => response.end('inside'));
    const { port } = new URL(inside.origin);
    const strict = await createTestService({ requestsPerMinute: 10_000, refusesPrivateAddresses: true });
    for (const host of [
      ...['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'],
      ...['10.1.2.3', '169.254.169.254', '192.168.0.1', '172.31.0.1', '100.64.0.1', '[fd00::1]', '[fe80::1]'],
      '[::ffff:0:127.0.0.1]',
    ]) {
      const config = { url: `http://${host}:${port}/`, timeoutMs: 5000 };
      const { result } = await runToEnd(strict, chain(start, ['ask', 'httpRequest', config]));
      assert.match(textAt(result, 'error', 'message'), /of this machine or of a private network/, host);
    }
    assert.deepEqual(inside.heard, []);
    for (const address of [
      '2001:0:1::1',
      '5f00::1',
      '3fff::1',
      '100::1',
      '2001:db8::1',
      '192.88.99.1',
      '203.0.113.9',
    ])
      assert.equal(isPrivateAddress(address), true, address);
    for (const address of [
      '8.8.8.8',
      '172.32.0.1',
      '2001:4860:4860::8888',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
    ])
      assert.equal(isPrivateAddress(address), false, address);
    await strict.dispose();
  });

  it('fail on an unsuccessful status, unless it is expected', async () => {
    assert.deepEqual((await ask({ url: `${base}/?status=503` }))['error'], {
      code: 'http_status',
      message: `GET ${base}/ answered 503: {"method":"GET","body":""}`,
      nodeId: 'ask',
    });
    const result = await ask({
      url: `${base}/?status=404`,
      expectedStatus: [404],
    });
    assert.equal(at(result, 'output', 'status'), 404);
  });

  it('fail on a response that is too late, too large, or from an unreachable server', async () => {
    assert.match(await failureOf({ url: `${base}/silent`, timeoutMs: 30 }), /within 30 ms/);
    assert.match(await failureOf({ url: `${base}/large`, maximumBytes: 4096 }), /exceeds 4096/);
    assert.match(await failureOf({ url: 'file:///etc/passwd' }), /Only http and https/);
    assert.match(await failureOf({ url: 'http://127.0.0.1:1/' }), /could not be reached/);
  });
});
