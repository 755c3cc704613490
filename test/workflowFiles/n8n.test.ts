// Workflows of an n8n as files: it has no lock, adds settings of its own, and keeps what it's not sent.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from '../../src/base/json.ts';
import { type OpenService, openService } from '../../src/program/openService.ts';
import { planPush } from '../../src/workflowFiles/plan.ts';
import { findNeeds } from '../../src/workflowFiles/needs.ts';
import { MemoryFolder } from '../support/memory/filesFolder.ts';
import { recordedKey } from '../support/n8n/recordedN8n.ts';
import { createN8nWorld, type N8nWorld } from '../support/n8n/world.ts';
import { actionsOf, Clone, kindsOf } from './filesWorld.ts';

const file = 'Orders.n8n.workflow.json';

const documentOf = (path: string, more: JsonObject = {}): JsonObject => ({
  name: 'Orders',
  nodes: [
    {
      id: '1',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { httpMethod: 'POST', path },
      credentials: { httpHeaderAuth: { id: '12', name: 'Header account' } },
    },
  ],
  connections: {},
  settings: { executionOrder: 'v1' },
  ...more,
});

describe('files of an n8n', function () {
  this.timeout(60_000);
  let world: N8nWorld;
  let folder = '';
  let service: OpenService;
  let clone: Clone;
  beforeEach(async () => {
    world = await createN8nWorld();
    folder = await mkdtemp(join(tmpdir(), 'files-'));
    const address = { url: world.address, kind: 'n8n' } as const;
    service = openService(address, { apiKey: recordedKey }, { ledgerPath: join(folder, 'ledger') });
    const workflows = { environments: { test: { url: world.address, kind: 'n8n' } } };
    clone = new Clone(service, new MemoryFolder([['workflows.json', stringifyJson(workflows)]]));
  });
  afterEach(async () => {
    service.dispose();
    await world.dispose();
    await rm(folder, { recursive: true });
  });

  const only = () => world.n8n.workflows.values().next().value ?? assert.fail('n8n has no workflow');

  it('are pulled with their ending, pushed, and deployed', async () => {
    world.n8n.addWorkflow(documentOf('orders'));
    await clone.pull();
    assert.deepEqual(await clone.states(), { [file]: 'same' });
    clone.folder.files.set(file, (clone.text(file) ?? '').replace('"orders"', '"orders-2"'));
    const plan = await clone.plan('push', { deploys: true });
    assert.deepEqual(actionsOf(plan), { [file]: 'update workflow' });
    assert.deepEqual(plan.steps[0]?.difference, { nodes: ['Webhook'], members: [] });
    assert.deepEqual(kindsOf(await clone.push({ deploys: true })), ['done']);
    assert.match(stringifyJson(only().nodes), /"orders-2"/);
    assert.notEqual(only().activeVersionId, null);
    const { requests } = world.n8n;
    const before = requests.length;
    assert.deepEqual(await clone.states(), { [file]: 'same' });
    assert.equal(requests.length - before, 1);
  });

  it('are the same although n8n keeps settings that the file no longer has', async () => {
    world.n8n.addWorkflow(
      documentOf('orders', { settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' } }),
    );
    await clone.pull();
    clone.write(file, documentOf('orders', { settings: { executionOrder: 'v1' } }));
    await clone.push();
    assert.deepEqual(await clone.states(), { [file]: 'same' });
    assert.deepEqual(actionsOf(await clone.plan('push')), { [file]: 'nothing' });
    // What somebody changes there is brought into the file all the same.
    world.n8n.replace(only(), { ...documentOf('theirs'), settings: {} });
    await clone.pull();
    assert.match(clone.text(file) ?? '', /"theirs"/);
    assert.deepEqual(await clone.states(), { [file]: 'same' });
  });

  it('are read before they are written over', async () => {
    world.n8n.addWorkflow(documentOf('orders'));
    await clone.pull();
    clone.write(file, documentOf('mine'));
    world.n8n.replace(only(), documentOf('theirs'));
    assert.deepEqual(kindsOf(await clone.push()), ['conflict']);
    assert.match(stringifyJson(only().nodes), /"theirs"/);
    assert.deepEqual(kindsOf(await clone.push({ decision: 'mine' })), ['done']);
    assert.match(stringifyJson(only().nodes), /"mine"/);
  });

  it('are created once, also where the process ended before it knew', async () => {
    clone.write(file, documentOf('orders'));
    const begun = await clone.plan('push');
    assert.deepEqual(actionsOf(begun), { [file]: 'create workflow' });
    const workflows = clone.text('workflows.json') ?? '';
    await clone.push();
    // As the folder was when the request had left.
    const agreed = parseJson(clone.text('.workflows/test.json') ?? '');
    assert.ok(isJsonObject(agreed));
    const text = stringifyJson(clone.definition(file));
    clone.folder.files.set('workflows.json', workflows);
    clone.folder.files.set(
      '.workflows/test.json',
      stringifyJson({ workflows: {}, begun: { [file]: { kind: 'create', text, known: [] } } }),
    );
    assert.deepEqual(await clone.states(), { [file]: 'same' });
    await clone.push();
    assert.equal(world.n8n.workflows.size, 1);
    assert.equal(clone.idOf(file), only().id);
  });

  it('say which credentials they need', () =>
    assert.deepEqual(findNeeds(documentOf('orders')).credentials, ['Header account (12)']));

  it('leave the files of other services alone', async () => {
    clone.write('Other.workflow.json', { name: 'Other', nodes: [], edges: [] });
    assert.deepEqual(await clone.states(), {});
    assert.deepEqual(planPush(await clone.compare()).steps, []);
  });
});
