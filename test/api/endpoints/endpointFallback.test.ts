// Only "no such endpoint" leads on, what is missing is told, and the user's own word goes before all.
import assert from 'node:assert/strict';
import type { OperationOverrides } from '../../../src/protocol/operationOverrides.ts';
import { serviceWith } from '../../support/endpoints.ts';
import { kindOf } from '../../support/reasons.ts';
import type { ScriptedAnswer } from '../../support/scriptedPort.ts';

const workflow = { id: 'w', name: 'W' };
const done = { body: workflow };

describe('the endpoint fallback', () => {
  it('never looks elsewhere for execute and for the list of workflows', async () => {
    const { client, asked } = serviceWith({});
    assert.equal(await kindOf(client.workflows.execute('w', {})), 'notOffered');
    assert.equal(await kindOf(client.workflows.list({})), 'notOffered');
    assert.deepEqual(asked(), ['POST /workflows/w/execute {"input":{}}', 'GET /workflows']);
  });

  it('goes on after no other refusal', async () => {
    const gone = { status: 404, body: { error: { code: 'workflow_not_found', message: 'Gone.' } } };
    for (const [answer, kind] of [
      [gone, 'notFound'],
      [{ status: 409, body: { error: { code: 'version_conflict' } } }, 'conflict'],
      [{ status: 403 }, 'forbidden'],
      [{ status: 500 }, 'unavailable'],
    ] as const) {
      const { client, requests } = serviceWith({
        'POST /workflows/w/deploy': answer,
        'POST /workflows/w/publish': done,
      });
      assert.equal(await kindOf(client.workflows.deploy('w')), kind);
      assert.equal(requests.length, 1);
    }
  });

  it('would rather not update than lose a definition that the service does not show', async () => {
    const { client, requests } = serviceWith({
      'GET /workflows': { body: [{ id: 'w', name: 'W' }] },
      'PUT /workflows/w': done,
    });
    assert.equal(await kindOf(client.workflows.update('w', { name: 'V' })), 'notOffered');
    assert.ok(requests.every(({ method }) => method !== 'PUT'));
  });

  it('looks anew when a place that worked is gone', async () => {
    const endpoints: Record<string, ScriptedAnswer> = { 'POST /workflows/w/publish': done };
    const { client, asked } = serviceWith(endpoints);
    await client.workflows.deploy('w');
    delete endpoints['POST /workflows/w/publish'];
    endpoints['POST /workflows/w/deploy'] = done;
    await client.workflows.deploy('w');
    assert.deepEqual(asked().slice(2), ['POST /workflows/w/publish {}', 'POST /workflows/w/deploy {}']);
  });

  it('tells what is not offered until it is, and counts what can be had another way', async () => {
    const endpoints: Record<string, ScriptedAnswer> = { 'GET /workflows/w': done };
    const { client } = serviceWith(endpoints);
    const seen: string[] = [];
    client.notOffered.onDidChange((names) => seen.push([...names].join()));
    assert.equal(await kindOf(client.workflows.deploy('w')), 'notOffered');
    assert.equal(await kindOf(client.workflows.duplicate('w', undefined)), 'notOffered');
    assert.equal(await kindOf(client.executions.list({})), 'notOffered');
    endpoints['POST /workflows/w/deploy'] = done;
    endpoints['POST /workflows'] = done;
    await client.workflows.deploy('w');
    await client.workflows.duplicate('w', undefined);
    assert.deepEqual(seen, [
      'deployWorkflow',
      'deployWorkflow',
      'deployWorkflow,duplicateWorkflow,createWorkflow',
      'duplicateWorkflow,createWorkflow',
      '',
    ]);
  });

  it('believes for five minutes that a change is missing: it may have been the page of a gateway', async () => {
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not here</html>' };
    const { client, clock } = serviceWith({
      'POST /workflows/w/deploy': page,
      'POST /workflows/w/publish': page,
      'POST /workflows/w/activate': page,
    });
    const seen: string[] = [];
    client.notOffered.onDidChange((names) => seen.push([...names].join()));
    assert.equal(await kindOf(client.workflows.deploy('w')), 'notOffered');
    await clock.advance(5 * 60_000 - 1);
    assert.deepEqual(seen, ['deployWorkflow']);
    await clock.advance(1);
    assert.deepEqual(seen, ['deployWorkflow', '']);
    await kindOf(client.workflows.deploy('w'));
    client.dispose();
    assert.equal(clock.armed, 0);
  });

  it('believes a missing endpoint for five minutes where there is another way', async () => {
    const { client, clock, requests } = serviceWith({ 'GET /workflows': { body: [workflow] } });
    const callsOf = async (): Promise<number> => {
      const before = requests.length;
      await client.workflows.get('w');
      return requests.length - before;
    };
    assert.deepEqual([await callsOf(), await callsOf()], [2, 1]);
    await clock.advance(5 * 60_000);
    assert.equal(await callsOf(), 2);
  });
});

describe('a setting', () => {
  it('replaces every place, execute and list included', async () => {
    const overrides: OperationOverrides = {
      listWorkflows: { path: '/flows' },
      executeWorkflow: { path: '/flows/{workflowId}/run' },
      deployWorkflow: { method: 'PUT', path: '/flows/{workflowId}/live' },
      getExecution: { path: '/flows/{workflowId}/runs/{executionId}' },
    };
    const { client, asked } = serviceWith({ 'GET /flows': { body: [workflow] } }, () => overrides);
    assert.equal((await client.workflows.list({})).items.length, 1);
    assert.equal(await kindOf(client.workflows.execute('w', {})), 'notOffered');
    assert.equal(await kindOf(client.workflows.deploy('w')), 'notOffered');
    assert.equal(await kindOf(client.executions.get('e')), 'notOffered');
    const described = client.workflows.describeExecution('w', { a: 1 });
    assert.match(described.url, /^https:\/\/.*\/flows\/w\/run$/);
    assert.deepEqual(
      { ...described, url: '' },
      {
        method: 'POST',
        url: '',
        headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
        body: '{\n  "input": {\n    "a": 1\n  }\n}',
      },
    );
    assert.deepEqual(asked(), [
      'GET /flows',
      'POST /flows/w/run {"input":{}}',
      'PUT /flows/w/live {}',
      'GET /executions?limit=100',
    ]);
  });

  it('keeps the forms that go with its method, and makes us forget when it changes', async () => {
    let overrides: OperationOverrides = {
      updateWorkflow: { method: 'PUT' },
      importWorkflow: { path: '/up' },
    };
    const { client, asked } = serviceWith(
      {
        'GET /workflows/w': done,
        'PUT /workflows/w': done,
        'POST /up': { status: 400 },
        'POST /workflows/w/publish': done,
      },
      () => overrides,
    );
    await client.workflows.update('w', { name: 'V' });
    assert.equal(await kindOf(client.workflows.import({ a: 1 })), 'invalid');
    assert.deepEqual(asked().slice(0, 1).concat(asked().slice(2)), [
      'GET /workflows/w',
      'POST /up {"workflow":{"a":1}}',
      'POST /up {"a":1}',
    ]);
    await client.workflows.deploy('w');
    assert.equal(await kindOf(client.portalEvents.list({})), 'notOffered');
    assert.ok(client.notOffered.current.has('listPortalEvents'));
    overrides = {};
    await client.workflows.deploy('w');
    assert.equal(asked().at(-2), 'POST /workflows/w/deploy {}');
    assert.equal(client.notOffered.current.size, 0);
  });
});
