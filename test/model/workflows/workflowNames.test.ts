// A row says what its workflow is called, or that it was deleted, and never what is not sure.
import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/domain/errors.ts';
import type { WorkflowChange } from '../../../src/model/workflows/workflows.ts';
import { workflowName } from '../../../src/words/names.ts';
import { settle } from '../../support/memory/ports.ts';
import { makeWorkflow } from '../../support/memory/records.ts';
import { connectBoth, createWorld, type World } from '../../support/memory/world.ts';

describe('names of workflows that no page was read for', () => {
  let world: World;
  let firstId: string;
  let secondId: string;
  let changes: WorkflowChange[];

  beforeEach(async () => {
    world = createWorld();
    [firstId, secondId] = await connectBoth(world);
    world.first.workflows = Array.from({ length: 60 }, (_, at) => makeWorkflow(`w${at}`));
    await world.workflows.refresh();
    changes = [];
    world.workflows.onDidChangeItems((change) => changes.push(change));
    world.first.calls.length = 0;
  });

  const asked = (): readonly string[] => world.first.calls;
  const nameOf = (workflowId: string): string | undefined =>
    world.workflows.find({ connectionId: firstId, workflowId })?.name;
  const isDeleted = (workflowId: string): boolean =>
    world.workflows.isDeleted({ connectionId: firstId, workflowId });
  async function want(...workflowIds: readonly string[]): Promise<void> {
    world.workflows.prefetchNames(firstId, workflowIds);
    await settle();
  }

  it('are read once each, and told at once', async () => {
    await want('w1', 'w55', 'w56', 'w55');
    assert.deepEqual(asked(), ['workflows.getOne w55', 'workflows.getOne w56']);
    assert.deepEqual(changes, [{ kind: 'rows', workflowIds: ['w55', 'w56'] }]);
    assert.equal(nameOf('w56'), 'Workflow w56');
    await want('w55', 'w56');
    assert.equal(asked().length, 2);
  });

  it('are those after a change that was made while they were read', async () => {
    const release = world.first.hold();
    await want('w55', 'w56');
    world.first.letThrough();
    await world.actions.rename({ connectionId: firstId, workflowId: 'w55' }, 'Other');
    release();
    await settle();
    assert.equal(nameOf('w55'), 'Other');
    const releaseNext = world.first.hold();
    await want('w57');
    world.first.letThrough();
    await world.actions.delete({ connectionId: firstId, workflowId: 'w57' });
    releaseNext();
    await settle();
    assert.deepEqual([nameOf('w57'), isDeleted('w57')], [undefined, true]);
  });

  it('are ten a minute, the first ones first', async () => {
    const gone = Array.from({ length: 30 }, (_, at) => `gone${at}`);
    await want(...gone);
    await want(...gone);
    assert.equal(asked().length, 10);
    await world.clock.advance(59_000);
    await want(...gone);
    assert.equal(asked().length, 10);
    await world.clock.advance(1001);
    await want(...gone);
    assert.equal(asked().length, 20);
    assert.equal(asked()[10], 'workflows.getOne gone10');
    assert.equal(world.clock.armed, 0);
  });

  it('are not wanted before the list was read, nor for a connection that is not shown', async () => {
    world.workflows.prefetchNames(secondId, ['x']);
    await settle();
    assert.deepEqual(world.second.calls, []);
    await world.connections.switchTo(secondId);
    await want('w55');
    world.workflows.prefetchNames(secondId, ['x']);
    await settle();
    assert.deepEqual([asked(), world.second.calls], [[], []]);
  });

  it('belong to deleted workflows where the service says so and knows others', async () => {
    await want('gone');
    // A service that has no such call may answer so to everything.
    assert.equal(isDeleted('gone'), false);
    await want('w55');
    assert.equal(isDeleted('gone'), true);
    assert.deepEqual(changes.at(-1), { kind: 'rows', workflowIds: ['w55', 'gone'] });
    await want('gone');
    assert.equal(asked().length, 2);
  });

  it('belong to deleted workflows where the whole list does not hold them', async () => {
    await world.workflows.loadMore();
    await want('gone');
    assert.equal(isDeleted('gone'), true);
  });

  it('belong to a workflow that was deleted from here, without a request', async () => {
    await world.actions.delete({ connectionId: firstId, workflowId: 'w1' });
    await want('w1');
    assert.equal(isDeleted('w1'), true);
    assert.deepEqual(asked(), ['workflows.delete w1']);
    assert.equal(workflowName(world.workflows, firstId, 'w1'), 'Workflow w1 (deleted)');
    assert.equal(workflowName(world.workflows, firstId, 'abcdef123456'), 'abcdef123456');
    await world.connections.replaceKey(firstId, 'svc_sk_good');
    assert.doesNotMatch(workflowName(world.workflows, firstId, 'w1'), /deleted/);
  });

  it('are not asked for where a service has no such call, and never looked for in its list', async () => {
    world.first.hasGetOne = false;
    await want('w55', 'w56');
    await want('w57');
    assert.deepEqual(asked(), ['workflows.getOne w55']);
    assert.deepEqual(changes, []);
  });

  it('are asked for again after a failure, and of another account', async () => {
    world.first.failure = new ServiceError({ kind: 'unavailable' }, 'down');
    await want('w55', 'w56');
    assert.deepEqual(asked(), ['workflows.getOne w55']);
    world.first.failure = null;
    await want('gone', 'w56');
    assert.equal(isDeleted('gone'), true);
    await world.connections.replaceKey(firstId, 'svc_sk_good');
    assert.equal(isDeleted('gone'), false);
  });

  it('drops the answer of a connection that is no longer shown', async () => {
    const release = world.first.hold();
    world.workflows.prefetchNames(firstId, ['w55']);
    await settle();
    await world.connections.switchTo(secondId);
    release();
    await settle();
    assert.equal(world.workflows.find({ connectionId: secondId, workflowId: 'w55' }), undefined);
    assert.ok(changes.every(({ kind }) => kind === 'list'));
  });
});
