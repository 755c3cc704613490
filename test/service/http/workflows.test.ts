// Workflows over HTTP, each operation with its own refusals (contract section 3, operations 1 to 9).
import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { JsonObject } from '../../../src/base/json.ts';
import { WorkflowSchema, WorkflowSummarySchema } from '../../../src/protocol/records.ts';
import { createTestService, type TestService } from '../../support/service.ts';
import { assertRefused, at, call, chain, listAt, textAt } from '../calls.ts';

describe('Workflows', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await createTestService({ requestsPerMinute: 10_000 });
  });
  afterEach(() => service.dispose());

  const create = async (body: object) => (await call(service, 'POST', '/v1/workflows', body)).body;
  const definition = chain(['start', 'trigger'], ['answer', 'output', { expression: 'input' }]);

  it('are created, read back completely, and keep unknown members', async () => {
    const nodes = [{ id: 'x', type: 'of-tomorrow', position: { x: 1, y: 2 }, note: 'kept' }];
    const made = await call(service, 'POST', '/v1/workflows', {
      name: ' Intake ',
      nodes,
      settings: { a: 1 },
    });
    assert.equal(made.status, 201);
    const workflow = v.parse(WorkflowSchema, made.body);
    assert.equal(made.headers.get('Location'), `/v1/workflows/${workflow.id}`);
    assert.deepEqual([workflow.name, workflow.version, workflow.isDeployed], ['Intake', 0, false]);
    const read = await call(service, 'GET', `/v1/workflows/${workflow.id}`);
    assert.deepEqual(read.body, made.body);
    assert.deepEqual(workflow.nodes, nodes);
    assert.equal(read.headers.get('ETag'), `"${workflow.updatedAt}"`);
  });

  it('are refused with each fault and its path', async () => {
    const answer = await call(service, 'POST', '/v1/workflows', { name: '', nodes: [1], settings: [] });
    assertRefused(answer, 422, 'validation_failed');
    assert.deepEqual(
      listAt(answer.body, 'error', 'details').map((detail) => detail['path']),
      ['name', 'nodes.0', 'settings'],
    );
    assertRefused(await call(service, 'POST', '/v1/workflows', []), 422, 'validation_failed');
  });

  it('are listed newest first without their definition, in pages without duplicates or gaps', async () => {
    for (let index = 1; index <= 5; index += 1) await create({ name: `Number ${index}` });
    const names: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await call(service, 'GET', `/v1/workflows?limit=2&cursor=${cursor}`);
      for (const item of listAt(body, 'data')) {
        v.parse(v.strictObject(WorkflowSummarySchema.entries), item);
        names.push(item['name']);
      }
      if (names.length === 2) await create({ name: 'Made meanwhile' });
      cursor = v.parse(v.nullable(v.string()), body['nextCursor']) ?? '';
    } while (cursor !== '');
    assert.deepEqual(names, ['Number 5', 'Number 4', 'Number 3', 'Number 2', 'Number 1']);
  });

  it('are found by a part of their name and by being deployed', async () => {
    const id = textAt(await create({ ...definition, name: 'Lead 100% intake' }), 'id');
    await create({ name: 'Lead 1000 intake' });
    await call(service, 'POST', `/v1/workflows/${id}/deploy`);
    const namesFor = async (query: string) =>
      listAt((await call(service, 'GET', `/v1/workflows?${query}`)).body, 'data').map((one) => one['name']);
    assert.deepEqual(await namesFor('search=100%25'), ['Lead 100% intake']);
    assert.deepEqual(await namesFor('search=lead'), ['Lead 1000 intake', 'Lead 100% intake']);
    assert.deepEqual(await namesFor('search=lead&deployed=true'), ['Lead 100% intake']);
    assert.deepEqual(await namesFor('deployed=true'), ['Lead 100% intake']);
    assert.deepEqual(await namesFor('deployed=false'), ['Lead 1000 intake']);
  });

  it('are found by their name in any case of any language, in pages', async () => {
    const path = '/v1/workflows?search=%C3%BCbung&limit=2';
    for (const name of ['Übung 1', 'Other', 'Die ÜBUNG 2', 'übung 3', 'Ubung']) await create({ name });
    const first = (await call(service, 'GET', path)).body;
    const second = (await call(service, 'GET', `${path}&cursor=${textAt(first, 'nextCursor')}`)).body;
    const names = [first, second].map((body) => listAt(body, 'data').map((one) => one['name']));
    assert.deepEqual(names, [['übung 3', 'Die ÜBUNG 2'], ['Übung 1']]);
    assert.equal(second['nextCursor'], null);
  });

  it('are updated in part; the deployed definition stays', async () => {
    const id = textAt(await create({ ...definition, description: 'First' }), 'id');
    await call(service, 'POST', `/v1/workflows/${id}/deploy`);
    const { status, body } = await call(service, 'PATCH', `/v1/workflows/${id}`, {
      nodes: [],
      description: null,
    });
    assert.equal(status, 200);
    assert.deepEqual([body['nodes'], body['description'], body['name']], [[], null, 'A chain']);
    assert.deepEqual([body['isDeployed'], body['version']], [true, 1]);
    assert.equal((await service.store.workflows.getDeployed(id))?.definition.nodes.length, 2);
    const replaced = await call(service, 'PUT', `/v1/workflows/${id}`, { name: 'Replaced' });
    assert.deepEqual([replaced.status, replaced.body['name']], [200, 'Replaced']);
    assertRefused(await call(service, 'PUT', `/v1/workflows/${id}`, {}), 422, 'validation_failed');
    assertRefused(await call(service, 'PATCH', `/v1/workflows/${id}`, { name: 5 }), 422, 'validation_failed');
  });

  it('refuse an update of a workflow that has changed since it was read', async () => {
    const first = await create({ name: 'a' });
    const path = `/v1/workflows/${textAt(first, 'id')}`;
    const readAt = textAt(first, 'updatedAt');
    const second = await call(service, 'PATCH', path, { name: 'b' }, { 'If-Match': `"${readAt}"` });
    assert.equal(second.status, 200);
    assert.ok(textAt(second.body, 'updatedAt') > readAt, 'updatedAt grows even within one millisecond');
    const stale = await call(service, 'PATCH', path, { name: 'c' }, { 'If-Match': `"${readAt}"` });
    assertRefused(stale, 409, 'version_conflict');
    assertRefused(
      await call(service, 'PATCH', path, { name: 'c', version: readAt }),
      409,
      'version_conflict',
    );
    assertRefused(await call(service, 'PATCH', path, { name: 'c', version: 7 }), 409, 'version_conflict');
    const current = { name: 'c', version: textAt(second.body, 'updatedAt') };
    assert.equal((await call(service, 'PATCH', path, current)).status, 200);
    assert.equal((await call(service, 'PATCH', path, { name: 'd' }, { 'If-Match': '*' })).status, 200);
  });

  it('are deleted, deployed or not', async () => {
    const id = textAt(await create(definition), 'id');
    await call(service, 'POST', `/v1/workflows/${id}/deploy`);
    const answer = await call(service, 'DELETE', `/v1/workflows/${id}`);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assertRefused(await call(service, 'GET', `/v1/workflows/${id}`), 404, 'workflow_not_found');
  });

  it('are imported with or without an envelope, under a new ID, not deployed', async () => {
    const original = await create(definition);
    const imported = await call(service, 'POST', '/v1/workflows/import', {
      workflow: original,
      name: 'Again',
    });
    assert.equal(imported.status, 201);
    assert.notEqual(imported.body['id'], original['id']);
    assert.deepEqual([imported.body['name'], imported.body['isDeployed']], ['Again', false]);
    assert.deepEqual(imported.body['nodes'], original['nodes']);
    const raw = await call(service, 'POST', '/v1/workflows/import', original);
    assert.deepEqual([raw.status, raw.body['name']], [201, 'A chain']);
    for (const body of [{ workflow: 5 }, { workflow: { nodes: [] } }, { nodes: [] }, []])
      assertRefused(await call(service, 'POST', '/v1/workflows/import', body), 422, 'import_invalid');
  });

  it('are duplicated', async () => {
    const original = await create({ ...definition, description: 'Kept' });
    const path = `/v1/workflows/${textAt(original, 'id')}/duplicate`;
    const copy = await call(service, 'POST', path);
    assert.equal(copy.status, 201);
    assert.deepEqual([copy.body['name'], copy.body['description']], ['A chain (copy)', 'Kept']);
    assert.deepEqual(copy.body['edges'], original['edges']);
    assert.equal((await call(service, 'POST', path, { name: 'Mine' })).body['name'], 'Mine');
    const long = await create({ ...definition, name: `${'n'.repeat(192)}😀${'n'.repeat(6)}` });
    const { body } = await call(service, 'POST', `/v1/workflows/${textAt(long, 'id')}/duplicate`);
    assert.equal(body['name'], `${'n'.repeat(192)} (copy)`);
    assert.equal((await call(service, 'POST', '/v1/workflows/import', body)).status, 201);
    assertRefused(await call(service, 'POST', path, { name: '' }), 422, 'validation_failed');
    assertRefused(await call(service, 'POST', path, 'null'), 422, 'validation_failed');
  });

  it('are deployed and undeployed; repeating it has no effect', async () => {
    const path = `/v1/workflows/${textAt(await create(definition), 'id')}`;
    const deployed = await call(service, 'POST', `${path}/deploy`, {});
    assert.deepEqual(
      [deployed.status, deployed.body['isDeployed'], deployed.body['version']],
      [200, true, 1],
    );
    assert.deepEqual((await call(service, 'POST', `${path}/deploy`)).body, deployed.body);
    const undeployed = await call(service, 'POST', `${path}/undeploy`);
    assert.deepEqual([undeployed.status, undeployed.body['isDeployed']], [200, false]);
    assert.equal(undeployed.body['deployedAt'], null);
    assert.deepEqual((await call(service, 'DELETE', `${path}/deploy`)).body, undeployed.body);
    assert.equal((await call(service, 'POST', `${path}/deploy`)).body['version'], 2);
    const events = listAt((await call(service, 'GET', '/v1/portal/events')).body, 'data');
    assert.deepEqual(
      events.map((event) => event['type']),
      ['workflow.deployed', 'workflow.undeployed', 'workflow.deployed', 'workflow.created'],
    );
  });

  describe('report whether their draft is the deployed definition', () => {
    const said = (body: JsonObject) => [body['hasUndeployedChanges'], body['deployedDefinition'] !== null];
    const draftOf = ({ nodes, edges, settings }: JsonObject) => ({ nodes, edges, settings });
    let path: string;
    let made: JsonObject;
    beforeEach(async () => {
      made = await create(definition);
      path = `/v1/workflows/${textAt(made, 'id')}`;
    });
    const change = async (body: object) => (await call(service, 'PATCH', path, body)).body;
    const send = async (action: string) => (await call(service, 'POST', `${path}/${action}`)).body;
    const listed = async () =>
      listAt((await call(service, 'GET', '/v1/workflows')).body, 'data')[0]?.['hasUndeployedChanges'];

    it('from the first deployment to the end of it', async () => {
      assert.deepEqual(said(made), [false, false]);
      assert.deepEqual(said(await change({ settings: { a: 1 } })), [false, false]);
      const deployed = await send('deploy');
      assert.deepEqual(said(deployed), [false, true]);
      const edited = await change({ nodes: [] });
      assert.deepEqual(said(edited), [true, true]);
      assert.deepEqual(edited['deployedDefinition'], draftOf(deployed));
      assert.deepEqual((await call(service, 'GET', path)).body, edited);
      assert.equal(await listed(), true);
      assert.deepEqual(said(await change({ nodes: made['nodes'] })), [false, true]);
      await change({ settings: { a: 2 } });
      const again = await send('deploy');
      assert.deepEqual([...said(again), again['version']], [false, true, 2]);
      assert.deepEqual(again['deployedDefinition'], draftOf(again));
      assert.equal(await listed(), false);
      await change({ settings: { a: 3 } });
      assert.deepEqual(said(await send('undeploy')), [false, false]);
      assert.equal(await listed(), false);
    });

    it('by the definition alone: another name or description is no difference', async () => {
      const { version, deployedAt } = await send('deploy');
      const renamed = await change({ name: 'Other', description: 'Other' });
      assert.deepEqual(said(renamed), [false, true]);
      const again = await send('deploy');
      assert.deepEqual([again['version'], again['deployedAt']], [version, deployedAt]);
    });

    it('by content: another order of members is no difference, another order of nodes is one', async () => {
      await change({ settings: { a: 1, b: { c: [1, 2], d: null } } });
      await send('deploy');
      const turned = '{ "settings": { "b": { "d": null, "c": [1, 2] }, "a": 1.0 } }';
      assert.deepEqual(said((await call(service, 'PATCH', path, turned)).body), [false, true]);
      assert.equal(await listed(), false);
      assert.equal((await send('deploy'))['version'], 1);
      assert.deepEqual(said(await change({ settings: { a: 1, b: { c: [2, 1], d: null } } })), [true, true]);
      const nodes = listAt(made, 'nodes').toReversed();
      assert.deepEqual(said(await change({ nodes, settings: {} })), [true, true]);
    });

    it('and give it neither to a copy nor to an import', async () => {
      await send('deploy');
      const edited = await change({ settings: { a: 1 } });
      const copy = (await call(service, 'POST', `${path}/duplicate`)).body;
      assert.deepEqual([...said(copy), copy['settings']], [false, false, { a: 1 }]);
      const imported = await call(service, 'POST', '/v1/workflows/import', edited);
      assert.deepEqual(said(imported.body), [false, false]);
      assert.deepEqual(said(await change({ hasUndeployedChanges: false, deployedDefinition: null })), [
        ...[true, true],
      ]);
    });
  });

  it('that are invalid can be stored but not deployed', async () => {
    const answer = await call(
      service,
      'POST',
      `/v1/workflows/${textAt(await create({ name: 'a' }), 'id')}/deploy`,
    );
    assertRefused(answer, 422, 'workflow_invalid');
    assert.equal(at(answer.body, 'error', 'details', 0, 'path'), 'nodes');
  });

  it('that do not exist are distinguished from routes that do not exist', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/duplicate'],
      ['POST', '/deploy'],
      ['POST', '/undeploy'],
      ['DELETE', '/deploy'],
      ['POST', '/execute'],
      ['GET', '/executions'],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'a', input: {} };
      assertRefused(
        await call(service, method, `/v1/workflows/wf_none${path}`, body),
        404,
        'workflow_not_found',
      );
    }
  });
});
