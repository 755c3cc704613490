// Secrets of HTTP request nodes: they reach the server and nothing else (contract section 10).
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonObject, stringifyJson } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import {
  assertRefused,
  at,
  call,
  callSettings,
  chain,
  createDeployed,
  execute,
  follow,
  runToEnd,
  textAt,
} from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;
const token = 'tok_3/f+Q"aß\\9';
const key = new SecretsKey('a key of thirty-two characters or more');

describe('A secret of an HTTP request node', () => {
  let service: TestService;
  const servers = new HearingServers();
  before(async () => {
    service = await createTestService({
      requestsPerMinute: 10_000,
      secretsKeys: { current: key, old: [] },
    });
    await service.secrets.set('TOKEN', token);
    await service.secrets.set('Name_2', 'someone');
  });
  afterEach(() => servers.close());
  after(() => service.dispose());

  const echo = (body: string, status = 200) =>
    servers.serve(
      (response: ServerResponse) => void response.writeHead(status, { 'X-Echo': 'someone' }).end(body),
    );
  const ask = (config: JsonObject) => runToEnd(service, chain(start, ['ask', 'httpRequest', config]));

  it('is hidden as a whole in the record and in errors, whatever a template built from it', async () => {
    const { origin, heard } = await echo('done');
    const parts = Array.from({ length: token.length }, (_, at) => `$substring(secrets.TOKEN, ${at}, 1)`);
    const told = async (config: JsonObject) => {
      const { executionId, result, rows } = await ask({ method: 'POST', ...config });
      const { text } = await call(service, 'GET', `/v1/executions/${executionId}/logs`);
      const { request } = rows.find((row) => row['request'] !== undefined) ?? {};
      return { request, text, error: at(result, 'error', 'message') };
    };
    const spread = Object.fromEntries(parts.map((part, at) => [`X-${at}`, `a{{ ${part} & '.' }}`]));
    const sent = await told({
      url: `${origin}/a{{ $uppercase(secrets.TOKEN) }}/{{ 3 + 4 }}`,
      query: { q: `{{ $split(secrets.TOKEN, '') }}`, n: '{{ 1 + 1 }}' },
      headers: { ...spread, 'X-Plain': '{{ 6 * 7 }}' },
      body: {
        a: [`{{ $substring(secrets.TOKEN, 1) }}`, '{{ 2 }}'],
        b: `is {{ $length(secrets.TOKEN) }} long`,
      },
    });
    assert.deepEqual(at(sent.request, 'body'), { a: ['***', 2], b: 'is *** long' });
    assert.equal(textAt(sent.request, 'url'), `${origin}/a***/7?q=***&n=2`);
    assert.deepEqual(
      [at(sent.request, 'headers', 'X-3'), at(sent.request, 'headers', 'X-Plain')],
      ['a***', '42'],
    );
    assert.equal(heard[0]?.headers['x-3'], `a${token[3] ?? ''}.`);
    const whole = await told({
      url: origin,
      query: `{{ { "q": secrets.TOKEN } }}`,
      body: `{{ { "b": secrets.TOKEN } }}`,
    });
    assert.deepEqual(
      [textAt(whole.request, 'url'), at(whole.request, 'body')],
      [`${origin}/?***=***`, '***'],
    );
    assert.deepEqual(
      [new URL(heard[1]?.url ?? '', origin).searchParams.get('q'), heard[1]?.body],
      [token, stringifyJson({ b: token })],
    );
    const some = '$substring(secrets.TOKEN, 4, 3)';
    for (const config of [
      { url: `{{ ${some} }}` },
      { url: `http://{{ "${'x'.repeat(3)}" & $string($length(secrets.TOKEN)) }}.invalid/` },
      { url: `http://{{ $replace($lowercase(secrets.TOKEN), /[^a-z]/, 'q') }}.invalid/` },
      { url: origin, headers: { 'X-Odd': `{{ ${some} & "\u0001x" }}` } },
      { url: origin, query: { q: `{{ { "a": { "b": ${some} } } }}` } },
      { url: origin, body: `{{ $number(${some}) }}` },
      { url: origin, body: `{{ $error(${some}) }}` },
    ]) {
      const { text, error } = await told(config);
      assert.equal(typeof error, 'string', JSON.stringify(config));
      for (const piece of [token.slice(4, 7), 'tokqqf', 'xxx'])
        assert.ok(
          !text.toLowerCase().includes(piece.toLowerCase()) || JSON.stringify(config).includes(piece),
          `${piece} in ${text}`,
        );
    }
  });

  it('is given only to templates that name it', async () => {
    const { origin, heard } = await echo('done');
    await ask({
      method: 'POST',
      url: origin,
      headers: { 'X-Mine': '{{ secrets.TOKEN ? "set" : "none" }}' },
      body: { a: "{{ $lookup($$, 'sec' & 'rets') }}", b: '{{ $keys($$) }}', c: '{{ $string(**) }}' },
    });
    const [request] = heard;
    assert.equal(request?.headers['x-mine'], 'set');
    assert.doesNotMatch(request.body, /secrets|tok_3/);
  });

  it('reaches the server unchanged in its URL, headers and body, and is masked in all that is stored', async () => {
    const { origin, heard } = await echo(`you sent ${token} and ${Buffer.from(token).toString('base64')}`);
    const { rows, executionId, result } = await ask({
      method: 'POST',
      url: `${origin}/{{ secrets.TOKEN }}?q={{ secrets.TOKEN }}`,
      headers: {
        'X-Mine': 'Bearer {{ secrets.Name_2 }}',
        'X-Basic': '{{ $base64encode("a:" & secrets.TOKEN) }}',
      },
      body: { token: '{{ secrets.TOKEN }}', both: ['{{ secrets.Name_2 & secrets.TOKEN }}'] },
    });
    assert.equal(result['status'], 'completed', JSON.stringify(result));
    const [sent] = heard;
    assert.ok(sent);
    assert.equal(decodeURIComponent(sent.url.slice(1).replace(/\?.*$/, '')), token);
    assert.equal(sent.headers['x-mine'], 'Bearer someone');
    assert.deepEqual(JSON.parse(sent.body), { token, both: [`someone${token}`] });
    const end = rows.findLast(({ nodeId }) => nodeId === 'ask');
    assert.equal(at(end, 'output', 'body'), 'you sent *** and ***');
    assert.equal(at(end, 'response', 'headers', 'x-echo'), '***');
    assert.equal(at(end, 'request', 'url'), `${origin}/***?q=***`);
    assert.equal(at(end, 'request', 'headers', 'X-Mine'), 'Bearer ***');
    assert.deepEqual(at(end, 'request', 'body'), { token: '***', both: ['***'] });
    const { text } = await call(service, 'GET', `/v1/executions/${executionId}/logs`);
    for (const hidden of [token, 'someone', encodeURIComponent(token)])
      assert.ok(!text.includes(hidden), text);
  });

  it('is masked before a message is cut, and before a body is read', async () => {
    const { origin } = await echo(`${'x'.repeat(190)}${token}`, 401);
    const { result } = await ask({ url: origin, headers: { 'X-Mine': '{{ secrets.TOKEN }}' } });
    assert.match(textAt(result, 'error', 'message'), /x{190}\*\*\*$/);
    const failing = await ask({ url: `http://127.0.0.1:1/{{ $number(secrets.TOKEN) }}` });
    assert.match(textAt(failing.result, 'error', 'message'), /reason is hidden, because it reads a secret/);
    assert.ok(!textAt(failing.result, 'error', 'message').includes('tok_3'));
  });

  for (const before of [30, 31, 32])
    it(`is masked in bytes, behind ${before} others`, async () => {
      const bytes = Buffer.concat([Buffer.alloc(before, 0xff), Buffer.from(token), Buffer.alloc(20, 0xff)]);
      const { origin } = await servers.serve(
        (response: ServerResponse) =>
          void response.writeHead(200, { 'Content-Type': 'image/png' }).end(bytes),
      );
      const { rows } = await ask({ url: origin, headers: { A: '{{ secrets.TOKEN }}' } });
      const end = rows.findLast(({ nodeId }) => nodeId === 'ask');
      for (const message of [at(end, 'output'), at(end, 'response')]) {
        const parts = textAt(message, 'body', '$binary', 'base64').split('***');
        assert.equal(parts.length, 2);
        // Wherever the rest of a group of four begins.
        for (const part of parts)
          for (const from of [0, 1, 2, 3])
            assert.ok(!Buffer.from(part.slice(from), 'base64').includes(token.slice(2, 7)), part);
      }
    });

  it('that is not set fails the node before anything is sent', async () => {
    const { origin, heard } = await echo('');
    const { result } = await ask({ url: origin, headers: { A: '{{ secrets.OTHER }}' } });
    assert.equal(at(result, 'error', 'code'), 'secret_missing');
    assert.match(textAt(result, 'error', 'message'), /Nothing was sent: the secret "OTHER" isn't set\./);
    assert.equal(heard.length, 0);
  });

  it('is masked in an input, an event and the output of a node that makes its value', async () => {
    const definition = chain(
      start,
      ['made', 'transform', { expression: `"some" & "one"` }],
      ['say', 'log', { message: 'It is {{ nodes.made }}' }],
      ['tell', 'portalEvent', { type: 'told', data: { who: '{{ "some" & "one" }}' } }],
      ['out', 'output', { expression: '[nodes.made, input.who]' }],
    );
    const loop = {
      ...chain(
        start,
        ['all', 'forEach', { items: '["some" & "one"]' }],
        ['each', 'log', { message: '{{ item }}' }],
      ),
      edges: [
        { source: 'start', target: 'all' },
        { source: 'all', target: 'each', branch: 'each' },
      ],
    };
    const looped = await runToEnd(service, loop);
    assert.ok(!JSON.stringify(looped.rows).includes('someone'));
    const { executionId, result } = await runToEnd(service, definition, { who: 'someone' });
    assert.deepEqual(result['output'], ['***', '***']);
    await call(service, 'POST', '/v1/portal/events', {
      type: 'mine.someone',
      data: { who: 'someone' },
      workflowId: 'of someone',
    });
    for (const path of [
      `/v1/executions/${executionId}`,
      `/v1/executions/${executionId}/logs`,
      '/v1/portal/events',
    ])
      assert.ok(!(await call(service, 'GET', path)).text.includes('someone'), path);
  });

  it('is refused at deployment anywhere else', async () => {
    const wrong: readonly (readonly [string, JsonObject])[] = [
      ['transform', { expression: 'secrets.TOKEN' }],
      ['log', { message: '{{ $$.secrets.TOKEN }}' }],
      ['httpRequest', { url: 'http://a.b', timeoutMs: '{{ secrets.TOKEN }}' }],
      ['httpRequest', { url: 'http://a.b/{{ secrets }}' }],
      ['httpRequest', { url: 'http://a.b/{{ secrets.`a-b` }}' }],
    ];
    for (const [type, config] of wrong) {
      const definition = chain(start, ['it', type, config]);
      const { body } = await call(service, 'POST', '/v1/workflows', { name: 'wrong', ...definition });
      const answer = await call(service, 'POST', `/v1/workflows/${textAt(body, 'id')}/deploy`, {});
      assertRefused(answer, 422, 'workflow_invalid');
      assert.match(answer.text, /secret/);
    }
  });

  it('can be replaced and deleted, and the old value stays masked', async () => {
    await service.secrets.set('TURN', 'first-value');
    const { origin, heard } = await echo('first-value second-value');
    const config = { url: origin, headers: { 'X-Mine': '{{ secrets.TURN }}' } };
    const id = await createDeployed(service, chain(start, ['ask', 'httpRequest', config]));
    await follow(service, await execute(service, id, {}));
    await service.secrets.set('TURN', 'second-value');
    const rows = await follow(service, await execute(service, id, {}));
    assert.deepEqual(
      heard.map(({ headers }) => headers['x-mine']),
      ['first-value', 'second-value'],
    );
    assert.equal(
      at(
        rows.findLast(({ nodeId }) => nodeId === 'ask'),
        'output',
        'body',
      ),
      '*** ***',
    );
    assert.equal(await service.secrets.delete('TURN'), true);
    assert.equal(await service.secrets.delete('TURN'), false);
  });
});

describe('The settings surface', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await createTestService({ secretsKeys: 'fromWindow' });
  });
  afterEach(() => service.dispose());

  const giveKey = (text: string) => callSettings(service, 'PUT', '/settings/secrets-key', { key: text });

  it('takes the key, and lists names and dates only', async () => {
    assert.equal((await giveKey('k'.repeat(43))).status, 204);
    assert.equal((await giveKey('k'.repeat(43))).status, 204);
    assertRefused(await giveKey('l'.repeat(43)), 409, 'secrets_key_differs');
    const set = await callSettings(service, 'PUT', '/settings/secrets/B', { value: 'of the second' });
    assert.deepEqual(Object.keys(set.body), ['name', 'updatedAt', 'warnings']);
    await callSettings(service, 'PUT', '/settings/secrets/A', { value: 'x'.repeat(16_384) });
    const { text, body } = await callSettings(service, 'GET', '/settings/secrets');
    assert.deepEqual([at(body, 'data', 0, 'name'), at(body, 'data', 1, 'name')], ['A', 'B']);
    assert.ok(!text.includes('second'));
    assert.equal((await callSettings(service, 'DELETE', '/settings/secrets/A')).status, 204);
    assertRefused(await callSettings(service, 'DELETE', '/settings/secrets/A'), 404, 'secret_not_found');
  });

  it('refuses a wrong name or value, and to work without a key', async () => {
    await giveKey('k'.repeat(43));
    for (const name of ['1A', 'a-b', 'A'.repeat(65), 'a%20b'])
      assertRefused(
        await callSettings(service, 'PUT', `/settings/secrets/${name}`, { value: 'something' }),
        400,
        'invalid_request',
      );
    for (const value of ['', 'x'.repeat(16_385), 'ß'.repeat(8193), 7, '\ud800'])
      assertRefused(
        await callSettings(service, 'PUT', '/settings/secrets/A', { value }),
        422,
        'validation_failed',
      );
    const other = await createTestService();
    assertRefused(
      await callSettings(other, 'PUT', '/settings/secrets/A', { value: 'something' }),
      409,
      'secrets_key_missing',
    );
    await other.dispose();
  });

  it('makes a node wait for the key that a window hands over after the start', async () => {
    const servers = new HearingServers();
    const { origin, heard } = await servers.serve((response) => void response.end());
    const config = { url: origin, headers: { 'X-Mine': '{{ secrets.LATE }}' } };
    const encrypted = await new SecretsKey('k'.repeat(43)).encrypt('LATE', { value: 'late-value' }, 'salt');
    await service.store.secrets.set('LATE', encrypted);
    const id = await createDeployed(service, chain(start, ['ask', 'httpRequest', config]));
    const executionId = await execute(service, id, {});
    assert.equal((await call(service, 'GET', '/health')).body['status'], 'ok');
    await giveKey('k'.repeat(43));
    await follow(service, executionId);
    assert.equal(heard[0]?.headers['x-mine'], 'late-value');
    servers.close();
  });

  it('takes the key at any moment of a look for changes', async () => {
    await service.store.secrets.set('LATE', await key.encrypt('LATE', { value: 'late-value' }, 'salt'));
    for (let ticks = 0; ticks < 16; ticks += 1) {
      const secrets = new Secrets({ store: service.store, keys: 'fromWindow', logger: silentLogger });
      const look = secrets.refreshIfStale();
      for (let tick = 0; tick < ticks; tick += 1) await (ticks % 2 === 0 ? nextTurn() : undefined);
      secrets.giveKey('a key of thirty-two characters or more');
      await look;
      assert.deepEqual(
        (await secrets.list()).map(({ isUnreadable }) => isUnreadable),
        [undefined],
        `after ${ticks} ticks`,
      );
      secrets.dispose();
    }
  });

  it('hides a value that is set at the end of a look for changes', async () => {
    const { store } = service;
    const encrypted = await key.encrypt('LATE', { value: 'late-value' }, 'salt');
    await store.secrets.delete('LATE');
    const setAfterwards = async (): Promise<ReadonlyMap<string, string>> => {
      const revisions = await store.secrets.listRevisions();
      if (!revisions.has('LATE')) await store.secrets.set('LATE', encrypted);
      return revisions;
    };
    const late = new Proxy(store.secrets, {
      get: (stored, name) => (name === 'listRevisions' ? setAfterwards : () => stored.list()),
    });
    const secrets = new Secrets({
      store: { secrets: late, subscribe: store.subscribe.bind(store), announce: () => undefined },
      keys: { current: key, old: [] },
      logger: silentLogger,
    });
    await secrets.refreshIfStale();
    await secrets.refreshIfStale();
    assert.equal(await secrets.masking.text('a late-value'), 'a ***');
    secrets.dispose();
  });

  it('reports which secrets another key has encrypted, and executions that use secrets wait until none is left', async () => {
    await service.store.secrets.set('OLD', await key.encrypt('OLD', { value: 'old-value' }, 'salt'));
    const moved = await new SecretsKey('k'.repeat(43)).encrypt('OTHER', { value: 'moved-value' }, 'salt');
    await service.store.secrets.set('MOVED', moved);
    await giveKey('k'.repeat(43));
    const { body } = await callSettings(service, 'GET', '/settings/secrets');
    assert.deepEqual(
      [at(body, 'data', 0, 'isUnreadable'), at(body, 'data', 1, 'isUnreadable')],
      [true, true],
    );
    const uses = chain(start, ['ask', 'httpRequest', { url: 'http://127.0.0.1:1/{{ secrets.OLD }}' }]);
    const waiting = await execute(service, await createDeployed(service, uses), {});
    // One that uses none is begun after it.
    const other = chain(start, ['ask', 'httpRequest', { url: 'http://127.0.0.1:1/secrets' }]);
    assert.equal(at((await runToEnd(service, other)).result, 'error', 'code'), 'request_failed');
    const { body: health } = await call(service, 'GET', '/health');
    assert.deepEqual([health['status'], health['ready']], ['degraded', true]);
    assert.match(
      textAt(health, 'reason'),
      /can't be read with the key .* executions that use secrets wait\./,
    );
    assert.ok(Number(health['queueAgeSeconds']) >= 0);
    assert.equal((await call(service, 'GET', `/v1/executions/${waiting}`)).body['status'], 'queued');
    await callSettings(service, 'PUT', '/settings/secrets/OLD', { value: 'new-value' });
    const again = await callSettings(service, 'GET', '/settings/secrets');
    assert.equal(at(again.body, 'data', 1, 'isUnreadable'), undefined);
    assert.equal((await call(service, 'GET', `/v1/executions/${waiting}`)).body['status'], 'queued');
    await callSettings(service, 'DELETE', '/settings/secrets/MOVED');
    const rows = await follow(service, waiting);
    assert.equal(
      at(
        rows.findLast(({ nodeId }) => nodeId === 'ask'),
        'error',
        'code',
      ),
      'request_failed',
    );
    const { body: after } = await call(service, 'GET', '/health');
    assert.deepEqual(after, { status: 'ok', live: true, ready: true });
  });
});
