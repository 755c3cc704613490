// Each call on services that answer differently from the contract's own.
import assert from 'node:assert/strict';
import { parseJson } from '../../../src/base/json.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';
import { kindOf } from '../../support/reasons.ts';

const reset = Object.assign(new Error('x'), { code: 'ECONNRESET' });

describe('workflow calls', () => {
  it('skips a malformed record, keeps the others, and says so in the log', async () => {
    const { client, logged } = createScriptedClient(() => ({
      body: { data: [{ id: 'a' }, { name: 'no id' }, 'x', null, { id: 'b' }] },
    }));
    const { items } = await client.workflows.list({});
    assert.deepEqual(
      items.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.ok(logged.includes('warn 3 of 5 workflows could not be read and were left out.'));
  });

  it('asks for the next page in the way the service told', async () => {
    const { client, requests } = createScriptedClient((path) =>
      path.includes('pageToken')
        ? { body: [{ id: 'b' }] }
        : { body: { items: [{ id: 'a' }], nextPageToken: 't&1' } },
    );
    const first = await client.workflows.list({ limit: 1, deployed: true });
    const cursor = first.nextCursor ?? assert.fail('There is no next page.');
    const second = await client.workflows.list({ limit: 1, deployed: true, cursor });
    assert.deepEqual([second.items[0]?.id, second.nextCursor], ['b', null]);
    assert.equal(
      requests[1]?.url,
      'https://service.example/v1/workflows?limit=1&deployed=true&pageToken=t%261',
    );
  });

  it('finds a workflow in the list where the service has no get', async () => {
    const { client, requests } = createScriptedClient((path) => {
      if (path === '/workflows/b') return { status: 404, body: 'Cannot GET /v1/workflows/b' };
      return path.includes('cursor')
        ? { body: { data: [{ id: 'b' }] } }
        : { body: { data: [{ id: 'a' }], nextCursor: '2' } };
    });
    assert.equal((await client.workflows.get('b')).id, 'b');
    assert.equal(requests.length, 3);
  });

  it('tells no such workflow from no such endpoint', async () => {
    const { client, requests } = createScriptedClient(() => ({
      status: 404,
      body: { error: { code: 'workflow_not_found', message: 'There is no such workflow.' } },
    }));
    assert.equal(await kindOf(client.workflows.getOne('b')), 'notFound');
    assert.equal(requests.length, 1);
    const list = createScriptedClient((path) => (path === '/workflows/b' ? { status: 405 } : { body: [] }));
    assert.equal(await kindOf(list.client.workflows.get('b')), 'notFound');
  });

  it('takes a workflow that is in the list for one that is told only there, until one was told singly', async () => {
    let tellsSingles = false;
    const { client, requests, clock } = createScriptedClient((path) => {
      if (!path.startsWith('/workflows/')) return { body: [{ id: 'b' }] };
      return tellsSingles && path === '/workflows/b' ? { body: { id: 'b' } } : { status: 404 };
    });
    const asks = async (id: string): Promise<readonly [number, string]> => {
      const before = requests.length;
      const found = await client.workflows.get(id).then(
        () => 'found',
        () => 'none',
      );
      return [requests.length - before, found];
    };
    assert.deepEqual(
      [await asks('b'), await asks('b')],
      [
        [2, 'found'],
        [1, 'found'],
      ],
    );
    tellsSingles = true;
    await clock.advance(5 * 60_000);
    assert.deepEqual(
      [await asks('b'), await asks('c')],
      [
        [1, 'found'],
        [1, 'none'],
      ],
    );
  });

  it('stops looking after fifty pages, and where the list repeats itself', async () => {
    const endless = createScriptedClient((path, _request, count) =>
      path === '/workflows/b'
        ? { status: 405 }
        : { body: { data: [{ id: `a${count}` }], nextCursor: `c${count}` } },
    );
    assert.equal(await kindOf(endless.client.workflows.get('b')), 'unreadable');
    assert.equal(endless.requests.length, 51);
    const same = createScriptedClient((path, _request, count) =>
      path === '/workflows/b' ? { status: 405 } : { body: { data: [{ id: 'a' }], nextCursor: `c${count}` } },
    );
    assert.equal(await kindOf(same.client.workflows.get('b')), 'notFound');
    assert.equal(same.requests.length, 5);
    const circle = createScriptedClient((path, _request, count) =>
      path === '/workflows/b'
        ? { status: 405 }
        : { body: { data: [{ id: 'a' }], nextCursor: `c${count % 2}` } },
    );
    assert.equal(await kindOf(circle.client.workflows.get('b')), 'notFound');
    assert.equal(circle.requests.length, 4);
  });

  it('reads a changed workflow again when the answer does not carry it', async () => {
    for (const answer of [
      { status: 204 },
      { body: { ok: true } },
      { body: { id: 'deployment_1' } },
      { body: 'OK' },
      // A part of the record, which would be shown with its id as its name.
      { body: { id: 'wf', isDeployed: true } },
    ]) {
      const { client, requests } = createScriptedClient((_path, { method }) =>
        method === 'GET' ? { body: { id: 'wf', name: 'Mails', isDeployed: true } } : answer,
      );
      const { name, isDeployed } = await client.workflows.deploy('wf');
      assert.deepEqual([name, isDeployed], ['Mails', true]);
      assert.deepEqual(
        requests.map(({ method }) => method),
        ['POST', 'GET'],
      );
    }
  });

  it('takes a change for made also where the rest of its record could not be read', async () => {
    const { client } = createScriptedClient((_path, { method }) =>
      method === 'GET' ? { status: 403 } : { body: { id: 'wf', isDeployed: true } },
    );
    assert.equal((await client.workflows.deploy('wf')).isDeployed, true);
    assert.equal((await client.workflows.create({ name: 'x' })).id, 'wf');
  });

  it('copies a deployed workflow without what says that it is deployed, where it makes the copy itself', async () => {
    const content = { nodes: [{ id: 'n' }], edges: [], state: { open: true }, description: 'Sorts' };
    const original = {
      ...content,
      id: 'w',
      name: 'Mails',
      active: true,
      is_active: true,
      isPaused: false,
      status: 'live',
      publishStatus: 'published',
      deployedAt: '2026-01-05',
      published_at: '2026-01-05',
    };
    const { client, requests } = createScriptedClient((path, { method }) => {
      if (path.startsWith('/workflows/w/')) return { status: 405 };
      return { body: method === 'GET' ? original : { id: 'v', name: 'Mails (copy)' } };
    });
    await client.workflows.duplicate('w', undefined);
    assert.deepEqual(parseJson(requests.at(-1)?.body ?? ''), { ...content, name: 'Mails (copy)' });
  });

  it('shortens the name of a copy that it creates itself to what a service takes', async () => {
    const { client, requests } = createScriptedClient((path, { method }) => {
      if (path.startsWith('/workflows/w/')) return { status: 405 };
      return {
        body: method === 'GET' ? { id: 'w', name: 'n'.repeat(200), nodes: [] } : { id: 'v', name: 'n' },
      };
    });
    await client.workflows.duplicate('w', undefined);
    const sent = parseJson(requests.at(-1)?.body ?? '');
    assert.deepEqual(sent, { name: `${'n'.repeat(193)} (copy)`, nodes: [] });
  });

  it('finds a new workflow by its Location', async () => {
    const { client } = createScriptedClient((path, { method }) =>
      method === 'GET'
        ? { body: { id: path.slice('/workflows/'.length) } }
        : { status: 201, headers: { location: '/v1/workflows/wf_9' } },
    );
    assert.equal((await client.workflows.create({ name: 'x' })).id, 'wf_9');
    const silent = createScriptedClient(() => ({ status: 201 }));
    assert.equal(await kindOf(silent.client.workflows.create({ name: 'x' })), 'unreadable');
  });

  it('takes a workflow that is gone for deleted only after a lost answer', async () => {
    const gone = { status: 404, body: { error: { code: 'workflow_not_found', message: 'Gone.' } } };
    const { client } = createScriptedClient((_path, _request, count) => {
      if (count === 1) throw reset;
      return gone;
    });
    assert.equal(await kindOf(client.workflows.delete('wf')), 'notFound');
    assert.equal(await kindOf(client.workflows.delete('wf')), 'unreachable');
    await client.workflows.delete('wf');
    assert.equal(await kindOf(client.workflows.delete('wf')), 'notFound');
  });

  it('takes "not deployed" for done when it undeploys', async () => {
    for (const status of [400, 409]) {
      const { client } = createScriptedClient((_path, { method }) =>
        method === 'GET'
          ? { body: { id: 'wf', isDeployed: false } }
          : { status, body: { message: 'Workflow is not deployed' } },
      );
      assert.equal((await client.workflows.undeploy('wf')).isDeployed, false);
    }
    const { client } = createScriptedClient(() => ({ status: 403, body: { message: 'Not allowed' } }));
    assert.equal(await kindOf(client.workflows.undeploy('wf')), 'forbidden');
  });

  it('sends what the operations table says', async () => {
    const { client, requests } = createScriptedClient(() => ({
      body: { id: 'wf', name: 'x', workflowId: 'wf' },
    }));
    const { workflows } = client;
    await workflows.create({ name: 'x' });
    await workflows.update('wf', { name: 'y', unknown: 1 });
    await workflows.import({ name: 'z' });
    await workflows.duplicate('wf', undefined);
    await workflows.duplicate('wf', 'copy');
    await workflows.deploy('wf');
    await workflows.undeploy('wf');
    await workflows.execute('wf', { a: 1 });
    await workflows.delete('wf');
    assert.deepEqual(
      requests.map(({ method, url, body }) => `${method} ${url.slice(26)} ${body ?? ''}`.trim()),
      [
        'POST /workflows {"name":"x"}',
        'PATCH /workflows/wf {"name":"y","unknown":1}',
        'POST /workflows/import {"workflow":{"name":"z"}}',
        'POST /workflows/wf/duplicate {}',
        'POST /workflows/wf/duplicate {"name":"copy"}',
        'POST /workflows/wf/deploy {}',
        'POST /workflows/wf/undeploy {}',
        'POST /workflows/wf/execute {"input":{"a":1}}',
        'DELETE /workflows/wf',
      ],
    );
  });

  it('reads the answer of execute in any form', async () => {
    const text = createScriptedClient(() => ({
      status: 202,
      headers: { 'content-type': 'text/plain' },
      body: 'exec_7\n',
    }));
    assert.deepEqual((await text.client.workflows.execute('wf', {})).executionIds, ['exec_7']);
    for (const [type, body] of [
      ['application/json', 'null'],
      ['application/json', '"triggered"'],
      ['text/plain', 'OK'],
      ['text/plain', 'Workflow was started'],
    ] as const) {
      const word = createScriptedClient(() => ({ status: 202, headers: { 'content-type': type }, body }));
      assert.deepEqual((await word.client.workflows.execute('wf', {})).executionIds, [], body);
    }
    const nothing = createScriptedClient(() => ({ status: 202, headers: { location: '/v1/executions/e9' } }));
    assert.deepEqual((await nothing.client.workflows.execute('wf', {})).executionIds, ['e9']);
  });
});
