// A property: whatever a request, a response and a failure are, secrets reach the server unchanged and nothing else.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { isJsonArray, type JsonObject, parseJson } from '../../../src/base/json.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { tries } from '../../support/properties.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  at,
  call,
  chain,
  createDeployed,
  execute,
  follow,
  openStream,
  readEvents,
  textAt,
} from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;

/** What an HTTP header can have, and what a URL, JSON and base64 write in another way. */
const character = fc.constantFrom(...Array.from('abcXYZ019 "\\/+=&?%#{}<>\'`:;,_-éß'));
const secret = fc
  .string({ minLength: 6, maxLength: 60, unit: character })
  .filter((value) => value.trim() === value && new Set(value).size > 3);

/** How the response repeats what was sent. */
const repeats: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => JSON.stringify({ error: `The token ${value} has expired.` }),
  (value) => JSON.stringify({ [value]: [value, { nested: JSON.stringify(value) }] }),
  (value) => `https://a.b/?token=${encodeURIComponent(value)}`,
  (value) => new URLSearchParams({ token: value }).toString(),
  (value) => `Basic ${Buffer.from(`user:${value}`).toString('base64')}`,
  (value) => Buffer.from(value).toString('base64url'),
  (value) =>
    (
      Buffer.from(`user: ${value}`)
        .toString('base64')
        .match(/.{1,16}/g) ?? []
    ).join('\r\n'),
  (value) => Buffer.from(value).toString('hex').toUpperCase(),
  (value) => `<p>${escapeHtml(value)}</p>`,
  (value) => JSON.stringify({ html: `<p>${escapeHtml(value)}</p>`, hex: Buffer.from(value).toString('hex') }),
  (value) => `https://a.b/?to=${encodeURIComponent(`https://c.d/?token=${encodeURIComponent(value)}`)}`,
  (value) => `${value.toUpperCase()} ${value.toLowerCase()} ${value.normalize('NFD')}`,
  (value) => `${'x'.repeat(195)}${value}`,
];

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

/** What templates make of the value: `S` stands for its name. */
const made = fc.constantFrom(
  'S',
  '$uppercase(S)',
  '$substring(S, 0, 5)',
  '$base64encode(S)',
  '$encodeUrlComponent(S)',
  '$join($split(S, ""), "-")',
  '$string($length(S)) & $substring(S, 2)',
  '$map($split(S, ""), function($c) { $c & "." })',
  '{ "a": [S] }',
  '$formatBase($length(S), 2)',
);

const plan = fc.record({
  value: secret,
  made: fc.array(made, { minLength: 1, maxLength: 3 }),
  place: fc.constantFrom('url', 'query', 'header', 'body', 'form', 'text'),
  repeat: fc.nat(repeats.length - 1),
  status: fc.constantFrom(200, 200, 401, 500),
  type: fc.constantFrom('application/json', 'text/plain', 'image/png'),
  /** Where the response is split, as a fraction of its length; 1 isn't split. */
  cut: fc.constantFrom(0.3, 0.5, 1),
  isBroken: fc.boolean(),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

/** Places where the record shows what was made of the value, beside the one that is looked at when it arrives. */
function madeBy({ made }: Plan): JsonObject {
  return Object.fromEntries(
    made.map((each, index) => [
      `made${index}`,
      `<{{ $string(${each.replaceAll('S', 'secrets.PLANTED')}) }}>`,
    ]),
  );
}

function configFor(plan: Plan, origin: string): JsonObject {
  const { place } = plan;
  const config = { method: 'POST', url: `${origin}/path`, query: madeBy(plan) };
  switch (place) {
    case 'url':
      return { ...config, url: `${origin}/?t={{ secrets.PLANTED }}` };
    case 'query':
      return { ...config, query: { ...config.query, t: '{{ secrets.PLANTED }}' } };
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
    Buffer.from(value).toString('hex'),
    escapeHtml(value),
    JSON.stringify(JSON.stringify(value)).slice(3, -3),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
    Buffer.from(`user:${value}`).toString('base64').slice(8, -4),
  ].filter((form) => form.length >= 6);
}

/** What was made of the value is `***` in the record, whatever it was. */
function assertMadeHidden({ searchParams }: URL, count: number): void {
  for (let index = 0; index < count; index += 1) assert.equal(searchParams.get(`made${index}`), '<***>');
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

  const readRequest = async (executionId: string): Promise<URL> => {
    const { body } = await call(service, 'GET', `/v1/executions/${executionId}/logs`);
    assert.ok(isJsonArray(body['data']));
    const row = body['data'].find((each) => at(each, 'request') !== undefined);
    return new URL(textAt(row, 'request', 'url'));
  };

  const readAll = async (executionId: string): Promise<string> => {
    const texts: string[] = [];
    const paths = ['', '/output', '/logs'].map((path) => `/v1/executions/${executionId}${path}`);
    for (const path of [...paths, '/v1/executions', '/v1/portal/events?limit=20'])
      texts.push((await call(service, 'GET', path)).text);
    for await (const row of readEvents(await openStream(service, `/v1/executions/${executionId}/logs`)))
      texts.push(JSON.stringify(row));
    return texts.join('\n');
  };

  it('reach the server unchanged and are nowhere else, whatever the request and the response are', async () => {
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
        assertMadeHidden(await readRequest(executionId), each.made.length);

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
      tries(20),
    );
  });
});
