// Why: a call to another service is bounded, and its failures are told apart.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService } from '../../support/service.ts';
import type { TestService } from '../../support/service.ts';
import { at, chain, runToEnd, textAt } from '../calls.ts';

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
  const server = createServer((request, response) => {
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
  });
  let base = '';
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('an answer that is too deep fails the node, once and in words', async () => {
    const { result, rows } = await runToEnd(
      service,
      chain(start, ['ask', 'httpRequest', { url: `${base}/deep?depth=50000` }]),
    );
    assert.deepEqual(result['error'], {
      code: 'node_failed',
      message: 'The answer is JSON that is more than 200 deep.',
      nodeId: 'ask',
    });
    assert.equal(calls, 1);
    assert.equal(rows.filter((row) => row['nodeId'] === 'ask' && row['status'] === 'failed').length, 1);
    // What stands around the body counts too.
    assert.equal(await failureOf({ url: `${base}/deep?depth=200` }), textAt(result, 'error', 'message'));
    assert.equal((await ask({ url: `${base}/deep?depth=199` }))['status'], 'completed');
  });

  it('sends JSON and reads JSON', async () => {
    const config = { method: 'POST', url: '{{ input.base }}/', body: { n: '{{ 1 + 1 }}' } };
    const result = await ask(config, { base });
    assert.equal(at(result, 'output', 'status'), 200);
    assert.deepEqual(at(result, 'output', 'body'), {
      method: 'POST',
      type: 'application/json',
      body: '{"n":2}',
    });
  });

  it('fails on a status that is no success, unless it is expected', async () => {
    assert.match(await failureOf({ url: `${base}/?status=503` }), /answered 503\./);
    const result = await ask({
      url: `${base}/?status=404`,
      expectedStatus: [404],
    });
    assert.equal(at(result, 'output', 'status'), 404);
  });

  it('fails on an answer that is too late, too large, or cannot be asked for', async () => {
    assert.match(await failureOf({ url: `${base}/silent`, timeoutMs: 30 }), /within 30 ms/);
    assert.match(await failureOf({ url: `${base}/large`, maximumBytes: 4096 }), /more than 4096/);
    assert.match(await failureOf({ url: 'file:///etc/passwd' }), /Only http and https/);
    assert.match(await failureOf({ url: 'http://127.0.0.1:1/' }), /could not be reached/);
  });
});
