// The model over an n8n, beside a service.
import assert from 'node:assert/strict';
import { createModelWorld, type ModelWorld } from '../support/n8n/modelWorld.ts';
import { reasonOf } from '../support/reasons.ts';

const webhook = { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } };
const content = { name: 'Sorts', nodes: [webhook], connections: {}, settings: {} };
const ours = { name: 'Ours', nodes: [{ id: 'a', type: 'trigger' }], edges: [] };

describe('the model over an n8n', () => {
  let world: ModelWorld;

  beforeEach(async () => {
    world = await createModelWorld();
  });
  afterEach(() => world.dispose());

  it('tells whose documents the definitions of a connection are', async () => {
    const { model, n8nId, serviceId } = world;
    assert.equal(model.services.definitionFormat(n8nId), 'n8n');
    assert.equal(model.services.definitionFormat(serviceId), 'service');
    await model.connections.remove(n8nId);
    assert.equal(model.services.definitionFormat(n8nId), 'service');
  });

  it('refuses a document of the other kind before any request, in both directions', async () => {
    const { model, n8n, service, n8nId, serviceId } = world;
    const { actions } = model;
    for (const add of [actions.create.bind(actions), actions.import.bind(actions)]) {
      assert.deepEqual(await reasonOf(add(n8nId, ours)), { kind: 'otherFormat', expected: 'n8n' });
      assert.deepEqual(await reasonOf(add(serviceId, content)), { kind: 'otherFormat', expected: 'service' });
    }
    assert.equal(n8n.requests.length, 0);
    assert.deepEqual(
      service.calls.filter((call) => /create|import/.test(call)),
      [],
    );
    const { id } = await actions.import(n8nId, content);
    assert.equal(model.workflows.find({ connectionId: n8nId, workflowId: id })?.name, 'Sorts');
    await actions.create(serviceId, ours);
    assert.ok(service.calls.includes('workflows.create'));
  });
});
