// Executions, outputs, logs and portal events of services that answer differently from the contract's own.
import assert from 'node:assert/strict';
import { kindOf } from '../../support/reasons.ts';
import { createScriptedClient } from '../../support/scriptedClient.ts';

describe('execution calls', () => {
  it('filters by workflow where the service does not', async () => {
    const { client, requests } = createScriptedClient(() => ({
      body: [{ id: '1', workflowId: 'a' }, { id: '2', workflowId: 'b' }, { id: '3' }],
    }));
    const query = { workflowId: 'a', status: 'failed', startedAfter: new Date(0) };
    assert.deepEqual(
      (await client.executions.list(query)).items.map(({ id }) => id),
      ['1', '3'],
    );
    assert.match(
      requests[0]?.url ?? '',
      /workflowId=a&status=failed&startedAfter=1970-01-01T00%3A00%3A00.000Z$/,
    );
  });

  it('goes on after a page on which nothing was asked for', async () => {
    const { client } = createScriptedClient(() => ({
      body: { data: [{ id: '1', workflowId: 'b' }], nextCursor: 'c' },
    }));
    assert.deepEqual(await client.executions.list({ workflowId: 'a' }), { items: [], nextCursor: 'c' });
    assert.equal((await client.executions.list({ workflowId: 'b' })).nextCursor, 'c');
  });

  it('ends the list on the cursor that was asked for', async () => {
    const { client } = createScriptedClient(() => ({ body: { data: [{ id: '1' }], nextCursor: 'c' } }));
    assert.equal((await client.executions.list({ cursor: 'b' })).nextCursor, 'c');
    assert.equal((await client.executions.list({ cursor: 'c' })).nextCursor, null);
  });

  const running = { body: { id: 'x', status: 'running' } };
  for (const status of [202, 204, 404, 409, 425])
    it(`takes ${status} for "not ready" while the execution runs`, async () => {
      const { client } = createScriptedClient((path) => (path.endsWith('/output') ? { status } : running));
      const reading = await client.executions.output('x');
      assert.equal(reading.kind === 'notReady' && reading.status?.state, 'running');
    });

  it('falls back to the output of the details once it has ended', async () => {
    const { client } = createScriptedClient((path) =>
      path.endsWith('/output')
        ? { status: 404 }
        : { body: { id: 'x', status: 'completed', output: { a: 1 } } },
    );
    assert.deepEqual(await client.executions.output('x'), { kind: 'ready', output: { a: 1 }, error: null });
  });

  it('says what is wrong where there is no output to be had', async () => {
    const { client } = createScriptedClient((path) =>
      path.endsWith('/output') ? { status: 405 } : { body: { id: 'x', status: 'completed' } },
    );
    assert.equal(await kindOf(client.executions.output('x')), 'notOffered');
    const unknown = createScriptedClient(() => ({ status: 404 }));
    assert.equal(await kindOf(unknown.client.executions.output('x')), 'notFound');
  });

  it('takes a list that fails for a moment for no proof that it lacks the output', async () => {
    let isDown = true;
    const whole = { id: 'x', status: 'completed', output: { a: 1 } };
    const { client, clock } = createScriptedClient((path) => {
      if (path.endsWith('/output')) return { status: 405 };
      if (path.startsWith('/executions/x')) return { body: { id: 'x', status: 'completed' } };
      return isDown ? { status: 503 } : { body: [whole] };
    });
    const failing = kindOf(client.executions.output('x'));
    for (let second = 0; second < 120; second += 1) await clock.advance(1000);
    assert.equal(await failing, 'unavailable');
    isDown = false;
    assert.deepEqual(await client.executions.output('x'), { kind: 'ready', output: { a: 1 }, error: null });
  });

  it('shows an output that is no JSON as text, and one that says success:false as it is', async () => {
    const csv = createScriptedClient(() => ({
      headers: { 'content-type': 'text/csv; charset=utf-8' },
      body: 'a,b',
    }));
    assert.deepEqual(await csv.client.executions.output('x'), {
      kind: 'text',
      text: 'a,b',
      mediaType: 'text/csv',
    });
    const own = createScriptedClient(() => ({ body: { success: false } }));
    assert.deepEqual(await own.client.executions.output('x'), {
      kind: 'ready',
      output: { success: false },
      error: null,
    });
  });

  it('reads logs page by page, after a sequence, even where that is ignored', async () => {
    const row = (sequence: number): object => ({ id: `l${sequence}`, sequence, nodeId: 'n', message: 'm' });
    const { client, requests } = createScriptedClient((path) =>
      path.includes('cursor')
        ? { body: { data: [row(3), row(4)] } }
        : { body: { data: [row(1), row(2)], nextCursor: 'c' } },
    );
    const rows = (await client.executions.logs('x', { after: 1 })).rows;
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      [2, 3, 4],
    );
    assert.match(requests[0]?.url ?? '', /\/executions\/x\/logs\?after=1&limit=100$/);
  });

  it('reads logs as NDJSON and as plain text', async () => {
    const lines = createScriptedClient(() => ({
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"id":1,"nodeId":"a","msg":"m"}',
    }));
    assert.equal((await lines.client.executions.logs('x', {})).rows[0]?.nodeId, 'a');
    const text = createScriptedClient(() => ({ headers: { 'content-type': 'text/plain' }, body: '5\n6' }));
    assert.deepEqual(
      (await text.client.executions.logs('x', {})).rows.map(({ message }) => message),
      ['5', '6'],
    );
  });
});

describe('portal event calls', () => {
  it('lists and sends', async () => {
    const { client, requests } = createScriptedClient((_path, { method }) =>
      method === 'GET'
        ? { body: { events: [{ id: 'e1', type: 'portal.x', data: {} }] } }
        : { status: 202, body: { eventIds: ['e2'], status: 'received' } },
    );
    assert.equal((await client.portalEvents.list({ after: 'e0', type: 't' })).items[0]?.type, 'portal.x');
    assert.deepEqual(await client.portalEvents.send({ type: 'y' }), ['e2']);
    assert.equal(requests[0]?.url, 'https://service.example/v1/portal/events?after=e0&type=t');
  });

  it('are not offered everywhere', async () => {
    const { client } = createScriptedClient(() => ({
      status: 404,
      headers: { 'content-type': 'text/html' },
      body: '<p>404',
    }));
    assert.equal(await kindOf(client.portalEvents.list({})), 'notOffered');
  });
});
