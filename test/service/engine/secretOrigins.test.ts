// Where a secret may go: a request takes it to the origins that it was set for, and to no other (contract section 10).
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/base/json.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Secrets } from '../../../src/service/secrets/secrets.ts';
import { SecretsKey } from '../../../src/service/secrets/secretsKey.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, callSettings, chain, runToEnd, textAt } from '../calls.ts';
import { HearingServers } from './hearingServers.ts';

const start = ['start', 'trigger'] as const;
const value = 'a value of a token';
const key = new SecretsKey('a key of thirty-two characters or more');
const keys = { current: key, old: [] };
/** As a version without origins stored it. */
const earlier = {
  salt: 'salt',
  keyId: 'NYQkpvxLHJvGI11D',
  value: 'A9irZ4YntLMahFCJHUzUkCpkE_GRyNo4XBe3kwAYmJAusaIh4qrNkCk',
  origins: [],
};

describe('The origins of a secret', () => {
  let service: TestService;
  const servers = new HearingServers();
  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 10_000, secretsKeys: keys });
  });
  afterEach(async () => {
    servers.close();
    await service.dispose();
  });

  const serve = (answer = (response: ServerResponse) => void response.end('done')) => servers.serve(answer);
  const ask = async (config: JsonObject): Promise<JsonObject> =>
    (await runToEnd(service, chain(start, ['ask', 'httpRequest', config]))).result;
  const failureOf = async (config: JsonObject) => {
    const result = await ask(config);
    return [at(result, 'error', 'code'), at(result, 'error', 'message')];
  };
  const usesAt = (origin: string): readonly JsonObject[] => [
    { url: `${origin}/{{ secrets.TOKEN }}` },
    { url: origin, query: { q: '{{ secrets.TOKEN }}' } },
    { url: origin, headers: { Authorization: 'Bearer {{ secrets.TOKEN }}' } },
    { url: origin, headers: { 'X-Mine': '{{ false ? secrets.TOKEN : "none" }}' } },
    { url: origin, method: 'POST', body: { token: '{{ $uppercase(secrets.TOKEN) }}' } },
  ];

  it('are the only ones that any template of a request sends it to', async () => {
    const [mine, other] = [await serve(), await serve()];
    await service.secrets.set('TOKEN', value, ['https://api.example.com', mine.origin]);
    for (const config of usesAt(mine.origin)) assert.equal((await ask(config))['status'], 'completed');
    assert.equal(mine.heard.length, 5);
    for (const config of usesAt(other.origin))
      assert.deepEqual(await failureOf(config), [
        'secret_refused',
        `Nothing was sent: the secret "TOKEN" may not go to ${other.origin}. If it should, set it again with that origin.`,
      ]);
    assert.equal(other.heard.length, 0);
    await service.secrets.set('FREE', value);
    assert.equal(
      (await ask({ url: other.origin, headers: { A: '{{ secrets.FREE }}' } }))['status'],
      'completed',
    );
  });

  it('refuse an address built from a secret without revealing it', async () => {
    await service.secrets.set('HOST', 'http://hidden.invalid', ['https://api.example.com']);
    const result = await ask({ url: '{{ secrets.HOST }}/a' });
    assert.equal(at(result, 'error', 'code'), 'secret_refused');
    assert.match(
      textAt(result, 'error', 'message'),
      /"HOST" may not go to an address that a template builds from a secret\./,
    );
  });

  it('are not left by a redirect, whatever header contains it', async () => {
    const other = await serve();
    const first = await serve((response) => {
      response.writeHead(307, { Location: `${other.origin}/next` }).end();
    });
    await service.secrets.set('TOKEN', 'token-of-a-person', [first.origin]);
    const names = ['Authorization', 'X-Api-Key', 'X-Mine', 'User-Agent', 'Accept', 'Content-Type'];
    const result = await ask({
      url: `${first.origin}/{{ secrets.TOKEN }}`,
      query: { q: '{{ secrets.TOKEN }}' },
      headers: Object.fromEntries(names.map((name) => [name, 'text/{{ secrets.TOKEN }}'])),
    });
    assert.equal(result['status'], 'completed', JSON.stringify(result));
    for (const name of names)
      assert.equal(first.heard[0]?.headers[name.toLowerCase()], 'text/token-of-a-person', name);
    assert.equal(other.heard.length, 1);
    assert.ok(!JSON.stringify(other.heard).includes('token-of-a-person'), JSON.stringify(other.heard));
    const [code] = await failureOf({
      url: first.origin,
      method: 'POST',
      body: '{{ secrets.TOKEN }}',
    });
    assert.equal(code, 'redirect_refused');
    assert.equal(other.heard.length, 1);
  });

  it('count as soon as they are set in another process, and stay when the key changes', async () => {
    const mine = await serve();
    const config = { url: mine.origin, headers: { 'X-Mine': '{{ secrets.TOKEN }}' } };
    await service.secrets.set('TOKEN', value);
    assert.equal((await ask(config))['status'], 'completed');
    const elsewhere = new Secrets({ store: service.store, keys, logger: silentLogger });
    await elsewhere.set('TOKEN', value, ['https://api.example.com']);
    assert.equal((await failureOf(config))[0], 'secret_refused');
    await elsewhere.rotate();
    assert.equal((await failureOf(config))[0], 'secret_refused');
    await elsewhere.set('TOKEN', value);
    assert.equal((await ask(config))['status'], 'completed');
    elsewhere.dispose();
  });

  it('cannot be changed in the database without the key', async () => {
    const other = 'https://other.example';
    const bound = await key.encrypt('TOKEN', { value, origins: ['https://api.example.com'] }, 'salt');
    const free = await key.encrypt('TOKEN', { value }, 'salt');
    const read = () => service.secrets.read(['TOKEN'], new AbortController().signal);
    for (const origins of [[], [other], ['https://api.example.com', other]]) {
      await service.store.secrets.set('TOKEN', { ...bound, origins });
      await assert.rejects(read, { code: 'secret_missing' }, origins.join());
      assert.equal((await service.secrets.list())[0]?.isUnreadable, true);
    }
    await service.store.secrets.set('TOKEN', { ...free, origins: [other] });
    await assert.rejects(read, { code: 'secret_missing' });
    await service.store.secrets.set('TOKEN', bound);
    assert.equal((await read())[0]?.value, value);
  });

  it('are unrestricted for a secret of an earlier version', async () => {
    const mine = await serve();
    await service.store.secrets.set('EARLIER', earlier);
    await ask({ url: mine.origin, headers: { 'X-Mine': '{{ secrets.EARLIER }}' } });
    assert.equal(mine.heard[0]?.headers['x-mine'], 'earlier-value');
  });

  it('are set, listed and cleared on the settings surface, in their one form', async () => {
    const put = (origins: unknown) =>
      callSettings(service, 'PUT', '/settings/secrets/TOKEN', { value, origins });
    const set = await put([
      'HTTPS://API.example.com:443/',
      'https://api.example.com',
      'http://bücher.example:8080',
    ]);
    const expected = ['https://api.example.com', 'http://xn--bcher-kva.example:8080'];
    assert.deepEqual(set.body['origins'], expected);
    assert.equal(set.body['warnings'], undefined);
    const { body } = await callSettings(service, 'GET', '/settings/secrets');
    assert.deepEqual(at(body, 'data', 0, 'origins'), expected);
    for (const wrong of [
      ...['', 'api.example.com', 'ftp://a.example', 'https://a.example/path', 'https://a.example?q=1'],
      ...['https://a.example#x', 'https://u:p@a.example', 'https://*.example.com', 'https://{{x}}.example'],
      `https://${'a'.repeat(300)}.example`,
    ])
      assertRefused(await put([wrong]), 422, 'validation_failed');
    const many = Array.from({ length: 21 }, (_, at) => `https://a${at}.example`);
    assertRefused(await put(many), 422, 'validation_failed');
    assertRefused(await put('https://a.example'), 422, 'validation_failed');
    assert.equal((await put(many.slice(1))).status, 200);
    const cleared = await callSettings(service, 'PUT', '/settings/secrets/TOKEN', { value });
    assert.equal(cleared.body['origins'], undefined);
    assert.match(textAt(cleared.body, 'warnings', 0), /TOKEN may be sent to any server/);
    const risky = await callSettings(service, 'PUT', '/settings/secrets/TOKEN', {
      value: '20260131',
      origins: [],
    });
    assert.match(textAt(risky.body, 'warnings', 0), /looks like a number/);
  });
});
