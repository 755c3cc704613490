// The model over an n8n, beside a service.
import assert from 'node:assert/strict';
import { statusNotKept } from '../../src/domain/status.ts';
import { executionWord } from '../../src/words/executionWords.ts';
import { createModelWorld, type ModelWorld } from '../support/n8n/modelWorld.ts';
import { kindOf, reasonOf } from '../support/reasons.ts';

const webhook = { id: 'n1', name: 'Input', type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } };
const content = { name: 'Sorts', nodes: [webhook], connections: {}, settings: {} };
const ours = { name: 'Ours', nodes: [{ id: 'a', type: 'trigger' }], edges: [] };

const notKept = statusNotKept('n8n');

describe('the model over an n8n', () => {
  let world: ModelWorld;

  beforeEach(async () => {
    world = await createModelWorld();
  });
  afterEach(() => world.dispose());

  it('tells whose documents the definitions of a connection are', async () => {
    const { model, n8nId, serviceId } = world;
    assert.equal(model.services.traits(n8nId).definitionFormat, 'n8n');
    assert.equal(model.services.traits(serviceId).definitionFormat, 'service');
    await model.connections.remove(n8nId);
    assert.equal(model.services.traits(n8nId).definitionFormat, 'service');
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

  it('deploys and executes nothing that it knows to be archived, without a request, and takes it back', async () => {
    const { model, n8n, n8nId: connectionId } = world;
    const { actions } = model;
    const workflow = n8n.addWorkflow(content);
    n8n.archive(workflow);
    const target = { connectionId, workflowId: workflow.id };
    await model.workflows.refresh();
    const { length } = n8n.requests;
    for (const call of [
      () => actions.deploy(target),
      () => actions.execute(target, {}),
      () => actions.executeDraft(target, {}),
    ])
      assert.deepEqual(await reasonOf(call()), { kind: 'archived', workflowId: workflow.id });
    assert.equal(n8n.requests.length, length);
    await actions.unarchive(target);
    assert.equal(model.workflows.find(target)?.isArchived, undefined);
    assert.equal((await actions.deploy(target)).isDeployed, true);
    const ofService = { connectionId: world.serviceId, workflowId: 'wf_1' };
    assert.equal(await kindOf(actions.unarchive(ofService)), 'notOffered');
  });

  it('ends an execution that is not kept, and reads nothing of it with an error', async () => {
    const { model, n8n, n8nId } = world;
    const { id: workflowId } = n8n.addWorkflow({
      ...content,
      settings: { saveDataSuccessExecution: 'none' },
    });
    const list = { connectionId: n8nId, workflowId };
    for (const isFollowed of [true, false]) {
      const { id, startedAt } = n8n.start(workflowId);
      const target = { connectionId: n8nId, executionId: String(id) };
      await model.executions.refresh(list);
      assert.equal(model.executions.find(target)?.status.state, 'running');
      const follow = isFollowed ? model.following.follow(target) : undefined;
      n8n.end(id, 'success');
      const ended = await follow?.done;
      if (ended !== undefined) assert.ok(ended.kind === 'ended' && ended.status.notKeptBy !== undefined);
      // As a view asks for what is in sight.
      else await model.executions.read(target);
      const execution = model.executions.find(target) ?? assert.fail();
      assert.deepEqual([execution.status, execution.startedAt], [notKept, new Date(startedAt)]);
      assert.equal(executionWord(execution), 'ended, not kept by n8n');
      const { rows } = await model.following.readLog(target);
      assert.deepEqual(rows, []);
      assert.equal((await model.executions.readInput(target)).input, undefined);
      const output = await model.executions.output(target);
      assert.deepEqual(output, { kind: 'notReady', status: notKept });
    }
    assert.equal(await kindOf(model.executions.read({ connectionId: n8nId, executionId: '99' })), 'notFound');
  });

  it('knows which workflows tell their nodes at the end, and lets one tell them while they run', async () => {
    const { model, n8n, n8nId, serviceId } = world;
    const { id: workflowId } = n8n.addWorkflow({ ...content, settings: { timezone: 'UTC' } });
    n8n.addWorkflow({ ...content, name: 'Live', settings: { saveExecutionProgress: true } });
    await model.workflows.refresh();
    const told = () =>
      model.workflows.state.current.items.map(({ name, reportsNodesAtEnd = false }) => [
        name,
        reportsNodesAtEnd,
      ]);
    assert.deepEqual(told().sort(), [
      ['Live', false],
      ['Sorts', true],
    ]);
    await model.actions.saveProgress({ connectionId: n8nId, workflowId });
    const saved = { timezone: 'UTC', saveExecutionProgress: true };
    assert.deepEqual(n8n.workflows.get(workflowId)?.settings, saved);
    assert.deepEqual(told().sort(), [
      ['Live', false],
      ['Sorts', false],
    ]);
    const { services } = model;
    assert.deepEqual(
      [services.traits(n8nId).startsOnce, services.traits(serviceId).startsOnce],
      [false, true],
    );
    const kept = [n8nId, serviceId].map((id) => services.traits(id).keepsExecutions);
    assert.deepEqual(kept, [false, true]);
  });

  it('says that a workflow is being deployed until its webhooks can be expected to answer', async () => {
    const { model, n8n, n8nId } = world;
    const known = (workflowId: string) => {
      const workflow = model.workflows.find({ connectionId: n8nId, workflowId });
      return [workflow?.isDeployed, workflow?.isDeploying];
    };
    const { id } = n8n.addWorkflow(content);
    const { id: withoutTrigger } = n8n.addWorkflow({ ...content, nodes: [] });
    await model.workflows.refresh();
    const deploying = model.actions.deploy({ connectionId: n8nId, workflowId: id });
    assert.deepEqual(known(id), [false, true]);
    await deploying;
    assert.deepEqual(known(id), [true, undefined]);
    assert.ok(world.waits.includes(350));
    const refused = model.actions.deploy({ connectionId: n8nId, workflowId: withoutTrigger });
    assert.deepEqual(known(withoutTrigger), [false, true]);
    assert.equal(await kindOf(refused), 'invalid');
    assert.deepEqual(known(withoutTrigger), [false, undefined]);
  });
});
