// Where the key goes, and where it must not: other origins, redirects, errors, logs.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { isServiceError } from '../../../src/domain/errors.ts';
import { kindOf } from '../../support/reasons.ts';
import { createScriptedClient, scriptedKey } from '../../support/scriptedClient.ts';

const empty = { body: { data: [] } };

describe('client: the key', () => {
  it('goes into the Authorization header and nowhere else', async () => {
    const scripted = createScriptedClient(() => empty);
    await scripted.client.workflows.list({ search: 'x' });
    const [request] = scripted.requests;
    assert.equal(request?.headers['Authorization'], `Bearer ${scriptedKey}`);
    assert.equal(request.url, 'https://service.example/v1/workflows?search=x');
    assert.ok(!inspect(scripted.logged).includes(scriptedKey));
  });

  it('is read anew with each request', async () => {
    const scripted = createScriptedClient(() => empty);
    await scripted.client.workflows.list({});
    scripted.key = 'svc_sk_another';
    await scripted.client.workflows.list({});
    assert.equal(scripted.requests[1]?.headers['Authorization'], 'Bearer svc_sk_another');
  });

  it('is the new one for what waited while it was replaced, counted for the new one', async () => {
    const scripted = createScriptedClient(() => empty);
    for (let sent = 0; sent < 60; sent += 1) await scripted.client.workflows.list({});
    await scripted.clock.advance(55_000);
    const waiting = scripted.client.workflows.list({});
    await scripted.clock.advance(1000);
    scripted.key = 'svc_sk_another';
    await scripted.clock.advance(4000);
    await waiting;
    assert.equal(scripted.requests[60]?.headers['Authorization'], 'Bearer svc_sk_another');
    assert.equal(scripted.client.budget.current.remaining, 59);
  });

  const unusable: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'keyMissing'],
    ['', 'keyMissing'],
    ['sk_live_foreign', 'keyRejected'],
    ['svc_sk_with\r\nX-Evil: 1', 'keyRejected'],
    ['svc_sk_with space', 'keyRejected'],
  ];
  for (const [key, kind] of unusable)
    it(`${JSON.stringify(key ?? null)} is refused before any request`, async () => {
      const scripted = createScriptedClient(() => empty);
      scripted.key = key;
      assert.equal(await kindOf(scripted.client.workflows.list({})), kind);
      assert.equal(scripted.requests.length, 0);
      assert.equal(scripted.client.budget.current.remaining, 60);
    });

  for (const baseUrl of ['http://service.example/v1', 'ftp://x/v1', 'nonsense'])
    it(`is not sent to ${baseUrl}`, async () => {
      const scripted = createScriptedClient(() => empty, baseUrl);
      assert.equal(await kindOf(scripted.client.workflows.list({})), 'unreachable');
      assert.equal(scripted.requests.length, 0);
    });

  it('is not sent to a page on another origin', async () => {
    const scripted = createScriptedClient(() => empty);
    await assert.rejects(scripted.client.workflows.list({ cursor: 'https://evil.example/v1/workflows' }));
    assert.equal(scripted.requests.length, 0);
  });

  it('stands in no error, whatever the service or the transport quotes', async () => {
    const quoted = `You sent Bearer ${scriptedKey}.`;
    const answers = [401, 403, 400, 422, 500, 302].map((status) => ({
      status,
      body: { message: quoted, code: scriptedKey },
    }));
    for (const answer of [
      ...answers,
      { status: 422, body: { detail: [{ loc: [scriptedKey], msg: quoted }] } },
    ]) {
      const scripted = createScriptedClient(() => answer);
      const error: unknown = await scripted.client.workflows
        .execute('wf', {})
        .catch((thrown: unknown) => thrown);
      assert.ok(isServiceError(error));
      assert.ok(!inspect(error, { depth: 9 }).includes(scriptedKey), inspect(error));
      assert.ok(!inspect(scripted.logged).includes(scriptedKey));
    }
  });
});

describe('client: redirects', () => {
  const to = (location: string, status = 302): { status: number; headers: Record<string, string> } => ({
    status,
    headers: { location },
  });

  it('follows with the key on the same origin, without it elsewhere', async () => {
    const scripted = createScriptedClient((_path, _request, count) =>
      count === 0 ? to('/v1/moved') : count === 1 ? to('https://files.example/download') : empty,
    );
    await scripted.client.workflows.list({});
    assert.deepEqual(
      scripted.requests.map(({ url, headers }) => [url, 'Authorization' in headers]),
      [
        ['https://service.example/v1/workflows', true],
        ['https://service.example/v1/moved', true],
        ['https://files.example/download', false],
      ],
    );
  });

  const refused: readonly string[] = [
    'http://service.example/v1/x',
    'http://files.example/x',
    'http://127.0.0.1:9/x',
    'https://localhost:9/x',
    'file:///etc/passwd',
    'https://:0:/',
  ];
  for (const location of refused)
    it(`does not follow to ${location}`, async () => {
      const scripted = createScriptedClient(() => to(location));
      assert.equal(await kindOf(scripted.client.workflows.list({})), 'unreadable');
      assert.equal(scripted.requests.length, 1);
    });

  it('never sends a change elsewhere', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const scripted = createScriptedClient(() => to('/v1/moved', status));
      assert.equal(await kindOf(scripted.client.workflows.execute('wf', {})), 'unreadable');
      assert.equal(scripted.requests.length, 1);
    }
  });

  it('gives up going in circles', async () => {
    const scripted = createScriptedClient(() => to('/v1/workflows'));
    assert.equal(await kindOf(scripted.client.workflows.list({})), 'unreadable');
    assert.equal(scripted.requests.length, 6);
  });

  it('learns nothing of the limit from another origin', async () => {
    const scripted = createScriptedClient((_path, _request, count) =>
      count === 0 ? to('https://files.example/x') : { ...empty, headers: { 'x-ratelimit-remaining': '0' } },
    );
    await scripted.client.workflows.list({});
    assert.equal(scripted.client.budget.current.remaining, 59);
  });
});
