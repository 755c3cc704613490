// What a service offers beyond its own document is told by it or by the user, and never tried out.
import assert from 'node:assert/strict';
import { isServiceError } from '../../../src/domain/errors.ts';
import type { OperationOverrides } from '../../../src/protocol/operationOverrides.ts';
import { reasonOf } from '../../support/reasons.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

const json = { 'content-type': 'application/json' };
const telling = (words: string) => ({ ...json, 'workflow-capabilities': words });
const always = [
  'apiKeys',
  'portalEvents',
  'liveLogs',
  'requestLimit',
  'executeById',
  'retryFromNode',
  'executeNodeAlone',
  'saveAlone',
];
const untold = { kind: 'notOffered', isNotAdvertised: true };

describe('capabilities', () => {
  it('are refused before any request until a service tells of them', async () => {
    const { client, requests } = createScriptedClient(() => ({ body: { data: [] } }));
    await client.workflows.list({});
    for (const call of [
      client.executions.cancel('e'),
      client.executions.retry('e', {}),
      client.workflows.executeDraft('w', {}),
      client.executions.definition('e'),
    ])
      assert.deepEqual(await reasonOf(call), untold);
    assert.equal(requests.length, 1);
  });

  it('come from any answer, also from a refusal, and change with it', async () => {
    const words = ['cancel, retry', undefined, 'Draft , future'];
    const { client } = createScriptedClient((_path, _request, count) => ({
      status: count === 0 ? 404 : 200,
      headers: words[count] === undefined ? json : telling(words[count]),
      body: { data: [] },
    }));
    const seen: string[] = [];
    client.capabilities.onDidChange((offered) => seen.push([...offered].join()));
    await assert.rejects(client.executions.get('e'), isServiceError);
    await client.workflows.list({});
    await client.workflows.list({ limit: 1 });
    assert.deepEqual(seen, [`${always.join()},cancel,retry`, `${always.join()},draft`]);
  });

  it("aren't taken from another origin that a read was sent on to", async () => {
    const { client } = createScriptedClient((_path, _request, count) =>
      count === 0
        ? { status: 302, headers: { location: 'https://elsewhere.example/v1/workflows' } }
        : { headers: telling('cancel'), body: { data: [] } },
    );
    await client.workflows.list({});
    assert.deepEqual([...client.capabilities.current], always);
  });

  it('are those that the user gives a place, which is where they are asked', async () => {
    let overrides: OperationOverrides = {};
    const { client, requests } = createScriptedClient(
      () => ({ body: { id: 'e', status: 'cancelled' } }),
      undefined,
      () => overrides,
    );
    assert.deepEqual(await reasonOf(client.executions.cancel('e')), untold);
    overrides = { cancelExecution: { path: '/runs/{executionId}/stop' } };
    assert.equal((await client.executions.cancel('e')).status.state, 'cancelled');
    assert.deepEqual([...client.capabilities.current], [...always, 'cancel']);
    // Another place for drafts says nothing of answers.
    overrides = { executeDraft: { path: '/drafts/{workflowId}' } };
    await client.workflows.executeDraft('w', {}).catch(() => undefined);
    assert.deepEqual([...client.capabilities.current], [...always, 'draft']);
    assert.deepEqual(
      requests.map(({ method, url }) => `${method} ${url}`),
      ['POST https://service.example/v1/runs/e/stop', 'POST https://service.example/v1/drafts/w'],
    );
  });
});

describe('cancel, retry and drafts', () => {
  const triggered = { workflowId: 'w', eventIds: ['v'], status: 'triggered', executionIds: ['e2'] };

  it('send what the contract says, the starting ones with a key', async () => {
    const { client, requests } = createScriptedClient((path) => ({
      headers: telling('cancel, retry, draft'),
      body: path.endsWith('/cancel')
        ? { id: 'e', status: 'running', cancelRequested: true }
        : path.includes('/workflows?')
          ? { data: [] }
          : triggered,
    }));
    await client.workflows.list({ limit: 1 });
    const cancelled = await client.executions.cancel('e');
    assert.deepEqual([cancelled.status.state, cancelled.isCancelRequested], ['running', true]);
    assert.deepEqual((await client.executions.retry('e', {})).executionIds, ['e2']);
    await client.executions.retry('e', { fromNodeId: 'n', definition: 'deployed' }, { idempotencyKey: 'k' });
    await client.workflows.executeDraft('w', {
      definition: { nodes: [{ id: 'n' }], edges: [] },
      only: 'n',
      iteration: [6],
      pinned: { m: null },
      until: undefined,
    });
    assert.deepEqual(
      requests.slice(1).map(({ method, url, body }) => `${method} ${url.slice(26)} ${body ?? ''}`.trim()),
      [
        'POST /executions/e/cancel',
        'POST /executions/e/retry {}',
        'POST /executions/e/retry {"fromNodeId":"n","definition":"deployed"}',
        'POST /workflows/w/draft-executions {"definition":{"nodes":[{"id":"n"}],"edges":[]},"only":"n","iteration":[6],"pinned":{"m":null}}',
      ],
    );
    const keys = requests.slice(2).map(({ headers }) => headers['Idempotency-Key'] ?? '');
    assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(keys[1], 'k');
  });

  it('are sent with answers only where the service takes them: another one would send the requests', async () => {
    let told = 'draft';
    const { client, requests } = createScriptedClient((path) => ({
      headers: telling(told),
      body: path.endsWith('/draft-executions') ? triggered : { data: [] },
    }));
    const answers = { n: [{ status: 503 }, { error: 'timeout' as const }] };
    await client.workflows.list({});
    assert.deepEqual(await reasonOf(client.workflows.executeDraft('w', { answers })), untold);
    assert.equal(requests.length, 1);
    told = 'draft, answers';
    await client.workflows.list({ limit: 1 });
    await client.workflows.executeDraft('w', { answers });
    assert.equal(requests.at(-1)?.body, '{"answers":{"n":[{"status":503},{"error":"timeout"}]}}');
  });

  it('are sent again after 429 only', async () => {
    for (const [status, sent] of [
      [429, 4],
      [503, 1],
    ] as const) {
      const { client, clock, requests } = createScriptedClient((path) =>
        path.endsWith('/retry')
          ? { status, headers: { ...json, 'retry-after': '1' }, body: {} }
          : { headers: telling('retry'), body: { data: [] } },
      );
      await client.workflows.list({});
      const call = client.executions.retry('e', {});
      call.catch(() => undefined);
      await clock.advance(60_000);
      await assert.rejects(call, isServiceError);
      assert.equal(requests.length - 1, sent);
    }
  });
});

describe('the definition that an execution ran', () => {
  const answering = (body: object, status = 200) =>
    createScriptedClient((path) =>
      path.endsWith('/definition')
        ? { status, body }
        : { headers: telling('definition'), body: { data: [] } },
    );

  it('is read without what stands beside it', async () => {
    const definition = { nodes: [{ id: 'a' }], edges: [], settings: {}, other: { workflowId: 'kept' } };
    const { client, requests } = answering({ workflowId: 'w', version: 3, ...definition });
    await client.workflows.list({});
    assert.deepEqual(await client.executions.definition('e 1'), definition);
    assert.equal(requests[1]?.url, 'https://service.example/v1/executions/e%201/definition');
  });

  it('may not be kept, and must have nodes', async () => {
    for (const [body, status, kind] of [
      [{ error: { code: 'definition_not_kept', message: 'It is gone.' } }, 404, 'notFound'],
      [{ workflowId: 'w' }, 200, 'unreadable'],
      [{ nodes: 'none' }, 200, 'unreadable'],
    ] as const) {
      const { client } = answering(body, status);
      await client.workflows.list({});
      assert.equal((await reasonOf(client.executions.definition('e'))).kind, kind);
    }
  });
});
