// The request and the response of an HTTP request node are in its ending log row (contract section 10).
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, call, chain, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;
const json = { 'Content-Type': 'application/json' };

describe('The ending row of an HTTP request node', () => {
  let service: TestService;
  const servers = new HearingServers();
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  const serve = (status: number, headers: Record<string, string>, body: string) =>
    servers.serve((response: ServerResponse) => void response.writeHead(status, headers).end(body));
  /** The rows of a run of the node. */
  const ask = async (config: JsonObject, input: JsonObject = {}) => {
    const run = await runToEnd(service, chain(start, ['ask', 'httpRequest', config]), input);
    const rows = run.rows.filter(({ nodeId }) => nodeId === 'ask');
    return { ...run, rows, end: rows.at(-1) ?? {} };
  };

  it('has the request as sent and the response, which no other row has', async () => {
    const { origin } = await serve(200, { ...json, 'X-Count': '2' }, '{"n":[1,2]}');
    const config = {
      method: 'POST',
      url: '{{ input.base }}/orders?x=1',
      headers: { 'X-Mine': 7 },
      body: { a: '{{ 1 + 1 }}' },
    };
    const { rows, end } = await ask(config, { base: origin });
    assert.deepEqual(end['request'], {
      method: 'POST',
      url: `${origin}/orders?x=1`,
      headers: { 'X-Mine': '7', ...json },
      body: { a: 2 },
    });
    assert.deepEqual([at(end, 'response', 'status'), at(end, 'response', 'body')], [200, { n: [1, 2] }]);
    assert.equal(at(end, 'response', 'headers', 'x-count'), '2');
    for (const row of rows.slice(0, -1)) assert.ok(!('request' in row || 'response' in row));
  });

  it('has both for an unsuccessful status, and the error has the response', async () => {
    const { origin } = await serve(401, json, '{"why":"expired"}');
    const config = { url: origin, headers: { authorization: 'Bearer abc' } };
    const { end, result } = await ask(config);
    assert.deepEqual(end['request'], {
      method: 'GET',
      url: `${origin}/`,
      headers: { authorization: '***' },
      body: null,
    });
    assert.deepEqual(at(end, 'response', 'body'), { why: 'expired' });
    assert.deepEqual(
      end['error'],
      result['error'] && { code: 'http_status', message: textAt(end, 'message') },
    );
    const handling = {
      ...chain(
        start,
        ['ask', 'httpRequest', config],
        ['answer', 'output', { expression: 'nodes.ask.error' }],
      ),
      edges: [
        { source: 'start', target: 'ask' },
        { source: 'ask', target: 'answer', branch: 'error' },
      ],
    };
    const { result: handled, rows } = await runToEnd(service, handling);
    const { output } = handled;
    assert.deepEqual([at(output, 'code'), at(output, 'status')], ['http_status', 401]);
    const row = rows.find(({ nodeId, status }) => nodeId === 'ask' && status === 'failed');
    assert.deepEqual(at(output, 'response'), row?.['response']);
  });

  it('has no response if none arrived, and neither if nothing was sent', async () => {
    const { end } = await ask({ url: 'http://127.0.0.1:1/' });
    assert.equal(at(end, 'request', 'url'), 'http://127.0.0.1:1/');
    assert.ok(!('response' in end));
    const { end: unsent } = await ask({ url: '{{ input.missing }}' });
    assert.ok(!('request' in unsent));
  });

  it('hides the headers that authorize, however they are written', async () => {
    const { origin } = await serve(200, { 'Set-Cookie': 'id=secret', 'X-Other': 'shown' }, '');
    const names = [
      'AUTHORIZATION',
      'Proxy-authorization',
      'cookie',
      'x-api-KEY',
      'PRIVATE-Token',
      'X-Auth-Token',
    ];
    const headers = Object.fromEntries(names.map((name) => [name, 'secret']));
    const { end, rows } = await ask({ url: origin, headers });
    assert.deepEqual(at(end, 'request', 'headers'), Object.fromEntries(names.map((name) => [name, '***'])));
    assert.equal(at(end, 'response', 'headers', 'set-cookie'), '***');
    assert.equal(at(end, 'response', 'headers', 'x-other'), 'shown');
    assert.ok(!JSON.stringify(rows.map(({ request, response }) => [request, response])).includes('secret'));
  });

  it('has a body as text if it is not JSON or too deep', async () => {
    const { origin } = await serve(200, json, '{"n":');
    const { end } = await ask({ method: 'PUT', url: origin, body: '{"text":1}' });
    assert.equal(at(end, 'request', 'body'), '{"text":1}');
    assert.equal(at(end, 'response', 'body'), '{"n":');
    const deep = '['.repeat(500) + ']'.repeat(500);
    const { origin: deepOrigin } = await serve(200, json, deep);
    const { end: failed } = await ask({ url: deepOrigin });
    assert.equal(at(failed, 'error', 'code'), 'too_deep');
    assert.equal(at(failed, 'response', 'body'), deep);
  });

  it('has large bodies truncated in lists, and complete when read alone', async () => {
    const large = 'x'.repeat(300 * 1024);
    const { origin } = await serve(200, {}, large);
    const { executionId, end } = await ask({ method: 'POST', url: origin, body: large });
    for (const message of ['request', 'response'])
      assert.equal(at(end, message, 'body', '$cut', 'bytes'), large.length + 2, message);
    const whole = await call(service, 'GET', `/v1/executions/${executionId}/logs/${textAt(end, 'id')}`);
    assert.equal(at(whole.body, 'request', 'body'), large);
    assert.equal(at(whole.body, 'response', 'body'), large);
  });

  it('has the request and the response of each attempt', async () => {
    let count = 0;
    const { origin } = await servers.serve((response) => {
      count += 1;
      response.writeHead(count === 1 ? 503 : 200).end(`answer ${count}`);
    });
    const definition = chain(start, ['ask', 'httpRequest', { url: origin }]);
    const nodes = [
      { id: 'start', type: 'trigger' },
      {
        id: 'ask',
        type: 'httpRequest',
        config: { url: origin },
        retry: { maximumAttempts: 2, initialDelayMs: 1 },
      },
    ];
    const { rows } = await runToEnd(service, { ...definition, nodes });
    const bodies = rows.flatMap((row) => at(row, 'response', 'body') ?? []);
    assert.deepEqual(bodies, ['answer 1', 'answer 2']);
  });
});
