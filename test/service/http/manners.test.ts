// What HTTP says of requests that few callers send: codings, weights, lists, times without a zone.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, call, chain, createDeployed, execute, follow, toCompleteResponse } from '../calls.ts';

describe('A request', () => {
  let service: TestService;
  let workflowId = '';
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
    workflowId = await createDeployed(
      service,
      chain(['start', 'trigger'], ['end', 'output', { expression: 'input' }]),
    );
  });
  after(() => service.dispose());

  const send = async (path: string, body: BodyInit, headers: Record<string, string>) =>
    toCompleteResponse(
      await service.app.request(path, {
        method: 'POST',
        body,
        headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', ...headers },
      }),
    );

  it('with a compressed body is refused as such', async () => {
    const path = `/v1/workflows/${workflowId}/execute`;
    const answer = await send(path, gzipSync('{"input":{}}'), { 'Content-Encoding': 'gzip' });
    assert.equal(answer.status, 415);
    assert.equal(at(answer.body, 'error', 'message'), 'The body must be sent without a Content-Encoding.');
    assert.equal((await send(path, '{"input":{}}', { 'Content-Encoding': 'identity' })).status, 202);
  });

  it('that lacks a member gets our own message', async () => {
    const missing = await call(service, 'POST', `/v1/workflows/${workflowId}/execute`, {});
    assert.deepEqual([missing.status, at(missing.body, 'error', 'message')], [422, 'input is missing.']);
    const other = await call(service, 'POST', '/v1/workflows/import', { StartAt: 'A', States: {} });
    assert.deepEqual([other.status, at(other.body, 'error', 'message')], [422, 'name is missing.']);
    const odd = await call(service, 'POST', '/v1/portal/events', { type: 'a', data: 5, id: [] });
    assert.equal(odd.status, 422);
    assert.doesNotMatch(odd.text, /Invalid|Expected/);
  });

  it('to import a document of n8n is refused with a message that names n8n', async () => {
    const node = { id: '1', name: 'Begin', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
    const answer = await call(service, 'POST', '/v1/workflows/import', {
      name: 'Two steps',
      nodes: [node],
      connections: { Begin: { main: [[]] } },
    });
    assert.deepEqual(
      [answer.status, at(answer.body, 'error', 'code'), at(answer.body, 'error', 'message')],
      [
        422,
        'import_invalid',
        'This is a document of n8n, with "connections" in place of "edges". Import it into n8n.',
      ],
    );
  });

  it('with several ETags in If-Match uses the matching one', async () => {
    const { headers } = await call(service, 'GET', `/v1/workflows/${workflowId}`);
    const tag = headers.get('ETag') ?? '';
    const update = async (ifMatch: string) =>
      (
        await service.app.request(`/v1/workflows/${workflowId}`, {
          method: 'PATCH',
          body: '{"description":"x"}',
          headers: {
            Authorization: `Bearer ${service.key}`,
            'Content-Type': 'application/json',
            'If-Match': ifMatch,
          },
        })
      ).status;
    assert.equal(await update('"other", "another"'), 409);
    assert.equal(await update(`"other", ${tag}`), 200);
    assert.equal(await update(`"other", ${tag}`), 409);
  });

  it('gets no stream if its Accept header has weight 0', async () => {
    for (const [accept, type] of [
      ['text/event-stream;q=0, application/json', 'application/json'],
      ['text/event-stream; q=0.000', 'application/json'],
      ['application/json, text/event-stream;q=0.5', 'text/event-stream'],
      ['text/event-stream', 'text/event-stream'],
    ] as const) {
      const response = await service.app.request('/v1/portal/events', {
        headers: { Authorization: `Bearer ${service.key}`, Accept: accept },
      });
      assert.equal(response.headers.get('Content-Type')?.split(';')[0], type, accept);
      await response.body?.cancel();
    }
  });

  it('with times without a zone takes them as UTC, wherever the service runs', async () => {
    await follow(service, await execute(service, workflowId, {}));
    const minuteAgo = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      const { body } = await call(service, 'GET', `/v1/executions?startedAfter=${minuteAgo}`);
      assert.notDeepEqual(body['data'], []);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
});
