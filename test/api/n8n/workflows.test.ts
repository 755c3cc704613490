import assert from 'node:assert/strict';
import { n8nApiAddress } from '../../../src/api/n8n/operations.ts';
import { isServiceError } from '../../../src/domain/errors.ts';
import { recordedKey } from '../../support/n8n/recordedN8n.ts';
import { createN8nWorld, type N8nWorld } from '../../support/n8n/world.ts';
import { kindOf, reasonOf } from '../../support/reasons.ts';
import { serve } from '../../support/servers.ts';
import { serviceTraits } from '../../../src/domain/serviceTraits.ts';

const webhook = { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } };
const content = { nodes: [webhook], connections: {}, settings: {} };

describe('the client of an n8n', () => {
  let world: N8nWorld;

  beforeEach(async () => {
    world = await createN8nWorld();
  });
  afterEach(() => world.dispose());

  it('takes the address of the editor, with a prefix and with the API in it', () => {
    for (const [address, api] of [
      ['https://n8n.example', 'https://n8n.example/api/v1'],
      ['https://n8n.example/', 'https://n8n.example/api/v1'],
      [' https://n8n.example/api/v1/ ', 'https://n8n.example/api/v1'],
      ['https://example.org/team/n8n', 'https://example.org/team/n8n/api/v1'],
      ['https://example.org/team/api/v1', 'https://example.org/team/api/v1'],
    ] as const)
      assert.equal(n8nApiAddress(address), api);
  });

  it('sends its key in one header, below /api/v1 only', async () => {
    const { client, n8n, address, connect } = world;
    const { id } = n8n.addWorkflow({ ...content, name: 'Sorts' });
    await client.workflows.get(id);
    await connect({ address: `${address}/api/v1/` }).workflows.list({ limit: 1 });
    assert.deepEqual(
      n8n.requests.map(({ url }) => url),
      [`/api/v1/workflows/${id}`, '/api/v1/workflows?limit=1'],
    );
    for (const { headers, url } of n8n.requests) {
      assert.equal(headers['x-n8n-api-key'], recordedKey);
      assert.equal(headers.authorization, undefined);
      assert.ok(!url.includes(recordedKey));
    }
  });

  it('has a page of each workflow and execution in the browser', () => {
    const { address, client, connect } = world;
    assert.equal(client.pageOf?.('a/b'), `${address}/workflow/a%2Fb`);
    assert.equal(
      connect({ address: `${address}/api/v1` }).pageOf?.('w', '7'),
      `${address}/workflow/w/executions/7`,
    );
    assert.equal(client.pageOf('w', undefined, 'half \ud83d'), `${address}/workflow/w/half%20%EF%BF%BD`);
  });

  it('waits as long as a limit of requests says before it asks again, and not at all where that is long', async () => {
    const { client, n8n, waits } = world;
    const limited = (retryAfterSeconds: number) => ({
      status: 429,
      body: { message: 'Too many requests', retryAfterSeconds },
    });
    n8n.passOn = (_seen, answer) => (n8n.requests.length === 1 ? limited(9) : answer);
    assert.deepEqual((await client.workflows.list({})).items, []);
    assert.deepEqual([n8n.requests.length, waits.length], [2, 1]);
    const [waited = 0] = waits;
    assert.ok(waited > 0 && waited <= 9000, String(waited));
    n8n.passOn = () => limited(40);
    assert.equal(await kindOf(client.workflows.list({})), 'rateLimited');
    assert.equal(n8n.requests.length, 3);
  });

  it('tells a wrong key, a page in place of JSON, and what else is no n8n', async () => {
    const { client, n8n, address, connect } = world;
    assert.equal(await kindOf(connect({ key: 'other' }).workflows.list({})), 'keyRejected');
    assert.equal(await kindOf(connect({ key: '' }).workflows.list({})), 'keyMissing');
    assert.equal(await kindOf(connect({ key: 'with space' }).workflows.list({})), 'keyRejected');
    const sent = n8n.requests.length;
    for (const [mcpToken, kind] of [
      ['', 'mcpTokenMissing'],
      ['with space', 'mcpTokenRejected'],
    ] as const)
      assert.equal(await kindOf(connect({ mcpToken }).mcp?.verify() ?? assert.fail()), kind);
    assert.equal(n8n.requests.length, sent);
    assert.deepEqual(await reasonOf(connect({ address: `${address}/other` }).workflows.list({})), {
      kind: 'unreadable',
      cause: 'webPage',
    });
    assert.equal(n8n.requests.length, sent + 1);
    assert.equal(await kindOf(client.workflows.get('missing')), 'notFound');
    const bare = await serve((_request, response) => {
      response.setHeader('content-type', 'application/json').end('[]');
    });
    const other = connect({ address: `http://127.0.0.1:${bare.port}` });
    assert.deepEqual(await reasonOf(other.workflows.list({})), { kind: 'noList', says: null });
    await bare.close();
  });

  it('follows no redirect, and shows no markup', async () => {
    const seen: string[] = [];
    const odd = await serve((request, response) => {
      seen.push(request.url ?? '');
      if (request.url?.includes('/executions/') === true)
        response
          .writeHead(500, { 'content-type': 'text/html' })
          .end('<html><pre>Error<br> at x</pre></html>');
      else response.writeHead(302, { location: `${world.address}/api/v1/workflows` }).end();
    });
    const { workflows, executions } = world.connect({ address: `http://127.0.0.1:${odd.port}` });
    assert.deepEqual(await reasonOf(workflows.list({})), { kind: 'unreadable', cause: 'redirect' });
    assert.equal(world.n8n.requests.length, 0);
    await assert.rejects(
      executions.get('1'),
      (error) => isServiceError(error, 'unavailable') && error.message === 'Internal Server Error',
    );
    await odd.close();
  });

  it('lists rows without documents, over all pages', async () => {
    const { client, n8n } = world;
    const added = Array.from({ length: 120 }, (_, index) =>
      n8n.addWorkflow({ ...content, name: `Job ${index}` }),
    );
    n8n.activate(added[7] ?? assert.fail());
    const first = await client.workflows.list({});
    assert.equal(first.items.length, 50);
    const [row] = first.items;
    assert.deepEqual([row?.hasDefinition, row?.raw['nodes'], row?.isDeployed], [false, undefined, false]);
    const all = await client.workflows.listWhole({ limit: 1000, purpose: 'workflows' });
    assert.deepEqual(
      all.map(({ name }) => name),
      added.map(({ name }) => name).toReversed(),
    );
    const found = await client.workflows.list({ search: 'JOB 11', deployed: false });
    assert.equal(found.items.length, 11);
    const { items } = await client.workflows.list({ deployed: true });
    assert.deepEqual(
      items.map(({ name, isDeployed, hasUndeployedChanges }) => [name, isDeployed, hasUndeployedChanges]),
      [['Job 7', true, false]],
    );
  });

  it('opens a whole workflow, and tells whether it has changed since it was deployed', async () => {
    const { client, n8n } = world;
    const added = n8n.addWorkflow({ ...content, name: 'Sorts' });
    n8n.activate(added);
    const edited = [{ ...webhook, notes: 'edited' }];
    Object.assign(added, { versionId: 'from-the-editor', nodes: edited });
    const workflow = await client.workflows.get(added.id);
    assert.deepEqual(
      [workflow.name, workflow.isDeployed, workflow.hasUndeployedChanges, workflow.version],
      ['Sorts', true, true, 'from-the-editor'],
    );
    assert.deepEqual(workflow.raw['nodes'], edited);
    assert.deepEqual(workflow.deployedDefinition, { nodes: [webhook], connections: {} });
    assert.equal(workflow.raw['activeVersion'], undefined);
  });

  it('refuses in words what n8n does not have, without a request', async () => {
    const { client, n8n } = world;
    const listening = client.portalEvents.stream(undefined, new AbortController().signal);
    for (const call of [
      client.workflows.executeDraft('w', {}),
      client.portalEvents.list({}),
      client.portalEvents.send({}),
      listening[Symbol.asyncIterator]().next(),
    ])
      await assert.rejects(
        call,
        (error) => isServiceError(error, 'notOffered') && error.message.endsWith(' is not offered by n8n.'),
      );
    assert.throws(
      () => client.workflows.describeExecution('w', {}),
      (error) => isServiceError(error, 'notOffered'),
    );
    assert.equal(n8n.requests.length, 0);
    assert.equal(client.traits, serviceTraits.n8n);
    assert.ok(!client.capabilities.current.has('requestLimit'));
    assert.equal(client.budget.waitMs('asked'), 0);
  });
});
