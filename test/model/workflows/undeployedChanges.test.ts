// That a draft differs from what is deployed is shown as long as it is so, and a list that tells less does not take it away.
import assert from 'node:assert/strict';
import { mergeWorkflow, workflowsLookSame } from '../../../src/model/workflows/knownWorkflows.ts';
import type { WorkflowChange } from '../../../src/model/workflows/workflows.ts';
import type { WorkflowTarget } from '../../../src/domain/targets.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';
import type { Workflow } from '../../../src/domain/workflow.ts';

const whole = makeWorkflow('a', {
  isDeployed: true,
  hasUndeployedChanges: true,
  hasDefinition: true,
  deployedDefinition: { nodes: [] },
});
const listed: Workflow = { ...whole, hasDefinition: false, deployedDefinition: null };

describe('a workflow whose draft differs from what is deployed', () => {
  let world: World;
  let target: WorkflowTarget;
  let changes: WorkflowChange[];
  beforeEach(async () => {
    world = createWorld();
    const [connectionId] = await connectBoth(world);
    target = { connectionId, workflowId: 'a' };
    world.first.workflows = [listed, makeWorkflow('b')];
    changes = [];
    world.workflows.onDidChangeItems((change) => changes.push(change));
  });
  const shown = () => world.workflows.find(target)?.hasUndeployedChanges;

  it('is drawn again when it begins to differ and when it ends to', async () => {
    const { workflows, first } = world;
    await workflows.refresh();
    assert.equal(shown(), true);
    for (const hasUndeployedChanges of [false, true]) {
      first.change('a', { hasUndeployedChanges });
      await workflows.refresh();
      assert.deepEqual(changes.at(-1), { kind: 'rows', workflowIds: ['a'] });
      assert.equal(shown(), hasUndeployedChanges);
    }
    assert.equal(changes.length, 3);
  });

  it('is kept by a list that does not tell, until something else of it changed', () => {
    const untold = { ...listed, hasUndeployedChanges: null };
    assert.equal(mergeWorkflow(whole, untold), whole);
    assert.equal(mergeWorkflow(whole, { ...untold, version: '7' }).hasUndeployedChanges, null);
    assert.equal(workflowsLookSame(untold, whole), false);
  });

  it('is the same again after a deployment, also where the answer does not tell', async () => {
    const { actions, workflows, first } = world;
    await workflows.refresh();
    first.change('a', { hasUndeployedChanges: null });
    assert.equal((await actions.deploy(target)).hasUndeployedChanges, false);
    assert.equal(shown(), false);
    assert.deepEqual(changes.at(-1), { kind: 'rows', workflowIds: ['a'] });
  });

  it('is told of to those who show it outside the list as well', async () => {
    const { workflows, actions, first } = world;
    await workflows.read(target);
    await workflows.read(target);
    assert.deepEqual(changes, []);
    first.change('a', { hasUndeployedChanges: false });
    await actions.deploy(target);
    assert.deepEqual(changes, [{ kind: 'rows', workflowIds: ['a'] }]);
  });
});
