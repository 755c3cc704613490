// The rules that hold for every call: what is repeated, when time is up, what is believed.
import assert from 'node:assert/strict';
import { Budgets } from '../../../src/api/budget/budgets.ts';
import { createClient } from '../../../src/api/client.ts';
import { isAbortError } from '../../../src/base/async.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { HandClock, settle } from '../../support/memory/ports.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';
import { createScriptedClient, type ScriptedClient } from '../../support/scriptedClient.ts';
import type { ServicePort } from '../../../src/api/servicePort.ts';
import { createScriptedPort, never, type ScriptedAnswer } from '../../support/scriptedPort.ts';

const empty = { body: { data: [] } };
/** Lets time pass until the call has come to its end. */
async function after<T>({ clock }: ScriptedClient, milliseconds: number, call: Promise<T>): Promise<T> {
  call.catch(() => undefined);
  await clock.advance(milliseconds);
  return call;
}

describe('client: the port', () => {
  it('is the one of the settings when the request is sent, not when it began to wait', async () => {
    const clock = new HandClock();
    const ports = [createScriptedPort(() => empty), createScriptedPort(() => empty)] as const;
    let current = 0;
    const client = createClient({
      http: () => Promise.resolve((ports[current] ?? ports[0]).port),
      baseUrl: 'https://service.example/v1',
      key: () => Promise.resolve('svc_sk_scripted0123456789'),
      keyPrefix: () => 'svc_sk_',
      budgets: new Budgets({ clock, random: () => 0, requestsPerMinute: 1 }),
      logger: silentLogger,
      clock,
    });
    await client.workflows.list({});
    await clock.advance(55_000);
    const waiting = client.workflows.list({});
    await clock.advance(1000);
    current = 1;
    await clock.advance(4000);
    await waiting;
    assert.deepEqual(
      ports.map(({ requests }) => requests.length),
      [1, 1],
    );
  });
});

describe('client: repetition', () => {
  const reset = Object.assign(new Error('x'), { code: 'ECONNRESET' });

  it('repeats a read three times after the network failed', async () => {
    const scripted = createScriptedClient((_path, _request, count) => {
      if (count < 3) throw reset;
      return empty;
    });
    await after(scripted, 5000, scripted.client.workflows.list({}));
    assert.equal(scripted.requests.length, 4);
  });

  it('then gives up with the cause', async () => {
    const scripted = createScriptedClient(() => {
      throw reset;
    });
    const reason = await reasonOf(after(scripted, 5000, scripted.client.workflows.list({})));
    assert.deepEqual(reason, { kind: 'unreachable', cause: 'reset' });
    assert.equal(scripted.requests.length, 4);
  });

  it('sends execute again after 429, with the same key, three times at most', async () => {
    const scripted = createScriptedClient(() => ({ status: 429, headers: { 'retry-after': '20' } }));
    const call = scripted.client.workflows.execute('wf', {});
    await scripted.clock.advance(19_999);
    assert.equal(scripted.requests.length, 1);
    assert.equal(await kindOf(after(scripted, 60_000, call)), 'rateLimited');
    assert.equal(scripted.requests.length, 4);
    const keys = new Set(scripted.requests.map(({ headers }) => headers['Idempotency-Key']));
    assert.equal(keys.size, 1);
    assert.match([...keys].join(), /^[0-9a-f-]{36}$/);
  });

  it('waits a minute at most to send execute', async () => {
    const scripted = createScriptedClient(() => ({ status: 429, headers: { 'retry-after': '61' } }));
    assert.equal(await kindOf(scripted.client.workflows.execute('wf', {})), 'rateLimited');
    assert.equal(scripted.requests.length, 1);
    await scripted.clock.advance(2000);
    const cancel = new AbortController();
    const second = scripted.client.workflows.execute('wf', {}, { signal: cancel.signal });
    await settle();
    cancel.abort();
    await assert.rejects(second, isAbortError);
    assert.equal(scripted.requests.length, 1);
    assert.equal(scripted.clock.armed, 0);
  });

  for (const status of [0, 500, 502, 503, 504])
    it(`never sends a change again by itself after ${status === 0 ? 'a failed connection' : status}`, async () => {
      for (const change of [
        ({ workflows }: ServicePort) => workflows.create({ name: 'x' }),
        ({ workflows }: ServicePort) => workflows.execute('wf', {}),
      ]) {
        const scripted = createScriptedClient(() => {
          if (status === 0) throw reset;
          return { status };
        });
        const call: Promise<unknown> = change(scripted.client);
        assert.equal(
          await kindOf(after(scripted, 60_000, call)),
          status === 0 ? 'unreachable' : 'unavailable',
        );
        assert.equal(scripted.requests.length, 1);
      }
    });

  it('repeats another change after 429, when the time has come', async () => {
    const scripted = createScriptedClient((_path, _request, count) =>
      count === 0 ? { status: 429, headers: { 'retry-after': '4' } } : { body: { id: 'wf' } },
    );
    const call = scripted.client.workflows.create({ name: 'x' });
    await scripted.clock.advance(3999);
    assert.equal(scripted.requests.length, 1);
    await scripted.clock.advance(1);
    assert.equal((await call).id, 'wf');
  });

  it('tells the user of a wait beyond ten seconds at once', async () => {
    const scripted = createScriptedClient(() => ({ status: 429, headers: { 'retry-after': '11' } }));
    const start = scripted.clock.now();
    const reason = await reasonOf(scripted.client.workflows.list({}));
    assert.deepEqual(reason, { kind: 'rateLimited', retryAt: start + 11_000, isQuota: false });
  });

  it('waits it out in the background', async () => {
    const scripted = createScriptedClient((_path, _request, count) =>
      count === 0 ? { status: 429, headers: { 'retry-after': '40' } } : empty,
    );
    await after(scripted, 40_000, scripted.client.workflows.list({}, { purpose: 'workflows' }));
    assert.equal(scripted.requests.length, 2);
  });

  it('surfaces a quota at once, whoever asks', async () => {
    const scripted = createScriptedClient(() => ({
      status: 429,
      body: { message: 'Monthly quota exceeded' },
    }));
    const reason = await reasonOf(scripted.client.workflows.list({}, { purpose: 'workflows' }));
    assert.ok(reason.kind === 'rateLimited' && reason.isQuota);
    assert.equal(scripted.requests.length, 1);
  });

  it('stops waiting when the caller cancels', async () => {
    const scripted = createScriptedClient(() => ({ status: 503 }));
    const cancel = new AbortController();
    const call = scripted.client.workflows.list({}, { signal: cancel.signal });
    await settle();
    cancel.abort();
    await assert.rejects(call, isAbortError);
    await scripted.clock.advance(60_000);
    assert.equal(scripted.requests.length, 1);
    assert.equal(scripted.clock.armed, 0);
  });
});

describe('client: time and size', () => {
  it('gives up after 30 s without headers', async () => {
    const scripted = createScriptedClient((_path, { signal }) => never(signal));
    const reason = await reasonOf(after(scripted, 30_000, scripted.client.workflows.list({})));
    assert.deepEqual(reason, { kind: 'unreachable', cause: 'timeout' });
    assert.equal(scripted.clock.armed, 0);
  });

  it('gives up after 120 s of body', async () => {
    const scripted = createScriptedClient((_path, { signal }) => ({
      headers: { 'content-type': 'application/json' },
      body: (async function* () {
        yield new TextEncoder().encode('{"data":');
        await never(signal);
      })(),
    }));
    const reason = await reasonOf(after(scripted, 120_000, scripted.client.workflows.list({})));
    assert.deepEqual(reason, { kind: 'unreachable', cause: 'timeout' });
    assert.equal(scripted.clock.armed, 0);
  });

  it('stops reading an answer without end', async () => {
    let sent = 0;
    const scripted = createScriptedClient(() => ({
      body: (async function* () {
        const piece = new Uint8Array(1024 * 1024).fill(32);
        for (;;) {
          await Promise.resolve();
          sent += 1;
          yield piece;
        }
      })(),
    }));
    assert.equal(await kindOf(scripted.client.workflows.list({})), 'unreadable');
    assert.equal(sent, 17);
  });

  it('cancels what is under way when the client ends', async () => {
    const scripted = createScriptedClient((_path, { signal }) => never(signal));
    const call = scripted.client.workflows.list({});
    await settle();
    scripted.client.dispose();
    await assert.rejects(call, isAbortError);
    assert.equal(scripted.clock.armed, 0);
  });

  it('does not blame the network for a cancelled call', async () => {
    const scripted = createScriptedClient((_path, { signal }) => never(signal));
    const cancel = new AbortController();
    const call = scripted.client.workflows.execute('wf', {}, { signal: cancel.signal });
    await settle();
    cancel.abort();
    await assert.rejects(call, isAbortError);
  });
});

describe('client: what is believed', () => {
  const type = (value: string): Record<string, string> => ({ 'content-type': value });
  const unreadable: readonly (readonly [string, Parameters<typeof createScriptedClient>[0]])[] = [
    ['a web page', () => ({ headers: type('text/html'), body: '<html>Sign in</html>' })],
    ['a web page by its look', () => ({ headers: type('text/plain'), body: '<!DOCTYPE html><p>' })],
    ['broken JSON', () => ({ headers: type('application/json'), body: '{"data":[' })],
    ['a packed answer', () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' })],
  ];
  for (const [title, answer] of unreadable)
    it(`${title} is unreadable`, async () => {
      assert.equal(await kindOf(createScriptedClient(answer).client.workflows.list({})), 'unreadable');
    });

  const json = 'application/json';
  const withoutList: readonly (readonly [string, ScriptedAnswer, says: string | null])[] = [
    ['no body', { body: '' }, null],
    ['no body, as 204', { status: 204, body: '' }, null],
    ['white space', { headers: type(json), body: ' \n' }, null],
    ['null', { headers: type(json), body: 'null' }, null],
    ['a text', { headers: type(json), body: '"none"' }, null],
    ['false', { headers: type(json), body: 'false' }, null],
    ['an empty object', { body: {} }, null],
    ['an object of something else', { body: { hello: 'world' } }, null],
    ['data that is null', { body: { data: null } }, null],
    [
      'errors beside no data',
      { body: { errors: [{ message: 'No such project.' }], data: null } },
      'No such project.',
    ],
    ['errors alone', { body: { errors: ['Sign in.'] } }, 'Sign in.'],
  ];
  const lists: Readonly<Record<string, (client: ServicePort) => Promise<unknown>>> = {
    workflows: (client) => client.workflows.list({}),
    executions: (client) => client.executions.list({}),
    'node logs': (client) => client.executions.logs('exec_1', {}),
    'portal events': (client) => client.portalEvents.list({}),
  };
  for (const [what, list] of Object.entries(lists))
    for (const [title, answer, says] of withoutList) {
      // A text is lines of a log.
      if (what === 'node logs' && title === 'a text') continue;
      it(`${title} is no list of ${what}`, async () => {
        assert.deepEqual(await reasonOf(list(createScriptedClient(() => answer).client)), {
          kind: 'noList',
          says,
        });
      });
    }

  it('rows beside errors are a list', async () => {
    const body = { errors: [{ message: 'One was left out.' }], data: [{ id: 'wf_1', name: 'A' }] };
    const { items } = await createScriptedClient(() => ({ body })).client.workflows.list({});
    assert.equal(items.length, 1);
  });

  it('text is read in the charset of the answer, and bytes that are none are told', async () => {
    const latin = Buffer.from('{"data":[{"id":"wf_1","name":"caf\xe9"}]}', 'latin1');
    const answer = (contentType: string, body: Uint8Array) => () => ({ headers: type(contentType), body });
    const { client } = createScriptedClient(answer('application/json; charset=iso-8859-1', latin));
    assert.equal((await client.workflows.list({})).items[0]?.name, 'café');
    const plain = createScriptedClient(
      answer('text/plain; charset="windows-1252"', Buffer.from([0x80, 0x35])),
    );
    assert.deepEqual(await plain.client.executions.output('exec_1'), {
      kind: 'text',
      text: '€5',
      mediaType: 'text/plain',
    });
    for (const [contentType, body] of [
      [json, latin],
      ['image/png', Buffer.from('89504e470d0a1a0a', 'hex')],
      ['text/plain; charset=nonsense', Buffer.from('a')],
    ] as const)
      assert.deepEqual(
        await reasonOf(createScriptedClient(answer(contentType, body)).client.executions.output('exec_1')),
        { kind: 'unreadable', cause: 'notText' },
      );
  });

  it('a success that says it failed has failed', async () => {
    const scripted = createScriptedClient(() => ({
      body: { success: false, message: 'Workflow is not deployed' },
    }));
    assert.equal(await kindOf(scripted.client.workflows.execute('wf', {})), 'notDeployed');
    assert.equal(await kindOf(scripted.client.workflows.list({})), 'invalid');
  });

  it('shares equal reads and forgets them after a change', async () => {
    const scripted = createScriptedClient(() => ({ body: { id: 'wf', name: 'Mails' } }));
    const { workflows } = scripted.client;
    await Promise.all([workflows.get('wf'), workflows.get('wf')]);
    assert.equal(scripted.requests.length, 1);
    await Promise.all([workflows.get('wf'), workflows.deploy('wf')]);
    await Promise.all([workflows.get('wf'), workflows.get('other').catch(() => undefined)]);
    assert.equal(scripted.requests.length, 5);
  });

  it('encodes ids', async () => {
    const scripted = createScriptedClient(() => ({ body: { id: 'a/../b?c' } }));
    await scripted.client.workflows.get('a/../b?c');
    assert.equal(scripted.requests[0]?.url, 'https://service.example/v1/workflows/a%2F..%2Fb%3Fc');
    await assert.rejects(scripted.client.workflows.get('..'));
  });
});
