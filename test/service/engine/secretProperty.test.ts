// A property: whatever a request, an answer and a failure are, secrets reach the server unharmed and nothing else.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { type JsonObject, parseJson } from '../../../src/base/json.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { tries } from '../../support/properties.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { at, call, chain, createDeployed, execute, follow, openStream, readEvents } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;

/** What an HTTP header can have, and what a URL, JSON and base64 write in another way. */
const character = fc.constantFrom(...Array.from('abcXYZ019 "\\/+=&?%#{}<>\'`:;,_-éß'));
const secret = fc
  .string({ minLength: 6, maxLength: 60, unit: character })
  .filter((value) => value.trim() === value && new Set(value).size > 3);

/** How the answer repeats what it was sent. */
const repeats: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => JSON.stringify({ error: `The token ${value} has expired.` }),
  (value) => JSON.stringify({ [value]: [value, { nested: JSON.stringify(value) }] }),
  (value) => `https://a.b/?token=${encodeURIComponent(value)}`,
  (value) => new URLSearchParams({ token: value }).toString(),
  (value) => `Basic ${Buffer.from(`user:${value}`).toString('base64')}`,
  (value) => Buffer.from(value).toString('base64url'),
  (value) => `${'x'.repeat(195)}${value}`,
];

const plan = fc.record({
  value: secret,
  place: fc.constantFrom('url', 'query', 'header', 'body', 'form', 'text'),
  repeat: fc.nat(repeats.length - 1),
  status: fc.constantFrom(200, 200, 401, 500),
  type: fc.constantFrom('application/json', 'text/plain', 'image/png'),
  /** Where the answer is split, in parts of its length; 1 isn't. */
  cut: fc.constantFrom(0.3, 0.5, 1),
  isBroken: fc.boolean(),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function configFor({ place }: Plan, origin: string): JsonObject {
  const config = { method: 'POST', url: `${origin}/path` };
  switch (place) {
    case 'url':
      return { ...config, url: `${origin}/?t={{ secrets.PLANTED }}` };
    case 'query':
      return { ...config, query: { t: '{{ secrets.PLANTED }}' } };
    case 'form': {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return { ...config, headers, body: { a: '{{ secrets.PLANTED }}' } };
    }
    case 'header':
      return { ...config, headers: { 'X-Basic': '{{ $base64encode(secrets.PLANTED) }}', 'X-Mine': '1' } };
    case 'body':
      return { ...config, body: { a: ['{{ secrets.PLANTED }}'], 'b{{': 'Bearer {{ secrets.PLANTED }}' } };
    case 'text':
      return { ...config, body: 'token={{ secrets.PLANTED }}!' };
  }
}

function answer({ value, repeat, status, type, cut, isBroken }: Plan, response: ServerResponse): void {
  const body = Buffer.from(repeats[repeat]?.(value) ?? '');
  response.writeHead(status, { 'Content-Type': type, 'X-Token': encodeURIComponent(value) });
  const at = Math.floor(body.length * cut);
  response.write(body.subarray(0, at), () => {
    if (isBroken && cut < 1) response.destroy();
    else response.end(body.subarray(at));
  });
}

/** In which forms nobody may see the value. */
function formsOf(value: string): readonly string[] {
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
    Buffer.from(`user:${value}`).toString('base64').slice(8, -4),
  ].filter((form) => form.length >= 6);
}

describe('Secrets', () => {
  let service: TestService;
  const servers = new HearingServers();
  const logged: string[] = [];
  before(async () => {
    const say = (message: string, cause?: unknown): void => void logged.push(`${message} ${String(cause)}`);
    const logger = { debug: say, info: say, warn: say, error: say };
    const current = new SecretsKey('a key of thirty-two characters or more');
    service = await createTestService({
      requestsPerMinute: 100_000,
      secretsKeys: { current, old: [] },
      logger,
    });
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  const readAll = async (executionId: string): Promise<string> => {
    const texts: string[] = [];
    const paths = ['', '/output', '/logs'].map((path) => `/v1/executions/${executionId}${path}`);
    for (const path of [...paths, '/v1/executions', '/v1/portal/events?limit=20'])
      texts.push((await call(service, 'GET', path)).text);
    for await (const row of readEvents(await openStream(service, `/v1/executions/${executionId}/logs`)))
      texts.push(JSON.stringify(row));
    return texts.join('\n');
  };

  it('reach the server unharmed and are nowhere else, whatever the request and the answer are', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (each) => {
        const { origin, heard } = await servers.serve((response) => answer(each, response));
        await service.secrets.set('PLANTED', each.value);
        const definition = {
          ...chain(
            start,
            ['ask', 'httpRequest', configFor(each, origin)],
            ['say', 'log', { message: '{{ $string(nodes.ask) }}' }],
            ['tell', 'portalEvent', { type: 'told', data: { all: '{{ nodes.ask }}' } }],
          ),
          edges: [
            { source: 'start', target: 'ask' },
            { source: 'ask', target: 'say' },
            { source: 'ask', target: 'tell', branch: 'error' },
          ],
        };
        const workflowId = await createDeployed(service, definition);
        const executionId = await execute(service, workflowId, {});
        await follow(service, executionId);
        const text = `${await readAll(executionId)}\n${logged.join('\n')}`;
        for (const form of formsOf(each.value)) assert.ok(!text.includes(form), `${form} in ${text}`);
        const [sent] = heard;
        assert.ok(sent);
        const { url, headers, body } = sent;
        const arrived = {
          url: () => new URL(url, origin).searchParams.get('t'),
          query: () => new URL(url, origin).searchParams.get('t'),
          form: () => new URLSearchParams(body).get('a'),
          header: () => Buffer.from(String(headers['x-basic']), 'base64').toString('latin1'),
          body: () => at(parseJson(body), 'a', 0),
          text: () => body.slice('token='.length, -1),
        };
        assert.equal(arrived[each.place](), each.value);
      }),
      tries(60),
    );
  });
});
