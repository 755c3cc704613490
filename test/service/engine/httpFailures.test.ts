// What an HTTP request node says when it fails, and what it doesn't send.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, chain, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;

describe('An HTTP request node', () => {
  let service: TestService;
  const servers = new HearingServers();
  before(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  const errorOf = async (config: JsonObject) => {
    const { result } = await runToEnd(service, chain(start, ['ask', 'httpRequest', config]));
    assert.equal(result['status'], 'failed');
    return result['error'];
  };

  it('reports the beginning of the body for an unsuccessful status, in one line', async () => {
    const failureWith = async (type: string, body: string): Promise<string> => {
      const { origin } = await servers.serve((response) => {
        response.writeHead(401, { 'Content-Type': type });
        response.end(body);
      });
      return textAt(await errorOf({ url: origin }), 'message').slice(`GET ${origin}/ `.length);
    };
    assert.equal(await failureWith('text/plain', ''), 'answered 401.');
    assert.equal(
      await failureWith('text/plain', ' The token\n\thas expired. '),
      'answered 401: The token has expired.',
    );
    assert.equal(await failureWith('text/html', 'x'.repeat(5000)), `answered 401: ${'x'.repeat(200)}…`);
    assert.equal(
      await failureWith('text/plain', `${'x'.repeat(199)}🙂 no`),
      `answered 401: ${'x'.repeat(199)}…`,
    );
  });

  it('sends nothing where a template of its address or a header gives nothing', async () => {
    const { origin, heard } = await servers.serve((response) => response.end());
    const template = '{{ input.tokn }}';
    for (const [place, config] of [
      ['url', { url: `${origin}/${template}` }],
      ['url', { url: template }],
      ['headers.Authorization', { url: origin, headers: { Authorization: `Bearer ${template}` } }],
      ['headers.X-Api-Key', { url: origin, headers: { 'X-Api-Key': template } }],
    ] as const) {
      assert.deepEqual(await errorOf(config), {
        code: 'template_empty',
        message: `Nothing was sent because a template gave nothing: ${place} ({{ input.tokn }}).`,
        nodeId: 'ask',
      });
    }
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, template]));
    const config = { method: 'POST', body, url: origin, headers: { Authorization: `Bearer ${template}` } };
    assert.equal(at(await errorOf(config), 'code'), 'template_empty');
    assert.deepEqual(heard, []);
  });

  it('sends null in a body where a template gives nothing, and warns', async () => {
    const { origin, heard } = await servers.serve((response) => response.end());
    const body = { to: '{{ input.nmae }}', list: ['{{ null }}', 'Dear {{ input.nmae }}'] };
    const { result, rows } = await runToEnd(
      service,
      chain(start, ['ask', 'httpRequest', { method: 'POST', url: origin, body }]),
    );
    assert.equal(result['status'], 'completed');
    assert.deepEqual(
      heard.map((each) => each.body),
      ['{"to":null,"list":[null,"Dear null"]}'],
    );
    assert.deepEqual(
      rows.filter(({ level }) => level === 'warn').map(({ message }) => message),
      [
        'The body has null where a template gave nothing: body.to ({{ input.nmae }}), body.list.0 ({{ null }}), body.list.1 ({{ input.nmae }}).',
      ],
    );
  });
});
